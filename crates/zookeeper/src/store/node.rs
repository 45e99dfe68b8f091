//! One znode (`DataNode.java`, `StatPersisted`).

use rpds::RedBlackTreeSet;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

use crate::base::{SessionId, Zxid};
use crate::wire::{Acl, Data, Stat};

/// What a znode's life hangs on (`EphemeralType.java`; there it is all in one number).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// Nothing: it stays until it is deleted.
    #[default]
    None,
    /// A session.
    Session(SessionId),
    /// Its children: a container goes after the last of them.
    Container,
    /// A time without change and without children, ms.
    Ttl(i64),
}

impl Owner {
    /// A session as an ephemeral's owner (`EphemeralType.java` `get`). What begins with 255 and two zeros is a time to live, where there
    /// are such nodes; so do the sessions that a server with the id 255 gives out in the first 2^24 ms (4.7 hours) of its machine.
    pub fn of(session: SessionId, extended_types: bool) -> Owner {
        const VALUE: u64 = 0xff_ffff_ffff;
        match session.0 & !VALUE {
            0xff00_0000_0000_0000 if extended_types => Owner::Ttl((session.0 & VALUE) as i64),
            _ => Owner::Session(session),
        }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Owner::None => Ok(()),
            Owner::Session(session) => write!(f, " owner {session}"),
            Owner::Container => write!(f, " container"),
            Owner::Ttl(ttl) => write!(f, " ttl {ttl}"),
        }
    }
}

/// A znode without its name.
#[derive(Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
pub struct Znode {
    /// Its data.
    pub data: Data,
    /// Who may do what.
    pub acl: Rc<[Acl]>,
    /// What its life hangs on.
    pub owner: Owner,
    /// The transaction that created it.
    pub czxid: Zxid,
    /// The transaction that last set its data.
    pub mzxid: Zxid,
    /// When it was created, ms.
    pub ctime: i64,
    /// When its data was last set, ms.
    pub mtime: i64,
    /// How often its data was set.
    pub version: i32,
    /// How many children were ever created: the source of sequential numbers. What clients see is
    /// `2 * cversion - children`.
    pub cversion: i32,
    /// How often its ACL was set.
    pub aversion: i32,
    /// The transaction that last created or deleted a child.
    pub pzxid: Zxid,
    /// The names of its children; in a text its parent does not say them.
    #[serde(skip)]
    pub children: RedBlackTreeSet<Rc<str>>,
}

impl Znode {
    /// A znode as a create transaction makes it.
    pub fn new(data: Data, acl: Rc<[Acl]>, owner: Owner, zxid: Zxid, time: i64) -> Znode {
        Znode {
            data,
            acl,
            owner,
            czxid: zxid,
            mzxid: zxid,
            ctime: time,
            mtime: time,
            version: 0,
            cversion: 0,
            aversion: 0,
            pzxid: zxid,
            children: RedBlackTreeSet::new(),
        }
    }

    /// What a client is told (`copyStat`).
    pub fn stat(&self) -> Stat {
        let children = i32::try_from(self.children.size()).unwrap_or(i32::MAX);
        Stat {
            czxid: self.czxid,
            mzxid: self.mzxid,
            ctime: self.ctime,
            mtime: self.mtime,
            version: self.version,
            cversion: self.cversion.wrapping_mul(2).wrapping_sub(children),
            aversion: self.aversion,
            ephemeral_owner: match self.owner {
                Owner::Session(session) => session,
                _ => SessionId::NONE,
            },
            data_length: self.data.as_ref().map_or(0, |data| i32::try_from(data.len()).unwrap_or(i32::MAX)),
            num_children: children,
            pzxid: self.pzxid,
        }
    }
}
