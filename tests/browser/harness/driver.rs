//! chromedriver: started on a free port, ended with the test.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Map, Value, json};

pub(super) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    pub(super) fn start() -> Driver {
        // port 0: the driver chooses a free one and says which, so that no two tests can meet on one
        let mut child = Command::new("chromedriver")
            .args(["--port=0", "--log-level=SEVERE"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromedriver does not start ({error}): `scripts/test` installs it"));
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok());
        let driver = Driver { child, port: port.unwrap_or_default() };
        assert!(driver.port != 0, "chromedriver started, but did not say its port");
        // read on, so that it never waits for a reader
        std::thread::spawn(move || lines.for_each(drop));
        driver
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Sends a WebDriver command, Chromium's own included, which fantoccini does not know, and returns its value.
    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        let text = self.request("POST", path, &body.to_string()).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"));
        let value = answer["value"].take();
        if let Some(error) = value["error"].as_str() {
            panic!("{error}: {}", value["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default());
        }
        value
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
        // chromedriver keeps the connection open, so the answer ends where its header says
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
        // asked to end, it ends its browser too; killed, it would leave the browser behind
        let _ = self.request("GET", "/shutdown", "");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A headless browser that talks to nobody but us and keeps what its console says.
pub(super) fn capabilities() -> Map<String, Value> {
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
    let capabilities = json!({
        "browserName": "chrome",
        "goog:chromeOptions": { "args": arguments },
        "goog:loggingPrefs": { "browser": "ALL" },
    });
    capabilities.as_object().cloned().expect("an object")
}
