//! Packets on a connection between a client and a server.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use crate::base::{SessionId, Zxid};

use super::acl::AuthId;
use super::answer::Outcome;
use super::auth::identify;
use super::code::Code;
use super::event::WatchedEvent;
use super::four_letter_word::FourLetterWord;
use super::request::Request;

/// A session's password: 16 bytes that every server can compute from the id (`SessionTrackerImpl`,
/// `ZooKeeperServer.java` `generatePasswd`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Password(pub u128);

/// From a client to its server.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ToServer {
    /// The first packet: a new session, or one to be taken up again.
    #[serde(rename = "CONNECT")]
    Connect {
        /// The last zxid in an answer to this client: a server that is behind it turns the client away.
        #[serde(rename = "lastZxidSeen")]
        last_zxid_seen: Zxid,
        /// The timeout asked for, ms.
        #[serde(rename = "timeoutMs")]
        timeout_ms: u32,
        /// The session; none for a new one.
        session: SessionId,
        /// Its password.
        #[serde(skip)]
        password: Password,
        /// A server without a leader will do (`canBeReadOnly`).
        #[serde(rename = "readOnly", default, skip_serializing_if = "std::ops::Not::not")]
        read_only: bool,
    },
    /// What is no packet of a session: a four-letter word, or any other text, on a connection of its own.
    #[serde(rename = "WORD")]
    Word {
        /// What was sent.
        text: Rc<str>,
    },
    /// A sign of life.
    #[serde(rename = "CLIENT_PING")]
    Ping,
    /// An identity for this connection; the answer is [`ToClient::Auth`].
    #[serde(rename = "AUTH")]
    Auth {
        /// The scheme: `digest`.
        scheme: Rc<str>,
        /// `user:password`; none where nothing was said.
        #[serde(skip)]
        auth: Option<Rc<str>>,
        /// The identity that it proves; none where it proves nothing.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<AuthId>,
    },
    /// A request.
    #[serde(rename = "CALL")]
    Request {
        /// Counted by the client from 1.
        xid: i32,
        /// The request in it.
        request: Request,
    },
}

/// From a server to its client.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ToClient {
    /// The answer to CONNECT. A timeout of 0 says that the session is over.
    #[serde(rename = "CONNECTED")]
    Connected {
        /// The timeout granted, ms; 0: the session is over.
        #[serde(rename = "timeoutMs")]
        timeout_ms: u32,
        /// The session.
        session: SessionId,
        /// Its password.
        #[serde(skip)]
        password: Password,
        /// The server has no leader: it serves reads only.
        #[serde(rename = "readOnly", default, skip_serializing_if = "std::ops::Not::not")]
        read_only: bool,
    },
    /// The answer to a four-letter word.
    #[serde(rename = "WORD_REPLY")]
    Text {
        /// All of it.
        text: Rc<str>,
    },
    /// The answer to a ping.
    #[serde(rename = "CLIENT_PONG")]
    Pong,
    /// The answer to AUTH.
    #[serde(rename = "AUTH_REPLY")]
    Auth {
        /// `Ok` or `AuthFailed`.
        code: Code,
    },
    /// The answer to a request.
    #[serde(rename = "REPLY")]
    Reply {
        /// The request's xid.
        xid: i32,
        /// For a write the zxid that it used, also when refused; for a read the last one applied by the server.
        zxid: Zxid,
        /// What it came to.
        outcome: Outcome,
    },
    /// A watch fired.
    #[serde(rename = "WATCH_EVENT")]
    Event {
        /// The transaction that fired it; `None` (-1) when it is told after a reconnection.
        zxid: Option<Zxid>,
        /// What happened.
        #[serde(flatten)]
        event: WatchedEvent,
    },
}

impl ToServer {
    /// An identity and its proof.
    pub fn auth(scheme: Rc<str>, auth: Option<Rc<str>>) -> ToServer {
        let id = identify(&scheme, auth.as_deref());
        ToServer::Auth { scheme, auth, id }
    }

    /// The four-letter word by which a client asks whether a server can write (`isro`).
    pub fn is_read_only() -> ToServer {
        ToServer::Word { text: "isro".into() }
    }

    /// The type; of a request its name in `zookeeper.jute`'s words, and a four-letter word itself.
    pub fn name(&self) -> &'static str {
        match self {
            ToServer::Connect { .. } => "CONNECT",
            ToServer::Word { text } => FourLetterWord::read_from(text).map_or("WORD", |(word, _)| word.name()),
            ToServer::Ping => "CLIENT_PING",
            ToServer::Auth { .. } => "AUTH",
            ToServer::Request { request, .. } => request.name(),
        }
    }
}

impl ToClient {
    /// The type.
    pub fn name(&self) -> &'static str {
        match self {
            ToClient::Connected { .. } => "CONNECTED",
            ToClient::Text { .. } => "WORD_REPLY",
            ToClient::Pong => "CLIENT_PONG",
            ToClient::Auth { .. } => "AUTH_REPLY",
            ToClient::Reply { .. } => "REPLY",
            ToClient::Event { .. } => "WATCH_EVENT",
        }
    }

    /// The zxid that it carries.
    pub fn zxid(&self) -> Option<Zxid> {
        match self {
            ToClient::Reply { zxid, .. } => Some(*zxid),
            ToClient::Event { zxid, .. } => *zxid,
            _ => None,
        }
    }
}
