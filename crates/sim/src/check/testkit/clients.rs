//! Synthetic facts about clients. Server 3 leads and serves the client 1, unless a story says otherwise.

use std::rc::Rc;

use crate::base::{ClientId, ConnId, MsgId, ServerId, ServerSet, SessionId, SimTime, Zxid};
use crate::client::{self, CallId};
use crate::server;
use crate::sim::{Fact, Hex, Parcel, Port, WorldFact};
use crate::store::{Op, Owner, Txn};
use crate::wire::{Acl, CreateMode, EventType, Outcome, Password, Request, ToClient, ToServer, WatchedEvent};
use crate::zab::{self, Payload};

use super::{Story, zxid};

const CLIENT: ClientId = ClientId(1);
/// The session of that client.
pub(in crate::check) const SESSION: SessionId = SessionId(0x0300_0000_0000_0001);

/// A request that creates a znode.
pub(in crate::check) fn create(path: &str, mode: CreateMode) -> Request {
    let (data, acl) = (None, Acl::open());
    Request::Create { path: path.into(), data, acl, mode, ttl: 0, stat: false, flags: None }
}

/// A request that reads data and sets a watch.
pub(in crate::check) fn get(path: &str) -> Request {
    Request::GetData { path: path.into(), watch: true }
}

impl Story {
    /// Three servers; server 3 leads with a client, whose session is `1:1`.
    pub(in crate::check) fn with_client() -> Story {
        let mut story = Story::new(3);
        story.lead(3, 1).serve(3);
        story.world(WorldFact::ClientOpened { client: CLIENT, servers: vec![ServerId(3)], timeout_ms: 4_000 });
        story.dial(3, 1);
        let _ = story.txn("1:1", 0, Op::CreateSession { timeout_ms: 4_000 });
        story.connected(3, false);
        story
    }

    /// The same, and it has created `/a`, by its request 1 and the transaction `1:2`.
    pub(in crate::check) fn with_znode() -> Story {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let outcome = story.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        story.reply(3, 1, "1:2", outcome);
        story
    }

    pub(in crate::check) fn dial(&mut self, server: u8, conn: u64) -> &mut Story {
        let (from, to) = (CLIENT.into(), ServerId(server).into());
        self.world(WorldFact::Dialled { conn: ConnId(conn), from, to, port: Port::Client })
    }

    /// A server learns that the client's connection is over.
    pub(in crate::check) fn hangs_up(&mut self, server: u8, conn: u64) -> &mut Story {
        let (node, peer) = (ServerId(server).into(), CLIENT.into());
        self.world(WorldFact::ConnectionClosed { conn: ConnId(conn), node, peer })
    }

    /// The client dials a server, which takes up its session.
    pub(in crate::check) fn returns(&mut self, server: u8, conn: u64) -> &mut Story {
        let fact = server::Fact::SessionResumed { session: SESSION, client: CLIENT };
        self.dial(server, conn).service(server, fact).connected(server, true)
    }

    /// A server reads no more of the client, or goes on.
    pub(in crate::check) fn throttled(&mut self, server: u8, on: bool) -> &mut Story {
        self.service(server, server::Fact::Throttled { client: CLIENT, on, in_process: 2 })
    }

    pub(in crate::check) fn connected(&mut self, server: u8, again: bool) -> &mut Story {
        let server = ServerId(server);
        self.client(client::Fact::ClientConnected { server, session: SESSION, timeout_ms: 4_000, again })
    }

    pub(in crate::check) fn client(&mut self, fact: client::Fact) -> &mut Story {
        self.tell(Fact::Client { client: CLIENT, fact })
    }

    pub(in crate::check) fn service(&mut self, server: u8, fact: server::Fact) -> &mut Story {
        self.tell(Fact::Server { server: ServerId(server), fact })
    }

    /// Time passes.
    pub(in crate::check) fn wait(&mut self, us: u64) -> &mut Story {
        self.late += us;
        self
    }

    /// The leader proposes, commits and applies a transaction of the client; what it comes to.
    pub(in crate::check) fn txn(&mut self, at: &str, cxid: i32, op: Op) -> Outcome {
        let payload = self.proposed(at, cxid, op);
        self.done(at, payload)
    }

    /// The leader proposes a transaction of the client.
    pub(in crate::check) fn proposed(&mut self, at: &str, cxid: i32, op: Op) -> Payload {
        let payload = Payload::from(Txn { session: SESSION, cxid, time: 0, op });
        let followers = ServerSet::EMPTY;
        self.zab(3, zab::Fact::Proposed { zxid: zxid(at), payload: payload.clone(), followers });
        self.queue(3, at);
        payload
    }

    /// The leader commits and applies it.
    pub(in crate::check) fn done(&mut self, at: &str, payload: Payload) -> Outcome {
        self.commit(3, at);
        let outcome = self.tree.apply(zxid(at), &payload.txn).outcome;
        let state = Hex(self.tree.digest());
        self.world(WorldFact::Applied { server: ServerId(3), zxid: zxid(at), payload, state });
        outcome
    }

    /// A transaction that creates a znode, as the store makes it below the root or a fresh parent.
    pub(in crate::check) fn created(path: &str, owner: Owner, parent_cversion: i32) -> Op {
        let acl: Rc<[Acl]> = Acl::open().into();
        Op::Create { path: path.into(), data: None, acl, owner, parent_cversion, with_stat: false }
    }

    /// The client asks a server.
    pub(in crate::check) fn ask(&mut self, server: u8, xid: i32, request: Request) -> &mut Story {
        self.send(server, ToServer::Request { xid, request })
    }

    /// The client sends a packet, which arrives.
    pub(in crate::check) fn send(&mut self, server: u8, packet: ToServer) -> &mut Story {
        let (msg, from, to) = (MsgId(self.seq), CLIENT.into(), ServerId(server).into());
        self.world(WorldFact::Sent { msg, from, to, message: Parcel::ToServer(packet) });
        self.world(WorldFact::Delivered { msg, from, to, name: "CALL", zxid: None })
    }

    /// A server answers, and the answer arrives.
    pub(in crate::check) fn reply(&mut self, server: u8, xid: i32, at: &str, outcome: Outcome) -> &mut Story {
        let (msg, from, to) = (MsgId(self.seq), ServerId(server).into(), CLIENT.into());
        let message = Parcel::ToClient(ToClient::Reply { xid, zxid: zxid(at), outcome });
        self.world(WorldFact::Sent { msg, from, to, message });
        self.world(WorldFact::Delivered { msg, from, to, name: "REPLY", zxid: None })
    }

    /// What a read comes to in the leader's state.
    pub(in crate::check) fn reads(&self, request: &Request) -> Outcome {
        crate::store::read(&self.tree, SESSION, &[], request)
    }

    pub(in crate::check) fn called(&mut self, call: u64, request: Request) -> &mut Story {
        self.client(client::Fact::Called { call: CallId(call), request })
    }

    pub(in crate::check) fn answered(&mut self, call: u64, at: &str) -> &mut Story {
        let (zxid, outcome) = (Some(zxid(at)), Ok(crate::wire::Answer::Done));
        self.client(client::Fact::Answered { call: CallId(call), zxid, outcome, in_doubt: false })
    }

    /// A watch of the client fires at a server; without a zxid after a reconnection.
    pub(in crate::check) fn fires(
        &mut self,
        server: u8,
        at: Option<&str>,
        kind: EventType,
        path: &str,
    ) -> &mut Story {
        let event = WatchedEvent::at(kind, path.into());
        let fact = server::Fact::WatchFired { client: CLIENT, zxid: at.map(zxid), event, one_shot: true };
        self.service(server, fact)
    }

    /// A watch of the client that stays fires at a server.
    pub(in crate::check) fn stays(&mut self, server: u8, at: &str, kind: EventType, path: &str) -> &mut Story {
        let (zxid, event) = (Some(zxid(at)), WatchedEvent::at(kind, path.into()));
        self.service(server, server::Fact::WatchFired { client: CLIENT, zxid, event, one_shot: false })
    }

    /// The client asks a server to take up its session.
    pub(in crate::check) fn claim(&mut self, server: u8) -> &mut Story {
        let (last_zxid_seen, timeout_ms, session, password) = (Zxid::ZERO, 4_000, SESSION, Password::default());
        self.send(server, ToServer::Connect { last_zxid_seen, timeout_ms, session, password, read_only: false })
    }

    /// The moment of the next fact.
    pub(super) fn now(&self) -> SimTime {
        SimTime(self.seq + self.late)
    }
}
