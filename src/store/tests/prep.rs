//! The leader's step: which error one gets first, numbers of sequential nodes, all or nothing.

use super::*;
use crate::store::Op;
use crate::wire::Answer;

#[test]
fn the_first_check_that_fails_gives_the_error() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    bench.ask(persistent("/a/b")).unwrap();
    bench.ask(create("/e", CreateMode::Ephemeral)).unwrap();
    let no_acl = |path: &str| match persistent(path) {
        Request::Create { path, data, mode, ttl, stat, flags, .. } => {
            Request::Create { path, data, acl: Vec::new(), mode, ttl, stat, flags }
        }
        other => other,
    };
    let flags = |path: &str, flags| match persistent(path) {
        Request::Create { path, data, acl, mode, ttl, stat, .. } => {
            Request::Create { path, data, acl, mode, ttl, stat, flags: Some(flags) }
        }
        other => other,
    };
    for (request, code) in [
        (flags("no slash", 99), Code::BadArguments),
        (flags("/x", 5), Code::BadArguments),
        (no_acl("no slash"), Code::BadArguments),
        (no_acl("/missing/x"), Code::InvalidACL),
        (persistent("/missing/.."), Code::NoNode),
        (persistent("/a/.."), Code::BadArguments),
        (persistent("/"), Code::NodeExists),
        (persistent("/a"), Code::NodeExists),
        (persistent("/e/x"), Code::NoChildrenForEphemerals),
        (delete("/zookeeper", -1), Code::BadArguments),
        (delete("/missing/x", 3), Code::NoNode),
        (delete("/a", 3), Code::BadVersion),
        (delete("/a", 0), Code::NotEmpty),
        (set("/a/", "x", -1), Code::BadArguments),
        (set("/missing", "x", 3), Code::NoNode),
        (set("/a", "x", 3), Code::BadVersion),
    ] {
        let text = request.to_string();
        let before = bench.zxid();
        assert_eq!(bench.error(request), code, "{text}");
        assert_eq!(bench.tree.last, before.next(), "a refused write takes a zxid");
    }
}

#[test]
fn numbers_count_all_creations_under_the_parent() {
    let mut bench = Bench::new();
    bench.ask(persistent("/q")).unwrap();
    let mut name = |request| match bench.ask(request).unwrap() {
        Answer::Path(path) => path.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(name(create("/q/a-", CreateMode::PersistentSequential)), "/q/a-0000000000");
    assert_eq!(name(persistent("/q/x")), "/q/x");
    assert_eq!(name(create("/q/b-", CreateMode::EphemeralSequential)), "/q/b-0000000002");
    assert_eq!(name(create("/q/", CreateMode::PersistentSequential)), "/q/0000000003");
}

#[test]
fn a_pipelined_write_sees_the_ones_before_it() {
    let mut bench = Bench::new();
    let (first, created) = bench.prepare(Body::Client(persistent("/a")));
    let (second, set) = bench.prepare(Body::Client(set("/a", "1", 0)));
    let (third, stale) = bench.prepare(Body::Client(super::set("/a", "2", 0)));
    assert_eq!(stale.op, Op::Error(Code::BadVersion), "nothing of it is applied yet");
    for (zxid, txn) in [(first, created), (second, set), (third, stale)] {
        let _ = bench.tree.apply(zxid, &txn);
    }
    assert_eq!(bench.tree.get("/a").map(|node| node.version), Some(1));
    assert_eq!(bench.tree.digest(), bench.prep.ahead().digest());
}

#[test]
fn a_multi_happens_whole_or_not_at_all() {
    let mut bench = Bench::new();
    let ops = vec![persistent("/a"), set("/a", "1", 0), delete("/no", -1), persistent("/b")];
    let failed = bench.ask(Request::Multi { ops }).unwrap();
    assert_eq!(failed.thrown(), Some(Code::NoNode));
    let codes = [Code::Ok, Code::Ok, Code::NoNode, Code::RuntimeInconsistency].map(Err);
    assert_eq!(failed, Answer::Multi(codes.to_vec()));
    assert!(bench.tree.get("/a").is_none());
    bench.ask(persistent("/a")).unwrap();
    assert_eq!(bench.tree.digest(), bench.prep.ahead().digest());
}

#[test]
fn a_closing_session_takes_its_ephemerals_in_the_order_of_a_java_set() {
    let mut bench = Bench::new();
    bench.ask(persistent("/p")).unwrap();
    for path in ["/p/one", "/p/two", "/p/three", "/zz", "/aa"] {
        bench.ask(create(path, CreateMode::Ephemeral)).unwrap();
    }
    let (_, txn) = bench.prepare(Body::Client(Request::CloseSession));
    let paths = ["/p/three", "/p/two", "/p/one", "/zz", "/aa"].map(Rc::from).to_vec();
    assert_eq!(txn.op, Op::CloseSession { paths }, "as recorded from the real one");
}

#[test]
fn versions_skip_the_one_that_means_any() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let txn = Txn { session: ME, cxid: 1, time: 0, op: Op::SetData { path: "/a".into(), data: None, version: -2 } };
    bench.tree.apply(Zxid::new(1, 50), &txn);
    bench.prep = Prep::new(bench.tree.clone(), Limits { extended_types: true });
    bench.next = 50;
    bench.ask(set("/a", "x", -2)).unwrap();
    assert_eq!(bench.tree.get("/a").map(|node| node.version), Some(0));
}
