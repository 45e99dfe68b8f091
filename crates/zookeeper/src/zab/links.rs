//! The election connections of one server (`QuorumCnxManager.java`).
//!
//! Of two servers the one with the larger id dials the connection that stays. A smaller one may dial too, but only to be
//! dialled back. Each link keeps one message that could not be sent yet (a newer one replaces it), and repeats its
//! last message when a connection opens with nothing to send.

mod rows;

use crate::base::{ConnId, ServerId, ServerSet, SimTime, SortedMap};

use super::config::CONNECT_TIMEOUT;
use super::io::{Outbox, Output, Port, Timer};
use super::message::{Message, Notification};

#[derive(Clone, Debug, Default, Hash)]
struct Link {
    open: Option<ConnId>,
    dialling: Option<ConnId>,
    waiting: Option<Notification>,
    last: Option<Notification>,
}

/// The election connections of one server.
#[derive(Clone, Debug, Hash)]
pub(in crate::zab) struct Links {
    me: ServerId,
    links: SortedMap<ServerId, Link>,
}

impl Links {
    pub(super) fn new(me: ServerId) -> Links {
        Links { me, links: SortedMap::new() }
    }

    /// Sends a notification, or keeps it and connects.
    pub(super) fn send(&mut self, to: ServerId, notification: Notification, now: SimTime, out: &mut Outbox) {
        let link = self.links.get_or_default(to);
        match link.open {
            Some(conn) => {
                link.last = Some(notification.clone());
                out.push(Output::Send(conn, Message::Notification(notification)));
            }
            None => {
                link.waiting = Some(notification);
                self.dial(to, now, out);
            }
        }
    }

    /// `haveDelivered`: whether anything could be sent to anybody.
    pub(super) fn has_delivered(&self) -> bool {
        self.links.values().any(|link| link.waiting.is_none())
    }

    /// `connectAll`: tries all links that are down.
    pub(super) fn connect_all(&mut self, now: SimTime, out: &mut Outbox) {
        let down: ServerSet = self.links.iter().filter(|(_, link)| link.open.is_none()).map(|(&id, _)| id).collect();
        for to in down.iter() {
            self.dial(to, now, out);
        }
    }

    /// Connects to a server that is new.
    pub(super) fn connect(&mut self, to: ServerId, now: SimTime, out: &mut Outbox) {
        if self.links.get(&to).is_none_or(|link| link.open.is_none()) {
            self.dial(to, now, out);
        }
    }

    /// Closes all and forgets everything: the election begins anew with another configuration (`restartLeaderElection`).
    pub(super) fn restart(&mut self, out: &mut Outbox) {
        for (to, link) in self.links.iter() {
            if link.dialling.is_some() {
                out.cancel(Timer::DialTimeout(*to));
            }
            out.items.extend(link.open.into_iter().chain(link.dialling).map(Output::Close));
        }
        self.links.clear();
    }

    /// The server at the other end.
    pub(super) fn peer_of(&self, conn: ConnId) -> Option<ServerId> {
        self.links.iter().find(|(_, link)| link.open == Some(conn)).map(|(&id, _)| id)
    }

    /// Somebody dialled us.
    pub(super) fn accepted(&mut self, conn: ConnId, from: ServerId, now: SimTime, out: &mut Outbox) {
        if from > self.me {
            self.adopt(from, conn, out);
            return;
        }
        out.push(Output::Close(conn));
        if let Some(old) = self.links.get_or_default(from).open.take() {
            out.push(Output::Close(old));
        }
        self.dial(from, now, out);
    }

    /// A dial succeeded; false when it is not one of ours.
    pub(super) fn connected(&mut self, conn: ConnId, out: &mut Outbox) -> bool {
        let Some(to) = self.stop_dialling(conn, out) else { return false };
        if self.me < to {
            out.push(Output::Close(conn));
        } else {
            self.adopt(to, conn, out);
        }
        true
    }

    /// A dial was refused; false when it is not one of ours.
    pub(super) fn refused(&mut self, conn: ConnId, out: &mut Outbox) -> bool {
        self.stop_dialling(conn, out).is_some()
    }

    /// A dial takes too long.
    pub(super) fn dial_timeout(&mut self, to: ServerId, out: &mut Outbox) {
        if let Some(conn) = self.links.get_mut(&to).and_then(|link| link.dialling.take()) {
            out.push(Output::Close(conn));
        }
    }

    /// The other end closed a connection; false when it is not one of ours.
    pub(super) fn closed(&mut self, conn: ConnId, out: &mut Outbox) -> bool {
        if self.stop_dialling(conn, out).is_some() {
            return true;
        }
        match self.links.values_mut().find(|link| link.open == Some(conn)) {
            Some(link) => {
                link.open = None;
                true
            }
            None => false,
        }
    }

    fn dial(&mut self, to: ServerId, now: SimTime, out: &mut Outbox) {
        let link = self.links.get_or_default(to);
        if link.dialling.is_none() {
            link.dialling = Some(out.dial(to, Port::Election));
            out.arm(Timer::DialTimeout(to), now.plus(CONNECT_TIMEOUT));
        }
    }

    fn stop_dialling(&mut self, conn: ConnId, out: &mut Outbox) -> Option<ServerId> {
        let (&to, link) = self.links.iter_mut().find(|(_, link)| link.dialling == Some(conn))?;
        link.dialling = None;
        out.cancel(Timer::DialTimeout(to));
        Some(to)
    }

    fn adopt(&mut self, peer: ServerId, conn: ConnId, out: &mut Outbox) {
        let link = self.links.get_or_default(peer);
        if let Some(old) = link.open.replace(conn) {
            out.push(Output::Close(old));
        }
        if let Some(notification) = link.waiting.take().or_else(|| link.last.clone()) {
            link.last = Some(notification.clone());
            out.push(Output::Send(conn, Message::Notification(notification)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Zxid;
    use crate::zab::{ServerState, Vote};

    fn notification(round: u64) -> Notification {
        let vote = Vote { leader: ServerId(2), zxid: Zxid::ZERO, peer_epoch: 0 };
        Notification { vote, round, state: ServerState::Looking, config: None }
    }

    #[test]
    fn the_larger_id_keeps_what_it_dialled_and_sends_only_the_newest() {
        let (mut links, mut out) = (Links::new(ServerId(3)), Outbox::default());
        links.send(ServerId(1), notification(1), SimTime::ZERO, &mut out);
        links.send(ServerId(1), notification(2), SimTime::ZERO, &mut out);
        assert!(!links.has_delivered());
        out.items.clear();
        assert!(links.connected(ConnId(0), &mut out));
        let sent = Output::Send(ConnId(0), Message::Notification(notification(2)));
        assert_eq!(out.items, [Output::CancelTimer(Timer::DialTimeout(ServerId(1))), sent]);
        assert!(links.has_delivered());
    }

    #[test]
    fn a_smaller_id_is_closed_and_dialled_back() {
        let (mut links, mut out) = (Links::new(ServerId(3)), Outbox { next_conn: 9, ..Outbox::default() });
        links.accepted(ConnId(5), ServerId(1), SimTime::ZERO, &mut out);
        assert_eq!(out.items[0], Output::Close(ConnId(5)));
        assert_eq!(out.items[1], Output::Dial { conn: ConnId(9), to: ServerId(1), port: Port::Election });
    }

    #[test]
    fn the_smaller_id_hangs_up_once_it_has_knocked() {
        let (mut links, mut out) = (Links::new(ServerId(1)), Outbox::default());
        links.send(ServerId(3), notification(1), SimTime::ZERO, &mut out);
        out.items.clear();
        links.connected(ConnId(0), &mut out);
        assert_eq!(out.items[1], Output::Close(ConnId(0)));
        out.items.clear();
        links.accepted(ConnId(7), ServerId(3), SimTime::ZERO, &mut out);
        assert_eq!(out.items, [Output::Send(ConnId(7), Message::Notification(notification(1)))]);
    }
}
