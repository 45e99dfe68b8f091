//! The order of a session's requests (ZooKeeper, section 2.3, FIFO client order): they are done in the order in which the
//! client made them, whether it waits for answers or not, and whether answers arrive or not. What is refused because its
//! session has moved came by an old connection, and has no place.

use crate::base::SessionId;
use crate::check::evidence::{Breach, Evidence};
use crate::check::history::NodeId;
use crate::check::witness::{Step, Witness, has_place as counts};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "request-order",
    title: "Order of a session's requests",
    about: "A session's requests enter the committed history in the order in which the client sent them.",
    source: "ZooKeeper, section 2.3, FIFO client order; FollowerRequestProcessor.java, CommitProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let last = |node: NodeId, session| {
        // several may become committed at once
        let before = step.committed.iter().take_while(|&&other| other != node);
        let of = |&other: &NodeId| witness.histories.txn(other).filter(|txn| txn.session == session && counts(txn));
        before.filter_map(of).map(|txn| txn.cxid).chain(witness.sessions.last(session)).max()
    };
    step.committed.iter().find_map(|&node| {
        let txn = witness.histories.txn(node).filter(|txn| txn.session != SessionId::NONE && counts(txn))?;
        let client = witness.clients.of_session(txn.session)?;
        let (session, cxid, zxid) = (txn.session, txn.cxid, witness.zxid(node));
        let last = last(node, session).filter(|&last| last >= cxid)?;
        let sure = witness.clients.view(client).is_some_and(|view| !view.overlapping);
        sure.then_some(Evidence::Client(Breach::RequestBehind { session, zxid, cxid, last }))
    })
}


#[cfg(test)]
mod tests {
    use crate::check::testkit::Story;
    use crate::store::Owner;

    #[test]
    fn a_request_that_overtakes_is_seen() {
        let mut story = Story::with_client();
        let _ = story.txn("1:2", 2, Story::created("/b", Owner::None, 1));
        assert_eq!(story.violated(), Vec::<&str>::new());
        let _ = story.txn("1:3", 1, Story::created("/a", Owner::None, 2));
        assert_eq!(story.violated(), ["request-order"]);
    }
}
