//! Fast Leader Election (`FastLeaderElection.java` `lookForLeader` and `WorkerReceiver`).

pub(in crate::zab) mod rows;

use crate::base::{Epoch, Micros, ServerId, ServerSet, SimTime, Way, Zxid};

use super::config::{FINALIZE_WAIT, MAX_NOTIFICATION_INTERVAL, MIN_NOTIFICATION_INTERVAL};
use super::fact::{Fact, Note};
use super::io::Timer;
use super::members::Members;
use super::message::Notification;
use super::peer::Cx;
use super::rules::BrokenRule;
use super::tally::{Ballots, agreeing, leader_is_alive};
use super::vote::{Better, ServerState, Vote};

/// The end of an election for one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::zab) struct Outcome {
    pub leader: ServerId,
    pub why: Note,
}

/// What a server remembers of elections, in every role.
#[derive(Clone, Debug, Hash)]
pub struct Election {
    /// The logical clock: the round this server is in. Lost in a crash.
    pub round: u64,
    /// The vote it holds while it looks for a leader.
    pub proposal: Vote,
    /// The result of the last election, told to others while this server does not look.
    pub settled: Vote,
    settled_round: u64,
    initial: Vote,
    received: Ballots,
    outside: Ballots,
    interval: Micros,
    finalizing: bool,
}

impl Election {
    pub(in crate::zab) fn new(own: Vote) -> Election {
        Election {
            round: 0,
            proposal: own,
            settled: own,
            settled_round: 0,
            initial: own,
            received: Ballots::new(),
            outside: Ballots::new(),
            interval: MIN_NOTIFICATION_INTERVAL,
            finalizing: false,
        }
    }

    /// Who has voted for what in this round, as this server heard it.
    pub fn ballots(&self) -> impl Iterator<Item = (ServerId, &Vote)> {
        self.received.iter().map(|(&id, ballot)| (id, &ballot.vote))
    }

    /// Begins a new round with a vote for itself; an observer begins with no vote.
    pub(in crate::zab) fn start(&mut self, cx: &mut Cx) {
        self.round += 1;
        self.received.clear();
        self.outside.clear();
        self.interval = MIN_NOTIFICATION_INTERVAL;
        self.finalizing = false;
        self.initial = cx.own_vote();
        self.proposal = self.initial;
        cx.out.fact(Fact::Looking {
            round: self.round,
            last_zxid: cx.storage.last_processed,
            current_epoch: cx.storage.current_epoch,
        });
        self.broadcast(cx);
        self.poll_again(cx);
        self.tally(cx);
    }

    /// The rounds begin anew with another configuration (`restartLeaderElection`). Says whether it is another one.
    pub(in crate::zab) fn restart(&mut self, before: &Members, now: &Members) -> bool {
        let other = !before.is_like(now);
        if other {
            self.round = 0;
        }
        other
    }

    /// A reconfiguration says who leads: no round decided it, and its epoch is not known yet (`updateVote`).
    pub(in crate::zab) fn settle_on(&mut self, leader: ServerId, zxid: Zxid) {
        self.settled = Vote { leader, zxid, peer_epoch: 0 };
        self.settled_round = 0;
    }

    /// The leader is known and its epoch established: what is told to latecomers (ZOOKEEPER-1732).
    pub(in crate::zab) fn settle_epoch(&mut self, epoch: Epoch) {
        self.settled.peer_epoch = epoch;
    }

    /// A notification arrived while this server has a role, or from a server without a vote: the result is told to
    /// those who look.
    pub(in crate::zab) fn answer(&self, from: ServerId, theirs: &Notification, state: ServerState, cx: &mut Cx) {
        if cx.config.rules.breaks(BrokenRule::ElectionAnswersNone) {
            return;
        }
        if !cx.members.votes(from) {
            let config = cx.told(cx.members.now);
            let answer = Notification { vote: self.settled, round: self.round, state, config };
            cx.links.send(from, answer, cx.now, cx.out);
        } else if theirs.state == ServerState::Looking {
            let config = cx.told(cx.members.now);
            let answer = Notification { vote: self.settled, round: self.settled_round, state, config };
            cx.links.send(from, answer, cx.now, cx.out);
        }
    }

    /// A notification from a voter arrived while this server looks for a leader.
    pub(in crate::zab) fn receive(&mut self, from: ServerId, theirs: Notification, cx: &mut Cx) -> Option<Outcome> {
        if theirs.state == ServerState::Looking && theirs.round < self.round {
            cx.links.send(from, self.own(cx), cx.now, cx.out);
        }
        if !cx.members.votes(theirs.vote.leader) && !self.is_called_on(&theirs, cx) {
            return None;
        }
        if self.finalizing {
            // every notification that is read begins the wait anew; one that is not better is dropped
            // (`lookForLeader`: `recvqueue.poll(finalizeWait)` in a loop)
            cx.out.arm(Timer::Finalize, cx.now.plus(last_wait(cx)));
            better(&theirs.vote, &self.proposal, cx)?;
            self.finalizing = false;
            cx.out.cancel(Timer::Finalize);
            cx.out.explain(Fact::FinalizingBroken { leader: theirs.vote.leader }, Note::BetterVoteInTime);
        }
        self.poll_again(cx);
        match theirs.state {
            ServerState::Looking => {
                self.hear_candidate(from, theirs, cx);
                None
            }
            ServerState::Observing | ServerState::Standalone => None,
            ServerState::Following | ServerState::Leading => self.hear_settled(from, theirs, cx),
        }
    }

    /// Whether somebody who may not lead yet is in a later round, and votes for nobody. A quorum of the configuration that is only
    /// proposed needs it, and its own clock never goes back: so its round is joined, and no more is read of it.
    fn is_called_on(&self, theirs: &Notification, cx: &Cx) -> bool {
        let nobody = theirs.state == ServerState::Looking && theirs.vote.leader == ServerId::NONE;
        nobody && theirs.round > self.round && !cx.config.rules.breaks(Way::JoinersUnheard)
    }

    /// No notification came for a while. An oracle that grants it by now decides at once (`revalidateVoteset`).
    pub(in crate::zab) fn poll_timeout(&mut self, cx: &mut Cx) -> Option<Outcome> {
        if cx.links.has_delivered() {
            if !cx.config.rules.breaks(BrokenRule::VotesSaidOnce) {
                self.broadcast(cx);
            }
        } else {
            cx.links.connect_all(cx.now, cx.out);
        }
        self.interval = (self.interval * 2).min(MAX_NOTIFICATION_INTERVAL);
        self.poll_again(cx);
        let granted = cx.oracle.is_some() && cx.enough_of_each(cx.members, self.agreeing_with_own(cx));
        granted.then(|| self.decide(self.proposal, self.round, Note::OracleGrants, cx))
    }

    /// No notification came for 200 ms, and none before it was better: the vote stands.
    pub(in crate::zab) fn finalized(&mut self, cx: &mut Cx) -> Option<Outcome> {
        if !std::mem::take(&mut self.finalizing) {
            return None;
        }
        let why = cx.why_enough(self.agreeing_with_own(cx), Note::NoBetterVote);
        Some(self.decide(self.proposal, self.round, why, cx))
    }

    fn hear_candidate(&mut self, from: ServerId, theirs: Notification, cx: &mut Cx) {
        let unheard = theirs.round > self.round && cx.config.rules.breaks(BrokenRule::LaterRoundsUnheard);
        if theirs.round < self.round || unheard {
            return;
        }
        if theirs.round > self.round {
            self.round = theirs.round;
            self.received.clear();
            let why = if theirs.vote.leader == ServerId::NONE { Note::RoundOfJoiner } else { Note::LaterRound };
            cx.out.explain(Fact::RoundJoined { round: self.round }, why);
            let initial = self.initial;
            match better(&theirs.vote, &initial, cx) {
                Some(why) => self.change_vote(theirs.vote, why, cx),
                None => {
                    self.proposal = initial;
                    self.broadcast(cx);
                }
            }
        } else if let Some(why) = better(&theirs.vote, &self.proposal, cx) {
            self.change_vote(theirs.vote, why, cx);
        }
        self.received.insert(from, theirs);
        self.tally(cx);
    }

    fn hear_settled(&mut self, from: ServerId, theirs: Notification, cx: &mut Cx) -> Option<Outcome> {
        let leader = theirs.vote.leader;
        let rules = cx.config.rules;
        let is_there = |ballots: &Ballots, same_round| {
            let ghost = leader != cx.me && rules.breaks(BrokenRule::FollowTheDead);
            ghost || leader_is_alive(ballots, leader, cx.me, same_round)
        };
        if theirs.round == self.round {
            self.received.insert(from, theirs.clone());
            let agree = agreeing(&self.received, &theirs, true);
            if cx.enough_of_each(cx.members, agree) && is_there(&self.received, true) {
                return Some(self.decide(theirs.vote, self.round, Note::JoinsExistingLeader, cx));
            }
        }
        self.outside.insert(from, theirs.clone());
        let agree = agreeing(&self.outside, &theirs, false);
        let same_round = theirs.round == self.round;
        // who leads by the configuration in force leads, whatever this server has seen proposed: that may never be committed
        let by = if rules.breaks(Way::JoinsByBoth) { *cx.members } else { cx.members.now.into() };
        if cx.enough_of_each(&by, agree) && is_there(&self.outside, same_round) {
            self.round = theirs.round;
            let why = match cx.enough_of_each(cx.members, agree) {
                true => Note::JoinsExistingLeader,
                false => Note::JoinsByConfigInForce,
            };
            return Some(self.decide(theirs.vote, theirs.round, why, cx));
        }
        // one of two never hears a majority of a leader that goes on alone; whose own oracle refuses takes that for the other's grant
        let refused = theirs.state == ServerState::Leading && *cx.need_oracle && cx.oracle == Some(false);
        refused.then(|| self.decide(theirs.vote, self.round, Note::OracleRefuses, cx))
    }

    fn change_vote(&mut self, vote: Vote, better: Better, cx: &mut Cx) {
        self.proposal = vote;
        let why = match better {
            Better::Epoch => Note::LaterEpochWins,
            Better::Zxid => Note::LaterZxidWins,
            Better::Id => Note::HigherIdWins,
        };
        cx.out.explain(Fact::VoteChanged { vote, round: self.round }, why);
        self.broadcast(cx);
    }

    /// Starts the last wait when a majority has this server's vote.
    fn tally(&mut self, cx: &mut Cx) {
        let votes = self.agreeing_with_own(cx);
        if cx.enough_of_each(cx.members, votes) {
            self.finalizing = true;
            cx.out.cancel(Timer::ElectionPoll);
            cx.out.arm(Timer::Finalize, cx.now.plus(last_wait(cx)));
            let leader = self.proposal.leader;
            let why = cx.why_enough(votes, Note::MajorityAgrees);
            cx.out.explain(Fact::Finalizing { leader, votes }, why);
        }
    }

    fn agreeing_with_own(&self, cx: &Cx) -> ServerSet {
        agreeing(&self.received, &self.own(cx), false)
    }

    fn decide(&mut self, vote: Vote, round: u64, why: Note, cx: &mut Cx) -> Outcome {
        cx.out.cancel(Timer::ElectionPoll);
        cx.out.cancel(Timer::Finalize);
        self.finalizing = false;
        self.settled = vote;
        self.settled_round = round;
        Outcome { leader: vote.leader, why }
    }

    fn own(&self, cx: &Cx) -> Notification {
        let config = cx.told(cx.members.now);
        Notification { vote: self.proposal, round: self.round, state: ServerState::Looking, config }
    }

    /// Tells every voter; itself without the network.
    fn broadcast(&mut self, cx: &mut Cx) {
        for to in cx.members.voters().iter() {
            if to == cx.me {
                self.received.insert(to, self.own(cx));
            } else {
                cx.links.send(to, self.own(cx), cx.now, cx.out);
            }
        }
    }

    fn poll_again(&self, cx: &mut Cx) {
        let at: SimTime = cx.now.plus(self.interval);
        cx.out.arm(Timer::ElectionPoll, at);
    }
}

/// How long a majority that agrees waits for a better vote.
fn last_wait(cx: &Cx) -> Micros {
    if cx.config.rules.breaks(BrokenRule::NoLastWait) { 0 } else { FINALIZE_WAIT }
}

/// Whether a vote beats another, and by what. One for a server whose own vote weighs nothing never does.
fn better(vote: &Vote, current: &Vote, cx: &Cx) -> Option<Better> {
    cx.members.now.may_lead(vote.leader).then(|| vote.beats(current, cx.config.rules))?
}
