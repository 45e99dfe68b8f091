//! redlock-py (`redlock/__init__.py`): one server after another; servers that are down are errors, and errors beside a majority are
//! raised though the lock is held.

use std::collections::BTreeMap;

use super::library::{Bench, Model, Outcome};

/// How often it tries in the recording (`retry_count`).
const TRIES: u32 = 2;
/// Between two tries (`retry_delay`), ms.
const DELAY_MS: u64 = 200;
/// How long its redis-py tries to reach a server that is down, ms: it waits and tries again three times, longer each time.
const DOWN_MS: u64 = 4_000;

const DELETE: &str = "<script: compare and delete>";

/// What each client has in its variable: a resource and a token, or False.
#[derive(Default)]
pub(super) struct RedlockPy {
    held: BTreeMap<String, (String, String)>,
}

impl Model for RedlockPy {
    fn call(&mut self, client: &str, call: &str, bench: &mut Bench) -> Option<Outcome> {
        if call == "unlock" {
            return Some(self.unlock(client, bench));
        }
        let (resource, ttl) = call.strip_prefix("lock(")?.strip_suffix(')')?.split_once(", ")?;
        self.lock(client, resource, ttl.parse().ok()?, bench)
    }
}

impl RedlockPy {
    fn lock(&mut self, client: &str, resource: &str, ttl: u64, bench: &mut Bench) -> Option<Outcome> {
        let (token, servers) = (bench.token(), bench.servers());
        let drift = ttl / 100 + 2;
        for _ in 0..TRIES {
            let (began, mut granted, mut errors) = (bench.scene.world.now, 0, 0);
            for server in &servers {
                if bench.is_dead(server) {
                    bench.scene.pass(DOWN_MS * 1000);
                    errors += 1;
                } else if bench.send(client, server, &["SET", resource, &token, "NX", "PX", &ttl.to_string()]).is_ok()
                {
                    granted += 1;
                }
            }
            let spent = bench.scene.world.now.since(began) / 1000;
            let valid = ttl as i64 - spent as i64 - drift as i64;
            if valid > 0 && granted > servers.len() / 2 {
                if errors > 0 {
                    return Some(Outcome::Raises("MultipleRedlockException", None));
                }
                self.held.insert(client.into(), (resource.into(), token));
                return Some(Outcome::Held(Some(valid)));
            }
            unlock_all(client, resource, &token, bench);
            bench.scene.pass(DELAY_MS * 1000);
        }
        self.held.remove(client);
        Some(Outcome::Held(None))
    }

    fn unlock(&mut self, client: &str, bench: &mut Bench) -> Outcome {
        let Some((resource, token)) = self.held.remove(client) else {
            return Outcome::Raises("AttributeError", Some("'bool' object has no attribute 'resource'"));
        };
        unlock_all(client, &resource, &token, bench);
        Outcome::None
    }
}

/// The script goes to all; what does not answer is passed over.
fn unlock_all(client: &str, resource: &str, token: &str, bench: &mut Bench) {
    for server in bench.servers() {
        match bench.is_dead(&server) {
            true => bench.scene.pass(DOWN_MS * 1000),
            false => drop(bench.send(client, &server, &["EVAL", DELETE, "1", resource, token])),
        }
    }
}
