//! Commits are on disks (Zab, phases 2 and 3; the invariants of its proof: before epoch e is established a quorum has
//! f.a ≥ e and the initial history; TLA+ commitInconsistent). What a leader says of acknowledgements does not count here, only
//! what stands on disks.

use crate::base::{Epoch, ServerId, ServerSet, Zxid};
use crate::check::evidence::Evidence;
use crate::check::history::{Found, NodeId};
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "quorum-durable",
    title: "Commits are on disks",
    about: "A committed transaction is on the disks of a majority; so are an established leader's history and epoch.",
    source: "Zab, phases 2 and 3 and proof of correctness; TLA+ commitInconsistent; Leader.java tryToCommit",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::Committed { zxid, .. } } => {
            let Found::Here(node) = step.found else { return None };
            let on = short(witness, *server, node, *zxid, 0)?;
            Some(Evidence::CommittedOnFew { leader: *server, zxid: *zxid, on })
        }
        Fact::Zab { server, fact: zab::Fact::Established { epoch, .. } } => {
            let history = witness.server(*server).memory;
            let on = short(witness, *server, history, Zxid::new(*epoch, 0), *epoch)?;
            let (leader, epoch, history) = (*server, *epoch, witness.zxid(history));
            Some(Evidence::EstablishedOnFew { leader, epoch, history, on })
        }
        _ => None,
    }
}

/// Whose disks hold a history and at least this currentEpoch, where these are no quorum. Of two servers with an oracle one is enough: that
/// it may go on alone is not for a disk to say.
fn short(witness: &Witness, leader: ServerId, history: NodeId, zxid: Zxid, epoch: Epoch) -> Option<ServerSet> {
    let holders = witness.holders(leader, history).iter();
    let on = holders.filter(|&id| witness.server(id).current >= epoch).collect();
    let quorums = witness.quorums_of(leader, zxid);
    let granted = witness.has_oracle() && quorums.voters().len() <= 2 && on != ServerSet::EMPTY;
    (!granted && !quorums.is_quorum(on)).then_some(on)
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_commit_on_one_disk_of_three_is_seen() {
        let mut story = Story::new(3);
        story.current_epoch(3, 1).current_epoch(2, 1).synchronizing(3, 1).propose(3, "1:1", "a").sync(3, 1);
        let mut right = story.clone();
        right.queue(2, "1:1").sync(2, 1).commit(3, "1:1");
        assert_eq!(right.violated_on_disks(), Vec::<&str>::new());
        story.queue(2, "1:1").commit(3, "1:1");
        assert_eq!(story.violated_on_disks(), ["quorum-durable"]);
    }

    #[test]
    fn an_established_epoch_that_one_disk_has_is_seen() {
        let mut story = Story::new(3);
        story.current_epoch(3, 1).accept(2, 1).synchronizing(3, 1);
        let mut right = story.clone();
        right.current_epoch(2, 1).established(3, 1);
        assert_eq!(right.violated_on_disks(), Vec::<&str>::new());
        story.established(3, 1);
        assert_eq!(story.violated_on_disks(), ["quorum-durable"]);
    }
}
