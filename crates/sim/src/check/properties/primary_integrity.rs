//! Primary integrity (Zab; TLA+ PrimaryIntegrity): before a primary proposes, it has delivered everything of earlier
//! epochs that anybody ever delivers. Checked from both sides: when it proposes, and when something is committed
//! late.

use crate::base::{ServerId, Zxid};
use crate::check::evidence::Evidence;
use crate::check::history::Found;
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "primary-integrity",
    title: "Primary integrity",
    about: "A leader proposes only after applying everything that is ever applied from earlier epochs.",
    source: "Zab, Primary integrity; TLA+ PrimaryIntegrity",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::Proposed { zxid, .. } } => proposed(witness, *server, *zxid),
        Fact::Zab { server, fact: zab::Fact::Committed { zxid, .. } } => {
            committed(witness, *server, *zxid, step.found)
        }
        _ => None,
    }
}

fn proposed(witness: &Witness, primary: ServerId, zxid: Zxid) -> Option<Evidence> {
    let histories = &witness.histories;
    if zxid.counter() != 1 {
        return None; // nothing of an earlier epoch is added between two proposals: `committed` sees to that
    }
    let due = histories.before_epoch(histories.tip(), zxid.epoch());
    let has = histories.is_prefix(due, witness.server(primary).tail);
    (!has).then(|| Evidence::ProposedWithout { primary, zxid, missing: witness.zxid(due) })
}

fn committed(witness: &Witness, leader: ServerId, zxid: Zxid, found: Found) -> Option<Evidence> {
    let later = witness.latest_primary.filter(|&epoch| epoch > zxid.epoch())?;
    let base = witness.reigns.get(&later)?.base;
    let delivered = matches!(found, Found::Here(node) if witness.histories.is_prefix(node, base));
    (!delivered).then_some(Evidence::CommittedBehind { leader, zxid, later })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_late_commit_of_an_old_leader_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").lead(2, 2).propose(2, "2:1", "b");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.commit(3, "1:1");
        assert!(story.violated().contains(&"primary-integrity"));
    }

    #[test]
    fn a_primary_without_the_committed_past_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").commit(3, "1:1").synchronizing(2, 2);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.propose(2, "2:1", "b");
        assert_eq!(story.violated(), ["primary-integrity"]);
    }
}
