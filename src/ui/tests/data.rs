//! What in a text is data, and what only words: the three languages tell. A text that is the same in all of them is data, and so is
//! what stands in an English text and in both others: `S1`, `1:3`, `/lock`, `COMMIT`, what is quoted. Words for the state of something
//! are not, but what they say is: they are told as the code calls them, `<link_cut>`.

use std::cmp::Reverse;
use std::sync::LazyLock;

use crate::i18n::page::{Page, page};
use crate::i18n::{Lang, phase_name, role_name, status_name};
use crate::sim::Status;
use crate::zab::{Phase, ServerState};

/// The languages in the order in which texts are given here.
pub(super) const LANGS: [Lang; 3] = [Lang::En, Lang::Zh, Lang::ZhHant];

/// What is said in each of them.
pub(super) type Texts<'a> = [&'a str; 3];

/// What stands around words.
const PUNCTUATION: &str = ".,;:()[]{}“”‘’\"'!?…「」|·";
const QUOTES: &str = "“\"「‘";
const UNITS: [&str; 3] = ["s", "ms", "µs"];

/// A text of the page: what the code calls it, and where it stands.
type Named = (&'static str, fn(&Page) -> &'static str);

macro_rules! named {
    ($($name:ident)*) => { &[$((stringify!($name), |words| words.$name)),*] };
}

/// Texts that say in what state something is.
const NAMED: &[Named] = named! {
    not_started server_killed server_no_power server_exited outside disk_full disk_broken
    link_cut link_one_way link_slow
    client_connecting client_connected client_disconnected client_expired client_closed client_refused
    client_ended client_ended_about figure_over
    part_busy part_works part_woken part_waits part_waits_behind part_holds part_reads part_lease part_leads part_stale
    fate_open fate_safe fate_lost fate_kept split_majority split_minority
    short_queued short_logged short_applied short_lost short_open short_knew
    holds untested violated_at inspect_changed inspect_new inspect_removed
};

/// A state, and what says in each language that something is in it.
struct State {
    mark: String,
    said: [String; 3],
}

impl State {
    fn new(name: &str, said: impl Fn(Lang) -> String) -> State {
        State { mark: format!("<{}>", name.to_lowercase()), said: LANGS.map(said) }
    }
}

/// All states, those of long words first: one may be a part of another.
static STATES: LazyLock<Vec<State>> = LazyLock::new(|| {
    let named = NAMED.iter().map(|(name, text)| State::new(name, |lang| longest_piece(text(page(lang)))));
    let roles = [ServerState::Looking, ServerState::Following, ServerState::Leading, ServerState::Observing];
    let roles = roles.map(|role| {
        let name = role_name(Lang::En, role).name;
        // English has the protocol's own word for a role
        State::new(
            name,
            |lang| if lang == Lang::En { name.to_lowercase() } else { role_name(lang, role).spoken.into() },
        )
    });
    let phases = [Phase::Election, Phase::Discovery, Phase::Synchronization, Phase::Broadcast];
    let phases = phases.map(|phase| State::new(&format!("{phase:?}"), |lang| phase_name(lang, phase).spoken.into()));
    let of_process = [Status::Paused, Status::Crashed];
    let of_process =
        of_process.map(|status| State::new(&format!("{status:?}"), |lang| status_name(lang, status).spoken.into()));
    let mut all: Vec<State> = named.chain(roles).chain(phases).chain(of_process).collect();
    all.sort_by_key(|state| Reverse(state.said[0].len()));
    all
});

/// The longest piece between the places of a text.
fn longest_piece(text: &str) -> String {
    let pieces = text.split("{}").map(|piece| piece.trim_matches(|one| one == ' ' || is_punctuation(one)));
    pieces.max_by_key(|piece| piece.len()).unwrap_or_default().to_string()
}

/// A word without what stands around it.
struct Word<'a> {
    text: &'a str,
    is_quoted: bool,
    /// Punctuation stands behind it.
    ends: bool,
    is_data: bool,
}

impl Word<'_> {
    /// Letters, and not all of them capitals: it may be a name in the code, but sentences use those like any word.
    fn is_plain(&self) -> bool {
        let is_letter = |one: u8| one.is_ascii_alphabetic() || one == b'-';
        self.text.bytes().all(is_letter) && self.text.bytes().any(|one| one.is_ascii_lowercase())
    }
}

fn is_punctuation(letter: char) -> bool {
    PUNCTUATION.contains(letter)
}

/// Chinese characters and their punctuation.
fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{3000}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

/// The words of a text. Paths are whole; numbers are not, for English has "30×" and "2 of 3" where Chinese has "1/30" and "2/3".
fn words(text: &str) -> Vec<Word<'_>> {
    let is_between = |letter: char| letter.is_whitespace() || letter == '×' || is_chinese(letter);
    let mut words: Vec<Word> = Vec::new();
    for part in text.split(is_between).filter(|part| !part.is_empty()) {
        let is_path = part.trim_start_matches(is_punctuation).starts_with('/');
        for piece in part.split(|letter| letter == '/' && !is_path) {
            let text = piece.trim_matches(is_punctuation);
            let text = text.strip_suffix("'s").or(text.strip_suffix("’s")).unwrap_or(text);
            let (is_quoted, ends) = (piece.starts_with(|one| QUOTES.contains(one)), piece.ends_with(is_punctuation));
            if !text.is_empty() {
                words.push(Word { text, is_quoted, ends, is_data: false });
            } else if let Some(last) = words.last_mut() {
                last.ends |= ends;
            }
        }
    }
    words
}

/// The English words of a text, with those marked which are data. `is_field`: it is a value of the code, in which any word may be.
fn compared<'a>([english, zh, hant]: Texts<'a>, is_field: bool) -> Vec<Word<'a>> {
    let mut said = words(english);
    let mut others = [words(zh), words(hant)];
    let mut counted = false;
    for word in &mut said {
        let may_be = is_field || word.is_quoted || !word.is_plain() || counted && UNITS.contains(&word.text);
        let places = others.each_ref().map(|other| other.iter().position(|one| one.text == word.text));
        if let (true, [Some(in_zh), Some(in_hant)]) = (may_be, places) {
            // what English says twice, the others have to say twice
            others[0].remove(in_zh);
            others[1].remove(in_hant);
            word.is_data = true;
        }
        counted = word.text.ends_with(|last: char| last.is_ascii_digit());
    }
    said
}

/// The state that the words from here on say, and how many of them say it. It stands apart from sentences: between punctuation and
/// data, or right before one.
fn state_at(said: &[Word], at: usize, [_, zh, hant]: Texts) -> Option<(&'static str, usize)> {
    let has_data = said.iter().any(|word| word.is_data);
    let is_apart = |end: usize| {
        let begins = at == 0 || said[at - 1].ends || said[at - 1].is_data;
        let ends = said[end - 1].ends || said.get(end).is_none_or(|next| next.is_data);
        let next_begins =
            said.get(end).is_some_and(|next| next.text.starts_with(|one: char| one.is_ascii_uppercase()));
        // what says nothing else is a sign or its explanation
        let is_about = has_data || said.len() == end - at;
        begins && ends && is_about || next_begins && !said[end - 1].ends
    };
    STATES.iter().find_map(|State { mark, said: [english, in_zh, in_hant] }| {
        let wanted = words(english);
        let here = said[at..].iter().map(|word| word.text).take(wanted.len());
        let is_said = here.eq(wanted.iter().map(|word| word.text)) && zh.contains(in_zh) && hant.contains(in_hant);
        (is_said && is_apart(at + wanted.len())).then_some((mark.as_str(), wanted.len()))
    })
}

/// What is said, without the words.
fn without_words(texts: Texts, is_field: bool) -> String {
    if texts[0] == texts[1] && texts[0] == texts[2] {
        return texts[0].split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let said = compared(texts, is_field);
    let (mut data, mut at) = (Vec::new(), 0);
    while let Some(word) = said.get(at) {
        let (found, count) = match state_at(&said, at, texts) {
            Some((mark, count)) => (Some(mark), count),
            None => (word.is_data.then_some(word.text), 1),
        };
        data.extend(found);
        at += count;
    }
    data.join(" ")
}

/// The data in a text.
pub(super) fn data(texts: Texts) -> String {
    without_words(texts, false)
}

/// The data in a value of a field of the code.
pub(super) fn field(texts: Texts) -> String {
    without_words(texts, true)
}

/// The data in a text of parts, each by itself: the cells of a row, or what there is to choose from.
pub(super) fn parts(texts: Texts) -> Vec<String> {
    let [english, zh, hant] = texts.map(|text| text.split(" | ").collect::<Vec<_>>());
    let part = |at: usize| data([english[at], zh.get(at).unwrap_or(&""), hant.get(at).unwrap_or(&"")]);
    (0..english.len()).map(part).collect()
}

mod tests {
    use super::*;
    use crate::i18n::page::fill;

    /// A text in English and in both kinds of Chinese.
    fn kept(english: &str, chinese: &str) -> String {
        data([english, chinese, chinese])
    }

    #[test]
    fn data_is_what_all_languages_say() {
        let same = "setData /data \"a\" version 24";
        assert_eq!(kept(same, same), same);
        for (english, chinese, data) in [
            ("S1 changes its vote to S3.", "S1 改投 S3。", "S1 S3"),
            ("C3's session expires in 3484 ms", "C3 的会话：3484 ms 后过期", "C3 3484 ms"),
            ("belongs to S1, zxid 1:9 · /lock/a-01", "属于 S1，zxid 1:9，/lock/a-01", "S1 1:9 /lock/a-01"),
            ("The leader sends NEWLEADER only then.", "此后领导者才发送 NEWLEADER。", "NEWLEADER"),
            ("write “x=1” to S1, write “lock” to S2", "向 S1 写“x=1”，向 S2 写“lock”", "x=1 S1 lock S2"),
            ("30× slower, 2 of 3", "1/30 倍速，2/3", "30 2 3"),
            // a term that is a word of every language, and a number that only English has
            ("Each epoch has a zxid for each of 4 billion.", "每个 epoch 都有 zxid。", ""),
            ("S1 and S1", "S1", "S1"),
            ("Nothing has happened yet.", "尚未发生任何事。", ""),
        ] {
            assert_eq!(kept(english, chinese), data, "{english}");
        }
        assert_eq!(field(["changed to false", "变为 false", "變為 false"]), "false");
    }

    #[test]
    fn a_sentence_may_change_and_its_data_may_not() {
        let chinese = "服务器 S1，未确认 1:9";
        let said = kept("Server S1 has not acknowledged 1:9", chinese);
        assert_eq!(said, kept("No ACK of S1 for the zxid 1:9 so far", chinese));
        let both = |from: &str, to: &str| {
            kept(&"Server S1 has not acknowledged 1:9".replace(from, to), &chinese.replace(from, to))
        };
        assert_ne!(said, both("S1", "S2"));
        assert_ne!(said, both("1:9", "1:8"));
        assert_ne!(said, kept("Server S2 has not acknowledged 1:9", chinese), "wrong in one language");
    }

    /// What is made of the page's words in each language.
    fn told(text: impl Fn(&Page) -> String) -> String {
        let texts = LANGS.map(|lang| text(page(lang)));
        data(texts.each_ref().map(String::as_str))
    }

    #[test]
    fn a_state_is_told_by_its_name_where_it_stands_apart() {
        assert_eq!(told(|words| fill(words.link_label, &[&"S1", &"S2", &words.link_cut])), "S1–S2 <link_cut>");
        assert_eq!(told(|words| fill(words.violated_at, &[&"1.026"])), "<violated_at> 1.026");
        assert_eq!(told(|words| words.short_applied.into()), "<short_applied>");
        assert_eq!(told(|words| format!("Integrity {} Whatever is applied", words.holds)), "<holds>");
        assert_eq!(told(|words| format!("the log of S1 is {} short", words.link_cut)), "S1", "a word of a sentence");
        assert_eq!(told(|words| format!("{}: in red", words.link_cut)), "", "a sign that is explained");
        assert_eq!(kept(page(Lang::En).link_cut, page(Lang::Zh).holds), "", "another state in Chinese");
    }
}
