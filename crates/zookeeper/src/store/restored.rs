//! A state that comes from elsewhere: from the files of a real server.

use rpds::RedBlackTreeSet;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{SessionId, Zxid};
use crate::wire::parent_of;

use super::node::Znode;
use super::tree::{CONFIG, Tree};
use super::txn::{Op, Txn};

impl Tree {
    /// This state with other znodes and sessions, after a transaction. What is said of children is made of the paths; the configuration
    /// stays, which each server writes by itself. A znode without a parent is left out.
    pub fn restored(
        mut self,
        znodes: impl IntoIterator<Item = (Rc<str>, Znode)>,
        sessions: impl IntoIterator<Item = (SessionId, u32)>,
        last: Zxid,
    ) -> Tree {
        let znodes: BTreeMap<Rc<str>, Znode> = znodes.into_iter().filter(|(path, _)| &**path != CONFIG).collect();
        let mut children = BTreeMap::<&str, RedBlackTreeSet<Rc<str>>>::new();
        for path in znodes.keys().map(|path| &**path).chain([CONFIG]) {
            if let Some((parent, name)) = parent_of(path).zip(path.rsplit('/').next()) {
                children.entry(parent).or_default().insert_mut(name.into());
            }
        }
        for (path, znode) in &znodes {
            if parent_of(path).is_none_or(|parent| znodes.contains_key(parent)) {
                let children = children.remove(&**path).unwrap_or_default();
                self.put(path.clone(), Znode { children, ..znode.clone() });
            }
        }
        for (session, timeout_ms) in sessions {
            let txn = Txn { session, cxid: 0, time: 0, op: Op::CreateSession { timeout_ms } };
            self.apply(Zxid::ZERO, &txn);
        }
        self.last = last;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Owner;
    use crate::wire::Acl;

    #[test]
    fn a_state_that_comes_from_elsewhere_is_that_of_its_transactions() {
        let acl: Rc<[Acl]> = Acl::open().into();
        let create = |path: &str, owner, parent_cversion| {
            let (path, acl) = (path.into(), acl.clone());
            Op::Create { path, data: Some("x".into()), acl, owner, parent_cversion, with_stat: false }
        };
        let session = SessionId(7);
        let txn = |op| Txn { session, cxid: 0, time: 5, op };
        let mut tree = Tree::new("server.1");
        tree.apply(Zxid::new(1, 1), &txn(Op::CreateSession { timeout_ms: 9 }));
        tree.apply(Zxid::new(1, 2), &txn(create("/a", Owner::None, 1)));
        tree.apply(Zxid::new(1, 3), &txn(create("/a/b", Owner::Session(session), 1)));
        let znodes = tree
            .nodes()
            .map(|(path, znode)| (path.clone(), Znode { children: Default::default(), ..Znode::clone(znode) }));
        let orphan: (Rc<str>, Znode) = ("/c/d".into(), Znode::new(None, acl.clone(), Owner::None, Zxid::ZERO, 0));
        let restored = Tree::new("server.1").restored(znodes.chain([orphan]), tree.sessions(), tree.last);
        assert_eq!(restored, tree);
        assert_eq!(restored.get("/a").map(|znode| znode.stat()), tree.get("/a").map(|znode| znode.stat()));
        assert_eq!(restored.ephemerals(session).count(), 1);
    }
}
