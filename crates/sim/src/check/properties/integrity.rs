//! Integrity (Zab; TLA+ Integrity): nobody delivers what no primary proposed, and only the primary of an
//! epoch proposes in it.

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "integrity",
    title: "Integrity",
    about: "Whatever a server applies was proposed by the leader of its epoch.",
    source: "Zab, Integrity; TLA+ Integrity",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::World(WorldFact::Applied { server, zxid, payload, .. }) => {
            let proposed = witness.histories.proposed(*zxid, payload).is_some();
            (!proposed).then_some(Evidence::NeverProposed { server: *server, zxid: *zxid })
        }
        Fact::Zab { server, fact: zab::Fact::Proposed { zxid, .. } } => {
            let primary = witness
                .reigns
                .get(&zxid.epoch())
                .is_some_and(|_| witness.server(*server).leads == Some(zxid.epoch()));
            (!primary).then_some(Evidence::NotThePrimary { server: *server, zxid: *zxid })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_transaction_from_nowhere_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).apply(3, "1:1", "a");
        assert!(story.violated().contains(&"integrity"));
    }

    #[test]
    fn a_proposal_in_another_leaders_epoch_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.propose(2, "1:2", "b");
        assert!(story.violated().contains(&"integrity"));
    }
}
