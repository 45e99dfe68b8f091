//! Global primary order (Zab; TLA+ GlobalPrimaryOrder): transactions of an earlier epoch come before those
//! of a later one. With the local order: what a server applies, and what a primary proposes, only ever goes up.

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "global-primary-order",
    title: "Global primary order",
    about: "Transactions of an earlier epoch are applied before those of a later one.",
    source: "Zab, Global primary order; TLA+ GlobalPrimaryOrder",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let (server, zxid, history) = match step.fact {
        Fact::World(WorldFact::Applied { server, zxid, .. }) => (*server, *zxid, witness.server(*server).memory),
        Fact::Zab { server, fact: zab::Fact::Proposed { zxid, .. } } => {
            (*server, *zxid, witness.server(*server).tail)
        }
        _ => return None,
    };
    let after = witness.zxid(history);
    (zxid <= after).then_some(Evidence::Backwards { server, zxid, after })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn going_back_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").propose(3, "1:2", "b");
        story.apply(1, "1:1", "a").apply(1, "1:2", "b");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.apply(1, "1:1", "a");
        assert_eq!(story.violated(), ["global-primary-order"]);
    }
}
