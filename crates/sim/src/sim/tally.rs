//! What a run's recipes cost, counted from its facts: requests, notifications, hand-overs, and how many believed to hold.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{Arrange, ClientId, Micros, SimTime};
use crate::client;
use crate::recipes::{self, Share, ThreadId};

use super::fact::{Fact, Record, WorldFact};

/// One holder of a path.
type Holder = (ClientId, ThreadId, Rc<str>);

/// A release and what came of it, until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The release, in virtual time.
    pub at: SimTime,
    /// How many waited at that moment.
    pub waiting: usize,
    /// Requests since, of everybody.
    pub requests: u64,
    /// Notifications since.
    pub notifications: u64,
    /// How long it took until the next holder had it, µs; none while nobody has.
    pub latency: Option<Micros>,
}

/// The counters of a run, read fact by fact.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Requests of programs and of people, without what the library sends by itself.
    pub requests: u64,
    /// Notifications that reached a client.
    pub notifications: u64,
    /// Times that something exclusive went from one holder to the next.
    pub handovers: u64,
    /// Most holders of one exclusive thing at one moment, as far as they knew.
    pub holders_max: usize,
    /// Writes that a resource refused for their old token.
    pub refused_by_fencing: u64,
    /// Every release of something exclusive, in order.
    pub releases: Vec<Release>,
    waiting: BTreeSet<(ClientId, ThreadId, Rc<str>)>,
    held: BTreeMap<Rc<str>, BTreeSet<Holder>>,
    /// When a path became free, as far as its last holder knew.
    free_since: BTreeMap<Rc<str>, SimTime>,
    programs: bool,
}

/// The numbers of a run with recipes, for the summary line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecipeNumbers {
    /// Notifications that reached a client.
    pub notifications: u64,
    /// Requests.
    pub requests: u64,
    /// Hand-overs.
    pub handovers: u64,
    /// The median of a hand-over, ms, half a millisecond rounded up; none where there was no hand-over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Most simultaneous holders, as far as they knew.
    pub holders_max: usize,
    /// Writes refused for an old token, where tokens were shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_by_fencing: Option<u64>,
}

impl Tally {
    /// Reads the next fact.
    pub fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Client { fact: client::Fact::Called { .. }, .. } => {
                self.requests += 1;
                self.releases.last_mut().into_iter().for_each(|release| release.requests += 1);
            }
            Fact::Client { fact: client::Fact::Notified { .. }, .. } => {
                self.notifications += 1;
                self.releases.last_mut().into_iter().for_each(|release| release.notifications += 1);
            }
            Fact::Program { client, fact } => self.read_program(*client, fact, record.at_us),
            Fact::World(WorldFact::ClientKilled { client }) => {
                for holders in self.held.values_mut() {
                    holders.retain(|(holder, ..)| holder != client);
                }
                self.waiting.retain(|(waiter, ..)| waiter != client);
            }
            Fact::World(WorldFact::ResourceRefused { .. }) => self.refused_by_fencing += 1,
            _ => {}
        }
    }

    fn read_program(&mut self, client: ClientId, fact: &recipes::Fact, at: SimTime) {
        self.programs = true;
        match fact {
            recipes::Fact::WaitsBehind { thread, object, .. } | recipes::Fact::WaitsFor { thread, object, .. } => {
                self.waiting.insert((client, *thread, object.clone()));
            }
            recipes::Fact::GaveUp { thread, object }
            | recipes::Fact::Told { thread, object, what: recipes::WAITS_NO_MORE, .. } => {
                self.waiting.remove(&(client, *thread, object.clone()));
            }
            recipes::Fact::Acquired { thread, object, path, share: Share::Exclusive | Share::Leader, .. } => {
                self.waiting.remove(&(client, *thread, object.clone()));
                if let Some(free) = self.free_since.remove(path) {
                    self.handovers += 1;
                    let release = self.releases.iter_mut().rev().find(|release| release.at == free);
                    release.into_iter().for_each(|release| release.latency = Some(at.since(free)));
                }
                let holders = self.held.entry(path.clone()).or_default();
                holders.insert((client, *thread, object.clone()));
                self.holders_max = self.holders_max.max(holders.len());
            }
            recipes::Fact::Released { thread, object, path, .. } => {
                let Some(holders) = self.held.get_mut(path) else { return };
                if holders.remove(&(client, *thread, object.clone())) && holders.is_empty() {
                    self.free_since.insert(path.clone(), at);
                    let waiting = self.waiting.len();
                    self.releases.push(Release { at, waiting, requests: 0, notifications: 0, latency: None });
                }
            }
            _ => {}
        }
    }

    /// Who holds a path now, as far as they know.
    pub fn holders(&self, path: &str) -> usize {
        self.held.get(path).map_or(0, BTreeSet::len)
    }

    /// The median hand-over, µs.
    pub fn median_latency(&self) -> Option<Micros> {
        let mut sorted: Vec<Micros> = self.releases.iter().filter_map(|release| release.latency).collect();
        sorted.arrange();
        sorted.get(sorted.len() / 2).copied()
    }

    /// The numbers for the summary; none where no program ran. `fenced`: tokens were shown.
    pub fn numbers(&self, fenced: bool) -> Option<RecipeNumbers> {
        self.programs.then(|| RecipeNumbers {
            notifications: self.notifications,
            requests: self.requests,
            handovers: self.handovers,
            latency_ms: self.median_latency().map(|median| (median + 500) / 1000),
            holders_max: self.holders_max,
            refused_by_fencing: fenced.then_some(self.refused_by_fencing),
        })
    }
}
