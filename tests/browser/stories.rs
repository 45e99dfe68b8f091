//! Lessons, bugs and prepared runs: fetched when the first of them is opened, and not before.

use fantoccini::key::Key;
use serde_json::json;
use zabscope::i18n::Lang;
use zabscope::lessons::lesson;

use crate::embed::{run, wait};
use crate::harness::{Edition, Page, en, words};

/// How often the page itself has asked for them; what its service worker keeps is another matter.
const ASKED: &str =
    "return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/stories-')).length";

/// The heading of the real bugs of an election, which stands in the gallery where they are there.
fn bugs() -> &'static str {
    words::fill(en().gallery_bugs, &[&en().wing_elections])
}

#[test]
fn the_gallery_asks_for_them_and_nothing_before_it() {
    let page = Page::open("?lang=en");
    page.wait_until("it plays", "return zabscope.state().time_us > 100000");
    assert_eq!(page.js(ASKED, &[]), json!(0));
    for _ in 0..2 {
        page.keys("g");
        page.find("dialog", en().gallery_title).find("heading", bugs());
        assert_eq!(page.js(ASKED, &[]), json!(1));
        page.keys(&Key::Escape);
        page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    }
    page.assert_no_errors();
}

#[test]
fn the_end_of_the_first_lesson_names_the_next_ones() {
    let page = Page::blank(false);
    page.forget_visits();
    page.goto("?lang=en");
    page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption, .lesson-answer')");
    assert_eq!(page.js(ASKED, &[]), json!(0), "the first lesson waits for nothing");
    for _ in 0..60 {
        if page.text().contains(en().lesson_over) {
            break;
        }
        page.keys("\u{E00F}");
    }
    let next = lesson("zab-roles").expect("a lesson").title.en.to_string();
    page.find("button", words::fill(en().lesson_next, &[&next])).click();
    page.wait_until("it is open", "return zabscope.state().lesson?.id === 'zab-roles'");
    page.assert_no_errors();
}

#[test]
fn what_does_not_come_is_said_and_comes_the_second_time() {
    for (lang, query) in [(Lang::En, "lang=en&lesson=zab-roles"), (Lang::Zh, "lang=zh&rule=commit-at-minority")] {
        let (page, said) = (Page::blank(false), words::of(lang).stories_missing);
        page.serve(Edition::Bare);
        page.goto(&format!("?{query}"));
        page.wait_for_words(".notice", said);
        page.keys("g");
        page.wait_for_words(".gallery", said);
        // scenarios are built in
        page.wait_until("scenarios are there", "return document.querySelectorAll('.scene').length > 35");
        page.keys(&Key::Escape);
        page.serve(Edition::Built);
        page.keys("g");
        page.wait_until("all are there", "return document.querySelectorAll('.scene').length > 200");
        assert!(!page.text().contains(said));
    }
}

#[test]
fn a_rule_in_a_comparison_comes_with_its_run() {
    let page = Page::open("?lang=en&rule=votes-not-total");
    assert_eq!(page.js(ASKED, &[]), json!(1));
    page.find("region", en().compare_title).find("button", en().bug_story);
    page.assert_no_errors();
}

#[test]
fn a_host_that_asks_for_a_lesson_is_answered_in_turn() {
    let page = Page::open("");
    page.host("docs/slides/plain.html");
    wait(&page, "both programs run", "inside('crash').zabscope && inside('herd').zabscope");
    let state = "
        await $('crash').state();
        $('crash').setAttribute('lesson', 'zab-broadcast');
        await new Promise((done) => setTimeout(done));
        await $('crash').beat('own-disk');
        let lesson;
        do ({ lesson } = await $('crash').state()); while (lesson.phase === 'preparing');
        return [lesson.id, lesson.beat]";
    assert_eq!(run(&page, state), json!(["zab-broadcast", "own-disk"]));
    page.assert_no_errors();
}
