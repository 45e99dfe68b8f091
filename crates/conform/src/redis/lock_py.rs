//! redis-py's `Lock` (`redis/lock.py`).

use std::collections::BTreeMap;

use crate::rivals::redis::Reply;

use super::library::{Bench, Model, Outcome, millis};

/// The limit with which the recorded locks were made, ms.
const TIMEOUT_MS: u64 = 2_000;
/// Between two tries (`sleep`), ms.
const SLEEP_MS: u64 = 100;

const DELETE: &str = "<script: compare and delete>";
const ANEW: &str = "<script: compare and set the limit anew>";
const ADD: &str = "<script: compare, then add to what is left or set anew>";

/// The lock of a client.
#[derive(Clone, Debug)]
struct Lock {
    name: &'static str,
    timeout_ms: Option<u64>,
    /// The token while it is held, as far as this client knows.
    token: Option<String>,
}

/// The locks of all clients.
#[derive(Default)]
pub(super) struct LockPy {
    locks: BTreeMap<String, Lock>,
}

/// The arguments of a call: `name=value` and values.
fn args(call: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = call.split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    Some((name, inside.split(',').map(str::trim).filter(|arg| !arg.is_empty()).collect()))
}

impl Model for LockPy {
    fn call(&mut self, client: &str, call: &str, bench: &mut Bench) -> Option<Outcome> {
        let lock =
            self.locks.entry(client.into()).or_insert(Lock { name: "L", timeout_ms: Some(TIMEOUT_MS), token: None });
        let call = match call.strip_prefix("Lock without timeout: ") {
            Some(call) => {
                *lock = Lock { name: "M", timeout_ms: None, token: None };
                call
            }
            None => call,
        };
        let (name, args) = args(call)?;
        match name {
            "acquire" => lock.acquire(client, &args, bench),
            "release" if args.is_empty() => Some(lock.release(client, bench)),
            "extend" => lock.extend(client, &args, bench),
            "reacquire" if args.is_empty() => Some(lock.reacquire(client, bench)),
            "owned" if args.is_empty() => {
                let value = lock.get(client, bench);
                Some(Outcome::Bool(lock.token.is_some() && value == lock.token))
            }
            "locked" if args.is_empty() => Some(Outcome::Bool(lock.get(client, bench).is_some())),
            _ => None,
        }
    }
}

impl Lock {
    fn server(bench: &Bench) -> String {
        bench.servers().into_iter().next().unwrap_or_default()
    }

    fn get(&self, client: &str, bench: &mut Bench) -> Option<String> {
        let reply = bench.send(client, &Lock::server(bench), &["GET", self.name]);
        reply.as_text().map(String::from)
    }

    fn acquire(&mut self, client: &str, args: &[&str], bench: &mut Bench) -> Option<Outcome> {
        let (mut blocking, mut most_us) = (true, None);
        for arg in args {
            match arg.split_once('=') {
                Some(("blocking", "False")) => blocking = false,
                Some(("blocking", "True")) => {}
                Some(("blocking_timeout", seconds)) => most_us = Some(millis(seconds)? * 1000),
                _ => return None,
            }
        }
        let (token, server) = (bench.token(), Lock::server(bench));
        let until = most_us.map(|us| bench.scene.world.now.plus(us));
        let limit = self.timeout_ms.map(|ms| ms.to_string());
        let mut words = vec!["SET", self.name, &token, "NX"];
        if let Some(limit) = &limit {
            words.extend(["PX", limit]);
        }
        loop {
            if bench.send(client, &server, &words).is_ok() {
                self.token = Some(token);
                return Some(Outcome::Bool(true));
            }
            let next = bench.scene.world.now.plus(SLEEP_MS * 1000);
            if !blocking || until.is_some_and(|until| next > until) {
                return Some(Outcome::Bool(false));
            }
            bench.scene.pass(SLEEP_MS * 1000);
        }
    }

    fn release(&mut self, client: &str, bench: &mut Bench) -> Outcome {
        let Some(token) = self.token.take() else {
            return Outcome::Raises(
                "LockError",
                Some("Cannot release a lock that's not owned or is already unlocked."),
            );
        };
        match bench.evalsha(client, &Lock::server(bench), DELETE, &[self.name, &token]) {
            Reply::Int(1..) => Outcome::None,
            _ => Outcome::Raises("LockNotOwnedError", Some("Cannot release a lock that's no longer owned")),
        }
    }

    fn extend(&mut self, client: &str, args: &[&str], bench: &mut Bench) -> Option<Outcome> {
        let [seconds, more @ ..] = args else { return None };
        let replace = match more {
            [] | ["replace_ttl=False"] => "0",
            ["replace_ttl=True"] => "1",
            _ => return None,
        };
        let ms = millis(seconds)?.to_string();
        let Some(token) = self.token.clone() else {
            return Some(Outcome::Raises("LockError", Some("Cannot extend an unlocked lock")));
        };
        if self.timeout_ms.is_none() {
            return Some(Outcome::Raises("LockError", Some("Cannot extend a lock with no timeout")));
        }
        let reply = bench.evalsha(client, &Lock::server(bench), ADD, &[self.name, &token, &ms, replace]);
        Some(match reply {
            Reply::Int(1..) => Outcome::Bool(true),
            _ => Outcome::Raises("LockNotOwnedError", Some("Cannot extend a lock that's no longer owned")),
        })
    }

    fn reacquire(&mut self, client: &str, bench: &mut Bench) -> Outcome {
        let Some(token) = self.token.clone() else {
            return Outcome::Raises("LockError", Some("Cannot reacquire an unlocked lock"));
        };
        let Some(limit) = self.timeout_ms else {
            return Outcome::Raises("LockError", Some("Cannot reacquire a lock with no timeout"));
        };
        match bench.evalsha(client, &Lock::server(bench), ANEW, &[self.name, &token, &limit.to_string()]) {
            Reply::Int(1..) => Outcome::Bool(true),
            _ => Outcome::Raises("LockNotOwnedError", Some("Cannot reacquire a lock that's no longer owned")),
        }
    }
}
