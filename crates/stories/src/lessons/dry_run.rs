//! A lesson's run, played to its end before the viewer sees it: each deed is done when its moment has come and becomes an action
//! with a time. What results is a plain run, and the places of all beats in it.

use std::rc::Rc;

use crate::base::SimTime;
use crate::base::json::{Fields, Json, Read};
use crate::daemon::Tongue;
use crate::sim::{Action, Player, Run, RunError};

use super::ask::{Task, Way};
use super::eval::Scope;
use super::lesson::{Change, Deed, Lesson};
use super::played::{Moment, Played};
use super::query::{Query, When};
use super::text::{Text, places};
use super::value::{Shown, Value};

/// Most steps of a lesson.
pub(super) const MAX_STEPS: u64 = 400_000;

/// A lesson on its way to being resolved.
#[derive(Debug)]
pub struct DryRun {
    lesson: Rc<Lesson>,
    deeds: Vec<Deed>,
    done: usize,
    player: Player,
    played: Played,
}

/// A place in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// How many steps have been taken.
    pub events: u64,
    /// The time.
    pub at: SimTime,
    /// How many facts have happened.
    pub facts: usize,
    /// How many of the run's actions have been done.
    pub done: usize,
}

/// A lesson and its run.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// Its run, with everything that the lesson does.
    pub run: Rc<Run>,
    /// The facts of the run up to the lesson's end.
    pub played: Played,
}

impl DryRun {
    /// The beginning of a lesson's run.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn new(lesson: &Rc<Lesson>, seed: Option<u64>) -> Result<DryRun, RunError> {
        DryRun::with(lesson, &Change::default(), seed)
    }

    /// The same of a run that differs.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn with(lesson: &Rc<Lesson>, change: &Change, seed: Option<u64>) -> Result<DryRun, RunError> {
        let from = &lesson.start.from;
        let elsewhere = change.scenario.is_some() || change.run.is_some() || change.recipe.is_some();
        let mut run = if elsewhere { base(change, &[]) } else { base(from, &change.set) }?;
        run.seed = seed.unwrap_or(run.seed);
        let deeds = change.deeds.as_ref().unwrap_or(&lesson.start.deeds).clone();
        Ok(DryRun { deeds, ..DryRun::of(lesson, Rc::new(run))? })
    }

    /// The beginning of a run of somebody's own, in which the lesson does nothing.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn of(lesson: &Rc<Lesson>, run: Rc<Run>) -> Result<DryRun, RunError> {
        let player = Player::new(run)?;
        let played = Played::new(&player.run().setup);
        Ok(DryRun { lesson: lesson.clone(), deeds: Vec::new(), done: 0, player, played })
    }

    /// Plays so many steps more; whether there are more to play.
    ///
    /// # Errors
    /// A deed cannot be done, or the lesson is too long.
    pub fn go_on(&mut self, steps: u64) -> Result<bool, RunError> {
        let until = SimTime::from_ms(self.lesson.start.until_ms);
        for _ in 0..steps {
            self.do_what_is_due(until)?;
            let Some(at) = self.player.world().next_at().filter(|&at| at <= until) else { return Ok(false) };
            if self.played.events() >= MAX_STEPS {
                return Err(RunError::TooFar { steps: MAX_STEPS, stopped: at });
            }
            self.played.step(&mut self.player);
        }
        Ok(true)
    }

    /// Plans the deeds whose moments have come, or come before the next step.
    fn do_what_is_due(&mut self, until: SimTime) -> Result<(), RunError> {
        while let Some(deed) = self.deeds.get(self.done) {
            let horizon = self.player.world().next_at().unwrap_or(until);
            let scope = Scope::whole(&self.played, &self.lesson.start.names);
            let Some(moment) = scope.up_to(Moment { at: horizon, ..self.played.end() }).moment(&deed.at) else {
                break;
            };
            let at = moment.at.max(self.player.world().now).ceil_ms();
            let act = filled(&deed.act, scope);
            let action = Action::read(act).map_err(|error| error.within(&format!("deeds[{}].act", self.done)))?;
            let mut run = Run::clone(self.player.run());
            run.push(at, action);
            self.player.go_on_with(Rc::new(run))?;
            self.done += 1;
        }
        Ok(())
    }

    /// What the lesson and its run come to. Where deeds are left whose moments never came, their beats will not come either.
    pub fn finish(self) -> Resolved {
        Resolved { lesson: self.lesson, run: self.player.run().clone(), played: self.played }
    }

    /// Plays it all.
    ///
    /// # Errors
    /// As [`DryRun::go_on`].
    pub fn play(mut self) -> Result<Resolved, RunError> {
        while self.go_on(10_000)? {}
        Ok(self.finish())
    }
}

/// The run in which somebody does a task with their own hands: the one of its solution, without what that does; of a program, one in which
/// nothing goes wrong.
///
/// # Errors
/// It is not valid.
pub fn task_run(lesson: &Rc<Lesson>, task: &Task, seed: u64) -> Result<Run, RunError> {
    let hands = match &task.way {
        Way::Hands(hands) => hands,
        Way::Write(write) => return Ok(write.from.plain_run()),
    };
    let bare = Change { deeds: Some(Vec::new()), ..hands.solution.clone() };
    DryRun::with(lesson, &bare, Some(seed)).map(|dry_run| Run::clone(dry_run.player.run()))
}

/// The run from which a change begins, with some settings more.
pub(super) fn base(change: &Change, more: &[Rc<str>]) -> Result<Run, RunError> {
    let scenario = change.scenario.as_deref().and_then(crate::scenarios::scenario);
    let params = scenario.map_or(&[][..], |scenario| scenario.params());
    let pair = |setting: &str| -> Option<(String, String)> {
        let (key, value) = setting.split_once('=')?;
        params.iter().any(|param| param.name == key).then(|| (key.into(), value.into()))
    };
    let settings = change.set.iter().chain(more);
    let (given, rest): (Vec<_>, Vec<_>) = settings.partition(|setting| pair(setting).is_some());
    let given: Vec<_> = given.into_iter().filter_map(|setting| pair(setting)).collect();
    let mut run = match (&change.run, &change.recipe, scenario) {
        (Some(run), ..) => run.clone(),
        (None, Some(recipe), _) => recipe.plain_run(),
        (None, None, Some(scenario)) => scenario.run_with(&given)?.0,
        (None, None, None) => Run::new(1, Default::default()),
    };
    for setting in rest {
        run.set(setting)?;
    }
    Ok(run)
}

/// An action with values in place of names.
fn filled(json: &Json, scope: Scope) -> Json {
    match json {
        Json::Text(text) => match places(text).as_slice() {
            [("", Some(name)), ("", None)] => scope.name(name).to_json(),
            [_] => json.clone(),
            parts => {
                let part = |(text, name): &(&str, Option<&str>)| {
                    let name = name.map_or(String::new(), |name| scope.name(name).to_string());
                    format!("{text}{name}")
                };
                Json::Text(parts.iter().map(part).collect())
            }
        },
        Json::List(items) => Json::List(items.iter().map(|item| filled(item, scope)).collect()),
        Json::Object(fields) => {
            let filled = |(name, json): (&str, &Json)| (name.to_string(), filled(json, scope));
            Json::Object(Fields::of(fields.iter().map(filled).collect()))
        }
        plain => plain.clone(),
    }
}

impl Resolved {
    fn scope(&self) -> Scope<'_> {
        Scope::whole(&self.played, &self.lesson.start.names)
    }

    /// Where a moment lies; none where it never comes.
    pub fn spot(&self, when: &When) -> Option<Spot> {
        self.scope().moment(when).map(|Moment { events, at, facts, done, .. }| Spot { events, at, facts, done })
    }

    /// The number of the fact that a moment is, if it comes and is one.
    pub fn fact_at(&self, when: &When) -> Option<u64> {
        self.scope().moment(when).and_then(|moment| moment.fact).map(|place| place as u64)
    }

    /// What a question comes to in the whole run.
    pub fn value(&self, query: &Query) -> Value {
        self.scope().value(query)
    }

    /// What a question comes to once the viewer has answered.
    pub fn value_with(&self, query: &Query, you: &Value) -> Value {
        self.scope().answered(you).value(query)
    }

    /// Whether what is claimed behind an answer is so, as far as things have happened at a moment.
    pub(super) fn holds_at(&self, claim: &Query, when: &When, did: &Value) -> bool {
        let scope = self.scope().knowing(did);
        scope.moment(when).is_some_and(|end| scope.up_to(end).value(claim).holds())
    }

    /// What a question comes to, as far as things have happened at a moment.
    pub fn value_at(&self, query: &Query, when: &When) -> Value {
        let scope = self.scope();
        scope.moment(when).map_or(Value::Nothing, |end| scope.up_to(end).value(query))
    }

    /// What a name stands for, as it is written.
    pub fn name(&self, name: &str) -> String {
        let shown = self.lesson.start.names.iter().find(|known| *known.name == *name).map(|known| known.shown);
        self.scope().name(name).written(shown.unwrap_or(Shown::Plain))
    }

    /// A sentence in a language: its parts, and with each whether it is a name.
    pub fn parts(&self, text: &Text, tongue: Tongue) -> Vec<(String, bool)> {
        let mut parts = Vec::new();
        for (text, name) in places(text.of(tongue)) {
            if !text.is_empty() {
                parts.push((text.to_string(), false));
            }
            parts.extend(name.map(|name| (self.name(name), true)));
        }
        parts
    }

    /// A sentence in a language.
    pub fn said(&self, text: &Text, tongue: Tongue) -> String {
        self.parts(text, tongue).into_iter().map(|(part, _)| part).collect()
    }
}
