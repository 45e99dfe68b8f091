//! redis-cli at a client: lines as typed, answers as facts (`redis-cli.c`).

use std::collections::VecDeque;

use crate::base::rows::Rows;
use crate::base::{ConnId, ServerId};
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::line::split;
use crate::redis::message::Message;
use crate::redis::reply::Reply;

use super::Client;

/// So many lines may wait for answers.
const MAX_LINES: usize = 1_000;

/// A redis-cli.
#[derive(Clone, Debug, Default)]
pub(super) struct Console {
    server: Option<ServerId>,
    conn: Option<ConnId>,
    open: bool,
    /// Lines without an answer, and how many answers each has to come.
    waiting: VecDeque<(String, usize)>,
    unsent: Vec<Vec<String>>,
}

impl Console {
    pub(super) fn is(&self, conn: ConnId) -> bool {
        self.conn == Some(conn)
    }

    pub(super) fn dial(&mut self, server: ServerId, cx: &mut Cx<Client>) {
        self.hang_up(cx);
        self.server = Some(server);
        self.conn = Some(cx.dial(server));
    }

    fn hang_up(&mut self, cx: &mut Cx<Client>) {
        if let Some(conn) = self.conn.take() {
            cx.close(conn);
        }
        self.open = false;
        self.waiting.clear();
        self.unsent.clear();
    }

    fn name(&self) -> String {
        self.server.map_or(String::new(), |server| server.to_string())
    }

    /// A line: `connect R1 6379` and `quit` are redis-cli's own, all else goes to the server.
    pub(super) fn typed(&mut self, line: &str, cx: &mut Cx<Client>) {
        let refused = |because, cx: &mut Cx<Client>| cx.fact(Fact::NotSent { line: line.into(), because });
        let Some(words) = split(line) else { return refused("Invalid argument(s)", cx) };
        let Some(first) = words.first().map(|word| word.to_ascii_lowercase()) else { return };
        match (&*first, words.get(1).and_then(|name| ServerId::named(name))) {
            ("connect", Some(server)) => self.dial(server, cx),
            ("quit" | "exit", None) if words.len() == 1 => self.hang_up(cx),
            _ => match self.conn.filter(|_| self.waiting.len() < MAX_LINES) {
                None => refused("not connected", cx),
                Some(conn) => {
                    let answers = if ["subscribe", "psubscribe"].contains(&&*first) {
                        words.len().saturating_sub(1).max(1)
                    } else {
                        1
                    };
                    self.waiting.push_back((line.into(), answers));
                    // what is typed before the connection is open waits for it
                    match self.open {
                        true => cx.send(conn, Message::Command { args: words }),
                        false => self.unsent.push(words),
                    }
                }
            },
        }
    }

    pub(super) fn connected(&mut self, cx: &mut Cx<Client>) {
        self.open = true;
        for args in std::mem::take(&mut self.unsent) {
            self.conn.iter().for_each(|conn| cx.send(*conn, Message::Command { args: args.clone() }));
        }
        cx.fact(Fact::Connected { server: self.name() });
    }

    pub(super) fn ended(&mut self, refused: bool, cx: &mut Cx<Client>) {
        (self.conn, self.open) = (None, false);
        self.waiting.clear();
        self.unsent.clear();
        let server = self.name();
        cx.fact(if refused { Fact::Refused { server } } else { Fact::Closed { server } });
    }

    pub(super) fn heard(&mut self, message: Message, cx: &mut Cx<Client>) {
        match message {
            Message::Reply { reply } => {
                let Some((line, answers)) = self.waiting.front_mut() else { return };
                *answers -= 1;
                let line = line.clone();
                if *answers == 0 {
                    self.waiting.pop_front();
                }
                cx.fact(Fact::Answered { server: self.name(), line, reply });
            }
            Message::Push { push: Reply::Array(parts) } => {
                let message = parts.iter().filter_map(Reply::as_text).map(String::from).collect();
                cx.fact(Fact::Heard { message });
            }
            _ => {}
        }
    }

    pub(super) fn tell(&self, rows: &mut Rows) {
        if let Some(server) = self.server {
            rows.put("redis-cli", &format!("{server}{}", if self.open { "" } else { " (closed)" }));
            rows.put("waiting", &self.waiting.len());
        }
    }
}
