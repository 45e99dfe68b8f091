//! A follower or observer, for a reader: in the names of `Learner.java` and `Follower.java`.

use crate::base::rows::{NONE, Rows};
use crate::zab::storage::rows::proposals;

use super::Learner;

impl Learner {
    /// All its fields.
    pub fn rows(&self, rows: &mut Rows) {
        let Learner {
            leader,
            observer,
            stage,
            sync,
            epoch,
            conn,
            attempts,
            unread,
            last_queued,
            not_logged,
            committed,
            write_to_log,
            pending,
            unacknowledged: _,
            cut_to: _,
            epoch_written,
            new_config,
        } = self;
        rows.put("stage", &format_args!("{stage:?}"));
        rows.server("leader", *leader);
        rows.put("observer", observer);
        rows.put("leaderEpoch", epoch);
        rows.put("sync", &sync.map_or(NONE.into(), |sync| format!("{sync:?}").to_ascii_uppercase()));
        rows.conn("connection", Some(*conn));
        rows.put("connectAttempts", attempts);
        rows.zxid_or_none("lastQueued", *last_queued);
        rows.put("writeToTxnLog", write_to_log);
        rows.put("epochWritten", epoch_written);
        if let Some(config) = new_config {
            rows.zxid("newLeaderQV", config.version);
        }
        rows.list("unread", |rows| {
            for packet in unread {
                let zxid = packet.zxid().map_or(String::new(), |zxid| zxid.to_string());
                rows.item(&format_args!("{} {zxid}", packet.name()), &packet.name(), zxid.clone(), None);
            }
        });
        rows.list("packetsNotLogged", |rows| proposals(not_logged.iter(), rows));
        rows.list("packetsCommitted", |rows| {
            for zxid in committed {
                rows.item(zxid, zxid, String::new(), None);
            }
        });
        rows.list("pendingTxns", |rows| proposals(pending.iter(), rows));
    }
}
