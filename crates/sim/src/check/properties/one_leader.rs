//! One leader (`LeaderLatch.java`, `LeaderSelector.java`): two believe to lead and the nodes of both stand. A leader
//! without its node is one that stands still, or has not heard yet, or counts only LOST: told as a double holder.

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::recipes::Share;

use super::Property;
use super::mutual_exclusion::together;

pub(super) const PROPERTY: Property = Property {
    id: "one-leader",
    title: "One leader",
    about: "No two lead on the same path while both nodes exist.",
    source: "recipes.md, Leader Election; LeaderLatch.java, LeaderSelector.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    together(witness, step, |one, other| (one, other) == (Share::Leader, Share::Leader))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    #[test]
    fn two_leaders_are_seen() {
        let mut story = holders(&["/latch/latch-0000000000", "/latch/latch-0000000001"]);
        story.acquires(1, "/latch", "/latch/latch-0000000000", Share::Leader);
        let mut right = story.clone();
        right.removes("/latch/latch-0000000000");
        for story in [&mut right, &mut story] {
            story.acquires(2, "/latch", "/latch/latch-0000000001", Share::Leader);
        }
        assert_eq!((right.violated(), right.doubles().len()), (Vec::new(), 1));
        assert_eq!(story.violated(), ["one-leader", "lock-fairness"]);
    }
}
