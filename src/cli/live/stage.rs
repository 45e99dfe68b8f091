//! The run that is played: its world, its properties, and what is told of it.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufWriter, Stdout, Write};
use std::process::ExitCode;
use std::rc::Rc;

use crate::base::limits::{MAX_RUN_BYTES, MAX_TIME_MS};
use crate::base::{ClientId, MsgId, Node, ServerId, SessionId, SimTime};
use crate::check::{Checker, SecondStore, known};
use crate::cli::check::as_released;
use crate::cli::{Failure, say};
use crate::client;
use crate::server;
use crate::sim::{Action, Fact, FourLetterWord, Parcel, Player, Record, Run, RunError, Status, World, WorldFact};
use crate::wire::ToClient;

/// What whoever speaks for the guests must know.
#[derive(Debug)]
pub(super) enum News {
    /// A packet has arrived at a client.
    Packet(ClientId, Rc<Record>),
    /// A client's connection is over.
    Over(ClientId),
    /// A session is closed for good.
    Closed(SessionId),
    /// A four-letter word was answered.
    Word(FourLetterWord, Vec<Rc<str>>),
    /// Or not.
    NoWord,
}

/// The run.
pub(super) struct Stage {
    player: Player,
    checker: Checker<SecondStore>,
    out: BufWriter<Stdout>,
    prints: bool,
    /// Packets on their way to clients from outside.
    flying: BTreeMap<MsgId, (ClientId, Rc<Record>)>,
    news: VecDeque<News>,
    /// Why nothing can be printed any more.
    trouble: Option<io::Error>,
    is_kept: bool,
}

impl Stage {
    /// The beginning of a run; whether each fact is printed.
    pub(super) fn new(run: Run, prints: bool) -> Result<Stage, Failure> {
        let player = Player::new(run)?;
        let checker = Checker::with_second_store(&player.run().setup);
        if !player.run().setup.has_ensemble() {
            return Err(Failure::usage("there is no ZooKeeper server in this run that a client could connect to"));
        }
        let (out, flying, news) = (BufWriter::new(io::stdout()), BTreeMap::new(), VecDeque::new());
        Ok(Stage { player, checker, out, prints, flying, news, trouble: None, is_kept: true })
    }

    /// The world as it is.
    pub(super) fn world(&self) -> &World {
        self.player.world()
    }

    /// The moment.
    pub(super) fn now(&self) -> SimTime {
        self.world().now
    }

    /// When something happens next by itself.
    pub(super) fn next_at(&self) -> Option<SimTime> {
        self.world().next_at()
    }

    /// Whether a run may not become longer.
    pub(super) fn is_over(&self) -> bool {
        self.now().as_ms() >= MAX_TIME_MS
    }

    /// The servers, and whether each one's process lives.
    pub(super) fn servers(&self) -> impl Iterator<Item = (ServerId, bool)> {
        let all = self.world().processes.iter().filter(|(id, _)| id.is_valid());
        all.map(|(&id, process)| (id, process.status != Status::Crashed))
    }

    /// Whether a client's program is outside.
    pub(super) fn is_outside(&self, client: ClientId) -> bool {
        is_outside(self.world(), client)
    }

    /// What has happened since the last time, in order.
    pub(super) fn next_news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    /// What has become of the four-letter word that was said last.
    pub(super) fn take_word(&mut self) -> Option<News> {
        let last = self.news.iter().rposition(|news| matches!(news, News::Word(..) | News::NoWord));
        last.and_then(|last| self.news.remove(last))
    }

    /// Plays everything up to a moment.
    pub(super) fn play_until(&mut self, until: SimTime) -> Result<(), Failure> {
        let Stage { player, .. } = self;
        if player.world().next_at().is_none_or(|at| at > until) {
            player.run_until(until, |_, _| {});
            return self.flush();
        }
        self.playing(|player, tell| player.run_until(until, tell));
        self.flush()
    }

    /// Plays until there is a leader that serves, so that whoever connects finds what he would on a running ensemble.
    pub(super) fn await_leader(&mut self, most_ms: u64) -> Result<(), Failure> {
        let end = self.now().plus(most_ms * 1_000);
        while self.player.leader().is_none() && self.next_at().is_some_and(|at| at <= end) {
            let next = self.next_at().unwrap_or(end);
            self.play_until(next)?;
        }
        if self.player.leader().is_none() {
            say(format_args!(
                "zabscope: there is no leader after {most_ms} ms: whoever connects has to wait for one\n"
            ));
        }
        self.play_until(self.now().plus(self.world().config().tick_time).ceil_ms())
    }

    /// Does something now.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub(super) fn act(&mut self, action: Action) -> Result<(), String> {
        match self.playing(|player, tell| player.act(action.clone(), tell)) {
            Err(RunError::Full) => {
                if std::mem::take(&mut self.is_kept) {
                    say("zabscope: the run is as long as one may be: it goes on, and cannot be played again\n");
                }
                self.player.forget_done();
                self.playing(|player, tell| player.act(action, tell)).map_err(|error| error.to_string())
            }
            done => done.map_err(|error| error.to_string()),
        }
    }

    /// Lets the player do something, and tells of it.
    fn playing<T>(&mut self, play: impl FnOnce(&mut Player, &mut dyn FnMut(&World, &[Rc<Record>])) -> T) -> T {
        let Stage { player, checker, out, prints, flying, news, trouble, .. } = self;
        let version = player.run().setup.zookeeper;
        play(player, &mut |world, records| {
            for record in records {
                for violation in checker.read(record) {
                    say(format_args!("{violation}{}\n", as_released(known(violation.property, version))));
                }
                if *prints && trouble.is_none() {
                    *trouble = print(out, record).err();
                }
                notice(world, record, flying, news);
            }
        })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        match self.trouble.take() {
            Some(error) => Err(error.into()),
            None => Ok(self.out.flush()?),
        }
    }

    /// Prints where each server is reached, as the first line that is no fact.
    pub(super) fn announce(&mut self, ports: &BTreeMap<ServerId, u16>) -> Result<(), Failure> {
        let ports: BTreeMap<String, u16> = ports.iter().map(|(server, port)| (server.0.to_string(), *port)).collect();
        let line = serde_json::to_string(&ports).map_err(io::Error::from)?;
        writeln!(self.out, "ports {line}")?;
        self.flush()
    }

    /// The end: a summary, and the run, where it is to be kept.
    pub(super) fn end(mut self, write: Option<&str>) -> Result<ExitCode, Failure> {
        serde_json::to_writer(&mut self.out, &self.player.summary(self.checker.count())).map_err(io::Error::from)?;
        writeln!(self.out)?;
        self.flush()?;
        if let Some(file) = write {
            if !self.is_kept {
                return Err(Failure::usage(format!("{file} is not written: the run had become too long")));
            }
            let run = self.player.run().to_json() + "\n";
            if run.len() > MAX_RUN_BYTES {
                let bytes = run.len();
                return Err(Failure::usage(format!(
                    "{file} is not written: {bytes} bytes are more than a run may have"
                )));
            }
            let written = std::fs::write(file, run);
            written.map_err(|error| Failure::usage(format!("{file}: {error}")))?;
        }
        Ok(ExitCode::from(u8::from(self.checker.count() > 0)))
    }
}

fn print(out: &mut impl Write, record: &Record) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
    out.write_all(b"\n")
}

fn is_outside(world: &World, client: ClientId) -> bool {
    world.clients.get(&client).is_some_and(|process| process.client.config.outside.is_some())
}

/// Keeps what matters to guests.
fn notice(
    world: &World,
    record: &Rc<Record>,
    flying: &mut BTreeMap<MsgId, (ClientId, Rc<Record>)>,
    news: &mut VecDeque<News>,
) {
    match &record.fact {
        Fact::World(WorldFact::Sent { msg, to: Node::Client(client), message: Parcel::ToClient(_), .. })
            if is_outside(world, *client) =>
        {
            flying.insert(*msg, (*client, record.clone()));
        }
        Fact::World(WorldFact::Delivered { msg, .. }) => {
            if let Some((client, record)) = flying.remove(msg) {
                news.push_back(News::Packet(client, record));
            }
        }
        Fact::World(WorldFact::Lost { msg, .. }) => drop(flying.remove(msg)),
        Fact::World(WorldFact::FourLetterAnswered { word, answer, client: None, .. }) => {
            news.push_back(News::Word(*word, answer.clone()));
        }
        Fact::World(WorldFact::FourLetterUnanswered { client: None, .. }) => news.push_back(News::NoWord),
        Fact::World(WorldFact::ClientKilled { client })
        | Fact::Client { client, fact: client::Fact::ClientDisconnected { .. } | client::Fact::ClientEnded { .. } } => {
            news.push_back(News::Over(*client))
        }
        Fact::Server { fact: server::Fact::SessionClosed { session, .. }, .. } => {
            news.push_back(News::Closed(*session))
        }
        _ => {}
    }
}

/// The packet in a record of [`News::Packet`].
pub(super) fn packet_of(record: &Record) -> Option<&ToClient> {
    match &record.fact {
        Fact::World(WorldFact::Sent { message: Parcel::ToClient(packet), .. }) => Some(packet),
        _ => None,
    }
}
