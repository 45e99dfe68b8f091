//! A server's memory for a reader: keys with the time that is left to them, who waits, where the stream stands.

use crate::base::Arrange;
use crate::base::rows::Rows;
use crate::daemon::{Badge, BadgeLine, Env, Tone};
use crate::redis::{EPOCH_MS, moments};

use super::session::On;
use super::state::{Link, Server};

/// Its role, and its keys with what is left of their limits.
pub(super) fn badge(server: Option<&Server>, env: &Env) -> Badge {
    let Some(server) = server else { return Badge::default() };
    let now = EPOCH_MS.saturating_add(env.clock_ms);
    let us = |ms: i64| u64::try_from(ms).unwrap_or(0).saturating_mul(1_000);
    let key = |(key, entry): (&String, &crate::redis::store::Entry)| BadgeLine {
        label: key.clone(),
        value: moments(&entry.value.shown()),
        tone: if entry.until.is_some() { Tone::Held } else { Tone::Plain },
        left: entry.until.map(|until| (us(until.saturating_sub(now)), us(entry.span))),
    };
    let mut lines: Vec<BadgeLine> = server.keys.data.iter().map(key).collect();
    // locks first: what has a limit, or is no number
    lines.arrange_by_key(|line| line.left.is_none());
    let link = server.source().map(|source| BadgeLine {
        label: source.to_string(),
        value: if server.repl.link.is_up() { "=" } else { "≠" }.into(),
        tone: if server.repl.link.is_up() { Tone::Plain } else { Tone::Bad },
        left: None,
    });
    lines.extend(link);
    let master = server.source().is_none();
    let replicas = server.sessions.values().any(|session| session.replica.is_some());
    Badge { role: if master { "MASTER" } else { "REPLICA" }, crowned: master && replicas, lines, ..Badge::default() }
}

impl Server {
    pub(super) fn tell(&self, rows: &mut Rows) {
        rows.put("role", &if self.source().is_some() { "replica" } else { "master" });
        if let Some(source) = self.source() {
            rows.server("source", source);
            let link = match self.repl.link {
                Link::Down => "down",
                Link::Dialling(_) => "dialling",
                Link::Asking(_) => "asking",
                Link::Up(_) => "up",
            };
            rows.put("link", &link);
        }
        rows.list("keys", |rows| {
            for (key, entry) in &self.keys.data {
                let left = entry.until.map(|until| format!(" · until {until}"));
                rows.item(key, key, format!("{}{}", entry.value.shown(), left.unwrap_or_default()), None);
            }
        });
        rows.put("offset", &self.repl.offset);
        rows.put("replid", &self.repl.replid.get(..8).unwrap_or_default());
        rows.list("replicas", |rows| {
            for session in self.sessions.values() {
                if let Some(replica) = session.replica {
                    rows.item(&session.name(), &session.name(), replica.acked.to_string(), None);
                }
            }
        });
        rows.list("clients", |rows| {
            for (conn, session) in self.sessions.iter().filter(|(_, session)| session.node.is_some()) {
                let mut text = String::new();
                match session.blocked.as_ref().map(|blocked| &blocked.on) {
                    Some(On::Lists(lists, _)) => text = format!("waits for {}", lists.join(" ")),
                    Some(On::Replicas(count, _)) => text = format!("waits for {count} replicas"),
                    None if session.queue.is_some() => text = "MULTI".into(),
                    None if !session.channels.is_empty() => {
                        let channels = session.channels.iter().map(String::as_str);
                        text = format!("subscribed to {}", channels.collect::<Vec<_>>().join(" "));
                    }
                    None => {}
                }
                rows.item(&conn.0, &session.name(), text, None);
            }
        });
    }
}
