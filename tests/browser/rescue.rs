//! A page whose program stops: the run is kept, that is said, and it goes on with a new one.

use serde_json::{Value, json};
use zabscope::i18n::Lang;

use crate::harness::{Engine, Page, en, not_in, words};

/// Stops the page as a mistake in it would; whoever calls does not hear of it.
fn die(page: &Page, how: &str) {
    // the page's own function is what the timer calls: Firefox tells a page nothing of errors in functions of a test
    page.js("setTimeout(zabscope.panic, 0, arguments[0])", &[json!(how)]);
    // a stack without end takes its time on a busy machine
    let patience = std::time::Duration::from_secs(40);
    page.wait_within(patience, "it is noticed", "return document.querySelector('.rescue')");
    page.find("alertdialog", "");
}

/// From now on what would be saved is kept on the window.
fn catch_files(page: &Page) {
    page.js(
        "window.harnessFiles = [];
         URL.createObjectURL = (blob) => { blob.text().then(text => harnessFiles.push(text)); return '#'; };
         HTMLAnchorElement.prototype.click = function () {};",
        &[],
    );
}

fn saved(page: &Page) -> Vec<Value> {
    page.wait_until("a file is saved", "return harnessFiles.length");
    let files = page.js("return harnessFiles", &[]);
    let read = |text: &Value| serde_json::from_str(text.as_str().expect("a text")).expect("JSON");
    files.as_array().expect("a list").iter().map(read).collect()
}

/// Waits for a page that was loaded anew and plays.
fn wait_for_life(page: &Page) {
    page.wait_until(
        "a new page",
        "return !document.querySelector('.rescue') && window.zabscope?.state?.().events >= 0",
    );
    page.js("zabscope.play()", &[]);
    page.wait_until("it plays", "return zabscope.state().time_us > 1000");
}

fn a_mistake_leaves_a_sentence_the_run_and_a_way_on(how: &str) {
    let page = Page::open("?lang=en&scenario=cold-start-3&seed=18446744073709551615&paused=1&t=1700");
    page.find("button", words::server("S3", "leading")).click();
    page.find("menuitem", en().act_crash).click();
    page.js("zabscope.seek(2500); zabscope.act({ do: 'restart', server: 3 })", &[]);
    let actions = page.js("return zabscope.state().actions", &[]).as_u64().expect("a number");
    catch_files(&page);
    page.console();
    die(&page, how);
    let said = page.find("alertdialog", en().rescue_title).text();
    assert!(said.contains(words::start(en().rescue_text, &[&"2.500"])), "{said}");
    page.find("button", en().rescue_save).click();
    let mut run = saved(&page).remove(0);
    assert_eq!(run["actions"].as_array().map(|list| list.len() as u64), Some(actions));
    assert_eq!(run["seed"], json!(u64::MAX), "no number is rounded");
    // what is dead stays quiet
    page.console();
    page.keys(" ");
    page.js("dispatchEvent(new KeyboardEvent('keydown', { key: 'c' })); dispatchEvent(new Event('resize'))", &[]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    page.assert_no_errors();
    let error = page.js("try { zabscope.state() } catch (error) { return error.message }", &[]);
    assert_eq!(error, json!(en().rescue_title));
    page.find("button", en().rescue_new).click();
    wait_for_life(&page);
    assert_eq!(page.js("return document.documentElement.lang", &[]), json!("en"));
    // the kept run is a run; its seed is more than JavaScript can count to
    run["seed"] = json!(5);
    page.js("zabscope.load(arguments[0]); zabscope.pause(); zabscope.seek(2600)", &[run]);
    page.assert_no_errors();
}

#[test]
fn a_panic_leaves_a_sentence_the_run_and_a_way_on() {
    a_mistake_leaves_a_sentence_the_run_and_a_way_on("panic");
}

#[test]
fn a_trap_leaves_them_too() {
    a_mistake_leaves_a_sentence_the_run_and_a_way_on("trap");
}

#[test]
fn a_stack_without_end_leaves_them_too() {
    a_mistake_leaves_a_sentence_the_run_and_a_way_on("stack");
}

#[test]
fn where_it_died_by_itself_it_does_not_start_again_by_itself() {
    let page = Page::open("?lang=zh&scenario=cold-start-5&paused=1&t=900");
    die(&page, "panic");
    let zh = words::of(Lang::Zh);
    assert!(
        page.find("alertdialog", "").text().contains(words::start(zh.rescue_text, &[&"0.900"])),
        "in the page's language, where it was"
    );
    page.js("location.reload()", &[]);
    page.wait_for_words(".rescue", zh.rescue_again);
    assert_eq!(page.js("return typeof zabscope", &[]), json!("undefined"));
    page.find("button", zh.rescue_save);
    page.find("button", zh.rescue_again).click();
    wait_for_life(&page);
    assert_eq!(page.js("return zabscope.state().scenario", &[]), json!("cold-start-5"));
    // a death by hand is no reason to refuse the address
    page.js("zabscope.act({ do: 'crash', server: 1 }); zabscope.act({ do: 'restart', server: 1 })", &[]);
    die(&page, "panic");
    page.js("location.reload()", &[]);
    wait_for_life(&page);
    page.console();
}

/// Everything that is not quite what the page remembers of its death: a part is missing or something else, or the whole is.
fn not_quite(kept: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    let with = |name: &str, value: Value| {
        let mut other = kept.clone();
        other[name] = value;
        json!([other])
    };
    let without = |one: &Value, name: &str| {
        let mut other = one.clone();
        other.as_object_mut().expect("an object").remove(name);
        other
    };
    let names = |one: &Value| one.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    for name in names(kept) {
        all.push(json!([without(kept, &name)]));
        all.extend([Value::Null, json!(true), json!({})].map(|value| with(&name, value)));
    }
    all.extend(names(&kept["words"]).iter().map(|name| with("words", without(&kept["words"], name))));
    all.extend([json!([7]), json!([{}, null]), json!("[]")].map(|runs| with("runs", runs)));
    all.extend([json!({}), json!(7), json!("x"), Value::Null, json!([[]]), json!([null, 7]), kept.clone()]);
    all
}

#[test]
fn whatever_stands_in_its_storage_it_starts() {
    let page = Page::open("?lang=en&scenario=cold-start-3&paused=1");
    die(&page, "panic");
    let kept = page.js("return JSON.parse(localStorage.getItem('zabscope-stopped'))[0]", &[]);
    let reload = |value: &Value| {
        page.js(
            "window.before = true; localStorage.setItem('zabscope-stopped', arguments[0]); location.reload()",
            &[json!(value.to_string())],
        );
        // the page before is alive for a moment longer
        page.wait_until("it is loaded anew", "return !window.before");
        wait_for_life(&page);
    };
    reload(&json!([]));
    page.console();
    let starts =
        "localStorage.setItem('zabscope-stopped', arguments[0]); return zabscopeRescue.mayStart(arguments[1])";
    let starts = |value: &Value| page.js(starts, &[json!(value.to_string()), kept["build"].clone()]);
    let wrong = not_quite(&kept);
    assert!(wrong.len() > 30, "{}", wrong.len());
    for value in &wrong {
        assert_eq!(starts(value), json!(true), "{value}");
    }
    for value in [&wrong[0], &wrong[wrong.len() / 2], &wrong[wrong.len() - 1]] {
        reload(value);
    }
    page.assert_no_errors();
    assert_eq!(starts(&json!([kept])), json!(false), "what it wrote itself counts");
}

#[test]
fn both_runs_are_kept_where_two_stand_beside_each_other() {
    let page = Page::open("?lang=en&scenario=lock-herd&beside=lock-predecessor&paused=1&t=500");
    page.keys("1");
    page.keys("c");
    catch_files(&page);
    die(&page, "panic");
    page.find("button", en().rescue_save).click();
    page.find("button", &format!("{} (2)", en().rescue_save)).click();
    page.wait_until("both", "return harnessFiles.length === 2");
    for run in saved(&page) {
        let crash = |action: &Value| action["do"] == json!("crash");
        assert!(run["actions"].as_array().is_some_and(|list| list.iter().any(crash)), "{run}");
    }
    page.find("button", en().rescue_new).click();
    wait_for_life(&page);
    page.console();
}

#[test]
fn in_somebody_elses_page_it_says_so_in_its_frame() {
    if !not_in(Engine::Webkit, "its driver does not go into frames") {
        return;
    }
    let page = Page::open("?lang=en");
    page.js(
        "document.body.replaceChildren(Object.assign(document.createElement('iframe'), {
             src: location.pathname + '?lang=en&controls=minimal&scenario=cold-start-3', width: 600, height: 400 }))",
        &[],
    );
    let inner = "document.querySelector('iframe').contentWindow";
    page.wait_until("it runs", &format!("return {inner}.zabscope?.state().events > 3"));
    page.js(&format!("{inner}.setTimeout(() => {inner}.zabscope.panic())"), &[]);
    page.wait_until("it says so", &format!("return {inner}.document.querySelector('.rescue')"));
    page.js(&format!("{inner}.document.querySelector('.rescue button:last-of-type').click()"), &[]);
    page.wait_until(
        "it goes on",
        &format!("return !{inner}.document.querySelector('.rescue') && {inner}.zabscope?.state().events > 3"),
    );
    let address = page.js(&format!("return {inner}.location.search"), &[]);
    assert_eq!(address, json!("?lang=en&controls=minimal"));
    page.console();
}
