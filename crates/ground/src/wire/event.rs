//! Watch events and the states of a connection (`Watcher.java` `Event`).

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What happened to a znode, or to the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EventType {
    /// The connection's state changed.
    None,
    /// The znode was created.
    NodeCreated,
    /// The znode was deleted.
    NodeDeleted,
    /// The znode's data was set.
    NodeDataChanged,
    /// A child was created or deleted.
    NodeChildrenChanged,
    /// A data watch was removed on request.
    DataWatchRemoved,
    /// A child watch was removed on request.
    ChildWatchRemoved,
    /// A persistent watch was removed on request.
    PersistentWatchRemoved,
}

/// The state of a client's connection as events tell it (`KeeperState`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum KeeperState {
    /// The connection is lost; the session may live on.
    Disconnected,
    /// Connected.
    SyncConnected,
    /// Connected to a server without a leader, which serves reads only.
    ConnectedReadOnly,
    /// The identity was refused.
    AuthFailed,
    /// The session is over: the ensemble ended it.
    Expired,
    /// The client closed its session.
    Closed,
}

/// An event as it travels and as a watcher gets it. It carries no data: who wants it reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WatchedEvent {
    /// What happened.
    #[serde(rename = "event")]
    pub kind: EventType,
    /// The znode; none for a change of the connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Rc<str>>,
    /// The connection's state; [`KeeperState::SyncConnected`] for all events about znodes.
    pub state: KeeperState,
}

impl WatchedEvent {
    /// An event about a znode.
    pub fn at(kind: EventType, path: Rc<str>) -> WatchedEvent {
        WatchedEvent { kind, path: Some(path), state: KeeperState::SyncConnected }
    }

    /// An event about the connection.
    pub fn state(state: KeeperState) -> WatchedEvent {
        WatchedEvent { kind: EventType::None, path: None, state }
    }
}
