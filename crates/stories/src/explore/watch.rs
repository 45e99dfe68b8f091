//! Who looks whether a goal is reached: a reader of facts.

use std::collections::BTreeMap;
use std::mem;

use crate::base::{ClientId, ServerId, ServerSet, SimTime, SortedSet, Zxid};
use crate::check::{Checker, Evidence, Misuse, Violation};
use crate::client::{CallId, Fact as Told};
use crate::scenarios::pattern::Pattern;
use crate::sim::{Fact, Record, Setup, WorldFact};
use crate::wire::Request;
use crate::zab::{Fact as Zab, ServerState};

use super::goal::Goal;
use super::own::{Judge, Law};

/// Where a goal was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The moment of the fact that showed it, in virtual time.
    pub at: SimTime,
    /// That fact's number.
    pub seq: u64,
    /// The property that is violated; none where nothing is.
    pub property: Option<&'static str>,
    /// What was seen of it.
    pub evidence: Option<Evidence>,
}

impl Found {
    fn of(violation: &Violation) -> Found {
        let Violation { at, seq, property, evidence, .. } = violation.clone();
        Found { at, seq, property: Some(property), evidence: Some(evidence) }
    }

    /// A law of recipes of one's own is broken.
    pub(super) fn broken(law: Law, misuse: Misuse, at: SimTime, seq: u64) -> Found {
        Found { at, seq, property: Some(law.id()), evidence: Some(Evidence::Recipe(misuse)) }
    }

    /// Whether another run shows the same: the same property by the same kind of evidence.
    pub fn is_like(&self, other: &Found) -> bool {
        let kind = |found: &Found| found.evidence.as_ref().map(mem::discriminant);
        self.property == other.property && kind(self) == kind(other)
    }
}

/// Reads the facts of one run.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    goal: Goal,
    checker: Checker,
    heard: Heard,
    /// Who judges a recipe of one's own, where that is the goal.
    pub own: Option<Box<Judge>>,
    pub found: Option<Found>,
}

/// What facts have told that no property is about.
#[derive(Clone, Debug, Default)]
struct Heard {
    voters: ServerSet,
    running: ServerSet,
    leading: SortedSet<ServerId>,
    established: SortedSet<ServerId>,
    /// Since when no leader is established though a majority runs.
    still: SimTime,
    times: u32,
    /// The newest write that anybody was told of.
    told: Zxid,
    /// Calls under way: of a read what had been told when it was asked for, of a write nothing.
    calls: BTreeMap<(ClientId, CallId), Option<Zxid>>,
}

impl Watch {
    pub(super) fn new(goal: Goal, setup: &Setup) -> Watch {
        let heard = Heard { voters: setup.members().voters, ..Heard::default() };
        let own = match goal {
            Goal::OwnRecipe { may_herd } => Some(Box::new(Judge::new(may_herd, setup.voters))),
            _ => None,
        };
        Watch { goal, checker: Checker::new(setup), heard, own, found: None }
    }

    pub(super) fn goal(&self) -> &Goal {
        &self.goal
    }

    pub(super) fn checker(&self) -> &Checker {
        &self.checker
    }

    /// Reads the next fact.
    pub(super) fn read(&mut self, record: &Record) {
        let here = Found { at: record.at_us, seq: record.seq, property: None, evidence: None };
        let seen = match &self.goal {
            Goal::Facts { times, pattern } => {
                self.heard.times += u32::from(Pattern(pattern).fits(record));
                (self.heard.times >= *times).then_some(here)
            }
            Goal::TwoLeaders | Goal::TwoEstablished | Goal::Epoch(_) | Goal::Standstill(_) => {
                self.heard.read(record);
                self.heard.shows(&self.goal, record).then_some(here)
            }
            Goal::StaleRead => self.heard.is_stale(record).then_some(here),
            Goal::TwoHolders => {
                self.checker.read(record);
                (!self.checker.doubles().is_empty()).then_some(here)
            }
            Goal::OwnRecipe { .. } => {
                let held = |violation: &&Violation| Law::of(violation.property) == Some(Law::OneHolder);
                let fallen = self.checker.read(record).iter().find(held).map(Found::of);
                let seen = self.own.as_mut().and_then(|judge| judge.read(record, &self.checker));
                fallen.or(seen.map(|(law, misuse)| Found::broken(law, misuse, record.at_us, record.seq)))
            }
            Goal::StaleSync => {
                self.checker.read(record);
                (!self.checker.stale_syncs().is_empty()).then_some(here)
            }
            Goal::Any | Goal::Violated(_) | Goal::CommitLost => {
                let counts = |violation: &&Violation| !violation.outside && self.goal.is(violation.property);
                self.checker.read(record).iter().find(counts).map(Found::of)
            }
        };
        self.found = self.found.take().or(seen);
    }
}

impl Goal {
    /// Whether this property's fall is what is looked for.
    pub(super) fn is(&self, property: &str) -> bool {
        match self {
            Goal::Any => true,
            Goal::Violated(id) => *id == property,
            Goal::CommitLost => matches!(property, "durability" | "client-promise"),
            _ => false,
        }
    }
}

impl Heard {
    fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Zab { server, fact } => match fact {
                Zab::Elected { role: ServerState::Leading, .. } => drop(self.leading.insert(*server)),
                Zab::Established { .. } => drop(self.established.insert(*server)),
                Zab::Left { .. } => self.left(*server),
                _ => {}
            },
            Fact::World(WorldFact::Crashed { server, .. } | WorldFact::Exited { server }) => {
                self.left(*server);
                self.running.remove(*server);
            }
            Fact::World(WorldFact::Paused { server }) => drop(self.running.remove(*server)),
            Fact::World(WorldFact::Started { server, .. } | WorldFact::Resumed { server }) => {
                self.running.insert(*server);
            }
            _ => {}
        }
        let majority = self.running.intersection(self.voters).len() * 2 > self.voters.len();
        if !self.established.is_empty() || !majority {
            self.still = record.at_us;
        }
    }

    fn left(&mut self, server: ServerId) {
        self.leading.remove(&server);
        self.established.remove(&server);
    }

    fn shows(&self, goal: &Goal, record: &Record) -> bool {
        match goal {
            Goal::TwoLeaders => self.leading.len() > 1,
            Goal::TwoEstablished => self.established.len() > 1,
            Goal::Standstill(us) => record.at_us.since(self.still) >= *us,
            Goal::Epoch(least) => {
                matches!(&record.fact, Fact::Zab { fact: Zab::Established { epoch, .. }, .. } if epoch >= least)
            }
            _ => false,
        }
    }

    /// Whether a read is answered from before what had been told when it was asked for.
    fn is_stale(&mut self, record: &Record) -> bool {
        match &record.fact {
            Fact::World(WorldFact::WriteAnswered { zxid, .. }) => self.told = self.told.max(*zxid),
            // a sync's answer says how far a server is, not that anybody was told of it
            Fact::Client { fact: Told::Called { request: Request::Sync { .. }, .. }, .. } => {}
            Fact::Client { client, fact: Told::Called { call, request, .. } } => {
                self.calls.insert((*client, *call), (!request.is_write()).then_some(self.told));
            }
            Fact::Client { client, fact: Told::Answered { call, outcome, zxid, .. } } => {
                let (asked, zxid) = (self.calls.remove(&(*client, *call)), zxid.unwrap_or(Zxid::ZERO));
                match asked.filter(|_| outcome.is_ok()) {
                    Some(Some(told)) => return zxid < told,
                    Some(None) => self.told = self.told.max(zxid),
                    None => {}
                }
            }
            _ => {}
        }
        false
    }
}
