//! The leader's part of the service, for a reader: in the names of `LeaderSessionTracker.java`.

use crate::base::rows::{NONE, Rows};
use crate::base::{SessionId, SortedSet};

use super::Leading;

impl Leading {
    /// The sessions that it tracks, and the syncs that wait.
    pub fn rows(&self, rows: &mut Rows) {
        let Leading { prep, owners, closing, expiry, syncs } = self;
        let ahead = prep.ahead();
        rows.zxid("outstandingChanges.last", ahead.last);
        rows.list("sessionExpiryQueue", |rows| {
            for (session, timeout_ms, due) in expiry.tracked() {
                let owner = owners.get(&session).map_or(NONE.into(), ToString::to_string);
                let text = format!("{due} · {timeout_ms} ms · owner {owner}");
                rows.item(&session, &session, text, None);
            }
        });
        rows.put("sessionsClosing", &listed(closing));
        rows.list("pendingSyncs", |rows| {
            for (zxid, waiting) in syncs.iter() {
                rows.item(zxid, zxid, waiting.len().to_string(), None);
            }
        });
    }
}

/// Sessions in a line.
pub(in crate::server) fn listed(sessions: &SortedSet<SessionId>) -> String {
    match sessions.is_empty() {
        true => NONE.into(),
        false => sessions.iter().map(SessionId::to_string).collect::<Vec<_>>().join(" "),
    }
}
