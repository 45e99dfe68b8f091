//! Plays a scene, stage by stage: three servers, every client at the leader with a session and a program of its own.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use crate::base::{ClientId, Zxid};
use crate::client::State;
use crate::recipes::{ConnectionState, Script, Step, ThreadId};
use crate::sim::{Action, Fact};

use super::away::Away;
use super::command::{Called, Command, Made};
use super::compare::difference;
use super::file::{Row, Scene, Stage};
use super::holders::Holders;
use super::names::Names;
use super::played::{Call, Played, moves};
use super::race::{exchanges, renaming};
use super::whole::{self, Done};
use super::{Failure, Problem};
use crate::Stuck;
use crate::compare::Difference;
use crate::ensemble::Ensemble;
use crate::place::Place;
use crate::setup;

/// The session timeout that clients ask for, ms.
const TIMEOUT_MS: u32 = 4_000;
/// How long nothing must move before a stage is over, ms: the recorder waited so long that a call with 700 ms, begun 300 ms
/// before the stage's last command was over, returned in it.
const QUIET_MS: u64 = 500;
const MOST_ROUNDS: u32 = 100;

/// An ensemble and its programs on their way through a scene.
pub(super) struct Play<'a> {
    scene: &'a Scene,
    made: Vec<Made>,
    ensemble: Ensemble,
    names: Names,
    start: Zxid,
    calls: BTreeMap<(ClientId, ThreadId), Call>,
    holders: Holders,
    /// What happened since the stage began.
    facts: Vec<Fact>,
    away: Away,
    /// Clients whose frameworks were closed.
    stopped: BTreeSet<ClientId>,
}

impl<'a> Play<'a> {
    /// Plays a scene until something goes otherwise than recorded.
    pub(super) fn play(scene: &'a Scene, seed: u64) -> Result<(), Failure> {
        let failure = |stage, name: &str, problem| Failure { stage, name: name.into(), problem };
        let stuck = |why| failure(0, "the ensemble starts", Problem::Stuck(Stuck(why)));
        let made = scene.made().map_err(stuck)?;
        let all = whole::stages(scene).map_err(stuck)?;
        let mut play = Play::start(scene, made, seed).map_err(|problem| failure(0, "everybody connects", problem))?;
        for (index, done) in all.iter().enumerate() {
            play.stage(index, done).map_err(|problem| failure(index + 1, done.name, problem))?;
        }
        play.away.never_told(all.len(), &play.names).map_or(Ok(()), Err)
    }

    /// Everybody connects and makes its objects.
    fn start(scene: &'a Scene, made: Vec<Made>, seed: u64) -> Result<Play<'a>, Problem> {
        let recipes = made.iter().map(Made::recipe).collect::<Result<Vec<_>, _>>().map_err(Stuck)?;
        let mut run = setup::run(&BTreeMap::new(), seed).map_err(Stuck)?;
        (run.setup.curator, run.setup.kazoo) = (scene.curator(), scene.kazoo());
        let ensemble = Ensemble::start(run)?;
        let (names, calls, holders) = (Names::default(), BTreeMap::new(), Holders::default());
        let mut play = Play {
            scene,
            made,
            ensemble,
            names,
            start: Zxid::ZERO,
            calls,
            holders,
            facts: Vec::new(),
            away: Away::default(),
            stopped: BTreeSet::new(),
        };
        for name in &scene.clients {
            let client = play.ensemble.open(name, &[Place::Leader], TIMEOUT_MS, false)?;
            play.names.add(client, name);
        }
        for (made, recipe) in play.made.iter().zip(recipes) {
            let client = play.ensemble.client(&made.client)?;
            play.ensemble.act(Action::MakeRecipe { client, object: made.object.clone(), recipe })?;
        }
        play.rest()?;
        play.start = play.ensemble.zxid();
        play.ensemble.keep_facts();
        Ok(play)
    }

    fn stage(&mut self, index: usize, done: &Done<'_>) -> Result<(), Problem> {
        let waiting = self.holders.waiting();
        for command in &done.commands {
            self.command(command)?;
            if let Command::Expire { client } = command {
                self.away.cut(self.client(client)?, index + 1, done.name);
            }
        }
        if let Some(recorded) = done.recorded {
            self.await_lost(recorded)?;
        }
        self.settle()?;
        let mut played = Played::after(self.away.take_early());
        played.read(&std::mem::take(&mut self.facts), Place::Leader.id(), &self.calls);
        let shown = |client| done.recorded.is_some_and(|recorded| recorded.shows_close_of(self.names.of(client)));
        played.keep_closes(shown);
        played.read_watches(self.ensemble.world());
        played.note_names(&mut self.names);
        played.lines.iter().for_each(|line| self.holders.hear(line));
        self.away.put_off(&mut played, done.recorded, &self.names);
        if let Some(recorded) = done.recorded {
            self.compare(index, recorded, &played)?;
        }
        match done.row.filter(|_| self.scene.summary_agrees) {
            Some((number, row)) => self.row_differs(number, row, waiting, played.counts()),
            None => Ok(()),
        }
    }

    /// First as it is, then with the winners' names: whoever plays another's part now goes on in it. Where that is not enough,
    /// what was not the same in all plays is free.
    fn compare(&mut self, index: usize, recorded: &Stage, played: &Played) -> Result<(), Problem> {
        let exact = recorded.fields(std::iter::empty());
        let ours = played.fields(&self.names, &self.ensemble, self.start);
        let Some(found) = difference(&exact, &ours) else { return Ok(()) };
        if self.scene.differed_in(index).next().is_none() {
            return Err(Problem::Differs(found));
        }
        let fits = |expected: &Map<String, Value>, names: &Names| {
            difference(expected, &played.fields(names, &self.ensemble, self.start)).is_none()
        };
        let renamed = |renaming: &BTreeMap<String, String>| {
            let mut names = self.names.clone();
            names.rename(renaming);
            names
        };
        let winners = renaming(&self.scene.clients, &exact, &ours).map(|renaming| renamed(&renaming));
        if let Some(names) = winners.filter(|names| fits(&exact, names)) {
            self.names = names;
            return Ok(());
        }
        let free = recorded.fields(self.scene.differed_in(index));
        let Some(found) = difference(&free, &ours) else { return Ok(()) };
        let mut other = exchanges(&self.scene.clients, &exact, &ours).map(|renaming| renamed(&renaming));
        match other.find(|names| fits(&free, names)) {
            Some(names) => {
                self.names = names;
                Ok(())
            }
            None => Err(Problem::Differs(found)),
        }
    }

    /// What a release cost.
    fn row_differs(&self, number: usize, row: &Row, waiting: usize, counts: [usize; 4]) -> Result<(), Problem> {
        let [requests, notifications, writes, watches] = counts;
        let pairs = [
            ("waitersLeft", row.waiters_left, waiting),
            ("requests", row.requests, requests),
            ("notifications", row.notifications, notifications),
            ("writes", row.writes, writes),
            ("watchesAfter", row.watches_after, watches),
        ];
        let differs = |(field, expected, got): &(&str, usize, usize)| {
            expected != got && !self.scene.row_differed(number, field)
        };
        match pairs.into_iter().find(differs) {
            None => Ok(()),
            Some((field, expected, got)) => Err(Problem::Differs(Difference {
                field: format!("summary[{number}].{field}"),
                expected: expected.to_string(),
                got: got.to_string(),
            })),
        }
    }

    /// Waits until nothing has moved for a while.
    fn settle(&mut self) -> Result<(), Stuck> {
        for _ in 0..MOST_ROUNDS {
            self.rest()?;
            let before = self.facts.len();
            self.ensemble.pause(QUIET_MS)?;
            self.facts.extend(self.ensemble.take_facts());
            if !self.facts[before..].iter().any(moves) {
                return self.rest();
            }
        }
        Err(Stuck("the programs do not come to rest".into()))
    }

    /// Waits until everybody who may is connected, nothing is under way, and no program sleeps between two tries.
    fn rest(&mut self) -> Result<(), Stuck> {
        let stopped = &self.stopped;
        self.ensemble.wait("everybody to rest", |ensemble| {
            let is_gone = |client| ensemble.is_away(client) || stopped.contains(&client);
            let mut here = ensemble.world().clients.values().filter(|process| !is_gone(process.id));
            here.all(|process| {
                let sleeps = process.app.as_ref().is_some_and(|app| app.is_sleeping());
                process.client.state == State::Connected && !sleeps
            })
        })?;
        self.facts.extend(self.ensemble.take_facts());
        Ok(())
    }
}

/// What is done.
impl Play<'_> {
    fn command(&mut self, command: &Command) -> Result<(), Stuck> {
        match command {
            Command::Do { client, called } => self.call(self.client(client)?, called),
            Command::Holder { called } => {
                let holder = self.holders.first(&called.object);
                let holder = holder.ok_or_else(|| Stuck(format!("nobody holds '{}'", called.object)))?;
                self.call(holder, called)
            }
            Command::Expire { client } => self.expire(client),
            Command::Let { client } => {
                let client = self.client(client)?;
                self.away.back(client);
                self.ensemble.let_back(client);
                Ok(())
            }
            Command::Cut { client } => self.ensemble.disconnect(self.client(client)?),
            Command::Stop { client } => self.stop(self.client(client)?),
            Command::Pause { ms } => self.ensemble.pause(*ms),
        }
    }

    /// The client that plays the part of this one.
    fn client(&self, name: &str) -> Result<ClientId, Stuck> {
        self.names.client(name).ok_or_else(|| Stuck(format!("there is no client '{name}'")))
    }

    /// On the first thread that is free: locks are re-entrant for a thread.
    fn call(&mut self, client: ClientId, called: &Called) -> Result<(), Stuck> {
        let app = self.ensemble.world().clients.get(&client).and_then(|process| process.app.as_ref());
        let is_free = |thread: &ThreadId| !app.is_some_and(|app| app.is_busy(*thread));
        let thread = (ThreadId::MAIN.0..=ThreadId::LAST.0).map(ThreadId).find(is_free);
        let thread = thread.ok_or_else(|| Stuck("all threads are busy".into()))?;
        let (object, word) = (called.object.clone(), called.word.clone());
        let made = self.made.iter().find(|made| made.object == object);
        let speech = made.map(Made::speech).unwrap_or_default();
        self.calls.insert((client, thread), (object.clone(), word, speech));
        self.holders.called(client, &called.object, &called.method.method);
        let script = Script {
            steps: vec![Step::Call { object, method: called.method.clone() }],
            times: 1,
            in_callback: false,
        };
        self.ensemble.act(Action::RunThread { client, thread, script })
    }

    /// Closes a client's framework. Its program stays, and whatever it asks for fails.
    fn stop(&mut self, client: ClientId) -> Result<(), Stuck> {
        self.stopped.insert(client);
        self.holders.stopped(client);
        self.ensemble.close(client)
    }

    /// Cuts a client off until its session has expired.
    fn expire(&mut self, name: &str) -> Result<(), Stuck> {
        let client = self.client(name)?;
        let session = self.ensemble.session(client).ok_or_else(|| Stuck(format!("'{name}' has no session")))?;
        self.ensemble.keep_away(client)?;
        self.ensemble.wait("the session to expire", |ensemble| ensemble.is_gone(session))
    }

    /// Programs that are away hear LOST where that was recorded.
    fn await_lost(&mut self, recorded: &Stage) -> Result<(), Stuck> {
        let told = self.away.told_in(recorded, &self.names);
        let is_lost = |ensemble: &Ensemble, client| {
            let process = ensemble.world().clients.get(client);
            process.and_then(|process| process.app.as_ref()?.connection()) == Some(ConnectionState::Lost)
        };
        self.ensemble.wait("LOST", |ensemble| told.iter().all(|client| is_lost(ensemble, client)))
    }
}

impl From<Stuck> for Problem {
    fn from(stuck: Stuck) -> Problem {
        Problem::Stuck(stuck)
    }
}
