//! Databases' tables on the stage.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::harness::{Page, words};
use zabscope::i18n::Lang;

/// The words that are drawn within the first database's card, and how large that is on the stage.
const DRAWN: &str = "const card = document.querySelector('.card[data-server=D1]').getBoundingClientRect();
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const all = [...document.querySelectorAll('svg.ground text')].map((it) => [it.textContent, it.getBoundingClientRect()]);
    const inside = (box) => box.left >= card.left && box.right <= card.right && box.top >= card.top && box.bottom <= card.bottom;
    return { words: all.filter(([, box]) => inside(box)).map(([text]) => text), outside: all.filter(([, box]) => !inside(box)).length,
        share: card.width * card.height / (stage.width * stage.height), covered: all.filter(([, box]) => inside(box)).some(([, box]) => {
            const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return !at || !at.closest('[data-server=D1]'); }) };";

#[test]
fn a_databases_card_shows_its_tables_and_who_waits_in_both_languages() {
    for (lang, name) in [(Lang::En, "en"), (Lang::Zh, "zh")] {
        for (width, height, least) in [(1280, 720, 0.55), (960, 540, 0.5), (390, 844, 0.4)] {
            let page =
                Page::open_sized(&format!("?lang={name}&scenario=sql-for-update&paused=1&t=200"), width, height);
            page.wait_until("tables", "return !!document.querySelector('.card.panel[data-server=D1]')");
            let drawn = page.js(DRAWN, &[]);
            let has = |word: &str| drawn["words"].as_array().is_some_and(|all| all.contains(&json!(word)));
            let all = ["D1", "resource", "val", "version", "writer", "C1", "C2", "C3", words::of(lang).table_waits];
            assert!(all.iter().all(|word| has(word)), "{name} {width}x{height}: {drawn}");
            assert!(drawn["share"].as_f64().is_some_and(|share| share >= least), "{name} {width}x{height}: {drawn}");
            assert_eq!(
                (&drawn["covered"], &drawn["outside"]),
                (&Value::Bool(false), &json!(0)),
                "{name} {width}x{height}: {drawn}"
            );
            page.assert_no_errors();
        }
    }
    let page = Page::open("?lang=en&scenario=sql-for-update&paused=1&t=200");
    page.js("document.querySelector('[data-server=D1]').click()", &[]);
    page.wait_until("its menu", "return !!document.querySelector('.menu')");
    page.keys(&Key::Escape);
    page.assert_no_errors();
}
