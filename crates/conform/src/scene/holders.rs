//! Who holds what, and who waits, as calls and callbacks tell it.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::base::ClientId;

use super::played::Line;

/// Clients by what they hold and wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct Holders {
    /// In the order of getting it.
    held: Vec<(ClientId, Rc<str>)>,
    /// Who came, and has not begun to go.
    came: BTreeSet<ClientId>,
}

impl Holders {
    /// A method is called.
    pub(super) fn called(&mut self, client: ClientId, method: &str) {
        match base(method) {
            "acquire" | "start" | "run" => drop(self.came.insert(client)),
            "release" | "release_all" | "close" | "finish" => drop(self.came.remove(&client)),
            _ => {}
        }
    }

    /// A program has closed its framework.
    pub(super) fn stopped(&mut self, client: ClientId) {
        self.came.remove(&client);
        self.held.retain(|(holder, _)| *holder != client);
    }

    /// How many wait: all that came but one.
    pub(super) fn waiting(&self) -> usize {
        self.came.len().saturating_sub(1)
    }

    /// A call returned, or a listener was called.
    pub(super) fn hear(&mut self, line: &Line) {
        let got_it = matches!(line.result.as_deref(), Some("ok" | "true" | "True"));
        match (line.kind, base(&line.what)) {
            ('=', "acquire" | "tryAcquire" | "acquireMany" | "tryAcquireMany") if got_it => {
                self.held.push((line.client, line.object.clone()))
            }
            ('*', "isLeader" | "takeLeadership" | "leads") => self.held.push((line.client, line.object.clone())),
            ('=', "release" | "finish") | ('*', "notLeader" | "leadershipEnds") => self.gone(line),
            ('=', "close") => self.gone(line),
            ('=', "releaseAll") => {
                self.held.retain(|(client, object)| *client != line.client || *object != line.object);
            }
            _ => {}
        }
    }

    fn gone(&mut self, line: &Line) {
        let held = self.held.iter().position(|(client, object)| *client == line.client && *object == line.object);
        if let Some(at) = held {
            self.held.remove(at);
        }
    }

    /// Who got the object first of those that hold it.
    pub(super) fn first(&self, object: &str) -> Option<ClientId> {
        self.held.iter().find(|(_, held)| **held == *object).map(|(client, _)| *client)
    }
}

/// A method without the part of the object that it belongs to.
fn base(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or(method)
}
