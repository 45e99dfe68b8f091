//! What disk operations are called.

use serde::{Serialize, Serializer};
use std::fmt;

use crate::base::Name;
use crate::base::json::{Json, Read, ReadError, deserialize_as_read};

/// Every kind of disk operation, as actions name it: those of ZooKeeper's servers, and what a [`crate::daemon::Daemon`] writes.
pub(super) const DISK_OPS: &[Name] =
    &["accepted_epoch", "current_epoch", "append", "snapshot", "install", "truncate", "purge", "config", "write"];

/// The name of a disk operation: its kind, and its number among those since the run began: `append #3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DiskOpName {
    pub(super) kind: Name,
    /// From 1.
    pub(super) nth: u32,
}

impl fmt::Display for DiskOpName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} #{}", self.kind, self.nth)
    }
}

impl Serialize for DiskOpName {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

deserialize_as_read!(DiskOpName);

impl Read for DiskOpName {
    fn read(json: Json) -> Result<DiskOpName, ReadError> {
        let text = String::read(json)?;
        let (kind, nth) = text.split_once(" #").unwrap_or((&text, "1"));
        let kind = DISK_OPS.iter().copied().find(|known| *known == kind);
        match (kind, nth.parse()) {
            (Some(kind), Ok(nth)) if nth > 0 => Ok(DiskOpName { kind, nth }),
            _ => Err(ReadError::unknown_name(&text, DISK_OPS.to_vec())),
        }
    }
}
