//! The story that all logs tell together: lanes on one axis, and moments in sentences.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zabscope_ground::base::Arrange;
use zabscope_ground::base::texts::fill;

use super::clock::{Clock, clocks};
use super::event::Event;
use super::lane::{Walk, Word};
use super::say::Say;
use super::server::ServerLog;
use crate::log::LogFile;
use crate::record::kind;

/// Lines that say one thing within so many ms are one moment.
const ONE_MOMENT: i64 = 1_000;
/// A vote that is heard again so much later is news, ms.
const AGAIN: i64 = 10_000;
/// So many moments are told, so many lines of each, and so many names in a sentence.
const MOST: usize = 1_000;
const LINES: usize = 24;
const NAMED: usize = 6;
/// So many times at which two led.
const OVERLAPS: usize = 100;
/// Transactions are counted in so many steps of the axis.
const STEPS: i64 = 240;

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// A lane for each server whose log is there.
    pub lanes: Vec<Lane>,
    /// Who led, as each believed itself.
    pub reigns: Vec<Reign>,
    /// What happened, in order.
    pub moments: Vec<Moment>,
    /// Where the axis begins and ends, ms of the first server's wall clock since 1970.
    pub from: i64,
    /// Its end.
    pub to: i64,
    /// Events and moments that are not told of, there being too many.
    pub left_out: u64,
}

/// A server over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// Its id.
    pub server: u64,
    /// Its logs.
    pub files: Vec<String>,
    /// So many ms its clock is ahead of the first server's, and were taken from its times; none where that cannot be told.
    pub ahead: Option<i64>,
    /// Give or take so many.
    pub within: i64,
    /// No one difference fits: its clock was set while it ran.
    pub was_set: bool,
    /// What it did.
    pub spans: Vec<Span>,
    /// Transactions of its log files: when, and how many.
    pub transactions: Vec<(i64, u32)>,
}

/// What a server did for a while.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// From when.
    pub from: i64,
    /// To when.
    pub to: i64,
    /// `LOOKING`, `FOLLOWING`, `LEADING`, `OBSERVING`.
    pub role: String,
    /// `discovery`, `synchronization`, `broadcast`, or nothing.
    pub phase: String,
    /// The epoch; 0 where the log does not tell it.
    pub epoch: u32,
}

/// A server leads, as it believes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reign {
    /// Which.
    pub server: u64,
    /// Its epoch, once a majority supports it.
    pub epoch: Option<u32>,
    /// From when it was LEADING.
    pub from: i64,
    /// When a majority supported it.
    pub established: Option<i64>,
    /// To when.
    pub to: i64,
}

/// A line that tells something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Of which file.
    pub file: String,
    /// Its number, from 1.
    pub number: u64,
    /// The line, and the beginning of a trace behind it.
    pub text: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// When.
    pub at: i64,
    /// What.
    pub say: Say,
    /// What fills the gaps of its pattern.
    pub words: Vec<String>,
    /// Whose logs tell it.
    pub servers: Vec<u64>,
    /// The sentence in English.
    pub text: String,
    /// The lines that explain it.
    pub lines: Vec<Line>,
}

/// `S3`
pub(super) fn name(id: u64) -> String {
    format!("S{id}")
}

impl Story {
    /// What these logs tell, and the transactions in the log files of these servers on the same axis. None where there is no log.
    pub fn of(logs: &[ServerLog], disks: &[(u64, &[LogFile])]) -> Option<Story> {
        let clocks = clocks(logs);
        let shift = |clock: Clock| if let Clock::Known(ahead, _) = clock { ahead } else { 0 };
        let walks: Vec<Walk> = logs.iter().zip(&clocks).map(|(log, clock)| Walk::of(log, shift(*clock))).collect();
        let (mut lanes, mut reigns, mut words) = (Vec::new(), Vec::new(), Vec::new());
        for ((walk, log), clock) in walks.into_iter().zip(logs).zip(&clocks) {
            let (ahead, within) =
                if let Clock::Known(ahead, within) = clock { (Some(*ahead), *within) } else { (None, 0) };
            lanes.push(Lane {
                server: log.id,
                files: log.files.clone(),
                ahead,
                within,
                was_set: *clock == Clock::Set,
                spans: walk.spans,
                transactions: Vec::new(),
            });
            reigns.extend(walk.reigns);
            words.extend(walk.words);
        }
        let ends: Vec<(u64, i64)> =
            logs.iter().zip(&clocks).map(|(log, clock)| (log.id, log.last - shift(*clock))).collect();
        let to = ends.iter().map(|(_, last)| *last).max()?;
        words.extend(
            ends.iter().filter(|(_, last)| last + 2 * ONE_MOMENT < to).map(|(id, last)| ends_early(*id, *last)),
        );
        let from = lanes.iter().flat_map(|lane| lane.spans.first()).map(|span| span.from);
        let from = from.chain(words.iter().map(|word| word.at)).min()?;
        reigns.arrange_by_key(|reign| reign.from);
        follow_leaders(&mut lanes, &reigns);
        reigns.truncate(MOST);
        words.extend(two_leaders(&reigns, &words));
        for (lane, log) in lanes.iter_mut().zip(logs) {
            let disk = disks.iter().find(|(id, _)| *id == log.id);
            lane.transactions = disk
                .map_or_else(Vec::new, |(_, files)| transactions(files, log, lane.ahead.unwrap_or(0), (from, to)));
        }
        let (moments, more) = moments(words);
        let left_out = logs.iter().map(|log| log.left_out).sum::<u64>() + more;
        Some(Story { lanes, reigns, moments, from, to, left_out })
    }
}

fn ends_early(id: u64, at: i64) -> Word {
    Word { at, say: Say::Ends, who: name(id), rest: Vec::new(), server: id, lines: Vec::new() }
}

/// A learner's epoch is that of the reign in which it got to the end of its synchronisation, where its own log does not say it.
fn follow_leaders(lanes: &mut [Lane], reigns: &[Reign]) {
    for span in lanes.iter_mut().flat_map(|lane| &mut lane.spans) {
        if span.epoch == 0 && matches!(&*span.role, "FOLLOWING" | "OBSERVING") {
            let both = |reign: &&Reign| reign.to.min(span.to) - reign.from.max(span.from);
            let of = reigns.iter().filter(|reign| reign.epoch.is_some() && both(reign) > 0).max_by_key(both);
            span.epoch = of.and_then(|reign| reign.epoch).unwrap_or(0);
        }
    }
}

/// Times at which more than one server led, as each believed itself.
fn two_leaders(reigns: &[Reign], said: &[Word]) -> Vec<Word> {
    let mut words = Vec::new();
    for (place, later) in reigns.iter().enumerate() {
        for earlier in &reigns[..place] {
            let both = earlier.to.min(later.to) - later.from;
            if earlier.server != later.server && both > 0 && earlier.established.is_some() && words.len() < OVERLAPS {
                let rest = vec![name(earlier.server), format!("{}.{:03} s", both / 1_000, both % 1_000)];
                let (who, server) = (name(later.server), later.server);
                // that one began to lead, and that the other ended
                let tells = |word: &&Word| match word.say {
                    Say::Leads | Say::NoMajority => word.server == later.server && word.at <= later.to,
                    Say::LostQuorum | Say::StopsLeading => word.server == earlier.server && word.at <= earlier.to,
                    _ => false,
                };
                let told = said.iter().filter(|word| later.from <= word.at).filter(tells);
                let lines = told.flat_map(|word| &word.lines).take(LINES).cloned().collect();
                words.push(Word { at: later.from, say: Say::TwoLeaders, who, rest, server, lines });
            }
        }
    }
    words
}

/// Words that say one thing become a moment.
fn moments(mut words: Vec<Word>) -> (Vec<Moment>, u64) {
    words.arrange_by_key(|word| word.at);
    let mut groups: Vec<(Word, BTreeSet<String>, BTreeSet<u64>)> = Vec::new();
    let mut open: BTreeMap<(Say, Vec<String>), usize> = BTreeMap::new();
    let mut known: BTreeMap<(Say, String, Vec<String>), i64> = BTreeMap::new();
    for word in words {
        let key = (word.say, word.rest.clone());
        let near = |place: &usize| word.at - groups[*place].0.at <= ONE_MOMENT;
        let place = open.get(&key).copied().filter(near);
        // each server tells of a session and of a vote that it hears: the first counts, the others explain it
        let again = match word.say {
            Say::Votes => AGAIN,
            Say::SessionBorn => i64::MAX,
            _ => 0,
        };
        if again > 0 {
            let last = known.insert((word.say, word.who.clone(), word.rest.clone()), word.at);
            if place.is_none() && last.is_some_and(|last| word.at - last < again) {
                continue;
            }
        }
        match place.and_then(|place| groups.get_mut(place)) {
            Some((first, who, servers)) => {
                who.insert(word.who);
                servers.insert(word.server);
                let room = LINES.saturating_sub(first.lines.len());
                first.lines.extend(word.lines.into_iter().take(room));
            }
            None => {
                open.insert(key, groups.len());
                let (who, server) = (word.who.clone(), word.server);
                groups.push((word, BTreeSet::from([who]), BTreeSet::from([server])));
            }
        }
    }
    let too_many = groups.len().saturating_sub(MOST);
    let mut left_out = 0;
    groups.retain(|(word, ..)| {
        let drop = left_out < too_many && word.say.is_detail();
        left_out += usize::from(drop);
        !drop
    });
    left_out += groups.len().saturating_sub(MOST);
    groups.truncate(MOST);
    (groups.into_iter().map(|(word, who, servers)| moment(word, who, servers)).collect(), left_out as u64)
}

fn moment(word: Word, who: BTreeSet<String>, servers: BTreeSet<u64>) -> Moment {
    let mut who: Vec<String> = who.into_iter().collect();
    who.arrange_by_key(String::len); // S2 before S10
    let more = who.len().saturating_sub(NAMED);
    who.truncate(NAMED);
    let mut names = who.join(", ");
    if more > 0 {
        names += &format!(", … (+{more})");
    }
    let words: Vec<String> = [names].into_iter().chain(word.rest).collect();
    let text = sentence(word.say.pattern(), &words);
    Moment { at: word.at, say: word.say, words, servers: servers.into_iter().collect(), text, lines: word.lines }
}

/// A pattern with its gaps filled.
pub fn sentence(pattern: &str, words: &[String]) -> String {
    let words: Vec<&dyn std::fmt::Display> = words.iter().map(|word| word as &dyn std::fmt::Display).collect();
    fill(pattern, &words)
}

/// Transactions on the axis: records say milliseconds since 1970, logs the time of a place that they do not name. What both tell, that a
/// session is made or a file begun, tells how far that is.
fn transactions(all: &[LogFile], log: &ServerLog, ahead: i64, (from, to): (i64, i64)) -> Vec<(i64, u32)> {
    let mut sessions = BTreeMap::new();
    let mut files = BTreeMap::new();
    for (_, told) in &log.events {
        match told.event {
            Event::Born(id) => drop(sessions.entry(id).or_insert(told.time)),
            Event::NewFile(zxid) => drop(files.insert(zxid, told.time)),
            _ => {}
        }
    }
    let records = all.iter().flat_map(|log| log.entries.iter().filter_map(|entry| log.record(entry)));
    let (mut times, mut zones) = (Vec::new(), Vec::new());
    for record in records {
        let told = match record.kind {
            kind::CREATE_SESSION => sessions.get(&record.session.0),
            _ => files.get(&record.zxid.0),
        };
        zones.extend(told.map(|told| told.saturating_sub(ahead).saturating_sub(record.time)));
        times.push(record.time);
    }
    zones.sort_unstable();
    let Some(zone) = zones.get(zones.len() / 2) else { return Vec::new() };
    let step = ((to - from) / STEPS).max(1);
    let mut counts: BTreeMap<i64, u32> = BTreeMap::new();
    for time in times.into_iter().map(|time| time.saturating_add(*zone)) {
        if from <= time && time <= to {
            *counts.entry((time - from) / step).or_default() += 1;
        }
    }
    counts.into_iter().map(|(step_at, count)| (from + step_at * step, count)).collect()
}
