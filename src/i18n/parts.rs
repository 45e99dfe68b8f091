//! A sentence in parts: names of servers, clients, transactions and nodes, which stand on the stage too; terms that can be explained; and
//! the words between them. Our own sentences are read, so a name looks like one.

use crate::base::{ClientId, ServerId, Zxid};

use super::Lang;

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words.
    Text(String),
    /// The name of something on the stage.
    Name(Name),
    /// A term of the glossary, as it stands in the sentence, and what it means.
    Term(String, &'static str),
}

/// What is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// A server.
    Server(ServerId),
    /// A client.
    Client(ClientId),
    /// A transaction.
    Zxid(Zxid),
    /// A node of the tree.
    Path(String),
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Server(server) => server.fmt(f),
            Name::Client(client) => client.fmt(f),
            Name::Zxid(zxid) => zxid.fmt(f),
            Name::Path(path) => f.write_str(path),
        }
    }
}

/// The parts of some sentences that stand together: each term is marked where it stands first.
pub fn parts<const N: usize>(lang: Lang, sentences: [&str; N]) -> [Vec<Part>; N] {
    let mut seen = Vec::new();
    sentences.map(|sentence| parts_of(lang, sentence, &mut seen))
}

/// Names of clients that are machines of another system are those machines'.
pub fn of_machines(parts: &mut [Part], is_there: impl Fn(ServerId) -> bool) {
    for part in parts {
        if let Part::Name(Name::Client(client)) = part
            && let Some(machine) = ServerId::named(&client.to_string()).filter(|id| is_there(*id))
        {
            *part = Part::Name(Name::Server(machine));
        }
    }
}

fn parts_of(lang: Lang, sentence: &str, seen: &mut Vec<&'static str>) -> Vec<Part> {
    let (mut parts, mut text, mut rest, mut quoted) = (Vec::new(), String::new(), sentence, false);
    let joins = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
    while let Some(next) = rest.chars().next() {
        quoted = match next {
            '“' | '「' => true,
            '”' | '」' => false,
            _ => quoted,
        };
        let before = &sentence[..sentence.len() - rest.len()];
        // what stands behind a number and a point is a part of an address
        let within = before.strip_suffix('.').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_digit()));
        let begins = !before.ends_with(joins) && !within;
        let found = (begins && !quoted).then(|| name(rest).or_else(|| term(lang, rest, seen))).flatten();
        let length = match found {
            Some((part, length)) => {
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(part);
                length
            }
            None => {
                text.push(next);
                next.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}

/// A name at the beginning of a text, and how long it is.
fn name(text: &str) -> Option<(Part, usize)> {
    let ends = |c: char| c.is_whitespace() || ",;:“”()，。：；、（）".contains(c);
    let first = text.chars().next()?;
    if first == '/' {
        let word = text.split(ends).next()?.trim_end_matches('.');
        return (word.len() > 1).then(|| (Part::Name(Name::Path(word.to_string())), word.len()));
    }
    if !first.is_ascii_uppercase() && !first.is_ascii_digit() {
        return None;
    }
    let word = text.split(|c: char| !c.is_ascii_alphanumeric() && c != ':').next()?.trim_end_matches(':');
    // C1.1.1 is a token, and not C1
    if text[word.len()..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let name = match first {
        // machines of other systems may be clients: [`of_machines`] knows
        'C' if word.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
            Name::Client(word[1..].parse().ok().map(ClientId).filter(|id| id.is_valid())?)
        }
        'A'..='Z' => Name::Server(ServerId::named(word)?),
        _ => {
            let (epoch, counter) = word.split_once(':')?;
            Name::Zxid(Zxid::new(epoch.parse().ok()?, counter.parse().ok()?))
        }
    };
    Some((Part::Name(name), word.len()))
}

/// A term at the beginning of a text that has not been marked before.
fn term(lang: Lang, text: &str, seen: &mut Vec<&'static str>) -> Option<(Part, usize)> {
    for (forms, about) in lang.words().glossary {
        for form in *forms {
            let form = lang.fixed(form);
            let whole = text
                .strip_prefix(form)
                .is_some_and(|rest| !form.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
            if whole && !seen.contains(about) {
                seen.push(about);
                return Some((Part::Term(form.to_string(), lang.fixed(about)), form.len()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lang: Lang, sentence: &str) -> String {
        let [parts] = parts(lang, [sentence]);
        let show = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(name) => format!("[{name}]"),
            Part::Term(term, _) => format!("<{term}>"),
        };
        parts.iter().map(show).collect()
    }

    #[test]
    fn names_and_terms_are_found_where_they_stand_alone() {
        for (sentence, parts) in [
            ("S1, S2 and S14 follow S3.", "[S1], [S2] and [S14] follow [S3]."),
            ("C2 waits and watches /lock/a-0000000001.", "[C2] waits and watches [/lock/a-0000000001]."),
            ("TRUNC 1:2: S3 cuts.", "<TRUNC> [1:2]: [S3] cuts."),
            ("“S1 and 1:3” of SNAPs", "“S1 and 1:3” of SNAPs"),
            ("4/3 of C1/main in S1x and S99", "4/3 of [C1]/main in S1x and S99"),
            ("Token C1.1.1 is not C1.", "Token C1.1.1 is not [C1]."),
            ("A quorum is a quorum.", "A <quorum> is a quorum."),
        ] {
            assert_eq!(shown(Lang::En, sentence), parts);
        }
        assert_eq!(shown(Lang::Zh, "S1 和 S2 承诺 epoch 2。"), "[S1] 和 [S2] 承诺 <epoch> 2。");
        assert_eq!(shown(Lang::Zh, "C1的会话结束，/live 随之消失。"), "[C1]的<会话>结束，[/live] 随之消失。");
    }

    #[test]
    fn every_term_is_explained_in_every_language() {
        let count = Lang::En.words().glossary.len();
        assert!(count >= 20);
        for lang in Lang::ALL {
            assert_eq!(lang.words().glossary.len(), count);
            for (forms, about) in lang.words().glossary {
                assert!(!forms.is_empty() && lang.fixed(about).chars().count() > 12, "{forms:?}");
            }
        }
    }
}
