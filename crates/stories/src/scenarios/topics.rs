//! What there is to be shown, topic by topic: stable ids that scenarios name.

use crate::scenarios::Scenario;

/// What a topic belongs to, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// The ensemble and ZAB.
    Ensemble,
    /// The znode store and its clients.
    Store,
    /// Locks.
    Locks,
    /// Leader election and coordination recipes.
    Recipes,
}

impl Group {
    /// All of them, in order.
    pub const ALL: [Group; 4] = [Group::Ensemble, Group::Store, Group::Locks, Group::Recipes];
}

/// A topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its stable name.
    pub id: &'static str,
    /// What it belongs to.
    pub group: Group,
}

const fn topic(id: &'static str, group: Group) -> Topic {
    Topic { id, group }
}

/// All topics, in the order in which they are shown.
pub const TOPICS: &[Topic] = &[
    topic("zab-roles", Group::Ensemble),
    topic("zab-zxid", Group::Ensemble),
    topic("zab-broadcast", Group::Ensemble),
    topic("zab-vs-2pc", Group::Ensemble),
    topic("zab-election", Group::Ensemble),
    topic("zab-recovery-keep", Group::Ensemble),
    topic("zab-recovery-drop", Group::Ensemble),
    topic("zab-old-leader", Group::Ensemble),
    topic("zab-sync", Group::Ensemble),
    topic("zab-partition", Group::Ensemble),
    topic("zab-observer", Group::Ensemble),
    topic("zab-heartbeat", Group::Ensemble),
    topic("zab-reconfig", Group::Ensemble),
    topic("zab-quorum", Group::Ensemble),
    topic("zab-restart", Group::Ensemble),
    topic("zk-tree", Group::Store),
    topic("zk-stat", Group::Store),
    topic("zk-version", Group::Store),
    topic("zk-watch", Group::Store),
    topic("zk-session", Group::Store),
    topic("zk-guarantees", Group::Store),
    topic("zk-cli", Group::Store),
    topic("lock-herd", Group::Locks),
    topic("lock-predecessor", Group::Locks),
    topic("lock-mutex", Group::Locks),
    topic("lock-semaphore", Group::Locks),
    topic("lock-readwrite", Group::Locks),
    topic("lock-pause", Group::Locks),
    topic("lock-database", Group::Locks),
    topic("lock-redis", Group::Locks),
    topic("lock-compare", Group::Locks),
    topic("elect-naive", Group::Recipes),
    topic("elect-latch", Group::Recipes),
    topic("elect-selector", Group::Recipes),
    topic("elect-worker", Group::Recipes),
    topic("elect-generation", Group::Recipes),
    topic("quorum-not-enough", Group::Recipes),
    topic("use-master-worker", Group::Recipes),
    topic("use-config", Group::Recipes),
    topic("use-naming", Group::Recipes),
    topic("use-standby", Group::Recipes),
    topic("use-collectors", Group::Recipes),
    topic("use-queue", Group::Recipes),
    topic("use-barrier", Group::Recipes),
];

impl Scenario {
    /// What it belongs to: the group of its first topic.
    pub fn group(&self) -> Group {
        let first = TOPICS.iter().find(|topic| self.topics.first() == Some(&topic.id));
        first.map_or(Group::Ensemble, |topic| topic.group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::SCENARIOS;

    /// Topics that no scenario shows yet. Whoever makes one takes its topic from this list.
    const NOT_YET: &[&str] = &[];

    #[test]
    fn every_scenario_shows_a_known_topic_and_only_known_ones() {
        for scenario in SCENARIOS {
            assert!(!scenario.topics.is_empty(), "{}", scenario.id);
            for id in scenario.topics {
                assert!(TOPICS.iter().any(|topic| topic.id == *id), "{}: {id}", scenario.id);
            }
            let one = |id: &&str| TOPICS.iter().find(|topic| topic.id == *id).map(|topic| topic.group);
            assert!(scenario.topics.iter().all(|id| one(id) == Some(scenario.group())), "{}", scenario.id);
        }
        let mut ids: Vec<&str> = TOPICS.iter().map(|topic| topic.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), TOPICS.len());
    }

    #[test]
    fn topics_without_a_scenario_are_known_by_name() {
        let shown = |topic: &&Topic| SCENARIOS.iter().any(|scenario| scenario.topics.contains(&topic.id));
        let missing: Vec<&str> = TOPICS.iter().filter(|topic| !shown(topic)).map(|topic| topic.id).collect();
        assert_eq!(missing, NOT_YET);
    }
}
