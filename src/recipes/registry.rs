//! The recipes that there are: a line for each.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use super::atomic_long::AtomicLong;
use super::barrier::Barrier;
use super::collectors::Collectors;
use super::config::Config;
use super::context::{Cx, Object};
use super::double_barrier::DoubleBarrier;
use super::master_worker::MasterWorker;
use super::mutex::Mutex;
use super::naming::Naming;
use super::queue::Queue;
use super::read_write::ReadWrite;
use super::script::Recipe;
use super::shared_count::SharedCount;
use super::simple_queue::SimpleQueue;
use super::standby::Standby;

/// A kind of recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Curator's `InterProcessMutex`.
    Mutex,
    /// Curator's `InterProcessReadWriteLock`.
    ReadWrite,
    /// Curator's `DistributedBarrier`.
    Barrier,
    /// Curator's `DistributedDoubleBarrier`.
    DoubleBarrier,
    /// Curator's `SimpleDistributedQueue`.
    SimpleQueue,
    /// Curator's `DistributedQueue`.
    Queue,
    /// Curator's `DistributedPriorityQueue`.
    PriorityQueue,
    /// Curator's `SharedCount`.
    SharedCount,
    /// Curator's `DistributedAtomicLong`.
    AtomicLong,
    /// Configuration, published and subscribed to.
    Config,
    /// Service names and a balancer.
    Naming,
    /// Master, workers and tasks.
    MasterWorker,
    /// Hot and cold standby of tasks.
    Standby,
    /// Log collectors and their monitor.
    Collectors,
}

impl Kind {
    /// All kinds.
    pub const ALL: &[Kind] = &[
        Kind::Mutex,
        Kind::ReadWrite,
        Kind::Barrier,
        Kind::DoubleBarrier,
        Kind::SimpleQueue,
        Kind::Queue,
        Kind::PriorityQueue,
        Kind::SharedCount,
        Kind::AtomicLong,
    ];

    /// Its name in runs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Mutex => "mutex",
            Kind::ReadWrite => "read_write",
            Kind::Barrier => "barrier",
            Kind::DoubleBarrier => "double_barrier",
            Kind::SimpleQueue => "simple_queue",
            Kind::Queue => "queue",
            Kind::PriorityQueue => "priority_queue",
            Kind::SharedCount => "shared_count",
            Kind::AtomicLong => "atomic_long",
            Kind::Config => "config",
            Kind::Naming => "naming",
            Kind::MasterWorker => "master_worker",
            Kind::Standby => "standby",
            Kind::Collectors => "collectors",
        }
    }

    /// The words that may be given in `with`.
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Mutex => super::mutex::WORDS,
            Kind::ReadWrite => super::read_write::WORDS,
            Kind::Barrier => super::barrier::WORDS,
            Kind::DoubleBarrier => super::double_barrier::WORDS,
            Kind::SimpleQueue => super::simple_queue::WORDS,
            Kind::Queue | Kind::PriorityQueue => super::queue::WORDS,
            Kind::SharedCount => super::shared_count::WORDS,
            Kind::AtomicLong => super::atomic_long::WORDS,
            Kind::Config => super::config::WORDS,
            Kind::Naming => super::naming::WORDS,
            Kind::MasterWorker => super::master_worker::WORDS,
            Kind::Standby => super::standby::WORDS,
            Kind::Collectors => super::collectors::WORDS,
        }
    }
}

impl Recipe {
    /// Makes the object, and its parts.
    pub(in crate::recipes) fn make(&self, name: &Rc<str>, cx: &mut Cx<'_>) {
        let object: Box<dyn Object> = match self.kind {
            Kind::Mutex => Box::new(Mutex::new(self)),
            Kind::ReadWrite => Box::new(ReadWrite::new(name, self, cx)),
            Kind::Barrier => Box::new(Barrier::new(self)),
            Kind::DoubleBarrier => Box::new(DoubleBarrier::new(self, cx)),
            Kind::SimpleQueue => Box::new(SimpleQueue::new(self)),
            Kind::Queue | Kind::PriorityQueue => Box::new(Queue::new(self)),
            Kind::SharedCount => Box::new(SharedCount::new(self)),
            Kind::AtomicLong => Box::new(AtomicLong::new(name, self, cx)),
            Kind::Config => Box::new(Config::new(self)),
            Kind::Naming => Box::new(Naming::new(self, cx)),
            Kind::MasterWorker => Box::new(MasterWorker::new(self, cx)),
            Kind::Standby => Box::new(Standby::new(self, cx)),
            Kind::Collectors => Box::new(Collectors::new(self, cx)),
        };
        cx.core.objects.0.insert(name.clone(), object);
    }
}
