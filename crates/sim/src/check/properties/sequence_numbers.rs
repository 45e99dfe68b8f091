//! Sequential names (`zookeeperProgrammers.md`, Sequence Nodes): below one parent, as long as it is not created anew,
//! numbers rise with the zxids, until the counter has run over: from 2147483647 on nothing is promised.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Number, Step, Witness, numbers};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "sequence-numbers",
    title: "Sequential numbers",
    about: "Under one parent, every new sequence number is greater than the last, up to 2147483647.",
    source: "zookeeperProgrammers.md, Sequence Nodes; PrepRequestProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let mut news: BTreeMap<Rc<str>, Number> = BTreeMap::new();
    for &node in &step.committed {
        for new in numbers(&witness.histories, &witness.clients, node) {
            let before = news.get(&new.parent).filter(|before| before.since == new.since);
            let last = before.map(|before| before.number).or_else(|| witness.numbers.last(&new));
            if let Some(last) = last.filter(|&last| new.number <= last && last < i32::MAX && new.number >= 0) {
                let (zxid, parent, number) = (witness.zxid(node), new.parent.to_string(), new.number);
                return Some(Evidence::Client(Breach::NumberNotAbove { zxid, parent, number, last }));
            }
            news.insert(new.parent.clone(), new);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, create};
    use crate::store::Owner;
    use crate::wire::CreateMode;

    #[test]
    fn a_number_given_before_is_seen() {
        let mut story = Story::with_client();
        for (xid, at, number) in [(1, "1:2", 0), (2, "1:3", 1)] {
            story.ask(3, xid, create("/n-", CreateMode::PersistentSequential));
            let _ = story.txn(at, xid, Story::created(&format!("/n-{number:010}"), Owner::None, xid));
        }
        assert_eq!(story.violated(), Vec::<&str>::new());
        let mut over = story.clone();
        for (xid, at, number) in [(3, "1:4", i32::MAX), (4, "1:5", i32::MIN), (5, "1:6", i32::MIN + 1)] {
            over.ask(3, xid, create("/n-", CreateMode::PersistentSequential));
            let _ = over.txn(at, xid, Story::created(&format!("/n-{number:010}"), Owner::None, xid));
        }
        assert!(!over.violated().contains(&"sequence-numbers"), "the counter has run over");
        story.ask(3, 3, create("/m-", CreateMode::PersistentSequential));
        let _ = story.txn("1:4", 3, Story::created("/m-0000000001", Owner::None, 3));
        assert!(story.violated().contains(&"sequence-numbers"));
    }
}
