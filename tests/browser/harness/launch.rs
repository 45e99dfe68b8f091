//! How each engine is started, and what is asked of it.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::engine::Engine;

/// A driver's command line.
pub(super) struct Command {
    pub(super) program: &'static str,
    pub(super) arguments: Vec<String>,
    pub(super) environment: Vec<(&'static str, String)>,
    /// Whether it needs an X server.
    pub(super) screen: bool,
    pub(super) port: Port,
}

/// How the driver's port becomes known.
pub(super) enum Port {
    /// The driver chooses a free one and says so after these words.
    Said(&'static str),
    /// It was told one, which was free a moment ago.
    Told(u16),
}

/// The driver's command line; everything that it leaves behind lands in `folder`.
pub(super) fn command(engine: Engine, folder: &Path) -> Command {
    let own = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    let folder = folder.display().to_string();
    let temporary = ("TMPDIR", folder.clone());
    match engine {
        Engine::Chromium => Command {
            program: "chromedriver",
            arguments: own(&["--port=0", "--log-level=SEVERE"]),
            environment: vec![temporary],
            screen: false,
            port: Port::Said("started successfully on port "),
        },
        // its own pages may be looked into: for the window's inner size, and for what its console shows
        Engine::Firefox => Command {
            program: "geckodriver",
            arguments: own(&["--port", "0", "--allow-system-access", "--profile-root", &folder]),
            environment: vec![temporary],
            screen: false,
            port: Port::Said("Listening on 127.0.0.1:"),
        },
        Engine::Webkit => {
            let port = free_port();
            Command {
                program: "WebKitWebDriver",
                arguments: vec![format!("--port={port}")],
                environment: vec![
                    temporary,
                    // the sandbox needs rights that containers do not give
                    ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1".into()),
                    ("LC_ALL", "en_US.UTF-8".into()),
                    // On Linux, JavaScriptCore now and then traps ("Out of bounds memory access") where it goes from interpreted to compiled
                    // WebAssembly in the middle of a function: https://bugs.webkit.org/show_bug.cgi?id=289009
                    ("JSC_useWasmOSR", "0".into()),
                    ("XDG_DATA_HOME", folder.clone()),
                    ("XDG_CONFIG_HOME", folder.clone()),
                    ("XDG_CACHE_HOME", folder),
                ],
                screen: true,
                port: Port::Told(port),
            }
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("its address").port()
}

/// A browser without a visible window that talks to nobody but us. With `network`, Chromium keeps a list of its requests.
pub(super) fn capabilities(engine: Engine, network: bool) -> Map<String, Value> {
    let capabilities = match engine {
        Engine::Chromium => chromium(network),
        Engine::Firefox => firefox(),
        Engine::Webkit => webkit(),
    };
    capabilities.as_object().cloned().expect("an object")
}

fn chromium(network: bool) -> Value {
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--lang=en",
    ];
    let mut logs = json!({ "browser": "ALL" });
    if network {
        logs["performance"] = json!("ALL");
    }
    json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "args": arguments },
        "goog:loggingPrefs": logs,
    })
}

fn firefox() -> Value {
    let preferences = json!({
        "app.normandy.enabled": false,
        "browser.newtabpage.enabled": false,
        "browser.startup.page": 0,
        "dom.ipc.processPrelaunch.enabled": false,
        "intl.accept_languages": "en",
        "network.captive-portal-service.enabled": false,
        "network.connectivity-service.enabled": false,
    });
    json!({ "browserName": "firefox", "moz:firefoxOptions": { "args": ["-headless"], "prefs": preferences } })
}

fn webkit() -> Value {
    // a window that a script opens has few buttons, so that it can be as narrow as a telephone
    let arguments = ["--automation", "--javascript-can-open-windows-automatically=true"];
    json!({ "webkitgtk:browserOptions": { "binary": mini_browser(), "args": arguments } })
}

/// WebKitGTK's small browser, which is never in PATH: `/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser` on Debian.
fn mini_browser() -> PathBuf {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    };
    let places = ["/usr/lib", "/usr/lib64", "/usr/libexec"].map(PathBuf::from);
    let deeper = places.iter().flat_map(|place| inside(place)).collect::<Vec<_>>();
    let mut found: Vec<PathBuf> = (places.iter().chain(&deeper))
        .flat_map(|place| inside(place))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("webkit2gtk-4")))
        .map(|path| path.join("MiniBrowser"))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop().expect("WebKitGTK's MiniBrowser is missing: `scripts/test` installs it")
}
