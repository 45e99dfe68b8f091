//! Many alarms on one timer: a machine has one for each transaction, and the world should not have to keep a timer for each.

use crate::base::{Micros, SimTime, SortedMap};
use crate::daemon::{Cx, Daemon};

/// The one timer of a machine: its next alarm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextAlarm;

/// Alarms by name, each with its moment.
#[derive(Clone, Debug)]
pub(super) struct Alarms<K>(SortedMap<K, SimTime>);

impl<K> Default for Alarms<K> {
    fn default() -> Alarms<K> {
        Alarms(SortedMap::default())
    }
}

impl<K: Ord + Copy> Alarms<K> {
    /// Sets an alarm, µs from now; one that is set already is moved.
    pub(super) fn set<D: Daemon>(&mut self, cx: &Cx<D>, alarm: K, after: Micros) {
        self.0.insert(alarm, cx.env.now.plus(after));
    }

    /// Takes an alarm back.
    pub(super) fn clear(&mut self, alarm: K) {
        self.0.remove(&alarm);
    }

    /// Takes one that is due.
    pub(super) fn due(&mut self, now: SimTime) -> Option<K> {
        let due = self.0.iter().filter(|(_, at)| **at <= now).min_by_key(|(alarm, at)| (**at, **alarm));
        let alarm = due.map(|(alarm, _)| *alarm)?;
        self.0.remove(&alarm);
        Some(alarm)
    }

    /// Arms the machine's timer for the first of them.
    pub(super) fn arm<D: Daemon<Timer = NextAlarm>>(&self, cx: &mut Cx<D>) {
        match self.0.values().min() {
            Some(at) => cx.set_timer(NextAlarm, *at),
            None => cx.cancel_timer(NextAlarm),
        }
    }
}
