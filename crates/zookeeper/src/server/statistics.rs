//! What a server counts of the packets of its clients (`ServerStats.java`, `ServerCnxn.java`): what `srvr` and `cons` tell.

use std::collections::VecDeque;

use crate::base::{SimTime, Zxid};
use crate::wire::ToClient;

/// Packets, and how long requests took.
#[derive(Clone, Debug, Default, Hash)]
pub struct Statistics {
    /// Packets of clients.
    pub received: u64,
    /// Packets to clients.
    pub sent: u64,
    /// Requests answered.
    pub answered: u64,
    /// How long they took together, ms.
    pub total_ms: u64,
    /// The shortest, ms.
    pub min_ms: u64,
    /// The longest, ms.
    pub max_ms: u64,
    /// The last, smallest and largest proposal of a leader, bytes; none before the first.
    pub proposals: Option<(u64, u64, u64)>,
    /// The same of what is sent to clients: answers and events.
    pub responses: Option<(u64, u64, u64)>,
}

/// What a process counts until it ends, whatever role it has (`ServerMetrics.java`).
#[derive(Clone, Debug, Default, Hash)]
pub struct Counters {
    /// How often it began to look for a leader.
    pub looking: u64,
    /// As a leader: learners brought up to date by transactions, or by a cut of their logs.
    pub diffs: u64,
    /// As a leader: learners brought up to date by a state.
    pub snaps: u64,
    /// As a leader: proposals.
    pub proposals: u64,
    /// As a leader: commits.
    pub commits: u64,
    /// As a follower that serves: proposals received.
    pub learner_proposals: u64,
    /// As a learner that serves: commits received.
    pub learner_commits: u64,
    /// CONNECT packets.
    pub connect_requests: u64,
    /// Those that take a session up.
    pub sessions_taken_up: u64,
    /// As a leader: questions of learners about sessions.
    pub revalidations: u64,
    /// Connections that were one too many.
    pub connections_rejected: u64,
    /// Connections that the other end has closed.
    pub connections_dropped: u64,
    /// Sessions of which nothing was heard.
    pub sessions_expired: u64,
    /// What clients have sent, bytes.
    pub received_bytes: u64,
    /// The answers to requests, bytes.
    pub response_bytes: u64,
}

/// The last, smallest and largest of some lengths (`BufferStats.java`).
fn another(of: &mut Option<(u64, u64, u64)>, bytes: u64) {
    let (_, min, max) = of.unwrap_or((0, bytes, bytes));
    *of = Some((bytes, min.min(bytes), max.max(bytes)));
}

impl Statistics {
    pub(super) fn proposed(&mut self, bytes: u64) {
        another(&mut self.proposals, bytes);
    }

    pub(super) fn responded(&mut self, bytes: u64) {
        another(&mut self.responses, bytes);
    }

    pub(super) fn answered(&mut self, latency_ms: u64) {
        self.min_ms = if self.answered == 0 { latency_ms } else { self.min_ms.min(latency_ms) };
        self.max_ms = self.max_ms.max(latency_ms);
        self.total_ms += latency_ms;
        self.answered += 1;
    }
}

/// What is counted of one connection.
#[derive(Clone, Debug, Hash)]
pub struct ConnStatistics {
    /// Its packets.
    pub packets: Statistics,
    /// When it was accepted.
    pub established: SimTime,
    /// The last operation that was answered; none: `NA`.
    pub last_op: &'static str,
    /// The xid of the last request that was answered; -1: none yet. Pings do not count.
    pub last_cxid: i32,
    /// The zxid in the last answer.
    pub last_zxid: Zxid,
    /// When that was sent.
    pub last_response: SimTime,
    /// How long it took, ms.
    pub last_ms: u64,
    /// What waits for its answer: xid, operation, since when. Answers come in this order.
    asked: VecDeque<(i32, &'static str, SimTime)>,
}

impl ConnStatistics {
    pub(super) fn new(now: SimTime) -> ConnStatistics {
        ConnStatistics {
            packets: Statistics::default(),
            established: now,
            last_op: "NA",
            last_cxid: -1,
            last_zxid: Zxid::ZERO,
            last_response: SimTime::ZERO,
            last_ms: 0,
            asked: VecDeque::new(),
        }
    }

    /// How many requests wait for their answers, pings among them.
    pub fn outstanding(&self) -> usize {
        self.asked.len()
    }

    pub(super) fn asked(&mut self, xid: i32, op: &'static str, now: SimTime) {
        self.asked.push_back((xid, op, now));
    }

    /// Forgets all but when it was accepted, and what waits (`ServerCnxn.java` `resetStats`).
    pub(super) fn reset(&mut self) {
        let asked = std::mem::take(&mut self.asked);
        *self = ConnStatistics { asked, last_zxid: Zxid::NONE, ..ConnStatistics::new(self.established) };
    }

    /// A packet goes to the client: the operation that it answers, and how long that has taken, ms. `last` is the last zxid applied.
    pub(super) fn sent(&mut self, packet: &ToClient, last: Zxid, now: SimTime) -> Option<(&'static str, u64)> {
        self.packets.sent += 1;
        if matches!(packet, ToClient::Auth { .. } | ToClient::Event { .. }) {
            return None;
        }
        let (xid, op, since) = self.asked.pop_front()?;
        if xid >= 0 {
            self.last_cxid = xid;
        }
        (self.last_op, self.last_zxid, self.last_response) = (op, packet.zxid().unwrap_or(last), now);
        self.last_ms = now.as_ms().saturating_sub(since.as_ms());
        self.packets.answered(self.last_ms);
        Some((op, self.last_ms))
    }
}
