//! What a lesson asks, and what it says to the answers.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, at_most, short};

use super::kind::Kind;
use super::lesson::Change;
use super::query::{Query, When};
use super::text::Text;
use super::write::Write;

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
    /// What that sentence claims: true of what has happened up to then. `{did}` is the answer.
    pub holds: Vec<Query>,
    /// The fact that decides.
    pub because: Option<When>,
    /// What is seen on the way to the answer, one after the other.
    pub steps: Vec<Step>,
}

/// Something that is seen on the way to an answer: time stops there until it can have been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The fact.
    pub at: When,
    /// What it is called.
    pub name: Text,
    /// What is said there.
    pub say: Text,
}

/// Something to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its stable name.
    pub id: Rc<str>,
    /// What is to be done.
    pub say: Text,
    /// Said one after another to whoever asks.
    pub hints: Vec<Text>,
    /// Said to whoever has done it: what it shows.
    pub then: Option<Text>,
    /// How it is done.
    pub way: Way,
}

/// How a task is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// By deeds in a run.
    Hands(Box<Hands>),
    /// By writing a program.
    Write(Box<Write>),
}

/// What is to be brought about in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hands {
    /// When it is done: true of what has happened.
    pub goal: Query,
    /// In at most so many deeds.
    pub most: u8,
    /// A way to do it, instead of what the lesson does. Shown to whoever asks for it, and played by tests.
    pub solution: Change,
}

impl Task {
    /// What is to be done in a run; none where a program is to be written.
    pub fn hands(&self) -> Option<&Hands> {
        match &self.way {
            Way::Hands(hands) => Some(hands),
            Way::Write(_) => None,
        }
    }

    /// The program that is to be written.
    pub fn write(&self) -> Option<&Write> {
        match &self.way {
            Way::Hands(_) => None,
            Way::Write(write) => Some(write),
        }
    }
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

/// Most of [`Ask::thinks`], of claims and of hints.
const MAX_THINKS: usize = 12;
const MAX_HINTS: usize = 4;
/// Most of [`Ask::steps`].
const MAX_STEPS: usize = 5;
/// Longest name of an idea, bytes.
const MAX_IDEA_BYTES: usize = 60;

impl Read for Ask {
    fn read(json: Json) -> Result<Ask, ReadError> {
        let mut fields = json.fields()?;
        let prompt: Text = fields.need("prompt")?;
        let kind = Kind::take(&mut fields)?;
        let ask = Ask {
            prompt,
            kind,
            thinks: fields.or("thinks", Vec::new())?,
            until: fields.need("until")?,
            then: fields.need("then")?,
            holds: fields.or("holds", Vec::new())?,
            because: fields.or("because", None)?,
            steps: fields.or("steps", Vec::new())?,
        };
        at_most("steps", ask.steps.len(), MAX_STEPS)?;
        at_most("thinks", ask.thinks.len(), MAX_THINKS)?;
        at_most("holds", ask.holds.len(), MAX_THINKS)?;
        fields.end().map(|()| ask)
    }
}

impl Read for Step {
    fn read(json: Json) -> Result<Step, ReadError> {
        let mut fields = json.fields()?;
        let step = Step { at: fields.need("at")?, name: fields.need("name")?, say: fields.need("say")? };
        fields.end().map(|()| step)
    }
}

impl Read for Task {
    fn read(json: Json) -> Result<Task, ReadError> {
        let mut fields = json.fields()?;
        let way = match fields.or("write", None)? {
            Some(write) => Way::Write(Box::new(write)),
            None => Way::Hands(Box::new(Hands {
                goal: fields.need("goal")?,
                most: fields.or("most", 5)?,
                solution: fields.need("solution")?,
            })),
        };
        let task = Task {
            id: fields.need("id")?,
            say: fields.need("say")?,
            hints: fields.or("hints", Vec::new())?,
            then: fields.or("then", None)?,
            way,
        };
        at_most("hints", task.hints.len(), MAX_HINTS)?;
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
