//! The gallery of scenarios: opened, walked, searched, and a way back to what was left for it.

use fantoccini::key::Key;
use serde_json::json;
use zabscope::scenarios::SCENARIOS;

use crate::harness::Page;

/// A page that stands still, with the gallery open.
fn gallery(query: &str, size: (u32, u32)) -> Page {
    let page = Page::open_sized(&format!("?lang=en&paused=1{query}"), size.0, size.1);
    page.keys("g");
    page.find("dialog", "Scenarios");
    page
}

/// How many cards there are.
fn cards(page: &Page) -> u64 {
    page.js("return document.querySelectorAll('.scene').length", &[]).as_u64().unwrap_or(0)
}

/// How many pictures have been drawn.
fn drawn(page: &Page) -> u64 {
    page.js("return document.querySelectorAll('.scene canvas[data-drawn]').length", &[]).as_u64().unwrap_or(0)
}

#[test]
fn it_opens_by_button_and_key_and_gives_the_focus_back() {
    let page = Page::open("?lang=en&paused=1&scenario=rejoin-snap");
    let button = page.find("button", "Scenario: Rejoin by SNAP");
    button.click();
    page.find("dialog", "Scenarios");
    // as many as there are, by topic, and the one on the stage has the focus
    assert!(cards(&page) >= SCENARIOS.len() as u64);
    for name in
        ["The ensemble and ZAB", "The znode store and its clients", "Locks", "Leader election and coordination"]
    {
        page.find("heading", name);
    }
    assert!(
        page.focused().1.starts_with("Rejoin by SNAP on the stage A follower missed too many"),
        "{:?}",
        page.focused()
    );
    page.keys(&Key::Escape);
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    assert_eq!(page.focused().1, "Scenario: Rejoin by SNAP");
    page.keys("g");
    page.find("dialog", "Scenarios");
    assert_eq!(page.js("return zabscope.state().events", &[]), json!(0), "the page behind it rests");
    page.assert_no_errors();
}

#[test]
fn arrow_keys_walk_the_cards_and_enter_opens_one() {
    for size in [(1280, 720), (390, 844)] {
        let page = gallery("", size);
        page.keys(&Key::Right);
        assert!(page.focused().1.starts_with("Cold start of five"), "{:?}", page.focused());
        page.keys(&Key::Down);
        let below = page.focused().1;
        let places = "const one = document.activeElement, first = document.querySelectorAll('.scene')[1];
            return [one.getBoundingClientRect().left - first.getBoundingClientRect().left,
                one.getBoundingClientRect().top > first.getBoundingClientRect().top]";
        assert_eq!(page.js(places, &[]), json!([0, true]), "{below}");
        page.keys(&Key::Up);
        assert!(page.focused().1.starts_with("Cold start of five"), "{:?}", page.focused());
        // keys of the page behind it mean nothing here
        page.keys("c");
        page.keys(&Key::Enter);
        page.wait_until("it is closed", "return !document.querySelector('.gallery')");
        let state = page.js("const s = zabscope.state(); return [s.scenario, s.playing, s.servers.length]", &[]);
        assert_eq!(state, json!(["cold-start-5", true, 5]));
        let wide = page.js("return document.documentElement.scrollWidth - innerWidth", &[]);
        assert!(wide.as_i64().is_some_and(|more| more <= 0), "{wide} wider than the window");
        page.assert_no_errors();
    }
}

#[test]
fn a_search_finds_words_in_both_languages_and_says_when_it_finds_nothing() {
    let page = gallery("", (1440, 900));
    let search = page.find("searchbox", "Search scenarios");
    search.keys("WAKES herd");
    page.wait_until("few are left", "return document.querySelectorAll('.scene').length < 8");
    assert!(page.find_all("status", "").iter().any(|status| status.text().contains("of 36 scenarios")));
    page.find("button", "The herd Everybody watches one node…");
    search.clear();
    search.keys("观察者");
    page.wait_until("the observer", "return document.querySelector('.scene')?.innerText.startsWith('An observer')");
    search.clear();
    search.keys("no such thing at all");
    page.find("button", "Show all scenarios");
    assert!(page.text().contains("No scenario has all of these words: “no such thing at all”"));
    page.find("button", "Show all scenarios").click();
    page.wait_until("all are back", "return document.querySelectorAll('.scene').length > 35");
    // Enter in the field opens the first one that is found
    search.keys("TRUNC");
    page.wait_until("one", "return document.querySelector('.scene').innerText.startsWith('Rejoin by TRUNC')");
    search.keys(&Key::Enter);
    page.wait_until("it is open", "return zabscope.state().scenario === 'rejoin-trunc'");
    page.assert_no_errors();
}

#[test]
fn pictures_are_drawn_when_they_come_into_sight() {
    let page = gallery("", (1280, 720));
    page.wait_within(
        std::time::Duration::from_secs(60),
        "those in sight",
        "return [...document.querySelectorAll('.scene canvas')]
        .filter(one => one.getBoundingClientRect().top < innerHeight).every(one => one.dataset.drawn === '')",
    );
    let first = drawn(&page);
    assert!(first < cards(&page), "{first}: only those in sight");
    // each shows something, and they are not all the same
    let colours = "return [...document.querySelectorAll('.scene canvas[data-drawn]')].map(canvas => {
        const copy = document.createElement('canvas');
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext('2d', { willReadFrequently: true });
        context.drawImage(canvas, 0, 0);
        const data = context.getImageData(0, 0, copy.width, copy.height).data;
        const seen = new Map();
        for (let at = 0; at < data.length; at += 4) {
            const colour = data[at] << 16 | data[at + 1] << 8 | data[at + 2];
            seen.set(colour, (seen.get(colour) ?? 0) + 1);
        }
        return [seen.size, [...seen].sort().join(';').length];
    })";
    let seen = page.js(colours, &[]);
    let seen = seen.as_array().expect("a list");
    assert!(seen.iter().all(|one| one[0].as_u64().is_some_and(|colours| colours > 20)), "{seen:?}");
    let kinds: std::collections::BTreeSet<String> = seen.iter().map(|one| one.to_string()).collect();
    assert!(kinds.len() * 2 > seen.len(), "{seen:?}");
    page.js("document.querySelector('.halls').scrollTo(0, 1e6)", &[]);
    page.wait_within(
        std::time::Duration::from_secs(60),
        "more",
        &format!("return document.querySelectorAll('.scene canvas[data-drawn]').length > {first}"),
    );
    page.assert_no_errors();
}

#[test]
fn nothing_is_lost_when_another_scenario_is_opened() {
    let page = Page::open("?lang=en&paused=1&scenario=cold-start-3");
    page.js("zabscope.seek(900); zabscope.act({ do: 'crash', server: 3 }); zabscope.seek(1500)", &[]);
    let digest = page.js("return zabscope.digest()", &[]);
    page.keys("g");
    page.find("button", "The herd Everybody…").click();
    page.wait_until("another run", "return zabscope.state().scenario === 'lock-herd'");
    page.js("zabscope.pause(); zabscope.seek(3000)", &[]);
    page.keys("g");
    page.find("heading", "Back to your runs");
    page.find("button", "Cold start of three, at 1.500 s Goes on where you left it, with your changes (1).").click();
    page.wait_until("the run is back", "return zabscope.state().scenario === 'cold-start-3'");
    let now = page.js("const s = zabscope.state(); return [zabscope.digest(), s.time_us, s.playing]", &[]);
    assert_eq!(now, json!([digest, 1_500_000, false]));
    // what was done can be taken back, and the other run waits in its turn
    assert_eq!(page.js("return zabscope.undo()", &[]), json!(true));
    page.keys("g");
    page.find("button", "The herd, at 3.000 s Goes on where you left it.");
    page.assert_no_errors();
}

#[test]
fn a_pair_opens_side_by_side_and_comes_back_as_a_pair() {
    let page = gallery("", (1440, 900));
    page.find("button", "LeaderLatch beside LeaderSelector…").click();
    page.find("region", "Two runs compared");
    assert_eq!(page.js("return zabscope.state().scenario", &[]), json!("elect-latch"));
    page.js("zabscope.pause(); zabscope.seek(3000)", &[]);
    page.keys("g");
    page.find("button", "LeaderLatch beside LeaderSelector on the stage…");
    page.find("button", "Sessions An ephemeral node…").click();
    page.wait_until("alone", "return !document.querySelector('.compare')");
    page.keys("g");
    page.find("button", "LeaderLatch, at 3.000 s…").click();
    page.find("region", "Two runs compared");
    assert_eq!(page.js("return zabscope.state().time_us", &[]), json!(3_000_000));
    page.assert_no_errors();
}

#[test]
fn a_run_of_ones_own_comes_in_by_paste_and_what_is_wrong_with_it_is_said_there() {
    let page = gallery("", (960, 540));
    let field = page.find("textbox", "A link or a run");
    field.keys("hello");
    page.find("button", "Open what is pasted").click();
    page.wait_until("a sentence", "return document.querySelector('.own-run .wrong').innerText.length > 20");
    page.find("dialog", "Scenarios");
    assert_eq!(page.js("return zabscope.state().scenario", &[]), json!("cold-start-3"), "nothing has changed");
    field.clear();
    field.keys(r#"{"version":2,"seed":77,"setup":{"voters":5},"actions":[]}"#);
    page.find("button", "Open what is pasted").click();
    page.wait_until("it is open", "const s = zabscope.state(); return s.seed === 77 && s.servers.length === 5");
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    page.find("button", "Scenario: Own run");
    page.assert_no_errors();
}

#[test]
fn tab_stays_inside_and_a_part_of_somebody_elses_page_has_no_button_for_it() {
    let page = gallery("", (1280, 720));
    for _ in 0..12 {
        page.keys(&Key::Tab);
        assert_eq!(page.js("return !!document.activeElement.closest('.gallery')", &[]), json!(true));
    }
    page.keys(&Key::Escape);
    let thin = Page::open_sized("?lang=en&paused=1&embed=1", 960, 540);
    thin.find("button", "Play");
    assert!(!thin.outline().contains("Scenario"), "{}", thin.outline());
    thin.keys("g");
    thin.find("dialog", "Scenarios");
    thin.keys(&Key::Escape);
    thin.wait_until("it is closed", "return !document.querySelector('.gallery')");
    thin.assert_no_errors();
}
