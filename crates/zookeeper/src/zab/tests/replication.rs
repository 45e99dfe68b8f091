//! Broadcast: zxids, the order of commits, acknowledgements, giving up.

use super::*;
use crate::base::{ConnId, Way};

pub(super) const ONE: ConnId = ConnId(51);
pub(super) const TWO: ConnId = ConnId(52);

/// Server 3 of three, established in epoch 1 with both followers serving.
pub(super) fn established(config: Config) -> Bench {
    let mut bench = Bench::boot(3, disk(0, ""), config);
    let own = bench.peer.election.proposal;
    bench.hear(1, own, 1, ServerState::Looking);
    let mut out = bench.tell(Input::Timer(Timer::Finalize));
    for (conn, from) in [(ONE, 1), (TWO, 2)] {
        bench.tell(Input::Accepted { conn, from: ServerId(from), port: Port::Quorum });
        out.extend(bench.tell(Input::Packet(conn, Packet::FollowerInfo { accepted_epoch: 0, config: Zxid::ZERO })));
    }
    bench.finish_disk(&out);
    for conn in [ONE, TWO] {
        let ack = Packet::AckEpoch { zxid: zxid("0:0"), current_epoch: Some(0), want_snap: false };
        let out = bench.tell(Input::Packet(conn, ack));
        bench.finish_disk(&out);
    }
    for conn in [ONE, TWO] {
        bench.tell(Input::Packet(conn, Packet::Ack { zxid: zxid("1:0") }));
    }
    assert!(bench.peer.is_established_leader());
    bench
}

fn propose(bench: &mut Bench) -> Vec<Output> {
    let mut out = Outbox::default();
    let mut env = Env { now: bench.now, config: &bench.config, oracle: None, out: &mut out };
    bench.peer.propose(Payload::text("x"), &mut env);
    out.items
}

pub(super) fn ack(bench: &mut Bench, conn: ConnId, text: &str) -> Vec<Output> {
    bench.tell(Input::Packet(conn, Packet::Ack { zxid: zxid(text) }))
}

#[test]
fn a_proposal_goes_to_all_followers_and_to_the_own_log() {
    let mut bench = established(config());
    let out = propose(&mut bench);
    let expected = Packet::Proposal(proposal("1:1"));
    assert_eq!(packets(&out), [expected.clone(), expected]);
    assert_eq!(disk_ops(&out), [DiskOp::Append(vec![proposal("1:1")], true)]);
    assert_eq!(bench.peer.storage.last_processed, zxid("1:0"), "proposed is not applied");
}

#[test]
fn a_majority_commits_whether_or_not_the_leaders_disk_is_in_it() {
    let mut bench = established(config());
    propose(&mut bench);
    assert_eq!(packets(&ack(&mut bench, ONE, "1:1")), []);
    let out = ack(&mut bench, TWO, "1:1");
    let commit = Packet::Commit { zxid: zxid("1:1") };
    assert_eq!(packets(&out), [commit.clone(), commit]);
    assert!(out.contains(&Output::Apply(proposal("1:1"))));
    assert_eq!(facts(&ack(&mut bench, ONE, "1:1")), [], "late acknowledgements change nothing");
}

#[test]
fn nothing_is_committed_before_what_was_proposed_before_it() {
    let mut bench = established(config());
    propose(&mut bench);
    propose(&mut bench);
    ack(&mut bench, ONE, "1:2");
    assert_eq!(packets(&ack(&mut bench, TWO, "1:2")), [], "1:1 is still open");
}

#[test]
fn the_broken_rule_commits_with_one_acknowledgement() {
    let rules = RuleSet::default().breaking(BrokenRule::CommitAtMinority);
    let mut bench = established(Config { rules, ..config() });
    propose(&mut bench);
    assert_eq!(packets(&ack(&mut bench, ONE, "1:1")).len(), 2);
}

#[test]
fn the_leader_resigns_when_the_counter_is_used_up() {
    let mut bench = established(Config { counter_limit: 2, ..config() });
    propose(&mut bench);
    let out = propose(&mut bench);
    let left = Fact::Left { role: ServerState::Leading, reason: LeaveReason::CounterUsedUp };
    assert_eq!(facts(&out)[0], left);
}

#[test]
fn the_leader_steps_down_when_its_followers_are_silent_for_sync_limit_ticks() {
    let mut bench = established(config());
    let mut ticks = 0;
    while bench.peer.is_established_leader() && ticks < 100 {
        bench.now = bench.now.plus(bench.config.tick_time / 2);
        bench.tell(Input::Timer(Timer::LeaderTick));
        ticks += 1;
    }
    // the first deadline is initLimit + syncLimit ticks: a learner answers no PING while it synchronises
    assert_eq!(ticks, 2 * (10 + 5 + 1));
}

#[test]
fn stepping_down_writes_what_is_queued_and_takes_it_into_memory() {
    let mut bench = established(config());
    let written = propose(&mut bench);
    bench.tell(Input::Closed(ONE));
    bench.tell(Input::Closed(TWO));
    bench.tell(Input::Timer(Timer::LeaderTick));
    let out = bench.tell(Input::Timer(Timer::LeaderTick));
    assert_eq!(facts(&out)[0], Fact::Left { role: ServerState::Leading, reason: LeaveReason::NoQuorum });
    assert!(matches!(bench.peer.role, Role::Leaving { .. }), "the log is still being written");
    let out = bench.finish_disk(&written);
    assert!(out.contains(&Output::Apply(proposal("1:1"))));
    assert!(out.contains(&Output::Fact(Fact::FastForwarded { to: zxid("1:1") }, Some(Note::LoggedStaysInMemory))));
    assert_eq!(bench.peer.election.proposal.zxid, zxid("1:1"), "the next vote speaks for it");
}

#[test]
fn an_acknowledgement_of_a_log_that_is_cut_no_longer_counts() {
    let mut bench = established(config());
    let written = propose(&mut bench);
    ack(&mut bench, ONE, "1:1");
    // the follower restarts and connects again, before the leader has heard that the old connection is gone
    let again = ConnId(61);
    bench.tell(Input::Accepted { conn: again, from: ServerId(1), port: Port::Quorum });
    bench.tell(Input::Packet(again, Packet::FollowerInfo { accepted_epoch: 1, config: Zxid::ZERO }));
    let ack_epoch = Packet::AckEpoch { zxid: zxid("1:1"), current_epoch: None, want_snap: false };
    let out = bench.tell(Input::Packet(again, ack_epoch));
    let new_leader = Packet::NewLeader { zxid: zxid("1:0"), config: None };
    assert_eq!(packets(&out), [Packet::Trunc { zxid: zxid("1:0") }, Packet::Proposal(proposal("1:1")), new_leader]);
    assert!(out.contains(&Output::Close(ONE)), "nothing that is still on its way there may count");
    let zxids = vec![zxid("1:1")];
    assert!(facts(&out).contains(&Fact::AcksForgotten { learner: ServerId(1), zxids }));
    ack(&mut bench, ONE, "1:1");
    assert_eq!(packets(&bench.finish_disk(&written)), [], "only the leader has 1:1: it is not committed");
}

/// As released: one disk has 1:1, and it is committed.
#[test]
fn a_released_leader_counts_an_acknowledgement_of_a_log_that_is_cut() {
    let rules = RuleSet::default().breaking(Way::AcksKept);
    let mut bench = established(Config { rules, ..config() });
    let written = propose(&mut bench);
    ack(&mut bench, ONE, "1:1");
    let again = ConnId(61);
    bench.tell(Input::Accepted { conn: again, from: ServerId(1), port: Port::Quorum });
    bench.tell(Input::Packet(again, Packet::FollowerInfo { accepted_epoch: 1, config: Zxid::ZERO }));
    let ack_epoch = Packet::AckEpoch { zxid: zxid("1:1"), current_epoch: None, want_snap: false };
    let out = bench.tell(Input::Packet(again, ack_epoch));
    assert!(!out.contains(&Output::Close(ONE)));
    assert!(bench.finish_disk(&written).contains(&Output::Apply(proposal("1:1"))));
}

#[test]
fn a_follower_that_acknowledges_nothing_in_time_is_dropped() {
    let mut bench = established(config());
    propose(&mut bench);
    ack(&mut bench, ONE, "1:1");
    bench.now = bench.now.plus(bench.config.sync_time());
    let out = bench.tell(Input::Timer(Timer::LeaderTick));
    assert_eq!(facts(&out), [Fact::LearnerDropped { learner: ServerId(2), reason: DropReason::SlowAck }]);
    assert!(out.contains(&Output::Close(TWO)));
}

#[test]
fn a_purge_is_asked_for_where_a_snapshot_or_a_file_is_too_many() {
    let asked = |names: &[&str], files: &[&str], snap_retain_count| {
        let snapshots = names.iter().map(|name| (zxid(name), zxid(name))).collect();
        let log_files = files.iter().map(|name| zxid(name)).collect();
        let disk = Recovered { snapshots, log_files, ..disk(1, "1:1 1:2 1:3 1:4") };
        let config = Config { snap_retain_count, purge_interval: 1_000_000, ..config() };
        disk_ops(&Bench::boot(1, disk, config).tell(Input::Timer(Timer::Purge)))
    };
    assert_eq!(asked(&["1:1", "1:2", "1:3"], &["1:1"], 2), [DiskOp::Purge(zxid("1:2"))]);
    assert_eq!(asked(&["1:2", "1:3"], &["1:1", "1:2"], 2), [DiskOp::Purge(zxid("1:2"))]);
    assert_eq!(asked(&["1:2", "1:3"], &["1:1", "1:3"], 2), []);
    assert_eq!(asked(&["1:1", "1:2", "1:3"], &["1:1", "1:2"], 0), [], "nothing is purged");
}

#[test]
fn a_snapshot_takes_the_place_of_one_with_its_name() {
    let mut bench = Bench::boot(1, disk(1, "1:1"), Config { snap_retain_count: 2, ..config() });
    for _ in 0..2 {
        let mut out = Outbox::default();
        bench.peer.storage.write_snapshot(&mut out);
        assert_eq!(disk_ops(&bench.finish_disk(&out.items)), [], "none is too many");
    }
}

#[test]
fn a_snapshot_is_due_when_more_than_half_of_its_count_is_logged() {
    let mut bench = Bench::boot(1, disk(1, ""), Config { snap_count: 2, ..config() });
    let ops = ["1:1", "1:2"].map(|text| {
        let mut out = Outbox::default();
        bench.peer.storage.enqueue(proposal(text), &mut out);
        disk_ops(&bench.finish_disk(&out.items))
    });
    assert_eq!(ops, [vec![], vec![DiskOp::Snapshot(zxid("0:0"), ())]]);
}

#[test]
fn what_a_failed_disk_takes_from_the_log_leaves_no_file_behind() {
    let disk = Recovered { log_files: vec![zxid("1:1")], ..disk(1, "1:1 1:2") };
    let mut bench = Bench::boot(1, disk, config());
    let (storage, mut out) = (&mut bench.peer.storage, Outbox::default());
    storage.enqueue(proposal("1:3"), &mut out);
    storage.enqueue(proposal("1:4"), &mut out);
    assert_eq!(storage.log_files, [zxid("1:1"), zxid("1:3")]);
    assert!(storage.failed(tokens(&out.items)[0]).is_some() && storage.broken);
    out.items.clear();
    storage.drop_queue(&mut out);
    assert_eq!(out.items, [Output::Unlogged { first: zxid("1:3"), last: zxid("1:4"), count: 2 }]);
    assert_eq!((storage.last_logged(), &storage.log_files[..]), (zxid("1:2"), &[zxid("1:1")][..]));
    (storage.broken, out.items) = (false, Vec::new());
    storage.enqueue(proposal("1:3"), &mut out);
    assert_eq!(disk_ops(&out.items), [DiskOp::Append(vec![proposal("1:3")], true)], "in a file of its own");
}

#[test]
fn snapshots_come_after_half_of_their_count_to_all_of_it() {
    let mut bench = Bench::boot(1, disk(1, ""), Config { snap_count: 10, ..config() });
    let mut due = Vec::new();
    for counter in 1..=200 {
        let mut out = Outbox::default();
        let proposal = Proposal { zxid: Zxid::new(1, counter), payload: Payload::text("x") };
        bench.peer.storage.enqueue(proposal, &mut out);
        let ops = disk_ops(&bench.finish_disk(&out.items));
        due.extend(ops.contains(&DiskOp::Snapshot(Zxid::ZERO, ())).then_some(counter));
    }
    let apart: std::collections::BTreeSet<u32> = due.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(apart.len() > 1 && apart.iter().all(|count| (6..=10).contains(count)), "{apart:?}");
}

#[test]
fn an_installed_snapshot_is_the_only_one_but_in_a_released_version() {
    let released = RuleSet::default().breaking(Way::OldLogKept);
    for (rules, had, purged) in [
        (RuleSet::default(), "4:1", vec![]),
        (released, "4:1", vec![DiskOp::Purge(zxid("5:3"))]),
        (released, "5:3", vec![]), // of the same name
    ] {
        let disk = Recovered { snapshot: zxid(had), snapshots: vec![(zxid(had), zxid(had))], ..disk(4, "") };
        let mut bench = Bench::boot(1, disk, Config { snap_retain_count: 2, rules, ..config() });
        let mut out = Outbox::default();
        bench.peer.storage.restored(zxid("5:3"));
        bench.peer.storage.install_snapshot(&mut out);
        bench.finish_disk(&out.items);
        out.items.clear();
        bench.peer.storage.last_processed = zxid("5:4");
        bench.peer.storage.write_snapshot(&mut out);
        assert_eq!(disk_ops(&bench.finish_disk(&out.items)), purged);
    }
}

#[test]
fn after_a_failed_append_the_log_goes_on_in_its_file() {
    let (mut bench, mut out) = (Bench::boot(1, disk(1, ""), config()), Outbox::default());
    bench.peer.storage.enqueue(proposal("1:1"), &mut out);
    bench.finish_disk(&out.items);
    for _ in 0..2 {
        let (storage, mut out) = (&mut bench.peer.storage, Outbox::default());
        storage.enqueue(proposal("1:2"), &mut out);
        assert_eq!(disk_ops(&out.items), [DiskOp::Append(vec![proposal("1:2")], false)]);
        storage.failed(tokens(&out.items)[0]);
        storage.drop_queue(&mut out);
        storage.broken = false;
    }
}

#[test]
fn what_is_cut_because_nobody_knows_it_leaves_no_file_behind() {
    let disk = Recovered { log_files: vec![zxid("1:1")], ..disk(1, "1:1 1:2") };
    let (mut bench, mut out) = (Bench::boot(1, disk, config()), Outbox::default());
    bench.peer.storage.enqueue(proposal("1:3"), &mut out);
    bench.finish_disk(&out.items);
    out.items.clear();
    let storage = &mut bench.peer.storage;
    assert_eq!(storage.log_files, [zxid("1:1"), zxid("1:3")]);
    storage.cut_unapplied(&mut out);
    assert_eq!(disk_ops(&out.items), [DiskOp::Truncate(zxid("1:2"))]);
    assert_eq!((storage.last_logged(), &storage.log_files[..]), (zxid("1:2"), &[zxid("1:1")][..]));
    out.items.clear();
    storage.enqueue(proposal("1:3"), &mut out);
    assert_eq!(disk_ops(&out.items), [DiskOp::Append(vec![proposal("1:3")], true)], "in a file of its own");
}

#[test]
fn a_counter_that_overflows_runs_into_the_next_epoch() {
    let rules = RuleSet::default().breaking(BrokenRule::CounterOverflows);
    let mut bench = established(Config { counter_limit: 2, rules, ..config() });
    for expected in ["1:1", "2:0", "2:1"] {
        propose(&mut bench);
        assert_eq!(bench.peer.leading().map(|leader| leader.last_proposed), Some(zxid(expected)));
    }
}

#[test]
fn a_whole_state_ends_the_snapshot_that_is_under_way_and_nothing_else() {
    let (mut bench, mut out) = (Bench::boot(1, disk(4, "4:1"), config()), Outbox::default());
    let storage = &mut bench.peer.storage;
    storage.write_snapshot(&mut out);
    storage.install_snapshot(&mut out);
    storage.write_current_epoch(5, &mut out);
    let names = tokens(&out.items);
    assert!(!storage.has_snapshots());
    let mut done = |name: Token| storage.persisted(name, 10, &bench.config, &mut out).is_some();
    assert!(done(names[1]) && !done(names[0]), "that one is given up");
    assert!(storage.has_snapshots() && !storage.is_idle());
    assert!(storage.persisted(names[2], 10, &bench.config, &mut out).is_some() && storage.is_idle());
}

#[test]
fn a_race_where_a_rule_is_broken_goes_both_ways() {
    let mut bench = Bench::boot(1, disk(0, ""), config());
    let won = (0..100).filter(|_| bench.peer.storage.coin()).count();
    assert!((1..100).contains(&won), "{won}");
}

#[test]
fn a_leader_waits_for_every_snapshot_that_was_begun() {
    let mut bench = Bench::boot(3, disk(4, "4:1"), Config { snapshot_first: true, ..config() });
    let mut earlier = Outbox::default();
    bench.peer.storage.write_snapshot(&mut earlier);
    let own = bench.peer.election.proposal;
    bench.hear(1, own, 1, ServerState::Looking);
    let elected = bench.tell(Input::Timer(Timer::Finalize));
    for (out, waits) in [(earlier.items, true), (elected, false)] {
        bench.finish_disk(&out);
        let Role::Leading(leader) = &bench.peer.role else { panic!("it leads") };
        assert_eq!(leader.stage == LeaderStage::WriteSnapshot, waits);
    }
}
