//! What can happen next, and when. The agenda holds every enabled step of a world; the scheduler takes the earliest.

use std::collections::VecDeque;

use crate::base::{ClientId, ConnId, ServerId, SimTime, SortedMap};
use crate::client;

use super::host::Timer;

/// A possible next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Choice {
    /// The first packet of a connection arrives: `to_acceptor` tells in which direction.
    Deliver {
        /// The connection.
        conn: ConnId,
        /// From the dialler to the acceptor, or back.
        to_acceptor: bool,
    },
    /// A server's timer fires.
    Timer(ServerId, Timer),
    /// A client's timer fires.
    ClientTimer(ClientId, client::Timer),
    /// The earliest time that a client's program waits for has come.
    Program(ClientId),
    /// A server's disk finishes its current operation; `background` means the snapshot beside it.
    Disk {
        /// Whose disk.
        server: ServerId,
        /// The snapshot in the background.
        background: bool,
    },
    /// The next write of an action that asked for several.
    Repeat(u64),
    /// A machine starts for the first time.
    Start(ServerId),
    /// The next action of the run is done.
    Script,
}

/// When a step is due: its time, then its class, then first come first served. An action comes after everything else in
/// its microsecond: so it does when a person clicks, and so it must when the run is played again.
type Key = (SimTime, u8, u64);

fn class(choice: Choice) -> u8 {
    match choice {
        Choice::Deliver { .. }
        | Choice::Timer(..)
        | Choice::ClientTimer(..)
        | Choice::Program(_)
        | Choice::Disk { .. } => 0,
        Choice::Repeat(_) => 1,
        Choice::Start(_) | Choice::Script => 2,
    }
}

/// The enabled steps of a world, in the order of their times.
///
/// Of a run's actions, which may be very many, only the next is here. So steps are few and near, and stand in a queue: what is
/// put in or taken out near one of its ends costs little.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    order: VecDeque<(Key, Choice)>,
    /// Where the steps stand.
    keys: SortedMap<Choice, Key>,
    next: u64,
}

impl Agenda {
    /// Enables a step at a time, or moves it there.
    pub(super) fn set(&mut self, choice: Choice, at: SimTime) {
        let key = (at, class(choice), self.next);
        self.next += 1;
        if let Some(old) = self.keys.insert(choice, key) {
            self.order.remove(self.place(old));
        }
        self.order.insert(self.place(key), (key, choice));
    }

    /// Disables a step; when it was due, if it was enabled.
    pub(super) fn remove(&mut self, choice: Choice) -> Option<SimTime> {
        let key = self.keys.remove(&choice)?;
        self.order.remove(self.place(key)).map(|((at, ..), _)| at)
    }

    fn place(&self, key: Key) -> usize {
        self.order.partition_point(|(other, _)| *other < key)
    }

    /// The earliest step.
    pub(super) fn first(&self) -> Option<(SimTime, Choice)> {
        self.order.front().map(|&((at, ..), choice)| (at, choice))
    }

    /// All steps, earliest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (SimTime, Choice)> {
        self.order.iter().map(|&((at, ..), choice)| (at, choice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earliest_first_then_first_come_and_actions_last() {
        let mut agenda = Agenda::default();
        let disk = |server| Choice::Disk { server: ServerId(server), background: false };
        agenda.set(Choice::Start(ServerId(4)), SimTime(5));
        agenda.set(disk(2), SimTime(5));
        agenda.set(disk(1), SimTime(5));
        agenda.set(disk(3), SimTime(9));
        agenda.set(disk(3), SimTime(1));
        let order: Vec<Choice> = agenda.iter().map(|(_, choice)| choice).collect();
        assert_eq!(order, [disk(3), disk(2), disk(1), Choice::Start(ServerId(4))]);
        assert_eq!(agenda.remove(disk(3)), Some(SimTime(1)));
        assert_eq!(agenda.first(), Some((SimTime(5), disk(2))));
    }
}
