//! Embedded pages on paper: what a browser prints has the stage on it, whole, also where nobody has seen it.

use std::fs;
use std::process::Command;

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};

use crate::embed::{run, wait};
use crate::harness::{Engine, PATIENCE, Page, only_in};
use crate::seen::host;

/// A printed page at 96 dpi: its words and where they stand, and its pixels.
pub(crate) struct Sheet {
    words: Vec<(String, [f64; 4])>,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// Prints what the browser shows, and reads the pages that have one of the servers on them.
pub(crate) fn printed(page: &Page, name: &str, options: Value) -> Vec<Sheet> {
    let made = page.devtools("Page.printToPDF", options);
    let folder = std::env::temp_dir().join(format!("zabscope-paper-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let pdf = Base64::decode_vec(made["data"].as_str().expect("a PDF")).expect("base64");
    let file = folder.join("it.pdf");
    fs::write(&file, pdf).expect("a file");
    let run = |program: &str, arguments: &[&str]| {
        let done = Command::new(program).args(arguments).arg(&file).arg(folder.join("it")).output();
        let done =
            done.unwrap_or_else(|error| panic!("{program} (poppler-utils, which scripts/test installs): {error}"));
        assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
    };
    run("pdftotext", &["-bbox"]);
    run("pdftoppm", &["-r", "72"]);
    let text = fs::read_to_string(folder.join("it")).expect("words");
    let mut pictures: Vec<_> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|file| Some(file.ok()?.path()).filter(|path| path.extension().is_some_and(|end| end == "ppm")))
        .collect();
    pictures.sort();
    let pages = text.split("<page ").skip(1).zip(&pictures);
    let sheets = pages.map(|(text, picture)| Sheet::of(text, &fs::read(picture).expect("a picture")));
    let sheets = sheets.filter(|sheet| sheet.place("S1").is_some()).collect();
    fs::remove_dir_all(&folder).expect("the folder");
    sheets
}

impl Sheet {
    fn of(text: &str, picture: &[u8]) -> Sheet {
        let word = |line: &str| {
            let (head, rest) = line.trim().strip_prefix("<word ")?.split_once('>')?;
            let number = |name: &str| head.split_once(name)?.1.split('"').nth(1)?.parse().ok();
            let place = [number("xMin")?, number("yMin")?, number("xMax")?, number("yMax")?];
            Some((rest.split('<').next()?.to_string(), place))
        };
        // P6, width and height, the largest value: each in a line
        let mut lines = picture.splitn(4, |byte| *byte == b'\n');
        assert_eq!(lines.next(), Some(&b"P6"[..]));
        let size = String::from_utf8_lossy(lines.next().expect("a size"));
        let (width, height) = size.split_once(' ').expect("two numbers");
        let pixels = lines.nth(1).expect("pixels").to_vec();
        let [width, height] = [width, height].map(|side| side.parse().expect("a number"));
        Sheet { words: text.lines().filter_map(word).collect(), width, height, pixels }
    }

    /// Where a word stands in the largest letters, as a server's name does on its card.
    fn place(&self, word: &str) -> Option<[f64; 4]> {
        let places = self.words.iter().filter(|(one, _)| one == word).map(|(_, place)| *place);
        places.max_by(|a, b| (a[3] - a[1]).total_cmp(&(b[3] - b[1])))
    }

    /// How many pixels of a part are as blue as a proposal that is on its way.
    fn blue(&self, [left, top, right, bottom]: [f64; 4]) -> usize {
        let rows = top.max(0.0) as usize..(bottom as usize).min(self.height);
        let columns = left.max(0.0) as usize..(right as usize).min(self.width);
        rows.flat_map(|y| columns.clone().map(move |x| (y * self.width + x) * 3))
            .filter(|at| {
                let [red, green, blue] = [self.pixels[*at], self.pixels[at + 1], self.pixels[at + 2]];
                red < 60 && green < 140 && blue > 130
            })
            .count()
    }

    /// Three servers, all of the last one too, and packets on the way from the leader to the followers.
    pub(crate) fn assert_has_the_stage(&self, what: &str) {
        let places =
            ["S1", "S2", "S3"].map(|server| self.place(server).unwrap_or_else(|| panic!("{what}: no {server}")));
        let broadcast = self.words.iter().filter(|(word, _)| word == "FOLLOWING").map(|(_, place)| place[2]);
        let right = broadcast.fold(0.0, f64::max);
        assert!(right > 0.0 && right < self.width as f64, "{what}: cards end at {right} of {}", self.width);
        let leads = self.place("LEADING").unwrap_or_else(|| panic!("{what}: nobody leads"));
        // between the cards of the leader and of the last one, above the logs
        let line = leads[3] - leads[1];
        let way = [leads[2] + 0.8 * line, leads[1] - line, places[1][0] - line, leads[3] + 1.6 * line];
        assert!(self.blue(way) > 20, "{what}: {} blue pixels in {way:?}", self.blue(way));
    }
}

#[test]
fn what_nobody_has_seen_is_printed_whole_and_as_wide_as_the_paper() {
    if !only_in(Engine::Chromium, "its developer tools print") {
        return;
    }
    let page = host();
    assert_eq!(run(&page, "return (await $('paper').state()).shown"), json!(false));
    run(&page, "$('run').remove()");
    for (name, options) in [
        ("A4", json!({ "printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69 })),
        ("A5", json!({ "printBackground": true, "paperWidth": 5.83, "paperHeight": 8.27 })),
    ] {
        let sheets = printed(&page, name, options);
        assert_eq!(sheets.len(), 1, "{name}");
        sheets[0].assert_has_the_stage(name);
    }
    // seen or not, and at another moment than the one it opened at
    run(&page, "await $('paper').seek(1036)");
    let sheets = printed(&page, "later", json!({ "printBackground": true }));
    sheets[0].assert_has_the_stage("at a later moment");
    page.assert_no_errors();
}

#[test]
fn a_page_of_another_origin_is_printed_too() {
    if !only_in(Engine::Chromium, "its developer tools print") {
        return;
    }
    let page = Page::open("");
    page.host("tests/browser/decks/seen.html");
    // the same server by another name: no frame is drawn for what is out of sight there, so packets are there once it was seen
    let there = page.address("").replace("127.0.0.1", "localhost");
    run(&page, &format!("$('run').remove(); $('paper').src = '{there}'; $('paper').scrollIntoView()"));
    let seen = "while (!(await $('paper').state()).shown) await new Promise((after) => setTimeout(after, 50));
        await $('paper').seek(1035); await new Promise((done) => setTimeout(done, 500)); scrollTo(0, 0)";
    run(&page, seen);
    let sheets = printed(&page, "other", json!({ "printBackground": true }));
    assert_eq!(sheets.len(), 1);
    sheets[0].assert_has_the_stage("of another origin");
}

#[test]
fn a_deck_is_printed() {
    if !only_in(Engine::Chromium, "its developer tools print") {
        return;
    }
    let page = crate::embed::deck();
    // as Ctrl+P does, from the first slide; then by the deck's own view for paper
    run(&page, "$('crash').pause(); await $('crash').seek(1035); await $('turn').seek(1035)");
    let sheets = printed(&page, "deck", json!({ "printBackground": true }));
    assert_eq!(sheets.len(), 2);
    sheets.iter().for_each(|sheet| sheet.assert_has_the_stage("Ctrl+P"));
    page.host("docs/slides/reveal/index.html?print-pdf");
    page.wait_within(PATIENCE * 3, "the deck is ready", "return document.querySelector('.pdf-page')");
    wait(&page, "both programs run", "inside('crash').zabscope && inside('turn').zabscope");
    run(&page, "$('crash').pause(); await $('crash').seek(1035); await $('turn').seek(1035)");
    let sheets = printed(&page, "view", json!({ "printBackground": true, "preferCSSPageSize": true }));
    assert_eq!(sheets.len(), 2);
    sheets.iter().for_each(|sheet| sheet.assert_has_the_stage("?print-pdf"));
}
