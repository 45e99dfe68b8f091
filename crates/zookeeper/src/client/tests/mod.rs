//! A client against a scripted server: what it says is read as lines.

mod calling;
mod connecting;
mod ending;
mod moving;
mod random;
mod watching;

use std::collections::BTreeMap;

use super::*;
use crate::base::{ClientId, ConnId, Prng, ServerId, SessionId, SimTime, Stream, Zxid};
use crate::wire::*;

/// A client, its clock, and the server at the other end.
struct Play {
    client: Client,
    out: Outbox,
    now: SimTime,
    /// The connection dialled last.
    conn: ConnId,
    timers: BTreeMap<Timer, SimTime>,
}

const SESSION: SessionId = SessionId(0x51);
const PASSWORD: Password = Password(7);

fn config(n: u8) -> ClientConfig {
    let servers = (1..=n).map(ServerId).collect();
    let timeout_ms = 6_000;
    let (id, rules) = (ClientId(1), crate::base::RuleSet::default());
    ClientConfig {
        id,
        servers,
        timeout_ms,
        chroot: None,
        raw: false,
        outside: None,
        expires: true,
        read_only: false,
        stop_cuts: false,
        rules,
    }
}

fn zxid(counter: u32) -> Zxid {
    Zxid::new(1, counter)
}

fn get(path: &str) -> Request {
    Request::GetData { path: path.into(), watch: false }
}

fn set(path: &str) -> Request {
    Request::SetData { path: path.into(), data: Some("x".into()), version: -1 }
}

fn data() -> Outcome {
    Ok(Answer::Data { data: Some("x".into()), stat: Stat::default() })
}

/// A call with a watch.
fn watched(request: Request, watcher: &str) -> Call {
    Call { watcher: Some(watcher.into()), ..Call::new(request) }
}

/// To this server, honestly, without the old connection.
fn to(server: u8) -> Move {
    Move { to: ServerId(server), wrong_password: false, claim_ahead: false, keep_old: false }
}

impl Play {
    fn new(config: ClientConfig) -> Play {
        let mut out = Outbox { next_conn: 10, ..Outbox::default() };
        let client = Client::open(config, Prng::new(1, Stream::Client), SimTime::ZERO, &mut out);
        Play { client, out, now: SimTime::ZERO, conn: ConnId(0), timers: BTreeMap::new() }
    }

    /// A client that has its session, and has said so.
    fn connected(config: ClientConfig) -> Play {
        let mut play = Play::new(config);
        play.welcome();
        play.said();
        play
    }

    fn input(&mut self, input: Input) {
        self.client.handle(self.now, input, &mut self.out);
    }

    fn packet(&mut self, packet: ToClient) {
        self.said_later();
        self.input(Input::Packet(self.conn, packet));
    }

    /// The connection opens and gets the session.
    fn welcome(&mut self) {
        self.open();
        self.packet(ToClient::Connected {
            timeout_ms: 6_000,
            session: SESSION,
            password: PASSWORD,
            read_only: false,
        });
    }

    fn open(&mut self) {
        self.said_later();
        self.input(Input::Connected(self.conn));
    }

    fn refuse(&mut self) {
        self.said_later();
        self.input(Input::Refused(self.conn));
    }

    fn hang_up(&mut self) {
        self.said_later();
        self.input(Input::Closed(self.conn));
    }

    fn reply(&mut self, xid: i32, counter: u32, outcome: Outcome) {
        self.packet(ToClient::Reply { xid, zxid: zxid(counter), outcome });
    }

    fn event(&mut self, kind: EventType, path: &str) {
        self.packet(ToClient::Event { zxid: Some(zxid(9)), event: WatchedEvent::at(kind, path.into()) });
    }

    fn call(&mut self, call: Call) -> CallId {
        self.client.call(self.now, call, &mut self.out)
    }

    /// A call and its answer; counts xids on.
    fn done(&mut self, call: Call, outcome: Outcome) {
        self.call(call);
        let sent = self.said_later().into_iter().rev().find_map(|output| match output {
            Output::Send(_, ToServer::Request { xid, .. }) => Some(xid),
            _ => None,
        });
        self.reply(sent.expect("a request was sent"), 5, outcome);
    }

    fn move_to(&mut self, to: Move) {
        self.client.move_to(self.now, to, &mut self.out);
    }

    /// Lets time pass to the next timer, and fires it.
    fn fire(&mut self) -> Timer {
        self.said_later();
        let (&timer, &at) = self.timers.iter().min_by_key(|(timer, at)| (**at, **timer)).expect("an armed timer");
        self.now = self.now.max(at);
        self.timers.remove(&timer);
        self.input(Input::Timer(timer));
        timer
    }

    fn pass(&mut self, ms: u64) {
        self.now = self.now.plus(ms * 1_000);
    }

    /// Carries out what concerns connections and timers, without emptying the outbox.
    fn said_later(&mut self) -> Vec<Output> {
        for output in &self.out.items {
            match output {
                Output::Dial(conn, _) => self.conn = *conn,
                Output::SetTimer(timer, at) => {
                    self.timers.insert(*timer, *at);
                }
                Output::CancelTimer(timer) => {
                    self.timers.remove(timer);
                }
                _ => {}
            }
        }
        let kept = |output: &Output| !matches!(output, Output::SetTimer(..) | Output::CancelTimer(_));
        self.out.items.retain(kept);
        self.out.items.clone()
    }

    /// What the client has said since last asked, as lines, without timers.
    fn said(&mut self) -> Vec<String> {
        let said = self.said_later();
        self.out.items.clear();
        told_twice(&said);
        said.iter().filter_map(line).collect()
    }

    #[track_caller]
    fn says(&mut self, lines: &[&str]) {
        let said = self.said();
        assert_eq!(said, lines, "{said:#?}");
    }
}

/// An answer and an event are told as a fact and then as themselves.
fn told_twice(said: &[Output]) {
    for (at, output) in said.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &said[at]);
        match output {
            Output::Answered(id, result) => assert!(
                matches!(before, Some(Output::Fact(Fact::Answered { call, outcome, .. })) if call == id && outcome == result)
            ),
            Output::Event(name, told) => assert!(
                matches!(before, Some(Output::Fact(Fact::WatcherCalled { watcher, event })) if watcher == name && event == told)
            ),
            _ => {}
        }
    }
}

fn line(output: &Output) -> Option<String> {
    Some(match output {
        Output::Dial(_, to) => format!("dial {to}"),
        Output::Close(conn) => format!("close {}", conn.0),
        Output::Send(_, packet) => packet_line(packet),
        Output::Fact(fact) => fact_line(fact),
        Output::SetTimer(..) | Output::CancelTimer(_) | Output::Answered(..) | Output::Event(..) => return None,
    })
}

fn packet_line(packet: &ToServer) -> String {
    match packet {
        ToServer::Connect { last_zxid_seen, session, password, .. } => {
            format!("> CONNECT {session} pw {:x} seen {last_zxid_seen}", password.0)
        }
        ToServer::Word { text } => format!("> {text}"),
        ToServer::Ping => "> ping".into(),
        ToServer::Auth { auth, .. } => format!("> auth {}", auth.as_deref().unwrap_or("null")),
        ToServer::Request { xid, request: Request::SetWatches(watches) } => {
            let lists = [&watches.data, &watches.exist, &watches.child, &watches.persistent, &watches.recursive];
            let lists = lists.map(|list| list.join(","));
            format!("> {xid} setWatches {} {}", watches.relative_zxid, lists.join("|"))
        }
        ToServer::Request { xid, request } => format!("> {xid} {request}"),
    }
}

fn fact_line(fact: &Fact) -> String {
    match fact {
        Fact::ClientSeeks { server } => format!("seeks {server}"),
        Fact::ClientConnecting { server } => format!("connecting {server}"),
        Fact::ClientConnected { server, session, timeout_ms, again } => {
            format!("connected {server} {session} {timeout_ms}{}", if *again { " again" } else { "" })
        }
        Fact::ClientDisconnected { server, reason } => format!("disconnected {server} {reason:?}"),
        Fact::ClientEnded { state, .. } => format!("ended {state:?}"),
        Fact::Called { call, request } => format!("call {}: {request}", call.0),
        Fact::Answered { call, zxid, outcome, in_doubt } => {
            let zxid = zxid.map_or(String::new(), |zxid| format!(" {zxid}"));
            let doubt = if *in_doubt { " in doubt" } else { "" };
            format!("answer {}{zxid}: {}{doubt}", call.0, outcome_line(outcome))
        }
        Fact::Notified { event, .. } => format!("notified {}", event_line(event)),
        Fact::WatcherCalled { watcher, event } => format!("{watcher} hears {}", event_line(event)),
    }
}

fn outcome_line(outcome: &CallOutcome) -> String {
    match outcome {
        Ok(Answer::Data { .. }) => "data".into(),
        Ok(answer) => format!("{answer:?}"),
        Err(Failure::Code(code)) => code.to_string(),
        Err(Failure::IllegalArgument(text)) => text.clone(),
    }
}

fn event_line(event: &WatchedEvent) -> String {
    let state = if event.state == KeeperState::SyncConnected && event.kind != EventType::None {
        String::new()
    } else {
        format!("{:?}", event.state)
    };
    match &event.path {
        Some(path) if state.is_empty() => format!("{:?} {path}", event.kind),
        Some(path) => format!("{:?} {path} {state}", event.kind),
        None => state,
    }
}
