//! Quotas: what is counted, and what is refused.

use super::*;
use crate::store::Op;

fn put(path: &str, data: &str) -> Request {
    let (acl, mode) = (Acl::open(), CreateMode::Persistent);
    Request::Create { path: path.into(), data: Some(data.into()), acl, mode, ttl: 0, stat: false, flags: None }
}

/// `/a` with two bytes and a child, and a quota.
fn limited(limits: &str) -> Bench {
    let mut bench = Bench::new();
    for (path, data) in [("/a", "xx"), ("/a/b", "x"), ("/ab", "x"), ("/zookeeper/quota/a", "")] {
        bench.ask(put(path, data)).unwrap();
    }
    bench.ask(put("/zookeeper/quota/a/zookeeper_limits", limits)).unwrap();
    bench.ask(put("/zookeeper/quota/a/zookeeper_stats", "count=0,bytes=0")).unwrap();
    bench
}

fn held(bench: &Bench) -> String {
    let node = bench.tree.get("/zookeeper/quota/a/zookeeper_stats").unwrap();
    assert_eq!(node.version, 0, "it is no write");
    node.data.as_ref().unwrap().to_string()
}

#[test]
fn a_subtree_is_counted_when_its_quota_is_made_and_with_every_write() {
    let mut bench = limited("count=9,bytes=-1");
    assert_eq!(held(&bench), "count=2,bytes=3");
    bench.ask(put("/a/b/c", "1234")).unwrap();
    bench.ask(set("/a", "", -1)).unwrap();
    bench.ask(put("/abc", "not below")).unwrap();
    assert_eq!(held(&bench), "count=3,bytes=5");
    bench.ask(Request::Delete { path: "/a/b/c".into(), version: -1 }).unwrap();
    assert_eq!(held(&bench), "count=2,bytes=1");
    assert_eq!(bench.tree.digest(), bench.prep.ahead().digest(), "every server counts the same");
}

#[test]
fn a_hard_quota_refuses_by_what_is_applied() {
    let mut bench = limited("count=-1,bytes=-1=;byteHardLimit=6;countHardLimit=3");
    bench.prep.judge_quotas(&bench.tree);
    assert_eq!(bench.ask(set("/a", "1234567", -1)), Err(Code::QuotaExceeded));
    assert_eq!(bench.ask(put("/a/c", "1234")), Err(Code::QuotaExceeded), "count fits, bytes do not");
    // proposed one behind the other: neither counts for the other
    let first = bench.prepare(Body::Client(put("/a/c", "")));
    let second = bench.prepare(Body::Client(put("/a/d", "")));
    for (zxid, txn) in [first, second] {
        assert!(matches!(txn.op, Op::Create { .. }), "{txn:?}");
        bench.tree.apply(zxid, &txn);
    }
    bench.prep.judge_quotas(&bench.tree);
    assert_eq!(bench.ask(put("/a/e", "")), Err(Code::QuotaExceeded));
    assert_eq!(bench.ask(put("/ab/e", "")).map(|_| ()), Ok(()));
}

#[test]
fn counts_that_somebody_wrote_wrap() {
    let mut bench = limited("count=-1,bytes=-1");
    let stats = "/zookeeper/quota/a/zookeeper_stats";
    bench.ask(set(stats, &format!("count={},bytes={}", i64::MAX, i64::MIN), -1)).unwrap();
    bench.ask(put("/a/c", "")).unwrap();
    bench.ask(set("/a", "", -1)).unwrap();
    let held = bench.tree.get(stats).unwrap().data.clone();
    assert_eq!(held, Some(format!("count={},bytes={}", i64::MIN, i64::MAX - 1).into()));
}

#[test]
fn a_limit_is_hard_where_it_says_so() {
    for (limits, hard) in [
        ("count=9,bytes=9", false),
        ("count=9,bytes=9=;byteHardLimit=-1;countHardLimit=4", true),
        ("count=9,bytes=9=;byteHardLimit=4;countHardLimit=-1", true),
    ] {
        let tree = limited(limits).tree;
        assert_eq!(["/a", "/a/b", "/ab"].map(|path| tree.has_hard_quota(path)), [hard, hard, false], "{limits}");
    }
}

#[test]
fn statistics_of_the_root_count_everything() {
    let (mut bench, stats) = (Bench::new(), "/zookeeper/quota/zookeeper_stats");
    bench.ask(put(stats, "")).unwrap();
    let held = bench.tree.get(stats).and_then(|node| node.data.clone());
    assert_eq!(held, Some("count=5,bytes=9".into()), "and the nine bytes of the configuration");
}

#[test]
fn what_is_written_over_counts_no_more() {
    let mut bench = limited("count=-1,bytes=-1=;byteHardLimit=6;countHardLimit=-1");
    for (data, outcome) in [("12345", Ok(())), ("123456", Err(Code::QuotaExceeded)), ("54321", Ok(()))] {
        bench.prep.judge_quotas(&bench.tree);
        assert_eq!(bench.ask(set("/a", data, -1)).map(|_| ()), outcome, "{data}");
    }
}
