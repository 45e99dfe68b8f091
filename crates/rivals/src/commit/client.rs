//! A client: it asks the coordinator for transactions, one after the other, and reads what is committed. What it does are lines:
//! those of its program, then those of its console.
//!
//! | line | |
//! |---|---|
//! | `P1:x-=5 P2:y+=5` | a transaction; without a participant, at each |
//! | `get P1:x` | reads the committed value, whoever has it locked |
//! | `read P1:x` | reads it when nobody writes it |
//! | `sleep 500` | ms |

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Prng, ServerId};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};

use super::alarms::{Alarms, NextAlarm};
use super::fact::{Fact, What};
use super::lines::Lines;
use super::message::Message;
use super::setup::Commit;
use super::txn::{LineError, Work, parse_work};

/// Most lines that wait.
const MAX_QUEUE: usize = 2_000;
/// The longest sleep, ms.
const MAX_SLEEP_MS: u64 = 600_000;

/// A client.
#[derive(Clone, Debug, Default)]
pub struct Client {
    queue: VecDeque<String>,
    busy: Option<Busy>,
    /// What it has read last, of which participants.
    seen: Vec<(ServerId, String, i64)>,
    /// How many transactions it has asked for.
    asked: u64,
    lines: Lines,
    alarms: Alarms<()>,
}

/// What it waits for.
#[derive(Clone, Debug, PartialEq)]
enum Busy {
    /// The outcome of a request.
    Outcome(u64),
    /// A value from each of these.
    Values(Vec<(ServerId, String)>),
    /// Time.
    Sleep,
}

type C<'a, 'b> = &'a mut Cx<'b, Client>;

impl Daemon for Client {
    const KIND: &'static str = "Client";
    type Config = Rc<Commit>;
    type Message = Message;
    type Timer = NextAlarm;
    type Job = ();
    type Files = ();
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Client {
        let place = (0..cx.config.clients).position(|n| ServerId::nth("C", n + 1) == cx.env.me);
        let program = place.and_then(|place| cx.config.programs.get(place)).cloned().unwrap_or_default();
        let mut client = Client { queue: program.into(), ..Client::default() };
        client.go_on(cx);
        client.alarms.arm(cx);
        client
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(NextAlarm) => {
                if self.alarms.due(cx.env.now).is_some() {
                    self.time_over(cx);
                }
            }
            Told::Connected(conn) => self.lines.connected(cx, conn),
            Told::Refused(conn) => self.lost(conn, true, cx),
            Told::Closed(conn) => self.lost(conn, false, cx),
            Told::Message(conn, message) => self.hear(conn, message, cx),
            Told::Write(_, line) if self.queue.len() < MAX_QUEUE => self.queue.push_back(line),
            Told::Write(..) | Told::Accepted(..) | Told::Persisted(()) => {}
        }
        self.go_on(cx);
        self.alarms.arm(cx);
    }

    fn write((): &mut (), (): &()) -> Option<Fact> {
        None
    }

    fn badge(client: Option<&Client>, (): &(), _: &Env) -> Badge {
        let does = |client: &Client| BadgeLine {
            value: client.doing(),
            tone: if client.busy.is_some() { Tone::Waiting } else { Tone::Plain },
            ..BadgeLine::default()
        };
        let seen = client.iter().flat_map(|client| &client.seen).map(|(participant, item, value)| BadgeLine {
            label: format!("get {participant}:{item}"),
            value: value.to_string(),
            tone: Tone::Held,
            left: None,
        });
        // whoever has read something says that, and not that it does nothing
        let idle = client.is_some_and(|client| client.busy.is_none() && !client.seen.is_empty());
        let does = client.filter(|_| !idle).map(does);
        Badge { role: "CLIENT", lines: seen.chain(does).collect(), ..Badge::default() }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.put("state", &self.doing());
        rows.list("lines", |rows| {
            for (at, line) in self.queue.iter().enumerate() {
                rows.item(&at, &(at + 1), line.clone(), None);
            }
        });
    }

    fn file_rows((): &(), _: &mut Rows) {}
}

/// A line, read.
enum Line {
    Sleep(u64),
    Get(Work, bool),
    Transaction(Work),
}

impl Client {
    fn doing(&self) -> String {
        match &self.busy {
            Some(Busy::Outcome(request)) => format!("waits for #{request}"),
            Some(Busy::Values(_)) => "reads".into(),
            Some(Busy::Sleep) => "sleeps".into(),
            None => "idle".into(),
        }
    }

    fn fact(cx: C, what: What) {
        let me = cx.env.me;
        cx.fact(Fact { me, what });
    }

    /// The next lines, until one has to be waited for.
    fn go_on(&mut self, cx: C) {
        while self.busy.is_none()
            && let Some(line) = self.queue.pop_front()
        {
            match parse(&line, cx.config.participants) {
                Ok(line) => self.run(line, cx),
                Err(error) => Self::fact(cx, What::BadLine { error }),
            }
        }
    }

    fn run(&mut self, line: Line, cx: C) {
        let mut timeout = Commit::us(cx.config.client_timeout_ms);
        if !matches!(line, Line::Sleep(_)) {
            self.seen.clear();
        }
        self.busy = Some(match line {
            Line::Sleep(ms) => {
                timeout = ms * 1_000;
                Busy::Sleep
            }
            Line::Get(work, waits) => {
                let each =
                    work.into_iter().flat_map(|(id, items)| items.into_iter().map(move |item| (id, item.name)));
                let wanted: Vec<(ServerId, String)> = each.collect();
                for (participant, item) in wanted.clone() {
                    self.lines.send(cx, participant, Message::Get { item, waits });
                }
                Busy::Values(wanted)
            }
            Line::Transaction(work) => {
                self.asked += 1;
                let request = self.asked;
                self.lines.send(cx, super::coordinator(), Message::Request { request, work });
                Busy::Outcome(request)
            }
        });
        self.alarms.set(cx, (), timeout);
    }

    fn done(&mut self) {
        self.busy = None;
        self.alarms.clear(());
    }

    fn hear(&mut self, conn: ConnId, message: Message, cx: C) {
        let Some(from) = self.lines.peer(conn) else { return };
        match (message, &mut self.busy) {
            (Message::Outcome { request, txn, decision }, Some(Busy::Outcome(mine))) if request == *mine => {
                self.done();
                Self::fact(cx, What::Answered { request, txn, decision });
            }
            (Message::Value { item, value }, Some(Busy::Values(_))) => {
                self.seen.push((from, item.clone(), value));
                Self::fact(cx, What::Value { participant: from, item: item.clone(), value: Some(value) });
                self.answered(from, &item);
            }
            (Message::Locked { item, holder }, Some(Busy::Values(_))) => {
                Self::fact(cx, What::Locked { participant: from, item: item.clone(), holder });
                self.answered(from, &item);
            }
            _ => {}
        }
    }

    /// One of what it reads has come.
    fn answered(&mut self, from: ServerId, item: &str) {
        let Some(Busy::Values(wanted)) = &mut self.busy else { return };
        if let Some(place) = wanted.iter().position(|(id, name)| *id == from && name == item) {
            wanted.remove(place);
        }
        if wanted.is_empty() {
            self.done();
        }
    }

    /// It waits no longer: the connection is closed, so that no late answer is taken for one to the next request.
    fn time_over(&mut self, cx: C) {
        match self.busy.take() {
            Some(Busy::Outcome(request)) => {
                self.lines.hang_up(cx, super::coordinator());
                Self::fact(cx, What::Unknown { request });
            }
            Some(Busy::Values(wanted)) => {
                for (participant, item) in wanted {
                    self.lines.hang_up(cx, participant);
                    Self::fact(cx, What::Value { participant, item, value: None });
                }
            }
            Some(Busy::Sleep) | None => {}
        }
    }

    /// A connection is over, or was refused: then nothing was asked.
    fn lost(&mut self, conn: ConnId, refused: bool, cx: C) {
        let Some(peer) = self.lines.closed(conn) else { return };
        match &mut self.busy {
            Some(Busy::Outcome(request)) if peer == super::coordinator() => {
                let request = *request;
                self.done();
                Self::fact(cx, if refused { What::Unreachable { request } } else { What::Unknown { request } });
            }
            Some(Busy::Values(wanted)) => {
                let (gone, left): (Vec<(ServerId, String)>, Vec<_>) =
                    std::mem::take(wanted).into_iter().partition(|(id, _)| *id == peer);
                *wanted = left;
                if wanted.is_empty() {
                    self.done();
                }
                for (participant, item) in gone {
                    Self::fact(cx, What::Value { participant, item, value: None });
                }
            }
            _ => {}
        }
    }
}

fn parse(line: &str, participants: u8) -> Result<Line, LineError> {
    let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match word {
        "sleep" => {
            let ms = rest.trim().parse::<u64>().ok().filter(|ms| *ms <= MAX_SLEEP_MS);
            ms.map(Line::Sleep).ok_or(LineError::NoTime { most: MAX_SLEEP_MS })
        }
        "get" | "read" => {
            let asked: Vec<String> =
                rest.split_whitespace().map(|item| format!("{}?", item.trim_end_matches('?'))).collect();
            parse_work(&asked.join(" "), participants).map(|work| Line::Get(work, word == "read"))
        }
        _ => parse_work(line, participants).map(Line::Transaction),
    }
}
