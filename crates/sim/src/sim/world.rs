//! The world: processes, disks, network, time, and one transition function. [`World::choices`] says what can happen
//! next, [`World::apply`] makes one of it happen. The scheduler, [`World::step`], takes the earliest.

mod act;
mod clients;
mod deliver;
mod machines;
mod outside;
mod packet_faults;
mod programs;
mod words;

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use crate::base::limits::MAX_TIME_MS;
use crate::base::{ClientId, ConnId, ServerId, SharedMap, SimTime, SortedMap, Zxid};
use crate::server::{Config, Files};
use crate::zab::{self, Members, Note};

use super::action::Action;
use super::agenda::{Agenda, Choice};
use super::client_process::ClientProcess;
use super::daemon::Placed;
use super::fact::{Fact, Record, WorldFact};
use super::host::Input;
use super::hosts::Machine;
use super::network::Network;
use super::process::Process;
use super::run::Run;
use super::setup::Setup;
use super::zookeeper::ZooKeeper;

/// A step that is not possible now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChoiceError(pub Choice);

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not possible now", self.0)
    }
}

impl std::error::Error for ChoiceError {}

/// Everything at one moment of a run.
#[derive(Clone, Debug)]
pub struct World {
    /// The moment.
    pub now: SimTime,
    /// How many steps were taken.
    pub events: u64,
    /// Who belongs to the ensemble: the latest configuration that is in force anywhere.
    pub members: Members,
    /// The servers' processes, by id.
    pub processes: SharedMap<ServerId, Process>,
    /// The clients' processes, by number.
    pub clients: SortedMap<ClientId, ClientProcess>,
    /// The links and connections.
    pub network: Network,
    /// What is done to the ensemble, and how much of it has been done.
    run: Rc<Run>,
    done: usize,
    config: Rc<Config>,
    /// How often each client was opened: what it draws hangs on that and on nothing else.
    opened: SortedMap<ClientId, u64>,
    agenda: Agenda,
    /// Actions that are no part of the run: writes that are repeated.
    actions: VecDeque<(u64, Action)>,
    next_action: u64,
    next_conn: u64,
    next_write: u64,
    /// Words that were said and have had no answer yet.
    words: SortedMap<ConnId, words::Asking>,
    facts: Vec<Rc<Record>>,
    next_seq: u64,
    /// What programs write to outside of the ensemble, with the newest token that each has seen.
    pub resources: SortedMap<Rc<str>, Option<Zxid>>,
}

impl World {
    /// The beginning of a run; its first action is on the agenda. The run must have passed [`Run::check`].
    pub fn new(run: impl Into<Rc<Run>>) -> World {
        let run: Rc<Run> = run.into();
        let setup = &run.setup;
        let members = setup.members();
        let mut world = World {
            now: SimTime::ZERO,
            events: 0,
            members,
            processes: SharedMap::default(),
            clients: SortedMap::new(),
            network: Network::new(setup, run.seed),
            config: Rc::new(Config { zab: setup.config(), service: setup.settings(), fresh: setup.fresh() }),
            opened: SortedMap::new(),
            agenda: Agenda::default(),
            actions: VecDeque::new(),
            next_action: 0,
            next_conn: 0,
            next_write: 0,
            words: SortedMap::new(),
            facts: Vec::new(),
            next_seq: 0,
            resources: SortedMap::new(),
            done: 0,
            run,
        };
        for server in members.all().iter() {
            world.add_machine(server, world.zookeeper(server, members));
            let setup = &world.run.setup;
            if !setup.down.contains(server) {
                let start = setup.start_of(server);
                world.schedule_start(start, server);
            }
        }
        world.members = world.run.setup.disks.members().unwrap_or(members);
        let mut placed = Placed::default();
        world.run.setup.systems.place(&mut placed);
        for (machine, what) in placed.0 {
            world.add_machine(machine, what);
            world.schedule_start(SimTime::ZERO, machine);
        }
        world.await_action();
        world
    }

    /// A ZooKeeper server whose configuration file says this, with its disk.
    fn zookeeper(&self, id: ServerId, members: Members) -> Machine {
        let Setup { oracle, disks, .. } = &self.run.setup;
        let oracle = oracle.map(|grants| grants.contains(id));
        let files = disks.files(id).map(|files| files.among(&self.config.fresh));
        let files = Files { oracle, ..files.unwrap_or_default() };
        Machine::ZooKeeper(Box::new(ZooKeeper::new(self.config.clone(), members, files)))
    }

    /// A machine will start for the first time, after everything else that happens in that microsecond.
    pub fn schedule_start(&mut self, at: SimTime, id: ServerId) {
        self.agenda.set(Choice::Start(id), at.max(self.now));
    }

    /// The run.
    pub fn run(&self) -> &Rc<Run> {
        &self.run
    }

    /// How many of the run's actions have been done.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Goes on with another run, which must begin with the same actions as far as they have been done, and with the same
    /// seed and setup.
    pub fn go_on_with(&mut self, run: Rc<Run>) {
        self.run = run;
        self.await_action();
    }

    /// Forgets what has been done, for a run that goes on beyond what one may hold: it cannot be played again.
    pub fn forget_done(&mut self) {
        Rc::make_mut(&mut self.run).actions.drain(..self.done);
        self.done = 0;
    }

    /// Adds an action to the run: no earlier than now, and behind those of its moment.
    pub fn append(&mut self, at: SimTime, action: Action) {
        Rc::make_mut(&mut self.run).push(at.max(self.now), action);
        self.await_action();
    }

    /// The run's next action is on the agenda, and no other.
    fn await_action(&mut self) {
        match self.run.actions.get(self.done) {
            Some(next) => self.agenda.set(Choice::Script, next.at_us.max(self.now)),
            None => {
                self.agenda.remove(Choice::Script);
            }
        }
    }

    fn act_by_script(&mut self) {
        let next = self.run.actions.get(self.done).map(|timed| timed.action.clone());
        self.done += 1;
        self.await_action();
        if let Some(action) = next {
            self.act(action);
        }
    }

    fn keep(&mut self, action: Action) -> u64 {
        let number = self.next_action;
        self.next_action += 1;
        self.actions.push_back((number, action));
        number
    }

    /// Everything that can happen next, with its time, earliest first.
    pub fn choices(&self) -> impl Iterator<Item = (SimTime, Choice)> {
        self.agenda.iter()
    }

    /// When the earliest step is due; `None` when nothing can happen any more.
    pub fn next_at(&self) -> Option<SimTime> {
        self.agenda.first().map(|(at, _)| at).filter(|at| at.as_ms() <= MAX_TIME_MS)
    }

    /// Takes the earliest step; what happened. `None` when nothing can happen any more.
    pub fn step(&mut self) -> Option<&[Rc<Record>]> {
        self.next_at()?;
        let (_, choice) = self.agenda.first()?;
        self.apply(choice).ok()
    }

    /// Takes one step of those possible; what happened.
    ///
    /// # Errors
    /// The choice is not among [`World::choices`].
    pub fn apply(&mut self, choice: Choice) -> Result<&[Rc<Record>], ChoiceError> {
        let at = self.agenda.remove(choice).ok_or(ChoiceError(choice))?;
        self.now = self.now.max(at);
        self.events += 1;
        self.facts.clear();
        if self.next_seq == 0 {
            let Run { version, seed, ref setup, .. } = *self.run;
            self.fact(WorldFact::Began { version, seed, setup: Box::new(setup.clone()) });
        }
        match choice {
            Choice::Deliver { conn, to_acceptor } => self.deliver(conn, to_acceptor),
            Choice::Timer(server, timer) if let Some(later) = self.bytes_move(server, timer) => {
                self.agenda.set(Choice::Timer(server, timer), later);
            }
            Choice::Timer(server, timer) => {
                if let Some(process) = self.processes.get_mut(&server) {
                    process.timers.remove(&timer);
                }
                self.input(server, Input::Timer(timer));
            }
            Choice::ClientTimer(client, timer) => self.client_timer(client, timer),
            Choice::Program(client) => self.program_timer(client),
            Choice::Disk { server, background } => self.disk_done(server, background),
            Choice::Script => self.act_by_script(),
            Choice::Start(id) => self.start_first(id),
            Choice::Repeat(number) => {
                let place = self.actions.binary_search_by_key(&number, |(number, _)| *number).ok();
                if let Some((_, action)) = place.and_then(|place| self.actions.remove(place)) {
                    self.act(action);
                }
            }
        }
        Ok(&self.facts)
    }

    /// What happened in the last step.
    pub fn last_facts(&self) -> &[Rc<Record>] {
        &self.facts
    }

    /// The setup that the run began with.
    pub fn setup(&self) -> &Setup {
        &self.run.setup
    }

    /// The protocol's settings.
    pub fn config(&self) -> &zab::Config {
        &self.config.zab
    }

    fn fact(&mut self, fact: WorldFact) {
        self.record(Fact::World(fact), None);
    }

    fn record(&mut self, fact: Fact, why: Option<Note>) {
        let seq = self.next_seq;
        self.next_seq += 1;
        if let Fact::Zab { fact: zab::Fact::ConfigActivated { config }, .. } = &fact
            && config.version > self.members.version
        {
            self.members = *config;
        }
        self.facts.push(Rc::new(Record { seq, at_us: self.now, fact, why }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_choice_may_be_taken_and_only_those() {
        let mut world = World::new(Run::new(1, Setup::default()));
        let last = world.choices().last().map(|(_, choice)| choice).unwrap();
        assert!(world.apply(last).is_ok());
        assert_eq!(world.apply(last), Err(ChoiceError(last)));
    }

    #[test]
    fn a_clone_goes_its_own_way_and_the_same_way() {
        let mut world = World::new(Run::new(3, Setup::default()));
        for _ in 0..50 {
            world.step();
        }
        let mut copy = world.clone();
        for _ in 0..200 {
            assert_eq!(world.step().map(<[Rc<Record>]>::to_vec), copy.step().map(<[Rc<Record>]>::to_vec));
        }
    }
}
