//! Reads (`zookeeperProgrammers.md`, Consistency Guarantees, Single System Image): a read answered after the same
//! session's write was answered as done sees it, on this connection or a later one; and whatever a read says was the
//! state after some transaction, of which the server knew.

use crate::base::{ClientId, ServerId};
use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Step, Witness};
use crate::sim::{Fact, Parcel, WorldFact};
use crate::store::{CONFIG, read};
use crate::wire::{Code, Request, ToClient};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "read-your-writes",
    title: "Read your writes",
    about: "A read sees every write acknowledged to its session, and nothing that never existed.",
    source: "zookeeperProgrammers.md, Consistency Guarantees: Single System Image",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let msg = match step.fact {
        Fact::World(WorldFact::Delivered { msg, .. }) => msg,
        Fact::World(WorldFact::Sent { from, to, message: Parcel::ToClient(ToClient::Reply { xid, .. }), .. }) => {
            return pending(witness, from.server()?, to.client()?, *xid);
        }
        _ => return None,
    };
    let (reply, view, asked) = witness.clients.reply(*msg).filter(|(_, view, _)| !view.overlapping)?;
    // a leader that has ended the session says so instead
    if !is_read(&asked.request) || of_config(&asked.request) || reply.outcome == Err(Code::SessionExpired) {
        return None;
    }
    let (client, server, xid, state) = (reply.client, reply.server, reply.xid, witness.zxid(reply.state));
    if state < view.wrote {
        let wrote = view.wrote;
        return Some(Evidence::Client(Breach::OwnWriteMissing { client, server, state, wrote }));
    }
    let tree = witness.histories.model(reply.state)?;
    let right = read(tree, view.session, &asked.who, &asked.request);
    (right != reply.outcome).then_some(Evidence::Client(Breach::WrongRead { client, server, xid, state }))
}

/// A server answers a read: no earlier write of the session may wait there (`CommitProcessor.java` `pendingRequests`).
fn pending(witness: &Witness, server: ServerId, client: ClientId, xid: i32) -> Option<Evidence> {
    let view = witness.clients.view(client).filter(|view| !view.overlapping)?;
    view.asked(xid).filter(|asked| is_read(&asked.request) && !asked.overlapping)?;
    let write = view.pending_at(server, xid)?;
    Some(Evidence::Client(Breach::OwnWritePending { client, server, xid, write }))
}

/// Whether it is about `/zookeeper/config`, which servers write without a transaction too: its Stat is not the same everywhere.
pub(super) fn of_config(request: &Request) -> bool {
    match request {
        Request::Multi { ops } | Request::MultiRead { ops } => ops.iter().any(of_config),
        request => request.path() == CONFIG,
    }
}

fn is_read(request: &Request) -> bool {
    matches!(
        request,
        Request::Exists { .. }
            | Request::GetData { .. }
            | Request::GetChildren { .. }
            | Request::GetAcl { .. }
            | Request::GetAllChildrenNumber { .. }
            | Request::GetEphemerals { .. }
            | Request::MultiRead { .. }
    )
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, get};
    use crate::wire::{Code, Request};

    fn set(path: &str) -> Request {
        Request::SetData { path: path.into(), data: None, version: -1 }
    }

    #[test]
    fn a_read_without_the_own_write_is_seen() {
        let mut story = Story::with_znode();
        let there = story.reads(&get("/a"));
        story.ask(3, 2, get("/a")).reply(3, 2, "1:2", there);
        assert_eq!(story.violated(), Vec::<&str>::new());
        // server 2 has applied nothing, and says that it has
        story.dial(2, 2).connected(2, true).ask(2, 3, get("/a")).reply(2, 3, "1:2", Err(Code::NoNode));
        assert_eq!(story.violated(), ["read-your-writes"]);
    }

    /// The server throttles the client's connection 2, and a write lies in its socket.
    fn with_unread_write() -> Story {
        let mut story = Story::with_znode();
        story.returns(3, 2).throttled(3, true).ask(3, 2, set("/a"));
        story
    }

    /// The client comes back, and reads before its write is done.
    fn reads_again(story: &mut Story) -> Vec<&'static str> {
        let there = story.reads(&get("/a"));
        story.returns(3, 3).ask(3, 3, get("/a")).reply(3, 3, "1:2", there);
        story.violated()
    }

    /// What is not read waits for nothing, and is gone with the connection.
    #[test]
    fn a_write_that_is_read_is_waited_for_and_one_that_is_not_is_none() {
        let nothing = Vec::<&str>::new();
        assert_eq!(reads_again(with_unread_write().hangs_up(3, 2)), nothing);
        // the same where the server had gone on before the connection ended
        assert_eq!(reads_again(with_unread_write().throttled(3, false).hangs_up(3, 2)), ["read-your-writes"]);
        // and where something was too much again at once: which of them were read is not known
        let mut story = with_unread_write();
        assert_eq!(reads_again(story.throttled(3, false).throttled(3, true).hangs_up(3, 2)), nothing);
        // but what is not throttled is waited for
        assert_eq!(reads_again(Story::with_znode().returns(3, 2).ask(3, 2, set("/a"))), ["read-your-writes"]);
    }

    #[test]
    fn the_end_of_an_earlier_connection_says_nothing_of_the_one_that_is_throttled() {
        let mut story = Story::with_znode();
        story.returns(3, 2).throttled(3, true).hangs_up(3, 1).ask(3, 2, set("/a"));
        assert_eq!(reads_again(&mut story), Vec::<&str>::new());
        // a later one is dialled before the end of the throttled one is heard of, and its last write arrives
        let mut story = Story::with_znode();
        story.returns(3, 2).throttled(3, true).dial(3, 3).ask(3, 2, set("/a")).hangs_up(3, 2);
        assert_eq!(reads_again(&mut story), Vec::<&str>::new());
    }

    #[test]
    fn a_read_of_what_was_never_there_is_seen() {
        let mut story = Story::with_znode();
        let there = story.reads(&get("/a"));
        story.ask(3, 2, get("/b")).reply(3, 2, "1:2", there);
        assert_eq!(story.violated(), ["read-your-writes"]);
    }
}
