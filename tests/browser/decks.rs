//! The element in other tools than reveal.js, pictures in other programs: `scripts/test all decks`, which `scripts/decks` fetches them for.

#[path = "decks/documents.rs"]
mod documents;
#[cfg(feature = "picture")]
#[path = "decks/drawn.rs"]
mod drawn;
#[path = "decks/notebook.rs"]
mod notebook;
#[path = "decks/slides.rs"]
mod slides;

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

/// Presses the button that plays and pauses, where it is on the screen: whatever a deck makes smaller, a press has to reach what lies there.
fn press_play(page: &Page, id: &str) {
    let place = format!(
        "const at = frame('{id}').getBoundingClientRect(), scale = at.width / frame('{id}').clientWidth;
         const one = inside('{id}').document.querySelector('.round.play').getBoundingClientRect();
         return [at.left + scale * (one.left + one.width / 2), at.top + scale * (one.top + one.height / 2)]"
    );
    let place = run(page, &place);
    let before = run(page, &format!("return state('{id}').playing"));
    let whole = |at: usize| place[at].as_f64().expect("pixels").round() as u32;
    click(page, whole(0), whole(1));
    wait(page, "the press plays or pauses", &format!("state('{id}').playing !== {before}"));
}

/// Waits until it stands at a milestone, which only the element tells.
fn turned(page: &Page, id: &str, turn: u64) {
    run(page, "window.turn_now = null");
    let told = format!(
        "($('{id}').state().then((state) => {{ window.turn_now = state.turn }}), window.turn_now === {turn})"
    );
    wait(page, &format!("{id} is at milestone {turn}"), &told);
}

/// What the console shows is the tool's own: its deprecated tags, an icon that it lacks, and sizes that a deck changes while they are
/// looked at.
fn assert_quiet(page: &Page) {
    let wrong = |line: &String| line.starts_with("SEVERE") || line.starts_with("WARNING");
    let known = |line: &String| {
        ["ResizeObserver loop", "apple-mobile-web-app-capable", "/favicon.ico - Failed"]
            .iter()
            .any(|part| line.contains(part))
    };
    let lines: Vec<_> = page.console().into_iter().filter(|line| wrong(line) && !known(line)).collect();
    assert!(lines.is_empty(), "the console shows:\n{}", lines.join("\n"));
}

/// Time stands in it for as long as a reader would notice.
fn assert_stands(page: &Page, id: &str) {
    let now = format!("return state('{id}').time_us");
    let at = run(page, &now);
    std::thread::sleep(PATIENCE / 20);
    assert_eq!(run(page, &now), at, "{id} plays");
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
    turned(&page, "server", 4);
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
    turned(&page, "run", 4);
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
