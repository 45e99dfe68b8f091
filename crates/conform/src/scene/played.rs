//! What the simulation did in a stage, in the fields of traces.

use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{ClientId, Node, ServerId, Zxid};
use crate::client;
use crate::recipes::{self, Exception, Outcome, ThreadId, Value as Given};
use crate::sim::{Fact, Parcel, World, WorldFact};
use crate::store::{Op, Owner, Txn, WatchMode};
use crate::wire::{self, Answer, Code, Request, ToClient, ToServer, WatchedEvent};

use super::command::Speech;
use super::file::by_caller;
use super::names::Names;
use crate::ensemble::Ensemble;

/// A line of a client's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub client: ClientId,
    /// `=` for a call that returned, `*` for a callback.
    pub kind: char,
    /// The object; `connection` for its state.
    pub object: Rc<str>,
    /// The method or the callback.
    pub what: String,
    /// What a call came to.
    pub result: Option<String>,
}

/// A request on the wire, and its reply.
#[derive(Clone, Debug)]
struct Asked {
    client: ClientId,
    xid: i32,
    request: Request,
    outcome: Option<wire::Outcome>,
}

/// A call under way: its object, the trace's word for the method, and how what it came to is written.
pub(super) type Call = (Rc<str>, String, Speech);

/// What happened in a stage.
#[derive(Clone, Debug, Default)]
pub(super) struct Played {
    pub lines: Vec<Line>,
    writes: Vec<(Zxid, Txn)>,
    requests: Vec<Asked>,
    notifications: Vec<(ClientId, WatchedEvent)>,
    connections: Vec<(ClientId, bool)>,
    /// Paths and who watches them at the end; children last.
    watches: [BTreeMap<Rc<str>, BTreeSet<ClientId>>; 2],
}

impl Played {
    /// A stage that begins with these lines.
    pub(super) fn after(lines: Vec<Line>) -> Played {
        Played { lines, ..Played::default() }
    }

    /// Reads what happened.
    pub(super) fn read(&mut self, facts: &[Fact], leader: ServerId, calls: &BTreeMap<(ClientId, ThreadId), Call>) {
        for fact in facts {
            match fact {
                Fact::World(WorldFact::Sent { from, to, message, .. }) => self.sent(*from, *to, message),
                Fact::World(WorldFact::Applied { server, zxid, payload, .. }) if *server == leader => {
                    self.writes.push((*zxid, Txn::clone(&payload.txn)));
                }
                Fact::Client { client, fact: client::Fact::Notified { event, .. } } => {
                    self.notifications.push((*client, event.clone()));
                }
                Fact::Client { client, fact: client::Fact::ClientConnected { again, .. } } => {
                    self.connections.push((*client, *again));
                }
                Fact::Program { client, fact } => self.lines.extend(line(*client, fact, calls)),
                _ => {}
            }
        }
    }

    fn sent(&mut self, from: Node, to: Node, message: &Parcel) {
        match (from, to, message) {
            // what sets a session up again is left out in traces
            (_, _, Parcel::ToServer(ToServer::Request { request: Request::SetWatches(_), .. })) => {}
            (Node::Client(client), _, Parcel::ToServer(ToServer::Request { xid, request })) => {
                self.requests.push(Asked { client, xid: *xid, request: request.clone(), outcome: None });
            }
            (_, Node::Client(client), Parcel::ToClient(ToClient::Reply { xid, outcome, .. })) => {
                let mut asked = self.requests.iter_mut().rev();
                if let Some(asked) = asked.find(|asked| (asked.client, asked.xid) == (client, *xid)) {
                    asked.outcome = Some(outcome.clone());
                }
            }
            _ => {}
        }
    }

    /// The end of a session is a request where a trace has it so; setting one up never is.
    pub(super) fn keep_closes(&mut self, shown: impl Fn(ClientId) -> bool) {
        self.requests.retain(|asked| asked.request != Request::CloseSession || shown(asked.client));
    }

    /// Reads the watches that stand now.
    pub(super) fn read_watches(&mut self, world: &World) {
        for service in world.processes.values().filter_map(|process| process.server()).map(|it| &it.service) {
            for (path, conn, mode) in service.watches.iter() {
                if let Some(conn) = service.conns.get(&conn) {
                    let watches = &mut self.watches[usize::from(mode == WatchMode::Child)];
                    watches.entry(path.clone()).or_default().insert(conn.client);
                }
            }
        }
    }

    /// The random names that clients gave.
    pub(super) fn note_names(&self, names: &mut Names) {
        for asked in &self.requests {
            if let Request::Create { path, .. } = &asked.request {
                names.note(asked.client, path);
            }
        }
    }

    /// Requests, notifications, writes, watches.
    pub(super) fn counts(&self) -> [usize; 4] {
        let watches = self.watches[0].values().map(BTreeSet::len).sum();
        [self.requests.len(), self.notifications.len(), self.writes.len(), watches]
    }

    /// All of it, in the form in which it is compared.
    pub(super) fn fields(&self, names: &Names, ensemble: &Ensemble, start: Zxid) -> Map<String, Value> {
        let [requests, notifications, writes, watches] = self.counts();
        let counts = json!({
            "requests": requests, "notifications": notifications, "writes": writes, "watchesAfter": watches,
        });
        let who = |session| ensemble.session_client(session).map_or("?", |client| names.of(client));
        let write = |(zxid, txn): &(Zxid, Txn)| write(names, who(txn.session), counted(*zxid, start), &txn.op);
        let asked = self.requests.iter().map(|asked| (asked.client, request(names, asked)));
        let told = self.notifications.iter().map(|(client, event)| (*client, notification(names, event)));
        let connection = |(client, again): &(ClientId, bool)| {
            let how = if *again { "resumed" } else { "new session" };
            json!({"client": names.of(*client), "connected": how})
        };
        let mut fields = Map::new();
        fields.insert("answers".into(), by_caller(&self.answers(names).into()));
        fields.insert("connections".into(), self.connections.iter().map(connection).collect());
        fields.insert("requests".into(), by_client(names, asked));
        fields.insert("writes".into(), self.writes.iter().map(write).collect());
        fields.insert("notifications".into(), by_client(names, told));
        fields.insert("watchesAfter".into(), watched(names, &self.watches[0]));
        fields.insert("childWatchesAfter".into(), watched(names, &self.watches[1]));
        fields.insert("counts".into(), counts);
        fields
    }

    fn answers(&self, names: &Names) -> Vec<String> {
        let line = |line: &Line| {
            let Line { client, kind, object, what, result } = line;
            // a result may be a client's name: who leads
            let result =
                result.as_ref().map(|text| names.renamed(text)).map_or(String::new(), |text| format!(" {text}"));
            format!("{kind} {} {object} {what}{result}", names.of(*client))
        };
        self.lines.iter().map(line).collect()
    }
}

/// What a fact of a program is in a trace.
fn line(client: ClientId, fact: &recipes::Fact, calls: &BTreeMap<(ClientId, ThreadId), Call>) -> Option<Line> {
    match fact {
        recipes::Fact::MethodReturned { thread, outcome, .. } => {
            let (object, word, speech) = calls.get(&(client, *thread))?;
            let result = Some(result(outcome, *speech));
            Some(Line { client, kind: '=', object: object.clone(), what: word.clone(), result })
        }
        recipes::Fact::Callback { object, callback } => {
            Some(Line { client, kind: '*', object: object.clone(), what: (*callback).into(), result: None })
        }
        recipes::Fact::ConnectionState { state } => {
            let what = serde_json::to_value(state).ok()?.as_str()?.to_string();
            Some(Line { client, kind: '*', object: "connection".into(), what, result: None })
        }
        _ => None,
    }
}

fn result(outcome: &Outcome, speech: Speech) -> String {
    match outcome {
        Ok(Given::Text(Some(text))) if speech == Speech::Data => format!("data {text}"),
        Ok(value) if speech == Speech::Python => in_python(value),
        Err(Exception::Keeper(code)) if speech == Speech::Python => {
            let name = code.name();
            // `ConnectionLoss` alone is called so (`kazoo/exceptions.py`)
            format!("error {name}{}", if *code == Code::ConnectionLoss { "" } else { "Error" })
        }
        Ok(value) => value.to_string(),
        Err(exception) => format!("error {}", exception.class()),
    }
}

fn in_python(value: &Given) -> String {
    match value {
        Given::Nothing | Given::Answer(_) | Given::Text(None) => "None".into(),
        Given::Bool(true) => "True".into(),
        Given::Bool(false) => "False".into(),
        Given::Text(Some(text)) => text.to_string(),
        Given::Names(names) => {
            format!("[{}]", names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", "))
        }
    }
}

fn by_client(names: &Names, all: impl Iterator<Item = (ClientId, Value)>) -> Value {
    let mut by_client: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (client, value) in all {
        by_client.entry(names.of(client).into()).or_default().push(value);
    }
    by_client.into_iter().map(|(client, list)| (client, Value::Array(list))).collect::<Map<_, _>>().into()
}

fn watched(names: &Names, watches: &BTreeMap<Rc<str>, BTreeSet<ClientId>>) -> Value {
    let mut by_path: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (path, clients) in watches {
        by_path.entry(names.path(path)).or_default().extend(clients.iter().map(|client| names.of(*client)));
    }
    by_path.values_mut().for_each(|clients| clients.sort());
    json!(by_path)
}

fn notification(names: &Names, event: &WatchedEvent) -> Value {
    json!({"type": event.kind, "path": names.path(event.path.as_deref().unwrap_or_default())})
}

/// The fields of a request: those that its kind has, and what it came to.
fn request(names: &Names, asked: &Asked) -> Value {
    let mut fields = json!({"request": asked.request.name()});
    if asked.request != Request::CloseSession {
        fields["path"] = names.path(asked.request.path()).into();
    }
    match &asked.request {
        Request::Create { mode, .. } => fields["mode"] = json!(mode),
        Request::Exists { watch, .. } | Request::GetData { watch, .. } | Request::GetChildren { watch, .. } => {
            fields["watch"] = json!(watch);
        }
        Request::RemoveWatches { kind, .. } | Request::CheckWatches { kind, .. } => fields["type"] = json!(kind),
        _ => {}
    }
    match &asked.outcome {
        None => fields["error"] = "no reply".into(),
        Some(Err(code)) => fields["error"] = code.name().into(),
        Some(Ok(Answer::Path(path) | Answer::Created { path, .. })) => fields["created"] = names.path(path).into(),
        Some(Ok(Answer::Children { names, .. })) => fields["children"] = names.len().into(),
        Some(Ok(_)) => {}
    }
    fields
}

/// `+n` since the first stage.
fn counted(zxid: Zxid, start: Zxid) -> String {
    match zxid.epoch() == start.epoch() {
        true => format!("+{}", i64::from(zxid.counter()) - i64::from(start.counter())),
        false => zxid.to_string(),
    }
}

fn write(names: &Names, who: &str, zxid: String, op: &Op) -> Value {
    let mut fields = json!({"zxid": zxid, "who": who, "type": kind(op)});
    match op {
        Op::Create { path, owner, .. } => {
            fields["path"] = names.path(path).into();
            if *owner != Owner::Container {
                fields["ephemeral"] = matches!(owner, Owner::Session(_)).into();
            }
        }
        Op::Delete { path } | Op::SetData { path, .. } | Op::SetAcl { path, .. } | Op::Check { path } => {
            fields["path"] = names.path(path).into();
        }
        Op::CloseSession { paths } => {
            let mut paths: Vec<String> = paths.iter().map(|path| names.path(path)).collect();
            paths.sort();
            fields["deletes"] = json!(paths);
        }
        Op::Error(code) => fields["error"] = code.name().into(),
        Op::CreateSession { .. } | Op::Reconfig { .. } | Op::Multi(_) | Op::FailedMulti(_) => {}
    }
    fields
}

fn kind(op: &Op) -> &'static str {
    match op {
        Op::CreateSession { .. } => "createSession",
        Op::CloseSession { .. } => "closeSession",
        Op::Create { owner: Owner::Container, .. } => "createContainer",
        Op::Create { owner: Owner::Ttl(_), .. } => "createTTL",
        Op::Create { with_stat: true, .. } => "create2",
        Op::Create { .. } => "create",
        Op::Delete { .. } => "delete",
        Op::SetData { .. } => "setData",
        Op::SetAcl { .. } => "setACL",
        Op::Reconfig { .. } => "reconfig",
        Op::Check { .. } => "check",
        Op::Multi(_) => "multi",
        Op::FailedMulti(_) | Op::Error(_) => "error",
    }
}

/// Whether it is more than a sign of life.
pub(super) fn moves(fact: &Fact) -> bool {
    match fact {
        Fact::Program { .. } | Fact::World(WorldFact::Applied { .. }) => true,
        Fact::World(WorldFact::Sent { message, .. }) => {
            matches!(
                message,
                Parcel::ToServer(ToServer::Request { .. })
                    | Parcel::ToClient(ToClient::Reply { .. } | ToClient::Event { .. })
            )
        }
        _ => false,
    }
}
