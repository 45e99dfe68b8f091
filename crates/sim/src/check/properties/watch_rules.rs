//! Watches that fire once (`zookeeperProgrammers.md`, ZooKeeper Watches): an event only for a watch that is set,
//! hence at most one; the event before anything else that the server says or applies behind the change; after a
//! reconnection exactly the events that `DataTree.java` `setWatches` sends.
//!
//! Where a server has two connections of one client at a time it is not clear whose the watches are: not judged.

use crate::base::{ClientId, ServerId};
use crate::check::evidence::{Breach, Evidence};
use crate::check::witness::{Pair, Step, Witness, after_reconnection, watches_config};
use crate::server;
use crate::sim::{Fact, Parcel, WorldFact};
use crate::wire::{Outcome, Request, ToClient, WatchedEvent};

use super::Property;

pub(super) const PROPERTY: Property = Property {
    id: "watch-rules",
    title: "Rules of watches",
    about: "A watch fires once, before the server says anything newer; after a reconnect, missed changes are reported.",
    source: "zookeeperProgrammers.md, ZooKeeper Watches; WatchManager.java, DataTree.java",
    check,
};

fn check(witness: &Witness, step: &Step) -> Option<Evidence> {
    let breach = match step.fact {
        Fact::Server { server, fact: server::Fact::WatchFired { client, zxid: Some(_), event, one_shot: true } } => {
            fired(witness, *server, *client, event)
        }
        Fact::World(WorldFact::Sent { from, to, message: Parcel::ToClient(packet), .. }) => {
            let (server, client) = (from.server()?, to.client()?);
            let pair = sure(witness, server, client)?;
            match packet {
                ToClient::Reply { xid, outcome, .. } => {
                    missing(server, client, pair).or_else(|| again(witness, server, client, pair, *xid, outcome))
                }
                _ => None,
            }
        }
        Fact::World(WorldFact::Applied { server, .. }) => {
            let mut pairs = witness.watches.at(*server).filter(|(_, pair)| pair.sure);
            pairs.find_map(|(client, pair)| missing(*server, client, pair))
        }
        _ => None,
    };
    breach.map(Evidence::Client)
}

fn sure(witness: &Witness, server: ServerId, client: ClientId) -> Option<&Pair> {
    witness.watches.pair(server, client).filter(|pair| pair.sure)
}

fn fired(witness: &Witness, server: ServerId, client: ClientId, event: &WatchedEvent) -> Option<Breach> {
    let pair = sure(witness, server, client)?;
    let path = event.path.as_ref().filter(|_| pair.used_by(event).is_empty())?.to_string();
    Some(Breach::EventWithoutWatch { server, client, path })
}

fn missing(server: ServerId, client: ClientId, pair: &Pair) -> Option<Breach> {
    let ((path, _), &zxid) = pair.due.first_key_value()?;
    Some(Breach::EventMissing { server, client, path: path.to_string(), zxid })
}

/// The answer to a setWatches: what was told before it, and what had to be.
fn again(
    witness: &Witness,
    server: ServerId,
    client: ClientId,
    pair: &Pair,
    xid: i32,
    outcome: &Outcome,
) -> Option<Breach> {
    let asked = &witness.clients.view(client)?.asked(xid)?.request;
    let Request::SetWatches(again) = asked else { return None };
    if watches_config(asked) {
        return None;
    }
    let tree = witness.histories.model(witness.server(server).memory).filter(|_| outcome.is_ok())?;
    let (right, _) = after_reconnection(again, tree);
    (right != pair.told).then_some(Breach::WrongReconnection { server, client })
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{Story, create, get};
    use crate::store::{Op, Owner};
    use crate::wire::{Answer, CreateMode, EventType, Request, SetWatches};

    fn set(version: i32) -> Op {
        Op::SetData { path: "/a".into(), data: None, version }
    }

    /// A client with a watch on the data of `/a`.
    fn watching() -> Story {
        let mut story = Story::with_client();
        story.ask(3, 1, create("/a", CreateMode::Persistent));
        let outcome = story.txn("1:2", 1, Story::created("/a", Owner::None, 1));
        let there = story.reads(&get("/a"));
        story.reply(3, 1, "1:2", outcome).ask(3, 2, get("/a")).reply(3, 2, "1:2", there);
        story
    }

    #[test]
    fn a_second_event_for_one_watch_is_seen() {
        let mut story = watching();
        let _ = story.txn("1:3", -1, set(1));
        story.fires(3, Some("1:3"), EventType::NodeDataChanged, "/a");
        let _ = story.txn("1:4", -1, set(2));
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.fires(3, Some("1:4"), EventType::NodeDataChanged, "/a");
        assert_eq!(story.violated(), ["watch-rules"]);
    }

    #[test]
    fn an_answer_before_the_event_is_seen() {
        let mut story = watching();
        let _ = story.txn("1:3", -1, set(1));
        let new = story.reads(&get("/a"));
        story.ask(3, 3, get("/a"));
        assert_eq!(story.violated(), Vec::<&str>::new());
        story.reply(3, 3, "1:3", new);
        assert_eq!(story.violated(), ["watch-rules"]);
    }

    #[test]
    fn an_event_that_never_comes_is_seen() {
        let mut story = watching();
        let _ = story.txn("1:3", -1, set(1));
        let _ = story.txn("1:4", -1, set(2));
        assert_eq!(story.violated(), ["watch-rules"]);
    }

    #[test]
    fn what_was_missed_and_is_not_told_is_seen() {
        let mut story = Story::with_client();
        let _ = story.txn("1:2", -1, Story::created("/a", Owner::None, 1));
        let again =
            |data| SetWatches { relative_zxid: "1:1".parse().expect("a zxid"), data, ..SetWatches::default() };
        story.ask(3, 1, Request::SetWatches(again(vec!["/a".into()])));
        let mut right = story.clone();
        right.fires(3, None, EventType::NodeDataChanged, "/a").reply(3, 1, "1:2", Ok(Answer::Done));
        assert_eq!(right.violated(), Vec::<&str>::new());
        story.reply(3, 1, "1:2", Ok(Answer::Done));
        assert_eq!(story.violated(), ["watch-rules"]);
    }
}
