//! What a role may use of its server, and when some of the servers are enough: a quorum, or what an oracle says
//! (`QuorumOracleMaj.java`).

use crate::base::{ServerId, ServerSet, SimTime};
use crate::zab::config::Config;
use crate::zab::fact::Note;
use crate::zab::io::Outbox;
use crate::zab::links::Links;
use crate::zab::members::{Members, Quorums};
use crate::zab::storage::Storage;
use crate::zab::vote::Vote;

/// What a role may use of its server while it handles an input.
pub(in crate::zab) struct Cx<'a> {
    pub me: ServerId,
    pub now: SimTime,
    pub config: &'a Config,
    pub members: &'a mut Quorums,
    /// Whom the last reconfiguration sent this server to, until it gets there.
    pub suggested: &'a mut Option<ServerId>,
    pub storage: &'a mut Storage,
    pub links: &'a mut Links,
    pub want_snap: &'a mut bool,
    /// What its oracle says; none where there is none.
    pub oracle: Option<bool>,
    /// Whether its oracle may decide (`QuorumOracleMaj.java` `needOracle`).
    pub need_oracle: &'a mut bool,
    pub out: &'a mut Outbox,
}

impl Cx<'_> {
    /// A vote for this server with its own history; none at an observer. One that follows without being a member yet votes for
    /// nobody.
    pub(in crate::zab) fn own_vote(&self) -> Vote {
        match (self.members.now.votes(self.me), self.members.now.observers.contains(self.me)) {
            (true, _) => own_vote(self.me, self.storage),
            (false, false) => own_vote(ServerId::NONE, self.storage),
            (false, true) => Vote::NONE,
        }
    }

    /// Whether these servers are enough (`QuorumOracleMaj.java` `containsQuorum`): a quorum, or fewer where the oracle grants it.
    pub(in crate::zab) fn enough(&self, members: &Members, servers: ServerSet) -> bool {
        members.is_quorum_by(servers, self.config.rules) || self.oracle_grants(members)
    }

    /// The same of all configurations that count.
    pub(in crate::zab) fn enough_of_each(&self, quorums: &Quorums, servers: ServerSet) -> bool {
        self.enough(&quorums.now, servers) && quorums.next.as_ref().is_none_or(|next| self.enough(next, servers))
    }

    /// Whether this server may go on without a quorum: its oracle is asked where there are two voters at most, and says so.
    pub(in crate::zab) fn oracle_grants(&self, members: &Members) -> bool {
        *self.need_oracle && self.oracle == Some(true) && members.voters.len() <= 2
    }

    /// As a leader: the oracle is needed while nobody who votes follows (`updateNeedOracle`).
    pub(in crate::zab) fn update_need_oracle(&mut self, follows: bool) {
        *self.need_oracle = !follows && self.members.now.voters.len() == 2;
    }

    /// Why these servers are enough: what is said of a quorum, or that the oracle grants it.
    pub(in crate::zab) fn why_enough(&self, servers: ServerSet, quorum: Note) -> Note {
        match self.members.is_quorum_by(servers, self.config.rules) {
            true => quorum,
            false => Note::OracleGrants,
        }
    }
}

pub(super) fn own_vote(me: ServerId, storage: &Storage) -> Vote {
    Vote { leader: me, zxid: storage.last_processed, peer_epoch: storage.current_epoch }
}
