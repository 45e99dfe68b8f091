//! A lesson made of a run: what somebody did in it, each deed tied to the nearest fact before it that can be named, and before each
//! deed a beat whose sentence says what is about to be done. A lecturer puts questions into it.

mod said;

use serde_json::Value;

use crate::base::SimTime;
use crate::base::json::Json;
use crate::daemon::Tongue;
use crate::scenarios::{SCENARIOS, Scenario, scenario};
use crate::sim::{Action, Player, Run, RunError, TimedAction};

use super::dry_run::{MAX_STEPS, base};
use super::grade::added;
use super::lesson::{Change, Lesson, MAX_DEEDS, MAX_UNTIL_MS};
use super::played::Played;
use super::query::MAX_NTH;
use super::text::{quoted, text_json};

use said::Said;

/// The lesson goes on so long after its last deed, ms.
const AFTER_LAST_MS: u64 = 3_000;
/// So many facts before a deed are looked at for one that can be named.
const LOOK_BACK: usize = 200;
/// Longest value of a field in a pattern, bytes.
const MAX_VALUE_BYTES: usize = 60;
/// Fields that no pattern names: the kind, which it begins with, and numbers that tell nobody anything, as each fact has its own.
const COUNTED: &[&str] = &["kind", "seq", "at_us", "msg", "call", "xid", "conn", "write", "session"];

/// Why no lesson is made of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Nobody did anything in it.
    NoDeeds,
    /// So many deeds are more than a lesson may have, which is that many.
    TooManyDeeds(usize, usize),
    /// The last deed is later than a lesson goes on, which is so long, ms.
    TooLate(SimTime, u64),
    /// It cannot be played, or the lesson would be too long.
    Run(RunError),
}

impl<E: Into<RunError>> From<E> for RecordError {
    fn from(error: E) -> RecordError {
        RecordError::Run(error.into())
    }
}

/// Where a run comes from.
struct Origin {
    change: Change,
    /// Which of the run's actions somebody did.
    own: Vec<bool>,
}

/// A lesson, as JSON, that does what was done in a run. `from` is the scenario that it comes from, by name and parameters, where that is
/// known; otherwise the one is taken whose run it is, and where there is none, the whole run. `say` says in a language what an action
/// does, without a full stop.
///
/// # Errors
/// Nothing was done, or too much, or too late; the run is not valid.
pub fn record(
    run: &Run,
    from: Option<(&str, &[(String, String)])>,
    say: impl Fn(&Action, Tongue) -> String,
) -> Result<String, RecordError> {
    run.check()?;
    let origin = origin(run, from);
    let deeds: Vec<usize> = (0..run.actions.len()).filter(|&index| origin.own[index]).collect();
    let last = deeds.last().map(|&index| run.actions[index].at_us).ok_or(RecordError::NoDeeds)?;
    if deeds.len() > MAX_DEEDS {
        return Err(RecordError::TooManyDeeds(deeds.len(), MAX_DEEDS));
    }
    let until_ms = last.as_ms() + AFTER_LAST_MS;
    if until_ms > MAX_UNTIL_MS {
        return Err(RecordError::TooLate(last, MAX_UNTIL_MS));
    }
    let played = play(run, last)?;
    let text = written(run, &origin.change, until_ms, &deeds, &played, say);
    Lesson::from_json(&text)?;
    Ok(text)
}

fn origin(run: &Run, from: Option<(&str, &[(String, String)])>) -> Origin {
    let named = from.and_then(|(id, given)| of_scenario(run, scenario(id)?, given));
    named.or_else(|| found(run)).unwrap_or_else(|| whole(run))
}

/// The scenario whose run this is, with other deeds: of several the one that does most by itself.
fn found(run: &Run) -> Option<Origin> {
    let like = SCENARIOS.iter().filter(|scenario| scenario.run().setup == run.setup);
    let origins = like.filter_map(|scenario| of_scenario(run, scenario, &[]));
    origins.min_by_key(|origin| (origin.own.iter().filter(|own| **own).count(), origin.change.set.len()))
}

/// A scenario as the beginning of a run; none where the run is not made of it.
fn of_scenario(run: &Run, scenario: &Scenario, given: &[(String, String)]) -> Option<Origin> {
    let plain = scenario.run_with(given).ok()?.0;
    let mut set: Vec<String> = given.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if plain.seed != run.seed {
        set.push(format!("seed={}", run.seed));
    }
    set.extend(settings(&plain, run)?);
    let set = set.iter().map(|setting| setting.as_str().into()).collect();
    let change = Change { scenario: Some(scenario.id.into()), set, ..Change::default() };
    let begins = base(&change, &[]).ok()?;
    let same = begins.seed == run.seed && begins.setup == run.setup && change.set.len() <= MAX_DEEDS;
    let own = added(run, &begins).filter(|_| same)?;
    let all_fit = run.actions.iter().zip(&own).all(|(timed, own)| !own || fits(timed));
    // a deed comes behind what the scenario does in the same microsecond
    (all_fit && rebuilt(&begins, run, &own)).then_some(Origin { change, own })
}

/// Settings that make the setup of one run that of another; none where a setting that is left out would have to be said.
fn settings(plain: &Run, run: &Run) -> Option<Vec<String>> {
    let fields = |run: &Run| match serde_json::to_value(&run.setup) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    };
    let (old, new) = (fields(plain)?, fields(run)?);
    let said = new.iter().filter(|(name, value)| old.get(*name) != Some(value));
    let said = said.map(|(name, value)| format!("{name}={value}")).collect();
    old.keys().all(|name| new.contains_key(name)).then_some(said)
}

/// Deeds of lessons are done at whole milliseconds, as those by hand are.
fn fits(timed: &TimedAction) -> bool {
    timed.at_us == timed.at_us.ceil_ms()
}

fn rebuilt(begins: &Run, run: &Run, own: &[bool]) -> bool {
    let mut again = begins.clone();
    for (timed, _) in run.actions.iter().zip(own).filter(|(_, own)| **own) {
        again.push(timed.at_us, timed.action.clone());
    }
    again.actions == run.actions
}

/// The run without what was done at whole milliseconds.
fn whole(run: &Run) -> Origin {
    let own: Vec<bool> = run.actions.iter().map(fits).collect();
    let mut begins = run.clone();
    begins.actions.retain(|timed| !fits(timed));
    Origin { change: Change { run: Some(begins), ..Change::default() }, own }
}

/// What is known of the run up to a moment.
fn play(run: &Run, until: SimTime) -> Result<Played, RunError> {
    let mut player = Player::new(run.clone())?;
    let mut played = Played::new(&run.setup);
    while let Some(at) = player.world().next_at().filter(|&at| at <= until) {
        if played.events() >= MAX_STEPS {
            return Err(RunError::TooFar { steps: MAX_STEPS, stopped: at });
        }
        played.step(&mut player);
    }
    Ok(played)
}

/// A moment as a lesson writes it, and its time.
struct Tie {
    when: String,
    at: SimTime,
}

/// The nearest fact before an action that is the first one of a short pattern; where there is none, the nearest fact by its number.
fn tie(played: &Played, index: usize) -> Tie {
    let loud = (0..played.before_action(index)).rev().filter(|&place| played.is_loud(place)).take(LOOK_BACK);
    let loud: Vec<usize> = loud.collect();
    let at = |place: usize| played.at_fact(place).at;
    for &place in &loud {
        let patterns = patterns(played.fact(place).unwrap_or_default());
        if let Some(first) = patterns.iter().find(|pattern| played.fitting(pattern).next() == Some(place)) {
            return Tie { when: quoted(first), at: at(place) };
        }
    }
    let numbered = loud.first().and_then(|&place| {
        let kind = patterns(played.fact(place)?).into_iter().next()?;
        let before = played.fitting(&kind).take_while(|&other| other < place).take(MAX_NTH as usize).count();
        let nth = u32::try_from(before + 1).ok().filter(|&nth| nth <= MAX_NTH)?;
        Some(Tie { when: format!(r#"["nth", {nth}, {}]"#, quoted(&kind)), at: at(place) })
    });
    numbered.unwrap_or_else(|| Tie { when: quoted("start"), at: SimTime::ZERO })
}

/// Patterns that a fact fits: its kind, then with one of its fields.
fn patterns(fact: &str) -> Vec<String> {
    let Ok(Json::Object(fields)) = Json::parse(fact) else { return Vec::new() };
    let kind = fields.iter().find_map(|(name, json)| match json {
        Json::Text(kind) if name == "kind" && plain(kind) && !["start", "end"].contains(&kind.as_str()) => Some(kind),
        _ => None,
    });
    let Some(kind) = kind else { return Vec::new() };
    let field = |(name, json): (&str, &Json)| {
        let value = match json {
            Json::Natural(number) => number.to_string(),
            Json::Text(text) if plain(text) => text.clone(),
            _ => return None,
        };
        (!COUNTED.contains(&name)).then(|| format!("{kind} {name}={value}"))
    };
    std::iter::once(kind.clone()).chain(fields.iter().filter_map(field)).collect()
}

/// Whether a text stands in a pattern as it is.
fn plain(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-:./".contains(&byte);
    !text.is_empty() && text.len() <= MAX_VALUE_BYTES && text.bytes().all(letter)
}

/// The lesson, a line for each deed and each beat.
fn written(
    run: &Run,
    begins: &Change,
    until_ms: u64,
    deeds: &[usize],
    played: &Played,
    say: impl Fn(&Action, Tongue) -> String,
) -> String {
    let mut said = Said::default();
    let acts: Vec<String> = deeds.iter().map(|&index| said.act(&run.actions[index].action)).collect();
    let (mut done, mut beats) = (Vec::new(), Vec::new());
    for (number, (&index, act)) in deeds.iter().zip(acts).enumerate() {
        let TimedAction { at_us, action } = &run.actions[index];
        let Tie { when, at } = tie(played, index);
        let us = at_us.since(at);
        done.push(format!(r#"  {{"at": ["after", {when}, {us}], "act": {act}}}"#));
        let before = if us == 0 { when.clone() } else { format!(r#"["after", {when}, {}]"#, us - 1) };
        let say = said.sentence(&say(action, Tongue::English), &say(action, Tongue::Chinese));
        let id = number + 1;
        beats.push(format!(
            r#"  {{"id": "deed-{id}", "at": {before}, "say": {say}, "holds": [["happens", {when}]]}}"#
        ));
    }
    let (begins, names) = (beginning(begins), said.names());
    let (seed, next) = (run.seed, run.seed.saturating_add(1));
    let (done, beats) = (done.join(",\n"), beats.join(",\n"));
    format!(
        "{},\n \"start\": {{{begins}, \"until_ms\": {until_ms}, \"seeds\": [{seed}, {next}],\n  \"names\": {names},\n  \
         \"deeds\": [\n{done}\n ]}},\n \"beats\": [\n{beats}\n ]}}",
        heading()
    )
}

fn heading() -> String {
    let title = text_json("A recorded run", "录制的运行");
    let idea = text_json("What was done, deed by deed.", "依次重现所做的每个操作。");
    format!("{{\"lesson\": 1, \"id\": \"recorded\",\n \"title\": {title},\n \"idea\": {idea}")
}

fn beginning(begins: &Change) -> String {
    match (&begins.scenario, &begins.run) {
        (Some(id), _) => {
            let set: Vec<String> = begins.set.iter().map(|setting| quoted(setting)).collect();
            format!("\"scenario\": {}, \"set\": [{}]", quoted(id), set.join(", "))
        }
        (None, Some(run)) => format!("\"run\": {}", run.to_json()),
        (None, None) => String::new(),
    }
}
