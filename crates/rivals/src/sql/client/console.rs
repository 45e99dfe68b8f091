//! Lines that are typed at a client: statements as the engine takes them, or as JSON; and what the console itself understands.

use crate::base::json::{Json, Read, ReadError, short, within};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};
use crate::base::{Micros, ServerId};
use crate::daemon::Cx;
use crate::sql::fact::Fact;
use crate::sql::op::Op;
use crate::sql::parse::parse;
use crate::sql::reply::{After, Problem, Reply, message};

use super::{Client, Line};

/// A line as it is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Typed {
    /// Connect to a server.
    Connect(ServerId),
    /// Close the connection.
    Quit,
    /// A statement; how long its answer is waited for, µs.
    Statement(Op, Option<Micros>, bool),
}

/// A statement as JSON, with how it is asked.
struct Asked(Op, Option<Micros>, bool);

impl Read for Asked {
    fn read(json: Json) -> Result<Asked, ReadError> {
        let mut fields = json.fields()?;
        let op = Op::take(&mut fields)?;
        let timeout = fields.or::<Option<u64>>("timeoutMs", None)?;
        let never_read = fields.or("replyNeverRead", false)?;
        fields.end()?;
        if let Some(ms) = timeout {
            within("timeoutMs", ms, 0, MAX_DURATION_US / 1000)?;
        }
        Ok(Asked(op, timeout.map(|ms| ms * 1000), never_read))
    }
}

impl Client {
    /// Does what was typed next, if nothing is under way.
    pub(super) fn next_line(&mut self, cx: &mut Cx<Self>) {
        while self.pending.is_none() && !matches!(self.line, Line::Dialling(..)) {
            let Some((number, line)) = self.typed.pop_front() else { return };
            match self.understand(&line, cx) {
                Ok(Typed::Connect(server)) => self.dial(server, cx),
                Ok(Typed::Quit) => self.hang_up(cx),
                Ok(Typed::Statement(op, timeout_us, never_read)) => {
                    self.ask(number, op, true, timeout_us, cx);
                    if never_read {
                        self.pending = None;
                        self.hang_up(cx);
                    }
                }
                Err(why) => {
                    let problem = Problem::Syntax;
                    let message = message(cx.config.engine, problem, &why);
                    let reply = Reply::Error { problem, message, after: After::None };
                    cx.fact(Fact::Answered { number, what: line, reply, notices: Vec::new(), console: true });
                }
            }
        }
    }

    fn understand(&self, line: &str, cx: &Cx<Self>) -> Result<Typed, String> {
        let line = line.trim();
        short("line", line, MAX_PAYLOAD_BYTES).map_err(|read_error| read_error.to_string())?;
        let word = line.split_whitespace().next().unwrap_or_default().trim_start_matches('\\').to_ascii_lowercase();
        match &*word {
            "connect" | "c" => {
                let server = line.split_whitespace().nth(1).and_then(ServerId::named);
                let server = server.or(cx.config.servers.first().copied());
                server.map(Typed::Connect).ok_or_else(|| line.to_string())
            }
            "quit" | "q" | "exit" => Ok(Typed::Quit),
            _ if line.starts_with('{') => {
                let asked = Json::parse(line).and_then(Asked::read);
                let Asked(op, timeout, never_read) = asked.map_err(|read_error| read_error.to_string())?;
                Ok(Typed::Statement(op, timeout, never_read))
            }
            _ => match parse(cx.config.engine, line) {
                Ok(op) => Ok(Typed::Statement(op, None, false)),
                Err(no_statement) => Err(no_statement.0),
            },
        }
    }
}
