//! The store by itself: what a leader makes of requests, and what they do to the tree. The whole against the real one is
//! tested by `tests/conformance.rs`.

mod prep;
mod quota;
mod reads;
mod tree;
mod watches;

use std::rc::Rc;

use super::{Body, Limits, Prep, Submitted, Tree, Txn};
use crate::base::{ServerId, SessionId, Zxid};
use crate::wire::{Acl, Code, CreateMode, Request};

const ME: SessionId = SessionId(7);

/// A tree with one leader in front of it.
struct Bench {
    prep: Prep,
    tree: Tree,
    next: u32,
}

impl Bench {
    fn new() -> Bench {
        let tree = Tree::new("version=0");
        let mut bench = Bench { prep: Prep::new(tree.clone(), Limits { extended_types: true }), tree, next: 0 };
        bench.submit(Body::CreateSession { timeout_ms: 4_000 });
        bench
    }

    fn zxid(&self) -> Zxid {
        Zxid::new(1, self.next)
    }

    /// Prepares without applying: the transaction is under way.
    fn prepare(&mut self, body: Body) -> (Zxid, Txn) {
        self.next += 1;
        let asked = Submitted { session: ME, cxid: 1, who: Rc::from([]), from: ServerId(1), body };
        let zxid = self.zxid();
        (zxid, self.prep.prepare(&asked, Ok(()), zxid, 1_000 + i64::from(self.next)))
    }

    /// What was prepared is committed.
    fn commit(&mut self, (zxid, txn): (Zxid, Txn)) -> crate::store::Effect {
        self.prep.committed(zxid);
        self.tree.apply(zxid, &txn)
    }

    fn submit(&mut self, body: Body) -> crate::store::Effect {
        let prepared = self.prepare(body);
        self.commit(prepared)
    }

    fn ask(&mut self, request: Request) -> crate::wire::Outcome {
        self.submit(Body::Client(request)).outcome
    }

    fn error(&mut self, request: Request) -> Code {
        self.ask(request).expect_err("an error")
    }
}

fn create(path: &str, mode: CreateMode) -> Request {
    let ttl = if mode.is_ttl() { 500 } else { 0 };
    Request::Create { path: path.into(), data: None, acl: Acl::open(), mode, ttl, stat: false, flags: None }
}

fn persistent(path: &str) -> Request {
    create(path, CreateMode::Persistent)
}

/// A create with a raw flag.
fn flagged(path: &str, flag: i32) -> Request {
    match persistent(path) {
        Request::Create { path, data, acl, mode, ttl, stat, .. } => {
            Request::Create { path, data, acl, mode, ttl, stat, flags: Some(flag) }
        }
        other => other,
    }
}

fn delete(path: &str, version: i32) -> Request {
    Request::Delete { path: path.into(), version }
}

fn set(path: &str, data: &str, version: i32) -> Request {
    Request::SetData { path: path.into(), data: Some(data.into()), version }
}
