//! The whole page in one file (`scripts/bundle`), opened from a disk.

use serde_json::json;

use crate::harness::{Engine, Page, dist, en, words};
use crate::policy::use_everything;
use crate::search::COUNT;

/// The single file in a browser that has no network, where its driver can take that away.
fn opened() -> Page {
    let file = dist().join("zabscope.html");
    assert!(file.is_file(), "dist/zabscope.html is missing: run `scripts/bundle` first");
    let mut page = Page::blank(true);
    page.stop_server();
    if Engine::chosen() == Engine::Chromium {
        page.devtools("Network.enable", json!({}));
        let nothing = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
        page.devtools("Network.emulateNetworkConditions", nothing);
    }
    page.visit(&format!("file://{}?lang=en", file.display()));
    page
}

#[test]
fn it_plays_from_a_disk_and_its_leader_can_be_crashed() {
    let page = opened();
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(1700)", &[]);
    page.find("button", words::server("S3", "leading")).click();
    page.find("menuitem", en().act_crash).click();
    page.find("button", words::server("S3", "crashed"));
    page.find("contentinfo", en().transport).find("button", en().play).click();
    page.wait_until("it plays", "return zabscope.state().time_us > 1701000");
    page.js("zabscope.pause(); zabscope.seek(3000)", &[]);
    page.find("button", words::server("S2", "leading"));
    page.assert_no_errors();
}

#[test]
fn it_searches_in_a_worker() {
    let page = opened();
    page.js(COUNT, &[]);
    let found =
        "return zabscope.find({ break: ['ack-before-sync'], budget: 40 }).then(found => found.finds.length > 0)";
    for begun in [1, 2] {
        assert_eq!(page.js(found, &[]), json!(true));
        assert_eq!(page.js("return begun", &[]), json!(begun));
    }
    page.assert_no_errors();
}

#[test]
fn it_asks_for_nothing_but_itself() {
    let page = opened();
    use_everything(&page);
    let mut requests = page.requests();
    // the worker's script stands in the file itself
    requests.retain(|url| !url.starts_with("blob:"));
    requests.retain(|url| !url.starts_with("file:///") || !url.contains("/zabscope.html?"));
    assert!(requests.is_empty(), "{requests:?}");
    page.assert_no_errors();
}

#[test]
fn it_has_lessons_and_bugs_inside() {
    let page = opened();
    page.keys("g");
    page.find("heading", words::fill(en().gallery_bugs, &[&en().wing_elections]));
    let file = page.js("return location.href.split('?')[0]", &[]);
    page.visit(&format!("{}?lang=en&lesson=zab-broadcast", file.as_str().expect("an address")));
    page.wait_until("it is open", "return zabscope.state().lesson?.id === 'zab-broadcast'");
    page.assert_no_errors();
}

#[test]
fn its_policy_refuses_every_request() {
    let page = opened();
    let policy = page.js("return document.querySelector('meta[http-equiv=Content-Security-Policy]').content", &[]);
    assert!(policy.as_str().is_some_and(|text| text.starts_with("default-src 'none'; ")), "{policy}");
    let script = "
        return new Promise((done) => {
            document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective));
            document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x.png' }));
        })";
    assert_eq!(page.js(script, &[]), json!("img-src"));
}
