//! A lecture hall: large type, high contrast, a clicker's keys, the lone stage, the dark screen, the presenter's window.

use fantoccini::key::Key;
use serde_json::json;
use zabscope::i18n::Lang;
use zabscope::i18n::page::chapter_words;

use crate::harness::{Page, en, words};

const RUN: &str = "?lang=en&scenario=leader-crash-under-load&paused=1&t=1035";

/// The size of the smallest letters that can be seen, and the first of them.
const SMALLEST: &str = "
    let least = [Infinity, ''];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
        if (!node.data.trim()) continue;
        const parent = node.parentElement, style = getComputedStyle(parent), range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        if (!parent.checkVisibility() || parent.closest('.unseen, .walker, title, option, script, noscript')) continue;
        if (box.width < 1 || box.bottom < 0 || box.top > innerHeight || box.left < 0 || box.left > innerWidth) continue;
        const size = parseFloat(style.fontSize);
        if (size < least[0]) least = [size, node.data];
    }
    return least;";

/// Everything that can be seen with a contrast below 7 with its ground.
const FAINT: &str = "
    const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
    const bright = ({ r, g, b }) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = parse(getComputedStyle(at).backgroundColor);
            if (colour.a > 0.8) return colour;
        }
        return { r: 255, g: 255, b: 255, a: 1 };
    };
    const found = [];
    for (const element of document.querySelectorAll('.page *')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || !element.checkVisibility() || element.closest('.unseen, .walker, svg, option, :disabled')) continue;
        const a = bright(parse(getComputedStyle(element).color)), b = bright(ground(element));
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 7) found.push(`${element.className} ${element.textContent.slice(0, 20)} ${contrast.toFixed(2)}`);
    }
    return found;";

fn assert_readable(page: &Page) {
    page.wait_until("large letters", "return document.documentElement.dataset.hall === 'yes'");
    page.wait_until("a stage for a hall", "return document.querySelector('.card.hall') !== null");
    let least = page.js(SMALLEST, &[]);
    assert!(least[0].as_f64().is_some_and(|size| size >= 20.0), "{least}");
    assert_eq!(page.js(FAINT, &[]), json!([]));
}

#[test]
fn a_key_makes_everything_large_and_strong_in_both_themes_and_with_panels() {
    let page = Page::open_sized(RUN, 1280, 720);
    page.find("button", en().lecture);
    page.keys("l");
    assert_readable(&page);
    page.find("button", en().theme_dark).click();
    assert_readable(&page);
    page.find("button", en().panels).click();
    page.find("tab", en().tab_proposals);
    assert_readable(&page);
    page.keys("l");
    page.wait_until("as before", "return document.querySelector('.card.hall') === null");
    assert!(page.js(SMALLEST, &[])[0].as_f64().is_some_and(|size| size >= 12.0));
    page.assert_no_errors();
}

#[test]
fn every_scenario_of_servers_fits_in_a_hall() {
    let page = Page::open_sized("?lang=zh&scenario=minority-partition&paused=1&t=2500&lecture=1", 1280, 720);
    assert_readable(&page);
    // no card is clipped, and what a card says stays in it, once all of them are where they belong
    page.wait_until(
        "every card fits",
        "const stage = document.querySelector('.stage').getBoundingClientRect(), cards = [...document.querySelectorAll('.card')];
         return cards.length === 5 && cards.every((card) => {
             const box = card.getBoundingClientRect();
             return box.left >= stage.left - 1 && box.right <= stage.right + 1 && box.top >= stage.top - 1
                 && box.bottom <= stage.bottom + 1 && [...card.children].filter((it) => it.className !== 'unseen').every((it) => {
                     const inner = it.getBoundingClientRect();
                     return inner.right <= box.right + 1 && inner.bottom <= box.bottom + 1;
                 });
         });",
    );
    page.assert_no_errors();
}

#[test]
fn a_link_keeps_it() {
    let page = Page::open_sized(&format!("{RUN}&lecture=1"), 1280, 720);
    page.wait_until("large letters", "return document.documentElement.dataset.hall === 'yes'");
    page.keys("l");
    page.wait_until("usual letters", "return document.documentElement.dataset.hall === 'no'");
    page.keys("l");
    page.wait_until("large letters", "return document.documentElement.dataset.hall === 'yes'");
    page.js(
        "[...document.querySelectorAll('.bar button')].find((it) => it.textContent === arguments[0]).click()",
        &[json!(en().share)],
    );
    page.find("dialog", en().share_title);
    let link = page.js("return document.querySelector('.link-line input').value", &[]);
    let link = link.as_str().expect("a link");
    let fragment = link.split_once('#').map(|(_, fragment)| fragment.to_string()).expect("a fragment");
    page.goto("?lang=en");
    page.wait_until("usual letters", "return document.documentElement.dataset.hall === 'no'");
    page.goto(&format!("?lang=en#{fragment}"));
    page.reload();
    page.wait_until("large letters", "return document.documentElement.dataset.hall === 'yes'");
    page.assert_no_errors();
}

#[test]
fn a_clicker_steps_and_darkens() {
    let page = Page::open_sized(RUN, 1280, 720);
    let now = |page: &Page| page.js("return zabscope.state().time_us", &[]).as_u64().expect("a moment");
    page.keys(&Key::PageDown);
    page.wait_until("a later moment", "return zabscope.state().time_us > 1035000");
    let first = now(&page);
    page.keys(&Key::PageDown);
    page.js("window.first = arguments[0]", &[json!(first)]);
    page.wait_until("one more", "return zabscope.state().time_us > first");
    page.keys(&Key::PageUp);
    page.wait_until("back", "return zabscope.state().time_us === first");
    for key in ["b", "."] {
        page.keys(key);
        page.find("button", en().dark_back);
        let covers = page.js(
            "const it = document.elementFromPoint(innerWidth / 2, innerHeight / 2), box = it.getBoundingClientRect();
             return [it.className, box.width >= innerWidth, box.height >= innerHeight, getComputedStyle(it).backgroundColor]",
            &[],
        );
        assert_eq!(covers, json!(["dark-screen", true, true, "rgb(0, 0, 0)"]));
        page.keys(key);
        page.wait_until("the picture", "return document.querySelector('.dark-screen') === null");
    }
    page.keys("b");
    page.find("button", en().dark_back);
    page.keys(&Key::Escape);
    page.wait_until("the picture", "return document.querySelector('.dark-screen') === null");
    assert_eq!(now(&page), first, "darkness is no time");
    page.assert_no_errors();
}

#[test]
fn one_key_leaves_only_the_stage_with_its_sentence_and_says_how_to_return() {
    for (width, height) in [(1280, 720), (390, 844)] {
        let page = Page::open_sized(RUN, width, height);
        page.find("slider", words::begin(en().timeline, &[]));
        page.keys("f");
        let back = page.find("button", en().only_stage_back);
        let seen = page.js(
            "return ['.bar', '.side', '.kick', '.log', '.transport', '.narration .what']
                 .filter((name) => document.querySelector(name)?.checkVisibility())",
            &[],
        );
        assert_eq!(seen, json!([".narration .what"]), "the sentence stays as a caption");
        let free = page.js(
            "const hint = document.querySelector('.way-back').getBoundingClientRect(), stage = document.querySelector('.stage').getBoundingClientRect();
             return stage.bottom <= hint.top + 1 && stage.width === innerWidth && stage.height > innerHeight * 0.75",
            &[],
        );
        assert_eq!(free, json!(true));
        back.click();
        page.find("slider", words::begin(en().timeline, &[]));
        page.keys("f");
        page.find("button", en().only_stage_back);
        page.keys(&Key::Escape);
        page.find("slider", words::begin(en().timeline, &[]));
        page.assert_no_errors();
    }
}

/// A hall at the beginning of a scene; `desk` will be the presenter's window.
fn with_desk() -> Page {
    let page = Page::open_sized("?lang=en&scenario=leader-crash-under-load&paused=1&lecture=1", 1280, 720);
    page.wait_until("large letters", "return document.documentElement.dataset.hall === 'yes'");
    page.js("const open = window.open.bind(window); window.open = (...all) => (window.desk = open(...all))", &[]);
    page
}

#[test]
fn a_presenter_has_a_window_of_his_own() {
    let page = with_desk();
    page.find("button", en().presenter).click();
    let name = |index| chapter_words(Lang::En, "leader-crash-under-load", index).expect("a chapter");
    let shows = |id: &str, words: &str| {
        let there = format!("return window.desk?.document.getElementById('{id}')?.textContent.includes(\"{words}\")");
        page.wait_until(&format!("{id}: {words}"), &there);
    };
    let press = |id: &str| {
        page.js("desk.document.getElementById(arguments[0]).click()", &[json!(id)]);
    };
    shows("chapter", name(0));
    shows("next", name(1));
    shows("notes", words::scenario("leader-crash-under-load").1);
    shows("play", en().play);
    press("next");
    shows("chapter", name(1));
    assert_eq!(page.js("return document.querySelector('.chapter-name').textContent", &[]), json!(name(1)));
    // a clicker's key goes to the window that has the focus
    page.js(
        "desk.document.body.dispatchEvent(new desk.KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }))",
        &[],
    );
    shows("chapter", name(2));
    press("previous");
    shows("chapter", name(1));
    press("dark");
    page.find("button", en().dark_back);
    page.wait_until(
        "it is told",
        "return desk.document.getElementById('dark').getAttribute('aria-pressed') === 'true'",
    );
    press("dark");
    page.wait_until("the picture", "return document.querySelector('.dark-screen') === null");
    press("play");
    page.wait_until("time runs", "return zabscope.state().playing");
    shows("play", en().pause);
    // nobody else is obeyed
    page.js("zabscope.pause(); postMessage('{\"zabscope\":\"presenter\",\"do\":\"play\"}', location.origin)", &[]);
    page.wait_until("some time", "return new Promise((done) => setTimeout(() => done(true), 300))");
    assert_eq!(page.js("return zabscope.state().playing", &[]), json!(false));
    page.js("desk.close()", &[]);
    page.assert_no_errors();
}

#[test]
fn a_presenter_s_window_that_is_refused_is_told_of() {
    let page = with_desk();
    page.js("window.open = () => null", &[]);
    page.keys("v");
    page.wait_for_words(".notice", en().presenter_refused);
    page.assert_no_errors();
}
