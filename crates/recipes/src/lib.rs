//! Client recipes: locks, elections, queues, barriers, and the small Curator that they stand on. Each recipe is one file, a
//! state machine over the client library. A program ([`App`]) has objects (recipes by name) and threads; a thread is a
//! stack of frames, so that a recipe reads like the code that it models, and yet everything can be copied at any moment.
//!
//! A host makes an [`App`] for each client, tells it what the client library heard ([`Input`]) and does what it wants ([`Outbox`]). What
//! its threads do is data ([`Script`]); what they come to believe are [`Fact`]s: `acquired`, `released`, `lost`. Models: Curator 5.4.0 and
//! 5.9.0 (`InterProcessMutex.java`, `LeaderLatch.java` …), kazoo 2.10 and 2.11, and the recipes of ZooKeeper's documentation. Rules that a
//! program can break on purpose are [`RecipeRule`]s. Bounds: [`MAX_STEPS`] and [`MAX_TIMES`] for a script.

use zabscope_ground::{base, wire};
use zabscope_zookeeper::client;

mod coordination;
mod curator;
mod elections;
mod kazoo;
mod locks;
mod nodes;
pub mod own;
mod read;
mod recognised;
mod registry;
mod rules;
mod runtime;
mod script;
mod sorting;

pub use curator::{ConnectionState, CuratorConfig, ErrorPolicy, RetryPolicy};
pub use recognised::Recognised;
pub use rules::RecipeRule;
pub use runtime::app::rows::standing_rows;
pub use runtime::app::{App, Input, Refusal};
pub use runtime::context::Copied;
pub use runtime::fact::{Fact, ReleaseReason, Share, Standing, WAITS_NO_MORE};
pub use runtime::io::{Method, Outbox, Told};
pub use runtime::recipe::{Kind, Recipe};
pub use runtime::thread_id::ThreadId;
pub use runtime::value::{Exception, Outcome, Value};
pub use script::{MAX_STEPS, MAX_TIMES, Script, Step};
pub use sorting::{numbered, without_guids};
