//! What a client is told about a znode (`zookeeper.jute` `Stat`).

use serde::{Deserialize, Serialize};

use crate::base::{SessionId, Zxid};

/// A znode's Stat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stat {
    /// The transaction that created it.
    pub czxid: Zxid,
    /// The transaction that last set its data.
    pub mzxid: Zxid,
    /// When it was created: ms of the leader's wall clock.
    pub ctime: i64,
    /// When its data was last set: ms of the leader's wall clock.
    pub mtime: i64,
    /// How often its data was set.
    pub version: i32,
    /// How often its children changed: creations and deletions.
    pub cversion: i32,
    /// How often its ACL was set.
    pub aversion: i32,
    /// The session that it goes with; 0 for all that are not ephemeral.
    pub ephemeral_owner: SessionId,
    /// The length of its data, bytes.
    pub data_length: i32,
    /// How many children it has.
    pub num_children: i32,
    /// The transaction that last created or deleted a child.
    pub pzxid: Zxid,
}
