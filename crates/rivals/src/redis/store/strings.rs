//! Commands on texts and numbers (`t_string.c`).

use std::rc::Rc;

use crate::redis::reply::Reply;

use super::expire::{Unit, moment};
use super::keyspace::Keyspace;
use super::numbers::{NOT_AN_INTEGER, int_arg, integer};
use super::{Value, table::wrong_number};

/// What SET and GETEX are told beside key and value.
#[derive(Default)]
struct Options {
    nx: bool,
    xx: bool,
    get: bool,
    keep: bool,
    persist: bool,
    /// The unit, and the time as written.
    until: Option<(Unit, String)>,
}

impl Options {
    /// Reads them; what excludes each other is an error (`parseExtendedStringArgumentsOrReply`).
    fn read(args: &[String], of_set: bool) -> Result<Options, Reply> {
        let syntax = || Reply::error("ERR syntax error");
        let (mut options, mut words) = (Options::default(), args.iter());
        while let Some(word) = words.next() {
            let has_time = options.until.is_some() || options.keep || options.persist;
            match (&*word.to_ascii_uppercase(), of_set) {
                ("NX", true) if !options.xx => options.nx = true,
                ("XX", true) if !options.nx => options.xx = true,
                ("GET", true) => options.get = true,
                ("KEEPTTL", true) if options.until.is_none() => options.keep = true,
                ("PERSIST", false) if options.until.is_none() => options.persist = true,
                (unit, _) if !has_time => {
                    let unit = Unit::named(unit).ok_or_else(syntax)?;
                    options.until = Some((unit, words.next().ok_or_else(syntax)?.clone()));
                }
                _ => return Err(syntax()),
            }
        }
        Ok(options)
    }

    /// The moment of the limit; it must be after the beginning of time, and may have passed.
    fn moment(&self, now: i64, name: &str) -> Result<Option<i64>, Reply> {
        let Some((unit, text)) = &self.until else { return Ok(None) };
        let time = int_arg(text)?;
        let invalid = || Reply::error(format!("ERR invalid expire time in '{name}' command"));
        if time <= 0 {
            return Err(invalid());
        }
        moment(*unit, time, now).ok_or_else(invalid).map(Some)
    }
}

/// SET with all its options.
pub(super) fn set(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, value, rest @ ..] = args else { return wrong_number("set") };
    set_with(keys, key, value, rest).unwrap_or_else(|error| error)
}

fn set_with(keys: &mut Keyspace, key: &str, value: &str, rest: &[String]) -> Result<Reply, Reply> {
    let options = Options::read(rest, true)?;
    let until = options.moment(keys.now, "set")?;
    let old = if options.get { keys.text(key)? } else { None };
    let there = keys.look(key);
    if (options.nx && there) || (options.xx && !there) {
        return Ok(if options.get { Reply::text(old.as_deref()) } else { Reply::Nil });
    }
    keys.put(key, Value::Text(value.into()), options.keep);
    keys.event('$', "set", key);
    match until {
        Some(until) => {
            set_limit(keys, key, until);
            keys.log(&["SET", key, value, "PXAT", &until.to_string()]);
        }
        None => {
            let mut words = vec!["SET", key, value];
            words.extend(rest.iter().map(String::as_str).filter(|word| !word.eq_ignore_ascii_case("GET")));
            keys.log(&words);
        }
    }
    Ok(if options.get { Reply::text(old.as_deref()) } else { Reply::ok() })
}

fn set_limit(keys: &mut Keyspace, key: &str, until: i64) {
    if let Some(entry) = keys.data.get_mut(key) {
        entry.limit(keys.now, until);
    }
    keys.event('g', "expire", key);
}

/// SETNX: 1 or 0, without a limit.
pub(super) fn setnx(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, value] = args else { return wrong_number("setnx") };
    if keys.look(key) {
        return Reply::Int(0);
    }
    keys.put(key, Value::Text(value.as_str().into()), false);
    keys.event('$', "set", key);
    keys.log_as_sent(args);
    Reply::Int(1)
}

/// SETEX.
pub(super) fn setex(keys: &mut Keyspace, args: &[String]) -> Reply {
    set_for(keys, args, Unit::Ex, "setex")
}

/// PSETEX.
pub(super) fn psetex(keys: &mut Keyspace, args: &[String]) -> Reply {
    set_for(keys, args, Unit::Px, "psetex")
}

fn set_for(keys: &mut Keyspace, args: &[String], unit: Unit, name: &str) -> Reply {
    let [_, key, time, value] = args else { return wrong_number(name) };
    let options = Options { until: Some((unit, time.clone())), ..Options::default() };
    let until = match options.moment(keys.now, name) {
        Ok(until) => until.unwrap_or_default(),
        Err(error) => return error,
    };
    keys.look(key);
    keys.put(key, Value::Text(value.as_str().into()), false);
    keys.event('$', "set", key);
    set_limit(keys, key, until);
    keys.log(&["SET", key, value, "PXAT", &until.to_string()]);
    Reply::ok()
}

/// GET.
pub(super) fn get(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    keys.text(key).map_or_else(|error| error, |text| Reply::text(text.as_deref()))
}

/// GETSET: the old value; the limit goes.
pub(super) fn getset(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, value] = args else { return wrong_number("getset") };
    let old = match keys.text(key) {
        Ok(old) => old,
        Err(error) => return error,
    };
    keys.put(key, Value::Text(value.as_str().into()), false);
    keys.event('$', "set", key);
    keys.log(&["SET", key, value]);
    Reply::text(old.as_deref())
}

/// GETDEL.
pub(super) fn getdel(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    let old = match keys.text(key) {
        Ok(old) => old,
        Err(error) => return error,
    };
    if keys.delete(key) {
        keys.log(&["DEL", key]);
        keys.event('g', "del", key);
    }
    Reply::text(old.as_deref())
}

/// GETEX: the value, and another limit.
pub(super) fn getex(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, rest @ ..] = args else { return wrong_number("getex") };
    getex_with(keys, key, rest).unwrap_or_else(|error| error)
}

fn getex_with(keys: &mut Keyspace, key: &str, rest: &[String]) -> Result<Reply, Reply> {
    let options = Options::read(rest, false)?;
    let text = keys.text(key)?;
    let Some(text) = text else { return Ok(Reply::Nil) };
    match options.moment(keys.now, "getex")? {
        Some(until) if until <= keys.now => {
            keys.delete(key);
            keys.log(&["DEL", key]);
            keys.event('g', "del", key);
        }
        Some(until) => {
            set_limit(keys, key, until);
            keys.touch(key);
            keys.log(&["PEXPIREAT", key, &until.to_string()]);
        }
        None if options.persist => {
            let had = keys.data.get_mut(key).and_then(|entry| entry.until.take());
            if had.is_some() {
                keys.touch(key);
                keys.log(&["PERSIST", key]);
                keys.event('g', "persist", key);
            }
        }
        None => {}
    }
    Ok(Reply::Bulk(text.to_string()))
}

/// MSET.
pub(super) fn mset(keys: &mut Keyspace, args: &[String]) -> Reply {
    let pairs = args.get(1..).unwrap_or_default();
    if pairs.len() % 2 != 0 {
        return wrong_number("mset");
    }
    for pair in pairs.chunks_exact(2) {
        keys.put(&pair[0], Value::Text(pair[1].as_str().into()), false);
        keys.event('$', "set", &pair[0]);
    }
    keys.log_as_sent(args);
    Reply::ok()
}

/// MSETNX: all or none.
pub(super) fn msetnx(keys: &mut Keyspace, args: &[String]) -> Reply {
    let pairs = args.get(1..).unwrap_or_default();
    if pairs.len() % 2 != 0 {
        return wrong_number("msetnx");
    }
    if pairs.chunks_exact(2).any(|pair| keys.look(&pair[0])) {
        return Reply::Int(0);
    }
    mset(keys, args);
    Reply::Int(1)
}

/// MGET: a value of another kind counts as none.
pub(super) fn mget(keys: &mut Keyspace, args: &[String]) -> Reply {
    let texts = args.iter().skip(1).map(|key| Reply::text(keys.text(key).unwrap_or_default().as_deref()));
    Reply::Array(texts.collect())
}

/// STRLEN.
pub(super) fn strlen(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    keys.text(key).map_or_else(|error| error, |text| Reply::Int(text.map_or(0, |text| text.len() as i64)))
}

/// APPEND.
pub(super) fn append(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, more] = args else { return wrong_number("append") };
    let text = match keys.text(key) {
        Ok(text) => format!("{}{more}", text.as_deref().unwrap_or_default()),
        Err(error) => return error,
    };
    let len = text.len() as i64;
    keys.put(key, Value::Text(text.into()), true);
    keys.log_as_sent(args);
    Reply::Int(len)
}

/// INCR.
pub(super) fn incr(keys: &mut Keyspace, args: &[String]) -> Reply {
    count(keys, args, Some(1))
}

/// DECR.
pub(super) fn decr(keys: &mut Keyspace, args: &[String]) -> Reply {
    count(keys, args, Some(-1))
}

/// INCRBY.
pub(super) fn incrby(keys: &mut Keyspace, args: &[String]) -> Reply {
    match args.get(2).map(|by| int_arg(by)) {
        Some(Ok(by)) => count(keys, args, Some(by)),
        Some(Err(error)) => error,
        None => wrong_number("incrby"),
    }
}

/// DECRBY.
pub(super) fn decrby(keys: &mut Keyspace, args: &[String]) -> Reply {
    match args.get(2).map(|by| int_arg(by)) {
        Some(Ok(by)) => count(keys, args, by.checked_neg()),
        Some(Err(error)) => error,
        None => wrong_number("decrby"),
    }
}

/// Adds to a number; a missing one is 0, and its limit stays (`incrDecrCommand`).
fn count(keys: &mut Keyspace, args: &[String], by: Option<i64>) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    let old: Option<Rc<str>> = match keys.text(key) {
        Ok(old) => old,
        Err(error) => return error,
    };
    let Some(old) = old.as_deref().map_or(Some(0), integer) else { return Reply::error(NOT_AN_INTEGER) };
    let Some(new) = by.and_then(|by| old.checked_add(by)) else {
        return Reply::error("ERR increment or decrement would overflow");
    };
    keys.put(key, Value::Text(new.to_string().into()), true);
    keys.event('$', "incrby", key);
    keys.log_as_sent(args);
    Reply::Int(new)
}
