//! The search for a run that fails: in a worker, without one, stopped, and what it finds beside the rule kept. Rules from their cards.

use std::time::Duration;

use serde_json::json;
use zabscope::base::json::ValueError;
use zabscope::i18n::page::{fill, goal_words};
use zabscope::i18n::{Lang, property_title, rule_title};
use zabscope::sim::Rule;

use crate::harness::{Page, en, words};

/// How long a search may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Counts the workers that live, and those that were begun, from now on.
pub(crate) const COUNT: &str = "
    window.alive = 0; window.begun = 0;
    const old = window.Worker, end = old.prototype.terminate;
    window.Worker = class extends old { constructor(...all) { super(...all); window.alive++; window.begun++; } };
    old.prototype.terminate = function () { window.alive--; return end.call(this); };";

fn panel() -> Page {
    Page::open("?lang=en&scenario=cold-start-3&paused=1&panel=search")
}

/// Asks for what a broken rule lets happen, with nothing done.
fn ask(page: &Page, rule: &str, goal: &str) {
    ask_in(page, "2", rule, goal);
}

/// The same in another place of the list.
fn ask_in(page: &Page, place: &str, rule: &str, goal: &str) {
    // what is asked gives way to what is found
    page.js("document.querySelector('details.what').open = true", &[]);
    page.choose(en().search_goal, goal);
    page.choose(en().search_run, place);
    page.choose(en().search_rule, rule);
    page.find("button", en().search_start).click();
}

/// The deeds of the smallest find, when there is one.
fn deeds(page: &Page) -> String {
    page.wait_within(PATIENCE, "a find", "return !!document.querySelector('.finds li')");
    let deeds = page.js("return document.querySelector('.finds ol').innerText", &[]);
    deeds.as_str().expect("text").to_string()
}

#[test]
fn what_is_looked_for_by_default_is_found() {
    let page = panel();
    page.find("button", en().search_start).click();
    assert!(!deeds(&page).is_empty());
    page.assert_no_errors();
}

#[test]
fn it_finds_the_same_with_a_worker_and_without_and_shows_it_beside_the_rule_kept() {
    let page = panel();
    page.js(COUNT, &[]);
    page.wait_until("all is kept for later", "return navigator.serviceWorker.ready.then(() => true)");
    let parts = |page: &Page| page.asked().iter().filter(|path| path.contains(".wasm")).count();
    let before = parts(&page);
    ask(&page, "commit-at-minority", "durability");
    let found = deeds(&page);
    page.wait_until("the worker has ended", "return alive === 0");
    assert_eq!(page.js("return begun", &[]), json!(1));
    assert_eq!(parts(&page), before, "the code is handed over, not fetched again");
    page.js("window.Worker = undefined", &[]);
    ask(&page, "commit-at-minority", "durability");
    page.wait_until("the last find is gone", "return !document.querySelector('.finds li')");
    assert_eq!(deeds(&page), found);
    page.find("button", en().search_beside).click();
    page.find("region", en().compare_title);
    page.js("zabscope.pause(); zabscope.seek(300)", &[]);
    page.wait_for_words(".parting .rule", rule_title(Lang::En, rule("commit-at-minority")));
    page.js("zabscope.seek(3000)", &[]);
    page.wait_for_words(".parting .harm", words::start(en().compare_harm, &[&"B"]));
    page.assert_no_errors();
}

#[test]
fn it_is_stopped_a_hundred_times_and_no_worker_is_left() {
    let page = panel();
    page.js(COUNT, &[]);
    ask(&page, "", "two-established");
    page.wait_until("it goes on", "return /\\d/.test(document.querySelector('#panel [role=status]').innerText)");
    page.find("button", en().search_stop).click();
    page.wait_for_words("#panel [role=status]", en().search_stopped);
    let often = "const press = (one) => document.querySelector(one).click();
        const later = () => new Promise(done => setTimeout(done, 2));
        return (async () => {
            for (let at = 0; at < 99; at++) { press('.seek button'); await later(); press('.stop'); await later(); }
        })()";
    page.js(often, &[]);
    page.wait_until("all have ended", "return alive === 0");
    assert_eq!(page.js("return begun", &[]), json!(100));
    page.assert_no_errors();
}

#[test]
fn a_pattern_of_ones_own_is_looked_for_and_what_is_none_gets_a_sentence() {
    let page = panel();
    page.choose(en().search_goal, "fact");
    let field = page.find("textbox", en().search_pattern);
    field.keys("not a pattern");
    page.find("button", en().search_start).click();
    page.find("alert", "");
    field.js("arguments[0].value = ''");
    field.keys("established epoch=2");
    page.find("button", en().search_start).click();
    assert!(!deeds(&page).is_empty());
    page.find("button", en().search_watch).click();
    page.wait_until("it plays", "return zabscope.state().playing && zabscope.state().scenario === null");
    page.assert_no_errors();
}

fn rule(name: &str) -> Rule {
    Rule::named(name).expect("a rule")
}

#[test]
fn a_script_asks_too_and_what_is_wrong_or_stopped_is_told() {
    let page = panel();
    let told = |question: &str| {
        page.js(&format!("return zabscope.find({question}).then(found => found.trials, error => error.message)"), &[])
    };
    assert_eq!(told("{ goal: 'stale-sync', budget: 40 }"), json!(40));
    let wrong = page.js("try { zabscope.find({ budget: 0 }) } catch (error) { return error.message }", &[]);
    assert!(wrong.as_str().is_some_and(|said| said.contains("budget")), "{wrong}");
    page.js("window.asked = zabscope.find({ goal: 'two-established' }).catch(error => error.message)", &[]);
    page.find("button", en().search_stop).click();
    assert!(page.js("return asked", &[]).as_str().is_some_and(|said| said.contains("stopped")));
    page.assert_no_errors();
}

#[test]
fn every_order_is_tried_and_it_is_certain_or_a_run_shows_why_not() {
    let (page, one_write) = (panel(), "3");
    page.js(COUNT, &[]);
    ask_in(&page, one_write, "", "any");
    page.wait_for_words("#panel [role=status]", &fill(en().search_certain, &[&129, &236]));
    page.wait_until("the worker has ended", "return begun === 1 && alive === 0");
    ask_in(&page, one_write, "", "liveness");
    let refusal = ValueError::GoalOfOrders.to_string();
    assert!(page.find("alert", "").text().contains(&refusal));
    ask_in(&page, one_write, "ack-before-sync", "any");
    let honesty = property_title(Lang::En, "ack-honesty");
    page.wait_for_words("#panel [role=status]", &fill(en().search_orders_fall, &[&honesty, &1]));
    page.find("button", en().search_orders_run).click();
    assert!(!deeds(&page).is_empty());
    let asked = "return zabscope.find({ orders: { writes: 1 } }).then(found => found.orders)";
    let orders = page.js(asked, &[]);
    assert_eq!((&orders["states"], &orders["complete"]), (&json!(129), &json!(true)));
    page.assert_no_errors();
}

#[test]
fn a_rule_is_opened_from_its_card_and_by_a_link() {
    let page = Page::open("?lang=en&paused=1");
    page.keys("g");
    page.find("dialog", en().gallery_title);
    page.find("searchbox", en().gallery_search).keys("3911");
    let title = rule_title(Lang::En, rule("ZOOKEEPER-3911"));
    page.find_all("button", "").into_iter().find(|one| one.name().starts_with(title)).expect("its card").click();
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    page.find("region", en().compare_title);
    page.wait_for_words(".heads .a", en().rule_kept);
    let page = Page::open("?lang=en&rule=election-answers-none&paused=1");
    page.find("region", en().compare_title);
    page.js("zabscope.seek(4500)", &[]);
    let liveness = goal_words(Lang::En, &"liveness".parse().expect("a goal"));
    page.wait_for_words(".parting .harm", words::start(en().rule_stuck, &[&liveness]));
    page.assert_no_errors();
}
