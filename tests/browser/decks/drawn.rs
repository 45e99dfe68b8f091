//! An SVG of `zabscope picture` in the programs that it goes into: the browser, resvg (our own PNG) and WeasyPrint draw it alike, before
//! and after SVGO.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::open;
use crate::harness::{Engine, Page, only_in};

/// The size of a picture: the command's own, with what stands above and below the stage.
const SIZE: (u32, u32) = (960, 640);

/// Compares two files as they are drawn: how far apart a colour is on average, and how far the averages of the square of 16 pixels a side
/// that differs most, which tells a missing word. Letters have other edges in each program, but are where they should be.
const APART: &str = "const [first, second, width, height] = arguments;
    const pixels = async (name) => {
        const image = new Image();
        image.src = new URL('../../target/decks/drawn/' + name, location.href).href;
        await image.decode();
        const canvas = Object.assign(document.createElement('canvas'), { width, height });
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0, width, height);
        return context.getImageData(0, 0, width, height).data;
    };
    return Promise.all([pixels(first), pixels(second)]).then(([one, other]) => {
        const mean = [0, 0, 0], wide = Math.floor(width / 16), high = Math.floor(height / 16);
        const squares = new Float64Array(wide * high * 3);
        for (let y = 0; y < height; y++) {
            for (let x = 0; x < width; x++) {
                const row = Math.floor(y / 16), column = Math.floor(x / 16);
                for (let channel = 0; channel < 3; channel++) {
                    const at = 4 * (y * width + x) + channel, more = one[at] - other[at];
                    mean[channel] += Math.abs(more) / (width * height);
                    if (row < high && column < wide) squares[3 * (row * wide + column) + channel] += more / 256;
                }
            }
        }
        return [Math.max(...mean), squares.reduce((most, one) => Math.max(most, Math.abs(one)), 0)];
    });";

/// The mean and the worst square that programs may differ by, of 255. Measured of these pictures: 1.2 and 9.1 between resvg and
/// WeasyPrint. Letters of another weight are 15.6, another font for Chinese is 24.8, a word that is missing 38.3.
const ALIKE: (f64, f64) = (2.0, 12.0);
/// A browser may put letters on whole pixels.
const ALIKE_IN_BROWSER: (f64, f64) = (3.0, 25.0);
/// What SVGO rounds is not to be seen: 0.0 was measured in both.
const SAME: (f64, f64) = (0.1, 1.0);

fn apart(page: &Page, first: &str, second: &str) -> (f64, f64) {
    let found = page.js(APART, &[json!(first), json!(second), json!(SIZE.0), json!(SIZE.1)]);
    let number = |at: usize| found[at].as_f64().unwrap_or_else(|| panic!("{first} and {second}: {found}"));
    (number(0), number(1))
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder() -> PathBuf {
    project().join("target/decks/drawn")
}

fn file(name: &str) -> String {
    folder().join(name).display().to_string()
}

fn done(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A picture as `NAME.svg`, what resvg and WeasyPrint make of it (`NAME-resvg.png`, `NAME-weasy.png`), `NAME-small.svg` that SVGO made, and
/// what WeasyPrint makes of that.
fn make(name: &str, words: &[&str]) {
    let zabscope = |ending: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zabscope"));
        done(command.arg("picture").args(words).args(more).arg("--out").arg(file(&format!("{name}{ending}"))));
    };
    zabscope(".svg", &[]);
    zabscope("-resvg.png", &["--scale", "1"]);
    let svgo = project().join("target/decks/svgo/node_modules/svgo/bin/svgo.js");
    let (whole, small) = (file(&format!("{name}.svg")), file(&format!("{name}-small.svg")));
    done(Command::new("node").arg(svgo).arg(&whole).arg("-o").arg(&small));
    let mut python = Command::new(project().join("target/decks/python/bin/python"));
    python.arg(project().join("tests/browser/decks/weasy.py")).args([SIZE.0.to_string(), SIZE.1.to_string()]);
    done(python.args([
        &whole,
        &file(&format!("{name}-weasy.png")),
        &small,
        &file(&format!("{name}-small-weasy.png")),
    ]));
}

/// A copy of a picture in which something is wrong.
fn spoil(name: &str, wrong: &str, part: &str, instead: &str) -> String {
    let picture = fs::read_to_string(file(&format!("{name}.svg"))).expect("the picture");
    assert!(picture.contains(part), "{name}: there is no {part:?} to be spoilt");
    let spoilt = format!("{name}-{wrong}.svg");
    fs::write(file(&spoilt), picture.replace(part, instead)).expect("a file");
    spoilt
}

fn within((mean, square): (f64, f64), most: (f64, f64)) -> bool {
    mean <= most.0 && square <= most.1
}

#[test]
fn a_picture_is_drawn_alike_by_every_program_and_keeps_its_looks_in_svgo() {
    if !only_in(Engine::Chromium, "one browser is enough beside the other programs") {
        return;
    }
    let page = open("docs/slides/plain.css");
    fs::create_dir_all(folder()).expect("a folder");
    let cases: [(&str, &[&str], &str); 4] = [
        ("light", &["leader-crash-under-load", "--at", "1035"], ">1:9</text>"),
        ("dark", &["leader-crash-under-load", "--at", "1035", "--theme", "dark"], ">1:9</text>"),
        ("herd", &["lock-herd", "--theme", "dark"], ">S1</text>"),
        ("chinese", &["rejoin-trunc", "--lang", "zh-CN"], ">跟随者</text>"),
    ];
    for (name, words, word) in cases {
        make(name, words);
        let (svg, small) = (format!("{name}.svg"), format!("{name}-small.svg"));
        let (resvg, weasy) = (format!("{name}-resvg.png"), format!("{name}-weasy.png"));
        let small_weasy = format!("{name}-small-weasy.png");
        let pairs = [
            (&resvg, &weasy, ALIKE),
            (&svg, &resvg, ALIKE_IN_BROWSER),
            (&svg, &small, SAME),
            (&weasy, &small_weasy, SAME),
        ];
        for (first, second, most) in pairs {
            let found = apart(&page, first, second);
            println!("{first} and {second}: {found:.3?}");
            assert!(within(found, most), "{first} and {second} are {found:?} apart, more than {most:?}");
        }
        // the measure sees what is missing
        let colourless = spoil(name, "colourless", " fill=\"#", " data-fill=\"#");
        let wordless = spoil(name, "wordless", word, "></text>");
        for spoilt in [colourless, wordless] {
            let found = apart(&page, &spoilt, &resvg);
            println!("{spoilt} and {resvg}: {found:.3?}");
            assert!(!within(found, ALIKE_IN_BROWSER), "{spoilt} and {resvg} are only {found:?} apart");
        }
    }
    page.assert_no_errors();
}
