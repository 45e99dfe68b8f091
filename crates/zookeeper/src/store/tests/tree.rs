//! What transactions do to the tree, field by field.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::*;
use crate::store::{CONFIG, Op, Owner, RECENT};
use crate::wire::{Acl, AuthId, Perms, Stat};

fn stat(bench: &Bench, path: &str) -> Stat {
    bench.tree.get(path).expect("a node").stat()
}

#[test]
fn each_operation_moves_its_own_fields() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let created = stat(&bench, "/a");
    assert_eq!((created.czxid, created.mzxid, created.pzxid), (Zxid::new(1, 2), Zxid::new(1, 2), Zxid::new(1, 2)));
    bench.ask(set("/a", "xyz", -1)).unwrap();
    let set = stat(&bench, "/a");
    assert_eq!((set.mzxid, set.version, set.data_length), (Zxid::new(1, 3), 1, 3));
    assert_eq!((set.pzxid, set.cversion), (created.pzxid, 0));
    bench.ask(persistent("/a/b")).unwrap();
    bench.ask(persistent("/a/b/c")).unwrap();
    let parent = stat(&bench, "/a");
    assert_eq!((parent.pzxid, parent.cversion, parent.num_children), (Zxid::new(1, 4), 1, 1), "not by grandchildren");
    bench.ask(delete("/a/b/c", -1)).unwrap();
    bench.ask(delete("/a/b", -1)).unwrap();
    let parent = stat(&bench, "/a");
    assert_eq!((parent.pzxid, parent.cversion, parent.num_children), (Zxid::new(1, 7), 2, 0));
    let acl = Request::SetAcl { path: "/a".into(), acl: Acl::open(), version: 0 };
    bench.ask(acl).unwrap();
    let acl = stat(&bench, "/a");
    assert_eq!((acl.aversion, acl.mzxid, acl.mtime), (1, set.mzxid, set.mtime));
}

#[test]
fn a_closed_session_leaves_nothing() {
    let mut bench = Bench::new();
    let empty = bench.tree.clone();
    bench.ask(create("/e", CreateMode::Ephemeral)).unwrap();
    assert_eq!(bench.tree.ephemerals(ME).count(), 1);
    bench.ask(Request::CloseSession).unwrap();
    assert_eq!((bench.tree.session(ME), bench.tree.ephemerals(ME).count()), (None, 0));
    assert!(bench.tree.get("/e").is_none());
    assert_eq!(bench.tree.len(), empty.len());
}

#[test]
fn the_digest_tells_states_apart_and_comes_back_with_them() {
    let (mut one, mut other) = (Bench::new(), Bench::new());
    assert_eq!(one.tree.digest(), other.tree.digest());
    one.ask(set("/zookeeper/quota", "x", -1)).unwrap();
    other.ask(set("/zookeeper/quota", "y", -1)).unwrap();
    assert_ne!(one.tree.digest(), other.tree.digest());
    let copy = one.tree.clone();
    one.ask(persistent("/a")).unwrap();
    assert_ne!(copy.digest(), one.tree.digest(), "a copy stays what it was");
}

/// Also null, no bytes, and bytes that look like what stands for null.
#[test]
fn the_digest_tells_any_bytes_apart() {
    let data: Vec<crate::wire::Data> = [
        None,
        Some(vec![]),
        Some(vec![0]),
        Some(vec![0xfd]),
        Some(vec![0xfe]),
        Some(vec![0xff]),
        Some(vec![0xff, 0xfe]),
        Some(vec![0xff, 0xff]),
        Some(vec![0xfe, 0xfe]),
    ]
    .map(|bytes| bytes.map(Into::into))
    .into();
    let digests: BTreeSet<u64> = data
        .iter()
        .map(|data| {
            let mut bench = Bench::new();
            bench.ask(persistent("/a")).unwrap();
            bench.ask(Request::SetData { path: "/a".into(), data: data.clone(), version: -1 }).unwrap();
            let node = bench.tree.get("/a").unwrap();
            assert_eq!(
                (&node.data, node.stat().data_length as usize),
                (data, data.as_ref().map_or(0, |data| data.len()))
            );
            bench.tree.digest()
        })
        .collect();
    assert_eq!(digests.len(), data.len());
}

/// What the log repeats changes the state no more (`DataTree.java` `processTxn`).
#[test]
fn a_transaction_applied_again_is_counted_once() {
    let mut bench = Bench::new();
    let prepared = bench.prepare(Body::Client(persistent("/a")));
    bench.commit(prepared.clone());
    let (count, recent) = (bench.tree.count, bench.tree.recent().count());
    bench.commit(prepared);
    assert_eq!((bench.tree.count, bench.tree.recent().count()), (count, recent));
}

/// Lengths as jute writes the records of transactions, about.
#[test]
fn a_transaction_is_as_long_as_its_record() {
    let (path, data): (Rc<str>, crate::wire::Data) = ("/abcd".into(), Some("0123456789".into()));
    let created = Op::Create {
        path: path.clone(),
        data: data.clone(),
        acl: Acl::open().into(),
        owner: Owner::default(),
        parent_cversion: 1,
        with_stat: false,
    };
    let set = Op::SetData { path: path.clone(), data, version: 1 };
    for (op, bytes) in [
        (Op::CreateSession { timeout_ms: 4_000 }, 4),
        (Op::Error(Code::NoNode), 4),
        (Op::CloseSession { paths: vec!["/a".into(), "/bcd".into()] }, 4 + 6 + 8),
        (created.clone(), 9 + 14 + 27 + 5),
        (set.clone(), 9 + 14 + 4),
        (Op::SetAcl { path: path.clone(), acl: Acl::open().into(), version: 1 }, 9 + 27 + 4),
        (Op::Delete { path: path.clone() }, 9),
        (Op::Check { path }, 9 + 4),
        (Op::Reconfig { config: "version=0".into() }, 4 + 17 + 4 + 9 + 4),
        (Op::Multi(vec![created, set]), 4 + 8 + 55 + 8 + 27),
        (Op::FailedMulti(vec![Code::NoNode, Code::RuntimeInconsistency]), 4 + 24),
    ] {
        assert_eq!(op.bytes(), bytes, "{op}");
    }
}

#[test]
fn a_request_on_its_way_is_as_long_as_its_record() {
    let submitted = |body| Submitted { session: ME, cxid: 1, who: Rc::from([]), from: ServerId(1), body }.bytes();
    assert_eq!(submitted(Body::CreateSession { timeout_ms: 4_000 }), 28);
    assert_eq!(submitted(Body::DeleteContainer { path: "/abc".into() }), 16 + 4);
    assert_eq!(submitted(Body::Put { path: "/abc".into(), data: "xy".into() }), 16 + 4 + 2);
    let request = delete("/abc", -1);
    assert_eq!(submitted(Body::Client(request.clone())), 16 + request.bytes() as u64);
}

#[test]
fn states_are_equal_by_their_digest_and_hashed_by_all_that_they_are() {
    let hash = |tree: &Tree| {
        let mut hasher = siphasher::sip::SipHasher24::new();
        tree.hash(&mut hasher);
        hasher.finish()
    };
    let (mut one, mut other) = (Bench::new(), Bench::new());
    assert_eq!((&one.tree, hash(&one.tree)), (&other.tree, hash(&other.tree)));
    one.ask(set("/zookeeper/quota", "x", -1)).unwrap();
    other.ask(set("/zookeeper/quota", "y", -1)).unwrap();
    assert_ne!(one.tree, other.tree);
    assert_ne!(hash(&one.tree), hash(&other.tree));
}

#[test]
fn the_last_transactions_are_remembered_by_name() {
    let mut bench = Bench::new();
    let zxids = |counters: std::ops::RangeInclusive<u32>| counters.map(|counter| Zxid::new(1, counter));
    bench.ask(persistent("/a")).unwrap();
    assert!(bench.tree.recent().eq(zxids(1..=2)));
    (0..RECENT).for_each(|number| drop(bench.ask(persistent(&format!("/{number}"))).unwrap()));
    assert!(bench.tree.recent().eq(zxids(3..=2 + RECENT as u32)));
}

#[test]
fn each_entry_of_a_list_counts() {
    let (path, acl): (Rc<str>, Rc<[Acl]>) = ("/abcd".into(), [Acl::open(), Acl::open()].concat().into());
    let (data, owner, parent_cversion, with_stat) = (None, Owner::default(), 1, false);
    let set = Op::SetAcl { path: path.clone(), acl: acl.clone(), version: 1 };
    let create = Op::Create { path, data, acl, owner, parent_cversion, with_stat };
    assert_eq!([set, create].map(|op| op.bytes()), [9 + 4 + 2 * 23 + 4, 9 + 4 + 4 + 2 * 23 + 5]);
}

#[test]
fn a_configuration_is_written_without_a_transaction_and_moves_no_digest() {
    let (mut tree, at) = (Bench::new().tree, Zxid::new(2, 0));
    let digest = tree.digest();
    let change = tree.set_config("version=5", at, 1_000).expect("another one");
    assert_eq!((change.kind, &*change.path), (crate::wire::EventType::NodeDataChanged, CONFIG));
    tree.set_config("version=5", at, 2_000).expect("the same once more");
    let node = tree.get(CONFIG).expect("it is there");
    assert_eq!((node.data.as_deref(), node.mzxid), (Some(&b"version=5"[..]), at));
    assert_eq!((node.mtime, node.version), (2_000, -1));
    assert_eq!(tree.digest(), digest, "each server writes its own");
}

#[test]
fn what_a_log_repeats_moves_no_parent_back() {
    let mut bench = Bench::new();
    for path in ["/a", "/a/c"] {
        bench.ask(persistent(path)).unwrap();
    }
    let created = bench.prepare(Body::Client(persistent("/a/b")));
    bench.commit(created.clone());
    bench.ask(delete("/a/c", -1)).unwrap();
    let digest = bench.tree.digest();
    bench.commit(created);
    assert_eq!(bench.tree.digest(), digest);
}

/// ZOOKEEPER-4846: before 3.9.4 the list of the snapshot stayed, and its number could be that of no list.
#[test]
fn a_log_that_repeats_a_create_repeats_its_acl() {
    let mut bench = Bench::new();
    let created = bench.prepare(Body::Client(persistent("/a")));
    bench.commit(created.clone());
    let acl = vec![Acl { perms: Perms::READ, who: AuthId::anyone() }];
    let set = bench.prepare(Body::Client(Request::SetAcl { path: "/a".into(), acl: acl.clone(), version: -1 }));
    bench.commit(set.clone());
    let list = |bench: &Bench| bench.tree.get("/a").map(|node| node.acl.to_vec());
    assert_eq!(list(&bench), Some(acl.clone()));
    bench.commit(created);
    assert_eq!(list(&bench), Some(Acl::open()));
    bench.commit(set);
    assert_eq!(list(&bench), Some(acl));
}
