//! What an operator does at a server: lines as they are typed there.

use crate::base::ServerId;
use crate::daemon::Cx;
use crate::sql::engine::Variables;
use crate::sql::fact::{EndReason, Fact};

use super::Server;
use super::commit::Stage;

impl Server {
    /// Does what a line says: `promote`, `shutdown`, `state`, `kill C1`, `cancel C1`, `stop replica`, `start replica`, and settings as
    /// the engine takes them (`SET GLOBAL name = value`, `ALTER SYSTEM SET name = value`, `SELECT pg_reload_conf()`).
    pub(super) fn operate(&mut self, line: &str, cx: &mut Cx<Self>) {
        let words: Vec<&str> = line.trim().trim_end_matches(';').split_whitespace().collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
        let done = match lower.as_slice() {
            ["promote"] => self.promote(cx),
            ["shutdown"] => self.shut_down(cx),
            ["state"] => {
                cx.fact(Fact::State { replica: self.db.read_only, read_only: self.db.read_only });
                true
            }
            ["kill", _] => words.get(1).is_some_and(|name| self.end_connections(name)),
            ["cancel", _] => words.get(1).is_some_and(|name| self.cancel(name, cx)),
            ["stop", "replica" | "slave"] => self.stop_following(cx),
            ["start", "replica" | "slave"] => {
                self.follows = self.db.read_only;
                self.redial_at = None;
                self.dial_source(cx);
                self.follows
            }
            ["select", "pg_reload_conf()"] => !self.is_mariadb(),
            ["set", "global", name, "=", _] | ["alter", "system", "set", name, "=", _] => {
                let value = words.last().copied().unwrap_or_default().trim_matches('\'');
                self.set_variable(name, value, lower.first() == Some(&"alter"), cx)
            }
            _ => false,
        };
        if !done {
            cx.fact(Fact::NotOperated { line: line.chars().take(MAX_LINE).collect() });
        }
    }

    /// A setting for everybody. MariaDB forgets it with the process, PostgreSQL has it in a file.
    fn set_variable(&mut self, name: &str, value: &str, on_disk: bool, cx: &mut Cx<Self>) -> bool {
        let fits = Variables::known(self.db.engine, name) && on_disk != self.is_mariadb();
        if fits {
            self.db.variables.0.insert(name.into(), value.into());
            if on_disk {
                cx.files.settings.insert(name.into(), value.into());
            }
        }
        fits
    }

    /// A replica becomes a primary, with what it has.
    fn promote(&mut self, cx: &mut Cx<Self>) -> bool {
        let was = self.db.read_only;
        if was {
            self.stop_following(cx);
            self.db.read_only = false;
            cx.files.promoted = true;
            cx.fact(Fact::Promoted { records: cx.files.log.len() });
        }
        was
    }

    fn stop_following(&mut self, cx: &mut Cx<Self>) -> bool {
        let was = std::mem::take(&mut self.follows);
        self.redial_at = None;
        if let Some(source) = self.source.take() {
            cx.close(source);
        }
        was
    }

    /// An end in order: the log is written, then the process ends.
    fn shut_down(&mut self, cx: &mut Cx<Self>) -> bool {
        self.write_buffer(cx);
        cx.files.synced = cx.files.log.len();
        cx.exit();
        true
    }

    fn sessions_of(&self, name: &str) -> Vec<u64> {
        let client = ServerId::named(name);
        let of = |session: &crate::sql::db::Session| client.is_some() && session.peer.server() == client;
        self.db.sessions.values().filter(|session| of(session)).map(|session| session.id).collect()
    }

    /// Ends a client's connections.
    fn end_connections(&mut self, name: &str) -> bool {
        let sessions = self.sessions_of(name);
        for &session in &sessions {
            self.wait_cancelled(session);
            self.db.kill(session, EndReason::Operator);
        }
        !sessions.is_empty()
    }

    /// Ends what a client's connection is doing.
    fn cancel(&mut self, name: &str, cx: &mut Cx<Self>) -> bool {
        let sessions = self.sessions_of(name);
        for &session in &sessions {
            match self.wait_cancelled(session) {
                true => cx.fact(Fact::WaitCancelled { client: ServerId::named(name) }),
                false => self.db.cancel(session),
            }
        }
        !sessions.is_empty()
    }

    /// A commit that waits for a replica waits no more: it is committed here, and PostgreSQL remarks it.
    fn wait_cancelled(&mut self, session: u64) -> bool {
        let waits =
            |commit: &&mut super::Commit| commit.session == session && commit.stages.front() == Some(&Stage::Replica);
        let Some(commit) = self.commits.iter_mut().find(waits) else { return false };
        commit.stages.pop_front();
        if let Some(statement) = self.db.sessions.get_mut(&session).and_then(|it| it.statement.as_mut())
            && self.db.engine == crate::sql::engine::Engine::Postgres
        {
            statement.notices.push("canceling wait for synchronous replication due to user request".into());
        }
        true
    }
}

/// As much of a line as is repeated, characters.
const MAX_LINE: usize = 200;
