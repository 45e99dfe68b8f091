//! Transactions: what the leader makes of a request, and all that servers apply (`TxnHeader`, the `…Txn` records).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

use crate::base::SessionId;
use crate::wire::{Acl, Code, Data};

use super::node::Owner;
use super::tree::CONFIG;

/// A transaction: its header without the zxid, which is its place in the order, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Txn {
    /// The session whose request it was; none for what servers do by themselves.
    pub session: SessionId,
    /// The request's xid in that session.
    pub cxid: i32,
    /// The leader's wall clock, ms.
    pub time: i64,
    /// What it does.
    pub op: Op,
}

/// What a transaction does. It states results, not questions: every server comes to the same state by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Op {
    /// A session begins.
    CreateSession {
        /// Its timeout, ms.
        timeout_ms: u32,
    },
    /// A session ends, and its ephemerals with it.
    CloseSession {
        /// Those ephemerals.
        paths: Vec<Rc<str>>,
    },
    /// A znode is created.
    Create {
        /// The whole path, with its number.
        path: Rc<str>,
        /// Its data.
        data: Data,
        /// Who may do what.
        acl: Rc<[Acl]>,
        /// What its life hangs on.
        owner: Owner,
        /// The parent's stored cversion from now on.
        parent_cversion: i32,
        /// Whether the answer carries the Stat (the request was create2, createContainer or createTTL).
        with_stat: bool,
    },
    /// A znode is deleted.
    Delete {
        /// The znode's path.
        path: Rc<str>,
    },
    /// Data is set.
    SetData {
        /// The znode's path.
        path: Rc<str>,
        /// The data.
        data: Data,
        /// Its version from now on.
        version: i32,
    },
    /// An access control list is set.
    SetAcl {
        /// The znode's path.
        path: Rc<str>,
        /// The list.
        acl: Rc<[Acl]>,
        /// Its version from now on.
        version: i32,
    },
    /// The ensemble is reconfigured: this is the text of `/zookeeper/config` from now on.
    Reconfig {
        /// The configuration.
        config: Rc<str>,
    },
    /// A version was compared, and it was right.
    Check {
        /// The znode's path.
        path: Rc<str>,
    },
    /// All of these.
    Multi(Vec<Op>),
    /// None of the parts of a multi: with a code for each.
    FailedMulti(Vec<Code>),
    /// Nothing: the request was refused. It took a zxid all the same.
    Error(Code),
}

impl fmt::Display for Txn {
    /// Short and in words: what facts carry. Long data is cut to its length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.session == SessionId::NONE {
            return write!(f, "{}", self.op);
        }
        match &self.op {
            Op::CreateSession { .. } | Op::CloseSession { .. } => write!(f, "{} {}", self.op, self.session),
            op => write!(f, "{op} ({}#{})", self.session, self.cxid),
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::CreateSession { timeout_ms } => write!(f, "createSession {timeout_ms} ms"),
            Op::CloseSession { paths } if paths.is_empty() => write!(f, "closeSession"),
            Op::CloseSession { paths } => write!(f, "closeSession -{}", paths.join(" -")),
            Op::Create { path, data, owner, .. } => write!(f, "create {path}{}{owner}", Short(data)),
            Op::Delete { path } => write!(f, "delete {path}"),
            Op::SetData { path, data, version } => write!(f, "setData {path}{} version {version}", Short(data)),
            Op::SetAcl { path, acl, version } => {
                write!(f, "setACL {path}")?;
                acl.iter().try_for_each(|acl| write!(f, " {}:{}", acl.who, acl.perms))?;
                write!(f, " aversion {version}")
            }
            Op::Reconfig { config } => write!(f, "reconfig {}", config.replace('\n', " ")),
            Op::Check { path } => write!(f, "check {path}"),
            Op::Multi(ops) => {
                write!(f, "multi")?;
                ops.iter().try_for_each(|op| write!(f, " [{op}]"))
            }
            Op::FailedMulti(codes) => {
                write!(f, "error multi")?;
                codes.iter().try_for_each(|code| write!(f, " {code}"))
            }
            Op::Error(code) => write!(f, "error {code}"),
        }
    }
}

/// Data in a line of facts: whole when short, else its length and a hash by which two can be told apart.
struct Short<'a>(&'a Data);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(data) if data.len() <= 64 => write!(f, " {data:?}"),
            Some(data) => write!(f, " {} bytes #{:016x}", data.len(), hash(data)),
        }
    }
}

fn hash(data: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = siphasher::sip::SipHasher24::new();
    hasher.write(data);
    hasher.finish()
}

impl Op {
    /// Its record's length in the log and in a proposal, bytes (the `…Txn` records of `zookeeper.jute`).
    pub fn bytes(&self) -> u64 {
        let text = |text: &str| 4 + text.len();
        let data = |data: &Data| 4 + data.as_ref().map_or(0, |data| data.len());
        let length = match self {
            Op::CreateSession { .. } | Op::Error(_) => 4,
            Op::CloseSession { paths } => 4 + paths.iter().map(|path| text(path)).sum::<usize>(),
            Op::Create { path, data: bytes, acl, owner, .. } => {
                let kind = match owner {
                    Owner::None | Owner::Session(_) => 1,
                    Owner::Container => 0,
                    Owner::Ttl(_) => 8,
                };
                text(path) + data(bytes) + Acl::bytes(acl) + 4 + kind
            }
            Op::SetData { path, data: bytes, .. } => text(path) + data(bytes) + 4,
            Op::SetAcl { path, acl, .. } => text(path) + Acl::bytes(acl) + 4,
            Op::Delete { path } => text(path),
            Op::Check { path } => text(path) + 4,
            Op::Reconfig { config } => text(CONFIG) + text(config) + 4,
            Op::Multi(ops) => return 4 + ops.iter().map(|op| 8 + op.bytes()).sum::<u64>(),
            Op::FailedMulti(codes) => 4 + 12 * codes.len(),
        };
        length as u64
    }
}

impl Txn {
    /// Its length in a proposal, bytes: a header of 32, the record, and a digest of the tree of 12, which nothing but a refusal
    /// goes without (`Util.java` `marshallTxnEntry`, `PrepRequestProcessor.java` `setTxnDigest`).
    pub fn bytes(&self) -> u64 {
        let digest = if matches!(self.op, Op::Error(_)) { 0 } else { 12 };
        32 + self.op.bytes() + digest
    }
}
