//! What a client and its servers said to each other last, packet by packet. Heartbeats that were answered say nothing new.

use crate::base::{Arrange, ClientId, MsgId, Node, SimTime};
use crate::recipes::without_guids;
use crate::sim::{Fact, Parcel, WorldFact};
use crate::timeline::Facts;
use crate::wire::{Answer, Code, Data, Outcome, Request, ToClient, ToServer};

/// How far back it is looked for, facts.
const LOOKED_BACK: usize = 4_000;

/// A packet that the client sent, or that has arrived at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it was sent, or arrived.
    pub at: SimTime,
    /// The packet.
    pub msg: MsgId,
    /// The client sent it.
    pub out: bool,
    /// What it is: the request's name, `ok` or the error's name, the type of an event.
    pub name: String,
    /// What else it says, without the unique parts of names.
    pub about: String,
    /// It says that something went wrong.
    pub bad: bool,
    /// It wants an answer, and none has arrived.
    pub waits: bool,
}

/// The last packets, at most so many, oldest first.
pub fn talk(facts: Facts<'_>, client: ClientId, most: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut arrived: Vec<(MsgId, SimTime)> = Vec::new();
    let mut answers = Answers::default();
    for record in facts.all().rev().take(LOOKED_BACK) {
        match &record.fact {
            Fact::World(WorldFact::Delivered { msg, to, .. }) if *to == Node::Client(client) => {
                arrived.push((*msg, record.at_us));
            }
            Fact::World(WorldFact::Sent { msg, to, message: Parcel::ToClient(packet), .. })
                if *to == Node::Client(client) =>
            {
                // what has not arrived yet is nothing that the client has been told
                let Some(place) = arrived.iter().position(|(id, _)| id == msg) else { continue };
                let (_, at) = arrived.swap_remove(place);
                answers.hear(packet);
                if let Some((name, about, bad)) = heard(packet) {
                    lines.push(Line { at, msg: *msg, out: false, name, about, bad, waits: false });
                }
            }
            Fact::World(WorldFact::Sent { msg, from, message: Parcel::ToServer(packet), .. })
                if *from == Node::Client(client) =>
            {
                let waits = !answers.settle(packet);
                if waits || *packet != ToServer::Ping {
                    let (name, about) = said(packet);
                    lines.push(Line { at: record.at_us, msg: *msg, out: true, name, about, bad: false, waits });
                }
            }
            _ => {}
        }
        if lines.len() >= most && arrived.is_empty() {
            break;
        }
    }
    // an answer is found when its sending is, which may be long before it arrived
    lines.arrange_by_key(|line| (line.at, line.msg));
    lines.split_off(lines.len().saturating_sub(most))
}

/// What has been answered, read backwards: answers come before what they answer.
#[derive(Default)]
struct Answers {
    xids: Vec<i32>,
    /// A connection was granted after what is read now: whatever was asked before it got its answer, or never will.
    later: bool,
    pongs: usize,
    auths: usize,
    texts: usize,
}

impl Answers {
    fn hear(&mut self, packet: &ToClient) {
        match packet {
            ToClient::Connected { .. } => self.later = true,
            ToClient::Text { .. } => self.texts += 1,
            ToClient::Pong => self.pongs += 1,
            ToClient::Auth { .. } => self.auths += 1,
            ToClient::Reply { xid, .. } => self.xids.push(*xid),
            ToClient::Event { .. } => {}
        }
    }

    /// Whether somebody has answered this, or nobody will.
    fn settle(&mut self, packet: &ToServer) -> bool {
        let take = |count: &mut usize| {
            let any = *count > 0;
            *count = count.saturating_sub(1);
            any
        };
        let answered = match packet {
            ToServer::Connect { .. } => self.later,
            ToServer::Word { .. } => take(&mut self.texts),
            ToServer::Ping => take(&mut self.pongs),
            ToServer::Auth { .. } => take(&mut self.auths),
            ToServer::Request { xid, .. } => {
                let place = self.xids.iter().position(|one| one == xid);
                place.map(|place| self.xids.swap_remove(place)).is_some()
            }
        };
        answered || self.later
    }
}

fn said(packet: &ToServer) -> (String, String) {
    let about = match packet {
        ToServer::Connect { session, .. } if session.0 != 0 => session.to_string(),
        ToServer::Connect { timeout_ms, .. } => format!("timeout {timeout_ms} ms"),
        ToServer::Word { .. } | ToServer::Ping => String::new(),
        ToServer::Auth { scheme, .. } => scheme.to_string(),
        ToServer::Request { request, .. } => rest(request),
    };
    // create2 and getChildren2 only want more in their answer
    (packet.name().trim_end_matches('2').to_string(), about)
}

/// A request as one would type it, without its name.
fn rest(request: &Request) -> String {
    let typed = request.to_string();
    without_guids(typed.split_once(' ').map_or("", |(_, rest)| rest))
}

fn heard(packet: &ToClient) -> Option<(String, String, bool)> {
    Some(match packet {
        ToClient::Connected { timeout_ms: 0, session, .. } => ("SessionExpired".into(), session.to_string(), true),
        ToClient::Connected { session, timeout_ms, .. } => {
            (packet.name().into(), format!("{session} · {timeout_ms} ms"), false)
        }
        ToClient::Text { text } => ("ok".into(), text.lines().next().unwrap_or_default().to_string(), false),
        ToClient::Pong => return None,
        ToClient::Auth { code: Code::Ok } => ("ok".into(), String::new(), false),
        ToClient::Auth { code } => (code.name().into(), String::new(), true),
        ToClient::Reply { outcome, .. } => {
            let (name, about) = came_to(outcome);
            (name, about, outcome.is_err())
        }
        ToClient::Event { event, .. } => {
            (format!("{:?}", event.kind), without_guids(event.path.as_deref().unwrap_or_default()), false)
        }
    })
}

/// What a request came to: `ok` or its error, and the one thing that an answer is asked for.
fn came_to(outcome: &Outcome) -> (String, String) {
    let answer = match outcome {
        Err(code) => return (code.name().to_string(), String::new()),
        Ok(answer) => answer,
    };
    let told = match answer {
        Answer::Done => String::new(),
        Answer::Path(path) | Answer::Created { path, .. } => path.to_string(),
        Answer::Stat(stat) => format!("version={}", stat.version),
        Answer::Data { data, stat } => format!("{} version={}", beginning(data), stat.version),
        Answer::Children { names, .. } | Answer::Paths(names) => {
            format!("[{}]", names.iter().map(|name| without_guids(name)).collect::<Vec<_>>().join(", "))
        }
        Answer::Acl { acl, .. } => format!("acl={}", acl.len()),
        Answer::Number(number) => number.to_string(),
        Answer::Identities(who) => who.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Answer::Multi(parts) => parts.iter().map(|part| came_to(part).0).collect::<Vec<_>>().join(" "),
    };
    ("ok".into(), without_guids(&told))
}

fn beginning(data: &Data) -> String {
    data.as_ref().map_or("null".into(), |data| data.beginning(40))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::Session;

    /// A scenario's session at a moment.
    fn at(id: &str, ms: u64) -> Session {
        let scenario = crate::scenarios::scenario(id).expect("a built-in scenario");
        let mut session = Session::new(scenario.run(), Some(scenario)).expect("a valid run");
        session.seek(SimTime::from_ms(ms)).expect("a moment of the run");
        session
    }

    #[test]
    fn a_lock_is_told_packet_by_packet() {
        let session = at("lock-herd", 4_125);
        let lines = talk(session.facts(), ClientId(2), 50);
        let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(names[..2], ["CONNECT", "CONNECTED"], "{names:?}");
        let made = lines.iter().position(|line| line.out && line.name.starts_with("create"));
        let made = made.expect("its node is made");
        assert!(lines[made..].iter().any(|line| !line.out && line.name == "ok"), "{lines:#?}");
        assert!(lines.iter().all(|line| line.name != "CLIENT_PONG"));
        assert!(lines.windows(2).all(|two| two[0].at <= two[1].at));
        assert_eq!(talk(session.facts(), ClientId(2), 3), lines[lines.len() - 3..]);
    }

    #[test]
    fn what_nobody_answers_waits() {
        let session = at("lock-herd", 3_000);
        let all = talk(session.facts(), ClientId(2), 50);
        // the moment before the first answer arrives
        let first = all.iter().find(|line| !line.out).expect("an answer");
        let session = at("lock-herd", first.at.as_ms() - 1);
        let lines = talk(session.facts(), ClientId(2), 50);
        assert!(lines.last().is_some_and(|line| line.waits && line.name == "CONNECT"), "{lines:#?}");
    }
}
