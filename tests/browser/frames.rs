//! The frame loop: what it must not do, as tests in every engine; what it costs, as a bench in Chromium (`scripts/bench`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Engine, Page, en, figure};

/// Counts what reads the layout between the beginning of a frame and the end of its painting, and how often a frame is asked for.
const WATCH: &str = "
    window.reads = {}; window.asked = 0; window.work = [];
    let inside = false, begun = 0;
    const read = (name) => { if (inside) reads[name] = (reads[name] ?? 0) + 1; };
    for (const name of ['getBoundingClientRect', 'getClientRects', 'scrollIntoView']) {
        const old = Element.prototype[name];
        Element.prototype[name] = function (...all) { read(name); return old.apply(this, all); };
    }
    for (const proto of [Element.prototype, HTMLElement.prototype]) {
        for (const name of Object.getOwnPropertyNames(proto).filter((name) => /^(offset|client|scroll)(Width|Height|Top|Left)$/.test(name))) {
            const old = Object.getOwnPropertyDescriptor(proto, name);
            Object.defineProperty(proto, name, { ...old, get() { read(name); return old.get.call(this); } });
        }
    }
    const styles = window.getComputedStyle;
    window.getComputedStyle = (...all) => { read('getComputedStyle'); return styles.apply(window, all); };
    const channel = new MessageChannel(), ask = window.requestAnimationFrame.bind(window);
    // a message comes after style, layout and paint
    channel.port1.onmessage = () => { work.push(performance.now() - begun); inside = false; };
    window.requestAnimationFrame = (call) => {
        asked++;
        return ask((now) => { begun = performance.now(); inside = true; channel.port2.postMessage(0); call(now); });
    };";

/// A run under load at its second second, playing, watched.
fn watched() -> Page {
    let page = Page::open_sized("?lang=en&scenario=leader-crash-under-load&paused=1&t=0", 1440, 900);
    page.js("zabscope.seek(1950)", &[]);
    page.js(WATCH, &[]);
    page.find("button", en().play).click();
    page.wait_until("it plays", "return work.length > 5");
    page
}

#[test]
fn a_frame_reads_no_layout_and_a_pause_asks_for_no_frame() {
    let page = watched();
    page.js("window.reads = {}; work.length = 0", &[]);
    // on a busy machine some engines paint few a second
    page.wait_within(Duration::from_secs(60), "a hundred frames", "return work.length > 100");
    assert_eq!(
        page.js("return reads", &[]),
        json!({}),
        "the browser had to lay the page out in the middle of a frame"
    );
    page.find("button", en().pause).click();
    page.wait_until(
        "the last frame",
        "if (window.before !== asked) { window.before = asked; window.since = performance.now(); }
         return performance.now() - since > 300",
    );
    page.js("window.asked = 0; window.changes = 0;
        new MutationObserver((all) => { changes += all.length; }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })", &[]);
    // a while, in which nothing may happen
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(page.js("return [asked, changes]", &[]), json!([0, 0]), "frames asked for, and changes of the page");
    page.assert_no_errors();
}

#[test]
fn what_did_not_change_is_not_rendered_again() {
    let page = watched();
    page.js(
        "window.seen = { still: 0, moving: 0 };
         const look = (name, selector) => {
             const all = [...document.querySelectorAll(selector)];
             if (!all.length) throw new Error('nothing is ' + selector);
             const watch = new MutationObserver((list) => { seen[name] += list.length; });
             // that it recedes, and is no longer, is no rendering
             const attributeFilter = ['class', 'aria-label', 'aria-selected', 'title', 'disabled'];
             all.forEach((one) => watch.observe(one, { childList: true, subtree: true, attributeFilter, characterData: true }));
         };
         look('still', '.card.crashed, .bar, .tabs');
         look('moving', '.clock')",
        &[],
    );
    page.wait_until("the clock goes on", "return seen.moving > 8");
    assert_eq!(
        page.js("return seen.still", &[]),
        json!(0),
        "a crashed server, the bar or the tabs were rendered again"
    );
    page.assert_no_errors();
}

/// So many clients at seven voters and some observers: each write waits with those of all others.
fn crowd(clients: u32, observers: u32) -> Value {
    let mut actions = Vec::new();
    for client in 1..=clients {
        let server = client % (7 + observers) + 1;
        actions.push(json!({ "at_us": 1_500_000 + client * 1_000, "do": "open_client", "client": client, "servers": [server] }));
    }
    for round in 0..12 {
        for client in 1..=clients {
            let request = json!({ "op": "create", "path": format!("/a{client}-{round}"), "data": "x" });
            actions.push(json!({ "at_us": 3_000_000 + round * 30_000 + client * 25, "do": "ask", "client": client, "request": request }));
        }
    }
    let latency = json!({ "min_us": 20_000, "max_us": 40_000 });
    json!({ "version": 4, "seed": 1, "setup": { "voters": 7, "observers": observers, "latency": latency }, "actions": actions })
}

/// Five servers, of which each of these gets a write every so many µs.
fn writes(every_us: &[(u32, u32)]) -> Value {
    let write = |(server, every): &(u32, u32)| {
        let at = 1_000_000 + (server - 1) * 2_500;
        json!({ "at_us": at, "do": "write", "server": server, "data": "x=1", "count": 1_000, "every_us": every })
    };
    json!({ "version": 4, "seed": 1, "setup": { "voters": 5 }, "actions": every_us.iter().map(write).collect::<Vec<_>>() })
}

/// What other visualizers are measured with too.
pub const A_WRITE_A_SECOND: &str = "five servers, a write a second";

/// How long the page's main thread has worked, s.
fn busy(page: &Page) -> f64 {
    let metrics = page.devtools("Performance.getMetrics", json!({}));
    let all = metrics["metrics"].as_array().cloned().unwrap_or_default();
    let task = all.iter().find(|metric| metric["name"] == "TaskDuration").expect("a duration");
    task["value"].as_f64().expect("seconds")
}

/// What ten seconds of a page cost that plays; scripts make it play, go back to the beginning of what is measured, and pause.
/// `print` is given a figure's name, unit, value and digits.
pub fn measure(page: &Page, [play, back, pause]: [&str; 3], print: impl Fn(&str, &str, f64, usize)) {
    const TIME: f64 = 10.0;
    page.devtools("Performance.enable", json!({ "timeDomain": "threadTicks" }));
    let over = |seconds: f64| {
        let before = busy(page);
        std::thread::sleep(Duration::from_secs_f64(seconds));
        (busy(page) - before) * 1e3 / seconds
    };
    page.js(play, &[]);
    std::thread::sleep(Duration::from_secs(1));
    let playing = over(TIME);
    // the probe asks for a message a frame: it is not there while the thread's work is measured
    page.js(WATCH, &[]);
    page.js(back, &[]);
    page.js("work.length = 0", &[]);
    std::thread::sleep(Duration::from_secs_f64(TIME));
    let frames = page.js(
        "const all = work.slice().sort((a, b) => a - b);
         return [all.length, all[Math.floor(all.length * 0.95)]]",
        &[],
    );
    page.js(pause, &[]);
    std::thread::sleep(Duration::from_secs(1));
    let paused = over(2.0);
    let number = |at: usize| frames[at].as_f64().unwrap_or(f64::NAN);
    print("frames", "1/s", number(0) / TIME, 0);
    print("a frame's work, 95 %", "ms", number(1), 1);
    print("main thread", "ms/s", playing, 0);
    print("main thread, paused", "ms/s", paused, 1);
}

/// What ten seconds of our page cost from a moment on, once a script has been run there.
fn cost(name: &str, address: &str, begin: &str, at_ms: u32) {
    let page = Page::open_sized(address, 1440, 900);
    page.js(begin, &[]);
    let back = format!("zabscope.seek({at_ms})");
    page.js(&back, &[]);
    println!("{name}: {} packets at the beginning", page.js("return zabscope.packets().length", &[]));
    measure(&page, ["zabscope.play()", &back, "zabscope.pause()"], |what, unit, value, digits| {
        figure(&format!("{name}: {what}"), unit, value, digits);
    });
}

#[test]
#[ignore = "a bench: scripts/bench"]
fn bench_frames() {
    if Engine::chosen() != Engine::Chromium {
        return;
    }
    let load = |run: Value| format!("zabscope.load({run}); zabscope.pause()");
    let crash = "?scenario=leader-crash-under-load&paused=1&t=0&speed=1/30";
    let search = "zabscope.find({ goal: 'two-holders', budget: 1000000 }).catch(() => {})";
    cost("an election of five", "?scenario=cold-start-5&paused=1&speed=1/100", "", 20);
    cost("a leader's crash under load", crash, "", 1_480);
    cost("the same, while it searches", crash, search, 1_480);
    // as other visualizers were measured: a write in each second of a viewer; then three
    cost(A_WRITE_A_SECOND, "?paused=1&speed=1/30", &load(writes(&[(1, 33_333)])), 1_200);
    let thrice = load(writes(&[(1, 20_000), (3, 20_000)]));
    cost("five servers, three writes a second", "?paused=1&speed=1/30", &thrice, 1_200);
    cost("seven servers, a hundred clients", "?paused=1&speed=1/200", &load(crowd(100, 0)), 3_120);
    cost("twelve servers, a thousand clients", "?paused=1&speed=1/200", &load(crowd(1_000, 5)), 3_120);
}
