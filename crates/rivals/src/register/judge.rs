//! The properties of the register, judged fact by fact.
//!
//! * L `register-linearizable`: reads and writes of a key could have happened one after the other, each between its beginning and its end.
//! * M `register-monotonic-reads`: no read returns an older value than a read that was done before it began: the inversion of the new and the old.
//! * S `register-acknowledged`: no read returns an older value than a write that was done before it began.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ServerId, SimTime, SortedMap};
use crate::daemon::{Breach, Judge, Property};

use super::fact::Fact;
use super::history::History;
use super::message::{Held, Stamp};

/// What was done to a key.
#[derive(Clone, Debug, Default)]
struct Key {
    history: History,
    /// Operations that are done, in order: when, and the greatest timestamp so far.
    reads: Vec<(SimTime, Stamp)>,
    writes: Vec<(SimTime, Stamp)>,
}

/// The greatest timestamp of what was done before a moment.
fn before(done: &[(SimTime, Stamp)], at: SimTime) -> Option<Stamp> {
    let place = done.partition_point(|(end, _)| *end < at);
    place.checked_sub(1).and_then(|place| done.get(place)).map(|(_, stamp)| *stamp)
}

fn add(done: &mut Vec<(SimTime, Stamp)>, at: SimTime, stamp: Stamp) {
    let greatest = done.last().map_or(stamp, |(_, last)| stamp.max(*last));
    done.push((at, greatest));
}

/// Judges all of them.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    keys: BTreeMap<Rc<str>, Key>,
    /// When the operations under way began.
    begun: SortedMap<(ServerId, u64), SimTime>,
    breaches: Vec<Breach>,
}

impl Judge for Verdict {
    type Fact = Fact;

    const PROPERTIES: &'static [Property] = &[
        Property {
            id: "register-linearizable",
            title: ["Linearizability", "线性一致性"],
            about: [
                "Reads and writes of a key could have happened one after the other, each between its beginning and its end.",
                "对同一个键的读写等价于某个先后顺序，且每个操作都在自己的起止之间生效。",
            ],
        },
        Property {
            id: "register-monotonic-reads",
            title: ["No inversion of new and old", "没有新旧颠倒"],
            about: [
                "No read returns an older value than a read that was done before it began.",
                "读操作不会返回比先前已完成的读更旧的值。",
            ],
        },
        Property {
            id: "register-acknowledged",
            title: ["Acknowledged writes are seen", "已成功的写可见"],
            about: [
                "No read returns an older value than a write that was done before it began.",
                "读操作不会返回比先前已成功的写更旧的值。",
            ],
        },
    ];

    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Fact) {
        match fact {
            Fact::ClientStarted {} => self.begun.retain(|(client, _), _| *client != machine),
            Fact::WriteBegan { op, .. } | Fact::ReadBegan { op, .. } => {
                self.begun.insert((machine, *op), at);
            }
            Fact::WriteStamped { op, key, stamp, .. } => {
                let begin = self.begun.get(&(machine, *op)).copied().unwrap_or(at);
                self.keys.entry(key.clone()).or_default().history.begins(*stamp, begin);
            }
            Fact::WriteDone { op, key, value, stamp, .. } => {
                let held = Held { value: Some(value.clone()), stamp: *stamp };
                let begin = self.ends(at, machine, (*op, key, &held));
                if begin.is_some() {
                    add(&mut self.keys.entry(key.clone()).or_default().writes, at, *stamp);
                }
            }
            Fact::ReadDone { op, key, held } => {
                if let Some(begin) = self.ends(at, machine, (*op, key, held)) {
                    self.read_done(at, machine, (begin, key, held));
                }
            }
            Fact::Failed { op, .. } => {
                self.begun.remove(&(machine, *op));
            }
            _ => {}
        }
    }

    fn breaches(&self) -> &[Breach] {
        &self.breaches
    }
}

impl Verdict {
    fn breach(&mut self, property: &'static str, at: SimTime, english: String, chinese: String) {
        self.breaches.push(Breach { property, at, said: [english, chinese] });
    }

    /// An operation is done; when it began.
    fn ends(&mut self, at: SimTime, machine: ServerId, (op, key, held): (u64, &Rc<str>, &Held)) -> Option<SimTime> {
        let begin = self.begun.remove(&(machine, op))?;
        let other = self.keys.entry(key.clone()).or_default().history.ends(held.stamp, begin, at);
        if let Some(other) = other {
            let english = format!("no order of the operations on {key} explains {held} at {machine}, beside {other}");
            let chinese = format!("对 {key} 的操作无论怎样排序，都无法解释 {machine} 的 {held} 与 {other} 并存");
            self.breach("register-linearizable", at, english, chinese);
        }
        Some(begin)
    }

    fn read_done(&mut self, at: SimTime, machine: ServerId, (begin, key, held): (SimTime, &Rc<str>, &Held)) {
        let known = self.keys.entry(key.clone()).or_default();
        let (read, written) = (before(&known.reads, begin), before(&known.writes, begin));
        add(&mut known.reads, at, held.stamp);
        if let Some(newer) = read.filter(|stamp| *stamp > held.stamp) {
            let english = format!("{machine} reads {key} = {held} after {newer} had been read");
            let chinese = format!("{newer} 已经被读到之后，{machine} 又读到 {key} = {held}");
            self.breach("register-monotonic-reads", at, english, chinese);
        }
        if let Some(newer) = written.filter(|stamp| *stamp > held.stamp) {
            let english = format!("{machine} reads {key} = {held} after the write {newer} was done");
            let chinese = format!("写入 {newer} 已经成功之后，{machine} 仍读到 {key} = {held}");
            self.breach("register-acknowledged", at, english, chinese);
        }
    }
}
