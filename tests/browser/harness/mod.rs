//! A reader's eyes and hands for the tests.
//!
//! ```ignore
//! let page = Page::open("");
//! page.find("button", "Play").click();
//! page.wait_until("the clock runs", "return document.querySelector('output').textContent !== '0 ms'");
//! assert_eq!(page.find("status", "").text(), "playing");
//! page.assert_no_errors();
//! ```
//!
//! Everything blocks, so a test is a plain `#[test]` function. Each page has a server for `dist/`, a driver and a browser of
//! its own (together less than a second), all of which end with it, also when the test fails. Things are found
//! as readers and screen readers find them, by role and accessible name (`find.js`), and are waited for: up to
//! [`PATIENCE`], after which the test fails with what was there instead.
//!
//! Tests run in the engine that `ZABSCOPE_BROWSER` names. One that needs Chromium's developer tools says so by
//! [`only_in`]; all others are for every engine.

mod driver;
mod element;
mod engine;
#[allow(dead_code, reason = "benches without a browser use all of it")]
#[path = "../../../benches/figure.rs"]
mod figure;
mod launch;
mod pointer;
mod server;
mod window;
pub mod words;

use std::cell::RefCell;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use driver::Driver;
pub use element::Element;
pub use engine::{Engine, not_in, only_in};
pub use figure::figure;
pub use pointer::Move;
use server::Server;
pub use server::{Edition, dist};
pub use words::en;

/// How long anything may take to appear.
pub const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(25);

/// One open page in one browser. The fields end in this order: first the browser, then what it talks to.
pub struct Page {
    client: Client,
    driver: Driver,
    server: Server,
    runtime: Runtime,
    engine: Engine,
    /// What consoles of pages said that were left since.
    said: RefCell<Vec<String>>,
}

/// A line to the world.
#[derive(Clone, Copy)]
pub struct Line {
    /// What figures call it.
    pub name: &'static str,
    latency_ms: u32,
    /// Bytes a second.
    bytes: i64,
}

/// 1.6 Mbit/s and 150 ms, as a telephone far from everything has it.
pub const SLOW: Line = Line { name: "slow line", latency_ms: 150, bytes: 200_000 };

/// 10 Mbit/s and 40 ms.
pub const USUAL: Line = Line { name: "usual line", latency_ms: 40, bytes: 1_250_000 };

#[allow(dead_code, reason = "a vocabulary: not every test file uses every word")]
impl Page {
    /// Opens `path` below the page's folder ("" is the page, "?seed=7" the page with a query) in a window of
    /// 1280 by 800, and waits until it is loaded.
    pub fn open(path: &str) -> Page {
        Page::open_sized(path, 1280, 800)
    }

    /// Opens `path` in a window whose inside has exactly this size, a telephone's too.
    pub fn open_sized(path: &str, width: u32, height: u32) -> Page {
        let page = Page::blank(false);
        page.resize(width, height);
        page.goto(path);
        page
    }

    /// A browser that has not opened anything yet. With `network`, [`Page::requests`] can be asked.
    pub fn blank(network: bool) -> Page {
        let engine = Engine::chosen();
        let server = Server::start();
        let mut driver = Driver::start(engine);
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let mut builder = ClientBuilder::new(connector);
        builder.capabilities(launch::capabilities(engine, network));
        let client = runtime
            .block_on(builder.connect(&driver.url()))
            .unwrap_or_else(|error| panic!("{engine:?}'s driver runs, but opens no browser: {error}"));
        let session = runtime.block_on(client.session_id()).expect("an answer").expect("a session");
        driver.remember(&session);
        let page = Page { client, driver, server, runtime, engine, said: RefCell::default() };
        page.prepare_window();
        page.resize(1280, 800);
        page
    }

    /// Opens another path in the same browser.
    pub fn goto(&self, path: &str) {
        self.visit(&self.address(path));
    }

    /// Opens any address at which the page's program runs, a file's too.
    pub fn visit(&self, url: &str) {
        self.keep_lines();
        self.ask("opening the page", self.client.goto(url));
        self.wait_for_program();
    }

    /// Opens a path whose program does not begin yet.
    pub fn begin(&self, path: &str) {
        self.keep_lines();
        self.ask("opening the page", self.client.goto(&self.address(path)));
    }

    /// Loads the page anew.
    pub fn reload(&self) {
        self.keep_lines();
        if self.engine == Engine::Firefox {
            self.reload_by_script();
        } else {
            self.ask("reloading", self.client.refresh());
        }
        self.wait_for_program();
    }

    /// Firefox's driver reloads as with shift pressed, past caches and service worker.
    fn reload_by_script(&self) {
        self.js("window.harnessLeft = true; setTimeout(() => location.reload())", &[]);
        let end = Instant::now() + PATIENCE;
        let loaded = "return !window.harnessLeft && document.readyState === 'complete'";
        // while one document goes and the other comes there may be nothing to ask
        while self.runtime.block_on(self.client.execute(loaded, Vec::new())).ok() != Some(json!(true)) {
            assert!(Instant::now() < end, "the page does not reload\n{}", self.account());
            std::thread::sleep(PAUSE);
        }
    }

    /// Loaded is not yet begun: the program itself comes with a script of its own.
    pub fn wait_for_program(&self) {
        self.wait_within(
            PATIENCE * 3,
            "the page's program runs",
            "return window.zabscope && !document.querySelector('.poster')",
        );
        if self.engine == Engine::Webkit {
            self.js(include_str!("frames.js"), &[]);
        }
    }

    /// Opens a file of the project, as in `page.host("docs/slides/plain.html")`: a page that has ours inside.
    pub fn host(&self, path: &str) {
        self.keep_lines();
        self.ask("opening a page", self.client.goto(&self.server.project(path)));
    }

    /// Opens any address, whatever is there.
    pub fn look_at(&self, url: &str) {
        self.keep_lines();
        self.ask("opening a page", self.client.goto(url));
    }

    /// Makes this browser one that has never been at the page.
    pub fn forget_visits(&self) {
        // any place of the same origin
        self.host("docs/slides/plain.css");
        self.js("sessionStorage.setItem('first visit', 'yes'); localStorage.clear()", &[]);
    }

    /// From now on another edition of the page lies at its address.
    pub fn serve(&self, edition: Edition) {
        self.server.serve(edition);
    }

    /// What the server was asked for below the page's folder, in order, without what stands behind `?`.
    pub fn asked(&self) -> Vec<String> {
        self.server.asked()
    }

    /// From now on nobody answers at the page's address.
    pub fn stop_server(&mut self) {
        self.server.stop();
    }

    /// The address of a path below the page's folder.
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.server.folder())
    }

    /// The document's title.
    pub fn title(&self) -> String {
        self.ask("reading the title", self.client.title())
    }

    /// Runs the body of a JavaScript function with `arguments` and returns what it returns. A promise is waited for.
    pub fn js(&self, body: &str, arguments: &[Value]) -> Value {
        self.ask(body, self.client.execute(body, arguments.to_vec()))
    }

    /// Waits until a function's body returns something true; `what` is for the reader of a failure.
    pub fn wait_until(&self, what: &str, body: &str) {
        self.wait_within(PATIENCE, what, body);
    }

    /// The same with a patience of its own.
    pub fn wait_within(&self, patience: Duration, what: &str, body: &str) {
        let condition = format!("return Boolean((() => {{ {body} }})())");
        let end = Instant::now() + patience;
        while self.js(&condition, &[]) != json!(true) {
            assert!(Instant::now() < end, "not within {patience:?}: {what} ({body})\n{}", self.account());
            std::thread::sleep(PAUSE);
        }
    }

    /// Waits until the text of what this selector finds has these words in it.
    pub fn wait_for_words(&self, selector: &str, words: &str) {
        let script =
            format!("return document.querySelector({})?.innerText.includes({})", json!(selector), json!(words));
        self.wait_until(words, &script);
    }

    /// The one visible thing with this role and this accessible name. An empty name means any name; one that ends with
    /// `…` means any that begins like it.
    ///
    /// Roles are those of ARIA: "button", "link", "slider", "combobox", "checkbox", "heading", "status", "dialog" …
    ///
    /// A tab stands in the panels, which are away until they are asked for: then they are asked for first.
    pub fn find(&self, role: &str, name: &str) -> Element<'_> {
        if role == "tab" {
            self.js("if (!document.querySelector('.side')) document.querySelector('.bar .panels')?.click()", &[]);
        }
        self.one(role, name, Value::Null)
    }

    /// All visible things with this role and name, now, in the order of the document.
    pub fn find_all(&self, role: &str, name: &str) -> Vec<Element<'_>> {
        self.all(role, name, &Value::Null)
    }

    /// Role and name of everything visible that has a role, one a line: what a screen reader would find.
    pub fn outline(&self) -> String {
        let lines = self.call("outline", &[]);
        lines.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Role and name of what has the keyboard's focus, as in `("button", "Play")`.
    pub fn focused(&self) -> (String, String) {
        let found = self.call("focused", &[]);
        (text_of(&found["role"]), text_of(&found["name"]))
    }

    /// Types into whatever has the focus. Special keys are those of `fantoccini::key::Key`, as in
    /// `page.keys(&Key::Tab)` and `page.keys(&(Key::Shift + "x"))`.
    pub fn keys(&self, keys: &(impl ToString + ?Sized)) {
        if self.engine == Engine::Firefox {
            // Tab goes on from the page's end to the browser's own buttons; from there keys are heard, but do nothing
            self.js("if (!document.hasFocus()) window.focus()", &[]);
        }
        let element = self.ask("finding the focus", self.client.active_element());
        self.ask("typing", element.send_keys(&keys.to_string()));
    }

    /// Chooses the option with this value in a list, as a reader would.
    pub fn choose(&self, list: &str, value: &str) {
        let change = "it.value = {}; it.dispatchEvent(new Event('change', { bubbles: true }))";
        self.find("combobox", list).js(&change.replace("{}", &json!(value).to_string()));
    }

    /// All visible text.
    pub fn text(&self) -> String {
        text_of(&self.js("return document.body.innerText", &[]))
    }

    /// Answers a media query, as in `page.prefer("prefers-color-scheme", "dark")`. The last call counts. Chromium only.
    pub fn prefer(&self, feature: &str, value: &str) {
        let features = json!({ "features": [{ "name": feature, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", features);
    }

    /// Sends a command of Chromium's developer tools; a test that needs them asks [`only_in`] first.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        assert!(
            self.engine == Engine::Chromium,
            "{command}: {:?} has no developer tools: see `only_in`",
            self.engine
        );
        self.driver.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// From now on everything comes as by this line, or as fast as it can. Chromium only.
    pub fn throttle(&self, line: Option<Line>) {
        let (latency, bytes) = line.map_or((0, -1), |line| (line.latency_ms, line.bytes));
        self.devtools("Network.enable", json!({}));
        self.devtools(
            "Network.emulateNetworkConditions",
            json!({ "offline": false, "latency": latency, "downloadThroughput": bytes, "uploadThroughput": bytes }),
        );
    }

    /// The addresses of everything that the browser asked for since the last call, whatever for: what the page itself
    /// knows of, and in Chromium, if opened so ([`Page::blank`]), what the network log says.
    pub fn requests(&self) -> Vec<String> {
        let script = "return performance.getEntriesByType('resource').map((entry) => entry.name)";
        let known = self.js(script, &[]);
        let mut urls: Vec<String> = known.as_array().into_iter().flatten().map(text_of).collect();
        if self.engine == Engine::Chromium {
            urls.extend(self.log("performance").iter().filter_map(requested));
        }
        urls
    }

    /// What the console has said since the last call, each line with its level ("SEVERE", "WARNING", "INFO").
    pub fn console(&self) -> Vec<String> {
        self.keep_lines();
        let mut lines = self.said.take();
        if self.engine == Engine::Chromium {
            let line = |entry: &Value| format!("{} {}", text_of(&entry["level"]), text_of(&entry["message"]));
            lines.extend(self.log("browser").iter().map(line));
        }
        lines
    }

    /// Takes what `watch.js` has gathered, before the page is left.
    fn keep_lines(&self) {
        let lines = self.js("return window.harnessLines?.splice(0) ?? []", &[]);
        self.said.borrow_mut().extend(lines.as_array().into_iter().flatten().map(text_of));
    }

    /// One of the logs that Chromium's driver keeps, since the last call.
    fn log(&self, kind: &str) -> Vec<Value> {
        match self.driver.post("se/log", &json!({ "type": kind })) {
            Value::Array(entries) => entries,
            other => panic!("the driver's log is {other}"),
        }
    }

    /// Fails if the console has shown an error or a warning: a panic, a missing file, a refused script.
    pub fn assert_no_errors(&self) {
        let mut lines = self.console();
        lines.retain(|line| line.starts_with("SEVERE") || line.starts_with("WARNING"));
        // the page is kept for times without a network, what the tests put on it is not
        lines.retain(|line| !line.contains("harness-watch.js - Failed to load resource"));
        // asked for beside a file that is no page (`forget_visits`)
        lines.retain(|line| !line.contains("/favicon.ico - Failed to load resource"));
        assert!(lines.is_empty(), "the console shows:\n{}", lines.join("\n"));
    }

    /// Writes a picture of the window as PNG.
    pub fn screenshot(&self, path: impl AsRef<Path>) {
        let picture = self.ask("taking a picture", self.client.screenshot());
        std::fs::write(&path, picture).unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()));
    }

    fn one(&self, role: &str, name: &str, within: Value) -> Element<'_> {
        let end = Instant::now() + PATIENCE;
        loop {
            let mut found = self.all(role, name, &within);
            match found.len() {
                1 => return found.remove(0),
                count if Instant::now() > end => {
                    panic!(
                        "{count} visible things with role {role:?} and name {name:?}; there is:\n{}",
                        self.account()
                    )
                }
                _ => std::thread::sleep(PAUSE),
            }
        }
    }

    fn all(&self, role: &str, name: &str, within: &Value) -> Vec<Element<'_>> {
        match self.call("find", &[json!(role), json!(name), within.clone()]) {
            Value::Array(found) => found.into_iter().map(|reference| Element { page: self, reference }).collect(),
            other => panic!("find.js answered {other}"),
        }
    }

    /// Calls a function of `find.js`.
    fn call(&self, function: &str, arguments: &[Value]) -> Value {
        self.js(&format!("{}\nreturn {function}(...arguments);", include_str!("find.js")), arguments)
    }

    /// What a failed test wants to know about the page.
    fn account(&self) -> String {
        format!("{}\nconsole:\n{}", self.outline(), self.console().join("\n"))
    }

    fn ask<T>(&self, what: &str, answer: impl Future<Output = Result<T, CmdError>>) -> T {
        self.runtime.block_on(answer).unwrap_or_else(|error| panic!("{what}: {error}"))
    }
}

/// The address in an entry of Chromium's log of the network.
fn requested(entry: &Value) -> Option<String> {
    let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
    let message = &message["message"];
    (message["method"] == "Network.requestWillBeSent").then(|| text_of(&message["params"]["request"]["url"]))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}
