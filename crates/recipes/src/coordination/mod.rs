//! Barriers, queues, counters, and what is built from them.

pub(crate) mod atomic_long;
pub(crate) mod barrier;
pub(crate) mod collectors;
pub(crate) mod config;
pub(crate) mod double_barrier;
pub(crate) mod master_worker;
pub(crate) mod naming;
pub(crate) mod queue;
pub(crate) mod queue_items;
pub(crate) mod queue_order;
pub(crate) mod queue_remove;
pub(crate) mod routine;
pub(crate) mod shared_count;
pub(crate) mod simple_queue;
pub(crate) mod standby;

use super::runtime::recipe::kinds;

kinds! {
    /// Curator's `DistributedBarrier`.
    BARRIER "barrier" barrier: |recipe, _, _| barrier::Barrier::new(recipe);
    /// Curator's `DistributedDoubleBarrier`.
    DOUBLE_BARRIER "double_barrier" double_barrier: |recipe, _, cx| double_barrier::DoubleBarrier::new(recipe, cx);
    /// Curator's `SimpleDistributedQueue`.
    SIMPLE_QUEUE "simple_queue" simple_queue: |recipe, _, _| simple_queue::SimpleQueue::new(recipe);
    /// Curator's `DistributedQueue`.
    QUEUE "queue" queue: |recipe, _, _| queue::Queue::new(recipe);
    /// Curator's `DistributedPriorityQueue`.
    PRIORITY_QUEUE "priority_queue" queue: |recipe, _, _| queue::Queue::new(recipe);
    /// Curator's `DistributedDelayQueue`.
    DELAY_QUEUE "delay_queue" queue: |recipe, _, _| queue::Queue::new(recipe);
    /// Curator's `DistributedIdQueue`.
    ID_QUEUE "id_queue" queue: |recipe, _, _| queue::Queue::new(recipe);
    /// Curator's `SharedCount`.
    SHARED_COUNT "shared_count" shared_count: |recipe, _, cx| shared_count::SharedCount::new(recipe, cx);
    /// Curator's `DistributedAtomicLong`.
    ATOMIC_LONG "atomic_long" atomic_long: |recipe, name, cx| atomic_long::AtomicLong::new(name, recipe, cx);
    /// Configuration, published and subscribed to.
    CONFIG "config" config: |recipe, _, _| config::Config::new(recipe);
    /// Service names and a balancer.
    NAMING "naming" naming: |recipe, _, cx| naming::Naming::new(recipe, cx);
    /// Master, workers and tasks.
    MASTER_WORKER "master_worker" master_worker: |recipe, _, cx| master_worker::MasterWorker::new(recipe, cx);
    /// Hot and cold standby of tasks.
    STANDBY "standby" standby: |recipe, _, cx| standby::Standby::new(recipe, cx);
    /// Log collectors and their monitor.
    COLLECTORS "collectors" collectors: |recipe, _, cx| collectors::Collectors::new(recipe, cx);
}
