//! Votes: who asks, who gets them, who leads (`raft.go` `campaign`, `Step`, `becomeLeader`; `log.go` `isUpToDate`).

use crate::base::{ConnId, ServerId, ServerSet};
use crate::daemon::Cx;

use super::super::broken::Broken;
use super::super::fact::{Fact, Refusal, Sight};
use super::super::log::Position;
use super::super::message::Message;
use super::Server;
use super::role::Role;

impl Server {
    /// The timeout is drawn anew from T to 2T, and begins now.
    pub(super) fn draw_timeout(&mut self, cx: &Cx<Self>) {
        let ticks = cx.config.election_ticks;
        let more = match cx.config.broken.has(Broken::FixedTimeouts) {
            true => 0,
            false => self.prng.below(ticks),
        };
        (self.elapsed, self.timeout) = (0, ticks.saturating_add(more));
    }

    pub(super) fn is_leader(&self) -> bool {
        matches!(self.role, Role::Leader(_))
    }

    /// Time is up: asks for votes, or whether it would get them.
    pub(super) fn campaign(&mut self, pre: bool, cx: &mut Cx<Self>) {
        if self.is_leader() {
            return;
        }
        let mine: ServerSet = [cx.env.me].into_iter().collect();
        (self.leader, self.role) = match pre {
            true => (None, Role::PreCandidate(mine)),
            false => {
                (self.hard.term, self.hard.vote) = (self.hard.term + 1, Some(cx.env.me));
                (None, Role::Candidate(mine))
            }
        };
        self.draw_timeout(cx);
        let (term, last) = (self.hard.term + u64::from(pre), self.log.last());
        let asked = cx.config.servers.iter().filter(|peer| *peer != cx.env.me).collect();
        cx.fact(Fact::Candidate { term, pre, last, asked });
        for conn in self.links.from(cx.config.servers) {
            self.say(conn, Message::RequestVote { term, last, pre });
        }
        self.count_votes(cx);
    }

    fn count_votes(&mut self, cx: &mut Cx<Self>) {
        let majority = cx.config.majority();
        match &self.role {
            Role::PreCandidate(votes) if votes.len() >= majority => self.campaign(false, cx),
            Role::Candidate(votes) if votes.len() >= majority => {
                let votes = votes.iter().collect();
                cx.fact(Fact::Leads { term: self.hard.term, votes, last: self.log.last() });
                self.lead(cx);
            }
            _ => {}
        }
    }

    pub(super) fn on_vote(&mut self, from: ServerId, term: u64, granted: bool, pre: bool, cx: &mut Cx<Self>) {
        // a pre-vote that is granted names the term asked for, which nobody has begun
        if term > self.hard.term && !(pre && granted) {
            self.see_term(from, Sight::RequestVoteReply, term, None, cx);
        }
        let asked = self.hard.term + u64::from(pre);
        match &mut self.role {
            Role::PreCandidate(votes) if pre && granted && term == asked => votes.insert(from),
            Role::Candidate(votes) if !pre && granted && term == asked => votes.insert(from),
            _ => return,
        };
        self.count_votes(cx);
    }

    /// Whether it has heard of its leader so lately that it leaves it in peace.
    fn in_lease(&self, pre: bool, cx: &Cx<Self>) -> Option<ServerId> {
        let watches = cx.config.check_quorum || pre;
        self.leader.filter(|_| watches && self.elapsed < cx.config.election_ticks)
    }

    pub(super) fn on_request_vote(
        &mut self,
        from: ServerId,
        conn: ConnId,
        (term, last, pre): (u64, Position, bool),
        cx: &mut Cx<Self>,
    ) {
        let newer = term > self.hard.term;
        if let Some(leader) = self.in_lease(pre, cx).filter(|_| newer) {
            cx.fact(Fact::Ignored { term, pre, candidate: from, leader });
            return;
        }
        if newer && !pre {
            self.see_term(from, Sight::RequestVote, term, None, cx);
        }
        let own = self.log.last();
        let refusal = self.refusal(from, (term, last, pre), newer, cx);
        let granted = refusal.is_none();
        match refusal {
            None => cx.fact(Fact::Granted { term, pre, candidate: from, own, its: last }),
            Some(reason) => cx.fact(Fact::Refused { term, pre, candidate: from, own, its: last, reason }),
        }
        if granted && !pre {
            self.hard.vote = Some(from);
        }
        if !pre && (granted || cx.config.broken.has(Broken::ResetOnRefused)) && !self.is_leader() {
            self.draw_timeout(cx);
        }
        let answer = if granted { term } else { self.hard.term };
        self.say(conn, Message::Vote { term: answer, granted, pre });
    }

    /// Why a candidate does not get the vote.
    fn refusal(
        &self,
        from: ServerId,
        (term, last, pre): (u64, Position, bool),
        newer: bool,
        cx: &Cx<Self>,
    ) -> Option<Refusal> {
        let (broken, own) = (&cx.config.broken, self.log.last());
        if term < self.hard.term {
            return Some(Refusal::TermOver);
        }
        let free = pre && newer || self.hard.vote.is_none() || self.hard.vote == Some(from);
        if !free {
            return Some(Refusal::Voted);
        }
        if !newer && self.leader.is_some() && self.hard.vote.is_none() {
            return Some(Refusal::LeaderKnown);
        }
        if broken.has(Broken::HighestIdWins) {
            return (from < cx.env.me).then_some(Refusal::LowerId);
        }
        let behind = match (broken.has(Broken::AsPrinted), broken.has(Broken::IndexOnly)) {
            (true, _) => !newer && last.index < own.index,
            (_, true) => last.index < own.index,
            _ => last < own,
        };
        behind.then_some(Refusal::LogBehind)
    }

    /// Somebody's term is higher: it counts from now on. A leader's time begins anew; whoever only asks for a vote moves
    /// nobody's timeout.
    pub(super) fn see_term(
        &mut self,
        from: ServerId,
        sight: Sight,
        term: u64,
        leader: Option<ServerId>,
        cx: &mut Cx<Self>,
    ) {
        cx.fact(Fact::TermSeen { from, sight, old: self.hard.term, term, led: self.is_leader() });
        (self.hard.term, self.hard.vote) = (term, None);
        self.follow(leader, cx);
    }

    /// Becomes a follower in its term.
    pub(super) fn follow(&mut self, leader: Option<ServerId>, cx: &mut Cx<Self>) {
        let led = self.is_leader();
        (self.role, self.leader) = (Role::Follower, leader);
        self.waiting.clear();
        self.reads.clear();
        if led || leader.is_some() {
            self.draw_timeout(cx);
        }
        cx.fact(Fact::Follows { term: self.hard.term, leader });
    }
}
