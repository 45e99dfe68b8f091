//! The numbers on the wire (`ZooDefs.java` `OpCode`, `Watcher.java`, `AddWatchMode.java`).

use zabscope_ground::wire::{AddWatchMode, CreateMode, EventType, KeeperState, Request, WatcherType};

use crate::JuteError;

pub(crate) const CREATE: i32 = 1;
pub(crate) const DELETE: i32 = 2;
pub(crate) const EXISTS: i32 = 3;
pub(crate) const GET_DATA: i32 = 4;
pub(crate) const SET_DATA: i32 = 5;
pub(crate) const GET_ACL: i32 = 6;
pub(crate) const SET_ACL: i32 = 7;
pub(crate) const GET_CHILDREN: i32 = 8;
pub(crate) const SYNC: i32 = 9;
pub(crate) const PING: i32 = 11;
pub(crate) const GET_CHILDREN2: i32 = 12;
pub(crate) const CHECK: i32 = 13;
pub(crate) const MULTI: i32 = 14;
pub(crate) const CREATE2: i32 = 15;
pub(crate) const RECONFIG: i32 = 16;
pub(crate) const CHECK_WATCHES: i32 = 17;
pub(crate) const REMOVE_WATCHES: i32 = 18;
pub(crate) const CREATE_CONTAINER: i32 = 19;
pub(crate) const CREATE_TTL: i32 = 21;
pub(crate) const MULTI_READ: i32 = 22;
pub(crate) const AUTH: i32 = 100;
pub(crate) const SET_WATCHES: i32 = 101;
pub(crate) const SASL: i32 = 102;
pub(crate) const GET_EPHEMERALS: i32 = 103;
pub(crate) const GET_ALL_CHILDREN_NUMBER: i32 = 104;
pub(crate) const SET_WATCHES2: i32 = 105;
pub(crate) const ADD_WATCH: i32 = 106;
pub(crate) const WHO_AM_I: i32 = 107;
pub(crate) const CLOSE_SESSION: i32 = -11;
pub(crate) const ERROR: i32 = -1;

/// The xid of a notification.
pub(crate) const NOTIFICATION_XID: i32 = -1;
/// The xid of a ping.
pub(crate) const PING_XID: i32 = -2;
/// The xid of an auth packet.
pub(crate) const AUTH_XID: i32 = -4;

/// The number of a request's operation.
pub(crate) fn of(request: &Request) -> i32 {
    match request {
        Request::Create { mode: CreateMode::Container, flags: None, .. } => CREATE_CONTAINER,
        Request::Create { mode, flags: None, .. } if mode.is_ttl() => CREATE_TTL,
        Request::Create { stat: true, .. } => CREATE2,
        Request::Create { .. } => CREATE,
        Request::Delete { .. } => DELETE,
        Request::Exists { .. } => EXISTS,
        Request::GetData { .. } => GET_DATA,
        Request::SetData { .. } => SET_DATA,
        Request::GetAcl { .. } => GET_ACL,
        Request::SetAcl { .. } => SET_ACL,
        Request::GetChildren { stat: false, .. } => GET_CHILDREN,
        Request::GetChildren { .. } => GET_CHILDREN2,
        Request::GetAllChildrenNumber { .. } => GET_ALL_CHILDREN_NUMBER,
        Request::GetEphemerals { .. } => GET_EPHEMERALS,
        Request::Sync { .. } => SYNC,
        Request::Reconfig { .. } => RECONFIG,
        Request::Check { .. } => CHECK,
        Request::Multi { .. } => MULTI,
        Request::MultiRead { .. } => MULTI_READ,
        Request::AddWatch { .. } => ADD_WATCH,
        Request::RemoveWatches { .. } => REMOVE_WATCHES,
        Request::CheckWatches { .. } => CHECK_WATCHES,
        Request::SetWatches(watches) if watches.persistent.is_empty() && watches.recursive.is_empty() => SET_WATCHES,
        Request::SetWatches(_) => SET_WATCHES2,
        Request::WhoAmI => WHO_AM_I,
        Request::CloseSession => CLOSE_SESSION,
    }
}

/// Names with their numbers, and both ways between them.
macro_rules! numbers {
    ($($what:literal $kind:ty: $to:ident $from:ident { $($name:path = $number:literal),* $(,)? })*) => { $(
        pub(crate) fn $to(value: $kind) -> i32 {
            match value { $($name => $number),* }
        }

        pub(crate) fn $from(number: i32) -> Result<$kind, JuteError> {
            match number {
                $($number => Ok($name),)*
                _ => Err(JuteError::Number { what: $what, number }),
            }
        }
    )* };
}

numbers! {
    "mode of addWatch" AddWatchMode: of_add_watch_mode add_watch_mode {
        AddWatchMode::Persistent = 0,
        AddWatchMode::PersistentRecursive = 1,
    }
    "type of watches" WatcherType: of_watcher_type watcher_type {
        WatcherType::Children = 1,
        WatcherType::Data = 2,
        WatcherType::Any = 3,
        WatcherType::Persistent = 4,
        WatcherType::PersistentRecursive = 5,
    }
    "type of event" EventType: of_event_type event_type {
        EventType::None = -1,
        EventType::NodeCreated = 1,
        EventType::NodeDeleted = 2,
        EventType::NodeDataChanged = 3,
        EventType::NodeChildrenChanged = 4,
        EventType::DataWatchRemoved = 5,
        EventType::ChildWatchRemoved = 6,
        EventType::PersistentWatchRemoved = 7,
    }
    "state of a connection" KeeperState: of_keeper_state keeper_state {
        KeeperState::Disconnected = 0,
        KeeperState::SyncConnected = 3,
        KeeperState::AuthFailed = 4,
        KeeperState::ConnectedReadOnly = 5,
        KeeperState::Closed = 7,
        KeeperState::Expired = -112,
    }
}
