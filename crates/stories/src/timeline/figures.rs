//! What charts need of the facts, read one by one and kept small however long a run is: every checkpoint holds a copy.

use std::rc::Rc;

use crate::base::{Chunks, Epoch, Micros, SimTime, SortedMap};

/// Most commits that are kept one by one. When there are more, every other one goes, and from then on only every second is taken.
pub(crate) const MOST_DOTS: usize = 512;
/// How long a step of the throughput is at first, µs, and how many steps there are at most. When there are more, two become one.
pub(crate) const STEP_US: u64 = 250_000;
pub(crate) const MOST_STEPS: usize = 160;

/// A commit as a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dot {
    /// When it was committed.
    pub at: SimTime,
    /// The time from its proposal, µs.
    pub took_us: Micros,
    /// Its epoch.
    pub epoch: Epoch,
}

/// What is remembered for charts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    commits: Rc<Commits>,
    /// How many messages of each type were sent.
    sent: Rc<SortedMap<&'static str, u64>>,
}

impl Figures {
    /// A transaction was committed.
    pub(crate) fn commit(&mut self, dot: Dot) {
        Rc::make_mut(&mut self.commits).add(dot);
    }

    /// A message of this type was sent.
    pub(crate) fn send(&mut self, name: &'static str) {
        *Rc::make_mut(&mut self.sent).get_or_default(name) += 1;
    }

    pub(crate) fn commits(&self) -> &Commits {
        &self.commits
    }

    pub(crate) fn sent(&self) -> &SortedMap<&'static str, u64> {
        &self.sent
    }
}

/// All commits so far, in little room.
#[derive(Clone, Debug)]
pub(crate) struct Commits {
    pub count: u64,
    pub last: Option<Dot>,
    pub slowest: Option<Dot>,
    /// One of every so many, oldest first.
    pub every: u64,
    pub dots: Chunks<Dot>,
    /// How many there were in each step of time, from the beginning of the run.
    pub step_us: u64,
    pub steps: Vec<u32>,
    /// How many took so long: see [`rung`].
    ladder: SortedMap<u32, u32>,
}

impl Default for Commits {
    fn default() -> Commits {
        Commits {
            count: 0,
            last: None,
            slowest: None,
            every: 1,
            dots: Chunks::default(),
            step_us: STEP_US,
            steps: Vec::new(),
            ladder: SortedMap::new(),
        }
    }
}

/// A length of time as a rung of a ladder: tenths of a millisecond up to a second, hundredths of a second up to ten, then seconds.
/// So there are few of them, and up to a second they are as exact as what is shown.
fn rung(us: Micros) -> u32 {
    let rung = match us {
        0..1_000_000 => us / 100,
        1_000_000..10_000_000 => 10_000 + (us - 1_000_000) / 10_000,
        _ => 10_900 + (us - 10_000_000) / 1_000_000,
    };
    rung.min(u64::from(u32::MAX)) as u32
}

/// The shortest time on a rung, µs.
fn time_of(rung: u32) -> Micros {
    let rung = u64::from(rung);
    match rung {
        0..10_000 => rung * 100,
        10_000..10_900 => 1_000_000 + (rung - 10_000) * 10_000,
        _ => 10_000_000 + (rung - 10_900) * 1_000_000,
    }
}

impl Commits {
    fn add(&mut self, dot: Dot) {
        if self.count.is_multiple_of(self.every) {
            self.dots.push(dot);
        }
        if self.dots.len() > MOST_DOTS {
            self.dots = self.dots.iter().step_by(2).copied().collect();
            self.every *= 2;
        }
        self.count += 1;
        self.last = Some(dot);
        self.slowest = self.slowest.filter(|slowest| slowest.took_us >= dot.took_us).or(Some(dot));
        *self.ladder.get_or_default(rung(dot.took_us)) += 1;
        self.step(dot.at);
    }

    fn step(&mut self, at: SimTime) {
        while at.0 / self.step_us >= MOST_STEPS as u64 {
            self.steps = self.steps.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.step_us *= 2;
        }
        let place = (at.0 / self.step_us) as usize;
        if self.steps.len() <= place {
            self.steps.resize(place + 1, 0);
        }
        self.steps[place] += 1;
    }

    /// The median of the times, µs, rounded down to what is shown; none where nothing was committed.
    pub(crate) fn median_us(&self) -> Option<Micros> {
        let mut before = 0;
        let middle = self.ladder.iter().find(|(_, many)| {
            before += u64::from(**many);
            before > self.count / 2
        });
        middle.map(|(rung, _)| time_of(*rung))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(at: u64, took_us: u64) -> Dot {
        Dot { at: SimTime(at), took_us, epoch: 1 }
    }

    #[test]
    fn a_million_commits_take_no_more_room_than_a_thousand() {
        let mut commits = Commits::default();
        for n in 0..1_000_000u64 {
            commits.add(dot(n * 7_919, 9_000 + n * 31 % 30_000_000));
        }
        assert!(commits.dots.len() <= MOST_DOTS && commits.dots.len() > MOST_DOTS / 2);
        assert!(commits.steps.len() <= MOST_STEPS && commits.steps.len() > MOST_STEPS / 2 - 1);
        assert!(commits.ladder.len() < 11_000, "{}", commits.ladder.len());
        assert_eq!(commits.steps.iter().map(|&many| u64::from(many)).sum::<u64>(), 1_000_000);
        // what is kept is every so-many-th, from the first on
        let kept = (0..commits.dots.len() as u64).map(|n| n * commits.every * 7_919);
        assert!(commits.dots.iter().map(|dot| dot.at.0).eq(kept));
    }

    #[test]
    fn the_ladder_is_exact_to_what_is_shown() {
        for us in [0, 99, 100, 12_345, 999_999, 1_000_000, 1_009_999, 9_999_999, 10_000_000, 73_000_001, u64::MAX] {
            let (low, high) = (time_of(rung(us)), time_of(rung(us).saturating_add(1)));
            assert!(low <= us && (us < high || rung(us) == u32::MAX), "{us}: {low} to {high}");
            if us < 1_000_000 {
                assert_eq!(low / 100, us / 100);
            }
        }
        let mut commits = Commits::default();
        assert_eq!(commits.median_us(), None);
        let _ = [30_000, 10_000, 20_000, 40_000].map(|took| commits.add(dot(0, took)));
        assert_eq!(commits.median_us(), Some(30_000), "of an even number the upper one, as everywhere on the page");
    }
}
