//! What the charts show up to where the viewer is: how long commits took, how many there were, which messages were sent, what each
//! release of a lock cost, and for how long nobody led. Read from what [`crate::timeline::RunSummary`] and the run's tally keep; nothing here
//! grows with the run but the number of releases and reigns that are looked through.

use crate::timeline::figures::Dot;

use crate::base::{Epoch, Micros, SimTime};
use crate::sim::Release;

use crate::timeline::RunSummary;
use crate::timeline::Session;

/// Most releases and gaps that are shown, the last ones.
const MOST_SHOWN: usize = 200;
/// A gap that is not over grows in steps of this, µs: a chart is not drawn anew for less.
const GROWS_US: u64 = 100_000;

/// How long commits took.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// How many there were.
    pub count: u64,
    /// The median, µs; 0 where there was none.
    pub median_us: Micros,
    /// The slowest.
    pub slowest: Option<Dot>,
    /// The last one.
    pub last: Option<Dot>,
    /// Some of them, oldest first: one of every `every`, and the slowest.
    pub dots: Vec<Dot>,
    /// See `dots`.
    pub every: u64,
}

/// How many commits there were in each step of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// How many there were.
    pub count: u64,
    /// How long a step is, µs.
    pub step_us: u64,
    /// How many commits each had, from the beginning of the run on; steps behind the last commit are not in it.
    pub steps: Vec<u32>,
}

impl Rate {
    /// So many commits in a step as tenths of commits a second.
    pub fn tenths(&self, commits: u32) -> u64 {
        u64::from(commits) * 10_000_000 / self.step_us
    }

    /// The fullest step, the first one of several: when it begins, and its tenths of commits a second.
    pub fn most(&self) -> Option<(SimTime, u64)> {
        let (place, many) = self.steps.iter().enumerate().rev().max_by_key(|(_, many)| **many)?;
        Some((SimTime(place as u64 * self.step_us), self.tenths(*many)))
    }
}

/// How many messages were sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Of all types.
    pub total: u64,
    /// Of each type, the most first; of as many in the order of names.
    pub types: Vec<(&'static str, u64)>,
}

/// What releases cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Releases {
    /// How many there were that somebody had waited for.
    pub count: u64,
    /// Notifications in all of them.
    pub notifications: u64,
    /// Requests in all of them.
    pub requests: u64,
    /// Most notifications in one.
    pub most: u64,
    /// The last of them, oldest first.
    pub shown: Vec<Release>,
    /// Whether the run has programs that hold something.
    pub held: bool,
}

/// A stretch in which nobody led an established epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// From when.
    pub from: SimTime,
    /// Until when.
    pub to: SimTime,
}

impl Gap {
    /// How long it is, µs.
    pub fn us(&self) -> Micros {
        self.to.since(self.from)
    }
}

/// For how long nobody led.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaps {
    /// In all, µs.
    pub total_us: Micros,
    /// How much time there has been, µs.
    pub of_us: Micros,
    /// How many there were.
    pub count: u64,
    /// The longest.
    pub longest: Option<Gap>,
    /// Whether the last one is not over.
    pub lasts: bool,
    /// The last of them, oldest first.
    pub shown: Vec<Gap>,
    /// Reigns to be shown behind them: from, to, epoch.
    pub reigns: Vec<(SimTime, SimTime, Epoch)>,
}

/// All charts at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Charts {
    /// How far their time reaches: as far as the timeline does.
    pub until: SimTime,
    /// Commit latency.
    pub latency: Latency,
    /// Throughput.
    pub rate: Rate,
    /// Messages by type.
    pub sent: Sent,
    /// Notifications in each release.
    pub releases: Releases,
    /// Time without a leader.
    pub gaps: Gaps,
}

/// The charts of a session, up to where its viewer is.
pub fn charts(session: &Session) -> Charts {
    let run_summary = session.run_summary();
    Charts {
        until: session.extent(),
        latency: latency(run_summary),
        rate: rate(run_summary),
        sent: sent(run_summary),
        releases: releases(session),
        gaps: gaps(run_summary, SimTime(session.cursor_us() as u64)),
    }
}

fn latency(run_summary: &RunSummary) -> Latency {
    let commits = run_summary.figures().commits();
    let mut dots = commits.dots.clone();
    if let Some(slowest) = commits.slowest.filter(|slowest| !dots.contains(slowest)) {
        dots.insert(dots.partition_point(|dot| dot.at <= slowest.at), slowest);
    }
    Latency {
        count: commits.count,
        median_us: commits.median_us().unwrap_or(0),
        slowest: commits.slowest,
        last: commits.last,
        dots,
        every: commits.every,
    }
}

fn rate(run_summary: &RunSummary) -> Rate {
    let commits = run_summary.figures().commits();
    Rate { count: commits.count, step_us: commits.step_us, steps: commits.steps.clone() }
}

fn sent(run_summary: &RunSummary) -> Sent {
    let mut types: Vec<_> = run_summary.figures().sent().iter().map(|(&name, &many)| (name, many)).collect();
    types.sort_by_key(|(_, many)| std::cmp::Reverse(*many));
    Sent { total: types.iter().map(|(_, many)| many).sum(), types }
}

/// A release counts once the next holder has what was released: then it is known what that took.
fn releases(session: &Session) -> Releases {
    let tally = session.player().tally();
    let done = || tally.releases.iter().filter(|release| release.latency.is_some());
    let count = done().count();
    Releases {
        count: count as u64,
        notifications: done().map(|release| release.notifications).sum(),
        requests: done().map(|release| release.requests).sum(),
        most: done().map(|release| release.notifications).max().unwrap_or(0),
        shown: done().skip(count.saturating_sub(MOST_SHOWN)).copied().collect(),
        held: tally.holders_max > 0,
    }
}

fn gaps(run_summary: &RunSummary, now: SimTime) -> Gaps {
    let mut all = Vec::new();
    let mut led = SimTime::ZERO;
    // reigns begin in order, and may overlap where a leader does not know yet that it is none
    for reign in run_summary.reigns() {
        if reign.from > led {
            all.push(Gap { from: led, to: reign.from });
        }
        led = led.max(reign.to.unwrap_or(now));
    }
    let lasts = now > led;
    if lasts {
        let grown = now.since(led).div_ceil(GROWS_US) * GROWS_US;
        all.push(Gap { from: led, to: SimTime(led.0 + grown) });
    }
    let reigns = run_summary.reigns().rev().take(MOST_SHOWN);
    let mut reigns: Vec<_> =
        reigns.map(|reign| (reign.from, reign.to.unwrap_or(SimTime(u64::MAX)), reign.epoch)).collect();
    reigns.reverse();
    Gaps {
        total_us: all.iter().map(Gap::us).sum(),
        of_us: now.0.div_ceil(GROWS_US) * GROWS_US,
        count: all.len() as u64,
        longest: all.iter().copied().reduce(|longest, gap| if gap.us() > longest.us() { gap } else { longest }),
        lasts,
        shown: all.split_off(all.len().saturating_sub(MOST_SHOWN)),
        reigns,
    }
}

#[cfg(test)]
mod tests;
