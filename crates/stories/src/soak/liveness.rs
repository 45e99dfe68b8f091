//! The second phase: when everything is healed, one leader, everybody serving in its epoch, writes answered, states equal.

use std::collections::{BTreeMap, VecDeque};

use crate::base::{Epoch, Micros, ServerId, ServerSet, SimTime, SortedMap};
use crate::check::{Evidence, Missing};
use crate::sim::{Fact, Record, WorldFact};
use crate::zab;

use crate::soak::FINAL_WRITE;

/// How far a server may be behind its leader at the end, µs: something is written in the last moments of most runs, and is still on
/// its way then.
const BEHIND_US: Micros = 1_000_000;

#[derive(Clone, Debug, Default)]
struct Seen {
    leads: Option<Epoch>,
    serves: Option<Epoch>,
    /// Its states of the last moments, the newest last, and when it took each.
    states: VecDeque<(SimTime, u64)>,
    answered: bool,
}

impl Seen {
    fn takes(&mut self, now: SimTime, state: u64) {
        self.states.push_back((now, state));
        while self.states.get(1).is_some_and(|(next, _)| now.since(*next) >= BEHIND_US) {
            self.states.pop_front();
        }
    }

    fn state(&self) -> Option<u64> {
        self.states.back().map(|(_, state)| *state)
    }

    /// Whether it was in a state at the end, or not long before.
    fn was_in(&self, state: Option<u64>, end: SimTime) -> bool {
        let until = self.states.iter().skip(1).map(|(at, _)| *at).chain([end]);
        self.states.iter().zip(until).any(|((_, own), until)| Some(*own) == state && end.since(until) < BEHIND_US)
    }
}

/// Reads the facts of a run; at its end it says what is missing.
#[derive(Clone, Debug, Default)]
pub struct Liveness {
    servers: SortedMap<ServerId, Seen>,
    last_writes: BTreeMap<u64, ServerId>,
}

impl Liveness {
    /// Reads the next fact.
    pub fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Zab { server, fact } => {
                let seen = self.servers.get_or_default(*server);
                match fact {
                    zab::Fact::Established { epoch, .. } => {
                        (seen.leads, seen.serves) = (Some(*epoch), Some(*epoch));
                    }
                    zab::Fact::UpToDate { epoch } => seen.serves = Some(*epoch),
                    zab::Fact::Left { .. } => (seen.leads, seen.serves) = (None, None),
                    _ => {}
                }
            }
            Fact::World(fact) => self.read_world(fact, record.at_us),
            Fact::Client { .. } | Fact::Server { .. } | Fact::Program { .. } | Fact::Other { .. } => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact, now: SimTime) {
        match fact {
            WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => {
                let seen = self.servers.get_or_default(*server);
                (seen.leads, seen.serves) = (None, None);
            }
            WorldFact::Applied { server, state, .. } | WorldFact::Restored { server, state, .. } => {
                self.servers.get_or_default(*server).takes(now, state.0);
            }
            WorldFact::WriteAsked { server, write, data } if data == FINAL_WRITE => {
                self.last_writes.insert(*write, *server);
            }
            WorldFact::WriteAnswered { write, .. } => {
                if let Some(server) = self.last_writes.get(write) {
                    self.servers.get_or_default(*server).answered = true;
                }
            }
            _ => {}
        }
    }

    /// What is missing at the end, which is now.
    pub fn missing(&self, end: SimTime) -> Option<Evidence> {
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
            (Missing::SameState, not(&|seen| leader.was_in(seen.state(), end))),
        ]
        .into_iter()
        .find(|(_, servers)| !servers.is_empty())
        .map(|(what, servers)| Evidence::NotRecovered { servers, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_a_second_behind_is_not_behind() {
        let mut leader = Seen::default();
        for (ms, state) in [(10, 1), (7_500, 2), (9_300, 3), (9_900, 4)] {
            leader.takes(SimTime::from_ms(ms), state);
        }
        let end = SimTime::from_ms(10_000);
        let good = [1, 2, 3, 4].map(|state| leader.was_in(Some(state), end));
        assert_eq!(good, [false, true, true, true], "1 was left 2.5 s before, 2 only 0.7 s");
    }
}
