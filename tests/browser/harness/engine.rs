//! The browser's engine that the tests run in: `ZABSCOPE_BROWSER` names it, Chromium's is the default.

use std::io::Write;
use std::sync::OnceLock;

/// What runs the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// Chromium, by chromedriver. The only one with developer tools: sizes of telephones, a slow processor, media queries.
    Chromium,
    /// Firefox, by geckodriver.
    Firefox,
    /// WebKitGTK's MiniBrowser, by WebKitWebDriver, on a screen of its own that nobody sees (Xvfb).
    Webkit,
}

impl Engine {
    /// The one that this run of the tests is about.
    pub fn chosen() -> Engine {
        static CHOSEN: OnceLock<Engine> = OnceLock::new();
        *CHOSEN.get_or_init(|| match std::env::var("ZABSCOPE_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Engine::Chromium,
            Ok("firefox") => Engine::Firefox,
            Ok("webkit") => Engine::Webkit,
            Ok(other) => panic!("ZABSCOPE_BROWSER is '{other}': chromium, firefox or webkit is needed"),
        })
    }
}

/// Whether the tests run in this engine. If not, the test that asks is left out, and the output says which and why:
///
/// ```ignore
/// if !only_in(Engine::Chromium, "a slow processor needs its developer tools") {
///     return;
/// }
/// ```
pub fn only_in(engine: Engine, why: &str) -> bool {
    let chosen = Engine::chosen();
    if chosen != engine {
        let test = std::thread::current().name().unwrap_or_default().to_string();
        // straight to the terminal: what `eprintln!` writes is shown of failed tests only
        let _ = writeln!(std::io::stderr(), "    left out in {chosen:?}: {test} ({engine:?} only: {why})");
    }
    chosen == engine
}

/// Whether a test is for the chosen engine, where it is not for one of them; says so where it is left out.
pub fn not_in(engine: Engine, why: &str) -> bool {
    let chosen = Engine::chosen();
    if chosen == engine {
        let test = std::thread::current().name().unwrap_or_default().to_string();
        let _ = writeln!(std::io::stderr(), "    left out in {chosen:?}: {test} ({why})");
    }
    chosen != engine
}
