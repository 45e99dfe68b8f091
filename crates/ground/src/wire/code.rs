//! Error codes with their real names and numbers (`KeeperException.java` `Code`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// A result code of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the names are the documentation: those of KeeperException
pub enum Code {
    Ok,
    SystemError,
    RuntimeInconsistency,
    ConnectionLoss,
    MarshallingError,
    Unimplemented,
    OperationTimeout,
    BadArguments,
    NewConfigNoQuorum,
    ReconfigInProgress,
    NoNode,
    NoAuth,
    BadVersion,
    NoChildrenForEphemerals,
    NodeExists,
    NotEmpty,
    SessionExpired,
    InvalidACL,
    AuthFailed,
    SessionMoved,
    NotReadOnly,
    EphemeralOnLocalSession,
    NoWatcher,
    RequestTimeout,
    ReconfigDisabled,
    QuotaExceeded,
}

impl Code {
    /// All of them.
    const ALL: [Code; 26] = [
        Code::Ok,
        Code::SystemError,
        Code::RuntimeInconsistency,
        Code::ConnectionLoss,
        Code::MarshallingError,
        Code::Unimplemented,
        Code::OperationTimeout,
        Code::BadArguments,
        Code::NewConfigNoQuorum,
        Code::ReconfigInProgress,
        Code::NoNode,
        Code::NoAuth,
        Code::BadVersion,
        Code::NoChildrenForEphemerals,
        Code::NodeExists,
        Code::NotEmpty,
        Code::SessionExpired,
        Code::InvalidACL,
        Code::AuthFailed,
        Code::SessionMoved,
        Code::NotReadOnly,
        Code::EphemeralOnLocalSession,
        Code::NoWatcher,
        Code::RequestTimeout,
        Code::ReconfigDisabled,
        Code::QuotaExceeded,
    ];

    /// The code with this number on the wire.
    pub fn of_number(number: i32) -> Option<Code> {
        Code::ALL.into_iter().find(|code| code.number() == number)
    }

    /// The number on the wire.
    pub fn number(self) -> i32 {
        match self {
            Code::Ok => 0,
            Code::SystemError => -1,
            Code::RuntimeInconsistency => -2,
            Code::ConnectionLoss => -4,
            Code::MarshallingError => -5,
            Code::Unimplemented => -6,
            Code::OperationTimeout => -7,
            Code::BadArguments => -8,
            Code::NewConfigNoQuorum => -13,
            Code::ReconfigInProgress => -14,
            Code::NoNode => -101,
            Code::NoAuth => -102,
            Code::BadVersion => -103,
            Code::NoChildrenForEphemerals => -108,
            Code::NodeExists => -110,
            Code::NotEmpty => -111,
            Code::SessionExpired => -112,
            Code::InvalidACL => -114,
            Code::AuthFailed => -115,
            Code::SessionMoved => -118,
            Code::NotReadOnly => -119,
            Code::EphemeralOnLocalSession => -120,
            Code::NoWatcher => -121,
            Code::RequestTimeout => -122,
            Code::ReconfigDisabled => -123,
            Code::QuotaExceeded => -125,
        }
    }

    /// The exception's name without `Exception`.
    pub fn name(self) -> &'static str {
        match self {
            Code::Ok => "Ok",
            Code::SystemError => "SystemError",
            Code::RuntimeInconsistency => "RuntimeInconsistency",
            Code::ConnectionLoss => "ConnectionLoss",
            Code::MarshallingError => "MarshallingError",
            Code::Unimplemented => "Unimplemented",
            Code::OperationTimeout => "OperationTimeout",
            Code::BadArguments => "BadArguments",
            Code::NewConfigNoQuorum => "NewConfigNoQuorum",
            Code::ReconfigInProgress => "ReconfigInProgress",
            Code::NoNode => "NoNode",
            Code::NoAuth => "NoAuth",
            Code::BadVersion => "BadVersion",
            Code::NoChildrenForEphemerals => "NoChildrenForEphemerals",
            Code::NodeExists => "NodeExists",
            Code::NotEmpty => "NotEmpty",
            Code::SessionExpired => "SessionExpired",
            Code::InvalidACL => "InvalidACL",
            Code::AuthFailed => "AuthFailed",
            Code::SessionMoved => "SessionMoved",
            Code::NotReadOnly => "NotReadOnly",
            Code::EphemeralOnLocalSession => "EphemeralOnLocalSession",
            Code::NoWatcher => "NoWatcher",
            Code::RequestTimeout => "RequestTimeout",
            Code::ReconfigDisabled => "ReconfigDisabled",
            Code::QuotaExceeded => "QuotaExceeded",
        }
    }

    /// What the exception says, as `getMessage` does: `KeeperErrorCode = NoNode for /a`.
    pub fn message(self, path: &str) -> String {
        match path {
            "" => format!("KeeperErrorCode = {}", self.name()),
            _ => format!("KeeperErrorCode = {} for {path}", self.name()),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_one_code() {
        let codes: Vec<Code> = (-200..=0).filter_map(Code::of_number).collect();
        assert_eq!(codes.len(), 26);
        assert!(codes.iter().all(|code| Code::of_number(code.number()) == Some(*code)));
    }
}
