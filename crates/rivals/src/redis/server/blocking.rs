//! Commands that wait: BLPOP, BRPOP, WAIT (`blocked.c`, `timeout.c`).

use crate::base::{ConnId, SimTime};
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::message::Message;
use crate::redis::reply::Reply;
use crate::redis::store::integer;

use super::session::{Blocked, On};
use super::state::{Server, Timer};

const UNBLOCKED: &str =
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

/// A time in seconds with a fraction, as µs; longest first three hundred years.
fn seconds(text: &str) -> Result<u64, &'static str> {
    let wrong = "ERR timeout is not a float or out of range";
    if text.starts_with('-') {
        return Err("ERR timeout is negative");
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if text.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 6 || whole.len() > 10 {
        return Err(wrong);
    }
    let number = |text: &str| if text.is_empty() { Ok(0) } else { text.parse::<u64>().map_err(|_| wrong) };
    let micros = number(&format!("{fraction:0<6}"))?;
    Ok(number(whole)?.saturating_mul(1_000_000).saturating_add(micros))
}

impl Server {
    /// BLPOP and BRPOP: an element of the first list that has one, else the connection waits for one.
    pub(super) fn blocking_pop(
        &mut self,
        conn: ConnId,
        args: &[String],
        first: bool,
        cx: &mut Cx<Server>,
    ) -> Option<Reply> {
        let [_, lists @ .., timeout] = args else { return None };
        let timeout = match seconds(timeout) {
            Ok(timeout) => timeout,
            Err(error) => return Some(Reply::error(error)),
        };
        for key in lists {
            match self.keys.pop_for(key, first) {
                Ok(Some(item)) => return Some(Reply::texts([key.as_str(), &item])),
                Ok(None) => {}
                Err(error) => return Some(error),
            }
        }
        if self.in_exec {
            return Some(Reply::NilArray);
        }
        let session = self.sessions.get_mut(&conn)?;
        session.blocked = Some(Blocked { on: On::Lists(lists.to_vec(), first), until: until(timeout, cx) });
        for key in lists {
            self.queues.get_or_default(key.clone()).push_back(conn);
        }
        self.arm_unblock(cx);
        None
    }

    /// WAIT: how many replicas have this connection's last write.
    pub(super) fn wait(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        let (Some(count), Some(ms)) =
            (args.get(1).and_then(|arg| integer(arg)), args.get(2).and_then(|arg| integer(arg)))
        else {
            return Some(Reply::error(crate::redis::store::NOT_AN_INTEGER));
        };
        if ms < 0 {
            return Some(Reply::error("ERR timeout is negative"));
        }
        if self.source().is_some() {
            let why = "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is \
                       configured to be writable (which is not the default) writes to replicas are just local and are not propagated.";
            return Some(Reply::error(why));
        }
        let offset = self.sessions.get(&conn)?.written;
        let acked = self.acked(offset);
        if acked >= count || self.in_exec {
            return Some(Reply::Int(acked));
        }
        let on = On::Replicas(count, offset);
        let until = until(u64::try_from(ms).unwrap_or(0).saturating_mul(1000), cx);
        self.sessions.get_mut(&conn)?.blocked = Some(Blocked { on, until });
        self.repl.wants_acks = true;
        self.arm_unblock(cx);
        None
    }

    /// Gives what lists have got to those who wait, first come first served (`handleClientsBlockedOnKeys`).
    pub(super) fn serve_lists(&mut self, cx: &mut Cx<Server>) {
        while !self.keys.pushed.is_empty() {
            for key in std::mem::take(&mut self.keys.pushed) {
                while self.serve_one(&key, cx) {}
            }
        }
    }

    fn serve_one(&mut self, key: &str, cx: &mut Cx<Server>) -> bool {
        let Some(&conn) = self.queues.get(key).and_then(|queue| queue.front()) else { return false };
        let Some(session) = self.sessions.get(&conn) else { return false };
        let Some(Blocked { on: On::Lists(_, first), .. }) = session.blocked else { return false };
        let client = session.name();
        self.set_now(cx);
        let Ok(Some(item)) = self.keys.pop_for(key, first) else { return false };
        cx.fact(Fact::Served { client, key: key.into() });
        self.settle(conn, cx);
        self.unblock(conn, Reply::texts([key, &item]), cx);
        true
    }

    /// Answers those whose replicas have acknowledged enough (`processClientsWaitingReplicas`).
    pub(super) fn serve_waits(&mut self, cx: &mut Cx<Server>) {
        let waits = |(conn, session): (&ConnId, &super::session::Session)| match session.blocked.as_ref()?.on {
            On::Replicas(count, offset) => Some((*conn, count, offset)),
            On::Lists(..) => None,
        };
        for (conn, count, offset) in self.sessions.iter().filter_map(waits).collect::<Vec<_>>() {
            let acked = self.acked(offset);
            if acked >= count {
                self.unblock(conn, Reply::Int(acked), cx);
            }
        }
    }

    /// Whose time is over is answered: a null array, or how many replicas there were.
    pub(super) fn time_out(&mut self, cx: &mut Cx<Server>) {
        let over = |session: &super::session::Session| {
            session.blocked.as_ref().is_some_and(|blocked| blocked.until.is_some_and(|until| until <= cx.env.now))
        };
        let conns = self.sessions.iter().filter(|(_, session)| over(session)).map(|(conn, _)| *conn);
        for conn in conns.collect::<Vec<_>>() {
            let on = self.sessions.get(&conn).and_then(|session| session.blocked.clone()).map(|blocked| blocked.on);
            let reply = match on {
                Some(On::Replicas(_, offset)) => Reply::Int(self.acked(offset)),
                _ => Reply::NilArray,
            };
            self.unblock(conn, reply, cx);
        }
        self.arm_unblock(cx);
    }

    fn unblock(&mut self, conn: ConnId, reply: Reply, cx: &mut Cx<Server>) {
        self.leave_queues(conn);
        let Some(session) = self.sessions.get_mut(&conn) else { return };
        session.blocked = None;
        session.written = self.repl.offset;
        let waiting = std::mem::take(&mut session.waiting);
        self.answer(conn, Message::Reply { reply });
        for args in waiting {
            self.receive(conn, args, cx);
        }
    }

    /// It stands in no queue any more.
    pub(super) fn leave_queues(&mut self, conn: ConnId) {
        for queue in self.queues.values_mut() {
            queue.retain(|other| *other != conn);
        }
        self.queues.retain(|_, queue| !queue.is_empty());
    }

    /// Who waits at a master that becomes a replica is told so and loses its connection (`disconnectAllBlockedClients`).
    pub(super) fn disconnect_blocked(&mut self) {
        let blocked = self.sessions.iter().filter(|(_, session)| session.blocked.is_some()).map(|(conn, _)| *conn);
        for conn in blocked.collect::<Vec<_>>() {
            self.leave_queues(conn);
            self.answer(conn, Message::Reply { reply: Reply::error(UNBLOCKED) });
            if let Some(session) = self.sessions.get_mut(&conn) {
                (session.blocked, session.closing) = (None, true);
                session.waiting.clear();
            }
        }
    }

    fn arm_unblock(&self, cx: &mut Cx<Server>) {
        let next = self.sessions.values().filter_map(|session| session.blocked.as_ref()?.until).min();
        match next {
            Some(at) => cx.set_timer(Timer::Unblock, at),
            None => cx.cancel_timer(Timer::Unblock),
        }
    }
}

/// When a time is over; 0 is never.
fn until(us: u64, cx: &Cx<Server>) -> Option<SimTime> {
    (us > 0).then(|| cx.env.now.plus(us))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn times_have_fractions() {
        assert_eq!((seconds("0.5"), seconds("3"), seconds("1.000001")), (Ok(500_000), Ok(3_000_000), Ok(1_000_001)));
        assert!(seconds("x").is_err() && seconds("-1").is_err() && seconds("").is_err() && seconds("1.2.3").is_err());
    }
}
