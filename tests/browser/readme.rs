//! What README says of the page: its tour, sentence by sentence, as a reader walks it, and the element that it puts into a slide. A sentence
//! that is changed there has to be proved anew here. What its pictures show is in `doc_pictures`.

use std::time::Duration;

use fantoccini::key::Key;
use serde_json::{Value, json};
use zabscope::i18n::{Lang, rule_title};
use zabscope::sim::Rule;
use zabscope::timeline::{Shape, look};

use crate::harness::{Move, Page, en, words};

const README: &str = include_str!("../../README.md");

/// How long a reader would wait for a new leader, and a little more.
const PATIENCE: Duration = Duration::from_secs(60);

/// A sentence of the tour, and what proves it on the page as the sentences before have left it.
type Claim = (&'static str, fn(&Page));

const TOUR: [&[Claim]; 9] = [
    &[
        ("Open the page (a first visit begins with a lesson of one minute; **Skip** leaves it).", opened),
        ("Three servers look for a leader: each hexagon V is a vote.", votes),
        ("After some 20 seconds S3 has the crown and leads epoch 1.", s3_leads),
    ],
    &[
        ("Click **Write** (top right).", write),
        (
            "The leader sends a square P, the proposal; a circle A comes back once it is on a disk; with a majority the leader sends a diamond C, the commit.",
            packets,
        ),
        (
            "On the cards a dashed square is being written to disk, an outlined one is on disk, a filled one is committed, and the server knows it.",
            squares,
        ),
        ("Below, the log matrix has a column for each zxid and a row for each server.", matrix),
    ],
    &[
        ("Press **3**, then **c**: S3 is selected and crashes.", s3_crashes),
        ("Its disk stays on its card.", disk_stays),
        (
            "The others notice, vote, and S2 leads epoch 2; the band of the timeline changes colour with the epoch.",
            s2_leads,
        ),
    ],
    &[
        ("Press **space**: time stops, and so do packets in flight.", time_stops),
        ("**→** and **←** step one event forward and back, with **shift** one milestone.", steps),
        ("Click anywhere on the timeline to go there.", goes_there),
    ],
    &[(
        "Press **space**, then **3** and **c** once more: S3 restarts, is brought up to date by the new leader, and follows.",
        s3_follows,
    )],
    &[
        ("Press **s**: the same run over time, messages as arrows between lanes.", over_time),
        ("**s** returns to the stage.", on_stage),
    ],
    &[
        (
            "Press **n** for a new client and **/** for its console, and type `create /hello world`, as in `zkCli`.",
            console,
        ),
        ("**Escape** leaves the line.", leaves_the_line),
    ],
    &[
        ("Press **g**: lessons, and all scenarios with pictures.", gallery),
        (
            "Press **/**, type `herd`, choose the scenario: clients contend for a lock, and each release wakes them all (the list beside the clock has faster speeds).",
            herd,
        ),
        ("**Compare…** offers *Predecessor watches*: two runs on one clock, and what each costs.", compares),
    ],
    &[
        (
            "Press **g** again and choose **Rules**: a card plays the smallest run in which breaking a rule does harm, kept on the left, broken on the right.",
            rules,
        ),
        ("Behind the rules stand real bugs of ZooKeeper and Curator.", bugs),
        ("The panel **Search** looks for such a run itself.", search),
    ],
];

/// The steps of README's tour, each in one line.
fn steps_of_readme() -> Vec<String> {
    let (_, tour) = README.split_once("## A short tour").expect("a tour");
    let lines = tour.lines().skip(1).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let mut steps: Vec<String> = Vec::new();
    for line in lines {
        match line.split_once(". ").filter(|(number, _)| number.parse::<u8>().is_ok()) {
            Some((_, text)) => steps.push(text.to_string()),
            None => steps.last_mut().expect("a step before").extend([" ", line.trim()]),
        }
    }
    steps
}

#[test]
fn readmes_tour_is_true_sentence_by_sentence() {
    let said: Vec<String> =
        TOUR.iter().map(|claims| claims.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(steps_of_readme(), said, "README says something else than what is proved here");
    let page = Page::open("");
    for (text, prove) in TOUR.iter().flat_map(|claims| claims.iter()) {
        eprintln!("{text}");
        prove(&page);
    }
    page.assert_no_errors();
}

#[test]
fn readmes_element_opens_where_it_says() {
    let (_, code) = README.split_once("<zab-scope ").expect("an element");
    let (attributes, _) = code.split_once("></zab-scope>").expect("its end");
    let given = |name: &str| {
        let (_, rest) = attributes.split_once(&format!("{name}=\"")).unwrap_or_else(|| panic!("no {name}"));
        rest.split('"').next().unwrap_or_default().to_string()
    };
    let address = format!("?embed=1&scenario={}&at={}&lang={}", given("scenario"), given("at"), given("lang"));
    let page = Page::open(&address);
    assert!(attributes.contains(" autoplay "), "it is to play");
    page.wait_until("the moment", &format!("return zabscope.state().time_us >= {}000", given("at")));
    let down =
        "return zabscope.state().servers.filter(server => server.status === 'crashed').map(server => server.id)";
    assert_eq!(page.js(down, &[]), json!([]));
    assert!(page.js("return zabscope.state().committed", &[]).as_u64().is_some_and(|count| count > 5), "under load");
    let leader = page.js("return zabscope.state().leader", &[]);
    page.js("zabscope.seek(Math.ceil(zabscope.state().time_us / 1000) + 20)", &[]);
    assert_eq!(page.js(down, &[]), json!([leader]));
    page.assert_no_errors();
}

fn state(page: &Page, field: &str) -> Value {
    page.js("return arguments[0].split('.').reduce((it, name) => it[name], zabscope.state())", &[json!(field)])
}

/// Whether a text stands on the page's stage, by what is drawn.
fn drawn(page: &Page, text: &str) -> bool {
    let texts = "return [...document.querySelectorAll('.ground text')].some(it => it.textContent === arguments[0])";
    page.js(texts, &[json!(text)]) == json!(true)
}

fn opened(page: &Page) {
    page.forget_visits();
    page.goto("");
    page.wait_until("a lesson", "return zabscope.state().lesson");
    page.find("button", en().lesson_skip).click();
    page.wait_until("it is left", "return !zabscope.state().lesson");
    page.wait_until("it plays", "return zabscope.state().playing && zabscope.state().scenario === 'cold-start-3'");
}

fn votes(page: &Page) {
    page.wait_until("votes", "return zabscope.packets().some(one => one.type === 'NOTIFICATION')");
    assert_eq!(state(page, "servers.length"), json!(3));
    page.find("button", words::server("S1", "looking"));
}

fn s3_leads(page: &Page) {
    page.wait_within(
        PATIENCE,
        "S3 leads",
        "const now = zabscope.state(); return now.leader === 3 && now.epoch === 1",
    );
    page.wait_until("its crown", "return document.querySelector('[data-server=S3].leading .crown')");
}

/// Remembers in which order packets and squares were seen first, and how a square of each kind looked.
const WATCH: &str = "
    window.seen = {};
    const look = (name, style) => window.seen[name] ??= [Object.keys(window.seen).length, style];
    setInterval(() => {
        // not those with which the epoch began
        zabscope.packets().filter(one => / 1:1$/.test(one.what)).forEach(one => look(one.type));
        document.querySelectorAll('.card .sq').forEach(it => {
            const { fill, strokeDasharray } = getComputedStyle(it.querySelector('rect'));
            look([...it.classList].find(name => ['queued', 'logged', 'applied'].includes(name)) ?? '-', { fill, strokeDasharray });
        });
    }, 10)";

fn write(page: &Page) {
    page.js(WATCH, &[]);
    let button = page.find("button", en().write);
    let at = button.js(
        "const { left, top } = it.getBoundingClientRect(); return left > innerWidth / 2 && top < innerHeight / 4",
    );
    assert_eq!(at, json!(true));
    button.click();
}

fn packets(page: &Page) {
    for (kind, shape, letter) in
        [("PROPOSAL", Shape::Square, "P"), ("ACK", Shape::Circle, "A"), ("COMMIT", Shape::Diamond, "C")]
    {
        page.wait_within(PATIENCE, kind, &format!("return seen.{kind}"));
        assert_eq!((look(kind).shape, look(kind).letter), (shape, letter));
    }
    page.wait_within(PATIENCE, "S3 knows", "return seen.applied");
    let order = ["queued", "PROPOSAL", "logged", "ACK", "COMMIT", "applied"];
    let places = order.map(|name| page.js("return seen[arguments[0]][0]", &[json!(name)]).as_u64());
    assert!(places[1] < places[3] && places[3] < places[4] && places[2] < places[4], "{order:?}: {places:?}");
}

fn squares(page: &Page) {
    let looks = |name: &str| page.js("return seen[arguments[0]][1]", &[json!(name)]);
    let (queued, logged, applied) = (looks("queued"), looks("logged"), looks("applied"));
    assert!(
        queued["strokeDasharray"] != json!("none") && logged["strokeDasharray"] == json!("none"),
        "{queued} {logged}"
    );
    assert!(logged["fill"] != applied["fill"] && logged["fill"] == queued["fill"], "{logged} {applied}");
}

fn matrix(page: &Page) {
    for text in ["1:1", "S1", "S2", "S3"] {
        assert!(drawn(page, text), "{text}");
    }
}

fn s3_crashes(page: &Page) {
    page.keys("3");
    page.wait_until("S3 is selected", "return document.querySelector('[data-server=S3].picked')");
    page.keys("c");
    page.wait_until("it is down", "return zabscope.state().servers[2].status === 'crashed'");
}

fn disk_stays(page: &Page) {
    page.wait_until("what it has", "return document.querySelectorAll('[data-server=S3].crashed .sq').length > 0");
}

fn s2_leads(page: &Page) {
    page.wait_within(
        PATIENCE,
        "S2 leads",
        "const now = zabscope.state(); return now.leader === 2 && now.epoch === 2",
    );
    page.wait_until(
        "two colours",
        "return new Set([...document.querySelectorAll('.reigns rect')].map(it => getComputedStyle(it).fill)).size > 1",
    );
}

fn time_stops(page: &Page) {
    page.keys(" ");
    page.wait_until("time stands", "return !zabscope.state().playing");
    let now = "const { time_us, events } = zabscope.state(); return [time_us, events, zabscope.packets()]";
    let before = page.js(now, &[]);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(page.js(now, &[]), before);
}

fn steps(page: &Page) {
    let before = state(page, "events").as_u64().expect("a number");
    page.keys(&Key::Right);
    page.wait_until("one further", &format!("return zabscope.state().events === {}", before + 1));
    page.keys(&Key::Left);
    page.wait_until("and back", &format!("return zabscope.state().events === {before}"));
    page.keys(&(Key::Shift + &Key::Right.to_string()));
    page.wait_until("a milestone", &format!("return zabscope.state().events > {before}"));
    page.keys(&(Key::Shift + &Key::Left.to_string()));
    page.wait_until("and back", &format!("return zabscope.state().events <= {before}"));
}

fn goes_there(page: &Page) {
    let before = state(page, "time_us");
    let at = page.js("const { left, width, top } = document.querySelector('.timeline input').getBoundingClientRect(); return [left + width / 4, top + 8]", &[]);
    let (x, y) = (at[0].as_f64().expect("a number"), at[1].as_f64().expect("a number"));
    page.pointer("mouse", &[Move::To(x, y, 0), Move::Down, Move::Up]);
    page.wait_until("another moment", &format!("return zabscope.state().time_us !== {before}"));
    page.js("document.activeElement.blur(); zabscope.seek(Math.ceil(arguments[0] / 1000))", &[before]);
    assert_eq!(state(page, "servers.2.status"), json!("crashed"));
}

fn s3_follows(page: &Page) {
    page.keys(" ");
    page.wait_until("time runs", "return zabscope.state().playing");
    page.keys("3");
    page.keys("c");
    page.wait_within(
        PATIENCE,
        "S3 follows",
        "const it = zabscope.state().servers[2]; return it.role === 'FOLLOWING' && it.phase === 'BROADCAST'",
    );
    let synced = "return zabscope.facts(0).some(fact => fact.kind === 'sync_chosen' && fact.learner === 3 && fact.server === 2)";
    assert_eq!(page.js(synced, &[]), json!(true));
}

fn over_time(page: &Page) {
    page.keys("s");
    page.find("application", words::begin(en().weave_title, &[]));
}

fn on_stage(page: &Page) {
    page.keys("s");
    page.wait_until("the stage", "return document.querySelector('.card') && !document.querySelector('.spacetime')");
}

fn console(page: &Page) {
    page.keys("n");
    page.wait_until("a client", "return document.querySelector('.client')");
    page.keys("/");
    page.wait_until("its line", "return document.activeElement.matches('.console input')");
    page.keys(&format!("create /hello world{}", char::from(Key::Enter)));
    page.wait_within(
        PATIENCE,
        "as zkCli says it",
        "return document.querySelector('.screen').innerText.includes('Created /hello')",
    );
}

fn leaves_the_line(page: &Page) {
    page.keys(&Key::Escape);
    page.wait_until("it is left", "return !document.activeElement.matches('input')");
}

fn gallery(page: &Page) {
    page.keys("g");
    let gallery = page.find("dialog", en().gallery_title);
    gallery.find("button", en().gallery_lessons);
    assert!(
        page.js("return document.querySelectorAll('.scene canvas').length", &[])
            .as_u64()
            .is_some_and(|all| all > 100)
    );
}

fn herd(page: &Page) {
    page.keys("/");
    page.keys("herd");
    page.wait_until("few are left", "return document.querySelectorAll('.scene').length < 20");
    let card = "[...document.querySelectorAll('.scene:has(canvas)')]
        .find(it => it.querySelector('.name').textContent.includes(arguments[0])).click()";
    page.js(card, &[json!(words::scenario("lock-herd").0)]);
    page.wait_until("it is open", "return zabscope.state().scenario === 'lock-herd'");
    let faster = page.js(
        "const [clock, list] = ['.clock', '.pace select'].map(one => document.querySelector(one).getBoundingClientRect());
         const select = document.querySelector('.pace select');
         return [Math.abs(clock.top - list.top) < 30 && list.left - clock.right < 40, select.options.length - select.selectedIndex > 1]",
        &[],
    );
    assert_eq!(faster, json!([true, true]));
    page.js("const list = document.querySelector('.pace select'); list.value = 7; list.dispatchEvent(new Event('change', { bubbles: true }))", &[]);
    page.wait_within(PATIENCE, "a release wakes all who wait", "
        const woken = zabscope.facts(0).filter(fact => fact.kind === 'watch_fired');
        return woken.some(one => woken.filter(other => other.zxid === one.zxid && other.path === one.path).length >= 3)");
}

fn compares(page: &Page) {
    page.find("button", en().compare).click();
    page.find("dialog", en().compare_form);
    let offered = page.js("return document.querySelectorAll('.compare-with select')[1].selectedOptions[0].text", &[]);
    assert_eq!(offered, json!(words::scenario("lock-predecessor").0));
    page.find("button", en().compare_start).click();
    page.find("region", en().compare_title);
    assert_eq!(page.js("return document.querySelectorAll('.clock').length", &[]), json!(1));
    page.wait_until(
        "what each costs",
        "return [...document.querySelectorAll('.heads .many')].filter(it => it.innerText).length === 2",
    );
}

fn rules(page: &Page) {
    page.keys("g");
    page.find("dialog", en().gallery_title);
    page.find("button", en().gallery_ways_rules).click();
    page.wait_until("a rule has the focus", "return document.activeElement.matches('.scene')");
    page.keys(&Key::Enter);
    page.wait_until(
        "two runs",
        "return document.querySelector('.right-stage') && !document.querySelector('.gallery')",
    );
    page.wait_for_words(".head.a", en().rule_kept);
    let broken = page.js("return document.querySelector('.head.b h2').title", &[]);
    assert!(Rule::all().any(|rule| broken == json!(rule_title(Lang::En, rule))), "{broken}");
}

fn bugs(page: &Page) {
    page.keys("g");
    page.find("dialog", en().gallery_title);
    let at = |name: &str| page.find("button", name).js("return [...it.parentElement.children].indexOf(it)").as_u64();
    assert!(at(en().gallery_ways_rules) < at(en().gallery_ways_bugs));
    page.keys(&Key::Escape);
    page.wait_until("it is closed", "return !document.querySelector('.gallery')");
}

fn search(page: &Page) {
    page.js("zabscope.load('cold-start-3')", &[]);
    page.find("tab", en().tab_search).click();
    page.find("button", en().search_start);
}
