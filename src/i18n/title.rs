//! Titles: what the director tells, in a few words, and because of what; how long that takes to be read; and which words of it are names
//! or terms.

use std::rc::Rc;

use crate::base::{Arrange, Gather, Node, SortedSet, Zxid};
use crate::recipes::without_guids;
use crate::rivals::redis::moments;
use crate::scenarios::{Scenario, scenario};
use crate::server;
use crate::sim::{Fact, Record, WorldFact};
use crate::timeline::Session;
use crate::view::director::{Told, What, at_stop, in_turn};
use crate::zab;

use super::page::{chapter_says, fill, idea_because, page, scenario_title, scenario_words};
use super::{Lang, describe, evidence_words, note_about, property_about, property_title};

/// A title has at most so many words, or so many Chinese characters; what it is because of, so many.
pub const TITLE_WORDS: usize = 12;
/// In Chinese.
pub const TITLE_CHARACTERS: usize = 22;
const WHY_WORDS: usize = 26;
const WHY_CHARACTERS: usize = 52;
/// So long a reason takes to be read that is not known ahead, ms.
const REASON_MS: u64 = 3_000;

/// What is said of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// In a few words.
    pub title: String,
    /// Because of what; the rule.
    pub because: Option<String>,
}

/// What the scenario that a session shows is called; empty where it shows another run.
pub fn run_title(session: &Session, lang: Lang) -> &'static str {
    session.scenario().map_or("", |scenario| scenario_title(lang, scenario.id))
}

/// What is told where a session stands; empty where there is nothing.
pub fn latest(session: &Session, lang: Lang) -> String {
    at_stop(session).map_or_else(String::new, |told| title(lang, &told).title)
}

/// What the director tells, in a language.
pub fn title(lang: Lang, told: &Told) -> Title {
    match &told.what {
        What::Promise(id) => {
            let about = scenario_words(lang, id).map_or("", |(_, about)| about);
            Title { title: about.to_string(), because: None }
        }
        // what happened; what should hold, by itself, would read as its opposite
        What::Violation(violation) => {
            let (rule, about) = (property_title(lang, violation.property), property_about(lang, violation.property));
            let because = fill(page(lang).violated_because, &[&rule, &about]);
            Title { title: evidence_words(lang, &violation.evidence), because: Some(because) }
        }
        What::Chapter(id, index) => {
            Title { title: chapter_says(lang, id, *index).unwrap_or_default().to_string(), because: None }
        }
        What::Facts(records) => of_facts(lang, records, told),
    }
}

fn of_facts(lang: Lang, records: &[Rc<Record>], told: &Told) -> Title {
    let Some(first) = records.first() else { return Title::default() };
    let mut sentence = describe(lang, first);
    if matches!(first.fact, Fact::Other { .. }) {
        sentence.what = moments(&sentence.what);
    }
    // what the leader remembers is no reason by itself
    let own = first.why.filter(|_| matches!(first.fact, Fact::Zab { fact: zab::Fact::SyncChosen { .. }, .. }));
    let untold = || (lang.words().because)(first).map(|why| lang.say(why));
    let why = own.map(|note| note_about(lang, note).to_string()).or(sentence.why).or_else(untold);
    let because = why.map(|why| shortened(&why, WHY_WORDS, WHY_CHARACTERS));
    if let Some(title) = (lang.words().title)(records, told.owner) {
        let title = lang.say(title);
        let title = if in_turn(records) { one_by_one(lang, &title) } else { title };
        return Title { title, because };
    }
    // what stands behind a colon is the reason
    let (title, rest) = clipped(&sentence.what);
    Title { title, because: because.or(rest) }
}

/// A sentence about several who did it one after the other.
fn one_by_one(lang: Lang, title: &str) -> String {
    fill(page(lang).in_turn, &[&title.trim_end_matches(['.', '。'])])
}

/// How long what is told takes to be read, ms: 1 s and 0.2 s a word, or 0.1 s a Chinese character, 4.5 s at most; what a chapter teaches,
/// which stands on when its first fact has been read, 1.5 s at least; the idea, with its reason.
pub fn dwell_ms(lang: Lang, told: &Told) -> u64 {
    if let What::Chapter(id, index) = told.what {
        let idea = scenario(id).and_then(Scenario::scene).is_some_and(|scene| scene.idea == index);
        let reason_ms = if idea { idea_because(lang, id).map_or(REASON_MS, reading_ms) } else { 0 };
        return chapter_says(lang, id, index).map_or(0, |says| reading_ms(says) - 1_000 + reason_ms).max(1_500);
    }
    reading_ms(&title(lang, told).title).min(4_500)
}

/// How long a sentence takes to be read, ms.
pub fn reading_ms(text: &str) -> u64 {
    let (words, characters) = size(text);
    1_000 + 200 * words as u64 + 100 * characters as u64
}

/// How many words and how many Chinese characters a text has.
pub fn size(text: &str) -> (usize, usize) {
    let is_chinese = |c: char| ('\u{3400}'..='\u{9fff}').contains(&c);
    let words = text.split(|c: char| c.is_whitespace() || is_chinese(c) || "，。：；、（）".contains(c));
    let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
    (words.count(), text.chars().filter(|c| is_chinese(*c)).count())
}

fn is_short(text: &str, most_words: usize, most_characters: usize) -> bool {
    let (words, characters) = size(text);
    if characters == 0 { words <= most_words } else { words + characters <= most_characters }
}

/// As many of the first sentences as there is room for; one at least.
fn shortened(text: &str, words: usize, characters: usize) -> String {
    let mut kept = String::new();
    for sentence in text.split_inclusive(['.', '。']) {
        let more = format!("{kept}{sentence}");
        if !kept.is_empty() && !is_short(&more, words, characters) {
            break;
        }
        kept = more;
    }
    kept
}

/// A sentence without what stands behind its last colon or semicolon for which there is no room, and that.
fn clipped(sentence: &str) -> (String, Option<String>) {
    if is_short(sentence, TITLE_WORDS, TITLE_CHARACTERS) {
        return (sentence.to_string(), None);
    }
    let ends = [": ", "; ", ", ", " (", "：", "；", "，", "（"];
    let mut places: Vec<(usize, &str)> = ends.iter().flat_map(|end| sentence.match_indices(end)).collect();
    places.arrange();
    let fits = |(at, end): &&(usize, &str)| {
        let (before, behind) = (&sentence[..*at], &sentence[at + end.len()..]);
        // what stands in brackets says nothing without what goes on behind them
        let whole = !end.contains(['(', '（'])
            || behind
                .trim_end_matches(['.', '。'])
                .find([')', '）'])
                .is_none_or(|at| behind[at..].chars().count() <= 2);
        whole
            && before.matches(['(', '（']).count() == before.matches([')', '）']).count()
            && is_short(before, TITLE_WORDS, TITLE_CHARACTERS)
    };
    match places.iter().rev().find(fits) {
        Some((at, end)) => {
            let stop = if end.is_ascii() { "." } else { "。" };
            let rest = &sentence[at + end.len()..];
            let rest = if end.contains(['(', '（']) { rest.replacen([')', '）'], "", 1) } else { rest.to_string() };
            (format!("{}{stop}", &sentence[..*at]), Some(capital(rest)))
        }
        None => (sentence.to_string(), None),
    }
}

/// As a sentence begins; what begins with a name that is typed so stays.
fn capital(text: String) -> String {
    let word = text.split(' ').next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if word.chars().all(char::is_alphabetic) => first.to_uppercase().chain(letters).collect(),
        _ => text,
    }
}

/// The servers and clients at which facts happened, each once, in order.
pub(super) fn hosts(records: &[Rc<Record>]) -> Vec<Node> {
    keys(records, Fact::host)
}

/// What facts name, each once, in order: that of names, or of time, where they did not happen at once.
fn keys(records: &[Rc<Record>], of: impl Fn(&Fact) -> Option<Node>) -> Vec<Node> {
    let mut all: Vec<Node> = Vec::new();
    for node in records.iter().filter_map(|record| of(&record.fact)) {
        if !all.contains(&node) {
            all.push(node);
        }
    }
    if !in_turn(records) {
        all.sort_unstable();
    }
    all
}

/// The clients whose watches fired.
pub(super) fn events(records: &[Rc<Record>]) -> Vec<Node> {
    keys(records, |fact| match fact {
        Fact::Server { fact: server::Fact::WatchFired { client, .. }, .. } => Some((*client).into()),
        _ => None,
    })
}

/// The learners that are brought up to date.
pub(super) fn learners(records: &[Rc<Record>]) -> Vec<Node> {
    keys(records, |fact| match fact {
        Fact::Zab { fact: zab::Fact::SyncChosen { learner, .. }, .. } => Some((*learner).into()),
        _ => None,
    })
}

/// The transactions that facts are about, each once, in order.
pub(super) fn zxids(records: &[Rc<Record>]) -> Vec<Zxid> {
    let zxid = |record: &Rc<Record>| match &record.fact {
        Fact::Zab { fact: zab::Fact::Committed { zxid, .. } | zab::Fact::Proposed { zxid, .. }, .. } => Some(*zxid),
        _ => None,
    };
    records.iter().filter_map(zxid).gathered::<SortedSet<_>>().into_iter().collect()
}

/// A path without what only makes it unique.
pub(super) fn path(path: &str) -> String {
    without_guids(path)
}

/// What links that were cut, or healed, at once have in common.
pub(super) enum Cut {
    /// It is one link.
    Link(Node, Node),
    /// These no longer get through to those.
    OneWay(Vec<Node>, Vec<Node>),
    /// These are apart from all others.
    Off(Vec<Node>),
}

/// What these links have in common.
pub(super) fn cut(records: &[Rc<Record>]) -> Cut {
    let link = |record: &Rc<Record>| match &record.fact {
        Fact::World(WorldFact::LinkCut { from, to } | WorldFact::LinkHealed { from, to }) => Some((*from, *to)),
        _ => None,
    };
    let links: SortedSet<(Node, Node)> = records.iter().filter_map(link).gathered();
    let all: SortedSet<Node> = links.iter().flat_map(|(from, to)| [*from, *to]).gathered();
    let two_way = links.iter().all(|(from, to)| links.contains(&(*to, *from)));
    let first = links.first().copied();
    match first {
        Some((a, b)) if two_way && all.len() == 2 => Cut::Link(a, b),
        Some((a, _)) if two_way => {
            let (there, here): (Vec<Node>, Vec<Node>) = all.iter().partition(|node| links.contains(&(a, **node)));
            Cut::Off(if there.len() < here.len() { there } else { here })
        }
        _ => {
            let ends = |one: fn(&(Node, Node)) -> Node| links.iter().map(one).gathered::<SortedSet<_>>();
            Cut::OneWay(ends(|link| link.0).into_iter().collect(), ends(|link| link.1).into_iter().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sentence_is_cut_where_both_parts_stand_by_themselves() {
        let cut = |text: &str| clipped(text).1.unwrap_or_default();
        let acks = "S5 counts the ACK of S4 for 1:4: it has 2 (S4 and S5) of the 3 needed.";
        assert_eq!(cut(acks), "It has 2 (S4 and S5) of the 3 needed.");
        let last = "S5 counts one more of all the acknowledgements that it needs (of S4, of S5).";
        assert_eq!(clipped(last).0, "S5 counts one more of all the acknowledgements that it needs.");
        assert_eq!(cut(last), "Of S4, of S5.");
        let chinese = "S5 计入 S4 对 1:4 的 ACK：现有 2 个（S4 和 S5），共需要过半数即 3 个服务器才能提交该事务。";
        assert_eq!(clipped(chinese).0, "S5 计入 S4 对 1:4 的 ACK：现有 2 个（S4 和 S5）。");
    }
}
