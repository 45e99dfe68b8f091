//! The disks of a run's servers, as files that real servers start from.

use std::fs;
use std::path::Path;

use zabscope_disks::export::{archive, export};

use super::super::{Failure, of_file};
use crate::base::{ServerId, SimTime};
use crate::sim::{Player, Run};

/// Writes the disks of all servers as they are at a moment: a tar archive with a folder for each.
pub(in crate::cli) fn write(run: &Run, until: SimTime, file: &Path) -> Result<(), Failure> {
    let mut player = Player::new(run.clone())?;
    player.run_until(until, |_, _| {});
    let (world, setup) = (player.world(), &run.setup);
    let of = |(id, files): (&ServerId, _)| {
        (format!("server-{}", id.0), export(*id, files, &setup.members(), setup.tick_time_ms))
    };
    let processes = world.processes.iter();
    let servers: Vec<_> = processes.filter_map(|(id, process)| Some((id, process.files()?))).map(of).collect();
    if servers.is_empty() {
        return Err(Failure::usage("--disks: there is no ZooKeeper server in this run"));
    }
    let bytes = archive(&servers).map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
    fs::write(file, bytes).map_err(of_file(file))
}
