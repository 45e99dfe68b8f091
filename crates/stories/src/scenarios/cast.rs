//! How the stage is cast for a scenario's topic: what is large, and what is a strip at the edge.

use crate::scenarios::Scenario;

/// What the stage is composed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cast {
    /// The servers as a ring, clients on its rim.
    #[default]
    Ensemble,
    /// The tree in the middle, sessions beside it; the servers are a strip.
    Store,
    /// Queues of tickets, who stands in them, and what they want; the servers are a strip.
    Recipe,
}

impl Cast {
    /// All of them.
    pub const ALL: [Cast; 3] = [Cast::Ensemble, Cast::Store, Cast::Recipe];

    /// Its name in addresses.
    pub fn name(self) -> &'static str {
        match self {
            Cast::Ensemble => "ensemble",
            Cast::Store => "store",
            Cast::Recipe => "recipe",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Cast> {
        Cast::ALL.into_iter().find(|cast| cast.name() == name)
    }

    /// The one after it; after the last comes the first.
    pub fn next(self) -> Cast {
        let place = Cast::ALL.into_iter().position(|cast| cast == self).unwrap_or(0);
        Cast::ALL[(place + 1) % Cast::ALL.len()]
    }
}

/// Whose topic is not the ensemble itself.
const CASTS: &[(Cast, &[&str])] = &[
    (
        Cast::Store,
        &[
            "zk-tree",
            "zk-stat",
            "zk-version",
            "zk-watch",
            "zk-session",
            "zk-guarantees",
            "zk-stale-read",
            "zk-cli",
            "standalone",
            "quota",
            "read-only-mode",
            "local-sessions",
            "throttling",
            "clock-skew",
            "ask-the-servers",
            "use-config",
            "use-naming",
            "use-persistent-node",
            "use-ttl-node",
            "use-cache",
            "use-discovery",
            "use-group-member",
        ],
    ),
    (
        Cast::Recipe,
        &[
            "lock-herd",
            "lock-predecessor",
            "lock-mutex",
            "lock-semaphore",
            "lock-watch-all",
            "lock-readwrite",
            "lock-downgrade",
            "lock-pause",
            "elect-naive",
            "elect-latch",
            "elect-selector",
            "elect-worker",
            "lock-kazoo",
            "lock-last-number",
            "elect-circuit-breaker",
            "use-master-worker",
            "use-standby",
            "use-collectors",
            "use-queue",
            "use-barrier",
            "use-delay-queue",
            "use-id-queue",
        ],
    ),
];

impl Scenario {
    /// What its stage is composed for.
    pub fn cast(&self) -> Cast {
        CASTS.iter().find(|(_, ids)| ids.contains(&self.id)).map_or(Cast::Ensemble, |(cast, _)| *cast)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;

    #[test]
    fn each_name_is_a_scenario_and_each_cast_comes_back_from_its_name() {
        for (_, ids) in CASTS {
            assert!(ids.iter().all(|id| scenario(id).is_some()));
        }
        for cast in Cast::ALL {
            assert_eq!(Cast::named(cast.name()), Some(cast));
        }
        assert_eq!(Cast::named("circus"), None);
        assert_eq!(Cast::ALL.into_iter().fold(Cast::Ensemble, |cast, _| cast.next()), Cast::Ensemble);
    }
}
