//! Two-phase commit: counts, faults, and what broken rules do.

mod beside;
mod counts;
mod soak;
mod stories;

use std::rc::Rc;

use zabscope::base::{ServerId, SimTime};
use zabscope::daemon::Judge;
use zabscope::rivals::commit::{AtomicCommitment, Commit, Fact, Message, What};
use zabscope::sim::{Action, Fact as Any, Parcel, Record, Run, Setup, World, WorldFact};

/// A run of a system of two-phase commit, with nothing beside it.
pub fn run(seed: u64, commit: Commit) -> Run {
    let mut setup = Setup { voters: 0, ..Setup::default() };
    setup.systems.commit = Some(Box::new(commit));
    Run::new(seed, setup)
}

/// A machine by its name.
pub fn id(name: &str) -> ServerId {
    ServerId::named(name).expect("a machine's name")
}

/// A line for the console of a client.
pub fn line(client: &str, line: &str) -> Action {
    Action::Write { server: id(client), data: line.into(), count: 1, every_us: 0 }
}

/// What happened in a run.
pub struct Played {
    pub world: World,
    pub facts: Vec<Rc<Record>>,
    pub judge: AtomicCommitment,
}

/// Plays a run until a moment.
pub fn play(run: Run, until_ms: u64) -> Played {
    run.check().expect("a valid run");
    let mut played = Played { world: World::new(run), facts: Vec::new(), judge: AtomicCommitment::default() };
    played.go_on(until_ms);
    played
}

impl Played {
    pub fn go_on(&mut self, until_ms: u64) {
        while self.world.next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
            for record in self.world.step().unwrap_or_default() {
                if let Some((machine, fact)) = told(record) {
                    self.judge.read(record.at_us, machine, fact);
                }
                self.facts.push(record.clone());
            }
        }
    }

    /// What the machines have told, in order.
    pub fn told(&self) -> impl Iterator<Item = (ServerId, &What)> {
        self.facts.iter().filter_map(|record| told(record)).map(|(machine, fact)| (machine, &fact.what))
    }

    /// The messages of the commitment itself.
    pub fn messages(&self) -> usize {
        let commits = |record: &&Rc<Record>| match &record.fact {
            Any::World(WorldFact::Sent { message: Parcel::Other(saying), .. }) => {
                saying.value::<Message>().is_some_and(Message::commits)
            }
            _ => false,
        };
        self.facts.iter().filter(commits).count()
    }

    /// The forced records.
    pub fn forced(&self) -> usize {
        self.told().filter(|(_, what)| matches!(what, What::Forced { .. })).count()
    }

    /// What a participant says of an item.
    pub fn value(&self, machine: &str, item: &str) -> String {
        let (mut rows, process) = (zabscope::base::rows::Rows::default(), &self.world.processes[&id(machine)]);
        process.machine.host().rows(&mut rows);
        let items = rows.0.into_iter().filter(|row| row.name == "items").flat_map(|row| row.rows);
        items.into_iter().find(|row| row.name == item).map_or("0".into(), |row| row.text)
    }
}

fn told(record: &Record) -> Option<(ServerId, &Fact)> {
    match &record.fact {
        Any::Other { server, fact } => Some((*server, fact.value::<Fact>()?)),
        _ => None,
    }
}
