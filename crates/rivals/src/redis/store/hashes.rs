//! Commands on hashes (`t_hash.c`), as locks with a count need them.

use std::rc::Rc;

use crate::redis::reply::Reply;

use super::keyspace::{Keyspace, wrong_type};
use super::numbers::{int_arg, integer};
use super::{Value, table::wrong_number};

type HashFields = Vec<(Rc<str>, Rc<str>)>;

/// The fields of a hash; none where it is missing.
fn fields(keys: &mut Keyspace, key: &str) -> Result<HashFields, Reply> {
    match keys.get(key) {
        None => Ok(Vec::new()),
        Some(Value::Hash(fields)) => Ok(fields.clone()),
        Some(_) => Err(wrong_type()),
    }
}

fn field<'a>(fields: &'a HashFields, name: &str) -> Option<&'a Rc<str>> {
    fields.iter().find(|(field, _)| &**field == name).map(|(_, value)| value)
}

/// Puts a field; whether it is new.
fn put_field(fields: &mut HashFields, name: &str, value: &str) -> bool {
    match fields.iter_mut().find(|(field, _)| &**field == name) {
        Some((_, old)) => {
            *old = value.into();
            false
        }
        None => {
            fields.push((name.into(), value.into()));
            true
        }
    }
}

fn read(keys: &mut Keyspace, args: &[String], answer: impl FnOnce(&HashFields) -> Reply) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    fields(keys, key).map_or_else(|error| error, |fields| answer(&fields))
}

/// HSET: how many fields are new.
pub(super) fn hset(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, pairs @ ..] = args else { return wrong_number("hset") };
    if pairs.len() % 2 != 0 {
        return wrong_number("hset");
    }
    let mut all = match fields(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    let new = pairs.chunks_exact(2).filter(|pair| put_field(&mut all, &pair[0], &pair[1])).count();
    keys.put(key, Value::Hash(all), true);
    keys.event('h', "hset", key);
    keys.log_as_sent(args);
    Reply::Int(new as i64)
}

/// HSETNX.
pub(super) fn hsetnx(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, name, _] = args else { return wrong_number("hsetnx") };
    match fields(keys, key) {
        Ok(all) if field(&all, name).is_some() => Reply::Int(0),
        Ok(_) => hset(keys, args),
        Err(error) => error,
    }
}

/// HGET.
pub(super) fn hget(keys: &mut Keyspace, args: &[String]) -> Reply {
    read(keys, args, |fields| Reply::text(args.get(2).and_then(|name| field(fields, name)).map(|value| &**value)))
}

/// HMGET.
pub(super) fn hmget(keys: &mut Keyspace, args: &[String]) -> Reply {
    let of = |fields: &HashFields, name: &String| Reply::text(field(fields, name).map(|value| &**value));
    read(keys, args, |fields| Reply::Array(args.iter().skip(2).map(|name| of(fields, name)).collect()))
}

/// HDEL; an empty hash is removed.
pub(super) fn hdel(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, names @ ..] = args else { return wrong_number("hdel") };
    let mut all = match fields(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    let before = all.len();
    all.retain(|(field, _)| !names.iter().any(|name| **name == **field));
    let gone = before - all.len();
    if gone == 0 {
        return Reply::Int(0);
    }
    let empty = all.is_empty();
    keys.put(key, Value::Hash(all), true);
    keys.event('h', "hdel", key);
    if empty {
        keys.delete(key);
        keys.event('g', "del", key);
    }
    keys.log_as_sent(args);
    Reply::Int(gone as i64)
}

/// HEXISTS.
pub(super) fn hexists(keys: &mut Keyspace, args: &[String]) -> Reply {
    let there = |fields: &HashFields| args.get(2).is_some_and(|name| field(fields, name).is_some());
    read(keys, args, |fields| Reply::Int(i64::from(there(fields))))
}

/// HLEN.
pub(super) fn hlen(keys: &mut Keyspace, args: &[String]) -> Reply {
    read(keys, args, |fields| Reply::Int(fields.len() as i64))
}

/// HKEYS.
pub(super) fn hkeys(keys: &mut Keyspace, args: &[String]) -> Reply {
    read(keys, args, |fields| Reply::texts(fields.iter().map(|(field, _)| &**field)))
}

/// HVALS.
pub(super) fn hvals(keys: &mut Keyspace, args: &[String]) -> Reply {
    read(keys, args, |fields| Reply::texts(fields.iter().map(|(_, value)| &**value)))
}

/// HGETALL: fields and values in turn.
pub(super) fn hgetall(keys: &mut Keyspace, args: &[String]) -> Reply {
    read(keys, args, |fields| Reply::texts(fields.iter().flat_map(|(field, value)| [&**field, &**value])))
}

/// HINCRBY: a missing field is 0.
pub(super) fn hincrby(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, name, by] = args else { return wrong_number("hincrby") };
    let by = match int_arg(by) {
        Ok(by) => by,
        Err(error) => return error,
    };
    let mut all = match fields(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    let Some(old) = field(&all, name).map_or(Some(0), |value| integer(value)) else {
        return Reply::error("ERR hash value is not an integer");
    };
    let Some(new) = old.checked_add(by) else {
        return Reply::error("ERR increment or decrement would overflow");
    };
    put_field(&mut all, name, &new.to_string());
    keys.put(key, Value::Hash(all), true);
    keys.event('h', "hincrby", key);
    keys.log_as_sent(args);
    Reply::Int(new)
}
