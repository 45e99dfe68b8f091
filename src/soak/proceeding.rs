//! The second phase for programs: when everything is healed, whoever waits for something that nobody holds gets it.
//!
//! How long that takes counts from the last trouble: a server that looks for a leader, a connection that comes or goes, a session
//! that ends.
//!
//! One thing may block a queue for as long as a session lives, and it is told apart: a protected create whose reply was lost, and
//! which came to be only after the client had looked for its node, at a server that did not have it yet. Curator looks
//! once; it does not ask for a sync before.
//!
//! Semaphores are not judged here: theirs is a promise that Curator's own does not keep under such faults. An acquire that fails
//! only when it gives the inner lock back leaves a lease that nobody has; and a lease that is made again in a new session, when
//! the inner lock went with the old one, stands beside that of the inner lock's next holder: each waits for the other to go
//! (`InterProcessSemaphoreV2.java` `internalAcquire1Lease`).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, Micros, SimTime};
use crate::check::Checker;
use crate::check::Who;
use crate::check::{Evidence, Misuse};
use crate::client::CallId;
use crate::recipes::Fact as Told;
use crate::sim::{Fact, Record, WorldFact};
use crate::wire::Request;
use crate::{client, server, zab};

/// How long a queue of all threads of a random run may take at most, µs.
const PATIENCE_US: Micros = 22_000_000;

/// A call under way.
#[derive(Debug)]
struct Under {
    object: Rc<str>,
    method: Rc<str>,
    since: SimTime,
}

/// Reads the facts of a run; at its end it says who waits in vain.
#[derive(Debug, Default)]
pub(super) struct Proceeding {
    calls: BTreeMap<Who, Under>,
    /// The paths of objects that are judged.
    paths: BTreeMap<Rc<str>, Rc<str>>,
    trouble: SimTime,
    /// Protected creates under way.
    creating: BTreeMap<(ClientId, CallId), String>,
    /// Those whose reply was lost and whose node was not found again: how many, by what begins their names.
    lost: BTreeMap<String, u32>,
}

/// How a queue stands still.
pub(super) enum Stuck {
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
    pub(super) fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Program { client, fact } => match fact {
                Told::RecipeMade { object, path, recipe } if !recipe.starts_with("semaphore") => {
                    self.paths.insert(object.clone(), path.clone());
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
    pub(super) fn stuck(&self, end: SimTime, checker: &Checker) -> Option<Stuck> {
        let (who, call) = self.calls.iter().find(|(_, call)| {
            let free = self.paths.get(&call.object).is_some_and(|path| !checker.is_held(path));
            free && end.since(call.since.max(self.trouble)) > PATIENCE_US
        })?;
        let path = self.paths.get(&call.object).cloned().unwrap_or_default();
        let mut orphans = self.lost.iter().filter(|(orphan, lost)| **lost > 0 && orphan.starts_with(&*path));
        if orphans.any(|(orphan, _)| checker.stands(orphan)) {
            return Some(Stuck::BehindOrphan);
        }
        let (who, object, method) = (*who, call.object.to_string(), call.method.to_string());
        let for_us = end.since(call.since.max(self.trouble));
        Some(Stuck::InVain(Evidence::Recipe(Misuse::StillWaits { who, object, method, for_us })))
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
