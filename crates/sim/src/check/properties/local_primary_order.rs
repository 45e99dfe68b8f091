//! Local primary order (Zab, for all pairs; the TLA+ one says "there exist" and is vacuous): what a primary proposed
//! before a transaction, the history that it brought along included, is applied before it. Within an epoch a gap in
//! the zxids tells; at the first transaction of an epoch only the history does.

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "local-primary-order",
    title: "Local primary order",
    about: "Transactions of one leader are applied in the order in which it proposed them.",
    source: "Zab, Local primary order; TLA+ LocalPrimaryOrder",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::World(WorldFact::Applied { server, zxid, payload, .. }) = step.fact else { return None };
    let memory = witness.server(*server).memory;
    let after = witness.zxid(memory);
    let proposed = witness.histories.proposed(*zxid, payload);
    let other_place = proposed.is_some_and(|node| witness.histories.parent(node) != memory);
    let missing = *zxid > after && (other_place || !zxid.follows(after));
    missing.then_some(Evidence::PredecessorMissing { server: *server, zxid: *zxid, after })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_hole_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").propose(3, "1:2", "b").apply(1, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.apply(2, "1:2", "b");
        assert!(story.violated().contains(&"local-primary-order"));
    }
    #[test]
    fn a_hole_between_two_epochs_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").apply(3, "1:1", "a").lead(3, 2).propose(3, "2:1", "b");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.apply(2, "2:1", "b");
        assert!(story.violated().contains(&"local-primary-order"));
    }
}
