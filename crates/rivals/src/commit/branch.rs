//! A participant's part of a transaction.

use crate::base::{ConnId, ServerSet};
use crate::daemon::{BadgeLine, Tone};

use super::doubt::Doubt;
use super::fact::How;
use super::txn::{Decision, Item, Txn};

/// Where a part of a transaction is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    /// It waits for locks, or has not begun.
    #[default]
    Waiting,
    /// It is done, under locks; PREPARE has not come.
    Active,
    /// PREPARED is being forced.
    Preparing,
    /// It has voted yes.
    Ready,
    /// The decision is being forced.
    Deciding(Decision, How),
}

/// Its part of a transaction.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub(super) items: Vec<Item>,
    /// All that may have something to decide.
    pub(super) participants: ServerSet,
    pub(super) state: State,
    /// PREPARE has come.
    pub(super) asked: bool,
    /// The coordinator's connection on which the part came.
    pub(super) coordinator: Option<ConnId>,
    /// Where to send, once the decision is on disk: ACK, NO, and the decision to those that have asked.
    pub(super) ack_to: Option<ConnId>,
    pub(super) refuses: bool,
    pub(super) inquirers: Vec<ConnId>,
    pub(super) doubt: Doubt,
}

impl Branch {
    /// What a card says of it.
    pub(super) fn badge_line(&self, txn: Txn) -> BadgeLine {
        let tone = if self.doubt.told { Tone::Bad } else { Tone::Waiting };
        BadgeLine { label: txn.to_string(), value: self.state_text(), tone, left: None }
    }

    pub(super) fn state_text(&self) -> String {
        match self.state {
            State::Waiting => "waiting for locks".into(),
            State::Active => "active".into(),
            State::Preparing => "forcing PREPARED".into(),
            State::Ready if self.doubt.told => "IN DOUBT".into(),
            State::Ready => "READY".into(),
            State::Deciding(decision, _) => format!("forcing {}", decision.word()),
        }
    }
}
