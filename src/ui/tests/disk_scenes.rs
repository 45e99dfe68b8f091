//! Disks of real servers that were given to the page.

use std::rc::Rc;

use crate::disks::archive::Intake;
use crate::disks::content::Content;
use crate::disks::disk::sort;
use crate::disks::examined::Examined;
use crate::sim::ZkVersion;
use crate::ui::disks::{Known, Stage};
use crate::ui::page::state::Overlay;

use super::Scene;
use super::scenes::{begun, over};

/// Disks of real servers: none, while they are read, all known, some of which nothing tells whose they are.
pub(super) fn disks() -> Vec<Scene> {
    let with = |known: Known| {
        let engine = begun();
        engine.put_disks(known);
        engine
    };
    let case = |name: &str| {
        let path = format!("{}/tests/disks/restart/{name}.tar.gz", env!("CARGO_MANIFEST_DIR"));
        let mut intake = Intake::default();
        intake.add("disks.tar.gz", Content::of(&std::fs::read(path).expect("an archive")));
        let report = Examined::of(sort(intake, &Default::default())).whole_report(ZkVersion::V39);
        let (start, zookeeper) = (report.start.clone().map(Rc::new), "3.9".to_string());
        Known { stage: Stage::Over, report: Some(Rc::new(report)), start, zookeeper, ..Known::default() }
    };
    let mut unclear = Intake::default();
    unclear.add("copy/version-2/currentEpoch", Content::of(b"1"));
    unclear.add("copy/version-2/log.1", Content::of(b"ZK"));
    let unclear = Examined::of(sort(unclear, &Default::default())).whole_report(ZkVersion::V39);
    let unclear = Known { stage: Stage::Over, report: Some(Rc::new(unclear)), ..Known::default() };
    let reading = Known { stage: Stage::Reading(1 << 20, 3 << 20), ..Known::default() };
    vec![
        over("no disks yet", &begun(), Overlay::Disks),
        over("disks are read", &with(reading), Overlay::Disks),
        over("a race in which a history is lost", &with(case("two-old-copies-outvote-the-newest")), Overlay::Disks),
        over("two histories", &with(case("newest-snapshot-removed-wakes-ghosts")), Overlay::Disks),
        over("a disk that nobody's name is on", &with(unclear), Overlay::Disks),
    ]
}
