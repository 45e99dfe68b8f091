//! Throughput: how many commits there were in each step of time.

use super::*;

texts! {
    /// What the chart of throughput says.
    pub struct RateWords {
        title: "Throughput",
        y: "commits per second",
        said: "{} commits, at most {} per second, from {} s to {} s; each bar covers {} s.",
        none: "No transaction has been committed yet. Each commit makes a bar grow.",
        commits: "commits",
    }
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
    pub(super) fn of(session: &Session) -> Rate {
        let commits = session.run_summary().figures().commits();
        Rate { count: commits.count, step_us: commits.step_us, steps: commits.steps.clone() }
    }

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

impl Chart for Rate {
    fn tell(&self, words: &ChartWords) -> Telling {
        let own = &words.rate;
        let said = self.most().map(|(from, most)| {
            let (to, step) = (from.plus(self.step_us), SimTime(self.step_us));
            fill(own.said, &[&self.count, &tenths(most), &from.seconds(), &to.seconds(), &step.seconds()])
        });
        let nothing = (self.count == 0).then_some((own.none, &[Way::Write] as &[Way]));
        Telling { title: own.title, said: said.unwrap_or_default(), nothing, signs: None }
    }

    fn table(&self, words: &ChartWords) -> Table {
        let own = &words.rate;
        let begins = |place: usize| SimTime(place as u64 * self.step_us).seconds();
        let row = |(place, many): (usize, &u32)| vec![begins(place), many.to_string(), tenths(self.tenths(*many))];
        let rows = self.steps.iter().enumerate().rev().take(MOST_ROWS).map(row).collect();
        (vec![words.from, own.commits, own.y], rows)
    }

    fn drawing(&self, words: &ChartWords, until: f64, paint: Paint) -> Drawing {
        let step = place(SimTime(self.step_us));
        let bar = |(at, many): (usize, &u32)| Area {
            from: (at as f64 + 0.04) * step,
            to: (at as f64 + 0.96) * step,
            top: Some(self.tenths(*many) as f64 / 10.0),
            rises: false,
            colour: paint(Tint::Soft),
            alpha: 0.85,
        };
        let areas = self.steps.iter().enumerate().filter(|(_, many)| **many > 0).map(bar).collect();
        Drawing::Plot(Plot { y_title: words.rate.y, y: 10.0, areas, ..over_time(words, until) })
    }
}
