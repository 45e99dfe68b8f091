//! `zabscope live`: a real program is a client of the ensemble in the page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Engine, Page, dist, only_in};

/// How long a program may take to find another server and its session.
const PATIENCE: Duration = Duration::from_secs(60);

/// A process whose lines are read; it ends with this.
struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    fn start(command: &mut Command) -> Process {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("its output"));
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Process { stdin: child.stdin.take(), child, lines }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("a line")
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("its input"), "{line}").expect("it listens");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `zabscope live`, and the address that it prints.
fn live() -> (Process, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zabscope"));
    let live = Process::start(command.args(["live", "--page-port", "0", "--ports", "0,0,0", "--dist"]).arg(dist()));
    let line = live.line();
    let address = line.strip_prefix("page ").expect("an address").to_string();
    (live, address)
}

/// kazoo, as `scripts/test` fetches it.
fn visitor(hosts: &str) -> Process {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let wheel = cache.unwrap_or_else(|| home.join(".cache")).join("zabscope/kazoo.whl");
    assert!(wheel.exists(), "{} is not there: scripts/test fetches kazoo", wheel.display());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/visitor.py");
    Process::start(Command::new("python3").arg("-B").arg(script).arg(hosts).env("PYTHONPATH", wheel))
}

/// Opens the page, and waits for its servers; where they are reached.
fn open(page: &Page, address: &str) -> String {
    page.visit(&format!("{address}&lang=en"));
    page.wait_until(
        "its servers",
        "return document.querySelector('.live .doors')?.textContent.split(':').length === 4",
    );
    let doors = page.js("return document.querySelector('.live .doors').textContent", &[]);
    let doors = doors.as_str().expect("doors").split(" · ");
    doors.map(|door| door.split_once(' ').expect("S1 127.0.0.1:1").1).collect::<Vec<_>>().join(",")
}

/// What a plain request is answered: status and everything.
fn ask(address: &str, path: &str, headers: &str) -> String {
    let host = address.trim_start_matches("http://").split('/').next().expect("a host");
    let mut stream = TcpStream::connect(host).expect("a connection");
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
    write!(stream, "GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n").expect("it is asked");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_real_program_is_a_client_on_the_stage() {
    if !only_in(Engine::Chromium, "what a program outside sees is the same in any") {
        return;
    }
    let (_live, address) = live();
    let page = Page::blank(false);
    let hosts = open(&page, &address);
    let mut program = visitor(&hosts);
    assert_eq!(program.line(), "created");
    page.wait_until("it is on the stage", "return !!document.querySelector('.client.outside.connected')");
    page.wait_until(
        "who it is",
        "return document.querySelector('.live').textContent.includes('Connected from outside: C1 visitor.py.')",
    );
    assert_eq!(page.js("return zabscope.state().speed", &[]), json!({ "times": 1, "of": 1 }));
    // its leader dies; it finds another server, and works on with its session
    let leader =
        page.js("const id = zabscope.state().leader; zabscope.act({ do: 'crash', server: id }); return id", &[]);
    assert!(leader.is_u64(), "{leader}");
    program.say("again");
    let said = program.line();
    assert!(said.starts_with("again 1 True "), "{said}");
    page.wait_until(
        "another leader",
        &format!("const now = zabscope.state().leader; return now && now !== {leader}"),
    );
    // what came from outside is in the run, and a look at the past ends nothing
    let actions = page.js("return zabscope.state().actions", &[]);
    assert!(actions.as_u64().is_some_and(|actions| actions > 4), "{actions}");
    page.js("zabscope.stepBack(200)", &[]);
    page.wait_until("the past", "return document.querySelector('.live').textContent.includes('past')");
    page.find("button", "Back to now").click();
    program.say("once more");
    assert!(program.line().starts_with("once more 2 True "));
    page.assert_no_errors();
}

#[test]
fn only_the_page_that_was_printed_gets_the_servers() {
    if !only_in(Engine::Chromium, "what the server answers is the same for any") {
        return;
    }
    let (_live, address) = live();
    let status = |path: &str, headers: &str| ask(&address, path, headers)[9..12].to_string();
    assert!(ask(&address, "/", "").contains("text/html"));
    assert_eq!(status("/../Cargo.toml", ""), "404");
    assert_eq!(status("/", "Host: evil.example\r\n"), "421");
    let token = address.split_once("live=").expect("a token").1;
    let upgrade =
        "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
    let ours = address.split("/?").next().expect("an origin");
    let from = |origin: &str| format!("Origin: {origin}\r\n{upgrade}");
    assert_eq!(status(&format!("/live?token={token}"), &from("http://evil.example")), "403");
    assert_eq!(status("/live?token=0123456789abcdef0123456789abcdef", &from(ours)), "403");
    // a second page is told so, and the first one keeps its servers
    let (first, second) = (Page::blank(false), Page::blank(false));
    open(&first, &address);
    second.visit(&format!("{address}&lang=en"));
    second.wait_until(
        "it is refused",
        "return document.querySelector('.notice').textContent.includes('another page has it')",
    );
    assert_eq!(first.js("return !!document.querySelector('.live .doors')", &[]), Value::Bool(true));
}
