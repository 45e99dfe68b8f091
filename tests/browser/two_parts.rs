//! The page's code comes in two parts (docs/development.md): the first shows and plays the first picture without the second.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Edition, PATIENCE, Page, dist, en};

/// Whether the second part has come.
const THERE: &str = "return performance.getEntriesByType('resource').some((entry) => \
                     entry.name.endsWith('_second.wasm') && entry.responseEnd > 0)";
const LOOKING: &str = "return document.querySelector('.card')?.textContent.includes('looking') ?? false";
/// How long the first part plays before it is asked what it used: the first votes have been counted by then.
const A_WHILE: Duration = Duration::from_millis(1500);

#[test]
fn the_first_picture_plays_before_the_second_part_has_come() {
    let page = Page::blank(false);
    page.serve(Edition::Waiting);
    page.goto("");
    page.wait_until("a server that looks for a leader", LOOKING);
    page.wait_until("the run goes on", "return parseFloat(document.querySelector('.clock').textContent) > 0.02");
    assert_eq!(
        page.js(THERE, &[]),
        json!(false),
        "the first part was to be enough: scripts/first-picture renews its list"
    );
    page.serve(Edition::Built);
    page.wait_until("the second part", THERE);
    page.find("button", en().share).click();
    page.find("dialog", "");
    page.assert_no_errors();
}

#[test]
fn a_first_visit_shows_its_stage_before_the_second_part_has_come() {
    let page = Page::blank(false);
    page.forget_visits();
    page.serve(Edition::Waiting);
    page.goto("");
    page.wait_until("a server", "return document.querySelector('.card') !== null");
    page.wait_until("it says that there is more to come", "return document.querySelector('.coming') !== null");
    page.find("button", en().play).click();
    page.wait_until("it plays", "return parseFloat(document.querySelector('.clock').textContent) > 0.02");
    // what needs the second part waits for it, and holds nothing up
    page.find("button", en().share).click();
    assert_eq!(
        page.js(THERE, &[]),
        json!(false),
        "the first part was to be enough: scripts/first-picture renews its list"
    );
    page.serve(Edition::Built);
    page.find("dialog", "");
    page.assert_no_errors();
}

#[test]
fn a_second_part_that_does_not_come_is_asked_for_again() {
    let page = Page::blank(false);
    page.forget_visits();
    page.serve(Edition::Lacking);
    page.goto("");
    let asked = || page.asked().iter().filter(|path| path.ends_with("_second.wasm")).count();
    let end = Instant::now() + PATIENCE;
    while asked() < 2 {
        assert!(Instant::now() < end, "nobody asked again");
        std::thread::sleep(Duration::from_millis(50));
    }
    page.find("button", en().share).click();
    page.serve(Edition::Built);
    page.find("dialog", "");
}

#[test]
fn what_needs_the_second_part_waits_for_it() {
    let page = Page::blank(false);
    page.goto("?scenario=lock-predecessor&clients=3&t=0&lang=zh-Hans");
    page.wait_until("a server", "return document.querySelector('.card') !== null");
    assert_eq!(page.js(THERE, &[]), json!(true));
    page.assert_no_errors();
}

/// Writes the list of functions that the first picture needs (`scripts/first-picture`, which builds a page that remembers them).
#[test]
#[ignore = "writes scripts/first-picture.txt"]
fn list_what_the_first_picture_needs() {
    let names = fs::read_to_string(dist().join("names.txt")).expect("a build of scripts/first-picture");
    let names: Vec<&str> = names.lines().collect();
    let page = Page::blank(false);
    let mut used = BTreeSet::new();
    let mut visit = |shown: &str, condition: &str| {
        page.goto("");
        page.wait_until(shown, condition);
        for _ in 0..2 {
            page.js("document.querySelector('.play').click()", &[]);
            std::thread::sleep(A_WHILE);
        }
        let ran = page.js("return [...new Uint8Array(firstPart.marks.buffer)].join('')", &[]);
        let ran = ran.as_str().expect("a digit for each function").to_owned();
        let ran = names.iter().zip(ran.bytes()).filter(|(name, ran)| *ran == b'1' && !name.is_empty());
        used.extend(ran.map(|(name, _)| *name));
    };
    for (width, height) in [(1440, 900), (800, 600), (390, 844)] {
        page.resize(width, height);
        // a first visit stands still until its lesson is there
        page.forget_visits();
        visit("a server", "return document.querySelector('.card') !== null");
        visit("a server that looks for a leader", LOOKING);
    }
    let list: String = used.iter().map(|name| format!("{name}\n")).collect();
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/first-picture.txt"), list).expect("a list");
}
