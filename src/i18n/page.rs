//! The page's own words: what each place of the page says, in each language. English declares them (`en/page.rs`), so that what is
//! missing in another language does not compile.

use crate::base::limits::{MAX_EXPORT_BYTES, MAX_ROWS};
use crate::explore::Goal;
use crate::scenarios::locks_compared::{Fault, Lock};
use crate::share::OpenError;
use crate::sim::{FORMAT_VERSION, OLDEST_FORMAT, Rule, Run};

use super::words::SceneWord;
use super::{Lang, error_words, property_title};

pub use super::en::page::Page;
pub use super::en::page::dialogs::Dialogs;
pub use super::en::page::disks::OfDisks;
pub use super::en::page::lesson::Lessons;
pub use super::en::page::panels::Panels;
pub use super::en::page::recipe::Writing;
pub use super::en::page::search::Searching;
pub use super::en::page::stage::Stage;
pub use super::en::page::views::Views;
pub use crate::base::texts::{Pair, Pairs, Texts, fill};

/// The page's words in this language.
pub fn page(lang: Lang) -> &'static Page {
    lang.page()
}

impl Page {
    /// Every text with its name.
    pub fn texts(&self) -> Vec<Pair> {
        let mut all = Vec::new();
        self.list("", &mut all);
        all
    }
}

/// What a built-in scenario is called and what it shows; nothing where there is none of this name.
pub fn scenario_words(lang: Lang, id: &str) -> Option<Pair> {
    let (title, about) = (lang.words().scenario)(id)?;
    Some((lang.fixed(title), lang.fixed(about)))
}

/// What a built-in scenario is called; its name where there is none of this name.
pub fn scenario_title(lang: Lang, id: &'static str) -> &'static str {
    scenario_words(lang, id).map_or(id, |(title, _)| title)
}

/// What a chapter of a scenario's scene is called, by number from 0; nothing where there is none.
pub fn chapter_words(lang: Lang, id: &str, index: usize) -> Option<&'static str> {
    (lang.words().chapter)(id, index).map(|(name, _)| lang.fixed(name))
}

/// What a chapter of a scenario's scene teaches, in one sentence, by number from 0; nothing where there is none.
pub fn chapter_says(lang: Lang, id: &str, index: usize) -> Option<&'static str> {
    (lang.words().chapter)(id, index).map(|(_, says)| lang.fixed(says))
}

/// Why the idea of a scenario's scene is so, where no fact of its chapter says it.
pub fn idea_because(lang: Lang, id: &str) -> Option<&'static str> {
    (lang.words().idea_because)(id).filter(|why| !why.is_empty()).map(|why| lang.fixed(why))
}

/// What there is to try by hand in a scenario's scene.
pub fn try_words(lang: Lang, id: &str) -> Option<&'static str> {
    (lang.words().try_this)(id).map(|deed| lang.fixed(deed))
}

/// What is said around scenes.
pub fn scene_word(lang: Lang, word: SceneWord) -> &'static str {
    lang.fixed((lang.words().scenes)(word))
}

/// What a scenario's parameter is called; its own name where it is not known here.
pub fn param_words(lang: Lang, name: &'static str) -> &'static str {
    page(lang).params.iter().find(|(known, _)| *known == name).map_or(name, |(_, words)| words)
}

/// What a search looks for, as a label.
pub fn goal_words(lang: Lang, goal: &Goal) -> String {
    let words = page(lang);
    let fixed = match goal {
        Goal::Any => words.goal_any,
        Goal::Violated(id) => property_title(lang, id),
        Goal::CommitLost => words.goal_commit_lost,
        Goal::TwoLeaders => words.goal_two_leaders,
        Goal::TwoEstablished => words.goal_two_established,
        Goal::TwoHolders => words.goal_two_holders,
        Goal::OwnRecipe { .. } => words.goal_own_recipe,
        Goal::StaleRead => words.goal_stale_read,
        Goal::StaleSync => words.goal_stale_sync,
        Goal::Epoch(epoch) => return fill(words.goal_epoch, &[epoch]),
        Goal::Standstill(us) => return fill(words.goal_standstill, &[&(us / 1_000_000)]),
        Goal::Facts { times, pattern } => return fill(words.goal_facts, &[times, pattern]),
    };
    fixed.to_string()
}

/// Of what a rule is one, as a heading.
pub fn rules_of(lang: Lang, rule: Rule) -> &'static str {
    let words = page(lang);
    match rule {
        Rule::Zab(_) | Rule::Server(_) => words.rules_protocol,
        Rule::Service(_) => words.rules_service,
        Rule::Recipe(_) => words.rules_recipes,
    }
}

/// What a kind of lock is called.
pub fn lock_words(lang: Lang, lock: Lock) -> &'static str {
    paired(page(lang).locks, &format!("{lock:?}"))
}

/// What a fault is called that strikes it.
pub fn fault_words(lang: Lang, fault: Fault) -> &'static str {
    paired(page(lang).faults, &format!("{fault:?}"))
}

fn paired(pairs: Pairs, name: &str) -> &'static str {
    pairs.iter().find(|(known, _)| *known == name).map_or("", |(_, words)| words)
}

/// What has to be said of a run that an older ZabScope made.
pub fn older_words(lang: Lang, run: &Run) -> Option<String> {
    run.is_older().then(|| fill(page(lang).run_older, &[&run.version, &FORMAT_VERSION]))
}

/// Why something was not opened or shared, in one sentence.
pub fn trouble_words(lang: Lang, trouble: &OpenError) -> String {
    let words = page(lang);
    match trouble {
        OpenError::NoLink => words.no_link.into(),
        OpenError::Damaged => words.link_damaged.into(),
        OpenError::Newer => words.link_newer.into(),
        OpenError::Older { format } => fill(words.link_older, &[format, &OLDEST_FORMAT, &FORMAT_VERSION]),
        OpenError::TooLong => words.link_too_long.into(),
        OpenError::NoFile => words.no_file.into(),
        OpenError::Run(error) => fill(words.run_wrong, &[&error_words(lang, error)]),
        OpenError::HasDisks => words.link_of_disks.into(),
        OpenError::NoQr { chars } => fill(words.no_qr, &[chars]),
        OpenError::TooManyRows => fill(words.too_many_rows, &[&MAX_ROWS]),
        OpenError::TextTooLong => fill(words.text_too_long, &[&(MAX_EXPORT_BYTES >> 20)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_empty_and_places_are_the_same_in_every_language() {
        let (en, zh) = (page(Lang::En).texts(), page(Lang::Zh).texts());
        assert_eq!(en.len(), zh.len(), "lists");
        for ((name, english), (_, chinese)) in en.into_iter().zip(zh) {
            assert!(!english.is_empty() && !chinese.is_empty(), "{name}");
            assert_eq!(english.matches("{}").count(), chinese.matches("{}").count(), "{name}");
        }
        let names = |lang| {
            let page = page(lang);
            let entries = [page.legend, page.moments, page.params].concat();
            entries.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(Lang::En), names(Lang::Zh));
    }

    #[test]
    fn every_scenario_has_a_title_in_every_language() {
        for scenario in crate::scenarios::SCENARIOS {
            for lang in Lang::ALL {
                assert!(scenario_words(lang, scenario.id).is_some(), "{}", scenario.id);
            }
        }
    }

    #[test]
    fn every_scene_has_its_chapters_and_a_deed_in_every_language() {
        for scenario in crate::scenarios::SCENARIOS {
            let count = scenario.scene().map_or(0, |scene| scene.chapters.len());
            for lang in Lang::ALL {
                let names: Vec<&str> = (0..).map_while(|index| chapter_words(lang, scenario.id, index)).collect();
                assert_eq!(names.len(), count, "{}: {names:?}", scenario.id);
                assert!(names.iter().all(|name| !name.is_empty()), "{}", scenario.id);
                let mut says: Vec<&str> = (0..count).filter_map(|at| chapter_says(lang, scenario.id, at)).collect();
                for says in &says {
                    let (words, characters) = crate::i18n::title::size(says);
                    let fits =
                        if characters == 0 { words <= 13 && says.len() <= 72 } else { words + characters <= 30 };
                    assert!(fits && words + characters >= 3, "{}: {says}", scenario.id);
                    assert!(!says.contains("00000") && !names.contains(says), "{}: {says}", scenario.id);
                }
                says.sort_unstable();
                says.dedup();
                assert_eq!(says.len(), count, "{}: a sentence twice", scenario.id);
                let why = idea_because(lang, scenario.id);
                assert_eq!(why.is_some(), idea_because(Lang::En, scenario.id).is_some(), "{}", scenario.id);
                assert!(why.is_none_or(|why| why.ends_with(['.', '。'])), "{}: {why:?}", scenario.id);
                let deed = try_words(lang, scenario.id).unwrap_or_default();
                assert!(deed.ends_with(['.', '?', '。', '？']), "{}: {deed}", scenario.id);
            }
        }
    }

    #[test]
    fn every_parameter_has_a_name_in_every_language() {
        for param in crate::scenarios::SCENARIOS.iter().flat_map(|scenario| scenario.params()) {
            for lang in Lang::ALL {
                assert!(page(lang).params.iter().any(|(name, _)| *name == param.name), "{}", param.name);
            }
        }
    }
}
