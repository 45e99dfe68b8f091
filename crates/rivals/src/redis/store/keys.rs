//! Commands on keys of any kind (`db.c`), and messages (`pubsub.c`).

use crate::redis::reply::Reply;

use super::keyspace::{Effect, Keyspace, fits};
use super::numbers::int_arg;

/// DEL and UNLINK: how many were there; an expired one counts as missing.
pub(super) fn del(keys: &mut Keyspace, args: &[String]) -> Reply {
    let mut deleted = 0;
    for key in args.iter().skip(1) {
        if keys.look(key) && keys.delete(key) {
            keys.event('g', "del", key);
            deleted += 1;
        }
    }
    if deleted > 0 {
        keys.log_as_sent(args);
    }
    Reply::Int(deleted)
}

/// EXISTS: a key named twice counts twice.
pub(super) fn exists(keys: &mut Keyspace, args: &[String]) -> Reply {
    Reply::Int(args.iter().skip(1).filter(|key| keys.look(key)).count() as i64)
}

/// TYPE.
pub(super) fn kind(keys: &mut Keyspace, args: &[String]) -> Reply {
    let kind = args.get(1).and_then(|key| keys.get(key)).map_or("none", |value| value.kind());
    Reply::Status(kind.into())
}

/// KEYS.
pub(super) fn keys(keys: &mut Keyspace, args: &[String]) -> Reply {
    let pattern = args.get(1).map_or("*", String::as_str);
    let all: Vec<String> = keys.data.keys().cloned().collect();
    Reply::texts(all.into_iter().filter(|key| fits(pattern, key) && keys.look(key)))
}

/// DBSIZE counts what is there, expired or not.
pub(super) fn dbsize(keys: &mut Keyspace, _: &[String]) -> Reply {
    Reply::Int(keys.data.len() as i64)
}

/// FLUSHALL.
pub(super) fn flushall(keys: &mut Keyspace, args: &[String]) -> Reply {
    for key in keys.data.keys().cloned().collect::<Vec<_>>() {
        keys.delete(&key);
    }
    keys.log_as_sent(args);
    Reply::ok()
}

/// SELECT: there is one database.
pub(super) fn select(_: &mut Keyspace, args: &[String]) -> Reply {
    match args.get(1).map_or(Ok(0), |number| int_arg(number)) {
        Ok(0) => Reply::ok(),
        Ok(_) => Reply::error("ERR DB index is out of range"),
        Err(reply) => reply,
    }
}

/// ECHO.
pub(super) fn echo(_: &mut Keyspace, args: &[String]) -> Reply {
    Reply::text(args.get(1).cloned())
}

/// TIME: seconds and microseconds of the wall clock.
pub(super) fn time(keys: &mut Keyspace, _: &[String]) -> Reply {
    Reply::texts([(keys.now / 1000).to_string(), (keys.now % 1000 * 1000).to_string()])
}

/// PUBLISH: to how many at this server; replicas hear of it, the log does not.
pub(super) fn publish(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, channel, text] = args else { return Reply::Int(0) };
    let receivers = keys.publish(channel, text);
    keys.effects.push(Effect { args: args.to_vec(), logged: false });
    Reply::Int(receivers)
}
