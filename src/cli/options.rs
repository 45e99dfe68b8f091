//! What several commands take, and how values are read: one that is off is answered with what would be right.

use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, Error};

use crate::base::RuleSet;
use crate::base::limits::{MAX_TIME_MS, MAX_VOTERS};
use crate::i18n::Lang;
use crate::sim::Rule;

/// Most servers of an ensemble of its own.
pub(super) const MOST_SERVERS: u8 = MAX_VOTERS as u8;

/// What is changed in a run.
#[derive(Debug, Args)]
pub(super) struct Changes {
    /// Draws by lot from this seed, not from the run's own
    #[arg(long, value_name = "N", value_parser = whole)]
    pub seed: Option<u64>,
    /// Changes a setting of the ensemble or a parameter of the scenario; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

/// Rules that are broken on purpose.
#[derive(Debug, Args)]
pub(super) struct Broken {
    /// Breaks a rule of the protocol on purpose; may be repeated, and --break '?' names all rules
    #[arg(long = "break", value_name = "RULE", value_parser = rule(), hide_possible_values = true)]
    rules: Vec<Rule>,
}

impl Broken {
    /// All of them.
    pub(super) fn set(&self) -> RuleSet {
        self.rules.iter().fold(RuleSet::default(), |all, rule| all.breaking(*rule))
    }
}

fn rule() -> Word<Rule> {
    Word { known: Rule::all().map(Rule::name).collect(), read: Rule::named }
}

/// Reads a language's tag, as browsers write it.
pub(super) fn language() -> Word<Lang> {
    Word { known: Lang::ALL.map(Lang::code).to_vec(), read: Lang::from_tag }
}

/// Reads a number within these bounds.
pub(super) fn number<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text: &str| {
        let number = text.trim().parse().ok().filter(|number| bounds.contains(number));
        number.ok_or_else(|| format!("a number from {} to {}", bounds.start(), bounds.end()))
    }
}

/// Reads any number: a seed, say.
pub(super) fn whole(text: &str) -> Result<u64, String> {
    number(0..=u64::MAX)(text)
}

/// Reads a moment that a run can have, ms.
pub(super) fn ms(text: &str) -> Result<u64, String> {
    number(0..=MAX_TIME_MS)(text)
}

/// Reads one of some words, which shells complete.
#[derive(Clone, Debug)]
pub(super) struct Word<T> {
    /// Those that are proposed.
    pub known: Vec<&'static str>,
    /// What a word stands for; some have more than one.
    pub read: fn(&str) -> Option<T>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Word<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let Word { known, read } = self.clone();
        let reads = move |text: &str| read(text).ok_or_else(|| format!("there are {}", known.join(", ")));
        reads.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.known.iter().map(|word| PossibleValue::new(*word))))
    }
}
