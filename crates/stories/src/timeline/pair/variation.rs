//! The same run with one thing changed.

use crate::sim::{LatencyRange, Rule, Run, RunError, Setup, ZkVersion};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    /// The seed.
    Seed(u64),
    /// How long packets take, ms: the shortest and the longest.
    Latency(u64, u64),
    /// How long disks sync, ms: the shortest and the longest.
    DiskSync(u64, u64),
    /// `tickTime`, ms.
    Tick(u64),
    /// A rule is broken that was kept, or kept that was broken.
    Rule(Rule),
    /// The version of ZooKeeper.
    Version(ZkVersion),
}

impl Variation {
    /// The run with that changed. What is done in it is the same, at the same times.
    ///
    /// # Errors
    /// It is not a valid run.
    pub fn apply(self, run: &Run) -> Result<Run, RunError> {
        let setup = &run.setup;
        let range =
            |min: u64, max: u64| LatencyRange { min_us: min.saturating_mul(1000), max_us: max.saturating_mul(1000) };
        let run = match self {
            Variation::Seed(seed) => Run { seed, ..run.clone() },
            Variation::Latency(min, max) => with(run, Setup { latency: range(min, max), ..setup.clone() }),
            Variation::DiskSync(min, max) => with(run, Setup { disk_sync: range(min, max), ..setup.clone() }),
            Variation::Tick(ms) => with(run, Setup { tick_time_ms: ms, ..setup.clone() }),
            Variation::Rule(rule) => {
                let broken = setup.rules.breaks(rule);
                let rules = if broken { setup.rules.keeping(rule) } else { setup.rules.breaking(rule) };
                with(run, Setup { rules, ..setup.clone() })
            }
            Variation::Version(zookeeper) => with(run, Setup { zookeeper, ..setup.clone() }),
        };
        run.check()?;
        Ok(run)
    }
}

fn with(run: &Run, setup: Setup) -> Run {
    Run { setup, ..run.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::zab::BrokenRule;

    #[test]
    fn one_thing_changes_and_a_rule_goes_both_ways() {
        let run = scenario("leader-crash-under-load").unwrap().run();
        let rule = Rule::Zab(BrokenRule::AckBeforeSync);
        let broken = Variation::Rule(rule).apply(&run).unwrap();
        assert!(broken.setup.rules.breaks(rule) && !run.setup.rules.breaks(rule));
        assert_eq!(Variation::Rule(rule).apply(&broken).unwrap(), run);
        let slow = Variation::Latency(50, 100).apply(&run).unwrap();
        assert_eq!((slow.setup.latency, &slow.actions), (LatencyRange::ms(50, 100), &run.actions));
        assert_eq!(Variation::Seed(9).apply(&run).unwrap().seed, 9);
        let older = Variation::Version(ZkVersion::V38).apply(&run).unwrap();
        assert_eq!((older.setup.zookeeper, &older.actions), (ZkVersion::V38, &run.actions));
    }

    #[test]
    fn what_makes_no_run_is_told() {
        let run = scenario("cold-start-3").unwrap().run();
        for bad in [Variation::Latency(9, 3), Variation::DiskSync(0, u64::MAX), Variation::Tick(0)] {
            assert!(bad.apply(&run).is_err(), "{bad:?}");
        }
    }
}
