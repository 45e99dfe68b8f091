//! The numbers behind the names of sequential znodes, as they are committed.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::Zxid;
use crate::check::history::{Histories, NodeId};
use crate::store::{Op, Tree, Txn};
use crate::wire::{Request, parent_of};

use super::Clients;

/// The number that a sequential znode got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// Below which znode.
    pub parent: Rc<str>,
    /// The transaction that created that znode: a new one begins to count anew.
    pub since: Zxid,
    /// The number.
    pub number: i32,
}

/// The last number below each parent since it was created.
#[derive(Clone, Debug, Default, Hash)]
pub struct Numbers {
    last: BTreeMap<Rc<str>, (Zxid, i32)>,
}

impl Numbers {
    /// The last number below the same parent.
    pub fn last(&self, number: &Number) -> Option<i32> {
        self.last.get(&number.parent).filter(|(since, _)| *since == number.since).map(|&(_, last)| last)
    }

    pub(super) fn take(&mut self, number: Number) {
        self.last.insert(number.parent, (number.since, number.number));
    }
}

/// The numbers that a transaction gave, in order. Those of requests that were not seen are left out.
pub(crate) fn numbers(histories: &Histories, clients: &Clients, node: NodeId) -> Vec<Number> {
    let mut found = Vec::new();
    let creates = |txn: &&Txn| matches!(txn.op, Op::Create { .. } | Op::Multi(_));
    if let (Some(txn), Some(tree)) = (histories.txn(node).filter(creates), histories.model(node))
        && let Some((_, asked)) = clients.behind(txn.session, txn.cxid)
    {
        match (&txn.op, &asked.request) {
            (Op::Multi(ops), Request::Multi { ops: asked }) => {
                found.extend(ops.iter().zip(asked).filter_map(|(op, asked)| number(op, asked, tree)));
            }
            (op, asked) => found.extend(number(op, asked, tree)),
        }
    }
    found
}

fn number(op: &Op, asked: &Request, tree: &Tree) -> Option<Number> {
    let (Op::Create { path, .. }, Request::Create { path: prefix, mode, flags, .. }) = (op, asked) else {
        return None;
    };
    let sequential = flags.map_or(mode.is_sequential(), |_| path != prefix);
    let parent = parent_of(path)?;
    let number = path.strip_prefix(&**prefix).filter(|_| sequential)?.parse().ok()?;
    Some(Number { parent: parent.into(), since: tree.get(parent)?.czxid, number })
}
