//! The properties of locks on Redis, judged by what machines state.

use crate::base::{ServerId, SimTime, SortedMap};
use crate::daemon::{Breach, Judge, Property};

use super::fact::Fact;
use super::line::split;

/// So long after a limit is over a lock must be free, µs: expiry cycles, clients' polling, slow links.
const SLACK_US: u64 = 5_000_000;
/// Each property is broken so often at most in the list.
const MAX_BREACHES: usize = 50;

/// Two believe that they hold a lock, and both act.
pub(super) const MUTUAL_EXCLUSION: &str = "redis-mutual-exclusion";
/// The resource takes a write of a holder after one of a later holder.
pub(super) const STALE_WRITE: &str = "redis-stale-write";
/// Somebody deletes a lock that another holds.
pub(super) const FOREIGN_UNLOCK: &str = "redis-foreign-unlock";
/// Nobody holds a lock and its limit is long over, and still it is refused.
pub(super) const LOCK_LIVE: &str = "redis-lock-live";
/// Fencing tokens increase.
pub(super) const TOKEN_ORDER: &str = "redis-token-order";

/// One who believes.
#[derive(Clone, Debug)]
struct Belief {
    /// Which acquisition it was, counted over all.
    number: u64,
    since: SimTime,
    token: String,
    acted: Option<SimTime>,
}

/// A lock.
#[derive(Clone, Debug, Default)]
struct Lock {
    believers: SortedMap<ServerId, Belief>,
    /// When each client was last granted it by a server, counted over all: answers may come in another order.
    granted: SortedMap<ServerId, u64>,
    /// The last acquisition of each client.
    last: SortedMap<ServerId, u64>,
    /// The newest acquisition of which the resource has taken a write.
    written: Option<(u64, ServerId)>,
    /// When somebody was last seen to have it.
    sign: SimTime,
    /// The token that each client was last granted with the lock, and with which acquisition: given out once it has heard of it.
    tokens: SortedMap<ServerId, (u64, i64)>,
    /// Of the tokens that were given out the one of the newest acquisition.
    given: Option<(u64, i64)>,
}

/// Reads facts and says what must not have happened.
#[derive(Clone, Debug, Default)]
pub struct RedisJudge {
    locks: SortedMap<String, Lock>,
    acquisitions: u64,
    breaches: Vec<Breach>,
}

impl RedisJudge {
    fn breach(&mut self, property: &'static str, at: SimTime, english: String, chinese: String) {
        if self.breaches.iter().filter(|breach| breach.property == property).count() < MAX_BREACHES {
            self.breaches.push(Breach { property, at, said: [english, chinese] });
        }
    }

    fn acts(&mut self, at: SimTime, client: ServerId, key: &str) {
        let Some(lock) = self.locks.get_mut(key) else { return };
        lock.sign = at;
        let Some(own) = lock.believers.get_mut(&client) else { return };
        own.acted = Some(at);
        let since = own.since;
        let other = lock.believers.iter().find(|(other, belief)| {
            **other != client && belief.acted.is_some_and(|acted| acted >= since.max(belief.since))
        });
        if let Some((other, _)) = other.map(|(other, belief)| (*other, belief.number)) {
            self.breach(
                MUTUAL_EXCLUSION,
                at,
                format!("{client} and {other} both believe that they hold {key}, and both act."),
                format!("{client} 与 {other} 都认为自己持有锁 {key}，并且都在操作资源。"),
            );
        }
    }

    /// A server has executed a command: writes to the resource, grants and tokens are among them.
    fn executed(&mut self, at: SimTime, line: &str, reply: &str, by: &str) {
        let words = split(line).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let client = ServerId::named(by);
        let resource = match words.as_slice() {
            ["SET", key, ..] | ["EVAL", "@fencedWrite", "1", key, ..] if reply == "OK" || reply == "\"OK\"" => {
                key.strip_prefix("resource:")
            }
            _ => None,
        };
        if let (Some(key), Some(client)) = (resource, client) {
            return self.wrote(at, client, key);
        }
        let Some(key) = granted(&words, reply).or_else(|| kept(&words, reply)) else { return };
        let grants = granted(&words, reply).is_some();
        self.acquisitions += u64::from(grants);
        let lock = self.locks.get_or_default(key.into());
        lock.sign = at;
        if let (true, Some(client)) = (grants, client) {
            lock.granted.insert(client, self.acquisitions);
            if let ["EVAL", "@lockAndToken" | "@hashLockAndToken", ..] = words.as_slice() {
                let number = reply.rsplit_once("(integer) ").and_then(|(_, number)| number.parse::<i64>().ok());
                number.into_iter().for_each(|number| _ = lock.tokens.insert(client, (self.acquisitions, number)));
            }
        }
    }

    /// A client has heard of its token. One that a power failure took before its answer was sent was given to nobody, and may come again.
    fn token(&mut self, at: SimTime, client: ServerId, key: &str, number: i64) {
        let Some(lock) = self.locks.get_mut(key) else { return };
        let Some(own) = lock.tokens.remove(&client).filter(|(_, granted)| *granted == number) else { return };
        let other = lock.given.replace(lock.given.map_or(own, |other| other.max(own)));
        let Some(other) = other.filter(|other| (other.0 < own.0) != (other.1 < own.1)) else { return };
        let (before, after) = if other.0 < own.0 { (other.1, own.1) } else { (own.1, other.1) };
        self.breach(
            TOKEN_ORDER,
            at,
            format!("Token {after} of {key} is given out after {before}."),
            format!("锁 {key} 在发出令牌 {before} 之后又发出了令牌 {after}。"),
        );
    }

    fn wrote(&mut self, at: SimTime, client: ServerId, key: &str) {
        let Some(lock) = self.locks.get_mut(key) else { return };
        let Some(number) = lock.last.get(&client).copied() else { return };
        match lock.written.filter(|(newest, _)| *newest > number) {
            Some((_, later)) => self.breach(
                STALE_WRITE,
                at,
                format!("The resource takes a write of {client}, though {later} holds {key} by now and has written."),
                format!("资源接受了 {client} 的写入，而 {later} 在其后取得锁 {key} 并已写入。"),
            ),
            None => lock.written = Some((number, client)),
        }
    }

    fn deleted(&mut self, at: SimTime, key: &str, value: &str, by: &str) {
        let Some(lock) = self.locks.get(key) else { return };
        let newest = lock.believers.iter().max_by_key(|(_, belief)| belief.number);
        let Some((holder, _)) = newest.filter(|(_, belief)| value.contains(&*belief.token)) else { return };
        if holder.to_string() != by {
            let (holder, by) = (*holder, by.to_string());
            self.breach(
                FOREIGN_UNLOCK,
                at,
                format!("{by} deletes {key}, which {holder} holds."),
                format!("{by} 删除了 {holder} 持有的 {key}。"),
            );
        }
    }

    fn denied(&mut self, at: SimTime, client: ServerId, key: &str, limit_ms: Option<u64>) {
        let lock = self.locks.get_or_default(key.into());
        let limit_us = limit_ms.unwrap_or(0).saturating_mul(1000);
        if at.since(lock.sign) > limit_us.saturating_add(SLACK_US) {
            let seconds = at.since(lock.sign) / 1_000_000;
            // once for each time that it hangs
            lock.sign = at;
            self.breach(
                LOCK_LIVE,
                at,
                format!("{client} is refused the lock {key}, though nobody has shown to hold it for {seconds} s."),
                format!("{client} 仍被拒绝取得锁 {key}，而 {seconds} 秒以来无人表明自己持有它。"),
            );
        }
    }
}

/// The lock that a command has granted to who sent it.
fn granted<'a>(words: &[&'a str], reply: &str) -> Option<&'a str> {
    let key = match words {
        ["SET", key, _, "NX", ..] if reply == "OK" => key,
        ["SETNX", key, _] if reply == "(integer) 1" => key,
        ["GETSET", key, _] if !reply.starts_with("(error)") => key,
        ["EVAL", "@lockAndToken", _, key, ..] if reply.starts_with("(integer)") => key,
        ["EVAL", "@hashLock", _, key, ..] if reply == "(nil)" => key,
        ["EVAL", "@hashLockAndToken", _, key, ..] if reply.starts_with("1) (integer) -1 ") => key,
        _ => return None,
    };
    Some(key)
}

/// The lock whose limit a command has set anew.
fn kept<'a>(words: &[&'a str], reply: &str) -> Option<&'a str> {
    match words {
        ["PEXPIRE", key, _] | ["EVAL", "@compareAndPexpire" | "@hashRenew", "1", key, ..]
            if reply == "(integer) 1" =>
        {
            Some(key)
        }
        _ => None,
    }
}

impl Judge for RedisJudge {
    type Fact = Fact;

    const PROPERTIES: &'static [Property] = &[
        Property {
            id: MUTUAL_EXCLUSION,
            title: ["One holder acts", "同时只有一个持有者行动"],
            about: [
                "Two that believe to hold the same lock never both act.",
                "不会有两个都以为持有同一把锁的客户端先后行动。",
            ],
        },
        Property {
            id: STALE_WRITE,
            title: ["No write of a former holder", "没有过时的写入"],
            about: [
                "The resource takes no write of a holder after one of a later holder.",
                "后一个持有者写入之后，资源不再接受前一个持有者的写入。",
            ],
        },
        Property {
            id: FOREIGN_UNLOCK,
            title: ["Nobody unlocks another's lock", "不释放别人的锁"],
            about: ["A lock is deleted by its holder alone, or by its limit.", "锁只由持有者删除，或因到期而删除。"],
        },
        Property {
            id: LOCK_LIVE,
            title: ["A lock gets free again", "锁终会释放"],
            about: [
                "A lock that nobody holds any more is not refused long after its limit.",
                "无人持有的锁在到期很久之后不会仍被拒绝。",
            ],
        },
        Property {
            id: TOKEN_ORDER,
            title: ["Tokens increase", "令牌递增"],
            about: ["Each fencing token is greater than all before it.", "每个令牌都大于之前的所有令牌。"],
        },
    ];

    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Fact) {
        match fact {
            Fact::Acquired { lock, token, number: fencing, .. } => {
                fencing.iter().for_each(|number| self.token(at, machine, lock, *number));
                let lock = self.locks.get_or_default(lock.clone());
                let number = lock.granted.get(&machine).copied().unwrap_or_default();
                lock.sign = at;
                lock.last.insert(machine, number);
                lock.believers.insert(machine, Belief { number, since: at, token: token.clone(), acted: None });
            }
            Fact::Released { lock, .. } | Fact::LostLock { lock, .. } | Fact::Begins { lock } => {
                if let Some(lock) = self.locks.get_mut(lock) {
                    lock.believers.remove(&machine);
                }
            }
            Fact::Renewed { lock } => self.locks.get_or_default(lock.clone()).sign = at,
            Fact::Acts { lock, .. } => self.acts(at, machine, lock),
            Fact::Executed { line, reply: Some(reply), by, .. } => self.executed(at, line, reply, by),
            Fact::Deleted { key, value, by } => self.deleted(at, key, value, by),
            Fact::Denied { lock, limit_ms, .. } => self.denied(at, machine, lock, *limit_ms),
            _ => {}
        }
    }

    fn breaches(&self) -> &[Breach] {
        &self.breaches
    }
}
