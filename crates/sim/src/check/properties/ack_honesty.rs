//! Ack honesty (TLA+ ackInconsistent; `SyncRequestProcessor.java`): when a leader counts an acknowledgement, what it
//! stands for is on the disk of the server that sent it (ZOOKEEPER-3911, 4643, 4646).
//!
//! That is looked at when it is counted and once more when the transaction is committed: in between the log may have been cut.
//! A server that has promised a later epoch meanwhile may have cut what it had acknowledged: an acknowledgement that was on
//! its way then is honest still.

use crate::base::{Epoch, ServerId, Zxid};
use crate::check::evidence::Evidence;
use crate::check::history::Found;
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "ack-honesty",
    title: "Honest ACKs",
    about: "An ACK counts only for what is on the disk of the server that sent it.",
    source: "TLA+ ackInconsistent; SyncRequestProcessor.java; ZOOKEEPER-3911, 4643, 4646",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::AckCounted { zxid, from, .. } } => {
            proposal(witness, *server, *from, *zxid, step.found)
        }
        Fact::Zab { server, fact: zab::Fact::Committed { zxid, acks } } => {
            acks.iter().find_map(|from| proposal(witness, *server, from, *zxid, step.found))
        }
        Fact::Zab { server, fact: zab::Fact::NewLeaderAckCounted { from, .. } } => {
            new_leader(witness, *server, *from)
        }
        _ => None,
    }
}

/// The leader's epoch, unless the other server has left it behind.
fn common_epoch(witness: &Witness, leader: ServerId, from: ServerId) -> Option<Epoch> {
    witness.server(leader).leads.filter(|&epoch| witness.server(from).promised <= epoch)
}

fn proposal(witness: &Witness, leader: ServerId, from: ServerId, zxid: Zxid, found: Found) -> Option<Evidence> {
    common_epoch(witness, leader, from)?;
    let durable = witness.server(from).durable;
    let honest = matches!(found, Found::Here(node) if witness.histories.is_prefix(node, durable));
    (!honest).then(|| Evidence::AckNotOnDisk { leader, from, zxid, on_disk: witness.zxid(durable) })
}

fn new_leader(witness: &Witness, leader: ServerId, from: ServerId) -> Option<Evidence> {
    let epoch = common_epoch(witness, leader, from)?;
    let (theirs, history) = (witness.server(from), witness.server(leader).memory);
    if !witness.histories.is_prefix(history, theirs.durable) {
        let (history, on_disk) = (witness.zxid(history), witness.zxid(theirs.durable));
        return Some(Evidence::NewLeaderNotOnDisk { leader, from, epoch, history, on_disk });
    }
    (theirs.current < epoch).then_some(Evidence::EpochNotOnDisk { leader, from, epoch, on_disk: theirs.current })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn an_ack_before_the_sync_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").sync(3, 1).count_ack(3, 3, "1:1").queue(2, "1:1");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.count_ack(3, 2, "1:1");
        assert_eq!(story.violated(), ["ack-honesty"]);
    }

    #[test]
    fn a_commit_with_an_ack_of_a_log_that_was_cut_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").queue(2, "1:1").sync(2, 1).count_ack(3, 2, "1:1").cut(2, "0:0");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.sync(3, 1).count_ack(3, 3, "1:1").commit_by(3, "1:1", &[2, 3]);
        assert_eq!(story.violated(), ["ack-honesty"]);
    }

    #[test]
    fn the_ack_of_newleader_stands_for_history_and_epoch() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").sync(3, 1).apply(3, "1:1", "a").commit(3, "1:1");
        story.synchronizing(3, 2).queue(2, "1:1").sync(2, 1).current_epoch(2, 2).count_new_leader(3, 2);
        assert_eq!(story.violated(), Vec::<&str>::new());
        let mut other = story.clone();
        story.count_new_leader(3, 1);
        assert_eq!(story.violated(), ["ack-honesty"]);
        other.queue(1, "1:1").sync(1, 1).count_new_leader(3, 1);
        assert_eq!(other.violated(), ["ack-honesty"], "the epoch is not on disk");
    }

    #[test]
    fn an_old_ack_of_a_server_that_went_on_is_honest() {
        let mut story = Story::new(5);
        story.lead(3, 1).propose(3, "1:1", "a").queue(1, "1:1").sync(1, 1).accept(1, 2).cut(1, "0:0");
        story.count_ack(3, 1, "1:1");
        assert_eq!(story.violated(), Vec::<&str>::new());
    }
}
