//! The ready programs beside their built-in counterparts: the same requests, waits and holders at each client.
//!
//! What cannot be equal, and is left out: what nodes are called (a program finds its node again by its session or a guid that it chose),
//! whether a Stat is asked for with an answer (Curator does), how the nodes above are made, and when a request is tried again.

use std::rc::Rc;

use zabscope::base::ClientId;
use zabscope::client::Fact as Inside;
use zabscope::recipes::own::{READY, Ready};
use zabscope::recipes::{Fact as Told, Kind, Method, Recipe, Step, without_guids};
use zabscope::sim::{Action, Fact};
use zabscope::wire::CreateMode;

use crate::recipes::support::{Stage, create, recipe};

fn ready(name: &str) -> &'static Ready {
    READY.iter().find(|ready| ready.name == name).expect("a ready program")
}

fn own(name: &str, path: &str) -> Recipe {
    Recipe { with: vec![Rc::from(ready(name).text)], ..recipe(Kind::OWN, path) }
}

/// A path without what makes its node's name the client's own.
fn plain(path: &str) -> String {
    let path = without_guids(path).replace('…', "");
    match (path.find("-0x"), path.rfind('-')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &path[..from], &path[to..]),
        _ => path,
    }
}

/// What each client asked and was told, in order, since a record.
fn told(stage: &Stage, from: usize, clients: u16, above: &str) -> Vec<Vec<String>> {
    let of = |client: u16| {
        let line = |fact: &Fact| match fact {
            Fact::Client { client: who, fact: Inside::Called { request, .. } } if *who == ClientId(client) => {
                let name = request.name().trim_end_matches('2');
                // Curator asks for a node below when it makes sure that there is the one above
                let of_above = request.path() == above || request.path().strip_prefix(above) == Some("/foo");
                let makes_above = of_above && matches!(name, "create" | "exists");
                (!makes_above).then(|| format!("{name} {}", plain(request.path())))
            }
            Fact::Program { client: who, fact } if *who == ClientId(client) => match fact {
                Told::WaitsBehind { node, watched, .. } => {
                    Some(format!("waits {} for {}", plain(node), plain(watched)))
                }
                Told::Acquired { path, node, share, .. } => Some(format!("has {path} by {} {share:?}", plain(node))),
                Told::Released { path, .. } => Some(format!("let go {path}")),
                Told::Woken { .. } => Some("woken".into()),
                Told::Consumed { data, .. } => Some(format!("took {}", data.shown())),
                _ => None,
            },
            _ => None,
        };
        stage.records[from..].iter().filter_map(|record| line(&record.fact)).collect()
    };
    (1..=clients).map(of).collect()
}

/// What one of three clients calls, or that it dies, and how long time passes then.
type Play<'a> = &'a [(u16, &'a str, u64)];

fn step(method: &str) -> Step {
    let (method, data) = method.split_once(' ').map_or((method, None), |(method, data)| (method, Some(data)));
    Step::Call {
        object: "it".into(),
        method: Method { method: method.into(), timeout_ms: None, data: data.map(Rc::from) },
    }
}

/// Plays that with a recipe; `above` is there before.
fn played(recipe: &Recipe, above: Option<&str>, play: Play) -> Vec<Vec<String>> {
    let mut stage = Stage::new(3);
    if let Some(above) = above {
        stage.ask(3, create(above, "", CreateMode::Persistent));
        stage.pass(500);
    }
    stage.everybody_makes(3, "it", recipe);
    stage.pass(1_000);
    let from = stage.records.len();
    for &(client, method, ms) in play {
        match method {
            "dies" => stage.act(Action::KillClient { client: ClientId(client) }),
            _ => stage.begin(client, 1, &[step(method)]),
        }
        stage.pass(ms);
    }
    told(&stage, from, 3, above.unwrap_or_default())
}

/// Two wait behind one; it lets go, the next one dies, the last one has it.
fn lock<'a>(acquire: &'a str, release: &'a str) -> Vec<(u16, &'a str, u64)> {
    vec![
        (1, acquire, 600),
        (2, acquire, 600),
        (3, acquire, 600),
        (1, release, 900),
        (2, "dies", 8_000),
        (3, release, 900),
    ]
}

#[test]
fn locks_do_what_their_counterparts_do() {
    for (name, kind, acquire, release) in [
        ("herd-lock", Kind::WATCH_ALL_LOCK, "write.acquire", "write.release"),
        ("predecessor-lock", Kind::PREDECESSOR_LOCK, "acquire", "release"),
        ("protected-lock", Kind::MUTEX, "acquire", "release"),
    ] {
        let built_in = played(&recipe(kind, "/lock"), Some("/lock"), &lock(acquire, release));
        // the node of the lock with two halves is called after its half
        let built_in: Vec<Vec<String>> = built_in
            .into_iter()
            .map(|of| of.into_iter().map(|line| line.replace("write-", "lock-")).collect())
            .collect();
        let own = played(&own(name, "/lock"), Some("/lock"), &lock("acquire", "release"));
        assert_eq!(own, built_in, "{name}");
        assert!(own[2].iter().any(|line| line.starts_with("has /lock")), "{own:?}");
    }
}

#[test]
fn the_naive_lock_does_what_its_counterpart_does() {
    // who of those that are woken is first hangs on the links, which are the same
    let built_in = played(&recipe(Kind::NAIVE_LOCK, "/lock"), None, &lock("acquire", "release"));
    assert_eq!(played(&own("naive-lock", "/lock"), None, &lock("acquire", "release")), built_in);
}

#[test]
fn readers_and_writers_do_what_curators_do() {
    let play = |write: &'static str, read: &'static str, releases: [&'static str; 2]| {
        vec![
            (1, write, 600),
            (2, read, 600),
            (3, read, 600),
            (1, releases[0], 900),
            (2, releases[1], 600),
            (1, write, 600),
            (3, releases[1], 900),
        ]
    };
    let built_in = played(
        &recipe(Kind::READ_WRITE, "/rw"),
        Some("/rw"),
        &play("write.acquire", "read.acquire", ["write.release", "read.release"]),
    );
    assert_eq!(played(&own("read-write-lock", "/rw"), Some("/rw"), &play("write", "read", ["release"; 2])), built_in);
}

#[test]
fn the_election_does_what_the_group_of_workers_does() {
    let play = lock("start", "close");
    let built_in = played(&recipe(Kind::WORKER_GROUP, "/election"), Some("/election"), &play);
    let own = played(&own("leader-election", "/election"), Some("/election"), &play);
    // a program looks again when it is woken, and says so; the group does it in the background
    let spoken = |all: Vec<Vec<String>>| -> Vec<Vec<String>> {
        all.into_iter().map(|of| of.into_iter().filter(|line| line != "woken").collect()).collect()
    };
    assert_eq!(spoken(own), spoken(built_in));
}

#[test]
fn the_barrier_does_what_curators_does() {
    let play = [(1, "set", 600), (2, "wait", 300), (3, "wait", 600), (1, "remove", 900)];
    let built_in = played(&recipe(Kind::BARRIER, "/barrier"), None, &play);
    let own = played(&own("barrier", "/barrier"), None, &play);
    // Curator looks once more when it is woken; a program that waited until it is gone goes on
    let once = |mut all: Vec<Vec<String>>| {
        all.iter_mut().for_each(|of| of.truncate(3));
        all
    };
    assert_eq!(once(own), once(built_in));
}

#[test]
fn the_queue_does_what_curators_does() {
    let put = |put: &'static str, other: &'static str| {
        vec![(1, put, 600), (2, "take", 600), (3, "take", 600), (1, other, 900)]
    };
    let built_in = played(&recipe(Kind::SIMPLE_QUEUE, "/queue"), Some("/queue"), &put("offer a", "offer b"));
    let own = played(&own("queue", "/queue"), Some("/queue"), &put("put a", "put b"));
    assert_eq!(own, built_in);
}
