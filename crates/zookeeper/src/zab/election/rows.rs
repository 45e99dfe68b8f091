//! An election, for a reader: in the names of `FastLeaderElection.java`.

use crate::base::rows::{Refers, Rows};
use crate::zab::message::Notification;
use crate::zab::tally::Ballots;
use crate::zab::vote::Vote;

use super::Election;

impl Election {
    /// All that a server remembers of elections.
    pub fn rows(&self, rows: &mut Rows) {
        let Election { round, proposal, settled, settled_round, initial, received, outside, interval, finalizing } =
            self;
        rows.put("electionEpoch (logicalclock)", round);
        rows.server("proposedLeader", proposal.leader);
        rows.zxid("proposedZxid", proposal.zxid);
        rows.put("proposedEpoch", &proposal.peer_epoch);
        rows.item(&"initial", &"initialVote", vote(initial), server(initial));
        rows.item(&"settled", &"currentVote", vote(settled), server(settled));
        rows.put("currentVote.electionEpoch", settled_round);
        rows.put("finalizeWait", finalizing);
        rows.put("notTimeout", &format_args!("{} ms", interval / 1000));
        rows.list("recvset", |rows| ballots(received, rows));
        rows.list("outofelection", |rows| ballots(outside, rows));
    }
}

fn vote(vote: &Vote) -> String {
    match vote.leader == crate::base::ServerId::NONE {
        true => crate::base::rows::NONE.into(),
        false => format!("{} · zxid {} · peerEpoch {}", vote.leader, vote.zxid, vote.peer_epoch),
    }
}

fn server(vote: &Vote) -> Option<Refers> {
    (vote.leader != crate::base::ServerId::NONE).then_some(Refers::Server(vote.leader))
}

fn ballots(ballots: &Ballots, rows: &mut Rows) {
    for (from, said) in ballots.iter() {
        let text = format!("{} · electionEpoch {} · {}", vote(&said.vote), said.round, state(said));
        rows.item(from, from, text, server(&said.vote));
    }
}

/// The sender's state, in its real name.
pub(in crate::zab) fn state(said: &Notification) -> String {
    format!("{:?}", said.state).to_ascii_uppercase()
}
