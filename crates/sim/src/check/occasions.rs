//! What puts a property to the test: a step at which a wrong ensemble, library or recipe would violate it. A run in which nobody took a
//! lease says nothing about semaphores, and the page says so.

use crate::base::{ServerId, Zxid};
use crate::recipes::{ConnectionState, Fact as Told, ReleaseReason, Share};
use crate::server;
use crate::sim::{EpochFile, Fact, Parcel, WorldFact};
use crate::store::Op;
use crate::wire::{Code, Request, ToClient};
use crate::{client, zab};

use super::history::{Found, NodeId};
use super::witness::{Step, Witness, has_place, numbers};

/// Names each property that a step puts to the test, before it takes effect.
pub(super) fn occasions(witness: &Witness, step: &Step, mut tests: impl FnMut(&'static str)) {
    match step.fact {
        Fact::Zab { server, fact } => in_server(witness, *server, fact, &mut tests),
        Fact::World(fact) => in_world(witness, step.found, fact, &mut tests),
        Fact::Server { fact, .. } => in_service(fact, &mut tests),
        Fact::Client { fact: client::Fact::Answered { zxid: Some(_), .. }, .. } => tests("session-fifo"),
        Fact::Program { client, fact } => match fact {
            Told::Acquired { .. } => acquired(witness, step, &mut tests),
            Told::Released { reason: ReleaseReason::Lost, .. } => tests("loss-is-heeded"),
            Told::ConnectionState { state: ConnectionState::Lost }
                if witness.programs.holds.iter().any(|hold| hold.who.0 == *client) =>
            {
                tests("loss-is-heeded");
            }
            _ => {}
        },
        Fact::Client { .. } | Fact::Other { .. } => {}
    }
    step.committed.iter().for_each(|&node| committed(witness, node, &mut tests));
    if witness.programs.waits.values().any(|wait| wait.gone.is_some()) {
        tests("no-lost-wake-up");
    }
}

fn in_server(witness: &Witness, server: ServerId, fact: &zab::Fact, tests: &mut impl FnMut(&'static str)) {
    use zab::Fact as F;
    let view = witness.server(server);
    let any_committed = witness.zxid(witness.histories.tip()) > Zxid::ZERO;
    match fact {
        F::Synchronizing { .. } if !witness.reigns.is_empty() || witness.begun > 0 => tests("epoch-uniqueness"),
        F::Proposed { zxid, payload, .. } => {
            ["integrity", "global-primary-order"].into_iter().for_each(&mut *tests);
            if zxid.counter() == 1 && any_committed {
                tests("primary-integrity");
            }
            if matches!(payload.txn.op, Op::Error(Code::SessionExpired | Code::SessionMoved)) {
                tests("true-refusals");
            }
        }
        F::Established { .. } => {
            tests("quorum-durable");
            if any_committed {
                tests("durability");
            }
        }
        F::Committed { .. } => ["agreement", "ack-honesty", "quorum-durable"].into_iter().for_each(tests),
        F::AckCounted { .. } | F::NewLeaderAckCounted { .. } => tests("ack-honesty"),
        F::EpochAccepted { .. } | F::NewLeaderAcked { .. } if view.promised > 0 => tests("epoch-promise"),
        // all servers begin with the same empty history
        F::Looking { .. } if !witness.observes(server) && witness.zxid(view.tail) > Zxid::ZERO => {
            tests("memory-is-disk");
        }
        F::Queued { .. } => tests("fitting-packets"),
        _ => {}
    }
}

fn in_world(witness: &Witness, found: Found, fact: &WorldFact, tests: &mut impl FnMut(&'static str)) {
    match fact {
        WorldFact::Applied { server, .. } => {
            ["integrity", "local-primary-order", "global-primary-order"].into_iter().for_each(&mut *tests);
            if witness.server(*server).serving {
                tests("agreement");
            }
            // the first that applies it is not compared with anybody
            if matches!(found, Found::Here(node) if witness.histories.state(node).is_some()) {
                tests("state-machine");
            }
        }
        WorldFact::Restored { last_txn, .. } if *last_txn > Zxid::ZERO => tests("state-machine"),
        WorldFact::Serving { on: true, .. } => tests("agreement"),
        WorldFact::Synced { .. } | WorldFact::EpochWritten { file: EpochFile::CurrentEpoch, .. } => {
            tests("log-shape")
        }
        WorldFact::EpochWritten { server, .. } if witness.server(*server).promised > 0 => tests("epoch-promise"),
        WorldFact::WriteAnswered { .. } => tests("client-promise"),
        WorldFact::Sent { from, to, message: Parcel::ToClient(ToClient::Reply { xid, outcome, .. }), .. } => {
            let (Some(_), Some(client)) = (from.server(), to.client()) else { return };
            let asked = witness.clients.view(client).and_then(|view| view.asked(*xid));
            match asked.map(|asked| &asked.request) {
                Some(Request::Sync { .. }) if outcome.is_ok() => tests("fresh-sync"),
                Some(_) if *outcome == Err(Code::SessionExpired) => tests("true-refusals"),
                _ => {}
            }
        }
        WorldFact::Delivered { msg, .. } => {
            let Some((reply, view, asked)) = witness.clients.reply(*msg) else { return };
            match &asked.request {
                _ if reply.ordered => ["client-promise", "write-linearizability"].into_iter().for_each(tests),
                Request::Exists { .. } | Request::GetData { .. } | Request::GetChildren { .. }
                    if view.wrote > Zxid::ZERO =>
                {
                    tests("read-your-writes");
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn in_service(fact: &server::Fact, tests: &mut impl FnMut(&'static str)) {
    match fact {
        server::Fact::WatchFired { zxid: Some(_), one_shot, .. } => {
            tests(if *one_shot { "watch-rules" } else { "lasting-watches" });
        }
        server::Fact::SessionExpired { asked: false, .. } => {
            ["session-life", "timely-expiry"].into_iter().for_each(tests)
        }
        server::Fact::ClientTurnedAway { .. } => tests("true-refusals"),
        _ => {}
    }
}

/// Somebody gets something while somebody else has it or waits: otherwise nobody could be passed by or disturbed.
fn acquired(witness: &Witness, step: &Step, tests: &mut impl FnMut(&'static str)) {
    let Some(new) = witness.acquired(step) else { return };
    let others = witness.programs.others(new.who, &new.path).next().is_some();
    let contended = others || witness.programs.waits.keys().any(|(who, _)| *who != new.who);
    let tested: &[&'static str] = match new.share {
        Share::Exclusive if contended => &["mutual-exclusion", "lock-fairness"],
        Share::Read if contended => &["readers-and-writers", "lock-fairness"],
        Share::Leader if contended => &["one-leader", "lock-fairness"],
        Share::Lease { .. } if others => &["semaphore-bound"],
        _ => &[],
    };
    tested.iter().copied().for_each(tests);
}

fn committed(witness: &Witness, node: NodeId, tests: &mut impl FnMut(&'static str)) {
    let Some(txn) = witness.histories.txn(node) else { return };
    if matches!(txn.op, Op::CloseSession { .. }) {
        tests("session-life");
    }
    if has_place(txn) && witness.sessions.last(txn.session).is_some() {
        tests("request-order");
    }
    if witness.clients.behind(txn.session, txn.cxid).is_some() {
        tests("write-linearizability");
    }
    let numbers = numbers(&witness.histories, &witness.clients, node);
    if numbers.iter().any(|number| witness.numbers.last(number).is_some()) {
        tests("sequence-numbers");
    }
}
