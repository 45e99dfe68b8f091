//! What the tests of elections share.

use zabscope::base::{ClientId, ServerId};
use zabscope::client;
use zabscope::recipes::{Fact as Told, Kind, Outcome, Recipe};
use zabscope::sim::{Action, Fact};

use super::support::{Stage, call, recipe};

/// A recipe with words that change it.
pub fn with(kind: Kind, path: &str, words: &[&str]) -> Recipe {
    Recipe { with: words.iter().map(|&word| word.into()).collect(), ..recipe(kind, path) }
}

/// A recipe whose id tells the client.
pub fn named(kind: Kind, path: &str, client: u16) -> Recipe {
    Recipe { id: Some(format!("id{client}").into()), ..recipe(kind, path) }
}

/// This many clients, each with a started latch on `/latch`.
pub fn latches(clients: u16, words: &[&str]) -> Stage {
    let mut stage = Stage::new(clients);
    for client in 1..=clients {
        stage.make(client, "latch", with(Kind::LATCH, "/latch", words));
        stage.run(client, &[call("latch", "start")]);
    }
    stage
}

/// A client whose only server is this one: cut off when that one is.
pub fn open_at(stage: &mut Stage, client: u16, server: u8) {
    let (client, servers) = (ClientId(client), vec![ServerId(server)]);
    stage.act(Action::OpenClient { client, servers, timeout_ms: 4_000, chroot: None, raw: false });
    stage.pass(500);
}

pub fn crash_all(stage: &mut Stage) {
    (1..=3).for_each(|server| stage.act(Action::Crash { server: ServerId(server) }));
}

pub fn restart_all(stage: &mut Stage) {
    (1..=3).for_each(|server| stage.act(Action::Restart { server: ServerId(server) }));
}

/// The ensemble is down for longer than the sessions, its disks wiped meanwhile or not, and then up for long enough that all have new
/// ones.
pub fn outage(stage: &mut Stage, wiped: bool) {
    crash_all(stage);
    if wiped {
        (1..=3).for_each(|server| stage.act(Action::WipeDisk { server: ServerId(server) }));
    }
    stage.pass(10_000);
    restart_all(stage);
    stage.pass(15_000);
}

/// The clients that believe to lead, in the order of their gains.
pub fn leaders(stage: &Stage, path: &str) -> Vec<u16> {
    stage.holders(path).into_iter().map(|(client, _)| client).collect()
}

/// The most that ever believed it at one time.
pub fn most_leaders(stage: &Stage, path: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for record in &stage.records {
        match &record.fact {
            Fact::Program { fact: Told::Acquired { path: held, .. }, .. } if **held == *path => now += 1,
            Fact::Program { fact: Told::Released { path: held, .. }, .. } if **held == *path => now -= 1,
            _ => {}
        }
        most = most.max(now);
    }
    most
}

/// What listeners heard, over all clients: (client, callback).
pub fn callbacks(stage: &Stage) -> Vec<(u16, &'static str)> {
    let heard = |fact: &Fact| match fact {
        Fact::Program { client, fact: Told::Callback { callback, .. } } => Some((client.0, *callback)),
        _ => None,
    };
    stage.records.iter().filter_map(|record| heard(&record.fact)).collect()
}

/// How often a callback was called.
pub fn count(stage: &Stage, callback: &str) -> usize {
    callbacks(stage).iter().filter(|(_, called)| *called == callback).count()
}

/// What one client's listeners heard: callbacks and states of the connection.
pub fn heard(stage: &Stage, client: u16) -> Vec<String> {
    let heard = |fact: Told| match fact {
        Told::Callback { callback, .. } => Some(callback.to_string()),
        Told::ConnectionState { state } => Some(format!("{state:?}")),
        _ => None,
    };
    stage.told(client).into_iter().filter_map(heard).collect()
}

/// What the last call of a method came to.
pub fn last(stage: &Stage, client: u16, name: &str) -> Option<Outcome> {
    stage.told(client).into_iter().rev().find_map(|fact| match fact {
        Told::MethodReturned { method, outcome, .. } if *method == *name => Some(outcome),
        _ => None,
    })
}

/// What the last call of a method came to, as a text.
pub fn said(stage: &Stage, client: u16, name: &str) -> String {
    match last(stage, client, name) {
        Some(Ok(value)) => value.to_string(),
        Some(Err(exception)) => exception.class(),
        None => "nothing yet".into(),
    }
}

/// The names of a client's requests, from a record on.
pub fn requests(stage: &Stage, client: u16, from: usize) -> Vec<String> {
    let asked = |fact: &Fact| match fact {
        Fact::Client { client: who, fact: client::Fact::Called { request, .. } } if who.0 == client => {
            let name = format!("{request:?}");
            Some(name.split([' ', '{']).next().unwrap_or_default().to_string())
        }
        _ => None,
    };
    stage.records[from..].iter().filter_map(|record| asked(&record.fact)).collect()
}

/// Without the unique part, and without its parent.
pub fn short(node: &str) -> &str {
    let name = node.rsplit('/').next().unwrap_or(node);
    name.strip_prefix("_c_").map_or(name, |rest| &rest[37..])
}

/// The children of a path without their unique parts, in order of their numbers.
pub fn queue(stage: &Stage, path: &str) -> Vec<String> {
    let mut names: Vec<String> = stage.children(path).iter().map(|node| short(node).to_string()).collect();
    names.sort();
    names
}
