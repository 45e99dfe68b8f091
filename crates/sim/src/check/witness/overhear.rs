//! Facts that no property looks at, and from which the witness learns all the same: requests and questions about sessions
//! between servers, processes that stand still, clocks. Facts that were printed do not have what servers say to each other.

use std::collections::BTreeMap;

use crate::base::{MsgId, ServerId, SessionId, SimTime};
use crate::sim::{Fact, Parcel, Record, WorldFact};
use crate::store::{Body, Submitted};
use crate::wire::Request;
use crate::zab::{Message, Packet};

use super::Witness;

/// What a learner asks of its leader.
#[derive(Clone, Debug, Hash)]
enum Passed {
    Request { session: SessionId, cxid: i32, sync: bool },
    Revalidation(SessionId),
}

/// What servers say to each other.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Overheard {
    /// Whether their packets can be heard at all.
    pub any: bool,
    flying: BTreeMap<MsgId, Passed>,
}

fn passed(packet: &Packet) -> Option<Passed> {
    match packet {
        Packet::Request { payload } => {
            let Submitted { session, cxid, body, .. } = &**payload;
            let sync = matches!(body, Body::Client(Request::Sync { .. }));
            Some(Passed::Request { session: *session, cxid: *cxid, sync })
        }
        Packet::Revalidate { payload } if payload.alive.is_none() => Some(Passed::Revalidation(payload.session)),
        _ => None,
    }
}

impl Witness {
    /// Whether what servers say to each other can be heard.
    pub fn hears_servers(&self) -> bool {
        self.overheard.any
    }

    /// Whether anything is to be learned from a fact that no property looks at.
    pub fn hears(&self, record: &Record) -> bool {
        let Fact::World(fact) = &record.fact else { return false };
        match fact {
            WorldFact::Sent { message: Parcel::Zab(message), .. } => {
                !self.overheard.any || matches!(message, Message::Packet(packet) if passed(packet).is_some())
            }
            WorldFact::Delivered { msg, .. } | WorldFact::Lost { msg, .. } => self.overheard.flying.contains_key(msg),
            WorldFact::Purged { .. }
            | WorldFact::Paused { .. }
            | WorldFact::Resumed { .. }
            | WorldFact::ClockJumped { .. } => true,
            _ => false,
        }
    }

    /// A fact that no property looks at.
    pub fn overhear(&mut self, record: &Record) {
        let Fact::World(fact) = &record.fact else { return };
        match fact {
            WorldFact::Sent { msg, message: Parcel::Zab(message), .. } => {
                // a PING is printed with what it says: it proves nothing
                self.overheard.any |= !matches!(message, Message::Packet(Packet::Ping { .. }));
                if let Message::Packet(packet) = message
                    && let Some(passed) = passed(packet)
                {
                    self.overheard.flying.insert(*msg, passed);
                }
            }
            WorldFact::Delivered { msg, to, .. } => {
                if let (Some(passed), Some(server)) = (self.overheard.flying.remove(msg), to.server()) {
                    self.reaches_leader(server, &passed, record.at_us);
                }
            }
            WorldFact::Lost { msg, .. } => drop(self.overheard.flying.remove(msg)),
            WorldFact::Purged { server, before, .. } => self.purged(*server, *before),
            WorldFact::Paused { server } => self.overdue.pauses(*server),
            WorldFact::Resumed { server } => self.overdue.resumes(*server, record.at_us),
            WorldFact::ClockJumped { server, .. } => self.overdue.clock_jumps(*server),
            _ => {}
        }
    }

    fn reaches_leader(&mut self, leader: ServerId, passed: &Passed, now: SimTime) {
        let view = self.server(leader);
        if view.leads.is_none() || !view.serving {
            return;
        }
        match *passed {
            Passed::Request { session, cxid, sync: true } => self.takes_sync(session, cxid, leader),
            Passed::Request { session, cxid, sync: false } => {
                if let Some((client, _)) = self.clients.behind(session, cxid) {
                    self.clients.arrives(client, cxid, leader);
                }
            }
            Passed::Revalidation(session) => self.touches.touch(leader, &[session], now),
        }
    }

    /// A client's packet arrives at a server.
    pub(super) fn arrived(&mut self, msg: MsgId, server: ServerId) {
        let Some((client, session, xid)) = self.clients.packet(msg).filter(|_| self.server(server).serving) else {
            return;
        };
        self.sessions.at(session, server);
        let asked = xid.and_then(|xid| Some((xid, self.clients.view(client)?.asked(xid)?)));
        match asked.map(|(xid, asked)| (xid, matches!(asked.request, Request::Sync { .. }))) {
            Some((xid, true)) => self.takes_sync(session, xid, server),
            Some((xid, false)) => self.clients.arrives(client, xid, server),
            None => {}
        }
    }
}
