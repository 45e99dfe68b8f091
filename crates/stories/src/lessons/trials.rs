//! The runs that answer a question together: they are played when it has been answered, one after the other.

use std::rc::Rc;

use crate::sim::RunError;

use super::ask::Ask;
use super::dry_run::{DryRun, Resolved};
use super::kind::{CHIPS, Choice, Kind, Trial};
use super::lesson::{Change, Lesson};
use super::value::Value;

/// How many runs a question needs beside the lesson's.
pub fn trials(ask: &Ask) -> usize {
    match &ask.kind {
        Kind::Bet { seeds, .. } => usize::try_from(*seeds).unwrap_or(0),
        kind => kind.runs().len(),
    }
}

/// The run of a question with this number, from 0, before it is played; `seed` is that of the lesson's run. A bet has the seeds behind it.
///
/// # Errors
/// There is no such run, or it is not valid.
pub fn trial(lesson: &Rc<Lesson>, ask: &Ask, at: usize, seed: u64) -> Result<DryRun, RunError> {
    match ask.kind.runs().get(at) {
        Some(trial) => DryRun::with(lesson, &trial.change_of(lesson), Some(seed)),
        None => DryRun::new(lesson, Some(seed.wrapping_add(at as u64 + 1))),
    }
}

/// What is seen in one of them: a number in a curve, whether a goal is reached, of a bet the number of what happened, from 1.
pub fn seen(ask: &Ask, resolved: &Resolved) -> Value {
    match &ask.kind {
        Kind::Draw { answer, .. } => resolved.value(answer),
        Kind::Place { goal, .. } | Kind::Build { goal, .. } => Value::Truth(resolved.value(goal).holds()),
        kind => true_option(resolved, kind.options().unwrap_or(&[])),
    }
}

/// The number of the option that is true, from 1.
pub(super) fn true_option(resolved: &Resolved, options: &[Choice]) -> Value {
    let at = options.iter().position(|option| resolved.value(&option.is).holds());
    at.map_or(Value::Nothing, |at| Value::Number(at as i64 + 1))
}

/// What is seen in all of them, played one after the other.
///
/// # Errors
/// One of them is not valid.
pub fn all_seen(resolved: &Resolved, ask: &Ask) -> Result<Vec<Value>, RunError> {
    let one = |at| Ok(seen(ask, &trial(&resolved.lesson, ask, at, resolved.run.seed)?.play()?));
    (0..trials(ask)).map(one).collect()
}

impl Trial {
    /// How its run differs from the lesson's, a deed that is moved included.
    pub fn change_of(&self, lesson: &Lesson) -> Change {
        let mut change = self.change.clone();
        if let Some((deed, at)) = &self.moved {
            let mut deeds = change.deeds.take().unwrap_or_else(|| lesson.start.deeds.clone());
            if let Some(deed) = deeds.get_mut(*deed) {
                deed.at = at.clone();
            }
            change.deeds = Some(deeds);
        }
        change
    }
}

/// How often each of some things happened in the runs of a bet.
pub fn counts(seen: &[Value], options: usize) -> Vec<i64> {
    let count = |option: i64| seen.iter().filter(|value| value.number() == Some(option)).count() as i64;
    (1..=options as i64).map(count).collect()
}

/// The answer that runs give together, in the form in which it is given: of a curve its numbers, of a place its number from 1, of what can be
/// built the numbers of all that do what they shall, of a bet its chips; nothing before they have been played.
pub(super) fn answer_of(ask: &Ask, seen: &[Value]) -> Value {
    if seen.is_empty() {
        return Value::Nothing;
    }
    let good =
        || seen.iter().enumerate().filter(|(_, value)| value.holds()).map(|(at, _)| Value::Number(at as i64 + 1));
    match &ask.kind {
        Kind::Place { .. } => good().next().unwrap_or(Value::Nothing),
        Kind::Build { .. } => Value::List(good().collect()),
        Kind::Bet { options, .. } => {
            Value::List(chips(&counts(seen, options.len()), seen.len() as i64).map(Value::Number).collect())
        }
        _ => Value::List(seen.to_vec()),
    }
}

/// The chips that fit some counts out of `all`. What is rounded is how many lie up to each, so that their sum is right.
fn chips(counts: &[i64], all: i64) -> impl Iterator<Item = i64> {
    let up_to = move |(count, laid): &mut (i64, i64), more: &i64| {
        *count += more;
        let before = std::mem::replace(laid, (*count * CHIPS + all / 2) / all);
        Some(*laid - before)
    };
    counts.iter().scan((0, 0), up_to)
}

/// How far chips lie from what happened, in hundredths of a chip that would have to be moved.
pub(super) fn distance(given: &Value, seen: &[Value]) -> i64 {
    let (chips, all) = (given.items(), (seen.len() as i64).max(1));
    let counts = counts(seen, chips.len());
    let off = chips
        .iter()
        .zip(counts)
        .map(|(chips, count)| (chips.number().unwrap_or(0) * 100 - count * CHIPS * 100 / all).abs());
    off.sum::<i64>() / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_chips_are_as_many_as_there_are() {
        let of = |counts: &[i64]| chips(counts, counts.iter().sum()).collect::<Vec<_>>();
        for counts in [vec![5, 5, 10], vec![1, 1, 1, 17], vec![0, 20], vec![3, 3, 3], vec![13, 13, 14]] {
            assert_eq!(of(&counts).iter().sum::<i64>(), CHIPS, "{counts:?}");
        }
        assert_eq!(of(&[2, 0, 18]), [1, 0, 9]);
    }
}
