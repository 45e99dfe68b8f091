//! One record of a transaction log: what a transaction says (`TxnHeader`, the `…Txn` records of `zookeeper.jute`, `TxnDigest`).

use std::borrow::Cow;
use std::fmt;

use zabscope_ground::base::{SessionId, Zxid};

use crate::jute::{Jute, Unreadable};

/// The number of a kind of transaction (`ZooDefs.java` `OpCode`).
pub mod kind {
    #![allow(missing_docs)] // the names are the documentation: those of OpCode
    pub const CREATE_SESSION: i32 = -10;
    pub const CLOSE_SESSION: i32 = -11;
    pub const ERROR: i32 = -1;
    pub const CREATE: i32 = 1;
    pub const DELETE: i32 = 2;
    pub const SET_DATA: i32 = 5;
    pub const SET_ACL: i32 = 7;
    pub const CHECK: i32 = 13;
    pub const MULTI: i32 = 14;
    pub const CREATE2: i32 = 15;
    pub const RECONFIG: i32 = 16;
    pub const CREATE_CONTAINER: i32 = 19;
    pub const DELETE_CONTAINER: i32 = 20;
    pub const CREATE_TTL: i32 = 21;

    /// Its name there.
    pub fn name(kind: i32) -> &'static str {
        match kind {
            CREATE_SESSION => "createSession",
            CLOSE_SESSION => "closeSession",
            ERROR => "error",
            CREATE => "create",
            DELETE => "delete",
            SET_DATA => "setData",
            SET_ACL => "setACL",
            CHECK => "check",
            MULTI => "multi",
            CREATE2 => "create2",
            RECONFIG => "reconfig",
            CREATE_CONTAINER => "createContainer",
            DELETE_CONTAINER => "deleteContainer",
            CREATE_TTL => "createTTL",
            _ => "unknown",
        }
    }
}

/// The tree's digest after a transaction, as whoever made it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// How it was calculated: 2.
    pub version: i32,
    /// The sum.
    pub sum: u64,
}

/// A transaction as it stands in a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<'a> {
    /// The session whose request it was.
    pub session: SessionId,
    /// The request's xid in that session.
    pub cxid: i32,
    /// Its place in the order.
    pub zxid: Zxid,
    /// The leader's clock, ms since 1970.
    pub time: i64,
    /// What kind it is: see [`kind`].
    pub kind: i32,
    /// What it does.
    pub body: Body<'a>,
    /// The tree's digest after it; those before 3.6 have none, and refusals.
    pub digest: Option<Digest>,
    /// Its length without that, bytes.
    pub length: usize,
}

/// A list of permissions, as it is encoded: two that are the same have the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AclBytes<'a>(pub &'a [u8]);

/// What a znode's life hangs on, in one number (`EphemeralType.java`).
pub const CONTAINER: u64 = 0x8000_0000_0000_0000;
/// The byte before the milliseconds of a node with a time to live.
pub const TTL: u64 = 0xff00_0000_0000_0000;

/// What a transaction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Body<'a> {
    /// A session begins.
    CreateSession {
        /// Its timeout, ms.
        timeout: i32,
    },
    /// A session ends.
    CloseSession {
        /// Its ephemerals; before 3.6 it does not say which.
        paths: Option<Vec<Cow<'a, str>>>,
    },
    /// A znode is created.
    Create {
        /// Its path.
        path: Cow<'a, str>,
        /// Its data.
        data: Option<&'a [u8]>,
        /// Who may do what.
        acl: AclBytes<'a>,
        /// 0, the session, [`CONTAINER`], or [`TTL`] and milliseconds.
        owner: u64,
        /// The parent's cversion from now on; ZooKeeper 3.3 does not say it: one more than before.
        parent_cversion: Option<i32>,
    },
    /// A znode is deleted.
    Delete {
        /// Its path.
        path: Cow<'a, str>,
    },
    /// Data is set; that of `/zookeeper/config` by a reconfig.
    SetData {
        /// The znode's path.
        path: Cow<'a, str>,
        /// The data.
        data: Option<&'a [u8]>,
        /// Its version from now on.
        version: i32,
    },
    /// A list of permissions is set.
    SetAcl {
        /// The znode's path.
        path: Cow<'a, str>,
        /// The list.
        acl: AclBytes<'a>,
        /// Its version from now on.
        version: i32,
    },
    /// A version was compared.
    Check {
        /// The znode's path.
        path: Cow<'a, str>,
        /// One more than the version that it was compared with.
        version: i32,
    },
    /// All of these, or none where one of them is an error.
    Multi(Vec<(i32, Body<'a>)>),
    /// The request was refused.
    Error(i32),
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadRecord {
    /// Its bytes end too early, or a length in it is none.
    Unreadable,
    /// A kind of transaction that there is not.
    Kind(i32),
}

impl From<Unreadable> for BadRecord {
    fn from(_: Unreadable) -> BadRecord {
        BadRecord::Unreadable
    }
}

/// Parts of a multi do not hold multis: nothing writes them.
const DEEPEST: usize = 1;

impl<'a> Record<'a> {
    /// Reads the bytes of a record (`SerializeUtils.java` `deserializeTxn`).
    ///
    /// # Errors
    /// They are no record.
    pub fn read(bytes: &'a [u8]) -> Result<Record<'a>, BadRecord> {
        let mut jute = Jute::new(bytes);
        let session = SessionId(jute.long()?.cast_unsigned());
        let (cxid, zxid, time) = (jute.int()?, Zxid(jute.long()?.cast_unsigned()), jute.long()?);
        let kind = jute.int()?;
        let body = body(&mut jute, kind, session, 0)?;
        let length = jute.at();
        let digest = jute.int().and_then(|version| Ok(Digest { version, sum: jute.long()?.cast_unsigned() })).ok();
        Ok(Record { session, cxid, zxid, time, kind, body, digest, length })
    }

    /// Whether it changes nothing but the zxid.
    pub fn is_refusal(&self) -> bool {
        match &self.body {
            Body::Error(_) => true,
            Body::Multi(parts) => parts.iter().any(|(_, part)| matches!(part, Body::Error(_))),
            _ => false,
        }
    }
}

/// Short: `create /a`. Of a multi the parts, of an error its code.
impl fmt::Display for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        told(f, self.kind, &self.body)?;
        match &self.body {
            Body::CreateSession { .. } | Body::CloseSession { .. } => write!(f, " {}", self.session),
            _ => Ok(()),
        }
    }
}

fn told(f: &mut fmt::Formatter<'_>, kind: i32, body: &Body) -> fmt::Result {
    f.write_str(kind::name(kind))?;
    match body {
        Body::CreateSession { .. } | Body::CloseSession { .. } => Ok(()),
        Body::Create { path, .. } | Body::Delete { path } => write!(f, " {path}"),
        Body::SetData { path, version, .. } | Body::SetAcl { path, version, .. } => {
            write!(f, " {path} version {version}")
        }
        Body::Check { path, version } => write!(f, " {path} version {}", version.wrapping_sub(1)),
        Body::Error(code) => write!(f, " {code}"),
        Body::Multi(parts) => parts.iter().try_for_each(|(kind, body)| {
            f.write_str(" [")?;
            told(f, *kind, body)?;
            f.write_str("]")
        }),
    }
}

fn body<'a>(jute: &mut Jute<'a>, kind: i32, session: SessionId, depth: usize) -> Result<Body<'a>, BadRecord> {
    Ok(match kind {
        kind::CREATE_SESSION => Body::CreateSession { timeout: jute.int()? },
        kind::CLOSE_SESSION => Body::CloseSession { paths: closed(jute)? },
        kind::ERROR => Body::Error(jute.int()?),
        kind::CREATE | kind::CREATE2 | kind::CREATE_CONTAINER | kind::CREATE_TTL => create(jute, kind, session)?,
        kind::DELETE | kind::DELETE_CONTAINER => Body::Delete { path: jute.text()? },
        kind::SET_DATA | kind::RECONFIG => {
            Body::SetData { path: jute.text()?, data: jute.buffer()?, version: jute.int()? }
        }
        kind::SET_ACL => Body::SetAcl { path: jute.text()?, acl: acl(jute)?, version: jute.int()? },
        kind::CHECK => Body::Check { path: jute.text()?, version: jute.int()? },
        kind::MULTI if depth < DEEPEST => {
            let count = jute.count(8)?;
            let part = |_| {
                let kind = jute.int()?;
                let bytes = jute.buffer()?.unwrap_or_default();
                Ok((kind, body(&mut Jute::new(bytes), kind, session, depth + 1)?))
            };
            (0..count).map(part).collect::<Result<_, BadRecord>>().map(Body::Multi)?
        }
        other => return Err(BadRecord::Kind(other)),
    })
}

/// The end of a session says which ephemerals go, or nothing; behind nothing there may be a digest.
fn closed<'a>(jute: &mut Jute<'a>) -> Result<Option<Vec<Cow<'a, str>>>, Unreadable> {
    const DIGEST: usize = 12;
    // two paths would take more
    let is_digest = jute.rest().len() == DIGEST && jute.rest().starts_with(&[0, 0, 0, 2]);
    if jute.rest().is_empty() || is_digest {
        return Ok(None);
    }
    let count = jute.count(4)?;
    (0..count).map(|_| jute.text()).collect::<Result<_, _>>().map(Some)
}

fn create<'a>(jute: &mut Jute<'a>, kind: i32, session: SessionId) -> Result<Body<'a>, Unreadable> {
    let (path, data, acl) = (jute.text()?, jute.buffer()?, acl(jute)?);
    let is_ephemeral = matches!(kind, kind::CREATE | kind::CREATE2) && jute.bool()?;
    let parent_cversion = match jute.rest() {
        [] if kind == kind::CREATE => None,
        _ => Some(jute.int()?).filter(|cversion| *cversion != -1),
    };
    let owner = match kind {
        kind::CREATE_CONTAINER => CONTAINER,
        kind::CREATE_TTL => TTL | jute.long()?.cast_unsigned(),
        _ if is_ephemeral => session.0,
        _ => 0,
    };
    Ok(Body::Create { path, data, acl, owner, parent_cversion })
}

/// A list of permissions, read over.
pub(crate) fn acl<'a>(jute: &mut Jute<'a>) -> Result<AclBytes<'a>, Unreadable> {
    let from = jute.at();
    for _ in 0..jute.count(12)? {
        jute.int()?;
        jute.buffer()?;
        jute.buffer()?;
    }
    Ok(AclBytes(jute.since(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of a kind: session 1, cxid 2, zxid 0x300000004, time 5.
    fn record(kind: i32, body: &[u8]) -> Vec<u8> {
        let mut bytes = 1_i64.to_be_bytes().to_vec();
        bytes.extend(2_i32.to_be_bytes());
        bytes.extend(0x3_0000_0004_i64.to_be_bytes());
        bytes.extend(5_i64.to_be_bytes());
        bytes.extend(kind.to_be_bytes());
        bytes.extend(body);
        bytes
    }

    fn text(text: &str) -> Vec<u8> {
        [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat()
    }

    const DIGEST: [u8; 12] = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9];
    const NINE: Option<Digest> = Some(Digest { version: 2, sum: 9 });

    #[test]
    fn the_end_of_a_session_comes_in_four_forms() {
        let paths = [&[0, 0, 0, 1][..], &text("/a")].concat();
        for (body, expected, digest) in [
            (vec![], None, None),
            (DIGEST.to_vec(), None, NINE),
            (paths.clone(), Some(vec!["/a".into()]), None),
            ([&paths[..], &DIGEST].concat(), Some(vec!["/a".into()]), NINE),
        ] {
            let bytes = record(kind::CLOSE_SESSION, &body);
            let read = Record::read(&bytes).unwrap();
            assert_eq!((read.body, read.digest), (Body::CloseSession { paths: expected }, digest), "{body:?}");
        }
    }

    #[test]
    fn a_create_of_old_does_not_say_the_parents_cversion() {
        let acl = [&[0, 0, 0, 1, 0, 0, 0, 31][..], &text("world"), &text("anyone")].concat();
        let body = [&text("/a")[..], &[0xff; 4], &acl, &[1]].concat();
        let of = |parent_cversion| Body::Create {
            path: "/a".into(),
            data: None,
            acl: AclBytes(&acl),
            owner: 1,
            parent_cversion,
        };
        assert_eq!(Record::read(&record(kind::CREATE, &body)).unwrap().body, of(None));
        let newer = record(kind::CREATE, &[&body[..], &[0, 0, 0, 7], &DIGEST].concat());
        assert_eq!(Record::read(&newer).map(|read| (read.body.clone(), read.digest)).unwrap(), (of(Some(7)), NINE));
        let cut = record(kind::CREATE2, &body);
        assert_eq!(Record::read(&cut), Err(BadRecord::Unreadable));
    }

    #[test]
    fn a_failed_multi_keeps_what_came_before_the_failure() {
        let part =
            |kind: i32, body: &[u8]| [&kind.to_be_bytes()[..], &(body.len() as u32).to_be_bytes(), body].concat();
        let check = [&text("/a")[..], &[0, 0, 0, 8]].concat();
        let parts = [part(kind::CHECK, &check), part(kind::ERROR, &[0xff; 4])].concat();
        let bytes = record(kind::MULTI, &[&[0, 0, 0, 2][..], &parts].concat());
        let read = Record::read(&bytes).unwrap();
        assert!(read.is_refusal());
        let expected = [(kind::CHECK, Body::Check { path: "/a".into(), version: 8 }), (kind::ERROR, Body::Error(-1))];
        assert_eq!(read.to_string(), "multi [check /a version 7] [error -1]");
        assert_eq!((read.body, read.zxid), (Body::Multi(expected.to_vec()), Zxid::new(3, 4)));
        let nested = record(kind::MULTI, &[&[0, 0, 0, 1][..], &part(kind::MULTI, &[0; 4])].concat());
        assert_eq!(Record::read(&nested), Err(BadRecord::Kind(kind::MULTI)));
    }
}
