//! What the page shows of our own tables: scenarios, courses, lessons, rules, bugs, properties. These grow, so what must be there is
//! read from the tables and not from a file.

use crate::check::PROPERTIES;
use crate::i18n::page::{fill, scenario_words};
use crate::i18n::{property_title, rule_title};
use crate::museum::bugs;
use crate::scenarios::SCENARIOS;
use crate::sim::Rule;
use crate::ui::compare::strip::bug_title;
use crate::ui::lesson::cards;
use crate::view::comparison::pairs;

use super::*;

fn titles(lang: Lang) -> Vec<String> {
    SCENARIOS.iter().filter_map(|one| scenario_words(lang, one.id)).map(|(title, _)| title.to_string()).collect()
}

/// What each card of the gallery begins with, but for runs that were left.
fn cards_of(lang: Lang) -> Vec<String> {
    let title = |id| scenario_words(lang, id).expect("it has words").0;
    let mut all = titles(lang);
    all.extend(cards::courses().iter().map(|one| cards::words(&one.title, lang)));
    all.extend(cards::lessons().iter().map(|one| cards::words(&one.title, lang)));
    all.extend(pairs().map(|(left, right)| fill(page(lang).gallery_both, &[&title(left.id), &title(right.id)])));
    all.extend(Rule::all().map(|rule| rule_title(lang, rule).to_string()));
    all.extend(bugs().iter().map(|bug| bug_title(bug, lang)));
    all
}

/// Everything on a page of this class.
fn with_class<'a>(page: &'a Element, class: &str) -> Vec<&'a Element> {
    let mut found = Vec::new();
    page.walk(&mut |element, _| found.extend(element.has_class(class).then_some(element)));
    found
}

#[test]
fn the_gallery_has_a_card_for_each() {
    let Scene { engine, choices, .. } = scenes::gallery().remove(0);
    for lang in LANGS {
        let page = render(&engine, Choices { lang, ..choices.clone() });
        let mut shown: Vec<String> =
            with_class(&page, "scene").into_iter().map(|one| name(one, &[], &page)).collect();
        let mut wanted = cards_of(lang);
        assert_eq!(shown.len(), wanted.len() + 1, "and one for the run that was left");
        // a title may begin with another one
        wanted.sort_by_key(|title| std::cmp::Reverse(title.len()));
        for title in wanted {
            let at =
                shown.iter().position(|name| name.strip_prefix(&title).is_some_and(|rest| rest.starts_with(' ')));
            shown.remove(at.unwrap_or_else(|| panic!("no card for {title} in {shown:#?}")));
        }
        assert!(shown[0].contains("0.055"), "{shown:?}");
        let count = SCENARIOS.len().to_string();
        let told =
            page.find(&|one| one.attribute("role") == Some("status") && name(one, &[], &page).contains(&count));
        assert!(told.is_some(), "how many there are");
    }
}

/// What each list of a page offers.
fn offered(page: &Element) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = Vec::new();
    page.walk(&mut |element, _| match element.tag.as_str() {
        "select" => lists.push(Vec::new()),
        "option" => lists.last_mut().expect("a list").push(name(element, &[], page)),
        _ => {}
    });
    lists
}

#[test]
fn lists_offer_each_scenario_property_and_rule() {
    let (Scene { engine, choices, .. }, on_stage) = scenes::lists();
    for lang in LANGS {
        let lists = offered(&render(&engine, Choices { lang, ..choices.clone() }));
        let on_stage = scenario_words(lang, on_stage).expect("it has words").0;
        let others = titles(lang).into_iter().filter(|title| title != on_stage).collect();
        let properties = PROPERTIES.iter().map(|one| property_title(lang, one.id).to_string()).collect();
        let rules = Rule::all().map(|rule| rule_title(lang, rule).to_string()).collect();
        let wanted: [Vec<String>; 3] = [others, properties, rules];
        for all in wanted {
            assert!(lists.iter().any(|list| all.iter().all(|title| list.contains(title))), "{all:#?} in {lists:#?}");
        }
    }
}
