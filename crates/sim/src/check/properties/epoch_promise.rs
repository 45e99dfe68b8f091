//! The promise of a server that accepts an epoch (Zab, phase 1; TLA+ messageIllegal): it never accepts or acknowledges an
//! older one, whatever happens in between, as long as it keeps its disk.

use crate::base::{Epoch, ServerId};
use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::{EpochFile, Fact, WorldFact};
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "epoch-promise",
    title: "Promise of an epoch",
    about: "A server accepts and acknowledges nothing from an epoch older than the one it accepted.",
    source: "Zab, phase 1; TLA+ messageIllegal; Learner.java registerWithLeader",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let older = |server: ServerId, epoch: Epoch| {
        let promised = witness.server(server).promised;
        (epoch < promised).then_some(Evidence::OlderEpoch { server, epoch, promised })
    };
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::EpochAccepted { epoch } | zab::Fact::NewLeaderAcked { epoch } } => {
            older(*server, *epoch)
        }
        Fact::World(WorldFact::EpochWritten { server, file: EpochFile::AcceptedEpoch, epoch }) => {
            older(*server, *epoch)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn an_older_epoch_after_a_restart_is_seen() {
        let mut story = Story::new(3);
        story.accept(1, 5).crash(1).start(1).accept(1, 5);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.accept(1, 4);
        assert_eq!(story.violated(), ["epoch-promise"]);
    }

    #[test]
    fn a_wiped_disk_has_promised_nothing() {
        let mut story = Story::new(3);
        story.accept(1, 5).crash(1).wipe(1).start(1).accept(1, 4);
        assert_eq!(story.violated(), Vec::<&str>::new());
    }

    #[test]
    fn a_copy_has_promised_what_its_disk_had_promised_then() {
        let mut story = Story::new(3);
        story.accept(1, 3).back_up(1).accept(1, 5).crash(1).put_back(1).start(1).accept(1, 4);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.crash(1).put_back(1).start(1).accept(1, 2);
        assert_eq!(story.violated(), ["epoch-promise"]);
    }
}
