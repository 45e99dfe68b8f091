//! Names of a program's threads.

use serde::{Deserialize, Serialize};
use std::fmt;

use crate::base::json::{Json, Read, ReadError};

/// Names a thread of a program: 1 to 99 are the program's own, those above work in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// Stands for an object itself, where what happens is no thread's doing.
    pub const OBJECT: ThreadId = ThreadId(0);
    /// The thread that is meant where none is named.
    pub const MAIN: ThreadId = ThreadId(1);
    /// The last of the program's own.
    pub const LAST: ThreadId = ThreadId(99);

    /// Whether a program may call a thread so.
    pub fn is_valid(self) -> bool {
        (1..=ThreadId::LAST.0).contains(&self.0)
    }
}

impl Read for ThreadId {
    fn read(json: Json) -> Result<ThreadId, ReadError> {
        u32::read(json).map(ThreadId)
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.0)
    }
}
