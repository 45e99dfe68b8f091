//! Reads facts in order and says which property they violate.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;
use std::hash::Hash;
use std::rc::Rc;

use crate::base::{ClientId, ServerId, ServerSet, SimTime};
use crate::sim::{Record, Setup};
use crate::zab::Quorums;

use super::evidence::Evidence;
use super::occasions::occasions;
use super::properties::PROPERTIES;
use super::second::{Judge, SECOND_STORE};
use super::systems::Systems;
use super::witness::{AppView, Double, Hold, StaleSync, Step, Witness};

/// A property violated: the first time that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property's stable name.
    pub property: &'static str,
    /// The moment of the fact that showed it, in virtual time.
    pub at: SimTime,
    /// The fact that showed it.
    pub seq: u64,
    /// Which servers it is about.
    pub servers: ServerSet,
    /// What was seen.
    pub evidence: Evidence,
    /// Disks had lost more than the protocol bears before: no server is to blame.
    pub outside: bool,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outside = if self.outside { " outside the fault model" } else { "" };
        write!(f, "{} violated{outside} at {} (fact {}): {}", self.property, self.at, self.seq, self.evidence)
    }
}

impl Serialize for Violation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Violation", 5 + usize::from(self.outside))?;
        object.serialize_field("property", self.property)?;
        object.serialize_field("at_us", &self.at)?;
        object.serialize_field("seq", &self.seq)?;
        object.serialize_field("servers", &self.servers)?;
        object.serialize_field("evidence", &self.evidence.to_string())?;
        if self.outside {
            object.serialize_field("outside_fault_model", &true)?;
        }
        object.end()
    }
}

/// Whether a property holds so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It does.
    Holds {
        /// The number of the fact that first put it to the test, from 0; none where nothing in the run has.
        tested: Option<u64>,
    },
    /// It was violated then.
    Violated {
        /// The moment of the fact that showed it, in virtual time.
        at: SimTime,
        /// The number of that fact, from 0.
        seq: u64,
        /// As above; it may have held for some time.
        tested: Option<u64>,
    },
}

/// Reads the facts of one run.
#[derive(Clone, Debug)]
pub struct Checker<J = ()> {
    /// Clones share it until one of them learns something.
    witness: Rc<Witness>,
    second: J,
    systems: Systems,
    violations: Vec<Violation>,
    /// The run begins with disks of which not all is known, or which do not fit together: no property is judged.
    is_blind: bool,
    /// For each property the number of the fact that first put it to the test; `UNTESTED` before.
    tested: [u64; PROPERTIES.len()],
}

const UNTESTED: u64 = u64::MAX;

impl Checker {
    /// At the beginning of a run with this setup. Which rules the run breaks does not matter: facts are judged alike. Where it begins with
    /// disks, what is on them counts as proposed by somebody; that it was committed is claimed of nothing. Where their whole history is not
    /// there, they are real servers', or they do not fit together, no property is judged.
    pub fn new(setup: &Setup) -> Checker {
        Checker::judging(setup, ())
    }
}

impl<J: Judge> Checker<J> {
    /// The same, and somebody looks at each step beside the properties.
    pub(super) fn judging(setup: &Setup, second: J) -> Checker<J> {
        let (witness, systems) = (Rc::new(Witness::new(setup)), Systems::of(setup));
        let (is_blind, tested) = (witness.is_blind(), [UNTESTED; PROPERTIES.len()]);
        Checker { witness, second, systems, violations: Vec::new(), is_blind, tested }
    }

    /// Reads the next fact; the violations that it shows. Each property is reported once: what follows is aftermath.
    pub fn read(&mut self, record: &Record) -> &[Violation] {
        let before = self.violations.len();
        for breach in self.systems.read(record) {
            self.violated(breach.property, Evidence::System(breach.said), record);
        }
        if let Some(step) = self.witness.look(record) {
            // what properties could not judge is counted, and that is no other checker's
            Rc::make_mut(&mut self.witness);
            self.note_tests(&step, record.seq);
            let second = self.second.judge(&self.witness, &step).map(|evidence| (SECOND_STORE.id, evidence));
            for one in PROPERTIES {
                if let Some(evidence) = (one.check)(&self.witness, &step) {
                    self.violated(one.id, evidence, record);
                }
            }
            if let Some((property, evidence)) = second {
                self.violated(property, evidence, record);
            }
            Rc::make_mut(&mut self.witness).take(&step);
        } else if self.witness.hears(record) {
            Rc::make_mut(&mut self.witness).overhear(record);
        }
        &self.violations[before..]
    }

    fn note_tests(&mut self, step: &Step, seq: u64) {
        let tested = &mut self.tested;
        if self.is_blind || tested.iter().all(|&since| since != UNTESTED) {
            return;
        }
        occasions(&self.witness, step, |id| {
            if let Some(at) = PROPERTIES.iter().position(|property| property.id == id) {
                tested[at] = tested[at].min(seq);
            }
        });
    }

    /// A property is violated; the first time counts.
    fn violated(&mut self, property: &'static str, evidence: Evidence, record: &Record) {
        if !self.is_blind && self.violations.iter().all(|known| known.property != property) {
            let (at, seq, servers) = (record.at_us, record.seq, evidence.servers());
            let outside = self.witness.outside.is_some();
            self.violations.push(Violation { property, at, seq, servers, evidence, outside });
        }
    }

    /// The configurations that a server knows.
    pub fn known_by(&self, server: ServerId) -> Quorums {
        self.witness.known_by(server)
    }

    /// All violations so far, in the order in which they happened.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// How many violations there are for which a server is to blame: disks had kept what the protocol needs.
    pub fn count(&self) -> usize {
        self.violations.iter().filter(|violation| !violation.outside).count()
    }

    /// Who went on believing to hold what another had by right, in the order in which it happened. No property is violated
    /// by that: the service took the right away, and the holder did not know.
    pub fn doubles(&self) -> &[Double] {
        &self.witness.programs.doubles
    }

    /// Syncs that brought less than was committed, because a deposed leader took them (ZOOKEEPER-1675).
    pub fn stale_syncs(&self) -> &[StaleSync] {
        &self.witness.syncs.stale
    }

    /// Whether no property is judged: the run begins with disks of which not all is known, or which do not fit together.
    pub fn is_blind(&self) -> bool {
        self.is_blind
    }

    /// Since when disks have lost more than the protocol bears: whatever is violated from then on is no fault of a server.
    pub fn outside(&self) -> Option<SimTime> {
        self.witness.outside.filter(|_| !self.is_blind)
    }

    /// What of the past may still decide a judgement: two ways into one situation are one only where this is the same.
    pub fn mark(&self) -> &Rc<impl Hash + fmt::Debug + use<J>> {
        &self.witness
    }

    /// How often something could not be judged, because it is about a state older than those that are kept.
    pub fn missed(&self) -> u64 {
        self.witness.histories.missed()
    }

    /// Who believes to hold what, the oldest first.
    pub fn holds(&self) -> &[Hold] {
        &self.witness.programs.holds
    }

    /// What is known of a client's program.
    pub fn app(&self, client: ClientId) -> AppView {
        self.witness.programs.app(client)
    }

    /// Whether somebody believes to hold by this node.
    pub fn is_held_by(&self, node: &str) -> bool {
        self.witness.programs.holds.iter().any(|hold| *hold.node.path == *node)
    }

    /// The nodes below a path that stand in the committed state, and the clients whose sessions they go with.
    pub fn nodes_below(&self, path: &str) -> Vec<(Rc<str>, Option<ClientId>)> {
        let histories = &self.witness.histories;
        let Some(tree) = histories.model(histories.tip()) else { return Vec::new() };
        let of = |owner| self.witness.clients.of_session(owner);
        let prefix = format!("{path}/");
        tree.below(&prefix).map(|(path, node)| (path.clone(), of(node.stat().ephemeral_owner))).collect()
    }

    /// Whether somebody believes to hold a path whose node stands.
    pub fn is_held(&self, path: &str) -> bool {
        self.witness.programs.holds.iter().any(|hold| *hold.path == *path && hold.gone.is_none())
    }

    /// What [`Histories::forget_models`](super::history::Histories::forget_models) does.
    #[cfg(test)]
    pub(super) fn forget_models(&mut self) {
        Rc::make_mut(&mut self.witness).histories.forget_models();
    }

    /// Whether a node whose path begins so stands in the committed state.
    pub fn stands(&self, prefix: &str) -> bool {
        let histories = &self.witness.histories;
        histories.model(histories.tip()).is_some_and(|tree| tree.below(prefix).next().is_some())
    }

    /// Every property by its id and whether it holds so far, in the order of [`PROPERTIES`]; behind them those of the run's other
    /// systems.
    pub fn states(&self) -> impl Iterator<Item = (&'static str, State)> {
        let own = PROPERTIES.iter().zip(self.tested);
        let own = own.map(|(property, tested)| (property.id, Some(tested).filter(|&seq| seq != UNTESTED)));
        let others = self.systems.properties().into_iter().map(|(property, tested)| (property.id, tested));
        own.chain(others).map(|(id, tested)| {
            let violation = self.violations.iter().find(|violation| violation.property == id);
            let violated = |v: &Violation| State::Violated { at: v.at, seq: v.seq, tested };
            (id, violation.map_or(State::Holds { tested }, violated))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Action, Player, Run};

    #[test]
    fn what_no_disk_has_any_more_is_not_remembered() {
        let kept = |snap_retain_count| {
            let mut run = Run::new(1, Setup { snap_count: 10, snap_retain_count, ..Setup::default() });
            let write = Action::Write { server: ServerId(1), data: "x".into(), count: 500, every_us: 2_000 };
            run.push(SimTime::from_ms(2_000), write);
            let mut checker = Checker::new(&run.setup);
            let mut player = Player::new(run).expect("a valid run");
            player.run_until(SimTime::from_ms(10_000), |_, records| {
                for record in records {
                    checker.read(record);
                }
            });
            assert_eq!(checker.violations(), []);
            checker.witness.histories.kept()
        };
        let (all, newest) = (kept(0), kept(3));
        assert!(all >= 500 && newest < 200, "{all} and {newest}");
    }
}
