//! The same run gives the same digest natively and in the browser, however fast the browser is.

use std::time::Duration;

use serde_json::{Value, json};
use zabscope::base::SimTime;
use zabscope::explore::prepared;
use zabscope::scenarios::SCENARIOS;
use zabscope::sim::{Player, Rule, Run};

use crate::harness::{Engine, Page, only_in};

/// The digest of a run up to a moment, computed natively.
fn native_digest(run: Run, until_ms: u64) -> String {
    let mut player = Player::new(run).expect("a valid run");
    player.run_until(SimTime::from_ms(until_ms), |_, _| {});
    player.digest()
}

/// The same in the browser, of a scenario by its id or of a run.
const DIGEST: &str =
    "zabscope.load(arguments[0]); zabscope.pause(); zabscope.seek(arguments[1]); return zabscope.digest()";

#[test]
fn every_scenario_has_the_digest_that_it_has_natively() {
    let page = Page::open("");
    for scenario in SCENARIOS {
        let in_browser = page.js(DIGEST, &[json!(scenario.id), json!(scenario.until_ms)]);
        assert_eq!(in_browser, json!(native_digest(scenario.run(), scenario.until_ms)), "{}", scenario.id);
    }
    page.assert_no_errors();
}

#[test]
fn every_rule_that_is_broken_in_its_own_run_too() {
    let page = Page::open("");
    for rule in Rule::all() {
        let own = prepared(rule).expect("each rule has a run");
        let mut run = own.run.clone();
        run.setup.rules = run.setup.rules.breaking(rule);
        let until_ms = own.until.ceil_ms().as_ms();
        let text: Value = serde_json::from_str(&run.to_json()).expect("JSON");
        let in_browser = page.js(DIGEST, &[text, json!(until_ms)]);
        assert_eq!(in_browser, json!(native_digest(run, until_ms)), "{}", rule.name());
    }
    page.assert_no_errors();
}

#[test]
fn a_run_of_ones_own_too() {
    let page = Page::open("");
    let run = r#"{"version":4,"seed":7,"setup":{"voters":5,"observers":1},"actions":[
        {"at_us":900000,"do":"write","server":2,"data":"x","count":20,"every_us":40000},
        {"at_us":1200000,"do":"crash","server":5},
        {"at_us":1900000,"do":"cut","from":[1],"to":[2,3,4]},
        {"at_us":2600000,"do":"heal_all"},
        {"at_us":2700000,"do":"restart","server":5}]}"#;
    let text: Value = serde_json::from_str(run).expect("JSON");
    let in_browser = page.js(DIGEST, &[text, json!(4_000)]);
    assert_eq!(in_browser, json!(native_digest(Run::from_json(run).expect("valid"), 4_000)));
}

/// The facts up to a moment that was played live: all of them, without those that the page may already have played on.
fn facts_played(page: &Page, until_us: u64) -> Value {
    let script = "return zabscope.facts(0).filter(fact => fact.at_us <= arguments[0])";
    page.js(script, &[json!(until_us)])
}

#[test]
fn a_slow_processor_changes_nothing_that_happens() {
    if !only_in(Engine::Chromium, "its developer tools slow the processor down") {
        return;
    }
    let page = Page::open("");
    let mut played = Vec::new();
    for rate in [1, 6] {
        page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": rate }));
        page.js("zabscope.load('cold-start-3'); zabscope.play()", &[]);
        page.wait_within(Duration::from_secs(60), "it plays for a while", "return zabscope.state().time_us > 300000");
        page.js("zabscope.pause()", &[]);
        played.push(facts_played(&page, 300_000));
    }
    assert!(played[0].as_array().is_some_and(|facts| facts.len() > 50));
    assert_eq!(played[0], played[1]);
}
