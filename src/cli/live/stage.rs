//! The run that is played: its world, its properties, and what is told of it.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Stdout, Write};
use std::process::ExitCode;
use std::rc::Rc;

use zabscope_live::{Ear, Host, is_outside};

use crate::base::limits::{MAX_RUN_BYTES, MAX_TIME_MS};
use crate::base::{ClientId, ServerId, SimTime};
use crate::check::{Checker, SecondStore, known};
use crate::cli::check::as_released;
use crate::cli::{Failure, say};
use crate::sim::{Action, Player, Record, Run, RunError, World};

use super::faults::Faults;

/// How long an ensemble may need to be ready before the doors open, ms of virtual time.
const READY_MS: u64 = 60_000;
/// Of a run that nobody keeps, so many actions wait to be forgotten together.
const MOST_FORGOTTEN: usize = 1_000;

/// The run.
pub(super) struct Stage {
    player: Player,
    checker: Checker<SecondStore>,
    out: BufWriter<Stdout>,
    prints: bool,
    ear: Ear,
    faults: Faults,
    /// Why nothing can be printed any more.
    trouble: Option<io::Error>,
    /// Whether all that is done is kept, so that it can be played again.
    is_kept: bool,
}

impl Stage {
    /// The beginning of a run; whether each fact is printed, and whether the run is kept.
    pub(super) fn new(run: Run, (prints, is_kept): (bool, bool), faults: Faults) -> Result<Stage, Failure> {
        let player = Player::new(run)?;
        let checker = Checker::with_second_store(&player.run().setup);
        if !player.run().setup.has_ensemble() {
            return Err(Failure::usage("there is no ZooKeeper server in this run that a client could connect to"));
        }
        let out = BufWriter::new(io::stdout());
        Ok(Stage { player, checker, out, prints, ear: Ear::default(), faults, trouble: None, is_kept })
    }

    /// The run so far.
    pub(super) fn run(&self) -> &Run {
        self.player.run()
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
    pub(super) fn servers(&self) -> Vec<(ServerId, bool)> {
        zabscope_live::servers(self.world())
    }

    /// Plays everything up to a moment.
    pub(super) fn play_until(&mut self, until: SimTime) -> Result<(), Failure> {
        // moments are between events
        while !self.faults.is_empty() {
            let next = self.next_at().into_iter().chain(self.faults.next_at()).min().filter(|at| *at <= until);
            let Some(next) = next else { break };
            self.playing(|player, tell| player.run_until(next, tell));
            while let Some(due) = self.faults.take(self.now()) {
                let leader = self.player.leader().map(|server| server.0);
                if let Err(why) = due.action(leader).and_then(|action| self.order(action)) {
                    due.say(&why);
                }
            }
        }
        let Stage { player, .. } = self;
        if player.world().next_at().is_none_or(|at| at > until) {
            player.run_until(until, |_, _| {});
            return self.flush();
        }
        self.playing(|player, tell| player.run_until(until, tell));
        self.flush()
    }

    /// Plays as far as is asked for, and until there is a leader.
    pub(super) fn get_ready(&mut self, until_ms: u64) -> Result<(), Failure> {
        self.play_until(SimTime::from_ms(until_ms))?;
        self.await_leader(READY_MS)
    }

    /// Plays until there is a leader that serves, so that whoever connects finds what he would on a running ensemble.
    fn await_leader(&mut self, most_ms: u64) -> Result<(), Failure> {
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

    /// Lets the player do something, and tells of it.
    fn playing<T>(&mut self, play: impl FnOnce(&mut Player, &mut dyn FnMut(&World, &[Rc<Record>])) -> T) -> T {
        let Stage { player, checker, out, prints, ear, faults, trouble, .. } = self;
        let version = player.run().setup.zookeeper;
        play(player, &mut |world, records| {
            for record in records {
                for violation in checker.read(record) {
                    say(format_args!("{violation}{}\n", as_released(known(violation.property, version))));
                }
                if *prints && trouble.is_none() {
                    *trouble = print(out, record).err();
                }
                ear.hear(world, record);
                faults.hear(record);
            }
        })
    }

    /// Does what somebody orders who is no guest.
    pub(super) fn order(&mut self, action: Action) -> Result<(), String> {
        match speaks_for(&action).filter(|client| is_outside(self.world(), *client)) {
            Some(client) => Err(format!("{client} is outside, and only its program speaks for it")),
            None => self.act(action),
        }
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
        self.faults.end();
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

impl Host for Stage {
    fn world(&self) -> &World {
        self.player.world()
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        if !self.is_kept && self.run().actions.len() >= MOST_FORGOTTEN {
            self.player.forget_done();
        }
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

    fn ear(&mut self) -> &mut Ear {
        &mut self.ear
    }
}

/// The client for which an action says something to a server.
fn speaks_for(action: &Action) -> Option<ClientId> {
    match action {
        Action::Ask { client, .. }
        | Action::AddAuth { client, .. }
        | Action::Ping { client }
        | Action::ConnectOutside { client, .. }
        | Action::CloseClient { client }
        | Action::MoveClient { client, .. } => Some(*client),
        _ => None,
    }
}

fn print(out: &mut impl Write, record: &Record) -> io::Result<()> {
    serde_json::to_writer(&mut *out, record).map_err(io::Error::from)?;
    out.write_all(b"\n")
}
