//! What clients were told, in order.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, ServerId, SessionId, Zxid};
use crate::client::{self, CallId, CallOutcome, DisconnectReason};
use crate::sim::{ActionRefusal, Fact, Record, WorldFact};
use crate::wire::{KeeperState, WatchedEvent};

/// One thing that a client was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It has a connection and a session.
    Connected { server: ServerId, session: SessionId, timeout_ms: u32 },
    /// It lost its connection, or an attempt failed; nobody had asked for that.
    Lost,
    /// It is over: expired, closed, or refused.
    Ended(KeeperState),
    /// It took a call.
    Called(CallId),
    /// A call is over.
    Answered { call: CallId, zxid: Option<Zxid>, outcome: CallOutcome },
    /// A notification arrived.
    Notified(WatchedEvent),
    /// A Watcher was called.
    Watched(String, WatchedEvent),
}

impl Heard {
    /// Whether it is the answer to a call.
    pub(crate) fn answers(&self, id: CallId) -> bool {
        matches!(self, Heard::Answered { call, .. } if *call == id)
    }

    /// The notification that it is.
    pub(crate) fn notification(&self) -> Option<&WatchedEvent> {
        match self {
            Heard::Notified(event) => Some(event),
            _ => None,
        }
    }

    /// The Watcher that was called, and what it was told.
    pub(crate) fn watched(&self) -> Option<(&str, &WatchedEvent)> {
        match self {
            Heard::Watched(watcher, event) => Some((watcher, event)),
            _ => None,
        }
    }
}

/// What all clients were told.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    clients: BTreeMap<ClientId, Vec<Heard>>,
    /// An action that could not be done.
    pub refused: Option<ActionRefusal>,
    /// Whether whole facts are kept beside it.
    pub keeps_facts: bool,
    /// These facts.
    pub facts: Vec<Fact>,
}

impl Log {
    pub(crate) fn read(&mut self, records: &[Rc<Record>]) {
        for record in records {
            if self.keeps_facts {
                self.facts.push(record.fact.clone());
            }
            match &record.fact {
                Fact::Client { client, fact } => {
                    if let Some(heard) = heard(fact) {
                        self.clients.entry(*client).or_default().push(heard);
                    }
                }
                Fact::World(WorldFact::ActionRefused { reason }) => self.refused = Some(*reason),
                _ => {}
            }
        }
    }

    /// How much a client was told so far.
    pub(crate) fn length(&self, client: ClientId) -> usize {
        self.clients.get(&client).map_or(0, Vec::len)
    }

    /// What a client was told since then.
    pub(crate) fn since(&self, client: ClientId, from: usize) -> &[Heard] {
        self.clients.get(&client).and_then(|all| all.get(from..)).unwrap_or_default()
    }
}

fn heard(fact: &client::Fact) -> Option<Heard> {
    use client::Fact::*;
    Some(match fact {
        ClientConnecting { .. } | ClientSeeks { .. } => return None,
        ClientConnected { server, session, timeout_ms, .. } => {
            Heard::Connected { server: *server, session: *session, timeout_ms: *timeout_ms }
        }
        ClientDisconnected { reason: DisconnectReason::Asked, .. } => return None,
        ClientDisconnected { .. } => Heard::Lost,
        ClientEnded { state, .. } => Heard::Ended(*state),
        Called { call, .. } => Heard::Called(*call),
        Answered { call, zxid, outcome, .. } => {
            Heard::Answered { call: *call, zxid: *zxid, outcome: outcome.clone() }
        }
        Notified { event, .. } => Heard::Notified(event.clone()),
        WatcherCalled { watcher, event } => Heard::Watched(watcher.to_string(), event.clone()),
    })
}
