//! Readers and writers (`recipes.md`, Shared Locks): nobody reads while another writes, as far as the service knows.
//! A thread that writes may read beside itself. The real lock of 5.4.0 breaks this when a writer becomes a reader
//! (CURATOR-621).

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::recipes::Share;

use super::Property;
use super::mutual_exclusion::together;

pub(super) const PROPERTY: Property = Property {
    id: "readers-and-writers",
    title: "Readers and writers",
    about: "Nobody reads while another writes and both nodes exist; a writer may read as well.",
    source: "recipes.md, Shared Locks; InterProcessReadWriteLock.java, CURATOR-621",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    together(witness, step, |one, other| {
        matches!((one, other), (Share::Exclusive, Share::Read) | (Share::Read, Share::Exclusive))
    })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::holders;
    use crate::recipes::Share;

    const NODES: [&str; 3] = ["/rw/__READ__0000000000", "/rw/__READ__0000000001", "/rw/__WRIT__0000000002"];

    #[test]
    fn a_reader_beside_a_writer_is_seen() {
        let mut story = holders(&NODES);
        story.acquires(1, "/rw", NODES[0], Share::Read).acquires(2, "/rw", NODES[1], Share::Read);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.acquires(3, "/rw", NODES[2], Share::Exclusive);
        assert_eq!(story.violated(), ["readers-and-writers", "lock-fairness"]);
    }

    #[test]
    fn a_writer_may_read_beside_itself() {
        let mut story = holders(&["/rw/__WRIT__0000000000", "/rw/__READ__0000000001"]);
        story.acquires(1, "/rw", "/rw/__WRIT__0000000000", Share::Exclusive);
        story.acquires(1, "/rw", "/rw/__READ__0000000001", Share::Read);
        assert_eq!(story.violated(), Vec::<&str>::new());
    }
}
