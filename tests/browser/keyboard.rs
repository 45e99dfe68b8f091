//! Keys alone do all that hands can do: every thing is reached by Tab, its menu by Enter, and the focus is always seen.

use serde_json::json;

use crate::harness::{Engine, Page, en, not_in, words};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";
const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";
const DOWN: &str = "\u{E015}";
const SHIFT: &str = "\u{E008}";
const DELETE: &str = "\u{E017}";
/// More than there are things to focus on any page.
const FAR: usize = 160;

fn settled() -> Page {
    let page = Page::open("?lang=en&scenario=cold-start-3&t=1650&paused=1");
    page.find("button", words::server("S3", "leading"));
    page
}

/// Presses Tab until the focus is on the thing with this role and the beginning of this name.
fn tab_to(page: &Page, role: &str, name: &str) {
    let mut seen = Vec::new();
    for _ in 0..FAR {
        page.keys(TAB);
        let (is, called) = page.focused();
        if is == role && called.starts_with(name.trim_end_matches('…')) {
            return;
        }
        seen.push(format!("{is} {called}"));
    }
    panic!("Tab never comes to {role} {name}; it came to:\n{}", seen.join("\n"));
}

/// Opens the menu of a thing and chooses a word in it, by keys.
fn choose(page: &Page, name: &str, word: &str) {
    tab_to(page, "button", name);
    page.keys(ENTER);
    page.find("menu", "");
    for _ in 0..20 {
        let (is, called) = page.focused();
        assert_eq!(is, "menuitem", "{called}");
        if called == word {
            page.keys(ENTER);
            page.wait_until("the menu has gone", "return !document.querySelector('[role=menu]')");
            return;
        }
        page.keys(DOWN);
    }
    panic!("the menu of {name} has no {word}: {}", page.outline());
}

fn leave_out(why: &str) -> bool {
    !not_in(Engine::Webkit, why)
}

/// Its small browser takes Tab to text fields only.
const ONLY_FIELDS: &str = "Tab goes to text fields only there";

#[test]
fn everything_can_be_done_to_a_server() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    choose(&page, words::server("S1", "following"), en().act_crash);
    page.find("button", words::server("S1", "crashed"));
    // the focus is where it was
    assert!(page.focused().1.starts_with(words::start(en().server_label, &[&"S1"])), "{:?}", page.focused());
    choose(&page, words::server("S1", "crashed"), en().act_wipe);
    choose(&page, words::server("S1", "crashed"), en().act_restart);
    page.js("zabscope.seek(3500)", &[]);
    page.find("button", words::server("S1", "following"));
    choose(&page, words::server("S1", ""), en().act_pause);
    page.find("button", words::server("S1", words::paused("following")));
    choose(&page, words::server("S1", ""), en().act_resume);
    choose(&page, words::server("S1", ""), en().act_isolate);
    page.find("button", words::link("S1", "S3", en().link_cut));
    choose(&page, words::server("S1", ""), en().act_rejoin);
    page.find("button", words::link("S1", "S3", en().link_open));
    choose(&page, words::server("S1", ""), en().act_slow_disk);
    choose(&page, words::server("S1", ""), en().act_usual_disk);
    choose(&page, words::server("S1", ""), en().act_inspect);
    assert_eq!(page.find("tab", en().tab_inspect).attribute("aria-selected").as_deref(), Some("true"));
    page.assert_no_errors();
}

#[test]
fn everything_can_be_done_to_a_link() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    choose(&page, words::link("S1", "S3", en().link_open), en().act_cut);
    choose(&page, words::link("S1", "S3", en().link_cut), en().act_heal);
    choose(&page, words::link("S1", "S3", en().link_open), words::fill(en().act_cut_one, &[&"S1", &"S3"]));
    page.find("button", words::link("S1", "S3", words::fill(en().link_one_way, &[&"S1", &"S3"])));
    // what is picked is healed by its key too
    page.keys("x");
    page.find("button", words::link("S1", "S3", en().link_open));
    choose(&page, words::link("S1", "S3", en().link_open), en().act_slow);
    choose(&page, words::link("S1", "S3", en().link_slow), en().act_usual);
    choose(&page, words::link("S1", "S3", en().link_open), en().act_inspect);
    page.assert_no_errors();
}

#[test]
fn everything_can_be_done_to_a_client() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    page.keys("n");
    page.js("zabscope.seek(2200)", &[]);
    let at = |server: &str| words::fill(en().client_label_at, &[&"C1", &en().client_connected, &server]);
    let name = page.find("button", words::client("C1", en().client_connected)).name();
    let other = if name.ends_with("S2") { "S1" } else { "S2" };
    choose(&page, words::client("C1", ""), words::fill(en().act_move, &[&other]));
    page.js("zabscope.seek(3200)", &[]);
    page.find("button", at(other));
    choose(&page, words::client("C1", ""), en().act_pause);
    page.find("button", words::client("C1", en().client_paused));
    choose(&page, words::client("C1", ""), en().act_resume);
    choose(&page, words::client("C1", ""), en().act_disconnect);
    page.js("zabscope.seek(4200)", &[]);
    choose(&page, words::client("C1", ""), en().console);
    assert_eq!(page.focused(), ("textbox".to_string(), en().console.to_string()));
    page.keys(&format!("create /x 1{ENTER}"));
    // Escape leaves the line; the page's keys are heard again
    page.keys(ESCAPE);
    page.js("zabscope.seek(4600)", &[]);
    choose(&page, words::client("C1", ""), en().act_expire);
    page.js("zabscope.seek(7000)", &[]);
    choose(&page, words::client("C1", ""), en().act_kill);
    assert!(page.find_all("button", words::client("C1", "")).is_empty());
    page.assert_no_errors();
}

#[test]
fn packets_are_looked_at_one_after_the_other() {
    let page = Page::open("?lang=en&scenario=cold-start-3&t=20&paused=1");
    page.find("button", words::server("S3", "looking"));
    page.wait_until(
        "votes are on their way",
        "return document.querySelector('.outline').textContent.includes('NOTIFICATION')",
    );
    page.keys("m");
    let first = page.find("tabpanel", en().tab_inspect).text();
    assert!(first.contains("NOTIFICATION"), "{first}");
    page.keys("m");
    page.wait_until(
        "another one",
        &format!("return document.querySelector('[role=tabpanel]').innerText !== {}", json!(first)),
    );
    // with Shift held: drivers press it by themselves for a large letter in Chromium only
    page.keys(&format!("{SHIFT}M{SHIFT}"));
    page.wait_until(
        "the first one",
        &format!("return document.querySelector('[role=tabpanel]').innerText === {}", json!(first)),
    );
    page.assert_no_errors();
}

#[test]
fn what_was_done_is_moved_taken_back_and_deleted() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    page.keys("1");
    page.keys("c");
    page.find("button", words::server("S1", "crashed"));
    let crash = "zabscope.seek(2500); return zabscope.facts(0).find((fact) => fact.kind === 'crashed')?.at_us";
    let when = || page.js(crash, &[]).as_u64();
    let before = when().expect("it has happened");
    tab_to(&page, "button", "crash S1");
    page.keys(RIGHT);
    page.wait_until("it is later", &crash.replace("?.at_us", &format!("?.at_us > {before}")));
    page.keys("\u{E009}z\u{E009}");
    assert_eq!(when(), Some(before));
    tab_to(&page, "button", "crash S1");
    page.keys(DELETE);
    page.wait_until("it is gone", &crash.replace("return ", "return !"));
    page.assert_no_errors();
}

#[test]
fn tabs_are_walked_by_arrow_keys() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    page.find("tab", en().tab_proposals);
    tab_to(&page, "tab", en().tab_proposals);
    let before = page.js("return zabscope.state().events", &[]);
    page.keys(RIGHT);
    assert_eq!(page.focused(), ("tab".to_string(), en().tab_logs.to_string()));
    assert_eq!(page.find("tab", en().tab_logs).attribute("aria-selected").as_deref(), Some("true"));
    page.keys(LEFT);
    page.keys(LEFT); // around the end
    let last = page.find_all("tab", "").pop().expect("tabs").name();
    assert_eq!(page.focused(), ("tab".to_string(), last));
    assert_eq!(page.js("return zabscope.state().events", &[]), before, "no step of the run");
    page.assert_no_errors();
}

#[test]
fn the_keys_of_the_page_do_what_they_say() {
    let page = settled();
    let events = || page.js("return zabscope.state().events", &[]).as_u64().expect("a number");
    let before = events();
    page.keys(RIGHT);
    assert_eq!(events(), before + 1);
    page.keys(LEFT);
    assert_eq!(events(), before);
    page.js("zabscope.seek(450)", &[]);
    let early = events();
    page.keys(&format!("\u{E008}{RIGHT}\u{E008}"));
    assert!(events() > early + 1);
    page.keys(&format!("\u{E008}{LEFT}\u{E008}"));
    page.js("zabscope.seek(1650)", &[]);
    page.keys("2");
    page.keys("p");
    page.find("button", words::server("S2", words::paused("following")));
    page.keys("p");
    page.keys("x");
    page.find("button", words::link("S1", "S2", en().link_cut));
    page.keys("h");
    page.find("button", words::link("S1", "S2", en().link_open));
    page.keys("s");
    page.find("application", words::begin(en().weave_title, &[]));
    page.keys("s");
    page.find("button", words::server("S1", ""));
    page.keys("n");
    page.keys("/");
    page.find("textbox", en().console);
    page.wait_until("the line waits", "return document.activeElement.matches('input')");
    page.keys(ESCAPE);
    page.keys("?");
    page.find("dialog", "");
    page.keys(ESCAPE);
    page.keys(" ");
    page.wait_until("it plays", "return zabscope.state().playing");
    page.keys(" ");
    page.wait_until("it stands", "return !zabscope.state().playing");
    page.assert_no_errors();
}

/// A whole way round by Tab: each stop has a name and is seen, and they come in the order in which one reads the page.
#[test]
fn the_focus_is_seen_and_goes_from_top_to_bottom() {
    if leave_out(ONLY_FIELDS) {
        return;
    }
    let page = settled();
    page.keys("n");
    page.js("zabscope.seek(2200)", &[]);
    page.js("document.activeElement.blur()", &[]);
    // what the focus changes: an outline, or a shadow, a border or a sign of the thing's own
    let look = "
        const it = document.activeElement;
        const parts = ['.bar', '.narration', '.stage', '.side', '.transport'];
        const looks = (element) => ['', '::after'].map((part) => { const s = getComputedStyle(element, part);
            return [s.outlineStyle + s.outlineWidth, s.boxShadow, s.borderColor, s.backgroundColor, s.opacity, s.strokeWidth, s.stroke].join() }).join();
        const around = [it, ...it.querySelectorAll('*'), it.closest('.timeline') ?? it];
        const focused = around.map(looks);
        it.blur();
        const plain = around.map(looks);
        it.focus({ focusVisible: true });
        return [it === document.body ? '' : it.outerHTML.slice(0, 120), parts.findIndex((part) => it.closest(part)), focused.some((look, at) => look !== plain[at])]";
    let (mut last, mut stops) = (0, 0);
    for _ in 0..FAR {
        page.keys(TAB);
        let found = page.js(look, &[]);
        let (what, part) = (found[0].as_str().unwrap_or_default().to_string(), found[1].as_i64().unwrap_or(-1));
        if what.is_empty() {
            break;
        }
        let (role, name) = page.focused();
        assert!(!name.is_empty() || role == "tabpanel", "{what} has no name");
        assert!(found[2] == json!(true), "the focus is not seen on {what}");
        assert!(part >= last, "{what} comes after what is below it");
        (last, stops) = (part, stops + 1);
    }
    assert!(stops > 30 && last == 4, "{stops} stops, the last one in part {last}");
    page.assert_no_errors();
}

/// A press that takes away what it was made with leaves the focus on the stage, and what a digit chooses is said.
#[test]
fn the_focus_does_not_go_with_what_a_press_takes_away() {
    let page = settled();
    let on_stage = "return document.activeElement.closest('.stage') !== null";
    page.keys("s");
    page.find("application", words::begin(en().weave_title, &[])).js("it.focus()");
    page.keys("s");
    page.wait_until("the focus is on the stage", on_stage);
    page.keys("2");
    page.wait_for_words(".stage > p[role=status]", words::fill(en().chosen, &[&"S2 · FOLLOWING"]));
    page.goto("?lang=en&scenario=nonsense&paused=1");
    page.find("button", en().close).js("it.focus()");
    page.keys(ENTER);
    page.wait_until("the notice left it to the stage", on_stage);
    page.goto("?lang=en&lesson=first-minute");
    page.find("button", en().lesson_skip).js("it.focus()");
    page.keys(ENTER);
    page.wait_until("the lesson left it to the stage", on_stage);
    page.assert_no_errors();
}

#[test]
fn space_stops_time_after_a_click_on_any_button() {
    let page = Page::open("?lang=en&scenario=leader-crash-under-load&t=900&speed=1/100");
    page.js("zabscope.play()", &[]);
    let actions = |page: &Page| page.js("return zabscope.state().actions", &[]).as_u64();
    page.find("button", en().write).click();
    page.wait_until("it plays", "return zabscope.state().playing");
    let before = actions(&page);
    page.keys(" ");
    page.wait_until("time stands", "return !zabscope.state().playing");
    assert_eq!(actions(&page), before, "nothing was written a second time");
    // who comes by keys presses the button
    page.find("button", en().new_client).js("it.focus()");
    page.keys(TAB);
    page.keys(" ");
    page.wait_until("one more", &format!("return zabscope.state().actions > {}", before.unwrap_or(0)));
    page.assert_no_errors();
}
