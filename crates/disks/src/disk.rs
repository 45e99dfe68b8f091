//! Which files belong to which server.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zabscope_ground::base::{Arrange, Gather, Zxid};

use crate::archive::Intake;
use crate::config::Config;
use crate::content::Content;
use crate::log::LogFile;
use crate::logs::server::{ServerLog, by_server};
use crate::snapshot::{Compression, SnapshotFile};
use crate::trouble::{Trouble, Wrong};

/// What told whose a disk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToldBy {
    /// Whoever asked.
    Said,
    /// The file `myid`.
    MyId,
    /// The configuration: its own address is that of one of its servers.
    Config,
    /// A number at the end of a folder's name.
    Folder,
    /// Nothing did.
    Nothing,
}

/// What lies in a server's data directory.
#[derive(Debug)]
pub struct Disk {
    /// The server's id, if it is known.
    pub id: Option<u64>,
    /// What told it.
    pub told_by: ToldBy,
    /// The data directory.
    pub folder: String,
    /// Another data directory of the server is the one that its configuration names: this is a copy.
    pub is_copy: bool,
    /// The file acceptedEpoch.
    pub accepted_epoch: Option<u64>,
    /// The file currentEpoch.
    pub current_epoch: Option<u64>,
    /// Snapshots, oldest first.
    pub snapshots: Vec<SnapshotFile>,
    /// Logs, oldest first.
    pub logs: Vec<LogFile>,
    /// The configuration that it would start with.
    pub config: Option<Config>,
    /// Where that stands.
    pub config_path: Option<String>,
    /// What is wrong with its files, other than with logs and snapshots.
    pub troubles: Vec<Trouble>,
}

impl Disk {
    /// All that is wrong with its files.
    pub fn all_troubles(&self) -> impl Iterator<Item = &Trouble> {
        let of_snapshots = self.snapshots.iter().flat_map(|snapshot| &snapshot.troubles);
        let of_logs = self.logs.iter().flat_map(|log| &log.troubles);
        self.troubles.iter().chain(of_snapshots).chain(of_logs)
    }

    /// Whether there is nothing on it that a server would load.
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty() && self.snapshots.is_empty() && self.accepted_epoch.or(self.current_epoch).is_none()
    }

    /// Where it stands among others: by id, copies last.
    pub(crate) fn place(&self) -> (bool, bool, Option<u64>, String) {
        (self.is_copy, self.id.is_none(), self.id, self.folder.clone())
    }

    /// What it is called: `S3`, or its folder.
    pub fn name(&self) -> String {
        match self.id {
            Some(id) if self.is_copy => format!("S{id} ({})", self.folder),
            Some(id) => format!("S{id}"),
            None => self.folder.clone(),
        }
    }
}

/// The disks of an ensemble.
#[derive(Debug, Default)]
pub struct Disks {
    /// By id, copies last.
    pub disks: Vec<Disk>,
    /// Servers' own logs, by id.
    pub server_logs: Vec<ServerLog>,
    /// Files that are none of theirs.
    pub others: Vec<(String, Content)>,
    /// What could not be unpacked or read.
    pub troubles: Vec<Trouble>,
    /// How much more may be kept in memory.
    pub room: crate::content::Room,
}

/// What a file is, by its name.
enum Kind {
    Log(Zxid),
    Snapshot(Zxid, Compression),
    AcceptedEpoch,
    CurrentEpoch,
    MyId,
    Config,
    Other,
}

fn kind_of(name: &str) -> Kind {
    let zxid = |text: &str| u64::from_str_radix(text, 16).ok().filter(|_| !text.starts_with('+')).map(Zxid);
    match name {
        "acceptedEpoch" => return Kind::AcceptedEpoch,
        "currentEpoch" => return Kind::CurrentEpoch,
        "myid" => return Kind::MyId,
        _ => {}
    }
    if let Some(zxid) = name.strip_prefix("log.").and_then(zxid) {
        return Kind::Log(zxid);
    }
    if let Some(rest) = name.strip_prefix("snapshot.") {
        let (text, compression) = match rest.split_once('.') {
            Some((text, "gz")) => (text, Compression::Gz),
            Some((text, "snappy")) => (text, Compression::Snappy),
            _ => (rest, Compression::Plain),
        };
        return zxid(text).map_or(Kind::Other, |zxid| Kind::Snapshot(zxid, compression));
    }
    if name.ends_with(".cfg") || name.contains(".cfg.dynamic") || name.ends_with(".dynamic") {
        Kind::Config
    } else {
        Kind::Other
    }
}

/// The folder of a path, and its last part.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn parts(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

/// How many parts two paths have in common at their beginnings.
fn common_beginning(a: &str, b: &str) -> usize {
    parts(a).zip(parts(b)).take_while(|(a, b)| a == b).count()
}

/// How many parts two paths have in common at their ends.
fn common_end(a: &str, b: &str) -> usize {
    parts(a).rev().zip(parts(b).rev()).take_while(|(a, b)| a == b).count()
}

/// A folder in which files of a server lie.
#[derive(Default)]
struct Folder {
    my_id: Option<(String, Content)>,
    epochs: Vec<(String, Content, bool)>,
    snapshots: Vec<(String, Zxid, Compression, Content)>,
    logs: Vec<(String, Zxid, Content)>,
}

impl Folder {
    fn take(&mut self, kind: Kind, path: String, content: Content) {
        match kind {
            Kind::Log(zxid) => self.logs.push((path, zxid, content)),
            Kind::Snapshot(zxid, packed) => self.snapshots.push((path, zxid, packed, content)),
            Kind::AcceptedEpoch => self.epochs.push((path, content, true)),
            Kind::CurrentEpoch => self.epochs.push((path, content, false)),
            Kind::MyId => self.my_id = Some((path, content)),
            Kind::Config | Kind::Other => {}
        }
    }

    fn has_only_logs(&self) -> bool {
        self.my_id.is_none() && self.epochs.is_empty() && self.snapshots.is_empty()
    }
}

struct ConfigFile {
    path: String,
    config: Config,
    troubles: Vec<Trouble>,
}

/// Files, sorted to folders.
#[derive(Default)]
struct Sorting {
    folders: BTreeMap<String, Folder>,
    configs: Vec<ConfigFile>,
    others: Vec<(String, Content)>,
    /// How many parts the paths of all files have in common at their beginnings: these tell no server from another.
    common: usize,
}

impl Sorting {
    fn of(files: Vec<(String, Content)>) -> Sorting {
        let mut sorting = Sorting::default();
        let shared = |(path, _): &(String, Content)| {
            files.first().map_or(0, |(first, _)| common_beginning(first, split(path).0))
        };
        sorting.common = files.iter().map(shared).min().unwrap_or(0);
        files.into_iter().for_each(|(path, content)| sorting.take(path, content));
        sorting
    }

    fn take(&mut self, path: String, content: Content) {
        let (folder, name) = split(&path);
        let folder = if split(folder).1 == "version-2" { split(folder).0 } else { folder }.to_string();
        match kind_of(name) {
            Kind::Other => self.others.push((path, content)),
            Kind::Config => {
                let (config, troubles) = Config::read(&path, &String::from_utf8_lossy(content.bytes()));
                if config.says_something() {
                    self.configs.push(ConfigFile { path, config, troubles });
                } else {
                    self.others.push((path, content));
                }
            }
            kind => self.folders.entry(folder).or_default().take(kind, path, content),
        }
    }

    /// Whether a configuration is that of one folder alone: it lies nearer to it than to all.
    fn is_own(&self, file: &ConfigFile, folder: &str) -> bool {
        self.folders.len() == 1 || common_beginning(split(&file.path).0, folder) > self.common
    }

    /// A number in the names of the folders that tell a server from others.
    fn numbered(&self, folder: &str) -> Option<u64> {
        let telling = if self.folders.len() == 1 { 0 } else { self.common };
        let telling: Vec<&str> = parts(folder).skip(telling).collect();
        telling.into_iter().rev().find_map(numbered)
    }
}

/// Sorts files to servers; `said` are ids that are known, by the beginning of a path.
pub fn sort(mut intake: Intake, said: &BTreeMap<String, u64>) -> Disks {
    follow_links(&mut intake);
    let mut sorting = Sorting::of(std::mem::take(&mut intake.files));
    let chosen: BTreeMap<String, usize> = sorting
        .folders
        .keys()
        .filter_map(|folder| Some((folder.clone(), config_of(folder, &sorting.configs)?)))
        .gathered();
    join_logs(&mut sorting, &chosen);
    let folders: Vec<String> = sorting.folders.keys().cloned().collect();
    let mut disks: Vec<Disk> = folders
        .into_iter()
        .map(|folder| {
            let files = sorting.folders.get_mut(&folder).map(std::mem::take).unwrap_or_default();
            let config = chosen.get(&folder).and_then(|place| sorting.configs.get(*place));
            disk(folder, files, config, &sorting, said, intake.room)
        })
        .collect();
    mark_copies(&mut disks, &chosen, &sorting.configs);
    // where `myid` lies beside the configuration there is no data
    let with_data: BTreeSet<u64> = disks.iter().filter(|disk| !disk.is_empty()).filter_map(|disk| disk.id).gathered();
    disks.retain(|disk| !disk.is_empty() || disk.id.is_none_or(|id| !with_data.contains(&id)));
    disks.arrange_by_key(Disk::place);
    let server_logs = by_server(intake.logs, |path| whose_log(path, &disks, &sorting, said));
    Disks { disks, server_logs, others: sorting.others, troubles: intake.troubles, room: intake.room }
}

/// Whose a log is that does not say so itself: by its path.
fn whose_log(path: &str, disks: &[Disk], sorting: &Sorting, said: &BTreeMap<String, u64>) -> Option<u64> {
    let by_said = said.iter().filter(|(of, _)| common_beginning(of, path) == parts(of).count());
    let (folder, name) = split(path);
    let near = |disk: &&Disk| common_beginning(&disk.folder, folder);
    let beside = disks.iter().filter(|disk| near(disk) > sorting.common).max_by_key(near);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let by_said = by_said.max_by_key(|(of, _)| of.len()).map(|(_, id)| *id);
    by_said.or_else(|| beside?.id).or_else(|| numbered(stem)).or_else(|| parts(folder).rev().find_map(numbered))
}

/// Links of archives to files that are in them too: Debian's `myid` is one.
fn follow_links(intake: &mut Intake) {
    let mut more = Vec::new();
    for (path, target) in &intake.links {
        if matches!(kind_of(split(path).1), Kind::Other) {
            continue;
        }
        let wanted = parts(target).filter(|part| *part != "..").count();
        let found = intake.files.iter().filter(|(file, _)| common_end(file, target) >= wanted);
        if let Some((_, content)) = found.max_by_key(|(file, _)| common_beginning(file, path))
            && intake.room.take(content.bytes().len() as u64).is_ok()
        {
            more.push((path.clone(), content.clone()));
        }
    }
    intake.files.extend(more);
}

/// The static configuration of a data directory: the nearest, and of those one that names it.
fn config_of(folder: &str, configs: &[ConfigFile]) -> Option<usize> {
    let is_static =
        |file: &&(usize, &ConfigFile)| file.1.config.get("dataDir").is_some() || !file.1.path.contains(".dynamic");
    let rank = |(_, file): &(usize, &ConfigFile)| {
        let (of, name) = split(&file.path);
        let named = file.config.get("dataDir").map_or(0, |dir| common_end(dir, folder));
        (common_beginning(of, folder), named, name == "zoo.cfg")
    };
    let all: Vec<(usize, &ConfigFile)> = configs.iter().enumerate().collect();
    let best = all.iter().filter(is_static).max_by_key(|file| rank(file))?;
    // where several are as near, and none of them says more, it is nobody's
    let ties = all.iter().filter(is_static).filter(|file| rank(file) == rank(best)).count();
    (ties == 1).then_some(best.0)
}

/// Logs that lie in a directory of their own (`dataLogDir`) come to the data directory that they belong to.
fn join_logs(sorting: &mut Sorting, chosen: &BTreeMap<String, usize>) {
    let Sorting { folders, configs, common, .. } = sorting;
    let is_one = folders.len() == 2;
    let lonely: Vec<String> =
        folders.iter().filter(|(_, files)| files.has_only_logs()).map(|(folder, _)| folder.clone()).collect();
    for from in lonely {
        let named = |of: &String, key: &str, folder: &str| {
            let config = chosen.get(of).and_then(|place| configs.get(*place));
            config.and_then(|file| file.config.get(key)).map_or(0, |dir| common_end(dir, folder))
        };
        let for_logs = |of: &String| named(of, "dataLogDir", &from);
        let rank =
            |of: &String| (for_logs(of) > 0, common_beginning(of, &from), for_logs(of), named(of, "dataDir", of));
        let homes = folders.iter().filter(|(_, files)| !files.has_only_logs());
        let homes: Vec<String> = homes
            .filter(|(of, files)| {
                for_logs(of) > 0 || files.logs.is_empty() && (is_one || common_beginning(of, &from) > *common)
            })
            .map(|(of, _)| of.clone())
            .collect();
        let Some(home) = homes.iter().max_by_key(|of| rank(of)) else { continue };
        if homes.iter().filter(|of| rank(of) == rank(home)).count() == 1
            && let Some(files) = folders.remove(&from)
            && let Some(home) = folders.get_mut(home)
        {
            home.logs.extend(files.logs);
        }
    }
}

fn disk(
    folder: String,
    files: Folder,
    config: Option<&ConfigFile>,
    sorting: &Sorting,
    said: &BTreeMap<String, u64>,
    room: crate::content::Room,
) -> Disk {
    let mut troubles = Vec::new();
    let mut number = |path: &str, content: &Content| {
        let text = content.word().unwrap_or_default();
        let number = text.parse::<u64>().ok();
        if number.is_none() {
            troubles.push(Trouble::of(path, Wrong::NoNumber(text.chars().take(40).collect())));
        }
        number
    };
    let my_id = files.my_id.as_ref().and_then(|(path, content)| number(path, content));
    let (mut accepted_epoch, mut current_epoch) = (None, None);
    for (path, content, is_accepted) in &files.epochs {
        let epoch = if *is_accepted { &mut accepted_epoch } else { &mut current_epoch };
        *epoch = number(path, content);
    }
    let by_said = said.iter().filter(|(path, _)| common_beginning(path, &folder) == parts(path).count());
    let by_said = by_said.max_by_key(|(path, _)| path.len()).map(|(_, id)| *id);
    let own = config.filter(|file| sorting.is_own(file, &folder));
    let ids = [
        (by_said, ToldBy::Said),
        (my_id, ToldBy::MyId),
        (own.and_then(|file| file.config.own_id()), ToldBy::Config),
        (sorting.numbered(&folder), ToldBy::Folder),
    ];
    let told = ids.into_iter().find_map(|(id, by)| Some((id?, by)));
    let (in_force, config_path) = config.map(|file| in_force(file, &sorting.configs)).unzip();
    troubles.extend(config.iter().flat_map(|file| file.troubles.clone()));
    let read = |(path, zxid, packed, content): (String, Zxid, Compression, Content)| {
        SnapshotFile::read(&path, zxid, packed, content, room)
    };
    let mut snapshots: Vec<SnapshotFile> = files.snapshots.into_iter().map(read).collect();
    snapshots.arrange_by_key(|snapshot| snapshot.name);
    let mut logs: Vec<LogFile> =
        files.logs.into_iter().map(|(path, zxid, content)| LogFile::read(&path, zxid, content)).collect();
    logs.arrange_by_key(|log| log.name);
    Disk {
        id: told.map(|(id, _)| id),
        told_by: told.map_or(ToldBy::Nothing, |(_, by)| by),
        folder,
        is_copy: false,
        accepted_epoch,
        current_epoch,
        snapshots,
        logs,
        config: in_force,
        config_path,
        troubles,
    }
}

/// The number at the end of a folder's or an archive's name: `server-1`, `zk2.tar.gz`.
fn numbered(part: &str) -> Option<u64> {
    let part = [".tar.gz", ".tgz", ".tar", ".zip"].iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
    let digits = part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    part.get(digits..)?.parse().ok().filter(|id| (1..=255).contains(id))
}

/// The configuration with which a server would start, and where it stands: the dynamic one, if the static one names it.
fn in_force(file: &ConfigFile, configs: &[ConfigFile]) -> (Config, String) {
    let mut config = file.config.clone();
    let Some(dynamic) = config.get("dynamicConfigFile").map(str::to_string) else {
        return (config, file.path.clone());
    };
    let near = |other: &&ConfigFile| common_beginning(split(&other.path).0, &file.path);
    let named = configs.iter().filter(|other| split(&other.path).1 == split(&dynamic).1).max_by_key(near);
    let Some(named) = named else { return (config, file.path.clone()) };
    let version = named.path.rsplit_once(".dynamic.").and_then(|(_, hex)| u64::from_str_radix(hex, 16).ok());
    config.members.clone_from(&named.config.members);
    config.groups.clone_from(&named.config.groups);
    config.weights.clone_from(&named.config.weights);
    config.version = version.map(Zxid);
    (config, named.path.clone())
}

/// Of several data directories of one server with one configuration, the one that this names is the server's.
fn mark_copies(disks: &mut [Disk], chosen: &BTreeMap<String, usize>, configs: &[ConfigFile]) {
    let named = |disk: &Disk| {
        let config = chosen.get(&disk.folder).and_then(|place| configs.get(*place));
        config.and_then(|file| file.config.get("dataDir")).map_or(0, |dir| common_end(dir, &disk.folder))
    };
    let ids: BTreeSet<u64> = disks.iter().filter_map(|disk| disk.id).gathered();
    for id in ids {
        let of = || disks.iter().filter(|disk| disk.id == Some(id));
        let most = of().map(named).max().unwrap_or(0);
        if of().count() > 1 && of().filter(|disk| named(disk) == most).count() == 1 {
            let copies = disks.iter_mut().filter(|disk| disk.id == Some(id));
            copies.filter(|disk| named(disk) < most).for_each(|disk| disk.is_copy = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids with what told them and their folders, of files with these names and contents.
    fn told(files: &[(&str, &str)]) -> Vec<(Option<u64>, ToldBy, String, bool)> {
        let mut intake = Intake::default();
        for (path, text) in files {
            intake.add(path, Content::of(text.as_bytes()));
        }
        let disks = sort(intake, &[("known/deep".to_string(), 9)].into()).disks;
        disks.into_iter().map(|disk| (disk.id, disk.told_by, disk.folder, disk.is_copy)).collect()
    }

    #[test]
    fn servers_are_told_apart() {
        let found = told(&[
            ("a/data/myid", "7\n"),
            ("a/data/version-2/log.1", "x"),
            ("zk2.tar.gz/version-2/currentEpoch", "1"),
            ("other/version-2/snapshot.0", "x"),
            ("b/zoo.cfg", "dataDir=/d/data\nclientPort=2\nserver.3=h:1:1;2\nserver.4=h:1:1;3"),
            ("b/data/version-2/currentEpoch", "1"),
            ("known/deep/version-2/log.0", ""),
        ]);
        let expected = [
            (Some(2), ToldBy::Folder, "zk2.tar.gz"),
            (Some(3), ToldBy::Config, "b/data"),
            (Some(7), ToldBy::MyId, "a/data"),
            (Some(9), ToldBy::Said, "known/deep"),
            (None, ToldBy::Nothing, "other"),
        ];
        let expected = expected.map(|(id, by, folder)| (id, by, folder.to_string(), false));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_directory_that_a_configuration_names_is_the_servers_and_its_log_directory_comes_to_it() {
        let found = told(&[
            ("s3/zoo.cfg", "dataDir=/srv/s3/data\ndataLogDir=/srv/s3/txn"),
            ("s3/data/myid", "3"),
            ("s3/before/myid", "3"),
            ("s3/before/version-2/currentEpoch", "1"),
            ("s3/txn/version-2/log.1", ""),
        ]);
        let expected = [("s3/data", false), ("s3/before", true)];
        assert_eq!(found, expected.map(|(folder, copy)| (Some(3), ToldBy::MyId, folder.to_string(), copy)));
    }

    #[test]
    fn the_newest_dynamic_configuration_is_the_one_that_is_named() {
        let mut intake = Intake::default();
        for (path, text) in [
            ("s1/data/myid", "1"),
            ("s1/zoo.cfg", "dataDir=/d/data\ndynamicConfigFile=/d/zoo.cfg.dynamic.100000004"),
            ("s1/zoo.cfg.dynamic.100000004", "server.1=a:1:1\nserver.2=b:1:1:observer"),
            ("s1/zoo.cfg.dynamic.100000009", "server.1=a:1:1"),
            ("s2/zoo.cfg.dynamic.100000004", "server.8=a:1:1"),
        ] {
            intake.add(path, Content::of(text.as_bytes()));
        }
        let disks = sort(intake, &BTreeMap::new()).disks;
        let config = disks[0].config.as_ref().unwrap();
        assert_eq!(config.members.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(config.version, Some(Zxid::new(1, 4)));
    }

    #[test]
    fn a_link_in_an_archive_is_followed() {
        let mut intake = Intake::default();
        intake.add("a/etc/zookeeper/conf/myid", Content::of(b"5"));
        intake.add("a/var/lib/zookeeper/version-2/currentEpoch", Content::of(b"2"));
        intake.links.push(("a/var/lib/zookeeper/myid".into(), "/etc/zookeeper/conf/myid".into()));
        let disks = sort(intake, &BTreeMap::new()).disks;
        let told: Vec<_> = disks.iter().map(|disk| (disk.id, disk.folder.as_str(), disk.troubles.len())).collect();
        assert_eq!(told, [(Some(5), "a/var/lib/zookeeper", 0)]);
    }
}
