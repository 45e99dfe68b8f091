//! Lists of permissions that a setACL under way has replaced. In the real leader a path's change record (`ChangeRecord` in
//! `PrepRequestProcessor.java`) keeps the old list, and every later record of the path is a copy of it: so requests are
//! checked by the old list until the last transaction that changes the znode, or its children, is committed.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::Zxid;
use crate::wire::{Acl, parent_of};

use super::tree::{CONFIG, Tree};
use super::txn::Op;

/// A list, and the last transaction that changes its znode.
type Kept = (Rc<[Acl]>, Zxid);

/// The lists that still hold, by path.
#[derive(Clone, Debug, Default, Hash)]
pub struct OldLists(BTreeMap<Rc<str>, Kept>);

impl OldLists {
    /// The list that still holds for a path, where it is not the newest one.
    pub fn get(&self, path: &str) -> Option<&[Acl]> {
        self.0.get(path).map(|(list, _)| &**list)
    }

    /// Whether the newest lists hold everywhere.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A transaction is proposed after this state.
    pub fn proposed(&mut self, zxid: Zxid, op: &Op, before: &Tree) {
        match op {
            Op::SetAcl { path, .. } => {
                let old = self.0.get(path).map(|(list, _)| list).or(before.get(path).map(|node| &node.acl)).cloned();
                if let Some(old) = old {
                    self.0.insert(path.clone(), (old, zxid));
                }
            }
            Op::SetData { path, .. } => self.copied(path, zxid),
            Op::Reconfig { .. } => self.copied(CONFIG, zxid),
            Op::Create { path, .. } | Op::Delete { path } => self.replaced(path, zxid),
            Op::CloseSession { paths } => paths.iter().for_each(|path| self.replaced(path, zxid)),
            Op::Multi(ops) => ops.iter().for_each(|op| self.proposed(zxid, op, before)),
            Op::CreateSession { .. } | Op::Check { .. } | Op::FailedMulti(_) | Op::Error(_) => {}
        }
    }

    /// A transaction is committed at the leader, and the records that it made are gone.
    pub fn committed(&mut self, zxid: Zxid) {
        if !self.0.is_empty() {
            self.0.retain(|_, (_, until)| *until > zxid);
        }
    }

    fn copied(&mut self, path: &str, zxid: Zxid) {
        if let Some((_, until)) = self.0.get_mut(path) {
            *until = zxid;
        }
    }

    /// A znode comes or goes: its own record is new, its parent's is a copy.
    fn replaced(&mut self, path: &str, zxid: Zxid) {
        self.0.remove(path);
        if let Some(parent) = parent_of(path) {
            self.copied(parent, zxid);
        }
    }
}
