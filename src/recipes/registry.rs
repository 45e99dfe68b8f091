//! The recipes that there are: a line for each.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use super::context::{Cx, Object};
use super::latch::Latch;
use super::mutex::Mutex;
use super::naive_leader::NaiveLeader;
use super::read_write::ReadWrite;
use super::script::Recipe;
use super::selector::Selector;
use super::worker_group::WorkerGroup;

/// A kind of recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Curator's `InterProcessMutex`.
    Mutex,
    /// Curator's `InterProcessReadWriteLock`.
    ReadWrite,
    /// Curator's `LeaderLatch`.
    Latch,
    /// Curator's `LeaderSelector`.
    Selector,
    /// An election for one ephemeral node that everybody tries to create.
    NaiveLeader,
    /// Workers whose nodes `w-` stand in a line, each watching the one before.
    WorkerGroup,
}

impl Kind {
    /// All kinds.
    pub const ALL: &[Kind] =
        &[Kind::Mutex, Kind::ReadWrite, Kind::Latch, Kind::Selector, Kind::NaiveLeader, Kind::WorkerGroup];

    /// Its name in runs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Mutex => "mutex",
            Kind::ReadWrite => "read_write",
            Kind::Latch => "latch",
            Kind::Selector => "selector",
            Kind::NaiveLeader => "naive_leader",
            Kind::WorkerGroup => "worker_group",
        }
    }

    /// The words that may be given in `with`.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Mutex => super::mutex::WORDS,
            Kind::ReadWrite => super::read_write::WORDS,
            Kind::Latch => super::latch::WORDS,
            Kind::Selector => super::selector::WORDS,
            Kind::NaiveLeader => super::naive_leader::WORDS,
            Kind::WorkerGroup => super::worker_group::WORDS,
        }
    }
}

impl Recipe {
    /// Makes the object, and its parts.
    pub(in crate::recipes) fn make(&self, name: &Rc<str>, cx: &mut Cx<'_>) {
        let object: Box<dyn Object> = match self.kind {
            Kind::Mutex => Box::new(Mutex::new(self)),
            Kind::ReadWrite => Box::new(ReadWrite::new(name, self, cx)),
            Kind::Latch => Box::new(Latch::new(self)),
            Kind::Selector => Box::new(Selector::new(name, self, cx)),
            Kind::NaiveLeader => Box::new(NaiveLeader::new(self)),
            Kind::WorkerGroup => Box::new(WorkerGroup::new(self)),
        };
        cx.core.objects.0.insert(name.clone(), object);
    }
}
