//! The log of a coordinator or a participant. A forced record is on disk before anything goes on; one that is not forced is in the
//! system's cache, and stays there until the next force or the loss of power.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

use crate::base::rows::Rows;
use crate::base::{ServerId, ServerSet};

use super::fact::{Fact, What};
use super::txn::{Decision, Item, Txn, items_text};

/// How many records the end of a log shows.
const SHOWN: usize = 20;

/// A record. Which of them are forced is the business of who writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "record", rename_all = "UPPERCASE")]
pub enum Record {
    /// A coordinator is about to ask these to prepare (presumed commit only).
    Collecting {
        /// The transaction.
        txn: Txn,
        /// Who may have something to undo.
        participants: ServerSet,
    },
    /// A participant can do its part and can leave it: what it changes, and whom else it may ask.
    Prepared {
        /// The transaction.
        txn: Txn,
        /// What its part does.
        items: Vec<Item>,
        /// All participants that may have something to decide.
        participants: ServerSet,
    },
    /// The transaction is committed.
    Commit {
        /// The transaction.
        txn: Txn,
        /// A coordinator's: who is to acknowledge it.
        participants: ServerSet,
    },
    /// The transaction is aborted.
    Abort {
        /// The transaction.
        txn: Txn,
        /// A coordinator's: who is to acknowledge it.
        participants: ServerSet,
    },
    /// A coordinator has forgotten the transaction.
    End {
        /// The transaction.
        txn: Txn,
    },
}

impl Record {
    /// The record of a decision.
    pub fn of(txn: Txn, decision: Decision, participants: ServerSet) -> Record {
        match decision {
            Decision::Commit => Record::Commit { txn, participants },
            Decision::Abort => Record::Abort { txn, participants },
        }
    }

    /// Its transaction.
    pub fn txn(&self) -> Txn {
        match self {
            Record::Collecting { txn, .. }
            | Record::Prepared { txn, .. }
            | Record::Commit { txn, .. }
            | Record::Abort { txn, .. }
            | Record::End { txn } => *txn,
        }
    }

    /// Its kind.
    pub fn word(&self) -> &'static str {
        match self {
            Record::Collecting { .. } => "COLLECTING",
            Record::Prepared { .. } => "PREPARED",
            Record::Commit { .. } => "COMMIT",
            Record::Abort { .. } => "ABORT",
            Record::End { .. } => "END",
        }
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word(), self.txn())?;
        match self {
            Record::Prepared { items, .. } => write!(f, " {}", items_text(items)),
            _ => Ok(()),
        }
    }
}

/// What a log says of a transaction, all its records taken together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// COLLECTING, and of whom.
    pub collecting: Option<ServerSet>,
    /// PREPARED: what, and with whom.
    pub prepared: Option<(Vec<Item>, ServerSet)>,
    /// COMMIT or ABORT, and who is to acknowledge it.
    pub decided: Option<(Decision, ServerSet)>,
    /// END.
    pub ended: bool,
}

/// A log.
#[derive(Clone, Debug, Default)]
pub struct Log {
    records: Vec<Record>,
    /// How many of them are on disk.
    synced: usize,
}

impl Log {
    /// Adds a record without waiting for the disk.
    pub fn append(&mut self, record: Record) {
        self.records.push(record);
    }

    /// Adds a record; it and all before it are on disk.
    pub fn force(&mut self, record: Record) {
        self.records.push(record);
        self.synced = self.records.len();
    }

    /// What is not on disk is gone.
    pub fn lose_power(&mut self) {
        self.records.truncate(self.synced);
    }

    /// What it says of each transaction.
    pub fn read(&self) -> BTreeMap<Txn, Said> {
        let mut read: BTreeMap<Txn, Said> = BTreeMap::new();
        for record in &self.records {
            let said = read.entry(record.txn()).or_default();
            match record {
                Record::Collecting { participants, .. } => said.collecting = Some(*participants),
                Record::Prepared { items, participants, .. } => said.prepared = Some((items.clone(), *participants)),
                Record::Commit { participants, .. } => said.decided = Some((Decision::Commit, *participants)),
                Record::Abort { participants, .. } => said.decided = Some((Decision::Abort, *participants)),
                Record::End { .. } => said.ended = true,
            }
        }
        read
    }

    /// The transactions that are committed, in the order of their records.
    pub fn committed(&self) -> impl Iterator<Item = Txn> {
        self.records.iter().filter(|record| matches!(record, Record::Commit { .. })).map(Record::txn)
    }

    fn rows(&self, rows: &mut Rows) {
        let first = self.records.len().saturating_sub(SHOWN);
        rows.end_of("log", self.records.len(), |rows| {
            for (at, record) in self.records.iter().enumerate().skip(first) {
                let forced = if at < self.synced { "forced" } else { "cached" };
                rows.item(&at, record, forced.into(), None);
            }
        });
    }
}

/// What is on the disk of a coordinator or a participant.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Its log.
    pub log: Log,
    /// A coordinator's: how often it has started.
    pub starts: u32,
}

/// What is asked of that disk.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// A record is forced, by this machine.
    Force(ServerId, Record),
    /// A coordinator's start is counted.
    Start(u32),
}

impl Files {
    /// An operation becomes durable.
    pub fn write(&mut self, job: &Job) -> Option<Fact> {
        match job {
            Job::Force(me, record) => {
                self.log.force(record.clone());
                Some(Fact { me: *me, what: What::Forced { record: record.word(), txn: record.txn() } })
            }
            Job::Start(start) => {
                self.starts = *start;
                None
            }
        }
    }

    /// For a reader.
    pub fn rows(&self, rows: &mut Rows) {
        self.log.rows(rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_takes_all_before_it_to_disk_and_a_loss_of_power_takes_the_rest() {
        let txn = |number| Txn { start: 1, number };
        let abort = |number| Record::of(txn(number), Decision::Abort, ServerSet::EMPTY);
        let mut log = Log::default();
        log.append(abort(1));
        log.force(abort(2));
        log.append(abort(3));
        log.lose_power();
        assert_eq!(log.read().into_keys().collect::<Vec<_>>(), [txn(1), txn(2)]);
    }
}
