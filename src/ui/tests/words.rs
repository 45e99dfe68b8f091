//! Where only its words say in what state a thing is, or that two runs tell different things: files have no words.

use super::*;
use crate::timeline::Side;

fn is_button(word: &'static str, page: &Element) -> impl Fn(&Element) -> bool {
    move |one| one.tag == "button" && name(one, &[], page) == word
}

#[test]
fn a_button_that_changes_says_what_it_would_do_now() {
    let [plays, stands] = [0, 1].map(|at| scenes::transport().remove(at).engine);
    for lang in LANGS {
        let words = page(lang);
        for (engine, theme, time, other) in [
            (&stands, Theme::Light, words.play, words.theme_dark),
            (&plays, Theme::Dark, words.pause, words.theme_light),
        ] {
            let page = render(engine, Choices { lang, theme, ..Choices::default() });
            for (part, word) in [("transport", time), ("bar", other)] {
                let part = page.find(&|one| one.has_class(part)).expect("a part");
                assert!(part.find(&is_button(word, &page)).is_some(), "{word}");
            }
        }
    }
}

#[test]
fn beside_each_other_each_run_tells_for_itself() {
    let engine = scenes::heads().remove(0).engine;
    for lang in LANGS {
        let page = render(&engine, Choices { lang, ..Choices::default() });
        let mut told = Vec::new();
        page.walk(&mut |one, _| {
            told.extend(one.has_class("telling").then(|| one.find(&|in_it| in_it.has_class("what"))))
        });
        let told: Vec<String> = told.into_iter().flatten().map(outline::content).collect();
        assert!(told.len() == 2 && told[0] != told[1] && told.iter().all(|one| one.len() > 5), "{told:?}");
        let narration = page.find(&|one| one.has_class("narration")).expect("the page's narration");
        assert!(narration.find(&|one| one.has_class("now")).is_none(), "nothing is told of one alone");
    }
}

/// Each number of waiting clients that a run has had is a point of its curve, and stays one when there are fewer clients.
#[test]
fn what_a_release_costs_is_drawn_for_each_number_that_waited() {
    let page = render(&scenes::growth().remove(0).engine, Choices::default());
    let curve = page.find(&|one| one.has_class("curve") && one.has_class("a")).expect("a curve");
    let mut points = 0;
    curve.walk(&mut |one, _| points += usize::from(one.tag == "circle"));
    assert!(points >= 3, "{points}");
}

/// Of two elections it is drawn who led when, as often as leadership went on, and no curve of releases.
#[test]
fn who_led_when_is_drawn_for_both_elections() {
    for scene in scenes::reigns() {
        let page = render(&scene.engine, Choices::default());
        assert!(page.find(&|one| one.has_class("growth")).is_none());
        let pair = scene.engine.pair();
        for (side, letter) in [(Side::Left, "a"), (Side::Right, "b")] {
            let band = page.find(&|one| one.has_class("band-of") && one.has_class(letter)).expect("a band");
            let mut reigns = 0;
            band.walk(&mut |one, _| reigns += u64::from(one.tag == "rect" && one.has_class("hold")));
            assert_eq!(reigns, pair.session(side).player().tally().handovers + 1, "{}", scene.title);
        }
    }
}
