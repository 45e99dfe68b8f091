//! What stands large is a sentence that anybody can read, and what a scenario is for says why it is so.

use crate::i18n::page::{chapter_says, idea_because};
use crate::i18n::title::title;
use crate::timeline::Session;
use crate::view::director::at_stop;

use super::*;

/// A scenario as the page opens it, with all its chapters known.
fn opened(scenario: &'static crate::scenarios::Scenario) -> Session {
    let mut session = Session::new(scenario.run(), Some(scenario)).unwrap();
    session.open_scene().unwrap();
    while session.look_for_chapters(100_000) {}
    session
}

#[test]
fn every_idea_has_a_reason_in_every_language() {
    let mut without = Vec::new();
    for scenario in SCENARIOS {
        let mut session = opened(scenario);
        let idea = session.chapters()[scenario.scene().unwrap().idea].at;
        session.seek(idea).unwrap();
        for lang in Lang::ALL {
            let told = || at_stop(&session).and_then(|told| title(lang, &told).because);
            let because = idea_because(lang, scenario.id).map(str::to_string).or_else(told).unwrap_or_default();
            if because.chars().count() <= 8 {
                without.push((scenario.id, lang));
            }
        }
    }
    assert!(without.is_empty(), "{without:?}");
}

/// Whether somebody has to count digits: of a path with its number, of an id, of a moment in milliseconds.
fn is_long_number(said: &str) -> bool {
    said.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 6)
}

#[test]
fn no_chapter_is_a_command_line_or_a_request_or_has_a_number_of_ten_digits() {
    for scenario in SCENARIOS {
        let scene = scenario.scene().unwrap();
        for (index, lang) in (0..scene.chapters.len()).flat_map(|index| Lang::ALL.map(|lang| (index, lang))) {
            let says = chapter_says(lang, scenario.id, index).unwrap();
            let typed = ["/", "--", "get ", "set ", "create ", "delete ", "GETSET ", "SELECT ", "INSERT "];
            assert!(!typed.iter().any(|typed| says.starts_with(typed)), "{}: {says}", scenario.id);
            assert!(!is_long_number(says) && !says.contains(['{', '“', '(']), "{}: {says}", scenario.id);
        }
    }
}
