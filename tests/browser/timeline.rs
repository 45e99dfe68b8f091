//! Time in the hand: steps back, other futures, undo, actions moved on the timeline.

use fantoccini::key::Key;
use serde_json::{Value, json};
use zabscope::base::ServerId;
use zabscope::i18n::{Lang, action_words};
use zabscope::sim::Action;

use crate::harness::{Element, Page, en, words};

fn at(page: &Page, ms: u64) {
    page.js("zabscope.pause(); zabscope.seek(arguments[0])", &[json!(ms)]);
}

fn digest(page: &Page) -> Value {
    page.js("return zabscope.digest()", &[])
}

/// Chooses the first option of a list that begins like this.
const S1: ServerId = ServerId(1);

/// The name of an action's mark: what is done, and when if that is given.
fn mark_name(action: &Action, seconds: &str) -> &'static str {
    let what = action_words(Lang::En, action);
    let known: [&dyn std::fmt::Display; 2] = [&what, &seconds];
    words::begin(en().action_at, if seconds.is_empty() { &known[..1] } else { &known })
}

fn choose(list: &Element<'_>, beginning: &str) {
    let script = format!(
        "it.value = [...it.options].find(option => option.text.startsWith({})).value;
         it.dispatchEvent(new Event('change', {{ bubbles: true }}))",
        json!(beginning)
    );
    list.js(&script);
}

/// Drags something to the right, as a pointer does.
fn drag(what: &Element<'_>, by: u32) {
    let script = format!(
        "const area = it.getBoundingClientRect(), x = area.left + area.width / 2, y = area.top + area.height / 2;
         const point = (kind, clientX) => it.dispatchEvent(new PointerEvent(kind, {{ bubbles: true, pointerId: 1, clientX, clientY: y }}));
         const pause = () => new Promise(done => setTimeout(done, 50));
         return (async () => {{
           point('pointerdown', x);
           for (let step = 1; step <= 4; step++) {{ await pause(); point('pointermove', x + {by} * step / 4); }}
           await pause();
           point('pointerup', x + {by});
         }})()"
    );
    what.js(&script);
}

fn settled() -> Page {
    let page = Page::open("?lang=en&scenario=leader-crash-under-load&paused=1&t=0");
    at(&page, 1_000);
    page
}

#[test]
fn three_hundred_steps_forward_and_back_end_where_they_began() {
    let page = settled();
    page.js("zabscope.step(1)", &[]);
    let start = digest(&page);
    page.js("for (let n = 0; n < 300; n++) zabscope.step(1)", &[]);
    assert_ne!(digest(&page), start);
    page.js("for (let n = 0; n < 300; n++) zabscope.stepBack(1)", &[]);
    assert_eq!(digest(&page), start);
    page.find("button", en().step).click();
    page.find("button", en().step_back).click();
    assert_eq!(digest(&page), start);
    page.assert_no_errors();
}

#[test]
fn arrow_keys_step_and_turn_back() {
    let page = settled();
    page.js("zabscope.step(1)", &[]);
    let start = digest(&page);
    page.keys(&Key::Right);
    assert_ne!(digest(&page), start);
    page.keys(&Key::Left);
    assert_eq!(digest(&page), start);
    page.find("button", en().turn).click();
    page.find("button", en().turn).click();
    let turn = page.js("return zabscope.state().events", &[]);
    page.find("button", en().turn).click();
    page.find("button", en().turn_back).click();
    assert_eq!(page.js("return zabscope.state().events", &[]), turn);
    page.assert_no_errors();
}

#[test]
fn acting_in_the_past_forks_and_the_old_future_comes_back() {
    let page = settled();
    at(&page, 4_000);
    let old = digest(&page);
    at(&page, 900);
    page.find("button", words::server("S1", "")).click();
    page.find("menuitem", en().act_crash).click();
    at(&page, 4_000);
    assert_ne!(digest(&page), old);
    page.find("button", words::begin(en().future, &[&"0.900"])).click();
    assert_eq!(page.js("return zabscope.state().time_us", &[]), json!(900_000));
    at(&page, 4_000);
    assert_eq!(digest(&page), old);
    page.assert_no_errors();
}

#[test]
fn what_was_done_can_be_undone_and_redone() {
    let page = settled();
    let before = digest(&page);
    page.find("button", words::server("S1", "")).click();
    page.find("menuitem", en().act_crash).click();
    let crashed = digest(&page);
    let crash = action_words(Lang::En, &Action::Crash { server: S1 });
    page.find("button", &format!("{}: {crash}", en().undo)).click();
    assert_eq!(digest(&page), before);
    page.find("button", &format!("{}: {crash}", en().redo)).click();
    assert_eq!(digest(&page), crashed);
    page.keys(&(Key::Control + "z"));
    page.wait_until("undone by keys", "return zabscope.state().servers[0].status === 'running'");
    assert_eq!(digest(&page), before);
    page.assert_no_errors();
}

#[test]
fn an_action_is_moved_changed_and_deleted_on_the_timeline() {
    let page = settled();
    let count = |page: &Page| page.js("return zabscope.state().actions", &[]).as_u64().expect("a number");
    let given = count(&page);
    at(&page, 2_000);
    page.js("zabscope.act({ do: 'pause', server: 1 })", &[]);
    at(&page, 3_000);
    let mark = page.find("button", mark_name(&Action::Pause { server: S1 }, "2.000"));
    mark.js("it.focus()");
    page.keys(&Key::Right);
    page.find("button", mark_name(&Action::Pause { server: S1 }, "2.010"));
    drag(&page.find("button", mark_name(&Action::Pause { server: S1 }, "2.010")), 60);
    page.wait_until(
        "the mark has moved",
        "return zabscope.facts(0).every(fact => fact.kind !== 'paused' || fact.at_us > 2100000)",
    );
    page.find("button", mark_name(&Action::Pause { server: S1 }, "")).js("it.focus()");
    page.keys(&Key::Enter);
    let dialog = page.find("dialog", en().edit_title);
    let moment = page.find("textbox", en().edit_at);
    moment.clear();
    moment.keys("soon");
    page.find("button", en().edit_apply).click();
    assert!(dialog.text().contains(en().edit_wrong_time), "{}", dialog.text());
    moment.clear();
    moment.keys("2500.5");
    let what = page.find("textbox", en().edit_json);
    what.clear();
    what.keys("{\"do\":\"crash\",\"server\":1}");
    page.find("button", en().edit_apply).click();
    page.find("button", mark_name(&Action::Crash { server: S1 }, "2.500")).js("it.focus()");
    assert_eq!(page.js("return zabscope.state().servers[0].status", &[]), json!("crashed"));
    page.keys(&Key::Delete);
    page.wait_until("it is gone", "return zabscope.state().servers[0].status === 'running'");
    assert_eq!(count(&page), given);
    page.assert_no_errors();
}

#[test]
fn time_runs_until_something_happens() {
    let page = Page::open("?lang=en&paused=1");
    choose(&page.find("combobox", en().until), en().until_election);
    assert_eq!(page.js("return zabscope.state().leader", &[]), json!(3));
    let stands = digest(&page);
    choose(&page.find("combobox", en().until), words::fill(en().until_leads, &[&"S1"]));
    page.find("alert", "");
    assert_eq!(digest(&page), stands);
    page.assert_no_errors();
}
