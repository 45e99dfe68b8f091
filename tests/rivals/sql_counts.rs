//! What locks cost on databases, counted: messages, forced writes, delays. The numbers stand in the comparison of the locks.

use zabscope::base::{ServerId, SimTime};
use zabscope::rivals::sql::engine::{Engine, Variables};
use zabscope::rivals::sql::fact::Fact as SqlFact;
use zabscope::rivals::sql::{Sql, SqlClient, SqlServer};
use zabscope::sim::{Action, Fact, LatencyRange, Player, Run, Setup, Systems, WorldFact};

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Requests and answers of clients.
    client_messages: u64,
    /// Between databases.
    server_messages: u64,
    /// Forced writes of the first database.
    forced: u64,
    /// From the first line to the answer to the last, ms.
    took_ms: u64,
}

const ROW: &str = "INSERT INTO distributed_lock (unique_mutex, holder_id) VALUES ('m', 'a')";
const UNROW: &str = "DELETE FROM distributed_lock WHERE unique_mutex = 'm' AND holder_id = 'a'";
const FOR_UPDATE: &str = "SELECT val FROM resource WHERE id = 1 FOR UPDATE";

struct Desk {
    player: Player,
    counts: Counts,
}

impl Desk {
    /// Databases (with a replica where `config` asks for a synchronous one) and four clients; a packet takes 10 ms, a disk 8.
    fn new(engine: Engine, replica: bool, config: &[(&str, &str)]) -> Desk {
        let config = Variables(config.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect());
        let mut servers = vec![SqlServer { replica_of: None, config }];
        if replica {
            let mut config = Variables::default();
            if engine == Engine::MariaDb {
                config.0.insert("rpl_semi_sync_slave_enabled".into(), "ON".into());
            }
            servers.push(SqlServer { replica_of: Some(1), config });
        }
        let clients = vec![SqlClient::default(); 4];
        let sql = Sql { engine, tables: Sql::recipe_tables(), servers, clients, reconnect_ms: 100 };
        let (latency, disk_sync) = (LatencyRange::ms(10, 10), LatencyRange::ms(8, 8));
        let systems = Systems { sql: Some(Box::new(sql)), ..Systems::default() };
        let setup = Setup { voters: 0, latency, disk_sync, transmit_us: 0, systems, ..Setup::default() };
        let mut desk = Desk { player: Player::new(Run::new(1, setup)).expect("a run"), counts: Counts::default() };
        desk.pass(1_000);
        desk.counts = Counts::default();
        desk
    }

    fn pass(&mut self, ms: u64) {
        let until = SimTime::from_ms(self.player.world().now.as_ms() + ms);
        let counts = &mut self.counts;
        self.player.run_until(until, |_, records| records.iter().for_each(|record| count(counts, &record.fact)));
    }

    /// A client asks for something; how long it waits for the answer, ms, at most a second.
    fn ask(&mut self, client: u8, line: &str) -> u64 {
        let (server, data) = (ServerId::nth("C", client), line.to_string());
        let begun = self.player.world().now.ceil_ms();
        let (counts, mut answered) = (&mut self.counts, None);
        let mut read = |at: SimTime, machine: ServerId, fact: &Fact| {
            if let Fact::Other { server, fact } = fact
                && matches!(fact.value::<SqlFact>(), Some(SqlFact::Answered { .. }))
                && *server == machine
            {
                answered.get_or_insert(at);
            }
        };
        let action = Action::Write { server, data, count: 1, every_us: 0 };
        let mut tell = |records: &[std::rc::Rc<zabscope::sim::Record>]| {
            for record in records {
                count(counts, &record.fact);
                read(record.at_us, server, &record.fact);
            }
        };
        self.player.act(action, |_, records| tell(records)).expect("a line");
        self.player.run_until(SimTime::from_ms(begun.as_ms() + 1_000), |_, records| tell(records));
        let took = answered.map_or(1_000, |at| at.since(begun) / 1000);
        self.counts.took_ms += took;
        took
    }

    fn all(mut self, lines: &[&str]) -> Counts {
        for line in lines {
            self.ask(1, line);
        }
        self.counts
    }
}

fn count(counts: &mut Counts, fact: &Fact) {
    match fact {
        Fact::World(WorldFact::Sent { from, to, .. }) => {
            let is_client = |node: &zabscope::base::Node| node.to_string().starts_with('C');
            match is_client(from) || is_client(to) {
                true => counts.client_messages += 1,
                false => counts.server_messages += 1,
            }
        }
        Fact::Other { server, fact } if *server == ServerId::nth("D", 1) => {
            counts.forced += u64::from(matches!(fact.value::<SqlFact>(), Some(SqlFact::Forced { .. })));
        }
        _ => {}
    }
}

fn counts(client_messages: u64, server_messages: u64, forced: u64, took_ms: u64) -> Counts {
    Counts { client_messages, server_messages, forced, took_ms }
}

const BOTH: [Engine; 2] = [Engine::MariaDb, Engine::Postgres];

#[test]
fn a_lock_row_costs_four_messages_and_two_forced_writes() {
    for engine in BOTH {
        assert_eq!(Desk::new(engine, false, &[]).all(&[ROW, UNROW]), counts(4, 0, 2, 2 * 28), "{engine:?}");
        assert_eq!(
            Desk::new(engine, false, &[]).all(&[ROW]),
            counts(2, 0, 1, 28),
            "held after two delays and a force"
        );
    }
    let binlog = Desk::new(Engine::MariaDb, false, &[("log_bin", "ON")]).all(&[ROW, UNROW]);
    assert_eq!(binlog, counts(4, 0, 4, 2 * 36), "redo log and binlog");
}

#[test]
fn a_synchronous_replica_costs_two_messages_a_commit_more() {
    let names = [("synchronous_standby_names", "*")];
    let postgres = Desk::new(Engine::Postgres, true, &names).all(&[ROW, UNROW]);
    assert_eq!(postgres, counts(4, 4, 2, 2 * 56), "the standby forces it too");
    let semi = [("rpl_semi_sync_master_enabled", "ON")];
    let mariadb = Desk::new(Engine::MariaDb, true, &semi).all(&[ROW, UNROW]);
    assert_eq!(mariadb, counts(4, 4, 4, 2 * 56), "received is enough");
}

#[test]
fn a_row_lock_costs_six_messages_and_one_forced_write_or_none() {
    for (engine, forced) in [(Engine::MariaDb, 0), (Engine::Postgres, 1)] {
        let ours = Desk::new(engine, false, &[]).all(&["BEGIN", FOR_UPDATE, "COMMIT"]);
        assert_eq!(ours, counts(6, 0, forced, 60 + 8 * forced), "{engine:?}");
    }
}

#[test]
fn a_named_lock_costs_four_messages_and_no_forced_write() {
    let lines = ["SELECT GET_LOCK('L', 50) AS r", "SELECT RELEASE_LOCK('L') AS r"];
    assert_eq!(Desk::new(Engine::MariaDb, false, &[]).all(&lines), counts(4, 0, 0, 40));
    let lines = ["SELECT pg_advisory_lock(76) IS NOT NULL AS r", "SELECT pg_advisory_unlock(76) AS r"];
    assert_eq!(Desk::new(Engine::Postgres, false, &[]).all(&lines), counts(4, 0, 0, 40));
}

/// Of those who wait for a row, one is answered when it is free; who waits for a lock row has to ask.
#[test]
fn a_release_sends_one_answer_to_who_waits_in_the_queue_and_none_to_who_polls() {
    for engine in BOTH {
        let mut desk = Desk::new(engine, false, &[]);
        for client in 1..=4 {
            desk.ask(client, "BEGIN");
            desk.ask(client, FOR_UPDATE);
        }
        desk.counts = Counts::default();
        desk.ask(1, "COMMIT");
        assert_eq!(desk.counts.client_messages, 3, "{engine:?}: COMMIT, its answer, one grant");
        let mut desk = Desk::new(engine, false, &[]);
        desk.ask(1, ROW);
        for client in 2..=4 {
            desk.ask(client, ROW);
        }
        desk.counts = Counts::default();
        desk.ask(1, UNROW);
        assert_eq!(desk.counts.client_messages, 2, "{engine:?}: the delete and its answer");
    }
}
