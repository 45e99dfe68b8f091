//! A moment: a run, where its viewer is in it, and what is on the screen besides. How it is written to a stream and read.

use crate::base::json::{Fields, Json, Read, ReadError};
use crate::base::limits::{MAX_ACTIONS, MAX_PLACE_EVENTS, MAX_TIME_MS};
use crate::base::{Micros, SimTime};
use crate::sim::{Action, Run, RunError, TimedAction};

use super::coder::Coder;
use super::look::Look;
use super::model::{Broken, Model};

/// Where the viewer is. Single steps may stand between two events of the same microsecond, so both are needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// How many steps have been taken.
    pub events: u64,
    /// The cursor, µs; at or after the last of them.
    pub cursor_us: Micros,
}

/// A run beside another, with one clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The run.
    pub run: Run,
    /// The built-in scenario that it came from.
    pub scenario: Option<String>,
}

/// A run at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The run.
    pub run: Run,
    /// Where its viewer is.
    pub place: Place,
    /// What else is on the screen.
    pub look: Look,
    /// A second run.
    pub beside: Option<Beside>,
}

/// Why a stream is no moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    Broken(Broken),
    Run(RunError),
}

impl From<Broken> for Wrong {
    fn from(broken: Broken) -> Wrong {
        Wrong::Broken(broken)
    }
}

impl From<ReadError> for Wrong {
    fn from(read_error: ReadError) -> Wrong {
        Wrong::Run(read_error.into())
    }
}

impl Moment {
    /// The beginning of a run.
    pub fn start(run: Run) -> Moment {
        Moment { run, place: Place::default(), look: Look::default(), beside: None }
    }

    /// The moment as a stream.
    pub(super) fn write(&self) -> Result<Vec<u8>, Wrong> {
        let mut coder = Coder::write();
        pass(&mut coder, Some(self))?;
        Ok(coder.finish())
    }

    /// The moment in a stream; its run is one that can be played.
    pub(super) fn read(bytes: &[u8]) -> Result<Moment, Wrong> {
        pass(&mut Coder::read(bytes), None)
    }
}

/// A moment through a coder, in or out.
fn pass(coder: &mut Coder, given: Option<&Moment>) -> Result<Moment, Wrong> {
    let mut model = Model::new();
    let run = pass_run(&mut model, coder, given.map(|moment| &moment.run), None)?;
    let place = given.map_or(Place::default(), |moment| moment.place);
    let events = model.number(coder, "events", place.events)?;
    let cursor_us = model.number(coder, "cursor", place.cursor_us)?;
    if events > MAX_PLACE_EVENTS || cursor_us / 1_000 > MAX_TIME_MS {
        return Err(Broken::TooMuch.into());
    }
    let look = Look::of(model.value(coder, "look", given.map(|moment| moment.look.json()).as_ref())?);
    let beside = given.and_then(|moment| moment.beside.as_ref());
    let beside = match model.symbol(coder, &["beside"], 2, usize::from(beside.is_some())) {
        0 => None,
        _ => Some(pass_beside(&mut model, coder, beside, &run)?),
    };
    Ok(Moment { run, place: Place { events, cursor_us }, look, beside })
}

fn pass_beside(model: &mut Model, coder: &mut Coder, given: Option<&Beside>, first: &Run) -> Result<Beside, Wrong> {
    let scenario = given.and_then(|beside| beside.scenario.clone()).map(Json::Text);
    let scenario = model.value(coder, "scenario", Some(&scenario.unwrap_or(Json::Null)))?;
    let run = pass_run(model, coder, given.map(|beside| &beside.run), Some(first))?;
    Ok(Beside { run, scenario: if let Json::Text(id) = scenario { Some(id) } else { None } })
}

/// A run; one beside another is expected to be much the same.
fn pass_run(model: &mut Model, coder: &mut Coder, given: Option<&Run>, beside: Option<&Run>) -> Result<Run, Wrong> {
    let whole = given.map(json_of).transpose()?;
    let field = |name: &str| whole.as_ref().and_then(|(fields, _)| fields.iter().find(|(field, _)| *field == name));
    let seed = model.value(coder, "seed", field("seed").map(|(_, value)| value))?;
    let setup = model.value(coder, "setup", field("setup").map(|(_, value)| value))?;
    let mut run = Run::new(u64::read(seed)?, Read::read(setup)?);
    let count = model.number(coder, "actions", given.map_or(0, |run| run.actions.len() as u64))?;
    if count > MAX_ACTIONS as u64 {
        return Err(Broken::TooMuch.into());
    }
    let (mut last, mut copied) = (SimTime::ZERO, 0);
    for index in 0..count {
        let timed = given.and_then(|run| run.actions.get(index as usize));
        model.index = index;
        if let Some(first) = beside {
            let rest = first.actions.get(copied..).unwrap_or_default();
            copied += rest.iter().take_while(|action| action.at_us < last).count();
            if let Some(next) = first.actions.get(copied)
                && model.symbol(coder, &["copied"], 2, usize::from(timed == Some(next))) == 1
            {
                (last, copied) = (next.at_us, copied + 1);
                run.actions.push(next.clone());
                continue;
            }
        }
        let later = model.number(coder, "later", timed.map_or(0, |timed| timed.at_us.since(last)))?;
        last = last.plus(later);
        let action = whole.as_ref().and_then(|(_, actions)| actions.get(index as usize));
        let action = model.value(coder, "action", action)?;
        run.actions.push(TimedAction { at_us: last, action: Action::read(action)? });
    }
    run.check()?;
    Ok(run)
}

/// A run's JSON, and that of each of its actions.
fn json_of(run: &Run) -> Result<(Fields, Vec<Json>), ReadError> {
    let action = |timed: &TimedAction| Json::parse(&serde_json::to_string(&timed.action).unwrap_or_default());
    let bare = Run { actions: Vec::new(), ..run.clone() };
    Ok((Json::parse(&bare.to_json())?.fields()?, run.actions.iter().map(action).collect::<Result<_, _>>()?))
}
