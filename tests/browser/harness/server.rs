//! Serves `dist/` on a free port, from a folder that is not the root: the page must not care where it lies.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use tiny_http::{Header, Request, Response};

const FOLDER: &str = "/some/folder/";
/// Where the project itself lies, as far as pages that have ours inside need it.
const PROJECT: &str = "/project/";
const OPEN: [&str; 3] = ["dist", "docs/slides", "target/slides"];

pub(super) struct Server {
    http: Arc<tiny_http::Server>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(super) fn start() -> Server {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(project.join("dist/index.html").is_file(), "dist/ is missing: run `trunk build --release` first");
        let http = Arc::new(tiny_http::Server::http("127.0.0.1:0").expect("a free port"));
        let requests = Arc::clone(&http);
        let serve = move || requests.incoming_requests().for_each(|request| answer(project, request));
        Server { http, thread: Some(std::thread::spawn(serve)) }
    }

    /// The address of the page's folder, with a slash at its end.
    pub(super) fn folder(&self) -> String {
        format!("http://{}{FOLDER}", self.http.server_addr())
    }

    /// The address of a file of the project.
    pub(super) fn project(&self, path: &str) -> String {
        format!("http://{}{PROJECT}{path}", self.http.server_addr())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.http.unblock();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(project: &Path, request: Request) {
    // a browser that has gone away is no failure of the page
    let _ = match file(project, request.url()).and_then(|path| Some((fs::read(&path).ok()?, path))) {
        Some((bytes, path)) => request.respond(Response::from_data(bytes).with_header(content_type(&path))),
        None => request.respond(Response::empty(404)),
    };
}

/// The file behind an address, if it lies in `dist/` or in another folder that is open.
fn file(project: &Path, url: &str) -> Option<PathBuf> {
    let url = url.split(['?', '#']).next()?;
    let path = match url.strip_prefix(FOLDER) {
        Some(path) => Path::new("dist").join(path),
        None => PathBuf::from(url.strip_prefix(PROJECT)?),
    };
    let open = OPEN.iter().any(|folder| path.starts_with(folder));
    let path = if url.ends_with('/') { path.join("index.html") } else { path };
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    (open && inside).then(|| project.join(path))
}

fn content_type(path: &Path) -> Header {
    let mime = match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        // a browser compiles WebAssembly while it arrives only if it is called so
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    Header::from_bytes("Content-Type", mime).expect("a header")
}
