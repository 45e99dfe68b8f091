//! What travels between clients, servers and Sentinels: commands and answers, and the replication stream.

use serde::Serialize;
use std::rc::Rc;

use crate::daemon::{Interest, Say, Tongue};

use super::line::typed;
use super::moment::moments;
use super::reply::Reply;
use super::store::Dataset;

/// A message. The order of those on a connection is the order in which they were sent, both ways.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// A command with its arguments; to a server or a Sentinel.
    Command {
        /// Name and arguments.
        args: Vec<String>,
    },
    /// The answer to the earliest command that has none.
    Reply {
        /// The answer.
        reply: Reply,
    },
    /// What a subscriber is sent unasked: a message of a channel.
    Push {
        /// The kind (`message`), the channel, the text.
        push: Reply,
    },
    /// A master's answer to PSYNC: everything, to replace all that the replica has (`+FULLRESYNC` and the RDB).
    FullResync {
        /// The history's name.
        replid: String,
        /// Up to where the copy goes, bytes of the stream.
        offset: i64,
        /// All keys.
        data: Rc<Dataset>,
    },
    /// A master's answer to PSYNC: what is missing comes from its backlog (`+CONTINUE`).
    Continue {
        /// The history's name from here on.
        replid: String,
    },
    /// A part of the replication stream: commands as executed.
    Stream {
        /// Before the first of them, bytes of the stream.
        from: i64,
        /// The commands, in order.
        commands: Rc<Vec<Vec<String>>>,
    },
}

impl Message {
    /// A command.
    pub fn command(args: &[&str]) -> Message {
        Message::Command { args: args.iter().map(|arg| (*arg).into()).collect() }
    }
}

/// How long a command is on the wire and in the append-only file, bytes (`resp` arrays of bulks).
pub(super) fn bytes(args: &[String]) -> i64 {
    let digits = |number: usize| number.to_string().len();
    let args_bytes: usize = args.iter().map(|arg| 1 + digits(arg.len()) + 2 + arg.len() + 2).sum();
    (1 + digits(args.len()) + 2 + args_bytes) as i64
}

/// The first characters of something long.
fn short(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.into(),
    }
}

/// Whether a command is one of those with which machines watch each other.
fn is_watching(args: &[String]) -> bool {
    let first = args.first().map(|name| name.to_ascii_uppercase()).unwrap_or_default();
    let hello = args.get(1).is_some_and(|channel| channel == "__sentinel__:hello");
    ["PING", "INFO", "REPLCONF"].contains(&&*first) || hello
}

impl Say for Message {
    fn name(&self) -> &'static str {
        match self {
            Message::Command { .. } => "COMMAND",
            Message::Reply { .. } => "REPLY",
            Message::Push { .. } => "MESSAGE",
            Message::FullResync { .. } => "FULLRESYNC",
            Message::Continue { .. } => "CONTINUE",
            Message::Stream { .. } => "STREAM",
        }
    }

    fn text(&self, tongue: Tongue) -> String {
        let english = tongue == Tongue::English;
        match self {
            Message::Command { args } => short(&typed(args)),
            Message::Reply { reply } => short(&reply.to_string()),
            Message::Push { push } => short(&push.to_string()),
            Message::FullResync { offset, data, .. } if english => {
                format!("brings a full copy: {} keys, up to offset {offset}", data.len())
            }
            Message::FullResync { offset, data, .. } => format!("全量副本：{} 个键，截至偏移量 {offset}", data.len()),
            Message::Continue { .. } if english => "says that what is missing follows from the backlog".into(),
            Message::Continue { .. } => "缺少的部分将从复制积压缓冲区补发".into(),
            Message::Stream { from, commands } => {
                let commands = commands.iter().map(|args| typed(args)).collect::<Vec<_>>().join("; ");
                match english {
                    true => short(&format!("brings, from offset {from} on: {commands}")),
                    false => short(&format!("从偏移量 {from} 起：{commands}")),
                }
            }
        }
    }

    fn interest(&self) -> Interest {
        let routine = |commands: &[Vec<String>]| commands.iter().all(|args| is_watching(args));
        match self {
            Message::Command { args } if is_watching(args) => Interest::Noise,
            Message::Stream { commands, .. } if routine(commands) => Interest::Noise,
            Message::Reply { reply: Reply::Status(text) } if text == "PONG" => Interest::Noise,
            Message::Reply { reply: Reply::Bulk(text) } if text.starts_with("# ") => Interest::Noise,
            Message::Push { push: Reply::Array(parts) }
                if parts.get(1).and_then(Reply::as_text) == Some("__sentinel__:hello") =>
            {
                Interest::Noise
            }
            _ => Interest::Detail,
        }
    }

    fn label(&self) -> String {
        let first = |args: &[String]| args.first().cloned().unwrap_or_default();
        match self {
            Message::Command { args } => first(args),
            Message::Reply { reply } => moments(&short(&reply.to_string())).chars().take(12).collect(),
            Message::Push { .. } => "message".into(),
            Message::FullResync { .. } => "full".into(),
            Message::Continue { .. } => "partial".into(),
            Message::Stream { commands, .. } => commands.first().map(|args| first(args)).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_as_long_as_in_resp() {
        let args = ["SET", "lock", "a1"].map(String::from);
        assert_eq!(bytes(&args), "*3\r\n$3\r\nSET\r\n$4\r\nlock\r\n$2\r\na1\r\n".len() as i64);
    }
}
