//! A server that follows or observes (`Learner.java`, `Follower.java`, `Observer.java`): it connects to its leader,
//! promises, takes over the leader's history, then logs, acknowledges and applies what it is told.

mod rows;
mod serving;
mod syncing;

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ConnId, Epoch, ServerId, Way, Zxid};
use crate::store::Submitted;

use super::config::{CONNECT_ATTEMPTS, CONNECT_RETRY_DELAY};
use super::fact::{Fact, LeaveReason, Note, SyncKind};
use super::io::{Output, Port, Timer};
use super::members::Members;
use super::message::{Packet, Proposal};
use super::peer::{Cx, Flow};
use super::rules::BrokenRule;
use super::storage::Done;

/// How far a learner has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LearnerStage {
    /// It dials its leader.
    Connecting,
    /// LEADERINFO is due.
    AwaitLeaderInfo,
    /// It writes acceptedEpoch.
    WriteAcceptedEpoch,
    /// DIFF, TRUNC or SNAP is due.
    AwaitSync,
    /// It cuts its log.
    Truncating,
    /// It receives what it misses, up to NEWLEADER.
    Syncing,
    /// It writes the received state, or the transactions.
    WriteHistory,
    /// It writes currentEpoch.
    WriteCurrentEpoch,
    /// It has acknowledged NEWLEADER; UPTODATE is due.
    AwaitUpToDate,
    /// Broadcast.
    Serving,
}

impl LearnerStage {
    /// Whether the main thread waits for the disk: packets wait in the socket meanwhile.
    fn is_writing(self) -> bool {
        use LearnerStage::{Truncating, WriteAcceptedEpoch, WriteCurrentEpoch, WriteHistory};
        matches!(self, WriteAcceptedEpoch | Truncating | WriteHistory | WriteCurrentEpoch)
    }
}

/// The state of a follower or observer.
#[derive(Clone, Debug, Hash)]
pub struct Learner {
    /// Whom it follows.
    pub leader: ServerId,
    /// Whether it has no vote.
    pub observer: bool,
    /// How far it has come.
    pub stage: LearnerStage,
    /// How it is being brought up to date; `None` before that is known and once it is done.
    pub sync: Option<SyncKind>,
    /// The leader's epoch; 0 before LEADERINFO.
    pub epoch: Epoch,
    conn: ConnId,
    attempts: u32,
    /// Read while the disk was busy.
    unread: VecDeque<Packet>,
    /// The zxid of the last PROPOSAL read, for the check that none is missing.
    last_queued: Option<Zxid>,
    /// Proposals that are neither logged nor applied yet.
    not_logged: VecDeque<Proposal>,
    /// Commits that came for them.
    committed: VecDeque<Zxid>,
    /// Whether commits wait until the log is written; false between SNAP or TRUNC and NEWLEADER.
    write_to_log: bool,
    /// Logged, not yet committed (`Follower.pendingTxns`).
    pending: VecDeque<Proposal>,
    /// Logged before NEWLEADER was acknowledged, and not acknowledged yet (3.8).
    unacknowledged: Vec<Zxid>,
    /// Where the leader had the log cut.
    cut_to: Zxid,
    /// currentEpoch is on disk for this leader's epoch.
    epoch_written: bool,
    /// The configuration that came with NEWLEADER: in force with UPTODATE.
    new_config: Option<Rc<Members>>,
}

impl Learner {
    pub(in crate::zab) fn start(leader: ServerId, cx: &mut Cx) -> Learner {
        cx.out.arm(Timer::ConnectLimit, cx.now.plus(cx.config.init_time()));
        Learner {
            leader,
            observer: cx.members.now.observers.contains(cx.me),
            stage: LearnerStage::Connecting,
            sync: None,
            epoch: 0,
            conn: cx.out.dial(leader, Port::Quorum),
            attempts: 1,
            unread: VecDeque::new(),
            last_queued: None,
            not_logged: VecDeque::new(),
            committed: VecDeque::new(),
            write_to_log: true,
            pending: VecDeque::new(),
            unacknowledged: Vec::new(),
            cut_to: Zxid::ZERO,
            epoch_written: false,
            new_config: None,
        }
    }

    /// Whether it serves clients.
    pub fn is_serving(&self) -> bool {
        self.stage == LearnerStage::Serving
    }

    /// The dial succeeded.
    pub(in crate::zab) fn connected(&mut self, conn: ConnId, cx: &mut Cx) {
        if conn != self.conn || self.stage != LearnerStage::Connecting {
            return;
        }
        self.stage = LearnerStage::AwaitLeaderInfo;
        let (accepted_epoch, config) = (cx.storage.accepted_epoch, cx.members.now.version);
        cx.out.send(
            conn,
            match self.observer {
                true => Packet::ObserverInfo { accepted_epoch, config },
                false => Packet::FollowerInfo { accepted_epoch, config },
            },
        );
        cx.out.cancel(Timer::ConnectLimit);
        self.expect_packet(cx);
    }

    /// The leader does not listen (yet).
    pub(in crate::zab) fn refused(&mut self, conn: ConnId, cx: &mut Cx) -> Flow {
        if conn != self.conn {
            return Flow::Stay;
        }
        if self.attempts >= CONNECT_ATTEMPTS {
            return Flow::Leave(LeaveReason::LeaderUnreachable);
        }
        cx.out.arm(Timer::ConnectRetry, cx.now.plus(CONNECT_RETRY_DELAY));
        Flow::Stay
    }

    /// The connection to the leader.
    pub(in crate::zab) fn conn(&self) -> ConnId {
        self.conn
    }

    /// The connection broke.
    pub(in crate::zab) fn closed(&mut self, conn: ConnId) -> Flow {
        match conn == self.conn {
            true => Flow::Leave(LeaveReason::LeaderGone),
            false => Flow::Stay,
        }
    }

    /// A timer fired.
    pub(in crate::zab) fn timer(&mut self, timer: Timer, cx: &mut Cx) -> Flow {
        match timer {
            Timer::ConnectRetry => {
                self.attempts += 1;
                self.conn = cx.out.dial(self.leader, Port::Quorum);
                Flow::Stay
            }
            Timer::ConnectLimit => Flow::Leave(LeaveReason::LeaderUnreachable),
            Timer::ReadTimeout(_) if cx.config.rules.breaks(BrokenRule::LearnerNeverLeaves) => Flow::Stay,
            Timer::ReadTimeout(_) => Flow::Leave(LeaveReason::LeaderSilent),
            _ => Flow::Stay,
        }
    }

    /// A packet of the leader arrived.
    pub(in crate::zab) fn packet(&mut self, conn: ConnId, packet: Packet, cx: &mut Cx) -> Flow {
        if conn != self.conn {
            return Flow::Stay;
        }
        if self.stage.is_writing() {
            match packet {
                Packet::Ping { zxid, .. } if cx.config.rules.breaks(BrokenRule::PingsAnsweredEarly) => {
                    cx.out.push(Output::AnswerPing(self.conn, zxid));
                }
                _ => self.unread.push_back(packet),
            }
            return Flow::Stay;
        }
        self.expect_packet(cx);
        self.read(packet, cx)
    }

    /// A disk operation of this server is done; reading goes on where it stopped.
    pub(in crate::zab) fn persisted(&mut self, done: &Done, cx: &mut Cx) -> Flow {
        match (self.stage, done) {
            (LearnerStage::WriteAcceptedEpoch, Done::AcceptedEpoch(epoch)) => {
                let (fact, why) = (Fact::EpochAccepted { epoch: *epoch }, Note::PromiseBeforeAnswer);
                cx.out.explain(fact, why);
                self.answer_epoch(Some(cx.storage.current_epoch), cx);
            }
            (LearnerStage::Truncating, Done::Truncated(to)) => {
                self.cut_to = *to;
                cx.out.push(Output::Reload);
                return Flow::Stay; // goes on in `reloaded`
            }
            (LearnerStage::WriteHistory, Done::Appended(_) | Done::InstalledSnapshot(_) | Done::Config) => {
                self.history_written(cx);
            }
            (LearnerStage::WriteCurrentEpoch, Done::CurrentEpoch(_)) => self.current_epoch_written(cx),
            (LearnerStage::Serving, Done::Appended(zxids)) => self.acknowledge(zxids, cx),
            _ => {}
        }
        self.read_on(cx)
    }

    /// The log is cut, and memory loaded from it again. A released version says that it stands where it was told to, whatever it has
    /// loaded (`setlastProcessedZxid`).
    pub(in crate::zab) fn reloaded(&mut self, cx: &mut Cx) -> Flow {
        cx.storage.last_processed = match cx.config.rules.breaks(Way::LooseCut) {
            true => self.cut_to,
            false => cx.storage.last_logged(),
        };
        cx.out.push(Output::Config(cx.members.now));
        self.stage = LearnerStage::Syncing;
        self.read_on(cx)
    }

    /// Where the log was to be cut, while that is under way.
    pub(in crate::zab) fn truncating(&self) -> bool {
        self.stage == LearnerStage::Truncating
    }

    /// A write of a client of this server.
    pub(in crate::zab) fn request(&mut self, payload: Rc<Submitted>, cx: &mut Cx) {
        match self.is_serving() {
            true => cx.out.send(self.conn, Packet::Request { payload }),
            false => cx.out.push(Output::Reject(payload)),
        }
    }

    /// Gives up everything that belongs to the role.
    pub(in crate::zab) fn stop(&mut self, cx: &mut Cx) {
        cx.out.cancel(Timer::ConnectLimit);
        cx.out.cancel(Timer::ConnectRetry);
        cx.out.cancel(Timer::ReadTimeout(self.conn));
        cx.out.push(Output::Close(self.conn));
    }

    /// The socket's timeout: `initLimit` until NEWLEADER is acknowledged, `syncLimit` from then on.
    fn expect_packet(&self, cx: &mut Cx) {
        let limit = match self.stage {
            LearnerStage::AwaitUpToDate | LearnerStage::Serving => cx.config.sync_time(),
            _ => cx.config.init_time(),
        };
        cx.out.arm(Timer::ReadTimeout(self.conn), cx.now.plus(limit));
    }

    fn read_on(&mut self, cx: &mut Cx) -> Flow {
        while !self.stage.is_writing() {
            let Some(packet) = self.unread.pop_front() else { break };
            match self.read(packet, cx) {
                Flow::Stay => {}
                left => return left,
            }
        }
        Flow::Stay
    }

    fn read(&mut self, packet: Packet, cx: &mut Cx) -> Flow {
        match self.stage {
            LearnerStage::AwaitLeaderInfo => match packet {
                Packet::LeaderInfo { epoch } => self.leader_info(epoch, cx),
                _ => Flow::Leave(LeaveReason::OutOfOrder),
            },
            LearnerStage::AwaitSync => self.first_sync_packet(packet, cx),
            LearnerStage::Serving => match self.serve(packet, cx) {
                Flow::Stay if cx.storage.broken => Flow::Leave(LeaveReason::DiskFailed),
                flow => flow,
            },
            _ => self.sync_packet(packet, cx),
        }
    }

    /// The promise: an epoch below the one accepted is not obeyed.
    fn leader_info(&mut self, epoch: Epoch, cx: &mut Cx) -> Flow {
        self.epoch = epoch;
        let accepted = cx.storage.accepted_epoch;
        let rules = cx.config.rules;
        if epoch == accepted && !rules.breaks(BrokenRule::LeaderKeepsEpoch) {
            cx.out.explain(Fact::EpochAccepted { epoch }, Note::AlreadyAccepted);
            self.answer_epoch(None, cx);
        } else if epoch >= accepted || rules.breaks(BrokenRule::FollowerObeysOlderEpoch) {
            self.stage = LearnerStage::WriteAcceptedEpoch;
            cx.storage.write_accepted_epoch(epoch, cx.out);
            if rules.breaks(BrokenRule::PromiseNotOnDisk) {
                cx.out.fact(Fact::EpochAccepted { epoch });
                self.answer_epoch(Some(cx.storage.current_epoch), cx);
            }
        } else {
            return Flow::Leave(LeaveReason::OlderEpoch);
        }
        Flow::Stay
    }

    fn answer_epoch(&mut self, current_epoch: Option<Epoch>, cx: &mut Cx) {
        self.stage = LearnerStage::AwaitSync;
        let (zxid, want_snap) = (cx.storage.last_processed, *cx.want_snap);
        cx.out.send(self.conn, Packet::AckEpoch { zxid, current_epoch, want_snap });
        self.expect_packet(cx);
    }
}
