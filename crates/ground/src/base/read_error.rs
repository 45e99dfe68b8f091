//! Why a value that somebody else wrote is refused, as a type: each language has its own words for it.

use std::fmt;

use super::{Node, ProgramError};

/// What is wrong with a value, and where: the place is put together on the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Its place, as in `actions[3].request.acl[0]`; empty where it is the whole.
    pub place: String,
    /// What is wrong there.
    pub why: ValueError,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum ValueError {
    /// The text is no JSON; why, in the parser's words.
    Syntax { why: String, line: usize, column: usize },
    /// A value of another kind, or a number out of range.
    Kind { found: Found, wanted: Wanted },
    /// A field that must be there is missing.
    Missing { field: &'static str },
    /// A field that nobody asks for, and those that may be there.
    UnknownField { field: String, known: Vec<&'static str> },
    /// A name that nobody knows, and those that are; none where there are too many to list.
    UnknownName { name: String, known: Vec<&'static str> },
    /// Exactly one of these fields is wanted.
    OneOf { fields: &'static [&'static str] },
    /// These fields mean something only where that one is.
    OnlyWith { fields: &'static [&'static str], field: &'static str },
    /// A text of so many bytes, and how many it may have.
    TooLong { bytes: usize, most: usize },
    /// A list of so many items, and how many it may have.
    TooMany { count: usize, most: usize },
    /// Not a path, in the words of ZooKeeper's own exception.
    Path { java: String },
    /// A range that ends before it begins.
    EmptyRange { min: u64, max: u64 },
    /// An action is earlier than the one above it, µs.
    OutOfOrder { at: u64, before: u64 },
    /// There is no link between these two.
    NoLink { a: Node, b: Node },
    /// A link has two ends, not so many.
    LinkEnds { count: usize },
    /// Neither a server's number nor a client's name.
    NoNode { text: String },
    /// Not letters of `cdrwa`.
    NoPerms { letters: String },
    /// Not base64.
    NoBase64,
    /// Not what follows `#` in a link.
    NoLinkText,
    /// A multi in a multi.
    NestedMulti,
    /// To try again forever takes pauses.
    RetryWithoutPause,
    /// A goal that no property stands for, where every order is to be tried.
    GoalOfOrders,
    /// A recipe that somebody wrote is none.
    Program(ProgramError),
    /// Two machines would have this name.
    Twice { name: String },
    /// The run is of another format.
    Format { version: u32, ours: u32 },
}

/// What stands where something else is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number, as it is written.
    Number(String),
    /// A text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// `true` or `false`.
    Bool,
    /// A whole number, both ends included.
    Whole(i64, u64),
    /// A text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
    /// Data of a znode: a text, or an object with bytes.
    Data,
}

impl ReadError {
    /// What is wrong with the value itself.
    pub fn new(why: ValueError) -> ReadError {
        ReadError { place: String::new(), why }
    }

    /// A name that nobody knows, and those that are.
    pub fn unknown_name(name: &str, known: Vec<&'static str>) -> ReadError {
        ReadError::new(ValueError::UnknownName { name: start_of(name).into(), known })
    }

    /// A name that nobody knows, in this field.
    pub fn unknown(field: &'static str, name: &str) -> ReadError {
        ReadError::unknown_name(name, Vec::new()).within(field)
    }

    /// The same, said from outside: of the value in this field, or (`[3]`) at this place of a list.
    pub fn within(mut self, place: &str) -> ReadError {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = [place, dot, &self.place].concat();
        self
    }
}

/// As much of a name as a sentence can carry.
pub(super) fn start_of(name: &str) -> &str {
    name.char_indices().nth(40).map_or(name, |(end, _)| &name[..end])
}

/// Says that a field is a number within bounds.
///
/// # Errors
/// It is not.
pub fn within(field: &str, value: u64, least: u64, most: u64) -> Result<(), ReadError> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(out_of_range(value, least as i64, most).within(field)),
    }
}

/// A number that is not within bounds.
pub fn out_of_range(number: impl fmt::Display, least: i64, most: u64) -> ReadError {
    ReadError::new(ValueError::Kind { found: Found::Number(number.to_string()), wanted: Wanted::Whole(least, most) })
}

/// Says that a text is not longer than so many bytes.
///
/// # Errors
/// It is.
pub fn short(field: &str, text: &str, most: usize) -> Result<(), ReadError> {
    few(field, text.len(), most)
}

/// Says that so many bytes are not too many.
///
/// # Errors
/// They are.
pub fn few(field: &str, bytes: usize, most: usize) -> Result<(), ReadError> {
    match bytes <= most {
        true => Ok(()),
        false => Err(ReadError::new(ValueError::TooLong { bytes, most }).within(field)),
    }
}

/// Says that a list is not longer than so many items.
///
/// # Errors
/// It is.
pub fn at_most(field: &str, count: usize, most: usize) -> Result<(), ReadError> {
    match count <= most {
        true => Ok(()),
        false => Err(ReadError::new(ValueError::TooMany { count, most }).within(field)),
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        self.why.fmt(f)
    }
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ValueError::*;
        match self {
            Syntax { why, line, column } => write!(f, "{why} at line {line} column {column}"),
            Kind { found, wanted } => write!(f, "{found} is not {wanted}"),
            Missing { field } => write!(f, "missing field `{field}`"),
            UnknownField { field, known } => write!(f, "unknown field `{field}`; expected `{}`", known.join("`, `")),
            UnknownName { name, known } if known.is_empty() => write!(f, "unknown name `{name}`"),
            UnknownName { name, known } => write!(f, "unknown name `{name}`; expected `{}`", known.join("`, `")),
            OneOf { fields } => write!(f, "exactly one of `{}` is required", fields.join("`, `")),
            OnlyWith { fields, field } => write!(f, "`{}` require `{field}`", fields.join("`, `")),
            TooLong { bytes, most } => write!(f, "{bytes} bytes are too many: {most} are allowed"),
            TooMany { count, most } => write!(f, "{count} are too many: {most} are allowed"),
            Path { java } => f.write_str(java),
            EmptyRange { min, max } => write!(f, "min_us {min} is above max_us {max}"),
            OutOfOrder { at, before } => write!(f, "{at} is before the action above it ({before})"),
            NoLink { a, b } => write!(f, "there is no link between {a} and {b}"),
            LinkEnds { count } => write!(f, "a link has 2 ends, not {count}"),
            NoNode { text } => write!(f, "'{text}' is neither a server's number nor a client's name"),
            NoPerms { letters } => write!(f, "'{letters}' are not permissions: write letters of cdrwa"),
            NoBase64 => f.write_str("this is not base64"),
            NoLinkText => f.write_str("this is not the part of a link after #"),
            GoalOfOrders => {
                f.write_str("with all orders the goal must be a property that fails: choose one, or any of them")
            }
            NestedMulti => f.write_str("a multi cannot hold a multi"),
            RetryWithoutPause => f.write_str("retrying forever requires a pause above 0"),
            Program(error) => error.fmt(f),
            Twice { name } => write!(f, "two machines would be called {name}: leave out one system's clients"),
            Format { version, ours } => {
                write!(f, "this is format {version}, and this ZabScope plays format {ours}")
            }
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Found::Null => "null",
            Found::Bool(true) => "true",
            Found::Bool(false) => "false",
            Found::Number(number) => number,
            Found::Text => "a text",
            Found::List => "a list",
            Found::Object => "an object",
        })
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Wanted::Bool => "true or false",
            Wanted::Whole(least, most) => return write!(f, "a whole number from {least} to {most}"),
            Wanted::Text => "a text",
            Wanted::List => "a list",
            Wanted::Object => "an object",
            Wanted::Data => "a text, nor an object with `base64`",
        })
    }
}
