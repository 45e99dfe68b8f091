//! The charts one by one: what each is given, and no more, so that it is drawn anew only when that has changed.

use crate::base::SimTime;
use crate::view::charts::{Charts, Gaps, Latency, Rate, Releases, Sent};

/// What one chart shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Latency(Latency),
    Rate(Rate),
    Sent(Sent),
    Releases(Releases),
    Gaps(Gaps),
}

impl Part {
    /// A name for the style sheet and for ids.
    pub fn name(&self) -> &'static str {
        match self {
            Part::Latency(_) => "latency",
            Part::Rate(_) => "rate",
            Part::Sent(_) => "sent",
            Part::Releases(_) => "releases",
            Part::Gaps(_) => "gaps",
        }
    }
}

/// A chart, and how far its time reaches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    pub part: Part,
    pub until: SimTime,
}

impl Shown {
    /// All of them, in the order in which they are shown.
    pub fn all(charts: &Charts) -> impl Iterator<Item = Shown> + use<> {
        let Charts { until, latency, rate, sent, releases, gaps } = charts.clone();
        let parts =
            [Part::Latency(latency), Part::Rate(rate), Part::Releases(releases), Part::Gaps(gaps), Part::Sent(sent)];
        // a bar of a type has no time
        let timeless = |part: &Part| matches!(part, Part::Sent(_));
        parts.into_iter().map(move |part| Shown { until: if timeless(&part) { SimTime::ZERO } else { until }, part })
    }
}
