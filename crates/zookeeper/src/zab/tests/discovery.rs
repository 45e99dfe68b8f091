//! Discovery: the new epoch, the promises, and what must be on disk before an answer.

use super::*;
use crate::base::{ConnId, Way};
use crate::store::Tree;

/// Server 3 of three, elected, with its first snapshot done.
fn elected_leader(disk: Recovered, config: Config) -> Bench {
    let mut bench = Bench::boot(3, disk, config);
    let own = bench.peer.election.proposal;
    bench.hear(1, own, 1, ServerState::Looking);
    let out = bench.tell(Input::Timer(Timer::Finalize));
    assert!(out.contains(&Output::Listen(true)));
    bench.finish_disk(&out);
    bench
}

fn greet(bench: &mut Bench, from: u8, accepted_epoch: Epoch) -> Vec<Output> {
    let conn = ConnId(50 + u64::from(from));
    bench.tell(Input::Accepted { conn, from: ServerId(from), port: Port::Quorum });
    bench.tell(Input::Packet(conn, Packet::FollowerInfo { accepted_epoch, config: Zxid::ZERO }))
}

#[test]
fn the_epoch_is_one_above_the_largest_accepted_in_the_quorum_and_durable_first() {
    let mut bench = elected_leader(disk(4, ""), config());
    let out = greet(&mut bench, 1, 7);
    let quorum = [1, 3].map(ServerId).into_iter().collect();
    assert_eq!(facts(&out), [Fact::EpochProposed { epoch: 8, quorum }]);
    assert_eq!((disk_ops(&out), packets(&out)), (vec![DiskOp::AcceptedEpoch(8)], vec![]), "nothing is sent before");
    let out = bench.finish_disk(&out);
    assert_eq!(packets(&out), [Packet::LeaderInfo { epoch: 8 }]);
}

#[test]
fn a_learner_with_more_history_does_not_count_before_the_leader_is_established() {
    let mut bench = elected_leader(disk(4, "4:1"), config());
    let out = greet(&mut bench, 1, 4);
    bench.finish_disk(&out);
    let (zxid, current_epoch) = (zxid("4:2"), Some(4));
    let out = bench.tell(Input::Packet(ConnId(51), Packet::AckEpoch { zxid, current_epoch, want_snap: false }));
    let dropped = Fact::LearnerDropped { learner: ServerId(1), reason: DropReason::NewerHistory };
    assert_eq!(facts(&out), [dropped]);
    assert!(out.contains(&Output::Close(ConnId(51))));
}

#[test]
fn a_learner_that_promised_a_later_epoch_makes_the_leader_start_over() {
    let mut bench = elected_leader(disk(4, ""), config());
    let out = greet(&mut bench, 1, 4);
    bench.finish_disk(&out);
    let out = greet(&mut bench, 2, 9);
    let left = Fact::Left { role: ServerState::Leading, reason: LeaveReason::LaterEpochPromised };
    assert_eq!(facts(&out)[0], left);
    let trap = Config { rules: RuleSet::default().breaking(BrokenRule::AcceptedEpochTrap), ..config() };
    let mut bench = elected_leader(disk(4, ""), trap);
    let out = greet(&mut bench, 1, 4);
    bench.finish_disk(&out);
    assert_eq!(packets(&greet(&mut bench, 2, 9)), [Packet::LeaderInfo { epoch: 5 }], "the historical behaviour");
}

/// Server 1 of three, connected to leader 3.
pub(super) fn connected_follower(disk: Recovered, config: Config) -> (Bench, ConnId) {
    let mut bench = Bench::boot(1, disk, config);
    let vote = Vote { leader: ServerId(3), zxid: zxid("9:9"), peer_epoch: 99 };
    bench.hear(3, vote, 1, ServerState::Looking);
    let out = bench.tell(Input::Timer(Timer::Finalize));
    let Some(Output::Dial { conn, .. }) = out.last() else { panic!("it should dial its leader") };
    let conn = *conn;
    bench.tell(Input::Connected(conn));
    (bench, conn)
}

#[test]
fn a_promise_is_on_disk_before_the_answer() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), config());
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
    assert_eq!((disk_ops(&out), packets(&out)), (vec![DiskOp::AcceptedEpoch(5)], vec![]));
    let out = bench.finish_disk(&out);
    let answer = Packet::AckEpoch { zxid: zxid("4:1"), current_epoch: Some(4), want_snap: false };
    assert_eq!(packets(&out), [answer]);
}

#[test]
fn an_epoch_accepted_before_is_answered_without_a_vote() {
    let (mut bench, conn) = connected_follower(disk(5, ""), config());
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
    let answer = Packet::AckEpoch { zxid: zxid("0:0"), current_epoch: None, want_snap: false };
    assert_eq!((disk_ops(&out), packets(&out)), (vec![], vec![answer]));
}

#[test]
fn an_older_epoch_is_not_obeyed_unless_the_rule_is_broken() {
    let (mut bench, conn) = connected_follower(disk(5, ""), config());
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 4 }));
    let left = Fact::Left { role: ServerState::Following, reason: LeaveReason::OlderEpoch };
    assert_eq!(facts(&out)[0], left);
    let rules = RuleSet::default().breaking(BrokenRule::FollowerObeysOlderEpoch);
    let (mut bench, conn) = connected_follower(disk(5, ""), Config { rules, ..config() });
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 4 }));
    assert_eq!(disk_ops(&out), [DiskOp::AcceptedEpoch(4)]);
}

#[test]
fn a_log_of_a_later_epoch_than_the_file_is_adopted_and_historically_refused() {
    let torn = || Recovered { current_epoch: 3, ..disk(5, "3:1 5:1") };
    let bench = Bench::boot(1, torn(), config());
    assert_eq!(bench.peer.storage.current_epoch, 5);
    let rules = RuleSet::default().breaking(BrokenRule::Zookeeper1653);
    let bench = Bench::boot(1, torn(), Config { rules, ..config() });
    assert!(matches!(bench.peer.role, Role::Stopped));
}

#[test]
fn history_then_epoch_are_durable_before_newleader_is_acknowledged() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1"), config());
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
    bench.finish_disk(&out);
    bench.tell(Input::Packet(conn, Packet::Diff { zxid: zxid("4:2") }));
    bench.tell(Input::Packet(conn, Packet::Proposal(proposal("4:2"))));
    bench.tell(Input::Packet(conn, Packet::Commit { zxid: zxid("4:2") }));
    let out = bench.tell(Input::Packet(conn, Packet::NewLeader { zxid: zxid("5:0"), config: None }));
    assert_eq!((disk_ops(&out), packets(&out)), (vec![DiskOp::Append(vec![proposal("4:2")], true)], vec![]));
    assert!(out.contains(&Output::Apply(proposal("4:2"))));
    let Output::Persist(token, _) = out.iter().find(|o| matches!(o, Output::Persist(..))).unwrap() else { return };
    let out = bench.tell(Input::Persisted(*token, 10));
    assert_eq!((disk_ops(&out), packets(&out)), (vec![DiskOp::CurrentEpoch(5)], vec![]));
    let out = bench.finish_disk(&out);
    assert_eq!(packets(&out), [Packet::Ack { zxid: zxid("5:0") }]);
}

#[test]
fn packets_that_come_while_the_disk_is_busy_are_read_afterwards() {
    let (mut bench, conn) = connected_follower(disk(4, "4:1 4:2"), config());
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
    bench.finish_disk(&out);
    let out = bench.tell(Input::Packet(conn, Packet::Trunc { zxid: zxid("4:1") }));
    assert_eq!(disk_ops(&out), [DiskOp::Truncate(zxid("4:1"))]);
    assert_eq!(bench.tell(Input::Packet(conn, Packet::NewLeader { zxid: zxid("5:0"), config: None })), []);
    let out = bench.finish_disk(&out);
    assert!(out.contains(&Output::Reload));
    let mut out = Outbox::default();
    let mut env = Env { now: bench.now, config: &bench.config, oracle: None, out: &mut out };
    bench.peer.reloaded(Recovered { accepted_epoch: 5, ..disk(4, "4:1") }, &mut env);
    assert_eq!(bench.peer.storage.last_processed, zxid("4:1"));
    assert_eq!(disk_ops(&out.items), [DiskOp::CurrentEpoch(5)], "NEWLEADER was read then");
}

fn with(rules: RuleSet) -> Config {
    Config { rules, ..config() }
}

/// Server 1 follows leader 3 in epoch 5, and has promised.
pub(super) fn promised_follower(log: &str, rules: RuleSet) -> (Bench, ConnId) {
    let (mut bench, conn) = connected_follower(disk(4, log), with(rules));
    let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
    bench.finish_disk(&out);
    (bench, conn)
}

fn left(reason: LeaveReason) -> Fact {
    Fact::Left { role: ServerState::Following, reason }
}

/// `Learner.java` `syncWithLeader`: exit code 13, where ours asks for SNAP the next time.
#[test]
fn a_log_that_cannot_be_cut_ends_the_process_of_a_released_version() {
    let trunc = || Packet::Trunc { zxid: zxid("4:1") };
    let snapshot = || Recovered { snapshot: zxid("4:3"), log_start: zxid("4:3"), ..disk(4, "") };
    for (rules, reason, exits) in [
        (RuleSet::default(), LeaveReason::CannotTruncate, false),
        (RuleSet::default().breaking(Way::LearnerExits), LeaveReason::BadSyncPacket, true),
    ] {
        let (mut bench, conn) = connected_follower(snapshot(), with(rules));
        let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
        bench.finish_disk(&out);
        let out = bench.tell(Input::Packet(conn, trunc()));
        assert_eq!(facts(&out)[0], left(reason));
        assert_eq!((out.contains(&Output::Exit), matches!(bench.peer.role, Role::Stopped)), (exits, exits));
    }
}

/// A snapshot is named by where writing it began, and may hold more: with that goes the only one that a log which begins at it could
/// be applied to.
#[test]
fn a_log_is_not_cut_where_no_snapshot_would_remain() {
    for (holds, expected) in [("4:1", None), ("4:2", Some(left(LeaveReason::CannotTruncate)))] {
        let snapshots = vec![(zxid("4:1"), zxid(holds))];
        let disk = Recovered { snapshot: zxid("4:1"), snapshots, log_start: zxid("4:1"), ..disk(4, "4:2") };
        let (mut bench, conn) = connected_follower(disk, with(RuleSet::default()));
        let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
        bench.finish_disk(&out);
        let out = bench.tell(Input::Packet(conn, Packet::Trunc { zxid: zxid("4:1") }));
        assert_eq!(facts(&out).first().cloned(), expected);
    }
}

/// `FollowerZooKeeperServer.java` `commit`: exit code 12.
#[test]
fn a_commit_of_another_proposal_ends_the_process_of_a_released_version() {
    for (rules, reason, exits) in [
        (RuleSet::default(), LeaveReason::OutOfOrder, false),
        (RuleSet::default().breaking(Way::LearnerExits), LeaveReason::UnmatchedCommit, true),
    ] {
        let (mut bench, conn) = promised_follower("4:1", rules);
        for packet in [Packet::Diff { zxid: zxid("4:1") }, Packet::NewLeader { zxid: zxid("5:0"), config: None }] {
            let out = bench.tell(Input::Packet(conn, packet));
            bench.finish_disk(&out);
        }
        bench.tell(Input::Packet(conn, Packet::UpToDate));
        bench.tell(Input::Packet(conn, Packet::Proposal(proposal("5:1"))));
        let out = bench.tell(Input::Packet(conn, Packet::Commit { zxid: zxid("5:2") }));
        assert_eq!(facts(&out)[0], left(reason));
        assert_eq!(out.contains(&Output::Exit), exits);
    }
}

/// A follower that has logged two proposals of a DIFF, the second without its commit; what it sent up to NEWLEADER's ACK.
fn until_new_leader(rules: RuleSet) -> (Bench, ConnId, Vec<Packet>) {
    let (mut bench, conn) = promised_follower("4:1", rules);
    for packet in [
        Packet::Diff { zxid: zxid("4:2") },
        Packet::Proposal(proposal("4:2")),
        Packet::Commit { zxid: zxid("4:2") },
        Packet::Proposal(proposal("4:3")),
    ] {
        bench.tell(Input::Packet(conn, packet));
    }
    let out = bench.tell(Input::Packet(conn, Packet::NewLeader { zxid: zxid("5:0"), config: None }));
    let sent = packets(&bench.finish_disk(&out));
    (bench, conn, sent)
}

/// 3.8 logs all that it has before it acknowledges NEWLEADER, and acknowledges the proposals after UPTODATE. A COMMIT
/// before that finds none (ZOOKEEPER-4394).
#[test]
fn what_is_logged_before_newleader_is_acknowledged_after_uptodate_in_3_8() {
    let (bench, ..) = until_new_leader(RuleSet::default());
    assert_eq!(bench.peer.storage.last_logged(), zxid("4:2"));
    let rules = RuleSet::default().breaking(BrokenRule::Zookeeper4394);
    let ack = |text: &str| Packet::Ack { zxid: zxid(text) };
    let (mut bench, conn, sent) = until_new_leader(rules);
    assert_eq!((bench.peer.storage.last_logged(), sent), (zxid("4:3"), vec![ack("5:0")]));
    let out = bench.tell(Input::Packet(conn, Packet::UpToDate));
    assert_eq!(packets(&out), [ack("5:0"), ack("4:2"), ack("4:3")]);
    assert!(out.contains(&Output::Apply(proposal("4:2"))) && !out.contains(&Output::Apply(proposal("4:3"))));
    let (mut bench, conn, _) = until_new_leader(rules);
    let out = bench.tell(Input::Packet(conn, Packet::Commit { zxid: zxid("4:3") }));
    assert_eq!(facts(&out)[0], left(LeaveReason::OutOfOrder));
}

/// A follower whose log was cut by TRUNC, and read anew.
fn cut_follower(rules: RuleSet) -> (Bench, ConnId) {
    let (mut bench, conn) = promised_follower("4:1 4:2", rules);
    let out = bench.tell(Input::Packet(conn, Packet::Trunc { zxid: zxid("4:1") }));
    bench.finish_disk(&out);
    let mut out = Outbox::default();
    let mut env = Env { now: bench.now, config: &bench.config, oracle: None, out: &mut out };
    bench.peer.reloaded(Recovered { accepted_epoch: 5, ..disk(4, "4:1") }, &mut env);
    (bench, conn)
}

/// Half a TRUNC in memory: dropped by the repaired rule, kept by a released version.
#[test]
fn half_a_trunc_is_loaded_again_unless_the_rule_is_broken() {
    for (rules, reloads) in
        [(RuleSet::default(), true), (RuleSet::default().breaking(BrokenRule::Zookeeper5094), false)]
    {
        let (mut bench, conn) = cut_follower(rules);
        let out = bench.tell(Input::Closed(conn));
        assert_eq!(out.contains(&Output::Reload), reloads);
    }
}

/// A learner's log goes on without it (ZOOKEEPER-4712): its vote does not speak for what is being written.
#[test]
fn a_learner_waits_for_its_log_unless_the_rule_is_broken() {
    for (rules, waits) in
        [(RuleSet::default(), true), (RuleSet::default().breaking(BrokenRule::Zookeeper4712), false)]
    {
        let (mut bench, conn, _) = until_new_leader(rules);
        bench.tell(Input::Packet(conn, Packet::UpToDate));
        bench.tell(Input::Closed(conn));
        assert_eq!(matches!(bench.peer.role, Role::Leaving { .. }), waits);
        let voted = bench.peer.election.proposal.zxid;
        assert!(waits || voted == zxid("4:2"), "{voted}");
    }
}

#[test]
fn a_leader_synchronises_while_it_waits_for_acks_of_newleader() {
    let mut bench = elected_leader(disk(4, ""), config());
    let out = greet(&mut bench, 1, 4);
    bench.finish_disk(&out);
    assert_eq!(bench.peer.phase(), Phase::Discovery);
    let answer = Packet::AckEpoch { zxid: zxid("0:0"), current_epoch: Some(4), want_snap: false };
    let out = bench.tell(Input::Packet(ConnId(51), answer));
    bench.finish_disk(&out);
    assert_eq!(bench.peer.phase(), Phase::Synchronization);
    bench.tell(Input::Packet(ConnId(51), Packet::Ack { zxid: zxid("5:0") }));
    assert_eq!(bench.peer.phase(), Phase::Broadcast);
}

fn new_leader() -> Packet {
    Packet::NewLeader { zxid: zxid("5:0"), config: None }
}

#[test]
fn only_a_state_that_is_not_in_the_log_is_written_whole() {
    let (mut bench, conn) = promised_follower("4:1 4:2", RuleSet::default());
    bench.tell(Input::Packet(conn, Packet::Snap { zxid: zxid("4:1"), state: Tree::new("").into() }));
    let out = bench.tell(Input::Packet(conn, new_leader()));
    assert_eq!(disk_ops(&out), [DiskOp::InstallSnapshot(zxid("4:1"), ())], "its log is longer");
    // it has led, and nothing was written then
    let (mut bench, conn) = promised_follower("3:1", RuleSet::default());
    bench.peer.storage.last_processed = zxid("4:0");
    bench.tell(Input::Packet(conn, Packet::Diff { zxid: zxid("3:1") }));
    let out = bench.tell(Input::Packet(conn, new_leader()));
    assert_eq!(disk_ops(&out), [DiskOp::CurrentEpoch(5)]);
}

#[test]
fn an_observer_logs_what_it_missed_after_uptodate_unless_it_is_to_vote() {
    let voters = |ids: &[u8]| Members::new(ids.iter().copied().map(ServerId).collect(), ServerSet::EMPTY);
    for votes in [false, true] {
        let (mut bench, conn) = promised_follower("4:1", RuleSet::default());
        let Role::Learning(learner) = &mut bench.peer.role else { panic!("it follows") };
        learner.observer = true;
        bench.peer.members = Quorums { now: voters(&[2, 3]), next: votes.then(|| voters(&[1, 2, 3])) };
        let (diff, commit) = (Packet::Diff { zxid: zxid("4:2") }, Packet::Commit { zxid: zxid("4:2") });
        for packet in [diff, Packet::Proposal(proposal("4:2")), commit] {
            bench.tell(Input::Packet(conn, packet));
        }
        let out = bench.tell(Input::Packet(conn, new_leader()));
        let append = DiskOp::Append(vec![proposal("4:2")], true);
        assert_eq!(disk_ops(&out), [if votes { append } else { DiskOp::CurrentEpoch(5) }]);
    }
}

/// `Learner.java` `syncWithLeader`: nobody waits for the snapshot after a cut.
#[test]
fn a_released_version_writes_a_snapshot_after_a_cut() {
    let rules = RuleSet::default().breaking(Way::LooseCut);
    let (mut bench, conn) = cut_follower(rules);
    let out = bench.tell(Input::Packet(conn, new_leader()));
    assert_eq!(disk_ops(&out), [DiskOp::Snapshot(zxid("4:1"), ()), DiskOp::CurrentEpoch(5)]);
    let (mut bench, conn) = promised_follower("4:1", rules);
    bench.tell(Input::Packet(conn, Packet::Snap { zxid: zxid("4:3"), state: Tree::new("").into() }));
    let out = bench.tell(Input::Packet(conn, new_leader()));
    assert_eq!(disk_ops(&out), [DiskOp::InstallSnapshot(zxid("4:3"), ())]);
}

#[test]
fn a_learner_that_knows_a_later_configuration_is_dropped() {
    let mut bench = elected_leader(disk(4, ""), config());
    let conn = ConnId(51);
    bench.tell(Input::Accepted { conn, from: ServerId(1), port: Port::Quorum });
    let out = bench.tell(Input::Packet(conn, Packet::FollowerInfo { accepted_epoch: 4, config: zxid("4:1") }));
    assert_eq!(facts(&out), [Fact::LearnerDropped { learner: ServerId(1), reason: DropReason::LaterConfig }]);
    assert!(out.contains(&Output::Close(conn)));
}

#[test]
fn a_leader_that_does_not_listen_is_given_up_at_the_fifth_attempt() {
    let mut bench = Bench::boot(1, disk(4, ""), config());
    let vote = Vote { leader: ServerId(3), zxid: zxid("9:9"), peer_epoch: 99 };
    bench.hear(3, vote, 1, ServerState::Looking);
    let mut out = bench.tell(Input::Timer(Timer::Finalize));
    for attempt in 1..=5 {
        let Some(Output::Dial { conn, .. }) = out.last() else { panic!("it should dial its leader") };
        let refused = bench.tell(Input::Refused(*conn));
        assert_eq!(facts(&refused).contains(&left(LeaveReason::LeaderUnreachable)), attempt == 5);
        out = bench.tell(Input::Timer(Timer::ConnectRetry));
    }
}

#[test]
fn a_learner_leaves_where_a_proposal_is_missing_and_a_released_version_stays() {
    for (rules, leaves) in [(RuleSet::default(), true), (RuleSet::default().breaking(Way::GapsTaken), false)] {
        let (mut bench, conn) = promised_follower("4:1", rules);
        bench.tell(Input::Packet(conn, Packet::Diff { zxid: zxid("4:4") }));
        bench.tell(Input::Packet(conn, Packet::Proposal(proposal("4:2"))));
        let out = bench.tell(Input::Packet(conn, Packet::Proposal(proposal("4:4"))));
        assert_eq!(facts(&out).contains(&left(LeaveReason::OutOfOrder)), leaves);
    }
}

#[test]
fn a_learner_is_in_discovery_until_it_has_promised() {
    let (bench, _) = connected_follower(disk(4, ""), config());
    assert_eq!(bench.peer.phase(), Phase::Discovery);
    let (bench, _) = promised_follower("", RuleSet::default());
    assert_eq!(bench.peer.phase(), Phase::Synchronization);
}

#[test]
fn a_log_is_not_cut_to_a_snapshot_that_is_being_replaced() {
    let at = zxid("4:1");
    let disk = Recovered { snapshot: at, snapshots: vec![(at, at)], log_start: at, ..disk(4, "") };
    let (mut bench, mut out) = (Bench::boot(1, disk, config()), Outbox::default());
    let storage = &mut bench.peer.storage;
    storage.write_snapshot(&mut out);
    assert!(storage.can_truncate(at, &bench.config), "it will hold nothing else");
    storage.apply(proposal("4:2"), &bench.config, &mut out);
    assert!(!storage.can_truncate(at, &bench.config));
}

/// `Learner.java`: a released version looks only whether there is a log.
#[test]
fn a_released_version_cuts_whatever_log_there_is() {
    for (log, cuts) in [("4:2", true), ("", false)] {
        let (at, snapshots) = (zxid("4:1"), vec![(zxid("4:1"), zxid("4:3"))]);
        let disk = Recovered { snapshot: at, snapshots, log_start: at, ..disk(4, log) };
        let (mut bench, conn) = connected_follower(disk, with(RuleSet::default().breaking(Way::OldLogKept)));
        let out = bench.tell(Input::Packet(conn, Packet::LeaderInfo { epoch: 5 }));
        bench.finish_disk(&out);
        let out = bench.tell(Input::Packet(conn, Packet::Trunc { zxid: at }));
        assert_eq!(disk_ops(&out).contains(&DiskOp::Truncate(at)), cuts);
    }
}

/// A leader that was elected this moment, and what it has begun.
fn writing_its_first_snapshot() -> (Bench, Vec<Output>) {
    let mut bench = Bench::boot(3, disk(4, ""), Config { snapshot_first: true, ..config() });
    let own = bench.peer.election.proposal;
    bench.hear(1, own, 1, ServerState::Looking);
    let elected = bench.tell(Input::Timer(Timer::Finalize));
    (bench, elected)
}

#[test]
fn who_hangs_up_while_the_leader_writes_its_first_snapshot_is_not_let_in() {
    let (mut bench, elected) = writing_its_first_snapshot();
    for from in [1, 2] {
        assert_eq!(greet(&mut bench, from, 4), []);
    }
    bench.tell(Input::Closed(ConnId(51)));
    bench.finish_disk(&elected);
    let Role::Leading(leader) = &bench.peer.role else { panic!("it leads") };
    assert!(leader.learners.values().map(|handler| handler.learner).eq([ServerId(2)]));
}

/// The race of ZOOKEEPER-4685.
#[test]
fn chance_acknowledges_nothing_where_that_rule_is_kept() {
    for coins in 0..8 {
        let (mut bench, conn) = promised_follower("4:1", RuleSet::default().breaking(BrokenRule::Zookeeper4394));
        for _ in 0..coins {
            bench.peer.storage.coin();
        }
        bench.tell(Input::Packet(conn, Packet::Diff { zxid: zxid("4:2") }));
        bench.tell(Input::Packet(conn, Packet::Proposal(proposal("4:2"))));
        let out = bench.tell(Input::Packet(conn, new_leader()));
        assert_eq!(packets(&bench.finish_disk(&out)), [Packet::Ack { zxid: zxid("5:0") }]);
    }
}

#[test]
fn who_waits_at_a_leader_that_gives_up_is_turned_away() {
    let (mut bench, elected) = writing_its_first_snapshot();
    greet(&mut bench, 1, 4);
    assert!(bench.tell(Input::DiskFailed(tokens(&elected)[0])).contains(&Output::Close(ConnId(51))));
}
