//! The properties of the system, judged fact by fact.
//!
//! * E1 `generation-one-leader`: a term has at most one leader.
//! * E2 `generation-leader-complete`: who leads has on disk every entry that was committed in an earlier term.
//! * E3 `generation-log-matching`: two logs with the same term at an index are the same up to there.
//! * E4 `generation-state-machine`: no two servers apply different entries at an index.
//! * E5 `generation-term-back`: the term that a server finds on its disk is never less than what it has written there.

use std::collections::BTreeMap;

use crate::base::{ServerId, SimTime, SortedMap};
use crate::daemon::{Breach, Judge, Property};

use super::fact::Fact;
use super::log::{Entry, Log};

/// A committed entry, as it was first applied.
#[derive(Clone, Debug)]
struct Applied {
    by: ServerId,
    entry: Entry,
    /// The lowest term in which somebody knew that it is committed.
    known: u64,
}

/// Judges all of them.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    leaders: SortedMap<u64, ServerId>,
    /// What is on each server's disk.
    disks: SortedMap<ServerId, (u64, Log)>,
    applied: BTreeMap<u64, Applied>,
    breaches: Vec<Breach>,
}

impl Judge for Verdict {
    type Fact = Fact;

    const PROPERTIES: &'static [Property] = &[
        Property {
            id: "generation-one-leader",
            title: ["One leader a term", "每个任期一个领导者"],
            about: [
                "A term has at most one leader: nobody votes twice in it, and a leader needs a majority.",
                "一个任期至多一个领导者：每台服务器只投一次票，成为领导者需要多数派。",
            ],
        },
        Property {
            id: "generation-leader-complete",
            title: ["The leader has what is committed", "领导者持有全部已提交的日志"],
            about: [
                "Whoever leads a term has every entry that was committed in an earlier one.",
                "任期的领导者持有此前各任期已提交的全部日志。",
            ],
        },
        Property {
            id: "generation-log-matching",
            title: ["Logs match", "日志匹配"],
            about: [
                "Two logs with the same term at an index are the same up to there.",
                "两份日志若在某个索引处任期相同，则到此为止完全一致。",
            ],
        },
        Property {
            id: "generation-state-machine",
            title: ["The same is applied everywhere", "各处应用相同的日志"],
            about: [
                "No two servers apply different entries at the same index.",
                "任何两台服务器不会在同一索引处应用不同的日志。",
            ],
        },
        Property {
            id: "generation-term-back",
            title: ["Terms never go back", "任期不倒退"],
            about: [
                "A server that starts finds on its disk no lower term than it has written there.",
                "服务器启动时，磁盘上的任期不低于它写过的任期。",
            ],
        },
    ];

    fn read(&mut self, at: SimTime, machine: ServerId, fact: &Fact) {
        match fact {
            Fact::Leads { term, .. } => self.leads(at, machine, *term),
            Fact::Saved { term, from, entries, .. } => self.saved(at, machine, *term, (*from, entries)),
            Fact::Applied { term, index, entry } => self.applies(at, machine, *term, (*index, entry)),
            Fact::Started { term, last, .. } => {
                let (written, log) = self.disks.get_or_default(machine);
                log.cut(last.index + 1);
                let before = *written;
                if *term < before {
                    let english = format!("{machine} had term {before} on disk and starts with term {term}");
                    let chinese = format!("{machine} 磁盘上的任期曾是 {before}，启动时却是 {term}");
                    self.breach("generation-term-back", at, english, chinese);
                }
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

    fn leads(&mut self, at: SimTime, machine: ServerId, term: u64) {
        let first = *self.leaders.get_or(term, machine);
        if first != machine {
            let english = format!("{first} and {machine} both lead term {term}");
            let chinese = format!("{first} 和 {machine} 都成为任期 {term} 的领导者");
            self.breach("generation-one-leader", at, english, chinese);
        }
        let log = self.disks.get(&machine).map(|(_, log)| log);
        let has = |index: u64, entry: &Entry| log.and_then(|log| log.entry(index)) == Some(entry);
        let lacks = |(index, applied): &(&u64, &Applied)| applied.known < term && !has(**index, &applied.entry);
        if let Some((index, applied)) = self.applied.iter().find(lacks) {
            let (index, entry, known) = (*index, applied.entry.clone(), applied.known);
            let english =
                format!("{machine} leads term {term} without entry {index} ({entry}), committed in term {known}");
            let chinese =
                format!("{machine} 成为任期 {term} 的领导者，却缺少任期 {known} 已提交的日志 {index}（{entry}）");
            self.breach("generation-leader-complete", at, english, chinese);
        }
    }

    fn saved(&mut self, at: SimTime, machine: ServerId, term: u64, (from, entries): (u64, &[Entry])) {
        let (written, log) = self.disks.get_or_default(machine);
        *written = (*written).max(term);
        if from > log.last_index() + 1 {
            return;
        }
        log.replace(from, entries);
        let log = log.clone();
        for (index, entry) in (from..).zip(entries) {
            let before = log.term_at(index - 1);
            let differs = |other: &Log| {
                let same_term = other.term_at(index) == Some(entry.term);
                same_term && (other.entry(index) != Some(entry) || other.term_at(index - 1) != before)
            };
            let other = self.disks.iter().find(|(other, (_, log))| **other != machine && differs(log));
            if let Some(other) = other.map(|(other, _)| *other) {
                let place = format!("{}:{index}", entry.term);
                let english = format!("the logs of {machine} and {other} both have {place} and differ up to there");
                let chinese = format!("{machine} 和 {other} 的日志都有 {place}，但到此为止并不一致");
                return self.breach("generation-log-matching", at, english, chinese);
            }
        }
    }

    fn applies(&mut self, at: SimTime, machine: ServerId, term: u64, (index, entry): (u64, &Entry)) {
        let first = Applied { by: machine, entry: entry.clone(), known: term };
        let first = self.applied.entry(index).or_insert(first);
        first.known = first.known.min(term);
        if first.entry != *entry {
            let (by, other) = (first.by, first.entry.clone());
            let (own, its) = (format!("{}:{entry}", entry.term), format!("{}:{other}", other.term));
            let english = format!("at index {index} {machine} applies {own}, {by} has applied {its}");
            let chinese = format!("索引 {index} 处 {machine} 应用了 {own}，而 {by} 应用的是 {its}");
            self.breach("generation-state-machine", at, english, chinese);
        }
    }
}
