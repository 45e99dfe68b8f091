//! Machines that lose power, disks without room, links that are too thin for a state.

use crate::base::ServerId;
use crate::sim::{Action, DiskFault, Run, Setup};

use super::{crash, restart, run, writes};

/// Its machine is back at 6 s: then the others' old connections to it are reset, and it joins as a follower.
pub(super) fn leader_power_off() -> Run {
    run(
        Setup::default(),
        vec![
            (1_000, writes(1, "x", 4, 200)),
            (2_000, Action::PowerOff { server: ServerId(3) }),
            (2_100, writes(1, "y", 1, 0)),
            (4_500, writes(1, "z", 2, 200)),
            (6_000, restart(3)),
        ],
    )
}

/// What S3 proposes S1 and S2 log, so it is committed all the same. At 6 s something else is deleted from the disk, and S3 follows.
pub(super) fn disk_full() -> Run {
    let disk = |fault| Action::DiskFault { server: ServerId(3), fault };
    run(
        Setup::default(),
        vec![
            (1_000, writes(1, "x", 3, 200)),
            (2_000, disk(DiskFault::Full)),
            (2_500, writes(1, "y", 2, 50)),
            (4_500, writes(1, "z", 2, 200)),
            (6_000, disk(DiskFault::None)),
        ],
    )
}

/// 20 kB of state on links of 8 bytes/ms need 2.6 s, and `initLimit` is 2 s. S1 is empty, and S3 needs it for a majority while S2
/// is down; S2 has all that S3 has, so with it there is a majority before S1 is through.
pub(super) fn snap_too_slow() -> Run {
    let data = |n: u32| Action::Write {
        server: ServerId(2),
        data: format!("z{n}={}", "x".repeat(1_000)),
        count: 1,
        every_us: 0,
    };
    let mut actions = vec![(900, crash(1))];
    actions.extend((0..20).map(|n| (1_000 + 150 * u64::from(n), data(n))));
    actions.extend([(4_600, Action::Kill { server: ServerId(2) }), (5_000, restart(1)), (13_000, restart(2))]);
    run(Setup { bandwidth: 8, commit_log_count: 3, ..Setup::default() }, actions)
}
