//! Clients on the stage: what their menus do, and what the panels show of it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{PATIENCE, Page, en, words};

/// A page with S3 as leader and one client, C1, of S1; time stands still.
fn with_a_client() -> Page {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(1700)", &[]);
    page.find("button", words::server("S1", "following")).click();
    page.find("menuitem", en().new_client_here).click();
    later(&page, 300);
    page.find("button", words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S1"]));
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
    page.find("tab", en().tab_sessions).click();
    assert!(sessions(&page).contains(words::fill(en().session_owned, &[&"C1"])));
    choose(&page, words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S1"]), en().act_pause);
    page.find("button", words::client("C1", en().client_paused));
    later(&page, 2_000);
    let left = json!(format!("{}(\\d+)", words::start(en().session_left, &[])));
    page.wait_until("its time runs out", &format!("return RegExp({left}).exec(document.body.innerText)?.[1] < 2500"));
    later(&page, 4_000);
    let held = json!(words::fill(en().session_owned, &[&"C1"]));
    page.wait_until(
        "its session is gone",
        &format!("return !document.querySelector('#panel').innerText.includes({held})"),
    );
    page.find("button", words::client("C1", en().client_paused)); // it knows nothing of that yet
    choose(&page, words::client("C1", en().client_paused), en().act_resume);
    later(&page, 3_000);
    page.find("button", words::client("C1", en().client_expired));
    choose(&page, words::client("C1", en().client_expired), en().client_open_again);
    later(&page, 500);
    page.find("button", words::client("C1", en().client_connected));
    page.assert_no_errors();
}

#[test]
fn it_moves_loses_its_connection_expires_and_dies() {
    let page = with_a_client();
    choose(
        &page,
        words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S1"]),
        words::fill(en().act_move, &[&"S2"]),
    );
    later(&page, 300);
    page.find("button", words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S2"]));
    choose(&page, words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S2"]), en().act_disconnect);
    later(&page, 1);
    page.find("button", words::client("C1", en().client_disconnected));
    later(&page, 3_000);
    choose(&page, words::client("C1", en().client_connected), en().act_expire);
    later(&page, 3_000); // it loses its connection, and learns the reason from the next server
    page.find("button", words::client("C1", en().client_expired));
    choose(&page, words::client("C1", en().client_expired), en().act_kill);
    later(&page, 1);
    assert!(page.find_all("button", words::client("C1", "")).is_empty());
    page.assert_no_errors();
}

#[test]
fn its_menu_opens_its_console_ready_for_typing() {
    let page = with_a_client();
    page.find("button", en().new_client).click();
    later(&page, 500);
    choose(&page, words::fill(en().client_label_at, &[&"C1", &en().client_connected, &"S1"]), en().console);
    page.find("log", words::fill(en().console_log, &[&"C1"]));
    page.wait_until("the line has the focus", "return document.activeElement.matches('.line input')");
    page.keys("create /typed here\u{E007}");
    later(&page, 500);
    assert!(page.find("log", words::fill(en().console_log, &[&"C1"])).text().contains("Created /typed"));
    page.assert_no_errors();
}

#[test]
fn the_znodes_of_another_server_are_shown_and_differences_marked() {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('zk-stale-read'); zabscope.pause(); zabscope.seek(2100)", &[]);
    page.find("tab", en().tab_znodes).click();
    page.find("treeitem", &format!("/x, {}, {}, new…", en().kind_persistent, words::fill(en().znode_version, &[&1])));
    page.find("combobox", en().tree_of).keys("S1");
    page.find("treeitem", &format!("/x, {}, {}, old…", en().kind_persistent, words::fill(en().znode_version, &[&0])));
    page.find("combobox", en().compare_with).keys("S2");
    let row = page
        .find("treeitem", &format!("/x, {}, {}, old…", en().kind_persistent, words::fill(en().znode_version, &[&0])));
    assert!(row.name().contains('≠'), "{}", row.name());
    row.click();
    assert!(
        page.find("region", words::fill(en().znode_title, &[&"/x"]))
            .text()
            .contains(words::fill(en().znode_there, &[&"S2", &"new"]))
    );
    page.assert_no_errors();
}

/// What of the stage's text and buttons lies under something else, or outside of the stage.
const HIDDEN: &str = "
    const stage = document.querySelector('.stage').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.stage .card, .stage .client')].map((it) => [it, it.getBoundingClientRect()]);
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
        // on a phone it waits with what is seldom needed
        if width < 720 {
            page.find("button", en().more).click();
        }
        page.find("button", en().new_client);
    }
    page.assert_no_errors();
}
