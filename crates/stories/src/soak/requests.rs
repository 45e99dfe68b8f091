//! Random requests: every kind, on few paths, so that clients get into each other's way.

use std::rc::Rc;

use crate::base::Prng;
use crate::wire::{Acl, AddWatchMode, AuthId, CreateMode, Perms, Request, WatcherType};

use crate::soak::swarm::pick;

const PATHS: [&str; 10] = ["/a", "/b", "/c", "/q", "/q/x", "/a/x", "/a/y", "/b/x", "/a/x/deep", "/missing"];
/// Parents of sequential znodes.
const QUEUES: [&str; 4] = ["/", "/q/", "/a/", "/q/n-"];
const MODES: [CreateMode; 10] = [
    CreateMode::Persistent,
    CreateMode::Persistent,
    CreateMode::Persistent,
    CreateMode::Ephemeral,
    CreateMode::Ephemeral,
    CreateMode::PersistentSequential,
    CreateMode::EphemeralSequential,
    CreateMode::Container,
    CreateMode::PersistentWithTtl,
    CreateMode::PersistentSequentialWithTtl,
];

/// A request.
pub(super) fn request(prng: &mut Prng) -> Request {
    let (path, watch) = (path(prng), prng.chance(1, 2));
    match prng.below(32) {
        0..=8 => part(prng),
        9..=11 => multi(prng),
        12..=16 => Request::GetData { path, watch },
        17..=20 => Request::Exists { path, watch },
        21..=24 => Request::GetChildren { path, watch, stat: prng.chance(1, 2) },
        25 => Request::Sync { path },
        26 => Request::MultiRead { ops: (0..3).map(|_| read(prng)).collect() },
        27 => Request::GetEphemerals { prefix: "/".into() },
        28 => pick_acl(prng, path),
        29 => Request::AddWatch {
            path,
            mode: pick(prng, &[AddWatchMode::Persistent, AddWatchMode::PersistentRecursive]),
        },
        30 => Request::RemoveWatches {
            path,
            kind: pick(prng, &[WatcherType::Any, WatcherType::Data, WatcherType::Children]),
        },
        _ => Request::GetAllChildrenNumber { path },
    }
}

fn path(prng: &mut Prng) -> Rc<str> {
    pick(prng, &PATHS).into()
}

/// A write that may stand alone or in a multi.
fn part(prng: &mut Prng) -> Request {
    let path = path(prng);
    match prng.below(10) {
        0..=4 => create(prng, path),
        5..=7 => {
            Request::SetData { path, data: Some(format!("v{}", prng.below(1_000)).into()), version: version(prng) }
        }
        _ => Request::Delete { path, version: version(prng) },
    }
}

fn create(prng: &mut Prng, path: Rc<str>) -> Request {
    let mode = pick(prng, &MODES);
    let path = if mode.is_sequential() { pick(prng, &QUEUES).into() } else { path };
    let ttl = if mode.is_ttl() { i64::from(200 + prng.below(1_800)) } else { 0 };
    let acl = match prng.chance(1, 12) {
        true => vec![readable(), Acl { perms: Perms::ALL, who: identity() }],
        false => Acl::open(),
    };
    let data = prng.chance(2, 3).then(|| "x".into());
    Request::Create { path, data, acl, mode, ttl, stat: prng.chance(1, 3), flags: None }
}

fn readable() -> Acl {
    Acl { perms: Perms::READ, who: AuthId::anyone() }
}

/// `super:man`, as clients of a random run may prove it.
fn identity() -> AuthId {
    AuthId { scheme: "digest".into(), id: "super:xQJmxLMiHGwaqBvst5y6rkB6HQs=".into() }
}

fn pick_acl(prng: &mut Prng, path: Rc<str>) -> Request {
    let own = || Acl { perms: Perms::ALL, who: AuthId { scheme: "auth".into(), id: "".into() } };
    match prng.below(4) {
        0 => Request::SetAcl { path, acl: vec![own()], version: version(prng) },
        1 | 2 => Request::SetAcl { path, acl: Acl::open(), version: -1 },
        _ => Request::GetAcl { path },
    }
}

fn version(prng: &mut Prng) -> i32 {
    match prng.chance(1, 2) {
        true => -1,
        false => prng.below(4) as i32,
    }
}

fn multi(prng: &mut Prng) -> Request {
    let one = |prng: &mut Prng| match prng.chance(1, 4) {
        true => Request::Check { path: path(prng), version: version(prng) },
        false => part(prng),
    };
    Request::Multi { ops: (0..=prng.below(3)).map(|_| one(prng)).collect() }
}

fn read(prng: &mut Prng) -> Request {
    let path = path(prng);
    match prng.chance(1, 2) {
        true => Request::GetData { path, watch: false },
        false => Request::GetChildren { path, watch: false, stat: false },
    }
}
