//! Durability (Zab, phase 2; TLA+ PrefixConsistency): whatever was committed is in the history of every
//! leader established later. Being established commits the whole history of the leader.

use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "durability",
    title: "Durability",
    about: "Every committed transaction is in the history of every later leader.",
    source: "Zab, phase 2; TLA+ PrefixConsistency",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::Zab { server, fact: zab::Fact::Established { epoch, .. } } = step.fact else { return None };
    let (histories, history) = (&witness.histories, witness.server(*server).memory);
    let kept = match *epoch > witness.established {
        true => histories.is_prefix(histories.tip(), history),
        // a leader that learns late that it was established: a later one has gone on from its history
        false => histories.is_committed(history),
    };
    let (lost, has) = (witness.zxid(histories.tip()), witness.zxid(history));
    (!kept).then_some(Evidence::CommittedLost { leader: *server, epoch: *epoch, lost, has })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_leader_without_a_committed_transaction_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").commit(3, "1:1").crash(3);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.lead(2, 2);
        assert_eq!(story.violated(), ["durability"]);
    }
}
