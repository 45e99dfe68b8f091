//! The leader's step from a request to a transaction (`PrepRequestProcessor.java`). It judges by the state as it will be when
//! everything proposed so far is applied, so that a pipelined write sees its predecessors; the real one keeps
//! `outstandingChanges` for that, here it is a copy of the tree that runs ahead.

use std::fmt;
use std::rc::Rc;

use crate::base::{RuleSet, ServerId, ServiceRule, SessionId, Way, Zxid};
use crate::wire::{Acl, AuthId, Bytes, Code, CreateMode, Perms, Request, check_path, parent_of};

use super::acl::{check, fixed};
use super::node::{Owner, Znode};
use super::tree::{CONFIG, Tree};
use super::txn::{Op, Txn};
use super::under_way::UnderWay;

/// The largest time to live, ms (`EphemeralType.TTL`).
const MAX_TTL: i64 = (1 << 40) - 1;

/// Paths that cannot be deleted.
const SPECIAL: [&str; 4] = ["/", "/zookeeper", "/zookeeper/quota", CONFIG];

/// What decides besides the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Whether nodes with a time to live may be created (`zookeeper.extendedTypesEnabled`).
    pub extended_types: bool,
}

/// A request on its way to the leader (`Request.java`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Submitted {
    /// The session that asks.
    pub session: SessionId,
    /// Its xid there.
    pub cxid: i32,
    /// The identities of the connection.
    pub who: Rc<[AuthId]>,
    /// The server whose client it is.
    pub from: ServerId,
    /// What is asked.
    pub body: Body,
}

impl fmt::Display for Submitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Body::Client(request) => write!(f, "{request} ({}#{})", self.session, self.cxid),
            Body::CreateSession { timeout_ms } => write!(f, "createSession {timeout_ms} ms {}", self.session),
            Body::DeleteContainer { path } => write!(f, "deleteContainer {path}"),
            Body::Put { path, data } => write!(f, "put {path} {data:?}"),
        }
    }
}

/// Facts carry its text.
impl serde::Serialize for Submitted {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl Submitted {
    /// About how long it is in a packet, bytes.
    pub fn bytes(&self) -> u64 {
        match &self.body {
            Body::Client(request) => 16 + request.bytes() as u64,
            Body::CreateSession { .. } => 28,
            Body::DeleteContainer { path } => 16 + path.len() as u64,
            Body::Put { path, data } => 16 + path.len() as u64 + data.len() as u64,
        }
    }
}

/// What is asked: by a client, or by a server on its behalf.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// A client's request.
    Client(Request),
    /// A new session.
    CreateSession {
        /// Its timeout, ms.
        timeout_ms: u32,
    },
    /// The reaper's request (`deleteContainer`).
    DeleteContainer {
        /// Of which node.
        path: Rc<str>,
    },
    /// Not of the real system: the plain write of a lesson about the protocol, by nobody in particular. It sets a znode,
    /// and creates it where it is missing.
    Put {
        /// The znode's path.
        path: Rc<str>,
        /// Its data.
        data: Bytes,
    },
}

/// The leader's state ahead of what is committed.
#[derive(Clone, Debug, Hash)]
pub struct Prep {
    ahead: Tree,
    under_way: UnderWay,
    limits: Limits,
    /// What quotas are judged by, where they are enforced.
    counted: Option<Tree>,
    /// Broken on purpose; none where the checker judges by it.
    rules: RuleSet,
}

impl Prep {
    /// Begins with the state as it is applied.
    pub fn new(tree: Tree, limits: Limits) -> Prep {
        Prep::amid(tree, UnderWay::default(), limits)
    }

    /// Begins with a state while transactions are under way.
    pub fn amid(tree: Tree, under_way: UnderWay, limits: Limits) -> Prep {
        Prep { ahead: tree, under_way, limits, counted: None, rules: RuleSet::default() }
    }

    /// A leader that breaks rules on purpose.
    pub fn breaking(self, rules: RuleSet) -> Prep {
        Prep { rules, ..self }
    }

    /// Forgets what is proposed of znodes and not applied yet.
    pub fn fall_back(&mut self, applied: &Tree) {
        self.ahead = applied.clone().with_sessions_of(&self.ahead);
    }

    /// Quotas are enforced from now on, by what is applied: what is proposed does not count yet.
    pub fn judge_quotas(&mut self, applied: &Tree) {
        self.counted = Some(applied.clone());
    }

    fn check_quota(&self, request: &Request) -> Result<(), Code> {
        let over = self.counted.iter().flat_map(|applied| applied.over_quota(request, &self.ahead));
        if over.last().is_some_and(|last| last.hard) { Err(Code::QuotaExceeded) } else { Ok(()) }
    }

    /// The state when everything proposed is applied.
    pub fn ahead(&self) -> &Tree {
        &self.ahead
    }

    /// Makes a transaction of a request; refused ones become error transactions. `allowed` is what the check of the session
    /// came to. The transaction is taken to be proposed with this zxid.
    pub fn prepare(&mut self, asked: &Submitted, allowed: Result<(), Code>, zxid: Zxid, time: i64) -> Txn {
        let op = match &asked.body {
            Body::CreateSession { timeout_ms } => Op::CreateSession { timeout_ms: *timeout_ms },
            Body::Client(Request::CloseSession) => self.close_session(asked.session),
            Body::Client(Request::Multi { ops }) if !ops.iter().all(is_part) => Op::Error(Code::MarshallingError),
            Body::Client(Request::Multi { ops }) => self.multi(asked, ops, allowed, zxid, time),
            Body::Client(request) => self.single(asked, request, allowed).unwrap_or_else(Op::Error),
            Body::DeleteContainer { path } => self.delete_container(path).unwrap_or_else(Op::Error),
            Body::Put { path, data } => self.put(asked, path, data).unwrap_or_else(Op::Error),
        };
        let txn = Txn { session: asked.session, cxid: asked.cxid, time, op };
        self.go_ahead(zxid, &txn);
        txn
    }

    /// The same of a reconfiguration, of which the protocol has said what it comes to.
    pub fn reconfigure(
        &mut self,
        asked: &Submitted,
        allowed: Result<(), Code>,
        next: Result<Rc<str>, Code>,
        zxid: Zxid,
        time: i64,
    ) -> Txn {
        let op = match (allowed, next) {
            (_, Err(Code::ReconfigDisabled)) => Err(Code::ReconfigDisabled),
            (Err(code), _) | (_, Err(code)) => Err(code),
            (Ok(()), Ok(config)) => self.checked(asked, CONFIG, Perms::WRITE).map(|_| Op::Reconfig { config }),
        };
        let txn = Txn { session: asked.session, cxid: asked.cxid, time, op: op.unwrap_or_else(Op::Error) };
        self.go_ahead(zxid, &txn);
        txn
    }

    fn go_ahead(&mut self, zxid: Zxid, txn: &Txn) {
        self.under_way.proposed(zxid, &txn.op, &self.ahead);
        self.ahead.apply(zxid, txn);
    }

    /// A transaction is applied at the leader: setACL holds from then on, as far as nothing else is under way.
    pub fn committed(&mut self, zxid: Zxid) {
        self.under_way.committed(zxid);
    }

    /// One request by itself, or a part of a multi. The order of the checks decides which error one gets.
    fn single(&self, asked: &Submitted, request: &Request, allowed: Result<(), Code>) -> Result<Op, Code> {
        match request {
            Request::Create { .. } => self.create(asked, request, allowed),
            Request::Delete { path, version } => {
                allowed?;
                self.delete(asked, path, *version)
            }
            Request::SetData { path, data, version } => {
                allowed?;
                let node = self.checked(asked, path, Perms::WRITE)?;
                self.check_quota(request)?;
                let version = self.next_version(node.version, *version)?;
                Ok(Op::SetData { path: path.clone(), data: data.clone(), version })
            }
            Request::SetAcl { path, acl, version } => {
                allowed?;
                check_path(path, false).map_err(|_| Code::BadArguments)?;
                let acl = fixed(acl, &asked.who)?;
                let node = self.checked(asked, path, Perms::ADMIN)?;
                let version = self.next_version(node.aversion, *version)?;
                Ok(Op::SetAcl { path: path.clone(), acl, version })
            }
            Request::Check { path, version } => {
                allowed?;
                let node = self.checked(asked, path, Perms::READ)?;
                self.next_version(node.version, *version)?;
                Ok(Op::Check { path: path.clone() })
            }
            _ => Err(Code::Unimplemented),
        }
    }

    fn checked(&self, asked: &Submitted, path: &str, wanted: Perms) -> Result<&Znode, Code> {
        check_path(path, false).map_err(|_| Code::BadArguments)?;
        let node = self.ahead.get(path).ok_or(Code::NoNode)?;
        self.check(path, node, asked, wanted)?;
        Ok(node)
    }

    fn check(&self, path: &str, node: &Znode, asked: &Submitted, wanted: Perms) -> Result<(), Code> {
        let path = if path.is_empty() { "/" } else { path };
        check(self.under_way.list(path).unwrap_or(&node.acl), &asked.who, wanted)
    }

    fn create(&self, asked: &Submitted, request: &Request, allowed: Result<(), Code>) -> Result<Op, Code> {
        let Request::Create { path, data, acl, mode, ttl, stat, flags } = request else {
            return Err(Code::SystemError);
        };
        let (mode, ttl) = match flags {
            None => (*mode, *ttl),
            Some(flag) => (CreateMode::of_flag(*flag).ok_or(Code::BadArguments)?, -1),
        };
        if mode.is_ttl() {
            if !self.limits.extended_types {
                return Err(Code::Unimplemented);
            }
            if !(1..=MAX_TTL).contains(&ttl) {
                return Err(Code::BadArguments);
            }
        }
        allowed?;
        let slash = path.rfind('/').filter(|_| !path.contains('\0')).ok_or(Code::BadArguments)?;
        let acl = fixed(acl, &asked.who)?;
        let parent = self.ahead.get(&path[..slash]).ok_or(Code::NoNode)?;
        self.check(&path[..slash], parent, asked, Perms::CREATE)?;
        let counter = self.under_way.counter(&path[..slash]).unwrap_or(parent.cversion);
        let path: Rc<str> = match mode.is_sequential() {
            true => format!("{path}{:010}", self.number_below(parent, counter)).into(),
            false => path.clone(),
        };
        check_path(&path, false).map_err(|_| Code::BadArguments)?;
        if self.ahead.get(&path).is_some() {
            return Err(Code::NodeExists);
        }
        if matches!(parent.owner, Owner::Session(_)) {
            return Err(Code::NoChildrenForEphemerals);
        }
        self.check_quota(request)?;
        // by itself a create with the flag of a container makes none; in a multi the flag decides (`Op.java` `getOpcode`)
        let by_mode = flags.is_none() || matches!(asked.body, Body::Client(Request::Multi { .. }));
        let owner = match mode {
            CreateMode::Ephemeral | CreateMode::EphemeralSequential => {
                Owner::of(asked.session, self.limits.extended_types)
            }
            CreateMode::Container if by_mode => Owner::Container,
            mode if mode.is_ttl() => Owner::Ttl(ttl),
            _ => Owner::None,
        };
        let with_stat = *stat || by_mode && (mode == CreateMode::Container || mode.is_ttl());
        let parent_cversion = counter.wrapping_add(1);
        Ok(Op::Create { path, data: data.clone(), acl, owner, parent_cversion, with_stat })
    }

    /// The number of the next sequential child: names that are gone must not come again.
    fn number_below(&self, parent: &Znode, counter: i32) -> i32 {
        match self.rules.breaks(ServiceRule::NumberByChildren) {
            true => i32::try_from(parent.children.size()).unwrap_or(i32::MAX),
            false => counter,
        }
    }

    fn delete(&self, asked: &Submitted, path: &Rc<str>, version: i32) -> Result<Op, Code> {
        let (parent_path, parent) = self.parent_of_deletable(path)?;
        self.check(parent_path, parent, asked, Perms::DELETE)?;
        let node = self.ahead.get(path).ok_or(Code::NoNode)?;
        self.next_version(node.version, version)?;
        if !node.children.is_empty() {
            return Err(Code::NotEmpty);
        }
        Ok(Op::Delete { path: path.clone() })
    }

    fn parent_of_deletable<'a>(&self, path: &'a str) -> Result<(&'a str, &Znode), Code> {
        let slash = path.rfind('/').filter(|_| !path.contains('\0') && !SPECIAL.contains(&path));
        let parent = &path[..slash.ok_or(Code::BadArguments)?];
        Ok((parent, self.ahead.get(parent).ok_or(Code::NoNode)?))
    }

    fn delete_container(&self, path: &Rc<str>) -> Result<Op, Code> {
        self.parent_of_deletable(path)?;
        let node = self.ahead.get(path).ok_or(Code::NoNode)?;
        if !node.children.is_empty() {
            return Err(Code::NotEmpty);
        }
        if matches!(node.owner, Owner::Session(_)) {
            return Err(Code::BadVersion);
        }
        Ok(Op::Delete { path: path.clone() })
    }

    fn put(&self, asked: &Submitted, path: &Rc<str>, data: &Bytes) -> Result<Op, Code> {
        check_path(path, false).map_err(|_| Code::BadArguments)?;
        match self.ahead.get(path) {
            Some(node) => {
                let version = self.next_version(node.version, -1)?;
                Ok(Op::SetData { path: path.clone(), data: Some(data.clone()), version })
            }
            None => {
                let (data, acl, mode) = (Some(data.clone()), Acl::open(), CreateMode::Persistent);
                let create =
                    Request::Create { path: path.clone(), data, acl, mode, ttl: 0, stat: false, flags: None };
                self.create(asked, &create, Ok(()))
            }
        }
    }

    /// All parts or none. Each part sees the ones before it; a failing one takes all back.
    fn multi(&mut self, asked: &Submitted, ops: &[Request], allowed: Result<(), Code>, zxid: Zxid, time: i64) -> Op {
        let before = self.clone();
        let mut done = Vec::new();
        let mut failed = None;
        for op in ops {
            match self.single(asked, op, allowed) {
                Ok(op) => {
                    self.go_ahead(zxid, &Txn { session: asked.session, cxid: asked.cxid, time, op: op.clone() });
                    done.push(op);
                }
                Err(code) => {
                    failed = Some(code);
                    break;
                }
            }
        }
        *self = before;
        if failed.is_some() && self.rules.breaks(ServiceRule::MultiForgetsParent) {
            self.keep_counters(&done);
        }
        match failed {
            None => Op::Multi(done),
            Some(code) if self.rules.breaks(ServiceRule::MultiHalfApplied) => {
                done.push(Op::Error(code));
                done.resize(ops.len(), Op::Error(Code::RuntimeInconsistency));
                Op::Multi(done)
            }
            Some(code) => {
                let mut codes = vec![Code::Ok; done.len()];
                codes.push(code);
                codes.resize(ops.len(), Code::RuntimeInconsistency);
                Op::FailedMulti(codes)
            }
        }
    }

    /// What was created is taken back, and its parents count it all the same.
    fn keep_counters(&mut self, taken_back: &[Op]) {
        for op in taken_back {
            if let Op::Create { path, parent_cversion, .. } = op
                && let Some(path) = parent_of(path)
                && let Ok(mut parent) = self.ahead.owned(path)
            {
                parent.cversion = *parent_cversion;
                self.ahead.put(path.into(), parent);
            }
        }
    }

    /// Ends a session, known or not. The order of the deletions is that of a hash table; it is part of the transaction.
    fn close_session(&self, session: SessionId) -> Op {
        if self.rules.breaks(ServiceRule::EphemeralsStay) {
            return Op::CloseSession { paths: Vec::new() };
        }
        Op::CloseSession { paths: self.ahead.ephemerals_cloned(session) }
    }

    /// The version after this one, if the expected one is right; -1 is skipped, because it means any (ZOOKEEPER-4743, in master
    /// only; it takes four thousand million writes to get there).
    fn next_version(&self, current: i32, expected: i32) -> Result<i32, Code> {
        let right = expected == -1 || expected == current || self.rules.breaks(ServiceRule::VersionNotCompared);
        if !right {
            return Err(Code::BadVersion);
        }
        Ok(match current.wrapping_add(1) {
            -1 if !self.rules.breaks(Way::MinusOneCounted) => 0,
            next => next,
        })
    }
}

/// What a multi may hold (`MultiOperationRecord.java`); a server that reads anything else in it refuses the whole. Parts that
/// read could stand there by themselves, but no transaction can be made of them.
fn is_part(op: &Request) -> bool {
    match op {
        Request::Create { flags, .. } => {
            flags.is_none_or(|flag| CreateMode::of_flag(flag).is_some_and(|mode| !mode.is_ttl()))
        }
        Request::Delete { .. } | Request::SetData { .. } | Request::Check { .. } => true,
        _ => false,
    }
}
