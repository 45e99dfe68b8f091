//! Recipes on the stage: what each client is, and two runs beside each other.

use zabscope::i18n::{Lang, error_words};
use zabscope::scenarios::scenario;

use crate::harness::{Page, en, words};

/// A row of the comparison as numbers, left and right.
fn row(page: &Page, name: &str) -> (f64, f64) {
    let text = page.find("row", &format!("{name}…")).text();
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    (numbers.next().expect("a number on the left"), numbers.next().expect("a number on the right"))
}

#[test]
fn the_herd_beside_predecessor_watches_with_one_clock() {
    let page = Page::open("?lang=en&scenario=lock-herd&paused=1&t=0");
    // what belongs beside it is chosen already
    page.find("button", en().compare).click();
    page.find("dialog", en().compare_form);
    page.find("button", en().compare_start).click();
    page.find("region", en().compare_title);
    // the argument's own slider gives both fewer clients
    page.find("slider", en().clients_title)
        .js("arguments[0].value = 6; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))");
    page.wait_until("six", "return document.querySelector('.growth output').innerText === '6'");
    page.find("button", en().compare_numbers).click();
    let clients = page.find("spinbutton", en().clients_title);
    clients.js("arguments[0].value = '8'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))");
    page.js("zabscope.seek(8000)", &[]);
    let both = format!("return /{}\\s+[5-7]\\s+[5-7]/.test(document.body.innerText)", en().compare_handovers);
    page.wait_until("both have handed over", &both);
    let (herd, predecessor) = row(&page, en().compare_notifications_each);
    assert!(herd >= 3.0 && (0.9..=1.0).contains(&predecessor), "{herd} {predecessor}");
    let (herd, predecessor) = row(&page, en().compare_requests_each);
    assert!(herd > 2.0 * predecessor, "{herd} {predecessor}");
    // what is done to one ensemble is done to the other, at the same moment; the numbers stand before the stages
    page.find("button", en().compare_numbers).click();
    page.find_all("button", words::server("S1", "following"))[0].click();
    page.find("menuitem", en().act_crash).click();
    let down = "return [...document.querySelectorAll('[data-server=S1]')].filter(card => card.textContent.includes('crashed')).length === 2";
    page.wait_until("both S1 are down", down);
    page.assert_no_errors();
}

#[test]
fn a_parameter_that_does_not_fit_is_told_and_the_run_stays() {
    let page = Page::open("?lang=en&scenario=lock-mutex&paused=1&t=0");
    page.js("zabscope.seek(3500)", &[]);
    let clients = page.find("spinbutton", en().clients_title);
    clients.js("arguments[0].value = '5000'; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))");
    let run = scenario("lock-mutex").expect("a scenario");
    let refused = run.run_with(&[("clients".into(), "5000".into())]).expect_err("too many");
    assert!(page.find("alert", "").text().contains(&error_words(Lang::En, &refused)));
    page.find("button", words::client("C5", en().client_connected));
    page.assert_no_errors();
}
