//! Kinds of lock under the same faults (topic `lock-compare`): a run for each kind and each fault, and what came of it. A run knows
//! nothing of its end: the fault is tied to the first acquisition, which a run without it shows.

use std::collections::BTreeSet;

use crate::base::{Arrange, Micros, Node, ServerId, SimTime};
use crate::recipes::{self, Kind, Step};
use crate::rivals::redis;
use crate::rivals::sql::fact::Fact as SqlFact;
use crate::sim::{Action, FORMAT_VERSION, Fact, Record, Run, Setup, World, WorldFact};

use super::recipes::{BEGINS, call, make, opened, param, recipe, thread};
use super::rivals::written;
use super::{Args, Make, Param, Scenario, run, scenarios, set};

scenarios! {
    /// The table's runs, one by default.
    LOCKS_COMPARED:
    "lock-compare": "Six locks, the same faults", "The same two clients and the same fault, whatever the lock is made of: who is safe, who waits, what it costs."
        topics ["lock-compare"], until 9_000, telling 600, Make::With(COMPARED, compared);
}

const COMPARED: &[Param] = &[
    param("lock", "kind of lock, 1 to 6, in the order of the table", 3, 1, 6),
    param("fault", "fault, 0 to 7, in the order of the table", 7, 0, 7),
];

/// How a lock is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    /// A row in a database with an asynchronous replica: inserted and deleted; cleared away when it is too old.
    Row,
    /// `SELECT … FOR UPDATE` there.
    ForUpdate,
    /// `SET NX PX` on one Redis server with `appendfsync everysec`.
    Redis,
    /// The same on a master with a replica and three Sentinels.
    Sentinel,
    /// Redlock over five.
    Redlock,
    /// Curator's InterProcessMutex on three servers.
    ZooKeeper,
}

impl Lock {
    /// All of them, in the order of the table.
    pub const ALL: [Lock; 6] =
        [Lock::Row, Lock::ForUpdate, Lock::Redis, Lock::Sentinel, Lock::Redlock, Lock::ZooKeeper];
}

/// What goes wrong while somebody holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Nothing.
    None,
    /// The holder's process is killed.
    HolderKilled,
    /// The holder stands still for longer than its limit, then goes on.
    HolderPaused,
    /// The holder is cut off from the service for longer than its limit.
    HolderCut,
    /// The server at which the lock is (the leader) is killed and starts again.
    ServerKilled,
    /// It loses power and starts again.
    PowerLost,
    /// It is cut off from the others just as the lock is taken, then dies for good.
    Failover,
    /// The clocks of all servers jump a minute ahead.
    ClockJump,
}

impl Fault {
    /// All of them, in the order of the table.
    pub const ALL: [Fault; 8] = [
        Fault::None,
        Fault::HolderKilled,
        Fault::HolderPaused,
        Fault::HolderCut,
        Fault::ServerKilled,
        Fault::PowerLost,
        Fault::Failover,
        Fault::ClockJump,
    ];
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Never two at once; another one had the lock so long after the fault, µs (without one: after it was free).
    Safe(Micros),
    /// Two believed at once that they hold it, for the first time so long after the fault, µs.
    Two(Micros),
    /// Nobody else got it until the end of the run.
    Nobody,
}

/// What it costs to take a lock that is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// Messages from and to the client.
    pub messages: u64,
    /// Forced writes, at all servers together.
    pub forced: u64,
    /// From the first message until the client holds it, µs.
    pub us: Micros,
}

/// A lock's limit, or its session's timeout, ms.
const LIMIT_MS: u64 = 4_000;
/// How long a holder works where nothing keeps its lock young, ms.
const SHORT_WORK_MS: u64 = 3_500;
/// How long it works where something does: a session, a renewal, an open transaction, ms.
const WORK_MS: u64 = 6_000;
/// How long a program of a database pauses at most after its work, ms.
const PAUSE_MS: u64 = 2_000;
/// How long after the acquisition the fault comes, ms.
const AFTER_MS: u64 = 300;
/// How long it lasts, ms: longer than the limit.
const LASTS_MS: u64 = LIMIT_MS + 1_500;
/// How long a server is down, ms.
const DOWN_MS: u64 = 500;
/// A run ends so long after the fault, ms.
const WATCHED_MS: u64 = 12_000;
/// Where nobody ever gets the lock, ms.
const LATEST_MS: u64 = 20_000;

/// So many clients want the lock, as often as is said.
fn contest(lock: Lock, clients: u16, rounds: u64) -> Run {
    let programs = |program: String| vec![program; usize::from(clients)].join(",");
    let sql = |timeout_ms: u64, work_ms: u64, program: &str| {
        // a round is a try here, so there is no end of them, and a long pause after each success
        let rounds = if rounds > 1 { rounds } else { 0 };
        let program = format!(
            r#"{{"servers":[1,2],"timeout_ms":{timeout_ms},"program":{{{program},"work_ms":{work_ms},"poll_ms":100,"pause_ms":{PAUSE_MS},"rounds":{rounds}}}}}"#
        );
        let clients = programs(program);
        written(&format!(
            r#"{{"version":{FORMAT_VERSION},"seed":1,"setup":{{"voters":0,"systems":{{"sql":{{"engine":"mariadb","servers":[{{}},{{"replica_of":1}}],"clients":[{clients}]}}}}}}}}"#
        ))
    };
    let redis = |kind: &str, servers: &str, more: &str| {
        let plan = programs(format!(
            r#"{{"lock":"{kind}","limit_ms":{LIMIT_MS},"renewal":"script","work_ms":{WORK_MS},"writes":0,"poll_ms":100,"timeout_ms":300,"rounds":{rounds}}}"#
        ));
        written(&format!(
            r#"{{"version":{FORMAT_VERSION},"seed":1,"setup":{{"voters":0,"systems":{{"redis":{{"servers":[{servers}],"programs":[{plan}]{more}}}}}}}}}"#
        ))
    };
    const SERVER: &str = r#"{"conf":[["appendonly","yes"],["appendfsync","everysec"]]}"#;
    match lock {
        Lock::Row => sql(3_000, SHORT_WORK_MS, &format!(r#""recipe":"lock_row","age_ms":{LIMIT_MS}"#)),
        Lock::ForUpdate => sql(20_000, WORK_MS, r#""recipe":"for_update","lock_wait_ms":20000"#),
        Lock::Redis => redis("set-nx-px", SERVER, ""),
        Lock::Sentinel => redis(
            "set-nx-px",
            &format!(r#"{SERVER},{{"replica_of":1}}"#),
            r#","sentinels":{"count":3,"master":1,"quorum":2,"down_after_ms":500,"failover_timeout_ms":5000},"lock_servers":[1]"#,
        ),
        Lock::Redlock => redis("redlock", &[SERVER; 5].join(","), ""),
        Lock::ZooKeeper => {
            let mut actions = opened(clients, LIMIT_MS);
            // who loses its server looks for another
            for (_, action) in &mut actions {
                if let Action::OpenClient { servers, .. } = action {
                    *servers = (1..=3).map(ServerId).collect();
                }
            }
            for client in 1..=clients {
                let work = Step::Work { ms: WORK_MS, heedless: true };
                let steps = vec![call("lock", "acquire"), work, call("lock", "release")];
                actions.push((BEGINS, make(client, "lock", recipe(Kind::MUTEX, "/lock"))));
                actions.push((BEGINS, thread(client, steps, rounds)));
            }
            run(Setup::default(), actions)
        }
    }
}

/// Who believes from now on, or no longer, that it holds the lock.
fn belief(fact: &Fact) -> Option<(Node, bool)> {
    match fact {
        Fact::Program { client, fact } => match fact {
            recipes::Fact::Acquired { .. } => Some(((*client).into(), true)),
            recipes::Fact::Released { .. } => Some(((*client).into(), false)),
            _ => None,
        },
        Fact::Other { server, fact } => {
            let redis = fact.value::<redis::Fact>().and_then(|fact| match fact {
                redis::Fact::Acquired { .. } => Some(true),
                redis::Fact::LostLock { .. } | redis::Fact::Released { .. } => Some(false),
                _ => None,
            });
            let sql = fact.value::<SqlFact>().and_then(|fact| match fact {
                SqlFact::Acquired { .. } => Some(true),
                SqlFact::LockLost { .. } | SqlFact::Released { .. } => Some(false),
                _ => None,
            });
            redis.or(sql).map(|holds| ((*server).into(), holds))
        }
        Fact::World(WorldFact::Crashed { server, .. }) => Some(((*server).into(), false)),
        Fact::World(WorldFact::ClientKilled { client }) => Some(((*client).into(), false)),
        _ => None,
    }
}

/// A run of the table, played a piece at a time.
#[derive(Debug)]
pub struct Trial {
    lock: Lock,
    fault: Fault,
    run: Run,
    world: World,
    /// Who had it first, and when: then the fault is known.
    first: Option<(Node, SimTime)>,
    /// When the fault comes, or the lock is first free.
    from: Option<SimTime>,
    holders: BTreeSet<Node>,
}

impl Trial {
    /// The run of this lock and this fault, not yet begun.
    pub fn new(lock: Lock, fault: Fault) -> Trial {
        let run = contest(lock, 2, 1);
        let world = World::new(run.clone());
        Trial { lock, fault, run, world, first: None, from: None, holders: BTreeSet::new() }
    }

    /// The run with its fault; before the first acquisition is known, without it.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Plays so many steps; what came of it, once that is known.
    pub fn step(&mut self, steps: usize) -> Option<Outcome> {
        for _ in 0..steps {
            let end = self.from.map_or(LATEST_MS, |from| from.as_ms() + WATCHED_MS);
            if self.world.next_at().is_none_or(|at| at.as_ms() > end) {
                return Some(Outcome::Nobody);
            }
            let records = self.world.step()?.to_vec();
            for record in records {
                if let Some(outcome) = self.read(&record) {
                    return Some(outcome);
                }
                if self.first.is_some() && self.from.is_none() && self.fault != Fault::None {
                    self.strike();
                    break;
                }
            }
        }
        None
    }

    fn read(&mut self, record: &Record) -> Option<Outcome> {
        // what is locked in a transaction is over with its server, and whoever holds it can change nothing any more
        if let (Lock::ForUpdate, Fact::World(WorldFact::Crashed { server, .. })) = (self.lock, &record.fact)
            && server.letters() == "D"
        {
            self.holders.clear();
        }
        let (who, holds) = belief(&record.fact)?;
        let since = |from: Option<SimTime>| from.map(|from| record.at_us.since(from));
        if !holds {
            let freed = self.holders.remove(&who) && self.holders.is_empty();
            if freed && self.fault == Fault::None {
                self.from.get_or_insert(record.at_us);
            }
            return None;
        }
        self.holders.insert(who);
        let first = self.first.get_or_insert((who, record.at_us)).0;
        match since(self.from)? {
            after if self.holders.len() > 1 => Some(Outcome::Two(after)),
            after if who != first => Some(Outcome::Safe(after)),
            _ => None,
        }
    }

    /// The fault is put into the run, which begins anew.
    fn strike(&mut self) {
        let Some((holder, at)) = self.first else { return };
        let from = at.plus(AFTER_MS * 1_000);
        for (at_us, action) in self.deeds(holder, at, from) {
            self.run.push(at_us, action);
        }
        self.world = World::new(self.run.clone());
        self.holders.clear();
        self.from = Some(from);
    }

    /// What happens, and when.
    fn deeds(&self, holder: Node, acquired: SimTime, from: SimTime) -> Vec<(SimTime, Action)> {
        let servers = self.servers();
        let Some(&server) = servers.first() else { return Vec::new() };
        let (over, up) = (from.plus(LASTS_MS * 1_000), from.plus(DOWN_MS * 1_000));
        match (self.fault, holder) {
            (Fault::None, _) => Vec::new(),
            (Fault::HolderKilled, Node::Server(server)) => vec![(from, Action::Kill { server })],
            (Fault::HolderKilled, Node::Client(client)) => vec![(from, Action::KillClient { client })],
            (Fault::HolderPaused, Node::Server(server)) => {
                vec![(from, Action::Pause { server }), (over, Action::Resume { server })]
            }
            (Fault::HolderPaused, Node::Client(client)) => {
                vec![(from, Action::PauseClient { client }), (over, Action::ResumeClient { client })]
            }
            (Fault::HolderCut, _) => {
                let links: Vec<(Node, Node)> = servers.iter().map(|server| (holder, (*server).into())).collect();
                vec![(from, Action::CutLinks { links: links.clone() }), (over, Action::HealLinks { links })]
            }
            (Fault::ServerKilled, _) => vec![(from, Action::Kill { server }), (up, Action::Restart { server })],
            (Fault::PowerLost, _) => vec![(from, Action::PowerOff { server }), (up, Action::Restart { server })],
            (Fault::Failover, _) => self.failover(server, &servers, acquired, from),
            (Fault::ClockJump, _) => {
                servers.iter().map(|server| (from, Action::ClockJump { server: *server, ms: 60_000 })).collect()
            }
        }
    }

    /// Nothing of what the server does with the lock gets to the others, and it does not come back. A database's replica is promoted by
    /// its operator.
    fn failover(
        &self,
        server: ServerId,
        all: &[ServerId],
        acquired: SimTime,
        from: SimTime,
    ) -> Vec<(SimTime, Action)> {
        let others = all.iter().copied().filter(|other| *other != server).collect();
        // a leader has the others' acknowledgements by then; a master answers before it sends
        let early = if self.lock == Lock::ZooKeeper { 0 } else { 100_000 };
        let at = SimTime(acquired.0.saturating_sub(early));
        let cut = Action::Cut { from: set(&[server.0]), to: others, one_way: false };
        let mut deeds = vec![(at, cut), (from, Action::Kill { server })];
        if matches!(self.lock, Lock::Row | Lock::ForUpdate) {
            let promote =
                Action::Write { server: ServerId::nth("D", 2), data: "promote".into(), count: 1, every_us: 0 };
            deeds.push((from.plus(DOWN_MS * 1_000), promote));
        }
        deeds
    }

    /// The servers of the lock, first the one at which it is: the leader.
    fn servers(&self) -> Vec<ServerId> {
        let letters = match self.lock {
            Lock::Row | Lock::ForUpdate => "D",
            Lock::Redis | Lock::Sentinel | Lock::Redlock => "R",
            Lock::ZooKeeper => "",
        };
        let mut all: Vec<ServerId> = self.world.processes.keys().copied().collect();
        all.retain(|id| if letters.is_empty() { id.0 <= 3 } else { id.letters() == letters });
        all.arrange_by_key(|id| {
            let server = self.world.processes.get(id).and_then(|process| process.server());
            !server.is_some_and(|memory| memory.peer.is_established_leader())
        });
        all
    }
}

/// What it costs one client alone to take this lock: the second time, when everything is connected and made.
pub fn price(lock: Lock) -> Option<Price> {
    let mut world = World::new(contest(lock, 1, 2));
    let (mut price, mut free, mut asked) = (Price::default(), false, None);
    while world.next_at().is_some_and(|at| at.as_ms() < LATEST_MS) {
        for record in world.step()? {
            match (&record.fact, belief(&record.fact)) {
                (_, Some((_, true))) if free => {
                    price.us = record.at_us.since(asked.unwrap_or(record.at_us));
                    return Some(price);
                }
                (_, Some((_, false))) => free = true,
                // what was still to be done for the release does not count
                (Fact::Program { fact: recipes::Fact::MethodCalled { .. }, .. }, _) => {
                    (price, asked) = (Price::default(), None);
                }
                (Fact::World(WorldFact::Sent { from, to, message, .. }), _)
                    if free && message.name() != "PING" && (is_client(*from) || is_client(*to)) =>
                {
                    asked.get_or_insert(record.at_us);
                    price.messages += 1;
                }
                (fact, _) if free && asked.is_some() && forces(fact) => price.forced += 1,
                _ => {}
            }
        }
    }
    None
}

fn is_client(node: Node) -> bool {
    matches!(node, Node::Client(_)) || node.server().is_some_and(|server| server.letters() == "C")
}

/// Whether something was forced to a disk.
fn forces(fact: &Fact) -> bool {
    match fact {
        Fact::World(WorldFact::Synced { .. }) => true,
        Fact::Other { fact, .. } => {
            matches!(fact.value(), Some(redis::Fact::Synced { .. }))
                || matches!(fact.value(), Some(SqlFact::Forced { .. }))
        }
        _ => false,
    }
}

/// The run of the scenario: its lock and its fault are numbers of the table.
pub(super) fn compared(args: &Args) -> (Run, u64) {
    let lock = Lock::ALL.get((args.get("lock") as usize).saturating_sub(1)).copied().unwrap_or(Lock::Sentinel);
    let fault = Fault::ALL.get(args.get("fault") as usize).copied().unwrap_or(Fault::None);
    let mut trial = Trial::new(lock, fault);
    while trial.from.is_none() && trial.step(1).is_none() {}
    let until = trial.from.map_or(LATEST_MS, SimTime::as_ms) + LASTS_MS + 1_500;
    (trial.run, until)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(lock: Lock, fault: Fault) -> Outcome {
        let mut trial = Trial::new(lock, fault);
        loop {
            if let Some(outcome) = trial.step(1_000) {
                return outcome;
            }
        }
    }

    /// Section 6 of the reference: S never two, T two believe at once, N nobody gets it. In the order of [`Fault::ALL`].
    #[test]
    fn every_cell_is_what_the_real_systems_do() {
        let table = [
            (Lock::Row, "SSTTSSTT"),
            (Lock::ForUpdate, "SSSSSNSS"),
            (Lock::Redis, "SSTTSSNT"),
            (Lock::Sentinel, "SSTTSSTT"),
            (Lock::Redlock, "SSTSSSST"),
            (Lock::ZooKeeper, "SSTTSSSS"),
        ];
        let letter = |outcome| match outcome {
            Outcome::Safe(_) => 'S',
            Outcome::Two(_) => 'T',
            Outcome::Nobody => 'N',
        };
        let played =
            table.map(|(lock, _)| (lock, Fault::ALL.map(|fault| letter(outcome(lock, fault))).iter().collect()));
        assert_eq!(played, table.map(|(lock, letters)| (lock, letters.to_string())));
    }

    #[test]
    fn a_lock_costs_what_the_reference_counts() {
        let costs = Lock::ALL.map(|lock| price(lock).map(|price| (price.messages, price.forced)));
        // INSERT after the clearing away, redo and binlog; BEGIN and SELECT; SET; SET at five; create and getChildren, one log at each of three
        assert_eq!(costs, [(4, 2), (4, 0), (2, 0), (2, 0), (10, 0), (4, 3)].map(Some));
    }

    #[test]
    fn a_cell_played_in_pieces_is_the_run_of_the_scenario() {
        let mut trial = Trial::new(Lock::Redis, Fault::ClockJump);
        while trial.step(1).is_none() {}
        assert_eq!(trial.run(), &crate::scenarios::scenario("lock-compare").expect("a scenario").run());
    }
}
