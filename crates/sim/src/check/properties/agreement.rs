//! Agreement and total order (Zab; TLA+ Agreement, TotalOrder, PrefixConsistency): all that is committed is
//! one chain, and every server that serves stands on it.

use crate::base::ServerId;
use crate::check::evidence::Evidence;
use crate::check::history::{Found, NodeId};
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};
use crate::zab;

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "agreement",
    title: "Agreement",
    about: "All servers apply the same committed transactions in the same order.",
    source: "Zab, Agreement and Total order; TLA+ Agreement, TotalOrder, PrefixConsistency",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::Zab { server, fact: zab::Fact::Committed { zxid, .. } } => {
            let tip = witness.histories.tip();
            let committed = witness.zxid(tip);
            let Found::Here(node) = step.found else {
                return Some(Evidence::Fork { leader: *server, zxid: *zxid, committed });
            };
            let fits = witness.histories.is_committed(node) || witness.histories.is_prefix(tip, node);
            (!fits).then_some(Evidence::Fork { leader: *server, zxid: *zxid, committed })
        }
        Fact::World(WorldFact::Applied { server, .. }) if witness.server(*server).serving => {
            let Found::Here(node) = step.found else { return Some(stray(witness, *server, None)) };
            (!witness.histories.is_committed(node)).then(|| stray(witness, *server, Some(node)))
        }
        Fact::World(WorldFact::Serving { server, on: true }) => {
            let memory = witness.server(*server).memory;
            (!witness.histories.is_committed(memory)).then(|| stray(witness, *server, Some(memory)))
        }
        _ => None,
    }
}

fn stray(witness: &Witness, server: ServerId, node: Option<NodeId>) -> Evidence {
    let zxid = witness.zxid(node.unwrap_or(witness.server(server).memory));
    Evidence::NotCommitted { server, zxid, committed: witness.zxid(witness.histories.tip()) }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn two_committed_branches_are_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").crash(3).lead(2, 2).propose(2, "2:1", "b").commit(2, "2:1");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.start(3).queue(3, "1:1").lead(3, 3).commit(3, "1:1");
        assert!(story.violated().contains(&"agreement"));
    }

    #[test]
    fn a_server_that_serves_something_uncommitted_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).serve(1).propose(3, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.apply(1, "1:1", "a");
        assert_eq!(story.violated(), ["agreement"]);
    }
}
