//! A monkey at the page: random clicks, keys, drags, sizes, console lines, languages and themes. Nothing may show up in the console,
//! and the page must still answer and play.
//!
//! `ZABSCOPE_MONKEY_SECONDS` says how long (20), `ZABSCOPE_MONKEY_SEED` with which seed (1, and one more for each further test).

use std::time::{Duration, Instant};

use fantoccini::key::Key;
use serde_json::{Value, json};
use zabscope::base::{Prng, Stream};

use crate::harness::{Engine, Move, PATIENCE, Page};

/// How many things are done between two looks at the page's health.
const ROUND: u32 = 12;

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Nothing leaves the page, and no window of the system opens: nobody would close it.
const TAME: &str = "
    for (const kind of ['HTMLAnchorElement', 'HTMLInputElement']) {
        const usual = window[kind].prototype.click;
        window[kind].prototype.click = function () { if (!this.href && this.type !== 'file') usual.call(this); };
    }
    addEventListener('click', (event) => {
        if (event.target.closest?.('a[href], input[type=file]')) event.preventDefault();
    }, true);";

/// Presses the n-th of all visible controls, as often as it wants to be.
const CONTROL: &str = "
    const all = [...document.querySelectorAll('button, select, input, summary, [role=tab], [role=slider], [tabindex=\"0\"]')]
        .filter(one => one.checkVisibility?.() ?? one.offsetParent);
    const it = all[arguments[0] % all.length];
    if (!it) return null;
    it.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const box = it.getBoundingClientRect();
    if (it.tagName === 'SELECT' && it.options.length) {
        it.selectedIndex = arguments[1] % it.options.length;
        it.dispatchEvent(new Event('change', { bubbles: true }));
        return ['select', it.ariaLabel ?? it.className, it.value];
    }
    return ['press', it.ariaLabel ?? it.innerText?.slice(0, 40) ?? it.type, box.left + box.width / 2, box.top + box.height / 2];";

const KEYS: [&str; 38] = [
    " ", "s", "S", "?", "c", "p", "w", "x", "h", "n", "/", "1", "2", "3", "4", "5", "9", "l", "f", "g", "b", "+",
    "-", "0", "z", "\u{E00C}", "\u{E00C}", "\u{E004}", "\u{E006}", "\u{E012}", "\u{E013}", "\u{E014}", "\u{E015}",
    "\u{E017}", "\u{E010}", "\u{E011}", "\u{E00E}", "\u{E00F}",
];

const ESCAPE: &str = "\u{E00C}";
const ENTER: &str = "\u{E006}";

const LINES: [&str; 16] = [
    "create /a x",
    "create -s -e /a/b- y",
    "ls -R /",
    "get -w /a",
    "set /a z 99",
    "deleteall /a",
    "stat /",
    "help",
    "quit",
    "connect S2",
    "addauth digest u:p",
    "multi",
    "create '/ö \\",
    "ls",
    "sync /",
    "history",
];

const CALLS: [&str; 14] = [
    "zabscope.load('cold-start-5')", "zabscope.load('lock-herd')", "zabscope.load('rejoin-snap')",
    "zabscope.seek(N % 9000)", "zabscope.seek(N % 400)", "zabscope.step(N % 700)", "zabscope.stepBack(N % 90)",
    "zabscope.undo()", "zabscope.redo()", "zabscope.play()", "zabscope.act({ do: 'crash', server: 1 + N % 5 })",
    "zabscope.act({ do: 'write', server: 1 + N % 3, data: 'm' + N, count: 1 + N % 40, every_us: N })",
    "zabscope.act({ do: 'cut_links', links: [[1, 2], [1 + N % 2, 3]] })",
    "(() => { const it = zabscope.packets()[N % 7]; if (it) zabscope.act({ do: ['hold_packet', 'release_packet', 'drop_packet'][N % 3],
        from: it.from, to: it.to, what: it.what }); })()",
];

/// Whether time runs, within seconds also where frames are rare. In a hall it waits at what decides, until somebody clicks on.
const PLAYS: &str = "
    zabscope.seek(Math.min(Math.floor(zabscope.state().time_us / 1000), 60000));
    zabscope.play();
    const before = zabscope.state(), begin = performance.now();
    return new Promise((done) => {
        const look = () => {
            const now = zabscope.state();
            const waits = document.documentElement.dataset.hall === 'yes' && document.querySelector('.held')?.textContent;
            if (now.time_us !== before.time_us || !now.playing || document.hidden || waits) done(true);
            else if (performance.now() - begin > 15_000) done(false);
            else setTimeout(look, 100);
        };
        setTimeout(look, 300);
    })";

const SIZES: [(u32, u32); 5] = [(1440, 900), (1280, 720), (960, 540), (700, 900), (500, 844)];

struct Monkey {
    page: Page,
    prng: Prng,
    /// What it did last, newest last.
    did: Vec<String>,
}

impl Monkey {
    fn any(&mut self, below: usize) -> usize {
        self.prng.below(below as u32) as usize
    }

    fn place(&mut self) -> (f64, f64) {
        let size = self.page.js("return [innerWidth, innerHeight]", &[]);
        let side = |value: &Value| value.as_u64().unwrap_or(100).clamp(10, 4_000) as usize - 2;
        let (width, height) = (side(&size[0]), side(&size[1]));
        (1.0 + self.any(width) as f64, 1.0 + self.any(height) as f64)
    }

    /// Does one thing; what it was. What a driver cannot do just then is left.
    fn act(&mut self) -> String {
        match self.any(100) {
            0..=29 => self.control(),
            30..=44 => self.click(),
            45..=64 => self.key(),
            65..=76 => self.drag(),
            77..=84 => self.packet(),
            85..=92 => self.call(),
            93..=96 => self.line(),
            _ => self.size(),
        }
    }

    fn control(&mut self) -> String {
        let (which, choice) = (self.any(10_000), self.any(100));
        let found = self.page.js(CONTROL, &[json!(which), json!(choice)]);
        if let (Some(x), Some(y)) = (found[2].as_f64(), found[3].as_f64()) {
            self.press((x, y));
        }
        format!("control {which} {choice}: {found}")
    }

    fn press(&self, (x, y): (f64, f64)) {
        let _ = self.page.try_pointer("mouse", &[Move::To(x, y, 0), Move::Down, Move::Up]);
    }

    fn click(&mut self) -> String {
        let (x, y) = self.place();
        self.press((x, y));
        format!("click {x} {y}")
    }

    fn key(&mut self) -> String {
        let key = KEYS[self.any(KEYS.len())];
        let _ = match self.any(8) {
            0 => self.page.try_type(Some(Key::Control.into()), "z"),
            1 => self.page.try_type(Some(Key::Shift.into()), key),
            _ => self.page.try_type(None, key),
        };
        format!("key {}", key.escape_unicode())
    }

    fn drag(&mut self) -> String {
        let (from, by, to) = (self.place(), self.place(), self.place());
        let mut moves =
            vec![Move::To(from.0, from.1, 0), Move::Down, Move::To(by.0, by.1, 20), Move::To(to.0, to.1, 20)];
        let escapes = self.any(4) == 0;
        if escapes {
            let _ = self.page.try_pointer("mouse", &moves);
            let _ = self.page.try_type(None, ESCAPE);
            moves.clear();
        }
        moves.push(Move::Up);
        let _ = self.page.try_pointer("mouse", &moves);
        format!("drag {from:?} {by:?} {to:?} {escapes}")
    }

    fn packet(&mut self) -> String {
        let which = self.any(50);
        let at = self.page.js(
            "const all = zabscope.packets(); const it = all[arguments[0] % all.length]; return it ? [it.x, it.y] : null",
            &[json!(which)],
        );
        if let (Some(x), Some(y)) = (at[0].as_f64(), at[1].as_f64())
            && x >= 0.0
            && y >= 0.0
        {
            self.press((x, y));
        }
        format!("packet {which}")
    }

    fn call(&mut self) -> String {
        let call = CALLS[self.any(CALLS.len())];
        let number = self.any(100_000);
        // what is wrong is thrown, and means nothing
        let told = self.page.js(
            &format!("const N = {number}; try {{ {call} }} catch (error) {{ return String(error.message) }}"),
            &[],
        );
        assert!(!told.as_str().is_some_and(|told| told.contains("unreachable")), "{call}: {told}");
        format!("call N = {number}; {call}: {told}")
    }

    fn line(&mut self) -> String {
        let line = LINES[self.any(LINES.len())];
        for text in [ESCAPE, "/", line, ENTER] {
            let _ = self.page.try_type(None, text);
        }
        format!("line {line}")
    }

    fn size(&mut self) -> String {
        let (width, height) = SIZES[self.any(SIZES.len())];
        // windows of WebKit go no narrower
        let width = if Engine::chosen() == Engine::Webkit { width.max(700) } else { width };
        self.page.resize(width, height);
        format!("size {width} {height}")
    }

    /// The page says nothing in its console, answers, and plays.
    fn look(&self, seed: u64) {
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.page.assert_no_errors();
            assert_eq!(
                self.page.js("return Boolean(document.querySelector('.rescue'))", &[]),
                json!(false),
                "it stopped"
            );
            // what the gallery covers rests; a dark screen may lie above it, and goes first
            let end = Instant::now() + PATIENCE;
            while self.page.js("return Boolean(document.querySelector('.gallery'))", &[]) == json!(true) {
                assert!(Instant::now() < end, "the gallery does not close");
                let _ = self.page.try_type(None, ESCAPE);
                std::thread::sleep(Duration::from_millis(300));
            }
            assert_eq!(self.page.js(PLAYS, &[]), json!(true), "it does not play");
        }));
        if let Err(trouble) = told {
            let engine = format!("{:?}", Engine::chosen()).to_lowercase();
            eprintln!(
                "a monkey with seed {seed} broke the page. Again: ZABSCOPE_MONKEY_SEED={seed} ZABSCOPE_BROWSER={engine} \
                 cargo test --features browser --test browser monkey::one\nit did, newest last:\n{}",
                self.did.iter().rev().take(3 * ROUND as usize).rev().cloned().collect::<Vec<_>>().join("\n")
            );
            std::panic::resume_unwind(trouble);
        }
    }
}

fn play(seed: u64, query: &str) {
    let seconds = setting("ZABSCOPE_MONKEY_SECONDS", 20);
    let page = Page::open(query);
    page.js(TAME, &[]);
    let mut monkey = Monkey { page, prng: Prng::new(seed, Stream::Faults), did: Vec::new() };
    let end = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < end {
        for _ in 0..ROUND {
            let did = monkey.act();
            monkey.did.push(did);
        }
        monkey.look(seed);
    }
    eprintln!("    a monkey with seed {seed} did {} things in {:?}", monkey.did.len(), Engine::chosen());
}

#[test]
fn one_finds_nothing_to_break() {
    play(setting("ZABSCOPE_MONKEY_SEED", 1), "?lang=en&scenario=leader-crash-under-load");
}

#[test]
fn another_finds_nothing_to_break_in_two_runs() {
    play(setting("ZABSCOPE_MONKEY_SEED", 1) + 1, "?lang=zh&scenario=lock-herd&beside=lock-predecessor");
}
