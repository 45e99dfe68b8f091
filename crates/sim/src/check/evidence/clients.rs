//! What was seen when a promise to clients was broken.

use std::fmt;

use crate::base::{ClientId, ServerId, ServerSet, SessionId, Zxid, seconds};
use crate::client::CallId;

/// What was seen of clients, their sessions and their watches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Breach {
    /// A call was answered before an older one.
    AnsweredFirst { client: ClientId, call: CallId, older: CallId },
    /// A reply arrived behind that of a later request.
    ReplyBehind { client: ClientId, server: ServerId, xid: i32, last: i32 },
    /// A reply tells an older state than an earlier one.
    BackInTime { client: ClientId, server: ServerId, zxid: Zxid, seen: Zxid },
    /// A read was answered from a state without the client's own write.
    OwnWriteMissing { client: ClientId, server: ServerId, state: Zxid, wrote: Zxid },
    /// A read was answered with what was never there.
    WrongRead { client: ClientId, server: ServerId, xid: i32, state: Zxid },
    /// A write was put before one that was done when it was asked for.
    Overtaken { client: ClientId, zxid: Zxid, done: Zxid },
    /// A write came to something else than it does when all writes are done one after the other.
    WrongResult { client: ClientId, zxid: Zxid },
    /// A client was told something else of its write.
    WrongAnswer { client: ClientId, server: ServerId, zxid: Zxid },
    /// A write of a session that is over was done.
    AfterClose { session: SessionId, zxid: Zxid },
    /// A session is over, and one of its ephemerals is there.
    EphemeralLeft { session: SessionId, zxid: Zxid, path: String },
    /// A session was ended of which something had been heard.
    EarlyExpiry { leader: ServerId, session: SessionId, silence_us: u64, timeout_us: u64 },
    /// An event came for a watch that was not set, or had fired.
    EventWithoutWatch { server: ServerId, client: ClientId, path: String },
    /// A watch did not fire before the server went on.
    EventMissing { server: ServerId, client: ClientId, path: String, zxid: Zxid },
    /// After a reconnection other events were told than had been missed.
    WrongReconnection { server: ServerId, client: ClientId },
    /// A request was done after a later one of its session.
    RequestBehind { session: SessionId, zxid: Zxid, cxid: i32, last: i32 },
    /// A read was answered while an earlier write of the session waited there.
    OwnWritePending { client: ClientId, server: ServerId, xid: i32, write: i32 },
    /// A sync was answered from a state without what was committed when it was taken.
    SyncBehind { client: ClientId, server: ServerId, state: Zxid, committed: Zxid },
    /// A session was said to be over that nobody wanted to end.
    StillAlive { server: ServerId, session: SessionId },
    /// A session was said to have moved that no other server had to do with.
    NeverMoved { server: ServerId, session: SessionId },
    /// A session lives on of which its leader has heard nothing for long.
    LateExpiry { leader: ServerId, session: SessionId, silence_us: u64, timeout_us: u64 },
    /// A node is there whose time is up.
    LateRemoval { leader: ServerId, path: String, late_us: u64 },
    /// A sequential znode's number is not above the one before it.
    NumberNotAbove { zxid: Zxid, parent: String, number: i32, last: i32 },
}

impl Breach {
    /// The servers that it is about.
    pub fn servers(&self) -> ServerSet {
        use Breach::*;
        let server = match self {
            ReplyBehind { server, .. }
            | BackInTime { server, .. }
            | OwnWriteMissing { server, .. }
            | WrongRead { server, .. }
            | WrongAnswer { server, .. }
            | EarlyExpiry { leader: server, .. }
            | OwnWritePending { server, .. }
            | SyncBehind { server, .. }
            | StillAlive { server, .. }
            | NeverMoved { server, .. }
            | LateExpiry { leader: server, .. }
            | LateRemoval { leader: server, .. }
            | EventWithoutWatch { server, .. }
            | EventMissing { server, .. }
            | WrongReconnection { server, .. } => Some(*server),
            AnsweredFirst { .. }
            | RequestBehind { .. }
            | Overtaken { .. }
            | WrongResult { .. }
            | AfterClose { .. }
            | EphemeralLeft { .. }
            | NumberNotAbove { .. } => None,
        };
        server.into_iter().collect()
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Breach::*;
        match self {
            AnsweredFirst { .. } | ReplyBehind { .. } | BackInTime { .. } | RequestBehind { .. } => order(self, f),
            OwnWritePending { .. } | SyncBehind { .. } => stale(self, f),
            StillAlive { .. } | NeverMoved { .. } | LateExpiry { .. } | LateRemoval { .. } => session(self, f),
            OwnWriteMissing { client, server, state, wrote } => {
                write!(f, "{server} answers a read of {client} from {state}; {client} had its write done by {wrote}")
            }
            WrongRead { client, server, xid, state } => {
                write!(f, "{server} answers read {xid} of {client} with something other than the state at {state}")
            }
            Overtaken { .. } | WrongResult { .. } | WrongAnswer { .. } => result(self, f),
            AfterClose { session, zxid } => write!(f, "{zxid} is executed for session {session}, which has ended"),
            EphemeralLeft { session, zxid, path } => {
                write!(f, "session {session} ends with {zxid}, and its {path} is still there")
            }
            EarlyExpiry { leader, session, silence_us, timeout_us } => write!(
                f,
                "{leader} ends session {session} after a silence of {} s; its timeout is {} s",
                seconds(*silence_us),
                seconds(*timeout_us)
            ),
            EventWithoutWatch { .. } | EventMissing { .. } | WrongReconnection { .. } => event(self, f),
            NumberNotAbove { zxid, parent, number, last } => {
                write!(f, "{zxid} gives number {number} below {parent} after number {last}")
            }
        }
    }
}

fn order(breach: &Breach, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match breach {
        Breach::AnsweredFirst { client, call, older } => {
            write!(f, "call {} of {client} is answered before call {}", call.0, older.0)
        }
        Breach::ReplyBehind { client, server, xid, last } => {
            write!(f, "{server} answers request {xid} of {client} behind request {last}")
        }
        Breach::RequestBehind { session, zxid, cxid, last } => {
            write!(f, "{zxid} is request {cxid} of session {session}, after its request {last}")
        }
        Breach::BackInTime { client, server, zxid, seen } => {
            write!(f, "{server} answers {client} at {zxid}; the session has seen {seen}")
        }
        _ => Ok(()),
    }
}

fn stale(breach: &Breach, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match breach {
        Breach::OwnWritePending { client, server, xid, write } => {
            write!(f, "{server} answers read {xid} of {client} while write {write} of the same session waits there")
        }
        Breach::SyncBehind { client, server, state, committed } => write!(
            f,
            "{server} answers a sync of {client} from {state}; {committed} was committed when the sync was taken"
        ),
        _ => Ok(()),
    }
}

fn session(breach: &Breach, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match breach {
        Breach::StillAlive { server, session } => {
            write!(f, "{server} refuses session {session} as expired, which is alive")
        }
        Breach::NeverMoved { server, session } => {
            write!(f, "{server} refuses session {session} as moved, which no other server has taken over")
        }
        Breach::LateExpiry { leader, session, silence_us, timeout_us } => write!(
            f,
            "{leader} keeps session {session} open after a silence of {} s; its timeout is {} s",
            seconds(*silence_us),
            seconds(*timeout_us)
        ),
        Breach::LateRemoval { leader, path, late_us } => {
            write!(f, "{leader} has left {path} in place for {} s since its time was up", seconds(*late_us))
        }
        _ => Ok(()),
    }
}

fn result(breach: &Breach, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match breach {
        Breach::Overtaken { client, zxid, done } => {
            write!(f, "a write of {client} became {zxid}; {done} was answered before {client} asked")
        }
        Breach::WrongResult { client, zxid } => {
            write!(f, "{zxid} is not the result of {client}'s request on the state before it")
        }
        Breach::WrongAnswer { client, server, zxid } => {
            write!(f, "{server} gives {client} something other than the result of {zxid}")
        }
        _ => Ok(()),
    }
}

fn event(breach: &Breach, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match breach {
        Breach::EventWithoutWatch { server, client, path } => {
            write!(f, "{server} fires a watch of {client} on {path} that does not exist")
        }
        Breach::EventMissing { server, client, path, zxid } => {
            write!(f, "{server} has applied {zxid} and continues without sending the event on {path} for {client}")
        }
        Breach::WrongReconnection { server, client } => {
            write!(f, "{server} tells {client} other events than it missed while it was away")
        }
        _ => Ok(()),
    }
}
