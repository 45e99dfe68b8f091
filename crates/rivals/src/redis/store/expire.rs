//! Time limits (`expire.c`): moments of the wall clock beside the keys.

use crate::redis::reply::Reply;

use super::keyspace::{Keyspace, Role};
use super::numbers::int_arg;
use super::table::wrong_number;

/// How a time is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Seconds from now.
    Ex,
    /// Milliseconds from now.
    Px,
    /// A moment, in seconds.
    ExAt,
    /// A moment, in milliseconds.
    PxAt,
}

impl Unit {
    pub(super) fn named(name: &str) -> Option<Unit> {
        Some(match name {
            "EX" => Unit::Ex,
            "PX" => Unit::Px,
            "EXAT" => Unit::ExAt,
            "PXAT" => Unit::PxAt,
            _ => return None,
        })
    }
}

/// The moment of a limit, ms since 1970; none where the number is too large.
pub(super) fn moment(unit: Unit, time: i64, now: i64) -> Option<i64> {
    match unit {
        Unit::Ex => time.checked_mul(1000)?.checked_add(now),
        Unit::Px => time.checked_add(now),
        Unit::ExAt => time.checked_mul(1000),
        Unit::PxAt => Some(time),
    }
}

/// EXPIRE.
pub(super) fn expire(keys: &mut Keyspace, args: &[String]) -> Reply {
    limit(keys, args, Unit::Ex, "expire")
}

/// PEXPIRE.
pub(super) fn pexpire(keys: &mut Keyspace, args: &[String]) -> Reply {
    limit(keys, args, Unit::Px, "pexpire")
}

/// EXPIREAT.
pub(super) fn expireat(keys: &mut Keyspace, args: &[String]) -> Reply {
    limit(keys, args, Unit::ExAt, "expireat")
}

/// PEXPIREAT.
pub(super) fn pexpireat(keys: &mut Keyspace, args: &[String]) -> Reply {
    limit(keys, args, Unit::PxAt, "pexpireat")
}

/// When a limit is only to be set under a condition (`parseExtendedExpireArgumentsOrReply`).
#[derive(Default)]
struct Condition {
    nx: bool,
    xx: bool,
    gt: bool,
    lt: bool,
}

impl Condition {
    fn read(words: &[String]) -> Result<Condition, Reply> {
        let mut condition = Condition::default();
        for word in words {
            match &*word.to_ascii_uppercase() {
                "NX" => condition.nx = true,
                "XX" => condition.xx = true,
                "GT" => condition.gt = true,
                "LT" => condition.lt = true,
                _ => return Err(Reply::error(format!("ERR Unsupported option {word}"))),
            }
        }
        if condition.nx && (condition.xx || condition.gt || condition.lt) {
            return Err(Reply::error("ERR NX and XX, GT or LT options at the same time are not compatible"));
        }
        if condition.gt && condition.lt {
            return Err(Reply::error("ERR GT and LT options at the same time are not compatible"));
        }
        Ok(condition)
    }

    /// Whether it lets a new limit through; no limit counts as infinite.
    fn holds(&self, old: Option<i64>, new: i64) -> bool {
        !(self.nx && old.is_some()
            || self.xx && old.is_none()
            || self.gt && old.is_none_or(|old| new <= old)
            || self.lt && old.is_some_and(|old| new >= old))
    }
}

fn limit(keys: &mut Keyspace, args: &[String], unit: Unit, name: &str) -> Reply {
    limit_with(keys, args, unit, name).unwrap_or_else(|error| error)
}

/// Sets a limit; one that has passed deletes at once (`expireGenericCommand`).
fn limit_with(keys: &mut Keyspace, args: &[String], unit: Unit, name: &str) -> Result<Reply, Reply> {
    let [_, key, time, rest @ ..] = args else { return Err(wrong_number(name)) };
    let condition = Condition::read(rest)?;
    let time = int_arg(time)?;
    let until = moment(unit, time, keys.now);
    let until = until.ok_or_else(|| Reply::error(format!("ERR invalid expire time in '{name}' command")))?;
    if !keys.look(key) {
        return Ok(Reply::Int(0));
    }
    let old = keys.data.get(key).and_then(|entry| entry.until);
    if !condition.holds(old, until) {
        return Ok(Reply::Int(0));
    }
    // a replica and a server that reads its log wait for the DEL (`checkAlreadyExpired`)
    if until <= keys.now && keys.role == Role::Master {
        keys.delete(key);
        let word = if keys.conf.lazy_expire { "UNLINK" } else { "DEL" };
        keys.log(&[word, key]);
        keys.event('g', "del", key);
        return Ok(Reply::Int(1));
    }
    if let Some(entry) = keys.data.get_mut(key) {
        entry.limit(keys.now, until);
    }
    keys.touch(key);
    keys.log(&["PEXPIREAT", key, &until.to_string()]);
    keys.event('g', "expire", key);
    Ok(Reply::Int(1))
}

/// What is left of a key's time, ms; or the answer for one that is missing or has no limit.
fn left(keys: &mut Keyspace, args: &[String]) -> Result<i64, Reply> {
    let key = args.get(1).map_or("", String::as_str);
    let now = keys.now;
    moment_of(keys, key).map(|until| (until - now).max(0))
}

fn moment_of(keys: &mut Keyspace, key: &str) -> Result<i64, Reply> {
    if !keys.look(key) {
        return Err(Reply::Int(-2));
    }
    keys.data.get(key).and_then(|entry| entry.until).ok_or(Reply::Int(-1))
}

/// TTL, rounded to the nearest second: 0 for a key that is still there.
pub(super) fn ttl(keys: &mut Keyspace, args: &[String]) -> Reply {
    left(keys, args).map_or_else(|answer| answer, |ms| Reply::Int((ms + 500) / 1000))
}

/// PTTL.
pub(super) fn pttl(keys: &mut Keyspace, args: &[String]) -> Reply {
    left(keys, args).map_or_else(|answer| answer, Reply::Int)
}

/// EXPIRETIME.
pub(super) fn expiretime(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    moment_of(keys, key).map_or_else(|answer| answer, |until| Reply::Int((until + 500) / 1000))
}

/// PEXPIRETIME.
pub(super) fn pexpiretime(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    moment_of(keys, key).map_or_else(|answer| answer, Reply::Int)
}

/// PERSIST.
pub(super) fn persist(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    let had = keys.look(key) && keys.data.get_mut(key).and_then(|entry| entry.until.take()).is_some();
    if had {
        keys.touch(key);
        keys.log_as_sent(args);
        keys.event('g', "persist", key);
    }
    Reply::Int(i64::from(had))
}
