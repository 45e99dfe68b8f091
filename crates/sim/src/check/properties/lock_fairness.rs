//! Fairness of sequential locks (`LockInternals.java`): who gets it stands first. Another node with a smaller number
//! that stands now was there when the list was read that gave the right, for it is the older one.

use std::rc::Rc;

use crate::check::evidence::{Evidence, Misuse};
use crate::check::witness::{Step, Witness};
use crate::recipes::{Share, numbered};
use crate::store::Znode;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "lock-fairness",
    title: "Fairness of the queue",
    about: "Nobody gets a lock while an older node of its queue exists; only writers block readers.",
    source: "recipes.md, Locks; LockInternals.java, StandardLockInternalsDriver.java",
    check,
};

const WRITER: &str = "__WRIT__";
/// `_c_`, a UUID, a hyphen.
const PROTECTION: usize = 40;

/// Which queue a node stands in, by its name, and its number there.
fn place(name: &str) -> Option<(&str, i64)> {
    let (label, number) = numbered(name)?;
    let label = if label.starts_with("_c_") { label.get(PROTECTION..)? } else { label };
    // readers and writers stand in one
    Some((if label == "__READ__" { WRITER } else { label }, number))
}

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let new = witness.acquired(step).filter(|new| new.gone.is_none())?;
    let writes = |share| share == Share::Exclusive;
    let reads = match new.share {
        Share::Exclusive | Share::Leader => false,
        Share::Read => true,
        Share::Lease { .. } => return None, // their number counts, not their order
    };
    let mut held = witness.programs.holds.iter();
    if reads && held.any(|hold| hold.who == new.who && hold.path == new.path && writes(hold.share)) {
        return None; // who writes may read
    }
    let (parent, name) = new.node.path.rsplit_once('/')?;
    let (label, number) = place(name)?;
    let directory = format!("{parent}/");
    let tree = witness.histories.model(witness.histories.tip())?;
    let before = |(path, znode): &(&Rc<str>, &Rc<Znode>)| {
        let name = &path[directory.len()..];
        let ahead = place(name).is_some_and(|(other, at)| other == label && at < number);
        // a reader that was a writer takes its old number
        ahead && (!reads || name.contains(WRITER)) && new.node.czxid.is_none_or(|own| znode.czxid < own)
    };
    let older = tree.below(&directory).find(before)?.0.to_string();
    let (who, node) = (new.who, new.node.path.to_string());
    Some(Evidence::Recipe(Misuse::PassedBy { who, node, older }))
}

#[cfg(test)]
mod tests {
    use super::place;
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    #[test]
    fn names_tell_the_queue_and_the_place() {
        let protected = "_c_01234567-89ab-4cde-8f01-23456789abcd-lock-0000000012";
        assert_eq!(place(protected), Some(("lock-", 12)));
        assert_eq!(place("lock-0000000012"), Some(("lock-", 12)));
        assert_eq!(place("__READ__0000000003"), place("__WRIT__0000000003"));
        assert_eq!((place("lock"), place("lock-00000x0012"), place("ä000000001")), (None, None, None));
    }

    #[test]
    fn who_passes_an_older_node_is_seen() {
        let nodes = ["/lock/lock-0000000000", "/lock/lock-0000000001", "/lock/other-0000000000"];
        let mut story = holders(&nodes);
        let mut right = story.clone();
        right.removes(nodes[0]);
        for story in [&mut right, &mut story] {
            story.acquires(2, "/lock", nodes[1], Share::Exclusive);
        }
        assert_eq!((right.violated(), story.violated()), (Vec::new(), vec!["lock-fairness"]));
    }

    #[test]
    fn readers_pass_readers_and_no_writers() {
        let nodes = ["/rw/__READ__0000000000", "/rw/__WRIT__0000000001", "/rw/__READ__0000000002"];
        let mut story = holders(&nodes);
        let mut right = story.clone();
        right.removes(nodes[1]);
        for story in [&mut right, &mut story] {
            story.acquires(2, "/rw", nodes[2], Share::Read);
        }
        assert_eq!((right.violated(), story.violated()), (Vec::new(), vec!["lock-fairness"]));
    }
}
