//! The charts: tables and pixels say what the run says; what is empty leads on.

use std::time::{Duration, Instant};

use serde_json::json;
use zabscope::base::SimTime;
use zabscope::scenarios::scenario;
use zabscope::timeline::Session;
use zabscope::view::charts::charts;

use crate::harness::{PATIENCE, Page, en, words};

fn at(scenario: &str, ms: u64, query: &str) -> Page {
    let page = Page::open(&format!("?lang=en&paused=1&panel=chart&t=0&scenario={scenario}{query}"));
    // at the beginning nothing has happened, not even what happens in the first microsecond
    if ms > 0 {
        page.js("zabscope.seek(arguments[0])", &[json!(ms)]);
    }
    page
}

/// The share of a canvas, in thousandths, that has about the colour of a token of the style sheet.
fn share(page: &Page, canvas: &str, token: &str) -> u64 {
    let script = "
        const canvas = document.querySelector(arguments[0]);
        if (!canvas) return 0;
        const style = getComputedStyle(document.documentElement).getPropertyValue(arguments[1]).trim();
        const want = [1, 3, 5].map((at) => parseInt(style.slice(at, at + 2), 16));
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
        let found = 0;
        for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 200 && want.every((value, channel) => Math.abs(value - data[i + channel]) < 24)) found += 1;
        return Math.round(found * 1000 / (canvas.width * canvas.height))";
    page.js(script, &[json!(canvas), json!(token)]).as_u64().unwrap_or(0)
}

/// Waits until so much of a canvas has a token's colour: charts are drawn a moment after what they show has changed.
fn wait_for_share(page: &Page, canvas: &str, token: &str, least: u64) {
    let end = Instant::now() + PATIENCE;
    loop {
        let found = share(page, canvas, token);
        if found >= least {
            return;
        }
        assert!(Instant::now() < end, "{found} of 1000 pixels of {canvas} have the colour {token}, not {least}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn tables_and_pixels_say_what_the_run_says() {
    let page = at("leader-crash-under-load", 4_500, "");
    let run = scenario("leader-crash-under-load").expect("a scenario");
    let mut session = Session::new(run.run(), Some(run)).expect("a valid run");
    session.seek(SimTime::from_ms(4_500)).expect("a moment");
    let charts = charts(&session);
    let latency = page.find("region", en().charts.latency.title);
    page.wait_until(
        "all commits",
        &format!(
            "return document.querySelector('#said-latency')?.innerText.startsWith('{}{}')",
            charts.latency.count,
            words::piece(en().charts.latency.said, 1)
        ),
    );
    // the table has the same numbers, the newest first
    latency.find("button", words::begin(en().charts.numbers, &[])).click();
    let rows = latency.find_all("row", "");
    assert_eq!(rows.len(), 61, "a head, and the newest sixty");
    let last = charts.latency.last.expect("a commit");
    let expected = format!("{}.{:03}", last.at.as_ms() / 1_000, last.at.as_ms() % 1_000);
    assert!(rows[1].text().starts_with(&expected), "{} {expected}", rows[1].text());
    // two epochs, two colours; bars, and no leader twice
    wait_for_share(&page, "canvas.latency", "--e1", 2);
    wait_for_share(&page, "canvas.latency", "--e2", 4);
    assert_eq!(share(&page, "canvas.latency", "--e3"), 0);
    wait_for_share(&page, "canvas.gaps", "--bad", 1);
    let crisp = "const c = document.querySelector('canvas.latency'); return Math.abs(c.width - c.clientWidth * devicePixelRatio) <= 1";
    assert_eq!(page.js(crisp, &[]), json!(true));
    // what a release costs, in a run about a lock
    page.js("zabscope.load('lock-herd'); zabscope.pause(); zabscope.seek(6000)", &[]);
    wait_for_share(&page, "canvas.releases", "--focus", 1);
    page.assert_no_errors();
}

#[test]
fn another_theme_is_another_picture() {
    let page = at("leader-crash-under-load", 4_500, "&theme=light");
    page.find("region", en().charts.latency.title);
    page.wait_until("it is drawn", "return document.querySelector('canvas.latency')?.width > 300");
    wait_for_share(&page, "canvas.latency", "--e2", 4);
    page.find("button", en().theme_dark).click();
    page.wait_until("it is dark", "return document.documentElement.dataset.theme === 'dark'");
    // asked for with the dark tokens now
    wait_for_share(&page, "canvas.latency", "--e2", 4);
    page.assert_no_errors();
}

#[test]
fn where_there_is_nothing_a_button_leads_on() {
    let page = at("cold-start-3", 0, "");
    let latency = page.find("region", en().charts.latency.title);
    // nobody leads yet: a write would be refused, so time is let run
    latency.find("button", en().play).click();
    page.wait_until("time runs", "return zabscope.state().playing");
    page.js("zabscope.pause(); zabscope.seek(900)", &[]);
    latency.find("button", en().next_write).click();
    page.js("zabscope.pause(); zabscope.seek(1000)", &[]);
    page.wait_for_words("#said-latency", &format!("1{}", words::piece(en().charts.latency.said, 1)));
    page.find("button", en().next_gallery).click();
    page.find("dialog", en().gallery_title);
    page.keys(&fantoccini::key::Key::Escape);
    // the other panels
    let panel = |name: &str| page.find("tab", name).click();
    panel(en().tab_sessions);
    page.find("tabpanel", "").find("button", en().new_client).click();
    page.find("textbox", en().console);
    page.keys(&fantoccini::key::Key::Escape);
    // a server that is down is started from where its tree would be
    page.js("zabscope.act({ do: 'crash', server: 3 })", &[]);
    panel(en().tab_znodes);
    page.find("combobox", en().tree_of).keys("S3");
    page.find("button", words::fill(en().next_restart, &[&"S3"])).click();
    page.wait_until("it starts", "return zabscope.state().servers[2].status === 'running'");
    page.assert_no_errors();
}

#[test]
fn charts_are_drawn_a_few_times_a_second_and_not_at_all_while_time_stands() {
    let page = at("leader-crash-under-load", 700, "");
    let count = "window.drawn = 0;
        const width = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
        Object.defineProperty(HTMLCanvasElement.prototype, 'width', { ...width, set(value) {
            if (this.matches('.chart canvas')) window.drawn += 1;
            width.set.call(this, value);
        } });";
    page.js(count, &[]);
    // for three seconds, and longer where frames are so rare that less than half a second of the run has passed by then
    let plays = "
        const begin = performance.now(), from = zabscope.state().time_us;
        zabscope.play();
        return new Promise((done) => {
            const look = () => {
                const ms = performance.now() - begin;
                if (ms < 3000 || (zabscope.state().time_us - from < 200_000 && ms < 20_000)) return setTimeout(look, 50);
                zabscope.pause();
                done([window.drawn, ms]);
            };
            look();
        })";
    let found = page.js(plays, &[]);
    let (drawn, ms) = (found[0].as_f64().expect("a number"), found[1].as_f64().expect("a number"));
    // five charts, three or four times a second
    assert!(drawn >= 3.0 && drawn <= ms / 50.0, "{drawn} in {ms} ms");
    // what has just happened is still drawn, then nothing more
    let rests = "window.drawn = 0; return new Promise((done) => setTimeout(() => done(window.drawn), 1000))";
    let end = Instant::now() + PATIENCE;
    while page.js(rests, &[]) != json!(0) {
        assert!(Instant::now() < end, "it is drawn while time stands");
    }
    assert_eq!(page.js(rests, &[]), json!(0));
    page.assert_no_errors();
}
