//! What databases and their clients say to each other.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::rc::Rc;

use crate::daemon::{Interest, Say, Tongue};

use super::db::Query;
use super::log::Record;
use super::reply::Reply;
use super::say;

/// A message. The real protocols have other frames; what they carry is this.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// A client's statement (`COM_QUERY`, `Query`).
    Query(Query),
    /// Its answer (`OK`, `ERR` and result sets; `CommandComplete`, `ErrorResponse`).
    Answer {
        /// The number of the statement.
        number: u64,
        /// What it is answered.
        reply: Reply,
        /// Remarks beside it.
        notices: Vec<String>,
    },
    /// A replica asks for the log from a record on (`COM_BINLOG_DUMP`, `START_REPLICATION`).
    Follow {
        /// The number of the first record.
        from: usize,
        /// Whether commits may wait for it (semi-synchronous replica).
        acknowledges: bool,
    },
    /// Records of the log (binlog events, `XLogData`).
    Log {
        /// The number of the first one.
        from: usize,
        /// The records.
        records: Vec<Rc<Record>>,
    },
    /// A replica has all records before this one (`Semi_sync_ack`, `StandbyStatusUpdate`).
    Ack {
        /// The number.
        upto: usize,
    },
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        match self {
            Message::Query(query) => {
                map.serialize_entry("number", &query.number)?;
                map.serialize_entry("statement", &query.text)?;
            }
            Message::Answer { number, reply, .. } => {
                map.serialize_entry("number", number)?;
                map.serialize_entry("reply", reply)?;
            }
            Message::Follow { from, .. } => map.serialize_entry("from", from)?,
            Message::Log { from, records } => {
                map.serialize_entry("from", from)?;
                map.serialize_entry("records", &records.len())?;
            }
            Message::Ack { upto } => map.serialize_entry("upto", upto)?,
        }
        map.end()
    }
}

impl Say for Message {
    fn name(&self) -> &'static str {
        match self {
            Message::Query(_) => "QUERY",
            Message::Answer { reply: Reply::Error { .. }, .. } => "ERROR",
            Message::Answer { .. } => "RESULT",
            Message::Follow { .. } => "START_REPLICATION",
            Message::Log { .. } => "LOG_DATA",
            Message::Ack { .. } => "LOG_ACK",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        let english = tongue == Tongue::English;
        match self {
            Message::Query(query) if english => format!("asks: {}", query.text),
            Message::Query(query) => format!("请求：{}", query.text),
            Message::Answer { reply, .. } if english => format!("answers: {}", say::answer(reply, tongue)),
            Message::Answer { reply, .. } => format!("应答：{}", say::answer(reply, tongue)),
            Message::Follow { from, .. } if english => format!("asks for the log from record {from} on"),
            Message::Follow { from, .. } => format!("请求从第 {from} 条起的日志"),
            Message::Log { records, .. } if english => format!("carries {} records of the log", records.len()),
            Message::Log { records, .. } => format!("携带 {} 条日志", records.len()),
            Message::Ack { upto } if english => format!("says that it has the log up to record {upto}"),
            Message::Ack { upto } => format!("告知已有第 {upto} 条之前的日志"),
        }
    }

    fn interest(&self) -> Interest {
        Interest::Noise
    }

    fn label(&self) -> String {
        match self {
            Message::Query(query) => query.text.split(' ').next().unwrap_or_default().to_string(),
            Message::Answer { reply: Reply::Affected(rows), .. } => rows.to_string(),
            Message::Answer { reply: Reply::Error { problem, .. }, .. } => problem.kind().to_string(),
            Message::Answer { reply: Reply::Rows(rows), .. } => rows.len().to_string(),
            Message::Answer { .. } => "OK".into(),
            Message::Follow { from, .. } => from.to_string(),
            Message::Log { records, .. } => records.len().to_string(),
            Message::Ack { upto } => upto.to_string(),
        }
    }
}
