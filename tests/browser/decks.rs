//! The element in other tools than reveal.js: `scripts/test all decks`, which `scripts/decks` fetches them for.

use std::process::Command;

use serde_json::json;

use crate::embed::{click, key, run, wait};
use crate::harness::{Engine, PATIENCE, Page, only_in};

/// A page of one of the tools, ready.
fn open(file: &str) -> Page {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/decks");
    let fetched = Command::new(script).output().unwrap_or_else(|error| panic!("{script} does not start: {error}"));
    let why = String::from_utf8_lossy(&fetched.stderr);
    assert!(fetched.status.success(), "scripts/decks, which fetches the tools from npm for this test, failed: {why}");
    let page = Page::open_sized("", 1280, 720);
    page.host(file);
    page
}

fn ready(page: &Page) {
    page.wait_within(PATIENCE * 3, "the tool is ready", "return document.documentElement.dataset.ready");
}

#[test]
fn react_takes_over_what_the_server_made_and_sets_properties() {
    let page = open("tests/browser/decks/react.html");
    ready(&page);
    let kept = run(&page, "return [errors, before === $('server'), $('server').getAttribute('step')]");
    assert_eq!(kept, json!([[], true, "8"]));
    let opened = "const s = await $('server').state(); return [s.turn, s.playing]";
    assert_eq!(run(&page, opened), json!([8, false]));
    run(&page, "frame('server').mark = 1; site.setStep('4'); site.setThere(true)");
    wait(&page, "it goes to the other milestone", "state('server').turn === 4");
    wait(&page, "the others are there", "$('client') && $('lesson')");
    // what it hands over as properties has arrived, and the methods of these names are there still
    let client = "const s = await $('client').state(); return [s.turn, s.playing, $('client').getAttribute('step')]";
    assert_eq!(run(&page, client), json!([3, false, "3"]));
    run(&page, "await $('client').step(2)");
    assert_eq!(run(&page, "return (await $('client').state()).turn"), json!(5));
    let lesson = "const { lesson } = await $('lesson').state(); return [lesson.id, lesson.index, $('lesson').getAttribute('facts')]";
    assert_eq!(run(&page, lesson), json!(["zab-broadcast", 2, "none"]));
    assert_eq!(run(&page, "return frame('server').mark"), json!(1), "it was loaded again");
    page.assert_no_errors();
}

#[test]
fn vue_sets_properties() {
    let page = open("tests/browser/decks/vue.html");
    ready(&page);
    let opened = "const s = await $('run').state(); return [s.turn, s.playing, $('run').getAttribute('facts')]";
    assert_eq!(run(&page, opened), json!([8, false, "none"]));
    assert_eq!(run(&page, "return (await $('lesson').state()).lesson.index"), json!(2));
    run(&page, "step.value = '4'");
    wait(&page, "it goes to the other milestone", "state('run').turn === 4");
    page.assert_no_errors();
}

#[test]
fn a_neighbour_in_impress_waits_for_its_step() {
    if !only_in(Engine::Chromium, "its developer tools press keys") {
        return;
    }
    let page = open("tests/browser/decks/impress.html");
    ready(&page);
    let now = "const s = await $('run').state(); return [s.shown, s.time_us]";
    let before = run(&page, now);
    assert_eq!(before[0], json!(false));
    std::thread::sleep(PATIENCE / 10);
    assert_eq!(run(&page, now), before, "it plays beside the step that is shown");
    key(&page, "ArrowRight", 39);
    wait(&page, "it plays in its step", &format!("state('run').time_us > {}", before[1]));
    page.assert_no_errors();
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
    let at = run(&page, "await new Promise((done) => setTimeout(done, 500)); return state('run').time_us");
    std::thread::sleep(PATIENCE / 20);
    assert_eq!(run(&page, "return state('run').time_us"), at);
    // its lower edge lies above that of the slide's text
    let ends = "const slide = $('flat').closest('section'), one = $('flat');
        return [one.offsetHeight, one.getBoundingClientRect().bottom, slide.getBoundingClientRect().bottom]";
    let ends = run(&page, ends);
    assert!(ends[1].as_f64() < ends[2].as_f64() && ends[0].as_f64() > Some(300.0), "{ends}");
    page.assert_no_errors();
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
    wait(&page, "the last slide", "location.hash.endsWith('4')");
    wait(&page, "it gives the focus back", "document.activeElement !== $('run')");
    // fonts and an icon from elsewhere are not to be had here
    page.console();
}
