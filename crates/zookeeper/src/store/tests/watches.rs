//! The trigger table.

use super::*;
use crate::base::ConnId;
use crate::store::{WatchMode, Watches};
use crate::wire::{EventType, SetWatches, WatcherType};

const CONN: ConnId = ConnId(1);

/// What the request fires at the one connection, as `event path`.
fn fired(bench: &mut Bench, watches: &mut Watches, request: Request) -> Vec<String> {
    let effect = bench.submit(Body::Client(request));
    let fired = effect.changes.iter().flat_map(|change| watches.fire(change)).collect::<Vec<_>>();
    fired
        .iter()
        .map(|fired| format!("{:?} {}", fired.event.kind, fired.event.path.as_deref().unwrap_or("")))
        .collect()
}

fn with(modes: &[(&str, WatchMode)]) -> Watches {
    let mut watches = Watches::default();
    modes.iter().for_each(|(path, mode)| watches.add(&Rc::from(*path), CONN, *mode));
    watches
}

#[test]
fn a_watch_fires_once_and_only_for_its_own() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let mut watches = with(&[("/a", WatchMode::Data), ("/a", WatchMode::Child), ("/b", WatchMode::Data)]);
    assert_eq!(fired(&mut bench, &mut watches, set("/a", "1", -1)), ["NodeDataChanged /a"]);
    assert!(fired(&mut bench, &mut watches, set("/a", "2", -1)).is_empty());
    assert_eq!(fired(&mut bench, &mut watches, persistent("/a/c")), ["NodeChildrenChanged /a"]);
    assert_eq!(fired(&mut bench, &mut watches, persistent("/b")), ["NodeCreated /b"]);
    assert_eq!(watches.iter().count(), 0);
}

#[test]
fn one_deletion_is_told_once_to_one_connection() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let mut watches = with(&[("/a", WatchMode::Data), ("/a", WatchMode::Child), ("/", WatchMode::Child)]);
    let events = fired(&mut bench, &mut watches, delete("/a", -1));
    assert_eq!(events, ["NodeDeleted /a", "NodeChildrenChanged /"]);
    assert_eq!(watches.iter().count(), 0, "both are used up");
}

#[test]
fn a_recursive_watch_stays_and_sees_the_subtree_without_children_events() {
    let mut bench = Bench::new();
    bench.ask(persistent("/a")).unwrap();
    let mut watches = with(&[("/a", WatchMode::Recursive)]);
    assert_eq!(fired(&mut bench, &mut watches, persistent("/a/b")), ["NodeCreated /a/b"]);
    assert_eq!(fired(&mut bench, &mut watches, set("/a/b", "1", -1)), ["NodeDataChanged /a/b"]);
    assert_eq!(fired(&mut bench, &mut watches, set("/a", "1", -1)), ["NodeDataChanged /a"]);
    assert!(fired(&mut bench, &mut watches, persistent("/ab")).is_empty(), "a prefix is no ancestor");
    assert!(!watches.remove("/a", CONN, WatcherType::Data), "Data does not mean persistent ones");
    assert!(watches.remove("/a", CONN, WatcherType::Any));
}

#[test]
fn lasting_watches_have_types_of_their_own() {
    use WatcherType::*;
    let mut watches = with(&[("/a", WatchMode::Recursive), ("/a", WatchMode::Persistent), ("/a", WatchMode::Data)]);
    assert!(watches.remove("/a", CONN, Persistent) && !watches.has("/a", CONN, Persistent));
    assert!(watches.has("/a", CONN, PersistentRecursive) && watches.has("/a", CONN, Data));
    assert!(watches.remove("/a", CONN, PersistentRecursive) && !watches.remove("/a", CONN, PersistentRecursive));
    assert_eq!(watches.iter().map(|(_, _, mode)| mode).collect::<Vec<_>>(), [WatchMode::Data]);
}

#[test]
fn whoever_comes_back_hears_what_was_missed() {
    let mut bench = Bench::new();
    for path in ["/same", "/changed", "/gone", "/born"] {
        bench.ask(persistent(path)).unwrap();
    }
    let seen = bench.tree.last;
    bench.ask(set("/changed", "1", -1)).unwrap();
    bench.ask(delete("/gone", -1)).unwrap();
    let paths = |paths: &[&str]| paths.iter().map(|&path| Rc::from(path)).collect::<Vec<Rc<str>>>();
    let again = SetWatches {
        relative_zxid: seen,
        data: paths(&["/changed", "/gone", "/same"]),
        exist: paths(&["/born", "/never"]),
        child: paths(&["/"]),
        ..SetWatches::default()
    };
    let mut watches = Watches::default();
    let told = watches.set_again(CONN, &again, &bench.tree);
    let kinds: Vec<EventType> = told.iter().map(|fired| fired.event.kind).collect();
    use EventType::*;
    assert_eq!(kinds, [NodeDataChanged, NodeDeleted, NodeCreated, NodeChildrenChanged]);
    assert_eq!(watches.iter().count(), 2, "/same and /never wait on");
}

#[test]
fn a_connection_that_is_gone_leaves_no_watch() {
    let mut bench = Bench::new();
    let mut watches = with(&[("/a", WatchMode::Data), ("/b", WatchMode::Recursive), ("/b", WatchMode::Child)]);
    watches.add(&Rc::from("/a"), ConnId(2), WatchMode::Data);
    watches.forget(CONN);
    let left: Vec<_> = watches.iter().collect();
    assert!(left.len() == 1 && watches.at("/a").eq([(ConnId(2), WatchMode::Data)]), "{left:?}");
    assert!(fired(&mut bench, &mut watches, persistent("/b")).is_empty());
}

#[test]
fn only_child_watches_are_in_one_table_and_lasting_ones_stay() {
    use WatchMode::*;
    let modes = [Data, Child, Persistent, Recursive];
    assert_eq!(modes.map(WatchMode::is_child), [false, true, false, false]);
    assert_eq!(modes.map(WatchMode::is_one_shot), [true, true, false, false]);
}
