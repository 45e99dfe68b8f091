//! The page starts.

use std::time::Duration;

use serde_json::json;

use crate::harness::{Edition, Engine, Page, SLOW, USUAL, figure};

#[test]
fn opens_without_an_error() {
    let page = Page::open("");
    assert_eq!(page.title(), "ZabScope");
    page.assert_no_errors();
}

#[test]
fn allows_a_strict_policy_for_scripts() {
    let page = Page::open("");
    assert_eq!(page.js("return [...document.scripts].filter((script) => !script.src).length", &[]), json!(0));
}

/// Remembers when the stage was painted, presses Play (or Pause) then, and remembers when the page has answered, which may not be there yet:
/// a run's button is the other one, a lesson has gone on.
const ANSWERS: &str = "const looking = setInterval(() => {
    const play = document.querySelector('.play');
    if (!play || !document.querySelector('.card')) return;
    clearInterval(looking);
    const answer = document.querySelector('.lesson-number-of') ? '.lesson-number-of' : '.play';
    const says = (one) => one?.ariaLabel ?? one?.textContent;
    const said = says(document.querySelector(answer));
    setInterval(() => {
        if ((says(document.querySelector('.page:not(.poster) ' + answer)) ?? said) !== said) window.answered ??= performance.now();
    }, 2);
    requestAnimationFrame(() => setTimeout(() => {
        window.painted = performance.now();
        play.click();
    }));
}, 2)";

/// When the page answered and when its stage was first painted, ms after the navigation.
fn begun(page: &Page) -> (f64, f64) {
    page.wait_within(Duration::from_secs(60), "it answers", "return window.answered > 0");
    let times = page.js("return [answered, painted]", &[]);
    (times[0].as_f64().expect("ms"), times[1].as_f64().expect("ms"))
}

#[test]
#[ignore = "a bench: scripts/bench"]
fn bench_start() {
    if Engine::chosen() != Engine::Chromium {
        return;
    }
    let mut last = None;
    for line in [SLOW, USUAL] {
        let page = Page::blank(false);
        page.forget_visits();
        page.serve(Edition::Packed);
        page.devtools("Page.enable", json!({}));
        page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": ANSWERS }));
        page.throttle(Some(line));
        page.goto("");
        let (answered, painted) = begun(&page);
        figure(&format!("first visit, {}: the stage is painted", line.name), "ms", painted, 0);
        figure(&format!("first visit, {}: the page answers", line.name), "ms", answered, 0);
        last = Some(page);
    }
    let Some(page) = last else { return };
    page.wait_within(
        Duration::from_secs(60),
        "it is there without a network",
        "return navigator.serviceWorker.controller !== null",
    );
    let mut asked = page.asked();
    asked.sort();
    let all = asked.len();
    asked.dedup();
    figure("first visit: files asked for twice", "files", (all - asked.len()) as f64, 0);
    page.throttle(None);
    let mut starts: Vec<f64> = (0..7)
        .map(|_| {
            page.goto("");
            begun(&page).0
        })
        .collect();
    starts.sort_by(f64::total_cmp);
    figure("start, all in the cache: the page answers", "ms", starts[3], 0);
}
