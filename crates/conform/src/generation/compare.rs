//! Whether recorded plays and simulated ones could be plays of the same rules.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::deeds::Deed;
use super::lines::{self, Names};
use super::play::Play;
use super::recording::{Recording, Stage};

/// Recorded times were measured from outside, with steps of 50 ms and more.
const SLACK_MS: u64 = 250;
/// Plays that agree by chance less often than once in so many times do not.
const ODDS: u128 = 1_000;

/// The simulated plays so far.
pub(super) struct Sample<'a> {
    recording: &'a Recording,
    plays: u64,
    /// How many plays agreed in each field that never varied.
    agreed: BTreeMap<&'a str, u64>,
    /// Which of the recorded plays have been found, and the times of those that were like them.
    found: Vec<Option<BTreeMap<String, (u64, u64)>>>,
    first: Vec<BTreeMap<String, Vec<String>>>,
    /// What the simulated play differs in that is most like the first.
    closest: Option<Vec<String>>,
}

fn is_time(field: &str) -> bool {
    field.ends_with("Ms")
}

impl<'a> Sample<'a> {
    pub(super) fn new(recording: &'a Recording) -> Sample<'a> {
        let first = recording.stages.iter().map(|stage| told(stage, recording)).collect();
        let found = vec![None; recording.plays.len()];
        Sample { recording, plays: 0, agreed: BTreeMap::new(), found, first, closest: None }
    }

    /// Takes up a play.
    ///
    /// # Errors
    /// The rules allow no such recording: a word, or a yes or no, is another.
    pub(super) fn add(&mut self, play: &Play) -> Result<(), String> {
        self.plays += 1;
        for (field, value) in &self.recording.same {
            let ours = play.fields.get(field);
            if ours == Some(value) {
                *self.agreed.entry(field).or_default() += 1;
            } else if !value.is_number() || ours.is_none() {
                let ours = ours.map_or("nothing".into(), ToString::to_string);
                return Err(format!("sameInAllPlays.{field}: recorded {value}, ours {ours}"));
            }
        }
        for (recorded, found) in self.recording.plays.iter().zip(&mut self.found) {
            if is_like(recorded, &play.fields) {
                let times = found.get_or_insert_default();
                for (field, ms) in play.fields.iter().filter(|(field, _)| is_time(field)) {
                    let ms = ms.as_u64().unwrap_or(0);
                    let (least, most) = times.entry(field.clone()).or_insert((ms, ms));
                    (*least, *most) = ((*least).min(ms), (*most).max(ms));
                }
            }
        }
        let differences = self.differences(play);
        if self.closest.as_ref().is_none_or(|closest| differences.len() < closest.len()) {
            self.closest = Some(differences);
        }
        Ok(())
    }

    /// In what a play differs from the first recorded one, with the servers called in the way that suits best.
    fn differences(&self, play: &Play) -> Vec<String> {
        let like = self.recording.plays.first().is_none_or(|recorded| is_like(recorded, &play.fields));
        let differences = |way| {
            let mut differences = Vec::new();
            differences.extend((!like).then(|| "plays[0]".to_string()));
            for (at, (recorded, ours)) in self.first.iter().zip(&play.stages).enumerate() {
                let ours: BTreeMap<String, Vec<String>> = ours
                    .iter()
                    .map(|(what, lines)| (Names::rename(what, way), Names::rename_all(lines, way)))
                    .collect();
                let none = Vec::new();
                for (what, lines) in recorded {
                    let place = format!("firstPlay[{at}].{}", what.replace(' ', "."));
                    differ(&place, lines, ours.get(what).unwrap_or(&none), &mut differences);
                }
            }
            differences
        };
        play.names.ways().iter().map(differences).min_by_key(Vec::len).unwrap_or_default()
    }

    /// Whether everything recorded has been found.
    pub(super) fn is_complete(&self) -> bool {
        self.missing_play().is_none() && self.closest.as_ref().is_some_and(Vec::is_empty) && self.in_time().is_ok()
    }

    fn missing_play(&self) -> Option<usize> {
        self.found.iter().position(Option::is_none)
    }

    /// Times are compared as ranges.
    fn in_time(&self) -> Result<(), String> {
        for (at, (recorded, found)) in self.recording.plays.iter().zip(&self.found).enumerate() {
            for (field, ms) in recorded.iter().filter(|(field, _)| is_time(field)) {
                let (least, most) = found.as_ref().and_then(|found| found.get(field)).copied().unwrap_or_default();
                let ms = ms.as_u64().unwrap_or(u64::MAX);
                if !(least..=most + SLACK_MS).contains(&ms) {
                    return Err(format!("plays[{at}].{field}: recorded {ms}, ours from {least} to {most}"));
                }
            }
        }
        Ok(())
    }

    /// What was not found.
    pub(super) fn missing(&self) -> String {
        if let Some(at) = self.missing_play() {
            return format!("plays[{at}]: no play of {} is like it", self.plays);
        }
        if let Err(why) = self.in_time() {
            return why;
        }
        let closest = self.closest.clone().unwrap_or_default();
        format!("no play of {} is the first one; the closest differs in {}", self.plays, closest.join("; "))
    }

    /// Whether numbers that never varied are as frequent as that.
    pub(super) fn judge(&self) -> Result<(), String> {
        for (field, value) in self.recording.same.iter().filter(|(_, value)| value.is_number()) {
            let agreed = self.agreed.get(field.as_str()).copied().unwrap_or(0);
            // in parts of a million, as often multiplied as there are plays
            let share = u128::from(agreed) * 1_000_000 / u128::from(self.plays.max(1));
            let all = self.recording.plays.iter().fold(1_000_000, |all: u128, _| all * share / 1_000_000);
            if all * ODDS < 1_000_000 {
                let (plays, recorded) = (self.plays, self.recording.plays.len());
                return Err(format!(
                    "sameInAllPlays.{field}: {value} in {recorded} recorded plays, in {agreed} of {plays} of ours"
                ));
            }
        }
        Ok(())
    }
}

/// Whether a line tells of a request that came to nothing. When those come, and how often, hangs on how long messages lie in
/// buffers.
fn is_idle(line: &str) -> bool {
    line.starts_with("ignored ") || line.starts_with("rejected ")
}

/// In what lines differ: those that change something must be the same in order; of requests that came to nothing each recorded one must
/// be among ours.
fn differ(place: &str, recorded: &[String], ours: &[String], differences: &mut Vec<String>) {
    let firm = |lines: &[String]| lines.iter().filter(|line| !is_idle(line)).cloned().collect::<Vec<_>>();
    let (theirs, mine) = (firm(recorded), firm(ours));
    for line in 0..theirs.len().max(mine.len()) {
        if theirs.get(line) != mine.get(line) {
            let said = |lines: &[String]| lines.get(line).cloned().unwrap_or("nothing".into());
            differences.push(format!("{place}[{line}]: recorded {}, ours {}", said(&theirs), said(&mine)));
        }
    }
    let missing = recorded.iter().filter(|line| is_idle(line) && !ours.contains(line));
    differences.extend(missing.map(|line| format!("{place}: nothing like '{line}' in ours")));
}

/// Whether a play is like a recorded one in all but times.
fn is_like(recorded: &Map<String, Value>, ours: &Map<String, Value>) -> bool {
    recorded.iter().all(|(field, value)| match is_time(field) {
        true => ours.contains_key(field),
        false => ours.get(field) == Some(value),
    })
}

/// What a recorded stage came to, as a simulated play tells it.
fn told(stage: &Stage, recording: &Recording) -> BTreeMap<String, Vec<String>> {
    let rebased = |term: u64| match term.checked_sub(recording.term) {
        Some(term) => format!("+{term}"),
        None => format!("{term}, before the first"),
    };
    let mut told = BTreeMap::new();
    let said = stage.sentence.deeds.iter().filter_map(|deed| match deed {
        Deed::WriteAtIt(answer) => Some(format!("write at it: {answer}")),
        Deed::WriteThere(answer) => Some(format!("write there: {answer}")),
        Deed::Leads(leader, term) => Some(format!("s{leader} leads term {}", rebased(*term))),
        _ => None,
    });
    let leads = stage.sentence.leader.map(|leader| format!("leader s{leader}"));
    told.insert("did".into(), said.chain(leads).collect());
    told.extend(stage.leader.map(|leader| ("leader".into(), vec![format!("s{leader}")])));
    told.extend(stage.term.map(|term| ("term".into(), vec![rebased(term)])));
    told.extend(stage.value_at_old_leader.clone().map(|value| ("valueAtOldLeader".into(), vec![value])));
    for (number, lines) in &stage.log {
        let lines = lines.iter().map(|line| lines::recorded(line, recording.term).unwrap_or_else(|| line.clone()));
        told.insert(format!("log s{number}"), lines.collect());
    }
    told
}
