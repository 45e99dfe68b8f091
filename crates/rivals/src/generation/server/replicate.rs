//! The log is made the same everywhere, and committed (`raft.go` `bcastAppend`, `handleAppendEntries`, `maybeCommit`).

use crate::base::{Arrange, ConnId, ServerId};
use crate::daemon::Cx;

use super::super::broken::Broken;
use super::super::fact::{Fact, Sight};
use super::super::log::{Entry, Position};
use super::super::message::Message;
use super::Server;
use super::role::{Leading, Progress, Role};

/// Most entries in a message.
const MOST: usize = 64;

/// What a leader sends.
pub(super) struct Sent {
    pub term: u64,
    pub prev: Position,
    pub entries: Vec<Entry>,
    pub commit: u64,
    pub round: u64,
}

/// What a follower answers.
pub(super) struct Reply {
    pub term: u64,
    pub ok: bool,
    pub prev: u64,
    pub last: u64,
    pub round: u64,
}

impl Server {
    /// Begins to lead its term: with an entry of that term, by which what is before it can be committed.
    pub(super) fn lead(&mut self, cx: &mut Cx<Self>) {
        let next = self.log.last_index() + 1;
        let fresh = Progress { next, matched: 0, probing: true, sent: false, active: false, round: 0 };
        let peers = cx.config.servers.iter().filter(|peer| *peer != cx.env.me).map(|peer| (peer, fresh.clone()));
        self.role = Role::Leader(Leading { peers: peers.collect(), round: 0, first: next, noted: 0 });
        (self.leader, self.elapsed) = (Some(cx.env.me), 0);
        match cx.config.broken.has(Broken::NoEmptyEntry) {
            true => self.heartbeat(cx),
            false => drop(self.propose(None, cx)),
        }
    }

    /// Appends an entry and sends it; its place.
    pub(super) fn propose(&mut self, put: Option<super::super::log::Put>, cx: &mut Cx<Self>) -> Position {
        let term = self.hard.term;
        let index = self.log.push(Entry { term, put });
        self.changed_from(index);
        self.send_to_all(cx);
        Position { term, index }
    }

    fn send_to_all(&mut self, cx: &mut Cx<Self>) {
        for peer in cx.config.servers.iter().filter(|peer| *peer != cx.env.me) {
            self.send_append(peer, cx);
        }
    }

    /// Sends all a message, with entries where some are to be sent.
    pub(super) fn heartbeat(&mut self, cx: &mut Cx<Self>) {
        if let Role::Leader(leading) = &mut self.role {
            leading.round += 1;
            leading.peers.values_mut().for_each(|progress| progress.sent = false);
        }
        self.send_to_all(cx);
    }

    /// A leader's tick: counts its followers once in an election timeout, and sends a heartbeat.
    pub(super) fn lead_on(&mut self, cx: &mut Cx<Self>) {
        let Role::Leader(leading) = &mut self.role else { return };
        if self.elapsed >= cx.config.election_ticks {
            self.elapsed = 0;
            let heard = 1 + leading.peers.values().filter(|progress| progress.active).count();
            leading.peers.values_mut().for_each(|progress| progress.active = false);
            if cx.config.check_quorum && heard < cx.config.majority() {
                let servers = cx.config.servers.len();
                cx.fact(Fact::SteppedDown { term: self.hard.term, heard, servers });
                self.follow(None, cx);
                return;
            }
        }
        self.heartbeat(cx);
    }

    /// Sends a follower what it lacks, as far as is known.
    pub(super) fn send_append(&mut self, peer: ServerId, cx: &mut Cx<Self>) {
        let (term, commit) = (self.hard.term, self.commit);
        let Some(conn) = self.links.to(peer) else { return };
        let Role::Leader(leading) = &mut self.role else { return };
        let Some(progress) = leading.peers.get_mut(&peer) else { return };
        let index = progress.next.saturating_sub(1);
        let entries = match progress.probing && progress.sent {
            true => Vec::new(),
            false => self.log.from(progress.next, MOST),
        };
        match progress.probing {
            true => progress.sent = true,
            false => progress.next += entries.len() as u64,
        }
        let prev = Position { term: self.log.term_at(index).unwrap_or(0), index };
        let message = Message::AppendEntries { term, prev, entries, commit, round: leading.round };
        self.links.awaits(peer, cx.env.now);
        self.say(conn, message);
    }

    pub(super) fn on_append(&mut self, from: ServerId, conn: ConnId, sent: Sent, cx: &mut Cx<Self>) {
        let (prev, round) = (sent.prev.index, sent.round);
        if sent.term < self.hard.term {
            let last = self.log.last_index();
            return self.say(conn, Message::Appended { term: self.hard.term, ok: false, prev, last, round });
        }
        if sent.term > self.hard.term {
            self.see_term(from, Sight::AppendEntries, sent.term, Some(from), cx);
        }
        match self.role {
            // two leaders of one term: only where a rule is broken
            Role::Leader(_) => return,
            Role::Follower if self.leader.is_some() => {}
            Role::Follower => {
                self.leader = Some(from);
                cx.fact(Fact::LeaderHeard { term: self.hard.term, leader: from });
            }
            Role::PreCandidate(_) | Role::Candidate(_) => self.follow(Some(from), cx),
        }
        self.elapsed = 0;
        let ok = self.take(from, &sent, cx);
        let last = if ok { prev + sent.entries.len() as u64 } else { self.log.last_index() };
        if ok {
            self.commit_to(sent.commit.min(last), cx);
        }
        self.say(conn, Message::Appended { term: self.hard.term, ok, prev, last, round });
    }

    /// Makes its log the leader's, where the entry before what was sent is the same.
    fn take(&mut self, leader: ServerId, sent: &Sent, cx: &mut Cx<Self>) -> bool {
        let Sent { prev, entries, .. } = sent;
        let there = self.log.term_at(prev.index);
        let agrees = match cx.config.broken.has(Broken::AppendUnchecked) {
            true => there.is_some(),
            false => there == Some(prev.term),
        };
        if !agrees {
            cx.fact(Fact::AppendRefused { term: self.hard.term, leader, prev: *prev, last: self.log.last() });
            return false;
        }
        for (index, entry) in (prev.index + 1..).zip(entries) {
            match self.log.term_at(index) {
                Some(term) if term == entry.term => continue,
                Some(_) => self.delete_from(index, leader, cx),
                None => {}
            }
            self.log.push(entry.clone());
            self.changed_from(index);
        }
        true
    }

    fn delete_from(&mut self, index: u64, leader: ServerId, cx: &mut Cx<Self>) {
        let deleted = self.log.last_index() + 1 - index;
        cx.fact(Fact::Conflict { term: self.hard.term, leader, from: index, deleted });
        self.log.cut(index);
        self.changed_from(index);
        // only where a rule is broken: what was applied stays applied, and what comes in its place is applied as well
        self.commit = self.commit.min(index - 1);
    }

    pub(super) fn on_appended(&mut self, peer: ServerId, reply: Reply, cx: &mut Cx<Self>) {
        if reply.term > self.hard.term {
            return self.see_term(peer, Sight::AppendEntriesReply, reply.term, None, cx);
        }
        let (term, end) = (self.hard.term, self.log.last_index());
        let Role::Leader(leading) = &mut self.role else { return };
        let Some(progress) = leading.peers.get_mut(&peer).filter(|_| reply.term == term) else { return };
        progress.active = true;
        progress.round = progress.round.max(reply.round);
        let more = match reply.ok {
            true => {
                progress.matched = progress.matched.max(reply.last.min(end));
                progress.next = progress.next.max(progress.matched + 1);
                (progress.probing, progress.sent) = (false, false);
                progress.next <= end
            }
            // what it was asked is no longer what is asked now
            false if progress.probing && reply.prev + 1 != progress.next => false,
            false => {
                let back = if progress.probing { reply.prev.min(reply.last + 1) } else { progress.matched + 1 };
                (progress.probing, progress.sent) = (true, false);
                progress.next = back.max(progress.matched + 1);
                true
            }
        };
        self.advance_commit(cx);
        self.answer_reads(cx);
        if more {
            self.send_append(peer, cx);
        }
    }

    /// Commits what a majority has, if the leader's own term made the last of it.
    pub(super) fn advance_commit(&mut self, cx: &mut Cx<Self>) {
        let Role::Leader(leading) = &mut self.role else { return };
        let mut have: Vec<u64> = leading.peers.values().map(|progress| progress.matched).collect();
        have.push(self.durable);
        have.arrange_by(|a, b| b.cmp(a));
        let Some(&index) = have.get(cx.config.majority() - 1) else { return };
        if index <= self.commit {
            return;
        }
        let (term, on) = (self.hard.term, have.iter().filter(|other| **other >= index).count());
        let at = Position { term: self.log.term_at(index).unwrap_or(0), index };
        if at.term == term || cx.config.broken.has(Broken::CommitByCount) {
            cx.fact(Fact::Committed { term, at, on });
            self.commit_to(index, cx);
        } else if index > leading.noted && self.log.last().term != term {
            leading.noted = index;
            cx.fact(Fact::NotCommitted { term, at, on });
        }
    }

    /// Applies what is committed and not applied yet.
    fn commit_to(&mut self, index: u64, cx: &mut Cx<Self>) {
        while self.commit < index.min(self.log.last_index()) {
            self.commit += 1;
            let Some(entry) = self.log.entry(self.commit).cloned() else { return };
            cx.fact(Fact::Applied { term: self.hard.term, index: self.commit, entry: entry.clone() });
            if let Some(put) = &entry.put {
                self.table.insert(put.key.clone(), put.value.clone());
            }
            self.answer_write(Position { term: entry.term, index: self.commit });
        }
        self.answer_reads(cx);
    }
}
