//! After the first visit the page opens without a network, and a new version is never held back.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Edition, Engine, PATIENCE, Page, dist, en, only_in, words};

/// A page that has been visited once, whose files are kept from now on.
fn visited() -> Page {
    let page = Page::open("?lang=en");
    page.wait_until("the files are kept", "return navigator.serviceWorker.controller?.state === 'activated'");
    page
}

/// The names of all caches.
fn caches(page: &Page) -> Vec<String> {
    serde_json::from_value(page.js("return caches.keys()", &[])).expect("names")
}

#[test]
fn it_opens_and_plays_when_nobody_answers_any_more() {
    let mut page = visited();
    page.stop_server();
    for path in ["?lang=en", "?lang=en&scenario=leader-crash-under-load", "index.html?lang=en"] {
        page.goto(path);
        page.wait_until("the clock runs", "return zabscope.state().time_us > 0");
    }
    page.goto("?lang=en&lesson=zab-broadcast");
    page.wait_until("it is open", "return zabscope.state().lesson?.id === 'zab-broadcast'");
    page.goto("?lang=en");
    page.reload();
    page.find("button", words::server("S3", ""));
    page.keys("g");
    page.find("heading", words::fill(en().gallery_bugs, &[&en().wing_elections]));
    page.assert_no_errors();
}

#[test]
fn just_the_files_of_the_build_are_kept() {
    let page = visited();
    let mut built: Vec<String> = std::fs::read_dir(dist())
        .expect("the build")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a plain name"))
        // the worker is kept by the browser itself; the single file is made of the build afterwards
        .filter(|name| name != "sw.js" && name != "zabscope.html")
        .map(|name| page.address(if name == "index.html" { "" } else { &name }))
        .collect();
    built.sort();
    let names = caches(&page);
    assert_eq!(names.len(), 1, "{names:?}");
    let script =
        "return caches.open(arguments[0]).then((cache) => cache.keys()).then((all) => all.map((it) => it.url))";
    let mut kept: Vec<String> = serde_json::from_value(page.js(script, &[json!(names[0])])).expect("addresses");
    kept.sort();
    assert_eq!(kept, built);
}

#[test]
fn a_first_visit_asks_for_no_file_twice() {
    // the server says nothing of caching
    if !only_in(Engine::Chromium, "what browsers keep of such a server is their own affair") {
        return;
    }
    let page = visited();
    // the browser itself asks for the worker as often as it likes, and for the icon, maybe while the worker does
    let own = |path: &String| path == "sw.js" || path.starts_with("icon-");
    let mut asked: Vec<String> = page.asked().into_iter().filter(|path| !own(path)).collect();
    asked.sort();
    assert!(asked.iter().any(|path| path.ends_with("_bg.wasm")), "{asked:?}");
    let twice: Vec<&String> = asked.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?} of {asked:?}");
    page.assert_no_errors();
}

#[test]
fn a_new_version_is_there_at_the_next_load_and_the_old_one_goes() {
    let page = visited();
    let before = caches(&page);
    page.js("return caches.open('of somebody else').then(() => true)", &[]);
    page.serve(Edition::Renewed);
    page.reload();
    let edition = page.js("return document.querySelector('meta[name=edition]')?.content", &[]);
    assert_eq!(edition, json!("renewed"), "the reader is stuck with the old version");
    // a browser looks for a new worker when it has time
    let end = Instant::now() + PATIENCE * 4;
    let after = loop {
        let after = caches(&page);
        if !after.contains(&before[0]) {
            break after;
        }
        assert!(Instant::now() < end, "the old version's files stay: {after:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(after.len() == 2 && after.contains(&"of somebody else".to_string()), "{after:?}");
    assert!(after.iter().any(|name| name.ends_with(" renewed")), "{after:?}");
    page.assert_no_errors();
}

#[test]
fn a_build_that_is_not_whole_replaces_nothing() {
    let mut page = visited();
    page.serve(Edition::Damaged);
    let script = "
        return navigator.serviceWorker.ready.then((it) => it.update()).then((it) => new Promise((done) => {
            const worker = it.installing ?? it.waiting;
            if (!worker) return done('refused');
            worker.onstatechange = () => done(worker.state);
        }), () => 'refused')";
    let said = page.js(script, &[]);
    assert!(said == json!("redundant") || said == json!("refused"), "{said}");
    page.stop_server();
    page.reload();
    page.find("button", words::server("S3", ""));
}
