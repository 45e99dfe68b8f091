//! What clients and replicas say to each other.

use serde::Serialize;
use std::fmt;
use std::rc::Rc;

use crate::base::ServerId;
use crate::daemon::{Interest, Say, Tongue};
use crate::words::pick;

/// A timestamp: a counter or a clock first, then who writes. No two writes have the same: a writer that starts again has
/// another life, as a process has another UUID.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Stamp {
    /// One more than the greatest that a quorum had, or a wall clock, µs.
    pub counter: i64,
    /// The writer's number; 0 before the first write.
    pub writer: u8,
    /// When the writer's process started, µs.
    pub life: u64,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.writer {
            0 => f.write_str("–"),
            writer => write!(f, "{}·{}", self.counter, ServerId(writer)),
        }
    }
}

/// A value with its timestamp; none before the first write.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Held {
    /// The value.
    pub value: Option<Rc<str>>,
    /// Its timestamp.
    pub stamp: Stamp,
}

impl Held {
    /// The value as a text.
    pub fn text(&self) -> &str {
        self.value.as_deref().unwrap_or("–")
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} @ {}", self.text(), self.stamp)
    }
}

/// A message. An owner is named where somebody stands in for a replica that cannot be reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// A client asks what is kept.
    Query {
        /// The client's number for it.
        number: u64,
        /// Of which key.
        key: Rc<str>,
        /// For whom it is kept.
        #[serde(skip_serializing_if = "Option::is_none")]
        owner: Option<ServerId>,
    },
    /// The answer.
    Holds {
        /// The number asked with.
        number: u64,
        /// What is kept.
        held: Held,
    },
    /// Keep this, unless there is something newer.
    Store {
        /// The sender's number for it.
        number: u64,
        /// Under which key.
        key: Rc<str>,
        /// What.
        held: Held,
        /// For whom: a hint.
        #[serde(skip_serializing_if = "Option::is_none")]
        owner: Option<ServerId>,
    },
    /// It is on disk, or something newer is.
    Stored {
        /// The number asked with.
        number: u64,
    },
}

impl Say for Message {
    fn name(&self) -> &'static str {
        match self {
            Message::Query { .. } => "Query",
            Message::Holds { .. } => "QueryReply",
            Message::Store { .. } => "Store",
            Message::Stored { .. } => "StoreReply",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        match self {
            Message::Query { key, .. } => pick(tongue, format!("asks for {key}"), format!("查询 {key}")),
            Message::Holds { held, .. } => pick(tongue, format!("holds {held}"), format!("持有 {held}")),
            Message::Store { key, held, owner: None, .. } => {
                pick(tongue, format!("asks it to keep {key} = {held}"), format!("请求保存 {key} = {held}"))
            }
            Message::Store { key, held, owner: Some(owner), .. } => pick(
                tongue,
                format!("asks it to keep {key} = {held} for {owner}"),
                format!("请求替 {owner} 保存 {key} = {held}"),
            ),
            Message::Stored { .. } => pick(tongue, "has it on disk".into(), "已落盘".into()),
        }
    }

    fn interest(&self) -> Interest {
        Interest::Detail
    }

    fn label(&self) -> String {
        match self {
            Message::Query { key, .. } => format!("{key}?"),
            Message::Holds { held, .. } => held.text().into(),
            Message::Store { held, .. } => format!("={}", held.text()),
            Message::Stored { .. } => "✓".into(),
        }
    }
}
