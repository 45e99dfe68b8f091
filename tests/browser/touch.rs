//! Everything can be touched: by mouse and by keyboard, while it runs.

use serde_json::json;

use crate::harness::{Page, en, words};

/// A page with the first scenario, settled with S3 as leader, and paused.
fn settled() -> Page {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(1700)", &[]);
    page.find("button", words::server("S3", "leading"));
    page
}

fn run_to(page: &Page, ms: u64) {
    page.js("zabscope.pause(); zabscope.seek(arguments[0])", &[json!(ms)]);
}

#[test]
fn crashing_the_leader_by_clicking_makes_another_lead() {
    let page = settled();
    page.find("button", words::server("S3", "leading")).click();
    page.find("menuitem", en().act_crash).click();
    page.find("button", words::server("S3", "crashed"));
    run_to(&page, 3_000);
    page.find("button", words::server("S2", "leading"));
    assert_eq!(page.js("return zabscope.state().leader", &[]), json!(2));
    page.find("button", words::server("S3", "crashed")).click();
    page.find("menuitem", en().act_restart).click();
    run_to(&page, 4_500);
    page.find("button", words::server("S3", "following"));
    page.assert_no_errors();
}

#[test]
fn a_server_is_crashed_while_the_run_plays() {
    let page = settled();
    page.js("zabscope.play()", &[]);
    page.find("button", words::server("S1", "following")).click();
    page.find("menuitem", en().act_crash).click();
    page.wait_until("S1 is down", "return zabscope.state().servers[0].status === 'crashed'");
    page.assert_no_errors();
}

#[test]
fn a_link_is_cut_and_healed_by_clicking() {
    let page = settled();
    page.find("button", words::link("S1", "S3", en().link_open)).click();
    page.find("menuitem", en().act_cut).click();
    page.find("button", words::link("S1", "S3", en().link_cut)).click();
    page.find("menuitem", en().act_heal).click();
    page.find("button", words::link("S1", "S3", en().link_open));
    let cuts = page.js("return zabscope.facts(0).filter(fact => fact.kind === 'link_cut').length", &[]);
    assert_eq!(cuts, json!(2), "one fact for each direction");
    page.assert_no_errors();
}

#[test]
fn keys_do_what_clicks_do() {
    let page = settled();
    page.keys("3");
    page.keys("c");
    page.find("button", words::server("S3", "crashed"));
    page.keys("c");
    page.wait_until("S3 is up again", "return zabscope.state().servers[2].status === 'running'");
    page.keys("1");
    page.keys("x");
    page.find("button", words::link("S1", "S2", en().link_cut));
    page.keys("h");
    page.find("button", words::link("S1", "S2", en().link_open));
    let before = page.js("return zabscope.state().events", &[]).as_u64();
    page.keys("\u{E014}"); // the right arrow
    assert_eq!(page.js("return zabscope.state().events", &[]).as_u64(), before.map(|events| events + 1));
    page.keys(" ");
    page.wait_until("it plays", "return zabscope.state().playing");
    page.assert_no_errors();
}

#[test]
fn a_write_is_answered_and_told() {
    let page = settled();
    page.keys("1");
    page.keys("w");
    run_to(&page, 2_000);
    let answered = page.js("return zabscope.facts(0).filter(fact => fact.kind === 'write_answered').length", &[]);
    assert_eq!(answered, json!(4), "three of the scenario and this one");
    page.assert_no_errors();
}

#[test]
fn a_wrong_call_is_an_error_in_words_and_changes_nothing() {
    let page = settled();
    let before = page.js("return zabscope.digest()", &[]);
    for (call, expected) in [
        ("zabscope.load('no-such-thing')", "no-such-thing"),
        ("zabscope.load({ version: 1, sead: 3 })", "sead"),
        ("zabscope.load({ version: 99 })", "format 99"),
        ("zabscope.act({ do: 'explode' })", "explode"),
        ("zabscope.act()", ""),
        ("zabscope.seek('soon')", ""),
        ("zabscope.step(-1)", ""),
        ("zabscope.facts({})", ""),
    ] {
        let script = format!(
            "try {{ {call}; return 'nothing' }} catch (error) {{ return Object.prototype.toString.call(error) === '[object Error]' ? error.message : 'other' }}"
        );
        let said = page.js(&script, &[]).as_str().unwrap_or("").to_string();
        assert!(said.contains(expected) && said.len() > 8 && said != "nothing", "{call}: {said}");
    }
    assert_eq!(page.js("return zabscope.digest()", &[]), before);
    page.assert_no_errors();
}

#[test]
fn a_wrong_address_opens_the_page_and_says_what_was_wrong() {
    let page = Page::open("?lang=en&scenario=nonsense");
    assert!(page.text().contains("nonsense"));
    page.find("main", "");
    page.assert_no_errors();
}
