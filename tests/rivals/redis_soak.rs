//! Locks on Redis under faults: those that keep their assumptions hold, and each that leaves one out breaks.

use zabscope::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::rivals::redis::{
    Break, Fencing, LockKind, Plan, Redis, Renewal, SentinelSetup, ServerSetup, Unlock, client_id, sentinel_id,
    server_id,
};
use zabscope::sim::{Action, LatencyRange, Run};

use super::redis_run::{breaches, run};
use crate::length::seeds;

/// So long faults come, ms; then so long everything is well again.
const FAULTS_MS: u64 = 60_000;
const AFTER_MS: u64 = 20_000;
const CLIENTS: u8 = 3;

/// What may go wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    PauseClient,
    KillClient,
    PauseServer,
    KillServer,
    PowerOff,
    CutClient,
    /// A server with its Sentinel is cut off from the others.
    CutOff,
    ClockAhead,
}

use Fault::{ClockAhead, CutClient, CutOff, KillClient, KillServer, PauseClient, PauseServer, PowerOff};

/// Everything but clocks.
const ALL: &[Fault] = &[PauseClient, KillClient, PauseServer, KillServer, PowerOff, CutClient];

/// What spares what the system has been given to write.
const PROCESSES: &[Fault] = &[PauseClient, KillClient, PauseServer, KillServer, CutClient];

/// A setup with the faults that it meets and the properties that are looked at.
struct Variant {
    redis: Redis,
    faults: &'static [Fault],
    properties: &'static [&'static str],
}

const EXCLUSION: &str = "redis-mutual-exclusion";
const STALE: &str = "redis-stale-write";
const FOREIGN: &str = "redis-foreign-unlock";
const LIVE: &str = "redis-lock-live";
const TOKENS: &str = "redis-token-order";
const EVERYTHING: &[&str] = &[EXCLUSION, STALE, FOREIGN, LIVE, TOKENS];

fn server(policy: &str) -> ServerSetup {
    let conf = match policy {
        "none" => Vec::new(),
        policy => vec![("appendonly".into(), "yes".into()), ("appendfsync".into(), policy.into())],
    };
    ServerSetup { conf, ..ServerSetup::default() }
}

fn plan(lock: LockKind) -> Plan {
    Plan { rounds: 1_000, minds_time: true, ..Plan::new(lock) }
}

/// The same with a fencing token, which comes with the lock.
fn fenced(lock: LockKind) -> Plan {
    Plan { fencing: Fencing::Script, ..plan(lock) }
}

/// One server for the lock, one for the resource.
fn one(plan: Plan, policy: &str) -> Redis {
    let servers = vec![server(policy), server("always")];
    Redis { servers, programs: vec![plan; CLIENTS.into()], lock_servers: vec![1], resource: 2, ..Redis::default() }
}

/// Five servers for the lock, one for the resource.
fn five(plan: Plan, policy: &str) -> Redis {
    let mut servers = vec![server(policy); 5];
    servers.push(server("always"));
    let lock_servers = (1..=5).collect();
    Redis { servers, programs: vec![plan; CLIENTS.into()], lock_servers, resource: 6, ..Redis::default() }
}

/// A master with two replicas and three Sentinels; the resource apart.
fn watched(plan: Plan) -> Redis {
    let replica = || ServerSetup { replica_of: Some(1), ..server("always") };
    let servers = vec![server("always"), replica(), replica(), server("always")];
    let sentinels = SentinelSetup {
        count: 3,
        master: 1,
        quorum: 2,
        down_after_ms: 1_000,
        failover_timeout_ms: 5_000,
        parallel_syncs: 1,
    };
    let programs = vec![plan; CLIENTS.into()];
    Redis { servers, sentinels: Some(sentinels), programs, lock_servers: vec![1], resource: 4, ..Redis::default() }
}

fn set(machine: ServerId) -> ServerSet {
    [machine].into_iter().collect()
}

/// Draws faults, each undone after a while: never two of one machine at a time, and never of the resource.
fn with_faults(mut run: Run, variant: &Variant, seed: u64) -> Run {
    let mut prng = Prng::new(seed, Stream::Faults);
    let servers = variant.redis.servers.len() as u8 - 1;
    let mut actions: Vec<(u64, Action)> = Vec::new();
    let mut free = std::collections::BTreeMap::new();
    let mut at = 2_000;
    while at < FAULTS_MS {
        at += prng.between(200, 3_000);
        let fault = variant.faults[prng.below(variant.faults.len() as u32) as usize];
        let lasts = prng.between(50, 7_000);
        let client = client_id(prng.between(1, CLIENTS.into()) as u8);
        let number = prng.between(1, servers.into()) as u8;
        let of_client = matches!(fault, PauseClient | KillClient | CutClient);
        let machine = if of_client { client } else { server_id(number) };
        if free.get(&machine).is_some_and(|until| *until >= at) {
            continue;
        }
        free.insert(machine, at + lasts + 1);
        let (begin, end) = deeds(fault, machine, number, servers);
        actions.extend([(at, begin)]);
        actions.extend(end.map(|end| (at + lasts, end)));
    }
    actions.sort_by_key(|(at, _)| *at);
    actions.into_iter().for_each(|(at, action)| run.push(SimTime::from_ms(at), action));
    run
}

fn deeds(fault: Fault, machine: ServerId, number: u8, servers: u8) -> (Action, Option<Action>) {
    let restart = Some(Action::Restart { server: machine });
    match fault {
        PauseClient | PauseServer => (Action::Pause { server: machine }, Some(Action::Resume { server: machine })),
        KillClient | KillServer => (Action::Kill { server: machine }, restart),
        PowerOff => (Action::PowerOff { server: machine }, restart),
        CutClient => {
            let to: ServerSet = (1..=servers + 1).map(server_id).collect();
            let cut = Action::Cut { from: set(machine), to, one_way: false };
            (cut, Some(Action::Heal { from: set(machine), to, one_way: false }))
        }
        CutOff => {
            let from: ServerSet = [machine, sentinel_id(number)].into_iter().collect();
            let others = (1..=3).filter(|other| *other != number);
            let to: ServerSet = others.flat_map(|other| [server_id(other), sentinel_id(other)]).collect();
            (Action::Cut { from, to, one_way: false }, Some(Action::Heal { from, to, one_way: false }))
        }
        ClockAhead => (Action::ClockJump { server: machine, ms: 10_000 }, None),
    }
}

/// The properties that a variant violates with a seed.
fn violated(variant: &Variant, seed: u64) -> Vec<String> {
    let run = with_faults(run(variant.redis.clone(), seed, LatencyRange::ms(5, 20)), variant, seed);
    let found = breaches(run, FAULTS_MS + AFTER_MS);
    let found = found.iter().filter(|breach| variant.properties.contains(&breach.property));
    found.map(|breach| format!("{} at {}: {}", breach.property, breach.at, breach.said[0])).collect()
}

/// The run of a seed as a file for `zabscope run`.
fn written(variant: &Variant, seed: u64) -> String {
    let run = with_faults(run(variant.redis.clone(), seed, LatencyRange::ms(5, 20)), variant, seed);
    serde_json::to_string(&run).unwrap_or_default()
}

fn safe() -> Vec<(&'static str, Variant)> {
    let kept = |plan: Plan| Plan { renewal: Renewal::Script, work_ms: 5_000, ..plan };
    vec![
        (
            "token, script, fencing, time minded",
            Variant { redis: one(fenced(LockKind::SetNxPx), "always"), faults: ALL, properties: EVERYTHING },
        ),
        (
            "the same, renewed",
            Variant { redis: one(kept(fenced(LockKind::SetNxPx)), "always"), faults: ALL, properties: EVERYTHING },
        ),
        (
            "unlocked by WATCH",
            Variant {
                redis: one(Plan { unlock: Unlock::Watch, ..fenced(LockKind::SetNxPx) }, "always"),
                faults: ALL,
                properties: EVERYTHING,
            },
        ),
        (
            "never synced, processes killed only",
            Variant { redis: one(fenced(LockKind::SetNxPx), "no"), faults: PROCESSES, properties: EVERYTHING },
        ),
        (
            "hash with a token",
            Variant { redis: one(kept(fenced(LockKind::Hash)), "always"), faults: ALL, properties: EVERYTHING },
        ),
        (
            "Redlock, synced always",
            Variant {
                redis: five(plan(LockKind::Redlock), "always"),
                faults: ALL,
                properties: &[EXCLUSION, FOREIGN, LIVE],
            },
        ),
    ]
}

/// What survives a killed process in all but one of 2,000 seeds: see [`a_write_that_waits_for_a_sync_dies_with_its_process`].
fn everysec() -> Variant {
    Variant { redis: one(fenced(LockKind::SetNxPx), "everysec"), faults: PROCESSES, properties: EVERYTHING }
}

fn broken() -> Vec<(&'static str, Variant)> {
    let token = || plan(LockKind::SetNxPx);
    let hurried = |plan: Plan| Plan { minds_time: false, ..plan };
    let breaking = |plan: Plan, what| Plan { breaks: vec![what], ..plan };
    let variant = |redis, faults, property: &'static &'static str| Variant {
        redis,
        faults,
        properties: std::slice::from_ref(property),
    };
    vec![
        ("SETNX, then PEXPIRE", variant(one(plan(LockKind::SetnxExpire), "always"), &[KillClient], &LIVE)),
        ("no limit", variant(one(Plan { limit_ms: 0, ..token() }, "always"), &[KillClient], &LIVE)),
        (
            "unlock by DEL",
            variant(one(hurried(Plan { unlock: Unlock::Del, ..token() }), "always"), &[PauseClient], &FOREIGN),
        ),
        (
            "unlock by GET and DEL",
            variant(
                one(hurried(Plan { unlock: Unlock::GetDel, ..token() }), "always"),
                &[PauseClient, CutClient],
                &FOREIGN,
            ),
        ),
        (
            "the same value for all",
            variant(one(hurried(breaking(token(), Break::SameValue)), "always"), &[PauseClient], &FOREIGN),
        ),
        (
            "renewal without compare",
            variant(one(hurried(Plan { renewal: Renewal::Plain, ..token() }), "always"), &[PauseClient], &EXCLUSION),
        ),
        ("time not minded", variant(one(hurried(token()), "always"), &[PauseClient], &EXCLUSION)),
        ("time not minded: stale writes", variant(one(hurried(token()), "always"), &[PauseClient], &STALE)),
        (
            "GETSET, moments not compared",
            variant(
                one(breaking(plan(LockKind::Getset), Break::MomentsNotCompared), "always"),
                &[KillClient],
                &EXCLUSION,
            ),
        ),
        (
            "GETSET, unlock by DEL",
            variant(
                one(hurried(Plan { unlock: Unlock::Del, ..plan(LockKind::Getset) }), "always"),
                &[PauseClient],
                &FOREIGN,
            ),
        ),
        (
            "token in a second step",
            variant(
                one(hurried(Plan { fencing: Fencing::SecondStep, ..token() }), "always"),
                &[PauseClient, CutClient],
                &STALE,
            ),
        ),
        ("no persistence", variant(one(token(), "none"), &[KillServer], &EXCLUSION)),
        (
            "no persistence: tokens",
            variant(one(Plan { fencing: Fencing::Script, ..token() }, "none"), &[KillServer], &TOKENS),
        ),
        ("everysec and power", variant(one(token(), "everysec"), &[PowerOff], &EXCLUSION)),
        ("a clock that jumps", variant(one(token(), "always"), &[ClockAhead], &EXCLUSION)),
        (
            "failover",
            variant(
                watched(Plan { limit_ms: 20_000, work_ms: 8_000, writes: 20, ..token() }),
                &[CutOff, KillClient],
                &EXCLUSION,
            ),
        ),
        (
            "Redlock without persistence",
            variant(
                five(Plan { work_ms: 2_500, writes: 10, ..plan(LockKind::Redlock) }, "none"),
                &[KillServer],
                &EXCLUSION,
            ),
        ),
        (
            "Redlock and clocks",
            variant(
                five(Plan { work_ms: 2_500, writes: 10, ..plan(LockKind::Redlock) }, "always"),
                &[ClockAhead, CutClient],
                &EXCLUSION,
            ),
        ),
        (
            "Redlock, a majority of answers",
            variant(
                five(breaking(plan(LockKind::Redlock), Break::MajorityOfAnswers), "always"),
                &[KillServer, PauseServer, PowerOff],
                &EXCLUSION,
            ),
        ),
        (
            "Redlock, time not taken off",
            variant(
                five(
                    breaking(Plan { limit_ms: 900, work_ms: 800, ..plan(LockKind::Redlock) }, Break::TimeNotTakenOff),
                    "always",
                ),
                &[PauseServer, CutClient],
                &EXCLUSION,
            ),
        ),
    ]
}

fn soak(variants: Vec<(&'static str, Variant)>, whole: u64) {
    let mut failed = String::new();
    for (name, variant) in variants {
        for seed in seeds(whole) {
            if let Some(first) = violated(&variant, seed).first() {
                failed += &format!("\n{name}, seed {seed}: {first}\n{}", written(&variant, seed));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn locks_that_keep_their_assumptions_hold() {
    soak(safe(), 400);
    soak(vec![("everysec, processes killed only", everysec())], 400);
}

/// The power fails between a grant and the disk: its token was told to nobody, and comes again.
#[test]
fn a_token_that_nobody_heard_of_is_not_given_out() {
    let (name, variant) = safe().into_iter().find(|(name, _)| *name == "hash with a token").expect("a variant");
    assert_eq!(violated(&variant, 836), Vec::<String>::new(), "{name}");
}

/// `everysec` puts a write off while a sync runs, and answers before it (`flushAppendOnlyFile`): a process that is killed then takes with it
/// what its client was told. Random faults meet that moment once in 2,000 seeds.
#[test]
fn a_write_that_waits_for_a_sync_dies_with_its_process() {
    let found = violated(&everysec(), 735);
    assert!(found.iter().any(|one| one.starts_with(TOKENS)), "{found:?}");
}

#[test]
fn each_broken_lock_breaks_within_a_hundred_seeds() {
    let mut unbroken = String::new();
    for (name, variant) in broken() {
        let first = (0..100).find(|seed| !violated(&variant, *seed).is_empty());
        println!("{name}: {first:?}");
        if first.is_none() {
            unbroken += &format!("\n{name}: nothing in 100 seeds");
        }
    }
    assert!(unbroken.is_empty(), "{unbroken}");
}
