//! The inspector: the whole state of what is picked, with marks of what the last step changed.

use zabscope::base::rows::Heading;
use zabscope::i18n::{Lang, heading_words};

use crate::harness::{Page, en, words};
use serde_json::json;

/// A run that stands shortly before the follower S2 logs a proposal, with S2 picked and Inspect open.
fn before_a_proposal() -> Page {
    let page = Page::open_sized("?lang=en&scenario=leader-crash-under-load&paused=1&t=0", 1280, 1600);
    page.js("zabscope.seek(1020)", &[]);
    page.find("tab", en().tab_inspect).click();
    page.keys("2");
    page.find("heading", "S2");
    page
}

/// The row with this name: its class and its text.
fn row(page: &Page, name: &str) -> (String, String) {
    let found = page.js(
        "const row = [...document.querySelectorAll('.groups .row')].find(row => row.querySelector('dt .v')?.innerText === arguments[0]);
         return row && [row.className, row.querySelector('dd').textContent]",
        &[name.into()],
    );
    let text = |at: usize| found[at].as_str().unwrap_or_else(|| panic!("no row {name}: {found}")).to_string();
    (text(0), text(1))
}

#[test]
fn each_stop_is_a_change_here_and_only_what_changed_can_be_shown() {
    let page = before_a_proposal();
    assert_eq!(row(&page, "lastLoggedZxid").1, "1:9");
    // what comes first are other packets: each stop changes something in S2
    for _ in 0..4 {
        page.find("button", en().inspect_turn).click();
        assert_ne!(page.js("return document.querySelector('.inspect .chip b').textContent", &[]), "0");
        if row(&page, "lastLoggedZxid").1 != "1:9" {
            break;
        }
    }
    let (class, text) = row(&page, "lastLoggedZxid");
    assert!(class.contains("changed") && text.contains("1:9") && text.contains("1:10"), "{class} {text}");
    page.find("button", words::begin(en().inspect_only, &[])).click();
    page.wait_until("few rows", "return document.querySelectorAll('.groups .row').length < 15");
    assert_eq!(row(&page, "lastLoggedZxid").1, text);
    // a step that leaves S2 alone marks nothing in it
    page.js("zabscope.step(1)", &[]);
    page.wait_until("no row", "return document.querySelectorAll('.groups .row').length === 0");
    page.assert_no_errors();
}

#[test]
fn what_is_named_can_be_picked_and_groups_stay_as_they_were_left() {
    let page = before_a_proposal();
    // the keyboard opens a group
    let timers = heading_words(Lang::En, Heading::Timers).0;
    page.js(
        "[...document.querySelectorAll('summary')].find(one => one.innerText.startsWith(arguments[0])).focus()",
        &[json!(timers)],
    );
    page.keys(&fantoccini::key::Key::Enter);
    let open = &format!(
        "return [...document.querySelectorAll('details[open] summary')].some(one => one.innerText.startsWith('{timers}'))"
    );
    page.wait_until("the timers are open", open);
    let leader = page.js(
        "const row = [...document.querySelectorAll('.groups .row')].find(row => row.innerText.startsWith('leader'));
         row.querySelector('button').click(); return row.innerText",
        &[],
    );
    assert!(leader.as_str().is_some_and(|text| text.contains("S3")), "{leader}");
    page.find("heading", "S3");
    page.wait_until("the timers are still open", open);
    page.find("tab", en().tab_logs).click();
    page.find("tab", en().tab_inspect).click();
    page.wait_until("and after another panel", open);
    // a transaction, and where it has got to
    page.js("[...document.querySelectorAll('.groups button')].find(one => one.innerText === '1:9').click()", &[]);
    page.find("heading", words::fill(en().inspect_transaction, &[&"1:9"]));
    assert!(row(&page, "text").1.contains("setData /data"));
    page.keys(&fantoccini::key::Key::Escape);
    page.find("heading", en().inspect_ensemble);
    page.assert_no_errors();
}

#[test]
fn nothing_jumps_while_a_run_plays() {
    let page = before_a_proposal();
    page.js("zabscope.seek(1300)", &[]);
    let tops = "return [...document.querySelectorAll('.groups summary')].map(one => Math.round(one.getBoundingClientRect().top + document.querySelector('.body').scrollTop))";
    page.find("button", en().play).click();
    // lists reach their usual length
    page.wait_within(
        std::time::Duration::from_secs(60),
        "a while has passed",
        "return zabscope.state().time_us > 1_550_000",
    );
    let mut last = page.js(tops, &[]);
    let mut moved = 0;
    for _ in 0..10 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let now = page.js(tops, &[]);
        moved += usize::from(now != last);
        last = now;
    }
    // a list that reaches a length it never had moves what is below it, once
    assert!(moved <= 1, "the headings moved {moved} times in a second");
    page.assert_no_errors();
}
