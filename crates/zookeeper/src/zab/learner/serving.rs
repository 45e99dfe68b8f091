//! Broadcast, as a follower or observer sees it (`Follower.java` and `Observer.java` `processPacket`).

use crate::base::{Micros, Way, Zxid};
use crate::zab::fact::LeaveReason;
use crate::zab::io::Output;
use crate::zab::message::{Packet, Proposal};
use crate::zab::peer::{Cx, Flow};
use crate::zab::rules::BrokenRule;

use super::Learner;

/// How long the main thread takes from the end of its role to where it closes the clients' connections (`Learner.java` `shutdown`), µs.
const LEAVE_US: Micros = 200;
/// How long a committed transaction takes through `CommitProcessor`, a worker and the connection's selector until its answer is out, µs.
const ANSWER_US: (Micros, Micros) = (150, 550);

/// Whether a server whose role a reconfiguration ends closes its clients' connections before the answer to that is out: both begin at
/// once, in two threads.
fn answers_late(cx: &mut Cx) -> bool {
    cx.storage.time_between(ANSWER_US.0, ANSWER_US.1) > LEAVE_US
}

impl Learner {
    pub(super) fn serve(&mut self, packet: Packet, cx: &mut Cx) -> Flow {
        match packet {
            Packet::Proposal(proposal) => self.log(proposal, cx),
            Packet::Commit { zxid } => return self.commit(zxid, cx),
            Packet::Inform(proposal) => self.inform(proposal, cx),
            Packet::CommitAndActivate { zxid, leader } => {
                let config = self.pending.front().and_then(|first| first.payload.config.clone());
                let leaves = config.is_some_and(|config| cx.activate_config(&config, Some(leader), self.leader));
                if leaves && answers_late(cx) {
                    return Flow::Leave(LeaveReason::Reconfigured); // its memory takes the transaction up from the log
                }
                return match self.commit(zxid, cx) {
                    Flow::Stay if leaves => Flow::Leave(LeaveReason::Reconfigured),
                    flow => flow,
                };
            }
            Packet::InformAndActivate { proposal, leader } => {
                let config = proposal.payload.config.clone();
                let leaves = config.is_some_and(|config| cx.activate_config(&config, Some(leader), self.leader));
                match leaves && answers_late(cx) {
                    true => cx.storage.enqueue(proposal, cx.out),
                    false => self.inform(proposal, cx),
                }
                if leaves {
                    return Flow::Leave(LeaveReason::Reconfigured);
                }
            }
            Packet::Ping { zxid, .. } => cx.out.push(Output::AnswerPing(self.conn, zxid)),
            Packet::Sync { .. } | Packet::Revalidate { .. } => {
                cx.out.push(Output::Host { conn: self.conn, from: self.leader, packet });
            }
            _ => {}
        }
        Flow::Stay
    }

    /// PROPOSAL: to the log; the ACK follows when it is on disk.
    pub(super) fn log(&mut self, proposal: Proposal, cx: &mut Cx) {
        let zxid = proposal.zxid;
        if let Some(config) = &proposal.payload.config {
            cx.see_config(config);
        }
        let early = cx.config.rules.breaks(BrokenRule::AppliedBeforeCommit).then(|| proposal.clone());
        if early.is_none() {
            self.pending.push_back(proposal.clone());
        }
        cx.storage.enqueue(proposal, cx.out);
        if let Some(proposal) = early {
            cx.storage.apply(proposal, cx.config, cx.out);
        }
        if cx.config.rules.breaks(BrokenRule::AckBeforeSync) {
            cx.out.send(self.conn, Packet::Ack { zxid });
        }
    }

    /// COMMIT: applied at once, whether or not the own disk is done; a majority of disks is.
    pub(super) fn commit(&mut self, zxid: Zxid, cx: &mut Cx) -> Flow {
        match self.pending.front() {
            None => Flow::Stay, // the real one warns and drops it
            Some(first) if first.zxid != zxid => Flow::Leave(match cx.config.rules.breaks(Way::LearnerExits) {
                true => LeaveReason::UnmatchedCommit,
                false => LeaveReason::OutOfOrder,
            }),
            Some(_) => {
                if let Some(proposal) = self.pending.pop_front() {
                    cx.storage.apply(proposal, cx.config, cx.out);
                }
                Flow::Stay
            }
        }
    }

    /// INFORM: an observer logs and applies what is committed already.
    pub(super) fn inform(&mut self, proposal: Proposal, cx: &mut Cx) {
        cx.storage.enqueue(proposal.clone(), cx.out);
        cx.storage.apply(proposal, cx.config, cx.out);
    }

    /// Transactions are on this server's disk: each is acknowledged.
    pub(super) fn acknowledge(&mut self, zxids: &[Zxid], cx: &mut Cx) {
        if self.observer || cx.config.rules.breaks(BrokenRule::AckBeforeSync) {
            return;
        }
        for &zxid in zxids {
            cx.out.send(self.conn, Packet::Ack { zxid });
        }
    }
}
