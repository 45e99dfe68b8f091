//! What JSON of ours looks like, for the coder: which values a field had before, which fields an object of a kind has, how
//! numbers and texts begin. Any JSON can be carried; what is like what came before costs a few bits.
//!
//! So nothing that an action may hold can be forgotten: the codec carries the JSON that runs are written in, and knows no action.

use std::collections::BTreeMap;

use crate::base::json::{Fields, Json};
use crate::base::limits::MAX_RUN_BYTES;

use super::coder::{Coder, Table};
use super::sample::SAMPLE;

/// Fields that say of which kind an object is.
const TAGS: [&str; 4] = ["do", "op", "step", "kind"];
/// Fields that seldom hold the same value twice as a whole: their parts are remembered instead.
const WHOLE: [&str; 3] = ["action", "request", "ops"];
/// Fields that hold the same value as the last time no oftener than others.
const VARIED: [&str; 4] = ["do", "op", "path", "mode"];
/// Most values that a field remembers; the oldest is forgotten first.
const REMEMBERED: usize = 128;
/// Longer values are not remembered, bytes.
const LONGEST_REMEMBERED: usize = 4_096;
/// Objects and lists within each other.
const DEEPEST: usize = 12;
/// Most fields of an object.
const MAX_FIELDS: u64 = 64;
/// What a value costs beside its text, bytes.
const NODE_BYTES: usize = 8;
/// How much a table learns at once: from the sample, and from the run itself.
const FROM_SAMPLE: u16 = 4;
const FROM_RUN: u16 = 40;

/// Why a stream holds no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// It makes no sense.
    Nonsense,
    /// It holds more than a run may.
    TooMuch,
}

/// What a field has held.
#[derive(Clone, Debug)]
struct Pool {
    values: Vec<(Json, usize)>,
    /// Symbol 0: something else; then the values.
    table: Table,
    last: Option<usize>,
    oldest: usize,
}

/// What was learnt so far.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pools: BTreeMap<String, Pool>,
    tables: BTreeMap<String, Table>,
    letters: Vec<Table>,
    /// Texts that end in a number: the last number behind what stands before it, and when.
    counted: BTreeMap<String, (u64, u64)>,
    /// How many actions there were.
    pub index: u64,
    step: u16,
    left: usize,
}

/// Where a value stands: the field, and the kind of object that the field belongs to.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    field: &'a str,
    of: &'a str,
    depth: usize,
}

thread_local! {
    /// The sample is looked at once.
    static BEGINNING: Model = Model::after(SAMPLE);
}

impl Model {
    /// A model that has seen the sample.
    pub fn new() -> Model {
        BEGINNING.with(Model::clone)
    }

    /// A model that has seen lines of a field's name, a blank and a value.
    fn after(sample: &str) -> Model {
        let letters = vec![Table::new((0..=255).map(likely).collect()); 6];
        let (pools, tables, counted) = Default::default();
        let mut model = Model { pools, tables, letters, counted, index: 0, step: FROM_SAMPLE, left: MAX_RUN_BYTES };
        let mut coder = Coder::write();
        for (field, value) in sample.lines().filter_map(|line| line.split_once(' ')) {
            if let Ok(value) = Json::parse(value) {
                let _ = model.value(&mut coder, field, Some(&value));
            }
        }
        model.counted.clear();
        Model { index: 0, step: FROM_RUN, left: MAX_RUN_BYTES, ..model }
    }

    /// From now on it may be of any size: for tests of what a reader does with that.
    #[cfg(test)]
    pub fn boundless(&mut self) {
        self.left = usize::MAX;
    }

    /// A value of a field; the same from a writer as from a reader.
    pub fn value(&mut self, coder: &mut Coder, field: &str, given: Option<&Json>) -> Result<Json, Broken> {
        self.at(coder, Place { field, of: "", depth: 0 }, given)
    }

    fn at(&mut self, coder: &mut Coder, place: Place, given: Option<&Json>) -> Result<Json, Broken> {
        if place.depth > DEEPEST {
            return Err(Broken::Nonsense);
        }
        let Place { field, of, .. } = place;
        let Some(pool) = self.pools.get(field) else {
            let table = Table::new(vec![self.step]);
            self.pools.insert(field.into(), Pool { values: Vec::new(), table, last: None, oldest: 0 });
            return self.fresh(coder, place, given);
        };
        let known = given.and_then(|given| pool.values.iter().position(|(value, _)| value == given));
        let last = pool.last.filter(|_| !VARIED.contains(&field));
        let some = !pool.values.is_empty();
        if let Some(last) = last {
            let same = usize::from(known == Some(last));
            if self.symbol(coder, &["same", of, field], 2, same) == 1 {
                return self.again(field, last);
            }
        }
        let step = self.step;
        if let Some(pool) = self.pools.get_mut(field).filter(|_| some) {
            let given = known.map_or(0, |known| known + 1);
            let chosen = coder.symbol(&mut pool.table, given, last.map(|last| last + 1), step);
            if let Some(chosen) = chosen.checked_sub(1) {
                return self.again(field, chosen);
            }
        }
        self.fresh(coder, place, given)
    }

    /// A value that was there before.
    fn again(&mut self, field: &str, at: usize) -> Result<Json, Broken> {
        let pool = self.pools.get_mut(field).ok_or(Broken::Nonsense)?;
        let (value, bytes) = pool.values.get(at).cloned().ok_or(Broken::Nonsense)?;
        pool.last = Some(at);
        self.charge(bytes).map(|()| value)
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Broken> {
        self.left = self.left.checked_sub(bytes).ok_or(Broken::TooMuch)?;
        Ok(())
    }

    /// A value that was not there before; it is remembered.
    fn fresh(&mut self, coder: &mut Coder, place: Place, given: Option<&Json>) -> Result<Json, Broken> {
        let before = self.left;
        self.charge(NODE_BYTES)?;
        let kind = given.map_or(0, kind_of);
        let value = match self.symbol(coder, &["is", place.field], 8, kind) {
            0 => Json::Null,
            1 => Json::Bool(false),
            2 => Json::Bool(true),
            3 => {
                let number = if let Some(Json::Natural(number)) = given { *number } else { 0 };
                Json::Natural(self.number(coder, place.field, number)?)
            }
            4 => {
                let size = if let Some(Json::Negative(number)) = given { !*number as u64 } else { 0 };
                let size = self.number(coder, place.field, size)?;
                Json::Negative(!i64::try_from(size).map_err(|_| Broken::Nonsense)?)
            }
            5 => Json::Text(self.text(coder, place, if let Some(Json::Text(text)) = given { text } else { "" })?),
            6 => self.list(coder, place, if let Some(Json::List(items)) = given { items } else { &[] })?,
            _ => {
                self.object(coder, place, if let Some(Json::Object(fields)) = given { Some(fields) } else { None })?
            }
        };
        self.remember(place.field, &value, before - self.left);
        Ok(value)
    }

    fn remember(&mut self, field: &str, value: &Json, bytes: usize) {
        let step = self.step;
        let Some(pool) = self.pools.get_mut(field) else { return };
        pool.last = None;
        if bytes > LONGEST_REMEMBERED || WHOLE.contains(&field) {
            return;
        }
        if pool.values.len() < REMEMBERED {
            pool.last = Some(pool.values.len());
            pool.values.push((value.clone(), bytes));
            pool.table.grow(step);
        } else {
            pool.last = Some(pool.oldest);
            pool.values[pool.oldest] = (value.clone(), bytes);
            pool.table.renew(pool.oldest + 1, step);
            pool.oldest = (pool.oldest + 1) % REMEMBERED;
        }
    }

    /// A whole number. Those that end in three zeros are told apart: milliseconds, seconds.
    pub fn number(&mut self, coder: &mut Coder, name: &str, given: u64) -> Result<u64, Broken> {
        let round = given > 0 && given.is_multiple_of(1_000);
        let round = self.symbol(coder, &["round", name], 2, usize::from(round)) == 1;
        let given = if round { given / 1_000 } else { given };
        let size = if round { "round size" } else { "size" };
        let bits = self.symbol(coder, &[size, name], 65, (64 - given.leading_zeros()) as usize) as u32;
        let value = match bits {
            0 => 0,
            bits => 1 << (bits - 1) | coder.raw(given & ((1 << (bits - 1)) - 1), bits - 1),
        };
        if round { value.checked_mul(1_000).ok_or(Broken::Nonsense) } else { Ok(value) }
    }

    /// A text; one that ends in a number as what stands before it and the number, which often only counts up.
    fn text(&mut self, coder: &mut Coder, place: Place, given: &str) -> Result<String, Broken> {
        let counted = split(given);
        if self.symbol(coder, &["counted", place.field], 2, usize::from(counted.is_some())) == 0 {
            return self.letters(coder, given);
        }
        let (stem, number) = counted.unwrap_or_default();
        let field = [place.field, "#"].concat();
        let inner = Place { field: &field, of: "", depth: place.depth + 1 };
        let Json::Text(stem) = self.at(coder, inner, Some(&Json::Text(stem.into())))? else {
            return Err(Broken::Nonsense);
        };
        let name = [place.field, "#", &stem].concat();
        let (last, when) = self.counted.get(&name).copied().unwrap_or((0, 0));
        let expected = (last + self.index - when) as i64;
        let ahead = number as i64 - expected;
        let folded = self.number(coder, &field, ((ahead << 1) ^ (ahead >> 63)) as u64)?;
        let ahead = (folded >> 1) as i64 ^ -((folded & 1) as i64);
        let number = expected.checked_add(ahead).and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| *number < COUNTED).ok_or(Broken::Nonsense)?;
        self.counted.insert(name, (number, self.index));
        let text = format!("{stem}{number}");
        self.charge(text.len()).map(|()| text)
    }

    fn letters(&mut self, coder: &mut Coder, given: &str) -> Result<String, Broken> {
        let length = self.number(coder, "length", given.len() as u64)?;
        let length = usize::try_from(length).map_err(|_| Broken::TooMuch)?;
        self.charge(length)?;
        let (mut text, mut before) = (Vec::new(), 0);
        for at in 0..length {
            let letter = given.as_bytes().get(at).copied().unwrap_or(0);
            let letter = coder.symbol(&mut self.letters[before], usize::from(letter), None, self.step) as u8;
            before = class(letter);
            text.push(letter);
        }
        String::from_utf8(text).map_err(|_| Broken::Nonsense)
    }

    fn list(&mut self, coder: &mut Coder, place: Place, given: &[Json]) -> Result<Json, Broken> {
        let name = [place.field, "[]"].concat();
        let length = self.number(coder, &name, given.len() as u64)?;
        let mut items = Vec::new();
        for at in 0..length {
            let inner = Place { field: &name, of: place.field, depth: place.depth + 1 };
            items.push(self.at(coder, inner, given.get(at as usize))?);
        }
        Ok(Json::List(items))
    }

    fn object(&mut self, coder: &mut Coder, place: Place, given: Option<&Fields>) -> Result<Json, Broken> {
        let given: Vec<(&str, &Json)> = given.into_iter().flat_map(Fields::iter).collect();
        let tag = TAGS.iter().position(|tag| given.iter().any(|(name, _)| name == tag));
        let tag = self.symbol(coder, &["tag", place.field], TAGS.len() + 1, tag.map_or(0, |tag| tag + 1));
        let tag = tag.checked_sub(1).and_then(|tag| TAGS.get(tag)).copied();
        let (mut fields, mut of) = (Vec::new(), place.field.to_string());
        let depth = place.depth + 1;
        if let Some(tag) = tag {
            let given = given.iter().find(|(name, _)| *name == tag).map(|(_, value)| *value);
            let value = self.at(coder, Place { field: tag, of: place.field, depth }, given)?;
            if let Json::Text(kind) = &value {
                of.clone_from(kind);
            }
            fields.push((tag.to_string(), value));
        }
        let given: Vec<_> = given.into_iter().filter(|(name, _)| Some(*name) != tag).collect();
        for name in self.names(coder, &of, &given, depth)? {
            let given = given.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            let value = self.at(coder, Place { field: &name, of: &of, depth }, given)?;
            fields.push((name, value));
        }
        Ok(Json::Object(Fields::of(fields)))
    }

    /// The names of an object's fields: as a list, which objects of a kind share.
    fn names(
        &mut self,
        coder: &mut Coder,
        of: &str,
        given: &[(&str, &Json)],
        depth: usize,
    ) -> Result<Vec<String>, Broken> {
        let names = Json::List(given.iter().map(|(name, _)| Json::Text((*name).into())).collect());
        let field = [of, ":"].concat();
        let Json::List(names) = self.at(coder, Place { field: &field, of: "", depth }, Some(&names))? else {
            return Err(Broken::Nonsense);
        };
        if names.len() as u64 > MAX_FIELDS {
            return Err(Broken::TooMuch);
        }
        let text = |name| if let Json::Text(name) = name { Ok(name) } else { Err(Broken::Nonsense) };
        names.into_iter().map(text).collect()
    }

    /// One of a few, in a table that goes by these words.
    pub fn symbol(&mut self, coder: &mut Coder, words: &[&str], of: usize, given: usize) -> usize {
        let name = words.join(" ");
        let table = self.tables.entry(name).or_insert_with(|| Table::new(vec![4; of]));
        coder.symbol(table, given, None, self.step)
    }
}

/// Numbers at the end of texts are below this.
const COUNTED: u64 = 1_000_000_000;

/// A text that ends in a number, as it would be written again.
fn split(text: &str) -> Option<(&str, u64)> {
    let stem = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = &text[stem.len()..];
    let number = digits.parse().ok().filter(|number| *number < COUNTED)?;
    (digits.len() == 1 || !digits.starts_with('0')).then_some((stem, number))
}

fn kind_of(value: &Json) -> usize {
    match value {
        Json::Null => 0,
        Json::Bool(false) => 1,
        Json::Bool(true) => 2,
        Json::Natural(_) => 3,
        Json::Negative(_) => 4,
        Json::Text(_) => 5,
        Json::List(_) => 6,
        Json::Object(_) => 7,
    }
}

/// What letters are likely in names, before any was seen.
fn likely(letter: u8) -> u16 {
    match letter {
        b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' => 6,
        b'A'..=b'Z' | b'.' | b' ' | b'=' => 3,
        _ => 1,
    }
}

/// What a letter tells of the next.
fn class(letter: u8) -> usize {
    match letter {
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        b'0'..=b'9' => 3,
        b'/' => 4,
        _ => 5,
    }
}
