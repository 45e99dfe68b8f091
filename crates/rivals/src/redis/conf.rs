//! A server's configuration: what CONFIG GET and CONFIG SET know, with the defaults of Redis but for snapshots, which are off.

use crate::base::ServerId;

/// When the append-only file is synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fsync {
    /// Before each turn's answers.
    Always,
    /// About once a second, beside the thread of commands.
    EverySec,
    /// When the system likes to.
    No,
}

/// A server's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conf {
    /// `replicaof`: of whom it is a replica.
    pub source: Option<ServerId>,
    /// `appendonly`.
    pub append_only: bool,
    /// `appendfsync`.
    pub fsync: Fsync,
    /// `min-replicas-to-write`; 0: off.
    pub min_replicas: i64,
    /// `min-replicas-max-lag`, seconds; 0: off.
    pub max_lag: i64,
    /// `replica-priority`; 0: never promoted.
    pub priority: i64,
    /// `repl-backlog-size`, bytes.
    pub backlog: i64,
    /// `repl-ping-replica-period`, seconds.
    pub ping_period: i64,
    /// `repl-timeout`, seconds.
    pub repl_timeout: i64,
    /// `replica-serve-stale-data`.
    pub serve_stale: bool,
    /// `replica-read-only`.
    pub read_only: bool,
    /// `lazyfree-lazy-expire`: expired keys are removed by UNLINK.
    pub lazy_expire: bool,
    /// `busy-reply-threshold`, ms.
    pub busy_ms: i64,
    /// `notify-keyspace-events`.
    pub events: String,
    /// Whether the active expire cycle runs (`DEBUG SET-ACTIVE-EXPIRE`).
    pub active_expire: bool,
}

impl Default for Conf {
    fn default() -> Conf {
        Conf {
            source: None,
            append_only: false,
            fsync: Fsync::EverySec,
            min_replicas: 0,
            max_lag: 10,
            priority: 100,
            backlog: 1 << 20,
            ping_period: 10,
            repl_timeout: 60,
            serve_stale: true,
            read_only: true,
            lazy_expire: false,
            busy_ms: 5000,
            events: String::new(),
            active_expire: true,
        }
    }
}

/// The names of all parameters.
pub(super) const NAMES: [&str; 14] = [
    "appendonly",
    "appendfsync",
    "min-replicas-to-write",
    "min-replicas-max-lag",
    "replica-priority",
    "repl-backlog-size",
    "repl-ping-replica-period",
    "repl-timeout",
    "replica-serve-stale-data",
    "replica-read-only",
    "lazyfree-lazy-expire",
    "busy-reply-threshold",
    "notify-keyspace-events",
    "save",
];

fn yes_no(value: &str) -> Option<bool> {
    match &*value.to_ascii_lowercase() {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

/// A number of bytes, as `1mb`.
fn memory(value: &str) -> Option<i64> {
    let value = value.to_ascii_lowercase();
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: i64 = match &value[digits.len()..] {
        "" | "b" => 1,
        "k" => 1_000,
        "kb" => 1 << 10,
        "m" => 1_000_000,
        "mb" => 1 << 20,
        "g" => 1_000_000_000,
        "gb" => 1 << 30,
        _ => return None,
    };
    digits.parse::<i64>().ok()?.checked_mul(unit)
}

/// Words of older versions for the same parameter.
fn modern(name: &str) -> &str {
    match name {
        "lua-time-limit" => "busy-reply-threshold",
        "min-slaves-to-write" => "min-replicas-to-write",
        "min-slaves-max-lag" => "min-replicas-max-lag",
        "slave-priority" => "replica-priority",
        "slave-serve-stale-data" => "replica-serve-stale-data",
        "slave-read-only" => "replica-read-only",
        "repl-ping-slave-period" => "repl-ping-replica-period",
        other => other,
    }
}

impl Conf {
    /// Sets a parameter.
    ///
    /// # Errors
    /// In the words of CONFIG SET: it is unknown, or the value is none of it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let lower = name.to_ascii_lowercase();
        let natural = || value.parse::<i64>().ok().filter(|number| (0..=i64::from(i32::MAX)).contains(number));
        let done = match modern(&lower) {
            "appendonly" => yes_no(value).map(|yes| self.append_only = yes),
            "appendfsync" => {
                let policy = match &*value.to_ascii_lowercase() {
                    "always" => Some(Fsync::Always),
                    "everysec" => Some(Fsync::EverySec),
                    "no" => Some(Fsync::No),
                    _ => None,
                };
                policy.map(|policy| self.fsync = policy)
            }
            "min-replicas-to-write" => natural().map(|number| self.min_replicas = number),
            "min-replicas-max-lag" => natural().map(|number| self.max_lag = number),
            "replica-priority" => natural().map(|number| self.priority = number),
            "repl-backlog-size" => memory(value).filter(|size| *size > 0).map(|size| self.backlog = size),
            "repl-ping-replica-period" => natural().filter(|n| *n > 0).map(|number| self.ping_period = number),
            "repl-timeout" => natural().filter(|n| *n > 0).map(|number| self.repl_timeout = number),
            "replica-serve-stale-data" => yes_no(value).map(|yes| self.serve_stale = yes),
            "replica-read-only" => yes_no(value).map(|yes| self.read_only = yes),
            "lazyfree-lazy-expire" => yes_no(value).map(|yes| self.lazy_expire = yes),
            "busy-reply-threshold" => natural().map(|number| self.busy_ms = number),
            "notify-keyspace-events" => {
                let known = value.chars().all(|c| "AKEg$lshzxetdmn".contains(c));
                known.then(|| self.events = value.into())
            }
            // snapshots are made by SAVE only
            "save" => value.is_empty().then_some(()),
            _ => return Err(format!("ERR Unknown option or number of arguments for CONFIG SET - '{name}'")),
        };
        done.ok_or_else(|| {
            format!("ERR CONFIG SET failed (possibly related to argument '{name}') - argument couldn't be parsed")
        })
    }

    /// A parameter's value, by its name in small letters.
    pub fn get(&self, name: &str) -> Option<String> {
        let yes = |yes: bool| if yes { "yes".to_string() } else { "no".to_string() };
        Some(match modern(name) {
            "appendonly" => yes(self.append_only),
            "appendfsync" => match self.fsync {
                Fsync::Always => "always".into(),
                Fsync::EverySec => "everysec".into(),
                Fsync::No => "no".into(),
            },
            "min-replicas-to-write" => self.min_replicas.to_string(),
            "min-replicas-max-lag" => self.max_lag.to_string(),
            "replica-priority" => self.priority.to_string(),
            "repl-backlog-size" => self.backlog.to_string(),
            "repl-ping-replica-period" => self.ping_period.to_string(),
            "repl-timeout" => self.repl_timeout.to_string(),
            "replica-serve-stale-data" => yes(self.serve_stale),
            "replica-read-only" => yes(self.read_only),
            "lazyfree-lazy-expire" => yes(self.lazy_expire),
            "busy-reply-threshold" => self.busy_ms.to_string(),
            "notify-keyspace-events" => self.events.clone(),
            "save" => String::new(),
            _ => return None,
        })
    }
}
