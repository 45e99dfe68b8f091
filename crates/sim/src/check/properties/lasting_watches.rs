//! Watches that stay (`zookeeperProgrammers.md`, Persistent, Recursive Watches; `WatchManager.java`, `DataTree.java`): while
//! the connection lives each change is told, in the order of the changes, once, and before anything newer. A watch that fires
//! once and sees the same change is told in the same event.

use crate::base::{ClientId, ServerId};
use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Pair, Step, Witness, owes};
use crate::server;
use crate::sim::{Fact, Parcel, WorldFact};
use crate::wire::{ToClient, WatchedEvent};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "lasting-watches",
    title: "Watches that stay",
    about: "A persistent watch reports every change once, in order, as long as its connection lives.",
    source: "zookeeperProgrammers.md, Persistent, Recursive Watches; WatchManager.java, DataTree.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let breach = match step.fact {
        Fact::Server { server, fact: server::Fact::WatchFired { client, zxid: Some(_), event, one_shot } } => {
            let pair = witness.watches.pair(*server, *client).filter(|pair| pair.sure)?;
            fired(*server, *client, pair, event, *one_shot)
        }
        Fact::World(WorldFact::Sent { from, to, message: Parcel::ToClient(ToClient::Reply { .. }), .. }) => {
            let (server, client) = (from.server()?, to.client()?);
            missing(server, client, witness.watches.pair(server, client).filter(|pair| pair.sure)?)
        }
        Fact::World(WorldFact::Applied { server, .. }) => {
            let mut pairs = witness.watches.at(*server).filter(|(_, pair)| pair.sure);
            pairs.find_map(|(client, pair)| missing(*server, client, pair))
        }
        _ => None,
    };
    breach.map(Evidence::Client)
}

fn fired(server: ServerId, client: ClientId, pair: &Pair, event: &WatchedEvent, one_shot: bool) -> Option<Breach> {
    if pair.owed.front().is_some_and(|owed| owes(owed, event)) {
        return None;
    }
    if pair.owed.iter().any(|owed| owes(owed, event)) {
        return missing(server, client, pair);
    }
    let path = event.path.as_ref().filter(|_| !one_shot)?.to_string();
    Some(Breach::EventWithoutWatch { server, client, path })
}

fn missing(server: ServerId, client: ClientId, pair: &Pair) -> Option<Breach> {
    let (_, path, zxid) = pair.owed.front()?;
    Some(Breach::EventMissing { server, client, path: path.to_string(), zxid: *zxid })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, get};
    use crate::store::{Op, Owner};
    use crate::wire::{AddWatchMode, Answer, EventType, Request};

    fn set(path: &str, version: i32) -> Op {
        Op::SetData { path: path.into(), data: None, version }
    }

    /// A client with a watch on `/a` that stays.
    fn watching(mode: AddWatchMode) -> Story {
        let mut story = Story::with_client();
        let _ = story.txn("1:2", -1, Story::created("/a", Owner::None, 1));
        story.ask(3, 1, Request::AddWatch { path: "/a".into(), mode }).reply(3, 1, "1:2", Ok(Answer::Done));
        story
    }

    #[test]
    fn every_change_is_told_once_and_in_order() {
        let mut story = watching(AddWatchMode::Persistent);
        let _ = story.txn("1:3", -1, set("/a", 1));
        story.stays(3, "1:3", EventType::NodeDataChanged, "/a");
        let _ = story.txn("1:4", -1, set("/a", 2));
        let mut twice = story.clone();
        story.ask(3, 2, get("/a"));
        assert_eq!(story.violated(), Vec::<&str>::new());
        let there = story.reads(&get("/a"));
        story.reply(3, 2, "1:4", there);
        assert_eq!(story.violated(), ["lasting-watches"], "the second change was not told");
        twice.stays(3, "1:4", EventType::NodeDataChanged, "/a");
        assert_eq!(twice.violated(), Vec::<&str>::new());
        twice.stays(3, "1:4", EventType::NodeDataChanged, "/a");
        assert_eq!(twice.violated(), ["lasting-watches"], "the second change was told twice");
    }

    #[test]
    fn a_recursive_watch_sees_what_is_below_in_order() {
        let mut story = watching(AddWatchMode::PersistentRecursive);
        let both = vec![Story::created("/a/b", Owner::None, 1), set("/a/b", 1)];
        let _ = story.txn("1:3", -1, Op::Multi(both));
        let mut right = story.clone();
        right.stays(3, "1:3", EventType::NodeCreated, "/a/b").stays(3, "1:3", EventType::NodeDataChanged, "/a/b");
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.stays(3, "1:3", EventType::NodeDataChanged, "/a/b");
        assert_eq!(story.violated(), ["lasting-watches"]);
    }
}
