//! English: what happens between clients and servers.

use crate::base::{ClientId, ServerId, SessionId, Zxid};
use crate::client::{self, DisconnectReason, Failure};
use crate::i18n::text;
use crate::recipes::without_guids;
use crate::server::{self, TurnedAway};
use crate::wire::{Answer, Code, EventType, KeeperState, Quantity, ToClient, ToServer, WatchedEvent};

/// A client's fact as a sentence.
pub(super) fn client(client: ClientId, fact: &client::Fact) -> String {
    use client::Fact as F;
    match fact {
        F::ClientSeeks { server } => format!("{client}, at a read-only server, asks {server} whether it can write."),
        F::ClientConnecting { server } => format!("{client} tries {server}."),
        F::ClientConnected { server, session, timeout_ms, again } => {
            let how = if *again { "reconnects" } else { "connects" };
            let then = if *again { "resumes" } else { "gets" };
            format!("{client} {how} to {server} and {then} session {session} (timeout {timeout_ms} ms).")
        }
        F::ClientDisconnected { server, reason } => {
            format!("{client} is no longer connected to {server}: {}.", disconnected(*reason))
        }
        F::ClientEnded { state: KeeperState::Closed, session, by_itself: true } => {
            format!(
                "{client} stops and cuts its connection. It has not closed its session {session}, which lives on until it expires."
            )
        }
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => {
            format!(
                "{client} has reached no server for 4/3 of its timeout and gives up: its session has expired before it had one."
            )
        }
        F::ClientEnded { session, by_itself: true, .. } => {
            format!("{client} has heard from no server for 4/3 of its timeout and gives its session {session} up.")
        }
        F::ClientEnded { state, session, .. } => match state {
            KeeperState::Expired => format!("{client} learns that its session {session} has expired."),
            KeeperState::Closed => format!("{client} has closed its session {session}."),
            _ => format!("The identity of {client} was refused."),
        },
        F::Called { request, .. } => format!("{client} asks: {}.", text::quoted(&text::asked(request))),
        F::Answered { outcome: Ok(answer), zxid, .. } => format!("{client} {}{}.", answered(answer), at(*zxid)),
        F::Answered { in_doubt: true, .. } => {
            format!(
                "{client} lost its connection before the answer: the write may have been applied, or may still be."
            )
        }
        F::Answered { outcome: Err(Failure::Code(code)), zxid, .. } => {
            format!("{client} gets {}{}.", code.name(), at(*zxid))
        }
        F::Answered { outcome: Err(Failure::IllegalArgument(_)), .. } => {
            format!("The library of {client} rejects the path before sending anything.")
        }
        F::Notified { event, zxid } => format!("{client} is notified: {}{}.", event_words(event), at(*zxid)),
        F::WatcherCalled { watcher, event } => {
            format!("The watcher “{watcher}” of {client} is called: {}.", event_words(event))
        }
    }
}

fn at(zxid: Option<Zxid>) -> String {
    zxid.map_or(String::new(), |zxid| format!(" (zxid {zxid})"))
}

/// What an answer tells.
fn answered(answer: &Answer) -> String {
    match answer {
        Answer::Path(path) => format!("gets its answer: {}", text::quoted(path)),
        Answer::Created { path, .. } => format!("gets its answer: {} created", text::quoted(path)),
        Answer::Stat(stat) => format!("gets its answer: version {}, children {}", stat.version, stat.num_children),
        Answer::Data { data, stat } => {
            let data = data.as_ref().map_or("no data".to_string(), text::data);
            format!("reads {data}, version {}", stat.version)
        }
        Answer::Children { names, .. } if names.is_empty() => "reads that there are no children".into(),
        Answer::Children { names, .. } => format!("reads the children {}", text::quoted(&names.join(" "))),
        Answer::Multi(parts) => match answer.thrown() {
            Some(code) => format!("gets {}: nothing in its multi was done", code.name()),
            None => format!("gets its {} answers", parts.len()),
        },
        Answer::Number(number) => format!("gets its answer: {number}"),
        Answer::Identities(who) => format!("is known as {}", text::quoted(&text::identities(who))),
        Answer::Done | Answer::Acl { .. } | Answer::Paths(_) => "gets its answer".into(),
    }
}

fn disconnected(reason: DisconnectReason) -> &'static str {
    match reason {
        DisconnectReason::Refused => "nothing listens there",
        DisconnectReason::ServerClosed => "the server closed the connection",
        DisconnectReason::ReadTimeout => "nothing was heard for two thirds of the session timeout",
        DisconnectReason::ConnectTimeout => "connecting took too long",
        DisconnectReason::Asked => "the connection was cut on purpose",
        DisconnectReason::Found => "it found a server that can write",
        DisconnectReason::OutOfOrder => "an answer came out of order",
    }
}

fn event_words(event: &WatchedEvent) -> String {
    let path = without_guids(event.path.as_deref().unwrap_or("/"));
    match event.kind {
        EventType::None => match event.state {
            KeeperState::ConnectedReadOnly => "it is connected to a read-only server".into(),
            KeeperState::SyncConnected => "it is connected".into(),
            KeeperState::Disconnected => "it is disconnected".into(),
            KeeperState::AuthFailed => "its identity was refused".into(),
            KeeperState::Expired => "its session has expired".into(),
            KeeperState::Closed => "it is closed".into(),
        },
        EventType::NodeCreated => format!("{path} was created"),
        EventType::NodeDeleted => format!("{path} was deleted"),
        EventType::NodeDataChanged => format!("data of {path} changed"),
        EventType::NodeChildrenChanged => format!("children of {path} changed"),
        EventType::DataWatchRemoved => format!("its data watch on {path} was removed"),
        EventType::ChildWatchRemoved => format!("its child watch on {path} was removed"),
        EventType::PersistentWatchRemoved => format!("its persistent watch on {path} was removed"),
    }
}

/// A fact of a server's service for clients as a sentence.
pub(super) fn service(server: ServerId, fact: &server::Fact) -> String {
    use server::Fact as F;
    match fact {
        F::SessionOpened { session, timeout_ms, client, local: true } => {
            format!("{server} opens local session {session} for {client} (timeout {timeout_ms} ms).")
        }
        F::SessionUpgraded { session, client } => {
            format!("{server} asks the leader to make local session {session} of {client} global.")
        }
        F::LocalSessionEnded { session, expired: true } => {
            format!("{server} has heard nothing from local session {session} for its whole timeout and ends it.")
        }
        F::LocalSessionEnded { session, expired: false } => {
            format!("{server} ends local session {session}: its client closes it.")
        }
        F::ReadOnly { on: true } => format!("{server} has found no leader and now serves reads from what it has."),
        F::ReadOnly { on: false } => {
            format!("{server} no longer serves in read-only mode and closes its connections.")
        }
        F::SessionOpened { session, timeout_ms, client, local: false } => {
            format!("{server} opens session {session} for {client} (timeout {timeout_ms} ms).")
        }
        F::SessionResumed { session, client } => format!("{server} takes over session {session} of {client}."),
        F::SessionExpired { session, asked: true } => {
            format!("{server}, the leader, expires session {session} on request.")
        }
        F::SessionExpired { session, asked: false } => {
            format!("{server}, the leader, has heard nothing from session {session} for its whole timeout.")
        }
        F::SessionClosed { session, ephemerals, zxid } => match ephemerals.len() {
            0 => format!("Session {session} ends at {zxid}."),
            1 => format!(
                "Session {session} ends at {zxid}; its ephemeral node {} is deleted.",
                without_guids(&ephemerals[0])
            ),
            n => format!("Session {session} ends at {zxid}; its {n} ephemeral nodes are deleted."),
        },
        F::SessionMoved { session, from, to } => format!("Session {session} moves from {from} to {to}."),
        F::ClientTurnedAway { client, reason } => {
            format!("{server} closes the connection of {client}: {}.", turned_away(*reason))
        }
        F::Throttled { client, on: true, in_process } => {
            format!("{server} stops reading from {client}: {in_process} requests are in process.")
        }
        F::Throttled { client, on: false, .. } => format!("{server} reads from {client} again."),
        F::OverQuota { path, of, would_be, limit, hard } => {
            let of = match of {
                Quantity::Count => "znodes",
                Quantity::Bytes => "bytes",
            };
            let (quota, end) = match hard {
                true => ("hard quota", " and is refused"),
                false => ("soft quota", ""),
            };
            format!("A write would bring {path} to {would_be} {of}: it exceeds the {quota} of {limit}{end}.")
        }
        F::WatchFired { client, event, zxid, .. } => {
            format!("{server} notifies {client}: {}{}.", event_words(event), at(*zxid))
        }
    }
}

pub(super) fn turned_away(reason: TurnedAway) -> &'static str {
    match reason {
        TurnedAway::NotServing => "it serves no clients now",
        TurnedAway::LeaderOnly => "it leads and serves no clients",
        TurnedAway::NotReadOnlyClient => "the client does not accept reads only",
        TurnedAway::NoLocalSessions => "without a leader only local sessions can begin",
        TurnedAway::GlobalSession => "without a leader it takes over no session",
        TurnedAway::TooManyConnections => "this address already has maxClientCnxns connections",
        TurnedAway::ServerBehind => "the client has already seen newer data",
        TurnedAway::WrongPassword => "the password is not the session's",
        TurnedAway::SessionGone => "the session no longer exists",
        TurnedAway::TooLong => "the request is longer than jute.maxbuffer",
        TurnedAway::Moved => "the session has moved to another server",
        TurnedAway::Unimplemented => "no server implements that",
        TurnedAway::Replaced => "the session reconnected here",
    }
}

/// The rule behind a client's or a session's fact.
pub(super) fn client_rule(fact: &client::Fact) -> Option<&'static str> {
    use client::Fact as F;
    Some(match fact {
        F::ClientDisconnected { .. } => {
            "A session outlives its connection; the library tries the next server of its list."
        }
        F::ClientEnded { state: KeeperState::Closed, by_itself: true, .. } => {
            "kazoo 2.10 sends one more request when it is stopped, and forgets what is queued behind it; 2.11 sends all."
        }
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => {
            "Only 3.9.3 does so: before its first session a library otherwise tries for ever (ZOOKEEPER-4921)."
        }
        F::ClientEnded { by_itself: true, .. } => {
            "This is the library's own conclusion (since 3.9.3): the ensemble may still keep the session."
        }
        F::ClientEnded { state: KeeperState::Expired, .. } => {
            "Only the ensemble ends a session; the client learns it when it reaches a server again."
        }
        F::Answered { in_doubt: true, .. } => {
            "The library never retries a request: the caller must find out what happened."
        }
        F::Notified { .. } => "An event carries no data and uses up a one-time watch: read again, and set it again.",
        _ => return None,
    })
}

/// The rule behind a fact of a server's service.
pub(super) fn service_rule(fact: &server::Fact) -> Option<&'static str> {
    use server::Fact as F;
    Some(match fact {
        F::SessionOpened { local: true, .. } => {
            "A local session costs no transaction: no other server knows it, and it cannot move."
        }
        F::SessionUpgraded { .. } => "An ephemeral node needs an owner that every server knows.",
        F::ReadOnly { on: true } => {
            "Reads may be stale, or show what no majority ever had; writes fail with NotReadOnly."
        }
        F::SessionOpened { .. } => "A session begins with a transaction: every server knows it.",
        F::SessionExpired { asked: true, .. } => {
            "The session was not silent: it ends on request, and the leader closes it as after a timeout."
        }
        F::SessionExpired { asked: false, .. } => {
            "Only the leader decides, in one-tick buckets, from what learners report with their PINGs."
        }
        F::SessionClosed { .. } => "Its ephemeral nodes go in the same transaction, on every server.",
        F::SessionMoved { .. } => {
            "The leader remembers to which server a session belongs and refuses writes by any other."
        }
        F::ClientTurnedAway { reason: TurnedAway::LeaderOnly, .. } => {
            "With leaderServes=no the leader only orders writes; clients go on to the next server."
        }
        F::Throttled { on: true, .. } => {
            "Above globalOutstandingLimit a server leaves further requests in the socket, pings among them."
        }
        F::OverQuota { hard: true, .. } => {
            "The leader counts what it has applied: writes already proposed but not yet applied slip past the limit."
        }
        F::OverQuota { hard: false, .. } => "A soft quota is only a warning in the leader's log; the write is done.",
        F::ClientTurnedAway { reason: TurnedAway::ServerBehind, .. } => {
            "So a client never sees an older state than before, whichever server it uses."
        }
        F::WatchFired { .. } => "The event leaves before the answer to any read that shows the change.",
        _ => return None,
    })
}

/// What a packet between a client and a server says.
pub(super) fn says_to_server(packet: &ToServer) -> String {
    match packet {
        ToServer::Connect { last_zxid_seen, session, .. } if session.0 != 0 => {
            format!("resumes session {session}; the client has seen {last_zxid_seen}")
        }
        ToServer::Connect { timeout_ms, .. } => format!("asks for a new session with a timeout of {timeout_ms} ms"),
        ToServer::Word { text } if &**text == "isro" => "asks whether the server can write".into(),
        ToServer::Word { text } => format!("says {} instead of opening a session", text::quoted(text)),
        ToServer::Ping => "is a heartbeat".into(),
        ToServer::Auth { scheme, .. } => format!("authenticates with scheme {scheme}"),
        ToServer::Request { request, .. } => format!("asks {}", text::quoted(&text::asked(request))),
    }
}

/// What a packet from a server to a client says.
pub(super) fn says_to_client(packet: &ToClient) -> String {
    match packet {
        ToClient::Connected { timeout_ms: 0, .. } => "says that the session is over".into(),
        ToClient::Connected { session, timeout_ms, .. } => format!("grants session {session} for {timeout_ms} ms"),
        ToClient::Text { text } => format!("answers a four-letter word: {}", text::quoted(text::first_line(text))),
        ToClient::Pong => "answers a heartbeat".into(),
        ToClient::Auth { code: Code::Ok } => "accepts the identity".into(),
        ToClient::Auth { .. } => "refuses the identity".into(),
        ToClient::Reply { zxid, outcome: Ok(_), .. } => format!("answers a request (zxid {zxid})"),
        ToClient::Reply { zxid, outcome: Err(code), .. } => format!("answers {} (zxid {zxid})", code.name()),
        ToClient::Event { event, zxid } => format!("says that {}{}", event_words(event), at(*zxid)),
    }
}

/// A packet of a client as a sentence: its name, then what it does.
pub(super) fn to_server(packet: &ToServer) -> String {
    let (name, about) = (packet.name(), says_to_server(packet));
    format!("{name}: {about}.")
}

/// A packet to a client as a sentence: its name, then what it does.
pub(super) fn to_client(packet: &ToClient) -> String {
    let (name, about) = (packet.name(), says_to_client(packet));
    format!("{name}: {about}.")
}
