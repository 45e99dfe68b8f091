//! The element on slides of Marp and Slidev, and very many in one deck; reveal.js has `embed`, `seen` and `paper`.

use serde_json::json;

use super::{assert_quiet, assert_stands, open, press_play};
use crate::embed::{click, key, run, wait};
use crate::harness::{Engine, PATIENCE, Page, only_in};
use crate::paper::printed;
use crate::seen::shown;

/// The slide with two elements: each is driven apart, each hears its own presses.
fn two_on_one_slide(page: &Page) {
    wait(page, "both run", "$('left')?.shadowRoot && inside('left').zabscope && inside('right').zabscope");
    for id in ["left", "right"] {
        shown(page, id, true);
        press_play(page, id);
    }
    run(page, "await $('left').pause(); await $('right').pause(); await $('left').seek(1500)");
    assert_eq!(
        run(page, "return [state('left').time_us, state('right').time_us === 1500000]"),
        json!([1_500_000, false])
    );
    press_play(page, "right");
    assert_eq!(run(page, "return state('left').playing"), json!(false));
    run(page, "await $('right').pause()");
}

#[test]
fn marp_shows_all_of_it_below_a_heading_and_plays_the_current_slide() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = open("target/decks/marp.html");
    wait(
        &page,
        "both programs run",
        "customElements.get('zab-scope') && inside('run').zabscope && inside('flat').zabscope",
    );
    assert_eq!(run(&page, "return (await $('run').state()).shown"), json!(false));
    key(&page, "PageDown", 34);
    wait(&page, "it plays", "state('run').playing && state('run').time_us > 1350000");
    click(&page, 640, 90);
    wait(&page, "the frame has the focus", "document.activeElement === $('run')");
    key(&page, "PageDown", 34);
    wait(&page, "the next slide", "$('flat').checkVisibility({ visibilityProperty: true, opacityProperty: true })");
    wait(&page, "it gives the focus back", "document.activeElement === document.body");
    shown(&page, "run", false);
    assert_stands(&page, "run");
    // its lower edge lies above that of the slide's text
    let ends = "const slide = $('flat').closest('section'), one = $('flat');
        return [one.offsetHeight, one.getBoundingClientRect().bottom, slide.getBoundingClientRect().bottom]";
    let ends = run(&page, ends);
    assert!(ends[1].as_f64() < ends[2].as_f64() && ends[0].as_f64() > Some(300.0), "{ends}");
    // back again it goes on, and a press on its slide, which is smaller than it was written, hits what lies there
    key(&page, "PageUp", 33);
    shown(&page, "run", true);
    wait(&page, "it plays on", &format!("state('run').time_us > {}", run(&page, "return state('run').time_us")));
    page.resize(800, 450);
    press_play(&page, "run");
    for _ in 0..2 {
        key(&page, "PageDown", 34);
    }
    two_on_one_slide(&page);
    assert_quiet(&page);
}

#[test]
fn slidev_plays_the_current_slide_and_hands_over_all_attributes() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = open("target/decks/slidev/deck/index.html");
    page.wait_within(PATIENCE * 3, "the deck is ready", "return document.querySelector('#slide-content')");
    key(&page, "ArrowRight", 39);
    wait(&page, "the program runs", "$('flat')?.shadowRoot && inside('flat').zabscope");
    let opened = "const s = await $('flat').state(); return [s.turn, s.playing, $('flat').getAttribute('step')]";
    assert_eq!(run(&page, opened), json!([8, false, "8"]));
    // below its slide's lower edge nothing is seen; parts of a pixel are the scale's
    let ends = run(&page, "return [Math.floor($('flat').getBoundingClientRect().bottom), innerHeight]");
    assert!(ends[0].as_u64() <= ends[1].as_u64(), "{ends}");
    key(&page, "ArrowRight", 39);
    wait(&page, "it plays", "$('run')?.shadowRoot && state('run').playing && state('run').time_us > 1350000");
    click(&page, 640, 90);
    wait(&page, "the frame has the focus", "document.activeElement === $('run')");
    key(&page, "PageDown", 34);
    wait(&page, "the next slide", "location.hash.endsWith('4')");
    wait(&page, "it gives the focus back", "document.activeElement !== $('run')");
    key(&page, "PageUp", 33);
    wait(&page, "it plays again", "$('run')?.shadowRoot && inside('run').zabscope && state('run').playing");
    shown(&page, "run", true);
    key(&page, "PageDown", 34);
    // smaller than it was written; the button on the slide before lies below Slidev's own bar
    page.resize(800, 450);
    two_on_one_slide(&page);
    // fonts and an icon from elsewhere are not to be had here
    page.console();
}

#[test]
fn marp_prints_what_nobody_has_seen() {
    if !only_in(Engine::Chromium, "its developer tools print") {
        return;
    }
    let page = open("target/decks/marp.html");
    wait(
        &page,
        "all programs run",
        "customElements.get('zab-scope') && ['run', 'flat', 'left', 'right'].every((id) => inside(id).zabscope)",
    );
    run(
        &page,
        "await $('run').pause(); await $('run').seek(1035); for (const id of ['flat', 'left', 'right']) await $(id).state()",
    );
    let sheets = printed(&page, "marp", json!({ "printBackground": true, "preferCSSPageSize": true }));
    // and the slide with two, on which no packet is on its way
    assert_eq!(sheets.len(), 3);
    sheets[..2].iter().for_each(|sheet| sheet.assert_has_the_stage("Marp"));
    assert_quiet(&page);
}

#[test]
fn slidev_prints_its_slide() {
    if !only_in(Engine::Chromium, "its developer tools print") {
        return;
    }
    let page = open("target/decks/slidev/deck/index.html#/3");
    page.wait_within(PATIENCE * 3, "the deck is ready", "return document.querySelector('#slide-content')");
    wait(&page, "the program runs", "$('run')?.shadowRoot && inside('run').zabscope");
    run(&page, "await $('run').pause(); await $('run').seek(1035)");
    let sheets = printed(&page, "slidev", json!({ "printBackground": true, "landscape": true }));
    assert!(!sheets.is_empty(), "nothing is printed");
    sheets[0].assert_has_the_stage("Slidev");
    // fonts and an icon from elsewhere are not to be had here
    page.console();
}

/// The most that a page's code may need, bytes: a run of some seconds.
const ONE: f64 = 48e6;

#[test]
fn sixty_in_a_deck_are_walked_through_in_bounded_memory() {
    if !only_in(Engine::Chromium, "its developer tools press keys") {
        return;
    }
    let page = open("target/decks/sixty.html");
    let opened = "return [...document.querySelectorAll('zab-scope')].filter((one) => one.shadowRoot.querySelector('iframe')).length";
    let needed = "return [...document.querySelectorAll('zab-scope')].map((one) => one.shadowRoot.querySelector('iframe')?.contentWindow.zabscope?.memory() ?? 0)
        .reduce((sum, one) => sum + one)";
    let (mut most, mut memory) = (0, 0.0_f64);
    for index in 1..=60 {
        wait(&page, "its slide runs", &format!("$('e{index}')?.shadowRoot && inside('e{index}').zabscope"));
        shown(&page, &format!("e{index}"), true);
        most = most.max(run(&page, opened).as_u64().expect("a number"));
        memory = memory.max(run(&page, needed).as_f64().expect("bytes"));
        if index < 60 {
            key(&page, "PageDown", 34);
        }
    }
    println!("sixty slides: at most {most} pages open, {:.0} MB of WebAssembly", memory / 1e6);
    assert!((10..=26).contains(&most), "{most} pages are open");
    assert!(memory < 26.0 * ONE, "{memory} bytes");
    assert_quiet(&page);
}
