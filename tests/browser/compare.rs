//! Any run beside the one on the stage, with one clock.

use serde_json::json;
use zabscope::i18n::{Lang, rule_about};
use zabscope::sim::Rule;

use crate::harness::{PATIENCE, Page, en, words};

/// A run of one crash and some writes, standing, with the form for a comparison open.
fn form() -> Page {
    let page = Page::open("?lang=en&scenario=leader-crash-under-load&paused=1&t=0");
    page.js("zabscope.seek(1000)", &[]);
    open_form(&page);
    page
}

fn open_form(page: &Page) {
    page.find("button", en().compare).click();
    page.find("dialog", en().compare_form);
}

fn choose(page: &Page, list: &str, value: &str) {
    let end = std::time::Instant::now() + PATIENCE;
    let found = loop {
        // a dialog's list comes after the page's own of the same name
        if let Some(found) = page.find_all("combobox", list).pop() {
            break found;
        }
        assert!(std::time::Instant::now() < end, "no list {list}:\n{}", page.outline());
    };
    found.js(&format!(
        "arguments[0].value = '{value}'; arguments[0].dispatchEvent(new Event('change', {{bubbles: true}}))"
    ));
}

#[test]
fn the_same_run_with_slower_links_parts_and_one_can_go_there_and_keep_it() {
    let page = form();
    choose(&page, en().compare_what, "3"); // slower or faster links
    page.find("button", en().compare_start).click();
    page.find("region", en().compare_title);
    page.wait_for_words(".parting p", words::start(en().compare_part, &[&"0.0"]));
    // what differs by more than a tenth is marked, what is the same is not
    page.js("zabscope.seek(2500)", &[]);
    assert_eq!(
        page.js("return document.querySelector('.compare table')", &[]),
        json!(null),
        "numbers are folded away"
    );
    page.find("button", en().compare_numbers).click();
    page.wait_until("marks", "return document.querySelectorAll('.compare tr.differs').length >= 3");
    let same = page.js(
        "return [...document.querySelectorAll('.compare tbody tr')].every(row => {
             const [left, right] = [1, 2].map(at => row.cells[at].innerText);
             const [a, b] = [left, right].map(text => parseFloat(text) * (/\\d s$/.test(text) ? 1000 : 1));
             // what is shown is rounded
             const near = Math.abs(Math.abs(a - b) * 10 - Math.max(a, b)) < Math.max(a, b) * 0.05 + 1;
             return near || row.classList.contains('differs') === (isNaN(a + b) ? left !== right : Math.abs(a - b) * 10 > Math.max(a, b));
         })",
        &[],
    );
    assert_eq!(same, json!(true));
    page.find("button", en().compare_go_there).click();
    let at = page.js("return zabscope.state().time_us", &[]).as_u64().unwrap();
    assert!((1..100_000).contains(&at), "{at}");
    // only the right one: its digest, its latency, its moment
    page.js("zabscope.seek(2500)", &[]);
    let left = page.js("return zabscope.digest()", &[]);
    page.find("button", en().compare_only_right).click();
    page.wait_until("one run", "return document.querySelector('.right-stage') === null");
    assert_ne!(page.js("return zabscope.digest()", &[]), left);
    assert_eq!(page.js("return zabscope.state().time_us", &[]), json!(2_500_000));
    page.assert_no_errors();
}

#[test]
fn a_file_the_scenario_itself_and_a_broken_rule_stand_beside_a_run() {
    let page = form();
    choose(&page, en().compare_what, "8"); // a file
    page.find("button", en().compare_start).click();
    assert!(page.find("alert", "").text().contains(en().compare_no_file));
    let put = |text: &str| {
        page.js(
            "const data = new DataTransfer();
             data.items.add(new File([arguments[0]], 'mine.json', {type: 'application/json'}));
             document.querySelector('input[type=file]').files = data.files;",
            &[text.into()],
        );
        page.find("button", en().compare_start).click();
    };
    put("[1, 2");
    let other = json!(en().compare_no_file);
    let wrong = "document.querySelector('.wrong').innerText";
    page.wait_until("a sentence", &format!("return {wrong}.length > 10 && !{wrong}.includes({other})"));
    assert!(page.find_all("region", en().compare_title).is_empty());
    put(r#"{"version":4,"seed":5,"setup":{"voters":3},"actions":[]}"#);
    page.find("region", en().compare_title);
    page.wait_for_words(".parting p", words::start(en().compare_part, &[]));
    assert!(page.text().contains("mine.json"));
    page.find("button", en().compare_only_left).click();
    // the scenario beside itself
    open_form(&page);
    choose(&page, en().compare_what, "0");
    choose(&page, en().scenario, "leader-crash-under-load");
    page.find("button", en().compare_start).click();
    page.wait_for_words(".parting p", words::start(en().compare_same, &[]));
    // a crash on the left is one on the right: they stay the same
    page.find_all("button", words::server("S1", "following"))[0].click();
    page.find("menuitem", en().act_crash).click();
    page.js("zabscope.seek(1500)", &[]);
    page.wait_for_words(".parting p", words::start(en().compare_same, &[]));
    // a rule is explained before it is broken, and opens its own run
    page.find("button", en().compare_only_left).click();
    open_form(&page);
    choose(&page, en().compare_what, "4");
    choose(&page, en().compare_which, "rejoin-without-trunc");
    let rule = Rule::named("rejoin-without-trunc").expect("a rule");
    page.wait_for_words(".compare-with .about", rule_about(Lang::En, rule));
    page.find("button", en().compare_start).click();
    page.wait_until("its own run", "return zabscope.state().scenario === null");
    page.js("zabscope.pause(); zabscope.seek(2000)", &[]);
    page.wait_for_words(".parting p", words::start(en().compare_harm, &[&"B"]));
    page.assert_no_errors();
}

/// The herd beside the queue, twenty clients, shortly after the first release, standing.
const HERD: &str = "scenario=lock-herd&beside=lock-predecessor&clients=20&paused=1&t=5300";

#[test]
fn numbers_and_titles_are_in_slides_and_halls_and_nothing_lies_upon_another() {
    for (look, (width, height)) in
        [("", (1280, 720)), ("&lecture=1", (1280, 720)), ("", (960, 540)), ("&embed=1", (960, 540))]
    {
        let page = Page::open_sized(&format!("?lang=en&{HERD}{look}"), width, height);
        page.wait_until("numbers", "return document.querySelectorAll('.many').length === 2");
        let wrong = page.js(
            "const parts = ['.heads', '.page > .stage', '.right-stage', '.telling.a', '.telling.b', '.growth', '.compare', '.transport']
                 .map(name => document.querySelector(name)).filter(part => part).map(part => part.getBoundingClientRect());
             const wrong = [];
             for (const [at, a] of parts.entries()) {
                 if (a.right > innerWidth + 1 || a.bottom > innerHeight + 1 || a.height < 20) wrong.push([at, a.width, a.height]);
                 for (const [other, b] of parts.entries()) {
                     if (other > at && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) wrong.push([at, other]);
                 }
             }
             return wrong",
            &[],
        );
        assert_eq!(wrong, json!([]), "{look} {width}");
        let stage = page.js("return document.querySelector('.right-stage').getBoundingClientRect().height", &[]);
        assert!(stage.as_f64().expect("a height") >= 150.0, "{look} {width}: {stage}");
        page.assert_no_errors();
    }
}

#[test]
fn on_a_phone_one_stage_is_seen_and_the_numbers_choose_which() {
    let page = Page::open_sized(&format!("?lang=en&{HERD}"), 390, 844);
    let seen = "return ['.page > .stage', '.right-stage'].map(name => getComputedStyle(document.querySelector(name)).visibility)";
    page.wait_until("numbers", "return document.querySelectorAll('.many').length === 2");
    assert_eq!(page.js(seen, &[]), json!(["visible", "hidden"]));
    page.find("radio", &format!("B: {}", words::scenario("lock-predecessor").0)).click();
    page.wait_until(
        "the other one",
        &seen
            .replace("return", "return JSON.stringify(")
            .replace(".visibility)", ".visibility)) === '[\"hidden\",\"visible\"]'"),
    );
    page.assert_no_errors();
}
