//! Packets as frames: CONNECT and its answer, headers, pings, identities, notifications (`ZooKeeperServer.java` `processPacket`,
//! `ClientCnxn.java` `SendThread`).

use zabscope_ground::base::{SessionId, Zxid};
use zabscope_ground::wire::{Code, Password, Request, ToClient, ToServer, WatchedEvent};

use crate::JuteError;
use crate::record::{Reader, Writer};
use crate::{answer, op, request};

/// A session's password, bytes.
const PASSWORD: usize = 16;

/// CONNECT as a server reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The packet, which is [`ToServer::Connect`].
    pub packet: ToServer,
    /// Whether its last byte was there, which says whether a read-only server will do. Clients before 3.4 do not send it, and are
    /// answered without it.
    pub knows_read_only: bool,
}

impl Greeting {
    /// The first frame of a connection. A password of another length is none that a server has given.
    ///
    /// # Errors
    /// What it lacks: then the server closes the connection.
    pub fn of(frame: &[u8]) -> Result<Greeting, JuteError> {
        let mut from = Reader::new(frame);
        from.int()?; // the protocol's version: 0, and nobody looks at it
        let last_zxid_seen = Zxid(from.long()? as u64);
        let timeout_ms = u32::try_from(from.int()?).unwrap_or(0);
        let session = SessionId(from.long()? as u64);
        let password = read_password(&mut from)?;
        let (knows_read_only, read_only) = from.bool().map_or((false, false), |value| (true, value));
        let packet = ToServer::Connect { last_zxid_seen, timeout_ms, session, password, read_only };
        Ok(Greeting { packet, knows_read_only })
    }
}

fn read_password(from: &mut Reader) -> Result<Password, JuteError> {
    let bytes = from.buffer()?.and_then(|bytes| <[u8; PASSWORD]>::try_from(bytes).ok());
    Ok(Password(bytes.map_or(u128::MAX, u128::from_be_bytes)))
}

/// A frame of a session as a server reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A ping, an identity or a request.
    Packet(ToServer),
    /// A step of SASL's negotiation.
    Sasl {
        /// The frame's xid.
        xid: i32,
    },
    /// An operation that no client may ask for, or that there is not: the answer is `Unimplemented`, and then the connection is
    /// closed (`UnimplementedRequestProcessor.java`).
    Unknown {
        /// The frame's xid.
        xid: i32,
        /// The operation's number.
        op: i32,
    },
}

impl Received {
    /// A frame behind CONNECT.
    ///
    /// # Errors
    /// It has no header, or its record is none.
    pub fn of(frame: &[u8]) -> Result<Received, JuteError> {
        let mut from = Reader::new(frame);
        let (xid, op) = (from.int()?, from.int()?);
        Ok(match op {
            op::PING => Received::Packet(ToServer::Ping),
            op::AUTH => Received::Packet(read_auth(&mut from)?),
            op::SASL => Received::Sasl { xid },
            op => match request::read(op, &mut from)? {
                Some(request) => Received::Packet(ToServer::Request { xid, request }),
                None => Received::Unknown { xid, op },
            },
        })
    }
}

fn read_auth(from: &mut Reader) -> Result<ToServer, JuteError> {
    from.int()?; // its type: 0, and nobody looks at it
    let scheme = from.text()?;
    Ok(ToServer::auth(scheme, from.text_or_null()?))
}

/// A packet of a client as a frame. A four-letter word is none: it is sent as it is.
pub fn sent(packet: &ToServer) -> Vec<u8> {
    let mut writer = Writer::new();
    match packet {
        ToServer::Connect { last_zxid_seen, timeout_ms, session, password, read_only } => {
            writer.int(0).bits(last_zxid_seen.0).int(i32::try_from(*timeout_ms).unwrap_or(i32::MAX));
            writer.bits(session.0).buffer(Some(&password.0.to_be_bytes())).bool(*read_only);
        }
        ToServer::Word { text } => return text.as_bytes().to_vec(),
        ToServer::Ping => {
            writer.int(op::PING_XID).int(op::PING);
        }
        ToServer::Auth { scheme, auth, .. } => {
            writer.int(op::AUTH_XID).int(op::AUTH).int(0).text(scheme).buffer(auth.as_deref().map(str::as_bytes));
        }
        ToServer::Request { xid, request } => {
            writer.int(*xid).int(op::of(request));
            request::write(&mut writer, request);
        }
    }
    writer.into_frame()
}

fn header(xid: i32, zxid: Zxid, code: Code) -> Writer {
    let mut writer = Writer::new();
    writer.int(xid).bits(zxid.0).int(code.number());
    writer
}

/// A packet of a server as what goes to the client. `asked`: the request that a reply answers, which decides how it is written;
/// `knows_read_only`: what CONNECT said. The answer to a four-letter word has no frame.
pub fn reply(packet: &ToClient, asked: Option<&Request>, knows_read_only: bool) -> Vec<u8> {
    match packet {
        ToClient::Connected { timeout_ms, session, password, read_only } => {
            let mut writer = Writer::new();
            writer.int(0).int(i32::try_from(*timeout_ms).unwrap_or(i32::MAX));
            writer.bits(session.0).buffer(Some(&password.0.to_be_bytes()));
            if knows_read_only {
                writer.bool(*read_only);
            }
            writer.into_frame()
        }
        ToClient::Text { text } => text.as_bytes().to_vec(),
        ToClient::Pong => header(op::PING_XID, Zxid::ZERO, Code::Ok).into_frame(),
        ToClient::Auth { code } => header(op::AUTH_XID, Zxid::ZERO, *code).into_frame(),
        ToClient::Reply { xid, zxid, outcome } => {
            let mut writer = header(*xid, *zxid, outcome.as_ref().err().copied().unwrap_or(Code::Ok));
            if let (Ok(answer), Some(request)) = (outcome, asked) {
                answer::write(&mut writer, request, answer);
            }
            writer.into_frame()
        }
        ToClient::Event { zxid, event } => {
            let mut writer = header(op::NOTIFICATION_XID, zxid.unwrap_or(Zxid::NONE), Code::Ok);
            let WatchedEvent { kind, path, state } = event;
            writer.int(op::of_event_type(*kind)).int(op::of_keeper_state(*state));
            writer.text(path.as_deref().unwrap_or_default());
            writer.into_frame()
        }
    }
}

/// The answer of a server that knows no SASL to a step of it: that all is well, and nothing to go on with
/// (`ZooKeeperServer.java` `processSasl`).
pub fn sasl_reply(xid: i32) -> Vec<u8> {
    let mut writer = header(xid, Zxid::ZERO, Code::Ok);
    writer.buffer(None);
    writer.into_frame()
}

/// What stands before a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyHeader {
    /// That of the request; negative for what is no reply to one.
    pub xid: i32,
    /// [`ToClient::Reply`] says which.
    pub zxid: Zxid,
    /// What the request came to.
    pub code: Code,
}

/// The header of a frame behind the answer to CONNECT. By its xid a client knows the request.
///
/// # Errors
/// It is too short, or its code is none.
pub fn reply_header(frame: &[u8]) -> Result<ReplyHeader, JuteError> {
    read_header(&mut Reader::new(frame))
}

fn read_header(from: &mut Reader) -> Result<ReplyHeader, JuteError> {
    Ok(ReplyHeader { xid: from.int()?, zxid: Zxid(from.long()? as u64), code: answer::code(from.int()?)? })
}

/// The first frame that a client gets: the answer to CONNECT, which is [`ToClient::Connected`].
///
/// # Errors
/// What it lacks.
pub fn greeted(frame: &[u8]) -> Result<ToClient, JuteError> {
    let mut from = Reader::new(frame);
    from.int()?; // the protocol's version
    let timeout_ms = u32::try_from(from.int()?).unwrap_or(0);
    let session = SessionId(from.long()? as u64);
    let password = read_password(&mut from)?;
    let read_only = from.bool().unwrap_or(false); // servers before 3.4 do not send it
    Ok(ToClient::Connected { timeout_ms, session, password, read_only })
}

/// Any other frame that a client gets; `asked` is the request with the xid of its header.
///
/// # Errors
/// It has no header, or its record is none; [`JuteError::Null`] where it answers a request that is not given.
pub fn told(frame: &[u8], asked: Option<&Request>) -> Result<ToClient, JuteError> {
    let mut from = Reader::new(frame);
    let ReplyHeader { xid, zxid, code } = read_header(&mut from)?;
    Ok(match (xid, code) {
        (op::PING_XID, _) => ToClient::Pong,
        (op::AUTH_XID, code) => ToClient::Auth { code },
        (op::NOTIFICATION_XID, _) => {
            let (kind, state) = (op::event_type(from.int()?)?, op::keeper_state(from.int()?)?);
            let path = from.text_or_null()?.filter(|path| !path.is_empty());
            let zxid = Some(zxid).filter(|zxid| *zxid != Zxid::NONE);
            ToClient::Event { zxid, event: WatchedEvent { kind, path, state } }
        }
        (xid, Code::Ok) => {
            let answer = answer::read(asked.ok_or(JuteError::Null)?, &mut from)?;
            ToClient::Reply { xid, zxid, outcome: Ok(answer) }
        }
        (xid, code) => ToClient::Reply { xid, zxid, outcome: Err(code) },
    })
}
