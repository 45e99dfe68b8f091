//! The order of a session (ZooKeeper, section 2.3, FIFO client order): replies come in the order of the requests,
//! calls are answered in the order in which they were made, and no reply tells an older state than one before it, at
//! another server neither.
//!
//! A client that a move left with two connections at a time is promised nothing across the two.

use crate::base::ClientId;
use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Step, Witness};
use crate::client;
use crate::sim::{Fact, WorldFact};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "session-fifo",
    title: "Order of a session",
    about: "A client gets answers in the order of its calls, and none is older than the one before.",
    source: "ZooKeeper, section 2.3, FIFO client order; ClientCnxn.java, CommitProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::World(WorldFact::Delivered { msg, .. }) => {
            let (reply, view, _) = witness.clients.reply(*msg).filter(|(_, view, _)| !view.overlapping)?;
            let (client, server, xid, zxid) = (reply.client, reply.server, reply.xid, reply.zxid);
            let breach = match xid <= view.replied {
                true => Breach::ReplyBehind { client, server, xid, last: view.replied },
                false if zxid < view.last => Breach::BackInTime { client, server, zxid, seen: view.last },
                false => return None,
            };
            Some(Evidence::Client(breach))
        }
        Fact::Client { client, fact } => answered(witness, *client, fact),
        _ => None,
    }
}

fn answered(witness: &Witness, client: ClientId, fact: &client::Fact) -> Option<Evidence> {
    let client::Fact::Answered { call, zxid: Some(_), .. } = *fact else { return None };
    let view = witness.clients.view(client).filter(|view| !view.overlapping)?;
    let older = view.calls.first().copied().filter(|&older| older < call)?;
    Some(Evidence::Client(Breach::AnsweredFirst { client, call, older }))
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, get};
    use crate::wire::Code;

    #[test]
    fn an_answer_before_an_older_one_is_seen() {
        let mut story = Story::with_client();
        story.called(1, get("/a")).called(2, get("/b")).called(3, get("/c")).answered(1, "1:1");
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.answered(3, "1:1");
        assert_eq!(story.violated(), ["session-fifo"]);
    }

    #[test]
    fn a_reply_behind_a_later_one_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, get("/a")).ask(3, 2, get("/a")).reply(3, 2, "1:1", Err(Code::NoNode));
        assert_eq!(story.violated(), Vec::<&str>::new(), "the first may have been lost with a connection");
        story.reply(3, 1, "1:1", Err(Code::NoNode));
        assert_eq!(story.violated(), ["session-fifo"]);
    }

    #[test]
    fn a_state_older_than_one_seen_before_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, get("/a")).ask(3, 2, get("/a")).reply(3, 1, "1:1", Err(Code::NoNode));
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.reply(3, 2, "1:0", Err(Code::NoNode));
        assert_eq!(story.violated(), ["session-fifo"]);
    }
}
