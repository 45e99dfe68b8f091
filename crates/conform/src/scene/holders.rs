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
    /// Who is giving something back: it is nobody's to give back a second time.
    leaving: Vec<(ClientId, Rc<str>)>,
}

impl Holders {
    /// A method is called.
    pub(super) fn called(&mut self, client: ClientId, object: &Rc<str>, method: &str) {
        if matches!(base(method), "release" | "finish") {
            self.leaving.push((client, object.clone()));
        }
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
        self.leaving.retain(|(leaver, _)| *leaver != client);
    }

    /// How many wait: all that came but one.
    pub(super) fn waiting(&self) -> usize {
        self.came.len().saturating_sub(1)
    }

    /// A call returned, or a listener was called.
    pub(super) fn hear(&mut self, line: &Line) {
        if line.kind == '=' && matches!(base(&line.what), "release" | "finish") {
            let is_it = |(client, object): &(ClientId, Rc<str>)| *client == line.client && *object == line.object;
            let left = self.leaving.iter().position(is_it);
            left.map(|at| self.leaving.remove(at));
        }
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

    /// Who got the object first of those that hold it and are not giving it back.
    pub(super) fn first(&self, object: &str) -> Option<ClientId> {
        let mut leaving = self.leaving.clone();
        let stays = |holder: &&(ClientId, Rc<str>)| match leaving.iter().position(|leaver| leaver == *holder) {
            Some(at) => {
                leaving.remove(at);
                false
            }
            None => *holder.1 == *object,
        };
        self.held.iter().find(stays).map(|(client, _)| *client)
    }
}

/// A method without the part of the object that it belongs to.
fn base(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(client: u16, what: &str) -> Line {
        let (client, result) = (ClientId(client), Some("ok".to_string()));
        Line { client, kind: '=', object: "s".into(), what: what.into(), result }
    }

    #[test]
    fn two_that_give_back_at_once_are_two() {
        let (mut holders, object) = (Holders::default(), Rc::from("s"));
        for client in [1, 2, 1] {
            holders.hear(&line(client, "acquire"));
        }
        for holder in [Some(1), Some(2), Some(1), None] {
            let first = holders.first("s");
            assert_eq!(first, holder.map(ClientId));
            first.into_iter().for_each(|client| holders.called(client, &object, "release"));
        }
        holders.hear(&line(1, "release"));
        assert_eq!(holders.first("s"), None);
        holders.hear(&line(3, "acquire"));
        assert_eq!(holders.first("s"), Some(ClientId(3)));
    }
}
