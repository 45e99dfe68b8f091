//! A program, for a reader: its objects, its threads with their frames, who has what.

use std::rc::Rc;

use crate::base::rows::{NONE, Refers, Row, Rows};
use crate::curator::Curator;
use crate::runtime::fact::Standing;
use crate::runtime::thread::{Status, Thread};
use crate::runtime::thread_id::ThreadId;

use crate::runtime::app::App;
use crate::runtime::context::Core;

impl App {
    /// The framework, and what is shared by all threads.
    pub fn rows(&self, rows: &mut Rows) {
        let App { threads: _, core, ready, callback, unheard } = self;
        let Core { client: _, curator, objects: _, calls, effects, standings: _, last_thread } = core;
        let Curator { config, state, connected, is_kazoo, circuit, lost_at, watches: _, prng: _ } = curator;
        let state = state.map_or(NONE.into(), |state| format!("{state:?}").to_ascii_uppercase());
        rows.put("ConnectionState", &state);
        rows.put("connected", connected);
        if *is_kazoo {
            rows.put("kazoo", is_kazoo);
        }
        rows.moment("lostAt", *lost_at);
        if let Some(circuit) = circuit {
            rows.moment("circuitOpenUntil", Some(circuit.until));
        }
        let retry = format!(
            "{:?} · {} ms · {} ms · {}×",
            config.retry, config.base_sleep_ms, config.max_sleep_ms, config.max_retries
        );
        rows.put("retryPolicy", &retry);
        rows.put("connectionTimeout", &format_args!("{} ms", config.connection_timeout_ms));
        rows.put("simulatedSessionExpiration", &format_args!("{} %", config.expiration_percent));
        rows.put("errorPolicy", &format_args!("{:?}", config.error_policy));
        rows.some("callbackThread", callback.as_ref().map(|thread| thread as &dyn std::fmt::Display));
        rows.put("heldEvents", &unheard.len());
        rows.put("ready · effects", &format_args!("{} · {}", ready.len(), effects.len()));
        rows.put("calls", &calls.len());
        rows.put("lastThread", last_thread);
    }

    /// The objects: recipes under their names.
    pub fn object_rows(&self, rows: &mut Rows) {
        for (name, object) in &self.core.objects.0 {
            let row = rows.item(name, name, object.kind(), None);
            let mut below = Rows::default();
            object.rows(&mut below);
            if let Some(paths) = self.core.curator.watches.get(name) {
                let paths: Vec<&str> = paths.iter().map(|path| &**path).collect();
                below.put("watches", &if paths.is_empty() { NONE.into() } else { paths.join(" ") });
            }
            row.rows = below.0;
        }
    }

    /// The threads, each with its frames, the innermost last.
    pub fn thread_rows(&self, rows: &mut Rows) {
        for (id, thread) in &self.threads {
            rows.0.push(self.thread_row(*id, thread));
        }
    }

    fn thread_row(&self, id: ThreadId, thread: &Thread) -> Row {
        let Thread { stack, status, interrupted, notified, then } = thread;
        let mut below = Rows::default();
        for (depth, frame) in stack.iter().enumerate() {
            let monitor = frame.monitor().map_or(String::new(), |object| format!(" · monitor {object}"));
            below.item(&depth, &format_args!("frame {}", depth + 1), format!("{}{monitor}", frame.kind()), None);
        }
        let calls = self.core.calls.iter().filter(|(_, whose)| **whose == id);
        let calls: Vec<String> = calls.map(|(call, _)| call.0.to_string()).collect();
        below.put("asking", &if calls.is_empty() { NONE.into() } else { calls.join(" ") });
        below.put("interrupted", interrupted);
        below.some("notified", notified.as_ref().map(|object| object as &dyn std::fmt::Display));
        if let Some((object, what)) = then {
            below.put("then", &format_args!("{object}.{what}"));
        }
        let text = match status {
            Status::Asking => "asking".to_string(),
            Status::Waiting { on, until } => {
                let on = on.as_ref().map_or("sleep".to_string(), |on| format!("wait({on})"));
                until.map_or(on.clone(), |until| format!("{on} · {until}"))
            }
        };
        Row { key: id.to_string(), name: id.to_string(), text, rows: below.0, ..Row::default() }
    }
}

/// Where a program's threads stand in its recipes: who holds, who waits, and behind which node.
pub fn standing_rows<'a>(standings: impl Iterator<Item = (&'a Rc<str>, ThreadId, &'a Standing)>, rows: &mut Rows) {
    for (object, thread, standing) in standings {
        let (text, refers) = match standing {
            Standing::Busy { method } => (format!("{method}()"), None),
            Standing::Waiting { node, watched, ahead } => (format!("{node} → {watched} · ahead {ahead}"), None),
            Standing::Holding { node, share, token } => {
                let czxid = token.map_or(NONE.into(), |token| token.to_string());
                (format!("{node} · {share:?} · czxid {czxid}"), token.map(Refers::Zxid))
            }
        };
        rows.item(&format_args!("{object} {thread}"), &format_args!("{object} · {thread}"), text, refers);
    }
}
