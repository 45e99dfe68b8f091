//! What comes and goes on the connections of clients, counted (`ServerCnxn.java`, `ServerStats.java`), and how much of it a server
//! takes at once (`ZooKeeperServer.java` `shouldThrottle`).

use crate::base::{ClientId, ConnId, Micros, SimTime, SortedSet, Zxid};
use crate::server::connection::ClientConn;
use crate::server::fact::{Fact, TurnedAway};
use crate::server::settings::Settings;
use crate::wire::ToClient;

use super::{Cx, Outbox, Output, Service};

/// How long a connection without a session may be idle, ms, and the length of the buckets in which that is looked at, µs
/// (`zookeeper.nio.sessionlessCnxnTimeout`). Here nothing is closed for it.
const SESSIONLESS_MS: u32 = 10_000;
const IDLE_BUCKET: Micros = 10_000_000;

impl Service {
    /// A client connected.
    pub fn accepted(&mut self, conn: ConnId, client: ClientId, cx: Cx, out: &mut Outbox) {
        let refused = self.refuses_one_more(cx.settings);
        self.opened(conn, client, cx.now);
        if refused {
            self.turn_away(conn, TurnedAway::TooManyConnections, out);
        }
    }

    /// Somebody comes: whether there are as many connections already as it takes of one address; all come from one. Then he is not
    /// let in, and counted as rejected.
    pub fn refuses_one_more(&mut self, settings: &Settings) -> bool {
        let most = settings.max_client_cnxns as usize;
        let is_full = most > 0 && self.conns.len() >= most;
        self.counters.connections_rejected += u64::from(is_full);
        is_full
    }

    /// There is a connection.
    pub fn opened(&mut self, conn: ConnId, client: ClientId, now: SimTime) {
        self.conns.insert(conn, ClientConn::new(client, now));
        self.stirred(conn, now);
    }

    /// How many requests are in process.
    pub fn in_process(&self) -> usize {
        self.conns.values().map(|of| of.statistics.outstanding()).sum()
    }

    /// Whether a connection waits for an answer while too much is in process (`shouldThrottle`).
    pub(super) fn should_throttle(&self, conn: ConnId, settings: &Settings) -> bool {
        self.conns.get(&conn).is_some_and(|of| of.statistics.outstanding() > 0)
            && self.in_process() > settings.global_outstanding_limit as usize
    }

    pub(super) fn throttle(&mut self, conn: ConnId, on: bool, out: &mut Outbox) {
        let in_process = self.in_process();
        let Some(of) = self.conns.get_mut(&conn).filter(|of| of.throttled != on) else { return };
        of.throttled = on;
        out.push(Output::Fact(Fact::Throttled { client: of.client, on, in_process }));
    }

    /// An answer was sent: a throttled connection is read again, if it may be.
    pub fn read_on(&mut self, conn: ConnId, cx: Cx, out: &mut Outbox) {
        if self.should_throttle(conn, cx.settings) {
            return;
        }
        self.throttle(conn, false, out);
        let unread = self.conns.get_mut(&conn).map(|of| std::mem::take(&mut of.unread)).unwrap_or_default();
        for packet in unread {
            self.packet(conn, packet, cx, out);
        }
    }

    /// A packet goes to a client.
    pub fn sent(&mut self, conn: ConnId, packet: &ToClient, last: Zxid, now: SimTime) {
        self.statistics.sent += 1;
        let answered = self.conns.get_mut(&conn).and_then(|of| of.statistics.sent(packet, last, now));
        if let Some((_, latency)) = answered {
            self.statistics.answered(latency);
        }
        if !matches!(packet, ToClient::Connected { .. }) {
            // `ErrorResponse` of the request that sets a lasting watch
            let more = answered.is_some_and(|(op, _)| op == "addWatch") && succeeded(packet);
            let bytes = packet.bytes() as u64 + if more { 4 } else { 0 };
            self.statistics.responded(bytes);
            self.counters.response_bytes += if matches!(packet, ToClient::Reply { .. }) { bytes } else { 0 };
        }
        self.stirred(conn, now);
    }

    /// A packet of a client is read, so long behind its length: `xid` and operation, where it is one that is answered in its turn.
    pub(super) fn received(&mut self, conn: ConnId, bytes: usize, asked: Option<(i32, &'static str)>, now: SimTime) {
        self.stirred(conn, now);
        let Some(of) = self.conns.get_mut(&conn) else { return };
        self.statistics.received += 1;
        self.counters.received_bytes += 4 + bytes as u64;
        of.statistics.packets.received += 1;
        if let Some((xid, op)) = asked {
            of.statistics.asked(xid, op, now);
        }
    }

    /// How many requests of a connection wait for an answer.
    pub fn waiting(&self, conn: ConnId) -> usize {
        self.pending.of(conn)
    }

    /// A four-letter word is read.
    pub fn word_received(&mut self, conn: ConnId, now: SimTime) {
        self.received(conn, 0, None, now);
        if let Some(of) = self.conns.get_mut(&conn) {
            of.asks = true;
        }
    }

    /// The answer to it is written, in so many pieces.
    pub fn word_answered(&mut self, pieces: usize) {
        self.statistics.sent += pieces as u64;
    }

    /// Something came or went on a connection.
    fn stirred(&mut self, conn: ConnId, now: SimTime) {
        let Some(of) = self.conns.get(&conn) else { return };
        let timeout_ms = if of.timeout_ms == 0 { SESSIONLESS_MS } else { of.timeout_ms };
        self.idle.track(conn, timeout_ms, now, IDLE_BUCKET);
    }

    /// The buckets of connections, by when they are due if nothing more comes.
    pub fn idle_sets(&self, now: SimTime) -> impl Iterator<Item = (SimTime, &SortedSet<ConnId>)> {
        self.idle.sets(now)
    }

    /// Forgets what was counted of connections (`resetAllConnectionStats`).
    pub fn reset_connections(&mut self) {
        self.conns.values_mut().for_each(|of| of.statistics.reset());
    }

    /// Forgets what was counted of the server (`ServerStats.java` `reset`).
    pub fn reset_statistics(&mut self) {
        (self.statistics, self.counters) = Default::default();
    }
}

fn succeeded(packet: &ToClient) -> bool {
    matches!(packet, ToClient::Reply { outcome: Ok(_), .. })
}
