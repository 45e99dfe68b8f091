//! What a reader sees of a server.

use crate::base::rows::{NONE, Rows, names};
use crate::base::{ServerId, ServerSet};
use crate::daemon::{Badge, BadgeLine, LogEntry, Tone};

use super::super::log::Log;
use super::role::Role;
use super::{Files, Server};

/// So many of the last entries are told, and so many are shown beside those of others.
const SHOWN: usize = 20;
const BESIDE: usize = 16;

impl Role {
    fn name(&self) -> &'static str {
        match self {
            Role::Follower => "follower",
            Role::PreCandidate(_) => "pre-candidate",
            Role::Candidate(_) => "candidate",
            Role::Leader(_) => "leader",
        }
    }

    fn in_capitals(&self) -> &'static str {
        match self {
            Role::Follower => "FOLLOWER",
            Role::PreCandidate(_) => "PRE-CANDIDATE",
            Role::Candidate(_) => "CANDIDATE",
            Role::Leader(_) => "LEADER",
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

/// The last entries of a log: of the first so many it is known that they are committed, so many are on disk.
fn beside(log: &Log, committed: u64, durable: u64) -> Vec<LogEntry> {
    let entry = |(index, entry): (u64, &super::super::log::Entry)| LogEntry {
        term: entry.term,
        index,
        durable: index <= durable,
        committed: index <= committed,
    };
    log.iter().skip(log.iter().len().saturating_sub(BESIDE)).map(entry).collect()
}

/// Term, vote, the end of the log, and how far that is committed.
pub(super) fn badge(server: Option<&Server>, files: &Files, me: ServerId) -> Badge {
    let line = |label: &str, value: String, tone| BadgeLine { label: label.into(), value, tone, left: None };
    let (hard, log) = server.map_or((files.hard, &files.log), |server| (server.hard, &server.log));
    let mut lines = vec![
        line("term", hard.term.to_string(), Tone::Term(hard.term)),
        line("vote", hard.vote.map_or(NONE.into(), |vote| vote.to_string()), Tone::Plain),
        line("log", log.last().to_string(), Tone::Plain),
    ];
    let Some(server) = server else {
        return Badge { lines, log: beside(log, 0, log.last_index()), ..Badge::default() };
    };
    let votes = server.role.votes();
    if !votes.is_empty() {
        lines.insert(0, line("votes", names(votes), Tone::Waiting));
    }
    let tone = if server.commit < log.last_index() { Tone::Waiting } else { Tone::Held };
    lines.push(line("commit", server.commit.to_string(), tone));
    Badge {
        role: server.role.in_capitals(),
        crowned: server.is_leader(),
        lines,
        votes,
        reign: if server.is_leader() { Some(me) } else { server.leader }.map(|leader| (hard.term, leader)),
        log: beside(log, server.commit, server.durable),
        ..Badge::default()
    }
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
