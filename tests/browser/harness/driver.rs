//! A browser's driver: started on a free port, ended with the test.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::engine::Engine;
use super::launch::{self, Port};

/// How long a driver may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

pub(super) struct Driver {
    keeper: Child,
    folder: PathBuf,
    port: u16,
    /// The path of its open session.
    session: Option<String>,
}

impl Driver {
    pub(super) fn start(engine: Engine) -> Driver {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("zabscope-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let launch::Command { program, arguments, environment, screen, port } = launch::command(engine, &folder);
        let mut keeper = Command::new("sh")
            .args(["-c", include_str!("keeper.sh"), "keeper"])
            .arg(&folder)
            .arg(if screen { "screen" } else { "none" })
            .arg(program)
            .args(arguments)
            .envs(environment)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("sh does not start: {error}"));
        let mut lines = BufReader::new(keeper.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let number = match port {
            Port::Told(port) => wait_for(port),
            Port::Said(words) => lines.find_map(|line| number_after(&line, words)),
        };
        let driver = Driver { keeper, folder, port: number.unwrap_or_default(), session: None };
        assert!(driver.port != 0, "{program} does not start: `scripts/test` installs it");
        // read on, so that it never waits for a reader
        std::thread::spawn(move || lines.for_each(drop));
        driver
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Tells which session the following commands are for.
    pub(super) fn remember(&mut self, session: &str) {
        self.session = Some(format!("/session/{session}"));
    }

    /// Sends a command to the session, also one that fantoccini does not know, and returns its value.
    pub(super) fn post(&self, command: &str, body: &Value) -> Value {
        self.try_post(command, body).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The same; what the driver refuses is an error in its words.
    pub(super) fn try_post(&self, command: &str, body: &Value) -> Result<Value, String> {
        let path = format!("{}/{command}", self.session.as_deref().unwrap_or_default());
        let text = self.request("POST", &path, &body.to_string()).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"));
        let value = answer["value"].take();
        if let Some(error) = value["error"].as_str() {
            let message = value["message"].as_str().unwrap_or_default();
            return Err(format!("{error}: {}", message.lines().next().unwrap_or_default()));
        }
        Ok(value)
    }

    /// The body of the answer to one request.
    fn request(&self, method: &str, path: &str, body: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let (port, length) = (self.port, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        // drivers keep the connection open, so the answer ends where its header says
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line)?;
            if line.trim_end().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().map_err(io::Error::other)?;
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body)?;
        String::from_utf8(body).map_err(io::Error::other)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // asked to end, a driver ends its browser too; killed, some would leave it behind
        if let Some(session) = &self.session {
            let _ = self.request("DELETE", session, "");
        }
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn number_after(line: &str, words: &str) -> Option<u16> {
    line.split_once(words)?.1.trim_end_matches('.').parse().ok()
}

/// The port, once somebody listens there.
fn wait_for(port: u16) -> Option<u16> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(port);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    None
}
