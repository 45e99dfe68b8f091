//! The pictures of README and docs. Not a test: `scripts/pictures` runs it, so that they show the page as it is.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::harness::Page;

/// How long the page may take to draw what was asked for; a gallery plays a run for each of its pictures.
const SOON: Duration = Duration::from_millis(900);
const LATER: Duration = Duration::from_millis(6000);

/// Name, size, pixels of the file for one of the page, address, what is done then, what is waited for.
type Shot = (&'static str, (u32, u32), f64, &'static str, &'static str, Duration);

const GALLERY: &str = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'g', bubbles: true }))";
const WEAVE: &str = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }))";

const SHOTS: [Shot; 8] = [
    ("run-light", (1280, 720), 1.5, "lang=en&theme=light&scenario=leader-crash-under-load&t=2500", "", SOON),
    ("run-dark", (1280, 720), 1.5, "lang=en&theme=dark&scenario=leader-crash-under-load&t=2500", "", SOON),
    ("gallery", (1280, 720), 1.0, "lang=en&theme=light", GALLERY, LATER),
    ("space-time", (1280, 720), 1.0, "lang=en&theme=light&scenario=leader-crash-under-load&t=1500", WEAVE, SOON),
    (
        "herd",
        (1440, 900),
        1.0,
        "lang=en&theme=light&scenario=lock-herd&beside=lock-predecessor&clients=20&t=4700",
        "",
        SOON,
    ),
    ("hall", (1280, 720), 1.0, "lang=en&theme=dark&lecture=1&scenario=leader-crash-under-load&t=1025", "", SOON),
    ("chinese", (1280, 720), 1.0, "lang=zh&theme=light&scenario=lock-pause&panel=sessions&t=8000", "", SOON),
    ("phone", (390, 844), 2.0, "lang=en&theme=light&scenario=leader-crash-under-load&t=2500", "", SOON),
];

#[test]
#[ignore = "writes docs/pictures: scripts/pictures"]
fn take_the_pictures_of_the_docs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    fs::create_dir_all(&folder).expect("a folder");
    let page = Page::open("");
    page.devtools("Emulation.setScrollbarsHidden", json!({ "hidden": true }));
    page.js("localStorage.setItem('zabscope-seen', '1')", &[]);
    for (name, (width, height), scale, address, then, patience) in SHOTS {
        page.resize(width, height);
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": false });
        page.devtools("Emulation.setDeviceMetricsOverride", size);
        page.goto(&format!("?paused=1&{address}"));
        page.js(then, &[]);
        std::thread::sleep(patience);
        page.screenshot(folder.join(format!("{name}.png")));
        page.assert_no_errors();
    }
}
