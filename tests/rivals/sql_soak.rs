//! Programs on databases under random faults: what is right stays right, and each thing done wrong is found.

use std::ops::Range;
use std::rc::Rc;

use zabscope::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use zabscope::daemon::{Breach, Judge};
use zabscope::rivals::sql::client::program::{Program, Recipe, Unsafe};
use zabscope::rivals::sql::engine::{Engine, Variables};
use zabscope::rivals::sql::fact::Fact as SqlFact;
use zabscope::rivals::sql::{Sql, SqlClient, SqlJudge, SqlServer};
use zabscope::sim::{Action, Fact, LatencyRange, Run, Setup, Systems, World};

use crate::length::seeds;

/// How long faults happen, and how long a run lasts, ms.
const FAULTS_MS: u64 = 50_000;
const END_MS: u64 = 130_000;
const CLIENTS: u8 = 3;
/// Links on which one packet takes much longer than another, ms.
const SLOW: (u64, u64) = (5, 150);

/// What happens to the machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A client's program dies.
    ClientDies,
    /// A client's machine vanishes, and comes back later.
    ClientVanishes,
    /// A client stands still.
    ClientStops,
    /// A client stands still for less time than any age.
    ClientHesitates,
    /// A client's clock jumps.
    ClientClock,
    /// The server's process is killed.
    ServerDies,
    /// The server loses power.
    ServerPower,
    /// The server stands still.
    ServerStops,
    /// The server's clock jumps.
    ServerClock,
    /// A link is cut.
    Cut,
}

use Fault::*;

const ALL: &[Fault] =
    &[ClientDies, ClientVanishes, ClientStops, ClientClock, ServerDies, ServerPower, ServerStops, ServerClock, Cut];
/// Without those that leave a connection standing of which nobody knows: a named lock would stay for hours.
const HEARD_OF: &[Fault] = &[ClientDies, ClientStops, ClientClock, ServerDies, ServerPower, ServerStops, ServerClock];
/// Programs die, and everybody is told; or they stand still for less time than any age.
const DEATHS: &[Fault] = &[ClientDies, ClientHesitates, ClientHesitates];

fn database(n: u8) -> ServerId {
    ServerId::nth("D", n)
}

fn client(n: u8) -> ServerId {
    ServerId::nth("C", n)
}

fn set(machine: ServerId) -> ServerSet {
    [machine].into_iter().collect()
}

/// A fault with its end.
fn strike(fault: Fault, prng: &mut Prng) -> Vec<(u64, Action)> {
    let (who, db) = (client(1 + prng.below(CLIENTS.into()) as u8), database(1));
    let (short, long) = (prng.between(300, 3_000), prng.between(500, 9_000));
    let jump = prng.between(0, 20_000) as i64 - 10_000;
    let (from, to, one_way) = (set(who), set(db), false);
    match fault {
        ClientDies => vec![(0, Action::Kill { server: who }), (short, Action::Restart { server: who })],
        ClientVanishes => vec![(0, Action::PowerOff { server: who }), (long, Action::Restart { server: who })],
        ClientStops => vec![(0, Action::Pause { server: who }), (long, Action::Resume { server: who })],
        ClientHesitates => {
            vec![(0, Action::Pause { server: who }), (short / 3, Action::Resume { server: who })]
        }
        ClientClock => vec![(0, Action::ClockJump { server: who, ms: jump })],
        ServerDies => vec![(0, Action::Kill { server: db }), (short, Action::Restart { server: db })],
        ServerPower => vec![(0, Action::PowerOff { server: db }), (short, Action::Restart { server: db })],
        ServerStops => vec![(0, Action::Pause { server: db }), (short, Action::Resume { server: db })],
        ServerClock => vec![(0, Action::ClockJump { server: db, ms: jump })],
        Cut => vec![(0, Action::Cut { from, to, one_way }), (long, Action::Heal { from, to, one_way })],
    }
}

/// What is tried.
#[derive(Clone)]
struct Trial {
    name: &'static str,
    engine: Engine,
    program: Program,
    faults: &'static [Fault],
    config: Vec<(&'static str, &'static str)>,
    unique: bool,
    /// With a replica, which becomes the primary when the first one dies for good.
    failover: bool,
    /// How long packets take, ms.
    latency: (u64, u64),
}

impl Trial {
    fn new(name: &'static str, engine: Engine, recipe: Recipe, faults: &'static [Fault]) -> Trial {
        let program = Program { lock_wait_ms: 5_000, ..Program::new(recipe) };
        Trial { name, engine, program, faults, config: Vec::new(), unique: true, failover: false, latency: (10, 20) }
    }

    fn with(mut self, change: impl FnOnce(&mut Program)) -> Trial {
        change(&mut self.program);
        self
    }

    fn set(mut self, name: &'static str, value: &'static str) -> Trial {
        self.config.push((name, value));
        self
    }

    fn sql(&self) -> Sql {
        let idle = match self.engine {
            Engine::MariaDb => ("idle_transaction_timeout", "10"),
            Engine::Postgres => ("idle_in_transaction_session_timeout", "10000"),
        };
        let all = std::iter::once(&idle).chain(&self.config);
        let config = Variables(all.map(|(name, value)| (name.to_string(), value.to_string())).collect());
        let mut servers = vec![SqlServer { replica_of: None, config: config.clone() }];
        if self.failover {
            // as a primary it has no replica to wait for
            let mut config = config;
            config.0.remove("synchronous_standby_names");
            servers.push(SqlServer { replica_of: Some(1), config });
        }
        let mut tables = Sql::recipe_tables();
        if !self.unique {
            tables.iter_mut().for_each(|table| table.unique.clear());
        }
        let at = if self.failover { vec![1, 2] } else { vec![1] };
        let program = Some(Rc::new(self.program.clone()));
        let one = SqlClient { servers: at, timeout_ms: 3_000, program, ..SqlClient::default() };
        Sql { engine: self.engine, tables, servers, clients: vec![one; CLIENTS.into()], reconnect_ms: 1_000 }
    }

    /// The faults of a seed, in order.
    fn schedule(&self, seed: u64) -> Vec<(u64, Action)> {
        let (mut prng, mut at, mut actions) = (Prng::new(seed, Stream::Faults), 1_000, Vec::new());
        while at < FAULTS_MS && !self.faults.is_empty() {
            let fault = self.faults[prng.below(self.faults.len() as u32) as usize];
            let struck = strike(fault, &mut prng);
            actions.extend(struck.into_iter().map(|(after, action)| (at + after, action)));
            at += prng.between(500, 6_000);
        }
        if self.failover {
            let from = prng.between(5_000, 20_000);
            let (one, two, one_way) = (set(database(1)), set(database(2)), false);
            actions.push((from, Action::Cut { from: one, to: two, one_way }));
            actions.push((from + 2_000, Action::Kill { server: database(1) }));
            let data = "promote".to_string();
            actions.push((from + 3_000, Action::Write { server: database(2), data, count: 1, every_us: 0 }));
            actions.push((from + 4_000, Action::Heal { from: one, to: two, one_way }));
        }
        actions.sort_by_key(|(at, _)| *at);
        actions
    }

    /// What was broken with a seed; and how many numbers were acknowledged.
    fn run(&self, seed: u64) -> (Vec<Breach>, u64) {
        let systems = Systems { sql: Some(Box::new(self.sql())), ..Systems::default() };
        let latency = LatencyRange::ms(self.latency.0, self.latency.1);
        let mut run = Run::new(seed, Setup { voters: 0, systems, latency, ..Setup::default() });
        for (at, action) in self.schedule(seed) {
            run.push(SimTime::from_ms(at), action);
        }
        run.check().expect("a valid run");
        let (mut world, mut judge, mut counted) = (World::new(run), SqlJudge::default(), 0);
        while world.next_at().is_some_and(|at| at.as_ms() <= END_MS) {
            for record in world.step().unwrap_or_default() {
                if let Fact::Other { server, fact } = &record.fact
                    && let Some(fact) = fact.value::<SqlFact>()
                {
                    judge.read(record.at_us, *server, fact);
                    counted += u64::from(matches!(fact, SqlFact::Counted { .. }));
                }
            }
        }
        (judge.breaches().to_vec(), counted)
    }

    fn show(&self, seed: u64, breaches: &[Breach]) -> String {
        let said =
            breaches.first().map_or(String::new(), |breach| format!("{}: {}", breach.property, breach.said[0]));
        format!("{} on {} with seed {seed} (Trial::run): {said}", self.name, self.engine.name())
    }

    /// Nothing is ever broken.
    fn holds(&self, seeds: Range<u64>) {
        let mut counted = 0;
        for seed in seeds.clone() {
            let (breaches, count) = self.run(seed);
            assert!(breaches.is_empty(), "{}", self.show(seed, &breaches));
            counted += count;
        }
        let does_count = self.program.recipe != Recipe::Transfer;
        assert!(!does_count || counted > 50 * seeds.end, "{}: only {counted} numbers", self.name);
    }

    /// One of these properties is broken by one of the first seeds; by which.
    fn breaks(&self, properties: &[&str]) -> u64 {
        for seed in 0..100 {
            let (breaches, _) = self.run(seed);
            if breaches.iter().any(|breach| properties.contains(&breach.property)) {
                return seed;
            }
        }
        panic!("{} on {}: 100 seeds have not shown {properties:?}", self.name, self.engine.name());
    }
}

const BOTH: [Engine; 2] = [Engine::MariaDb, Engine::Postgres];
const EXCLUSION: &[&str] = &["sql-mutual-exclusion", "sql-no-lost-update"];

#[test]
fn a_lock_row_with_an_age_and_a_fence_holds() {
    for engine in BOTH {
        let fenced = |program: &mut Program| (program.age_ms, program.fenced) = (3_000, true);
        Trial::new("lock row, fenced", engine, Recipe::LockRow, ALL).with(fenced).holds(seeds(200));
    }
}

#[test]
fn a_row_lock_around_the_work_holds() {
    for engine in BOTH {
        Trial::new("for update", engine, Recipe::ForUpdate, ALL).holds(seeds(200));
    }
}

#[test]
fn a_version_column_loses_no_update() {
    for engine in BOTH {
        Trial::new("version", engine, Recipe::Version, ALL).holds(seeds(200));
    }
}

#[test]
fn a_named_lock_holds_for_work_on_its_connection() {
    for engine in BOTH {
        Trial::new("advisory", engine, Recipe::Advisory, HEARD_OF).holds(seeds(200));
    }
}

#[test]
fn a_transfer_is_whole() {
    for engine in BOTH {
        let short = |program: &mut Program| program.lock_wait_ms = 1_000;
        Trial::new("transfer", engine, Recipe::Transfer, ALL).with(short).holds(seeds(200));
    }
}

#[test]
fn a_lock_row_without_a_fence_holds_where_programs_only_die() {
    for engine in BOTH {
        let aged = |program: &mut Program| (program.age_ms, program.poll_ms) = (4_000, 50);
        let trial = Trial::new("lock row", engine, Recipe::LockRow, DEATHS).with(aged);
        Trial { latency: SLOW, ..trial }.holds(seeds(200));
    }
}

#[test]
fn a_synchronous_replica_keeps_what_was_acknowledged() {
    let mut trial = Trial::new("synchronous replica", Engine::Postgres, Recipe::Version, &[])
        .set("synchronous_standby_names", "*");
    trial.failover = true;
    trial.holds(seeds(50));
}

#[test]
fn what_is_done_wrong_is_found() {
    let mut firsts = Vec::new();
    let mut breaks = |trial: Trial, properties: &[&str]| {
        let first = trial.breaks(properties);
        firsts.push(format!("{} on {}: {first}", trial.name, trial.engine.name()));
    };
    for engine in BOTH {
        let row =
            |name, faults| Trial::new(name, engine, Recipe::LockRow, faults).with(|program| program.age_ms = 4_000);
        let wrong = |trial: Trial, wrong: Unsafe| trial.with(|program| program.wrong.push(wrong));
        breaks(row("no fence", ALL), EXCLUSION);
        let steps = row("age in two steps", DEATHS).with(|program| program.poll_ms = 50);
        breaks(Trial { latency: SLOW, ..wrong(steps, Unsafe::AgeInTwoSteps) }, EXCLUSION);
        let clocks = &[ClientDies, ClientHesitates, ClientClock];
        breaks(wrong(row("age by client clock", clocks), Unsafe::AgeByClientClock), EXCLUSION);
        let fenced = row("delete by name", ALL).with(|program| program.fenced = true);
        breaks(wrong(fenced, Unsafe::DeleteByName), &["sql-own-release"]);
        breaks(Trial { unique: false, ..row("no unique index", &[]) }, &["sql-one-row"]);
        breaks(row("no age", DEATHS).with(|program| program.age_ms = 0), &["sql-live"]);
        let update = |name| Trial::new(name, engine, Recipe::ForUpdate, &[]);
        breaks(wrong(update("autocommit"), Unsafe::Autocommit), EXCLUSION);
        breaks(wrong(update("commit before work"), Unsafe::CommitBeforeWork), EXCLUSION);
        let version = Trial::new("no version", engine, Recipe::Version, &[]);
        breaks(wrong(version, Unsafe::NoVersion), EXCLUSION);
        let lost = Trial::new("asynchronous replica", engine, Recipe::Version, &[]);
        breaks(Trial { failover: true, ..lost }, &["sql-acknowledged"]);
        let power: &[Fault] = &[ServerPower];
        let lazy = Trial::new("log not forced", engine, Recipe::Version, power);
        let lazy = match engine {
            Engine::MariaDb => lazy.set("innodb_flush_log_at_trx_commit", "2"),
            Engine::Postgres => lazy.set("synchronous_commit", "off"),
        };
        breaks(lazy, &["sql-acknowledged"]);
        if engine == Engine::MariaDb {
            breaks(wrong(update("look before lock"), Unsafe::LookBeforeLock), EXCLUSION);
            let half = Trial::new("time-out is rollback", engine, Recipe::Transfer, &[]);
            let half = half.set("innodb_deadlock_detect", "OFF").with(|program| program.lock_wait_ms = 1_000);
            breaks(wrong(half, Unsafe::TimeOutIsRollback), &["sql-whole-transaction"]);
        }
    }
    println!("first seeds: {}", firsts.join(", "));
}
