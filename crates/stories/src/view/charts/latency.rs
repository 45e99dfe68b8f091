//! Commit latency: how long commits took.

use super::*;
use crate::timeline::figures::Dot as Took;

texts! {
    /// What the chart of commit latency says.
    pub struct LatencyWords {
        title: "Commit latency",
        y: "ms",
        said: "{} commits, one point each in the colour of its epoch. Median about {} ms from proposal to commit; slowest {} ms (at {} s), last {} ms.",
        sampled: " One point per {} commits, plus the slowest.",
        none: "No transaction has been committed yet. A leader must be elected, and a write must reach the disks of a majority.",
        took: "took, ms",
        epoch: "epoch",
    }
}

/// How long commits took.
#[derive(Clone, Debug, PartialEq)]
pub struct Latency {
    /// How many there were.
    pub count: u64,
    /// The median, µs; 0 where there was none.
    pub median_us: Micros,
    /// The slowest.
    pub slowest: Option<Took>,
    /// The last one.
    pub last: Option<Took>,
    /// Some of them, oldest first: one of every `every`, and the slowest.
    pub dots: Vec<Took>,
    /// See `dots`.
    pub every: u64,
}

impl Latency {
    pub(super) fn of(session: &Session) -> Latency {
        let commits = session.run_summary().figures().commits();
        let mut dots: Vec<Took> = commits.dots.iter().copied().collect();
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
}

impl Chart for Latency {
    fn tell(&self, words: &ChartWords) -> Telling {
        let own = &words.latency;
        let said = self.slowest.zip(self.last).map(|(slowest, last)| {
            let (median, most) = (ms(self.median_us), ms(slowest.took_us));
            fill(own.said, &[&self.count, &median, &most, &slowest.at.seconds(), &ms(last.took_us)])
        });
        let sampled = if self.every > 1 { fill(own.sampled, &[&self.every]) } else { String::new() };
        Telling {
            title: own.title,
            said: said.unwrap_or_default() + &sampled,
            nothing: (self.count == 0).then_some((own.none, &[Way::Write])),
            signs: None,
        }
    }

    fn table(&self, words: &ChartWords) -> Table {
        let own = &words.latency;
        let row = |dot: &Took| vec![dot.at.seconds(), ms(dot.took_us), dot.epoch.to_string()];
        (vec![words.at, own.took, own.epoch], self.dots.iter().rev().take(MOST_ROWS).map(row).collect())
    }

    fn drawing(&self, words: &ChartWords, until: f64, paint: Paint) -> Drawing {
        let dot = |dot: &Took| {
            let colour = paint(Tint::Epoch(dot.epoch));
            Dot { x: place(dot.at), y: dot.took_us as f64 / 1e3, colour, hollow: false }
        };
        let dots = self.dots.iter().map(dot).collect();
        Drawing::Plot(Plot { y_title: words.latency.y, y: 40.0, dots, ..over_time(words, until) })
    }
}
