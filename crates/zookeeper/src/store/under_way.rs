//! What the leader's change records (`ChangeRecord` in `PrepRequestProcessor.java`) hold of znodes while transactions are under way,
//! where that is not what the tree will hold. A path's record lasts until the last transaction that changes the znode, or its
//! children, is committed: every later record of the path is a copy of the one before.
//!
//! * The list of permissions that a setACL under way has replaced: the record keeps the old one, by which requests are checked.
//! * A counter of children that has run over: the record goes on at -2147483648, the tree stays at 2147483647
//!   (`DataTree.java` `createNode` takes only what is larger). So names with a minus come only from creates that were asked
//!   for while the one before was under way; the next one gets 2147483647 again.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::Zxid;
use crate::wire::{Acl, parent_of};

use super::tree::{CONFIG, Tree};
use super::txn::Op;

/// What a record holds otherwise than the tree.
#[derive(Clone, Debug, Hash)]
struct Kept {
    list: Option<Rc<[Acl]>>,
    counter: Option<i32>,
    /// The last transaction that changes the znode.
    until: Zxid,
}

/// Such records, by path.
#[derive(Clone, Debug, Default, Hash)]
pub struct UnderWay(BTreeMap<Rc<str>, Kept>);

impl UnderWay {
    /// The list that still holds for a path, where it is not the newest one.
    pub fn list(&self, path: &str) -> Option<&[Acl]> {
        self.0.get(path)?.list.as_deref()
    }

    /// How many children were ever created below a path, where that has run over.
    pub fn counter(&self, path: &str) -> Option<i32> {
        self.0.get(if path.is_empty() { "/" } else { path })?.counter
    }

    /// Whether the tree tells everything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A transaction is proposed after this state.
    pub fn proposed(&mut self, zxid: Zxid, op: &Op, before: &Tree) {
        match op {
            Op::SetAcl { path, .. } => {
                let old = self.list(path).map(Rc::from).or(before.get(path).map(|node| node.acl.clone()));
                if old.is_some() {
                    self.kept(path, zxid).list = old;
                }
            }
            Op::SetData { path, .. } => self.copied(path, zxid),
            Op::Reconfig { .. } => self.copied(CONFIG, zxid),
            Op::Create { path, parent_cversion, .. } => {
                self.replaced(path, zxid);
                let Some(parent) = parent_of(path) else { return };
                if before.get(parent).is_some_and(|node| *parent_cversion < node.cversion) {
                    self.kept(parent, zxid).counter = Some(*parent_cversion);
                } else if let Some(kept) = self.0.get_mut(parent) {
                    kept.counter = None; // of a parent that was made anew
                }
            }
            Op::Delete { path } => self.replaced(path, zxid),
            Op::CloseSession { paths } => paths.iter().for_each(|path| self.replaced(path, zxid)),
            Op::Multi(ops) => ops.iter().for_each(|op| self.proposed(zxid, op, before)),
            Op::CreateSession { .. } | Op::Check { .. } | Op::FailedMulti(_) | Op::Error(_) => {}
        }
    }

    /// A transaction is committed at the leader, and the records that it made are gone.
    pub fn committed(&mut self, zxid: Zxid) {
        if !self.0.is_empty() {
            self.0.retain(|_, kept| kept.until > zxid);
        }
    }

    fn kept(&mut self, path: &str, until: Zxid) -> &mut Kept {
        let kept = self.0.entry(path.into()).or_insert(Kept { list: None, counter: None, until });
        kept.until = until;
        kept
    }

    fn copied(&mut self, path: &str, zxid: Zxid) {
        if let Some(kept) = self.0.get_mut(path) {
            kept.until = zxid;
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
