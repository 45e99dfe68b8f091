//! Sequential names (`zookeeperProgrammers.md`, Sequence Nodes): below one parent, as long as it is not created anew,
//! numbers rise with the zxids.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Number, Step, Witness, numbers};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "sequence-numbers",
    title: "Sequential numbers",
    about: "Under one parent, every new sequence number is greater than the last.",
    source: "zookeeperProgrammers.md, Sequence Nodes; PrepRequestProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let mut news: BTreeMap<Rc<str>, Number> = BTreeMap::new();
    for &node in &step.committed {
        for new in numbers(&witness.histories, &witness.clients, node) {
            let before = news.get(&new.parent).filter(|before| before.since == new.since);
            let last = before.map(|before| before.number).or_else(|| witness.numbers.last(&new));
            if let Some(last) = last.filter(|&last| new.number <= last) {
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
        story.ask(3, 3, create("/m-", CreateMode::PersistentSequential));
        let _ = story.txn("1:4", 3, Story::created("/m-0000000001", Owner::None, 3));
        assert!(story.violated().contains(&"sequence-numbers"));
    }
}
