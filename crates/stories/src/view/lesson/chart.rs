//! What was expected beside what happened, where that is one thing for each of several runs or cards. Nothing of what happened is in it
//! before it has been played.

use crate::daemon::Tongue;
use crate::lessons::{Ask, CHIPS, Kind, Text, Value, answer, counts};

use super::{Answered, Guide, Phase};

/// A column for each run or card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// What stands in a column.
    pub form: Form,
    /// The columns, in order.
    pub columns: Vec<Column>,
}

/// What stands in a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number of at most so many, of a curve.
    Curve(i64),
    /// How many of so many runs.
    Bet(i64),
    /// Whether a goal is reached, in the order of time.
    Place,
    /// The same, of what can be built.
    Build,
    /// The number of a bin, from 1; their names.
    Bins(Vec<String>),
}

/// A run, or a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub words: String,
    /// What was expected of it: of a place and of what can be built 1 where it was chosen.
    pub you: Option<i64>,
    /// What happened, 1 where a goal was reached; none as long as that is not known.
    pub did: Option<i64>,
}

impl Guide {
    /// The columns of a question that has such.
    pub(super) fn chart(&self, ask: &Ask, tongue: Tongue) -> Option<Chart> {
        let say = |text: &Text| self.resolved.said(text, tongue);
        let (form, words): (Form, Vec<String>) = match &ask.kind {
            Kind::Draw { runs, most, .. } => (
                Form::Curve(i64::try_from(*most).unwrap_or(i64::MAX)),
                runs.iter().map(|run| say(&run.say)).collect(),
            ),
            Kind::Bet { options, seeds } => (
                Form::Bet(i64::try_from(*seeds).unwrap_or(i64::MAX)),
                options.iter().map(|one| say(&one.say)).collect(),
            ),
            Kind::Place { runs, .. } => (Form::Place, runs.iter().map(|run| say(&run.say)).collect()),
            Kind::Build { runs, .. } => (Form::Build, runs.iter().map(|run| say(&run.say)).collect()),
            Kind::Sort { cards, bins } => {
                (Form::Bins(bins.iter().map(say).collect()), cards.iter().map(|card| say(&card.say)).collect())
            }
            _ => return None,
        };
        let (you, did) = (self.yours(&form), self.happened(ask, &form));
        let column = |(at, words): (usize, String)| {
            let one = |all: &[Option<i64>]| all.get(at).copied().flatten();
            Column { words, you: one(&you), did: one(&did) }
        };
        Some(Chart { columns: words.into_iter().enumerate().map(column).collect(), form })
    }

    /// What was expected, column by column.
    fn yours(&self, form: &Form) -> Vec<Option<i64>> {
        let Some(Answered::Given(given)) = self.answered().filter(|_| self.phase != Phase::Asks) else {
            return Vec::new();
        };
        match (form, given.number()) {
            (Form::Place | Form::Build, Some(chosen)) => {
                (1..=chosen.clamp(0, 64)).map(|at| Some(i64::from(at == chosen))).collect()
            }
            (Form::Bet(seeds), _) => {
                given.items().iter().map(|chips| chips.number().map(|chips| chips * seeds / CHIPS)).collect()
            }
            _ => given.items().iter().map(Value::number).collect(),
        }
    }

    /// What happened, as far as it has been played.
    fn happened(&self, ask: &Ask, form: &Form) -> Vec<Option<i64>> {
        let seen = self.seen_in(self.at);
        match (self.phase, form) {
            (Phase::Told, Form::Bins(_)) => {
                answer(&self.resolved, ask, seen).items().iter().map(Value::number).collect()
            }
            (Phase::Shows | Phase::Told, Form::Bet(_)) => {
                let options = ask.kind.options().map_or(0, <[_]>::len);
                counts(seen, options).into_iter().map(Some).collect()
            }
            (Phase::Shows | Phase::Told, Form::Curve(_)) => seen.iter().map(Value::number).collect(),
            (Phase::Shows | Phase::Told, Form::Place | Form::Build) => {
                seen.iter().map(|value| Some(i64::from(value.holds()))).collect()
            }
            _ => Vec::new(),
        }
    }
}
