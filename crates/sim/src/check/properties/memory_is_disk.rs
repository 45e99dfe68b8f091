//! Memory equals disk at vote time (`FastLeaderElection.java` `lookForLeader`): a vote speaks for what a restart of
//! that server would find (ZOOKEEPER-2845, 3642). The zxid epoch:0 stands for the same history in a later epoch.

use crate::base::{ServerId, Zxid};
use crate::check::evidence::Evidence;
use crate::check::witness::{Step, Witness};
use crate::sim::Fact;
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "memory-is-disk",
    title: "Memory matches disk",
    about: "A server votes with the history that a restart would find on its disk.",
    source: "FastLeaderElection.java lookForLeader; ZOOKEEPER-2845, 3642",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::Looking { last_zxid, .. } } if !witness.observes(*server) => {
            vote(witness, *server, *last_zxid)
        }
        _ => None,
    }
}

fn vote(witness: &Witness, server: ServerId, vote: Zxid) -> Option<Evidence> {
    let view = witness.server(server);
    let (memory, on_disk) = (witness.zxid(view.memory), witness.zxid(view.durable));
    let speaks_for_memory = vote == memory || (vote.is_new_epoch() && vote > memory);
    let good = view.memory == view.durable && speaks_for_memory;
    (!good).then_some(Evidence::VoteNotOnDisk { server, vote, memory, on_disk })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn a_vote_that_forgets_the_own_log_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).look(3, "1:0").propose(3, "1:1", "a").sync(3, 1).apply(3, "1:1", "a").look(3, "1:1");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.queue(1, "1:1").sync(1, 1).look(1, "0:0");
        assert_eq!(story.violated(), ["memory-is-disk"]);
    }

    #[test]
    fn a_vote_for_a_half_received_state_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").apply(2, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.look(2, "1:1");
        assert_eq!(story.violated(), ["memory-is-disk"]);
    }
}
