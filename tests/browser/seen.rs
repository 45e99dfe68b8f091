//! Who sees an embedded page: it plays only then, takes keys only then, and says so where it cannot be shown.

use serde_json::json;

use crate::embed::{click, deck, key, run, slide, wait};
use crate::harness::{Engine, PATIENCE, Page, dist, not_in, only_in};

/// A page with one element at its top and another far below.
pub(crate) fn host() -> Page {
    let page = Page::open("");
    page.host("tests/browser/decks/seen.html");
    wait(&page, "both programs run", "inside('run').zabscope && inside('paper').zabscope");
    run(&page, "await $('run').state(); await $('paper').state()");
    page
}

/// Waits until the page in an element knows whether it is seen.
pub(crate) fn shown(page: &Page, id: &str, so: bool) {
    let told = format!(
        "($('{id}').state().then((state) => {{ window.shown_now = state.shown }}), window.shown_now === {so})"
    );
    run(page, "window.shown_now = null");
    wait(page, &format!("{id}: shown is {so}"), &told);
}

#[test]
fn it_plays_while_a_third_of_it_is_in_sight_and_no_style_hides_it() {
    let page = host();
    shown(&page, "run", true);
    for (hide, show) in [
        ("$('around').className = 'hidden'", "$('around').className = ''"),
        ("$('around').className = 'clear'", "$('around').className = ''"),
        ("$('run').hidden = true", "$('run').hidden = false"),
        // some pixels are left of it; then half of it
        ("scrollTo(0, $('run').offsetHeight - 5)", "scrollTo(0, $('run').offsetHeight / 2)"),
    ] {
        run(&page, hide);
        shown(&page, "run", false);
        let at = run(&page, "return state('run').time_us");
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert_eq!(run(&page, "return state('run').time_us"), at, "{hide}");
        run(&page, show);
        shown(&page, "run", true);
    }
    page.assert_no_errors();
}

#[test]
fn a_plain_frame_that_is_not_displayed_stands_still() {
    let page = Page::open("");
    page.host("tests/browser/decks/seen.html");
    // WebKitGTK 2.50 never comes back where a frame is taken away while it loads
    run(
        &page,
        "for (const one of document.querySelectorAll('zab-scope')) await one.state();
         const one = document.createElement('iframe');
         one.id = 'plain';
         one.src = '../../../dist/index.html?embed=1&lang=en&scenario=leader-crash-under-load';
         Object.assign(one, { width: 960, height: 540 });
         document.body.replaceChildren(one);",
    );
    let now = "return $('plain').contentWindow.zabscope?.state().time_us ?? 0";
    let grows = |page: &Page| {
        let before = run(page, now).as_f64().expect("µs");
        page.wait_within(
            PATIENCE * 3,
            "it plays",
            &format!("const $ = (id) => document.getElementById(id); {now} > {before}"),
        );
    };
    grows(&page);
    run(&page, "$('plain').style.display = 'none'; await new Promise((done) => setTimeout(done, 500))");
    let at = run(&page, now);
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert_eq!(run(&page, now), at, "it plays although it is not displayed");
    run(&page, "$('plain').style.display = ''");
    grows(&page);
    page.assert_no_errors();
}

#[test]
fn a_slide_that_was_left_hears_no_keys_and_a_black_screen_stops_it() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = deck();
    let now = |what: &str| run(&page, &format!("const s = await $('crash').state(); return s.{what}"));
    key(&page, "PageDown", 34);
    slide(&page, 1);
    shown(&page, "crash", true);
    click(&page, 600, 30);
    wait(&page, "the frame has the focus", "document.activeElement === $('crash')");
    key(&page, "PageDown", 34);
    slide(&page, 2);
    wait(&page, "it gives the focus back", "document.activeElement === document.body");
    // to the deck this is a key that turns slides, to the page one that pauses
    key(&page, " ", 32);
    slide(&page, 3);
    assert_eq!(now("playing"), json!(true), "a key reached a page that nobody sees");
    for _ in 0..2 {
        key(&page, "PageUp", 33);
    }
    slide(&page, 1);
    shown(&page, "crash", true);
    key(&page, "b", 66);
    page.wait_until("the screen is black", "return document.querySelector('.reveal.paused')");
    shown(&page, "crash", false);
    key(&page, "b", 66);
    shown(&page, "crash", true);
    // a press in the overview goes to the slide
    key(&page, "Escape", 27);
    page.wait_until("the overview", "return document.querySelector('.reveal.overview')");
    wait(&page, "a press is the deck's", "getComputedStyle(frame('crash')).pointerEvents === 'none'");
    page.wait_until(
        "the slides have come to rest",
        "return !document.querySelector('.reveal').getAnimations({ subtree: true }).length",
    );
    click(&page, 480, 270);
    page.wait_until("it is left", "return !document.querySelector('.reveal.overview')");
    slide(&page, 1);
    page.assert_no_errors();
}

#[test]
fn where_frames_are_forbidden_it_says_so_at_once() {
    let page = Page::open("");
    page.host("tests/browser/decks/refused.html");
    let note = "document.getElementById('run')?.shadowRoot?.querySelector('[role=alert]')";
    page.wait_until("it says so", &format!("return {note}?.textContent.includes('frame-src')"));
    let (text, late) = (
        page.js(&format!("return {note}.textContent"), &[]),
        page.js("return performance.now() - performance.getEntriesByType('navigation')[0].loadEventEnd", &[]),
    );
    assert!(text.as_str().is_some_and(|text| text.starts_with("ZabScope 沒有應答")), "{text}");
    println!("said {late} ms after the page was loaded");
    std::thread::sleep(std::time::Duration::from_secs(3));
    // each greeting that nobody may hear is a line
    let lines = page.console().iter().filter(|line| line.contains("postMessage")).count();
    assert!(lines <= 4, "{lines} lines in the console");
}

#[test]
fn from_a_disk_the_element_shows_the_single_file_and_the_page_says_what_it_needs() {
    if !not_in(Engine::Webkit, "its driver opens no files") {
        return;
    }
    let page = Page::blank(false);
    let root = dist().parent().expect("the project").to_path_buf();
    let file = |path: &str| format!("file://{}", root.join(path).display());
    page.look_at(&file("tests/browser/decks/seen.html"));
    page.wait_within(PATIENCE * 3, "the element is there", "return customElements.get('zab-scope') !== undefined");
    let said = run(&page, "return (await $('run').state()).scenario");
    assert_eq!(said, json!("leader-crash-under-load"));
    if !only_in(Engine::Chromium, "under its driver Firefox opens modules from a disk too") {
        return;
    }
    page.look_at(&file("dist/index.html?lang=en"));
    page.wait_until(
        "it says what it needs",
        "return document.querySelector('[role=alert]')?.textContent.includes('zabscope.html')",
    );
    let text = page.js("return document.querySelector('[role=alert]').textContent", &[]);
    assert!(text.as_str().is_some_and(|text| !text.contains("sandbox")), "{text}");
}
