//! A client library, for a reader: in the names of `ClientCnxn.java`, `ZKWatchManager.java` and `StaticHostProvider.java`.

use crate::base::rows::{NONE, Refers, Row, Rows};
use crate::base::{ConnId, SessionId};

use super::calls::{Queued, Waiting};
use super::connection::Link;
use super::io::ClientConfig;
use super::library::Client;
use super::timers::Silence;

/// What stands in the place of what nobody should read.
const HIDDEN: &str = "••••";

impl Client {
    /// Its session and its state.
    pub fn rows(&self, rows: &mut Rows) {
        let Client {
            config,
            state,
            session,
            timeout_ms,
            server,
            last_zxid,
            password: _, // hidden
            prng: _,
            hosts: _,
            chroot,
            link: _,
            old: _,
            queued: _,
            identities,
            watches: _,
            told,
            timers: _, // the world's
            silence,
            next_call,
            next_xid,
            closing,
            has_connected,
            seen_writer,
            read_only,
            search: _,
            chosen,
            cleaned_up: _,
        } = self;
        let ClientConfig {
            id: _,
            servers: _,
            timeout_ms: asked,
            chroot: _,
            raw,
            outside,
            expires: _,
            stop_cuts: _,
            rules: _,
            read_only: can_be_read_only,
        } = config;
        let Silence { sent, heard } = silence;
        rows.put("state", &format!("{state:?}").to_ascii_uppercase());
        rows.put("eventState", &format_args!("{told:?}"));
        rows.item(&"server", &"server", server.map_or(NONE.into(), |s| s.to_string()), server.map(Refers::Server));
        rows.session("sessionId", *session);
        rows.put("sessionPasswd", &if *session == SessionId::NONE { NONE } else { HIDDEN });
        rows.put("sessionTimeout", &format_args!("{timeout_ms} ms (requested {asked} ms)"));
        rows.zxid("lastZxid", *last_zxid);
        rows.some("chrootPath", chroot.path().map(|path| path as &dyn std::fmt::Display));
        let auth: Vec<String> = identities.iter().map(|(scheme, _)| format!("{scheme}:{HIDDEN}")).collect();
        rows.put("authInfo", &if auth.is_empty() { NONE.into() } else { auth.join(" ") });
        rows.moment("lastSend", Some(*sent));
        rows.moment("lastHeard", Some(*heard));
        rows.put("xid", next_xid);
        rows.put("nextCall", next_call);
        rows.put("closing", closing);
        rows.put("hasConnected", has_connected);
        rows.put("seenRwServerBefore", seen_writer);
        rows.put("readOnly", &format_args!("{read_only} (allowed {can_be_read_only})"));
        rows.item(&"chosen", &"chosen", chosen.map_or(NONE.into(), |s| s.to_string()), None);
        rows.put("raw", raw);
        if outside.is_some() {
            rows.put("outside", &true);
        }
    }

    /// The servers that it may use, in the order in which it tries them.
    pub fn host_rows(&self, rows: &mut Rows) {
        let (servers, current, last) = self.hosts.order();
        for (place, server) in servers.iter().enumerate() {
            let marks =
                [(current == Some(place)).then_some("currentIndex"), (last == Some(place)).then_some("lastIndex")];
            let text = marks.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            rows.item(server, server, text, Some(Refers::Server(*server)));
        }
    }

    /// Its connections, with the requests that wait there for an answer.
    pub fn link_rows(&self, rows: &mut Rows) {
        let links = [("connection", &self.link), ("oldConnection", &self.old)];
        for (name, link) in links {
            rows.0.push(link_row(name, link.as_ref()));
        }
        rows.list("outgoingQueue", |rows| {
            for Queued { request, waiting } in &self.queued {
                let call = waiting.id.map_or(0, |id| id.0);
                rows.item(&call, &format_args!("call {call}"), request.to_string(), None);
            }
        });
    }

    /// The Watchers that are registered.
    pub fn watcher_rows(&self, rows: &mut Rows) {
        for (table, path, names) in self.watches.registered() {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            rows.item(&format_args!("{table} {path}"), path, format!("{table} · {}", names.join(" ")), None);
        }
    }
}

fn link_row(name: &str, link: Option<&Link>) -> Row {
    let mut rows = Rows::default();
    match link {
        None => rows.put(name, &NONE),
        Some(Link { conn, server, stage, lies, pending }) => {
            let lie = match (lies.wrong_password, lies.claim_ahead) {
                (false, false) => "",
                (true, _) => " · wrongPassword",
                (_, true) => " · claimAhead",
            };
            let ConnId(number) = conn;
            rows.within(name, format!("#{number} · {server} · {stage:?}{lie}"), |rows| {
                rows.list("pendingQueue", |rows| {
                    for (xid, waiting) in pending {
                        rows.item(xid, &format_args!("xid {xid}"), told(waiting), None);
                    }
                });
            });
        }
    }
    rows.0.pop().unwrap_or_default()
}

fn told(waiting: &Waiting) -> String {
    let Waiting { id, effect: _, writes, name, path } = waiting;
    let call = id.map_or(String::new(), |id| format!(" · call {}", id.0));
    format!("{name} {path}{call}{}", if *writes { " · write" } else { "" })
}
