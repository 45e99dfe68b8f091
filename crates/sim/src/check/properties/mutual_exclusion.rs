//! Mutual exclusion as the service knows it (`recipes.md`, Locks): two threads believe to hold the same exclusive
//! thing while the nodes of both stand. Where the node of one is gone, the recipe has done what it can: a double
//! holder, told by the checker beside its violations.

use crate::check::evidence::{Evidence, Misuse};
use crate::check::witness::{Hold, Step, Witness};
use crate::recipes::Share;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "mutual-exclusion",
    title: "Mutual exclusion",
    about: "No two hold the same lock while both nodes exist; a client whose node is gone merely believes it holds the lock.",
    source: "recipes.md, Locks; LockInternals.java, InterProcessSemaphoreMutex.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    together(witness, step, |one, other| (one, other) == (Share::Exclusive, Share::Exclusive))
}

/// Somebody gets what another has, and that must not be.
pub(super) fn together(witness: &Witness, step: &Step, excluded: impl Fn(Share, Share) -> bool) -> Option<Evidence> {
    let new = witness.acquired(step)?;
    let wrong = |old: &&Hold| old.gone.is_none() && excluded(old.share, new.share);
    let old = witness.programs.others(new.who, &new.path).find(wrong).filter(|_| new.gone.is_none())?;
    let (first, second) = ((old.who, old.share), (new.who, new.share));
    Some(Evidence::Recipe(Misuse::Together { path: new.path.to_string(), first, second }))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    #[test]
    fn two_holders_whose_nodes_stand_are_seen() {
        let mut story = holders(&["/lock/lock-0000000000", "/lock/lock-0000000001"]);
        story.acquires(1, "/lock", "/lock/lock-0000000001", Share::Exclusive);
        story.acquires(2, "/other", "/lock/lock-0000000000", Share::Exclusive);
        assert_eq!(story.violated(), ["lock-fairness"]);
        story.acquires(3, "/lock", "/lock/lock-0000000000", Share::Exclusive);
        assert_eq!(story.violated(), ["lock-fairness", "mutual-exclusion"]);
    }

    #[test]
    fn a_holder_whose_node_is_gone_is_told_and_no_violation() {
        let mut story = holders(&["/lock/lock-0000000000", "/lock/lock-0000000001"]);
        story.acquires(1, "/lock", "/lock/lock-0000000000", Share::Exclusive);
        story.removes("/lock/lock-0000000000").acquires(2, "/lock", "/lock/lock-0000000001", Share::Exclusive);
        assert_eq!(story.violated(), Vec::<&str>::new());
        let told: Vec<String> = story.doubles();
        assert!(told[0].contains("C1 T1 still believes, its node is gone since 1:5; C2 T1 has it too"), "{told:?}");
    }

    #[test]
    fn who_gave_it_back_or_died_holds_nothing() {
        let nodes = ["/lock/lock-0000000000", "/lock/lock-0000000001", "/lock/lock-0000000002"];
        let mut story = holders(&nodes);
        story.acquires(1, "/lock", nodes[0], Share::Exclusive).releases(1, "/lock").removes(nodes[0]);
        story.acquires(2, "/lock", nodes[1], Share::Exclusive).dies(2).removes(nodes[1]);
        story.acquires(3, "/lock", nodes[2], Share::Exclusive);
        assert_eq!((story.violated(), story.doubles()), (Vec::new(), Vec::new()));
    }
}
