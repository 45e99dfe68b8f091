//! What all languages share: the protocol's own names, numbers, and how a write is quoted.

use std::fmt::Display;
use std::rc::Rc;

use crate::base::{Micros, Node};
use crate::client::{self, Failure};
use crate::recipes::without_guids;
use crate::server;
use crate::sim::{DiskOpName, EpochFile, Fact, FourLetterWord, LatencyRange, Record, Timer};
use crate::wire::{Answer, AuthId, Bytes, Code, Request};
use crate::zab::{Message, Note, Packet, Phase, ServerState};

/// Items with their values: `x = 30, y = 10`.
pub(super) fn values(all: &[(String, i64)], between: &str) -> String {
    all.iter().map(|(item, value)| format!("{item} = {value}")).collect::<Vec<_>>().join(between)
}

/// Links by their ends, the first few.
pub(super) fn links(links: &[(Node, Node)]) -> String {
    const SHOWN: usize = 6;
    let mut all: Vec<String> = links.iter().take(SHOWN).map(|(a, b)| format!("{a}–{b}")).collect();
    all.extend((links.len() > SHOWN).then(|| format!("+{}", links.len() - SHOWN)));
    all.join(" ")
}

/// A quoted text is cut after so many characters.
const MAX_QUOTED: usize = 40;
/// And in a title after so many.
const MAX_IN_TITLE: usize = 28;

pub(in crate::i18n) fn state(state: ServerState) -> &'static str {
    match state {
        ServerState::Looking => "LOOKING",
        ServerState::Following => "FOLLOWING",
        ServerState::Leading => "LEADING",
        ServerState::Observing => "OBSERVING",
        ServerState::Standalone => "STANDALONE",
    }
}

pub(in crate::i18n) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Election => "ELECTION",
        Phase::Discovery => "DISCOVERY",
        Phase::Synchronization => "SYNCHRONIZATION",
        Phase::Broadcast => "BROADCAST",
        Phase::Standalone => "STANDALONE",
    }
}

pub(in crate::i18n) fn epoch_file(file: EpochFile) -> &'static str {
    match file {
        EpochFile::AcceptedEpoch => "acceptedEpoch",
        EpochFile::CurrentEpoch => "currentEpoch",
    }
}

/// A disk operation, with the real names of the files with epochs.
pub(in crate::i18n) fn disk_op(what: DiskOpName) -> String {
    what.to_string().replace("_e", "E")
}

/// A timer's name.
pub(in crate::i18n) fn timer(timer: Timer) -> String {
    match timer {
        Timer::Server(server::Timer::Zab(timer)) => {
            format!("{timer:?}").split('(').next().unwrap_or_default().to_string()
        }
        Timer::Server(server::Timer::Service(timer)) => format!("{timer:?}"),
        Timer::Other(number) => number.to_string(),
    }
}

/// A packet's name, with its zxid where it names a transaction or a place in the order.
pub(in crate::i18n) fn title(message: &Message) -> String {
    let zxid = match message {
        // what these carry is a vote or an epoch: their sentence names it
        Message::Notification(_) => None,
        Message::Packet(Packet::FollowerInfo { .. } | Packet::ObserverInfo { .. } | Packet::LeaderInfo { .. }) => {
            None
        }
        Message::Packet(packet) => packet.zxid(),
    };
    zxid.map_or(message.name().to_string(), |zxid| format!("{} {zxid}", message.name()))
}

/// Whether what the leader's memory holds belongs to the reason for a synchronisation.
pub(in crate::i18n) fn shows_window(note: Note) -> bool {
    matches!(
        note,
        Note::WithinCommittedLog
            | Note::FromDiskLog
            | Note::AheadOfLeader
            | Note::ForeignTail
            | Note::PartedInOtherEpoch
            | Note::TooFarBehind
    )
}

/// What a client wrote; long texts are cut.
pub(in crate::i18n) fn cut(data: &str) -> String {
    cut_after(data, MAX_QUOTED)
}

/// The same, for a title.
pub(in crate::i18n) fn brief(data: &str) -> String {
    cut_after(data, MAX_IN_TITLE)
}

fn cut_after(data: &str, most: usize) -> String {
    let data = without_guids(data);
    match data.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &data[..end]),
        None => data.to_string(),
    }
}

/// What a client wrote, in quotation marks; long texts are cut.
pub(in crate::i18n) fn quoted(data: &str) -> String {
    format!("“{}”", cut(data))
}

/// Data of a znode: a text in quotation marks, or hex; cut where they are long.
pub(in crate::i18n) fn data(data: &Bytes) -> String {
    data.text().map_or_else(|| data.beginning(MAX_QUOTED), quoted)
}

/// Who somebody is, identity by identity: `digest:bob ip:127.0.0.1`.
pub(in crate::i18n) fn identities(who: &[AuthId]) -> String {
    let names: Vec<String> = who.iter().map(AuthId::to_string).collect();
    names.join(" ")
}

/// How many lines the answer to a four-letter word has, and what says most of it.
pub(in crate::i18n) fn four_letter(word: FourLetterWord, answer: &[Rc<str>]) -> (usize, &str) {
    (answer.iter().filter(|line| !line.is_empty()).count().max(1), word.telling(answer))
}

/// The first line of an answer.
pub(in crate::i18n) fn first_line(answer: &str) -> &str {
    answer.lines().next().unwrap_or_default()
}

/// What a payload is, in quotation marks.
pub(in crate::i18n) fn written(payload: &impl Display) -> String {
    quoted(&payload.to_string())
}

/// Marks around what somebody typed, in texts that are still to be converted; no text has them, as they are no characters.
const OPEN: char = '\u{fdd0}';
const SHUT: char = '\u{fdd1}';
/// After `SHUT`: it belongs to what was typed.
const STAY: char = '\u{fdd2}';

/// What somebody typed, marked: it belongs to no language, so no language may change it.
pub(in crate::i18n) fn raw(data: &str) -> String {
    let data = data.replace(SHUT, &String::from_iter([SHUT, STAY]));
    format!("{OPEN}{data}{SHUT}")
}

/// A text without the marks of [`raw`], where everything outside of them goes through `change`.
pub(in crate::i18n) fn around_raw(said: &str, change: impl Fn(&str) -> String) -> String {
    let mut made = String::with_capacity(said.len());
    let mut rest = said;
    while let Some((ours, typed)) = rest.split_once(OPEN) {
        made.push_str(&change(ours));
        rest = typed;
        while let Some((part, next)) = rest.split_once(SHUT) {
            made.push_str(part);
            rest = next;
            match next.strip_prefix(STAY) {
                Some(more) => {
                    made.push(SHUT);
                    rest = more;
                }
                None => break,
            }
        }
    }
    made + &change(rest)
}

/// Milliseconds, without floats: `12`, `1.5`.
fn ms(us: Micros) -> String {
    match us % 1000 {
        0 => (us / 1000).to_string(),
        rest => format!("{}.{rest:03}", us / 1000).trim_end_matches('0').to_string(),
    }
}

/// A range of times: both ends, or one when they are the same.
pub(in crate::i18n) fn range(range: &LatencyRange, to: &str) -> String {
    match range.min_us == range.max_us {
        true => format!("{} ms", ms(range.min_us)),
        false => format!("{}{to}{} ms", ms(range.min_us), ms(range.max_us)),
    }
}

/// A length of time in milliseconds.
pub(in crate::i18n) fn duration(us: Micros) -> String {
    format!("{} ms", ms(us))
}

/// How far a clock is ahead, with its sign.
pub(in crate::i18n) fn ahead(ms: i64) -> String {
    let sign = if ms < 0 { '−' } else { '+' };
    match (ms.unsigned_abs(), ms % 1_000) {
        (far, 0) => format!("{sign}{} s", far / 1_000),
        (far, _) => format!("{sign}{far} ms"),
    }
}

/// A request by the name that its packet and its transaction have, and not by the command that one would type: one thing, one word.
pub(super) fn asked(request: &Request) -> String {
    let typed = request.to_string();
    match request {
        Request::Exists { .. } | Request::GetData { .. } | Request::SetData { .. } | Request::GetChildren { .. } => {
            let rest = typed.split_once(' ').map_or("", |(_, rest)| rest);
            format!("{} {rest}", request.name().trim_end_matches('2'))
        }
        _ => typed.replace("[set ", "[setData "),
    }
}

/// What the viewer asked for of which the first fact tells the end, as short as a title, and its error; nothing where the answer itself
/// says more.
pub(in crate::i18n) fn ended(records: &[Rc<Record>]) -> Option<(String, Option<Code>)> {
    use client::Fact::{Answered, Called};
    let [answer, asked_for] = records else { return None };
    let Fact::Client { fact: Called { request, .. }, .. } = &asked_for.fact else { return None };
    let error = match &answer.fact {
        Fact::Client { fact: Answered { in_doubt: false, outcome: Err(Failure::Code(code)), .. }, .. } => Some(*code),
        Fact::Client { fact: Answered { outcome: Ok(answer), .. }, .. } => match answer {
            Answer::Data { .. } | Answer::Children { .. } | Answer::Number(_) | Answer::Identities(_) => return None,
            answer => answer.thrown(),
        },
        _ => return None,
    };
    Some((brief(&asked(request)), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_are_quoted_and_cut() {
        assert_eq!(written(&"plain text"), "“plain text”");
        assert_eq!(quoted(&"字".repeat(50)), format!("“{}…”", "字".repeat(40)));
    }

    #[test]
    fn what_was_typed_is_changed_by_nothing() {
        let shout = |said: &str| around_raw(said, str::to_uppercase);
        assert_eq!(shout("no mark"), "NO MARK");
        for typed in
            ["", "abc", "\u{fdd0}", "a\u{fdd1}b", "\u{fdd1}\u{fdd2}", "\u{fdd2}", "\u{fdd1}\u{fdd1}\u{fdd0}x"]
        {
            assert_eq!(shout(&format!("said {} and {}.", raw(typed), raw("x"))), format!("SAID {typed} AND x."));
        }
    }

    #[test]
    fn a_request_is_called_as_its_packet_is() {
        let set = |path: &str| Request::SetData { path: path.into(), data: Some("x".into()), version: -1 };
        let get = Request::GetData { path: "/a".into(), watch: true };
        assert_eq!(asked(&get), "getData /a -w");
        assert!(asked(&set("/a")).starts_with("setData /a "), "{}", asked(&set("/a")));
        assert!(asked(&Request::Multi { ops: vec![set("/a"), set("/b")] }).contains("[setData /b"));
    }

    #[test]
    fn times_have_no_needless_digits() {
        assert_eq!(range(&LatencyRange::ms(10, 20), " to "), "10 to 20 ms");
        assert_eq!(range(&LatencyRange { min_us: 1500, max_us: 1500 }, " to "), "1.5 ms");
    }
}
