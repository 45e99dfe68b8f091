//! Facts from lines of JSON, as they are printed.

use serde::Deserialize;

use super::Record;

/// What decides whether a line is read.
#[derive(Deserialize)]
struct Sort<'a> {
    kind: &'a str,
    #[serde(rename = "type", default)]
    message: &'a str,
}

/// Messages to and from clients, by type, and the one between servers that anybody judges by.
const READ: &[&str] = &[
    "PING",
    "CONNECT",
    "CLIENT_PING",
    "AUTH",
    "CALL",
    "CONNECTED",
    "CLIENT_PONG",
    "AUTH_REPLY",
    "REPLY",
    "WATCH_EVENT",
];

/// Reads one fact. `None` for a message between servers by which nothing is judged.
///
/// # Errors
/// The line is not a fact of this format.
pub fn read_fact(line: &str) -> Result<Option<Record>, serde_json::Error> {
    let sort: Sort = serde_json::from_str(line)?;
    if sort.kind == "sent" && !READ.contains(&sort.message) {
        return Ok(None);
    }
    serde_json::from_str(line).map(Some)
}
