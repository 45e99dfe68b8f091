//! The poster: the frame that is painted before the page's code has come (`static/poster.js`), and how the page takes its place.

use serde_json::{Value, json};

use crate::harness::{Edition, Page, en};

/// All that is seen, an element a line: what it is, what it says, where it stands. Without what only the page itself draws: what moves,
/// and words on the timeline, for which it measures the room.
const SEEN: &str = "const all = [...document.querySelectorAll('body > .page *')];
const seen = (one) => one.checkVisibility({ visibilityProperty: true });
return all.filter((one) => seen(one) && !one.closest('.ground, .paper, .deeds, .unseen, .none')).map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    const says = one.children.length ? '' : one.textContent;
    return [one.localName, ...[...one.classList].sort(), says, ...[x, y, width, height].map(Math.round)].join(' ');
})";

const TWO_FRAMES: &str =
    "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

/// A browser at an address whose code does not come before it is let go on.
fn waiting(path: &str, first: bool, (width, height): (u32, u32)) -> Page {
    let page = Page::blank(false);
    page.resize(width, height);
    if first {
        page.forget_visits();
    }
    page.serve(Edition::Waiting);
    page.begin(path);
    page.wait_until("the poster", "return document.querySelector('.poster')");
    page
}

fn go_on(page: &Page) {
    page.serve(Edition::Built);
    page.wait_for_program();
}

#[test]
fn the_page_shows_what_its_poster_showed() {
    let sizes = [(1280, 800), (1440, 900), (900, 600), (390, 844)];
    for (path, size) in ["", "?lang=zh&theme=dark", "?lang=zh-TW", "?theme=auto"].into_iter().zip(sizes) {
        let page = waiting(path, true, size);
        page.wait_until("what it is for", "return document.querySelector('.poster .overview')");
        let risen = "const all = document.getAnimations();
            return all.length > 0 && all.every((one) => one.playState === 'finished')";
        page.wait_until("all of it", risen);
        // finished by the clock; a slow browser has not drawn the end yet
        page.js(TWO_FRAMES, &[]);
        let look = "return [document.documentElement.lang, JSON.stringify(document.documentElement.dataset)]";
        let (shown, dressed) = (page.js(SEEN, &[]), page.js(look, &[]));
        go_on(&page);
        let (now, words) = (page.js(SEEN, &[]), page.js(look, &[]));
        let lines = |seen: &Value| seen.as_array().expect("a list").clone();
        for (before, after) in lines(&shown).iter().zip(&lines(&now)) {
            assert_eq!(before, after, "{path} {size:?}");
        }
        assert_eq!((lines(&shown).len(), dressed), (lines(&now).len(), words), "{path} {size:?}");
        page.assert_no_errors();
    }
}

#[test]
fn who_was_here_before_is_shown_a_run() {
    let page = waiting("", false, (1280, 800));
    let cards =
        "return [...document.querySelectorAll('.card')].map((card) => JSON.stringify(card.getBoundingClientRect()))";
    page.wait_until("cards in their places", "return document.querySelector('.card').style.width");
    let before = page.js(cards, &[]);
    go_on(&page);
    assert_eq!(page.js(cards, &[]), before);
}

#[test]
fn what_is_pressed_on_it_is_done_once() {
    let page = waiting("", true, (1280, 800));
    page.find("button", en().lesson_on).click();
    go_on(&page);
    page.wait_for_words(".lesson-number-of", "2");
    std::thread::sleep(std::time::Duration::from_millis(300));
    page.wait_for_words(".lesson-number-of", "2");
    page.assert_no_errors();

    let page = waiting("", false, (1280, 800));
    page.keys(" ");
    page.choose(en().language, "zh-Hant");
    page.js("document.querySelector('[data-server=S3]').click(); document.querySelector('.write-one').focus()", &[]);
    go_on(&page);
    page.wait_until("its language", "return document.documentElement.lang === 'zh-Hant'");
    page.wait_until("it stands still", "return !zabscope.state().playing");
    page.wait_until("the menu of S3", "return document.querySelector('.card.picked')?.dataset.server === 'S3'");
    page.assert_no_errors();
}

#[test]
fn the_focus_stays_where_it_was() {
    let page = waiting("", false, (1280, 800));
    page.js("document.querySelector('.language').focus()", &[]);
    go_on(&page);
    page.wait_until("the same has the focus", "return document.activeElement.matches('.language')");
}

#[test]
fn where_the_page_cannot_start_it_goes() {
    let page = waiting("", true, (1280, 800));
    page.js("zabscopeRescue.didNotStart(new Error('not today'))", &[]);
    page.wait_for_words("[role=alert]:not(.notice)", "not today");
    page.js(TWO_FRAMES, &[]);
    assert_eq!(page.js("return document.querySelectorAll('.page').length", &[]), json!(0));
}

#[test]
fn another_address_shows_a_quiet_page() {
    let page = waiting("?scenario=lock-herd", false, (1280, 800));
    for (path, name) in [
        ("?lesson=first-minute", "ZabScope"),
        ("?lang=en&lang=zh", "ZabScope"),
        ("?__proto__=1&toString&=&%&lang=", "ZabScope"),
        ("#run", "ZabScope"),
        ("?embed=1", ""),
        ("?controls=none", ""),
        ("?seed=7", "ZabScope"),
    ] {
        page.begin(path);
        page.wait_until("the poster", "return document.querySelector('.poster')");
        assert_eq!(page.js("return document.querySelector('.poster').innerText.trim()", &[]), json!(name), "{path}");
        let seen = "const leaves = [...document.querySelectorAll('.poster :is(svg, path, button, text)')].filter((one) => !one.children.length);
        return leaves.filter((one) => one.checkVisibility({ visibilityProperty: true })).length";
        assert_eq!(page.js(seen, &[]), json!(0), "{path}");
    }
    go_on(&page);
    page.assert_no_errors();
}
