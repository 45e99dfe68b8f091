//! A database, for a reader: in the names of `ZKDatabase.java` and `SyncRequestProcessor.java`.

use crate::base::rows::{Refers, Rows};
use crate::zab::message::Proposal;

use super::{Done, Storage};

/// How many of the log's last transactions are told.
const TOLD: usize = 8;

impl Storage {
    /// All that is in memory of the database, apart from the replicated state.
    pub fn rows(&self, rows: &mut Rows) {
        let Storage {
            accepted_epoch: _, // beside what is on disk
            current_epoch: _,
            last_processed,
            log,
            log_start,
            log_files,
            roll: _,
            snapshots: _, // beside what is on disk
            applied: _,   // lastProcessedZxid
            snapshot,
            snapshot_bytes,
            committed_log,
            queue,
            appending,
            broken,
            pending,
            next_token: _,
            since_snapshot,
            snapshot_after,
            prng: _,
        } = self;
        rows.zxid("lastProcessedZxid", *last_processed);
        rows.zxid("lastLoggedZxid", self.last_logged());
        rows.zxid("logStart", *log_start);
        rows.put("logFiles", &log_files.len());
        let (min, max) = self.committed_window();
        rows.zxid("minCommittedLog", min);
        rows.zxid("maxCommittedLog", max);
        rows.put("committedLog", &committed_log.len());
        rows.put("snapshot", &format_args!("{snapshot} · {snapshot_bytes} bytes"));
        rows.put("snapCount", &format_args!("{since_snapshot} / {snapshot_after}"));
        rows.put("appending", appending);
        if *broken {
            rows.put("state", &"ERROR");
        }
        rows.list("queuedRequests", |rows| proposals(queue.iter(), rows));
        rows.list("toFlush", |rows| {
            for (token, done) in pending.iter() {
                rows.item(token, &format_args!("#{token}"), told(done), None);
            }
        });
        let end = log.iter().skip(log.len().saturating_sub(TOLD));
        rows.end_of("log", log.len(), |rows| proposals(end, rows));
    }
}

/// Transactions with what they carry.
pub(in crate::zab) fn proposals<'a>(all: impl Iterator<Item = &'a Proposal>, rows: &mut Rows) {
    for Proposal { zxid, payload } in all {
        rows.item(zxid, zxid, payload.text.to_string(), Some(Refers::Zxid(*zxid)));
    }
}

fn told(done: &Done) -> String {
    match done {
        Done::AcceptedEpoch(epoch) => format!("acceptedEpoch {epoch}"),
        Done::CurrentEpoch(epoch) => format!("currentEpoch {epoch}"),
        Done::Appended(zxids) => match zxids.as_slice() {
            [one] => format!("append {one}"),
            [first, .., last] => format!("append {first} … {last}"),
            [] => "append".into(),
        },
        Done::Snapshot(zxid) => format!("snapshot {zxid}"),
        Done::InstalledSnapshot(zxid) => format!("install snapshot {zxid}"),
        Done::Purged(zxid) => format!("purge before {zxid}"),
        Done::Truncated(zxid) => format!("truncate to {zxid}"),
        Done::Config => "config".into(),
    }
}
