//! What is wrong with a recipe that somebody writes (the language is in the room of recipes), and where: as data, so that each language
//! has its own sentence for it.

use std::fmt;

/// A fault in a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub why: ProgramFault,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum ProgramFault {
    /// Something else would have to stand here; found is nothing where the line ends.
    Expected { wanted: Vec<Wish>, found: String },
    /// A word that the language does not have, and one of its own that is written nearly like it.
    NoWord { word: String, near: &'static str },
    /// A value that no line keeps.
    Unknown { name: String },
    /// A statement that means nothing here.
    Misplaced { line: String, place: Place },
    /// Nothing leads to this line: the one before it in the same block ends what is done there.
    Unreached { behind: String },
    /// There is nothing below a line that wants something below it.
    Empty { line: String },
    /// A section or a clause that is there already.
    Twice { name: String },
    /// A word of more characters than a name or a text may have.
    TooLong { most: usize },
    /// More lines than a program may have.
    TooMany { most: usize },
    /// Blocks in blocks, more than may be.
    TooDeep { most: usize },
    /// No section that could be called.
    NoSection,
}

/// What would have to stand somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant says what its fields are")]
pub enum Wish {
    /// This very word.
    Word(&'static str),
    /// A name for a value.
    Name,
    /// A value: a name, a path, a text in quotes.
    Value,
    /// A path.
    Path,
    /// A whole number from 1.
    Number { most: u32 },
    /// A statement.
    Statement,
    /// A section or a clause.
    Section,
    /// Nothing more in this line.
    End,
    /// A closing quote.
    Quote,
    /// A line that is as far to the right as another one, or deeper below a line that opens a block.
    Indent,
    /// Blanks, not tabs.
    Blanks,
}

/// Where a statement has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind the block of an `if`.
    BehindIf,
    /// Below a `repeat`.
    InRepeat,
    /// Below `on connection loss`.
    InLoss,
    /// In a section by which somebody gets something.
    Getting,
    /// Right below a line that asks the ensemble.
    BelowRequest,
    /// At the left margin.
    Margin,
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        match &self.why {
            ProgramFault::Expected { wanted, found } => {
                f.write_str("expected ")?;
                for (at, wish) in wanted.iter().enumerate() {
                    f.write_str(match at {
                        0 => "",
                        _ if at + 1 == wanted.len() => " or ",
                        _ => ", ",
                    })?;
                    wish.fmt(f)?;
                }
                if found.is_empty() { f.write_str(", the line ends here") } else { write!(f, ", found `{found}`") }
            }
            ProgramFault::NoWord { word, near } => {
                write!(f, "`{word}` is no word of the language, `{near}` is near")
            }
            ProgramFault::Unknown { name } => write!(f, "no line keeps a value `{name}`"),
            ProgramFault::Misplaced { line, place } => write!(f, "`{line}` has its place {place}"),
            ProgramFault::Unreached { behind } => {
                write!(f, "nothing leads to this line: it stands behind `{behind}`")
            }
            ProgramFault::Empty { line } => write!(f, "below `{line}` there must be a line further to the right"),
            ProgramFault::Twice { name } => write!(f, "there is a `{name}` already"),
            ProgramFault::TooLong { most } => write!(f, "this is longer than {most} characters"),
            ProgramFault::TooMany { most } => write!(f, "a recipe has at most {most} lines"),
            ProgramFault::TooDeep { most } => write!(f, "blocks may stand in each other {most} deep"),
            ProgramFault::NoSection => f.write_str("begin with a section, such as `acquire`, at the left margin"),
        }
    }
}

impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wish::Word(word) => write!(f, "`{word}`"),
            Wish::Name => f.write_str("a name"),
            Wish::Value => f.write_str("a value (a name, a path, a text in quotes)"),
            Wish::Path => f.write_str("a path such as `/lock`"),
            Wish::Number { most } => write!(f, "a whole number from 1 to {most}"),
            Wish::Statement => f.write_str("a statement such as `me = create /lock/n- ephemeral sequential`"),
            Wish::Section => f.write_str("a section such as `acquire`, or `on session lost`"),
            Wish::End => f.write_str("the end of the line"),
            Wish::Quote => f.write_str("a closing quote"),
            Wish::Indent => f.write_str("a line that is as far to the right as one above it"),
            Wish::Blanks => f.write_str("blanks in place of tabs"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Place::BehindIf => "behind what stands below an `if`",
            Place::InRepeat => "below a `repeat`",
            Place::InLoss => "below `on connection loss`",
            Place::Getting => "in a section by which one gets something: `acquire`, `read`, `write` or `start`",
            Place::BelowRequest => "at the left margin, or right below a line that asks the ensemble",
            Place::Margin => "at the left margin",
        })
    }
}
