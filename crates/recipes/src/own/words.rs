//! The words of a line, read from left to right. Of what is wrong the place furthest to the right counts, with all that could stand there.

use crate::base::{ProgramError, ProgramFault, Wish};

/// Longest word, characters: a name, a path, a text.
const MAX_WORD: usize = 200;
/// Most rounds of a `repeat`, items that are asked for, milliseconds of a pause.
const MAX_NUMBER: u32 = 10_000;

/// From so many letters on a word may be another one that was written wrongly; and from so many on in more than one letter.
const MISWRITTEN: usize = 4;
const BADLY: usize = 6;

/// Words that are no names of values.
const RESERVED: &[&str] = &[
    "if", "else", "repeat", "stop", "create", "delete", "get", "set", "exists", "children", "wait", "sleep", "back",
    "sort", "hold", "lead", "release", "return", "give", "again", "start", "on", "the", "a", "in", "is", "not",
    "nothing", "first", "last", "with", "of", "to", "has", "empty", "mine", "version",
];

/// A word, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    column: usize,
    pub text: &'a str,
    pub quoted: bool,
}

/// The words of a line, and the one that is next.
pub(super) struct Words<'a> {
    line: usize,
    /// How many blanks stand before the first.
    pub indent: usize,
    words: Vec<Word<'a>>,
    /// Its comment, with the `#`.
    pub comment: &'a str,
    pub next: usize,
    /// The column behind the last word.
    end: usize,
    /// The place furthest to the right at which something else was wanted, and what.
    worst: (usize, Vec<Wish>),
    /// The values that are used, each with its place.
    pub used: Vec<(usize, &'a str)>,
}

/// What is wanted stands there, or not: then it is noted.
pub(super) type Read<T> = Option<T>;

impl<'a> Words<'a> {
    /// Cuts a line, without the blanks before it, into words and its comment.
    pub(super) fn of(line: usize, indent: usize, text: &'a str) -> Result<Words<'a>, ProgramError> {
        let (mut words, mut rest, mut column) = (Vec::new(), text, indent + 1);
        loop {
            let blanks = rest.len() - rest.trim_start().len();
            column += rest[..blanks].chars().count();
            rest = &rest[blanks..];
            if rest.is_empty() || rest.starts_with('#') {
                let (comment, worst, used) = (rest, (0, Vec::new()), Vec::new());
                return Ok(Words { line, indent, words, comment, next: 0, end: column, worst, used });
            }
            let wrong = |why| ProgramError { line, column, why };
            let quoted = rest.starts_with('"');
            let end = match quoted {
                true => rest[1..].find('"').map(|end| end + 2).ok_or_else(|| {
                    wrong(ProgramFault::Expected { wanted: vec![Wish::Quote], found: String::new() })
                })?,
                false => rest.find(char::is_whitespace).unwrap_or(rest.len()),
            };
            let text = if quoted { &rest[1..end - 1] } else { &rest[..end] };
            if text.chars().count() > MAX_WORD {
                return Err(wrong(ProgramFault::TooLong { most: MAX_WORD }));
            }
            words.push(Word { column, text, quoted });
            column += rest[..end].chars().count();
            rest = &rest[end..];
        }
    }

    /// The words as they are printed: one blank between two.
    pub(super) fn text(&self) -> String {
        let word = |word: &Word| if word.quoted { format!("\"{}\"", word.text) } else { word.text.into() };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The word that is next, if there is one.
    pub(super) fn word(&self) -> Option<Word<'a>> {
        self.words.get(self.next).copied()
    }

    /// The same as a word of the language: an empty one at the end, or where it stands in quotes.
    pub(super) fn peek(&self) -> &'a str {
        self.word().filter(|word| !word.quoted).map_or("", |word| word.text)
    }

    /// Something else is wanted here.
    pub(super) fn wants<T>(&mut self, wish: Wish) -> Read<T> {
        if self.next > self.worst.0 {
            self.worst = (self.next, Vec::new());
        }
        if self.next == self.worst.0 && !self.worst.1.contains(&wish) {
            self.worst.1.push(wish);
        }
        None
    }

    /// These words, separated by blanks.
    pub(super) fn takes(&mut self, words: &'static str) -> Read<()> {
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            if self.peek() != word {
                return self.wants(Wish::Word(word));
            }
            self.next += 1;
        }
        Some(())
    }

    /// The same, if they are there.
    pub(super) fn has(&mut self, words: &'static str) -> bool {
        let from = self.next;
        let has = self.takes(words).is_some();
        if !has {
            self.next = from;
        }
        has
    }

    /// A number from 1.
    pub(super) fn number(&mut self) -> Read<u32> {
        match self.peek().parse::<u32>().ok().filter(|number| (1..=MAX_NUMBER).contains(number)) {
            Some(number) => {
                self.next += 1;
                Some(number)
            }
            None => self.wants(Wish::Number { most: MAX_NUMBER }),
        }
    }

    /// A name for a value.
    pub(super) fn name(&mut self) -> Read<&'a str> {
        let name = self.peek();
        if !is_name(name) {
            return self.wants(Wish::Name);
        }
        self.next += 1;
        Some(name)
    }

    /// The word before is a value that is used, or names some.
    pub(super) fn uses(&mut self, names: impl IntoIterator<Item = &'a str>) {
        let at = self.next;
        self.used.extend(names.into_iter().map(|name| (at, name)));
    }

    /// Goes back to a place: what was read behind it counts no more.
    pub(super) fn back_to(&mut self, place: usize) {
        self.next = place;
        self.used.retain(|(at, _)| *at <= place);
    }

    /// The word that went wrong, or the one before it, which was taken for a name, if it is nearly one of the language.
    fn miswritten(&self, at: usize, sections: &[&'static str]) -> Option<ProgramError> {
        let wanted = self.worst.1.iter().filter_map(|wish| match wish {
            Wish::Word(word) => Some(*word),
            _ => None,
        });
        let known: Vec<&'static str> = wanted.chain(sections.iter().chain(RESERVED).copied()).collect();
        let of = |word: &Word| {
            let near = *known.iter().find(|known| !word.quoted && is_near(word.text, known))?;
            let why = ProgramFault::NoWord { word: word.text.into(), near };
            Some(ProgramError { line: self.line, column: word.column, why })
        };
        self.words
            .get(at.saturating_sub(1)..)?
            .iter()
            .take(2)
            .filter(|word| !RESERVED.contains(&word.text))
            .find_map(of)
    }

    /// What was wanted where it went wrong; of what begins in the wrong way only that it is none, and so of all that is wrong at the
    /// margin but a clause. A word that is nearly one of the language, or of the sections at the margin, is told as that.
    pub(super) fn wrong(&self, begins: Wish, sections: &[&'static str]) -> ProgramError {
        let is_clause = self.words.first().is_some_and(|word| word.text == "on");
        let at = if self.indent == 0 && !is_clause { 0 } else { self.worst.0 };
        if let Some(error) = self.miswritten(at, sections) {
            return error;
        }
        let word = self.words.get(at);
        let found = word.map_or(String::new(), |word| word.text.chars().take(40).collect());
        let column = word.map_or(self.end, |word| word.column);
        // a word of the language is no name
        let keeps = self.words.get(1).is_some_and(|word| word.text == "=");
        let wanted = match at {
            0 if keeps => vec![Wish::Name],
            0 => vec![begins],
            _ if self.worst.1.contains(&Wish::Value) => vec![Wish::Value],
            _ => self.worst.1.clone(),
        };
        ProgramError { line: self.line, column, why: ProgramFault::Expected { wanted, found } }
    }

    /// Nothing is left.
    pub(super) fn ends(&mut self) -> Read<()> {
        if self.next == self.words.len() { Some(()) } else { self.wants(Wish::End) }
    }
}

/// Whether a word is a known one with a letter too much, too few, another, or two in each other's place; of a long one two may be wrong.
fn is_near(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let same = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let (a, b) = (&word[same..], &known[same..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    let most = if word.len().min(known.len()) >= BADLY { 2 } else { 1 };
    let swapped = matches!((a, b), ([a, b], [c, d]) if (a, b) == (d, c));
    word.len() >= MISWRITTEN && word != known && (a.len().max(b.len()) <= most || swapped)
}

pub(super) fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|letter| letter.is_alphanumeric() || letter == '_')
        && !RESERVED.contains(&word)
}

/// The values whose names stand in a path in braces; nothing where a brace is left over.
pub(super) fn placeholders(path: &str) -> Option<Vec<&str>> {
    let (mut names, mut rest) = (Vec::new(), path);
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}')?;
        if before.contains('}') || !is_name(name) {
            return None;
        }
        names.push(name);
        rest = after;
    }
    if rest.contains('}') { None } else { Some(names) }
}
