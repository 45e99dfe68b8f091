//! Facts from lines of JSON, as they are printed.

use serde::Deserialize;

use super::Record;
use crate::sim::packet_name::CLIENT_KINDS;

/// What decides whether a line is read.
#[derive(Deserialize)]
struct Sort<'a> {
    kind: &'a str,
    #[serde(rename = "type", default)]
    message: &'a str,
}

/// Reads one fact. `None` for a message between servers by which nothing is judged.
///
/// # Errors
/// The line is not a fact of this format.
pub fn read_fact(line: &str) -> Result<Option<Record>, serde_json::Error> {
    let sort: Sort = serde_json::from_str(line)?;
    // between servers only a PING tells something: how far its leader is
    if sort.kind == "sent" && sort.message != "PING" && !CLIENT_KINDS.contains(&sort.message) {
        return Ok(None);
    }
    serde_json::from_str(line).map(Some)
}
