//! A machine's disk: it does one operation at a time, and one in the background beside it. What is durable its machine
//! keeps; what is under way is known here by its name only.

use std::collections::VecDeque;

use crate::base::{Draw, Micros, Name, ServerId, SortedMap, Stream};

use super::delays::Delays;
use super::disk_op::DiskOpName;
use super::host::Token;
use super::latency::LatencyRange;

/// An operation that is under way or waits for its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    /// Its name at the machine.
    pub token: Token,
    /// Its kind, one of `DISK_OPS`.
    pub kind: Name,
}

/// One disk.
#[derive(Clone, Debug)]
pub struct Disk {
    /// How long a sync takes.
    pub sync: LatencyRange,
    pub(super) jobs: VecDeque<Job>,
    /// Beside them, one at a time too: snapshots.
    pub(super) background: VecDeque<Job>,
    /// How many operations of each kind have begun.
    begun: SortedMap<Name, u32>,
    /// Operations that will take longer, by how much.
    delays: Delays<DiskOpName>,
}

impl Disk {
    pub(super) fn new(sync: LatencyRange) -> Disk {
        let (jobs, background) = Default::default();
        Disk { sync, jobs, background, begun: SortedMap::new(), delays: Delays::default() }
    }

    /// The operations that are done one after another, in the background or not; the first is under way.
    pub(super) fn queue(&mut self, background: bool) -> &mut VecDeque<Job> {
        if background { &mut self.background } else { &mut self.jobs }
    }

    /// Lets an operation that has not begun take longer; whether it is not too late for that.
    pub(super) fn delay(&mut self, what: DiskOpName, by: Micros) -> bool {
        let gone = self.begun.get(&what.kind).is_some_and(|begun| *begun >= what.nth);
        if !gone {
            self.delays.set(what, by);
        }
        !gone
    }

    /// An operation begins: how long it takes, and how much of that because it was told to.
    pub(super) fn begin(
        &mut self,
        seed: u64,
        server: ServerId,
        background: bool,
    ) -> Option<(Micros, Option<(DiskOpName, Micros)>)> {
        let kind = self.queue(background).front()?.kind;
        let begun = self.begun.get_or(kind, 0);
        *begun += 1;
        let what = DiskOpName { kind, nth: *begun };
        let late = self.delays.take(|other| *other == what);
        let draw = Draw::new(seed, Stream::Disk).number(server.0.into()).text(kind).number(what.nth.into());
        let time = draw.between(self.sync.min_us, self.sync.max_us);
        Some((time + late.unwrap_or(0), late.map(|by| (what, by))))
    }
}
