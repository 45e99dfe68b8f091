//! Sharing: a link opens to the same picture at the same moment, files go out and in, and what is wrong leaves the page alone.

use serde_json::{Value, json};
use zabscope::i18n::Lang;

use crate::harness::{Page, en, words};

/// What a script can see of the moment.
const STATE: &str =
    "const s = zabscope.state(); return [zabscope.digest(), s.time_us, s.events, s.actions, s.scenario, s.seed,
    s.playing, s.speed, document.querySelector('[role=tab][aria-selected=true]')?.textContent,
    document.querySelector('[aria-pressed=true], .card.picked, .picked')?.getAttribute('aria-label') ?? null]";

/// The middle of a run: something was done, a server is picked, a panel is open, and a single step was taken.
fn busy_page() -> Page {
    let page = Page::open("?lang=en");
    page.js("zabscope.load('leader-crash-under-load'); zabscope.pause(); zabscope.seek(1234)", &[]);
    page.js("zabscope.act({ do: 'crash', server: 1 }); zabscope.seek(1500); zabscope.step(7)", &[]);
    page.find("tab", en().tab_logs).click();
    page.keys("2");
    page.wait_until("a server is picked", "return document.querySelector('.picked')");
    page
}

/// The link of the moment, as the dialog shows it.
fn link(page: &Page) -> String {
    page.find("button", en().share).click();
    let link = page.find("textbox", en().share_link).property("value");
    page.find("button", en().close).click();
    link.as_str().expect("a link").to_string()
}

fn fragment(link: &str) -> String {
    format!("#{}", link.split_once('#').expect("a fragment").1)
}

/// A file or a text, dropped in the middle of the page; what was dropped shows what it is while it is above.
fn drop_on(page: &Page, kind: &str, content: &str) {
    let script = "
        const [kind, content] = arguments, data = new DataTransfer();
        if (kind === 'file') data.items.add(new File([content], 'anything.txt', { type: 'text/plain' }));
        else data.setData('text/plain', content);
        const at = document.querySelector('.stage');
        const fire = (name) => at.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));
        const taken = !fire('dragover');
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
            const shown = getComputedStyle(document.querySelector('.drop')).display !== 'none';
            fire('drop');
            done([taken, shown]);
        })));";
    assert_eq!(page.js(script, &[json!(kind), json!(content)]), json!([true, true]));
}

/// Waits for a sentence of the page about something that did not work.
fn said(page: &Page, words: &str) {
    page.wait_for_words(".notice", words);
}

#[test]
fn a_link_opens_to_the_same_picture_in_a_fresh_page() {
    let page = busy_page();
    let before = page.js(STATE, &[]);
    let link = link(&page);
    assert_eq!(page.js(STATE, &[]), before, "sharing changes nothing");
    let fresh = Page::open(&fragment(&link));
    fresh.wait_until("it is open", "return zabscope.state().actions > 0 && document.querySelector('.picked')");
    assert_eq!(fresh.js(STATE, &[]), before);
    assert!(fresh.find_all("alert", "").iter().all(|alert| alert.text().trim().is_empty()));
    // and it goes on in the same way
    for one in [&page, &fresh] {
        one.js("zabscope.seek(5000)", &[]);
    }
    assert_eq!(fresh.js("return zabscope.digest()", &[]), page.js("return zabscope.digest()", &[]));
    fresh.assert_no_errors();
    page.assert_no_errors();
}

#[test]
fn a_link_carries_the_run_beside_it_and_the_language() {
    let page = Page::open("?scenario=lock-herd&beside=lock-predecessor&clients=7&paused=1&t=900&lang=zh");
    page.find("button", words::of(Lang::Zh).share).click();
    let link = page.find("textbox", words::of(Lang::Zh).share_link).property("value");
    let fresh = Page::open(&fragment(link.as_str().expect("a link")));
    let look = "return [zabscope.digest(), zabscope.state().time_us, document.documentElement.lang,
        document.querySelectorAll('.stage').length, document.querySelector('.page').className,
        [...document.querySelectorAll('input')].map((input) => input.value).filter((value) => value === '7').length > 0]";
    page.keys("\u{E00C}");
    fresh.wait_until("both runs are there", "return document.querySelector('.page.comparing')");
    assert_eq!(fresh.js(look, &[]), page.js(look, &[]));
    fresh.assert_no_errors();
}

#[test]
fn the_link_is_copied_or_selected_to_be_copied_by_hand() {
    let page = busy_page();
    page.find("button", en().share).click();
    let link = page.find("textbox", en().share_link).property("value");
    page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }", &[]);
    page.find("button", en().share_copy).click();
    page.wait_for_words(".share .said", en().share_copied);
    assert_eq!(page.js("return window.copied", &[]), link);
    // neither the clipboard nor the old command is allowed
    page.js(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false",
        &[],
    );
    page.find("button", en().share_copy).click();
    page.wait_for_words(".share .said", en().share_by_hand);
    assert_eq!(
        page.js(
            "return document.getSelection().toString() || document.activeElement.value.slice(
        document.activeElement.selectionStart, document.activeElement.selectionEnd)",
            &[]
        ),
        link
    );
    // the QR code says the same; here only that it is one, large and square
    page.find("button", en().share_qr).click();
    let size = page
        .find("img", en().share_qr_of)
        .js("const box = it.getBoundingClientRect(); return [box.width, box.height]");
    assert!(size[0].as_f64() > Some(300.0) && size[0] == size[1], "{size}");
    page.find("button", en().share_back).click();
    page.find("button", en().share_copy);
    page.assert_no_errors();
}

#[test]
fn wrong_links_leave_the_page_alone_and_say_a_sentence() {
    let page = busy_page();
    let good = fragment(&link(&page));
    page.js("zabscope.act({ do: 'heal_all' }); zabscope.seek(1800)", &[]);
    let before = page.js(STATE, &[]);
    let go = |hash: &str| {
        page.js("location.hash = arguments[0]", &[json!(hash)]);
    };
    for (wrong, words) in [
        (good[..good.len() - 3].to_string(), "damaged"),
        (good.replacen('.', ".AA", 1), "damaged"),
        ("#lesson-3".into(), en().no_link),
        (good.replacen("#b", "#z", 1), "newer"),
        (good.replacen("#b4", "#a2", 1), "format 2"),
    ] {
        go(&wrong);
        said(&page, words);
        assert_eq!(page.js(STATE, &[]), before, "{wrong}");
    }
    // a good one, in the open page
    go(&good);
    page.wait_until("it opens", "return zabscope.state().time_us < 1800000");
    assert_ne!(page.js(STATE, &[]), before);
    page.assert_no_errors();
    // a wrong one at the start: the page comes up as always, with a sentence
    let fresh = Page::open("?lang=zh#b4.AAAAAAAAAA");
    said(&fresh, words::of(Lang::Zh).link_damaged);
    assert_eq!(fresh.js("return zabscope.state().scenario", &[]), json!("cold-start-3"));
    fresh.assert_no_errors();
}

/// Catches what the page saves: name and text of each file.
const CATCH: &str = "window.saved = []; const blobs = new Map(), make = URL.createObjectURL;
    URL.createObjectURL = (blob) => { const url = make(blob); blobs.set(url, blob); return url; };
    HTMLAnchorElement.prototype.click = function () {
        blobs.get(this.href).text().then((text) => window.saved.push([this.download, text]));
    };";

#[test]
fn files_go_out_and_come_in() {
    let page = busy_page();
    page.js(CATCH, &[]);
    page.find("button", en().share).click();
    page.find("tab", en().share_files).click();
    let digest = page.js("return zabscope.digest()", &[]);
    for (nth, button) in [en().share_run, en().share_facts, en().share_counters, en().share_trace].iter().enumerate()
    {
        page.find("button", button).click();
        page.wait_until(button, &format!("return window.saved.length === {}", nth + 1));
    }
    let saved = page.js("return window.saved", &[]);
    let texts: Vec<(&str, &str)> = saved
        .as_array()
        .expect("files")
        .iter()
        .map(|file| (file[0].as_str().unwrap(), file[1].as_str().unwrap()))
        .collect();
    let names: Vec<&str> = texts.iter().map(|(name, _)| *name).collect();
    let stem = names[0].trim_end_matches(".json");
    assert!(stem.starts_with("zabscope-leader-crash-under-load-"), "{stem}");
    assert_eq!(names, [".json", "-facts.jsonl", "-counters.csv", "-trace.log"].map(|end| format!("{stem}{end}")));
    let run: Value = serde_json::from_str(texts[0].1).expect("a run");
    assert_eq!(
        run["actions"].as_array().map(Vec::len),
        page.js("return zabscope.state().actions", &[]).as_u64().map(|n| n as usize)
    );
    assert!(texts[1].1.lines().count() as u64 >= page.js("return zabscope.state().facts", &[]).as_u64().unwrap());
    assert!(texts[1].1.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert!(texts[2].1.starts_with("from_us,until_us,events,"), "{:.80}", texts[2].1);
    assert!(texts[3].1.contains("\nS1 {\"S1\": 1}\n"), "{:.200}", texts[3].1);
    page.find("button", en().close).click();
    // in again, through the file dialog's input and by dropping
    page.js("zabscope.load('cold-start-3')", &[]);
    let choose = "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'run.json'));
        const input = document.querySelector('.files input[type=file]'); input.files = data.files;
        input.dispatchEvent(new Event('change', { bubbles: true }))";
    page.find("button", en().share).click();
    page.find("tab", en().share_files).click();
    page.js(choose, &[json!(texts[0].1)]);
    page.wait_until("it is open", "return zabscope.state().scenario === null && !document.querySelector('.dialog')");
    page.js("zabscope.seek(1500); zabscope.step(7)", &[]);
    assert_eq!(page.js("return zabscope.digest()", &[]), digest);
    page.assert_no_errors();
}

#[test]
fn what_is_dropped_is_opened_or_left_alone() {
    let page = busy_page();
    let before = page.js(STATE, &[]);
    let link = link(&page);
    page.js("zabscope.load('cold-start-3'); zabscope.seek(300)", &[]);
    drop_on(&page, "file", &format!("Dear all,\nsee <{link}>.\n"));
    page.wait_until("it is open", "return zabscope.state().scenario === 'leader-crash-under-load'");
    page.wait_until("a server is picked", "return document.querySelector('.picked')");
    assert_eq!(page.js(STATE, &[]), before);
    for (kind, content, words) in [
        ("file", "what is this", "neither a run nor"),
        ("file", "{\"version\":1}", "format 1"),
        ("file", "{\"version\":3,\"setup\":{\"voters\":77}}", "77"),
        ("text", "not a link at all", "neither a run nor"),
    ] {
        drop_on(&page, kind, content);
        said(&page, words);
        assert_eq!(page.js(STATE, &[]), before, "{content}");
    }
    // too long to be read at all
    drop_on(&page, "file", &" ".repeat((8 << 20) + 1));
    said(&page, en().link_too_long);
    // a link as a text
    page.js("zabscope.load('cold-start-3')", &[]);
    drop_on(&page, "text", &link);
    page.wait_until("it is open", "return zabscope.state().scenario === 'leader-crash-under-load'");
    page.assert_no_errors();
}

#[test]
fn an_export_of_a_long_run_can_be_cancelled_and_all_is_in_reach_of_the_keyboard() {
    let page = Page::open("?lang=en&scenario=lock-herd&paused=1&t=0");
    page.js("zabscope.seek(400000)", &[]);
    page.js(CATCH, &[]);
    page.find("button", en().share).keys("\u{E007}");
    page.find("dialog", en().share_title);
    // Tab goes through the dialog's controls in their order, arrows from tab to tab
    let reached = |wanted: &[&str]| {
        let mut names = Vec::new();
        for _ in 0..8 {
            page.keys("\u{E004}");
            names.push(page.focused().1);
        }
        for name in wanted {
            assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
        }
    };
    reached(&[en().close, en().share_tab_link, en().share_link, en().share_copy, en().share_qr]);
    page.find("tab", en().share_tab_link).keys("\u{E012}");
    page.find("tabpanel", en().share_files);
    assert_eq!(page.focused().1, en().share_files);
    reached(&[en().share_run, en().share_trace, en().share_rows, en().share_open]);
    page.find("button", en().share_trace).click();
    page.wait_until("it is being written", "return document.querySelector('progress')");
    page.js(
        "[...document.querySelectorAll('button')].find(one => one.textContent === arguments[0]).click()",
        &[json!(en().cancel)],
    );
    page.wait_until("it ends", "return !document.querySelector('progress')");
    page.wait_until(
        "nothing is saved",
        "return new Promise((done) => setTimeout(() => done(window.saved.length === 0), 400))",
    );
    page.keys("\u{E00C}");
    page.wait_until("it closes", "return !document.querySelector('.dialog')");
    page.assert_no_errors();
}

#[test]
fn the_code_for_a_slide_opens_what_it_says() {
    let page = Page::open("?lang=en&scenario=lock-herd&clients=7&seed=9&paused=1&t=1500");
    page.find("button", en().share).click();
    page.find("tab", en().share_tab_link).keys("\u{E014}");
    page.find("tabpanel", en().share_tab_slide);
    page.js("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }", &[]);
    let copy = |name: &str| {
        page.js("window.copied = null", &[]);
        page.find("button", &format!("{}: {name}", en().slide_copy)).click();
        page.wait_until(name, "return window.copied");
        page.js("return window.copied", &[]).as_str().expect("code").to_string()
    };
    let parsed = "const it = new DOMParser().parseFromString(arguments[0], 'text/html').querySelector(arguments[1]);
        return it && Object.fromEntries([...it.attributes].map(({ name, value }) => [name, value]))";
    let frame = page.js(parsed, &[json!(copy(en().slide_frame)), json!("iframe")]);
    let element = page.js(parsed, &[json!(copy(en().slide_element)), json!("zab-scope")]);
    assert_eq!([&element["scenario"], &element["params"], &element["at"]], ["lock-herd", "clients=7", "1500"]);
    assert_eq!(element["keys"], json!("deck"), "a clicker's keys turn slides");
    let script = page.js(parsed, &[json!(copy(en().slide_element)), json!("script[async]")]);
    assert_eq!(script["src"], json!(page.address("zabscope-embed.js")));
    // each tool has its own, and says what else it needs
    let choose = |tool: &str| {
        page.find("combobox", en().slide_for)
            .js(&format!("it.value = '{tool}'; it.dispatchEvent(new Event('change', {{ bubbles: true }}))"));
        page.wait_for_words("section.snippet h3", tool);
    };
    choose("reveal.js");
    let deck = page.js(parsed, &[json!(copy("reveal.js")), json!("section > zab-scope")]);
    assert_eq!(deck, element);
    choose("Jupyter");
    let code = copy("Jupyter");
    assert!(code.contains(&format!("IFrame(\"{}\"", frame["src"].as_str().expect("an address"))), "{code}");
    // the picture for print is the one that there is
    page.find("button", en().slide_poster).click();
    page.find("dialog", en().picture_title);
    page.visit(frame["src"].as_str().expect("an address"));
    page.wait_until("it opens as a part of a page", "return document.querySelector('.page.thin')");
    let now = page.js("const s = zabscope.state(); return [s.scenario, s.seed, s.time_us, s.playing]", &[]);
    assert_eq!(now, json!(["lock-herd", 9, 1_500_000, false]));
    page.assert_no_errors();
}
