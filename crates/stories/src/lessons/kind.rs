//! The ways in which a question is answered.

use std::rc::Rc;

use crate::base::json::{Fields, Json, Read, ReadError, within};

use super::ask::Task;
use super::lesson::{Change, MAX_DEEDS};
use super::query::{Query, When};
use super::text::Text;

/// How a question is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By one of some sentences, of which one is true.
    Choose(Vec<Choice>),
    /// The same, decided in the place of a machine.
    Be {
        /// Which one.
        who: Query,
        /// What it may do.
        options: Vec<Choice>,
    },
    /// By naming machines, clients or things.
    Pick {
        /// What can be named.
        of: Of,
        /// How many, and whether their order matters.
        many: Many,
        /// Who it is.
        answer: Query,
    },
    /// By laying each card into one of some bins.
    Sort {
        /// What is laid.
        cards: Vec<Card>,
        /// Where it may lie.
        bins: Vec<Text>,
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
    /// By a curve: a number for each of some runs.
    Draw {
        /// The runs.
        runs: Vec<Trial>,
        /// The number in each.
        answer: Query,
        /// The largest that can be drawn.
        most: u64,
        /// So many hundredths above or below, everywhere, are near.
        near: u64,
    },
    /// By moving one of the lesson's deeds to the earliest of some moments at which the goal is still reached.
    Place {
        /// The runs, each with the deed at its moment, the earliest first.
        runs: Vec<Trial>,
        /// What is to be reached.
        goal: Query,
    },
    /// By choosing what is built; each choice has its own run.
    Build {
        /// What can be built.
        runs: Vec<Trial>,
        /// What it shall do.
        goal: Query,
    },
    /// By laying chips on what happens in the runs of other seeds.
    Bet {
        /// What may happen.
        options: Vec<Choice>,
        /// How many runs are played.
        seeds: u64,
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

/// A card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What stands on it.
    pub say: Text,
    /// The number of its bin, from 1.
    pub bin: Query,
}

/// One of the runs that answer a question together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What it is called.
    pub say: Text,
    /// How it differs from the lesson's.
    pub change: Change,
    /// The moment to which a deed of the lesson is moved, and which one, from 0.
    pub moved: Option<(usize, When)>,
}

/// What can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// The run's machines.
    Servers,
    /// Its clients.
    Clients,
    /// The items of a list, as they are written.
    Things(Query),
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

/// How many chips are laid in a bet.
pub const CHIPS: i64 = 10;

/// Most choices and bins, cards, runs of a question, seeds of a bet.
const MAX_CHOICES: u64 = 4;
const MAX_CARDS: u64 = 6;
const MAX_RUNS: u64 = 8;
const MAX_SEEDS: u64 = 50;
/// The largest number that can be drawn.
const MAX_DRAWN: u64 = 1_000_000;

const KINDS: &[&str] = &["choose", "be", "pick", "sort", "number", "catch", "draw", "place", "build", "bet", "do"];

impl Kind {
    /// Takes the fields that belong to a kind.
    pub(super) fn take(fields: &mut Fields) -> Result<Kind, ReadError> {
        let kind: Rc<str> = fields.need("kind")?;
        Ok(match &*kind {
            "choose" => Kind::Choose(choices(fields)?),
            "be" => Kind::Be { who: fields.need("who")?, options: choices(fields)? },
            "pick" => Kind::Pick { of: fields.need("of")?, many: many(fields)?, answer: fields.need("answer")? },
            "sort" => {
                Kind::Sort { cards: some(fields, "cards", MAX_CARDS)?, bins: some(fields, "bins", MAX_CHOICES)? }
            }
            "number" => {
                Kind::Number { unit: unit(fields)?, answer: fields.need("answer")?, near: fields.or("near", 0)? }
            }
            "catch" => Kind::Catch { from: fields.need("from")?, to: fields.need("to")? },
            "draw" => Kind::Draw {
                runs: some(fields, "runs", MAX_RUNS)?,
                answer: fields.need("answer")?,
                most: bounded(fields, "most", MAX_DRAWN)?,
                near: fields.or("near", 0)?,
            },
            "place" => Kind::Place { runs: places(fields)?, goal: fields.need("goal")? },
            "build" => Kind::Build { runs: some(fields, "runs", MAX_CHOICES)?, goal: fields.need("goal")? },
            "bet" => Kind::Bet { options: choices(fields)?, seeds: bounded(fields, "seeds", MAX_SEEDS)? },
            "do" => Kind::Do(Box::new(fields.need("task")?)),
            other => return Err(ReadError::unknown_name(other, KINDS.to_vec()).within("kind")),
        })
    }

    /// The sentences of which one is true.
    pub fn options(&self) -> Option<&[Choice]> {
        match self {
            Kind::Choose(options) | Kind::Be { options, .. } | Kind::Bet { options, .. } => Some(options),
            _ => None,
        }
    }

    /// The runs that answer it together; none of a bet, which has the lesson's own in other seeds.
    pub fn runs(&self) -> &[Trial] {
        match self {
            Kind::Draw { runs, .. } | Kind::Place { runs, .. } | Kind::Build { runs, .. } => runs,
            _ => &[],
        }
    }

    /// Every text in it, with its place.
    pub fn texts<'a>(&'a self) -> Vec<(String, &'a Text)> {
        let (cards, bins) = match self {
            Kind::Sort { cards, bins } => (&cards[..], &bins[..]),
            _ => (&[][..], &[][..]),
        };
        let options = self.options().unwrap_or(&[]).iter().map(|option| &option.say);
        let named = [
            ("options", options.collect::<Vec<_>>()),
            ("runs", self.runs().iter().map(|run| &run.say).collect()),
            ("cards", cards.iter().map(|card| &card.say).collect()),
            ("bins", bins.iter().collect()),
        ];
        let placed = |(what, all): (&'static str, Vec<&'a Text>)| {
            all.into_iter().enumerate().map(move |(at, text)| (format!("{what}[{at}]"), text))
        };
        named.into_iter().flat_map(placed).collect()
    }
}

/// A list of at least two.
fn some<T: Read>(fields: &mut Fields, name: &'static str, most: u64) -> Result<Vec<T>, ReadError> {
    let list: Vec<T> = fields.need(name)?;
    within(name, list.len() as u64, 2, most)?;
    Ok(list)
}

fn choices(fields: &mut Fields) -> Result<Vec<Choice>, ReadError> {
    some(fields, "options", MAX_CHOICES)
}

fn bounded(fields: &mut Fields, name: &'static str, most: u64) -> Result<u64, ReadError> {
    let number = fields.need(name)?;
    within(name, number, 1, most)?;
    Ok(number)
}

/// The moments of a place, and the number of the deed, from 1.
fn places(fields: &mut Fields) -> Result<Vec<Trial>, ReadError> {
    let deed = fields.or("deed", 1)?;
    within("deed", deed, 1, MAX_DEEDS as u64)?;
    let mut runs: Vec<Trial> = some(fields, "runs", MAX_RUNS)?;
    for (moved, _) in runs.iter_mut().filter_map(|run| run.moved.as_mut()) {
        *moved = deed as usize - 1;
    }
    Ok(runs)
}

fn many(fields: &mut Fields) -> Result<Many, ReadError> {
    word(
        fields.or("many", "one".into())?,
        &[("one", Many::One), ("set", Many::Set), ("sequence", Many::Sequence)],
        "many",
    )
}

fn unit(fields: &mut Fields) -> Result<Unit, ReadError> {
    let known = &[("count", Unit::Count), ("ms", Unit::Ms), ("zxid", Unit::Zxid)];
    word(fields.or("unit", "count".into())?, known, "unit")
}

/// One of some words.
pub(crate) fn word<T: Copy>(given: Rc<str>, known: &[(&'static str, T)], field: &str) -> Result<T, ReadError> {
    let found = known.iter().find(|(word, _)| **word == *given).map(|(_, what)| *what);
    found.ok_or_else(|| ReadError::unknown_name(&given, known.iter().map(|(word, _)| *word).collect()).within(field))
}

impl Read for Of {
    fn read(json: Json) -> Result<Of, ReadError> {
        match json {
            Json::List(_) => Query::read(json).map(Of::Things),
            word => match &*Rc::<str>::read(word)? {
                "servers" => Ok(Of::Servers),
                "clients" => Ok(Of::Clients),
                other => Err(ReadError::unknown_name(other, vec!["servers", "clients"])),
            },
        }
    }
}

impl Read for Choice {
    fn read(json: Json) -> Result<Choice, ReadError> {
        let mut fields = json.fields()?;
        let choice = Choice { say: fields.need("say")?, is: fields.need("is")? };
        fields.end().map(|()| choice)
    }
}

impl Read for Card {
    fn read(json: Json) -> Result<Card, ReadError> {
        let mut fields = json.fields()?;
        let card = Card { say: fields.need("say")?, bin: fields.need("bin")? };
        fields.end().map(|()| card)
    }
}

impl Read for Trial {
    fn read(json: Json) -> Result<Trial, ReadError> {
        let mut fields = json.fields()?;
        let change = Change::take(&mut fields)?;
        let at: Option<When> = fields.or("at", None)?;
        let trial = Trial { say: fields.need("say")?, change, moved: at.map(|at| (0, at)) };
        fields.end().map(|()| trial)
    }
}
