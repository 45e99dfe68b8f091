//! Commands on lists (`t_list.c`); those that block stand with the server.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::redis::reply::Reply;

use super::keyspace::{Keyspace, wrong_type};
use super::numbers::int_arg;
use super::{Value, table::wrong_number};

type Items = VecDeque<Rc<str>>;

fn items(keys: &mut Keyspace, key: &str) -> Result<Items, Reply> {
    match keys.get(key) {
        None => Ok(Items::new()),
        Some(Value::List(items)) => Ok(items.clone()),
        Some(_) => Err(wrong_type()),
    }
}

/// RPUSH: the list's new length.
pub(super) fn rpush(keys: &mut Keyspace, args: &[String]) -> Reply {
    push(keys, args, Items::push_back, "rpush")
}

/// LPUSH.
pub(super) fn lpush(keys: &mut Keyspace, args: &[String]) -> Reply {
    push(keys, args, Items::push_front, "lpush")
}

fn push(keys: &mut Keyspace, args: &[String], put: fn(&mut Items, Rc<str>), name: &str) -> Reply {
    let [_, key, values @ ..] = args else { return wrong_number(name) };
    let mut all = match items(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    values.iter().for_each(|value| put(&mut all, value.as_str().into()));
    let len = all.len() as i64;
    keys.put(key, Value::List(all), true);
    keys.event('l', name, key);
    keys.pushed.push(key.clone());
    keys.log_as_sent(args);
    Reply::Int(len)
}

/// LPOP.
pub(super) fn lpop(keys: &mut Keyspace, args: &[String]) -> Reply {
    pop_command(keys, args, true)
}

/// RPOP.
pub(super) fn rpop(keys: &mut Keyspace, args: &[String]) -> Reply {
    pop_command(keys, args, false)
}

fn pop_command(keys: &mut Keyspace, args: &[String], first: bool) -> Reply {
    let name = if first { "lpop" } else { "rpop" };
    let count = match args.get(2).map(|count| int_arg(count)) {
        Some(Ok(count)) if count < 0 => return Reply::error("ERR value is out of range, must be positive"),
        Some(Ok(count)) => Some(count),
        Some(Err(error)) => return error,
        None => None,
    };
    let (Some(key), true) = (args.get(1), args.len() <= 3) else { return wrong_number(name) };
    let mut popped = Vec::new();
    for _ in 0..count.unwrap_or(1) {
        match pop(keys, key, first) {
            Ok(Some(item)) => popped.push(item),
            Ok(None) => break,
            Err(error) => return error,
        }
    }
    if !popped.is_empty() {
        keys.log_as_sent(args);
    }
    match count {
        None => Reply::text(popped.first().map(|item| &**item)),
        Some(_) if popped.is_empty() => Reply::NilArray,
        Some(_) => Reply::texts(popped.iter().map(|item| &**item)),
    }
}

/// Takes an element out; an empty list is removed.
///
/// # Errors
/// The key holds something else.
pub(super) fn pop(keys: &mut Keyspace, key: &str, first: bool) -> Result<Option<Rc<str>>, Reply> {
    let mut all = items(keys, key)?;
    let item = if first { all.pop_front() } else { all.pop_back() };
    if item.is_some() {
        let empty = all.is_empty();
        keys.put(key, Value::List(all), true);
        keys.event('l', if first { "lpop" } else { "rpop" }, key);
        if empty {
            keys.data.remove(key);
            keys.event('g', "del", key);
        }
    }
    Ok(item)
}

impl Keyspace {
    /// What BLPOP or BRPOP takes of a list, and what goes to the log for it.
    ///
    /// # Errors
    /// The key holds something else.
    pub(crate) fn pop_for(&mut self, key: &str, first: bool) -> Result<Option<Rc<str>>, Reply> {
        let item = pop(self, key, first)?;
        if item.is_some() {
            self.log(&[if first { "LPOP" } else { "RPOP" }, key]);
        }
        Ok(item)
    }
}

/// LLEN.
pub(super) fn llen(keys: &mut Keyspace, args: &[String]) -> Reply {
    let key = args.get(1).map_or("", String::as_str);
    items(keys, key).map_or_else(|error| error, |items| Reply::Int(items.len() as i64))
}

/// The place that an index names; negative ones count from the end.
fn place(index: i64, len: usize) -> i64 {
    if index < 0 { index.saturating_add(len as i64) } else { index }
}

/// LRANGE.
pub(super) fn lrange(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, start, stop] = args else { return wrong_number("lrange") };
    let (start, stop) = match (int_arg(start), int_arg(stop)) {
        (Ok(start), Ok(stop)) => (start, stop),
        (Err(error), _) | (_, Err(error)) => return error,
    };
    let all = match items(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    let (start, stop) = (place(start, all.len()).max(0), place(stop, all.len()));
    let within = |(at, _): &(usize, &Rc<str>)| (start..=stop).contains(&(*at as i64));
    Reply::texts(all.iter().enumerate().filter(within).map(|(_, item)| &**item))
}

/// LINDEX.
pub(super) fn lindex(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, index] = args else { return wrong_number("lindex") };
    let index = match int_arg(index) {
        Ok(index) => index,
        Err(error) => return error,
    };
    let all = match items(keys, key) {
        Ok(all) => all,
        Err(error) => return error,
    };
    let at = usize::try_from(place(index, all.len())).ok();
    Reply::text(at.and_then(|at| all.get(at)).map(|item| &**item))
}

/// LREM: removes so many that are equal; from the end where the count is negative, all where it is 0.
pub(super) fn lrem(keys: &mut Keyspace, args: &[String]) -> Reply {
    let [_, key, count, value] = args else { return wrong_number("lrem") };
    let count = match int_arg(count) {
        Ok(count) => count,
        Err(error) => return error,
    };
    let mut all: Vec<Rc<str>> = match items(keys, key) {
        Ok(all) => all.into(),
        Err(error) => return error,
    };
    let before = all.len();
    let mut most = if count == 0 { u64::MAX } else { count.unsigned_abs() };
    if count < 0 {
        all.reverse();
    }
    all.retain(|item| {
        let goes = most > 0 && **item == **value;
        most -= u64::from(goes);
        !goes
    });
    if count < 0 {
        all.reverse();
    }
    let gone = before - all.len();
    if gone > 0 {
        let empty = all.is_empty();
        keys.put(key, Value::List(all.into()), true);
        if empty {
            keys.data.remove(key);
        }
        keys.log_as_sent(args);
    }
    Reply::Int(gone as i64)
}
