//! Any run beside the one on the stage, with one clock.

use serde_json::json;

use crate::harness::{Page, en, words};

/// A run of one crash and some writes, standing, with the form for a comparison open.
fn form() -> Page {
    let page = Page::open("?lang=en&scenario=leader-crash-under-load&paused=1&t=0");
    page.js("zabscope.seek(1000)", &[]);
    choose(&page, en().compare, "…");
    page.find("dialog", en().compare_form);
    page
}

fn choose(page: &Page, list: &str, value: &str) {
    // a dialog's list comes after the page's own of the same name
    page.find_all("combobox", list).pop().expect("a list").js(&format!(
        "arguments[0].value = '{value}'; arguments[0].dispatchEvent(new Event('change', {{bubbles: true}}))"
    ));
}

#[test]
fn the_same_run_with_slower_links_parts_and_one_can_go_there_and_keep_it() {
    let page = form();
    choose(&page, en().compare_what, "1"); // slower or faster links
    page.find("button", en().compare_start).click();
    page.find("region", en().compare_title);
    page.wait_for_words(".parting p", words::start(en().compare_part, &[&"0.0"]));
    // what differs is marked, what is the same is not
    page.js("zabscope.seek(2500)", &[]);
    page.wait_until("marks", "return document.querySelectorAll('.compare tr.differs').length >= 4");
    let same = page.js(
        "return [...document.querySelectorAll('.compare tbody tr')].every(row => row.classList.contains('differs') === (row.cells[1].innerText !== row.cells[2].innerText))",
        &[],
    );
    assert_eq!(same, json!(true));
    page.find("button", en().compare_go_there).click();
    let at = page.js("return zabscope.state().time_us", &[]).as_u64().unwrap();
    assert!((1..100_000).contains(&at), "{at}");
    // only the right one: its digest, its latency, its moment
    page.js("zabscope.seek(2500)", &[]);
    let left = page.js("return zabscope.digest()", &[]);
    page.find("button", en().compare_only_right).click();
    page.wait_until("one run", "return document.querySelector('.right-stage') === null");
    assert_ne!(page.js("return zabscope.digest()", &[]), left);
    assert_eq!(page.js("return zabscope.state().time_us", &[]), json!(2_500_000));
    page.assert_no_errors();
}

#[test]
fn equal_runs_are_told_to_be_equal_and_a_file_is_read_with_care() {
    let page = form();
    choose(&page, en().compare_what, "6"); // a file
    page.find("button", en().compare_start).click();
    assert!(page.find("alert", "").text().contains(en().compare_no_file));
    let put = |text: &str| {
        page.js(
            "const data = new DataTransfer();
             data.items.add(new File([arguments[0]], 'mine.json', {type: 'application/json'}));
             document.querySelector('input[type=file]').files = data.files;",
            &[text.into()],
        );
        page.find("button", en().compare_start).click();
    };
    put("[1, 2");
    let other = json!(en().compare_no_file);
    let wrong = "document.querySelector('.wrong').innerText";
    page.wait_until("a sentence", &format!("return {wrong}.length > 10 && !{wrong}.includes({other})"));
    assert!(page.find_all("region", en().compare_title).is_empty());
    put(r#"{"version":3,"seed":5,"setup":{"voters":3},"actions":[]}"#);
    page.find("region", en().compare_title);
    page.wait_for_words(".parting p", words::start(en().compare_part, &[]));
    assert!(page.text().contains("mine.json"));
    page.find("button", en().compare_only_left).click();
    // the scenario beside itself
    choose(&page, en().compare, "…");
    page.find("dialog", en().compare_form);
    choose(&page, en().compare_what, "5");
    choose(&page, en().scenario, "leader-crash-under-load");
    page.find("button", en().compare_start).click();
    page.wait_for_words(".parting p", words::start(en().compare_same, &[]));
    // a crash on the left is one on the right: they stay the same
    page.find_all("button", words::server("S1", "following"))[0].click();
    page.find("menuitem", en().act_crash).click();
    page.js("zabscope.seek(1500)", &[]);
    page.wait_for_words(".parting p", words::start(en().compare_same, &[]));
    page.assert_no_errors();
}
