//! Recipes on the stage: what each client is, and two runs beside each other.

use crate::harness::Page;

#[test]
fn a_paused_holder_is_seen_to_believe_what_is_no_longer_so() {
    let page = Page::open("?lang=en&scenario=lock-pause&paused=1");
    page.js("zabscope.seek(5000)", &[]);
    page.find("button", "Client C1, paused, at S2: has the lock");
    page.find("button", "Client C2, connected, at S3: waits for C1");
    page.js("zabscope.seek(9000)", &[]);
    page.find("button", "Client C1, paused, at S2: believes it holds");
    page.find("button", "Client C2, connected, at S3: has the lock");
    page.assert_no_errors();
}

/// A row of the comparison as numbers, left and right.
fn row(page: &Page, name: &str) -> (f64, f64) {
    let text = page.find("row", &format!("{name}…")).text();
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    (numbers.next().expect("a number on the left"), numbers.next().expect("a number on the right"))
}

#[test]
fn the_herd_beside_predecessor_watches_with_one_clock() {
    let page = Page::open("?lang=en&scenario=lock-herd&paused=1");
    let beside = page.find("combobox", "Beside it");
    beside.js(
        "arguments[0].value = 'lock-predecessor'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))",
    );
    page.find("region", "Two runs compared");
    let clients = page.find("spinbutton", "Clients");
    clients.js("arguments[0].value = '8'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))");
    page.js("zabscope.seek(8000)", &[]);
    page.wait_until("both have handed over", "return /hand-overs\\s+[5-7]\\s+[5-7]/.test(document.body.innerText)");
    let (herd, predecessor) = row(&page, "notifications in a release");
    assert!(herd >= 3.0 && (0.9..=1.0).contains(&predecessor), "{herd} {predecessor}");
    let (herd, predecessor) = row(&page, "requests in a release");
    assert!(herd > 2.0 * predecessor, "{herd} {predecessor}");
    // what is done to one ensemble is done to the other, at the same moment
    page.find_all("button", "Server S1, following…")[0].click();
    page.find("menuitem", "Crash").click();
    let down = "return [...document.querySelectorAll('[data-server=S1]')].filter(card => card.textContent.includes('crashed')).length === 2";
    page.wait_until("both S1 are down", down);
    page.assert_no_errors();
}

#[test]
fn a_parameter_that_does_not_fit_is_told_and_the_run_stays() {
    let page = Page::open("?lang=en&scenario=lock-mutex&paused=1");
    page.js("zabscope.seek(3500)", &[]);
    let clients = page.find("spinbutton", "Clients");
    clients.js("arguments[0].value = '5000'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))");
    assert!(page.find("alert", "").text().contains("a whole number from 2 to 200"));
    page.find("button", "Client C5, connected…");
    page.assert_no_errors();
}
