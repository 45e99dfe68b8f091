//! Answers to requests (`zookeeper.jute`, the `…Response` records).

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use super::Data;
use super::acl::{Acl, AuthId};
use super::code::Code;
use super::stat::Stat;

/// What a request came to.
pub type Outcome = Result<Answer, Code>;

/// The answer to a request that went well.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Done; nothing to tell (delete, check, addWatch, removeWatches, setWatches, auth).
    Done,
    /// The real path (create, sync).
    Path(Rc<str>),
    /// The real path and the new Stat (create2, and the others that give a Stat back).
    Created {
        /// The path with its number.
        path: Rc<str>,
        /// The new znode's Stat.
        stat: Stat,
    },
    /// The Stat (exists, setData, setACL).
    Stat(Stat),
    /// Data and Stat (getData).
    Data {
        /// The data.
        data: Data,
        /// The Stat.
        stat: Stat,
    },
    /// Names of the children, in no order to rely on; with the Stat where it was asked for (getChildren, getChildren2).
    Children {
        /// The names.
        names: Vec<Rc<str>>,
        /// The parent's Stat.
        stat: Option<Stat>,
    },
    /// The list and the Stat (getACL).
    Acl {
        /// The list.
        acl: Vec<Acl>,
        /// The Stat.
        stat: Stat,
    },
    /// A number (getAllChildrenNumber).
    Number(i32),
    /// Paths in order (getEphemerals).
    Paths(Vec<Rc<str>>),
    /// Schemes and users, without what proves them (whoAmI).
    Identities(Vec<AuthId>),
    /// One result for each part (multi, multiRead). A multi that failed has only errors: `Ok` before the part that
    /// failed, `RuntimeInconsistency` behind it.
    Multi(Vec<Outcome>),
}

impl Answer {
    /// The error that the Java client throws for this answer: the first real one of a multi that failed.
    pub fn thrown(&self) -> Option<Code> {
        match self {
            Answer::Multi(parts) if parts.iter().all(Result::is_err) => {
                parts.iter().filter_map(|part| part.as_ref().err().copied()).find(|code| *code != Code::Ok)
            }
            _ => None,
        }
    }
}
