//! What was stated in a run, kept so that it can be asked: facts, answers to writes, and what each server's state holds.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{Epoch, ServerId, Zxid};
use crate::sim::{Fact, Record, WorldFact};
use crate::zab;

/// Everything that a run has stated so far.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The facts.
    pub records: Vec<Rc<Record>>,
    /// The data of each write, by its number.
    asked: BTreeMap<u64, String>,
    /// The zxids of answered writes, by server and data.
    answered: BTreeMap<(ServerId, String), Vec<Zxid>>,
    /// The epoch in which each server began to serve last.
    epochs: BTreeMap<ServerId, Epoch>,
    /// The state that each server has.
    states: BTreeMap<ServerId, u64>,
    /// How each state came to be: the one before it, and the transaction.
    made_of: BTreeMap<u64, (u64, String)>,
}

impl Seen {
    /// Takes up what was stated.
    pub(super) fn note(&mut self, records: &[Rc<Record>]) {
        for record in records {
            match &record.fact {
                Fact::Zab { server, fact: zab::Fact::Established { epoch, .. } | zab::Fact::UpToDate { epoch } } => {
                    self.epochs.insert(*server, *epoch);
                }
                Fact::World(fact) => self.note_world(fact),
                _ => {}
            }
            self.records.push(record.clone());
        }
    }

    fn note_world(&mut self, fact: &WorldFact) {
        match fact {
            WorldFact::WriteAsked { write, data, .. } => {
                self.asked.insert(*write, data.clone());
            }
            WorldFact::WriteAnswered { server, write, zxid } => {
                let data = self.asked.get(write).cloned().unwrap_or_default();
                self.answered.entry((*server, data)).or_default().push(*zxid);
            }
            WorldFact::Restored { server, state, .. } => {
                self.states.insert(*server, state.0);
            }
            WorldFact::Applied { server, payload, state, .. } => {
                let before = self.states.insert(*server, state.0).unwrap_or(0);
                self.made_of.insert(state.0, (before, payload.text.to_string()));
            }
            _ => {}
        }
    }

    /// The zxids of the answered writes of this data at this server.
    pub(super) fn answers(&self, server: ServerId, data: &str) -> &[Zxid] {
        self.answered.get(&(server, data.to_string())).map_or(&[], Vec::as_slice)
    }

    /// Every answered write's zxid.
    pub(super) fn all_answers(&self) -> impl Iterator<Item = Zxid> {
        self.answered.values().flatten().copied()
    }

    /// The epoch in which a server began to serve last; 0 before.
    pub(super) fn epoch(&self, server: ServerId) -> Epoch {
        self.epochs.get(&server).copied().unwrap_or(0)
    }

    /// Whether a server's state holds a write of this data.
    pub(super) fn holds(&self, server: ServerId, data: &str) -> bool {
        let mut state = self.states.get(&server);
        while let Some((before, payload)) = state.and_then(|state| self.made_of.get(state)) {
            if payload.contains(&format!("{data:?}")) {
                return true;
            }
            state = Some(before);
        }
        false
    }
}
