//! Whole recordings: records, snapshots, epochs, final trees, and every checksum and digest.

use super::*;
use crate::disk::{Disk, ToldBy};
use crate::load::Loaded;
use crate::log::{Ending, LogFile};
use crate::record::kind;
use crate::snapshot::SnapshotFile;

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().expect("a name")
}

fn check_log(log: &LogFile, expected: &Value, of: &str) {
    let mut kinds = BTreeMap::new();
    log.entries.iter().for_each(|entry| *kinds.entry(kind::name(entry.kind)).or_insert(0_u64) += 1);
    let found = serde_json::json!({
        "records": log.entries.len(),
        "first": log.entries.first().map(|entry| hex(entry.zxid)),
        "last": log.entries.last().map(|entry| hex(entry.zxid)),
        "endOffset": log.end,
        "size": log.size(),
        "ops": kinds,
    });
    let expected: BTreeMap<&String, &Value> =
        expected.as_object().expect("a log").iter().filter(|(key, _)| found.get(key).is_some()).collect();
    assert_eq!(serde_json::json!(expected), found, "{of}: {}", log.path);
    assert!(matches!(log.ending, Ending::Padding | Ending::File), "{of}: {:?}", log.ending);
}

fn check_snapshot(snapshot: &SnapshotFile, expected: &Value, of: &str) {
    let about = &snapshot.about;
    let digest = about.digest.map(|(zxid, digest)| serde_json::json!([hex(zxid), digest.version, digest.sum]));
    let found = serde_json::json!({
        "sessions": about.sessions,
        "nodes": about.nodes,
        "acls": about.acls,
        "digest": digest,
        "lastProcessedZxid": about.last_processed.map(hex),
    });
    let expected: BTreeMap<&String, &Value> =
        expected.as_object().expect("a snapshot").iter().filter(|(key, _)| found.get(key).is_some()).collect();
    for (key, value) in expected {
        assert_eq!(*value, found[key], "{of}: {} {key}", snapshot.path);
    }
    assert!(snapshot.is_valid, "{of}: {}", snapshot.path);
}

fn check_disk(disk: &Disk, loaded: &Loaded, expected: &Value, of: &str) {
    for (found, key) in [(disk.accepted_epoch, "acceptedEpoch"), (disk.current_epoch, "currentEpoch")] {
        assert_eq!(found, expected[key].as_u64(), "{of}: {key}");
    }
    let logs = expected["logs"].as_object().expect("logs");
    assert_eq!(disk.logs.len(), logs.len(), "{of}: logs");
    disk.logs.iter().for_each(|log| check_log(log, &logs[last_part(&log.path)], of));
    let snapshots = expected["snapshots"].as_object().expect("snapshots");
    assert_eq!(disk.snapshots.len(), snapshots.len(), "{of}: snapshots");
    disk.snapshots.iter().for_each(|snapshot| check_snapshot(snapshot, &snapshots[last_part(&snapshot.path)], of));
    let last = &expected["final"];
    let paths: Vec<&str> = loaded.image.nodes().iter().map(|(path, _)| *path).collect();
    assert_eq!(Some(paths.len() as u64), last["nodes"].as_u64(), "{of}");
    // those of large trees are not listed
    if let Some(shown) = last["paths"].as_array() {
        assert!(paths.iter().copied().eq(shown.iter().filter_map(Value::as_str)), "{of}: {paths:?}");
    }
    assert_eq!(loaded.last, zxid(&last["lastZxid"]), "{of}");
    assert_eq!(loaded.image.digest(), last["digest"].as_i64().expect("a digest").cast_unsigned(), "{of}");
    assert_eq!((loaded.mismatches, &loaded.refusals[..]), (0, &[][..]), "{of}: {:?}", loaded.first_mismatch);
}

/// Every checksum, every seal and, from what each server loads, every digest is right.
#[test]
fn whole_recordings_are_read_as_a_second_parser_reads_them() {
    let (mut servers, mut records, mut compared) = (0, 0, 0);
    for archive in ["artifacts/3.8.0", "artifacts/3.9.5"].iter().flat_map(|version| archives(version)) {
        let disks = disks(&archive);
        assert!(disks.troubles.is_empty(), "{:?}", disks.troubles);
        let expected = disks.others.iter().find(|(path, _)| path.ends_with("/expected.json")).expect("expectations");
        let expected: Value = serde_json::from_slice(expected.1.bytes()).expect("JSON");
        let own = disks.disks.iter().filter(|disk| !disk.is_copy);
        assert_eq!(own.clone().count(), expected.as_object().expect("servers").len(), "{}", archive.display());
        for disk in own {
            let of = format!("{} of {}", disk.name(), archive.display());
            let troubles: Vec<_> = disk.all_troubles().collect();
            assert!(troubles.is_empty() && disk.told_by == ToldBy::MyId, "{of}: {troubles:?}");
            let loaded = Loaded::of(disk, disks.room);
            check_disk(disk, &loaded, &expected[format!("server-{}", disk.id.expect("an id"))], &of);
            records += disk.logs.iter().map(|log| log.entries.len()).sum::<usize>();
            (servers, compared) = (servers + 1, compared + loaded.compared);
        }
    }
    println!("{servers} servers, {records} records, {compared} digests");
    assert_eq!((servers, records, compared), (47, 9_785, 7_134));
}

/// The one story with a copy of a data directory beside the directory itself.
#[test]
fn a_copy_of_a_data_directory_is_told_from_the_one_that_the_server_uses() {
    let archive = folder("artifacts/3.9.5/old-leader-rejoins-after-new-writes.tar.gz");
    let disks = disks(&archive).disks;
    let found: Vec<String> = disks.iter().map(Disk::name).collect();
    assert_eq!(found.len(), 4);
    assert!(found[3].starts_with("S3 (") && found[3].ends_with("/data-before-restart)"), "{found:?}");
}
