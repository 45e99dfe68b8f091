//! Writes as if one after the other (ZooKeeper, section 2.3, linearizable writes): a single store that gets the
//! requests in the order of their zxids, the refused ones included, makes the same transaction of each, and comes to
//! what the client was told. And a write that was asked for after another was answered comes after it. In one thing real
//! leaders are no single store: permissions are checked by the list from before a setACL that is under way.

use std::collections::BTreeSet;

use crate::base::{SessionId, Gather};
use crate::check::evidence::{Breach, Evidence};
use crate::check::history::NodeId;
use crate::check::witness::{Asked, Step, Witness};
use crate::sim::{Fact, WorldFact};
use crate::store::{Body, Op, Prep, Submitted, Tree, Txn};
use crate::wire::{Code, Request};

use super::Property;
use super::read_your_writes::of_config;

pub(super) const PROPERTY: Property = Property {
    id: "write-linearizability",
    title: "Linearizable writes",
    about: "Every write has the effect it would have if all writes ran one at a time in zxid order.",
    source: "ZooKeeper, section 2.3, linearizable writes; PrepRequestProcessor.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    match step.fact {
        Fact::World(WorldFact::Delivered { msg, .. }) => answer(witness, *msg).map(Evidence::Client),
        _ => step.committed.iter().find_map(|&node| committed(witness, node)).map(Evidence::Client),
    }
}

/// A transaction becomes committed: the request behind it, and the state before it.
fn committed(witness: &Witness, node: NodeId) -> Option<Breach> {
    let histories = &witness.histories;
    let (zxid, txn) = (witness.zxid(node), histories.txn(node)?);
    let (client, asked) = witness.clients.behind(txn.session, txn.cxid)?;
    if zxid <= asked.after {
        return Some(Breach::Overtaken { client, zxid, done: asked.after });
    }
    let before = histories.model(histories.parent(node))?;
    let mut store = Prep::amid(before.clone(), witness.lists.of(node), witness.limits);
    let request = submitted(txn, asked);
    let right = match (&asked.request, &txn.op) {
        // what it comes to hangs on who follows the leader: only the rights are judged
        (Request::Reconfig { .. }, Op::Reconfig { config }) => {
            store.reconfigure(&request, Ok(()), Ok(config.clone()), zxid, txn.time)
        }
        (Request::Reconfig { .. }, Op::Error(code)) => store.reconfigure(&request, Ok(()), Err(*code), zxid, txn.time),
        _ => store.prepare(&request, Ok(()), zxid, txn.time),
    };
    let refused = of_session(&txn.op) || asked.overlapping || of_quota(&txn.op, &asked.request, before);
    (!refused && !same(&right.op, &txn.op)).then_some(Breach::WrongResult { client, zxid })
}

/// The order in which a session's ephemerals go is that of a table in the leader's memory.
fn same(right: &Op, done: &Op) -> bool {
    match (right, done) {
        (Op::CloseSession { paths: right }, Op::CloseSession { paths: done }) => {
            right.iter().gathered::<BTreeSet<_>>() == done.iter().gathered::<BTreeSet<_>>()
        }
        _ => right == done,
    }
}

fn submitted(txn: &Txn, asked: &Asked) -> Submitted {
    let (session, cxid, who): (SessionId, i32, _) = (txn.session, txn.cxid, asked.who.clone());
    // which server it came by does not matter to the store
    let from = crate::base::ServerId(0);
    Submitted { session, cxid, who, from, body: Body::Client(asked.request.clone()) }
}

/// Whether it was refused because of its session, which the tree alone cannot tell.
fn of_session(op: &Op) -> bool {
    let of_session = |code: &Code| matches!(code, Code::SessionExpired | Code::SessionMoved);
    match op {
        Op::Error(code) => of_session(code),
        Op::FailedMulti(codes) => codes.iter().any(of_session),
        _ => false,
    }
}

/// Whether it was refused because of a hard quota that there is. How much was counted then only the leader knows: what
/// it had applied, not what it had proposed.
fn of_quota(op: &Op, request: &Request, before: &Tree) -> bool {
    let is_limited = |request: &Request| before.has_hard_quota(request.path());
    match (op, request) {
        (Op::Error(Code::QuotaExceeded), _) => is_limited(request),
        (Op::FailedMulti(codes), Request::Multi { ops }) => {
            codes.contains(&Code::QuotaExceeded) && ops.iter().any(is_limited)
        }
        _ => false,
    }
}

/// An answer to a write arrives.
fn answer(witness: &Witness, msg: crate::base::MsgId) -> Option<Breach> {
    let (reply, view, asked) = witness.clients.reply(msg).filter(|(_, view, _)| !view.overlapping)?;
    if !reply.ordered || of_config(&asked.request) {
        return None;
    }
    let (client, server, zxid) = (reply.client, reply.server, reply.zxid);
    let wrong = Some(Breach::WrongAnswer { client, server, zxid });
    let histories = &witness.histories;
    let Some(node) = histories.prefix_at(zxid, reply.state) else { return wrong };
    let txn: &Txn = histories.txn(node)?;
    let mut tree = histories.model(histories.parent(node))?.clone();
    let mine = (txn.session, txn.cxid) == (view.session, reply.xid);
    // the leader knows no local session; why it refuses an ephemeral, only the client's server knows
    let local = txn.op == Op::Error(Code::SessionExpired) && reply.outcome == Err(Code::EphemeralOnLocalSession);
    if mine && (local || tree.apply(zxid, txn).outcome == reply.outcome) { None } else { wrong }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, create};
    use crate::server::Fact;
    use crate::store::{Op, Owner};
    use crate::wire::{Acl, AuthId, Code, CreateMode, Perms, Request};

    #[test]
    fn a_result_that_no_single_store_gives_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let _ = story.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        story.ask(3, 2, create("/a", CreateMode::Persistent));
        let mut right = story.clone();
        let _ = right.txn("1:3", 2, Op::Error(Code::NodeExists));
        assert_eq!(right.violated(), Vec::<&str>::new());
        let _ = story.txn("1:3", 2, Op::Error(Code::NoNode));
        assert_eq!(story.violated(), ["write-linearizability"]);
    }

    #[test]
    fn a_write_is_judged_by_the_list_before_one_under_way() {
        let acl = vec![Acl { perms: Perms::READ, who: AuthId::anyone() }];
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let _ = story.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        story.ask(3, 2, Request::SetAcl { path: "/a".into(), acl: acl.clone(), version: -1 });
        story.ask(3, 3, Request::SetData { path: "/a".into(), data: None, version: -1 });
        let under_way = story.proposed("1:3", 2, Op::SetAcl { path: "/a".into(), acl: acl.into(), version: 1 });
        let (written, refused) =
            (Op::SetData { path: "/a".into(), data: None, version: 1 }, Op::Error(Code::NoAuth));
        for (committed_first, right, wrong) in [(false, &written, &refused), (true, &refused, &written)] {
            for (op, violated) in [(right, &[][..]), (wrong, &["write-linearizability"][..])] {
                let mut story = story.clone();
                if committed_first {
                    let _ = story.done("1:3", under_way.clone());
                }
                let write = story.proposed("1:4", 3, op.clone());
                if !committed_first {
                    let _ = story.done("1:3", under_way.clone());
                }
                let _ = story.done("1:4", write);
                assert_eq!(story.violated(), violated, "{op:?}, committed first: {committed_first}");
            }
        }
    }

    #[test]
    fn a_write_before_one_that_was_done_is_seen() {
        let mut story = Story::with_client();
        story.answer(3, "1:1");
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let mut right = story.clone();
        let _ = right.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.answer(3, "1:9"); // told too early: other properties see that
        story.ask(3, 2, create("/b", CreateMode::Persistent));
        let _ = story.txn("1:2", 2, Story::created("/b", Owner::None, 1));
        assert!(story.violated().contains(&"write-linearizability"));
    }

    #[test]
    fn a_server_that_serves_reads_only_refuses_without_a_place_in_the_order() {
        let mut story = Story::with_client();
        let get = Request::GetData { path: "/".into(), watch: false };
        story.service(3, Fact::ReadOnly { on: true }).ask(3, 1, create("/a", CreateMode::Persistent));
        story.reply(3, 1, "1:1", Err(Code::NotReadOnly));
        let read = story.reads(&get);
        story.ask(3, 2, get).reply(3, 2, "1:1", read);
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.service(3, Fact::ReadOnly { on: false }).ask(3, 3, create("/a", CreateMode::Persistent));
        story.reply(3, 3, "1:1", Err(Code::NotReadOnly));
        assert_eq!(story.violated(), ["write-linearizability"]);
    }

    #[test]
    fn another_answer_than_what_was_done_is_seen() {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let outcome = story.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        let mut right = story.clone();
        right.reply(3, 1, "1:2", outcome);
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.reply(3, 1, "1:2", Err(Code::NodeExists));
        assert_eq!(story.violated(), ["write-linearizability"]);
    }
}
