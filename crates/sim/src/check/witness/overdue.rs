//! What should have ended by itself: sessions in silence, containers without children, nodes past their time to live.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Micros, ServerId, SimTime, SortedMap, Zxid};
use crate::server::Settings;
use crate::store::{Owner, Tree, Znode};

use super::Witness;

/// How often it is looked for, µs.
const EVERY_US: Micros = 250_000;

/// When a node was created and set, and how many children it had: whatever changes gives it a new life.
type Changed = (Zxid, Zxid, i32);

fn changed(node: &Znode) -> Changed {
    (node.czxid, node.mzxid, node.cversion)
}

/// What is known of it.
#[derive(Clone, Debug, Hash)]
pub struct Overdue {
    settings: Settings,
    /// When it is looked for next, in virtual time.
    pub next: SimTime,
    /// Nodes that a leader should remove: which, last changed how, and since when that is seen.
    nodes: BTreeMap<Rc<str>, (Changed, SimTime)>,
    /// The leader that should, and how far its clock is from virtual time, ms, where that is known.
    leader: Option<(ServerId, Option<i64>)>,
    /// Processes that stand still, or went on last at that moment.
    paused: SortedMap<ServerId, Option<SimTime>>,
}

impl Overdue {
    pub(super) fn new(settings: &Settings) -> Overdue {
        let (next, nodes, paused) = (SimTime::ZERO, BTreeMap::new(), SortedMap::new());
        Overdue { settings: settings.clone(), next, nodes, leader: None, paused }
    }

    /// How much later than its timeout a session may end, µs: a bucket is a tick, and a tick to be fair.
    pub fn grace_us(&self) -> Micros {
        2 * self.settings.tick_time
    }

    /// Since when a process runs, if it does.
    pub fn runs_since(&self, server: ServerId) -> Option<SimTime> {
        self.paused.get(&server).copied().unwrap_or(Some(SimTime::ZERO))
    }

    pub(super) fn leads(&mut self, server: ServerId) {
        self.leader = Some((server, None));
        self.nodes.clear();
    }

    pub(super) fn clock_jumps(&mut self, server: ServerId) {
        if self.leader.is_some_and(|(leader, _)| leader == server) {
            self.leads(server);
        }
    }

    pub(super) fn pauses(&mut self, server: ServerId) {
        self.paused.insert(server, None);
        self.nodes.clear();
    }

    pub(super) fn resumes(&mut self, server: ServerId, now: SimTime) {
        self.paused.insert(server, Some(now));
        self.nodes.clear();
    }

    /// A leader proposes something, and says what its clock shows.
    pub(super) fn proposed(&mut self, server: ServerId, time: i64, now: SimTime) {
        if let Some((leader, clock)) = &mut self.leader
            && *leader == server
        {
            *clock = Some(time - now.as_ms() as i64);
        }
    }

    fn is_over(&self, node: &Znode, clock: Option<i64>) -> bool {
        let age = |limit: i64| clock.is_some_and(|clock| clock - node.mtime > limit);
        let never_used = (self.settings.max_never_used / 1_000) as i64;
        node.children.is_empty()
            && match node.owner {
                Owner::Container => node.cversion > 0 || (never_used > 0 && age(never_used)),
                Owner::Ttl(ttl) => age(ttl),
                Owner::None | Owner::Session(_) => false,
            }
    }

    fn look(&self, now: SimTime, applied: &Tree, ahead: &Tree) -> BTreeMap<Rc<str>, (Changed, SimTime)> {
        let clock = self.leader.and_then(|(_, offset)| Some(now.as_ms() as i64 + offset?));
        let mut still = BTreeMap::new();
        for (path, node) in applied.mortal().filter(|(_, node)| self.is_over(node, clock)) {
            if ahead.get(path).is_some_and(|other| changed(other) == changed(node)) {
                let known = self.nodes.get(path).filter(|(before, _)| *before == changed(node));
                still.insert(path.clone(), known.copied().unwrap_or((changed(node), now)));
            }
        }
        still
    }
}

impl Witness {
    /// A node that should be gone and still stands: the leader that should have removed it, its path, for how long, µs.
    pub fn overdue_node(&self, now: SimTime) -> Option<(ServerId, &Rc<str>, Micros)> {
        let (leader, _) = self.overdue.leader?;
        let patience = self.overdue.settings.container_check + self.overdue.grace_us() + EVERY_US;
        // by what the leader has now: the last look may have been before a long silence
        let (applied, ahead) = self.trees_of_leader()?;
        let mut late = self.overdue.nodes.iter().filter(|&(_, &(_, since))| now.since(since) > patience);
        let stands = |tree: &Tree, path: &str, then| tree.get(path).is_some_and(|node| changed(node) == then);
        let (path, &(_, since)) =
            late.find(|&(path, &(then, _))| stands(applied, path, then) && stands(ahead, path, then))?;
        Some((leader, path, now.since(since)))
    }

    /// What the leader that should look has applied, and that with its proposals.
    fn trees_of_leader(&self) -> Option<(&Tree, &Tree)> {
        let (leader, _) = self.overdue.leader?;
        let view = self.server(leader);
        let serves = view.serving && view.leads.is_some() && self.overdue.runs_since(leader).is_some();
        serves.then_some((self.histories.model(view.memory)?, self.histories.model(view.tail)?))
    }

    /// Now and then it is seen what should be gone.
    pub(super) fn look_for_overdue(&mut self, now: SimTime) {
        if now < self.overdue.next {
            return;
        }
        self.overdue.next = now.plus(EVERY_US);
        let seen = self.trees_of_leader().map(|(applied, ahead)| self.overdue.look(now, applied, ahead));
        self.overdue.nodes = seen.unwrap_or_default();
    }
}
