//! Questions to the facts of a run: *when* something is, and *what* is so.
//!
//! Both are written as JSON lists that begin with a word: `["next", "established", "committed zxid={W}"]`,
//! `["count", "notified", ["since", "released"]]`. Where a moment is wanted, a text is a pattern, and means its first fact. Where a
//! value is wanted, a text is a value; in braces it is a name of the lesson, `{you}` is what the viewer answered,
//! `{did}` what the machine did.

use std::rc::Rc;

use crate::base::Micros;
use crate::base::json::{Json, Read, ReadError, ValueError, at_most, within};

use super::value::Value;

/// A pattern, as in [`Pattern`](crate::scenarios::pattern::Pattern), with names in braces.
pub(super) type PatternText = Rc<str>;

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// The beginning.
    Start,
    /// As far as the run is known.
    End,
    /// The n-th fact of this pattern, from 1.
    Nth(u32, PatternText),
    /// The first fact of this pattern after a moment.
    Next(Box<When>, PatternText),
    /// The last fact of this pattern before a moment.
    Last(Box<When>, PatternText),
    /// Just before the step in which that happens: where questions stand.
    Before(Box<When>),
    /// So long after it, µs.
    After(Box<When>, Micros),
    /// As soon as nothing but heartbeats has happened for 300 ms since.
    Quiet(Box<When>),
    /// The later one of two.
    Later(Box<When>, Box<When>),
}

/// A part of a run: from the first moment, that fact left out, up to the second, that fact included.
pub(super) type Span = (When, When);

/// What can be asked of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// A value as it stands.
    Literal(Value),
    /// A name of the lesson, `you`, or `did`.
    Name(Rc<str>),
    /// A field of the fact at a moment.
    Field(When, Rc<str>),
    /// How many facts of this pattern.
    Count(PatternText, Span),
    /// This field of all facts of that pattern, in order.
    All(Rc<str>, PatternText, Span),
    /// The time of a moment, µs.
    Time(When),
    /// Whether the moment comes.
    Happens(When),
    /// Whether the checker found this property violated.
    Violated(Rc<str>),
    /// How often somebody went on believing to hold what another had by right.
    Doubles,
    /// Something made of other answers.
    Made(Op, Vec<Query>),
}

/// How an answer is made of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// All are true.
    And,
    /// One is true.
    Or,
    /// It is not true.
    Not,
    /// Both are the same.
    Equal,
    /// Each is below the next.
    Less,
    /// Each is at most the next.
    AtMost,
    /// The first is an item of the second.
    In,
    /// Both have the same items, in any order.
    Same,
    /// The sum of numbers, or of a list of them.
    Plus,
    /// The first without the second: numbers, or lists.
    Minus,
    /// The product of numbers.
    Times,
    /// How many items.
    Size,
    /// The smallest of all items.
    Min,
    /// The largest of all items.
    Max,
    /// Each item once, in order.
    Distinct,
    /// A list of these, without those that are nothing.
    List,
    /// The first of these that is something.
    Either,
    /// The item of the second with this number, from 1.
    Item,
}

/// Words, what they are, and how many answers they are made of.
const OPS: &[(&str, Op, usize, usize)] = &[
    ("and", Op::And, 1, MAX_ITEMS),
    ("or", Op::Or, 1, MAX_ITEMS),
    ("not", Op::Not, 1, 1),
    ("=", Op::Equal, 2, 2),
    ("<", Op::Less, 2, MAX_ITEMS),
    ("<=", Op::AtMost, 2, MAX_ITEMS),
    ("in", Op::In, 2, 2),
    ("same", Op::Same, 2, 2),
    ("+", Op::Plus, 1, MAX_ITEMS),
    ("-", Op::Minus, 2, 2),
    ("*", Op::Times, 2, MAX_ITEMS),
    ("size", Op::Size, 1, 1),
    ("min", Op::Min, 1, MAX_ITEMS),
    ("max", Op::Max, 1, MAX_ITEMS),
    ("distinct", Op::Distinct, 1, 1),
    ("list", Op::List, 0, MAX_ITEMS),
    ("either", Op::Either, 1, MAX_ITEMS),
    ("item", Op::Item, 2, 2),
];

const MOMENTS: &[&str] = &["start", "end", "nth", "next", "last", "before", "after", "quiet", "later"];
const ANSWERS: &[&str] = &["field", "count", "all", "time", "gap", "happens", "violated", "doubles"];

/// Most items of a list.
const MAX_ITEMS: usize = 16;
/// Longest pattern, bytes.
const MAX_PATTERN_BYTES: usize = 200;
/// Most of [`When::Nth`].
pub(super) const MAX_NTH: u32 = 10_000;

/// A list that begins with a word, taken item by item; complaints name the place.
struct Items {
    word: String,
    rest: std::vec::IntoIter<Json>,
    at: usize,
}

impl Items {
    fn of(json: Json) -> Result<Items, ReadError> {
        let items = Vec::<Json>::read(json)?;
        at_most("", items.len(), MAX_ITEMS + 1)?;
        let mut rest = items.into_iter();
        let first = rest.next().unwrap_or(Json::Null);
        let word = String::read(first).map_err(|error| error.within("[0]"))?;
        Ok(Items { word, rest, at: 0 })
    }

    fn take<T>(&mut self, read: impl FnOnce(Json) -> Result<T, ReadError>) -> Result<T, ReadError> {
        self.at += 1;
        read(self.rest.next().unwrap_or(Json::Null)).map_err(|error| error.within(&format!("[{}]", self.at)))
    }

    fn is_empty(&self) -> bool {
        self.rest.as_slice().is_empty()
    }

    fn end(self) -> Result<(), ReadError> {
        let count = self.at + self.rest.len();
        at_most("", count, self.at)
    }
}

fn pattern(json: Json) -> Result<PatternText, ReadError> {
    let text = Rc::<str>::read(json)?;
    if text.len() > MAX_PATTERN_BYTES {
        return Err(ReadError::new(ValueError::TooLong { bytes: text.len(), most: MAX_PATTERN_BYTES }));
    }
    Ok(text)
}

fn boxed(json: Json) -> Result<Box<When>, ReadError> {
    When::read(json).map(Box::new)
}

impl Read for When {
    fn read(json: Json) -> Result<When, ReadError> {
        if matches!(json, Json::Text(_)) {
            let text = pattern(json)?;
            return Ok(match &*text {
                "start" => When::Start,
                "end" => When::End,
                _ => When::Nth(1, text),
            });
        }
        let mut items = Items::of(json)?;
        let when = match items.word.as_str() {
            "nth" => {
                let n = items.take(u32::read)?;
                within("[1]", u64::from(n), 1, u64::from(MAX_NTH))?;
                When::Nth(n, items.take(pattern)?)
            }
            "next" => When::Next(items.take(boxed)?, items.take(pattern)?),
            "last" => When::Last(items.take(boxed)?, items.take(pattern)?),
            "before" => When::Before(items.take(boxed)?),
            "after" => {
                let when = items.take(boxed)?;
                When::After(when, items.take(u32::read)?.into())
            }
            "quiet" => When::Quiet(items.take(boxed)?),
            "later" => When::Later(items.take(boxed)?, items.take(boxed)?),
            other => return Err(ReadError::unknown_name(other, MOMENTS.to_vec()).within("[0]")),
        };
        items.end().map(|()| when)
    }
}

/// The part of the run that a question is about: all of it where none is given, `["since", W]`, or `["in", W, W]`.
fn span(items: &mut Items) -> Result<Span, ReadError> {
    if items.is_empty() {
        return Ok((When::Start, When::End));
    }
    items.take(|json| {
        let mut ends = Items::of(json)?;
        let span = match ends.word.as_str() {
            "since" => (ends.take(When::read)?, When::End),
            "until" => (When::Start, ends.take(When::read)?),
            "in" => (ends.take(When::read)?, ends.take(When::read)?),
            other => return Err(ReadError::unknown_name(other, vec!["since", "until", "in"]).within("[0]")),
        };
        ends.end().map(|()| span)
    })
}

impl Read for Query {
    fn read(json: Json) -> Result<Query, ReadError> {
        let json = match json {
            Json::Text(text) => {
                let name = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
                return Ok(match name {
                    Some(name) => Query::Name(name.into()),
                    None => Query::Literal(Value::Text(text.into())),
                });
            }
            Json::List(_) => json,
            plain => return Ok(Query::Literal(Value::of(&plain))),
        };
        let mut items = Items::of(json)?;
        let query = match items.word.as_str() {
            "field" => Query::Field(items.take(When::read)?, items.take(Rc::<str>::read)?),
            "count" => Query::Count(items.take(pattern)?, span(&mut items)?),
            "all" => Query::All(items.take(Rc::<str>::read)?, items.take(pattern)?, span(&mut items)?),
            "time" => Query::Time(items.take(When::read)?),
            "gap" => {
                let (from, to) = (items.take(When::read)?, items.take(When::read)?);
                Query::Made(Op::Minus, vec![Query::Time(to), Query::Time(from)])
            }
            "happens" => Query::Happens(items.take(When::read)?),
            "violated" => Query::Violated(items.take(Rc::<str>::read)?),
            "doubles" => Query::Doubles,
            _ => made(&mut items)?,
        };
        items.end().map(|()| query)
    }
}

fn made(items: &mut Items) -> Result<Query, ReadError> {
    let Some(&(_, op, least, most)) = OPS.iter().find(|(word, ..)| *word == items.word) else {
        let known = OPS.iter().map(|(word, ..)| *word).chain(ANSWERS.iter().copied()).collect();
        return Err(ReadError::unknown_name(&items.word, known).within("[0]"));
    };
    within("", items.rest.len() as u64, least as u64, most as u64)?;
    let mut parts = Vec::new();
    while !items.is_empty() {
        parts.push(items.take(Query::read)?);
    }
    Ok(Query::Made(op, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Result<Query, String> {
        Json::parse(text).and_then(Query::read).map_err(|error| error.to_string())
    }

    #[test]
    fn questions_are_read() {
        let established = || When::Nth(1, "established".into());
        assert_eq!(query(r#"["field", "established", "server"]"#), Ok(Query::Field(established(), "server".into())));
        assert_eq!(query(r#""{L}""#), Ok(Query::Name("L".into())));
        let count = Query::Count("notified".into(), (established(), When::End));
        assert_eq!(query(r#"["count", "notified", ["since", "established"]]"#), Ok(count));
    }

    #[test]
    fn complaints_name_the_place() {
        for (text, complaint) in [
            (r#"["feld", "x", "y"]"#, "[0]: unknown name `feld`"),
            (r#"["and"]"#, "1"),
            (r#"["not", true, false]"#, "2"),
            (r#"["count", "a", ["from", "b"]]"#, "[2][0]: unknown name `from`"),
            (r#"["time", ["nth", 0, "a"]]"#, "[1][1]"),
            (r#"["time", ["after", "a", -1]]"#, "[1][2]"),
        ] {
            let said = query(text).expect_err(text);
            assert!(said.contains(complaint), "{text}: {said}");
        }
    }
}
