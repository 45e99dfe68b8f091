//! The promise to clients (`zookeeperProgrammers.md`, Consistency Guarantees, Reliability): a write that was answered
//! is committed; durability keeps it.

use crate::check::evidence::Evidence;
use crate::check::history::{Found, NodeId};
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "client-promise",
    title: "Promise to clients",
    about: "Every write acknowledged to a client is committed.",
    source: "zookeeperProgrammers.md, Consistency Guarantees: Reliability",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let Fact::World(fact) = step.fact else { return None };
    let (server, write, zxid, node) = match *fact {
        WorldFact::WriteAnswered { server, write, zxid } => (server, write, zxid, here(step.found)),
        WorldFact::Delivered { msg, .. } => {
            let (reply, ..) = witness.clients.reply(msg)?;
            if !reply.ordered {
                return None;
            }
            let node = witness.histories.prefix_at(reply.zxid, reply.state);
            (reply.server, u64::try_from(reply.xid).unwrap_or_default(), reply.zxid, node)
        }
        _ => return None,
    };
    let kept = node.is_some_and(|node| witness.histories.is_committed(node));
    (!kept).then_some(Evidence::AnswerNotCommitted { server, write, zxid })
}

fn here(found: Found) -> Option<NodeId> {
    if let Found::Here(node) = found { Some(node) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, create};
    use crate::store::Owner;
    use crate::wire::{Answer, CreateMode};

    #[test]
    fn an_early_answer_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").apply(3, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.answer(3, "1:1");
        assert_eq!(story.violated(), ["client-promise"]);
    }

    #[test]
    fn a_reply_before_the_commit_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let payload = story.proposed("1:2", 1, Story::created("/a", Owner::None, 1));
        let mut right = story.clone();
        let outcome = right.done("1:2", payload);
        right.reply(3, 1, "1:2", outcome);
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.reply(3, 1, "1:2", Ok(Answer::Path("/a".into())));
        assert!(story.violated().contains(&"client-promise"), "{:?}", story.violated());
    }
}
