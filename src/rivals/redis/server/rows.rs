//! A server's memory for a reader: keys with the time that is left to them, who waits, where the stream stands.

use crate::base::rows::Rows;

use super::session::On;
use super::state::{Link, Server};

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
