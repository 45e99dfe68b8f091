//! The stage's look and manners: nothing jumps, things say their names, the legend brings out its objects, help and first hints.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::harness::{PATIENCE, Page, en, words};

const STANDING: &str = "?lang=en&scenario=leader-crash-under-load&paused=1&t=1081";

/// Plays for some seconds, and lists which rooms were ever somewhere else than at the beginning.
const JUMPS: &str = "
    const names = ['.bar', '.stage', '.side', '.tabs', '.body', '.write', '.narration', '.narration .now', '.narration .what', '.tools', '.transport',
        '.timeline', '.clock', '.buttons', '.play', '.pace', ...[...document.querySelectorAll('.card, .client')].map((it) =>
        it.dataset.server ? `[data-server=${it.dataset.server}]` : `[data-client=${it.dataset.client}]`)];
    const boxes = () => names.map((name) => {
        const it = document.querySelector(name);
        if (!it || !it.checkVisibility()) return '';
        const { x, y, width, height } = it.getBoundingClientRect();
        return [x, y, width, height].map((n) => n.toFixed(1)).join(' ');
    });
    const moved = new Set(), from = zabscope.state().time_us;
    let before = boxes(), begin = performance.now();
    // a page that has only just come may still be laying itself out
    const settled = () => new Promise((done) => {
        const look = () => {
            const now = boxes();
            if (String(now) !== String(before)) [before, begin] = [now, performance.now()];
            if (performance.now() - begin < 500) return requestAnimationFrame(look);
            begin = performance.now();
            done();
        };
        look();
    });
    return settled().then(() => new Promise((done) => {
        zabscope.play();
        const look = () => {
            boxes().forEach((box, index) => box !== before[index] && moved.add(`${names[index]}: ${before[index]} -> ${box}`));
            // for four seconds, and longer where frames are rare: time does not run far in one
            const ms = performance.now() - begin, far = zabscope.state().time_us - from;
            if (ms < 4000 || (far < 200_000 && ms < 20_000)) return requestAnimationFrame(look);
            zabscope.pause();
            done({ moved: [...moved], far });
        };
        look();
    }));";

#[test]
fn nothing_jumps_while_a_run_plays() {
    for (width, height) in [(1280, 720), (390, 844)] {
        let page =
            Page::open_sized("?lang=en&scenario=leader-crash-under-load&paused=1&t=900&speed=1/10", width, height);
        for (panel, from) in [(en().tab_proposals, 900), (en().tab_logs, 1_300), (en().tab_sessions, 2_000)] {
            page.find("tab", panel).click();
            page.js("zabscope.seek(arguments[0])", &[json!(from)]);
            page.wait_until("cards", "return document.querySelectorAll('.card').length === 3");
            let found = page.js(JUMPS, &[]);
            assert_eq!(found["moved"], json!([]), "{panel} at {width}x{height}");
            assert!(found["far"].as_u64().is_some_and(|us| us > 100_000), "it played: {found}");
        }
        page.assert_no_errors();
    }
}

#[test]
fn clients_at_their_recipes_do_not_jump_either() {
    let page = Page::open_sized(
        "?lang=en&scenario=lock-predecessor&cast=ensemble&clients=6&paused=1&t=2300&speed=1/10",
        1280,
        720,
    );
    page.wait_until("clients", "return document.querySelectorAll('.client').length === 6");
    let found = page.js(JUMPS, &[]);
    assert_eq!(found["moved"], json!([]));
    page.assert_no_errors();
}

/// The words that name what is pointed at.
fn named(page: &Page) -> String {
    page.wait_until("words", "return document.querySelector('.naming')?.checkVisibility()");
    page.find("tooltip", "").text()
}

/// Where a packet of this letter is: the stage's own picture of it, found by pointing everywhere.
fn point(page: &Page, selector: &str) {
    page.js(
        "const it = document.querySelector(arguments[0]), { x, y, width, height } = it.getBoundingClientRect();
         const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, pointerType: 'mouse' };
         it.dispatchEvent(new PointerEvent('pointermove', at));",
        &[json!(selector)],
    );
}

#[test]
fn whatever_is_pointed_at_or_has_the_focus_is_named() {
    let page = Page::open_sized(STANDING, 1280, 720);
    page.find("button", words::server("S3", "leading"));
    point(&page, ".card[data-server=S3]");
    assert!(named(&page).starts_with("S3 · LEADING"), "{}", named(&page));
    point(&page, ".card[data-server=S1] .sq:nth-child(7)");
    page.wait_until("a square", "return /1:[0-9]+ · S1/.test(document.querySelector('.naming').innerText)");
    assert!(named(&page).contains(en().on_disk), "{}", named(&page));
    point(&page, ".handle");
    page.wait_until("a link", "return document.querySelector('.naming').innerText.includes('S1')");
    assert!(named(&page).contains(en().named_link), "{}", named(&page));
    // packets live on the canvas: each one that the page tells of is pointed at, until its words are there
    let commit = page.js("return zabscope.packets().find((packet) => packet.type === 'COMMIT')", &[]);
    page.wait_until("the commit has words", &format!(
        "const stage = document.querySelector('.stage'), at = {{ clientX: {}, clientY: {}, bubbles: true }};
         document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new PointerEvent('pointermove', at));
         return stage.classList.contains('over-packet') && document.querySelector('.naming').innerText.startsWith('{}')",
        commit["x"], commit["y"], words::start(en().packet_label, &[&commit["what"].as_str().expect("a name"), &"S3"])
    ));
    page.assert_no_errors();
}

#[test]
fn the_keyboard_names_everything_and_walks_from_packet_to_packet() {
    let page = Page::open_sized(STANDING, 1280, 720);
    page.find("button", words::server("S3", "leading"));
    page.js(
        "document.querySelector('.timeline input').focus(); document.querySelector('.round[aria-label]').focus()",
        &[],
    );
    let mut said: Vec<String> = Vec::new();
    for _ in 0..30 {
        page.keys(&Key::Tab);
        if page.js("return document.activeElement.closest('.stage') !== null", &[]) == json!(true) {
            said.push(named(&page).lines().next().unwrap_or_default().to_string());
        }
    }
    for wanted in ["S1 · FOLLOWING", "S3 · LEADING", words::start(en().link_label, &[&"S1", &"S2"])] {
        assert!(said.iter().any(|words| words.contains(wanted)), "{wanted}: {said:?}");
    }
    page.js("document.querySelector('.walker').focus()", &[]);
    let count = page.js("return zabscope.state().time_us", &[]);
    let mut packets = Vec::new();
    for _ in 0..4 {
        packets.push(named(&page).lines().next().unwrap_or_default().to_string());
        page.keys(&Key::Down);
    }
    packets.sort();
    packets.dedup();
    assert!(packets.len() >= 3, "{packets:?}");
    page.keys(&Key::Enter);
    page.wait_until("its menu", "return document.querySelector('[role=menu]') !== null");
    assert_eq!(page.js("return zabscope.state().time_us", &[]), count, "arrows did not step");
    page.assert_no_errors();
}

#[test]
fn an_entry_of_the_legend_brings_out_its_objects_and_counts_them() {
    let page = Page::open_sized("?lang=en&scenario=minority-partition&paused=1&t=2500", 1440, 900);
    page.find("button", en().legend_label).click();
    let legend = page.find("region", en().legend_label);
    let dimmed = |page: &Page| {
        page.js(
            "return [...document.querySelectorAll('.card')].filter((card) => getComputedStyle(card).opacity < 0.5).map((card) => card.dataset.server)",
            &[],
        )
    };
    assert_eq!(dimmed(&page), json!([]));
    legend.find("button", "LOOKING…").js("it.focus()");
    page.wait_for_words(".legend-side p", words::fill(en().legend_now, &[&3]));
    assert_eq!(dimmed(&page), json!(["S4", "S5"]));
    legend.find("button", "LEADING…").js("it.focus()");
    page.wait_for_words(".legend-side p", words::fill(en().legend_now, &[&1]));
    assert_eq!(dimmed(&page), json!(["S1", "S2", "S3", "S4"]));
    // packets are on the canvas, which is painted when the browser finds time
    let surface = |page: &Page| {
        page.js(
            "const paper = document.querySelector('.paper'), canvas = document.createElement('canvas');
             [canvas.width, canvas.height] = [paper.width, paper.height];
             const ctx = canvas.getContext('2d', { willReadFrequently: true });
             ctx.drawImage(paper, 0, 0);
             const data = ctx.getImageData(0, 0, canvas.width, canvas.height).data;
             let dark = 0;
             for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && data[i] + data[i + 1] + data[i + 2] < 330) dark += 1;
             return dark",
            &[],
        )
        .as_u64()
        .unwrap_or(0)
    };
    // far darker than while something else is brought out, or not
    let faded = surface(&page);
    let wait_for = |darker: bool, what: &str| {
        let end = std::time::Instant::now() + PATIENCE;
        while (surface(&page) * 2 > faded * 3) != darker {
            assert!(std::time::Instant::now() < end, "{what}: {} beside {faded}", surface(&page));
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    };
    legend.find("button", &format!("{}: …", en().short_vote)).js("it.focus()");
    page.wait_for_words(".legend-side p", words::listed(en().legend, "NOTIFICATION"));
    let now = json!(words::fill(en().legend_now, &[&"(\\d+)"]));
    let said = page.js("return +document.querySelector('.legend-side p').innerText.match(arguments[0])[1]", &[now]);
    assert!(said.as_u64().is_some_and(|count| count > 4), "{said}");
    wait_for(true, "votes are brought out");
    legend.find("button", "PROPOSAL…").js("it.focus()");
    wait_for(false, "votes fade");
    legend.find("button", "PROPOSAL…").js("it.blur()");
    page.wait_until("nothing is brought out", "return !document.querySelector('.stage').hasAttribute('data-mark')");
    page.find("button", en().legend_label).click();
    assert!(page.find_all("region", en().legend_label).is_empty());
    page.assert_no_errors();
}

#[test]
fn counts_lie_over_neither_cards_nor_packets() {
    for (query, width, height) in [
        ("leader-crash-under-load&t=1035", 1440, 900),
        ("leader-crash-under-load&t=1035", 390, 844),
        ("minority-partition&t=2500", 960, 540),
        ("minority-partition&t=2500", 1280, 720),
    ] {
        let page = Page::open_sized(&format!("?lang=en&paused=1&scenario={query}"), width, height);
        page.wait_until(
            &format!("a count: {query} at {width}x{height}"),
            "return document.querySelector('.board')?.checkVisibility()",
        );
        let over = page.js(
            "const box = document.querySelector('.board').getBoundingClientRect();
             const cards = [...document.querySelectorAll('.card, .handle')].filter((it) => {
                 const other = it.getBoundingClientRect();
                 return other.right > box.left && other.left < box.right && other.bottom > box.top && other.top < box.bottom;
             });
             const packets = [], stage = document.querySelector('.stage');
             for (let y = box.top; y < box.bottom; y += 4) for (let x = box.left; x < box.right; x += 4) {
                 stage.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true }));
                 if (stage.classList.contains('over-packet')) packets.push([x, y]);
             }
             return [cards.length, packets.length]",
            &[],
        );
        assert_eq!(over, json!([0, 0]), "{query} at {width}x{height}");
        page.assert_no_errors();
    }
}

/// A page that this browser has never seen before.
fn first_visit(path: &str, width: u32, height: u32) -> Page {
    let page = Page::blank(false);
    page.resize(width, height);
    page.forget_visits();
    page.goto(path);
    page
}

#[test]
fn a_first_visit_begins_with_a_lesson_of_a_minute_once() {
    let band = "return document.querySelector('.band')?.ariaLabel ?? null";
    for (width, height) in [(1280, 720), (390, 844)] {
        let page = first_visit("?lang=en&paused=1", width, height);
        page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption, .overview')");
        assert_eq!(page.js("return zabscope.state().lesson.id", &[]), json!("first-minute"));
        page.find("button", en().lesson_skip).click();
        page.wait_until("gone", "return document.querySelector('.band') === null");
        page.wait_until(
            "a world that plays",
            "return zabscope.state().playing && zabscope.state().scenario === 'cold-start-3'",
        );
        page.reload();
        page.find("contentinfo", en().transport).find("button", en().play);
        assert_eq!(page.js(band, &[]), Value::Null, "once");
        page.assert_no_errors();
    }
    for asked in ["?lang=en&paused=1&embed=1", "?lang=en&paused=1&scenario=lock-herd"] {
        let page = first_visit(asked, 960, 540);
        page.wait_until("a stage", "return document.querySelector('.card') !== null");
        assert_eq!(page.js(band, &[]), Value::Null, "{asked}");
        page.assert_no_errors();
    }
}

#[test]
fn a_menu_stands_beside_its_object_and_a_picked_card_offers_what_is_done_most() {
    let page = Page::open_sized("?lang=en&scenario=cold-start-3&paused=1&t=1500", 1440, 900);
    for id in ["S1", "S2", "S3"] {
        page.find("button", words::server(id, "")).click();
        page.find("menu", words::fill(en().menu_of, &[&id]));
        let covers = "const menu = document.querySelector('.menu').getBoundingClientRect();
            const card = document.querySelector(`.card[data-server=${arguments[0]}]`).getBoundingClientRect();
            return menu.left < card.right && card.left < menu.right && menu.top < card.bottom && card.top < menu.bottom";
        assert_eq!(page.js(covers, &[json!(id)]), json!(false), "the menu of {id}");
        page.keys(&Key::Escape);
        page.wait_until("it is closed", "return !document.querySelector('.menu')");
    }
    page.keys("1");
    page.find("button", &format!("{} S1", en().act_crash)).click();
    page.find("button", words::server("S1", "crashed"));
    page.find("button", &format!("{} S1", en().act_restart)).click();
    page.wait_until("nobody is crashed", "return !document.querySelector('.card.crashed')");
    page.find("button", &format!("{} S1", en().act_inspect)).click();
    let said = "return document.querySelector('.inspect .doing').innerText";
    assert!(page.js(said, &[]).as_str().is_some_and(|said| said.ends_with('.')), "it says what S1 waits for");
    page.assert_no_errors();
}
