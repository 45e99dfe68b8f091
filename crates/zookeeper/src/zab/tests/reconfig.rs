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
    let mut env = Env { now: bench.now, config: &bench.config, oracle: None, out: &mut out };
    let plain = Payload::text("x");
    bench.peer.propose(config.map_or(plain.clone(), |config| plain.proposing(config)), &mut env);
    out.items
}

fn zxids(texts: &[&str]) -> Vec<Zxid> {
    texts.iter().map(|text| zxid(text)).collect()
}

fn noted(outputs: &[Output], note: Note) -> bool {
    outputs.iter().any(|output| matches!(output, Output::Fact(_, why) if *why == Some(note)))
}

fn committed(outputs: &[Output]) -> Vec<Zxid> {
    let zxid = |fact| if let Fact::Committed { zxid, .. } = fact { Some(zxid) } else { None };
    facts(outputs).into_iter().filter_map(zxid).collect()
}

/// A configuration in which server 3 alone is a quorum takes force: what was proposed behind it waits for nobody else. As released it
/// waits for a quorum of the old one, and what is proposed later for that.
#[test]
fn what_is_open_when_a_configuration_takes_force_needs_a_quorum_of_that_one() {
    let released = RuleSet::default().breaking(Way::BothToTheEnd);
    for (rules, at_once) in [(RuleSet::default(), &["1:1", "1:2"][..]), (released, &["1:1"])] {
        let mut bench = established(with(rules));
        let logged = [Some(voters(&[3], "1:1")), None].map(|config| propose(&mut bench, config));
        assert_eq!(committed(&bench.finish_disk(&logged[0])), [], "it needs a quorum of both");
        let out = ack(&mut bench, ONE, "1:1");
        assert_eq!(committed(&out), zxids(at_once));
        assert_eq!(noted(&out, Note::LaterConfigAlone), at_once.len() > 1);
        let later = propose(&mut bench, None);
        let open = rules.breaks(Way::BothToTheEnd);
        assert_eq!(committed(&bench.finish_disk(&later)), zxids(if open { &[] } else { &["1:3"] }));
        if open {
            assert_eq!(committed(&ack(&mut bench, TWO, "1:2")), zxids(&["1:2"]), "1:3 is complete, but nobody looks");
            let out = ack(&mut bench, TWO, "1:3");
            assert_eq!(committed(&out), zxids(&["1:3"]), "who has no vote does not count, but lets the leader look");
            assert!(!facts(&out).iter().any(|fact| matches!(fact, Fact::AckCounted { .. })));
        }
    }
}

/// A follower acknowledges what is behind the configuration that makes it an observer, and follows anew before that is committed.
#[test]
fn acknowledgements_of_a_voter_that_becomes_an_observer_are_void() {
    let mut bench = established(with(RuleSet::default()));
    propose(&mut bench, None);
    ack(&mut bench, ONE, "1:1");
    let again = ConnId(61);
    bench.tell(Input::Accepted { conn: again, from: ServerId(1), port: Port::Quorum });
    bench.tell(Input::Packet(again, Packet::ObserverInfo { accepted_epoch: 1, config: Zxid::ZERO }));
    let ack_epoch = Packet::AckEpoch { zxid: zxid("1:1"), current_epoch: None, want_snap: false };
    let out = bench.tell(Input::Packet(again, ack_epoch));
    assert!(facts(&out).contains(&Fact::AcksForgotten { learner: ServerId(1), zxids: zxids(&["1:1"]) }));
    assert!(
        !packets(&out).iter().any(|packet| matches!(packet, Packet::Proposal(_))),
        "an observer gets no proposals"
    );
}

/// Server 1 alone has seen a configuration of which nobody else follows anybody.
#[test]
fn a_configuration_that_nobody_else_has_seen_keeps_nobody_outside() {
    for (rules, joins) in [(RuleSet::default(), true), (RuleSet::default().breaking(Way::JoinsByBoth), false)] {
        let mut bench = Bench::boot(1, disk(4, "4:1"), with(rules));
        bench.peer.members.next = Some(*voters(&[1, 4], "4:2"));
        let vote = Vote { leader: ServerId(3), zxid: zxid("4:1"), peer_epoch: 5 };
        bench.hear(2, vote, 7, ServerState::Following);
        let out = bench.hear(3, vote, 7, ServerState::Leading);
        let elected = facts(&out).iter().any(|fact| matches!(fact, Fact::Elected { leader: ServerId(3), .. }));
        assert_eq!((elected, noted(&out, Note::JoinsByConfigInForce)), (joins, joins));
    }
}

/// Server 1 follows leader 3 in epoch 5 up to UPTODATE; NEWLEADER brings `config`, and `between` comes before UPTODATE.
fn up_to_date(config: &Rc<Members>, between: Vec<Packet>, rules: RuleSet) -> (Bench, bool) {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), with(rules));
    let mut tell = |packet| {
        let out = bench.tell(Input::Packet(conn, packet));
        bench.finish_disk(&out);
    };
    tell(Packet::LeaderInfo { epoch: 5 });
    tell(Packet::Diff { zxid: zxid("4:1") });
    let payload = Payload::text("x").proposing(config.clone());
    tell(Packet::Proposal(Proposal { zxid: config.version, payload }));
    tell(Packet::NewLeader { zxid: zxid("5:0"), config: Some(config.clone()) });
    between.into_iter().for_each(&mut tell);
    let waits = noted(&bench.tell(Input::Packet(conn, Packet::UpToDate)), Note::ConfigStillProposed);
    (bench, waits)
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
        let (bench, waits) = up_to_date(&config, between, rules);
        assert!(bench.peer.upstream().is_some(), "it serves");
        let Quorums { now, next } = bench.peer.members;
        let expected = if in_force { (*config, None) } else { (now, Some(*config)) };
        assert_eq!((now, next), expected);
        assert_eq!(waits, !in_force, "it says so");
    }
}

#[test]
fn a_configuration_that_is_committed_behind_another_proposal_is_in_force_with_uptodate() {
    let (first, second) = (voters(&[1, 2, 3], "5:0"), voters(&[1, 3], "5:2"));
    let (mut bench, conn): (Bench, ConnId) = connected_follower(disk(4, "4:1"), with(RuleSet::default()));
    let payload = Payload::text("x").proposing(second.clone());
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

/// Server 1 is to vote in a configuration that is only proposed, and follows again, as an observer: it does not get that proposal.
#[test]
fn observers_that_are_to_vote_keep_no_leader_in_office() {
    let released = RuleSet::default().breaking(Way::ObserversKeepLeader);
    for (rules, leaves) in [(RuleSet::default(), true), (released, false)] {
        let mut bench = established(with(rules));
        propose(&mut bench, Some(voters(&[1, 3], "1:1")));
        bench.tell(Input::Closed(ONE));
        let again = ConnId(61);
        bench.tell(Input::Accepted { conn: again, from: ServerId(1), port: Port::Quorum });
        bench.tell(Input::Packet(again, Packet::ObserverInfo { accepted_epoch: 1, config: Zxid::ZERO }));
        let ack_epoch = Packet::AckEpoch { zxid: zxid("1:0"), current_epoch: None, want_snap: false };
        bench.tell(Input::Packet(again, ack_epoch));
        ack(&mut bench, again, "1:0");
        let reasons: Vec<LeaveReason> = (0..2)
            .flat_map(|_| facts(&bench.tell(Input::Timer(Timer::LeaderTick))))
            .filter_map(|fact| if let Fact::Left { reason, .. } = fact { Some(reason) } else { None })
            .collect();
        assert_eq!(reasons, if leaves { vec![LeaveReason::OnlyObservers] } else { vec![] });
    }
}

/// Server 2 votes only in a configuration that is proposed, and its round is later than that of server 1.
#[test]
fn the_later_round_of_a_server_that_may_not_lead_yet_is_joined() {
    for (rules, round) in [(RuleSet::default(), 3), (RuleSet::default().breaking(Way::JoinersUnheard), 1)] {
        let mut bench = Bench::boot(1, disk(4, "4:1"), with(rules));
        bench.peer.members = Quorums { now: *voters(&[1, 3], "4:0"), next: Some(*voters(&[1, 2], "4:2")) };
        let own = bench.peer.election.proposal;
        let vote = Vote { leader: ServerId::NONE, zxid: zxid("4:2"), peer_epoch: 4 };
        let out = bench.hear(2, vote, 3, ServerState::Looking);
        assert_eq!((bench.peer.election.round, noted(&out, Note::RoundOfJoiner)), (round, round == 3));
        assert_eq!(bench.peer.election.proposal, own, "nobody is no candidate");
    }
}

/// A leader that knows no later configuration has its learner give up the one that it has seen; that is told, for a quorum of it counts no more.
#[test]
fn a_configuration_that_is_given_up_is_told() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), with(RuleSet::default()));
    let now = voters(&[1, 2, 3], "4:0");
    bench.peer.members = Quorums { now: *now, next: Some(*voters(&[1, 4], "4:2")) };
    let mut out = Vec::new();
    for packet in [
        Packet::LeaderInfo { epoch: 5 },
        Packet::Diff { zxid: zxid("4:1") },
        Packet::NewLeader { zxid: zxid("5:0"), config: Some(now.clone()) },
    ] {
        let told = bench.tell(Input::Packet(conn, packet));
        out.extend(bench.finish_disk(&told));
        out.extend(told);
    }
    assert_eq!(bench.peer.members, Quorums::from(*now));
    assert!(facts(&out).contains(&Fact::ConfigActivated { config: *now }));
}

/// It was elected by the configuration before.
#[test]
fn a_learner_leaves_a_leader_that_has_no_vote_in_the_configuration_that_it_brings() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), with(RuleSet::default()));
    let mut out = Vec::new();
    for packet in [
        Packet::LeaderInfo { epoch: 5 },
        Packet::Diff { zxid: zxid("4:1") },
        Packet::NewLeader { zxid: zxid("5:0"), config: Some(voters(&[1, 2], "4:2")) },
        Packet::UpToDate,
    ] {
        out = bench.tell(Input::Packet(conn, packet));
        bench.finish_disk(&out);
    }
    assert!(facts(&out).contains(&Fact::Left { role: ServerState::Following, reason: LeaveReason::Reconfigured }));
}

/// What stands in the way of a start, as the process says when it ends.
#[test]
fn a_server_that_cannot_start_says_why() {
    let log = |epoch, log| Recovered { snapshots: vec![(Zxid::ZERO, Zxid::ZERO)], ..disk(epoch, log) };
    let hole = StartFault::Hole { before: zxid("4:1"), next: zxid("4:3") };
    let cases = [
        (1, log(4, "4:1 4:2"), RuleSet::default(), None),
        (4, log(4, "4:1"), RuleSet::default(), None),
        (4, log(4, "4:1"), RuleSet::default().breaking(Way::OutsidersExit), Some(StartFault::NotInPeerList)),
        (
            1,
            Recovered { snapshots: vec![], ..disk(4, "4:1") },
            RuleSet::default(),
            Some(StartFault::NoSnapshot { first: zxid("4:1") }),
        ),
        (1, Recovered { snapshots: vec![], ..disk(0, "") }, RuleSet::default(), None),
        (1, log(4, "4:1 4:3"), RuleSet::default(), Some(hole)),
        (1, log(4, "4:1 4:3"), RuleSet::default().breaking(Way::GapsTaken), None),
        (1, log(5, "4:1 5:3"), RuleSet::default(), None),
        (1, Recovered { snapshot: zxid("4:2"), ..log(4, "4:1 4:3") }, RuleSet::default(), None),
    ];
    for (id, disk, rules, fault) in cases {
        let (members, mut out) = (Members::new(ServerSet::first(3), ServerSet::EMPTY), Outbox::default());
        let mut env = Env { now: SimTime::ZERO, config: &with(rules), oracle: None, out: &mut out };
        let peer = Peer::boot(ServerId(id), members.into(), disk, Prng::new(0, Stream::Server), &mut env);
        let said = facts(&out.items).into_iter().find_map(|fact| match fact {
            Fact::CannotStart { fault } => Some(fault),
            _ => None,
        });
        assert_eq!((said, matches!(peer.role, Role::Stopped)), (fault, fault.is_some()));
        assert_eq!(out.items.contains(&Output::Exit), fault.is_some());
    }
}

#[test]
fn a_configuration_that_is_in_force_is_not_adopted_again() {
    let mut bench = Bench::boot(1, disk(4, "4:1"), with(RuleSet::default()));
    let (now, vote) = (voters(&[1, 2, 3], "4:0"), bench.peer.election.proposal);
    bench.peer.members = Quorums::from(*now);
    bench.hear(3, vote, 1, ServerState::Looking);
    let theirs = Notification { vote, round: 1, state: ServerState::Looking, config: Some(now) };
    let out = bench.tell(Input::Notification(ConnId(3), theirs));
    assert!(!out.iter().any(|output| matches!(output, Output::Config(_))));
}

#[test]
fn a_configuration_that_takes_force_voids_no_later_one() {
    for (version, stays) in [("4:1", true), ("4:2", false), ("4:3", false)] {
        let mut bench = Bench::boot(1, disk(4, "4:1"), with(RuleSet::default()));
        let (next, config, vote) = (*voters(&[1, 2], "4:2"), voters(&[1, 3], version), bench.peer.election.proposal);
        bench.peer.members = Quorums { now: *voters(&[1, 2, 3], "4:0"), next: Some(next) };
        bench.hear(3, vote, 1, ServerState::Looking);
        let state = ServerState::Looking;
        let theirs = Notification { vote, round: 1, state, config: Some(config.clone()) };
        bench.tell(Input::Notification(ConnId(3), theirs));
        assert_eq!(bench.peer.members, Quorums { now: *config, next: stays.then_some(next) });
    }
}

#[test]
fn a_learner_goes_to_the_leader_that_a_configuration_names_and_says_so() {
    let between = vec![Packet::CommitAndActivate { zxid: zxid("5:1"), leader: ServerId(2) }];
    let (mut bench, _) = up_to_date(&voters(&[1, 2], "5:1"), between, RuleSet::default());
    assert!(matches!(&bench.peer.role, Role::Learning(learner) if learner.leader == ServerId(2)));
    let vote = Vote { leader: ServerId(3), zxid: zxid("4:1"), peer_epoch: 4 };
    let said = bench.hear(3, vote, 9, ServerState::Looking).into_iter().find_map(|output| match output {
        Output::Send(_, Message::Notification(said)) => Some(said.vote.leader),
        _ => None,
    });
    assert_eq!(said, Some(ServerId(2)));
}

#[test]
fn votes_for_nobody_in_the_same_round_and_for_somebody_without_a_vote_are_not_heard() {
    for (leader, later) in [(ServerId::NONE, 0), (ServerId(5), 2)] {
        let mut bench = Bench::boot(1, disk(4, "4:1"), with(RuleSet::default()));
        bench.peer.members = Quorums { now: *voters(&[1, 3], "4:0"), next: Some(*voters(&[1, 2], "4:2")) };
        let (round, vote) = (bench.peer.election.round, Vote { leader, zxid: zxid("4:2"), peer_epoch: 4 });
        assert_eq!(bench.hear(2, vote, round + later, ServerState::Looking), []);
    }
}

#[test]
fn who_has_acknowledged_most_is_to_lead_and_to_commit_the_rest() {
    let mut bench = established(with(RuleSet::default()));
    for config in [Some(voters(&[1, 2], "1:1")), None] {
        propose(&mut bench, config);
    }
    ack(&mut bench, TWO, "1:1");
    ack(&mut bench, TWO, "1:2");
    let out = ack(&mut bench, ONE, "1:1");
    assert!(facts(&out).contains(&Fact::LeaderDesignated { leader: ServerId(2) }));
    assert_eq!(committed(&ack(&mut bench, ONE, "1:2")), []);
}

#[test]
fn an_observer_misses_no_reconfiguration_before_uptodate() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), with(RuleSet::default()));
    let observers =
        |ids: &[u8]| Members { observers: ids.iter().copied().map(ServerId).collect(), ..*voters(&[2, 3], "4:0") };
    bench.peer.members.now = observers(&[1]);
    let Role::Learning(learner) = &mut bench.peer.role else { panic!("it follows") };
    learner.observer = true;
    let config = Members { version: zxid("5:1"), ..observers(&[1, 4]) };
    let payload = Payload::text("x").proposing(Rc::new(config));
    let proposal = Proposal { zxid: zxid("5:1"), payload };
    for packet in [
        Packet::LeaderInfo { epoch: 5 },
        Packet::Diff { zxid: zxid("4:1") },
        Packet::NewLeader { zxid: zxid("5:0"), config: None },
        Packet::InformAndActivate { proposal, leader: ServerId(3) },
        Packet::UpToDate,
    ] {
        let out = bench.tell(Input::Packet(conn, packet));
        bench.finish_disk(&out);
    }
    assert_eq!((bench.peer.storage.last_processed, bench.peer.members), (zxid("5:1"), Quorums::from(config)));
}

#[test]
fn observers_are_no_quorum_of_a_configuration_in_which_they_vote() {
    let (mut bench, conn) = (established(with(RuleSet::default())), ConnId(54));
    bench.tell(Input::Accepted { conn, from: ServerId(4), port: Port::Quorum });
    bench.tell(Input::Packet(conn, Packet::ObserverInfo { accepted_epoch: 1, config: Zxid::ZERO }));
    let ack_epoch = Packet::AckEpoch { zxid: zxid("1:0"), current_epoch: None, want_snap: false };
    bench.tell(Input::Packet(conn, ack_epoch));
    for (ids, enough) in [([3, 4, 5], false), ([1, 3, 5], true)] {
        let members = Some(voters(&ids, "1:0").to_string().into());
        let asked = crate::wire::Request::Reconfig { joining: None, leaving: None, members, version: -1 };
        let next = bench.peer.reconfigured(&asked, zxid("1:1"), &bench.config).map(|next| next.voters);
        let voters = ids.map(ServerId).into_iter().collect();
        assert_eq!(next, if enough { Ok(voters) } else { Err(crate::wire::Code::NewConfigNoQuorum) });
    }
}
