//! Our databases and clients in their world: they are told something, and everything comes to rest.

use std::collections::BTreeMap;

use crate::Stuck;
use crate::base::{ServerId, SimTime};
use crate::rivals::sql::fact::Fact as SqlFact;
use crate::rivals::sql::{Sql, SqlClient, SqlServer};
use crate::sim::{Action, Fact, LatencyRange, Player, Run, Setup, Status, Systems};

use super::recording::SqlPlay;

/// So many steps at one moment are more than anything real.
const MAX_AT_ONCE: u32 = 100_000;

/// The world of a play. Packets and disks take no time: time passes only where the recording lets it.
pub(super) struct Stage {
    player: Player,
    /// Everybody by name.
    pub names: BTreeMap<String, ServerId>,
    /// What machines have stated, in order.
    pub facts: Vec<(ServerId, SqlFact)>,
}

impl Stage {
    pub(super) fn new(recording: &SqlPlay, seed: u64) -> Result<Stage, String> {
        let (engine, mut names) = (recording.engine()?, BTreeMap::new());
        let numbered: Vec<(&String, u8)> = recording.servers.keys().zip(1..).collect();
        let number = |name: &str| numbered.iter().find(|(other, _)| *other == name).map(|(_, n)| *n);
        let mut servers = Vec::new();
        for ((name, server), n) in recording.servers.iter().zip(1..) {
            names.insert(name.clone(), ServerId::nth("D", n));
            let replica_of = server.replica_of.as_ref().and_then(|source| number(source));
            servers.push(SqlServer { replica_of, config: server.variables(engine) });
        }
        let mut clients = Vec::new();
        for (name, n) in recording.client_names().into_iter().zip(1..) {
            names.insert(name, ServerId::nth("C", n));
            clients.push(SqlClient { connect: false, ..SqlClient::default() });
        }
        let sql = Sql { engine, tables: recording.table_defs()?, servers, clients, reconnect_ms: 1 };
        let none = LatencyRange { min_us: 0, max_us: 0 };
        let systems = Systems { sql: Some(Box::new(sql)), ..Systems::default() };
        let setup = Setup { voters: 0, latency: none, transmit_us: 0, disk_sync: none, systems, ..Setup::default() };
        let player = Player::new(Run::new(seed, setup)).map_err(|run_error| run_error.to_string())?;
        Ok(Stage { player, names, facts: Vec::new() })
    }

    pub(super) fn now(&self) -> SimTime {
        self.player.world().now
    }

    /// A machine by its name in the recording.
    pub(super) fn id(&self, name: &str) -> ServerId {
        self.names.get(name).copied().unwrap_or(ServerId::NONE)
    }

    /// A name in the recording by its machine.
    pub(super) fn name(&self, id: ServerId) -> String {
        let named = self.names.iter().find(|(_, other)| **other == id);
        named.map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    /// Whether a machine's process runs.
    pub(super) fn is_up(&self, id: ServerId) -> bool {
        self.player.world().processes.get(&id).is_some_and(|process| process.status != Status::Crashed)
    }

    /// Does something, and lets everything come to rest.
    pub(super) fn act(&mut self, action: Action) -> Result<(), Stuck> {
        let facts = &mut self.facts;
        let acted = self.player.act(action, |_, records| records.iter().for_each(|record| keep(facts, &record.fact)));
        acted.map_err(|run_error| Stuck(run_error.to_string()))?;
        self.rest()
    }

    /// Somebody types a line at a machine.
    pub(super) fn type_at(&mut self, machine: ServerId, line: &str) -> Result<(), Stuck> {
        self.act(Action::Write { server: machine, data: line.into(), count: 1, every_us: 0 })
    }

    /// Until nothing is left to happen at this moment; and until replicas are connected that are about to dial.
    pub(super) fn rest(&mut self) -> Result<(), Stuck> {
        let (now, mut steps) = (self.now(), 0);
        while self.player.world().next_at().is_some_and(|at| at <= now) {
            self.step();
            steps += 1;
            if steps > MAX_AT_ONCE {
                return Err(Stuck("it does not come to rest".into()));
            }
        }
        Ok(())
    }

    fn step(&mut self) {
        let records = self.player.step().unwrap_or_default().to_vec();
        records.iter().for_each(|record| keep(&mut self.facts, &record.fact));
    }

    /// Lets time pass.
    pub(super) fn advance(&mut self, ms: u64) -> Result<(), Stuck> {
        let until = self.now().plus(ms * 1000);
        while self.player.world().next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.player.run_until(until, |_, _| {});
        self.rest()
    }
}

fn keep(facts: &mut Vec<(ServerId, SqlFact)>, fact: &Fact) {
    if let Fact::Other { server, fact } = fact
        && let Some(fact) = fact.value::<SqlFact>()
    {
        facts.push((*server, fact.clone()));
    }
}
