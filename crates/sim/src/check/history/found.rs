//! Histories that were there before the run: what servers' disks hold when it begins. Somebody proposed it; nothing says that it was
//! committed.

use crate::base::Zxid;
use crate::store::Tree;
use crate::zab::Payload;

use super::{Histories, MODELS, Model, NodeId};

impl Histories {
    /// Whether it was on a disk when the run began.
    pub fn is_found(&self, id: NodeId) -> bool {
        id.0 <= self.found
    }

    /// Whether any was.
    pub fn found_any(&self) -> bool {
        self.found > 0
    }

    /// A history on a disk: its last transaction, where more than its zxid is known. All of these come first.
    pub fn finds(&mut self, zxid: Zxid, payload: Option<&Payload>, after: NodeId) -> NodeId {
        let id = self.push(zxid, payload.cloned(), after, true);
        self.found = id.0;
        id
    }

    /// The newest history of this epoch that ends before a zxid.
    pub fn newest_before(&self, zxid: Zxid) -> Option<NodeId> {
        let (_, &id) = self.newest.range(Zxid::new(zxid.epoch(), 0)..zxid).next_back()?;
        Some(id)
    }

    /// All were found: the state after each is that before it with its transaction; failing that, a snapshot's.
    pub fn model_found(&mut self, snapshots: &[(NodeId, Tree)]) {
        for place in 0..self.nodes.len() {
            let node = &self.nodes[place];
            let before = match self.place(node.parent) {
                None => self.empty.as_ref(),
                // as many places from the end as there are models
                Some(parent) => {
                    let at = (parent + self.models.len()).checked_sub(place);
                    at.and_then(|at| self.models.get(at)?.as_ref())
                }
            };
            let (zxid, goes_on) = (node.zxid, node.zxid.follows(self.node(node.parent).zxid));
            let known = before.filter(|_| goes_on).zip(node.payload.as_ref()).map(|(before, payload)| {
                let mut state = before.state.clone();
                let changes = state.apply(zxid, &payload.txn).changes.into();
                Model { state, changes }
            });
            let id = NodeId(place as u32 + 1);
            let snapshot = || snapshots.iter().find(|(of, _)| *of == id).map(|(_, state)| state.clone());
            let model = known.or_else(|| Some(Model { state: snapshot()?, changes: [].into() }));
            if let Some(node) = self.nodes.get_mut(place) {
                node.state = model.as_ref().map(|model| model.state.digest());
            }
            self.models.push_newest(model, MODELS);
        }
    }
}
