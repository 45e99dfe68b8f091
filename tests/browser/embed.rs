//! The page as a part of somebody else's: the element, its messages, a page with two of them, a deck of slides.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use zabscope::i18n::Lang;
use zabscope::scenarios::scenario;

use crate::harness::{Engine, PATIENCE, Page, en, only_in, words};

/// `$(id)` is an element, `frame(id)` its frame, `inside(id)` the page in that, `state(id)` what it says now.
const WORDS: &str = "
    const $ = (id) => document.getElementById(id);
    const frame = (id) => $(id)?.shadowRoot?.querySelector('iframe');
    const inside = (id) => frame(id)?.contentWindow ?? {};
    const state = (id) => inside(id).zabscope.state();
";

pub(crate) fn run(page: &Page, body: &str) -> Value {
    page.js(&format!("{WORDS} return (async () => {{ {body} }})()"), &[])
}

pub(crate) fn wait(page: &Page, what: &str, condition: &str) {
    page.wait_within(PATIENCE * 3, what, &format!("{WORDS} return {condition}"));
}

/// The page with two elements, both loaded and ready.
fn plain() -> Page {
    let page = Page::open("");
    page.host("docs/slides/plain.html");
    wait(&page, "both programs run", "inside('crash').zabscope && inside('herd').zabscope");
    run(&page, "await $('crash').state(); await $('herd').state()");
    page
}

pub(crate) fn click(page: &Page, x: u32, y: u32) {
    for kind in ["mousePressed", "mouseReleased"] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        page.devtools("Input.dispatchMouseEvent", event);
    }
}

/// A key of the keyboard, wherever the focus is; WebDriver's own keys know no frames.
pub(crate) fn key(page: &Page, name: &str, code: u32) {
    for kind in ["rawKeyDown", "keyUp"] {
        let event = json!({ "type": kind, "key": name, "code": name, "windowsVirtualKeyCode": code });
        page.devtools("Input.dispatchKeyEvent", event);
    }
}

#[test]
fn two_elements_are_driven_apart() {
    let page = plain();
    run(
        &page,
        "window.heard = { crash: [], herd: [] };
         for (const id in heard) for (const kind of ['fact', 'step', 'state', 'error'])
             $(id).addEventListener(kind, ({ detail }) => heard[id].push([kind, detail]));",
    );
    // one opened at its third turning point and stands there, the other plays
    assert_eq!(run(&page, "const s = await $('herd').state(); return [s.turn, s.playing]"), json!([3, false]));
    let herd = run(&page, "return inside('herd').zabscope.digest()");
    wait(&page, "the other one plays", "state('crash').playing && state('crash').time_us > 0");
    run(&page, "await $('crash').pause(); await $('crash').seek(1000)");
    let answer = run(&page, "const s = await $('crash').state(); return [s.time_us, s.playing, s.leader, s.shown]");
    assert_eq!(answer, json!([1_000_000, false, 3, true]));
    run(&page, "await $('crash').act({ do: 'crash', server: 3 }); await $('crash').step(2)");
    let steps = run(&page, "return heard.crash.filter(([kind]) => kind === 'step').map(([, detail]) => detail)");
    let last = steps.as_array().and_then(|steps| steps.last()).expect("turning points").clone();
    assert_eq!(last["turn"], run(&page, "return (await $('crash').state()).turn"));
    assert!(last["said"][0]["what"].as_str().is_some_and(|said| said.contains('S')), "{last}");
    let kinds = "return [...new Set(heard.crash.filter(([kind]) => kind === 'fact').flatMap(([, { facts }]) => facts.map(({ kind }) => kind)))]";
    assert!(run(&page, kinds).to_string().contains("\"crashed\""));
    // back by as many, and the facts come no second time
    let turn = last["turn"].as_u64().expect("a number");
    run(&page, "heard.crash.length = 0; await $('crash').stepBack(2)");
    assert_eq!(run(&page, "return (await $('crash').state()).turn").as_u64(), Some(turn - 2));
    assert_eq!(run(&page, "return heard.crash.filter(([kind]) => kind !== 'state').length"), json!(0));
    // what is wrong rejects, is told as an event, and changes nothing
    for (call, sentence) in [
        ("$('crash').act({ do: 'explode' })", "action.do: unknown name `explode`"),
        ("$('crash').load('nonsense')", "scenario: unknown name `nonsense`"),
        ("$('crash').seek(-1)", "ms"),
        ("$('crash').load({ version: 99 })", "format 99"),
    ] {
        let said = run(&page, &format!("try {{ await {call}; return '' }} catch (error) {{ return error.message }}"));
        assert!(said.as_str().is_some_and(|said| said.contains(sentence)), "{call}: {said}");
        let told = run(&page, "return heard.crash.findLast(([kind]) => kind === 'error')[1].message");
        assert_eq!(told, said);
    }
    run(&page, "await $('crash').load({ version: 3, seed: 9, setup: { voters: 5 } })");
    assert_eq!(run(&page, "const s = await $('crash').state(); return [s.seed, s.servers.length]"), json!([9, 5]));
    // nothing of it reached the other one, and nobody took the focus
    assert_eq!(run(&page, "return inside('herd').zabscope.digest()"), herd);
    assert_eq!(run(&page, "return [heard.herd.length, document.activeElement.tagName]"), json!([0, "BODY"]));
    page.assert_no_errors();
}

#[test]
fn attributes_change_the_page_in_place() {
    let page = plain();
    run(&page, "inside('crash').mark = 1; inside('herd').mark = 1");
    let still = |what: &str, condition: &str| {
        wait(&page, what, condition);
        assert_eq!(run(&page, "return inside('crash').mark"), json!(1), "{what}: it was loaded again");
    };
    run(&page, "$('crash').paused = true");
    still("it stands", "!state('crash').playing");
    run(&page, "Object.assign($('crash'), { scenario: 'lock-herd', beside: 'lock-predecessor', seed: 5 })");
    still("another run", "state('crash').scenario === 'lock-herd' && state('crash').seed === 5");
    still("and one beside it", "inside('crash').document.querySelector('.right-stage')");
    run(&page, "$('crash').beside = null; $('crash').setAttribute('params', 'clients=7&hold_ms=40')");
    still(
        "with parameters",
        "inside('crash').document.querySelectorAll('.client').length === 7 && state('crash').actions > 15",
    );
    run(&page, "$('crash').at = 2000");
    still("a moment", "state('crash').time_us === 2000000");
    run(&page, "$('crash').removeAttribute('at'); $('crash').setAttribute('step', '4')");
    still("a turning point", "state('crash').time_us > 0 && state('crash').time_us < 2000000");
    run(
        &page,
        "Object.assign($('crash'), { lang: 'zh', theme: 'dark', panel: 'logs', speed: '1/10', title: 'another' })",
    );
    let root = "inside('crash').document.documentElement";
    still("the look", &format!("{root}.lang.startsWith('zh') && {root}.dataset.theme === 'dark'"));
    still(
        "a panel",
        &format!(
            "inside('crash').document.querySelector('[role=tab][aria-selected=true]')?.textContent === '{}'",
            words::of(Lang::Zh).tab_logs
        ),
    );
    still("a speed", "state('crash').speed.of === 10");
    assert_eq!(run(&page, "return frame('crash').title"), json!("another"));
    run(&page, "$('crash').panel = null; $('crash').controls = 'none'");
    still("less", "!inside('crash').document.querySelector('.side, .transport')");
    run(&page, "$('crash').controls = 'full'");
    still("everything", "inside('crash').document.querySelector('.bar')");
    assert_eq!(run(&page, "return inside('herd').document.querySelector('.bar, .transport')"), Value::Null);
    // and one that is made by a script, with a property that was set before it stood anywhere
    let made = "const one = document.createElement('zab-scope');
        one.scenario = 'cold-start-5';
        one.setAttribute('at', '700');
        const ready = new Promise((resolve) => one.addEventListener('ready', ({ detail }) => resolve(detail)));
        document.body.prepend(one);
        const { state } = await ready;
        return [state.scenario, state.time_us, state.playing, document.activeElement.tagName]";
    assert_eq!(run(&page, made), json!(["cold-start-5", 700_000, false, "BODY"]));
    page.assert_no_errors();
}

#[test]
fn a_page_of_another_origin_needs_no_leave_of_the_server() {
    let page = plain();
    // an empty document beside it, in which the element is not known yet; the same server by another name is another origin
    let there = page.address("").replace("127.0.0.1", "localhost");
    let script = format!(
        "const other = document.createElement('iframe');
         other.width = 960; other.height = 600;
         document.body.prepend(other);
         const into = other.contentDocument, script = into.createElement('script');
         script.src = '{there}zabscope-embed.js';
         const loaded = new Promise((done, failed) => Object.assign(script, {{ onload: done, onerror: failed }}));
         into.head.append(script);
         await loaded;
         const one = into.createElement('zab-scope');
         one.setAttribute('scenario', 'cold-start-5');
         one.setAttribute('at', '700');
         const ready = new Promise((done) => one.addEventListener('ready', ({{ detail }}) => done(detail)));
         into.body.append(one);
         const {{ state }} = await ready;
         return [state.scenario, state.time_us, one.shadowRoot.querySelector('iframe').src.startsWith('{there}?')]"
    );
    assert_eq!(run(&page, &script), json!(["cold-start-5", 700_000, true]));
}

/// How long the thread of the pages worked in this time, ms, and for how many frames they asked.
fn cost(page: &Page, time: Duration) -> (f64, u64) {
    let count = "window.frames_asked = 0;
        for (const id of ['crash', 'herd']) {
            const it = inside(id), ask = it.requestAnimationFrame;
            it.requestAnimationFrame = (call) => { frames_asked++; return ask.call(it, call); };
        }";
    run(page, count);
    let busy = || {
        let metrics = page.devtools("Performance.getMetrics", json!({}));
        let all = metrics["metrics"].as_array().cloned().unwrap_or_default();
        let task = all.iter().find(|metric| metric["name"] == "TaskDuration").expect("a duration");
        task["value"].as_f64().expect("seconds") * 1e3
    };
    // the second command does not pay for the first one's work
    std::thread::sleep(Duration::from_millis(500));
    let before = busy();
    std::thread::sleep(time);
    let after = busy();
    (after - before, run(page, "return frames_asked").as_u64().unwrap_or(u64::MAX))
}

#[test]
fn one_that_nobody_sees_costs_nothing_and_time_does_not_jump() {
    if !only_in(Engine::Chromium, "its developer tools measure what a page costs") {
        return;
    }
    let page = plain();
    page.devtools("Performance.enable", json!({ "timeDomain": "threadTicks" }));
    run(&page, "await $('herd').play(); await $('crash').play()");
    run(
        &page,
        "const space = document.createElement('div'); space.style.height = '9000px'; document.body.append(space)",
    );
    let (busy, frames) = cost(&page, Duration::from_secs(2));
    assert!(frames > 20 && busy > 10.0, "they play: {frames} frames, {busy:.1} ms");
    run(&page, "scrollTo(0, 8000)");
    let unseen = "for (const id of ['crash', 'herd']) if ((await $(id).state()).shown) return false; return true";
    page.wait_until(
        "both are out of sight",
        &format!(
            "{WORDS} window.unseen ??= 0; (async () => {{ {unseen} }})().then((it) => unseen = it); return unseen"
        ),
    );
    let at = run(&page, "return [state('crash').time_us, state('crash').playing, state('herd').playing]");
    let (busy, frames) = cost(&page, Duration::from_secs(5));
    println!("hidden: {busy:.2} ms in 5 s for two, {frames} frames");
    assert!(frames == 0 && busy < 5.0, "hidden: {busy:.2} ms in 5 s, {frames} frames");
    assert_eq!(run(&page, "return [state('crash').time_us, state('crash').playing, state('herd').playing]"), at);
    // in sight again it goes on from there; 1/30 of real time, 20 times as fast while idle
    run(&page, "window.seen = performance.now(); scrollTo(0, 0)");
    wait(&page, "it plays again", &format!("state('crash').time_us > {}", at[0]));
    let jumped = run(&page, "return [state('crash').time_us, performance.now() - seen]");
    let (passed, real) =
        (jumped[0].as_f64().expect("µs") - at[0].as_f64().expect("µs"), jumped[1].as_f64().expect("ms"));
    assert!(passed <= real * 1e3 * 20.0 / 30.0, "{passed} µs of virtual time in {real} ms");
    // standing in full sight costs as little
    run(&page, "await $('crash').pause(); await $('herd').pause()");
    std::thread::sleep(Duration::from_millis(300));
    let (busy, frames) = cost(&page, Duration::from_secs(3));
    println!("paused: {busy:.2} ms in 3 s for two, {frames} frames");
    assert!(frames == 0, "paused: {busy:.2} ms in 3 s, {frames} frames");
    page.assert_no_errors();
}

/// A frame without the element: plain messages. `say(text)` sends, `heard` is what came back.
const BARE: &str = "
    const frame = document.createElement('iframe');
    frame.src = '../../dist/index.html?embed=1&paused=1&lang=en&scenario=cold-start-3';
    document.body.prepend(frame);
    window.bare = frame;
    window.heard = [];
    addEventListener('message', ({ source, data, origin }) => {
        if (source === frame.contentWindow && origin === location.origin) heard.push(JSON.parse(data));
    });
    window.say = (what) => frame.contentWindow.postMessage(typeof what === 'string' ? what : JSON.stringify(what), location.origin);
";

#[test]
fn messages_are_understood_or_answered_in_a_sentence() {
    let page = plain();
    run(&page, BARE);
    page.wait_within(PATIENCE * 3, "its program runs", "return bare.contentWindow.zabscope");
    // before the greeting nobody is answered, and nothing is done
    run(
        &page,
        "say({ zabscope: 1, id: 1, do: 'play' }); say('nonsense'); await new Promise((done) => setTimeout(done, 300))",
    );
    assert_eq!(run(&page, "return [heard.length, bare.contentWindow.zabscope.state().playing]"), json!([0, false]));
    run(&page, "say({ zabscope: 1, do: 'hello', facts: 'all' })");
    page.wait_until("it is greeted", "return heard.some(({ tell }) => tell === 'ready')");
    run(
        &page,
        "window.opened = bare.contentWindow.zabscope.state().events;
         say({ zabscope: 1, id: 2, do: 'step', count: 40, by: 'event' }); say({ zabscope: 1, id: 3, do: 'state' })",
    );
    page.wait_until("it answers", "return heard.some(({ id, value }) => id === 3 && value.events === opened + 40)");
    assert_eq!(run(&page, "return heard.filter(({ tell }) => tell === 'facts').length"), json!(1));
    for (message, sentence) in [
        ("'nonsense'", "expected"),
        ("'{\"zabscope\":2}'", "version 2"),
        ("{ zabscope: 1, id: 4, do: 'explode' }", "unknown name `explode`"),
        ("' '.repeat(9_000_000)", "at most"),
    ] {
        run(&page, &format!("heard.length = 0; say({message})"));
        page.wait_until("it complains", "return heard.some(({ tell }) => tell === 'error')");
        let why = run(&page, "return heard.find(({ tell }) => tell === 'error').why");
        assert!(why.as_str().is_some_and(|why| why.contains(sentence)), "{message}: {why}");
    }
    run(&page, "heard.length = 0; bare.contentWindow.postMessage({ zabscope: 1, do: 'play' }, location.origin)");
    page.wait_until("an object is no text", "return heard.some(({ why }) => why?.includes('text'))");
    // what others send each other is left alone; and only the parent is heard
    let stranger = "heard.length = 0;
        bare.contentWindow.postMessage({ type: 'webpackOk' }, location.origin);
        // an empty frame is a window of its own, without a policy
        const other = document.body.appendChild(document.createElement('iframe')).contentWindow;
        other.eval(`parent.bare.contentWindow.postMessage('{\"zabscope\":1,\"do\":\"play\"}', '*')`);
        other.eval(`parent.bare.contentWindow.postMessage('slide:stop', '*')`);
        await new Promise((done) => setTimeout(done, 300));
        return [heard.length, bare.contentWindow.zabscope.state().playing]";
    assert_eq!(run(&page, stranger), json!([0, false]));
    // what reveal.js says to any frame
    run(&page, "say('slide:stop')");
    page.wait_until("its slide is gone", "return heard.some(({ state }) => state?.shown === false)");
    run(&page, "say('slide:start')");
    page.wait_until("its slide is back", "return heard.some(({ state }) => state?.shown === true)");
    // what is not our sentence but the stage's own
    assert_eq!(run(&page, "return document.activeElement.tagName"), json!("BODY"));
    page.assert_no_errors();
}

#[test]
fn a_host_without_an_origin_is_answered_through_its_port() {
    let page = plain();
    let script = "
        const host = `<script>
            addEventListener('message', ({ data }) => {
                if (data !== 'go') return;
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = ({ data }) => parent.postMessage('port ' + data, '*');
                frames[0].postMessage('{\"zabscope\":1,\"do\":\"hello\"}', '*', [port2]);
                frames[0].postMessage('{\"zabscope\":1,\"id\":5,\"do\":\"state\"}', '*');
            });
            addEventListener('message', ({ source, data }) => source === frames[0] && parent.postMessage('window ' + data, '*'));
        <\\/script><iframe src=\"${new URL('../../dist/index.html?embed=1&paused=1', location).href}\"></iframe>`;
        const frame = document.createElement('iframe');
        frame.src = 'data:text/html,' + encodeURIComponent(host);
        window.said = [];
        addEventListener('message', ({ source, data, origin }) => source === frame.contentWindow && origin === 'null' && said.push(data));
        document.body.prepend(frame);
        setInterval(() => said.length || frame.contentWindow.postMessage('go', '*'), 200);";
    run(&page, script);
    page.wait_within(PATIENCE * 3, "it answers", "return said.some((text) => text.includes('\"answer\"'))");
    assert_eq!(run(&page, "return said.every((text) => text.startsWith('port '))"), json!(true));
}

/// The deck, at its first slide.
pub(crate) fn deck() -> Page {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/slides");
    let fetched = Command::new(script).output().unwrap_or_else(|error| panic!("{script} does not start: {error}"));
    let why = String::from_utf8_lossy(&fetched.stderr);
    assert!(
        fetched.status.success(),
        "scripts/slides, which fetches reveal.js from npm for this test, failed: {why}"
    );
    let page = Page::open_sized("", 960, 540);
    page.host("docs/slides/reveal/index.html");
    page.wait_within(PATIENCE * 3, "the deck is ready", "return document.documentElement.dataset.ready");
    wait(&page, "both programs run", "inside('crash').zabscope && inside('turn').zabscope");
    run(&page, "await $('crash').state(); await $('turn').state()");
    page
}

/// Waits for the slide with this index, from 0.
pub(crate) fn slide(page: &Page, index: usize) {
    let present = format!("return [...document.querySelectorAll('section')][{index}].classList.contains('present')");
    page.wait_until(&format!("slide {index} is shown"), &present);
}

#[test]
fn a_deck_is_walked_through() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = deck();
    run(&page, "window.told = []; $('crash').addEventListener('state', ({ detail }) => told.push(detail.shown))");
    // its slide is not shown yet: it waits where its scene opens, ready to play
    let opens = scenario("leader-crash-under-load").and_then(|one| one.scene()).expect("a scene").opens_ms * 1_000;
    let waiting = run(&page, "const s = await $('crash').state(); return [s.shown, s.playing, s.time_us]");
    assert_eq!(waiting, json!([false, true, opens]));
    key(&page, "PageDown", 34);
    slide(&page, 1);
    wait(&page, "it plays on its slide", &format!("state('crash').time_us > {opens}"));
    assert_eq!(run(&page, "return document.activeElement.tagName"), json!("BODY"), "it took the focus");
    // the deck's own messages to frames, as it sends them when the slide goes and comes back
    key(&page, "PageDown", 34);
    slide(&page, 2);
    wait(&page, "it stands", "told.at(-1) === false");
    let at = run(&page, "return state('crash').time_us");
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(run(&page, "return state('crash').time_us"), at);
    let opened = run(&page, "const s = await $('turn').state(); return [s.shown, s.turn, s.playing]");
    assert_eq!(opened, json!([true, 8, false]));
    key(&page, "PageUp", 33);
    slide(&page, 1);
    wait(&page, "it plays on", &format!("state('crash').time_us > {at}"));
    // a click inside gives the frame the focus; keys that turn slides still turn slides
    click(&page, 600, 30);
    wait(&page, "the frame has the focus", "document.activeElement === $('crash')");
    key(&page, "PageDown", 34);
    slide(&page, 2);
    key(&page, "PageUp", 33);
    slide(&page, 1);
    key(&page, "ArrowRight", 39);
    slide(&page, 2);
    key(&page, "ArrowLeft", 37);
    slide(&page, 1);
    // the slide that was left has given the focus back; Space stays with the page that is pressed
    click(&page, 600, 30);
    wait(&page, "the frame has the focus again", "document.activeElement === $('crash')");
    let before = run(&page, "return state('crash').playing");
    key(&page, " ", 32);
    wait(&page, "space plays and pauses", &format!("state('crash').playing !== {before}"));
    slide(&page, 1);
    // and Escape goes out where nothing is open: the deck shows all its slides
    key(&page, "Escape", 27);
    page.wait_until("the overview", "return document.querySelector('.reveal.overview')");
    page.assert_no_errors();
}

#[test]
fn keys_stay_inside_unless_they_are_asked_for() {
    if !only_in(Engine::Chromium, "its developer tools press keys inside frames") {
        return;
    }
    let page = deck();
    key(&page, "PageDown", 34);
    slide(&page, 1);
    run(&page, "$('crash').keys = 'page'; await $('crash').pause()");
    click(&page, 600, 30);
    wait(&page, "the frame has the focus", "document.activeElement === $('crash')");
    // a slide that is still coming takes no keys
    let seen = "while (!(await $('crash').state()).shown) await new Promise((after) => setTimeout(after, 50))";
    run(&page, seen);
    let events = run(&page, "return state('crash').events").as_u64().expect("a number");
    key(&page, "ArrowRight", 39);
    wait(&page, "an event, not a slide", &format!("state('crash').events === {}", events + 1));
    key(&page, "PageDown", 34);
    std::thread::sleep(Duration::from_millis(300));
    slide(&page, 1);
    page.assert_no_errors();
}

#[test]
fn the_whole_page_is_one_click_away() {
    let page = Page::open("?embed=1&lang=en&scenario=lock-herd&clients=6&seed=4&t=1500&paused=1");
    page.find("button", en().panels).click();
    page.find("tab", en().tab_znodes).click();
    page.find("button", en().panels).click();
    assert!(page.find_all("tab", "").is_empty());
    let link = page.find("link", en().open_whole);
    // followed here and not in a tab of its own
    link.js("it.addEventListener('click', (event) => event.preventDefault())");
    link.click();
    let address = link.attribute("href").unwrap_or_default();
    let query = address.strip_prefix("./").unwrap_or_default().to_string();
    page.goto(&query);
    let now = page.js("const s = zabscope.state(); return [s.scenario, s.seed, s.time_us, s.playing]", &[]);
    assert_eq!(now, json!(["lock-herd", 4, 1_500_000, false]));
    page.find("heading", "ZabScope");
    page.assert_no_errors();
}
