//! What is on some disks, told in one value: for the command line, as JSON, and for whoever draws it.

mod start;

use serde::{Deserialize, Serialize};
use zabscope_ground::base::Zxid;

pub use self::start::{Advice, Judged, Learner, Lost, Start, Started, Told, ToldReign};

use crate::disk::{Disk, Disks, ToldBy};
use crate::load::{Loaded, Refusal};
use crate::log::Ending;
use crate::logs::story::Story;
use crate::matrix::{Cell, Column, Difference, Matrix, Place, Relation, compare, differences};
use crate::snapshot::Compression;
use crate::start::Unknown;
use crate::trouble::{Trouble, hex};

/// How many znodes in which two trees differ are listed, and how many transactions of a column.
const LISTED: usize = 40;
/// How many transactions are told of a column that not all have.
const TOLD: usize = 5;

/// What is on the disks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Each disk, by id; copies of data directories last.
    pub servers: Vec<Server>,
    /// The one that would win an election of all: its place.
    pub newest: Option<usize>,
    /// The voters that its configuration names; without one, all servers whose disks are here.
    pub voters: Vec<u64>,
    /// Which transactions are where, copies of data directories left out.
    pub transactions: Vec<Transactions>,
    /// How the tree of each server stands to that of the newest.
    pub trees: Vec<Tree>,
    /// What is wrong with files.
    pub troubles: Vec<Trouble>,
    /// How many files there were that are no files of ZooKeeper's data directories or configurations.
    pub other_files: usize,
    /// Ids that more than one disk claims: somebody has to say which is the server's.
    pub ambiguous: Vec<u64>,
    /// What happened, by the servers' own logs; none where there are no logs.
    pub happened: Option<Story>,
    /// What happens when they are started; none where that is not known: see `unknown`.
    pub start: Option<Start>,
    /// Why it is not.
    #[serde(serialize_with = "crate::in_words::perhaps")]
    pub unknown: Option<Unknown>,
}

/// A disk, and what a server loads from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// What it is called.
    pub name: String,
    /// Its id.
    pub id: Option<u64>,
    /// What told that.
    pub told_by: ToldBy,
    /// The data directory.
    pub folder: String,
    /// Whether it is a copy of the directory that the server uses.
    pub is_copy: bool,
    /// The file acceptedEpoch.
    pub accepted_epoch: Option<u64>,
    /// The file currentEpoch.
    pub current_epoch: Option<u64>,
    /// Snapshots, oldest first.
    pub snapshots: Vec<Snapshot>,
    /// Logs, oldest first.
    pub logs: Vec<Log>,
    /// The version of its configuration, if it is dynamic.
    pub config_version: Option<String>,
    /// The last zxid once it has loaded.
    pub last_zxid: String,
    /// The name of the snapshot that it loads.
    pub loads: Option<String>,
    /// How many records it applies behind that.
    pub applies: usize,
    /// How many records of its logs it does not apply.
    pub covered: usize,
    /// The snapshot was written while transactions were applied: it may hold some of those up to here.
    pub fuzzy_up_to: Option<String>,
    /// How many znodes it has then.
    pub znodes: usize,
    /// How many sessions.
    pub sessions: usize,
    /// The digest of its tree.
    pub digest: String,
    /// How many digests were compared with those that leaders wrote.
    pub digests_compared: u64,
    /// How many of them are others.
    pub digests_differ: u64,
    /// The first of those.
    pub first_difference: Option<String>,
    /// Why it does not start.
    #[serde(serialize_with = "crate::in_words::several")]
    pub refusals: Vec<Refusal>,
}

/// A snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The zxid in its name.
    pub zxid: String,
    /// How it is compressed.
    pub compression: Compression,
    /// Its length, bytes.
    pub bytes: u64,
    /// Whether a server would load it.
    pub is_valid: bool,
    /// How many znodes it has.
    pub znodes: usize,
    /// How many sessions.
    pub sessions: usize,
    /// How many seals.
    pub seals: usize,
    /// The zxid of the digest in it.
    pub digest_zxid: Option<String>,
}

/// A file of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    /// The zxid in its name.
    pub zxid: String,
    /// How many records it has.
    pub records: usize,
    /// The first.
    pub first: Option<String>,
    /// The last.
    pub last: Option<String>,
    /// The place behind that.
    pub end: u64,
    /// Its length, bytes.
    pub bytes: u64,
    /// Whether a server reads it to its end.
    pub is_whole: bool,
}

/// Transactions in a row of which all disks have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transactions {
    /// The first.
    pub first: String,
    /// The last.
    pub last: String,
    /// How many.
    pub count: u64,
    /// Where they belong.
    pub place: Place,
    /// What each server has of them.
    pub cells: Vec<Cell>,
    /// How many voters have them once they have loaded.
    pub on_voters: usize,
    /// Whether these are a majority of the voters.
    pub on_majority: bool,
    /// Whether the same zxids were given twice.
    pub is_twice: bool,
    /// What the first of them do, where not all servers have them.
    pub what: Vec<String>,
}

/// How one tree stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stands {
    /// They are the same.
    Same,
    /// It is what the other was before.
    Behind,
    /// It is what the other will be.
    Ahead,
    /// They are different after the same transactions.
    Parted,
}

/// How a tree stands to that of the newest disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// Whose tree.
    pub server: usize,
    /// In what way.
    pub relation: Stands,
    /// The first transaction after which they are different.
    pub parted_at: Option<String>,
    /// In how many znodes they differ.
    pub differences: usize,
    /// The first of these, by their paths.
    pub znodes: Vec<(String, Difference)>,
}

impl Report {
    /// What is on the disks, each with what its server loads; nothing is started yet.
    pub fn before_start(disks: &Disks, all: &[(&Disk, &Loaded)], matrix: &Matrix) -> Report {
        // copies stand behind all others
        let own: Vec<(&Disk, &Loaded)> = all.iter().filter(|(disk, _)| !disk.is_copy).copied().collect();
        let voters = voters(&own, matrix.newest);
        let of_files = disks.disks.iter().flat_map(Disk::all_troubles).chain(&disks.troubles);
        let logs = disks.disks.iter().filter(|disk| !disk.is_copy);
        let logs: Vec<_> = logs.filter_map(|disk| Some((disk.id?, &disk.logs[..]))).collect();
        let while_loading = all.iter().flat_map(|(_, loaded)| &loaded.troubles);
        Report {
            servers: all.iter().map(|(disk, loaded)| Server::of(disk, loaded)).collect(),
            newest: matrix.newest,
            transactions: matrix.columns.iter().map(|column| Transactions::of(column, &own, &voters)).collect(),
            trees: trees(&own, matrix.newest),
            troubles: of_files.chain(while_loading).cloned().collect(),
            other_files: disks.others.len(),
            ambiguous: ambiguous(&own),
            happened: Story::of(&disks.server_logs, &logs),
            unknown: None,
            start: None,
            voters,
        }
    }
}

pub(crate) fn voters(own: &[(&Disk, &Loaded)], newest: Option<usize>) -> Vec<u64> {
    let config = newest.and_then(|place| own[place].0.config.as_ref()).filter(|config| !config.members.is_empty());
    match config {
        Some(config) => config.members.iter().filter(|(_, member)| member.is_voter).map(|(id, _)| *id).collect(),
        None => own.iter().filter_map(|(disk, _)| disk.id).collect(),
    }
}

fn ambiguous(own: &[(&Disk, &Loaded)]) -> Vec<u64> {
    let ids: Vec<u64> = own.iter().filter_map(|(disk, _)| disk.id).collect();
    let mut twice: Vec<u64> = ids.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    twice.dedup();
    twice
}

fn trees(own: &[(&Disk, &Loaded)], newest: Option<usize>) -> Vec<Tree> {
    let Some(newest) = newest else { return Vec::new() };
    let others = own.iter().enumerate().filter(|(place, _)| *place != newest);
    others.map(|(place, (_, loaded))| Tree::of(place, loaded, own[newest].1)).collect()
}

impl Server {
    fn of(disk: &Disk, loaded: &Loaded) -> Server {
        let snapshot = loaded.snapshot.map(|place| &disk.snapshots[place]);
        let last_part = |path: &str| path.rsplit('/').next().unwrap_or_default().to_string();
        Server {
            name: disk.name(),
            id: disk.id,
            told_by: disk.told_by,
            folder: disk.folder.clone(),
            is_copy: disk.is_copy,
            accepted_epoch: disk.accepted_epoch,
            current_epoch: disk.current_epoch,
            snapshots: disk.snapshots.iter().map(Snapshot::of).collect(),
            logs: disk.logs.iter().map(Log::of).collect(),
            config_version: disk.config.as_ref().and_then(|config| config.version).map(hex),
            last_zxid: hex(loaded.last),
            loads: snapshot.map(|snapshot| last_part(&snapshot.path)),
            applies: loaded.applied.len(),
            covered: loaded.covered(disk).count(),
            fuzzy_up_to: (loaded.fuzzy_up_to > loaded.base).then(|| hex(loaded.fuzzy_up_to)),
            znodes: loaded.image.len(),
            sessions: loaded.image.sessions().count(),
            digest: format!("0x{:x}", loaded.image.digest()),
            digests_compared: loaded.compared,
            digests_differ: loaded.mismatches,
            first_difference: loaded.first_mismatch.map(|mismatch| hex(mismatch.zxid)),
            refusals: loaded.refusals.clone(),
        }
    }
}

impl Snapshot {
    fn of(file: &crate::snapshot::SnapshotFile) -> Snapshot {
        Snapshot {
            zxid: hex(file.name),
            compression: file.compression,
            bytes: file.size(),
            is_valid: file.is_valid,
            znodes: file.about.nodes,
            sessions: file.about.sessions,
            seals: file.about.seals,
            digest_zxid: file.about.said().map(|(zxid, _)| hex(zxid)),
        }
    }
}

impl Log {
    fn of(file: &crate::log::LogFile) -> Log {
        Log {
            zxid: hex(file.name),
            records: file.entries.len(),
            first: file.entries.first().map(|entry| hex(entry.zxid)),
            last: file.entries.last().map(|entry| hex(entry.zxid)),
            end: file.end,
            bytes: file.size(),
            is_whole: matches!(file.ending, Ending::File | Ending::Padding),
        }
    }
}

impl Transactions {
    fn of(column: &Column, own: &[(&Disk, &Loaded)], voters: &[u64]) -> Transactions {
        let voting = own
            .iter()
            .zip(&column.cells)
            .filter(|((disk, _), cell)| cell.is_there() && disk.id.is_some_and(|id| voters.contains(&id)));
        let on_voters = voting.count();
        let on_all = column.cells.iter().all(|cell| cell.is_there());
        Transactions {
            first: hex(column.first),
            last: hex(column.last),
            count: column.count(),
            place: column.place,
            cells: column.cells.clone(),
            on_voters,
            on_majority: on_voters > voters.len() / 2,
            is_twice: column.is_twice,
            what: if on_all { Vec::new() } else { what(column, own) },
        }
    }
}

/// The first of what so many transactions do, in a line.
pub fn listed(what: &[String], count: u64) -> String {
    let more = if count > what.len() as u64 { ", …" } else { "" };
    what.join(", ") + more
}

/// What the first transactions of a column do, by a log that holds them.
fn what(column: &Column, own: &[(&Disk, &Loaded)]) -> Vec<String> {
    let holds = |cell: &Cell| matches!(cell, Cell::Log | Cell::Covered);
    let Some((disk, _)) = own.iter().zip(&column.cells).find(|(_, cell)| holds(cell)).map(|(it, _)| it) else {
        return Vec::new();
    };
    let in_column = |zxid: Zxid| column.first <= zxid && zxid <= column.last;
    let entries = disk.logs.iter().flat_map(|log| log.entries.iter().map(move |entry| (log, entry)));
    let of_column = entries.filter(|(_, entry)| in_column(entry.zxid)).take(TOLD);
    of_column.filter_map(|(log, entry)| log.record(entry)).map(|record| record.to_string()).collect()
}

impl Tree {
    fn of(server: usize, loaded: &Loaded, newest: &Loaded) -> Tree {
        let (relation, parted_at) = match compare(loaded, newest) {
            Relation::Same => (Stands::Same, None),
            Relation::Behind => (Stands::Behind, None),
            Relation::Ahead => (Stands::Ahead, None),
            Relation::Parted { first } => (Stands::Parted, first.map(hex)),
        };
        let found = if relation == Stands::Same { Vec::new() } else { differences(&loaded.image, &newest.image) };
        let listed = found.iter().take(LISTED).map(|(path, difference)| (path.to_string(), *difference));
        Tree { server, relation, parted_at, differences: found.len(), znodes: listed.collect() }
    }
}
