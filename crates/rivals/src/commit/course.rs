//! A transaction, as its coordinator knows it.

use crate::base::rows::{Row, Rows, names};
use crate::base::{ConnId, ServerId, ServerSet, SortedMap};

use super::fact::Why;
use super::txn::{Decision, Vote, Work};

/// Where a transaction is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// The record COLLECTING is being forced.
    Collecting,
    /// Participants do their parts (only where work comes first).
    Working,
    /// Participants have been asked to prepare.
    Voting,
    /// The decision is being forced.
    Deciding(Decision, Why),
    /// It is made.
    Decided(Decision),
}

/// A transaction that the coordinator has not forgotten.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// Who waits for the outcome.
    pub(super) client: Option<(ConnId, u64)>,
    pub(super) work: Work,
    pub(super) phase: Phase,
    pub(super) done: ServerSet,
    pub(super) votes: SortedMap<ServerId, Vote>,
    pub(super) unacked: ServerSet,
}

impl Course {
    pub(super) fn new(work: Work) -> Course {
        let (client, votes) = (None, SortedMap::new());
        Course { client, work, phase: Phase::Voting, done: ServerSet::EMPTY, votes, unacked: ServerSet::EMPTY }
    }

    /// A transaction of an earlier start: who is to be told.
    pub(super) fn reopened(heirs: ServerSet, phase: Phase) -> Course {
        let mut course = Course::new(heirs.iter().map(|id| (id, Vec::new())).collect());
        course.phase = phase;
        course
    }

    pub(super) fn all(&self) -> ServerSet {
        self.work.keys().copied().collect()
    }

    /// Those that change something: who only reads has nothing to decide.
    pub(super) fn deciders(&self) -> ServerSet {
        let changes = |id: &ServerId| self.work.get(id).is_some_and(|items| items.iter().any(|item| !item.is_read()));
        self.work.keys().copied().filter(changes).collect()
    }

    pub(super) fn asks(&self) -> bool {
        matches!(self.phase, Phase::Working | Phase::Voting)
    }

    pub(super) fn missing(&self) -> ServerSet {
        self.work.keys().copied().filter(|id| !self.votes.contains_key(id)).collect()
    }

    /// Who is told a decision: nobody who has voted no, or has only read.
    pub(super) fn heirs(&self) -> ServerSet {
        let left = |id: &ServerId| matches!(self.votes.get(id), Some(Vote::No | Vote::Read));
        self.work.keys().copied().filter(|id| !left(id)).collect()
    }
}

impl Course {
    pub(super) fn phase_text(&self) -> String {
        match self.phase {
            Phase::Collecting => "collecting".into(),
            Phase::Working => "working".into(),
            Phase::Voting => format!("wait {}/{}", self.votes.len(), self.work.len()),
            Phase::Deciding(decision, _) => format!("forcing {}", decision.word()),
            Phase::Decided(decision) => decision.word().into(),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Rows::default();
        rows.servers("participants", self.all());
        let voted = |vote: Vote| self.votes.iter().filter(move |(_, given)| **given == vote).map(|(id, _)| *id);
        rows.servers("yes", voted(Vote::Yes).collect());
        rows.servers("no", voted(Vote::No).collect());
        rows.servers("read", voted(Vote::Read).collect());
        rows.put("unacknowledged", &names(self.unacked));
        rows.0
    }
}
