//! A moment as bytes: postcard, deflated. An action travels as the JSON that runs are written in, so that nothing it may hold
//! can be forgotten here. Its numbers are taken out of the text: texts then repeat, and what differs stands together, by its place.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::base::SimTime;
use crate::base::json::{Json, Read, ReadError};
use crate::base::limits::{MAX_ACTIONS, MAX_PLACE_EVENTS, MAX_RUN_BYTES, MAX_TIME_MS};
use crate::sim::{Action, Run, Setup, TimedAction};

use super::link::OpenError;
use super::look::Look;
use super::moment::{Beside, Moment, Place};

/// deflate's own scale: 10 takes longest.
const LEVEL: u8 = 10;

/// Stands in a form where a number was. JSON has no such character: it would be escaped.
const HOLE: char = '\0';

/// What is deflated. Part of the link's format: another one needs another letter in front of links.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Packed {
    /// Every JSON of an action that differs from those before it in more than its numbers.
    pub forms: Vec<String>,
    /// The run, and perhaps one beside it.
    pub runs: Vec<PackedRun>,
    /// [`Place::events`].
    pub events: u64,
    /// [`Place::cursor_us`].
    pub cursor_us: u64,
    /// [`Look`], as JSON.
    pub look: String,
    /// [`Beside::scenario`].
    pub scenario: Option<String>,
}

/// A run without what others share with it.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct PackedRun {
    pub seed: u64,
    /// The settings that are not as usual, as JSON.
    pub setup: String,
    /// What times count, µs: 1,000 where all are whole milliseconds.
    pub unit_us: u64,
    /// How long after the one before it each action comes.
    pub later: Vec<u64>,
    /// Which of [`Packed::forms`] each has.
    pub which: Vec<u32>,
    /// The numbers: for each hole of each form, those of all actions in order.
    pub numbers: Vec<Vec<u64>>,
}

impl Packed {
    /// The bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        // it fails only where memory ends
        compress_to_vec(&postcard::to_allocvec(self).unwrap_or_default(), LEVEL)
    }
}

/// A moment as bytes.
///
/// # Errors
/// It is larger than may be read, or a run is not valid.
pub(super) fn pack(moment: &Moment) -> Result<Vec<u8>, OpenError> {
    let Moment { run, place, look, beside } = moment;
    let mut packed = Packed { events: place.events, cursor_us: place.cursor_us, ..Packed::default() };
    check_place(*place)?;
    packed.look = json(look);
    packed.scenario = beside.as_ref().and_then(|beside| beside.scenario.clone());
    let mut forms = Forms::default();
    for run in std::iter::once(run).chain(beside.as_ref().map(|beside| &beside.run)) {
        run.check()?;
        packed.runs.push(pack_run(run, &mut forms)?);
    }
    packed.forms = forms.list;
    Ok(packed.bytes())
}

/// The moment in some bytes, made with this format; its run is one that can be played.
///
/// # Errors
/// It is none, larger than may be read, or a run is not valid.
pub(super) fn unpack(bytes: &[u8], format: u32) -> Result<Moment, OpenError> {
    let bytes = decompress_to_vec_with_limit(bytes, MAX_RUN_BYTES).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => OpenError::TooLong,
        _ => OpenError::Damaged,
    })?;
    let packed: Packed = postcard::from_bytes(&bytes).map_err(|_| OpenError::Damaged)?;
    let Packed { forms, runs, events, cursor_us, look, scenario } = packed;
    let place = Place { events, cursor_us };
    check_place(place)?;
    let mut left = MAX_RUN_BYTES;
    let mut runs = runs.into_iter().map(|run| unpack_run(run, format, &forms, &mut left));
    let run = runs.next().unwrap_or(Err(OpenError::Damaged))?;
    let beside = runs.next().transpose()?.map(|run| Beside { run, scenario });
    Ok(Moment { run, place, look: Look::of(Json::parse(&look)?), beside })
}

fn check_place(place: Place) -> Result<(), OpenError> {
    let too_far = place.events > MAX_PLACE_EVENTS || place.cursor_us / 1_000 > MAX_TIME_MS;
    if too_far { Err(OpenError::TooLong) } else { Ok(()) }
}

/// Texts with holes, and where the holes of each begin in [`PackedRun::numbers`].
#[derive(Default)]
struct Forms {
    list: Vec<String>,
    known: BTreeMap<String, (u32, usize)>,
    holes: usize,
}

impl Forms {
    /// The form of a text: which it is, and where its holes begin.
    fn of(&mut self, form: String, holes: usize) -> (u32, usize) {
        if let Some(known) = self.known.get(&form) {
            return *known;
        }
        let new = (self.list.len() as u32, self.holes);
        self.list.push(form.clone());
        self.known.insert(form, new);
        self.holes += holes;
        new
    }
}

fn pack_run(run: &Run, forms: &mut Forms) -> Result<PackedRun, OpenError> {
    let in_ms = run.actions.iter().all(|timed| timed.at_us.0.is_multiple_of(1_000));
    let unit_us = if in_ms { 1_000 } else { 1 };
    let setup = unusual(&run.setup)?;
    let mut packed = PackedRun { seed: run.seed, setup, unit_us, ..PackedRun::default() };
    let mut last = SimTime::ZERO;
    for TimedAction { at_us, action } in &run.actions {
        packed.later.push(at_us.since(last) / unit_us);
        last = *at_us;
        let (form, numbers) = without_numbers(&json(action));
        let (which, first) = forms.of(form, numbers.len());
        packed.which.push(which);
        packed.numbers.resize(forms.holes, Vec::new());
        for (column, number) in packed.numbers[first..].iter_mut().zip(numbers) {
            column.push(number);
        }
    }
    Ok(packed)
}

/// A text with its numbers taken out, as far as they would be written again as they are.
fn without_numbers(text: &str) -> (String, Vec<u64>) {
    let (mut form, mut numbers, mut rest) = (String::new(), Vec::new(), text);
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, tail) = rest.split_at(at);
        let end = tail.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(tail.len());
        let digits = &tail[..end];
        form.push_str(before);
        match digits.parse::<u64>() {
            Ok(number) if digits.len() == 1 || !digits.starts_with('0') => {
                form.push(HOLE);
                numbers.push(number);
            }
            _ => form.push_str(digits),
        }
        rest = &tail[end..];
    }
    form.push_str(rest);
    (form, numbers)
}

fn unpack_run(packed: PackedRun, format: u32, forms: &[String], left: &mut usize) -> Result<Run, OpenError> {
    let PackedRun { seed, setup, unit_us, later, which, numbers } = packed;
    if later.len() > MAX_ACTIONS {
        return Err(OpenError::TooLong);
    }
    if later.len() != which.len() {
        return Err(OpenError::Damaged);
    }
    let mut holes = 0;
    let mut begin_of = |form: &String| {
        let begin = holes;
        holes += form.matches(HOLE).count();
        begin
    };
    let begins: Vec<usize> = forms.iter().map(&mut begin_of).collect();
    let mut columns: Vec<_> = numbers.into_iter().map(Vec::into_iter).collect();
    let mut run = Run { version: format, ..Run::new(seed, Json::parse(&setup).and_then(Setup::read)?) };
    let mut last = SimTime::ZERO;
    for (later, which) in later.into_iter().zip(which) {
        let later = later.checked_mul(unit_us).and_then(|later| last.0.checked_add(later));
        last = SimTime(later.ok_or(OpenError::Damaged)?);
        let which = which as usize;
        let (form, begin) = forms.get(which).zip(begins.get(which)).ok_or(OpenError::Damaged)?;
        *left = left.checked_sub(form.len()).ok_or(OpenError::TooLong)?;
        let mut columns = columns.iter_mut().skip(*begin);
        let mut parts = form.split(HOLE);
        let mut text: String = parts.next().unwrap_or_default().into();
        for part in parts {
            let number = columns.next().and_then(Iterator::next).ok_or(OpenError::Damaged)?;
            text += &number.to_string();
            text += part;
        }
        run.actions.push(TimedAction { at_us: last, action: Json::parse(&text).and_then(Action::read)? });
    }
    run.check()?;
    Ok(run)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The settings that differ from the usual ones: what is left out has its default.
fn unusual(setup: &Setup) -> Result<String, ReadError> {
    let parts = |setup: &Setup| serde_json::to_value(setup).unwrap_or_default();
    let (mut given, usual) = (parts(setup), parts(&Setup::default()));
    if let Some(given) = given.as_object_mut() {
        given.retain(|name, value| usual.get(name) != Some(value));
    }
    Ok(given.to_string())
}
