//! The pictures of README and docs: what each shows is what README says of it. `scripts/pictures` takes them anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::harness::{Engine, Page, only_in};

const README: &str = include_str!("../../README.md");

/// A picture.
struct Shot {
    name: &'static str,
    size: (u32, u32),
    /// Pixels of the file for one of the page.
    scale: f64,
    address: &'static str,
    /// What is done then.
    then: &'static str,
    /// README's description, part by part, each with what makes it true.
    shows: &'static [(&'static str, &'static str)],
}

const GALLERY: &str = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'g', bubbles: true }));
    const wait = setInterval(() => {
        const way = document.querySelectorAll('.gallery h2 button')[1];
        if (way) { clearInterval(wait); way.click(); document.activeElement.blur(); }
    }, 50)";
const WEAVE: &str = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))";

const RUN: &[(&str, &str)] = &[
    ("Three servers as cards.", "return document.querySelectorAll('.card').length === 3"),
    ("S3 has crashed, its disk still shows what survives;", "return document.querySelectorAll('[data-server=S3].crashed .sq').length > 3"),
    ("S2 leads epoch 2,", "const now = zabscope.state(); return now.leader === 2 && now.epoch === 2"),
    ("an ACK is on its way to it,", "return zabscope.packets().some(one => one.type === 'ACK' && one.to === 2 && one.x)"),
    ("two proposals wait for a majority.", "return zabscope.state().servers[1].last_logged !== zabscope.state().last_committed
        && document.querySelectorAll('[data-server=S2] .sq:not(.applied)').length === 2"),
    ("Above, a sentence says what just happened;", "const [said, stage] = ['.now .what', '.stage'].map(it => document.querySelector(it));
        return said.innerText && said.getBoundingClientRect().bottom <= stage.getBoundingClientRect().top"),
    ("below, the logs beside each other, and a timeline of both epochs.", "const drawn = [...document.querySelectorAll('.ground text')].map(it => it.textContent);
        return ['S1', 'S2', 'S3'].every(row => drawn.includes(row))
            && new Set([...document.querySelectorAll('.reigns rect')].map(it => getComputedStyle(it).fill)).size === 2"),
];

const SHOTS: [Shot; 8] = [
    Shot {
        name: "run-light",
        size: (1280, 720),
        scale: 1.5,
        address: "lang=en&theme=light&scenario=leader-crash-under-load&t=2525",
        then: "",
        shows: RUN,
    },
    Shot {
        name: "run-dark",
        size: (1280, 720),
        scale: 1.5,
        address: "lang=en&theme=dark&scenario=leader-crash-under-load&t=2525",
        then: "",
        shows: RUN,
    },
    Shot {
        name: "gallery",
        size: (1280, 720),
        scale: 1.0,
        address: "lang=en&theme=light",
        then: GALLERY,
        shows: &[(
            "Scenarios by topic, each with a picture",
            "const seen = [...document.querySelectorAll('.scene')].map(it => [it, it.getBoundingClientRect()])
                .filter(([, at]) => at.top < innerHeight && at.bottom > 150);
             return seen.length > 3 && seen.every(([it]) => it.querySelector('canvas[data-drawn]'))",
        )],
    },
    Shot {
        name: "space-time",
        size: (1280, 720),
        scale: 1.0,
        address: "lang=en&theme=light&scenario=leader-crash-under-load&t=1500",
        then: WEAVE,
        shows: &[
            (
                "Lanes of three servers with proposals, ACKs and commits as arrows;",
                "const sent = zabscope.facts(0).filter(it => it.kind === 'sent' && it.at_us > 1_250_000).map(it => it.type);
                 return document.querySelector('.cloth canvas') && zabscope.state().servers.length === 3
                    && ['PROPOSAL', 'ACK', 'COMMIT'].every(kind => sent.includes(kind))",
            ),
            (
                "the leader dies, votes follow",
                "const facts = zabscope.facts(0), dead = facts.find(it => it.kind === 'crashed');
                 return dead && facts.some(it => it.kind === 'looking' && it.seq > dead.seq)",
            ),
        ],
    },
    Shot {
        name: "herd",
        size: (1440, 900),
        scale: 1.0,
        address: "lang=en&theme=light&scenario=lock-herd&beside=lock-predecessor&clients=20&t=4750",
        then: "",
        shows: &[
            (
                "Left one release wakes everybody, right a single one, as large numbers;",
                "const [left, right] = [...document.querySelectorAll('.head .many')].map(it => parseInt(it.innerText));
                 return left >= 5 * right && right > 0",
            ),
            ("a plot shows how that grows with the clients", "return document.querySelector('.growth svg')"),
        ],
    },
    Shot {
        name: "hall",
        size: (1280, 720),
        scale: 1.0,
        address: "lang=en&theme=dark&lecture=1&scenario=leader-crash-under-load&t=1025",
        then: "",
        shows: &[(
            "Few, large things in strong colours on black",
            "const name = document.querySelector('.card b');
             const ground = getComputedStyle(document.querySelector('.page')).backgroundColor, body = getComputedStyle(document.body).backgroundColor;
             return parseFloat(getComputedStyle(name).fontSize) >= 24 && [ground, body].includes('rgb(0, 0, 0)')
                && !document.querySelector('.side')",
        )],
    },
    Shot {
        name: "chinese",
        size: (1280, 720),
        scale: 1.0,
        address: "lang=zh&theme=light&scenario=lock-pause&panel=sessions&t=8000",
        then: "",
        shows: &[(
            "A lock's paused holder and the next one, everything in Chinese",
            "const [one, other] = ['C1', 'C2'].map(it => document.querySelector(`[data-client=${it}]`));
             return document.documentElement.lang.startsWith('zh') && (one.matches('.paused') || one.matches('.stale')) && other.matches('.holds')",
        )],
    },
    Shot {
        name: "phone",
        size: (390, 844),
        scale: 2.0,
        address: "lang=en&theme=light&scenario=leader-crash-under-load&t=2525",
        then: "",
        shows: &[(
            "The same page on a telephone",
            "return innerWidth === 390 && document.documentElement.scrollWidth <= 390 && zabscope.state().leader === 2",
        )],
    },
];

/// What README says of a picture: that of the dark one is said of the light one.
fn description(name: &str) -> &'static str {
    let name = name.replace("-dark", "-light");
    let (before, after) = README.split_once(&format!("docs/pictures/{name}.png\"")).unwrap_or_else(|| {
        let (before, _) = README.split_once(&format!("](docs/pictures/{name}.png)")).expect("README has it");
        (before, "")
    });
    let alt = |text: &'static str| text.split_once("alt=\"").and_then(|(_, text)| text.split_once('"'));
    match alt(after) {
        Some((text, _)) => text,
        None => before.rsplit_once("![").expect("a description").1,
    }
}

/// The page as a picture shows it.
fn stand(page: &Page, shot: &Shot) {
    let (width, height) = shot.size;
    page.resize(width, height);
    let size = json!({ "width": width, "height": height, "deviceScaleFactor": shot.scale, "mobile": false });
    page.devtools("Emulation.setDeviceMetricsOverride", size);
    page.goto(&format!("?paused=1&{}", shot.address));
    page.js(shot.then, &[]);
    let said: Vec<&str> = shot.shows.iter().map(|(part, _)| *part).collect();
    assert_eq!(description(shot.name), said.join(" "), "README's description of {}", shot.name);
    for (part, holds) in shot.shows {
        page.wait_within(Duration::from_secs(20), &format!("{}: {part}", shot.name), holds);
    }
    // what glides has come to its place
    std::thread::sleep(Duration::from_millis(600));
    page.assert_no_errors();
}

fn page() -> Page {
    let page = Page::open("");
    page.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    page.js("localStorage.setItem('zabscope-seen', '1')", &[]);
    page
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures")
}

#[test]
fn readmes_pictures_show_what_it_says_of_them() {
    if !only_in(Engine::Chromium, "they are taken there") {
        return;
    }
    let page = page();
    SHOTS.iter().for_each(|shot| stand(&page, shot));
    let mut known: Vec<String> = SHOTS.iter().map(|shot| format!("{}.png", shot.name)).collect();
    known.sort();
    let there = fs::read_dir(folder()).expect("a folder").map(|file| file.expect("a file").file_name().into_string());
    let mut there: Vec<String> =
        there.map(|name| name.expect("a name")).filter(|name| name.ends_with(".png")).collect();
    there.sort();
    assert_eq!(there, known);
}

#[test]
#[ignore = "writes docs/pictures: scripts/pictures"]
fn take_the_pictures_of_the_docs() {
    fs::create_dir_all(folder()).expect("a folder");
    let page = page();
    for shot in &SHOTS {
        stand(&page, shot);
        page.screenshot(folder().join(format!("{}.png", shot.name)));
    }
    fs::write(folder().join("version"), concat!(env!("CARGO_PKG_VERSION"), "\n")).expect("a file");
}
