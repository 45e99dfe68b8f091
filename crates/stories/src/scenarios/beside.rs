//! Two-phase commit and ZAB with the same write and the same fault: two runs, for a page that shows them side by side, and what
//! the write costs in each.

use crate::base::{ServerId, SimTime};
use crate::rivals::commit::{self, Commit};
use crate::sim::{Action, Fact, Record, Run, Setup, World, WorldFact};
use crate::zab;

use super::{run, set};

/// What goes wrong in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing.
    None,
    /// The coordinator, or the leader, crashes just before it decides.
    BeforeDecision,
    /// It decides and crashes, and the others hear nothing of either.
    AfterDecision,
    /// A participant, or a follower, crashes before it votes, or acknowledges.
    OtherCrashes,
    /// Its link to everybody else is cut when its vote, or acknowledgement, has just left it.
    Cut,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 5] =
        [Fault::None, Fault::BeforeDecision, Fault::AfterDecision, Fault::OtherCrashes, Fault::Cut];
}

/// Two runs with the same write and the same fault.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Two-phase commit: a coordinator and as many participants.
    pub commit: Run,
    /// The ensemble.
    pub zab: Run,
}

/// When the write is asked for, ms.
const WRITE_MS: u64 = 3_000;
/// When what was broken is repaired, ms.
const REPAIR_MS: u64 = 9_000;
/// How long both are worth watching, ms.
pub const BESIDE_MS: u64 = 14_000;

/// The two runs: `n` participants (1 to 7) with a coordinator, and `n` voters. The fault comes at the same place of the protocol in
/// both, which a run without it shows; what was broken is repaired six seconds after the write.
pub fn commit_beside_zab(fault: Fault, n: u8, seed: u64) -> Beside {
    let participants = n.clamp(1, 7);
    let mut setup = Setup { voters: 0, ..Setup::default() };
    setup.systems.commit = Some(Box::new(Commit { participants, ..Commit::default() }));
    let client = ServerId::nth("C", 1);
    let commit = with_write(seed, setup, client);
    let others = commit::participants(participants);
    let ours = Ours { decider: commit::coordinator(), other: ServerId::nth("P", 1), all: others.iter().collect() };

    let ensemble = Setup { voters: participants, ..Setup::default() };
    // all start together, so the highest number leads
    let leader = ServerId(participants);
    let zab = with_write(seed, ensemble, leader);
    let all = (1..participants).map(ServerId).collect();
    let theirs = Ours { decider: leader, other: ServerId(1), all };
    Beside { commit: ours.with(fault, commit), zab: theirs.with(fault, zab) }
}

fn with_write(seed: u64, setup: Setup, server: ServerId) -> Run {
    let write = Action::Write { server, data: "x=1".into(), count: 1, every_us: 0 };
    Run { seed, ..run(setup, vec![(WRITE_MS, write)]) }
}

/// Who is who in one of the two.
struct Ours {
    decider: ServerId,
    /// The participant or follower that a fault hits.
    other: ServerId,
    /// Everybody but the decider.
    all: Vec<ServerId>,
}

impl Ours {
    /// The run with the fault in it.
    fn with(&self, fault: Fault, mut run: Run) -> Run {
        let (decider, other) = (self.decider, self.other);
        let everybody = || self.all.iter().map(|id| id.0).chain([decider.0]).filter(|id| *id != other.0);
        let mut broken = Vec::new();
        match fault {
            Fault::None => return run,
            Fault::BeforeDecision => {
                let Some(at) = self.decides(&run) else { return run };
                broken.push((before(at), Action::Crash { server: decider }));
            }
            Fault::AfterDecision => {
                let Some(at) = self.decides(&run) else { return run };
                let to = self.all.iter().copied().collect();
                broken.push((before(at), Action::Cut { from: set(&[decider.0]), to, one_way: true }));
                broken.push((at.plus(1_000), Action::Crash { server: decider }));
            }
            Fault::OtherCrashes => {
                let Some(at) = self.votes(&run) else { return run };
                broken.push((before(at), Action::Crash { server: other }));
            }
            Fault::Cut => {
                let Some(at) = self.votes(&run) else { return run };
                let to = set(&everybody().collect::<Vec<_>>());
                broken.push((at, Action::Cut { from: set(&[other.0]), to, one_way: false }));
            }
        }
        let repair = |action: &Action| match action {
            Action::Crash { server } => Action::Restart { server: *server },
            _ => Action::HealAll,
        };
        let repaired: Vec<Action> = broken.iter().map(|(_, action)| repair(action)).collect();
        broken.extend(repaired.into_iter().map(|action| (SimTime::from_ms(REPAIR_MS), action)));
        broken.into_iter().for_each(|(at, action)| run.push(at, action));
        run
    }

    /// When the decision falls: the coordinator's, or the leader's commit.
    fn decides(&self, run: &Run) -> Option<SimTime> {
        self.first(run, |fact| match fact {
            Fact::Other { fact, .. } => matches!(what(fact), Some(commit::What::Decided { .. })),
            Fact::Zab { fact, .. } => matches!(fact, zab::Fact::Committed { .. }),
            _ => false,
        })
    }

    /// When the one that is hit votes, or acknowledges.
    fn votes(&self, run: &Run) -> Option<SimTime> {
        self.first(run, |fact| match fact {
            Fact::Other { server, fact } => {
                *server == self.other && matches!(what(fact), Some(commit::What::Voted { .. }))
            }
            Fact::World(WorldFact::Synced { server, .. }) => *server == self.other,
            _ => false,
        })
    }

    /// When this first happens after the write was asked for.
    fn first(&self, run: &Run, fits: impl Fn(&Fact) -> bool) -> Option<SimTime> {
        let mut world = World::new(run.clone());
        while world.next_at().is_some_and(|at| at.as_ms() < REPAIR_MS) {
            let found = world.step()?.iter().find(|record| record.at_us.as_ms() >= WRITE_MS && fits(&record.fact));
            if let Some(record) = found {
                return Some(record.at_us);
            }
        }
        None
    }
}

/// So shortly before that it does not happen.
fn before(at: SimTime) -> SimTime {
    SimTime(at.0.saturating_sub(1))
}

fn what(fact: &crate::daemon::Saying) -> Option<&commit::What> {
    fact.value::<commit::Fact>().map(|fact| &fact.what)
}

/// What a write costs, from the moment when it is asked for: messages of the protocol and forced writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// PREPARE, votes, decisions and their acknowledgements; PROPOSAL, ACK and COMMIT (INFORM for an observer).
    pub messages: u64,
    /// Forced records; log syncs.
    pub forced: u64,
    /// How long it took from the request's arrival at the coordinator, or the leader, until that could answer, µs.
    pub answered_us: Option<u64>,
    asked: Option<SimTime>,
}

impl Cost {
    /// Reads the next fact of either run.
    pub fn read(&mut self, record: &Record) {
        if let Fact::World(WorldFact::WriteAsked { .. }) = &record.fact {
            self.asked.get_or_insert(record.at_us);
        }
        let Some(asked) = self.asked else { return };
        match &record.fact {
            Fact::World(WorldFact::Sent { message, .. }) => self.messages += u64::from(counts(message)),
            Fact::World(WorldFact::Synced { .. }) => self.forced += 1,
            Fact::World(WorldFact::WriteAnswered { .. }) => self.answer(record.at_us.since(asked)),
            Fact::Other { fact, .. } => match what(fact) {
                Some(commit::What::Forced { .. }) => self.forced += 1,
                // the way from the client is not the protocol's
                Some(commit::What::Began { .. }) if self.messages == 0 => self.asked = Some(record.at_us),
                Some(commit::What::Decided { .. }) => self.answer(record.at_us.since(asked)),
                _ => {}
            },
            _ => {}
        }
    }

    fn answer(&mut self, us: u64) {
        self.answered_us.get_or_insert(us);
    }
}

/// Whether a message belongs to the protocol of a write.
fn counts(message: &crate::sim::Parcel) -> bool {
    match message {
        crate::sim::Parcel::Other(saying) => saying.value::<commit::Message>().is_some_and(commit::Message::commits),
        crate::sim::Parcel::Zab(message) => matches!(message.name(), "PROPOSAL" | "ACK" | "COMMIT" | "INFORM"),
        _ => false,
    }
}
