//! A client's connection at its server, for a reader.

use crate::base::ConnId;
use crate::base::rows::{Refers, Row, Rows};

use super::connection::ClientConn;
use super::statistics::Statistics;

impl ClientConn {
    pub(super) fn row(&self, conn: ConnId) -> Row {
        let ClientConn { client, session, established, timeout_ms, who, statistics, asks: _, throttled, unread } =
            self;
        let mut below = Rows::default();
        below.conn("connection", Some(conn));
        below.put("established", established);
        below.put("sessionTimeout", &format_args!("{timeout_ms} ms"));
        let who: Vec<String> = who.iter().map(|auth| format!("{}:{}", auth.scheme, auth.id)).collect();
        below.put("authInfo", &who.join(" "));
        let Statistics { received, sent, .. } = statistics.packets;
        below.put("packets", &format_args!("{received} received, {sent} sent, {} queued", statistics.outstanding()));
        below.put("throttled", throttled);
        below.list("unread", |rows| {
            for packet in unread {
                rows.item(&packet.name(), &packet.name(), String::new(), None);
            }
        });
        let text = match *session == crate::base::SessionId::NONE {
            true => crate::base::rows::NONE.into(),
            false => session.to_string(),
        };
        let (key, name, refers) = (format!("#{}", conn.0), client.to_string(), Some(Refers::Client(*client)));
        Row { key, name, text, refers, rows: below.0, sliding: false }
    }
}
