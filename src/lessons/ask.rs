//! What a lesson asks, and what it says to the answers.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, at_most, short, within};

use super::lesson::Change;
use super::query::{Query, When};
use super::text::Text;

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The question in words.
    pub prompt: Text,
    /// How it is answered.
    pub kind: Kind,
    /// Answers that have a name, the first one that fits.
    pub thinks: Vec<Thinks>,
    /// The moment at which the answer can be seen.
    pub until: When,
    /// What is said then.
    pub then: Text,
    /// What that sentence claims: true of what has happened up to then.
    pub holds: Vec<Query>,
    /// The fact that decides.
    pub because: Option<When>,
}

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By one of some sentences, of which one is true.
    Choose(Vec<Choice>),
    /// By naming machines or clients.
    Pick {
        /// What can be named.
        of: Of,
        /// How many, and whether their order matters.
        many: Many,
        /// Who it is.
        answer: Query,
    },
    /// By a number.
    Number {
        /// What it counts.
        unit: Unit,
        /// The number.
        answer: Query,
        /// So many hundredths of it above or below are near.
        near: u64,
    },
    /// By letting time run, and stopping it.
    Catch {
        /// From when on the viewer is right.
        from: When,
        /// Until when, that moment included.
        to: When,
    },
    /// By doing it.
    Do(Box<Task>),
}

/// An answer in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The words.
    pub say: Text,
    /// Whether it is the true one.
    pub is: Query,
}

/// What can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The run's machines.
    Servers,
    /// Its clients.
    Clients,
}

/// How many are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Many {
    /// One, or nobody.
    One,
    /// Any number, in any order.
    Set,
    /// Any number, in order.
    Sequence,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Milliseconds; the answer is in µs.
    Ms,
    /// It is a zxid, as `1:2`.
    Zxid,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its stable name.
    pub id: Rc<str>,
    /// What is to be done.
    pub say: Text,
    /// When it is done: true of what has happened.
    pub goal: Query,
    /// In at most so many deeds.
    pub most: u8,
    /// Said one after another to whoever asks.
    pub hints: Vec<Text>,
    /// A way to do it, instead of what the lesson does. Shown to whoever asks for it, and played by tests.
    pub solution: Change,
}

/// An answer that many give, and the idea behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thinks {
    /// The idea's name.
    pub idea: Rc<str>,
    /// Whether that was answered: a question about `{you}`.
    pub given: Query,
    /// What is said to it.
    pub says: Text,
    /// The run in which it would be true.
    pub would: Option<Would>,
}

/// Another run, and what is so in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Would {
    /// How it differs from the lesson's.
    pub change: Change,
    /// That in words.
    pub say: Text,
    /// What is true there, and not in the lesson's run.
    pub shows: Query,
}

/// Most of [`Ask::thinks`] and of choices.
const MAX_THINKS: usize = 12;
const MAX_CHOICES: usize = 4;
/// Longest name of an idea, bytes.
const MAX_IDEA_BYTES: usize = 60;

impl Read for Ask {
    fn read(json: Json) -> Result<Ask, ReadError> {
        let mut fields = json.fields()?;
        let kind: Rc<str> = fields.need("kind")?;
        let prompt: Text = fields.need("prompt")?;
        let kind = match &*kind {
            "choose" => Kind::Choose(fields.need("options")?),
            "pick" => Kind::Pick {
                of: word(fields.need("of")?, &[("servers", Of::Servers), ("clients", Of::Clients)], "of")?,
                many: word(
                    fields.or("many", "one".into())?,
                    &[("one", Many::One), ("set", Many::Set), ("sequence", Many::Sequence)],
                    "many",
                )?,
                answer: fields.need("answer")?,
            },
            "number" => Kind::Number {
                unit: word(
                    fields.or("unit", "count".into())?,
                    &[("count", Unit::Count), ("ms", Unit::Ms), ("zxid", Unit::Zxid)],
                    "unit",
                )?,
                answer: fields.need("answer")?,
                near: fields.or("near", 0)?,
            },
            "catch" => Kind::Catch { from: fields.need("from")?, to: fields.need("to")? },
            "do" => Kind::Do(Box::new(fields.need("task")?)),
            other => {
                let known = vec!["choose", "pick", "number", "catch", "do"];
                return Err(ReadError::unknown_name(other, known).within("kind"));
            }
        };
        let ask = Ask {
            prompt,
            kind,
            thinks: fields.or("thinks", Vec::new())?,
            until: fields.need("until")?,
            then: fields.need("then")?,
            holds: fields.or("holds", Vec::new())?,
            because: fields.or("because", None)?,
        };
        at_most("thinks", ask.thinks.len(), MAX_THINKS)?;
        at_most("holds", ask.holds.len(), MAX_THINKS)?;
        if let Kind::Choose(options) = &ask.kind {
            within("options", options.len() as u64, 2, MAX_CHOICES as u64)?;
        }
        fields.end().map(|()| ask)
    }
}

pub(super) fn word<T: Copy>(given: Rc<str>, known: &[(&'static str, T)], field: &str) -> Result<T, ReadError> {
    let found = known.iter().find(|(word, _)| **word == *given).map(|(_, what)| *what);
    found.ok_or_else(|| ReadError::unknown_name(&given, known.iter().map(|(word, _)| *word).collect()).within(field))
}

impl Read for Choice {
    fn read(json: Json) -> Result<Choice, ReadError> {
        let mut fields = json.fields()?;
        let choice = Choice { say: fields.need("say")?, is: fields.need("is")? };
        fields.end().map(|()| choice)
    }
}

impl Read for Task {
    fn read(json: Json) -> Result<Task, ReadError> {
        let mut fields = json.fields()?;
        let task = Task {
            id: fields.need("id")?,
            say: fields.need("say")?,
            goal: fields.need("goal")?,
            most: fields.or("most", 5)?,
            hints: fields.or("hints", Vec::new())?,
            solution: fields.need("solution")?,
        };
        at_most("hints", task.hints.len(), MAX_CHOICES)?;
        fields.end().map(|()| task)
    }
}

impl Read for Thinks {
    fn read(json: Json) -> Result<Thinks, ReadError> {
        let mut fields = json.fields()?;
        let thinks = Thinks {
            idea: fields.need("idea")?,
            given: fields.need("given")?,
            says: fields.need("says")?,
            would: fields.or("would", None)?,
        };
        short("idea", &thinks.idea, MAX_IDEA_BYTES)?;
        fields.end().map(|()| thinks)
    }
}

impl Read for Would {
    fn read(json: Json) -> Result<Would, ReadError> {
        let mut fields = json.fields()?;
        let change = Change::take(&mut fields)?;
        let would = Would { change, say: fields.need("say")?, shows: fields.need("shows")? };
        fields.end().map(|()| would)
    }
}
