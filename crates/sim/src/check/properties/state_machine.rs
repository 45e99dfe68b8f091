//! One state machine (`DataTree.java` `compareDigest`): after the same transactions every server has the same state.

use crate::base::Zxid;
use crate::check::evidence::Evidence;
use crate::check::history::Found;
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "state-machine",
    title: "Same state",
    about: "After the same transactions all servers have the same state.",
    source: "DataTree.java compareDigest; AdHash.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::World(fact) = step.fact else { return None };
    let (server, zxid, state) = match *fact {
        WorldFact::Applied { server, zxid, state, .. } => (server, zxid, state.0),
        WorldFact::Restored { server, last_txn, state } => (server, last_txn, state.0),
        _ => return None,
    };
    match step.found {
        // what a disk holds was compared when the run began; a snapshot that was written while transactions went on is right only once those
        // behind it have been applied again
        Found::Here(node) if witness.histories.is_found(node) && zxid > Zxid::ZERO => None,
        Found::Here(node) => {
            let known = witness.histories.state(node)?;
            (known != state).then_some(Evidence::StatesDiffer { server, zxid })
        }
        _ if matches!(fact, WorldFact::Restored { .. }) => Some(Evidence::UnknownState { server, zxid }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn two_states_after_one_history_are_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").apply(3, "1:1", "a").restore(1, "1:1", Story::state("a"));
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.restore(2, "1:1", 77);
        assert_eq!(story.violated(), ["state-machine"]);
    }

    #[test]
    fn a_state_that_nobody_has_is_seen() {
        let mut story = Story::new(3);
        story.restore(2, "4:2", 77);
        assert_eq!(story.violated(), ["state-machine"]);
    }
}
