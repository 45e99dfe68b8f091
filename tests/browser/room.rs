//! Everything has a room of its own: nothing lies over what it is about, and what one came for comes first.

use serde_json::json;
use zabscope::i18n::Lang;

use crate::harness::{Page, en, words};

/// Whether two elements lie over each other, by more than an edge.
const OVER: &str = "
    const box = (it) => (typeof it === 'string' ? document.querySelector(it) : it).getBoundingClientRect();
    const over = (one, other) => {
        const [a, b] = [box(one), box(other)];
        return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    };";

fn js(page: &Page, body: &str) -> serde_json::Value {
    page.js(&format!("{OVER}{body}"), &[])
}

#[test]
fn the_legend_stands_beside_what_it_explains_and_gives_way_to_a_panel() {
    for (width, height) in [(1280, 720), (960, 540), (1440, 900)] {
        for lang in [Lang::En, Lang::Zh] {
            let query = format!("?lang={}&scenario=minority-partition&paused=1&t=2417", lang.code());
            let page = Page::open_sized(&query, width, height);
            page.find("button", words::of(lang).legend_label).click();
            page.wait_until("it is there", "return document.querySelector('.legend-side')");
            page.wait_until(
                "the stage has made room",
                &format!("{OVER} return !over('.legend-side', '.stage') && !over('.legend-side', '.narration')"),
            );
            let cut = js(
                &page,
                "return [...document.querySelectorAll('.legend-side button')].filter(it => it.scrollWidth > it.clientWidth + 1).map(it => it.innerText)",
            );
            assert_eq!(cut, json!([]), "{width}x{height} {}", lang.code());
            // the cards follow the stage in the frame after it
            page.wait_until(
                "the cards are on the stage",
                &format!(
                    "{OVER} const stage = box('.stage'), cards = [...document.querySelectorAll('.card')].map(box);
                    return cards.length > 0 && cards.every(it => it.left >= stage.left && it.right <= stage.right)"
                ),
            );
            page.js("document.querySelector('.round.panels').click()", &[]);
            page.wait_until(
                "the panels are in its place",
                "return document.querySelector('.side') && !document.querySelector('.legend-side')",
            );
            page.assert_no_errors();
        }
    }
}

#[test]
fn beside_a_panel_the_words_of_the_logs_are_not_cut() {
    for lang in ["en", "zh", "zh-Hant"] {
        let page = Page::open_sized(
            &format!("?lang={lang}&scenario=leader-crash-under-load&paused=1&t=2500&panel=console"),
            1280,
            720,
        );
        page.wait_until("the logs have words", "return document.querySelectorAll('.ground text').length > 8");
        let cut = js(
            &page,
            "return [...document.querySelectorAll('.ground text')].filter(it => box(it).right > box('.stage').right + 1).map(it => it.textContent)",
        );
        assert_eq!(cut, json!([]), "{lang}");
        page.assert_no_errors();
    }
}

#[test]
fn the_buttons_of_a_picked_server_hide_nothing_of_its_card_and_its_menu_begins_with_what_one_came_for() {
    for (width, height) in [(1280, 720), (960, 540)] {
        let page = Page::open_sized("?lang=en&scenario=cold-start-3&paused=1&t=1700", width, height);
        for server in ["S1", "S2", "S3"] {
            page.keys(&server[1..]);
            page.wait_until("they are offered", "return document.querySelector('.offer')?.offsetLeft > 0");
            let covered = js(&page, &format!("return over('.offer', '[data-server={server}]')"));
            assert_eq!(covered, json!(false), "{server} at {width}x{height}");
            let first = "return document.querySelector('.offer button').textContent";
            assert!(page.js(first, &[]).as_str().is_some_and(|first| first.starts_with(en().act_crash)));
        }
        page.find("button", words::server("S3", "leading")).click();
        let first = "return document.querySelector('.menu [role=menuitem] span').textContent";
        page.wait_until("its menu", "return document.querySelector('.menu')");
        assert_eq!(page.js(first, &[]), json!(en().act_crash));
        page.assert_no_errors();
    }
}

#[test]
fn the_name_of_a_chapter_is_there_whole_or_not_at_all() {
    for scenario in ["minority-partition", "rejoin-trunc", "lock-herd"] {
        for (width, lang) in [(1280, "en"), (1440, "zh"), (390, "en")] {
            let page = Page::open_sized(&format!("?lang={lang}&scenario={scenario}&paused=1"), width, 844);
            page.wait_until("chapters", "return document.querySelectorAll('.chapter').length > 2");
            let cut = js(
                &page,
                "return [...document.querySelectorAll('.chapter span, .curtain span')].filter(it => {
                    const [name, room] = [box(it), box(it.parentElement)];
                    const below = name.top >= box('.chapters').bottom - 2;
                    return !below && (name.right > room.right + 1 || name.left < room.left - 1);
                }).map(it => it.textContent)",
            );
            assert_eq!(cut, json!([]), "{scenario} {lang} {width}");
            let names = js(
                &page,
                "return [...document.querySelectorAll('.chapter span')].filter(it => box(it).top < box('.chapters').bottom - 2).length",
            );
            assert!(width < 720 || names.as_u64().is_some_and(|names| names > 0), "{scenario}: {names}");
        }
    }
}

#[test]
fn a_search_shows_what_enter_opens() {
    let page = Page::open_sized("?lang=en&paused=1", 1280, 720);
    page.keys("g");
    page.find("dialog", en().gallery_title);
    page.js("document.querySelector('.halls').scrollTop = 5000", &[]);
    page.keys("/");
    page.keys("herd");
    page.wait_until(
        "the first is marked, and in sight",
        "const [one, ...more] = document.querySelectorAll('.scene.enter');
         const at = one?.getBoundingClientRect();
         return at && !more.length && at.top > 0 && at.bottom < innerHeight && document.querySelector('.scene') === one",
    );
    let opens = page.js("return document.querySelector('.scene.enter .name').textContent", &[]);
    assert!(opens.as_str().is_some_and(|name| name.contains('↵')), "{opens}");
    page.assert_no_errors();
}

#[test]
fn a_comparison_begins_with_what_shows_most_and_twenty_clients_are_named() {
    let page = Page::open_sized("?lang=en&scenario=lock-herd&paused=1&clients=20&t=4000", 1280, 720);
    let first = |page: &Page| {
        page.find("button", en().compare).click();
        page.find("dialog", en().compare_form);
        page.js("return document.querySelector('.compare-with select').selectedOptions[0].text", &[])
    };
    assert_eq!(first(&page), json!(en().compare_scenario), "there is one that belongs beside it");
    page.find("button", en().compare_start).click();
    page.find("region", en().compare_title);
    page.wait_until(
        "each dot has its name",
        "const dots = [...document.querySelectorAll('.stage .client.dot .top b')];
         return dots.length > 4 && dots.every(it => /^C\\d+$/.test(it.innerText) && it.getBoundingClientRect().width > 0)",
    );
    page.js("zabscope.load('leader-crash-under-load'); zabscope.seek(1500)", &[]);
    assert_eq!(first(&page), json!(en().compare_disk));
    page.assert_no_errors();
}
