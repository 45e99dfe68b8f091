//! Questions that are answered with several things at once, on the stage, or about a run of one's own: by keys and by pointer.

use serde_json::json;
use zabscope::i18n::Lang;
use zabscope::lessons::{LESSONS, Lesson};

use crate::harness::{Element, PATIENCE, Page, en, words};
use crate::lessons::lesson;

const RIGHT: &str = "\u{E014}";
const ENTER: &str = "\u{E007}";
const UP: &str = "\u{E013}";

/// A lesson at a question that waits for its answer.
fn asked(query: &str) -> Page {
    let page = lesson(query);
    page.wait_until("the lesson asks", "return !!document.querySelector('.lesson-answer')");
    page
}

/// What stands below the sentence, once what happened is told.
fn told(page: &Page) -> String {
    page.wait_within(PATIENCE * 6, "what happened is said", "return !!document.querySelector('.lesson-told')");
    page.js("return document.querySelector('.lesson-told').innerText", &[]).as_str().unwrap_or("").to_string()
}

/// What one answers with.
fn fields<'page>(page: &'page Page, role: &str) -> Vec<Element<'page>> {
    let answers = |one: &Element| one.js("return !!it.closest('.lesson-answer')") == json!(true);
    page.find_all(role, "").into_iter().filter(answers).collect()
}

/// The rows of the table: what was expected, what it was.
fn rows(page: &Page) -> [Vec<String>; 2] {
    ["you", "did"].map(|row| {
        let cells = format!(
            "return [...document.querySelectorAll('.foretold .{row} td')].map(cell => cell.innerText.trim())"
        );
        let cells = page.js(&cells, &[]);
        cells.as_array().into_iter().flatten().filter_map(|cell| cell.as_str().map(String::from)).collect()
    })
}

#[test]
fn a_curve_is_drawn_by_keys_and_stands_beside_what_the_runs_did() {
    let page = asked("lesson=lock-herd&beat=handover");
    let sliders = fields(&page, "slider");
    assert!(sliders.len() >= 2, "{}", sliders.len());
    for slider in &sliders {
        for _ in 0..20 {
            slider.keys(UP);
        }
    }
    page.find("button", en().lesson_answer).click();
    told(&page);
    page.wait_within(
        PATIENCE * 6,
        "all runs are played",
        "return ![...document.querySelectorAll('.foretold .did td')].some(cell => cell.innerText.includes('…'))",
    );
    let [you, did] = rows(&page);
    assert_eq!((you.len(), did.len()), (sliders.len(), sliders.len()));
    let read = |row: &[String]| row.iter().map(|cell| cell.parse().expect("a number")).collect::<Vec<i64>>();
    assert!(read(&you).iter().all(|drawn| *drawn > 1), "each step is another number: {you:?}");
    let numbers = read(&did);
    assert!(numbers.is_sorted() && numbers[0] > 0, "{numbers:?}");
    page.assert_no_errors();
}

#[test]
fn chips_are_laid_until_none_is_left() {
    let page = asked("lesson=lock-herd&beat=waiting");
    let answer = page.find("button", en().lesson_answer);
    assert_eq!(answer.property("disabled"), json!(true));
    let sliders = fields(&page, "slider");
    for _ in 0..12 {
        sliders[0].keys(UP);
    }
    assert!(page.text().contains(words::fill(en().lesson_chips, &[&0])));
    // there are ten in all
    sliders[1].keys(UP);
    assert_eq!(sliders[1].property("value"), json!("0"));
    answer.click();
    told(&page);
    let [you, did] = rows(&page);
    assert_eq!(you[0], words::fill(en().lesson_bet, &[&20, &20]));
    assert_eq!(did.len(), you.len());
    page.assert_no_errors();
}

#[test]
fn cards_are_laid_into_bins() {
    let page = asked("lesson=zk-stat&beat=six");
    let lists = fields(&page, "combobox");
    assert!(lists.len() >= 2);
    for list in &lists {
        list.js("it.selectedIndex = 1; it.dispatchEvent(new Event('change', { bubbles: true }))");
    }
    page.find("button", en().lesson_answer).click();
    told(&page);
    let [you, did] = rows(&page);
    assert!(you.iter().all(|cell| *cell == you[0]) && !did.iter().all(|cell| *cell == did[0]), "{you:?} {did:?}");
    page.assert_no_errors();
}

#[test]
fn a_deed_is_placed_and_the_run_with_it_opens() {
    let page = asked("lesson=zab-recovery-keep&beat=when");
    let sliders = fields(&page, "slider");
    sliders[0].keys(RIGHT);
    sliders[0].keys(RIGHT);
    page.find("button", en().lesson_answer).click();
    told(&page);
    let [you, did] = rows(&page);
    assert_eq!(you.iter().filter(|cell| **cell == en().lesson_yes).count(), 1, "{you:?}");
    assert!(did.contains(&en().lesson_yes.to_string()) && did.contains(&en().lesson_no.to_string()), "{did:?}");
    page.keys("v");
    page.find("button", en().lesson_alone);
    page.assert_no_errors();
}

#[test]
fn what_is_built_has_a_run_of_its_own() {
    let page = asked("lesson=zab-heartbeat&beat=tuned");
    page.keys("1");
    assert!(told(&page).contains(en().lesson_yes));
    page.assert_no_errors();
}

#[test]
fn who_decides_in_a_machines_place_sees_which_one_it_is() {
    let page = asked("lesson=zab-election&beat=fresh");
    assert!(page.text().contains(words::fill(en().lesson_you_are, &[&"S2"])));
    let marked = "return [...document.querySelectorAll('.asked.yours')].length";
    assert_eq!(page.js(marked, &[]), json!(1));
    page.keys("1");
    assert!(told(&page).contains(en().lesson_right));
    page.assert_no_errors();
}

#[test]
fn machines_are_picked_on_the_stage() {
    let page = asked("lesson=zab-roles&beat=read");
    page.wait_until("it asks on the stage", "return !!document.querySelector('.asked')");
    let cards =
        page.find_all("button", "").into_iter().filter(|one| one.js("return it.matches('.asked')") == json!(true));
    let cards: Vec<_> = cards.collect();
    let picked = "return document.querySelectorAll('.lesson-answer [aria-pressed=true]').length";
    cards[0].click();
    page.wait_until("it is picked", "return !!document.querySelector('.asked.yours')");
    assert_eq!(page.js(picked, &[]), json!(1));
    // once more, and it is not
    cards[0].click();
    page.wait_until("it is left", "return !document.querySelector('.asked.yours')");
    cards[1].click();
    page.find("button", en().lesson_answer).click();
    told(&page);
    page.assert_no_errors();
}

#[test]
fn a_lesson_asks_about_a_run_of_ones_own_and_leads_back() {
    let page = asked("lesson=first-minute&beat=dies");
    page.js("zabscope.act({ do: 'crash', server: Number(zabscope.state().servers.find(one => String(one.role).toUpperCase() === 'LEADING').id) })", &[]);
    page.find("button", en().lesson_own).click();
    page.wait_for_words(".band", en().lesson_mine);
    page.find("button", en().lesson_return).click();
    page.wait_until("the lesson is back", "return !!document.querySelector('.lesson-way')");
    assert!(!page.text().contains(en().lesson_mine));
    page.assert_no_errors();
}

#[test]
fn the_end_says_what_is_often_read_otherwise_and_leads_to_where_it_was_seen() {
    let (_, text) = LESSONS.iter().find(|(id, _)| *id == "zab-election").expect("a lesson");
    let end = Lesson::from_json(text).expect("it can be read").places() + 1;
    for (tag, words) in [("en", en()), ("zh", words::of(Lang::Zh))] {
        let page = Page::open(&format!("?lang={tag}&lesson=zab-election&beat={end}"));
        page.find("heading", words.lesson_otherwise);
        page.find_all("button", words.lesson_look)[0].keys(ENTER);
        page.wait_until("it asks again", "return !!document.querySelector('.lesson-answer')");
        assert!(!page.text().contains(words.lesson_otherwise));
        page.assert_no_errors();
    }
}
