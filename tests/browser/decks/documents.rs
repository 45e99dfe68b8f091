//! The element in pages of MkDocs, mdBook and Docusaurus, and the package `zabscope-embed` as npm installs it: there in React, and in Vue
//! by Vite.

use serde_json::json;

use super::{assert_stands, open, press_play, turned};
use crate::embed::{key, run, wait};
use crate::harness::{Engine, Page, only_in};
use crate::paper::printed;
use crate::seen::shown;

/// What every tool has to let through: a page with `run`, which plays, `packed`, which stands at its eighth milestone, much below them, and a
/// link to a page with `paper`.
fn walked(page: &Page) {
    let both = "$('run')?.shadowRoot && inside('run').zabscope && inside('packed').zabscope";
    wait(page, "both programs run", both);
    assert_eq!(run(page, "const s = await $('packed').state(); return [s.turn, s.playing]"), json!([8, false]));
    shown(page, "run", true);
    wait(page, "it plays", "state('run').playing && state('run').time_us > 1350000");
    press_play(page, "run");
    // keys reach the page around it
    run(page, "window.heard = []; document.addEventListener('keydown', ({ key }) => heard.push(key))");
    wait(page, "the frame has the focus", "document.activeElement === $('run')");
    key(page, "PageDown", 34);
    wait(page, "the key is handed over", "heard.includes('PageDown')");
    run(page, "await $('run').play(); document.scrollingElement.scrollTo({ top: 1e6, behavior: 'instant' })");
    shown(page, "run", false);
    wait(page, "it gives the focus back", "document.activeElement !== $('run')");
    assert_stands(page, "run");
    let at =
        run(page, "document.scrollingElement.scrollTo({ top: 0, behavior: 'instant' }); return state('run').time_us");
    shown(page, "run", true);
    wait(page, "it goes on", &format!("state('run').time_us > {at}"));
    // another page, by a link, and back: whatever of the page stays
    follow(page, "And then");
    wait(page, "its program runs", "$('paper')?.shadowRoot && inside('paper').zabscope");
    assert_eq!(
        run(page, "const s = await $('paper').state(); return [s.time_us, s.playing]"),
        json!([1_035_000, false])
    );
    let sheets = printed(page, "document", json!({ "printBackground": true }));
    assert_eq!(sheets.len(), 1);
    sheets[0].assert_has_the_stage("on paper");
    follow(page, "Back");
    wait(page, "both programs run again", both);
    shown(page, "run", true);
}

/// Presses a link of the page's text.
fn follow(page: &Page, words: &str) {
    let link = format!(
        "[...document.querySelectorAll('main a, article a')].find((one) => one.textContent.trim() === '{words}')"
    );
    wait(page, "the link is there", &link);
    run(page, &format!("{link}.click()"));
}

#[test]
fn mkdocs_material_plays_what_is_seen() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = open("target/decks/mkdocs/site/index.html");
    walked(&page);
    page.assert_no_errors();
}

#[test]
fn mdbook_plays_what_is_seen_and_turns_its_pages() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = open("target/decks/mdbook/book/index.html");
    walked(&page);
    // its own keys are arrows, which come out of the frame too
    press_play(&page, "run");
    wait(&page, "the frame has the focus", "document.activeElement === $('run')");
    key(&page, "ArrowRight", 39);
    wait(&page, "the next page", "location.pathname.endsWith('then.html')");
    wait(&page, "its program runs", "$('paper')?.shadowRoot && inside('paper').zabscope");
    page.assert_no_errors();
}

/// The page comes out of the package, as the tool has put it into its folder, not from beside a script of ours.
fn assert_packed(page: &Page, folder: &str) {
    let from = run(page, "return frame('packed').src");
    let from = from.as_str().unwrap_or_default();
    assert!(from.contains(folder) && from.contains(".html?"), "{from}");
}

#[test]
fn docusaurus_plays_what_is_in_the_package() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = open("target/decks/docusaurus/build/");
    walked(&page);
    assert_packed(&page, "decks/docusaurus/build/");
    run(&page, "window.turns = []; await $('packed').step(2)");
    wait(&page, "React hears the event", "window.turns.at(-1) === 10");
    page.assert_no_errors();
}

#[test]
fn vue_plays_what_is_in_the_package() {
    let page = open("target/decks/vite/deck/index.html");
    wait(&page, "the program runs", "$('packed')?.shadowRoot && inside('packed').zabscope");
    assert_packed(&page, "decks/vite/deck/");
    assert_eq!(run(&page, "const s = await $('packed').state(); return [s.turn, s.playing]"), json!([8, false]));
    assert_eq!(run(&page, "return [one.value === $('packed'), $('packed').className]"), json!([true, "wide"]));
    run(&page, "frame('packed').mark = 1; step.value = 4");
    turned(&page, "packed", 4);
    run(&page, "await one.value.step(2)");
    wait(&page, "Vue hears the event", "turns.at(-1) === 6");
    assert_eq!(run(&page, "return [frame('packed').mark, $('packed').textContent]"), json!([1, "A leader dies"]));
    page.assert_no_errors();
}
