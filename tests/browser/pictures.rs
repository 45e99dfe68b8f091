//! Pictures to take away: what the page hands to the browser is looked at byte by byte.

use gif::{ColorOutput, DecodeOptions};
use serde_json::json;

use crate::harness::{Engine, Page, en, only_in, words};

/// Keeps what the page hands out, and its names; nothing is downloaded.
const CATCH: &str = "window.files = []; window.revoked = 0;
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (file) => { window.files.push({ file }); return make(file); };
    HTMLAnchorElement.prototype.click = function () { window.files.at(-1).name = this.download; };";

fn open(query: &str, ms: u64) -> Page {
    open_where("", query, ms)
}

/// The same in a browser that was made another one by this script.
fn open_where(script: &str, query: &str, ms: u64) -> Page {
    let page = Page::open(&format!("?lang=en&paused=1&t=0&{query}"));
    page.js(CATCH, &[]);
    page.js(script, &[]);
    page.js("zabscope.seek(arguments[0])", &[json!(ms)]);
    page.find("button", en().picture).click();
    page
}

/// The file handed out as number `index`: its name, its type and its bytes.
fn file(page: &Page, index: usize) -> (String, String, Vec<u8>) {
    let handed = format!("return window.files.length > {index} && window.files[{index}].name");
    page.wait_within(std::time::Duration::from_secs(60), "the file is handed out", &handed);
    let read = "const { file, name } = window.files[arguments[0]];
        return file.arrayBuffer().then((all) => ({ name, type: file.type, bytes: [...new Uint8Array(all)] }))";
    let read = page.js(read, &[json!(index)]);
    let text = |name: &str| read[name].as_str().unwrap_or_default().to_string();
    let bytes =
        read["bytes"].as_array().into_iter().flatten().filter_map(|byte| byte.as_u64()).map(|byte| byte as u8);
    (text("name"), text("type"), bytes.collect())
}

/// A big-endian number of a PNG.
fn number(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 4].iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

#[test]
fn saves_what_is_shown_as_svg_and_png() {
    let page = open("scenario=leader-crash-under-load", 1_035);
    page.find(
        "img",
        words::fill(en().picture_preview, &[&format!("{}, 1.035 s", words::scenario("leader-crash-under-load").0)]),
    );
    page.find("button", en().picture_svg).click();
    let (name, kind, bytes) = file(&page, 0);
    assert_eq!((name.as_str(), kind.as_str()), ("zabscope-leader-crash-under-load-1035ms.svg", "image/svg+xml"));
    let text = String::from_utf8(bytes).expect("UTF-8");
    let parsed = "const read = new DOMParser().parseFromString(arguments[0], 'image/svg+xml');
        if (read.querySelector('parsererror')) return null;
        const root = read.documentElement;
        return { width: +root.getAttribute('width'), height: +root.getAttribute('height'),
            texts: [...read.querySelectorAll('text')].map((text) => text.textContent) }";
    let svg = page.js(parsed, &[json!(text)]);
    let texts: Vec<&str> = svg["texts"].as_array().expect("well-formed").iter().filter_map(|t| t.as_str()).collect();
    for text in ["S1", "S2", "S3", "LEADING", "FOLLOWING", "1:9", "ACK 1:10", "1.035 s", "ZabScope"] {
        assert!(texts.contains(&text), "{text} is not in {texts:?}");
    }
    let told = page.js("return zabscope.state().narration.title", &[]);
    assert!(texts.iter().any(|text| told == *text), "the narration, {told}, is not in {texts:?}");
    for (index, scale) in [(1, 2), (2, 3)] {
        page.find("combobox", en().picture_scale)
            .js(&format!("it.value = '{scale}'; it.dispatchEvent(new Event('change', {{ bubbles: true }}))"));
        page.find("button", en().picture_png).click();
        let (name, kind, bytes) = file(&page, index);
        assert_eq!((name.as_str(), kind.as_str()), ("zabscope-leader-crash-under-load-1035ms.png", "image/png"));
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        let expected = [&svg["width"], &svg["height"]].map(|side| side.as_u64().unwrap_or(0) * scale);
        assert_eq!([number(&bytes, 16), number(&bytes, 20)], expected);
    }
    assert!(
        page.text().contains(words::start(en().picture_saved, &[&"zabscope-leader-crash-under-load-1035ms.png"]))
    );
    page.assert_no_errors();
}

/// Fills a field as somebody who types does.
fn fill(page: &Page, name: &str, value: &str) {
    let field = page.find("textbox", name);
    field.clear();
    field.keys(value);
    field.js("it.blur()");
}

fn choose(page: &Page, name: &str, value: &str) {
    let set = format!("it.value = '{value}'; it.dispatchEvent(new Event('change', {{ bubbles: true }}))");
    page.find("dialog", en().picture_title).find("combobox", name).js(&set);
}

#[test]
fn makes_a_gif_of_a_stretch_and_leaves_the_page_as_it_was() {
    let page = open("scenario=leader-crash-under-load", 1_035);
    let stands = |page: &Page| {
        page.js(
            "const { narration, ...state } = zabscope.state(); return [zabscope.digest(), JSON.stringify(state)]",
            &[],
        )
    };
    let before = stands(&page);
    short_film(&page);
    page.find("button", en().film_make).click();
    let (name, kind, bytes) = file(&page, 0);
    assert_eq!((name.as_str(), kind.as_str()), ("zabscope-leader-crash-under-load-1035ms.gif", "image/gif"));
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes.as_slice()).expect("a GIF");
    assert_eq!(decoder.width(), 480);
    let (mut frames, mut delays, mut first) = (0, 0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        first = first.max(usize::from(frame.width) * usize::from(frame.height));
        (frames, delays) = (frames + 1, delays + u32::from(frame.delay));
    }
    // packets move in every frame, and the last one stays for a second and a half
    assert_eq!((frames, delays), (16, 160 + 150));
    assert_eq!(first, 480 * usize::from(decoder.height()));
    assert_eq!(stands(&page), before);
    page.find("button", en().film_make);
    page.assert_no_errors();
}

/// What the button for videos begins with; what it ends with is up to the browser.
fn video() -> String {
    format!("{}…", words::start(en().film_make_video, &[]))
}

/// A short film of 16 frames, 480 pixels wide.
fn short_film(page: &Page) {
    fill(page, en().film_from, "1.000");
    fill(page, en().film_to, "1.050");
    choose(page, en().film_width, "480");
    page.wait_for_words("body", words::fill(en().film_count, &[&16, &"1.6"]));
}

/// Plays a file to its end, then looks at the frame in its middle: how many colours are in it, and which one is in the corner.
const PLAY: &str = "const [bytes, type] = arguments;
    return (async () => {
        const video = Object.assign(document.createElement('video'), { muted: true });
        const heard = (name) => new Promise((done, fail) => {
            video.addEventListener(name, done, { once: true });
            video.addEventListener('error', () => fail(new Error(video.error.message)), { once: true });
        });
        const [there, over] = [heard('loadeddata'), heard('ended')];
        video.src = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }));
        document.body.append(video);
        await there;
        const { duration, videoWidth: width, videoHeight: height } = video;
        await video.play();
        await over;
        const sought = heard('seeked');
        video.currentTime = duration / 2;
        await sought;
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const ctx = canvas.getContext('2d');
        ctx.drawImage(video, 0, 0);
        const { data } = ctx.getImageData(0, 0, width, height);
        const colours = new Set();
        for (let at = 0; at < data.length; at += 4) colours.add([0, 1, 2].map((part) => data[at + part] >> 5).join());
        return { duration, width, height, colours: colours.size, corner: [...data.slice(0, 3)] };
    })()";

#[test]
fn makes_a_video_that_plays_as_was_said() {
    if !only_in(Engine::Chromium, "not every build of others has an encoder") {
        return;
    }
    let page = open("scenario=leader-crash-under-load&theme=light", 1_035);
    let before = page.js("return zabscope.digest()", &[]);
    page.find("button", &video()).click();
    page.wait_until("frames are made", "return (document.querySelector('progress') || {}).value > 1");
    page.find("button", en().cancel).click();
    page.wait_for_words("body", en().film_cancelled);
    short_film(&page);
    page.find("button", &video()).click();
    let (name, kind, bytes) = file(&page, 0);
    let ending = kind.strip_prefix("video/").unwrap_or_default();
    assert_eq!(name, format!("zabscope-leader-crash-under-load-1035ms.{ending}"));
    match ending {
        "mp4" => assert_eq!(bytes[4..8], *b"ftyp"),
        "webm" => assert_eq!(bytes[..4], [0x1a, 0x45, 0xdf, 0xa3]),
        _ => panic!("{kind}"),
    }
    page.find("button", &video());
    assert_eq!(page.js("return [window.files.length, zabscope.digest()]", &[]), json!([1, before]));
    page.assert_no_errors();
    // the page's own policy lets no media in but files of its folder; a style sheet's has none
    page.host("docs/slides/plain.css");
    let seen = page.js(PLAY, &[json!(bytes), json!(kind)]);
    let number = |name: &str| seen[name].as_f64().unwrap_or_default();
    assert!((number("duration") - 1.6).abs() < 0.05, "{seen}");
    assert!(number("width") == 480.0 && number("height") > 200.0 && number("height") % 2.0 == 0.0, "{seen}");
    assert!(number("colours") > 6.0, "blank: {seen}");
    // #f7f6f2, the paper of the light theme
    let corner = seen["corner"].as_array().into_iter().flatten().filter_map(|part| part.as_i64());
    assert!(corner.zip([0xf7, 0xf6, 0xf2]).all(|(seen, paper)| (seen - paper).abs() < 10), "{seen}");
}

#[test]
fn an_encoder_that_fails_is_told_and_a_gif_can_be_made() {
    if !only_in(Engine::Chromium, "not every build of others has an encoder") {
        return;
    }
    let fails =
        "window.VideoEncoder = class extends VideoEncoder { encode() { throw new Error('out of memory.'); } }";
    let page = open_where(fails, "scenario=leader-crash-under-load", 1_035);
    short_film(&page);
    page.find("button", &video()).click();
    page.wait_for_words("body", words::fill(en().film_encoder, &[&"out of memory"]));
    page.find("button", en().film_make).click();
    assert_eq!(file(&page, 0).1, "image/gif");
    page.assert_no_errors();
}

#[test]
fn where_the_browser_has_no_encoder_the_page_says_so() {
    let page = open_where("delete window.VideoEncoder", "scenario=leader-crash-under-load", 1_035);
    page.wait_for_words("body", en().film_no_encoder);
    page.find("button", en().film_make);
    assert!(page.find_all("button", &video()).is_empty());
    page.assert_no_errors();
}

#[test]
fn cancelling_ends_the_work_and_leaves_the_page_as_it_was() {
    let page = open("scenario=leader-crash-under-load", 1_035);
    let before = page.js("return zabscope.digest()", &[]);
    choose(&page, en().film_width, "960");
    page.find("button", en().film_make).click();
    page.find("progressbar", en().film_under_way);
    page.wait_until("frames are made", "return document.querySelector('progress').value > 1");
    // the page answers while it works
    page.find("button", en().cancel).click();
    page.find("button", en().film_make);
    assert!(page.text().contains(en().film_cancelled));
    assert_eq!(page.js("return [window.files.length, zabscope.digest()]", &[]), json!([0, before]));
    page.keys(&fantoccini::key::Key::Escape);
    page.wait_until("the dialog is gone", "return !document.querySelector('[role=dialog]')");
    assert_eq!(page.focused(), ("button".to_string(), en().picture.to_string()));
    page.find("button", en().step).click();
    page.assert_no_errors();
}

#[test]
fn closing_the_dialog_ends_the_work() {
    let page = open("scenario=cold-start-5", 300);
    page.find("button", en().film_make).click();
    page.wait_until("frames are made", "return (document.querySelector('progress') || {}).value > 1");
    page.find("button", en().close).click();
    page.js("return new Promise((done) => setTimeout(done, 1500))", &[]);
    assert_eq!(page.js("return window.files.length", &[]), json!(0));
    page.assert_no_errors();
}

#[test]
fn what_cannot_be_made_is_said_before_work() {
    let page = open("scenario=leader-crash-under-load", 1_035);
    let said = |sentence: &str| page.wait_for_words("body", sentence);
    fill(&page, en().film_to, "0.5");
    said(en().film_backwards);
    fill(&page, en().film_to, "soon");
    said(words::fill(en().film_times, &[&1_000_000]));
    page.find("button", en().film_make).click();
    page.find("button", en().film_make);
    fill(&page, en().film_to, "30");
    choose(&page, en().speed, "0");
    said(words::start(en().film_long, &[&600]));
    page.assert_no_errors();
}

#[test]
fn two_runs_are_one_picture_in_light_colours_from_a_dark_page() {
    let page = open("scenario=lock-herd&beside=lock-predecessor&theme=dark", 3_000);
    choose(&page, en().picture_colours, "light");
    page.find("button", en().picture_svg).click();
    let (_, _, bytes) = file(&page, 0);
    let text = String::from_utf8(bytes).expect("UTF-8");
    assert_eq!(text.matches(">S1</text>").count(), 2);
    let light = page.js("return document.documentElement.dataset.theme", &[]);
    assert_eq!(light, json!("dark"), "the page keeps its theme");
    assert!(text.contains("#f7f6f2") && !text.contains("#14181b\"/>"), "the paper of the light theme");
    page.assert_no_errors();
}
