//! The run over time: opened by a key, looked at, asked; by mouse, keyboard and finger.

use serde_json::json;

use crate::harness::{Engine, Page, en, not_in, words};

const HOME: &str = "leader-crash-under-load";

/// The space-time view of a scenario at a moment, paused.
fn at(scenario: &str, ms: u64, size: (u32, u32)) -> Page {
    let page = Page::open_sized("?lang=en", size.0, size.1);
    page.js(
        "zabscope.load(arguments[0]); zabscope.pause(); zabscope.seek(arguments[1])",
        &[json!(scenario), json!(ms)],
    );
    page.keys("s");
    page.find("application", words::begin(en().weave_title, &[]));
    drawn(&page);
    page
}

/// Waits until the canvas has its size and shows something.
fn drawn(page: &Page) {
    page.wait_until("it is drawn", "const c = document.querySelector('.cloth canvas'); return c.width > 300 && new Promise(d => requestAnimationFrame(() => requestAnimationFrame(() => d(true))))");
}

/// How many pixels of the picture have (nearly) the colour of a token of the style sheet, right of the names.
fn pixels(page: &Page, token: &str) -> u64 {
    let script = "
        const canvas = document.querySelector('.cloth canvas');
        const style = getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim();
        const want = [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16));
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const data = context.getImageData(110, 52, canvas.width - 110, canvas.height - 52).data;
        let found = 0;
        for (let i = 0; i < data.length; i += 4)
            if (want.every((value, channel) => Math.abs(value - data[i + channel]) < 24)) found += 1;
        return found";
    page.js(script, &[json!(token)]).as_u64().unwrap_or(0)
}

/// Sends a pointer event to a place of the picture.
fn pointer(page: &Page, kind: &str, (x, y): (f64, f64), more: &str) {
    let script = format!(
        "const canvas = document.querySelector('.cloth canvas'), box = canvas.getBoundingClientRect();
         const at = {{ clientX: box.left + arguments[0], clientY: box.top + arguments[1], bubbles: true, cancelable: true,
                       pointerId: 1, pointerType: 'mouse', button: 0, {more} }};
         const Kind = arguments[2] === 'wheel' ? WheelEvent : PointerEvent;
         canvas.dispatchEvent(new Kind(arguments[2], at));"
    );
    page.js(&script, &[json!(x), json!(y), json!(kind)]);
}

fn click(page: &Page, at: (f64, f64), more: &str) {
    for kind in ["pointerdown", "pointerup"] {
        pointer(page, kind, at, more);
    }
}

/// Moves the mouse over the picture until a tooltip is shown that contains `word`: where that is.
fn arrow(page: &Page, word: &str) -> (f64, f64) {
    for x in (140..800).step_by(9) {
        for y in (80..380).step_by(14) {
            let place = (f64::from(x), f64::from(y));
            pointer(page, "pointermove", place, "");
            let tip = page.js(
                "return new Promise(d => setTimeout(() => d(document.querySelector('.tip:not(.none)')?.innerText ?? ''), 0))",
                &[],
            );
            if tip.as_str().is_some_and(|text| text.contains(word)) {
                return place;
            }
        }
    }
    panic!("no tooltip with {word}");
}

fn summary(page: &Page) -> String {
    page.js("return document.querySelector('.spacetime section p').textContent", &[])
        .as_str()
        .unwrap_or("")
        .to_string()
}

#[test]
fn a_key_opens_it_and_a_click_on_an_arrow_inspects_the_packet() {
    let page = at(HOME, 1_060, (1280, 800));
    let place = arrow(&page, "PROPOSAL");
    let tip = page.js("return document.querySelector('.tip').innerText", &[]);
    let tip = tip.as_str().unwrap_or("").to_string();
    assert!(tip.contains("S3 → S") && tip.contains(words::start(en().weave_sent, &[])), "{tip}");
    click(&page, place, "");
    page.wait_for_words("[role=tab][aria-selected=true]", en().tab_inspect);
    page.wait_until(
        "it shows the packet",
        "return document.querySelector('.inspect h2')?.textContent.includes('PROPOSAL')",
    );
    page.keys("s");
    page.find("button", words::server("S3", "leading"));
    page.find("button", en().weave_toggle).click();
    page.find("application", words::begin(en().weave_title, &[]));
    page.assert_no_errors();
}

#[test]
fn it_zooms_moves_shows_all_and_comes_back_to_the_playhead() {
    if !not_in(Engine::Webkit, "clicks of its driver on the axis do not arrive there") {
        return;
    }
    let page = at(HOME, 2_500, (1280, 800));
    let before = summary(&page);
    pointer(&page, "wheel", (500.0, 200.0), "deltaY: -300");
    page.wait_until(
        "it is nearer",
        &format!("return document.querySelector('.spacetime section p').textContent !== {before:?}"),
    );
    assert!(page.find_all("button", en().weave_now).len() <= 1);
    for (kind, x) in [("pointerdown", 300.0), ("pointermove", 500.0), ("pointermove", 800.0), ("pointerup", 800.0)] {
        pointer(&page, kind, (x, 260.0), "");
    }
    for _ in 0..12 {
        pointer(&page, "wheel", (500.0, 200.0), "deltaX: -300");
    }
    page.find("button", en().weave_now).click();
    page.wait_until(
        "it follows again",
        &format!(
            "return ![...document.querySelectorAll('button')].some(b => b.textContent === {})",
            json!(en().weave_now)
        ),
    );
    page.find("button", en().weave_fit).click();
    page.wait_for_words(".spacetime section p", &format!("0.000{}", words::piece(en().weave_summary, 1)));
    // the axis is the timeline: a click goes there
    click(&page, (400.0, 36.0), "");
    page.wait_until(
        "the playhead went back",
        "return zabscope.state().time_us < 2400000 && zabscope.state().time_us > 100000",
    );
    assert!(pixels(&page, "--e2") > 0 || pixels(&page, "--e1") > 0);
    page.assert_no_errors();
}

#[test]
fn two_events_are_compared_in_a_sentence() {
    let page = at(HOME, 1_360, (1280, 800));
    page.js("document.querySelector('.cloth canvas').focus()", &[]);
    for _ in 0..14 {
        page.keys("\u{E012}"); // left
    }
    page.wait_until(
        "an event is said",
        &format!(
            "return /^\\d\\.\\d+{}S1 /.test(document.querySelector('.spacetime [role=status].unseen').textContent)",
            words::piece(en().weave_at, 1)
        ),
    );
    page.keys("\u{E007}"); // Enter
    page.keys("\u{E015}"); // down
    for _ in 0..12 {
        page.keys("\u{E014}"); // right
    }
    page.keys(&format!("{}{}", '\u{E008}', '\u{E007}')); // Shift and Enter
    page.wait_until(
        "the answer",
        &format!(
            "return {}.some(words => document.querySelector('.order').textContent.includes(words))",
            json!([words::piece(en().weave_before, 1), words::start(en().weave_concurrent, &[])])
        ),
    );
    // by mouse: the same place twice is one event
    page.find("button", en().weave_compare).click();
    page.wait_for_words(".order", en().weave_first);
    let place = arrow(&page, "PROPOSAL");
    click(&page, place, "");
    page.wait_for_words(".order", en().weave_second);
    click(&page, place, "");
    page.wait_for_words(".order", en().weave_same);
    page.assert_no_errors();
}

#[test]
fn what_a_crash_loses_ends_in_a_cross() {
    if !not_in(
        Engine::Webkit,
        "the colour of the cross is not found among the pixels that WebKit's canvas gives back",
    ) {
        return;
    }
    let page = at(HOME, 1_300, (1280, 800));
    let before = pixels(&page, "--bad");
    page.js("zabscope.act({ do: 'crash', server: 3 }); zabscope.seek(1400)", &[]);
    let lost = page.js("return zabscope.facts(0).filter(fact => fact.kind === 'lost').length", &[]);
    assert!(lost.as_u64() > Some(0), "{lost}");
    drawn(&page);
    let after = pixels(&page, "--bad");
    assert!(after > before + 40, "{before} before, {after} after");
    assert!(
        page.js("return document.querySelector('.spacetime ol').textContent", &[])
            .to_string()
            .contains(words::fill(words::listed(en().moments, "crashed"), &[&"S3"]))
    );
    page.assert_no_errors();
}

#[test]
fn a_finger_finds_things_on_a_phone() {
    let page = at(HOME, 1_060, (390, 844));
    let wide = page.js("return document.documentElement.scrollWidth <= innerWidth", &[]);
    assert_eq!(wide, json!(true));
    let touch = "pointerType: 'touch', pointerId: 2";
    let row = page.js("return document.querySelector('.cloth').clientHeight", &[]).as_f64().unwrap_or(0.0);
    assert!(row > 120.0, "{row}");
    // a lane's name picks the server
    click(&page, (14.0, 50.0 + (row - 58.0) / 6.0), touch);
    page.find("tab", en().tab_inspect).click();
    page.wait_until("S1 is picked", "return document.querySelector('.inspect h2')?.textContent.includes('S1')");
    // two fingers apart: nearer
    let before = summary(&page);
    pointer(&page, "pointerdown", (120.0, 100.0), "pointerType: 'touch', pointerId: 3");
    pointer(&page, "pointerdown", (160.0, 100.0), "pointerType: 'touch', pointerId: 4");
    pointer(&page, "pointermove", (300.0, 100.0), "pointerType: 'touch', pointerId: 4");
    pointer(&page, "pointerup", (300.0, 100.0), "pointerType: 'touch', pointerId: 4");
    pointer(&page, "pointerup", (120.0, 100.0), "pointerType: 'touch', pointerId: 3");
    page.wait_until(
        "it is nearer",
        &format!("return document.querySelector('.spacetime section p').textContent !== {before:?}"),
    );
    page.assert_no_errors();
}

#[test]
fn a_run_in_which_nothing_has_happened_is_no_reason_to_stop() {
    let page = Page::open_sized("?lang=en&paused=1", 1280, 800);
    page.js("zabscope.load('cold-start-3'); zabscope.pause()", &[]);
    assert_eq!(page.js("return zabscope.state().events", &[]), json!(0));
    page.keys("s");
    drawn(&page);
    page.js("document.querySelector('.cloth canvas').focus()", &[]);
    for key in ["\u{E012}", "\u{E013}", "\u{E014}", "\u{E015}", "\u{E007}", "\u{E010}", "+", "-", "0"] {
        page.keys(key);
    }
    for more in ["deltaY: -300", "deltaY: 300", "deltaX: -300", "deltaX: 300"] {
        pointer(&page, "wheel", (500.0, 200.0), more);
    }
    pointer(&page, "pointermove", (500.0, 200.0), "");
    click(&page, (500.0, 200.0), "");
    drawn(&page);
    page.assert_no_errors();
}

#[test]
fn a_pointer_stays_over_it_while_the_run_becomes_another() {
    let page = at(HOME, 1_300, (1280, 800));
    let place = arrow(&page, "PROPOSAL");
    // what is under the pointer is asked for before the next frame has painted the other run
    for change in [
        "zabscope.act({ do: 'crash', server: 1 })",
        "zabscope.seek(900); zabscope.act({ do: 'crash', server: 2 })",
        "zabscope.undo()",
        "zabscope.undo()",
        "zabscope.redo()",
        "zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(300)",
        "zabscope.load('cold-start-3'); zabscope.pause()",
    ] {
        let script = format!(
            "{change};
             const canvas = document.querySelector('.cloth canvas'), box = canvas.getBoundingClientRect();
             for (const kind of ['pointermove', 'pointerdown', 'pointerup', 'wheel']) {{
                 const Kind = kind === 'wheel' ? WheelEvent : PointerEvent;
                 for (let x = 110; x < 900; x += 40) canvas.dispatchEvent(new Kind(kind, {{ clientX: box.left + x,
                     clientY: box.top + arguments[0], bubbles: true, cancelable: true, pointerId: 1, pointerType: 'mouse', deltaY: 10 }}));
             }}"
        );
        page.js(&script, &[json!(place.1)]);
        drawn(&page);
        page.assert_no_errors();
    }
}
