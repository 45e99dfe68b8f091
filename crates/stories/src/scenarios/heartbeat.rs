//! What tickTime, syncLimit and initLimit decide.

use crate::base::ServerId;
use crate::sim::{Action, Run, Setup};

use super::recipes::param;
use super::{Args, Param, crash, restart, run, writes};

pub(super) const HEARTBEAT: &[Param] = &[
    param("tick_ms", "tickTime, ms", 200, 100, 1_000),
    param("sync_limit", "syncLimit, ticks", 5, 2, 20),
    param("init_limit", "initLimit, ticks", 10, 5, 40),
];

/// S1 is silent twice, for less and for more than `syncLimit`. Then S3 crashes, and S1 stops in the 200 ms in which S2 and S1 wait for
/// a better vote: S2 leads, and waits for it as long as `initLimit` says. When S1 goes on it still obeys that vote, and finds nobody: S3,
/// which is back, and S2 begin a new epoch without it.
pub(super) fn heartbeat(args: &Args) -> (Run, u64) {
    let (tick, sync_limit, init_limit) = (args.get("tick_ms"), args.get("sync_limit"), args.get("init_limit"));
    let one = ServerId(1);
    let (pause, resume) = (Action::Pause { server: one }, Action::Resume { server: one });
    let short = 1_500;
    let short_over = short + tick * sync_limit * 6 / 10;
    let long = short_over + 3 * tick;
    let long_over = long + tick * (sync_limit + 3);
    let crash_at = long_over + 6 * tick + 600;
    let joins = crash_at + 300 + tick * (init_limit + 2);
    let back = joins + 100;
    let actions = vec![
        (1_000, writes(2, "x=1", 1, 0)),
        (short, pause.clone()),
        (short_over, resume.clone()),
        (long, pause.clone()),
        (long_over, resume.clone()),
        (crash_at, crash(3)),
        (crash_at + 150, pause),
        (joins, resume),
        (back, restart(3)),
    ];
    let setup = Setup { tick_time_ms: tick, sync_limit, init_limit, ..Setup::default() };
    (run(setup, actions), back + 2_500)
}
