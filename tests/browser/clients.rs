//! Clients on the stage: what their menus do, and what the panels show of it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{PATIENCE, Page};

/// A page with S3 as leader and one client, C1, of S1; time stands still.
fn with_a_client() -> Page {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(1700)", &[]);
    page.find("button", "Server S1, following…").click();
    page.find("menuitem", "New client here").click();
    later(&page, 300);
    page.find("button", "Client C1, connected, at S1");
    page
}

fn later(page: &Page, ms: u64) {
    page.js("zabscope.seek(Math.floor(zabscope.state().time_us / 1000) + arguments[0])", &[json!(ms)]);
}

/// Chooses a word in the menu of C1, whose chip says what it is doing.
fn choose(page: &Page, chip: &str, word: &str) {
    page.find("button", chip).click();
    page.find("menuitem", word).click();
}

/// What the panel says; after a choice on the stage it is about that server, or else the leader.
fn sessions(page: &Page) -> String {
    page.find("tabpanel", "").text()
}

#[test]
fn a_paused_client_loses_its_session_and_learns_it_when_it_goes_on() {
    let page = with_a_client();
    page.find("tab", "Sessions").click();
    assert!(sessions(&page).contains("held by C1"));
    choose(&page, "Client C1, connected, at S1", "Pause");
    page.find("button", "Client C1, paused…");
    later(&page, 2_000);
    page.wait_until("its time runs out", "return /expires in (\\d+)/.exec(document.body.innerText)?.[1] < 2500");
    later(&page, 4_000);
    page.wait_until("its session is gone", "return !document.body.innerText.includes('held by C1')");
    page.find("button", "Client C1, paused…"); // it knows nothing of that yet
    choose(&page, "Client C1, paused…", "Resume");
    later(&page, 3_000);
    page.find("button", "Client C1, expired");
    choose(&page, "Client C1, expired", "Open again");
    later(&page, 500);
    page.find("button", "Client C1, connected…");
    page.assert_no_errors();
}

#[test]
fn it_moves_loses_its_connection_expires_and_dies() {
    let page = with_a_client();
    choose(&page, "Client C1, connected, at S1", "Move to S2");
    later(&page, 300);
    page.find("button", "Client C1, connected, at S2");
    choose(&page, "Client C1, connected, at S2", "Disconnect");
    later(&page, 1);
    page.find("button", "Client C1, disconnected");
    later(&page, 3_000);
    choose(&page, "Client C1, connected…", "Expire session");
    later(&page, 3_000); // it loses its connection, and learns the reason from the next server
    page.find("button", "Client C1, expired");
    choose(&page, "Client C1, expired", "Kill");
    later(&page, 1);
    assert!(page.find_all("button", "Client C1…").is_empty());
    page.assert_no_errors();
}

#[test]
fn its_menu_opens_its_console_ready_for_typing() {
    let page = with_a_client();
    page.find("button", "New client").click();
    later(&page, 500);
    choose(&page, "Client C1, connected, at S1", "Console");
    page.find("log", "Output of C1");
    page.wait_until("the line has the focus", "return document.activeElement.matches('.line input')");
    page.keys("create /typed here\u{E007}");
    later(&page, 500);
    assert!(page.find("log", "Output of C1").text().contains("Created /typed"));
    page.assert_no_errors();
}

#[test]
fn the_znodes_of_another_server_are_shown_and_differences_marked() {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('zk-stale-read'); zabscope.pause(); zabscope.seek(2100)", &[]);
    page.find("tab", "Znodes").click();
    page.find("treeitem", "/x, persistent, version 1, new…");
    page.find("combobox", "Tree of").keys("S1");
    page.find("treeitem", "/x, persistent, version 0, old…");
    page.find("combobox", "Compare with").keys("S2");
    let row = page.find("treeitem", "/x, persistent, version 0, old…");
    assert!(row.name().contains('≠'), "{}", row.name());
    row.click();
    assert!(page.find("region", "Stat of /x").text().contains("S2: new"));
    page.assert_no_errors();
}

/// What of the stage's text and buttons lies under something else, or outside of the stage.
const HIDDEN: &str = "
    const stage = document.querySelector('main').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('main .card, main .client')].map((it) => [it, it.getBoundingClientRect()]);
    const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const bad = [];
    for (const [it, box] of boxes) {
        const name = it.innerText.split('\\n')[0];
        if (box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom)
            bad.push(name + ' is outside');
        for (const [other, that] of boxes) if (other !== it && over(box, that)) bad.push(name + ' is covered');
        const middle = document.elementFromPoint(box.left + 10, box.bottom - 12);
        if (!it.contains(middle)) bad.push(name + ' has something above it: ' + middle?.className);
    }
    return bad.concat(document.documentElement.scrollWidth > innerWidth ? ['the page is too wide'] : [])";

/// The same once the stage has had time to settle in its new size.
fn hidden_at_last(page: &Page) -> Value {
    let end = Instant::now() + PATIENCE;
    loop {
        let hidden = page.js(HIDDEN, &[]);
        if hidden == json!([]) || Instant::now() > end {
            return hidden;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn nothing_covers_a_server_or_a_client_whatever_the_window() {
    let page = with_a_client();
    for (width, height) in [(1280, 720), (1440, 900), (960, 540), (390, 844)] {
        page.resize(width, height);
        page.wait_until("the stage has its size", "return document.querySelector('.card').offsetLeft >= 0");
        assert_eq!(hidden_at_last(&page), json!([]), "{width}x{height}");
        page.find("button", "New client");
    }
    page.assert_no_errors();
}
