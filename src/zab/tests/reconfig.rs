//! Two configurations at once: what waits for which, and from when on a learner counts by the next one.

use std::rc::Rc;

use super::discovery::connected_follower;
use super::replication::{ONE, TWO, ack, established};
use super::*;
use crate::base::{ConnId, Way};

fn with(rules: RuleSet) -> Config {
    Config { reconfig: true, rules, ..config() }
}

/// The configuration with these voters that the transaction at `version` proposes.
fn voters(ids: &[u8], version: &str) -> Rc<Members> {
    let voters = ids.iter().copied().map(ServerId).collect();
    Rc::new(Members { version: zxid(version), ..Members::new(voters, ServerSet::EMPTY) })
}

fn propose(bench: &mut Bench, config: Option<Rc<Members>>) -> Vec<Output> {
    let mut out = Outbox::default();
    let mut env = Env { now: bench.now, config: &bench.config, out: &mut out };
    bench.peer.propose(Payload { config, ..Payload::text("x") }, &mut env);
    out.items
}

fn committed(outputs: &[Output]) -> Vec<Zxid> {
    let zxid = |fact| if let Fact::Committed { zxid, .. } = fact { Some(zxid) } else { None };
    facts(outputs).into_iter().filter_map(zxid).collect()
}

/// `Leader.java` `processAck` looks further only behind a reconfiguration. So what is proposed after one has taken force, and is
/// complete, waits behind what was proposed before and needs a server that does not vote any more.
#[test]
fn what_is_complete_goes_with_what_it_waited_for() {
    for (rules, expected) in
        [(RuleSet::default(), &["1:2", "1:3"][..]), (RuleSet::default().breaking(Way::OneCommitEach), &["1:2"])]
    {
        let mut bench = established(with(rules));
        let logged = [Some(voters(&[2, 3], "1:1")), None].map(|config| propose(&mut bench, config));
        ack(&mut bench, TWO, "1:1");
        assert_eq!(committed(&bench.finish_disk(&logged[0])), [zxid("1:1")], "2 and 3 are a quorum of both");
        // 1:2 needs both configurations, and 1:3 only the new one: let 1:2 be the one that 2 is late with
        let later = propose(&mut bench, None);
        bench.finish_disk(&later);
        assert_eq!(committed(&ack(&mut bench, TWO, "1:3")), [], "1:2 is still open");
        assert_eq!(
            committed(&ack(&mut bench, TWO, "1:2")),
            expected.iter().map(|text| zxid(text)).collect::<Vec<_>>()
        );
    }
}

/// An acknowledgement of a server without a vote is none, but lets the leader look (`tryToCommit` follows `addAck`).
#[test]
fn whoever_acknowledges_lets_the_leader_look() {
    let mut bench = established(with(RuleSet::default().breaking(Way::OneCommitEach)));
    let logged = [Some(voters(&[2, 3], "1:1")), None].map(|config| propose(&mut bench, config));
    ack(&mut bench, TWO, "1:1");
    bench.finish_disk(&logged[0]);
    let later = propose(&mut bench, None);
    bench.finish_disk(&later);
    ack(&mut bench, TWO, "1:3");
    ack(&mut bench, TWO, "1:2");
    let out = ack(&mut bench, ONE, "1:3");
    assert_eq!(committed(&out), [zxid("1:3")]);
    assert!(!facts(&out).iter().any(|fact| matches!(fact, Fact::AckCounted { .. })), "1 does not vote any more");
}

/// Server 1 follows leader 3 in epoch 5 up to UPTODATE; NEWLEADER brings `config`, and `between` comes before UPTODATE.
fn up_to_date(config: &Rc<Members>, between: Vec<Packet>, rules: RuleSet) -> Bench {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), with(rules));
    let mut tell = |packet| {
        let out = bench.tell(Input::Packet(conn, packet));
        bench.finish_disk(&out);
    };
    tell(Packet::LeaderInfo { epoch: 5 });
    tell(Packet::Diff { zxid: zxid("4:1") });
    let payload = Payload { config: Some(config.clone()), ..Payload::text("x") };
    tell(Packet::Proposal(Proposal { zxid: config.version, payload }));
    tell(Packet::NewLeader { zxid: zxid("5:0"), config: Some(config.clone()) });
    between.into_iter().for_each(&mut tell);
    tell(Packet::UpToDate);
    bench
}

/// `Learner.java` `syncWithLeader`, UPTODATE: `processReconfig(newLeaderQV, …)`, committed or not.
#[test]
fn a_configuration_that_is_only_proposed_is_not_in_force_with_uptodate() {
    let config = voters(&[1, 3], "5:1");
    for (rules, between, in_force) in [
        (RuleSet::default(), vec![], false),
        (RuleSet::default(), vec![Packet::CommitAndActivate { zxid: zxid("5:1"), leader: ServerId(3) }], true),
        (RuleSet::default().breaking(Way::ProposedInForce), vec![], true),
    ] {
        let bench = up_to_date(&config, between, rules);
        assert!(bench.peer.upstream().is_some(), "it serves");
        let Quorums { now, next } = bench.peer.members;
        let expected = if in_force { (*config, None) } else { (now, Some(*config)) };
        assert_eq!((now, next), expected);
    }
}

#[test]
fn a_configuration_that_is_committed_behind_another_proposal_is_in_force_with_uptodate() {
    let (first, second) = (voters(&[1, 2, 3], "5:0"), voters(&[1, 3], "5:2"));
    let (mut bench, conn): (Bench, ConnId) = connected_follower(disk(4, "4:1"), with(RuleSet::default()));
    let payload = Payload { config: Some(second.clone()), ..Payload::text("x") };
    for packet in [
        Packet::LeaderInfo { epoch: 5 },
        Packet::Diff { zxid: zxid("4:1") },
        Packet::NewLeader { zxid: zxid("5:0"), config: Some(first) },
        Packet::Proposal(proposal("5:1")),
        Packet::Proposal(Proposal { zxid: zxid("5:2"), payload }),
        Packet::Commit { zxid: zxid("5:1") },
        Packet::CommitAndActivate { zxid: zxid("5:2"), leader: ServerId(3) },
        Packet::UpToDate,
    ] {
        let out = bench.tell(Input::Packet(conn, packet));
        bench.finish_disk(&out);
    }
    assert_eq!(bench.peer.members, Quorums::from(*second));
}
