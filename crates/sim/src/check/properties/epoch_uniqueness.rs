//! Epoch uniqueness (TLA+ Leadership2; `Leader.java` `getEpochToPropose`): an epoch has one reign. A second one, even
//! of the same server, would give out the same zxids again (ZOOKEEPER-335).

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "epoch-uniqueness",
    title: "One leader per epoch",
    about: "Each epoch has at most one leader that begins to synchronise.",
    source: "Leader.java getEpochToPropose; TLA+ Leadership1, Leadership2",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::Zab { server, fact: zab::Fact::Synchronizing { epoch, .. } } = step.fact else { return None };
    // who reigned before the run is not known
    let before = (*epoch <= witness.begun).then_some(*server);
    let first = witness.reigns.get(epoch).map(|reign| reign.leader).or(before)?;
    Some(Evidence::TwoReigns { epoch: *epoch, first, second: *server })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn two_leaders_of_one_epoch_are_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).crash(3).lead(2, 2);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.synchronizing(1, 2);
        assert_eq!(story.violated(), ["epoch-uniqueness"]);
    }
}
