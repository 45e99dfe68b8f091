//! The promises to clients, judged by a model that shares no code with the simulator: a map of paths, changed by one request
//! after the other in the order of their zxids. Every transaction of random runs with clients and faults must be what this
//! model makes of the request behind it, and every answer that a client gets must be what the model says.
//!
//! The same runs are checked by `zabscope soak`; a failure prints the command that plays its seed.

use std::collections::BTreeMap;

use zabscope::base::{ClientId, Epoch, MsgId, RuleSet, ServerId, SessionId, SimTime, Zxid};
use zabscope::client;
use zabscope::sim::{Fact, Parcel, Record, World, WorldFact};
use zabscope::soak::soak_run;
use zabscope::store::{Op, Txn};
use zabscope::wire::{Acl, Answer, Code, CreateMode, Outcome, Request, Stat, ToClient, ToServer};
use zabscope::zab;

use crate::length::seeds;

const MINUTES: u64 = 1;
/// Seeds for each size of ensemble.
const SEEDS: u64 = 400;

/// What the model knows of a znode.
#[derive(Clone, Debug, Default)]
struct Node {
    data: Option<Vec<u8>>,
    version: i32,
    /// How many children were ever created.
    created: i32,
    czxid: Zxid,
    mzxid: Zxid,
    owner: Option<SessionId>,
    /// Its permissions are not open to everybody: the model leaves such paths alone.
    guarded: bool,
}

/// The state after some zxid.
#[derive(Clone, Debug)]
struct Model {
    nodes: BTreeMap<String, Node>,
}

/// What the model makes of a write: the real path of a create, the new version of a set.
#[derive(Clone, Debug, PartialEq)]
enum Done {
    Created(String),
    Set(i32),
    Deleted,
    Checked,
}

fn parent(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(slash) => &path[..slash],
    }
}

impl Model {
    fn new() -> Model {
        let fixed = ["/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"];
        Model { nodes: fixed.iter().map(|path| (path.to_string(), Node::default())).collect() }
    }

    fn has_children(&self, path: &str) -> bool {
        let prefix = if path == "/" { "/".to_string() } else { format!("{path}/") };
        self.nodes
            .range(prefix.clone()..)
            .find(|(other, _)| *other != path)
            .is_some_and(|(at, _)| at.starts_with(&prefix))
    }

    /// One write; `None` where permissions are in play.
    fn write(&mut self, request: &Request, session: SessionId, zxid: Zxid) -> Option<Result<Done, Code>> {
        let expected = |version: i32, node: &Node| version == -1 || version == node.version;
        Some(match request {
            Request::Create { path, data, acl, mode, .. } => {
                let above = parent(path).to_string();
                let Some(node) = self.nodes.get(&above) else { return Some(Err(Code::NoNode)) };
                if node.guarded || acl.iter().any(|entry| &*entry.who.scheme == "auth") {
                    return None;
                }
                let real =
                    if mode.is_sequential() { format!("{path}{:010}", node.created) } else { path.to_string() };
                if self.nodes.contains_key(&real) {
                    return Some(Err(Code::NodeExists));
                }
                if node.owner.is_some() {
                    return Some(Err(Code::NoChildrenForEphemerals));
                }
                let owner =
                    matches!(mode, CreateMode::Ephemeral | CreateMode::EphemeralSequential).then_some(session);
                self.create(real.clone(), data.as_deref(), owner, *acl != Acl::open(), zxid);
                Ok(Done::Created(real))
            }
            Request::Delete { path, version } => {
                let Some(above) = self.nodes.get(parent(path)) else { return Some(Err(Code::NoNode)) };
                if above.guarded {
                    return None;
                }
                match self.nodes.get(&**path) {
                    None => Err(Code::NoNode),
                    Some(node) if !expected(*version, node) => Err(Code::BadVersion),
                    Some(_) if self.has_children(path) => Err(Code::NotEmpty),
                    Some(_) => {
                        self.nodes.remove(&**path);
                        Ok(Done::Deleted)
                    }
                }
            }
            Request::SetData { path, data, version } => match self.nodes.get_mut(&**path) {
                None => Err(Code::NoNode),
                Some(node) if node.guarded => return None,
                Some(node) if !expected(*version, node) => Err(Code::BadVersion),
                Some(node) => {
                    (node.data, node.mzxid) = (data.as_deref().map(<[u8]>::to_vec), zxid);
                    node.version += 1;
                    Ok(Done::Set(node.version))
                }
            },
            Request::Check { path, version } => match self.nodes.get(&**path) {
                None => Err(Code::NoNode),
                Some(node) if node.guarded => return None,
                Some(node) if !expected(*version, node) => Err(Code::BadVersion),
                Some(_) => Ok(Done::Checked),
            },
            _ => return None,
        })
    }

    fn create(&mut self, path: String, data: Option<&[u8]>, owner: Option<SessionId>, guarded: bool, zxid: Zxid) {
        if let Some(above) = self.nodes.get_mut(parent(&path)) {
            above.created += 1;
        }
        let data = data.map(<[u8]>::to_vec);
        let node = Node { data, owner, guarded, czxid: zxid, mzxid: zxid, ..Node::default() };
        self.nodes.insert(path, node);
    }

    /// Follows a transaction whose request is not known, or in which permissions are in play.
    fn follow(&mut self, op: &Op, session: SessionId, zxid: Zxid) {
        match op {
            Op::Create { path, data, acl, owner, .. } => {
                let owned = matches!(owner, zabscope::store::Owner::Session(_)).then_some(session);
                self.create(path.to_string(), data.as_deref(), owned, **acl != Acl::open()[..], zxid);
            }
            Op::Delete { path } => drop(self.nodes.remove(&**path)),
            Op::SetData { path, data, version } => {
                if let Some(node) = self.nodes.get_mut(&**path) {
                    (node.data, node.version, node.mzxid) = (data.as_deref().map(<[u8]>::to_vec), *version, zxid);
                }
            }
            Op::SetAcl { path, acl, .. } => {
                // until it is committed the leader goes by the list before it: once in play, permissions stay so
                if let Some(node) = self.nodes.get_mut(&**path) {
                    node.guarded |= **acl != Acl::open()[..];
                }
            }
            Op::Multi(ops) => ops.iter().for_each(|op| self.follow(op, session, zxid)),
            Op::CloseSession { .. } => self.nodes.retain(|_, node| node.owner != Some(session)),
            Op::CreateSession { .. } | Op::Reconfig { .. } | Op::Check { .. } => {}
            Op::FailedMulti(_) | Op::Error(_) => {}
        }
    }

    /// What a transaction must come to, and the state behind it. `None`: the model cannot say, and has followed.
    fn judge(&mut self, txn: &Txn, request: Option<&Request>, zxid: Zxid) -> Option<Vec<Result<Done, Code>>> {
        let mut next = self.clone();
        let asked: Option<&[Request]> = match request {
            Some(Request::Multi { ops }) => Some(ops),
            Some(request) => Some(std::slice::from_ref(request)),
            None => None,
        };
        let mut results = Vec::new();
        for request in asked.unwrap_or_default() {
            match next.write(request, txn.session, zxid) {
                Some(result) => results.push(result),
                None => break,
            }
            if results.last().is_some_and(Result::is_err) {
                break;
            }
        }
        let failed = results.last().is_some_and(Result::is_err);
        if failed {
            results.drain(..results.len() - 1); // all or nothing: of a multi the first error counts
        }
        let judged = asked.is_some_and(|asked| failed || results.len() == asked.len()) && !of_session(&txn.op);
        match judged {
            true if failed => {}
            true => *self = next,
            false => self.follow(&txn.op, txn.session, zxid),
        }
        judged.then_some(results)
    }
}

/// Whether it was refused because of its session; when a session ends only the ensemble can tell.
fn of_session(op: &Op) -> bool {
    let of_session = |code: &Code| matches!(code, Code::SessionExpired | Code::SessionMoved);
    match op {
        Op::Error(code) => of_session(code),
        Op::FailedMulti(codes) => codes.iter().any(of_session),
        _ => false,
    }
}

/// What a transaction says it does, in the model's words.
fn said(op: &Op) -> Vec<Result<Done, Code>> {
    match op {
        Op::Create { path, .. } => vec![Ok(Done::Created(path.to_string()))],
        Op::Delete { .. } => vec![Ok(Done::Deleted)],
        Op::SetData { version, .. } => vec![Ok(Done::Set(*version))],
        Op::Check { .. } => vec![Ok(Done::Checked)],
        Op::Multi(ops) => ops.iter().flat_map(said).collect(),
        Op::FailedMulti(codes) => {
            codes.iter().filter(|code| **code != Code::Ok).take(1).map(|&code| Err(code)).collect()
        }
        Op::Error(code) => vec![Err(*code)],
        Op::CreateSession { .. } | Op::CloseSession { .. } | Op::SetAcl { .. } | Op::Reconfig { .. } => Vec::new(),
    }
}

/// A reply that arrived.
struct Reply {
    client: ClientId,
    session: SessionId,
    xid: i32,
    zxid: Zxid,
    outcome: Outcome,
}

/// What the facts of one run say. Judged in the end: only then it is clear what was committed.
#[derive(Default)]
struct Testimony {
    txns: BTreeMap<Zxid, Txn>,
    /// The last transaction in the memory of each server.
    last: BTreeMap<ServerId, Zxid>,
    /// The history with which an epoch began: what of earlier epochs is behind its end is lost.
    bases: BTreeMap<Epoch, Zxid>,
    sessions: BTreeMap<ClientId, SessionId>,
    asked: BTreeMap<(SessionId, i32), Request>,
    flying: BTreeMap<MsgId, (ClientId, i32, Zxid, Outcome)>,
    replies: Vec<Reply>,
}

impl Testimony {
    fn read(&mut self, record: &Record) {
        match &record.fact {
            Fact::Client { client, fact: client::Fact::ClientConnected { session, .. } } => {
                self.sessions.insert(*client, *session);
            }
            Fact::Zab { server, fact: zab::Fact::Established { epoch, .. } } => {
                self.bases.insert(*epoch, self.last.get(server).copied().unwrap_or(Zxid::ZERO));
            }
            Fact::World(fact) => self.read_world(fact),
            _ => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact) {
        match fact {
            WorldFact::ClientOpened { client, .. } => drop(self.sessions.remove(client)),
            WorldFact::Sent { from, message: Parcel::ToServer(ToServer::Request { xid, request }), .. } => {
                if let Some(&session) = from.client().and_then(|client| self.sessions.get(&client)) {
                    self.asked.insert((session, *xid), request.clone());
                }
            }
            WorldFact::Sent {
                msg, to, message: Parcel::ToClient(ToClient::Reply { xid, zxid, outcome }), ..
            } => {
                if let Some(client) = to.client() {
                    self.flying.insert(*msg, (client, *xid, *zxid, outcome.clone()));
                }
            }
            WorldFact::Delivered { msg, .. } => {
                if let Some((client, xid, zxid, outcome)) = self.flying.remove(msg)
                    && let Some(&session) = self.sessions.get(&client)
                {
                    self.replies.push(Reply { client, session, xid, zxid, outcome });
                }
            }
            WorldFact::Restored { server, last_txn, .. } => drop(self.last.insert(*server, *last_txn)),
            WorldFact::Applied { server, zxid, payload, .. } => {
                self.last.insert(*server, *zxid);
                self.txns.insert(*zxid, Txn::clone(&payload.txn));
            }
            _ => {}
        }
    }

    fn survived(&self, zxid: Zxid) -> bool {
        let next = self.bases.range(zxid.epoch() + 1..).next();
        next.is_none_or(|(_, &base)| zxid <= base)
    }

    /// All states, each behind its transaction; how many transactions were judged.
    fn states(&self) -> Result<(BTreeMap<Zxid, Model>, u64), String> {
        let mut model = Model::new();
        let (mut states, mut judged) = (BTreeMap::from([(Zxid::ZERO, model.clone())]), 0);
        for (&zxid, txn) in self.txns.iter().filter(|(zxid, _)| self.survived(**zxid)) {
            let request = self.asked.get(&(txn.session, txn.cxid));
            if let Some(right) = model.judge(txn, request, zxid) {
                judged += 1;
                if right != said(&txn.op) {
                    return Err(format!("{zxid} is {:?}, the model says {right:?}", txn.op));
                }
            }
            states.insert(zxid, model.clone());
        }
        Ok((states, judged))
    }

    /// How many transactions and replies were judged.
    fn judge(&self) -> Result<(u64, u64), String> {
        let (states, judged) = self.states()?;
        let mut replies = 0;
        for Reply { client, session, xid, zxid, outcome } in &self.replies {
            let (Some(request), Some((_, model))) =
                (self.asked.get(&(*session, *xid)), states.range(..=*zxid).next_back())
            else {
                continue;
            };
            match answers(model, request, outcome, *zxid) {
                Some(true) => replies += 1,
                Some(false) => return Err(format!("{client} asked {request} and got {outcome:?} at {zxid}")),
                None => {}
            }
        }
        Ok((judged, replies))
    }
}

/// Whether an answer is what the model says; `None` where the model has no opinion.
fn answers(model: &Model, request: &Request, outcome: &Outcome, zxid: Zxid) -> Option<bool> {
    let node = |path: &str| model.nodes.get(path);
    Some(match (request, outcome) {
        (Request::GetData { path, .. }, Ok(Answer::Data { data, stat })) => {
            node(path).is_some_and(|node| node.data.as_deref() == data.as_deref() && agrees(node, stat))
        }
        (Request::Exists { path, .. }, Ok(Answer::Stat(stat))) => node(path).is_some_and(|node| agrees(node, stat)),
        (Request::GetData { path, .. } | Request::Exists { path, .. }, Err(Code::NoNode)) => node(path).is_none(),
        (Request::Create { .. }, Ok(Answer::Path(path) | Answer::Created { path, .. })) => {
            node(path).is_some_and(|node| node.czxid == zxid)
        }
        (Request::SetData { path, .. }, Ok(Answer::Stat(stat))) => {
            node(path).is_some_and(|node| node.mzxid == zxid && agrees(node, stat))
        }
        (Request::Delete { path, .. }, Ok(_)) => node(path).is_none(),
        _ => return None,
    })
}

fn agrees(node: &Node, stat: &Stat) -> bool {
    let owner = node.owner.unwrap_or(SessionId::NONE);
    (stat.version, stat.czxid, stat.mzxid, stat.ephemeral_owner) == (node.version, node.czxid, node.mzxid, owner)
        || node.czxid == Zxid::ZERO // what every server begins with
}

/// Plays one seed; how many transactions and answers were judged.
fn play(servers: u8, seed: u64) -> Result<(u64, u64), String> {
    let run = soak_run(servers, seed, MINUTES, RuleSet::default());
    let (mut world, mut testimony) = (World::new(run.clone()), Testimony::default());
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(MINUTES * 60_000)) {
        world.step().unwrap_or_default().iter().for_each(|record| testimony.read(record));
    }
    testimony.judge()
}

fn random_runs(servers: u8) {
    let (mut judged, mut reads) = (0, 0);
    for seed in seeds(SEEDS) {
        let replay = format!("zabscope soak --servers {servers} --seeds {seed}..{} --minutes {MINUTES}", seed + 1);
        let (txns, read) = play(servers, seed).unwrap_or_else(|what| panic!("seed {seed}: {what}\nreplay: {replay}"));
        (judged, reads) = (judged + txns, reads + read);
    }
    let seeds = seeds(SEEDS).end;
    println!("{servers} servers: {seeds} seeds, {judged} writes and {reads} answers judged");
    assert!(judged > 20 * seeds && reads > seeds, "clients did next to nothing: {judged} writes, {reads} answers");
}

#[test]
fn three_servers_answer_like_one() {
    random_runs(3);
}

#[test]
fn five_servers_answer_like_one() {
    random_runs(5);
}

#[test]
fn a_wrong_model_is_found_out() {
    let mut model = Model::new();
    let create = |path: &str| Request::Create {
        path: path.into(),
        data: None,
        acl: Acl::open(),
        mode: CreateMode::Persistent,
        ttl: 0,
        stat: false,
        flags: None,
    };
    let txn = |op| Txn { session: SessionId(1), cxid: 1, time: 0, op };
    let error = txn(Op::Error(Code::NodeExists));
    let right = model.judge(&error, Some(&create("/a")), Zxid::new(1, 1));
    assert_eq!(right, Some(vec![Ok(Done::Created("/a".into()))]), "the model says what is right");
    assert_ne!(right, Some(said(&error.op)), "and the transaction says something else");
    assert_eq!(model.judge(&error, Some(&create("/a")), Zxid::new(1, 2)), Some(said(&error.op)));
}
