//! `zabscope disks`: what lies on the disks of real servers.

pub(super) mod export;
mod happened;
mod start;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use zabscope_disks::archive::Intake;
use zabscope_disks::disk::{ToldBy, sort};
use zabscope_disks::examined::Examined;
use zabscope_disks::matrix::{Cell, Difference, Place};
use zabscope_disks::report::{Report, Server, Stands, Transactions, listed};
use zabscope_disks::trouble::{Trouble, Wrong};

use crate::sim::ZkVersion;

use super::options::Word;
use super::{Failure, print};

/// How deep folders are looked into.
const DEEPEST: usize = 24;

/// Tells what lies on the disks of real ZooKeeper servers, 3.4 to 3.10, and what happens when they are started.
///
/// Reads files, folders and archives (tar, tar.gz, zip), and writes nothing. Of servers' own logs (zookeeper.log, 3.5 to 3.10) it tells
/// what happened: who led when, and why that ended. Says which server has which transactions, what each would
/// load, and where two trees part; checks every checksum, seal and tree digest, and names file and byte of what is wrong. Then it starts
/// every choice of these servers in the simulation and says who leads, what is lost, and in which order nothing is. Exit code 1 if
/// something is wrong with a file, 2 if there is nothing to read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope disks zk1/ zk2/ zk3/
  zabscope disks incident.tar.gz --json
  zabscope disks backup/a backup/b --server backup/a=1 --server backup/b=2")]
pub(super) struct Disks {
    /// Data directories, and whatever contains some
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// Says whose a folder is where nothing else does; may be repeated
    #[arg(long = "server", value_name = "PATH=ID", value_parser = server)]
    servers: Vec<(String, u64)>,
    /// By which version's rules they are started
    #[arg(long, value_name = "VERSION", default_value = ZkVersion::V39.name(), value_parser = released())]
    zookeeper: ZkVersion,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn disks(asked: Disks) -> Result<ExitCode, Failure> {
    let mut intake = Intake::default();
    for path in &asked.paths {
        // what was named has to be there; what is found in it is told of
        fs::metadata(path).map_err(|error| Failure::usage(format!("{path}: {error}")))?;
        collect(Path::new(path), path.trim_end_matches('/'), &mut intake, 0);
    }
    let disks = sort(intake, &asked.servers.into_iter().collect());
    let report = Examined::of(disks).whole_report(asked.zookeeper);
    if report.servers.is_empty() && report.happened.is_none() {
        report.troubles.iter().try_for_each(print)?;
        return Err(Failure::usage(
            "there is no data directory of ZooKeeper: no logs, no snapshots, no epochs, no myid; and no log of a server",
        ));
    }
    match asked.json {
        true => print(serde_json::to_string_pretty(&report).map_err(|error| Failure::usage(error.to_string()))?)?,
        false => tell(&report)?,
    }
    Ok(ExitCode::from(u8::from(!report.troubles.is_empty())))
}

fn released() -> Word<ZkVersion> {
    Word { known: ZkVersion::ALL.iter().map(|version| version.name()).collect(), read: ZkVersion::named }
}

/// `PATH=ID`
fn server(text: &str) -> Result<(String, u64), &'static str> {
    let read =
        text.rsplit_once('=').and_then(|(path, id)| Some((path.trim_end_matches('/').into(), id.parse().ok()?)));
    read.ok_or("write PATH=ID, as in --server backup/version-2=3")
}

/// Takes in a file, or all files of a folder in the order of their names.
fn collect(path: &Path, name: &str, intake: &mut Intake, depth: usize) {
    if let Err(error) = collected(path, name, intake, depth) {
        intake.troubles.push(Trouble::of(name, Wrong::Io(error.to_string())));
    }
}

fn collected(path: &Path, name: &str, intake: &mut Intake, depth: usize) -> io::Result<()> {
    let kind = fs::metadata(path)?;
    if kind.is_file() {
        return intake.add_from(name, File::open(path)?);
    }
    if !kind.is_dir() {
        return Ok(()); // a socket, a pipe: nothing that would end
    }
    if depth >= DEEPEST {
        return Err(io::Error::other("folders in folders, too deep to be looked into"));
    }
    let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        collect(&entry.path(), &format!("{name}/{}", entry.file_name().to_string_lossy()), intake, depth + 1);
    }
    Ok(())
}

fn tell(report: &Report) -> Result<(), Failure> {
    for server in &report.servers {
        tell_server(server)?;
    }
    for id in &report.ambiguous {
        print(format_args!("S{id} is claimed by more than one disk: say whose each is with --server PATH=ID\n"))?;
    }
    if let Some(story) = &report.happened {
        happened::tell(story)?;
    }
    if report.servers.is_empty() {
        return Ok(()); // there are logs alone
    }
    tell_transactions(report)?;
    tell_trees(report)?;
    match (&report.start, report.unknown) {
        (Some(start), _) => start::tell(start)?,
        (None, Some(why)) => print(format_args!("\nWhat happens when they are started is not known: {why}"))?,
        (None, None) => {}
    }
    if !report.troubles.is_empty() {
        print("\nWhat is wrong with files")?;
        report.troubles.iter().try_for_each(|trouble| print(format_args!("  {trouble}")))?;
    }
    Ok(())
}

fn tell_server(server: &Server) -> Result<(), Failure> {
    let told_by = match server.told_by {
        ToldBy::Said => "by --server",
        ToldBy::MyId => "by myid",
        ToldBy::Config => "by its configuration",
        ToldBy::Folder => "by the name of its folder",
        ToldBy::Nothing => "nothing tells whose it is: --server PATH=ID does",
    };
    print(format_args!("{}: {} ({told_by})", server.name, server.folder))?;
    let epoch = |epoch: Option<u64>| epoch.map_or("missing".to_string(), |epoch| epoch.to_string());
    let epochs = [server.accepted_epoch, server.current_epoch].map(epoch);
    let config = server.config_version.as_ref().map_or(String::new(), |version| format!(", configuration {version}"));
    print(format_args!(
        "  last zxid {}, acceptedEpoch {}, currentEpoch {}{config}",
        server.last_zxid, epochs[0], epochs[1]
    ))?;
    for snapshot in &server.snapshots {
        let state = if snapshot.is_valid { "" } else { ": a server does not load it" };
        print(format_args!(
            "  snapshot.{} ({:?}, {} bytes, {} znodes, {} sessions, {} seals){state}",
            &snapshot.zxid[2..],
            snapshot.compression,
            snapshot.bytes,
            snapshot.znodes,
            snapshot.sessions,
            snapshot.seals
        ))?;
    }
    for log in &server.logs {
        let range = match (&log.first, &log.last) {
            (Some(first), Some(last)) => format!("{} records {first}..{last}", log.records),
            _ => "no records".into(),
        };
        print(format_args!("  log.{} ({range}, ends at {} of {} bytes)", &log.zxid[2..], log.end, log.bytes))?;
    }
    let from = server.loads.as_deref().unwrap_or("nothing");
    let covered = match server.covered {
        0 => String::new(),
        covered => format!(", passes over {covered} under the snapshot"),
    };
    print(format_args!(
        "  loads {from}, applies {} records{covered}: {} znodes, {} sessions, tree digest {}",
        server.applies, server.znodes, server.sessions, server.digest
    ))?;
    if let Some(zxid) = &server.fuzzy_up_to {
        print(format_args!(
            "  the snapshot was written while transactions were applied: it is whole from {zxid} on"
        ))?;
    }
    match &server.first_difference {
        Some(zxid) => print(format_args!(
            "  {} of {} digests are not those of its tree, from {zxid} on: its history is not the leader's",
            server.digests_differ, server.digests_compared
        ))?,
        None => print(format_args!("  {} digests compared, all right", server.digests_compared))?,
    }
    server.refusals.iter().try_for_each(|refusal| print(format_args!("  {refusal}")))?;
    print("")
}

fn tell_transactions(report: &Report) -> Result<(), Failure> {
    let names: Vec<&str> =
        report.servers.iter().filter(|server| !server.is_copy).map(|server| server.name.as_str()).collect();
    let newest = report.newest.and_then(|place| names.get(place)).copied().unwrap_or("none of them");
    print(format_args!("Transactions; {newest} is the newest"))?;
    let wide = names.iter().map(|name| name.len()).max().unwrap_or(0).max("snapshot".len());
    let heads: String = names.iter().map(|name| format!("  {name:wide$}")).collect();
    print(format_args!("  {:27} {:>8}{heads}", "", "count"))?;
    for row in &report.transactions {
        let range = if row.count == 1 { row.first.clone() } else { format!("{}..{}", row.first, row.last) };
        let cells: String = row.cells.iter().map(|cell| format!("  {:wide$}", word(*cell))).collect();
        print(format_args!("  {range:27} {:>8}{cells}  {}", row.count, remark(row, report, &names)))?;
        if !row.what.is_empty() {
            print(format_args!("      {}", listed(&row.what, row.count)))?;
        }
    }
    Ok(())
}

fn word(cell: Cell) -> &'static str {
    match cell {
        Cell::Behind => "-",
        Cell::Hole => "hole",
        Cell::Log => "log",
        Cell::Snapshot => "snapshot",
        Cell::Covered => "covered",
    }
}

fn remark(row: &Transactions, report: &Report, names: &[&str]) -> String {
    let have: Vec<&str> =
        names.iter().zip(&row.cells).filter(|(_, cell)| cell.is_there()).map(|(name, _)| *name).collect();
    let (on, voters) = (row.on_voters, report.voters.len());
    let place = match &have[..] {
        [] if row.cells.contains(&Cell::Covered) => "no load brings them back".to_string(),
        [] => "on no disk".into(),
        _ if on >= voters && voters > 0 => "on all".into(),
        _ if row.on_majority => format!("on a majority ({on} of {voters} voters)"),
        [only] => format!("only on {only}"),
        _ => format!("on {on} of {voters} voters, no majority"),
    };
    let beside = if row.place == Place::Beside { "; beside the history" } else { "" };
    let twice = if row.is_twice { "; these zxids were given twice" } else { "" };
    format!("{place}{beside}{twice}")
}

fn tell_trees(report: &Report) -> Result<(), Failure> {
    print("\nTrees")?;
    let name = |place: usize| report.servers.get(place).map_or("", |server| server.name.as_str());
    let newest = name(report.newest.unwrap_or(usize::MAX));
    for tree in &report.trees {
        let whose = name(tree.server);
        let said = crate::i18n::disks::tree(crate::i18n::Lang::En, report, tree);
        print(format_args!("  {}", said.trim_end_matches('.')))?;
        if tree.relation != Stands::Parted {
            continue;
        }
        for (path, difference) in &tree.znodes {
            let how = match difference {
                Difference::Extra => format!("only {whose} has"),
                Difference::Missing => format!("only {newest} has"),
                Difference::Changed => "differs:".into(),
            };
            print(format_args!("    {how} {path}"))?;
        }
        if tree.differences > tree.znodes.len() {
            print(format_args!("    and {} more", tree.differences - tree.znodes.len()))?;
        }
    }
    Ok(())
}
