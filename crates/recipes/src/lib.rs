//! Client recipes: locks, elections, queues, barriers, and the small Curator that they stand on. Each recipe is one file, a
//! state machine over the client library. A program ([`App`]) has objects (recipes by name) and threads; a thread is a
//! stack of frames, so that a recipe reads like the code that it models, and yet everything can be copied at any moment.

use zabscope_ground::{base, wire};
use zabscope_zookeeper::client;

mod coordination;
mod curator;
mod elections;
mod kazoo;
mod locks;
mod nodes;
mod read;
mod registry;
mod rules;
mod runtime;
mod script;
mod sorting;

pub use curator::{ConnectionState, CuratorConfig, ErrorPolicy, RetryPolicy};
pub use locks::mutex::WAITS_NO_MORE;
pub use rules::RecipeRule;
pub use runtime::app::{App, Input, Refusal};
pub use runtime::context::Copied;
pub use runtime::fact::{Fact, ReleaseReason, Share, Standing};
pub use runtime::io::{Method, Outbox, Told};
pub use runtime::recipe::{Kind, Recipe};
pub use runtime::thread_id::ThreadId;
pub use runtime::value::{Exception, Outcome, Value};
pub use script::{MAX_STEPS, MAX_TIMES, Script, Step};
pub use sorting::without_guids;
