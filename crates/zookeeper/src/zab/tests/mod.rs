//! Tests of single protocol steps: one peer, told what happens, and everything that it wants done compared.

mod discovery;
mod election;
mod reconfig;
mod replication;

use crate::base::{Epoch, Prng, RuleSet, ServerId, ServerSet, SimTime, Stream, Zxid};

use super::*;

/// A peer alone with a test.
pub(super) struct Bench {
    pub peer: Peer,
    pub config: Config,
    pub now: SimTime,
    next_conn: u64,
}

pub(crate) fn config() -> Config {
    Config { tick_time: 200_000, ..Config::default() }
}

pub(super) fn zxid(text: &str) -> Zxid {
    text.parse().expect("a zxid")
}

pub(super) fn proposal(text: &str) -> Proposal {
    Proposal { zxid: zxid(text), payload: Payload::text("x") }
}

/// A disk with a log and both epochs.
pub(super) fn disk(epoch: Epoch, log: &str) -> Recovered {
    let log = log.split_whitespace().map(proposal).collect();
    Recovered { accepted_epoch: epoch, current_epoch: epoch, log, ..Recovered::default() }
}

impl Bench {
    /// Server `id` of three, freshly booted; what it wanted done then is forgotten.
    pub(super) fn boot(id: u8, disk: Recovered, config: Config) -> Bench {
        let members = Members::new(ServerSet::first(3), ServerSet::EMPTY);
        let mut out = Outbox::default();
        let prng = Prng::new(0, Stream::Server);
        let peer = Peer::boot(
            ServerId(id),
            members.into(),
            disk,
            prng,
            &mut Env { now: SimTime::ZERO, config: &config, oracle: None, out: &mut out },
        );
        Bench { peer, config, now: SimTime::ZERO, next_conn: 100 }
    }

    /// What the peer wants done when it is told this.
    pub(super) fn tell(&mut self, input: Input) -> Vec<Output> {
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        self.peer.handle(input, &mut Env { now: self.now, config: &self.config, oracle: None, out: &mut out });
        self.next_conn = out.next_conn;
        out.items
    }

    /// The disk finishes everything that these outputs ask of it, and what that leads to.
    pub(super) fn finish_disk(&mut self, outputs: &[Output]) -> Vec<Output> {
        let mut all = Vec::new();
        let mut waiting: Vec<Token> = tokens(outputs);
        while let Some(token) = waiting.pop() {
            let more = self.tell(Input::Persisted(token, 10));
            waiting.extend(tokens(&more));
            all.extend(more);
        }
        all
    }

    /// A notification of another server comes in on the connection that has its number.
    pub(super) fn hear(&mut self, from: u8, vote: Vote, round: u64, state: ServerState) -> Vec<Output> {
        let conn = crate::base::ConnId(u64::from(from));
        if from > self.peer.id.0 {
            self.tell(Input::Accepted { conn, from: ServerId(from), port: Port::Election });
            self.tell(Input::Notification(conn, Notification { vote, round, state, config: None }))
        } else {
            // the larger id dials: make the peer's own dial succeed
            let dialled = self.tell(Input::Accepted { conn, from: ServerId(from), port: Port::Election });
            let dial = dialled.iter().find_map(|output| match output {
                Output::Dial { conn, .. } => Some(*conn),
                _ => None,
            });
            let conn = dial.unwrap_or(crate::base::ConnId(u64::from(from) - 1));
            self.tell(Input::Connected(conn));
            self.tell(Input::Notification(conn, Notification { vote, round, state, config: None }))
        }
    }
}

fn tokens(outputs: &[Output]) -> Vec<Token> {
    let token = |output: &Output| match output {
        Output::Persist(token, _) => Some(*token),
        _ => None,
    };
    outputs.iter().filter_map(token).collect()
}

/// Only the facts, without their reasons.
pub(super) fn facts(outputs: &[Output]) -> Vec<Fact> {
    let fact = |output: &Output| match output {
        Output::Fact(fact, _) => Some(fact.clone()),
        _ => None,
    };
    outputs.iter().filter_map(fact).collect()
}

/// Only the packets sent.
pub(super) fn packets(outputs: &[Output]) -> Vec<Packet> {
    let packet = |output: &Output| match output {
        Output::Send(_, Message::Packet(packet)) => Some(packet.clone()),
        _ => None,
    };
    outputs.iter().filter_map(packet).collect()
}

/// Only the disk operations asked for.
pub(super) fn disk_ops(outputs: &[Output]) -> Vec<DiskOp> {
    let op = |output: &Output| match output {
        Output::Persist(_, op) => Some(op.clone()),
        _ => None,
    };
    outputs.iter().filter_map(op).collect()
}
