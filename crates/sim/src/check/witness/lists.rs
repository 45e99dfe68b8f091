//! What a leader judges by beside its tree: a setACL under way does not hold yet, a counter of children under way may have run
//! over (`store::UnderWay`).

use std::collections::BTreeMap;

use crate::base::{ServerId, SortedMap, Zxid};
use crate::check::history::NodeId;
use crate::store::{Op, Tree, UnderWay};

/// What is under way, by leader, and what transactions were judged by that are not committed yet.
#[derive(Clone, Debug, Default, Hash)]
pub struct Lists {
    under_way: SortedMap<ServerId, UnderWay>,
    judged_by: BTreeMap<NodeId, UnderWay>,
}

impl Lists {
    /// What a transaction was judged by.
    pub fn of(&self, node: NodeId) -> UnderWay {
        self.judged_by.get(&node).cloned().unwrap_or_default()
    }

    pub(super) fn proposed(&mut self, leader: ServerId, node: NodeId, zxid: Zxid, op: &Op, before: Option<&Tree>) {
        let under_way = self.under_way.get_or_default(leader);
        if !under_way.is_empty() {
            self.judged_by.insert(node, under_way.clone());
        }
        if let Some(before) = before {
            under_way.proposed(zxid, op, before);
        }
    }

    pub(super) fn applied(&mut self, server: ServerId, zxid: Zxid) {
        if let Some(under_way) = self.under_way.get_mut(&server) {
            under_way.committed(zxid);
        }
    }

    /// A server begins or ceases to serve: a leader begins with what is committed.
    pub(super) fn begins(&mut self, server: ServerId) {
        self.under_way.remove(&server);
    }

    pub(super) fn committed(&mut self, node: NodeId) {
        self.judged_by.remove(&node);
    }
}
