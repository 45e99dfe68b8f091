//! The seven create modes (`CreateMode.java`).

use serde::{Deserialize, Serialize};

use crate::base::json::{Json, Read, ReadError};

/// A create mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CreateMode {
    /// Stays until it is deleted.
    #[default]
    Persistent,
    /// The same, with a number behind its name.
    PersistentSequential,
    /// Goes with its session.
    Ephemeral,
    /// The same, with a number behind its name.
    EphemeralSequential,
    /// Goes some time after its last child.
    Container,
    /// Goes when it has no child and was not set for its time to live.
    PersistentWithTtl,
    /// The same, with a number behind its name.
    PersistentSequentialWithTtl,
}

impl Read for CreateMode {
    fn read(json: Json) -> Result<CreateMode, ReadError> {
        json.name()
    }
}

impl CreateMode {
    /// The flag on the wire.
    pub fn flag(self) -> i32 {
        match self {
            CreateMode::Persistent => 0,
            CreateMode::Ephemeral => 1,
            CreateMode::PersistentSequential => 2,
            CreateMode::EphemeralSequential => 3,
            CreateMode::Container => 4,
            CreateMode::PersistentWithTtl => 5,
            CreateMode::PersistentSequentialWithTtl => 6,
        }
    }

    /// The mode of a flag; `None` for a number that is none.
    pub fn of_flag(flag: i32) -> Option<CreateMode> {
        use CreateMode::*;
        [
            Persistent,
            PersistentSequential,
            Ephemeral,
            EphemeralSequential,
            Container,
            PersistentWithTtl,
            PersistentSequentialWithTtl,
        ]
        .into_iter()
        .find(|mode| mode.flag() == flag)
    }

    /// Whether a number is put behind the name.
    pub fn is_sequential(self) -> bool {
        use CreateMode::*;
        matches!(self, PersistentSequential | EphemeralSequential | PersistentSequentialWithTtl)
    }

    /// Whether it goes with its session.
    pub fn is_ephemeral(self) -> bool {
        matches!(self, CreateMode::Ephemeral | CreateMode::EphemeralSequential)
    }

    /// Whether it has a time to live.
    pub fn is_ttl(self) -> bool {
        matches!(self, CreateMode::PersistentWithTtl | CreateMode::PersistentSequentialWithTtl)
    }
}
