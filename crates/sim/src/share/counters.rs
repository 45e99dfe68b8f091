//! Counters of a run, a row for each stretch of virtual time, as CSV (RFC 4180). `docs/sharing.md` says what each column means.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{Gather, Micros, ServerId, SimTime, SortedSet};
use crate::check::Checker;
use crate::sim::{Fact, Ledger, Record, Run, Tally, WorldFact};
use crate::{server, zab};

macro_rules! columns {
    ($($column:ident $name:literal,)*) => {
        /// What is counted, whatever the run.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Column { $($column,)* }

        /// What the columns are called.
        const NAMES: &[&str] = &[$($name,)*];
    };
}

columns! {
    Events "events",
    Facts "facts",
    Sent "sent",
    Delivered "delivered",
    Lost "lost",
    Elections "elections",
    Epochs "epochs",
    NoLeader "no_leader_us",
    Proposals "proposals",
    Commits "commits",
    DiskSyncs "disk_syncs",
    SyncedTxns "synced_txns",
    Snapshots "snapshots",
    Writes "writes",
    WritesAnswered "writes_answered",
    WritesFailed "writes_failed",
    Requests "client_requests",
    Notifications "notifications",
    SessionsOpened "sessions_opened",
    SessionsExpired "sessions_expired",
    SessionsClosed "sessions_closed",
    WatchesFired "watches_fired",
    Handovers "handovers",
    FencedOff "fenced_off",
    Refused "actions_refused",
    Violations "violations",
    DoubleHolders "double_holders",
}

/// What happens to messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Sent,
    Delivered,
    Lost,
}

impl Fate {
    fn word(self) -> &'static str {
        match self {
            Fate::Sent => "sent",
            Fate::Delivered => "delivered",
            Fate::Lost => "lost",
        }
    }
}

/// What happened in one stretch of time.
#[derive(Clone, Debug)]
struct Row {
    counts: Vec<u64>,
    messages: BTreeMap<(Fate, &'static str), u64>,
}

impl Default for Row {
    fn default() -> Row {
        Row { counts: vec![0; NAMES.len()], messages: BTreeMap::new() }
    }
}

/// A table in the making.
#[derive(Debug)]
pub(super) struct Counters {
    every_us: Micros,
    rows: Vec<Row>,
    row: Row,
    tally: Tally,
    ledger: Ledger,
    checker: Checker,
    /// Who leads, established, and since when nobody does.
    leading: SortedSet<ServerId>,
    alone_since: SimTime,
}

impl Counters {
    pub(super) fn new(run: &Run, every_us: Micros) -> Counters {
        let (rows, row, tally, ledger, leading) = Default::default();
        let checker = Checker::new(&run.setup);
        Counters { every_us, rows, row, tally, ledger, checker, leading, alone_since: SimTime::ZERO }
    }

    /// A step was taken, and this happened.
    pub(super) fn step(&mut self, at: SimTime, records: &[Rc<Record>]) {
        while at >= self.row_end() {
            self.close(self.row_end());
        }
        self.add(Column::Events, 1);
        for record in records {
            self.read(record);
        }
    }

    fn row_end(&self) -> SimTime {
        SimTime((self.rows.len() as u64 + 1) * self.every_us)
    }

    fn add(&mut self, column: Column, more: u64) {
        self.row.counts[column as usize] += more;
    }

    fn read(&mut self, record: &Record) {
        self.add(Column::Facts, 1);
        let before = (self.tally.requests, self.tally.notifications, self.tally.handovers);
        self.tally.read(record);
        self.add(Column::Requests, self.tally.requests - before.0);
        self.add(Column::Notifications, self.tally.notifications - before.1);
        self.add(Column::Handovers, self.tally.handovers - before.2);
        let (violations, doubles) = (self.checker.violations().len(), self.checker.doubles().len());
        self.checker.read(record);
        self.add(Column::Violations, (self.checker.violations().len() - violations) as u64);
        self.add(Column::DoubleHolders, (self.checker.doubles().len() - doubles) as u64);
        let committed = self.ledger.read(record).len() as u64;
        self.add(Column::Commits, committed);
        match &record.fact {
            Fact::Zab { server, fact } => self.read_zab(*server, fact, record.at_us),
            Fact::Server { fact, .. } => self.read_service(fact),
            Fact::World(fact) => self.read_world(fact, record.at_us),
            Fact::Client { .. } | Fact::Program { .. } | Fact::Other { .. } => {} // the tally has counted them
        }
    }

    fn read_zab(&mut self, server: ServerId, fact: &zab::Fact, at: SimTime) {
        match fact {
            zab::Fact::Elected { role: zab::ServerState::Leading, .. } => self.add(Column::Elections, 1),
            zab::Fact::Established { .. } => {
                self.add(Column::Epochs, 1);
                if self.leading.is_empty() {
                    self.add(Column::NoLeader, at.since(self.alone_since));
                }
                self.leading.insert(server);
            }
            zab::Fact::Left { .. } => self.leads_no_more(server, at),
            zab::Fact::Proposed { .. } => self.add(Column::Proposals, 1),
            _ => {}
        }
    }

    fn leads_no_more(&mut self, server: ServerId, at: SimTime) {
        if self.leading.remove(&server) && self.leading.is_empty() {
            self.alone_since = at;
        }
    }

    fn read_service(&mut self, fact: &server::Fact) {
        match fact {
            server::Fact::SessionOpened { .. } => self.add(Column::SessionsOpened, 1),
            server::Fact::SessionExpired { .. } => self.add(Column::SessionsExpired, 1),
            server::Fact::SessionClosed { .. } => self.add(Column::SessionsClosed, 1),
            server::Fact::WatchFired { .. } => self.add(Column::WatchesFired, 1),
            _ => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact, at: SimTime) {
        match fact {
            WorldFact::Sent { message, .. } => self.message(Fate::Sent, Column::Sent, message.name()),
            WorldFact::Delivered { name, .. } => self.message(Fate::Delivered, Column::Delivered, name),
            WorldFact::Lost { name, .. } => self.message(Fate::Lost, Column::Lost, name),
            WorldFact::Crashed { server, .. } | WorldFact::Exited { server } => self.leads_no_more(*server, at),
            WorldFact::Synced { count, .. } => {
                self.add(Column::DiskSyncs, 1);
                self.add(Column::SyncedTxns, *count as u64);
            }
            WorldFact::SnapshotWritten { .. } => self.add(Column::Snapshots, 1),
            WorldFact::WriteAsked { .. } => self.add(Column::Writes, 1),
            WorldFact::WriteAnswered { .. } => self.add(Column::WritesAnswered, 1),
            WorldFact::WriteFailed { .. } => self.add(Column::WritesFailed, 1),
            WorldFact::ResourceRefused { .. } => self.add(Column::FencedOff, 1),
            WorldFact::ActionRefused { .. } => self.add(Column::Refused, 1),
            _ => {}
        }
    }

    fn message(&mut self, fate: Fate, column: Column, name: &'static str) {
        self.add(column, 1);
        *self.row.messages.entry((fate, name)).or_default() += 1;
    }

    /// A row is over.
    fn close(&mut self, end: SimTime) {
        if self.leading.is_empty() {
            self.add(Column::NoLeader, end.since(self.alone_since));
            self.alone_since = end;
        }
        self.rows.push(std::mem::take(&mut self.row));
    }

    /// Everything up to this moment, written out. The last row may be a part of one.
    pub(super) fn finish(&mut self, until: SimTime, out: &mut String) {
        while self.row_end() <= until {
            self.close(self.row_end());
        }
        if SimTime(self.rows.len() as u64 * self.every_us) < until {
            self.close(until);
        }
        let messages: BTreeSet<_> = self.rows.iter().flat_map(|row| row.messages.keys().copied()).gathered();
        let typed = messages.iter().map(|(fate, name)| format!("{}_{name}", fate.word()));
        let names: Vec<String> =
            ["from_us", "until_us"].iter().chain(NAMES).map(ToString::to_string).chain(typed).collect();
        out.push_str(&names.join(","));
        out.push_str("\r\n");
        for (at, row) in self.rows.iter().enumerate() {
            let from = at as u64 * self.every_us;
            let ends = [from, (from + self.every_us).min(until.0)];
            let typed = messages.iter().map(|message| row.messages.get(message).copied().unwrap_or(0));
            let cells = ends.into_iter().chain(row.counts.iter().copied()).chain(typed);
            out.push_str(&cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(","));
            out.push_str("\r\n");
        }
    }
}
