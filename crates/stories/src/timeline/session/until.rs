//! Running until something happens.

use crate::base::{ServerId, SimTime};
use crate::recipes;
use crate::sim::{Fact, Record};
use crate::timeline::readers::is_milestone;
use crate::zab;

use crate::timeline::session::Session;

/// Most steps of one search, and how far ahead it looks, ms of virtual time.
const STEPS: u64 = 200_000;
const AHEAD_MS: u64 = 60_000;

/// What to run until.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Something worth stopping at.
    Milestone,
    /// A leader is established.
    Election,
    /// A transaction is committed.
    Commit,
    /// A property is violated.
    Violation,
    /// A client comes to a line of a recipe of one's own.
    Line,
    /// This server is established as leader.
    Leads(ServerId),
}

impl Session {
    /// Runs until that happens; whether it did. When it does not within a minute of virtual time, the viewer stays where they were.
    pub fn run_until(&mut self, until: Until) -> bool {
        let start = self.place();
        let limit = SimTime(start.cursor_us).plus(AHEAD_MS * 1_000);
        for _ in 0..STEPS {
            if self.world().next_at().is_none_or(|at| at > limit) || !self.take_step() {
                break;
            }
            if self.meets(until) {
                self.catch_up();
                return true;
            }
        }
        let _ = self.go(start);
        false
    }

    /// Whether it happened in the last step.
    fn meets(&self, until: Until) -> bool {
        let records = self.world().last_facts();
        let established = |record: &Record| match &record.fact {
            Fact::Zab { server, fact: zab::Fact::Established { .. } } => Some(*server),
            _ => None,
        };
        let is_line =
            |record: &Record| matches!(record.fact, Fact::Program { fact: recipes::Fact::AtLine { .. }, .. });
        let committed = |record: &Record| matches!(record.fact, Fact::Zab { fact: zab::Fact::Committed { .. }, .. });
        match until {
            Until::Milestone => is_milestone(self.world().now, records),
            Until::Election => records.iter().any(|record| established(record).is_some()),
            Until::Leads(server) => records.iter().any(|record| established(record) == Some(server)),
            Until::Commit => records.iter().any(|record| committed(record)),
            Until::Line => records.iter().any(|record| is_line(record)),
            Until::Violation => {
                let first = self.next_seq() - records.len() as u64;
                self.known_violations().iter().any(|v| (first..self.next_seq()).contains(&v.seq))
            }
        }
    }
}
