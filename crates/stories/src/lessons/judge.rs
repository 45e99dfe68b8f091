//! What an answer is, beside what the machine does.

use crate::sim::{Player, Run, RunError};
use std::rc::Rc;

use super::ask::{Ask, Task};
use super::dry_run::Resolved;
use super::eval::Scope;
use super::kind::{Kind, Many, Unit};
use super::lesson::{Beat, Name};
use super::played::Played;
use super::query::{Query, When};
use super::trials::{answer_of, distance, trials, true_option};
use super::value::{Value, micros};

/// What comes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is what happens.
    Right,
    /// It is close to what happens.
    Near,
    /// It is something else: which of [`Ask::thinks`], if any.
    Other(Option<usize>),
}

/// How many hundredths of a chip may lie wrong in a bet that is right, and in one that is near.
const CHIPS_RIGHT: i64 = 150;
const CHIPS_NEAR: i64 = 350;

/// What the machine does, in the form in which it is answered: of a choice its number from 1, of a pick whom, of cards their bins, of a number
/// the number (times in µs), of a stop the first moment in µs; nothing of what is to be done. `seen` is what was [`seen`](super::seen) in the
/// runs that answer it together, of those questions that have such.
pub fn answer(resolved: &Resolved, ask: &Ask, seen: &[Value]) -> Value {
    match &ask.kind {
        Kind::Choose(options) | Kind::Be { options, .. } => true_option(resolved, options),
        Kind::Sort { cards, .. } => Value::List(cards.iter().map(|card| resolved.value(&card.bin)).collect()),
        Kind::Pick { answer, .. } | Kind::Number { answer, .. } => resolved.value(answer),
        Kind::Catch { from, .. } => resolved.spot(from).map_or(Value::Nothing, |spot| micros(spot.at.0)),
        Kind::Draw { .. } | Kind::Place { .. } | Kind::Build { .. } | Kind::Bet { .. } => answer_of(ask, seen),
        Kind::Do(_) => Value::Nothing,
    }
}

/// Judges an answer, given in the form of [`answer`].
pub fn judge(resolved: &Resolved, ask: &Ask, seen: &[Value], given: &Value) -> Verdict {
    let real = answer(resolved, ask, seen);
    let right = match &ask.kind {
        Kind::Pick { many: Many::Set, .. } => real.as_set() == given.as_set(),
        Kind::Pick { many: Many::Sequence, .. } => real.items() == given.items(),
        Kind::Number { unit: Unit::Ms, .. } => ms(&real).is_some() && ms(&real) == ms(given),
        Kind::Catch { to, .. } => {
            let to = resolved.spot(to).map(|spot| spot.at.0 as i64);
            let at = given.number();
            matches!((real.number(), at, to), (Some(from), Some(at), Some(to)) if (from..=to).contains(&at))
        }
        Kind::Build { .. } => real.items().contains(given),
        Kind::Bet { .. } => distance(given, seen) <= CHIPS_RIGHT,
        _ => real == *given,
    };
    if right {
        return Verdict::Right;
    }
    if is_near(ask, seen, &real, given) {
        return Verdict::Near;
    }
    let idea = ask.thinks.iter().position(|thinks| resolved.value_with(&thinks.given, given).holds());
    Verdict::Other(idea)
}

/// Whether a beat makes sense in a run of somebody's own: its moment comes, what it says is so, and its question has an answer that can be
/// seen. Questions that other runs answer, and deeds, are the lesson's own.
pub fn comes(resolved: &Resolved, beat: &Beat) -> bool {
    let is_so =
        |claims: &[Query], at: &When, did: &Value| claims.iter().all(|claim| resolved.holds_at(claim, at, did));
    let Some(here) = resolved.spot(&beat.at).filter(|_| is_so(&beat.holds, &beat.at, &Value::Nothing)) else {
        return false;
    };
    let Some(ask) = &beat.ask else { return true };
    let did = answer(resolved, ask, &[]);
    let answered = match &ask.kind {
        Kind::Do(_) => false,
        Kind::Pick { .. } => true,
        kind => {
            let options = kind.options().unwrap_or(&[]).iter();
            let more = options.filter(|option| resolved.value(&option.is).holds()).count() > 1;
            !more && did != Value::Nothing && !did.items().contains(&Value::Nothing)
        }
    };
    let told = resolved.spot(&ask.until).is_some_and(|until| until.events >= here.events);
    trials(ask) == 0 && answered && told && is_so(&ask.holds, &ask.until, &did)
}

/// Whether it is close to what happens.
fn is_near(ask: &Ask, seen: &[Value], real: &Value, given: &Value) -> bool {
    match &ask.kind {
        Kind::Number { near, .. } | Kind::Draw { near, .. } => {
            let (real, given) = (real.items(), given.items());
            let close = |(real, given): (&Value, &Value)| match (real.number(), given.number()) {
                (Some(real), Some(given)) => {
                    (real - given).unsigned_abs().saturating_mul(100) <= real.unsigned_abs().saturating_mul(*near)
                }
                _ => false,
            };
            real.len() == given.len() && !real.is_empty() && real.iter().zip(given).all(close)
        }
        Kind::Bet { .. } => distance(given, seen) <= CHIPS_NEAR,
        _ => false,
    }
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

    /// Whether the task is done in what has been read; one that is done by writing never is.
    pub fn is_done(&self, task: &Task, names: &[Name]) -> bool {
        task.hands().is_some_and(|hands| Scope::whole(&self.played, names).value(&hands.goal).holds())
    }
}
