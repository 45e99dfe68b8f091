//! The page lives under a strict Content-Security-Policy and asks nobody for anything but its own files.

use serde_json::json;
use zabscope::i18n::Lang;

use crate::harness::{Page, en, words};

const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'none'";

/// Goes through what the page has: panels, menus, dialogs, the console, a search, both languages and themes.
pub fn use_everything(page: &Page) {
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(1700)", &[]);
    page.find("button", words::server("S3", "leading")).click();
    page.find("menuitem", en().new_client_here).click();
    page.js("zabscope.seek(2200)", &[]);
    for tab in page.find_all("tab", "") {
        tab.click();
    }
    page.find("tab", en().tab_console).click();
    page.find("textbox", en().console).keys("create /x 1\u{E007}");
    page.js("zabscope.seek(2600)", &[]);
    page.find("tab", en().tab_znodes).click();
    page.find("treeitem", "/x…").click();
    page.keys("?\u{E00C}");
    page.find("button", words::link("S1", "S3", en().link_open)).click();
    page.find("menuitem", en().act_cut).click();
    for (now, next) in [
        (en().language, "zh-Hans"),
        (words::of(Lang::Zh).language, "zh-Hant"),
        (words::of(Lang::ZhHant).language, "en"),
    ] {
        page.choose(now, next);
    }
    page.find("button", en().theme_dark).click();
    let search = "return zabscope.find({ goal: 'epoch-uniqueness', break: ['leader-keeps-epoch'], budget: 100,
        run: { version: 3, seed: 1, setup: { voters: 3 }, actions: [] } })";
    let found = page.js(search, &[]);
    assert_eq!(found["finds"][0]["property"], json!("epoch-uniqueness"), "{found}");
    page.js("zabscope.load('lock-herd'); zabscope.play()", &[]);
    page.wait_until("it plays", "return zabscope.state().time_us > 100000");
}

#[test]
fn nothing_is_refused_and_nobody_else_is_asked() {
    let page = Page::blank(true);
    page.goto("?lang=en");
    use_everything(&page);
    let here = page.address("");
    let requests = page.requests();
    assert!(requests.iter().any(|url| url.ends_with(".wasm")), "{requests:?}");
    let others: Vec<_> = requests.iter().filter(|url| !url.starts_with(&here)).collect();
    assert!(others.is_empty(), "{others:?}");
    page.assert_no_errors(); // a refusal would be one
}

#[test]
fn the_page_brings_its_policy_along() {
    let page = Page::open("");
    let meta = page.js("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content", &[]);
    assert_eq!(meta, json!(POLICY));
    // and whatever would break it is refused, and would fail every test that asks for errors
    page.js("document.body.append(Object.assign(new Image(), { src: 'data:image/gif;base64,R0lGODdh' }))", &[]);
    page.wait_until("it is noticed", "return harnessLines.length");
    let said = page.console();
    assert!(said.iter().any(|line| line.starts_with("SEVERE refused by img-src")), "{said:?}");
}
