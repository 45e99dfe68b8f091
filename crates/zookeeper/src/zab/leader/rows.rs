//! A leader, for a reader: in the names of `Leader.java` and `LearnerHandler.java`.

use crate::base::rows::{NONE, Refers, Row, Rows};
use crate::base::{ConnId, SimTime, Zxid};

use super::handler::SyncLimitCheck;
use super::{Handler, Leader, Outstanding};

impl Leader {
    /// Its own fields; learners and proposals are told by [`Leader::learner_rows`] and [`Leader::outstanding_rows`].
    pub fn rows(&self, rows: &mut Rows) {
        let Leader {
            stage,
            epoch,
            learners: _,
            last_proposed,
            last_committed,
            outstanding: _,
            new_leader_acks,
            allowed_to_commit,
            connecting,
            promised,
            summary,
            tick,
            half_tick,
            knocks,
        } = self;
        rows.put("stage", &format_args!("{stage:?}"));
        rows.put("epoch", epoch);
        rows.zxid("lastProposed", *last_proposed);
        rows.zxid("lastCommitted", *last_committed);
        rows.servers("connectingFollowers", *connecting);
        rows.servers("electingFollowers", *promised);
        rows.servers("newLeaderProposal.acks", *new_leader_acks);
        if !knocks.is_empty() {
            rows.put("waiting", &knocks.len());
        }
        if !allowed_to_commit {
            rows.put("allowedToCommit", allowed_to_commit);
        }
        rows.put("leaderStateSummary", &format_args!("currentEpoch {} · zxid {}", summary.0, summary.1));
        rows.put("tick", &format_args!("{tick}{}", if *half_tick { "½" } else { "" }));
    }

    /// Its learners, by connection.
    pub fn learner_rows(&self, rows: &mut Rows) {
        for (conn, handler) in self.learners.iter() {
            rows.0.push(self.learner_row(*conn, handler));
        }
    }

    fn learner_row(&self, conn: ConnId, handler: &Handler) -> Row {
        let Handler { learner, observer, stage, zxid, sync, want_snap, deadline, waiting } = handler;
        let SyncLimitCheck { current, latest } = waiting;
        let mut below = Rows::default();
        below.conn("connection", Some(conn));
        below.put("observer", observer);
        below.put("sync", &sync.map_or(NONE.into(), |sync| format!("{sync:?}").to_ascii_uppercase()));
        below.zxid("peerLastZxid", *zxid);
        below.put("wantSnap", want_snap);
        below.put("tickOfNextAckDeadline", deadline);
        below.put("syncLimitCheck.current", &timed(*current));
        below.put("syncLimitCheck.next", &timed(*latest));
        let waits = |(_, one): &(&Zxid, &Outstanding)| !one.acks.contains(*learner);
        let acked = self.outstanding.iter().filter(|one| !waits(one)).map(|(zxid, _)| *zxid).next_back();
        below.zxid_or_none("lastAcked", acked);
        let queue: Vec<Zxid> = self.outstanding.iter().filter(waits).map(|(zxid, _)| *zxid).collect();
        if handler.is_forwarding() && !observer {
            below.list("unacked", |rows| {
                for zxid in queue {
                    rows.item(&zxid, &zxid, String::new(), Some(Refers::Zxid(zxid)));
                }
            });
        }
        Row {
            key: format!("#{}", conn.0),
            name: learner.to_string(),
            text: format!("{stage:?}"),
            refers: Some(Refers::Server(*learner)),
            rows: below.0,
            sliding: false,
        }
    }

    /// The proposals without a majority, and who has each on disk.
    pub fn outstanding_rows(&self, rows: &mut Rows) {
        for (zxid, Outstanding { proposal, acks, .. }) in self.outstanding.iter() {
            let row = rows.item(zxid, zxid, proposal.payload.text.to_string(), Some(Refers::Zxid(*zxid)));
            let mut below = Rows::default();
            below.servers("ACK", *acks);
            row.rows = below.0;
        }
    }
}

fn timed(sent: Option<(Zxid, SimTime)>) -> String {
    sent.map_or(NONE.into(), |(zxid, at)| format!("{zxid}, {at}"))
}
