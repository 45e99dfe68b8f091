//! What is known of clients, from the packets that they and their servers exchange and from what they state themselves.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::limits::JUTE_MAX_BUFFER;
use crate::base::{ClientId, MsgId, Node, ServerId, ServerSet, SessionId, SortedMap, SortedSet, Zxid};
use crate::check::history::NodeId;
use crate::client::{self, CallId};
use crate::sim::{Parcel, WorldFact};
use crate::store::{Op, Txn};
use crate::wire::{AuthId, Outcome, Request, ToServer, with_proof};
use crate::zab::{Message, Packet, Touched};

use super::unread::Unread;

/// Most requests of a client that are remembered.
const REMEMBERED: usize = 2_000;

/// A request that a client has sent.
#[derive(Clone, Debug, Hash)]
pub struct Asked {
    /// The request as the client sent it.
    pub request: Request,
    /// The identities proved on the connection before it.
    pub who: Rc<[AuthId]>,
    /// The latest write of which any client had the answer when this was sent.
    pub after: Zxid,
    /// It was sent while the client had two connections: on which of them is not known.
    pub overlapping: bool,
}

/// One client's process.
#[derive(Clone, Debug, Default, Hash)]
pub struct ClientView {
    /// Its session.
    pub session: SessionId,
    /// Calls without an answer.
    pub calls: SortedSet<CallId>,
    /// The last request that was answered.
    pub replied: i32,
    /// The zxid of its last answer in this session.
    pub last: Zxid,
    /// Its last write that was answered as done.
    pub wrote: Zxid,
    /// It has, or had, a second connection beside the one it uses: nothing is promised across the two.
    pub overlapping: bool,
    up: bool,
    who: Rc<[AuthId]>,
    asked: BTreeMap<i32, Asked>,
    /// Its writes by the servers at which they wait for their transactions.
    pending: BTreeMap<i32, ServerSet>,
    /// Its last request that arrived at each server: one asked for before that comes later, by another server, stands behind it.
    arrived: SortedMap<ServerId, i32>,
    unread: Unread,
    /// The session that it asked to take up last.
    pub claims: SessionId,
}

/// A reply on its way to a client.
#[derive(Clone, Debug, Hash)]
pub struct Reply {
    /// The client that it is for.
    pub client: ClientId,
    /// The server that sent it.
    pub server: ServerId,
    /// To which request.
    pub xid: i32,
    /// Its header.
    pub zxid: Zxid,
    /// What the request came to.
    pub outcome: Outcome,
    /// Whether the request got its place in the order of transactions: no read does, nor what a server refuses that serves reads only.
    pub ordered: bool,
    /// The server's history when it answered.
    pub state: NodeId,
}

/// A message on its way that matters.
#[derive(Clone, Debug, Hash)]
enum Flying {
    Reply(Box<Reply>),
    /// Whoever gets it has heard of these sessions.
    Heard(Vec<SessionId>),
    /// A client's packet, and the number of the request in it. Where it takes up a session, the server decides what that
    /// counts for.
    Packet {
        client: ClientId,
        session: SessionId,
        xid: Option<i32>,
        heard: bool,
    },
}

/// All clients.
#[derive(Clone, Debug, Default, Hash)]
pub struct Clients {
    views: SortedMap<ClientId, ClientView>,
    of_session: BTreeMap<SessionId, ClientId>,
    flying: BTreeMap<MsgId, Flying>,
    /// The latest write of which a client has the answer.
    pub answered: Zxid,
    /// Whose digest makes a superuser.
    superuser: Option<Rc<str>>,
}

impl ClientView {
    /// The request with this xid.
    pub fn asked(&self, xid: i32) -> Option<&Asked> {
        self.asked.get(&xid)
    }

    /// A write asked for before, whose transaction this server waits for.
    pub fn pending_at(&self, server: ServerId, before: i32) -> Option<i32> {
        let mut earlier = self.pending.range(..before);
        earlier.find(|(_, at)| at.contains(server)).map(|(&xid, _)| xid)
    }

    /// A server reads a request; a write waits there for its transaction.
    fn waits(&mut self, xid: i32, at: ServerId) {
        let waits = self
            .asked(xid)
            .is_some_and(|asked| is_ordered(&asked.request) && asked.request.bytes() <= JUTE_MAX_BUFFER);
        let last = self.arrived.get_or(at, xid);
        if waits && xid >= *last {
            self.pending.entry(xid).or_default().insert(at);
        }
        *last = xid.max(*last);
    }

    fn waits_no_more(&mut self, server: ServerId, done: impl Fn(i32) -> bool) {
        self.pending.retain(|&xid, at| {
            if done(xid) {
                at.remove(server);
            }
            !at.is_empty()
        });
    }
}

impl Clients {
    /// What is known of a client.
    pub fn view(&self, client: ClientId) -> Option<&ClientView> {
        self.views.get(&client)
    }

    /// Nobody has connected yet; whose digest makes a superuser.
    pub(super) fn new(superuser: Option<Rc<str>>) -> Clients {
        Clients { superuser, ..Clients::default() }
    }

    /// The client that has, or had, a session.
    pub fn of_session(&self, session: SessionId) -> Option<ClientId> {
        self.of_session.get(&session).copied()
    }

    /// The request behind a transaction, if it was seen: of which client, and what.
    pub fn behind(&self, session: SessionId, cxid: i32) -> Option<(ClientId, &Asked)> {
        let client = self.of_session(session)?;
        // a number may be used again by another process, which counts its requests anew
        let view = self.views.get(&client).filter(|view| view.session == session)?;
        Some((client, view.asked(cxid)?))
    }

    /// Whether a message is of interest when it arrives.
    pub fn awaits(&self, msg: MsgId) -> bool {
        self.flying.contains_key(&msg)
    }

    /// The reply that a message carries, and the request that it answers.
    pub fn reply(&self, msg: MsgId) -> Option<(&Reply, &ClientView, &Asked)> {
        let Flying::Reply(reply) = self.flying.get(&msg)? else { return None };
        let view = self.views.get(&reply.client)?;
        Some((reply, view, view.asked(reply.xid)?))
    }

    /// The sessions of which a message tells.
    pub(super) fn heard(&self, msg: MsgId) -> &[SessionId] {
        match self.flying.get(&msg) {
            Some(Flying::Heard(sessions)) => sessions,
            Some(Flying::Packet { session, heard: true, .. }) => std::slice::from_ref(session),
            _ => &[],
        }
    }

    /// The client's packet in a message: whose, of which session, and the number of the request.
    pub(super) fn packet(&self, msg: MsgId) -> Option<(ClientId, SessionId, Option<i32>)> {
        let Flying::Packet { client, session, xid, .. } = self.flying.get(&msg)? else { return None };
        Some((*client, *session, *xid))
    }

    /// A request arrives at a server, which may not read it for now.
    pub(super) fn arrives(&mut self, client: ClientId, xid: i32, at: ServerId) {
        let Some(view) = self.views.get_mut(&client) else { return };
        if !view.unread.arrives(at, xid) {
            view.waits(xid, at);
        }
    }

    /// A server reads no more of a client, or goes on with what it has not read.
    pub(super) fn throttled(&mut self, client: ClientId, at: ServerId, on: bool) {
        let Some(view) = self.views.get_mut(&client) else { return };
        if on {
            let unread = view.unread.stops(at);
            view.waits_no_more(at, |xid| unread.contains(&xid));
        } else {
            view.unread.goes_on(at).into_iter().for_each(|xid| view.waits(xid, at));
        }
    }

    /// A server has applied a transaction: nothing of it waits there any more.
    pub(super) fn applied(&mut self, server: ServerId, txn: &Txn) {
        let client = self.of_session(txn.session);
        let view = client.and_then(|client| self.views.get_mut(&client)).filter(|view| view.session == txn.session);
        let Some(view) = view else { return };
        let over = matches!(txn.op, Op::CloseSession { .. });
        let done = |xid| over || xid == txn.cxid;
        view.unread.applied(server, done);
        view.waits_no_more(server, done);
    }

    /// A server that serves reads only refuses a request: it waits there for nothing.
    pub(super) fn refused(&mut self, client: ClientId, xid: i32, by: ServerId) {
        if let Some(view) = self.views.get_mut(&client) {
            view.waits_no_more(by, |waiting| waiting == xid);
        }
    }

    /// A server ceases to serve: nothing waits there any more.
    pub(super) fn stopped(&mut self, server: ServerId) {
        for view in self.views.values_mut() {
            view.arrived.remove(&server);
            view.unread.forget(server);
            view.waits_no_more(server, |_| true);
        }
    }

    /// Whether a message that is sent matters.
    pub(super) fn matters(message: &Parcel) -> bool {
        match message {
            Parcel::ToServer(_) | Parcel::ToClient(_) => true,
            Parcel::Zab(Message::Packet(packet)) => matches!(packet, Packet::Ping { touched: Some(_), .. }),
            Parcel::Zab(_) | Parcel::Other(_) => false,
        }
    }

    pub(super) fn take(&mut self, fact: &WorldFact) {
        match fact {
            WorldFact::Sent { msg, from, message: Parcel::ToServer(packet), .. } => {
                if let Some(client) = from.client() {
                    self.sent(*msg, client, packet);
                }
            }
            WorldFact::Sent { msg, message: Parcel::Zab(Message::Packet(packet)), .. } => self.told(*msg, packet),
            WorldFact::Delivered { msg, .. } => {
                if let Some(Flying::Reply(reply)) = self.flying.remove(msg) {
                    self.replied(&reply);
                }
            }
            WorldFact::Lost { msg, .. } => drop(self.flying.remove(msg)),
            WorldFact::Dialled { conn, from, to, .. } => {
                self.connection(*from, *to, |unread, at| unread.dialled(at, *conn))
            }
            WorldFact::ConnectionClosed { conn, node, peer } => {
                self.connection(*peer, *node, |unread, at| unread.closed(at, *conn));
            }
            WorldFact::WriteAnswered { zxid, .. } => self.answered = self.answered.max(*zxid),
            WorldFact::ClientOpened { client, .. } => drop(self.views.insert(*client, ClientView::default())),
            _ => {}
        }
    }

    /// Something happens to a client's connection to a server.
    fn connection(&mut self, client: Node, server: Node, happens: impl Fn(&mut Unread, ServerId)) {
        let view = client.client().and_then(|client| self.views.get_mut(&client));
        if let (Some(view), Some(server)) = (view, server.server()) {
            happens(&mut view.unread, server);
        }
    }

    /// A server takes up a client's session.
    pub(super) fn taken_up(&mut self, client: ClientId, by: ServerId) {
        self.connection(client.into(), by.into(), Unread::established);
    }

    /// A server closes a client's connection.
    pub(super) fn turned_away(&mut self, client: ClientId, by: ServerId) {
        self.connection(client.into(), by.into(), Unread::forget);
    }

    fn sent(&mut self, msg: MsgId, client: ClientId, packet: &ToServer) {
        let superuser = self.superuser.as_deref();
        let Some(view) = self.views.get_mut(&client) else { return };
        match packet {
            ToServer::Connect { session, .. } => {
                view.who = Rc::from([AuthId::local()]);
                view.claims = *session;
                let (session, xid, heard) = (*session, None, false);
                self.flying.insert(msg, Flying::Packet { client, session, xid, heard });
                return;
            }
            ToServer::Auth { id, .. } => {
                view.who = id.iter().fold(view.who.clone(), |who, id| with_proof(&who, id.clone(), superuser));
                return;
            }
            ToServer::Request { xid, request } => {
                let (request, who) = (request.clone(), view.who.clone());
                let (after, overlapping) = (self.answered, view.overlapping);
                view.asked.insert(*xid, Asked { request, who, after, overlapping });
                if view.asked.len() > REMEMBERED {
                    view.asked.pop_first();
                }
            }
            ToServer::Ping | ToServer::Word { .. } => {}
        }
        let xid = if let ToServer::Request { xid, .. } = packet { Some(*xid) } else { None };
        self.flying.insert(msg, Flying::Packet { client, session: view.session, xid, heard: true });
    }

    fn told(&mut self, msg: MsgId, packet: &Packet) {
        if let Packet::Ping { touched: Some(Touched(sessions)), .. } = packet {
            self.flying.insert(msg, Flying::Heard(sessions.to_vec()));
        }
    }

    /// A server sends a reply.
    pub(super) fn answers(&mut self, msg: MsgId, reply: Reply) {
        self.flying.insert(msg, Flying::Reply(Box::new(reply)));
    }

    fn replied(&mut self, reply: &Reply) {
        let Some(view) = self.views.get_mut(&reply.client) else { return };
        if view.asked.remove(&reply.xid).is_none() {
            return;
        }
        view.replied = view.replied.max(reply.xid);
        let zxid = if reply.zxid == Zxid::NONE { Zxid::ZERO } else { reply.zxid };
        view.last = view.last.max(zxid);
        if reply.ordered {
            self.answered = self.answered.max(zxid);
            if reply.outcome.as_ref().is_ok_and(|answer| answer.thrown().is_none()) {
                view.wrote = view.wrote.max(zxid);
            }
        }
    }

    pub(super) fn take_client(&mut self, client: ClientId, fact: &client::Fact) {
        let Some(view) = self.views.get_mut(&client) else { return };
        match fact {
            client::Fact::ClientConnecting { .. } => view.overlapping |= view.up,
            client::Fact::ClientConnected { session, again, .. } => {
                view.up = true;
                view.session = *session;
                if !again {
                    // a program that replaces its handle counts its requests anew
                    (view.last, view.wrote, view.replied) = (Zxid::ZERO, Zxid::ZERO, 0);
                    view.asked.clear();
                    view.pending.clear();
                    view.arrived.clear();
                }
                self.of_session.insert(*session, client);
            }
            client::Fact::ClientDisconnected { .. } | client::Fact::ClientEnded { .. } => view.up = false,
            client::Fact::Called { call, .. } => drop(view.calls.insert(*call)),
            client::Fact::Answered { call, .. } => drop(view.calls.remove(call)),
            _ => {}
        }
    }
}

/// Whether a request gets a place in the order of transactions. A bare check is refused before that.
pub(super) fn is_ordered(request: &Request) -> bool {
    request.is_write() && !matches!(request, Request::Check { .. })
}
