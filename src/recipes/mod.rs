//! Client recipes: locks, elections, queues, barriers, and the small Curator that they stand on. Each recipe is one file, a
//! state machine over the client library. A program ([`App`]) has objects (recipes by name) and threads; a thread is a
//! stack of frames, so that a recipe reads like the code that it models, and yet everything can be copied at any moment.

mod app;
mod atomic_long;
mod barrier;
mod collectors;
mod config;
mod context;
mod curator;
mod double_barrier;
mod fact;
mod latch;
mod leadership;
mod master_worker;
mod multi_lock;
mod mutex;
mod naive_leader;
mod naive_lock;
mod naming;
mod participants;
mod predecessor_lock;
mod queue;
mod queue_items;
mod read;
mod read_write;
mod registry;
mod revocation;
mod routine;
mod script;
mod selector;
mod semaphore;
mod semaphore_acquire;
mod shared_count;
mod simple_queue;
mod sorting;
mod standby;
mod thread;
mod value;
mod watch_all_lock;
mod worker_group;

pub use app::{App, Input, Outbox, Refusal, Told};
pub use curator::{ConnectionState, CuratorConfig, ErrorPolicy, RetryPolicy};
pub use fact::{Fact, ReleaseReason, Share, Standing};
pub use mutex::WAITS_NO_MORE;
pub use registry::Kind;
pub use script::{MAX_STEPS, MAX_TIMES, Method, Recipe, Script, Step};
pub use sorting::without_guids;
pub use thread::ThreadId;
pub use value::{Exception, Outcome, Value};
