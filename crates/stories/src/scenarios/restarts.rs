//! Ensembles that start again after all of them were down: whose disk is up first decides what is kept.

use crate::base::{Arrange, ServerId};
use crate::sim::{Action, Run, Setup};

use super::{crash, restart, run, writes};

/// All have 1:1 to 1:5; then S1 and S2 are given back copies that end with 1:2, and start in this order.
fn from_copies(order: [(u64, Action); 3], write: (u64, Action)) -> Run {
    let back_up = |server| (1_500, Action::BackUpDisk { server: ServerId(server) });
    let restore = |server, at_ms| (at_ms, Action::RestoreBackup { server: ServerId(server) });
    let mut actions =
        vec![(1_000, writes(1, "x=1", 2, 100)), back_up(1), back_up(2), (1_600, writes(1, "x=2", 3, 60))];
    actions.extend([(2_200, crash(1)), (2_200, crash(2)), (2_200, crash(3)), restore(1, 2_500), restore(2, 2_520)]);
    actions.extend(order);
    actions.push(write);
    actions.arrange_by_key(|(at_ms, _)| *at_ms);
    run(Setup::default(), actions)
}

pub(super) fn restart_old_copies() -> Run {
    from_copies([(2_600, restart(1)), (2_620, restart(2)), (4_000, restart(3))], (3_600, writes(1, "x=3", 1, 0)))
}

pub(super) fn restart_newest_first() -> Run {
    from_copies([(2_600, restart(3)), (2_620, restart(1)), (4_000, restart(2))], (3_600, writes(1, "x=3", 1, 0)))
}
