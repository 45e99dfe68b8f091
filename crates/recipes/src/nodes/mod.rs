//! Nodes that are kept, and views of nodes that are kept up to date: membership and service discovery.

pub(crate) mod cache;
pub(crate) mod discovery;
pub(crate) mod group_member;
pub(crate) mod persistent_node;
pub(crate) mod persistent_ttl_node;
pub(crate) mod provider;
pub(crate) mod strategy;

use super::runtime::recipe::kinds;

kinds! {
    /// Curator's `PersistentNode`.
    PERSISTENT_NODE "persistent_node" persistent_node: |recipe, _, cx| persistent_node::PersistentNode::new(recipe, cx);
    /// Curator's `PersistentTtlNode`.
    PERSISTENT_TTL_NODE "persistent_ttl_node" persistent_ttl_node: |recipe, name, cx| persistent_ttl_node::PersistentTtlNode::new(name, recipe, cx);
    /// Curator's `CuratorCache`.
    CACHE "cache" cache: |recipe, _, _| cache::Cache::new(recipe);
    /// Curator's `GroupMember`.
    GROUP_MEMBER "group_member" group_member: |recipe, name, cx| group_member::GroupMember::new(name, recipe, cx);
    /// Curator's `ServiceDiscovery`.
    SERVICE_DISCOVERY "service_discovery" discovery: |recipe, _, cx| discovery::Discovery::new(recipe, cx);
    /// Curator's `ServiceProvider`.
    SERVICE_PROVIDER "service_provider" provider: |recipe, name, cx| provider::Provider::new(name, recipe, cx);
}
