//! Starting points of restarts: what each server loads, what lies in its log and is not loaded, what it misses.

use super::*;
use crate::disk::Disk;
use crate::load::{Loaded, Refusal};
use crate::matrix::{Cell, Difference, Matrix, Place, Relation, compare, differences};
use std::collections::BTreeSet;

/// `0xA` and `0xA..0xB`.
fn zxids(list: &Value) -> BTreeSet<Zxid> {
    let range = |text: &Value| {
        let text = text.as_str().expect("a range");
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let [first, last] = [first, last].map(|text| zxid(&text.into()).0);
        (first..=last).map(Zxid)
    };
    list.as_array().into_iter().flatten().flat_map(range).collect()
}

/// The transactions of which a disk has one of these.
fn those(matrix: &Matrix, place: usize, wanted: impl Fn(Cell) -> bool) -> BTreeSet<Zxid> {
    let columns = matrix.columns.iter().filter(|column| wanted(column.cells[place]));
    columns.flat_map(|column| (column.first.0..=column.last.0).map(Zxid)).collect()
}

fn point(name: &str) -> (Disks, Vec<Loaded>) {
    let disks = disks(&folder(&format!("restart/{name}.tar.gz")));
    assert!(disks.troubles.is_empty(), "{:?}", disks.troubles);
    let loaded = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
    (disks, loaded)
}

fn pairs<'a>(disks: &'a Disks, loaded: &'a [Loaded]) -> Vec<(&'a Disk, &'a Loaded)> {
    disks.disks.iter().zip(loaded).collect()
}

#[test]
fn each_server_has_what_another_reader_finds_on_its_disk() {
    let expected = fs::read(folder("restart/expected.json")).expect("expectations");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    assert_eq!(expected.as_object().expect("points").len(), 20);
    let mut wrong = Vec::new();
    for (name, point_expected) in expected.as_object().expect("points") {
        let (disks, loaded) = point(name);
        let matrix = Matrix::of(&pairs(&disks, &loaded));
        assert_eq!(disks.disks.len(), point_expected["servers"].as_object().expect("servers").len(), "{name}");
        for (place, (disk, loaded)) in disks.disks.iter().zip(&loaded).enumerate() {
            let id = disk.id.expect("an id");
            let expected = &point_expected["servers"][id.to_string()];
            let mut check = |what: &str, right: bool| {
                if !right {
                    wrong.push(format!("{name} S{id}: {what}"));
                }
            };
            check("last zxid", loaded.last == zxid(&expected["last_zxid"]));
            let epoch = |key: &str| expected[key].as_str().and_then(|epoch| epoch.parse().ok());
            check("acceptedEpoch", disk.accepted_epoch == epoch("acceptedEpoch"));
            check("currentEpoch", disk.current_epoch == epoch("currentEpoch"));
            check("transactions", those(&matrix, place, Cell::is_there) == zxids(&expected["transactions"]));
            let covered = those(&matrix, place, |cell| cell == Cell::Covered);
            check("covered", covered == zxids(&expected["covered_in_the_log"]));
            let holes = those(&matrix, place, |cell| cell == Cell::Hole);
            check("misses", holes == zxids(&expected["misses_below_its_last"]));
            if let Some(members) = expected["configuration"]["version"].as_str() {
                let version = disk.config.as_ref().and_then(|config| config.version).map(hex);
                check("configuration", version.as_deref() == Some(members));
            }
            if let Some(id) = expected["loads_as"].as_str() {
                let of = &point_expected["trees"][id];
                let of = (of["nodes"].as_u64().expect("a number"), of["crc32"].as_u64().expect("a number"));
                check("tree", tree(&loaded.image) == of);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ghosts_stand_beside_the_history_and_the_tree_that_woke_them_is_told() {
    let (disks, loaded) = point("newest-snapshot-removed-wakes-ghosts");
    let matrix = Matrix::of(&pairs(&disks, &loaded));
    let beside: Vec<_> = matrix.columns.iter().filter(|column| column.place == Place::Beside).collect();
    let told: Vec<_> = beside.iter().map(|column| (hex(column.first), column.count(), &column.cells[..])).collect();
    let cells = [Cell::Behind, Cell::Behind, Cell::Log];
    // S3 has the last zxid of all and the highest id, so it would lead: but its own log tells nothing else than the others'
    assert_eq!(told, [("0x10000000c".to_string(), 3, &cells[..])]);
    assert!(loaded[2].mismatches > 0 && loaded[2].refusals.is_empty());
    assert_eq!(compare(&loaded[0], &loaded[1]), Relation::Same);
    let Relation::Parted { first } = compare(&loaded[2], &loaded[0]) else { panic!("they part") };
    assert_eq!(first, Some(Zxid::new(1, 12)));
    let found = differences(&loaded[2].image, &loaded[0].image);
    assert!(found.contains(&("/lost-0", Difference::Extra)) && found.contains(&("/new-3", Difference::Missing)));
}

#[test]
fn what_does_not_start_says_why() {
    let why = |name: &str| -> Vec<Vec<Refusal>> { point(name).1.into_iter().map(|loaded| loaded.refusals).collect() };
    assert_eq!(why("logs-without-any-snapshot"), [vec![Refusal::NoSnapshot], vec![], vec![]]);
    let older = Refusal::CurrentEpoch { epoch: 1, last: Zxid::new(2, 7) };
    assert_eq!(why("epoch-files-older-than-the-log"), [vec![older], vec![], vec![]]);
    let hole = Refusal::Hole { before: Zxid::new(1, 0x16), behind: Zxid::new(1, 0x2d3) };
    assert_eq!(why("a-hole-where-the-snapshot-was-380"), [vec![hole], vec![], vec![]]);
    assert_eq!(why("all-alike"), [vec![], vec![], vec![]]);
}

#[test]
fn who_is_behind_has_the_tree_of_before() {
    let (_, loaded) = point("three-depths-in-one-log");
    assert_eq!(compare(&loaded[0], &loaded[1]), Relation::Behind);
    assert_eq!(compare(&loaded[1], &loaded[2]), Relation::Ahead);
    let missing = differences(&loaded[0].image, &loaded[1].image);
    assert!(missing.iter().any(|(_, difference)| *difference == Difference::Missing));
}
