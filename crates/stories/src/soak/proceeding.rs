//! The second phase for programs: when everything is healed, whoever waits for something that nobody holds gets it.
//!
//! How long that takes counts from the last trouble: a server that looks for a leader, a connection that comes or goes, a session
//! that ends.
//!
//! One thing may block a queue for as long as a session lives, and it is told apart: a protected create whose reply was lost, and
//! which came to be only after the client had looked for its node, at a server that did not have it yet. Curator looks
//! once; it does not ask for a sync before.
//!
//! Curator's semaphores may stand still by themselves in two ways, and these are told apart as well. An acquire that fails only
//! when it gives the inner lock back leaves a lease that nobody has: it counts as one that is held. And a lease that is made
//! again in a new session, when the inner lock went with the old one, stands beside that of the inner lock's next holder: each
//! waits for the other to go (`InterProcessSemaphoreV2.java` `internalAcquire1Lease`).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, Micros, SimTime};
use crate::check::Who;
use crate::check::{Checker, Judge};
use crate::check::{Evidence, Misuse};
use crate::client::CallId;
use crate::recipes::{Fact as Told, Share};
use crate::sim::{Fact, Record, WorldFact};
use crate::wire::Request;
use crate::{client, server, zab};

/// How long a queue of all threads of a random run may take at most, µs.
const PATIENCE_US: Micros = 22_000_000;

/// A call under way.
#[derive(Clone, Debug)]
struct Under {
    object: Rc<str>,
    method: Rc<str>,
    since: SimTime,
}

/// Reads the facts of a run; at its end it says who waits in vain.
#[derive(Clone, Debug, Default)]
pub struct Proceeding {
    calls: BTreeMap<Who, Under>,
    /// The paths of objects, and of semaphores how many leases there are at least.
    paths: BTreeMap<Rc<str>, (Rc<str>, Option<usize>)>,
    trouble: SimTime,
    /// Protected creates under way.
    creating: BTreeMap<(ClientId, CallId), String>,
    /// Those whose reply was lost and whose node was not found again: how many, by what begins their names.
    lost: BTreeMap<String, u32>,
}

/// How a queue stands still.
pub enum Stuck {
    /// For no good reason.
    InVain(Evidence),
    /// Behind a node that nobody knows of.
    BehindOrphan,
}

/// What begins the path of a protected node: its parent, `_c_`, a UUID and a hyphen.
fn protection(path: &str) -> Option<String> {
    let at = path.rfind("/_c_")?;
    path.get(..at + 41).map(String::from)
}

impl Proceeding {
    /// Reads the next fact.
    pub fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Program { client, fact } => match fact {
                Told::RecipeMade { object, path, recipe } => {
                    let leases = recipe.starts_with("semaphore").then_some(1);
                    self.paths.insert(object.clone(), (path.clone(), leases));
                }
                Told::Acquired { object, share: Share::Lease { of }, .. } => {
                    if let Some((_, leases)) = self.paths.get_mut(object) {
                        *leases = Some(*of as usize);
                    }
                }
                Told::MethodCalled { thread, object, method } => {
                    let (object, method, since) = (object.clone(), method.clone(), record.at_us);
                    self.calls.insert((*client, *thread), Under { object, method, since });
                }
                Told::MethodReturned { thread, .. } => drop(self.calls.remove(&(*client, *thread))),
                Told::ConnectionState { .. } => self.trouble = record.at_us,
                Told::FoundProtected { node, own: true, .. } => {
                    if let Some(lost) = protection(node).and_then(|prefix| self.lost.get_mut(&prefix)) {
                        *lost = lost.saturating_sub(1);
                    }
                }
                _ => {}
            },
            Fact::World(WorldFact::ClientKilled { client } | WorldFact::ClientOpened { client, .. }) => {
                self.calls.retain(|(other, _), _| other != client);
                self.trouble = record.at_us;
            }
            fact if is_trouble(fact) => self.trouble = record.at_us,
            Fact::Client { client, fact } => self.read_client(*client, fact),
            _ => {}
        }
    }

    fn read_client(&mut self, client: ClientId, fact: &client::Fact) {
        match fact {
            client::Fact::Called { call, request: Request::Create { path, .. } } => {
                self.creating.extend(protection(path).map(|prefix| ((client, *call), prefix)));
            }
            client::Fact::Answered { call, in_doubt, .. } => {
                let created = self.creating.remove(&(client, *call));
                if let Some(prefix) = created.filter(|_| *in_doubt) {
                    *self.lost.entry(prefix).or_default() += 1;
                }
            }
            _ => {}
        }
    }

    /// Who waits in vain at the end.
    pub fn stuck(&self, end: SimTime, checker: &Checker<impl Judge>) -> Option<Stuck> {
        let mut late = self.calls.iter().filter(|(_, call)| end.since(call.since.max(self.trouble)) > PATIENCE_US);
        late.find_map(|(who, call)| self.stands_still(*who, call, end, checker))
    }

    fn stands_still(&self, who: Who, call: &Under, end: SimTime, checker: &Checker<impl Judge>) -> Option<Stuck> {
        let (path, leases) = self.paths.get(&call.object)?;
        let orphaned = match leases {
            Some(leases) => self.blocks(path, *leases, checker)?,
            None if checker.is_held(path) => return None,
            None => false,
        };
        let mut orphans = self.lost.iter().filter(|(orphan, lost)| **lost > 0 && orphan.starts_with(&**path));
        if orphaned || orphans.any(|(orphan, _)| checker.stands(orphan)) {
            return Some(Stuck::BehindOrphan);
        }
        let (object, method) = (call.object.to_string(), call.method.to_string());
        let for_us = end.since(call.since.max(self.trouble));
        Some(Stuck::InVain(Evidence::Recipe(Misuse::StillWaits { who, object, method, for_us })))
    }

    /// What stands before a semaphore's contenders: `None` where no lease is left; else whether it is a node of nobody who
    /// waits, or two leases that wait for each other.
    fn blocks(&self, path: &str, leases: usize, checker: &Checker<impl Judge>) -> Option<bool> {
        let is_here = |object: &Rc<str>| self.paths.get(object).is_some_and(|(other, _)| **other == *path);
        let waits = |client: &Option<ClientId>| {
            self.calls.iter().any(|((other, _), call)| Some(*other) == *client && is_here(&call.object))
        };
        let standing = checker.nodes_below(&format!("{path}/leases"));
        let asked = standing.iter().filter(|(node, client)| waits(client) && !checker.is_held_by(node)).count();
        if standing.len() - asked >= leases {
            return None;
        }
        let foreign = checker.nodes_below(&format!("{path}/locks")).iter().any(|(_, client)| !waits(client));
        Some(foreign || asked > 1)
    }
}

fn is_trouble(fact: &Fact) -> bool {
    match fact {
        Fact::Zab { fact, .. } => matches!(
            fact,
            zab::Fact::Looking { .. }
                | zab::Fact::Established { .. }
                | zab::Fact::UpToDate { .. }
                | zab::Fact::Left { .. }
        ),
        Fact::Client { fact, .. } => {
            matches!(fact, client::Fact::ClientConnected { .. } | client::Fact::ClientDisconnected { .. })
        }
        Fact::Server { fact, .. } => matches!(fact, server::Fact::SessionExpired { .. }),
        Fact::World(fact) => matches!(fact, WorldFact::ClientResumed { .. } | WorldFact::Started { .. }),
        Fact::Program { .. } | Fact::Other { .. } => false,
    }
}
