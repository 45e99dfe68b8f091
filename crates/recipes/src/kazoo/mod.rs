//! Recipes of kazoo, the client in Python: its locks, its semaphore and its election. They stand on requests alone: what kazoo does
//! otherwise than Curator about its connection is in `client.rs`.

pub(crate) mod client;
pub(crate) mod election;
pub(crate) mod lock;
mod lock_acquire;
pub(crate) mod semaphore;
mod semaphore_acquire;

use super::runtime::recipe::kinds;

kinds! {
    /// kazoo's `Lock`.
    KAZOO_LOCK "kazoo_lock" lock: |recipe, _, cx| lock::Lock::new(recipe, cx);
    /// kazoo's `WriteLock`.
    KAZOO_WRITE_LOCK "kazoo_write_lock" lock: |recipe, _, cx| lock::Lock::writing(recipe, cx);
    /// kazoo's `ReadLock`.
    KAZOO_READ_LOCK "kazoo_read_lock" lock: |recipe, _, cx| lock::Lock::reading(recipe, cx);
    /// kazoo's `Semaphore`.
    KAZOO_SEMAPHORE "kazoo_semaphore" semaphore: |recipe, _, cx| semaphore::Semaphore::new(recipe, cx);
    /// kazoo's `Election`.
    KAZOO_ELECTION "kazoo_election" election: |recipe, name, cx| election::Election::new(name, recipe, cx);
}
