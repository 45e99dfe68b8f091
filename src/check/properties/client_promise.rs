//! The promise to clients (`zookeeperProgrammers.md`, Consistency Guarantees, Reliability): a write that was answered
//! is committed; durability keeps it.

use crate::check::evidence::Evidence;
use crate::check::history::Found;
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
    let Fact::World(WorldFact::WriteAnswered { server, write, zxid }) = step.fact else { return None };
    let kept = matches!(step.found, Found::Here(node) if witness.histories.is_committed(node));
    (!kept).then_some(Evidence::AnswerNotCommitted { server: *server, write: *write, zxid: *zxid })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;

    #[test]
    fn an_early_answer_is_seen() {
        let mut story = Story::new(3);
        story.lead(3, 1).propose(3, "1:1", "a").apply(3, "1:1", "a");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.answer(3, "1:1");
        assert_eq!(story.violated(), ["client-promise"]);
    }
}
