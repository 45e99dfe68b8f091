//! The recipes that there are: a line for each.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

use super::context::{Cx, Object};
use super::script::Recipe;

/// Makes the enum of kinds, and what is known of each: its name in runs, the words that its `with` may hold, its maker.
macro_rules! recipes {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal $room:ident: |$recipe:pat_param, $object:pat_param, $cx:pat_param| $make:expr;)*) => {
        /// A kind of recipe.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Kind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// Its name in runs.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name,)*
                }
            }

            /// The words that may be given in `with`.
            pub fn words(self) -> &'static [&'static str] {
                match self {
                    $(Kind::$kind => super::$room::WORDS,)*
                }
            }

            /// The methods that its objects have.
            pub fn methods(self) -> &'static [&'static str] {
                match self {
                    $(Kind::$kind => super::$room::METHODS,)*
                }
            }
        }

        fn make(recipe: &Recipe, object: &Rc<str>, cx: &mut Cx<'_>) -> Box<dyn Object> {
            match recipe.kind {
                $(Kind::$kind => {
                    let ($recipe, $object, $cx) = (recipe, object, cx);
                    Box::new($make)
                })*
            }
        }
    };
}

recipes! {
    /// Curator's `InterProcessMutex`.
    Mutex "mutex" mutex: |recipe, _, _| super::mutex::Mutex::new(recipe);
    /// Curator's `InterProcessReadWriteLock`.
    ReadWrite "read_write" read_write: |recipe, name, cx| super::read_write::ReadWrite::new(name, recipe, cx);
    /// Curator's `InterProcessSemaphoreV2`.
    Semaphore "semaphore" semaphore: |recipe, name, cx| super::semaphore::Semaphore::new(name, recipe, cx);
    /// Curator's `InterProcessSemaphoreMutex`.
    SemaphoreMutex "semaphore_mutex" semaphore: |recipe, name, cx| super::semaphore::Semaphore::mutex(name, recipe, cx);
    /// Curator's `InterProcessMultiLock`.
    MultiLock "multi_lock" multi_lock: |recipe, name, cx| super::multi_lock::MultiLock::new(name, recipe, cx);
    /// Curator's `LeaderLatch`.
    Latch "latch" latch: |recipe, _, _| super::latch::Latch::new(recipe);
    /// Curator's `LeaderSelector`.
    Selector "selector" selector: |recipe, name, cx| super::selector::Selector::new(name, recipe, cx);
    /// An election for one ephemeral node that everybody tries to create.
    NaiveLeader "naive_leader" naive_leader: |recipe, _, _| super::naive_leader::NaiveLeader::new(recipe);
    /// A lock that is one ephemeral node, which everybody else watches.
    NaiveLock "naive_lock" naive_lock: |recipe, _, _| super::naive_lock::NaiveLock::new(recipe);
    /// The lock of ZooKeeper's recipes page, by hand.
    PredecessorLock "predecessor_lock" predecessor_lock: |recipe, _, cx| super::predecessor_lock::HandLock::new(recipe, cx);
    /// A read/write lock whose waiters all watch all children.
    WatchAllLock "watch_all_lock" watch_all_lock: |recipe, name, cx| super::watch_all_lock::WatchAllLock::new(name, recipe, cx);
    /// Workers whose nodes `w-` stand in a line, each watching the one before.
    WorkerGroup "worker_group" worker_group: |recipe, _, _| super::worker_group::WorkerGroup::new(recipe);
    /// Curator's `DistributedBarrier`.
    Barrier "barrier" barrier: |recipe, _, _| super::barrier::Barrier::new(recipe);
    /// Curator's `DistributedDoubleBarrier`.
    DoubleBarrier "double_barrier" double_barrier: |recipe, _, cx| super::double_barrier::DoubleBarrier::new(recipe, cx);
    /// Curator's `SimpleDistributedQueue`.
    SimpleQueue "simple_queue" simple_queue: |recipe, _, _| super::simple_queue::SimpleQueue::new(recipe);
    /// Curator's `DistributedQueue`.
    Queue "queue" queue: |recipe, _, _| super::queue::Queue::new(recipe);
    /// Curator's `DistributedPriorityQueue`.
    PriorityQueue "priority_queue" queue: |recipe, _, _| super::queue::Queue::new(recipe);
    /// Curator's `SharedCount`.
    SharedCount "shared_count" shared_count: |recipe, _, _| super::shared_count::SharedCount::new(recipe);
    /// Curator's `DistributedAtomicLong`.
    AtomicLong "atomic_long" atomic_long: |recipe, name, cx| super::atomic_long::AtomicLong::new(name, recipe, cx);
    /// Configuration, published and subscribed to.
    Config "config" config: |recipe, _, _| super::config::Config::new(recipe);
    /// Service names and a balancer.
    Naming "naming" naming: |recipe, _, cx| super::naming::Naming::new(recipe, cx);
    /// Master, workers and tasks.
    MasterWorker "master_worker" master_worker: |recipe, _, cx| super::master_worker::MasterWorker::new(recipe, cx);
    /// Hot and cold standby of tasks.
    Standby "standby" standby: |recipe, _, cx| super::standby::Standby::new(recipe, cx);
    /// Log collectors and their monitor.
    Collectors "collectors" collectors: |recipe, _, cx| super::collectors::Collectors::new(recipe, cx);
}

impl Recipe {
    /// Makes the object, and its parts.
    pub(in crate::recipes) fn make(&self, name: &Rc<str>, cx: &mut Cx<'_>) {
        let object = make(self, name, cx);
        cx.core.objects.0.insert(name.clone(), object);
    }
}
