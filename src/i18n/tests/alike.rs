//! What sentences name is the same in every language: a wrong number in one of them is seen beside the others.

use std::collections::BTreeSet;

use super::*;

/// The zxids, servers and clients that a sentence names.
fn named(said: &str) -> BTreeSet<&str> {
    let words = said.split(|c: char| !c.is_ascii_alphanumeric() && c != ':').map(|word| word.trim_matches(':'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_zxid =
        |word: &str| word.split_once(':').is_some_and(|(epoch, counter)| is_number(epoch) && is_number(counter));
    let is_machine = |word: &str| word.strip_prefix(['S', 'C']).is_some_and(is_number);
    words.filter(|word| is_zxid(word) || is_machine(word)).collect()
}

#[test]
fn sentences_name_the_same_things_in_every_language() {
    let mut seen = BTreeSet::new();
    for record in all_records() {
        let all = Lang::ALL.map(|lang| describe(lang, &record));
        // what is said often is looked at once
        if !seen.insert(all[0].what.clone()) {
            continue;
        }
        let named = all.each_ref().map(|told| {
            let said = [Some(&told.what), told.why.as_ref()].into_iter().flatten();
            said.flat_map(|said| named(said)).collect::<BTreeSet<_>>()
        });
        assert!(named.iter().all(|names| *names == named[0]), "{all:?}");
    }
}
