//! The replicated state: znodes and sessions, as a value. A clone costs nothing and shares everything, so a snapshot, the
//! leader's look ahead and a step back in time are clones.
//!
//! Every server applies the same transactions to it and comes to the same state, whose [`Tree::digest`] says so.

use rpds::{Queue, RedBlackTreeMap, RedBlackTreeSet};
use siphasher::sip::SipHasher24;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Bound;
use std::rc::Rc;

use crate::base::java::{bucket, grown, string_hash};
use crate::base::{Arrange, SessionId, SortedMap, Zxid};
use crate::wire::{Acl, Answer, AuthId, Code, Data, EventType, Outcome, Perms, STATS, parent_of};

use super::node::{Owner, Znode};
use super::quota::length;
use super::txn::{Op, Txn};

/// How many of the last transactions the state remembers by name, for the strips on the stage.
pub const RECENT: usize = 16;
/// Where the ensemble keeps its configuration.
pub const CONFIG: &str = "/zookeeper/config";
/// The table of a HashSet in the beginning.
const EPHEMERALS_TABLE: u32 = 16;

/// A change of one znode, as watches see it.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Change {
    /// `NodeCreated`, `NodeDeleted` or `NodeDataChanged`.
    pub kind: EventType,
    /// Which znode.
    pub path: Rc<str>,
    /// Its list of permissions: who may not read it hears nothing.
    pub acl: Rc<[Acl]>,
    /// Its parent's list, where the parent's children changed.
    pub parent_acl: Option<Rc<[Acl]>>,
}

/// What a transaction came to on one server.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The answer for whoever asked.
    pub outcome: Outcome,
    /// What changed, in order.
    pub changes: Vec<Change>,
}

/// A session's ephemerals, and the table of the HashSet that the real server keeps them in: it grows and never shrinks, and
/// the set stays when it is empty. What a server loads from disk is in a set that has only held what is there.
#[derive(Clone, Debug, Hash)]
struct Ephemerals {
    paths: RedBlackTreeSet<Rc<str>>,
    table: u32,
}

impl Default for Ephemerals {
    fn default() -> Ephemerals {
        Ephemerals { paths: RedBlackTreeSet::new(), table: EPHEMERALS_TABLE }
    }
}

/// The state.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: RedBlackTreeMap<Rc<str>, Rc<Znode>>,
    /// Few, so they are copied when they change and a clone of the tree shares them.
    sessions: Rc<SortedMap<SessionId, u32>>,
    ephemerals: Rc<SortedMap<SessionId, Ephemerals>>,
    /// Containers and nodes with a time to live.
    mortal: RedBlackTreeSet<Rc<str>>,
    /// The last transaction.
    pub last: Zxid,
    /// How many there were.
    pub count: u64,
    recent: Queue<Zxid>,
    nodes_digest: u64,
    /// What `/zookeeper/config` adds to the digest: always the same, because servers write it without a transaction too.
    config_hash: u64,
    bytes: u64,
    /// How many children znodes of these paths begin with as if they had been created: not of the real system, where it takes
    /// two thousand million creates to see a counter run over.
    cversions: Rc<BTreeMap<Rc<str>, i32>>,
}

/// Two states are the same where their digests are.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.digest() == other.digest()
    }
}

impl Eq for Tree {}

/// All that the state is, its znodes by their sum: it is looked at so often that they are not walked through. One of them
/// is not in the sum; two sets hang on the rest, and what counters begin with is the same in a whole run.
impl Hash for Tree {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Tree { nodes, sessions, ephemerals, last, count, recent, nodes_digest, config_hash, bytes, .. } = self;
        (nodes_digest, nodes.get(CONFIG), sessions, ephemerals, last, count, recent, config_hash, bytes).hash(hasher);
    }
}

impl Tree {
    /// The state before the first transaction; `config` is the text of `/zookeeper/config`, which every server writes by
    /// itself when it starts.
    pub fn new(config: &str) -> Tree {
        let mut tree = Tree {
            nodes: RedBlackTreeMap::new(),
            sessions: Rc::default(),
            ephemerals: Rc::default(),
            mortal: RedBlackTreeSet::new(),
            last: Zxid::ZERO,
            count: 0,
            recent: Queue::new(),
            nodes_digest: 0,
            config_hash: 0,
            bytes: 0,
            cversions: Rc::default(),
        };
        let open: Rc<[Acl]> = Acl::open().into();
        let fresh = |data: &str| Znode::new(Some(data.into()), open.clone(), Owner::None, Zxid::ZERO, 0);
        let names = |names: &[&str]| names.iter().map(|&name| Rc::from(name)).collect();
        tree.put("/".into(), Znode { children: names(&["zookeeper"]), ..fresh("") });
        tree.put("/zookeeper".into(), Znode { children: names(&["config", "quota"]), ..fresh("") });
        tree.put("/zookeeper/quota".into(), fresh(""));
        let readable = vec![Acl { perms: Perms::READ, who: AuthId::anyone() }].into();
        // whoever writes the configuration into it gives it the version -1; a server alone writes none
        let version = if config.is_empty() { 0 } else { -1 };
        let node = Znode { acl: readable, version, aversion: -1, ..fresh(config) };
        tree.config_hash = node_hash(CONFIG, &node);
        tree.put(CONFIG.into(), node);
        tree
    }

    /// Whose znodes begin to count their children at these numbers, by path.
    pub fn counting_from(self, cversions: &BTreeMap<Rc<str>, i32>) -> Tree {
        Tree { cversions: Rc::new(cversions.clone()), ..self }
    }

    /// This state among servers that began with another one: what `/zookeeper/config` adds to the digest, and what counters begin with, are
    /// the same for all of them.
    pub fn among(self, fresh: &Tree) -> Tree {
        let nodes_digest = self.nodes_digest.wrapping_sub(self.config_hash).wrapping_add(fresh.config_hash);
        Tree { nodes_digest, config_hash: fresh.config_hash, cversions: fresh.cversions.clone(), ..self }
    }

    /// A znode. The empty path is another name of the root.
    pub fn get(&self, path: &str) -> Option<&Rc<Znode>> {
        self.nodes.get(if path.is_empty() { "/" } else { path })
    }

    /// All znodes in the order of their paths.
    pub fn nodes(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<Znode>)> {
        self.nodes.iter()
    }

    /// The znodes whose paths begin with `prefix`.
    pub fn below<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a Rc<str>, &'a Rc<Znode>)> {
        self.nodes
            .range::<str, _>((Bound::Included(prefix), Bound::Unbounded))
            .take_while(move |(path, _)| path.starts_with(prefix))
    }

    /// How many znodes there are, the reserved ones included.
    pub fn len(&self) -> usize {
        self.nodes.size()
    }

    /// Never: the root is always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All sessions with their timeouts, ms.
    pub fn sessions(&self) -> impl Iterator<Item = (SessionId, u32)> {
        self.sessions.iter().map(|(&session, &timeout)| (session, timeout))
    }

    /// A session's timeout, ms; `None` where there is no such session.
    pub fn session(&self, session: SessionId) -> Option<u32> {
        self.sessions.get(&session).copied()
    }

    /// The same znodes with the sessions of another state.
    pub(super) fn with_sessions_of(self, other: &Tree) -> Tree {
        Tree { sessions: other.sessions.clone(), ..self }
    }

    /// A session's ephemerals in the order of their paths.
    pub fn ephemerals(&self, session: SessionId) -> impl Iterator<Item = &Rc<str>> {
        self.ephemerals.get(&session).into_iter().flat_map(|of| of.paths.iter())
    }

    /// A session's ephemerals in the order of a clone of the HashSet in which the real server keeps them (`DataTree.getEphemerals`). The
    /// set's table never shrinks, the clone's is new.
    pub(super) fn ephemerals_cloned(&self, session: SessionId) -> Vec<Rc<str>> {
        let mut paths: Vec<Rc<str>> = self.ephemerals(session).cloned().collect();
        let of_clone = (paths.len() * 4 / 3 + 1).next_power_of_two() as u32;
        let of_set = self.ephemerals.get(&session).map_or(EPHEMERALS_TABLE, |of| of.table);
        paths.arrange_by_key(|path| {
            let hash = string_hash(path);
            let created = self.get(path).map_or(Zxid::ZERO, |node| node.czxid);
            (bucket(hash, of_clone), bucket(hash, of_set), created)
        });
        paths
    }

    /// The state as a server has it that loads it from its disk or gets it in a SNAP.
    pub fn loaded(mut self) -> Tree {
        let fresh = |of: &Ephemerals| grown(EPHEMERALS_TABLE, of.paths.size());
        if self.ephemerals.values().any(|of| of.table != fresh(of)) {
            Rc::make_mut(&mut self.ephemerals).values_mut().for_each(|of| of.table = fresh(of));
        }
        self
    }

    /// Containers and nodes with a time to live.
    pub fn mortal(&self) -> impl Iterator<Item = (&Rc<str>, &Rc<Znode>)> {
        self.mortal.iter().filter_map(|path| Some((path, self.nodes.get(path)?)))
    }

    /// The last few transactions, oldest first.
    pub fn recent(&self) -> impl Iterator<Item = Zxid> {
        self.recent.iter().copied()
    }

    /// How many entries the real server's table of nodes has: the root stands in it twice, as `` and as `/` (`DataTree.java`).
    pub fn node_count(&self) -> usize {
        self.len() + 1
    }

    /// The lengths of all paths and of all data together, bytes (`DataTree.java` `getNodeSize`).
    pub fn data_size(&self) -> u64 {
        self.bytes
    }

    /// About how long a snapshot of it is, bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes + 80 * self.len() as u64 + 16 * self.sessions.len() as u64
    }

    /// The state in one number: a sum over hashes of all znodes and sessions (as `AdHash.java` does), and the last zxid.
    pub fn digest(&self) -> u64 {
        let mut hasher = SipHasher24::new();
        hasher.write_u64(self.nodes_digest);
        hasher.write_u64(self.last.0);
        hasher.finish()
    }

    /// Applies a transaction.
    pub fn apply(&mut self, zxid: Zxid, txn: &Txn) -> Effect {
        let mut changes = Vec::new();
        let outcome = self.apply_op(zxid, txn, &txn.op, &mut changes);
        // what a log repeats that is in the snapshot already makes the state no older (`DataTree.java` `processTxn`)
        if zxid > self.last {
            self.last = zxid;
            self.count += 1;
            if self.recent.len() == RECENT {
                self.recent.dequeue_mut();
            }
            self.recent.enqueue_mut(zxid);
        }
        Effect { outcome, changes }
    }

    fn apply_op(&mut self, zxid: Zxid, txn: &Txn, op: &Op, changes: &mut Vec<Change>) -> Outcome {
        match op {
            Op::CreateSession { timeout_ms } => {
                self.end_session_digest(txn.session);
                Rc::make_mut(&mut self.sessions).insert(txn.session, *timeout_ms);
                self.nodes_digest = self.nodes_digest.wrapping_add(session_hash(txn.session, *timeout_ms));
                Ok(Answer::Done)
            }
            Op::CloseSession { paths } => {
                for path in paths {
                    let _ = self.delete(zxid, path, changes);
                }
                self.end_session_digest(txn.session);
                Rc::make_mut(&mut self.sessions).remove(&txn.session);
                Rc::make_mut(&mut self.ephemerals).remove(&txn.session);
                Ok(Answer::Done)
            }
            Op::Create { .. } => self.create(zxid, txn.time, op, changes),
            Op::Delete { path } => self.delete(zxid, path, changes),
            Op::SetData { path, data, version } => self.set_data(zxid, txn.time, path, data, *version, changes),
            Op::SetAcl { path, acl, version } => {
                let mut node = self.owned(path)?;
                (node.acl, node.aversion) = (acl.clone(), *version);
                let stat = node.stat();
                self.put(path.clone(), node);
                Ok(Answer::Stat(stat))
            }
            Op::Reconfig { config } => {
                let data = Some(config.clone().into());
                let stat = self.set_data(zxid, txn.time, &CONFIG.into(), &data, -1, changes)?;
                Ok(match stat {
                    Answer::Stat(stat) => Answer::Data { data, stat },
                    other => other,
                })
            }
            Op::Check { .. } => Ok(Answer::Done),
            Op::Multi(ops) => Ok(Answer::Multi(ops.iter().map(|op| self.apply_op(zxid, txn, op, changes)).collect())),
            Op::FailedMulti(codes) => Ok(Answer::Multi(codes.iter().map(|&code| Err(code)).collect())),
            Op::Error(code) => Err(*code),
        }
    }

    fn create(&mut self, zxid: Zxid, time: i64, op: &Op, changes: &mut Vec<Change>) -> Outcome {
        let Op::Create { path, data, acl, owner, parent_cversion, with_stat } = op else {
            return Err(Code::SystemError);
        };
        let parent_path = parent_of(path).ok_or(Code::NoNode)?;
        let mut parent = self.owned(parent_path)?;
        let name = path.get(path.rfind('/').map_or(0, |slash| slash + 1)..).unwrap_or_default();
        let there = parent.children.contains(name);
        parent.children.insert_mut(name.into());
        if *parent_cversion > parent.cversion {
            (parent.cversion, parent.pzxid) = (*parent_cversion, zxid);
        }
        let parent_acl = parent.acl.clone();
        self.put(parent_path.into(), parent);
        // only where a log repeats what is in the snapshot: the node stays, its parent has caught up, and its ACL is the record's until the
        // log comes to what changed it (`DataTree.java`, ZOOKEEPER-4846)
        if there {
            let node = self.owned(path)?;
            self.put(path.clone(), Znode { acl: acl.clone(), ..node });
            return Err(Code::NodeExists);
        }
        let cversion = self.cversions.get(path).copied().unwrap_or(0);
        let node = Znode { cversion, ..Znode::new(data.clone(), acl.clone(), *owner, zxid, time) };
        let stat = node.stat();
        self.put(path.clone(), node);
        if name == STATS {
            self.count_quota(path);
        }
        self.charge(path, length(data), 1);
        changes.push(Change {
            kind: EventType::NodeCreated,
            path: path.clone(),
            acl: acl.clone(),
            parent_acl: Some(parent_acl),
        });
        Ok(match with_stat {
            true => Answer::Created { path: path.clone(), stat },
            false => Answer::Path(path.clone()),
        })
    }

    fn delete(&mut self, zxid: Zxid, path: &Rc<str>, changes: &mut Vec<Change>) -> Outcome {
        let node = self.nodes.get(path).cloned().ok_or(Code::NoNode)?;
        let parent_path = parent_of(path).ok_or(Code::NoNode)?;
        self.take(path, &node);
        let mut parent = self.owned(parent_path)?;
        let name = path.get(path.rfind('/').map_or(0, |slash| slash + 1)..).unwrap_or_default();
        parent.children.remove_mut(name);
        parent.pzxid = parent.pzxid.max(zxid);
        let parent_acl = Some(parent.acl.clone());
        self.put(parent_path.into(), parent);
        self.charge(path, -length(&node.data), -1);
        changes.push(Change { kind: EventType::NodeDeleted, path: path.clone(), acl: node.acl.clone(), parent_acl });
        Ok(Answer::Done)
    }

    fn set_data(
        &mut self,
        zxid: Zxid,
        time: i64,
        path: &Rc<str>,
        data: &Data,
        version: i32,
        changes: &mut Vec<Change>,
    ) -> Outcome {
        let mut node = self.owned(path)?;
        let more = length(data) - length(&node.data);
        (node.data, node.version, node.mzxid, node.mtime) = (data.clone(), version, zxid, time);
        let (stat, acl) = (node.stat(), node.acl.clone());
        self.put(path.clone(), node);
        self.charge(path, more, 0);
        changes.push(Change { kind: EventType::NodeDataChanged, path: path.clone(), acl, parent_acl: None });
        Ok(Answer::Stat(stat))
    }

    /// Writes the configuration of this server without a transaction (`ZKDatabase.java` `initConfigInZKDatabase`), be it the same as
    /// before: its mtime is this server's own.
    pub fn set_config(&mut self, config: &str, version: Zxid, time: i64) -> Option<Change> {
        let mut changes = Vec::new();
        let _ = self.set_data(version, time, &CONFIG.into(), &Some(config.into()), -1, &mut changes);
        changes.pop()
    }

    fn digest_of(&self, path: &str, node: &Znode) -> u64 {
        match path {
            CONFIG => self.config_hash,
            _ => node_hash(path, node),
        }
    }

    /// A znode to be changed and put back.
    pub(super) fn owned(&self, path: &str) -> Result<Znode, Code> {
        self.get(path).map(|node| Znode::clone(node)).ok_or(Code::NoNode)
    }

    pub(super) fn put(&mut self, path: Rc<str>, node: Znode) {
        if let Some(old) = self.nodes.get(&path).cloned() {
            self.discount(&path, &old);
        }
        self.nodes_digest = self.nodes_digest.wrapping_add(self.digest_of(&path, &node));
        self.bytes += node_bytes(&path, &node);
        match node.owner {
            Owner::None => {}
            Owner::Container | Owner::Ttl(_) => self.mortal.insert_mut(path.clone()),
            Owner::Session(session) => {
                let of = Rc::make_mut(&mut self.ephemerals).get_or_default(session);
                of.paths.insert_mut(path.clone());
                of.table = grown(of.table, of.paths.size());
            }
        }
        self.nodes.insert_mut(path, Rc::new(node));
    }

    fn take(&mut self, path: &Rc<str>, node: &Znode) {
        self.discount(path, node);
        self.nodes.remove_mut(path);
    }

    /// Takes a znode out of everything but the znodes themselves: one that is only replaced stays in its place there.
    fn discount(&mut self, path: &Rc<str>, node: &Znode) {
        self.nodes_digest = self.nodes_digest.wrapping_sub(self.digest_of(path, node));
        self.bytes -= node_bytes(path, node);
        match node.owner {
            Owner::None => {}
            Owner::Container | Owner::Ttl(_) => {
                self.mortal.remove_mut(path);
            }
            Owner::Session(session) => {
                if let Some(of) = Rc::make_mut(&mut self.ephemerals).get_mut(&session) {
                    of.paths.remove_mut(path);
                }
            }
        }
    }

    fn end_session_digest(&mut self, session: SessionId) {
        if let Some(timeout) = self.session(session) {
            self.nodes_digest = self.nodes_digest.wrapping_sub(session_hash(session, timeout));
        }
    }
}

/// Java counts a path's characters, and the bytes of data.
fn node_bytes(path: &str, node: &Znode) -> u64 {
    let characters = if path.is_ascii() { path.len() } else { path.encode_utf16().count() };
    (characters + node.data.as_ref().map_or(0, |data| data.len())) as u64
}

fn node_hash(path: &str, node: &Znode) -> u64 {
    let mut hasher = SipHasher24::new();
    hasher.write(path.as_bytes());
    hasher.write_u8(0xff);
    match &node.data {
        None => hasher.write_u8(0xfe),
        Some(data) => {
            // no text begins as null does; what else may begin so is told apart by one more byte
            if data.first().is_some_and(|first| *first >= 0xfe) {
                hasher.write_u8(0xff);
            }
            hasher.write(data);
        }
    }
    for number in [node.czxid.0, node.mzxid.0, node.pzxid.0, node.ctime as u64, node.mtime as u64] {
        hasher.write_u64(number);
    }
    for number in [node.version, node.cversion, node.aversion] {
        hasher.write_i32(number);
    }
    let (kind, owner) = match node.owner {
        Owner::None => (0, 0),
        Owner::Session(session) => (1, session.0),
        Owner::Container => (2, 0),
        Owner::Ttl(ttl) => (3, ttl as u64),
    };
    hasher.write_u8(kind);
    hasher.write_u64(owner);
    for entry in node.acl.iter() {
        hasher.write_u8(entry.perms.0);
        hasher.write(entry.who.id.as_bytes());
    }
    hasher.finish()
}

fn session_hash(session: SessionId, timeout_ms: u32) -> u64 {
    let mut hasher = SipHasher24::new();
    hasher.write_u64(session.0);
    hasher.write_u32(timeout_ms);
    hasher.finish()
}
