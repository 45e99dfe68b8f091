//! Disks of simulated servers, written as files of real ones and read again: nothing is lost on the way.

use std::collections::BTreeMap;

use zabscope::base::{Prng, RuleSet, ServerId, SimTime, Stream};
use zabscope::server::Files;
use zabscope::sim::{Player, Run, ZkVersion};
use zabscope::soak::soak_run;
use zabscope::store::{CONFIG, Tree};
use zabscope_disks::archive::Intake;
use zabscope_disks::content::Content;
use zabscope_disks::disk::{Disk, sort};
use zabscope_disks::export::{archive, export};
use zabscope_disks::load::Loaded;
use zabscope_disks::start::Ensemble;

use crate::length::seeds;

/// The servers of a run at a moment, with their files.
fn servers(run: &Run, at: SimTime) -> Vec<(ServerId, Files)> {
    let mut player = Player::new(run.clone()).expect("a run");
    player.run_until(at, |_, _| {});
    let processes = player.world().processes.iter();
    processes.filter_map(|(id, process)| Some((*id, process.files()?.clone()))).collect()
}

/// Every transaction, every znode and every session, both epochs: as they were.
fn same(one: &Files, other: &Files) -> Result<(), String> {
    // what comes before the first transaction of an epoch no file says
    let first = |files: &Files| files.log.first().map_or(1, |first| first.zxid.counter());
    let start = |files: &Files| (first(files) > 1).then_some(files.log_start);
    let epochs = |files: &Files| (files.accepted_epoch, files.current_epoch, start(files), files.log_files.clone());
    if epochs(one) != epochs(other) {
        return Err(format!("{:?} is not {:?}", epochs(other), epochs(one)));
    }
    let log =
        |files: &Files| -> Vec<_> { files.log.iter().map(|it| (it.zxid, it.payload.txn.to_string())).collect() };
    if let Some((was, is)) = log(one).into_iter().zip(log(other)).find(|(was, is)| was != is) {
        return Err(format!("{is:?} is not {was:?}"));
    }
    // each server writes the configuration into its tree by itself
    let znodes = |tree: &Tree| -> Vec<_> {
        tree.nodes().filter(|(path, _)| &***path != CONFIG).map(|(path, node)| (path.clone(), node.clone())).collect()
    };
    let tree = |tree: &Tree| (tree.last, tree.sessions().collect::<Vec<_>>(), znodes(tree));
    let trees = |files: &Files| -> Vec<_> { files.snapshots.iter().map(|it| (it.zxid, tree(&it.state))).collect() };
    if let Some((was, is)) = trees(one).into_iter().zip(trees(other)).find(|(was, is)| was != is) {
        return Err(format!("{is:?} is not {was:?}"));
    }
    match log(one).len() == log(other).len() && trees(one).len() == trees(other).len() {
        true => Ok(()),
        false => Err("something is missing".into()),
    }
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let (mut prng, mut records) = (Prng::new(51, Stream::Faults), 0);
    for seed in seeds(200) {
        let run = soak_run(if seed % 3 == 0 { 5 } else { 3 }, seed, 1, RuleSet::default());
        let at = SimTime::from_ms(prng.between(1_000, 60_000));
        let servers = servers(&run, at);
        let members = run.setup.members();
        let folders =
            servers.iter().map(|(id, files)| (format!("server-{}", id.0), export(*id, files, &members, 2_000)));
        let bytes = archive(&folders.collect::<Vec<_>>()).expect("an archive");
        let mut intake = Intake::default();
        intake.add("all.tar", Content::of(&bytes));
        let disks = sort(intake, &BTreeMap::new());
        assert!(disks.troubles.is_empty() && disks.disks.len() == servers.len(), "seed {seed}: {:?}", disks.troubles);
        let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
        let pairs: Vec<(&Disk, &Loaded)> = disks.disks.iter().zip(&loaded).collect();
        let ensemble = Ensemble::of(&pairs, ZkVersion::AsRepaired, disks.room).expect("an ensemble");
        for ((place, (disk, loaded)), (id, files)) in pairs.iter().enumerate().zip(&servers) {
            let troubles: Vec<String> = disk.all_troubles().map(ToString::to_string).collect();
            assert!(
                troubles.is_empty() && loaded.mismatches == 0,
                "seed {seed} at {at}: {id}: {troubles:?} {loaded:?}"
            );
            if let Err(why) = same(files, ensemble.files(place).expect("files")) {
                panic!("seed {seed} at {at}: {id}: {why}");
            }
            records += loaded.compared;
        }
    }
    assert!(records > 1_000, "{records} digests compared");
}
