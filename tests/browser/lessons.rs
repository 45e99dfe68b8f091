//! Lessons as a student takes them: by keys alone from the first beat to the last, with answers, beside the path and back.

use serde_json::json;
use zabscope::i18n::Lang;
use zabscope::i18n::page::page;
use zabscope::lessons::LESSONS;

use crate::harness::{PATIENCE, Page, en, words};

const PAGE_DOWN: &str = "\u{E00F}";
const PAGE_UP: &str = "\u{E00E}";
const RIGHT: &str = "\u{E014}";
const ENTER: &str = "\u{E007}";
const BACKSPACE: &str = "\u{E003}";

/// A lesson in the page, at a beat.
pub(crate) fn lesson(query: &str) -> Page {
    let page = Page::open(&format!("?lang=en&{query}"));
    page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption, .lesson-answer')");
    page
}

fn band(page: &Page) -> String {
    page.js("return document.querySelector('.band').innerText", &[]).as_str().unwrap_or("").to_string()
}

/// Waits until the band says something else; whether it does.
fn says_more(page: &Page, before: &str) -> bool {
    let changed = "const [before] = arguments; return new Promise(done => {
        const until = performance.now() + 2000, look = () =>
            document.querySelector('.band').innerText !== before ? done(true)
            : performance.now() > until ? done(false) : setTimeout(look, 20); look(); })";
    page.js(changed, &[json!(before)]) == json!(true)
}

/// Whatever of a question, an answer or the way on lies under something else, or outside.
const COVERED: &str =
    "return [...document.querySelectorAll('.band :is(button, input, select)')].filter((control) => {
    const box = control.getBoundingClientRect();
    if (!control.checkVisibility({visibilityProperty: true}) || !box.width) return false;
    return ![[0.5, 0.5], [0.15, 0.3], [0.85, 0.7]].every(([x, y]) => {
        const there = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
        return there && (control.contains(there) || [...control.labels ?? []].some((label) => label.contains(there)));
    });
}).map((control) => control.textContent || control.type);";

/// Where a question stands, each of its controls can be reached in each of these windows; the last one is the walk's own.
fn assert_reachable(page: &Page, id: &str) {
    if page.js("return !!document.querySelector('.lesson-answer')", &[]) != json!(true) {
        return;
    }
    for (width, height, hall) in [(1280, 720, true), (390, 844, false), (1024, 768, false), (1280, 720, false)] {
        page.resize(width, height);
        if hall {
            page.keys("l");
        }
        let fits = format!("const covered = (() => {{ {COVERED} }})(); return covered.length === 0");
        page.wait_until(&format!("{id}: each control can be reached, {width} x {height}, hall: {hall}"), &fits);
        if hall {
            page.keys("l");
        }
    }
}

/// Every n-th lesson, from its first beat to its last and back, by two keys.
fn walk(part: usize, parts: usize, lang: Lang) {
    let over = page(lang).lesson_over;
    for (id, _) in LESSONS.iter().skip(part).step_by(parts) {
        let tag = if lang == Lang::En { "en" } else { "zh" };
        let page = Page::open_sized(&format!("?lang={tag}&lesson={id}"), 1280, 720);
        page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption, .lesson-answer')");
        let first = band(&page);
        let mut presses = 0;
        while !band(&page).contains(over) {
            assert_reachable(&page, id);
            let before = band(&page);
            page.keys(PAGE_DOWN);
            says_more(&page, &before);
            presses += 1;
            assert!(presses < 120, "{id}: it does not end: {before}");
        }
        let clipped = page.js("const b = document.querySelector('.band'); return b.scrollWidth - b.clientWidth", &[]);
        assert!(clipped.as_i64().is_some_and(|more| more <= 1), "{id}: {clipped} too wide");
        while band(&page) != first && presses > 0 {
            let before = band(&page);
            page.keys(PAGE_UP);
            says_more(&page, &before);
            presses -= 1;
        }
        let number = words::fill(en().lesson_number, &[&1, &""]);
        assert!(lang != Lang::En || band(&page).contains(number.trim()), "{id}: {}", band(&page));
        page.assert_no_errors();
    }
}

#[test]
fn every_lesson_is_walked_by_keys_one() {
    walk(0, 4, Lang::En);
}

#[test]
fn every_lesson_is_walked_by_keys_two() {
    walk(1, 4, Lang::En);
}

#[test]
fn every_lesson_is_walked_by_keys_three() {
    walk(2, 4, Lang::Zh);
}

#[test]
fn every_lesson_is_walked_by_keys_four() {
    walk(3, 4, Lang::Zh);
}

#[test]
fn nothing_leads_beyond_a_question_but_an_answer() {
    let page = lesson("lesson=zab-broadcast&beat=own-disk");
    let events = "return zabscope.state().events";
    let here = page.js(events, &[]);
    page.keys(RIGHT);
    page.js("zabscope.play(); zabscope.stepMilestone && zabscope.stepMilestone();", &[]);
    page.keys(RIGHT);
    assert_eq!(page.js(events, &[]), here);
    assert!(band(&page).contains(en().lesson_show) && !band(&page).contains(en().lesson_other));
    page.keys("2");
    page.wait_within(PATIENCE * 6, "what happened is said", "return !!document.querySelector('.lesson-told')");
    assert!(band(&page).contains(en().lesson_other) && band(&page).contains(en().lesson_pick), "{}", band(&page));
    assert!(page.js(events, &[]).as_u64() > here.as_u64());
    page.assert_no_errors();
}

#[test]
fn whoever_acts_leaves_the_path_and_comes_back() {
    let page = lesson("lesson=zab-broadcast");
    let said = band(&page);
    page.js("zabscope.act({ do: \"crash\", server: 1 })", &[]);
    page.find("button", en().lesson_return);
    page.keys(BACKSPACE);
    page.wait_until("the lesson is back", "return !!document.querySelector('.lesson-way')");
    assert_eq!(band(&page), said);
    page.find("button", en().lesson_leave).click();
    page.wait_until("the lesson is gone", "return !document.querySelector('.band')");
    page.assert_no_errors();
}

#[test]
fn the_gallery_finds_lessons() {
    let page = Page::open_sized("?lang=en&paused=1", 1280, 720);
    page.keys("g");
    let search = page.find("searchbox", en().gallery_search);
    search.keys("when is a write safe");
    page.wait_until("one is left", "return document.querySelectorAll('.scene').length === 1");
    search.keys(ENTER);
    page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption')");
    assert!(page.js("return location.search", &[]).as_str().is_some());
    page.assert_no_errors();
}

/// A file, dropped in the middle of the page.
fn drop_file(page: &Page, content: &str) {
    let script = "
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'lesson.json', { type: 'application/json' }));
        const at = document.querySelector('.stage');
        for (const name of ['dragover', 'drop'])
            at.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));";
    page.js(script, &[json!(content)]);
}

#[test]
fn a_lesson_that_is_dropped_opens_and_nothing_is_kept_of_it() {
    let page = Page::open("?lang=en&paused=1");
    drop_file(&page, r#"{"lesson":1,"id":"zab-broadcast"}"#);
    page.wait_for_words(".notice", words::piece(en().lesson_wrong, 0));
    let (_, text) = LESSONS.iter().find(|(id, _)| *id == "zab-broadcast").expect("a lesson");
    drop_file(&page, text);
    page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption, .lesson-answer')");
    page.keys(PAGE_DOWN);
    assert_eq!(page.js("return localStorage.getItem('zabscope-lessons')", &[]), json!(null));
    assert_eq!(page.js("return zabscope.state().lesson.id", &[]), json!("zab-broadcast"));
    page.assert_no_errors();
}

#[test]
fn the_answers_are_copied_as_a_text_and_share_leads_to_the_beat() {
    let page = lesson("lesson=zab-broadcast&beat=own-disk");
    page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }", &[]);
    page.find("button", en().share).click();
    let link = page.find("textbox", en().share_link).property("value");
    assert!(link.as_str().is_some_and(|link| link.contains("?lesson=zab-broadcast&beat=own-disk")), "{link}");
    page.find("button", en().close).click();
    page.keys("2");
    page.wait_within(PATIENCE * 6, "what happened is said", "return !!document.querySelector('.lesson-told')");
    for _ in 0..2 {
        page.keys(PAGE_DOWN);
    }
    page.find("button", en().lesson_answers).click();
    page.wait_until("it is copied", "return window.copied");
    let text = page.js("return window.copied", &[]);
    let text = text.as_str().unwrap_or("");
    assert!(text.contains("1. ") && text.contains(words::piece(en().lesson_expected, 0)), "{text}");
    assert!(text.trim_end().ends_with("?lesson=zab-broadcast"), "{text}");
    page.assert_no_errors();
}

#[test]
fn an_element_asks_is_answered_and_tells_the_verdict_only_then() {
    let page = Page::open("");
    page.host("docs/slides/plain.html");
    let made = "
        const one = document.createElement('zab-scope');
        one.setAttribute('lesson', 'zab-broadcast');
        one.setAttribute('beat', 'own-disk');
        window.one = one, window.heard = [];
        for (const kind of ['beat', 'answer', 'goal', 'error'])
            one.addEventListener(kind, ({ detail }) => heard.push([kind, detail]));
        const look = ({ lesson }) => window.asks = lesson?.phase === 'asks';
        one.addEventListener('ready', ({ detail }) => look(detail.state));
        one.addEventListener('state', ({ detail }) => look(detail));
        document.body.prepend(one);";
    page.js(made, &[]);
    page.wait_within(PATIENCE * 3, "it asks", "return window.asks");
    let refused = page.js("return one.answer(9).then(() => '', ({ message }) => message)", &[]);
    assert!(refused.as_str().is_some_and(|why| why.contains("a number from 1 to")), "{refused}");
    assert_eq!(page.js("return heard.filter(([kind]) => kind === 'answer').length", &[]), json!(0));
    page.js("return one.answer(2)", &[]);
    page.wait_within(PATIENCE * 6, "it is told", "return heard.some(([kind]) => kind === 'answer')");
    let told = "const [, { beat, given, verdict }] = heard.find(([kind]) => kind === 'answer');
        return [beat, given, typeof verdict]";
    assert_eq!(page.js(told, &[]), json!(["own-disk", 2, "string"]));
    page.js("one.setAttribute('beat', '1')", &[]);
    page.wait_until("the first beat", "return heard.at(-1)[0] === 'beat' && heard.at(-1)[1].index === 1");
    page.assert_no_errors();
}

#[test]
fn a_course_goes_on_from_part_to_part() {
    let page = lesson("course=zab-lecture&part=1");
    let next = words::fill(en().course_next, &[&2, &11, &""]);
    let mut presses = 0;
    while !band(&page).contains(en().lesson_over) {
        let before = band(&page);
        page.keys(PAGE_DOWN);
        says_more(&page, &before);
        presses += 1;
        assert!(presses < 8, "a question and no more: {before}");
    }
    assert!(band(&page).contains(next.trim()), "{}", band(&page));
    let title = "return document.querySelector('.band').ariaLabel";
    let first = page.js(title, &[]);
    page.keys(PAGE_DOWN);
    page.wait_until("the next part speaks", "return !!document.querySelector('.lesson-caption b')");
    assert_ne!(page.js(title, &[]), first);
    // what was begun is gone on with
    page.goto("?lang=en&paused=1");
    page.keys("g");
    let search = page.find("searchbox", en().gallery_search);
    search.keys("zab-lecture");
    page.wait_until("one is left", "return document.querySelectorAll('.scene').length === 1");
    assert_eq!(page.js("return document.querySelectorAll('.scene .minutes rect').length", &[]), json!(11));
    search.keys(ENTER);
    page.wait_until("the lesson speaks", "return !!document.querySelector('.lesson-caption')");
    assert_ne!(page.js(title, &[]), first, "it goes on at its second part");
    page.assert_no_errors();
}

#[test]
fn a_hall_votes_twice_and_nothing_moves() {
    let page = Page::open_sized("?lang=en&lecture=1&lesson=zab-broadcast&beat=own-disk", 1280, 720);
    page.wait_until("the lesson asks", "return document.querySelectorAll('.options .chip').length > 1");
    let places = "return [...document.querySelectorAll('.stage, .band, .options .chip, .lesson-way > .chip')].map(it => {
        const { left, top, width, height } = it.getBoundingClientRect(); return [left, top, width, height].map(Math.round); })";
    let before = page.js(places, &[]);
    let phase = "return !document.querySelector('.lesson-answer')";
    page.keys("t");
    page.wait_until("counters", "return document.querySelectorAll('.tally-of').length > 1");
    page.keys("1");
    page.keys("2");
    page.keys("2");
    let counts = "return [...document.querySelectorAll('.tally-of input')].map(it => it.value).slice(0, 2)";
    assert_eq!(page.js(counts, &[]), json!(["1", "2"]));
    assert_eq!(page.js(phase, &[]), json!(false), "a vote answers nothing");
    for (rects, counted) in [(2, ["1", "2"]), (0, ["", ""]), (4, ["", ""])] {
        page.keys("t");
        let some = format!("return document.querySelectorAll('.tally rect').length === {rects}");
        page.wait_until("what the hall sees", &some);
        assert_eq!(page.js(counts, &[]), json!(counted));
        assert_eq!(page.js(places, &[]), before);
    }
    let clipped = "const band = document.querySelector('.band').getBoundingClientRect();
        return [...document.querySelectorAll('.tally, .tally *')].filter(it => {
            const box = it.getBoundingClientRect(); return box.top < band.top || box.bottom > band.bottom; }).length";
    assert_eq!(page.js(clipped, &[]), json!(0));
    page.keys(ENTER);
    assert_eq!(page.js(phase, &[]), json!(false));
    page.keys(PAGE_DOWN);
    page.wait_until("what happens is shown", phase);
    assert!(page.js("return !document.querySelector('.tally')", &[]) == json!(true));
    page.assert_no_errors();
}
