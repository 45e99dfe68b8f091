//! Hands on the stage: a line that cuts links, packets that are held and clicks on what moves.

use fantoccini::key::Key;
use serde_json::{Value, json};

use crate::harness::{Engine, Move, Page, en, not_in, only_in, words};

/// Three servers, settled with S3 as leader, and paused.
fn settled(query: &str) -> Page {
    let page = Page::open(&format!("?lang=en&scenario=cold-start-3&paused=1&t=1700{query}"));
    page.find("button", words::server("S3", "leading"));
    page
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// A line below S1's card, from the stage's left edge to its right one.
fn line_below_s1(page: &Page) -> [(f64, f64); 2] {
    let at = page.js(
        "const [stage, card] = ['.stage', '[data-server=S1]'].map(one => document.querySelector(one).getBoundingClientRect());
         return [stage.left + 6, stage.right - 6, card.bottom + 22]",
        &[],
    );
    [(number(&at[0]), number(&at[2])), (number(&at[1]), number(&at[2]))]
}

fn actions(page: &Page) -> u64 {
    page.js("return zabscope.state().actions", &[]).as_u64().expect("a number")
}

fn cut(page: &Page) -> usize {
    page.find_all("button", words::link("S1", "S2", en().link_cut)).len()
        + page.find_all("button", words::link("S1", "S3", en().link_cut)).len()
}

fn draw(page: &Page, kind: &str, and: &[Move]) {
    let [from, to] = line_below_s1(page);
    let line =
        [Move::To(from.0, from.1, 0), Move::Down, Move::To(from.0 + 80.0, from.1, 60), Move::To(to.0, to.1, 120)];
    page.pointer(kind, &[&line, and].concat());
}

#[test]
fn a_line_across_links_cuts_them_all_as_one_deed() {
    for kind in ["mouse", "touch", "pen"] {
        let can = match kind {
            "pen" => only_in(Engine::Chromium, "other drivers have no pen"),
            "touch" => not_in(Engine::Webkit, "its driver has no finger"),
            _ => true,
        };
        if !can {
            continue;
        }
        let page = settled("");
        let before = actions(&page);
        if kind == "mouse" {
            draw(&page, kind, &[]);
            page.wait_until(
                "what it crosses is marked",
                "return document.querySelectorAll('.strike g').length === 2",
            );
            assert_eq!((actions(&page), cut(&page)), (before, 0), "nothing is cut before it is let go");
            page.pointer(kind, &[Move::Up]);
        } else {
            // drivers lift fingers and pens at the end of a call
            draw(&page, kind, &[Move::Up]);
        }
        page.find("button", words::link("S1", "S2", en().link_cut));
        page.find("button", words::link("S1", "S3", en().link_cut));
        page.find("button", words::link("S2", "S3", en().link_open));
        assert_eq!(actions(&page), before + 1, "one deed ({kind})");
        page.wait_until("the line is gone", "return !document.querySelector('.strike')");
        let said = page.js("return document.querySelector('.split').innerText", &[]).to_string();
        assert!(
            said.contains(words::fill(en().split_minority, &[&"S1"]))
                && said.contains(words::fill(en().split_majority, &[&"S2 S3"])),
            "{said}"
        );
        let marks = page.js("return document.querySelectorAll('.deed.own').length", &[]);
        assert_eq!(marks, json!(1), "one mark on the timeline");
        // no message passes while it is cut
        page.js("zabscope.seek(6700)", &[]);
        let passed = page.js(
            "return zabscope.facts(0).filter(fact => fact.kind === 'delivered' && fact.at_us > 1700000
                && (fact.from === 1) !== (fact.to === 1)).length",
            &[],
        );
        assert_eq!(passed, json!(0));
        page.keys(&(Key::Control + "z"));
        page.find("button", words::link("S1", "S2", en().link_open));
        assert_eq!((actions(&page), cut(&page)), (before, 0), "one undo takes all back");
        page.wait_until("they are one group again", "return !document.querySelector('.split').innerText.trim()");
        page.assert_no_errors();
    }
}

#[test]
fn escape_gives_the_line_up_and_a_line_across_nothing_does_nothing() {
    let page = settled("");
    let before = actions(&page);
    draw(&page, "mouse", &[]);
    page.wait_until("it is there", "return document.querySelector('.strike')");
    page.keys(&Key::Escape);
    page.wait_until("it is given up", "return !document.querySelector('.strike')");
    page.pointer("mouse", &[Move::Up]);
    let [(x, y), _] = line_below_s1(&page);
    page.pointer("mouse", &[Move::To(x, y, 0), Move::Down, Move::To(x + 30.0, y, 50), Move::Up]);
    assert_eq!((actions(&page), cut(&page)), (before, 0));
    page.assert_no_errors();
}

#[test]
fn a_clients_line_is_cut_too_and_it_goes_to_another_server() {
    let page = settled("");
    page.js("zabscope.act({ do: 'open_client', client: 1 }); zabscope.seek(2100)", &[]);
    let chip = page.find("button", words::client("C1", en().client_connected)).name();
    let server = chip.chars().last().expect("its server");
    page.find("button", &chip).click();
    page.find("menuitem", words::fill(en().client_cut, &[&format!("S{server}")])).click();
    assert_eq!(page.js("return zabscope.facts(0).filter(fact => fact.kind === 'link_cut').length", &[]), json!(2));
    page.js("zabscope.seek(6000)", &[]);
    let now = page.find("button", words::client("C1", en().client_connected)).name();
    assert!(!now.ends_with(server), "{now}");
    page.find("button", &now).click();
    page.find("menuitem", words::fill(en().client_heal, &[&format!("S{server}")])).click();
    assert_eq!(page.js("return zabscope.facts(0).filter(fact => fact.kind === 'link_healed').length", &[]), json!(2));
    page.assert_no_errors();
}

#[test]
fn the_keyboard_splits_the_ensemble_as_well() {
    let page = settled("");
    let before = actions(&page);
    page.keys("x");
    let form = page.find("dialog", en().partition_title);
    form.find("button", en().partition_cut).click();
    assert!(form.text().contains(en().partition_nothing), "{}", form.text());
    form.find("checkbox", "S1").click();
    form.find("checkbox", "S2").click();
    form.find("button", en().partition_cut).click();
    page.find("button", words::link("S1", "S3", en().link_cut));
    page.find("button", words::link("S2", "S3", en().link_cut));
    page.find("button", words::link("S1", "S2", en().link_open));
    assert_eq!(actions(&page), before + 1);
    page.wait_for_words(".split", words::fill(en().split_majority, &[&"S1 S2"]));
    page.keys("h");
    page.find("button", words::link("S1", "S3", en().link_open));
    // from a server's menu, with that server ticked
    page.find("button", words::server("S3", "")).click();
    page.find("menuitem", en().act_partition).click();
    let form = page.find("dialog", en().partition_title);
    assert_eq!(form.find("checkbox", "S3").property("checked"), json!(true));
    page.assert_no_errors();
}

/// In the page, so that nothing moves between looking and pressing: a press of 80 ms where a packet is drawn, and what opened.
const PRESS: &str = "
    const pause = (ms) => new Promise(done => setTimeout(done, ms));
    const packets = zabscope.packets();
    const clear = (it) => document.elementFromPoint(it.x, it.y)?.closest('canvas, .handles, .stage')
        && !document.elementFromPoint(it.x, it.y).closest('.card, .client, .menu, .split');
    const it = packets.filter(clear)[0];
    if (!it) return null;
    const send = (kind) => document.elementFromPoint(it.x, it.y).dispatchEvent(new (kind === 'click' ? MouseEvent : PointerEvent)(kind, {
        bubbles: true, cancelable: true, composed: true, detail: 1, pointerId: 1, isPrimary: true, pointerType: 'mouse',
        button: 0, buttons: kind === 'pointerdown' ? 1 : 0, clientX: it.x, clientY: it.y }));
    send('pointerdown');
    await pause(80);
    send('pointerup');
    send('click');
    await pause(150);
    return [`${it.from} ${it.to}`, document.querySelector('.menu h2')?.innerText ?? ''];";

#[test]
fn twenty_of_twenty_clicks_on_moving_packets_hit() {
    let page = Page::open("?lang=en&scenario=cold-start-5&t=300");
    page.js("zabscope.act({ do: 'write', server: 3, data: 'x', count: 500, every_us: 9000 })", &[]);
    let (mut pressed, mut hits, mut tries) = (0, 0, 0);
    while pressed < 20 {
        tries += 1;
        assert!(tries < 400, "only {pressed} packets were there to be pressed");
        page.wait_until("it plays", "return zabscope.state().playing");
        let answer = page.js(&format!("return (async () => {{ {PRESS} }})()"), &[]);
        let Some(ends) = answer[0].as_str() else {
            std::thread::sleep(std::time::Duration::from_millis(30));
            continue;
        };
        pressed += 1;
        let (from, to) = ends.split_once(' ').expect("two ends");
        let title = answer[1].as_str().unwrap_or_default().to_string();
        hits += usize::from(title.ends_with(&format!("S{from} → S{to}")));
        if hits < pressed {
            eprintln!("pressed {ends}, opened {title:?}");
        }
        page.keys(&Key::Escape);
        page.wait_until("the menu is closed", "return !document.querySelector('.menu')");
    }
    assert_eq!((hits, pressed), (20, 20));
    page.assert_no_errors();
}

#[test]
fn clicks_on_servers_and_links_hit_while_packets_fly_by() {
    let page = Page::open("?lang=en&scenario=cold-start-5&t=2500");
    page.js("zabscope.act({ do: 'write', server: 3, data: 'x', count: 500, every_us: 3000 })", &[]);
    for round in 0..10 {
        let what = ["S1", "S2", "S3", "S4", "S5", "S1–S3", "S2–S3", "S3–S4", "S3–S5", "S1–S2"][round];
        let at = page.js(
            "const it = [...document.querySelectorAll('.card, .handle')].find(one => one.dataset.server === arguments[0]
                 || one.ariaLabel?.startsWith(arguments[1])).getBoundingClientRect();
             return [(it.left + it.right) / 2, (it.top + it.bottom) / 2]",
            &[json!(what), json!(what.split_once('–').map(|(a, b)| words::link(a, b, "")))],
        );
        let (x, y) = (number(&at[0]), number(&at[1]));
        page.pointer("mouse", &[Move::To(x, y, 0), Move::Down, Move::Wait(80), Move::Up]);
        let title = format!("return document.querySelector('.menu h2')?.innerText === '{what}'");
        page.wait_until(&format!("the menu of {what}"), &title);
        assert_eq!(page.js("return zabscope.state().playing", &[]), json!(true));
        page.keys(&Key::Escape);
        page.wait_until("it is closed", "return !document.querySelector('.menu')");
    }
    page.assert_no_errors();
}

/// Presses the first packet of this type.
fn press(page: &Page, kind: &str) {
    let it = page.js("return zabscope.packets().find(one => one.type === arguments[0])", &[json!(kind)]);
    let (x, y) = (number(&it["x"]), number(&it["y"]));
    page.pointer("mouse", &[Move::To(x, y, 0), Move::Down, Move::Wait(80), Move::Up]);
}

fn committed(page: &Page) -> u64 {
    page.js("return zabscope.state().committed", &[]).as_u64().expect("a number")
}

/// Somebody writes, and time stands when both proposals have left the leader's card.
fn propose(page: &Page) {
    page.js("zabscope.act({ do: 'write', server: 3, data: 'x' })", &[]);
    let proposals = "return zabscope.packets().filter(one => one.type === 'PROPOSAL' && one.x).length === 2";
    for _ in 0..200 {
        if page.js(proposals, &[]) == json!(true) {
            break;
        }
        page.js(
            "zabscope.step(); return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))",
            &[],
        );
    }
    page.js("zabscope.seek(Math.ceil(zabscope.state().time_us / 1000) + 1); return new Promise(done => setTimeout(done, 200))", &[]);
}

#[test]
fn after_a_packet_is_held_by_its_key_space_plays_and_the_key_releases_it() {
    let page = settled("");
    propose(&page);
    press(&page, "PROPOSAL");
    page.find("menuitem", en().act_hold);
    page.keys("p");
    page.wait_until("it is held", "return zabscope.packets().filter(one => one.held).length === 1");
    // longer than whoever looks after the focus takes
    std::thread::sleep(std::time::Duration::from_millis(300));
    page.keys(" ");
    page.wait_until("it plays", "return zabscope.state().playing && !document.querySelector('.menu')");
    page.keys(" ");
    page.wait_until("it stands", "return !zabscope.state().playing && !document.querySelector('.menu')");
    page.keys("p");
    page.wait_until("it is released", "return zabscope.packets().every(one => !one.held)");
    page.assert_no_errors();
}

#[test]
fn a_packet_is_held_and_what_is_behind_it_waits_until_it_is_released() {
    let page = settled("");
    let before = committed(&page);
    propose(&page);
    press(&page, "PROPOSAL");
    page.find("menuitem", en().act_hold).click();
    page.wait_until("one is held", "return zabscope.packets().filter(one => one.held).length === 1");
    // the other one by keyboard: from its link's menu, then p
    let held = page.js("return zabscope.packets().find(one => one.held)", &[]);
    let other = if held["to"] == json!(1) { 2 } else { 1 };
    page.find("button", words::link(&format!("S{other}"), "S3", en().link_open)).keys(&Key::Enter);
    page.find("menuitem", words::begin(en().packet_entry, &[&"S3", &format!("S{other}"), &"PROPOSAL"]))
        .keys(&Key::Enter);
    page.find("menuitem", en().act_hold);
    page.keys(&Key::Escape);
    page.keys("p");
    page.wait_until("both are held", "return zabscope.packets().filter(one => one.held).length === 2");
    page.js("zabscope.seek(2200)", &[]);
    assert_eq!(committed(&page), before, "nobody could acknowledge it");
    page.wait_until(
        "others wait behind it",
        "return zabscope.packets().filter(one => one.waits && !one.held).length > 0",
    );
    page.keys("p");
    page.js("zabscope.seek(2300)", &[]);
    assert_eq!(committed(&page), before + 1, "two of three have it");
    let released = "return zabscope.facts(0).filter(fact => fact.kind === 'packet_released').length";
    assert_eq!(page.js(released, &[]), json!(1));
    for _ in 0..3 {
        page.keys(&(Key::Control + "z"));
    }
    page.wait_until("none is held", "return zabscope.packets().every(one => !one.held)");
    page.assert_no_errors();
}

#[test]
fn a_packet_that_is_lost_takes_its_connection_along() {
    let page = settled("");
    propose(&page);
    press(&page, "PROPOSAL");
    page.find("menuitem", en().act_lose).click();
    assert_eq!(
        page.js("return zabscope.facts(0).filter(fact => fact.kind === 'connection_broken').length", &[]),
        json!(1)
    );
    page.js("zabscope.seek(6000)", &[]);
    page.find("button", words::server("S3", "leading"));
    page.assert_no_errors();
}
