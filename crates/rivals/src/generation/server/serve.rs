//! Clients: writes are answered once committed, reads once it is sure that the leader still led when they came (`read_only.go`,
//! ReadIndex; dissertation §6.4).

use crate::base::{Arrange, ConnId};
use crate::daemon::Cx;
use std::rc::Rc;

use super::super::command::Ask;
use super::super::log::Position;
use super::super::message::{Answer, Message};
use super::Server;
use super::role::Role;

/// A write that waits to be committed.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub conn: ConnId,
    pub number: u64,
    pub at: Position,
}

/// A read that waits for a majority to answer a heartbeat that was sent after it came.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub conn: ConnId,
    pub number: u64,
    pub key: Rc<str>,
    /// The round to be answered.
    pub round: u64,
    /// What must be applied first.
    pub index: u64,
}

impl Server {
    pub(super) fn on_ask(&mut self, conn: ConnId, number: u64, ask: Ask, cx: &mut Cx<Self>) {
        match ask {
            Ask::Get { key, local: true } => self.answer_value(conn, number, &key),
            _ if !self.is_leader() => {
                let answer = Answer::NotLeader { leader: self.leader };
                self.say(conn, Message::Response { number, answer });
            }
            Ask::Put(put) => {
                let at = self.propose(Some(put), cx);
                self.waiting.push(Waiting { conn, number, at });
            }
            Ask::Get { key, .. } => {
                self.heartbeat(cx);
                if let Role::Leader(leading) = &self.role {
                    let (round, index) = (leading.round, self.commit.max(leading.first));
                    self.reads.push(Read { conn, number, key, round, index });
                }
                self.answer_reads(cx);
            }
        }
    }

    fn answer_value(&mut self, conn: ConnId, number: u64, key: &Rc<str>) {
        let value = self.table.get(key).cloned();
        self.say(conn, Message::Response { number, answer: Answer::Value { value } });
    }

    /// The entry at this place is committed.
    pub(super) fn answer_write(&mut self, at: Position) {
        let (done, left) = std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.at == at);
        self.waiting = left;
        let done: Vec<Waiting> = done;
        for Waiting { conn, number, at } in done {
            self.say(conn, Message::Response { number, answer: Answer::Done { at } });
        }
    }

    pub(super) fn answer_reads(&mut self, cx: &Cx<Self>) {
        let Role::Leader(leading) = &self.role else { return };
        let mut rounds: Vec<u64> = leading.peers.values().map(|progress| progress.round).collect();
        rounds.push(leading.round);
        rounds.arrange_by(|a, b| b.cmp(a));
        let round = rounds.get(cx.config.majority() - 1).copied().unwrap_or(0);
        let sure = |read: &Read| read.round <= round && read.index <= self.commit;
        let (sure, left): (Vec<Read>, Vec<Read>) = std::mem::take(&mut self.reads).into_iter().partition(sure);
        self.reads = left;
        for Read { conn, number, key, .. } in sure {
            self.answer_value(conn, number, &key);
        }
    }

    /// A client's connection is over.
    pub(super) fn forget_client(&mut self, conn: ConnId) {
        self.waiting.retain(|waiting| waiting.conn != conn);
        self.reads.retain(|read| read.conn != conn);
    }
}
