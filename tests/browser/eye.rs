//! Where eyes are led: what recedes while something is told, the motions that show it, and links that are not drawn.

use serde_json::{Value, json};

use crate::harness::{Engine, Move, Page, en, only_in, words};

/// In lecture-hall mode what decides stands until somebody goes on: the crash of the leader.
fn crash() -> Page {
    let page = Page::open("?lang=en&scenario=leader-crash-under-load&t=1390&lecture=1");
    page.wait_until("somebody recedes", "return document.querySelector('.card[data-dim]')");
    page
}

fn receding(page: &Page) -> Value {
    page.js("return [...document.querySelectorAll('.card[data-dim]')].map(card => card.dataset.server)", &[])
}

/// Sends an event of a pointer from the middle of an element.
fn send(page: &Page, kind: &str, selector: &str) {
    page.js(
        "const it = document.querySelector(arguments[1]), { x, y, width, height } = it.getBoundingClientRect();
         it.dispatchEvent(new PointerEvent(arguments[0], { clientX: x + width / 2, clientY: y + height / 2,
             bubbles: arguments[0] === 'pointermove', pointerType: 'mouse' }));",
        &[json!(kind), json!(selector)],
    );
}

#[test]
fn what_is_not_told_recedes_until_somebody_looks_elsewhere() {
    let page = crash();
    let told =
        page.js("return [...document.querySelectorAll('.now .what [data-of^=S]')].map(it => it.dataset.of)", &[]);
    let away = receding(&page);
    assert!(!away.as_array().expect("a list").is_empty());
    assert!(told.as_array().expect("a list").iter().all(|one| !away.as_array().expect("a list").contains(one)));
    // letters are as readable as soft ones
    let same = page.js(
        "const card = document.querySelector('.card[data-dim]'), soft = document.createElement('i');
         soft.className = 'second'; document.querySelector('.card:not([data-dim])').append(soft);
         const found = getComputedStyle(card.querySelector('b')).color === getComputedStyle(soft).color;
         soft.remove();
         return found",
        &[],
    );
    assert_eq!(same, json!(true));
    send(&page, "pointermove", ".card");
    page.wait_until("all is in full ink", "return !document.querySelector('[data-dim]')");
    send(&page, "pointerleave", ".stage");
    page.wait_until("and recedes again", "return document.querySelector('.card[data-dim]')");
    page.js("zabscope.pause()", &[]);
    page.wait_until(
        "after a pause of four seconds all is in full ink",
        "return !document.querySelector('[data-dim]')",
    );
    page.assert_no_errors();
}

#[test]
fn a_motion_stops_in_mid_air_and_a_step_ends_it() {
    // frames come only while somebody looks
    if !only_in(Engine::Chromium, "a motion of a second is caught between two frames") {
        return;
    }
    let page = Page::open("?lang=en&scenario=rejoin-trunc&t=3700");
    page.wait_until(
        "a square crumbles, and time is stopped",
        "if (document.querySelector('.ground.above').childElementCount > 3) zabscope.pause();
         return !zabscope.state().playing && document.querySelector('.ground.above').childElementCount > 3",
    );
    let above = "return document.querySelector('.ground.above').innerHTML";
    let before = page.js(above, &[]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert_eq!(page.js(above, &[]), before, "in mid-air");
    page.js("zabscope.step(1)", &[]);
    // what stays is what S3 must do, in words at its card: a box, its tail, the letters
    page.wait_until("it is over", "return document.querySelector('.ground.above').childElementCount <= 3");
    page.assert_no_errors();
}

#[test]
fn a_link_is_pressed_anywhere_along_its_line_even_where_none_is_drawn() {
    let page = Page::open("?lang=en&scenario=cold-start-3&paused=1&t=1700");
    page.find("button", words::server("S3", "leading"));
    let at = page.js(
        "const middle = (id) => { const it = document.querySelector(`[data-server=${id}]`).getBoundingClientRect();
             return [it.x + it.width / 2, it.y + it.height / 2] };
         const [a, b] = [middle('S1'), middle('S2')];
         return [0, 1].map(part => a[part] + (b[part] - a[part]) * 0.6)",
        &[],
    );
    let (x, y) = (at[0].as_f64().expect("a number"), at[1].as_f64().expect("a number"));
    page.pointer("mouse", &[Move::To(x, y, 50), Move::Wait(50)]);
    page.wait_until("it is named", "return document.querySelector('.naming').innerText.includes('S1')");
    assert!(page.find("tooltip", "").text().contains(en().named_link));
    page.pointer("mouse", &[Move::Down, Move::Wait(60), Move::Up]);
    page.wait_until("its menu", "return document.querySelector('.menu h2')?.innerText === 'S1–S2'");
    page.assert_no_errors();
}
