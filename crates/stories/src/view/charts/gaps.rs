//! Time without a leader: for how long nobody led an established epoch.

use super::*;

texts! {
    /// What the chart of gaps says.
    pub struct GapWords {
        title: "Time without a leader",
        y: "seconds",
        said: "{} s of {} s without an established leader; gaps: {}; the longest {} s, starting at {} s. Coloured background: somebody leads an epoch.",
        lasts: " Nobody leads now.",
        never: "There has been a leader throughout, {} s so far.",
        none: "No time has passed yet.",
    }
}

/// A gap that is not over grows in steps of this, µs: a chart is not drawn anew for less.
pub(super) const GROWS_US: u64 = 100_000;

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

impl Gaps {
    pub(super) fn of(session: &Session) -> Gaps {
        let (run_summary, now) = (session.run_summary(), SimTime(session.cursor_us() as u64));
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
}

impl Chart for Gaps {
    fn tell(&self, words: &ChartWords) -> Telling {
        let own = &words.gaps;
        let (total, of) = (SimTime(self.total_us).seconds(), SimTime(self.of_us).seconds());
        let said = self.longest.map_or_else(
            || fill(own.never, &[&of]),
            |longest| {
                let (lasted, from) = (SimTime(longest.us()).seconds(), longest.from.seconds());
                let lasts = if self.lasts { own.lasts } else { "" };
                fill(own.said, &[&total, &of, &self.count, &lasted, &from]) + lasts
            },
        );
        let nothing = (self.of_us == 0).then_some((own.none, &[Way::Play] as &[Way]));
        Telling { title: own.title, said, nothing, signs: None }
    }

    fn table(&self, words: &ChartWords) -> Table {
        let row = |gap: &Gap| vec![gap.from.seconds(), gap.to.seconds(), SimTime(gap.us()).seconds()];
        (vec![words.from, words.to, words.gaps.y], self.shown.iter().rev().take(MOST_ROWS).map(row).collect())
    }

    /// It rises until somebody leads; behind it the reigns in the colours of their epochs.
    fn drawing(&self, words: &ChartWords, until: f64, paint: Paint) -> Drawing {
        let area = |from, to, top: Option<f64>, tint, alpha| {
            let (from, to) = (f64::min(place(from), until), f64::min(place(to), until));
            Area { from, to, top, rises: top.is_some(), colour: paint(tint), alpha }
        };
        let reigns = self.reigns.iter().map(|&(from, to, epoch)| area(from, to, None, Tint::Epoch(epoch), 0.22));
        let gaps = self.shown.iter().map(|gap| area(gap.from, gap.to, Some(gap.us() as f64 / 1e6), Tint::Bad, 0.9));
        let areas = reigns.chain(gaps).collect();
        Drawing::Plot(Plot { y_title: words.gaps.y, y: 1.0, y_digits: 1, areas, ..over_time(words, until) })
    }
}
