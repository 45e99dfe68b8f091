//! Requests of clients (`zookeeper.jute`, `ZooDefs.java` `OpCode`).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

use crate::base::Zxid;
use crate::base::json::{ReadError, ValueError, at_most, few, short};
use crate::base::limits::{MAX_ACL, MAX_DATA_BYTES, MAX_MULTI_OPS, MAX_PATH_BYTES};

use super::Data;
use super::acl::Acl;
use super::mode::CreateMode;

/// How long a watch lasts and how far it sees (`AddWatchMode.java`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AddWatchMode {
    /// Stays when it has fired; data and children of one znode.
    Persistent,
    /// The same for the znode and everything below it, without `NodeChildrenChanged`.
    PersistentRecursive,
}

/// Which watches (`Watcher.java` `WatcherType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WatcherType {
    /// Those set by getChildren.
    Children,
    /// Those set by getData and exists.
    Data,
    /// Those set by addWatch for one znode; since 3.9.0.
    Persistent,
    /// Those set by addWatch for a whole subtree; since 3.9.0.
    PersistentRecursive,
    /// All on the path.
    Any,
}

/// A request. In JSON: `{"op":"create","path":"/a","data":"x","mode":"EPHEMERAL"}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "op", rename_all = "camelCase")]
pub enum Request {
    /// create, create2, createContainer or createTTL, after `mode` and `stat`.
    Create {
        /// Where; a sequential node's number comes behind it.
        path: Rc<str>,
        /// The data; null where it is left out.
        data: Data,
        /// Who may do what; everybody everything where it is left out.
        #[serde(skip_serializing_if = "is_open")]
        acl: Vec<Acl>,
        /// The kind of node.
        mode: CreateMode,
        /// The time to live, ms, for the modes that have one.
        #[serde(skip_serializing_if = "is_zero")]
        ttl: i64,
        /// Whether the Stat is wanted back (create2).
        #[serde(skip_serializing_if = "is_false")]
        stat: bool,
        /// A raw flag in the place of `mode`: what only a client that breaks the rules sends.
        #[serde(skip_serializing_if = "Option::is_none")]
        flags: Option<i32>,
    },
    /// Deletes a node without children.
    Delete {
        /// The znode's path.
        path: Rc<str>,
        /// The version it must have; -1 for any.
        version: i32,
    },
    /// The Stat, if the node is there.
    Exists {
        /// The znode's path.
        path: Rc<str>,
        /// Whether to set a watch, node or not.
        #[serde(skip_serializing_if = "is_false")]
        watch: bool,
    },
    /// Data and Stat.
    GetData {
        /// The znode's path.
        path: Rc<str>,
        /// Whether to set a data watch.
        #[serde(skip_serializing_if = "is_false")]
        watch: bool,
    },
    /// Sets the data.
    SetData {
        /// The znode's path.
        path: Rc<str>,
        /// The data.
        data: Data,
        /// The version it must have; -1 for any.
        version: i32,
    },
    /// The access control list.
    #[serde(rename = "getACL")]
    GetAcl {
        /// The znode's path.
        path: Rc<str>,
    },
    /// Sets the access control list.
    #[serde(rename = "setACL")]
    SetAcl {
        /// The znode's path.
        path: Rc<str>,
        /// The list.
        acl: Vec<Acl>,
        /// The ACL version it must have; -1 for any.
        version: i32,
    },
    /// The children's names.
    GetChildren {
        /// The znode's path.
        path: Rc<str>,
        /// Whether to set a child watch.
        #[serde(skip_serializing_if = "is_false")]
        watch: bool,
        /// Whether the Stat is wanted too (getChildren2).
        #[serde(skip_serializing_if = "is_false")]
        stat: bool,
    },
    /// How many nodes there are below.
    GetAllChildrenNumber {
        /// Below which.
        path: Rc<str>,
    },
    /// The ephemerals of the own session.
    GetEphemerals {
        /// Those that begin with this.
        #[serde(rename = "path")]
        prefix: Rc<str>,
    },
    /// Waits until the server has what the leader had when it got this.
    Sync {
        /// Given back, without meaning.
        path: Rc<str>,
    },
    /// Changes who belongs to the ensemble (`ZooKeeperAdmin.reconfigure`): by who joins and who leaves, or as a whole.
    Reconfig {
        /// Servers that join or change, as in a configuration file, between commas.
        #[serde(skip_serializing_if = "Option::is_none")]
        joining: Option<Rc<str>>,
        /// The ids of those that leave, between commas.
        #[serde(skip_serializing_if = "Option::is_none")]
        leaving: Option<Rc<str>>,
        /// The whole new configuration instead.
        #[serde(rename = "newMembers", skip_serializing_if = "Option::is_none")]
        members: Option<Rc<str>>,
        /// The version that the configuration must have; -1 for any.
        #[serde(rename = "curConfigId")]
        version: i64,
    },
    /// Compares the version; only in a multi.
    Check {
        /// Which node.
        path: Rc<str>,
        /// The version it must have; -1 for any.
        version: i32,
    },
    /// Create, delete, setData and check: all or nothing.
    Multi {
        /// The parts.
        ops: Vec<Request>,
    },
    /// getData and getChildren at one moment; each may fail by itself.
    MultiRead {
        /// The parts.
        ops: Vec<Request>,
    },
    /// Sets a watch that stays.
    AddWatch {
        /// The path that is watched.
        path: Rc<str>,
        /// How far it sees.
        mode: AddWatchMode,
    },
    /// Removes the watches of this connection.
    RemoveWatches {
        /// The path that is watched.
        path: Rc<str>,
        /// Data, child, or any watch.
        #[serde(rename = "type")]
        kind: WatcherType,
    },
    /// Whether this connection has such a watch.
    CheckWatches {
        /// The path that is watched.
        path: Rc<str>,
        /// Data, child, or any watch.
        #[serde(rename = "type")]
        kind: WatcherType,
    },
    /// Sets watches again after a reconnection (setWatches, setWatches2); the client library sends it by itself.
    SetWatches(SetWatches),
    /// Who the server takes this connection for.
    #[serde(rename = "whoAmI")]
    WhoAmI,
    /// Closes the session; the client library sends it when it is closed.
    CloseSession,
}

/// The watches of a client that connects again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SetWatches {
    /// The last zxid in an answer to this client: later changes have been missed.
    #[serde(rename = "relativeZxid")]
    pub relative_zxid: Zxid,
    /// Set by getData, and by exists on a node that was there.
    pub data: Vec<Rc<str>>,
    /// Set by exists on a node that was not there.
    pub exist: Vec<Rc<str>>,
    /// Set by getChildren.
    pub child: Vec<Rc<str>>,
    /// Persistent.
    pub persistent: Vec<Rc<str>>,
    /// Persistent and recursive.
    #[serde(rename = "persistentRecursive")]
    pub recursive: Vec<Rc<str>>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &i64) -> bool {
    *value == 0
}

fn is_open(acl: &[Acl]) -> bool {
    acl == Acl::open()
}

impl Request {
    /// The operation's name in the words of `ZooDefs.OpCode`.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Create { mode: CreateMode::Container, flags: None, .. } => "createContainer",
            Request::Create { mode, flags: None, .. } if mode.is_ttl() => "createTTL",
            Request::Create { stat: true, .. } => "create2",
            Request::Create { .. } => "create",
            Request::Delete { .. } => "delete",
            Request::Exists { .. } => "exists",
            Request::GetData { .. } => "getData",
            Request::SetData { .. } => "setData",
            Request::GetAcl { .. } => "getACL",
            Request::SetAcl { .. } => "setACL",
            Request::GetChildren { stat: false, .. } => "getChildren",
            Request::GetChildren { .. } => "getChildren2",
            Request::GetAllChildrenNumber { .. } => "getAllChildrenNumber",
            Request::GetEphemerals { .. } => "getEphemerals",
            Request::Sync { .. } => "sync",
            Request::Reconfig { .. } => "reconfig",
            Request::Check { .. } => "check",
            Request::Multi { .. } => "multi",
            Request::MultiRead { .. } => "multiRead",
            Request::AddWatch { .. } => "addWatch",
            Request::RemoveWatches { .. } => "removeWatches",
            Request::CheckWatches { .. } => "checkWatches",
            Request::SetWatches(watches) if watches.persistent.is_empty() && watches.recursive.is_empty() => {
                "setWatches"
            }
            Request::SetWatches(_) => "setWatches2",
            Request::WhoAmI => "whoAmI",
            Request::CloseSession => "closeSession",
        }
    }

    /// The path it is about; empty where there is none.
    pub fn path(&self) -> &str {
        match self {
            Request::Create { path, .. }
            | Request::Delete { path, .. }
            | Request::Exists { path, .. }
            | Request::GetData { path, .. }
            | Request::SetData { path, .. }
            | Request::GetAcl { path }
            | Request::SetAcl { path, .. }
            | Request::GetChildren { path, .. }
            | Request::GetAllChildrenNumber { path }
            | Request::GetEphemerals { prefix: path }
            | Request::Sync { path }
            | Request::Check { path, .. }
            | Request::AddWatch { path, .. }
            | Request::RemoveWatches { path, .. }
            | Request::CheckWatches { path, .. } => path,
            Request::Reconfig { .. }
            | Request::Multi { .. }
            | Request::MultiRead { .. }
            | Request::SetWatches(_)
            | Request::WhoAmI
            | Request::CloseSession => "",
        }
    }

    /// Whether it becomes a transaction: then it goes to the leader and takes a zxid, refused or not.
    pub fn is_write(&self) -> bool {
        matches!(
            self,
            Request::Create { .. }
                | Request::Delete { .. }
                | Request::SetData { .. }
                | Request::SetAcl { .. }
                | Request::Reconfig { .. }
                | Request::Check { .. }
                | Request::Multi { .. }
                | Request::CloseSession
        )
    }

    /// Its length on the wire, bytes, with the header: what `jute.maxbuffer` limits.
    pub fn bytes(&self) -> usize {
        8 + self.body_bytes()
    }

    fn body_bytes(&self) -> usize {
        let text = |text: &str| 4 + text.len();
        let data = |data: &Data| 4 + data.as_ref().map_or(0, |data| data.len());
        let paths = |paths: &[Rc<str>]| 4 + paths.iter().map(|path| text(path)).sum::<usize>();
        match self {
            Request::Create { path, data: bytes, acl, mode, .. } => {
                text(path) + data(bytes) + Acl::bytes(acl) + 4 + if mode.is_ttl() { 8 } else { 0 }
            }
            Request::SetData { path, data: bytes, .. } => text(path) + data(bytes) + 4,
            Request::SetAcl { path, acl, .. } => text(path) + Acl::bytes(acl) + 4,
            Request::Reconfig { joining, leaving, members, .. } => {
                20 + [joining, leaving, members]
                    .map(|list| list.as_ref().map_or(0, |list| list.len()))
                    .iter()
                    .sum::<usize>()
            }
            // each part has a header of 9 bytes, and one closes the list
            Request::Multi { ops } | Request::MultiRead { ops } => {
                9 + ops.iter().map(|op| 9 + op.body_bytes()).sum::<usize>()
            }
            Request::SetWatches(watches) => {
                8 + [&watches.data, &watches.exist, &watches.child, &watches.persistent, &watches.recursive]
                    .map(|list| paths(list))
                    .iter()
                    .sum::<usize>()
            }
            _ => text(self.path()) + 4,
        }
    }

    /// Checks the sizes in it, before an action is taken.
    ///
    /// # Errors
    /// What is too long or too many.
    pub fn check(&self) -> Result<(), ReadError> {
        let data = |data: &Data| few("data", data.as_deref().unwrap_or_default().len(), MAX_DATA_BYTES);
        short("path", self.path(), MAX_PATH_BYTES)?;
        match self {
            Request::Create { data: bytes, acl, .. } => data(bytes).and_then(|()| check_acl(acl)),
            Request::SetAcl { acl, .. } => check_acl(acl),
            Request::SetData { data: bytes, .. } => data(bytes),
            Request::Reconfig { joining, leaving, members, .. } => {
                let lists = [("joining", joining), ("leaving", leaving), ("newMembers", members)];
                lists
                    .iter()
                    .try_for_each(|(name, list)| short(name, list.as_deref().unwrap_or_default(), MAX_PATH_BYTES))
            }
            Request::Multi { ops } | Request::MultiRead { ops } => {
                at_most("ops", ops.len(), MAX_MULTI_OPS)?;
                ops.iter().enumerate().try_for_each(|(index, op)| {
                    let checked = match op {
                        Request::Multi { .. } | Request::MultiRead { .. } => {
                            Err(ReadError::new(ValueError::NestedMulti))
                        }
                        _ => op.check(),
                    };
                    checked.map_err(|read_error| read_error.within(&format!("ops[{index}]")))
                })
            }
            // the client library sends it by itself; who has none asks for it
            Request::SetWatches(_) => few("paths", self.bytes(), MAX_DATA_BYTES),
            _ => Ok(()),
        }
    }
}

fn check_acl(acl: &[Acl]) -> Result<(), ReadError> {
    at_most("acl", acl.len(), MAX_ACL)?;
    acl.iter().enumerate().try_for_each(|(index, acl)| {
        let checked = short("scheme", &acl.who.scheme, MAX_PATH_BYTES)
            .and_then(|()| short("id", &acl.who.id, MAX_PATH_BYTES - acl.who.scheme.len()));
        checked.map_err(|read_error| read_error.within(&format!("acl[{index}]")))
    })
}

impl fmt::Display for Request {
    /// As one would type it: `create -e /a x`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let watch = |on: &bool| if *on { " -w" } else { "" };
        match self {
            Request::Create { path, data, mode, .. } => {
                let sequential = if mode.is_sequential() { " -s" } else { "" };
                let kind = match mode {
                    CreateMode::Container => " -c",
                    mode if mode.is_ephemeral() => " -e",
                    mode if mode.is_ttl() => " -t",
                    _ => "",
                };
                write!(f, "create{sequential}{kind} {path}")?;
                show_data(f, data)
            }
            Request::SetData { path, data, version } => {
                write!(f, "set {path}")?;
                show_data(f, data)?;
                if *version != -1 { write!(f, " -v {version}") } else { Ok(()) }
            }
            Request::Delete { path, version: -1 } => write!(f, "delete {path}"),
            Request::Delete { path, version } => write!(f, "delete {path} -v {version}"),
            Request::Check { path, version } => write!(f, "check {path} -v {version}"),
            Request::Exists { path, watch: on } => write!(f, "stat {path}{}", watch(on)),
            Request::GetData { path, watch: on } => write!(f, "get {path}{}", watch(on)),
            Request::GetChildren { path, watch: on, .. } => write!(f, "ls {path}{}", watch(on)),
            Request::Reconfig { joining, leaving, members, .. } => {
                write!(f, "reconfig")?;
                let lists = [("-add", joining), ("-remove", leaving), ("-members", members)];
                lists.iter().try_for_each(|(name, list)| match list {
                    Some(list) => write!(f, " {name} {}", list.replace('\n', ",")),
                    None => Ok(()),
                })
            }
            Request::Multi { ops } => {
                write!(f, "multi")?;
                ops.iter().try_for_each(|op| write!(f, " [{op}]"))
            }
            _ => {
                write!(f, "{}", self.name())?;
                if self.path().is_empty() { Ok(()) } else { write!(f, " {}", self.path()) }
            }
        }
    }
}

/// Data in a line of text: cut when long.
fn show_data(f: &mut fmt::Formatter<'_>, data: &Data) -> fmt::Result {
    let Some(data) = data.as_ref().filter(|data| !data.is_empty()) else { return Ok(()) };
    let text = data.beginning(40);
    write!(f, " {text}")?;
    if text.chars().count() > 40 { write!(f, " ({} bytes)", data.len()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_survive_json_and_unknown_fields_are_refused() {
        for text in [
            r#"{"op":"create","path":"/a","data":"x","mode":"EPHEMERAL_SEQUENTIAL"}"#,
            r#"{"op":"setACL","path":"/a","acl":[{"perms":"r","scheme":"world","id":"anyone"}],"version":-1}"#,
            r#"{"op":"multi","ops":[{"op":"check","path":"/a","version":3}]}"#,
            r#"{"op":"setData","path":"/a","data":{"base64":"/w=="},"version":-1}"#,
            r#"{"op":"addWatch","path":"/a","mode":"PERSISTENT_RECURSIVE"}"#,
            r#"{"op":"removeWatches","path":"/a","type":"Any"}"#,
        ] {
            let request: Request = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&request).unwrap(), text);
        }
        let error = serde_json::from_str::<Request>(r#"{"op":"delete","path":"/a","x":1}"#).unwrap_err();
        assert!(error.to_string().starts_with("unknown field `x`; expected `op`, `path`, `version`"), "{error}");
    }

    #[test]
    fn data_are_shown_as_text_or_as_hex() {
        let shown = |data: Data| Request::SetData { path: "/a".into(), data, version: -1 }.to_string();
        assert_eq!(shown(Some("x y".into())), "set /a x y");
        assert_eq!(shown(Some([0, 7].into())), "set /a 0x0007");
        assert_eq!(shown(Some("x".repeat(41).into())), format!("set /a {}… (41 bytes)", "x".repeat(40)));
        assert_eq!(shown(Some([0xff; 20].into())), format!("set /a 0x{}… (20 bytes)", "ff".repeat(19)));
        assert_eq!((shown(Some("".into())), shown(None)), ("set /a".into(), "set /a".into()));
    }

    #[test]
    fn sizes_are_those_on_the_wire() {
        let create = |length: usize| Request::Create {
            path: "/big".into(),
            data: Some("x".repeat(length).into()),
            acl: Acl::open(),
            mode: CreateMode::Persistent,
            ttl: 0,
            stat: false,
            flags: None,
        };
        let set = |data: Data| Request::SetData { path: "/a".into(), data, version: -1 };
        assert_eq!(set(Some([0xff, 0].into())).bytes(), set(None).bytes() + 2);
        assert_eq!(create(0).bytes(), 8 + 8 + 4 + (4 + 4 + 9 + 10) + 4);
        assert!(create(1 << 22).check().is_err());
    }
}
