//! What the two runs beside each other are called, and what it is in which they differ.

use crate::i18n::wording::LETTERS;
use std::rc::Rc;

use crate::base::RuleSet;
use crate::i18n::page::{fill, page, scenario_title};
use crate::i18n::{Lang, rule_title};
use crate::museum::{Bug, bug, bug_of};
use crate::scenarios::Scenario;
use crate::sim::Rule;
use crate::timeline::{Against, Pair, Side, Variation};

/// The rule in which the two runs differ, where it is one.
pub(in crate::ui) fn rule_beside(pair: &Pair) -> Option<Rule> {
    match pair.against() {
        Some(Against::Varied(Variation::Rule(rule))) => Some(*rule),
        _ => None,
    }
}

/// The bug that the run on the right shows.
pub(in crate::ui) fn bug_beside(pair: &Pair) -> Option<Rc<Bug>> {
    match pair.against() {
        Some(Against::Varied(Variation::Rule(rule))) => bug_of(*rule),
        Some(Against::Named(name)) => bug(name),
        _ => None,
    }
}

/// What the run on the right is called.
fn against_words(against: &Against, broken: bool, lang: Lang) -> String {
    let words = page(lang);
    match against {
        Against::Scenario(scenario) => run_name(Some(*scenario), lang),
        Against::Named(name) if bug(name).is_some() => fill(words.bug_as_released, &[name]),
        Against::Named(name) => name.clone(),
        Against::Varied(Variation::Seed(seed)) => format!("{} {seed}", words.seed),
        Against::Varied(Variation::Latency(min, max)) => fill(words.compare_is_latency, &[min, max]),
        Against::Varied(Variation::DiskSync(min, max)) => fill(words.compare_is_disk, &[min, max]),
        Against::Varied(Variation::Tick(ms)) => fill(words.compare_is_tick, &[ms]),
        Against::Varied(Variation::Version(version)) => format!("ZooKeeper {}", version.name()),
        Against::Varied(Variation::Rule(rule)) if broken => rule_title(lang, *rule).to_string(),
        Against::Varied(Variation::Rule(rule)) => fill(words.compare_is_rule, &[&rule_title(lang, *rule)]),
    }
}

fn run_name(scenario: Option<&Scenario>, lang: Lang) -> String {
    scenario.map_or(page(lang).own_run, |scenario| scenario_title(lang, scenario.id)).to_string()
}

/// What both runs are called, the left one first.
pub(super) fn titles(pair: &Pair, lang: Lang) -> [String; 2] {
    let [left, right] = [Side::Left, Side::Right].map(|side| run_name(pair.session(side).scenario(), lang));
    let plain = pair.left().scenario().is_none() && pair.left().player().run().setup.rules == RuleSet::default();
    let left = match (rule_beside(pair), bug_beside(pair)) {
        (Some(_), _) if plain => page(lang).rule_kept.to_string(),
        (None, Some(_)) => page(lang).bug_repaired.to_string(),
        _ => left,
    };
    let broken = |rule| pair.session(Side::Right).player().run().setup.rules.breaks(rule);
    let broken = rule_beside(pair).is_some_and(broken);
    [left, pair.against().map_or(right, |against| against_words(against, broken, lang))]
}

/// The same with their letters: A and B.
pub(in crate::ui) fn marked_titles(pair: &Pair, lang: Lang) -> [String; 2] {
    let [left, right] = titles(pair, lang);
    [format!("{} {left}", LETTERS[0]), format!("{} {right}", LETTERS[1])]
}
