//! Where a broken rule does harm: a scenario for each rule that shows it within the scene. Rules that only many random runs bring down
//! (docs/architecture.md has their seeds) are not here.

use crate::scenarios::{Scenario, scenario};
use crate::sim::Rule;

/// A rule, a scenario in which it is needed, and the seed, where the scenario's own is lucky.
const BITES: &[(&str, &str, Option<u64>)] = &[
    ("commit-at-minority", "rejoin-trunc", None),
    ("ack-before-sync", "leader-crash-under-load", None),
    ("leader-keeps-epoch", "old-leader-returns", None),
    ("rejoin-without-trunc", "rejoin-trunc", None),
    ("serve-before-sync-quorum", "rejoin-trunc", None),
    ("epoch-before-log", "leader-crash-under-load", Some(2)),
    ("ZOOKEEPER-3911", "leader-crash-under-load", Some(2)),
    ("ZOOKEEPER-2845", "old-leader-returns", None),
    ("ZOOKEEPER-4394", "leader-crash-under-load", None),
    ("ZOOKEEPER-4685", "snap-too-slow", Some(2)),
    ("ZOOKEEPER-4712", "leader-crash-under-load", Some(2)),
    ("pings-answered-early", "leader-crash-under-load", None),
];

/// Where breaking this rule does harm: the scenario, and its seed if that is not its own.
pub fn bites(rule: Rule) -> Option<(&'static Scenario, Option<u64>)> {
    let &(_, id, seed) = BITES.iter().find(|(name, ..)| *name == rule.name())?;
    Some((scenario(id)?, seed))
}

/// All rules, those first of which it is known where they are needed.
pub fn rules() -> impl Iterator<Item = Rule> {
    Rule::all().filter(|&rule| bites(rule).is_some()).chain(Rule::all().filter(|&rule| bites(rule).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Against, Pair, Session, Side, Variation};

    #[test]
    fn each_rule_does_harm_where_it_is_said_to_and_none_where_it_is_kept() {
        for (name, ..) in BITES {
            let rule = Rule::named(name).unwrap();
            let (scenario, seed) = bites(rule).unwrap();
            let mut pair = Pair::alone(Session::new(scenario.run(), Some(scenario)).unwrap());
            pair.choose(scenario, Some(Against::Varied(Variation::Rule(rule))), Vec::new(), seed).unwrap();
            pair.change(Side::Left, |left| left.seek(left.extent())).unwrap();
            assert_eq!(pair.left().violations().count(), 0, "{name}");
            assert!(pair.right().unwrap().violations().count() > 0, "{name}");
        }
    }

    #[test]
    fn every_rule_can_be_chosen_once() {
        let mut names: Vec<&str> = rules().map(Rule::name).collect();
        assert_eq!(names.len(), Rule::all().count());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Rule::all().count());
    }
}
