//! What a reader sees of a server.

use crate::base::ServerSet;
use crate::base::rows::{Rows, names};

use super::super::log::Log;
use super::role::Role;
use super::{Files, Server};

/// So many of the last entries are told.
const SHOWN: usize = 20;

impl Role {
    fn name(&self) -> &'static str {
        match self {
            Role::Follower => "follower",
            Role::PreCandidate(_) => "pre-candidate",
            Role::Candidate(_) => "candidate",
            Role::Leader(_) => "leader",
        }
    }

    fn votes(&self) -> ServerSet {
        match self {
            Role::PreCandidate(votes) | Role::Candidate(votes) => *votes,
            Role::Follower | Role::Leader(_) => ServerSet::EMPTY,
        }
    }
}

fn show_log(log: &Log, rows: &mut Rows) {
    rows.end_of("log", log.iter().len(), |rows| {
        let skipped = log.iter().len().saturating_sub(SHOWN);
        for (index, entry) in log.iter().skip(skipped) {
            rows.item(&index, &format!("{}:{index}", entry.term), entry.to_string(), None);
        }
    });
}

impl Server {
    pub(super) fn show(&self, rows: &mut Rows) {
        rows.put("role", &self.role.name());
        rows.put("term", &self.hard.term);
        rows.some("votedFor", self.hard.vote.as_ref().map(|vote| vote as &dyn std::fmt::Display));
        rows.some("leader", self.leader.as_ref().map(|leader| leader as &dyn std::fmt::Display));
        rows.put("votes", &names(self.role.votes()));
        rows.put("electionTimeout", &format!("{} / {}", self.elapsed, self.timeout));
        rows.put("commitIndex", &self.commit);
        show_log(&self.log, rows);
        if let Role::Leader(leading) = &self.role {
            rows.list("followers", |rows| {
                for (peer, progress) in &leading.peers {
                    let text = format!("matchIndex {}, nextIndex {}", progress.matched, progress.next);
                    rows.item(peer, peer, text, None);
                }
            });
        }
        rows.list("table", |rows| {
            for (key, value) in &self.table {
                rows.item(key, key, value.to_string(), None);
            }
        });
    }
}

impl Files {
    pub(super) fn show(&self, rows: &mut Rows) {
        rows.put("currentTerm", &self.hard.term);
        rows.some("votedFor", self.hard.vote.as_ref().map(|vote| vote as &dyn std::fmt::Display));
        if let Some(cached) = &self.cached {
            rows.put("notForced", &cached.term);
        }
        show_log(&self.log, rows);
    }
}
