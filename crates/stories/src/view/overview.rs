//! What the whole is for, at a glance: programs that agree through a small tree, and the servers that keep it.

use crate::base::{ClientId, ServerId, SortedSet};
use crate::client;
use crate::sim::{Fact, World};
use crate::store::Tree;
use crate::timeline::RunSummary;

use super::figure::Store;
use super::standing::newest;

/// A program, and what it did last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Which client it is.
    pub client: ClientId,
    /// Whether it wrote, and the name of the node; none where it did nothing yet.
    pub deed: Option<(bool, String)>,
}

/// A node below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The last part of its path.
    pub name: String,
    /// Its data.
    pub data: String,
    /// Whether its data were set again since it was made.
    pub written: bool,
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// Who uses the tree.
    pub users: Vec<User>,
    /// The nodes, each after its parent.
    pub nodes: Vec<Kept>,
    /// The servers, and the data of the nodes there, none of one that is not; none of a server that is down.
    pub keepers: Vec<(ServerId, Option<Vec<Option<String>>>)>,
}

impl Overview {
    /// Where a run stands.
    pub fn of(world: &World, summary: &RunSummary) -> Overview {
        let mut leaves = Store::of(world, summary, (&[], &SortedSet::default())).leaves;
        leaves.retain(|leaf| leaf.there && leaf.path.len() > 1);
        let data = |path: &str, tree: &Tree| {
            Some(tree.get(path)?.data.as_ref().map_or(String::new(), |data| data.shown().into_owned()))
        };
        let users = world.clients.keys().map(|client| User { client: *client, deed: deed(*client, summary) });
        let keepers = world.processes.values().map(|process| {
            let tree = process.server().map(|memory| &memory.tree);
            (process.id, tree.map(|tree| leaves.iter().map(|leaf| data(&leaf.path, tree)).collect()))
        });
        let newest = newest(world);
        let node = |leaf: &super::figure::Leaf| Kept {
            name: leaf.name.clone(),
            data: newest.and_then(|tree| data(&leaf.path, tree)).unwrap_or_default(),
            written: leaf.version > 0,
        };
        Overview { users: users.collect(), nodes: leaves.iter().map(node).collect(), keepers: keepers.collect() }
    }

    /// Whether a server is down and those that are up lack nothing.
    pub fn survives(&self) -> bool {
        let whole = |has: &Option<Vec<_>>| has.iter().flatten().all(Option::<String>::is_some);
        let down = self.keepers.iter().any(|(_, has)| has.is_none());
        !self.nodes.is_empty() && down && self.keepers.iter().all(|(_, has)| whole(has))
    }
}

/// What a client asked for last: whether that wrote, and the last part of the path.
fn deed(client: ClientId, summary: &RunSummary) -> Option<(bool, String)> {
    summary.told().find_map(|record| match &record.fact {
        Fact::Client { client: own, fact: client::Fact::Called { request, .. } } if *own == client => {
            Some((request.is_write(), request.path().rsplit('/').next().unwrap_or_default().to_string()))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::lessons::{DryRun, lesson};
    use crate::timeline::Session;
    use crate::view::lesson::Guide;

    #[test]
    fn the_first_picture_is_what_the_run_has() {
        let guide = Guide::new(Rc::new(DryRun::new(&lesson("first-minute").unwrap(), None).unwrap().play().unwrap()));
        let mut session = Session::new(crate::sim::Run::clone(&guide.run()), None).unwrap();
        session.seek_event(guide.place().events).unwrap();
        let view = Overview::of(session.world(), session.run_summary());
        let deeds: Vec<_> = view.users.iter().filter_map(|user| user.deed.clone()).collect();
        assert_eq!(deeds, [(true, "prices".to_string()), (false, "in-charge".to_string())]);
        let nodes: Vec<_> = view.nodes.iter().map(|node| (&*node.name, &*node.data, node.written)).collect();
        assert_eq!(nodes, [("shop", "", false), ("in-charge", "C1", false), ("prices", "v7", true)]);
        let has = |data: &str| Some(data.to_string());
        let whole = Some(vec![has(""), has("C1"), has("v7")]);
        assert_eq!(view.keepers.iter().filter(|(_, has)| *has == whole).count(), 2);
        assert!(view.survives() && view.keepers.iter().any(|(_, has)| has.is_none()));
        // before anything was made nothing is kept
        session.seek_event(0).unwrap();
        let bare = Overview::of(session.world(), session.run_summary());
        assert!(bare.nodes.is_empty() && !bare.survives());
    }
}
