//! A machine's disk: it does one operation at a time, and one in the background beside it. What is durable its machine
//! keeps; what is under way is known here by its name only.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

use crate::base::json::{Json, Read, ReadError};
use crate::base::{Draw, Micros, Name, ServerId, SortedMap, Stream};

use super::delays::Delays;
use super::disk_op::DiskOpName;
use super::host::Token;
use super::latency::LatencyRange;

/// An operation that is under way or waits for its turn.
#[derive(Clone, Copy, Debug, Hash)]
pub(super) struct Job {
    /// Its name at the machine.
    pub token: Token,
    /// Its kind, one of `DISK_OPS`.
    pub kind: Name,
}

/// What is wrong with a disk. What it holds can be read all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DiskFault {
    /// Nothing.
    #[default]
    None,
    /// No space left on device: something else has filled it. What needs no room is still done: a file is cut or deleted.
    Full,
    /// Input/output error: whatever is written fails, and so do cuts and deletions.
    Error,
}

impl DiskFault {
    /// Whether it lets an operation of this kind fail.
    fn stops(self, kind: Name) -> bool {
        match self {
            DiskFault::None => false,
            DiskFault::Full => !matches!(kind, "truncate" | "purge"),
            DiskFault::Error => true,
        }
    }
}

impl Read for DiskFault {
    fn read(json: Json) -> Result<DiskFault, ReadError> {
        let name = String::read(json)?;
        match &*name {
            "none" => Ok(DiskFault::None),
            "full" => Ok(DiskFault::Full),
            "error" => Ok(DiskFault::Error),
            _ => Err(ReadError::unknown_name(&name, vec!["none", "full", "error"])),
        }
    }
}

/// One disk.
#[derive(Clone, Debug, Hash)]
pub struct Disk {
    /// How long a sync takes.
    pub sync: LatencyRange,
    /// What is wrong with it.
    pub fault: DiskFault,
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
        Disk { sync, fault: DiskFault::None, jobs, background, begun: SortedMap::new(), delays: Delays::default() }
    }

    /// The operations that are done one after another, in the background or not; the first is under way.
    pub(super) fn queue(&mut self, background: bool) -> &mut VecDeque<Job> {
        if background { &mut self.background } else { &mut self.jobs }
    }

    /// The operation under way is over: what it was called, where it has failed.
    pub(super) fn ends(&mut self, background: bool) -> Option<(Token, Option<DiskOpName>)> {
        let Job { token, kind } = self.queue(background).pop_front()?;
        let nth = *self.begun.get_or(kind, 0);
        Some((token, self.fault.stops(kind).then_some(DiskOpName { kind, nth })))
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
