//! What transactions do to the tree, field by field.

use super::*;
use crate::wire::Stat;

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
