//! Deadlocks: who waits for whom in a circle, and who is sacrificed (`lock0lock.cc`: `Deadlock`; `mdl.cc`; `deadlock.c`).

use crate::sql::fact::Fact;
use crate::sql::locks::{Owner, Resource};
use crate::sql::reply::Problem;

use super::Db;

impl Db {
    /// Whom a session waits for, where its wait is of this kind.
    fn waits_for(&self, session: u64, rows: Option<bool>) -> Vec<u64> {
        let Some((owner, what)) = self.waiting(session) else { return Vec::new() };
        if rows.is_some_and(|rows| rows != matches!(what, Resource::Record(..))) {
            return Vec::new();
        }
        self.locks.blockers(owner).into_iter().filter_map(|owner| self.session_of(owner)).collect()
    }

    /// A circle of waits through a session, beginning with it.
    fn circle(&self, session: u64) -> Option<Vec<u64>> {
        // InnoDB sees waits for rows, MariaDB's metadata locks the others; no circle of both is found
        let rows = self.is_mariadb().then(|| matches!(self.waiting(session), Some((_, Resource::Record(..)))));
        let mut ways = vec![vec![session]];
        let mut seen = Vec::new();
        while let Some(way) = ways.pop() {
            let Some(&last) = way.last() else { continue };
            for next in self.waits_for(last, rows).into_iter().rev() {
                if next == session {
                    return Some(way);
                }
                if !seen.contains(&next) {
                    seen.push(next);
                    ways.push([&way[..], &[next]].concat());
                }
            }
        }
        None
    }

    /// Work done: changes and locks.
    fn weight(&self, session: u64) -> u64 {
        let trx = self.trx_of(session);
        trx.map_or(0, |trx| trx.undo.len() as u64 + self.locks.count(Owner::Trx(trx.id)))
    }

    /// Looks for circles through a session and breaks them. InnoDB sacrifices whoever has done least, and among equals the
    /// one whose request has closed the circle; PostgreSQL the one that looks.
    pub(super) fn look_for_deadlock(&mut self, session: u64) {
        let by_work = self.is_mariadb() && self.waits_for_row(session);
        if by_work && !self.is_on("innodb_deadlock_detect") {
            return;
        }
        while let Some(circle) = self.circle(session) {
            let least = circle.iter().map(|&other| self.weight(other)).min();
            let lightest = circle.iter().copied().find(|&other| Some(self.weight(other)) == least);
            let victim = if by_work { lightest.unwrap_or(session) } else { session };
            let client = |session: &u64| self.sessions.get(session).and_then(|session| session.peer.server());
            let circle = circle.iter().filter_map(client).collect();
            if let Some(victim) = client(&victim) {
                let engine = self.engine;
                self.fact(Fact::Deadlock { victim, circle, engine, by_work });
            }
            self.fail(victim, Problem::Deadlock, "");
            if victim == session {
                return;
            }
        }
    }
}
