//! The second phase: when everything is healed, one leader, everybody serving in its epoch, writes answered, states equal.

use std::collections::BTreeMap;

use crate::base::{Epoch, ServerId, ServerSet};
use crate::check::{Evidence, Missing};
use crate::sim::{Fact, Record, WorldFact};
use crate::zab;

use crate::soak::FINAL_WRITE;

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    leads: Option<Epoch>,
    serves: Option<Epoch>,
    state: u64,
    answered: bool,
}

/// Reads the facts of a run; at its end it says what is missing.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    servers: BTreeMap<ServerId, Seen>,
    last_writes: BTreeMap<u64, ServerId>,
}

impl Liveness {
    pub(super) fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Zab { server, fact } => {
                let seen = self.servers.entry(*server).or_default();
                match fact {
                    zab::Fact::Established { epoch, .. } => {
                        (seen.leads, seen.serves) = (Some(*epoch), Some(*epoch));
                    }
                    zab::Fact::UpToDate { epoch } => seen.serves = Some(*epoch),
                    zab::Fact::Left { .. } => (seen.leads, seen.serves) = (None, None),
                    _ => {}
                }
            }
            Fact::World(fact) => self.read_world(fact),
            Fact::Client { .. } | Fact::Server { .. } | Fact::Program { .. } | Fact::Other { .. } => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact) {
        match fact {
            WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => {
                let seen = self.servers.entry(*server).or_default();
                (seen.leads, seen.serves) = (None, None);
            }
            WorldFact::Applied { server, state, .. } | WorldFact::Restored { server, state, .. } => {
                self.servers.entry(*server).or_default().state = state.0;
            }
            WorldFact::WriteAsked { server, write, data } if data == FINAL_WRITE => {
                self.last_writes.insert(*write, *server);
            }
            WorldFact::WriteAnswered { write, .. } => {
                if let Some(server) = self.last_writes.get(write) {
                    self.servers.entry(*server).or_default().answered = true;
                }
            }
            _ => {}
        }
    }

    /// What is missing at the end.
    pub(super) fn missing(&self) -> Option<Evidence> {
        let not = |good: &dyn Fn(&Seen) -> bool| -> ServerSet {
            self.servers.iter().filter(|(_, seen)| !good(seen)).map(|(&id, _)| id).collect()
        };
        let Some((epoch, leader)) =
            self.servers.values().filter_map(|seen| Some((seen.leads?, seen))).max_by_key(|x| x.0)
        else {
            return Some(Evidence::NotRecovered { servers: ServerSet::EMPTY, what: Missing::Leader });
        };
        [
            (Missing::Serving, not(&|seen| seen.serves == Some(epoch))),
            (Missing::Answers, not(&|seen| seen.answered)),
            (Missing::SameState, not(&|seen| seen.state == leader.state)),
        ]
        .into_iter()
        .find(|(_, servers)| !servers.is_empty())
        .map(|(what, servers)| Evidence::NotRecovered { servers, what })
    }
}
