//! Where sessions are, and which of them somebody wanted to end.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{ServerId, ServerSet, SessionId};
use crate::store::{Op, Txn};
use crate::wire::Code;

/// All sessions.
#[derive(Clone, Debug, Default, Hash)]
pub struct Sessions {
    /// Those of which a closeSession was proposed, or is about to be.
    closing: BTreeSet<SessionId>,
    /// The servers that had to do with each since the last leader was established.
    at: BTreeMap<SessionId, ServerSet>,
    /// The last request of each in the committed history.
    last: BTreeMap<SessionId, i32>,
}

impl Sessions {
    /// Whether somebody wanted to end it.
    pub fn is_closing(&self, session: SessionId) -> bool {
        self.closing.contains(&session)
    }

    /// Whether more than one server had to do with it under this leader.
    pub fn has_moved(&self, session: SessionId) -> bool {
        self.at.get(&session).is_some_and(|servers| servers.len() > 1)
    }

    /// The number of its last request that was committed.
    pub fn last(&self, session: SessionId) -> Option<i32> {
        self.last.get(&session).copied()
    }

    pub(super) fn closes(&mut self, session: SessionId) {
        self.closing.insert(session);
    }

    pub(super) fn at(&mut self, session: SessionId, server: ServerId) {
        if session != SessionId::NONE {
            self.at.entry(session).or_default().insert(server);
        }
    }

    pub(super) fn new_leader(&mut self) {
        self.at.clear();
    }

    pub(super) fn committed(&mut self, txn: &Txn) {
        if matches!(txn.op, Op::CloseSession { .. }) {
            self.last.remove(&txn.session);
        } else if txn.session != SessionId::NONE && has_place(txn) {
            let last = self.last.entry(txn.session).or_insert(txn.cxid);
            *last = txn.cxid.max(*last);
        }
    }
}

/// Whether a transaction has its place in the order of its session's requests: servers begin and end sessions by themselves,
/// and what is refused because of its session may have come by an old connection.
pub(crate) fn has_place(txn: &Txn) -> bool {
    let of_session = |code: &Code| matches!(code, Code::SessionExpired | Code::SessionMoved);
    txn.cxid > 0
        && match &txn.op {
            Op::CreateSession { .. } | Op::CloseSession { .. } => false,
            Op::Error(code) => !of_session(code),
            Op::FailedMulti(codes) => !codes.iter().any(of_session),
            _ => true,
        }
}
