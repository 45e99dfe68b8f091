//! The gallery of scenarios: opened, walked, searched, and a way back to what was left for it.

use fantoccini::key::Key;
use serde_json::json;

use crate::harness::{Page, en, words};

/// Waits for the gallery, and until the scene on the stage has the focus in it.
fn opened(page: &Page) {
    page.find("dialog", en().gallery_title);
    page.wait_until("the one on the stage has the focus", "return document.activeElement?.matches('.scene')");
}

/// A page that stands still, with the gallery open.
fn gallery(query: &str, size: (u32, u32)) -> Page {
    let page = Page::open_sized(&format!("?lang=en&paused=1{query}"), size.0, size.1);
    page.keys("g");
    opened(&page);
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
    let page = Page::open("?lang=en&paused=1&step=0&scenario=rejoin-snap");
    let button = page.find("button", words::fill(en().gallery, &[&words::scenario("rejoin-snap").0]));
    button.click();
    opened(&page);
    let (title, about) = words::scenario("rejoin-snap");
    let name = format!("{title} {} {about}", en().gallery_now);
    assert!(page.focused().1.starts_with(&name), "{:?}", page.focused());
    page.keys(&Key::Escape);
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    assert_eq!(page.focused().1, words::fill(en().gallery, &[&words::scenario("rejoin-snap").0]));
    page.keys("g");
    opened(&page);
    assert_eq!(page.js("return zabscope.state().events", &[]), json!(0), "the page behind it rests");
    page.assert_no_errors();
}

#[test]
fn arrow_keys_walk_the_cards_and_enter_opens_one() {
    for size in [(1280, 720), (390, 844)] {
        let page = gallery("", size);
        page.keys(&Key::Right);
        assert!(page.focused().1.starts_with(words::scenario("cold-start-5").0), "{:?}", page.focused());
        page.keys(&Key::Down);
        let below = page.focused().1;
        let places = "const one = document.activeElement, first = document.querySelectorAll('.scene')[1];
            return [one.getBoundingClientRect().left - first.getBoundingClientRect().left,
                one.getBoundingClientRect().top > first.getBoundingClientRect().top]";
        assert_eq!(page.js(places, &[]), json!([0, true]), "{below}");
        page.keys(&Key::Up);
        assert!(page.focused().1.starts_with(words::scenario("cold-start-5").0), "{:?}", page.focused());
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
fn who_types_on_a_card_searches_and_the_page_behind_hears_nothing() {
    let page = gallery("&scenario=leader-crash-under-load&t=900", (1440, 900));
    let actions = |page: &Page| page.js("return zabscope.state().actions", &[]);
    let before = actions(&page);
    // on the page behind it, W writes and C crashes
    page.keys("w");
    page.keys("cts");
    page.wait_until("it is in the field", "return document.querySelector('.gallery input').value === 'wcts'");
    assert_eq!(actions(&page), before);
    page.find("button", en().gallery_all).click();
    page.find("button", &card("rejoin-trunc")).js("it.focus()");
    page.keys("rejoin-trunc");
    page.wait_until("few are left", "return document.querySelectorAll('.scene').length < 8");
    page.keys(&Key::Enter);
    page.wait_until("it is open", "return zabscope.state().scenario === 'rejoin-trunc'");
    page.assert_no_errors();
}

#[test]
fn pictures_are_drawn_when_they_come_into_sight() {
    let page = gallery("", (1280, 720));
    page.wait_within(
        std::time::Duration::from_secs(60),
        "those in sight",
        "const seen = [...document.querySelectorAll('.scene canvas')]
            .filter(one => one.getBoundingClientRect().top < innerHeight);
        return seen.length > 0 && seen.every(one => one.dataset.drawn === '')",
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

/// The name of a scenario's card.
fn card(id: &str) -> String {
    let (title, about) = words::scenario(id);
    format!("{title} {about}…")
}

/// A run that was left, so many seconds in.
fn left(id: &str, seconds: &str) -> &'static str {
    words::fill(en().left_at, &[&words::scenario(id).0, &seconds])
}

#[test]
fn nothing_is_lost_when_another_scenario_is_opened() {
    let page = Page::open("?lang=en&paused=1&scenario=cold-start-3");
    page.js("zabscope.seek(900); zabscope.act({ do: 'crash', server: 3 }); zabscope.seek(1500)", &[]);
    let digest = page.js("return zabscope.digest()", &[]);
    page.keys("g");
    opened(&page);
    page.find("button", &card("lock-herd")).click();
    page.wait_until("another run", "return zabscope.state().scenario === 'lock-herd'");
    page.js("zabscope.pause(); zabscope.seek(3000)", &[]);
    page.keys("g");
    opened(&page);
    page.find("heading", en().gallery_left);
    page.find("button", &format!("{} {}", left("cold-start-3", "1.500"), words::fill(en().left_changed, &[&1])))
        .click();
    page.wait_until("the run is back", "return zabscope.state().scenario === 'cold-start-3'");
    let now = page.js("const s = zabscope.state(); return [zabscope.digest(), s.time_us, s.playing]", &[]);
    assert_eq!(now, json!([digest, 1_500_000, false]));
    // what was done can be taken back, and the other run waits in its turn
    assert_eq!(page.js("return zabscope.undo()", &[]), json!(true));
    page.keys("g");
    opened(&page);
    page.find("button", &format!("{} {}", left("lock-herd", "3.000"), en().left_plain));
    page.assert_no_errors();
}

#[test]
fn a_pair_opens_side_by_side_and_comes_back_as_a_pair() {
    let page = gallery("", (1440, 900));
    let names = ["elect-latch", "elect-selector"].map(|id| words::scenario(id).0);
    let pair = words::fill(en().gallery_both, &[&names[0], &names[1]]);
    page.find("button", &format!("{pair}…")).click();
    page.find("region", en().compare_title);
    assert_eq!(page.js("return zabscope.state().scenario", &[]), json!("elect-latch"));
    page.js("zabscope.pause(); zabscope.seek(3000)", &[]);
    page.keys("g");
    opened(&page);
    page.find("button", &format!("{pair} {}…", en().gallery_now));
    page.find("button", &card("zk-session")).click();
    page.wait_until("alone", "return !document.querySelector('.compare')");
    page.keys("g");
    opened(&page);
    page.find("button", &format!("{}…", left("elect-latch", "3.000"))).click();
    page.find("region", en().compare_title);
    assert_eq!(page.js("return zabscope.state().time_us", &[]), json!(3_000_000));
    page.assert_no_errors();
}

#[test]
fn a_run_of_ones_own_comes_in_by_paste_and_what_is_wrong_with_it_is_said_there() {
    let page = gallery("", (960, 540));
    let field = page.find("textbox", en().gallery_paste);
    field.keys("hello");
    page.find("button", en().gallery_paste_open).click();
    page.wait_until("a sentence", "return document.querySelector('.own-run .wrong').innerText.length > 20");
    page.find("dialog", en().gallery_title);
    assert_eq!(page.js("return zabscope.state().scenario", &[]), json!("cold-start-3"), "nothing has changed");
    field.clear();
    field.keys(r#"{"version":4,"seed":77,"setup":{"voters":5},"actions":[]}"#);
    page.find("button", en().gallery_paste_open).click();
    page.wait_until("it is open", "const s = zabscope.state(); return s.seed === 77 && s.servers.length === 5");
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
    page.find("button", words::fill(en().gallery, &[&en().own_run]));
    page.assert_no_errors();
}

#[test]
fn tab_stays_inside_and_its_key_opens_it_in_somebody_elses_page() {
    let page = gallery("", (1280, 720));
    for _ in 0..12 {
        page.keys(&Key::Tab);
        assert_eq!(page.js("return !!document.activeElement.closest('.gallery')", &[]), json!(true));
    }
    page.keys(&Key::Escape);
    let thin = Page::open_sized("?lang=en&paused=1&embed=1", 960, 540);
    thin.find("button", en().play);
    thin.keys("g");
    thin.find("dialog", en().gallery_title);
    thin.keys(&Key::Escape);
    thin.wait_until("it is closed", "return !document.querySelector('.gallery')");
    thin.assert_no_errors();
}
