//! What each release of a lock or of leadership cost until the next one.

use super::*;
use crate::sim::Release;

texts! {
    /// What the chart of releases says.
    pub struct ReleaseWords {
        title: "Notifications per release",
        y: "per release",
        said: "{} releases led to a next holder. On average a release cost {} notifications and {} requests; the maximum was {} notifications.",
        none: "Something is held, but no release has led to a next holder yet.",
        never: "Nobody has held a lock or led by a recipe yet. Runs about locks and elections fill this chart: each release adds two points.",
        waited: "waiting",
        notifications: "notifications",
        requests: "requests",
        handed: "handover, ms",
    }
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

impl Releases {
    /// A release counts once the next holder has what was released: then it is known what that took.
    pub(super) fn of(session: &Session) -> Releases {
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
}

impl Chart for Releases {
    fn tell(&self, words: &ChartWords) -> Telling {
        let own = &words.releases;
        let (notified, asked) = (each(self.notifications, self.count), each(self.requests, self.count));
        Telling {
            title: own.title,
            said: fill(own.said, &[&self.count, &notified, &asked, &self.most]),
            nothing: match (self.count, self.held) {
                (0, false) => Some((own.never, &[Way::Play, Way::Gallery])),
                (0, true) => Some((own.none, &[Way::Play])),
                _ => None,
            },
            signs: Some([own.notifications, own.requests]),
        }
    }

    fn table(&self, words: &ChartWords) -> Table {
        let own = &words.releases;
        let row = |release: &Release| {
            let numbers = [release.waiting as u64, release.notifications, release.requests];
            let took = release.latency.map_or_else(String::new, ms);
            [vec![release.at.seconds()], numbers.map(|number| number.to_string()).to_vec(), vec![took]].concat()
        };
        let heads = vec![words.at, own.waited, own.notifications, own.requests, own.handed];
        (heads, self.shown.iter().rev().take(MOST_ROWS).map(row).collect())
    }

    fn drawing(&self, words: &ChartWords, until: f64, paint: Paint) -> Drawing {
        let dots = self.shown.iter().flat_map(|release| {
            let dot = |y: u64, tint, hollow| Dot { x: place(release.at), y: y as f64, colour: paint(tint), hollow };
            [dot(release.requests, Tint::Soft, true), dot(release.notifications, Tint::Focus, false)]
        });
        Drawing::Plot(Plot { y_title: words.releases.y, y: 4.0, dots: dots.collect(), ..over_time(words, until) })
    }
}
