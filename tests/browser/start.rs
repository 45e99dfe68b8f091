//! The page starts.

use serde_json::json;

use crate::harness::{Edition, Engine, Page, figure};

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

/// Remembers when the page answers its first question.
const ANSWERS: &str = "const asking = setInterval(() => {
    try { zabscope.state(); window.answered = performance.now(); clearInterval(asking); } catch {}
}, 2)";

/// When the page answered and when its stage was first painted, ms after the navigation.
fn begun(page: &Page) -> (f64, f64) {
    page.wait_until(
        "it answers",
        "return window.answered > 0 && performance.getEntriesByName('first-contentful-paint').length > 0",
    );
    let times =
        page.js("return [answered, performance.getEntriesByName('first-contentful-paint')[0].startTime]", &[]);
    (times[0].as_f64().expect("ms"), times[1].as_f64().expect("ms"))
}

#[test]
#[ignore = "a bench: scripts/bench"]
fn bench_start() {
    if Engine::chosen() != Engine::Chromium {
        return;
    }
    let page = Page::blank(false);
    page.serve(Edition::Packed);
    page.devtools("Page.enable", json!({}));
    page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": ANSWERS }));
    page.devtools("Network.enable", json!({}));
    // 1.6 Mbit/s
    let line =
        json!({ "offline": false, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000 });
    page.devtools("Network.emulateNetworkConditions", line);
    page.goto("");
    let (answered, painted) = begun(&page);
    figure("first visit, slow line: something is painted", "ms", painted, 0);
    figure("first visit, slow line: the page answers", "ms", answered, 0);
    page.wait_until("it is there without a network", "return navigator.serviceWorker.controller !== null");
    let mut asked = page.asked();
    asked.sort();
    let all = asked.len();
    asked.dedup();
    figure("first visit: files asked for twice", "files", (all - asked.len()) as f64, 0);
    let line = json!({ "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
    page.devtools("Network.emulateNetworkConditions", line);
    let mut starts: Vec<f64> = (0..7)
        .map(|_| {
            page.goto("");
            begun(&page).0
        })
        .collect();
    starts.sort_by(f64::total_cmp);
    figure("start, all in the cache: the page answers", "ms", starts[3], 0);
}
