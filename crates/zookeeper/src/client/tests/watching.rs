//! Which Watcher hears what.

use super::*;

fn exists(path: &str) -> Request {
    Request::Exists { path: path.into(), watch: false }
}

fn children(path: &str) -> Request {
    Request::GetChildren { path: path.into(), watch: false, stat: false }
}

fn add(path: &str, mode: AddWatchMode) -> Request {
    Request::AddWatch { path: path.into(), mode }
}

fn remove(path: &str, kind: WatcherType, watcher: Option<&str>) -> Call {
    Call { watcher: watcher.map(Into::into), ..Call::new(Request::RemoveWatches { path: path.into(), kind }) }
}

fn stat() -> Outcome {
    Ok(Answer::Stat(Stat::default()))
}

fn names() -> Outcome {
    Ok(Answer::Children { names: Vec::new(), stat: None })
}

const DONE: Outcome = Ok(Answer::Done);

/// What the Watchers hear of an event.
fn hear(play: &mut Play, kind: EventType, path: &str) -> Vec<String> {
    play.said();
    play.event(kind, path);
    play.said().split_off(1)
}

#[test]
fn a_watch_is_registered_by_its_answer_and_fires_once() {
    use EventType::*;
    let mut play = Play::connected(config(1));
    for (request, outcome, kind) in [
        (get("/a"), data(), NodeDataChanged),
        (get("/a"), data(), NodeDeleted),
        (exists("/a"), stat(), NodeDataChanged),
        (exists("/a"), Err(Code::NoNode), NodeCreated),
        (children("/a"), names(), NodeChildrenChanged),
        (children("/a"), names(), NodeDeleted),
    ] {
        play.done(watched(request, "w"), outcome);
        assert_eq!(hear(&mut play, kind, "/a"), [format!("w hears {kind:?} /a")]);
        assert!(hear(&mut play, kind, "/a").is_empty());
    }
    for request in [get("/a"), children("/a")] {
        play.done(watched(request, "w"), Err(Code::NoNode));
    }
    play.done(watched(exists("/a"), "w"), Err(Code::NoAuth));
    play.done(Call::new(get("/a")), data());
    for kind in [NodeCreated, NodeDataChanged, NodeChildrenChanged, NodeDeleted] {
        assert!(hear(&mut play, kind, "/a").is_empty(), "{kind:?}");
    }
}

#[test]
fn a_watch_flag_means_the_default_watcher() {
    let mut play = Play::connected(config(1));
    play.done(Call::new(Request::GetData { path: "/a".into(), watch: true }), data());
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/a"), ["default hears NodeDataChanged /a"]);
    play.done(Call::new(add("/a", AddWatchMode::Persistent)), DONE);
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/a"), ["default hears NodeDataChanged /a"]);
}

#[test]
fn one_watcher_set_three_ways_hears_once_and_several_by_name() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w2"), data());
    play.done(watched(exists("/x"), "w2"), stat());
    play.done(watched(children("/x"), "w2"), names());
    play.done(watched(children("/x"), "w1"), names());
    assert_eq!(hear(&mut play, EventType::NodeDeleted, "/x"), ["w1 hears NodeDeleted /x", "w2 hears NodeDeleted /x"]);
}

#[test]
fn persistent_watches_stay_and_recursive_ones_see_below() {
    use EventType::*;
    let mut play = Play::connected(config(1));
    play.done(watched(add("/a", AddWatchMode::Persistent), "p"), DONE);
    play.done(watched(add("/a", AddWatchMode::PersistentRecursive), "r"), Err(Code::NoNode));
    play.done(watched(add("/", AddWatchMode::PersistentRecursive), "root"), DONE);
    for _ in 0..2 {
        let heard = ["p hears NodeDeleted /a", "r hears NodeDeleted /a", "root hears NodeDeleted /a"];
        assert_eq!(hear(&mut play, NodeDeleted, "/a"), heard);
    }
    assert_eq!(hear(&mut play, NodeChildrenChanged, "/a"), ["p hears NodeChildrenChanged /a"]);
    let below = ["r hears NodeCreated /a/b/c", "root hears NodeCreated /a/b/c"];
    assert_eq!(hear(&mut play, NodeCreated, "/a/b/c"), below);
    assert_eq!(hear(&mut play, NodeCreated, "/ab"), ["root hears NodeCreated /ab"]);
    play.done(watched(get("/a"), "p"), data());
    let once = ["p hears NodeDataChanged /a", "r hears NodeDataChanged /a", "root hears NodeDataChanged /a"];
    assert_eq!(hear(&mut play, NodeDataChanged, "/a"), once);
}

#[test]
fn every_watcher_hears_of_the_connection_once() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w1"), data());
    play.done(watched(children("/"), "w2"), names());
    play.done(watched(exists("/no"), "w3"), Err(Code::NoNode));
    play.done(watched(exists("/no"), "a"), Err(Code::NoNode));
    play.done(Call::new(add("/x", AddWatchMode::Persistent)), DONE);
    play.said();
    play.hang_up();
    play.fire();
    play.refuse();
    play.fire();
    play.welcome();
    let heard: Vec<String> = play.said().into_iter().filter(|line| line.contains("hears")).collect();
    let everybody = |state: &str| ["default", "a", "w1", "w2", "w3"].map(|name| format!("{name} hears {state}"));
    assert_eq!(heard, [everybody("Disconnected"), everybody("SyncConnected")].concat());
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/x").len(), 2, "nothing was used up");
}

#[test]
fn watches_are_set_again_with_the_last_zxid_of_an_answer() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/d"), "w"), data());
    play.done(watched(exists("/e"), "w"), Err(Code::NoNode));
    play.done(watched(children("/c"), "w"), names());
    play.done(watched(add("/p", AddWatchMode::Persistent), "w"), DONE);
    play.done(watched(add("/r", AddWatchMode::PersistentRecursive), "w"), DONE);
    play.done(watched(get("/gone"), "w"), data());
    play.event(EventType::NodeDeleted, "/gone");
    play.call(watched(get("/unheard"), "w"));
    play.hang_up();
    play.fire();
    play.welcome();
    let lines = play.said();
    assert_eq!(lines.last().map(String::as_str), Some("> 8 setWatches 1:5 /d|/e|/c|/p|/r"));
    play.reply(8, 6, DONE);
    play.says(&[]);
}

#[test]
fn a_watcher_is_removed_by_name_and_the_server_keeps_its_watch() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w1"), data());
    play.done(watched(get("/x"), "w2"), data());
    play.said();
    play.done(remove("/x", WatcherType::Data, Some("w1")), DONE);
    play.says(&[
        "call 3: removeWatches /x",
        "> 3 checkWatches /x",
        "w1 hears DataWatchRemoved /x",
        "answer 3 1:5: Done",
    ]);
    play.done(remove("/x", WatcherType::Data, Some("w2")), DONE);
    play.says(&[
        "call 4: removeWatches /x",
        "> 4 checkWatches /x",
        "w2 hears DataWatchRemoved /x",
        "answer 4 1:5: Done",
    ]);
    assert!(hear(&mut play, EventType::NodeDataChanged, "/x").is_empty());
}

#[test]
fn the_server_keeps_its_watch_for_one_that_is_being_set() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w1"), data());
    play.call(watched(get("/x"), "w2"));
    play.said();
    play.call(remove("/x", WatcherType::Data, Some("w1")));
    play.says(&["call 3: removeWatches /x", "> 3 checkWatches /x"]);
    play.reply(2, 5, data());
    play.reply(3, 5, DONE);
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/x"), ["w2 hears NodeDataChanged /x"]);
}

#[test]
fn any_removes_all_of_one_watcher_or_of_all() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w1"), data());
    play.done(watched(children("/x"), "w1"), names());
    play.said();
    play.done(remove("/x", WatcherType::Any, Some("w1")), DONE);
    play.says(&[
        "call 3: removeWatches /x",
        "> 3 checkWatches /x",
        "w1 hears ChildWatchRemoved /x",
        "w1 hears DataWatchRemoved /x",
        "answer 3 1:5: Done",
    ]);
    play.done(watched(get("/x"), "w1"), data());
    play.done(watched(exists("/x"), "w2"), stat());
    play.done(watched(children("/x"), "w3"), names());
    play.done(watched(add("/x", AddWatchMode::Persistent), "w4"), DONE);
    play.said();
    play.done(remove("/x", WatcherType::Any, None), DONE);
    play.says(&[
        "call 8: removeWatches /x",
        "> 8 removeWatches /x",
        "w1 hears DataWatchRemoved /x",
        "w2 hears DataWatchRemoved /x",
        "w3 hears ChildWatchRemoved /x",
        "w4 hears PersistentWatchRemoved /x",
        "answer 8 1:5: Done",
    ]);
}

#[test]
fn data_and_children_leave_persistent_watches_alone() {
    let mut play = Play::connected(config(1));
    play.done(watched(add("/x", AddWatchMode::Persistent), "p"), DONE);
    play.done(watched(get("/x"), "w"), data());
    play.done(remove("/x", WatcherType::Data, None), DONE);
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/x"), ["p hears NodeDataChanged /x"]);
}

#[test]
fn what_is_not_there_is_not_removed() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w1"), data());
    play.said();
    play.done(remove("/x", WatcherType::Any, Some("w2")), DONE);
    play.says(&["call 2: removeWatches /x", "> 2 checkWatches /x", "answer 2 1:5: NoWatcher"]);
    play.done(remove("/y", WatcherType::Any, None), Err(Code::NoWatcher));
    play.says(&["call 3: removeWatches /y", "> 3 removeWatches /y", "answer 3 1:5: NoWatcher"]);
    play.call(remove("/x", WatcherType::Children, Some("w1")));
    play.hang_up();
    play.says(&[
        "call 4: removeWatches /x",
        "> 4 checkWatches /x",
        "disconnected S1 ServerClosed",
        "answer 4: NoWatcher",
        "default hears Disconnected",
        "w1 hears Disconnected",
    ]);
}

#[test]
fn a_watcher_that_is_being_set_can_be_removed() {
    let mut play = Play::connected(config(1));
    play.call(watched(get("/x"), "w"));
    play.call(remove("/x", WatcherType::Data, Some("w")));
    play.said();
    play.reply(1, 5, data());
    play.reply(2, 5, DONE);
    play.says(&["answer 1 1:5: data", "w hears DataWatchRemoved /x", "answer 2 1:5: Done"]);
}

#[test]
fn persistent_watches_have_types_of_their_own() {
    let mut play = Play::connected(config(1));
    play.done(watched(add("/x", AddWatchMode::Persistent), "p"), DONE);
    play.done(watched(add("/x", AddWatchMode::PersistentRecursive), "r"), DONE);
    play.done(watched(get("/x"), "w"), data());
    play.said();
    play.done(remove("/x", WatcherType::Persistent, Some("r")), DONE);
    play.says(&["call 4: removeWatches /x", "> 4 checkWatches /x", "answer 4 1:5: NoWatcher"]);
    play.done(remove("/x", WatcherType::Persistent, None), DONE);
    play.says(&[
        "call 5: removeWatches /x",
        "> 5 removeWatches /x",
        "p hears PersistentWatchRemoved /x",
        "answer 5 1:5: Done",
    ]);
    play.done(remove("/x", WatcherType::PersistentRecursive, None), DONE);
    assert!(play.said().contains(&"r hears PersistentWatchRemoved /x".to_string()));
    assert_eq!(hear(&mut play, EventType::NodeDataChanged, "/x"), ["w hears NodeDataChanged /x"]);
}

#[test]
fn a_local_removal_needs_no_server() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w"), data());
    play.hang_up();
    play.call(remove("/x", WatcherType::Data, Some("w")));
    play.call(Call { local: true, ..remove("/x", WatcherType::Data, Some("w")) });
    play.said();
    play.fire();
    play.refuse();
    play.says(&[
        "connecting S1",
        "dial S1",
        "disconnected S1 Refused",
        "answer 2: ConnectionLoss",
        "w hears DataWatchRemoved /x Disconnected",
        "answer 3: Done",
    ]);
    play.fire();
    play.welcome();
    let lines = play.said();
    assert!(!lines.iter().any(|line| line.contains("setWatches")), "{lines:?}");
}

#[test]
fn a_local_removal_under_way_takes_the_place_of_disconnected() {
    let mut play = Play::connected(config(1));
    play.done(watched(get("/x"), "w"), data());
    play.call(Call { local: true, ..remove("/x", WatcherType::Data, Some("w")) });
    play.said();
    play.hang_up();
    play.says(&["disconnected S1 ServerClosed", "w hears DataWatchRemoved /x Disconnected", "answer 2: Done"]);
    play.fire();
    play.welcome();
    assert_eq!(play.said().last().map(String::as_str), Some("default hears SyncConnected"));
}

#[test]
fn a_wire_client_removes_what_the_server_removed() {
    let mut play = Play::connected(ClientConfig { raw: true, ..config(1) });
    play.done(watched(get("/x"), "w"), data());
    play.said();
    play.done(remove("/x", WatcherType::Any, Some("nobody")), Err(Code::NoWatcher));
    play.says(&["call 2: removeWatches /x", "> 2 removeWatches /x", "answer 2 1:5: NoWatcher"]);
    play.done(remove("/x", WatcherType::Any, None), DONE);
    play.says(&["call 3: removeWatches /x", "> 3 removeWatches /x", "answer 3 1:5: Done"]);
    assert!(hear(&mut play, EventType::NodeDataChanged, "/x").is_empty());
}
