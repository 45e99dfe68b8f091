//! The service for clients, for a reader.

use crate::base::rows::{NONE, Rows};
use crate::server::leading::rows::listed;
use crate::server::pending::Waiting;

use super::Service;

impl Service {
    /// All its fields; connections and watches are told apart from it.
    pub fn rows(&self, rows: &mut Rows) {
        let Service {
            id: _,
            serving,
            conns: _,
            watches: _,
            leading,
            local,
            looking: _,
            read_only,
            statistics,
            counters: _, // the answer to mntr has them
            since,
            role_since: _,
            idle: _,
            next_session,
            touched,
            plain_writes,
            quiet_since: _,
            heard: _,
            pending,
        } = self;
        rows.put("serving", serving);
        rows.put("readOnly", read_only);
        rows.list("localSessions", |rows| {
            for (session, timeout_ms, due) in local.tracked() {
                rows.item(&session, &session, format!("{due} · {timeout_ms} ms"), None);
            }
        });
        rows.put("startTime", since);
        let (received, sent) = (statistics.received, statistics.sent);
        rows.put("packets", &format_args!("{received} received, {sent} sent"));
        rows.put("nextSessionId", &format_args!("0x{:x}", next_session));
        rows.put("touchTable", &listed(touched));
        let waiting: Vec<String> = plain_writes.iter().map(u64::to_string).collect();
        rows.put("plainWrites", &if waiting.is_empty() { NONE.into() } else { waiting.join(" ") });
        rows.list("pendingRequests", |rows| {
            for (session, queue) in pending.iter() {
                let queue: Vec<String> = queue.iter().map(Waiting::to_string).collect();
                rows.item(session, session, queue.join(", "), None);
            }
        });
        if let Some(leading) = leading {
            leading.rows(rows);
        }
    }

    /// The connections of clients.
    pub fn conn_rows(&self, rows: &mut Rows) {
        for (conn, of) in self.conns.iter() {
            rows.0.push(of.row(*conn));
        }
    }

    /// The watches that clients have set here.
    pub fn watch_rows(&self, rows: &mut Rows) {
        for (path, conn, mode) in self.watches.iter() {
            let client = self.conns.get(&conn).map(|of| of.client);
            let whose = client.map_or(format!("#{}", conn.0), |client| client.to_string());
            let refers = client.map(crate::base::rows::Refers::Client);
            rows.item(&format_args!("{path} #{} {mode:?}", conn.0), path, format!("{whose} · {mode:?}"), refers);
        }
    }
}
