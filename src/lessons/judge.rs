//! What an answer is, beside what the machine does.

use crate::sim::{Player, Run, RunError};
use std::rc::Rc;

use super::ask::{Ask, Kind, Many, Task, Unit};
use super::dry_run::Resolved;
use super::eval::Scope;
use super::lesson::Name;
use super::played::Played;
use super::value::{Value, micros};

/// What comes of an answer. The page says what was expected and what happened; it never says wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is what happens.
    Right,
    /// It is close to what happens.
    Near,
    /// It is something else: which of [`Ask::thinks`], if any.
    Other(Option<usize>),
}

/// What the machine does, in the form in which it is answered: of a choice its number from 1, of a pick whom, of a number the number
/// (times in µs), of a stop the first moment in µs; nothing of what is to be done.
pub fn answer(resolved: &Resolved, ask: &Ask) -> Value {
    match &ask.kind {
        Kind::Choose(options) => {
            let true_one = options.iter().position(|option| resolved.value(&option.is).holds());
            true_one.map_or(Value::Nothing, |at| Value::Number(at as i64 + 1))
        }
        Kind::Pick { answer, .. } | Kind::Number { answer, .. } => resolved.value(answer),
        Kind::Catch { from, .. } => resolved.spot(from).map_or(Value::Nothing, |spot| micros(spot.at.0)),
        Kind::Do(_) => Value::Nothing,
    }
}

/// Judges an answer, given in the form of [`answer`].
pub fn judge(resolved: &Resolved, ask: &Ask, given: &Value) -> Verdict {
    let real = answer(resolved, ask);
    let right = match &ask.kind {
        Kind::Pick { many: Many::Set, .. } => real.as_set() == given.as_set(),
        Kind::Pick { many: Many::Sequence, .. } => real.items() == given.items(),
        Kind::Number { unit: Unit::Ms, .. } => ms(&real).is_some() && ms(&real) == ms(given),
        Kind::Catch { to, .. } => {
            let to = resolved.spot(to).map(|spot| spot.at.0 as i64);
            let at = given.number();
            matches!((real.number(), at, to), (Some(from), Some(at), Some(to)) if (from..=to).contains(&at))
        }
        _ => real == *given,
    };
    if right {
        return Verdict::Right;
    }
    if let (Kind::Number { near, .. }, Some(real), Some(given)) = (&ask.kind, real.number(), given.number())
        && (real - given).unsigned_abs() * 100 <= real.unsigned_abs() * near
    {
        return Verdict::Near;
    }
    let idea = ask.thinks.iter().position(|thinks| resolved.value_with(&thinks.given, given).holds());
    Verdict::Other(idea)
}

fn ms(value: &Value) -> Option<i64> {
    value.number().map(|us| (us + 500).div_euclid(1_000))
}

/// Somebody's own run, followed while they try to do something.
#[derive(Clone, Debug)]
pub struct Tried {
    player: Player,
    played: Played,
}

impl Tried {
    /// Before anything has happened in the run.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn new(run: Rc<Run>) -> Result<Tried, RunError> {
        let player = Player::new(run)?;
        Ok(Tried { played: Played::new(&player.run().setup), player })
    }

    /// Reads on, at most so many steps, to where the viewer is in a run; whether it has got there. A run that differs in what has been
    /// read, or a viewer who has gone back, are read from the beginning.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn follow(&mut self, run: &Rc<Run>, events: u64, steps: u64) -> Result<bool, RunError> {
        let same = self.played.events() <= events && self.player.go_on_with(run.clone()).is_ok();
        if !same {
            *self = Tried::new(run.clone())?;
        }
        for _ in 0..steps {
            if self.played.events() >= events || !self.played.step(&mut self.player) {
                break;
            }
        }
        Ok(self.played.events() >= events)
    }

    /// Whether the task is done in what has been read.
    pub fn is_done(&self, task: &Task, names: &[Name]) -> bool {
        Scope::whole(&self.played, names).value(&task.goal).holds()
    }
}
