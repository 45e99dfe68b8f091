//! Serves `dist/` on a free port, from a folder that is not the root: the page must not care where it lies.
//!
//! It sends the strict policy that the page promises to live under, and puts `watch.js` before everything else on the
//! page. A connection carries one answer and has a thread of its own: a browser reads some answers only after others.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use miniz_oxide::deflate::compress_to_vec_zlib;

const FOLDER: &str = "/some/folder/";
/// Where the project itself lies, as far as pages that have ours inside need it.
const PROJECT: &str = "/project/";
const OPEN: [&str; 7] =
    ["dist", "docs/slides", "target/decks", "target/peers", "target/slides", "target/watch", "tests/browser/decks"];

/// The strictest policy under which WebAssembly can run.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const WATCH: &str = "harness-watch.js";

/// The most that a request may be long, in bytes.
const LONGEST: u64 = 1 << 16;

/// What lies at the page's address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edition {
    /// The build.
    Built,
    /// A later version of it: its page says so in a meta element `edition`, its service worker has another version.
    Renewed,
    /// The same in the middle of an upload: the service worker names a file that is not there.
    Damaged,
    /// The build, whose code is only sent when there is another edition.
    Waiting,
    /// The build without its stories.
    Bare,
    /// The build, compressed as a server in the world sends it.
    Packed,
}

pub(super) struct Server {
    address: SocketAddr,
    edition: Arc<Mutex<Edition>>,
    /// What was asked for, in order: addresses without the server's.
    asked: Arc<Mutex<Vec<String>>>,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(super) fn start() -> Server {
        let dist = dist();
        assert!(dist.join("index.html").is_file(), "dist/ is missing: run `trunk build --release` first");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        let edition = Arc::new(Mutex::new(Edition::Built));
        let current = Arc::clone(&edition);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let serve = move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if flag.load(Ordering::Relaxed) {
                    break;
                }
                let (current, log) = (Arc::clone(&current), Arc::clone(&log));
                // a browser that has gone away is no failure of the page
                std::thread::spawn(move || answer(stream, &current, &log));
            }
        };
        Server { address, edition, asked, stopped, thread: Some(std::thread::spawn(serve)) }
    }

    /// The address of the page's folder, with a slash at its end.
    pub(super) fn folder(&self) -> String {
        format!("http://{}{FOLDER}", self.address)
    }

    /// The address of a file of the project.
    pub(super) fn project(&self, path: &str) -> String {
        format!("http://{}{PROJECT}{path}", self.address)
    }

    /// What was asked for below the page's folder, in order, without what stands behind `?`.
    pub(super) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("no thread fails with it");
        let paths = asked.iter().filter_map(|url| url.split('?').next()?.strip_prefix(FOLDER));
        paths.map(String::from).collect()
    }

    pub(super) fn serve(&self, edition: Edition) {
        if edition == Edition::Packed {
            let files = fs::read_dir(dist()).into_iter().flatten().flatten().map(|entry| entry.path());
            let code = files.filter(|path| path.extension().is_some_and(|extension| extension == "wasm"));
            code.filter_map(|path| fs::read(path).ok()).for_each(|bytes| drop(packed(&bytes)));
        }
        *self.edition.lock().expect("no thread fails with it") = edition;
    }

    /// Closes the port: from now on nobody answers there.
    pub(super) fn stop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address); // wakes the thread, which then ends
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.stop();
        }
    }
}

/// The folder of the built page; `ZABSCOPE_DIST` names another.
pub fn dist() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder())
}

fn folder() -> String {
    std::env::var("ZABSCOPE_DIST").unwrap_or_else(|_| "dist".into())
}

fn answer(stream: TcpStream, current: &Mutex<Edition>, asked: &Mutex<Vec<String>>) -> io::Result<()> {
    let edition = || *current.lock().expect("no thread fails with it");
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let mut lines = BufReader::new((&stream).take(LONGEST)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    // all of the request is read before it is answered, or closing would tell the browser of an error
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let url = request.split(' ').nth(1).unwrap_or_default();
    asked.lock().expect("no thread fails with it").push(url.to_string());
    // a page that waits for it with all that it has must not wait for ever
    let end = Instant::now() + Duration::from_secs(20);
    while url.contains("_bg.wasm") && edition() == Edition::Waiting && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    let found = file(url).and_then(|path| Some((contents(&path, edition())?, path)));
    let (status, body, mime) = match &found {
        Some((bytes, path)) => ("200 OK", bytes.as_slice(), content_type(path)),
        None => ("404 Not Found", &[][..], "text/plain"),
    };
    let packed = (edition() == Edition::Packed).then(|| packed(body));
    let encoding = if packed.is_some() { "Content-Encoding: deflate\r\n" } else { "" };
    let body = packed.as_deref().map_or(body, Vec::as_slice);
    let length = body.len();
    // pages that have ours inside are somebody else's, with a policy of their own
    let ours = found.as_ref().is_some_and(|(_, path)| path.starts_with(dist()));
    let policy = if ours { format!("Content-Security-Policy: {POLICY}\r\n") } else { String::new() };
    write!(
        &stream,
        "HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {length}\r\nConnection: close\r\n{encoding}{policy}\r\n"
    )?;
    (&stream).write_all(body)
}

/// The file compressed; each once, as a server in the world has it ready: a second of this would be measured as the page's.
fn packed(body: &[u8]) -> Arc<Vec<u8>> {
    static PACKED: Mutex<BTreeMap<u64, Arc<Vec<u8>>>> = Mutex::new(BTreeMap::new());
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    let mut known = PACKED.lock().expect("no thread fails with it");
    known.entry(hasher.finish()).or_insert_with(|| Arc::new(compress_to_vec_zlib(body, 9))).clone()
}

/// The file behind an address, if it lies in `dist/` or in another folder that is open.
fn file(url: &str) -> Option<PathBuf> {
    let url = url.split(['?', '#']).next()?;
    let path = match url.strip_prefix(FOLDER) {
        Some(path) => Path::new(&folder()).join(path),
        None => PathBuf::from(url.strip_prefix(PROJECT)?),
    };
    let open = OPEN.iter().any(|folder| path.starts_with(folder));
    let path = if url.ends_with('/') { path.join("index.html") } else { path };
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    (open && inside).then(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

/// A file as it is in this edition; a page has `watch.js` before everything else that it loads.
fn contents(path: &Path, edition: Edition) -> Option<Vec<u8>> {
    if path.ends_with(WATCH) {
        return Some(include_bytes!("watch.js").to_vec());
    }
    let name = path.file_name()?.to_string_lossy();
    if edition == Edition::Bare && name.starts_with("stories-") {
        return None;
    }
    let bytes = fs::read(path).ok()?;
    let new = match edition {
        Edition::Built | Edition::Waiting | Edition::Bare | Edition::Packed => "",
        Edition::Renewed => "<meta name=\"edition\" content=\"renewed\" />",
        Edition::Damaged => "<meta name=\"edition\" content=\"damaged\" />",
    };
    if path.extension().is_some_and(|extension| extension == "html") {
        let begin = format!("<head><script src=\"{FOLDER}{WATCH}\"></script>{new}");
        return Some(String::from_utf8(bytes).ok()?.replacen("<head>", &begin, 1).into_bytes());
    }
    if path.ends_with("sw.js") && matches!(edition, Edition::Renewed | Edition::Damaged) {
        let worker = String::from_utf8(bytes).ok()?;
        let files = if edition == Edition::Damaged { "const FILES = [\"gone.js\"," } else { "const FILES = [" };
        let version = worker.lines().find(|line| line.starts_with("const VERSION"))?;
        let worker = worker.replace(version, "const VERSION = \"renewed\";").replace("const FILES = [", files);
        return Some(worker.into_bytes());
    }
    Some(bytes)
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        // a browser compiles WebAssembly while it arrives only if it is called so
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
