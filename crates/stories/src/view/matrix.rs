//! The logs of all servers beside each other: a column for each zxid, a row for each server. Where a cell is empty a server does not
//! have the transaction; what became of a transaction is said in its column's head.

use std::collections::BTreeSet;

use crate::base::{Epoch, Gather, ServerId, ServerSet, SimTime, Zxid};
use crate::sim::Known;
use crate::timeline::RunSummary;
use crate::zab::SyncKind;

use super::card::{Card, Crown, Face, Square, latest_quorums};

/// So many columns are made at most; a narrow stage shows the last ones.
const COLUMNS: usize = 16;

/// What became of a transaction, where there is more to say than that it is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Its leader is gone, and nobody knows it committed: these servers have it.
    Open(ServerSet),
    /// The same, but those that have it on disk are a quorum: whoever will be elected has it.
    Safe(ServerSet),
    /// No log has it any more: from whose it was cut, and when.
    Lost(ServerId, SimTime),
    /// Its leader was lost, and the history with which this epoch begins has it.
    Kept(Epoch),
}

/// A transaction at all servers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The transaction.
    pub zxid: Zxid,
    /// What became of it.
    pub verdict: Option<Verdict>,
    /// What each row's server has of it.
    pub cells: Vec<Option<Square>>,
}

/// A server's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whose.
    pub server: ServerId,
    /// It leads: what its crown is worth.
    pub crown: Option<Crown>,
    /// Its process is down: what it knew is gone.
    pub down: bool,
    /// It was not started yet.
    pub off: bool,
    /// The end of its log.
    pub last: Zxid,
    /// How it is being brought up to date.
    pub sync: Option<SyncKind>,
}

/// A reign above its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reigned {
    /// Its epoch.
    pub epoch: Epoch,
    /// Who led it, where that is known.
    pub leader: Option<ServerId>,
    /// The first of its columns.
    pub from: usize,
    /// How many columns it has; none where it has only just begun.
    pub columns: usize,
}

/// The logs of all servers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// The servers, in the order of their ids.
    pub rows: Vec<Row>,
    /// The transactions, oldest first.
    pub columns: Vec<Column>,
    /// The epochs, oldest first.
    pub epochs: Vec<Reigned>,
    /// They are terms, and zxids are terms and indexes: another system keeps these logs.
    pub terms: bool,
}

impl Matrix {
    /// The logs behind these cards.
    pub fn of(cards: &[Card], summary: &RunSummary) -> Matrix {
        let terms = cards.iter().all(|card| !card.id.is_valid());
        let cards: Vec<&Card> = cards.iter().filter(|card| keeps_a_log(card.id, terms)).collect();
        let zxids = zxids(&cards, summary);
        let columns: Vec<Column> = zxids.into_iter().map(|zxid| column(zxid, &cards, summary)).collect();
        let reigns: Vec<(Epoch, ServerId)> = match terms {
            true => cards
                .iter()
                .filter_map(|card| card.badge.reign)
                .map(|(term, leader)| (term as Epoch, leader))
                .collect(),
            false => summary.reigns().map(|reign| (reign.epoch, reign.leader)).collect(),
        };
        let epochs = epochs(&columns, &reigns);
        Matrix { rows: cards.into_iter().map(row).collect(), columns, epochs, terms }
    }

    /// The last so many columns, with the epochs above them.
    pub fn last(&self, most: usize) -> (&[Column], impl Iterator<Item = Reigned>) {
        let first = self.columns.len().saturating_sub(most);
        let cut = move |reigned: &Reigned| {
            let (from, to) = (reigned.from.max(first), (reigned.from + reigned.columns).max(first));
            let new = reigned.columns == 0 && reigned.from >= first;
            (from < to || new).then(|| Reigned { from: from - first, columns: to - from, ..*reigned })
        };
        (&self.columns[first..], self.epochs.iter().filter_map(cut))
    }
}

/// Whether a machine keeps a log that others keep as well: a server of an ensemble, or, where there is none (`others`), one that elects its
/// leader for a term.
pub fn keeps_a_log(id: ServerId, others: bool) -> bool {
    id.is_valid() || (others && id.letters() == "G")
}

/// Whether a machine is a database: it shows its tables, where there is room.
pub fn keeps_tables(id: ServerId) -> bool {
    id.letters() == "D"
}

fn row(card: &Card) -> Row {
    let down = matches!(card.face, Face::Crashed | Face::Off);
    let off = card.face == Face::Off;
    Row { server: card.id, crown: card.crown(), down, off, last: card.last, sync: card.sync }
}

/// What the columns are: all that a log has or had, but nothing from before the oldest that a full strip still shows.
fn zxids(cards: &[&Card], summary: &RunSummary) -> BTreeSet<Zxid> {
    let all = cards.iter().flat_map(|card| &card.strip).map(|square| square.zxid);
    let cut = summary.losses().iter().flat_map(|(.., zxids)| zxids).copied();
    let mut zxids: BTreeSet<Zxid> = all.chain(cut).gathered();
    let full = cards.iter().filter(|card| card.strip.len() >= COLUMNS);
    if let Some(first) = full.filter_map(|card| card.strip.iter().map(|square| square.zxid).min()).max() {
        zxids.retain(|zxid| *zxid >= first);
    }
    while zxids.len() > COLUMNS {
        zxids.pop_first();
    }
    zxids
}

fn column(zxid: Zxid, cards: &[&Card], summary: &RunSummary) -> Column {
    let lost =
        |card: &Card| summary.losses().iter().rev().find(|(_, whose, all)| *whose == card.id && all.contains(&zxid));
    let cell = |card: &&Card| {
        let own = card.strip.iter().find(|square| square.zxid == zxid).copied();
        own.or_else(|| lost(card).map(|_| Square { zxid, durable: true, known: Known::Not, lost: true }))
    };
    let cells: Vec<Option<Square>> = cards.iter().map(cell).collect();
    let have = |square: &Option<Square>| square.is_some_and(|square| !square.lost);
    let open = |square: &Option<Square>| have(square) && square.is_some_and(|square| square.known == Known::Open);
    let verdict = if cells.iter().any(open) {
        let those = |has: &dyn Fn(&Option<Square>) -> bool| -> ServerSet {
            cards.iter().zip(&cells).filter(|(_, cell)| has(cell)).map(|(card, _)| card.id).collect()
        };
        let holders = those(&have);
        let durable = those(&|cell| have(cell) && cell.is_some_and(|square| square.durable));
        let safe = latest_quorums(cards.iter().copied()).is_some_and(|quorums| quorums.is_quorum(durable));
        Some(if safe { Verdict::Safe(holders) } else { Verdict::Open(holders) })
    } else if let Some(epoch) = summary.kept_by(zxid) {
        Some(Verdict::Kept(epoch))
    } else if !cells.iter().any(have) {
        cards.iter().find_map(|card| lost(card)).map(|(at, whose, _)| Verdict::Lost(*whose, *at))
    } else {
        None
    };
    Column { zxid, verdict, cells }
}

/// The reigns above the columns, and behind them one that has no transaction yet.
fn epochs(columns: &[Column], reigns: &[(Epoch, ServerId)]) -> Vec<Reigned> {
    let leader = |epoch| reigns.iter().rev().find(|reign| reign.0 == epoch).map(|reign| reign.1);
    let mut epochs: Vec<Reigned> = Vec::new();
    for (from, column) in columns.iter().enumerate() {
        let epoch = column.zxid.epoch();
        match epochs.last_mut().filter(|last| last.epoch == epoch) {
            Some(last) => last.columns += 1,
            None => epochs.push(Reigned { epoch, leader: leader(epoch), from, columns: 1 }),
        }
    }
    let newest = reigns.iter().max_by_key(|reign| reign.0);
    if let Some(&(epoch, leader)) = newest.filter(|reign| epochs.last().is_none_or(|last| last.epoch < reign.0)) {
        epochs.push(Reigned { epoch, leader: Some(leader), from: columns.len(), columns: 0 });
    }
    epochs
}

#[cfg(test)]
mod tests;
