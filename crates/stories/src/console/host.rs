//! One zkCli for each client of a run, and what they have printed: for the page's console and for `zabscope cli`. The host turns what
//! a console asks for into actions of the run and reads the answers from its facts. What is printed belongs to the reader: when
//! the run is wound back it stays, with a line that says so, and whatever was waited for is given up.

use std::collections::{BTreeMap, VecDeque};

use crate::base::{ClientId, ServerId, Zxid};
use crate::client::{Call, CallId, Fact as ClientFact, State};
use crate::sim::{Action, Fact, Record, RunError, Silence, WorldFact};
use crate::timeline::Session;
use crate::wire::{EventType, KeeperState};

use super::session::is_alive;
use super::{Asked, Console, Effect, Line, Note, Step};

/// How many entries a console remembers, and the longest text of one, characters.
const REMEMBERED: usize = 500;
const LONGEST: usize = 4_000;
/// How many rounds of answers and next calls may follow each other in one moment.
const ROUNDS: usize = 1_000;
/// How many lines may be typed ahead.
const AHEAD: usize = 200;

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
    /// Lines that were typed while the one before them was under way, in their order.
    pub ahead: VecDeque<String>,
    pending: BTreeMap<CallId, usize>,
    /// Whether the session is being closed.
    closing: bool,
    /// Where to connect when the session is closed (`connect`).
    reopen: Option<Vec<ServerId>>,
    /// Whether a session was asked for that is not there yet.
    connecting: bool,
    /// Whether a four-letter word has had no answer.
    asking: bool,
    /// How many identities have had no answer.
    proving: usize,
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
        self.forget_what_comes();
        self.ahead.clear();
        let step = self.console.give_up();
        self.print_lines(step.lines);
    }

    fn forget_what_comes(&mut self) {
        self.pending.clear();
        (self.closing, self.reopen, self.connecting, self.proving) = (false, None, false, 0);
        self.asking = false;
    }

    /// Whether a command, or the end of the session, is waited for.
    pub fn is_busy(&self) -> bool {
        self.console.is_busy() || self.closing || self.asking || self.reopen.is_some()
    }

    /// Whether something is still to come of what was typed, though zkCli itself takes the next line already: a session, or
    /// the answer to an identity, which ends the session if it is refused.
    pub fn awaits_news(&self) -> bool {
        self.is_busy() || self.connecting || self.proving > 0
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
    /// Time stood, and runs until everything that was typed has been answered.
    lent: bool,
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

/// What comes of a word that was said on a client's machine, and what `echo srvr | nc S1 2181` prints of it.
fn told(fact: &WorldFact) -> Option<(ClientId, Vec<Line>)> {
    match fact {
        WorldFact::FourLetterAnswered { answer, client, .. } => {
            Some(((*client)?, answer.iter().map(|line| Line::output(line.to_string())).collect()))
        }
        WorldFact::FourLetterUnanswered { server, silence, client, .. } => {
            let refused = format!("nc: connect to {server} port 2181 (tcp) failed: Connection refused");
            Some(((*client)?, (*silence == Silence::Refused).then(|| Line::error(refused)).into_iter().collect()))
        }
        _ => None,
    }
}

impl ConsoleHost {
    /// The console of a client.
    pub fn cli(&mut self, client: ClientId) -> &mut Cli {
        self.consoles.entry(client).or_default()
    }

    /// That of a run, which knows of its version.
    fn cli_of(&mut self, session: &Session, client: ClientId) -> &mut Cli {
        let cli = self.cli(client);
        cli.console.version = session.world().run().setup.zookeeper;
        cli
    }

    /// A line was typed. One that is still under way is waited for, and time that stands runs until all have been answered. Whether it
    /// asked to leave the console (`quit`).
    pub fn enter(&mut self, session: &mut Session, client: ClientId, line: &str) -> bool {
        self.attend(session);
        let cli = self.cli(client);
        let mut quits = false;
        if !cli.is_busy() && cli.ahead.is_empty() {
            quits = self.take(session, client, line);
        } else if cli.ahead.len() < AHEAD {
            cli.ahead.push_back(line.to_string());
        } else {
            cli.print_lines(vec![Line::note(Note::Busy)]);
        }
        self.attend(session);
        if !session.playing && self.consoles.values().any(Cli::awaits_news) {
            (self.lent, session.playing) = (true, true);
        }
        quits
    }

    /// zkCli takes a line, which it is free for. Whether that asked to leave the console.
    fn take(&mut self, session: &mut Session, client: ClientId, line: &str) -> bool {
        let before = prompt(self, session, client);
        let state = state_of(session, client);
        let cli = self.cli_of(session, client);
        cli.print(Entry::Typed(before, line.to_string()));
        let step = cli.console.enter(line, state);
        let quits = step.effect == Some(Effect::Quit);
        self.carry_out(session, client, step);
        quits
    }

    /// Nobody waits any longer.
    pub fn give_up(&mut self, client: ClientId) {
        self.cli(client).give_up();
    }

    /// Reads what has happened since the last time, makes the calls that follow from it, and takes the lines that were typed ahead.
    /// Whether time stands again, which only ran for the answers.
    pub fn attend(&mut self, session: &mut Session) -> bool {
        self.follow_time(session);
        for _ in 0..ROUNDS {
            let news: Vec<Record> = session.facts().from(self.read).filter(concerns).cloned().collect();
            self.read = session.next_seq();
            let quiet = news.is_empty();
            for record in news {
                self.hear(session, &record);
            }
            let free = self.consoles.iter_mut().find(|(_, cli)| !cli.is_busy() && !cli.ahead.is_empty());
            match free.and_then(|(client, cli)| Some((*client, cli.ahead.pop_front()?))) {
                Some((client, line)) => _ = self.take(session, client, &line),
                None if quiet => break,
                None => {}
            }
        }
        self.give_time_back(session)
    }

    /// Time that was lent stands again when nothing is waited for. Somebody may have stopped it before.
    fn give_time_back(&mut self, session: &mut Session) -> bool {
        let over = self.lent && session.playing && !self.consoles.values().any(Cli::awaits_news);
        self.lent &= session.playing && !over;
        if over {
            session.playing = false;
            session.touch();
        }
        over
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

    fn hear(&mut self, session: &mut Session, record: &Record) {
        match &record.fact {
            Fact::World(WorldFact::ClientOpened { client, .. }) => {
                let cli = self.cli(*client);
                if !cli.pending.is_empty() {
                    cli.give_up();
                }
                (cli.closing, cli.proving) = (false, 0);
            }
            Fact::World(WorldFact::ClientKilled { client }) => {
                if let Some(cli) = self.consoles.get_mut(client).filter(|cli| cli.awaits_news()) {
                    cli.give_up();
                }
            }
            Fact::World(WorldFact::Delivered { to, name, .. }) if is_auth(name) => {
                if let Some(cli) = to.client().and_then(|client| self.consoles.get_mut(&client)) {
                    cli.proving = cli.proving.saturating_sub(1);
                }
            }
            Fact::Client { client, fact } => self.hear_client(session, *client, fact),
            Fact::World(fact) => {
                let told = told(fact).and_then(|(client, lines)| Some((self.consoles.get_mut(&client)?, lines)));
                if let Some((cli, lines)) = told.filter(|(cli, _)| cli.asking) {
                    cli.asking = false;
                    cli.print_lines(lines);
                }
            }
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
                let cli = self.cli_of(session, client);
                let zxid = cli.notified.filter(|_| comes_from_a_server(event.kind));
                let mut lines = cli.console.event(event, zxid);
                if event.state == KeeperState::Closed {
                    lines.extend(cli.console.ended());
                }
                cli.print_lines(lines);
            }
            ClientFact::ClientConnected { .. } => {
                if let Some(cli) = self.consoles.get_mut(&client) {
                    cli.connecting = false;
                }
            }
            ClientFact::ClientEnded { .. } => {
                if let Some(cli) = self.consoles.get_mut(&client) {
                    (cli.closing, cli.connecting, cli.proving) = (false, false, 0);
                }
                self.open_again(session, client);
            }
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
                self.cli(client).closing = true;
                self.act(session, client, Action::CloseClient { client });
            }
            Some(Effect::Close | Effect::Quit) => {}
            Some(Effect::FourLetter(server, word)) => {
                self.cli(client).asking = true;
                self.act(session, client, Action::FourLetter { server, word, client: Some(client) });
            }
            Some(Effect::Machine(action)) => self.act(session, client, action),
            Some(Effect::AddAuth { scheme, auth }) => {
                self.cli(client).proving += 1;
                let action = Action::AddAuth { client, scheme: scheme.into(), auth: auth.map(Into::into) };
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
        self.cli(client).connecting = true;
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
            cli.forget_what_comes();
            let _ = cli.console.give_up();
        }
    }
}

/// Whether an event has come from a server, with a zxid perhaps: of the connection and of removed watches the library tells by
/// itself.
fn comes_from_a_server(event: EventType) -> bool {
    use EventType::*;
    matches!(event, NodeCreated | NodeDeleted | NodeDataChanged | NodeChildrenChanged)
}

/// Whether a packet is about an identity.
fn is_auth(name: &str) -> bool {
    name == "AUTH_REPLY"
}

fn concerns(record: &&Record) -> bool {
    match &record.fact {
        Fact::Client { .. } => true,
        Fact::World(WorldFact::Delivered { name, .. }) => is_auth(name),
        Fact::World(WorldFact::FourLetterAnswered { .. } | WorldFact::FourLetterUnanswered { .. }) => true,
        Fact::World(fact) => matches!(fact, WorldFact::ClientOpened { .. } | WorldFact::ClientKilled { .. }),
        Fact::Zab { .. } | Fact::Server { .. } | Fact::Program { .. } | Fact::Other { .. } => false,
    }
}
