//! Which database it is, and what can be set in it.

use crate::base::SortedMap;
use crate::base::json::{Json, Read, ReadError, short};

use super::op::{Isolation, MAX_NAME, one_of, pairs};

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// MariaDB 10.11 with InnoDB.
    MariaDb,
    /// PostgreSQL 15.
    Postgres,
}

impl Engine {
    /// All of them, with their names in a setup.
    pub const ALL: [(&'static str, Engine); 2] = [("mariadb", Engine::MariaDb), ("postgresql", Engine::Postgres)];

    /// Its name in a setup.
    pub fn name(self) -> &'static str {
        if self == Engine::MariaDb { "mariadb" } else { "postgresql" }
    }

    /// Its variables with their defaults, as its manual names them. Durations are in the unit of the real variable:
    /// seconds or ms. MariaDB's own default of `sync_binlog` is 0; 1 is what its manual asks for, and what was recorded.
    fn defaults(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Engine::MariaDb => &[
                ("innodb_deadlock_detect", "ON"),
                ("innodb_flush_log_at_timeout", "1"),
                ("innodb_flush_log_at_trx_commit", "1"),
                ("innodb_lock_wait_timeout", "50"),
                ("innodb_rollback_on_timeout", "OFF"),
                ("idle_readonly_transaction_timeout", "0"),
                ("idle_transaction_timeout", "0"),
                ("idle_write_transaction_timeout", "0"),
                ("log_bin", "OFF"),
                ("rpl_semi_sync_master_enabled", "OFF"),
                ("rpl_semi_sync_master_timeout", "10000"),
                ("rpl_semi_sync_master_wait_point", "AFTER_COMMIT"),
                ("rpl_semi_sync_slave_enabled", "OFF"),
                ("sync_binlog", "1"),
                ("tx_isolation", "REPEATABLE-READ"),
                ("wait_timeout", "28800"),
            ],
            Engine::Postgres => &[
                ("deadlock_timeout", "1000"),
                ("default_transaction_isolation", "read committed"),
                ("idle_in_transaction_session_timeout", "0"),
                ("idle_session_timeout", "0"),
                ("lock_timeout", "0"),
                ("synchronous_commit", "on"),
                ("synchronous_standby_names", ""),
                ("wal_writer_delay", "200"),
            ],
        }
    }
}

impl Read for Engine {
    fn read(json: Json) -> Result<Engine, ReadError> {
        one_of(&String::read(json)?, &Engine::ALL)
    }
}

/// What is set in a database: what differs from the defaults, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables(pub SortedMap<String, String>);

/// Most variables that are set.
const MAX_VARIABLES: usize = 40;

/// A variable's text in JSON: numbers stand for themselves.
struct Text(String);

impl Read for Text {
    fn read(json: Json) -> Result<Text, ReadError> {
        match json {
            Json::Text(text) => Ok(Text(text)),
            number => i64::read(number).map(|number| Text(number.to_string())),
        }
    }
}

impl Read for Variables {
    fn read(json: Json) -> Result<Variables, ReadError> {
        let all = pairs::<Text>(json, MAX_VARIABLES)?;
        Ok(Variables(all.into_iter().map(|(name, Text(value))| (name, value)).collect()))
    }
}

impl Variables {
    /// Checks that an engine knows them all.
    ///
    /// # Errors
    /// It does not know one, or a value is too long.
    pub fn check(&self, engine: Engine) -> Result<(), ReadError> {
        let known: Vec<&'static str> = engine.defaults().iter().map(|(name, _)| *name).collect();
        for (name, value) in &self.0 {
            if !known.contains(&name.as_str()) {
                return Err(ReadError::unknown_name(name, known));
            }
            short(name, value, MAX_NAME)?;
        }
        Ok(())
    }

    /// Whether an engine has such a variable.
    pub fn known(engine: Engine, name: &str) -> bool {
        engine.defaults().iter().any(|(known, _)| *known == name)
    }

    /// A variable's value.
    pub fn text(&self, engine: Engine, name: &str) -> &str {
        let default = engine.defaults().iter().find(|(known, _)| *known == name).map_or("", |(_, value)| *value);
        self.0.get(name).map_or(default, String::as_str)
    }

    /// A variable's value as a number, a time of PostgreSQL's with its unit in ms; 0 where it is none.
    pub fn number(&self, engine: Engine, name: &str) -> u64 {
        let text = self.text(engine, name);
        let (number, unit) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
        let number: u64 = number.parse().unwrap_or(0);
        match unit.trim() {
            "" | "ms" => number,
            "s" => number.saturating_mul(1_000),
            "min" => number.saturating_mul(60_000),
            _ => 0,
        }
    }

    /// Whether a variable is on.
    pub fn is_on(&self, engine: Engine, name: &str) -> bool {
        !matches!(&*self.text(engine, name).to_ascii_lowercase(), "off" | "0" | "" | "false")
    }

    /// How isolated a transaction is where it does not say.
    pub fn isolation(&self, engine: Engine) -> Isolation {
        let name = match engine {
            Engine::MariaDb => self.text(engine, "tx_isolation"),
            Engine::Postgres => self.text(engine, "default_transaction_isolation"),
        };
        let level = Isolation::named(&name.to_ascii_lowercase().replace('-', " "));
        level.unwrap_or(Isolation::ReadCommitted)
    }
}
