//! Everyone can use it: axe-core (fetched by `scripts/axe`) finds nothing serious in any view, what
//! happens is said at a speed that one can follow, motion is reduced where somebody asks for that, fingers can do all.

use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::harness::{Engine, Page, en, not_in, only_in, words};

/// The checker's program, fetched once.
fn axe() -> &'static str {
    static AXE: OnceLock<String> = OnceLock::new();
    AXE.get_or_init(|| {
        let root = env!("CARGO_MANIFEST_DIR");
        let fetched = Command::new(format!("{root}/scripts/axe")).output().expect("scripts/axe starts");
        let why = String::from_utf8_lossy(&fetched.stderr);
        assert!(
            fetched.status.success(),
            "scripts/axe, which fetches axe-core from npm for this test, failed: {why}"
        );
        std::fs::read_to_string(format!("{root}/target/axe/node_modules/axe-core/axe.min.js")).expect("axe-core")
    })
}

/// Looks at the page as it is now.
fn check(page: &Page, what: &str) {
    if page.js("return !window.axe", &[]) == json!(true) {
        page.js(axe(), &[]);
    }
    let script = "
        const rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] };
        return axe.run(document, rules).then((found) => found.violations
            .filter((one) => ['serious', 'critical'].includes(one.impact))
            .flatMap((one) => one.nodes.map((node) => `${one.id} (${one.impact}): ${node.html.slice(0, 160)}\\n    ${node.failureSummary.replaceAll('\\n', ' ')}`)))";
    let found = page.js(script, &[]);
    let found: Vec<&str> = found.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(found.is_empty(), "{what}: {} violations\n{}", found.len(), found.join("\n"));
}

/// Other moments of another scenario, and the run stands.
fn at(page: &Page, scenario: &str, ms: u64) {
    page.js(
        "zabscope.load(arguments[0]); zabscope.pause(); zabscope.seek(arguments[1])",
        &[json!(scenario), json!(ms)],
    );
}

/// A page with an ensemble that has a leader and some writes, standing.
fn settled(query: &str) -> Page {
    let page = Page::open(&format!("?scenario=cold-start-3&t=1650&paused=1&{query}"));
    page.find("main", "");
    page
}

const LOOKS: [&str; 2] = ["theme=light", "theme=dark"];

#[test]
fn nothing_serious_is_found_at_the_start_and_while_it_plays() {
    for look in LOOKS {
        let page = Page::open(&format!("?lang=en&{look}"));
        check(&page, &format!("the start, {look}"));
        page.js("zabscope.play()", &[]);
        // some hundred ms of virtual time, at a tenth of real time, which runs slower still where frames are few
        let patience = std::time::Duration::from_secs(60);
        page.wait_within(patience, "there is a leader", "return zabscope.state().leader");
        check(&page, &format!("playing, {look}"));
        page.assert_no_errors();
    }
}

#[test]
fn nothing_serious_is_found_in_any_panel() {
    for look in LOOKS {
        let page = settled(&format!("lang=en&{look}"));
        page.js("zabscope.act({ do: 'open_client', client: 1 }); zabscope.seek(2100)", &[]);
        page.find("button", words::server("S3", "leading")).click();
        page.keys("\u{E00C}");
        for tab in page.find_all("tab", "") {
            tab.click();
            check(&page, &format!("the panel {}, {look}", tab.name()));
        }
        page.assert_no_errors();
    }
}

#[test]
fn nothing_serious_is_found_in_what_lies_over_the_page() {
    for look in LOOKS {
        let page = settled(&format!("lang=en&{look}"));
        page.js("zabscope.act({ do: 'open_client', client: 1 }); zabscope.seek(2100)", &[]);
        for button in
            [words::server("S3", "leading"), words::link("S1", "S3", en().link_open), words::client("C1", "")]
        {
            page.find("button", button).click();
            page.find("menu", "");
            check(&page, &format!("the menu of {button}, {look}"));
            page.keys("\u{E00C}");
        }
        for button in [en().share, en().picture, en().new_run] {
            page.find("button", button).click();
            page.find("dialog", "");
            check(&page, &format!("the dialog {button}, {look}"));
            page.keys("\u{E00C}");
        }
        for (key, what) in [("?", "help"), ("g", "the gallery")] {
            page.keys(key);
            page.find("dialog", "");
            check(&page, &format!("{what}, {look}"));
            page.keys("\u{E00C}");
        }
        page.find("button", en().compare).click();
        page.find("dialog", "");
        check(&page, &format!("the form of a comparison, {look}"));
        page.keys("\u{E00C}");
        page.find("button", en().show_log).click();
        check(&page, &format!("what happened, {look}"));
        page.assert_no_errors();
    }
}

#[test]
fn nothing_serious_is_found_in_the_other_views() {
    for look in LOOKS {
        let page = Page::open(&format!("?lang=en&scenario=lock-herd&beside=lock-predecessor&t=2500&paused=1&{look}"));
        page.find_all("main", "");
        check(&page, &format!("two runs, {look}"));
        page.keys("s");
        check(&page, &format!("two runs over time, {look}"));
        page.goto(&format!("?lang=en&scenario=leader-crash-under-load&t=2500&paused=1&{look}"));
        page.keys("s");
        page.find("application", words::begin(en().weave_title, &[]));
        check(&page, &format!("space-time, {look}"));
        // violated properties, a crash, a cut, something that was refused
        page.keys("s");
        at(&page, "rejoin-trunc", 2_600);
        page.js("zabscope.act({ do: 'cut', from: [1], to: [2], one_way: true }); zabscope.seek(3000)", &[]);
        check(&page, &format!("a cut, {look}"));
        for hall in ["l", "f"] {
            page.keys(hall);
            check(&page, &format!("{hall}, {look}"));
            page.keys(hall);
        }
        page.goto(&format!("?lang=en&scenario=nonsense&paused=1&{look}"));
        check(&page, &format!("a wrong address, {look}"));
        page.assert_no_errors();
    }
}

#[test]
fn nothing_serious_is_found_in_a_frame_and_on_a_telephone() {
    for look in LOOKS {
        let page = settled(&format!("lang=en&controls=minimal&{look}"));
        check(&page, &format!("minimal controls, {look}"));
        page.find("button", en().panels).click();
        check(&page, &format!("minimal controls and the panels, {look}"));
        page.goto(&format!("?lang=en&scenario=cold-start-3&t=1650&paused=1&controls=none&{look}"));
        check(&page, &format!("no controls, {look}"));
        page.assert_no_errors();
        let phone = Page::open_sized(&format!("?lang=en&scenario=cold-start-3&t=1650&paused=1&{look}"), 390, 844);
        check(&phone, &format!("a telephone, {look}"));
        phone.keys("?");
        check(&phone, &format!("help on a telephone, {look}"));
        phone.assert_no_errors();
    }
}

/// Every view that an address or a key leads to, and the panels. Names, roles and states are checked in each language without a browser
/// (`src/ui/tests/rules.rs`) and colours in English, so one look is enough for what other words may do: targets that are too small.
#[test]
fn nothing_serious_is_found_in_chinese() {
    if !not_in(Engine::Webkit, "axe misses a Chinese word in a name that has it") {
        return;
    }
    let page = settled("lang=zh-Hans&theme=light");
    check(&page, "zh-Hans");
    for tab in page.find_all("tab", "") {
        tab.click();
        check(&page, &format!("the panel {} in zh-Hans", tab.name()));
    }
    for key in ["?", "g", "1", "s", "l", "f"] {
        page.keys(key);
        check(&page, &format!("zh-Hans, {key}"));
        page.keys(if ["?", "g", "1"].contains(&key) { "\u{E00C}" } else { key });
    }
    for query in [
        "scenario=lock-herd&beside=lock-predecessor&t=2500",
        "lesson=commit-path",
        "scenario=nonsense",
        "controls=minimal",
        "view=spacetime",
    ] {
        page.goto(&format!("?lang=zh-Hans&paused=1&theme=light&{query}"));
        page.find_all("main", "");
        check(&page, &format!("zh-Hans, {query}"));
    }
    page.assert_no_errors();
}

/// While it plays the list and the spoken sentence change at a calm rate.
#[test]
fn what_happens_is_said_at_a_speed_that_one_can_follow() {
    let page = Page::open("?lang=en&scenario=cold-start-5&paused=1");
    let watch = "
        const watch = (name, selector) => {
            window[name] = [];
            const look = () => window[name].push([performance.now(), document.querySelector(selector).textContent]);
            new MutationObserver(look).observe(document.querySelector(selector), { childList: true, subtree: true, characterData: true });
        };
        watch('spoken', '.narration [aria-live]'); watch('listed', '.outline');
        zabscope.play();
        return new Promise((done) => setTimeout(done, 9000))";
    page.js(watch, &[]);
    page.js("zabscope.pause()", &[]);
    // the moments before the pause: single steps are told at once
    let times = |name: &str| -> Vec<f64> {
        let script = format!("return window.{name}.map(([at]) => at)");
        let all = page.js(&script, &[]);
        let mut at: Vec<f64> = all.as_array().expect("moments").iter().filter_map(Value::as_f64).collect();
        at.dedup_by(|b, a| *b - *a < 60.0); // one change may be told in parts
        at
    };
    let spoken = times("spoken");
    assert!((2..=6).contains(&spoken.len()), "{spoken:?}");
    let gaps: Vec<f64> = spoken.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // a heavier sentence comes after 0.8 s at the soonest, some frames more or less; the last one is the pause
    assert!(gaps[..gaps.len() - 1].iter().all(|gap| *gap >= 700.0), "{gaps:?}");
    let listed = times("listed");
    assert!((2..=8).contains(&listed.len()), "{listed:?}");
    page.assert_no_errors();
}

#[test]
fn reduced_motion_is_respected() {
    if !only_in(Engine::Chromium, "media queries are answered by its developer tools") {
        return;
    }
    // how often the canvas is painted in two seconds of an election
    let painted = "
        const of = CanvasRenderingContext2D.prototype, clear = of.clearRect;
        let count = 0;
        of.clearRect = function (...area) { if (this.canvas.matches('.paper')) count += 1; return clear.apply(this, area) };
        zabscope.play();
        return new Promise((done) => setTimeout(() => { of.clearRect = clear; zabscope.pause(); done(count) }, 2000))";
    let page = Page::open("?lang=en&scenario=cold-start-5&t=200&speed=1/2&paused=1");
    let glides = page.js(painted, &[]).as_u64().expect("a number");
    page.prefer("prefers-reduced-motion", "reduce");
    page.goto("?lang=en&scenario=cold-start-5&t=200&speed=1/2&paused=1");
    let steps = page.js(painted, &[]).as_u64().expect("a number");
    assert!((2..=7).contains(&steps) && glides > 2 * steps, "{glides} frames, and {steps} where motion is reduced");
    // it stands where time stands
    let events = page.js("zabscope.step(5); return zabscope.state().events", &[]).as_u64();
    assert!(events > Some(5));
    let moving = "
        const all = [...document.querySelectorAll('*')].filter((it) => {
            const style = getComputedStyle(it), long = (times) => times.split(',').some((time) => parseFloat(time) > 0.01);
            return (style.animationName !== 'none' && long(style.animationDuration)) || long(style.transitionDuration);
        });
        return all.map((it) => it.outerHTML.slice(0, 100))";
    page.keys("?");
    assert_eq!(page.js(moving, &[]), json!([]));
    page.assert_no_errors();
}

/// Fingers on the glass.
fn fingers(page: &Page, kind: &str, at: &[(f64, f64)]) {
    let points: Vec<Value> = at.iter().enumerate().map(|(id, (x, y))| json!({ "x": x, "y": y, "id": id })).collect();
    page.devtools("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
}

/// Where the middle of something is.
fn middle(page: &Page, role: &str, name: &str) -> (f64, f64) {
    let at = page
        .find(role, name)
        .js("const box = it.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]");
    (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
}

fn hold(page: &Page, at: (f64, f64)) {
    fingers(page, "touchStart", &[at]);
    page.js("return new Promise((done) => setTimeout(done, 900))", &[]);
    fingers(page, "touchEnd", &[]);
    page.js("return new Promise((done) => setTimeout(done, 400))", &[]);
}

#[test]
fn a_long_press_opens_the_menu_of_what_is_under_the_finger() {
    if !only_in(Engine::Chromium, "fingers are its developer tools'") {
        return;
    }
    let page = settled("lang=en");
    page.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true, "maxTouchPoints": 2 }));
    page.js("zabscope.act({ do: 'open_client', client: 1 }); zabscope.seek(2100)", &[]);
    for (name, menu) in [
        (words::server("S1", ""), words::fill(en().menu_of, &[&"S1"])),
        (words::link("S1", "S3", en().link_open), words::fill(en().menu_of, &[&"S1–S3"])),
        (words::client("C1", ""), words::fill(en().menu_of, &[&"C1"])),
    ] {
        let at = middle(&page, "button", name);
        hold(&page, at);
        page.find("menu", menu);
        page.keys("\u{E00C}");
        // a tap does the same, and a second one closes it
        fingers(&page, "touchStart", &[at]);
        fingers(&page, "touchEnd", &[]);
        page.find("menu", menu);
        page.keys("\u{E00C}");
    }
    page.assert_no_errors();
}

#[test]
fn two_fingers_zoom_the_run_over_time() {
    if !only_in(Engine::Chromium, "fingers are its developer tools'") {
        return;
    }
    let page = Page::open_sized("?lang=en&scenario=leader-crash-under-load&t=2500&paused=1", 390, 844);
    page.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": true, "maxTouchPoints": 2 }));
    page.keys("s");
    let at = middle(&page, "application", words::begin(en().weave_title, &[]));
    // the words below the picture tell from when to when it reaches
    let span = |page: &Page| -> f64 {
        let said = page.find("region", en().weave_list).js("return it.querySelector('p').textContent");
        let said = said.as_str().expect("words").to_string();
        let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        numbers[1] - numbers[0]
    };
    let before = span(&page);
    let apart = |by: f64| [(at.0 - by, at.1), (at.0 + by, at.1)];
    fingers(&page, "touchStart", &apart(30.0));
    for by in [45.0, 60.0, 75.0, 90.0] {
        fingers(&page, "touchMove", &apart(by));
    }
    fingers(&page, "touchEnd", &[]);
    page.wait_until("the picture's words follow", "return true");
    let after = span(&page);
    assert!(after < before * 0.6, "{before} s, then {after} s");
    // and the page itself was not zoomed
    assert_eq!(page.js("return visualViewport.scale", &[]), json!(1));
    page.assert_no_errors();
}
