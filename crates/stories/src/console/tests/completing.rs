//! What half-typed lines may become.

use crate::base::ServerId;
use crate::console::{Completion, Known, complete};
use crate::sim::ZkVersion;

fn names(parent: &str) -> Vec<String> {
    let names: &[&str] = match parent {
        "/" => &["zookeeper", "app", "apple"],
        "/app" => &["two words", "locks", "leader"],
        _ => &[],
    };
    names.iter().map(|name| (*name).to_string()).collect()
}

fn at(line: &str, cursor: usize) -> Completion {
    complete(line, cursor, &Known { children: &names, servers: &[ServerId(1), ServerId(2)], version: ZkVersion::V39 })
}

/// The candidates, and the line when the first is taken.
fn first(line: &str) -> (Vec<String>, String) {
    let Completion { start, candidates } = at(line, line.len());
    let taken = candidates.first().map(|candidate| format!("{}{candidate}", &line[..start]));
    (candidates, taken.unwrap_or_default())
}

#[test]
fn commands_options_and_words() {
    for (line, expected) in [
        ("ge", vec!["get", "getAcl", "getAllChildrenNumber", "getEphemerals"]),
        ("  dele", vec!["delete", "deleteall"]),
        ("LS", vec![]),
        ("foo ", vec![]),
        ("setq", vec!["setquota"]),
        ("ls -", vec!["-?", "-R", "-s", "-w"]),
        ("ls -s -R", vec!["-R"]),
        ("addWatch -m P", vec!["PERSISTENT", "PERSISTENT_RECURSIVE"]),
        ("addWatch -m PERSISTENT ", vec!["/"]),
        ("set -v ", vec![]),
        ("set -v 1 ", vec!["/"]),
        ("set /app ", vec![]),
        ("ls ", vec!["/"]),
        ("ls /app ", vec![]),
        ("connect ", vec!["S1", "S2"]),
        ("printwatches o", vec!["off", "on"]),
        ("help hi", vec!["history"]),
        ("addauth ", vec!["digest"]),
        ("addauth digest ", vec![]),
        ("close ", vec![]),
        ("echo i", vec!["isro"]),
        ("echo isro ", vec!["|"]),
        ("echo isro | nc ", vec!["S1", "S2"]),
    ] {
        assert_eq!(first(line).0, expected, "{line}");
    }
}

#[test]
fn paths_grow_name_by_name() {
    for (line, expected) in [
        ("ls /", "ls /app"),
        ("ls /z", "ls /zookeeper"),
        ("get -s /app/lo", "get -s /app/locks"),
        ("get -s \"/app/two w", "get -s \"/app/two words"),
        ("create -e -s /app/le", "create -e -s /app/leader"),
        ("deleteall '/app'/x", ""),
        ("ls /none/", ""),
        ("ls app", ""),
    ] {
        assert_eq!(first(line).1, expected, "{line}");
    }
    assert_eq!(first("ls /app").0, ["app", "apple"]);
    assert_eq!(at("ls /app", 7).common(), "app");
    assert_eq!(at("ls /app/", 8).common(), "l".repeat(0), "leader, locks, two words");
    assert_eq!(at("ls /app/l", 9).common(), "l");
    assert_eq!(Completion { start: 0, candidates: vec!["é1".into(), "é2".into()] }.common(), "é");
}

#[test]
fn the_cursor_may_stand_anywhere() {
    assert_eq!(at("ge /app", 2).candidates.len(), 4);
    assert_eq!(at("ls /é", 5), at("ls /é", 4), "not inside a character");
    assert_eq!(at("ls /", 99), at("ls /", 4));
    assert!(at("", 0).candidates.contains(&"ls".to_string()));
    assert_eq!(at(&"x".repeat(1 << 20), 5), Completion::default());
}
