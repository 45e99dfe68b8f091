//! The table of commands: names, numbers of arguments, and what a command is (`commands.c`).

use crate::redis::reply::Reply;

use super::keyspace::Keyspace;
use super::{expire, hashes, keys, lists, strings};

/// What a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flags {
    /// It may change keys: refused on replicas, and where too few replicas are heard of.
    pub write: bool,
    /// It is answered by a replica without a link too, where stale data is not served.
    pub stale: bool,
    /// It is answered while a script runs too long.
    pub busy: bool,
    /// No script may call it.
    pub no_script: bool,
}

/// Who executes a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Command {
    /// The keyspace alone.
    Keys(fn(&mut Keyspace, &[String]) -> Reply),
    /// The server, who knows connections and other machines.
    Server,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The name, in small letters.
    pub name: &'static str,
    /// How many words it has; at least so many where negative.
    pub arity: i32,
    /// What it is.
    pub flags: Flags,
    /// Who executes it.
    pub run: Command,
}

const fn keys_command(
    name: &'static str,
    arity: i32,
    write: bool,
    run: fn(&mut Keyspace, &[String]) -> Reply,
) -> Entry {
    let flags = Flags { write, stale: false, busy: false, no_script: false };
    Entry { name, arity, flags, run: Command::Keys(run) }
}

const fn server_command(name: &'static str, arity: i32, stale: bool, busy: bool, no_script: bool) -> Entry {
    Entry { name, arity, flags: Flags { write: false, stale, busy, no_script }, run: Command::Server }
}

const W: bool = true;
const R: bool = false;

/// All commands.
const TABLE: &[Entry] = &[
    keys_command("set", -3, W, strings::set),
    keys_command("setnx", 3, W, strings::setnx),
    keys_command("setex", 4, W, strings::setex),
    keys_command("psetex", 4, W, strings::psetex),
    keys_command("get", 2, R, strings::get),
    keys_command("getset", 3, W, strings::getset),
    keys_command("getdel", 2, W, strings::getdel),
    keys_command("getex", -2, W, strings::getex),
    keys_command("mset", -3, W, strings::mset),
    keys_command("msetnx", -3, W, strings::msetnx),
    keys_command("mget", -2, R, strings::mget),
    keys_command("strlen", 2, R, strings::strlen),
    keys_command("append", 3, W, strings::append),
    keys_command("incr", 2, W, strings::incr),
    keys_command("decr", 2, W, strings::decr),
    keys_command("incrby", 3, W, strings::incrby),
    keys_command("decrby", 3, W, strings::decrby),
    keys_command("del", -2, W, keys::del),
    keys_command("unlink", -2, W, keys::del),
    keys_command("exists", -2, R, keys::exists),
    keys_command("type", 2, R, keys::kind),
    keys_command("keys", 2, R, keys::keys),
    keys_command("dbsize", 1, R, keys::dbsize),
    keys_command("flushall", -1, W, keys::flushall),
    keys_command("flushdb", -1, W, keys::flushall),
    keys_command("select", 2, R, keys::select),
    keys_command("expire", -3, W, expire::expire),
    keys_command("pexpire", -3, W, expire::pexpire),
    keys_command("expireat", -3, W, expire::expireat),
    keys_command("pexpireat", -3, W, expire::pexpireat),
    keys_command("ttl", 2, R, expire::ttl),
    keys_command("pttl", 2, R, expire::pttl),
    keys_command("expiretime", 2, R, expire::expiretime),
    keys_command("pexpiretime", 2, R, expire::pexpiretime),
    keys_command("persist", 2, W, expire::persist),
    keys_command("hset", -4, W, hashes::hset),
    keys_command("hsetnx", 4, W, hashes::hsetnx),
    keys_command("hget", 3, R, hashes::hget),
    keys_command("hmget", -3, R, hashes::hmget),
    keys_command("hdel", -3, W, hashes::hdel),
    keys_command("hexists", 3, R, hashes::hexists),
    keys_command("hlen", 2, R, hashes::hlen),
    keys_command("hkeys", 2, R, hashes::hkeys),
    keys_command("hvals", 2, R, hashes::hvals),
    keys_command("hgetall", 2, R, hashes::hgetall),
    keys_command("hincrby", 4, W, hashes::hincrby),
    keys_command("rpush", -3, W, lists::rpush),
    keys_command("lpush", -3, W, lists::lpush),
    keys_command("lpop", -2, W, lists::lpop),
    keys_command("rpop", -2, W, lists::rpop),
    keys_command("llen", 2, R, lists::llen),
    keys_command("lrange", 4, R, lists::lrange),
    keys_command("lindex", 3, R, lists::lindex),
    keys_command("lrem", 4, W, lists::lrem),
    Entry { flags: Flags { stale: true, ..PUBLISH.flags }, ..PUBLISH },
    keys_command("echo", 2, R, keys::echo),
    keys_command("time", 1, R, keys::time),
    // name, arity, stale, busy, not in scripts
    server_command("ping", -1, false, false, false),
    Entry {
        flags: Flags { write: true, stale: false, busy: false, no_script: true },
        ..server_command("blpop", -3, false, false, true)
    },
    Entry {
        flags: Flags { write: true, stale: false, busy: false, no_script: true },
        ..server_command("brpop", -3, false, false, true)
    },
    server_command("multi", 1, true, true, true),
    server_command("exec", 1, true, false, true),
    server_command("discard", 1, true, true, true),
    server_command("watch", -2, true, true, true),
    server_command("unwatch", 1, true, true, true),
    server_command("subscribe", -2, true, false, true),
    server_command("unsubscribe", -1, true, false, true),
    server_command("psubscribe", -2, true, false, true),
    server_command("punsubscribe", -1, true, false, true),
    server_command("eval", -3, true, false, true),
    server_command("evalsha", -3, true, false, true),
    server_command("script", -2, true, true, true),
    server_command("wait", 3, false, false, false),
    server_command("replicaof", 3, true, false, true),
    server_command("slaveof", 3, true, false, true),
    server_command("psync", -3, false, false, true),
    server_command("replconf", -1, true, true, true),
    server_command("role", 1, true, false, true),
    server_command("info", -1, true, false, false),
    server_command("config", -2, true, false, true),
    server_command("client", -2, true, false, true),
    server_command("debug", -2, true, false, true),
    server_command("save", 1, false, false, true),
    server_command("shutdown", -1, true, true, true),
    server_command("quit", -1, true, true, true),
    server_command("reset", 1, true, true, true),
];

const PUBLISH: Entry = keys_command("publish", 3, R, keys::publish);

/// The command of this name, in whatever letters.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
}

impl Entry {
    /// Whether it may have so many words.
    pub(crate) fn takes(&self, words: usize) -> bool {
        let words = i32::try_from(words).unwrap_or(i32::MAX);
        if self.arity >= 0 { words == self.arity } else { words >= -self.arity }
    }
}

/// What is said where the number of words is wrong.
pub(crate) fn wrong_number(name: &str) -> Reply {
    Reply::error(format!("ERR wrong number of arguments for '{}' command", name.to_ascii_lowercase()))
}
