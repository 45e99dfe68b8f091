//! What a half-typed word may become (`JLineZNodeCompleter.java`, and more: options, modes, servers).

use crate::base::limits::{MAX_CANDIDATES, MAX_LINE_BYTES};
use crate::base::{Arrange, ServerId};
use crate::sim::{FourLetterWord, ZkVersion};

use super::spec::{self, Spec, Takes, commands};
use super::words::is_space;

/// What is known about the world outside.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The names of the children of a path, as far as they are known.
    pub children: &'a dyn Fn(&str) -> Vec<String>,
    /// The servers that one may connect to.
    pub servers: &'a [ServerId],
    /// Which zkCli it is.
    pub version: ZkVersion,
}

/// What a word may become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Where what is replaced begins, bytes; it ends at the cursor.
    pub start: usize,
    /// What may stand there, sorted.
    pub candidates: Vec<String>,
}

impl Completion {
    /// What all candidates begin with: as far as the word can grow without a choice.
    pub fn common(&self) -> &str {
        let Some(first) = self.candidates.first() else { return "" };
        self.candidates.iter().fold(first.as_str(), |common, candidate| {
            let same = common.chars().zip(candidate.chars()).take_while(|(a, b)| a == b);
            &common[..same.map(|(a, _)| a.len_utf8()).sum()]
        })
    }
}

/// What the word before the cursor (bytes; moved back to where a character begins) may become.
pub fn complete(line: &str, cursor: usize, known: &Known<'_>) -> Completion {
    if line.len() > MAX_LINE_BYTES {
        return Completion::default();
    }
    let cursor = (0..=cursor.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let (before, start) = split(&line[..cursor]);
    let word = &line[start..cursor];
    let place = place(&before, word, known.version);
    if place == Place::Word(Takes::Path) && word.starts_with('/') {
        return complete_path(word, start, known);
    }
    let mut candidates: Vec<String> = proposals(place, known).into_iter().filter(|it| it.starts_with(word)).collect();
    candidates.arrange();
    Completion { start, candidates }
}

/// The words before the last, and where the last begins, behind its quote.
fn split(text: &str) -> (Vec<&str>, usize) {
    let mut words = Vec::new();
    let mut start = 0;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            None if is_space(c) => {
                if start < at {
                    words.push(&text[start..at]);
                }
                start = at + 1;
            }
            None if start == at && matches!(c, '"' | '\'') => {
                quote = Some(c);
                start = at + 1;
            }
            Some(open) if c == open => {
                words.push(&text[start..at]);
                quote = None;
                start = at + 1;
            }
            _ => {}
        }
    }
    (words, start)
}

/// What is being typed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Command,
    Option(&'static Spec),
    WatchMode,
    Word(Takes),
    Nothing,
}

fn place(before: &[&str], word: &str, version: ZkVersion) -> Place {
    let Some(name) = before.first() else { return Place::Command };
    let Some(spec) = spec::find(name, version) else { return Place::Nothing };
    let takes_value = |word: &str| {
        let letters = word.strip_prefix('-').unwrap_or("");
        let named = spec.names().iter().find(|(name, _)| *name == letters).map(|(_, letter)| *letter);
        named.or(letters.chars().last()).is_some_and(|option| spec.options.contains(&(option, true)))
    };
    let last = before.last().copied().unwrap_or("");
    if before.len() > 1 && takes_value(last) {
        return if last == "-m" { Place::WatchMode } else { Place::Nothing };
    }
    if word.starts_with('-') {
        return Place::Option(spec);
    }
    let arguments = &before[1..];
    let is_value = |at: usize| at > 0 && takes_value(arguments[at - 1]);
    let others = (0..arguments.len()).filter(|at| !arguments[*at].starts_with('-') && !is_value(*at)).count();
    spec.takes.get(others).map_or(Place::Nothing, |takes| Place::Word(*takes))
}

fn proposals(place: Place, known: &Known<'_>) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_string()).collect();
    match place {
        Place::Command | Place::Word(Takes::Command) => {
            commands(known.version).map(|spec| spec.name.to_string()).collect()
        }
        Place::Option(spec) => spec.options.iter().map(|(option, _)| spec.option(*option)).collect(),
        Place::WatchMode => texts(&["PERSISTENT", "PERSISTENT_RECURSIVE"]),
        Place::Word(Takes::Path) => texts(&["/"]),
        Place::Word(Takes::Server) => known.servers.iter().map(ServerId::to_string).collect(),
        Place::Word(Takes::Switch) => texts(&["on", "off"]),
        Place::Word(Takes::Scheme) => texts(&["digest"]),
        Place::Word(Takes::Word) => texts(FourLetterWord::ALL),
        Place::Word(Takes::Just(word)) => texts(&[word]),
        Place::Word(Takes::Free) | Place::Nothing => Vec::new(),
    }
}

fn complete_path(word: &str, start: usize, known: &Known<'_>) -> Completion {
    let (parent, prefix) = word.rsplit_once('/').unwrap_or(("", word));
    let mut names = (known.children)(if parent.is_empty() { "/" } else { parent });
    names.retain(|name| name.starts_with(prefix));
    names.arrange();
    names.dedup();
    names.truncate(MAX_CANDIDATES);
    Completion { start: start + word.len() - prefix.len(), candidates: names }
}
