//! Elections: who leads, who stands by.

pub(crate) mod latch;
pub(crate) mod leadership;
pub(crate) mod naive_leader;
pub(crate) mod participants;
pub(crate) mod selector;
pub(crate) mod worker_group;

use super::runtime::recipe::kinds;

kinds! {
    /// Curator's `LeaderLatch`.
    LATCH "latch" latch: |recipe, _, _| latch::Latch::new(recipe);
    /// Curator's `LeaderSelector`.
    SELECTOR "selector" selector: |recipe, name, cx| selector::Selector::new(name, recipe, cx);
    /// An election for one ephemeral node that everybody tries to create.
    NAIVE_LEADER "naive_leader" naive_leader: |recipe, _, _| naive_leader::NaiveLeader::new(recipe);
    /// Workers whose nodes `w-` stand in a line, each watching the one before.
    WORKER_GROUP "worker_group" worker_group: |recipe, _, _| worker_group::WorkerGroup::new(recipe);
}
