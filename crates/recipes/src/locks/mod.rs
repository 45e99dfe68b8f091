//! Locks: Curator's, and those that one writes by hand.

pub(crate) mod multi_lock;
pub(crate) mod mutex;
pub(crate) mod naive_lock;
pub(crate) mod predecessor_lock;
pub(crate) mod read_write;
pub(crate) mod revocation;
pub(crate) mod semaphore;
pub(crate) mod semaphore_acquire;
pub(crate) mod watch_all_lock;

use super::runtime::recipe::kinds;

kinds! {
    /// Curator's `InterProcessMutex`.
    MUTEX "mutex" mutex: |recipe, _, _| mutex::Mutex::new(recipe);
    /// Curator's `InterProcessReadWriteLock`.
    READ_WRITE "read_write" read_write: |recipe, name, cx| read_write::ReadWrite::new(name, recipe, cx);
    /// Curator's `InterProcessSemaphoreV2`.
    SEMAPHORE "semaphore" semaphore: |recipe, name, cx| semaphore::Semaphore::new(name, recipe, cx);
    /// Curator's `InterProcessSemaphoreMutex`.
    SEMAPHORE_MUTEX "semaphore_mutex" semaphore: |recipe, name, cx| semaphore::Semaphore::mutex(name, recipe, cx);
    /// Curator's `InterProcessMultiLock`.
    MULTI_LOCK "multi_lock" multi_lock: |recipe, name, cx| multi_lock::MultiLock::new(name, recipe, cx);
    /// A lock that is one ephemeral node, which everybody else watches.
    NAIVE_LOCK "naive_lock" naive_lock: |recipe, _, _| naive_lock::NaiveLock::new(recipe);
    /// The lock of ZooKeeper's recipes page, by hand.
    PREDECESSOR_LOCK "predecessor_lock" predecessor_lock: |recipe, _, cx| predecessor_lock::HandLock::new(recipe, cx);
    /// A read/write lock whose waiters all watch all children.
    WATCH_ALL_LOCK "watch_all_lock" watch_all_lock: |recipe, name, cx| watch_all_lock::WatchAllLock::new(name, recipe, cx);
}
