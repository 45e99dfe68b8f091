//! What locks on Redis cost when nothing goes wrong: requests, forced writes, messages. Exact.

use zabscope::base::{ServerId, SimTime};
use zabscope::rivals::redis::{Fact, LockKind, Plan, Redis, Renewal, Reply, ServerSetup, client_id, server_id};
use zabscope::sim::LatencyRange;

use super::redis_run::{facts, run, typed};

fn always() -> ServerSetup {
    let conf = [("appendonly", "yes"), ("appendfsync", "always")];
    ServerSetup { conf: conf.map(|(name, value)| (name.into(), value.into())).to_vec(), ..ServerSetup::default() }
}

/// One client that takes the lock once; the resource is on another server.
fn once(plan: Plan, servers: usize) -> Redis {
    let lock_servers = (1..=servers as u8).collect();
    let resource = servers as u8 + 1;
    Redis { servers: vec![always(); servers + 1], programs: vec![plan], lock_servers, resource, ..Redis::default() }
}

/// Requests that servers executed, of which so many at the lock's; and the forced writes there.
fn cost(redis: Redis, servers: usize) -> (usize, usize) {
    let lock: Vec<ServerId> = (1..=servers as u8).map(server_id).collect();
    let all = facts(run(redis, 1, LatencyRange::ms(1, 2)), 60_000);
    let at_lock = || all.iter().filter(|(_, machine, _)| lock.contains(machine));
    let requests = at_lock().filter(|(_, _, fact)| matches!(fact, Fact::Executed { .. })).count();
    let syncs = at_lock().filter(|(_, _, fact)| matches!(fact, Fact::Synced { .. })).count();
    (requests, syncs)
}

fn plan(lock: LockKind) -> Plan {
    Plan { rounds: 1, writes: 0, ..Plan::new(lock) }
}

#[test]
fn a_lock_without_contention_costs_two_requests_and_two_forced_writes() {
    assert_eq!(cost(once(plan(LockKind::SetNxPx), 1), 1), (2, 2));
}

#[test]
fn a_hash_lock_costs_two_scripts() {
    assert_eq!(cost(once(plan(LockKind::Hash), 1), 1), (2, 2));
}

#[test]
fn redlock_costs_two_requests_and_two_forced_writes_at_each_server() {
    for servers in [3, 5] {
        assert_eq!(cost(once(plan(LockKind::Redlock), servers), servers), (2 * servers, 2 * servers));
    }
}

#[test]
fn a_refused_set_forces_nothing() {
    let redis = Redis { servers: vec![always()], consoles: vec![1], ..Redis::default() };
    let mut run = run(redis, 1, LatencyRange::ms(1, 2));
    for (ms, value) in [(100, "a"), (200, "b"), (300, "c")] {
        run.push(SimTime::from_ms(ms), typed(client_id(1), &format!("SET lock {value} NX PX 60000")));
    }
    let all = facts(run, 1_000);
    let syncs = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Synced { .. })).count();
    let nil = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Answered { reply: Reply::Nil, .. })).count();
    assert_eq!((syncs, nil), (1, 2));
}

#[test]
fn commands_that_arrive_together_share_a_forced_write() {
    let redis = Redis { servers: vec![always()], consoles: vec![1; 8], ..Redis::default() };
    let mut run = run(redis, 1, LatencyRange { min_us: 500, max_us: 500 });
    (1..=8).for_each(|n| run.push(SimTime::from_ms(100), typed(client_id(n), &format!("SET k{n} 1"))));
    let all = facts(run, 1_000);
    let syncs: Vec<_> = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Synced { .. })).collect();
    assert_eq!(syncs.len(), 1);
    let first_answer = all.iter().position(|(_, _, fact)| matches!(fact, Fact::Answered { .. })).expect("answers");
    let sync = all.iter().position(|(_, _, fact)| matches!(fact, Fact::Synced { .. })).expect("a sync");
    assert!(sync < first_answer, "nobody hears of what is not on disk");
}

#[test]
fn a_release_of_a_hash_lock_wakes_all_and_one_wins() {
    for waiters in [1u8, 3, 5] {
        let holder = Plan { work_ms: 3_000, limit_ms: 30_000, poll_ms: 1, ..plan(LockKind::Hash) };
        let waiter = Plan { work_ms: 10_000, poll_ms: 500, ..holder.clone() };
        let mut programs = vec![holder];
        programs.extend(vec![waiter; waiters.into()]);
        let redis = Redis { servers: vec![always()], programs, ..Redis::default() };
        let all = facts(run(redis, 1, LatencyRange::ms(1, 2)), 5_000);
        let of = |what: &str| {
            let unlocked = all
                .iter()
                .position(|(_, _, fact)| matches!(fact, Fact::Executed { line, .. } if line.contains("@hashUnlock")));
            let after = all.iter().skip(unlocked.expect("a release") + 1);
            after.filter(|(_, _, fact)| matches!(fact, Fact::Executed { line, .. } if line.contains(what))).count()
        };
        let winners = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Acquired { .. })).count() - 1;
        assert_eq!((of("@hashLock"), winners), (waiters.into(), 1), "{waiters} waiters");
    }
}

#[test]
fn a_watchdog_sends_three_scripts_in_the_time_of_a_limit() {
    let plan = Plan { renewal: Renewal::Script, limit_ms: 3_000, work_ms: 30_500, ..plan(LockKind::Hash) };
    let all = facts(run(once(plan, 1), 1, LatencyRange { min_us: 0, max_us: 0 }), 60_000);
    let renewals = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Renewed { .. })).count();
    assert!((29..=30).contains(&renewals), "{renewals} in the time of ten limits, disks included");
}

#[test]
fn pollers_send_a_request_each_polling_time() {
    let holder = Plan { work_ms: 40_000, limit_ms: 60_000, poll_ms: 1, ..plan(LockKind::SetNxPx) };
    let waiter = Plan { poll_ms: 200, ..holder.clone() };
    let redis = Redis { servers: vec![always()], programs: vec![holder, waiter.clone(), waiter], ..Redis::default() };
    let all = facts(run(redis, 1, LatencyRange { min_us: 0, max_us: 0 }), 30_000);
    let denied = all.iter().filter(|(_, _, fact)| matches!(fact, Fact::Denied { .. })).count();
    assert!((270..=330).contains(&denied), "{denied}: 2 waiters × 30 s / 0.2 s");
}
