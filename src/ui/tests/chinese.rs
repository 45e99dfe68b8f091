//! An outline in Chinese against the one in English: the same things with the same states, in other words.

use std::collections::BTreeMap;

use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::i18n::tests::traditional::simplified_in;

use super::outline::Line;

/// So many words one after the other are a sentence. Data (paths, transactions, fields of the protocol) has fewer.
const SENTENCE: usize = 3;

/// The English texts of the page that are other ones in Chinese, and what they are called.
fn english_texts() -> BTreeMap<&'static str, &'static str> {
    let pairs = page(Lang::En).texts().into_iter().zip(page(Lang::Zh).texts());
    pairs.filter(|((_, english), (_, chinese))| english != chinese).map(|((name, text), _)| (text, name)).collect()
}

/// Whether there is an English sentence in a text, or a part of one.
fn has_sentence(said: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_alphabetic());
    let mut run = 0;
    said.split(' ').any(|word| {
        run = if is_word(word.trim_matches([',', '.', ';', ':'])) { run + 1 } else { 0 };
        run >= SENTENCE
    })
}

/// What differs although it must not, and what is left in English or in other characters.
pub(super) fn check(english: &[Line], other: &[Line], lang: Lang) -> Vec<String> {
    let shape = |line: &Line| {
        let more: Vec<&str> = line.more.iter().map(|(what, _)| *what).collect();
        (line.depth, line.role.clone(), line.states.clone(), line.name.is_empty(), more)
    };
    let mut wrong = Vec::new();
    let apart = english.iter().zip(other).find(|(a, b)| shape(a) != shape(b));
    wrong.extend(apart.map(|(a, b)| format!("{b}\nin {} is in English another thing:\n{a}", lang.name())));
    if english.len() != other.len() {
        wrong.push(format!("{} lines in {}, {} in English", other.len(), lang.name(), english.len()));
    }
    let texts = english_texts();
    let mut console = None::<usize>;
    for line in other {
        // what zkCli prints is English in every language
        console = console.filter(|log| line.depth > *log).or((line.role == "log").then_some(line.depth));
        let zkcli = console.is_some_and(|log| line.depth > log);
        // fields of the protocol and of our own state are called as in the code
        let field = line.role == "term";
        for said in line.said() {
            // a language has its own name everywhere
            let said = Lang::ALL.iter().fold(said.to_string(), |said, lang| said.replace(lang.name(), ""));
            let text = texts.get(said.as_str()).filter(|_| !field);
            wrong.extend(text.map(|name| format!("{name} is in English: {line}")));
            if has_sentence(&said) && !zkcli && !field {
                wrong.push(format!("this is English: {line}"));
            }
            if lang == Lang::ZhHant {
                wrong.extend(simplified_in(&said).map(|what| format!("{what} is Simplified: {line}")));
            }
        }
    }
    wrong
}

#[test]
fn what_is_left_in_english_or_missing_is_noticed() {
    let line = |role: &str, name: &str| Line {
        depth: 0,
        role: role.into(),
        states: String::new(),
        name: name.into(),
        more: Vec::new(),
    };
    let english = [line("button", page(Lang::En).play)];
    for (other, why) in [
        (vec![line("button", page(Lang::En).play)], "is in English"),
        (vec![line("button", "S3 becomes the leader")], "this is English"),
        (vec![line("link", page(Lang::Zh).play)], "another thing"),
        (vec![line("button", "")], "another thing"),
        (vec![], "0 lines"),
        (vec![line("button", "选举")], "is Simplified"),
    ] {
        let found = check(&english, &other, Lang::ZhHant);
        assert!(found.iter().any(|one| one.contains(why)), "{why}: {found:?}");
    }
    assert_eq!(check(&english, &[line("button", page(Lang::ZhHant).play)], Lang::ZhHant), [""; 0]);
}
