//! The charts up to where the viewer is, a file each: what they show, what they say in numbers, how they are drawn. Read from what
//! [`crate::timeline::RunSummary`] and the run's tally keep; nothing here grows with the run but the number of releases and reigns that are
//! looked through.
//!
//! A chart's words stand with it in English, those of other languages in `i18n`.

mod gaps;
mod latency;
mod plot;
mod rate;
mod releases;
mod sent;

use crate::base::texts::{fill, texts};
use crate::base::{Epoch, Micros, SimTime};
use crate::timeline::Session;

pub use plot::{Area, Bars, Dot, Drawing, Paint, Plot, Tint};

/// Makes everything of the table of charts: for each its name (the file, style sheet and ids know it), its type, and its words.
macro_rules! charts {
    ($($name:ident: $Chart:ident says $Words:ident;)*) => {
        $(pub use $name::{$Chart, $Words};)*

        /// All charts at one moment.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub struct Charts {
            /// How far their time reaches: as far as the timeline does.
            pub until: SimTime,
            $(pub $name: $Chart,)*
        }

        /// One of the charts.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum OneChart {
            $($Chart($Chart),)*
        }

        impl OneChart {
            /// A name for the style sheet and for ids.
            pub fn name(&self) -> &'static str {
                match self {
                    $(OneChart::$Chart(_) => stringify!($name),)*
                }
            }
        }

        impl std::ops::Deref for OneChart {
            type Target = dyn Chart;

            fn deref(&self) -> &(dyn Chart + 'static) {
                match self {
                    $(OneChart::$Chart(chart) => chart,)*
                }
            }
        }

        impl Charts {
            /// Each, in the order in which they are shown.
            pub fn each(&self) -> impl Iterator<Item = OneChart> + use<> {
                [$(OneChart::$Chart(self.$name.clone()),)*].into_iter()
            }
        }

        /// The charts of a session, up to where its viewer is.
        pub fn charts(session: &Session) -> Charts {
            Charts { until: session.extent(), $($name: $Chart::of(session),)* }
        }

        texts! {
            /// The words of the charts: those that several have, and each one's own.
            pub struct ChartWords {
                x: "virtual time, s",
                numbers: "Show the numbers",
                at: "at, s",
                from: "from, s",
                to: "to, s",
            }
            $(
                #[allow(missing_docs)]
                $name: $Words = $Words::ENGLISH;
            )*
        }
    };
}

// in the order in which they are shown
charts! {
    latency: Latency says LatencyWords;
    rate: Rate says RateWords;
    releases: Releases says ReleaseWords;
    gaps: Gaps says GapWords;
    sent: Sent says SentWords;
}

/// What would make something appear in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Let time run.
    Play,
    /// Write something.
    Write,
    /// Choose a scenario that fills it.
    Gallery,
}

/// What a chart says.
pub struct Telling {
    /// What it is called.
    pub title: &'static str,
    /// Its numbers in a sentence or two.
    pub said: String,
    /// Why it is empty, and what would fill it; none where it is not.
    pub nothing: Option<(&'static str, &'static [Way])>,
    /// What its full sign and its hollow one mean, where it has both.
    pub signs: Option<[&'static str; 2]>,
}

/// The heads of a table, and its rows, the newest first.
pub type Table = (Vec<&'static str>, Vec<Vec<String>>);

/// A chart, given its words.
pub trait Chart {
    /// What it says.
    fn tell(&self, words: &ChartWords) -> Telling;
    /// Its numbers.
    fn table(&self, words: &ChartWords) -> Table;
    /// How it is drawn, if time reaches so far, seconds.
    fn drawing(&self, words: &ChartWords, until: f64, paint: Paint) -> Drawing;

    /// Whether it is drawn over time; a bar of a type is not.
    fn has_time(&self) -> bool {
        true
    }
}

/// Most releases and gaps that are shown, the last ones.
const MOST_SHOWN: usize = 200;
/// How many rows a table has at most, the last ones.
const MOST_ROWS: usize = 60;

/// A length of time in milliseconds, with a tenth.
fn ms(us: Micros) -> String {
    format!("{}.{}", us / 1_000, us % 1_000 / 100)
}

/// A number given in tenths.
fn tenths(tenths: u64) -> String {
    if tenths.is_multiple_of(10) { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// A share of two numbers in tenths, rounded.
fn each(sum: u64, of: u64) -> String {
    tenths((sum * 10 + of / 2) / of.max(1))
}

/// Where a moment lies on an axis of time, seconds.
fn place(at: SimTime) -> f64 {
    at.0 as f64 / 1e6
}

/// An empty plot over time.
fn over_time(words: &ChartWords, until: f64) -> Plot<'static> {
    Plot { x_title: words.x, x: (0.0, until), digits: if until < 5.0 { 1 } else { 0 }, ..Plot::default() }
}

#[cfg(test)]
mod tests;
