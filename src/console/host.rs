//! One zkCli for each client of a run, and what they have printed: for the page's console and for `zabscope cli`. The host turns what
//! a console asks for into actions of the run and reads the answers from its facts. What is printed belongs to the reader: when
//! the run is wound back it stays, with a line that says so, and whatever was waited for is given up.

use std::collections::{BTreeMap, VecDeque};

use crate::base::{ClientId, ServerId, Zxid};
use crate::client::{Call, CallId, Fact as ClientFact, State};
use crate::sim::{Action, Fact, Record, RunError, WorldFact};
use crate::timeline::Session;
use crate::wire::EventType;

use super::four_letter;
use super::{Asked, Console, Effect, Line, Note, Step};

/// How many entries a console remembers, and the longest text of one, characters.
const REMEMBERED: usize = 500;
const LONGEST: usize = 4_000;
/// How many rounds of answers and next calls may follow each other in one moment.
const ROUNDS: usize = 1_000;

/// Something in a console's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A line that was typed, behind the prompt.
    Typed(String, String),
    /// A line that was printed.
    Printed(Line),
    /// The world refused what was asked for; the fact says why.
    Refused(Box<Record>),
    /// The run would not take the action.
    Wrong(RunError),
    /// The run was wound back.
    Rewound,
}

/// The console of one client.
#[derive(Debug, Default)]
pub struct Cli {
    /// zkCli itself.
    pub console: Console,
    /// The log, oldest first.
    pub log: VecDeque<Entry>,
    /// How many entries of the log have been forgotten.
    pub forgotten: usize,
    pending: BTreeMap<CallId, usize>,
    /// Where to connect when the session is closed (`connect`).
    reopen: Option<Vec<ServerId>>,
    notified: Option<Zxid>,
}

impl Cli {
    fn print(&mut self, entry: Entry) {
        if self.log.len() == REMEMBERED {
            self.log.pop_front();
            self.forgotten += 1;
        }
        self.log.push_back(entry);
    }

    fn print_lines(&mut self, lines: Vec<Line>) {
        for mut line in lines {
            if let Some((end, _)) = line.text.char_indices().nth(LONGEST) {
                line.text.truncate(end);
                line.text.push('…');
            }
            self.print(Entry::Printed(line));
        }
    }

    fn give_up(&mut self) {
        self.pending.clear();
        self.reopen = None;
        let step = self.console.give_up();
        self.print_lines(step.lines);
    }

    /// Whether a command, or a new connection, is waited for.
    pub fn is_busy(&self) -> bool {
        self.console.is_busy() || self.reopen.is_some()
    }
}

/// All consoles.
#[derive(Debug, Default)]
pub struct ConsoleHost {
    /// Those that somebody has typed at, or that have printed something.
    pub consoles: BTreeMap<ClientId, Cli>,
    /// Facts below this number have been read.
    read: u64,
    beginnings: (u64, u64),
}

/// The state of a client; one that is not there is as good as closed.
pub fn state_of(session: &Session, client: ClientId) -> State {
    session.world().clients.get(&client).map_or(State::Closed, |process| process.client.state)
}

/// The prompt of a client's console.
pub fn prompt(consoles: &ConsoleHost, session: &Session, client: ClientId) -> String {
    let server = session.world().clients.get(&client).and_then(|process| process.client.server);
    let host = server.map_or_else(|| client.to_string(), |server| server.to_string());
    let state = state_of(session, client);
    let prompt = match consoles.consoles.get(&client) {
        Some(cli) => cli.console.prompt(&host, state),
        None => Console::default().prompt(&host, state),
    };
    match session.world().clients.get(&client).is_some_and(|process| process.client.read_only) {
        true => prompt.replacen("(CONNECTED)", "(CONNECTEDREADONLY)", 1),
        false => prompt,
    }
}

impl ConsoleHost {
    /// The console of a client.
    pub fn cli(&mut self, client: ClientId) -> &mut Cli {
        self.consoles.entry(client).or_default()
    }

    /// A line was typed. Whether it asked to leave the console (`quit`).
    pub fn enter(&mut self, session: &mut Session, client: ClientId, line: &str) -> bool {
        self.attend(session);
        let before = prompt(self, session, client);
        let state = state_of(session, client);
        let cli = self.cli(client);
        if cli.reopen.is_some() {
            cli.print_lines(vec![Line::note(Note::Busy)]);
            return false;
        }
        cli.print(Entry::Typed(before, line.to_string()));
        let step = cli.console.enter(line, state);
        let quits = step.effect == Some(Effect::Quit);
        self.carry_out(session, client, step);
        self.attend(session);
        quits
    }

    /// Nobody waits any longer.
    pub fn give_up(&mut self, client: ClientId) {
        self.cli(client).give_up();
    }

    /// Reads what has happened since the last time, and makes the calls that follow from it.
    pub fn attend(&mut self, session: &mut Session) {
        self.follow_time(session);
        for _ in 0..ROUNDS {
            let news: Vec<Record> = session.facts().from(self.read).filter(concerns).cloned().collect();
            self.read = session.next_seq();
            if news.is_empty() {
                return;
            }
            for record in news {
                self.hear(session, &record);
            }
        }
    }

    /// Another run empties the host; a run wound back leaves what was printed, and nothing is printed twice.
    fn follow_time(&mut self, session: &Session) {
        let now = session.beginnings();
        if now == self.beginnings {
            return;
        }
        if now.0 != self.beginnings.0 {
            *self = ConsoleHost { beginnings: now, ..ConsoleHost::default() };
            return;
        }
        self.beginnings = now;
        self.read = session.next_seq();
        for cli in self.consoles.values_mut() {
            cli.give_up();
            cli.notified = None;
            if !matches!(cli.log.back(), None | Some(Entry::Rewound)) {
                cli.print(Entry::Rewound);
            }
        }
    }

    #[inline(never)]
    fn hear(&mut self, session: &mut Session, record: &Record) {
        match &record.fact {
            Fact::World(WorldFact::ClientOpened { client, .. }) => {
                let cli = self.cli(*client);
                if !cli.pending.is_empty() {
                    cli.give_up();
                }
            }
            Fact::World(WorldFact::ClientKilled { client }) => {
                if let Some(cli) = self.consoles.get_mut(client).filter(|cli| cli.is_busy()) {
                    cli.give_up();
                }
            }
            Fact::Client { client, fact } => self.hear_client(session, *client, fact),
            _ => {}
        }
    }

    fn hear_client(&mut self, session: &mut Session, client: ClientId, fact: &ClientFact) {
        match fact {
            ClientFact::Answered { call, outcome, .. } => {
                let Some(cli) = self.consoles.get_mut(&client) else { return };
                let Some(number) = cli.pending.remove(call) else { return };
                let step = cli.console.answered(number, outcome);
                self.carry_out(session, client, step);
            }
            ClientFact::Notified { zxid, .. } => self.cli(client).notified = *zxid,
            ClientFact::WatcherCalled { watcher, event } if &**watcher == "default" => {
                let cli = self.cli(client);
                let zxid = cli.notified.filter(|_| event.kind != EventType::None);
                let lines = cli.console.event(event, zxid);
                cli.print_lines(lines);
            }
            ClientFact::ClientEnded { .. } => self.open_again(session, client),
            _ => {}
        }
    }

    fn carry_out(&mut self, session: &mut Session, client: ClientId, step: Step) {
        self.cli(client).print_lines(step.lines);
        for asked in step.calls {
            self.ask(session, client, asked);
        }
        match step.effect {
            None => {}
            Some(Effect::Clear) => {
                let cli = self.cli(client);
                cli.forgotten += cli.log.len();
                cli.log.clear();
            }
            Some(Effect::Close | Effect::Quit) if is_alive(state_of(session, client)) => {
                self.act(session, client, Action::CloseClient { client });
            }
            Some(Effect::Close | Effect::Quit) => {}
            Some(Effect::FourLetter(server, word)) => {
                let lines = four_letter::answer(session.world(), server, word);
                self.cli(client).print_lines(lines);
            }
            Some(Effect::AddAuth { scheme, auth }) => {
                let action = Action::AddAuth { client, scheme: scheme.into(), auth: auth.into() };
                self.act(session, client, action);
            }
            Some(Effect::Connect(server)) => {
                let config = session.world().clients.get(&client).map(|process| &process.client.config);
                let usual = config.map(|config| config.servers.clone()).unwrap_or_default();
                self.cli(client).reopen = Some(server.map_or(usual, |server| vec![server]));
                match is_alive(state_of(session, client)) {
                    true => self.act(session, client, Action::CloseClient { client }),
                    false => self.open_again(session, client),
                }
            }
        }
    }

    fn open_again(&mut self, session: &mut Session, client: ClientId) {
        let Some(servers) = self.consoles.get_mut(&client).and_then(|cli| cli.reopen.take()) else { return };
        let config = session.world().clients.get(&client).map(|process| &process.client.config);
        let timeout_ms = config.map_or(4_000, |config| config.timeout_ms);
        let chroot = config.and_then(|config| config.chroot.clone());
        self.act(session, client, Action::OpenClient { client, servers, timeout_ms, chroot, raw: false });
    }

    /// Makes a call. Which one it is says the fact that it leads to.
    fn ask(&mut self, session: &mut Session, client: ClientId, asked: Asked) {
        let Asked { number, call: Call { request, watcher, local, on_old_connection } } = asked;
        let since = session.next_seq();
        self.act(
            session,
            client,
            Action::Ask { client, request: request.clone(), watcher, local, on_old_connection },
        );
        let mut called = session.facts().from(since).filter_map(|record| match &record.fact {
            Fact::Client { client: whose, fact: ClientFact::Called { call, request: what } }
                if *whose == client && *what == request =>
            {
                Some(*call)
            }
            _ => None,
        });
        if let Some(call) = called.next_back() {
            self.cli(client).pending.insert(call, number);
        }
    }

    /// Does something to the world. When it is refused, the console says so and waits no longer.
    fn act(&mut self, session: &mut Session, client: ClientId, action: Action) {
        let since = session.next_seq();
        let done = session.act(action);
        let refused = |record: &&Record| matches!(record.fact, Fact::World(WorldFact::ActionRefused { .. }));
        let entry = match done {
            Err(error) => Some(Entry::Wrong(error)),
            Ok(()) => {
                let refusal = session.facts().from(since).rfind(refused);
                refusal.map(|record| Entry::Refused(Box::new(record.clone())))
            }
        };
        if let Some(entry) = entry {
            let cli = self.cli(client);
            cli.print(entry);
            cli.pending.clear();
            cli.reopen = None;
            let _ = cli.console.give_up();
        }
    }
}

/// Whether a session in this state can be closed.
fn is_alive(state: State) -> bool {
    !matches!(state, State::Expired | State::Closed | State::AuthFailed)
}

fn concerns(record: &&Record) -> bool {
    match &record.fact {
        Fact::Client { .. } => true,
        Fact::World(fact) => matches!(fact, WorldFact::ClientOpened { .. } | WorldFact::ClientKilled { .. }),
        Fact::Zab { .. } | Fact::Server { .. } | Fact::Program { .. } | Fact::Other { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;

    const C1: ClientId = ClientId(1);

    fn settled() -> (Session, ConsoleHost) {
        let mut session = Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap();
        session.seek(SimTime::from_ms(2_000)).unwrap();
        (session, ConsoleHost::default())
    }

    fn open(session: &mut Session, host: &mut ConsoleHost) {
        let action = Action::OpenClient { client: C1, servers: vec![], timeout_ms: 4_000, chroot: None, raw: false };
        session.act(action).unwrap();
        go(session, host, 500);
    }

    /// Time passes in small steps, as frames do.
    fn go(session: &mut Session, host: &mut ConsoleHost, ms: u64) {
        let end = session.world().now.as_ms() + ms;
        let mut at = session.world().now.as_ms();
        while at < end {
            at += 5;
            session.seek(SimTime::from_ms(at)).unwrap();
            host.attend(session);
        }
    }

    fn texts(host: &ConsoleHost) -> Vec<String> {
        let log = host.consoles.get(&C1).into_iter().flat_map(|cli| cli.log.iter());
        log.map(|entry| match entry {
            Entry::Typed(_, line) => format!("> {line}"),
            Entry::Printed(line) => line.text.clone(),
            Entry::Refused(_) => "refused".to_string(),
            Entry::Wrong(error) => error.to_string(),
            Entry::Rewound => "rewound".to_string(),
        })
        .collect()
    }

    #[test]
    fn help_needs_nobody() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        host.enter(&mut session, C1, "help create");
        assert!(texts(&host).iter().any(|text| text.starts_with("create ")), "{:?}", texts(&host));
        assert!(!host.consoles[&C1].is_busy());
        host.enter(&mut session, C1, "clear");
        assert!(texts(&host).is_empty());
    }

    #[test]
    fn commands_are_answered_by_the_ensemble() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        for line in ["create /a x", "create /a/b", "get -w /a", "set /a y", "deleteall /a", "ls /"] {
            host.enter(&mut session, C1, line);
            go(&mut session, &mut host, 600);
            assert!(!host.consoles[&C1].is_busy(), "{line}: {:?}", texts(&host));
        }
        let said = texts(&host);
        let expected = ["Created /a", "Created /a/b", "x", "> set /a y", "> deleteall /a", "> ls /"];
        assert!(expected.iter().all(|text| said.iter().any(|line| line == text)), "{said:?}");
        assert!(said.iter().any(|line| line.contains("type:NodeDataChanged path:/a zxid: ")), "{said:?}");
        assert!(said.last().is_some_and(|line| line.contains("zookeeper") && !line.contains("a,")), "{said:?}");
    }

    #[test]
    fn servers_answer_to_four_letter_words_from_what_they_know() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        for line in ["connect S2", "create -e /a x", "get -w /a"] {
            host.enter(&mut session, C1, line);
            go(&mut session, &mut host, 1_500);
        }
        let conn = *session.world().processes[&ServerId(2)].server().unwrap().service.conns.keys().next().unwrap();
        let sid = session.world().clients[&C1].client.session.0;
        let mut ask = |session: &mut Session, word: &str, server: u8| -> String {
            let before = texts(&host).len();
            host.enter(session, C1, &format!("echo {word} | nc S{server} 2181"));
            texts(&host)[before + 1..].join("\n")
        };
        let srvr = ask(&mut session, "srvr", 3);
        assert!(srvr.starts_with("Zookeeper version: 3.9") && srvr.contains("Mode: leader\nNode count: 6"), "{srvr}");
        assert!(srvr.contains("\nProposal sizes last/min/max: ") && srvr.contains("Connections: 0\n"), "{srvr}");
        let stat = ask(&mut session, "stat", 2);
        assert!(stat.contains(&format!("Clients:\n /C1:{}[1](queued=0,recved=", conn.0)), "{stat}");
        assert!(stat.contains("Mode: follower"), "{stat}");
        let cons = ask(&mut session, "cons", 2);
        assert!(cons.contains(&format!(",sid=0x{sid:x},lop=")) && cons.contains(",lcxid=0x2,lzxid=0x1"), "{cons}");
        assert_eq!(ask(&mut session, "wchs", 2), "1 connections watching 1 paths\nTotal watches:1");
        assert_eq!(ask(&mut session, "wchp", 2), format!("/a\n\t0x{sid:x}\n"));
        assert_eq!(ask(&mut session, "wchc", 2), format!("0x{sid:x}\n\t/a\n"));
        let dump = ask(&mut session, "dump", 3);
        assert!(dump.starts_with("SessionTracker dump:\nSession Sets (1)/(1):\n1 expire at Thu Jan 01"), "{dump}");
        assert!(dump.contains(&format!("Sessions with Ephemerals (1):\n0x{sid:x}:\n\t/a\n")), "{dump}");
        assert!(ask(&mut session, "mntr", 3).contains("\nzk_synced_followers\t2\n"));
        assert!(ask(&mut session, "conf", 1).contains("serverId=1\ninitLimit=10\nsyncLimit=5\nelectionAlg=3"));
        assert_eq!([ask(&mut session, "ruok", 1), ask(&mut session, "isro", 1)], ["imok", "rw"]);
        session.act(Action::Pause { server: ServerId(1) }).unwrap();
        assert!(ask(&mut session, "ruok", 1).contains("says nothing"));
        session.act(Action::Crash { server: ServerId(1) }).unwrap();
        assert_eq!(ask(&mut session, "ruok", 1), "nc: connect to S1 port 2181 (tcp) failed: Connection refused");
        assert!(ask(&mut session, "envi", 1).starts_with("echo conf|cons"));
    }

    #[test]
    fn quotas_are_set_listed_and_deleted_as_zkcli_does() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        let mut say = |line: &str| {
            let before = texts(&host).len();
            host.enter(&mut session, C1, line);
            go(&mut session, &mut host, 2_000);
            assert!(!host.consoles[&C1].is_busy(), "{line}");
            texts(&host)[before + 1..].join("|")
        };
        assert_eq!(say("setquota -n 3 /a"), "/a does not exist.");
        say("create /a four");
        say("create /a/b");
        assert_eq!(say("setquota -n 3 /a"), "");
        let limits = "count=3,bytes=-1=;byteHardLimit=-1;countHardLimit=-1";
        let listed = |limits: &str, stats: &str| {
            format!(
                "absolute path is /zookeeper/quota/a/zookeeper_limits|Output quota for /a {limits}|Output stat for /a {stats}"
            )
        };
        assert_eq!(say("listquota /a"), listed(limits, "count=2,bytes=4"));
        say("set /a/b 12345");
        say("create /a/b/c x");
        say("delete /a/b/c");
        assert_eq!(say("listquota /a"), listed(limits, "count=2,bytes=9"));
        assert_eq!(say("setquota -n 9 /a/b"), "/a/b has a parent /a which has a quota");
        assert_eq!(
            say("setquota -B 8 /a"),
            "[Warning]: the bytes quota you create is less than the existing bytes:9"
        );
        assert_eq!(say("delquota -n /a"), "");
        assert_eq!(
            say("listquota /a"),
            listed("count=-1,bytes=-1=;byteHardLimit=8;countHardLimit=-1", "count=2,bytes=9")
        );
        assert_eq!(say("delquota /a"), "");
        assert_eq!(say("delquota /a"), "Quota does not exist for /a");
        assert_eq!(say("ls /zookeeper/quota"), "[]");
        assert!(say("listquota /a").ends_with("|quota for /a does not exist."));
        assert!(say("setquota -n 1 -b 2 /a").contains("AlreadySelectedException"));
    }

    #[test]
    fn connect_closes_the_session_and_opens_one_elsewhere() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        let before = session.world().clients[&C1].client.session;
        host.enter(&mut session, C1, "connect S2");
        go(&mut session, &mut host, 1_500);
        let client = &session.world().clients[&C1].client;
        assert_eq!((client.state, client.server), (State::Connected, Some(ServerId(2))), "{:?}", texts(&host));
        assert_ne!(client.session, before);
        host.enter(&mut session, C1, "quit");
        go(&mut session, &mut host, 600);
        assert_eq!(session.world().clients[&C1].client.state, State::Closed);
    }

    #[test]
    fn an_ask_of_nobody_is_refused_and_nobody_waits() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        session.act(Action::PauseClient { client: C1 }).unwrap();
        host.enter(&mut session, C1, "get /a");
        assert_eq!(texts(&host).last().map(String::as_str), Some("refused"));
        assert!(!host.consoles[&C1].is_busy());
    }

    #[test]
    fn going_back_gives_up_what_was_waited_for_and_says_so_once() {
        let (mut session, mut host) = settled();
        open(&mut session, &mut host);
        host.enter(&mut session, C1, "sync /");
        assert!(host.consoles[&C1].is_busy());
        for ms in [2_100, 2_050] {
            session.seek(SimTime::from_ms(ms)).unwrap();
            host.attend(&mut session);
        }
        assert!(!host.consoles[&C1].is_busy());
        assert_eq!(texts(&host).iter().filter(|text| *text == "rewound").count(), 1);
        go(&mut session, &mut host, 1_000);
        assert!(!texts(&host).iter().any(|text| text.contains("Sync is")), "its answer belongs to another time");
        session.load(scenario("cold-start-5").unwrap().run(), None).unwrap();
        host.attend(&mut session);
        assert!(host.consoles.is_empty());
    }
}
