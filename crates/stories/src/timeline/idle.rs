//! Idle stretches of a run: times in which nothing but heartbeats happens, and what ends them. The timeline folds them.

use crate::base::{Chunks, Micros, SimTime};
use crate::sim::{Fact, Interest, Record, WorldFact, interest};
use crate::{client, server, zab};

/// Shorter ones are not worth folding, µs of virtual time.
const LEAST_US: Micros = 500_000;

/// What ends an idle stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleEnd {
    /// Something is done: by the script of the run, by a hand, by a client's program.
    Deed,
    /// A server has waited too long for another one.
    Silence,
    /// A session expires.
    Expiry,
    /// A client has waited too long for its server.
    Client,
    /// Anything else; or it has not ended.
    Other,
}

/// Nothing but heartbeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// After the last thing that happened.
    pub from: SimTime,
    /// The next thing that happens, or how far the run is known.
    pub to: SimTime,
    /// What that is.
    pub end: IdleEnd,
}

/// Whoever listens to a run for idle stretches.
#[derive(Clone, Debug, Default)]
pub(super) struct Idles {
    found: Chunks<Idle>,
    stirred: SimTime,
}

impl Idles {
    /// Reads the next fact.
    pub(super) fn read(&mut self, record: &Record) {
        if interest(record) > Interest::Noise {
            self.stir(record);
        }
    }

    /// Notes a fact that is more than a heartbeat.
    pub(super) fn stir(&mut self, record: &Record) {
        let (from, to) = (self.stirred, record.at_us);
        self.stirred = to;
        if to.since(from) >= LEAST_US {
            self.found.push(Idle { from, to, end: end_of(record) });
        } else if self.found.last().is_some_and(|last| last.to == to && last.end == IdleEnd::Other)
            && let Some(last) = self.found.get_mut(self.found.len() - 1)
        {
            // the first fact of a moment need not be the one that tells
            last.end = end_of(record);
        }
    }

    /// How long things have gone on happening since a moment, without the idle stretches: 0 as long as nothing else has happened.
    pub(super) fn lively_since(&self, at: SimTime) -> Micros {
        let idle = self.found.iter().rev().take_while(|idle| idle.to > at);
        let idle: Micros = idle.map(|idle| idle.to.since(idle.from.max(at))).sum();
        self.stirred.since(at).saturating_sub(idle)
    }

    /// All up to a moment, oldest first; the last one may not have ended.
    pub(super) fn until(&self, at: SimTime) -> impl Iterator<Item = Idle> {
        let open = Idle { from: self.stirred, to: at, end: IdleEnd::Other };
        self.found.iter().copied().chain((at.since(self.stirred) >= LEAST_US).then_some(open))
    }
}

fn end_of(record: &Record) -> IdleEnd {
    match &record.fact {
        Fact::Zab { fact: zab::Fact::Left { .. } | zab::Fact::LearnerDropped { .. }, .. } => IdleEnd::Silence,
        Fact::Server { fact: server::Fact::SessionExpired { .. }, .. } => IdleEnd::Expiry,
        Fact::Client { fact: client::Fact::Called { .. }, .. } | Fact::Program { .. } => IdleEnd::Deed,
        Fact::Client { fact: client::Fact::ClientDisconnected { .. }, .. } => IdleEnd::Client,
        Fact::World(fact) => in_world(fact),
        Fact::Zab { .. } | Fact::Server { .. } | Fact::Client { .. } | Fact::Other { .. } => IdleEnd::Other,
    }
}

fn in_world(fact: &WorldFact) -> IdleEnd {
    use WorldFact as W;
    match fact {
        W::Crashed { .. }
        | W::Started { .. }
        | W::Paused { .. }
        | W::Resumed { .. }
        | W::LinkCut { .. }
        | W::LinkHealed { .. }
        | W::WriteAsked { .. }
        | W::ClientOpened { .. }
        | W::ClientKilled { .. }
        | W::ClientPaused { .. }
        | W::ClientResumed { .. }
        | W::DiskWiped { .. }
        | W::DiskBackedUp { .. }
        | W::BackupRestored { .. }
        | W::ConnectionBroken { .. } => IdleEnd::Deed,
        _ => IdleEnd::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    fn idles(id: &str) -> Vec<Idle> {
        let scenario = scenario(id).unwrap();
        let (mut player, mut idles) = (Player::new(scenario.run()).unwrap(), Idles::default());
        let until = SimTime::from_ms(scenario.until_ms);
        player.run_until(until, |_, records| records.iter().for_each(|record| idles.read(record)));
        idles.until(until).collect()
    }

    #[test]
    fn a_run_waits_for_deeds_for_silence_and_for_sessions() {
        let ends = |id: &str| idles(id).iter().map(|idle| idle.end).collect::<Vec<_>>();
        assert!(ends("lock-pause").contains(&IdleEnd::Expiry), "{:?}", idles("lock-pause"));
        assert!(ends("minority-partition").contains(&IdleEnd::Silence), "{:?}", idles("minority-partition"));
        assert!(ends("rejoin-trunc").contains(&IdleEnd::Deed), "{:?}", idles("rejoin-trunc"));
    }

    #[test]
    fn they_follow_one_another_and_each_is_long() {
        for id in ["lock-pause", "zk-session", "minority-partition", "use-master-worker"] {
            let idles = idles(id);
            assert!(idles.iter().all(|idle| idle.to.since(idle.from) >= LEAST_US), "{id}");
            assert!(idles.windows(2).all(|two| two[0].to <= two[1].from), "{id}");
        }
    }
}
