//! The leader's step: which error one gets first, numbers of sequential nodes, all or nothing.

use std::collections::BTreeMap;

use super::*;
use crate::base::{RuleSet, ServiceRule, Way};
use crate::store::{Op, Owner};
use crate::wire::{Acl, Answer, AuthId, Perms};

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
    for (request, code) in [
        (flagged("no slash", 99), Code::BadArguments),
        (flagged("/x", 5), Code::BadArguments),
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
fn a_table_that_was_once_large_stays_large() {
    let order = |crowd: usize, emptied: bool, loaded: bool| {
        let mut bench = Bench::new();
        let mut each = |path: &str, create_it: bool| match create_it {
            true => bench.ask(create(path, CreateMode::Ephemeral)).unwrap(),
            false => bench.ask(delete(path, -1)).unwrap(),
        };
        let others: Vec<String> = (0..crowd).map(|number| format!("/x{number}")).collect();
        let mine = ["/n0", "/n10"]; // one bucket of four and of sixteen, two of 32
        mine.iter().filter(|_| !emptied).for_each(|path| drop(each(path, true)));
        others.iter().for_each(|path| drop(each(path, true)));
        others.iter().for_each(|path| drop(each(path, false)));
        mine.iter().filter(|_| emptied).for_each(|path| drop(each(path, true)));
        if loaded {
            bench.prep = Prep::new(bench.tree.clone().loaded(), Limits { extended_types: true });
        }
        let (_, txn) = bench.prepare(Body::Client(Request::CloseSession));
        let Op::CloseSession { paths } = txn.op else { panic!("{:?}", txn.op) };
        paths.iter().map(|path| path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(order(10, false, false), ["/n0", "/n10"]);
    assert_eq!(order(11, false, false), ["/n10", "/n0"], "the thirteenth makes the table grow, as in Java 17");
    assert_eq!(order(13, true, false), ["/n10", "/n0"], "the set stays when it is empty");
    assert_eq!(order(11, false, true), ["/n0", "/n10"], "a server that starts makes a new one");
}

#[test]
fn a_multi_with_a_part_of_the_wrong_kind_is_refused_whole() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let set_acl = Request::SetAcl { path: "/a".into(), acl: Acl::open(), version: -1 };
    let get = Request::GetData { path: "/a".into(), watch: false };
    let exists = Request::Exists { path: "/a".into(), watch: false };
    let sync = Request::Sync { path: "/a".into() };
    let digest = bench.tree.get("/a").cloned();
    for wrong in [set_acl, get, exists, sync, flagged("/x", 9), flagged("/x", 5), flagged("/x", -1)] {
        for ops in [vec![delete("/no", -1), wrong.clone()], vec![set("/a", "1", -1), wrong.clone()], vec![wrong]] {
            let before = bench.zxid();
            assert_eq!(bench.error(Request::Multi { ops }), Code::MarshallingError);
            assert_eq!(bench.tree.last, before.next(), "it takes a zxid");
        }
    }
    assert_eq!(bench.tree.get("/a").cloned(), digest, "nothing of it is done");
    assert_eq!(bench.ask(Request::Multi { ops: vec![] }), Ok(Answer::Multi(vec![])));
}

#[test]
fn the_flag_of_a_container_makes_one_in_a_multi_only() {
    let mut bench = Bench::new();
    assert_eq!(bench.ask(flagged("/a", 4)), Ok(Answer::Path("/a".into())));
    let Ok(Answer::Multi(parts)) = bench.ask(Request::Multi { ops: vec![flagged("/b", 4), flagged("/c", 1)] }) else {
        panic!("the multi failed");
    };
    assert!(matches!(&parts[..], [Ok(Answer::Created { .. }), Ok(Answer::Path(_))]), "{parts:?}");
    let owners = ["/a", "/b", "/c"].map(|path| bench.tree.get(path).map(|node| node.owner));
    assert_eq!(owners, [Owner::None, Owner::Container, Owner::Session(ME)].map(Some));
}

#[test]
fn a_list_does_not_hold_before_it_is_committed() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    bench.ask(persistent("/a/b")).unwrap();
    let acl = |perms, version| {
        let acl = vec![Acl { perms, who: AuthId::anyone() }];
        Body::Client(Request::SetAcl { path: "/a".into(), acl, version })
    };
    let write = || Body::Client(set("/a", "x", -1));
    let refused = |txn: &Txn| txn.op == Op::Error(Code::NoAuth);

    let first = bench.prepare(acl(Perms::READ, 0));
    let second = bench.prepare(acl(Perms::READ, 0));
    assert_eq!(
        second.1.op,
        Op::Error(Code::BadVersion),
        "the version is the new one, the right to ask is the old one"
    );
    let third = bench.prepare(write());
    assert!(!refused(&third.1));
    bench.commit(first);
    bench.commit(second);
    let fourth = bench.prepare(Body::Client(delete("/a/b", -1)));
    assert!(!refused(&fourth.1), "the record of the write before it is a copy with the old list");
    bench.commit(third);
    assert!(
        !refused(&bench.prepare(Body::Client(persistent("/a/c"))).1),
        "so is that of the parent of what was deleted"
    );
    let last = bench.zxid();
    bench.commit(fourth);
    bench.prep.committed(last);
    assert!(refused(&bench.prepare(write()).1), "nothing is under way, and the new list holds");
}

#[test]
fn a_node_made_anew_has_its_own_list() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let list = vec![Acl { perms: Perms::READ, who: AuthId::anyone() }];
    bench.prepare(Body::Client(Request::SetAcl { path: "/a".into(), acl: list.clone(), version: -1 }));
    let Request::Create { path, data, mode, ttl, stat, flags, .. } = persistent("/a") else { panic!("no create") };
    let again = Request::Create { path, data, acl: list, mode, ttl, stat, flags };
    let ops = vec![delete("/a", -1), again, set("/a", "x", -1)];
    let (_, txn) = bench.prepare(Body::Client(Request::Multi { ops }));
    assert_eq!(txn.op, Op::FailedMulti(vec![Code::Ok, Code::Ok, Code::NoAuth]));
    assert!(matches!(bench.prepare(Body::Client(set("/a", "x", -1))).1.op, Op::SetData { .. }), "all is taken back");
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

#[test]
fn a_leader_that_compares_no_version_takes_any() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    assert_eq!(bench.error(set("/a", "x", 7)), Code::BadVersion);
    bench.prep = bench.prep.breaking(RuleSet::default().breaking(ServiceRule::VersionNotCompared));
    bench.ask(set("/a", "x", 7)).unwrap();
}

#[test]
fn the_clone_of_a_set_of_three_has_a_table_of_eight() {
    let mut bench = Bench::new();
    let paths = ["/h", "/b", "/e"]; // buckets 1, 3, 6 of eight; 1, 3, 2 of four; 9, 3, 6 of sixteen
    paths.iter().rev().for_each(|path| drop(bench.ask(create(path, CreateMode::Ephemeral)).unwrap()));
    let (_, txn) = bench.prepare(Body::Client(Request::CloseSession));
    assert_eq!(txn.op, Op::CloseSession { paths: paths.map(Rc::from).to_vec() });
}

/// Its counter begins anew, and nothing of the old one is kept for what comes behind.
#[test]
fn a_parent_that_is_made_anew_in_a_multi_counts_anew() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    for _ in 0..3 {
        bench.ask(persistent("/a/b")).unwrap();
        bench.ask(delete("/a/b", -1)).unwrap();
    }
    let next = || create("/a/n-", CreateMode::PersistentSequential);
    let ops = vec![delete("/a", -1), persistent("/a"), next()];
    let multi = bench.prepare(Body::Client(Request::Multi { ops }));
    let behind: Vec<(Zxid, Txn)> = (0..3).map(|_| bench.prepare(Body::Client(next()))).collect();
    bench.commit(multi);
    for create in behind {
        bench.commit(create).outcome.unwrap();
    }
    let names: Vec<&str> = bench.tree.get("/a").unwrap().children.iter().map(|name| &**name).collect();
    assert_eq!(names, ["n-0000000000", "n-0000000001", "n-0000000002", "n-0000000003"]);
}

/// `DataTree.createNode` takes only a larger counter, a change record any: names with a minus come while another create is under way.
#[test]
fn a_counter_runs_over_only_while_creates_are_under_way() {
    let mut bench = Bench::new();
    bench.tree = bench.tree.counting_from(&BTreeMap::from([("/a".into(), i32::MAX - 1)]));
    bench.prep = Prep::new(bench.tree.clone(), Limits { extended_types: true });
    bench.ask(persistent("/a")).unwrap();
    let next = |bench: &mut Bench| bench.prepare(Body::Client(create("/a/n-", CreateMode::PersistentSequential)));
    let name = |(_, txn): &(Zxid, Txn)| match &txn.op {
        Op::Create { path, .. } => path.trim_start_matches("/a/").to_string(),
        other => format!("{other:?}"),
    };
    let under_way: Vec<(Zxid, Txn)> = (0..4).map(|_| next(&mut bench)).collect();
    let names: Vec<String> = under_way.iter().map(name).collect();
    assert_eq!(names, ["n-2147483646", "n-2147483647", "n--2147483648", "n--2147483647"]);
    for create in under_way {
        bench.commit(create);
    }
    let parent = bench.tree.get("/a").unwrap();
    assert_eq!((parent.cversion, parent.children.size()), (i32::MAX, 4));
    let stands = parent.pzxid;
    assert_eq!(stands, Zxid::new(1, 3), "that of the create that got 2147483646");
    assert_eq!(bench.error(create("/a/n-", CreateMode::PersistentSequential)), Code::NodeExists);
    bench.ask(delete("/a/n-2147483647", -1)).unwrap();
    let again = next(&mut bench);
    assert_eq!(name(&again), "n-2147483647", "the name comes again");
    let after = next(&mut bench);
    assert_eq!(name(&after), "Error(NodeExists)", "n--2147483648 stands");
}

/// ZOOKEEPER-4743: after so many writes that the number has run over, a version could be -1, which names any in a request.
#[test]
fn minus_one_is_a_version_in_released_servers_only() {
    for (rules, next, refuses) in
        [(RuleSet::default(), 0, true), (RuleSet::default().breaking(Way::MinusOneCounted), -1, false)]
    {
        let mut bench = Bench::new();
        bench.ask(persistent("/a")).unwrap();
        let (zxid, mut txn) = bench.prepare(Body::Client(set("/a", "x", 0)));
        let Op::SetData { version, .. } = &mut txn.op else { panic!("{txn:?}") };
        *version = -2;
        bench.commit((zxid, txn));
        bench.prep = Prep::new(bench.tree.clone(), Limits { extended_types: true }).breaking(rules);
        bench.ask(set("/a", "y", -2)).unwrap();
        assert_eq!(bench.tree.get("/a").unwrap().version, next);
        bench.ask(set("/a", "z", -1)).unwrap();
        // what was read before that write is no longer the version
        assert_eq!(bench.ask(set("/a", "too late", next)) == Err(Code::BadVersion), refuses);
    }
}
