//! The console, and the panels that show what it does.

use serde_json::json;

use crate::harness::{Element, PATIENCE, Page, en, words};

const ENTER: char = '\u{E007}';
const TAB: char = '\u{E004}';
const UP: char = '\u{E013}';

/// A page with an elected leader and a client, C1, at its console; time stands still.
fn at_the_console() -> Page {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('cold-start-3'); zabscope.pause(); zabscope.seek(2000)", &[]);
    page.find("tab", en().tab_console).click();
    page.find("region", en().narration).find("button", en().new_client).click();
    later(&page, 500);
    page.wait_until(
        "C1 is connected",
        &format!("return document.querySelector('.doing').textContent.startsWith({})", json!(en().client_connected)),
    );
    page
}

fn later(page: &Page, ms: u64) {
    page.js("zabscope.seek(Math.floor(zabscope.state().time_us / 1000) + arguments[0])", &[json!(ms)]);
}

fn enter(page: &Page, line: &str) {
    page.find("textbox", en().console).keys(&format!("{line}{ENTER}"));
    later(page, 400);
}

fn output(page: &Page) -> Element<'_> {
    page.find("log", words::fill(en().console_log, &[&"C1"]))
}

#[test]
fn what_is_typed_is_done_answered_and_seen() {
    let page = at_the_console();
    enter(&page, "create /a x");
    enter(&page, "create -e /a/mine y");
    enter(&page, "get -w /a");
    enter(&page, "set /a z");
    let said = output(&page).text();
    for line in
        ["Created /a", "Created /a/mine", "\nx\n", "WatchedEvent state:SyncConnected type:NodeDataChanged path:/a"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    page.find("tab", en().tab_znodes).click();
    page.find("treeitem", &format!("/a, {}, {}, z…", en().kind_persistent, words::fill(en().znode_version, &[&1])))
        .click();
    page.find("region", words::fill(en().znode_title, &[&"/a"]));
    page.find("treeitem", &format!("/a/mine, {}…", words::fill(en().kind_ephemeral, &[&"C1"])));
    page.find("tab", en().tab_sessions).click();
    assert!(
        page.find("list", &format!("{} S3", en().sessions_at))
            .text()
            .contains(words::fill(en().session_owned, &[&"C1"]))
    );
    page.assert_no_errors();
}

#[test]
fn where_time_stands_a_line_lets_it_run_and_those_typed_or_pasted_meanwhile_wait_in_order() {
    let page = at_the_console();
    page.find("textbox", en().console).keys(&format!("create /hello world{ENTER}get /hello{ENTER}ls /{ENTER}"));
    let answered = "const said = [...document.querySelectorAll('.screen p')].map(line => line.innerText);
        return !zabscope.state().playing && !document.querySelector('.waiting') && said.at(-1).startsWith('[')";
    page.wait_until("all is answered, and time stands again", answered);
    let said = output(&page).text();
    let places =
        ["create /hello world", "Created /hello", "get /hello", "\nworld", "ls /"].map(|line| said.find(line));
    assert!(places.is_sorted() && places[0].is_some(), "{said}");
    page.wait_for_words(".now .what", "C1 reads the children");
    // Firefox makes the event's data from these two words, the others from the object
    let paste = "const text = 'set /hello again\\nget /hello\\ndelete /hello', data = new DataTransfer();
        data.setData('text/plain', text);
        document.querySelector('.console input').dispatchEvent(new ClipboardEvent('paste',
            { clipboardData: data, dataType: 'text/plain', data: text, bubbles: true, cancelable: true }))";
    page.js(paste, &[]);
    // time runs thirty times slower here, and a browser without a graphics card has few frames for it
    let answered = "return !zabscope.state().playing && !document.querySelector('.waiting')";
    page.wait_within(PATIENCE * 3, "both are answered", answered);
    page.wait_for_words(".now .what", "C1 reads “again”, version 1.");
    let line = page.find("textbox", en().console);
    assert_eq!(line.property("value"), json!("delete /hello"), "nobody has ended that line");
    line.keys(&ENTER.to_string());
    page.wait_for_words(".now .what", "C1: “delete /hello” is done.");
    page.assert_no_errors();
}

#[test]
fn keys_typed_there_are_letters_and_nothing_else() {
    let page = at_the_console();
    page.find("button", words::server("S3", "leading")).click();
    page.keys("\u{E00C}"); // escape: closes the menu, S3 stays selected
    enter(&page, "help create x p h n / ? 1");
    assert_eq!(page.js("return zabscope.state().servers[2].status", &[]), json!("running"));
    let line = page.find("textbox", en().console);
    line.keys(&format!("getA{TAB}"));
    page.wait_until("both are listed", "return document.body.innerText.includes('getAcl getAllChildrenNumber')");
    line.keys(&format!("c{TAB}"));
    assert_eq!(line.property("value").as_str().map(str::trim), Some("getAcl"));
    line.clear();
    line.keys(&UP.to_string());
    assert_eq!(line.property("value"), json!("help create x p h n / ? 1"));
    page.assert_no_errors();
}

#[test]
fn a_lagging_follower_is_seen_lagging() {
    let page = at_the_console();
    page.js("zabscope.act({ do: 'move_client', client: 1, server: 3 })", &[]);
    later(&page, 500);
    page.js("zabscope.act({ do: 'cut', from: [1], to: [2, 3] })", &[]);
    enter(&page, "create /late x");
    assert!(output(&page).text().contains("Created /late"));
    page.find("tab", en().tab_znodes).click();
    page.find("combobox", en().compare_with).keys("S1");
    assert!(page.find("treeitem", "/late…").name().contains(&format!("+ {}", words::fill(en().only_here, &[&"S3"]))));
    assert!(page.text().contains(words::fill(en().tree_behind, &[&"S1", &"S3"])));
    page.assert_no_errors();
}
