//! A real disk as the simulation's: the same transactions, the same snapshots, the same epochs.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use zabscope_ground::base::{Epoch, SessionId, Zxid};
use zabscope_ground::wire::{Acl, Code, Data};
use zabscope_zookeeper::server::{Files, Snapshot};
use zabscope_zookeeper::store::{Op, Owner, Tree, Txn, Znode};
use zabscope_zookeeper::zab::{Members, Payload, Proposal};

use crate::content::Room;
use crate::disk::Disk;
use crate::image::{Image, Node, session_of};
use crate::load::Loaded;
use crate::record::{AclBytes, Body, CONTAINER, Record, TTL, kind};

/// A server's files for the simulation.
pub(super) fn files(disk: &Disk, loaded: &Loaded, members: Members, room: Room) -> Files {
    let config = members.to_string();
    let epoch = |epoch: Option<u64>| epoch.and_then(|epoch| Epoch::try_from(epoch).ok());
    let valid = disk.snapshots.iter().filter(|snapshot| snapshot.is_valid);
    let snapshots: Vec<Snapshot> = valid
        .filter_map(|snapshot| {
            let image = snapshot.load(room).ok()?;
            // below its name where it was written at the start of an epoch, above it where transactions went on meanwhile
            let last = snapshot.about.said().map_or(snapshot.name, |(zxid, _)| zxid);
            Some(Snapshot { zxid: snapshot.name, state: tree(&image, &config, last), written: None })
        })
        .collect();
    let mut sessions = Ephemerals::default();
    let records = disk.logs.iter().flat_map(|log| log.entries.iter().filter_map(|entry| log.record(entry)));
    let log: Vec<Proposal> = records.map(|record| proposal(&record, &mut sessions)).collect();
    let first = log.first().map(|first| first.zxid);
    Files {
        accepted_epoch: epoch(disk.accepted_epoch).unwrap_or(loaded.last.epoch()),
        current_epoch: epoch(disk.current_epoch).unwrap_or(loaded.last.epoch()),
        snapshots,
        log_start: first.map_or(Zxid::ZERO, |first| match first.counter() {
            0 | 1 => Zxid::ZERO,
            counter => Zxid::new(first.epoch(), counter - 1),
        }),
        log_files: disk.logs.iter().filter_map(|log| log.entries.first()).map(|entry| entry.zxid).collect(),
        log: log.into_iter().collect(),
        config: Some(members.into()),
        ..Files::default()
    }
}

fn data(bytes: Option<&[u8]>) -> Data {
    bytes.map(|bytes| bytes.to_vec().into())
}

fn owner(owner: u64) -> Owner {
    match owner {
        0 => Owner::None,
        CONTAINER => Owner::Container,
        _ => session_of(owner).map_or(Owner::Ttl((owner & !TTL).cast_signed()), Owner::Session),
    }
}

fn tree(image: &Image, config: &str, last: Zxid) -> Tree {
    let znode = |(path, node): (&str, &Node)| {
        let stat = &node.stat;
        let mut znode =
            Znode::new(data(node.data.as_deref()), image.acl(node).into(), owner(stat.owner), stat.czxid, stat.ctime);
        (znode.mzxid, znode.mtime, znode.pzxid) = (stat.mzxid, stat.mtime, stat.pzxid);
        (znode.version, znode.cversion, znode.aversion) = (stat.version, stat.cversion, stat.aversion);
        (Rc::from(path), znode)
    };
    let sessions = image.sessions().map(|(session, timeout)| (session, timeout.unsigned_abs()));
    Tree::new(config).restored(image.nodes().into_iter().map(znode), sessions, last)
}

/// Which ephemerals each session has, for ends of sessions that do not say it.
#[derive(Default)]
struct Ephemerals(BTreeMap<SessionId, BTreeSet<Rc<str>>>);

fn proposal(record: &Record, ephemerals: &mut Ephemerals) -> Proposal {
    let op = op(&record.body, record.kind, record.session, ephemerals);
    let txn = Txn { session: record.session, cxid: record.cxid, time: record.time, op };
    Proposal { zxid: record.zxid, payload: Payload::from(txn) }
}

fn acl(bytes: AclBytes) -> Rc<[Acl]> {
    crate::image::acl_of(bytes.0).unwrap_or_default().into()
}

fn op(body: &Body, kind: i32, session: SessionId, ephemerals: &mut Ephemerals) -> Op {
    let code = |number: i32| Code::of_number(number).unwrap_or(Code::SystemError);
    match body {
        Body::CreateSession { timeout } => Op::CreateSession { timeout_ms: timeout.unsigned_abs() },
        Body::CloseSession { paths } => {
            let known = ephemerals.0.remove(&session).unwrap_or_default();
            let said = paths.as_ref().map(|paths| paths.iter().map(|path| Rc::from(&**path)).collect());
            Op::CloseSession { paths: said.unwrap_or_else(|| known.into_iter().collect()) }
        }
        Body::Create { path, data: bytes, acl: list, owner: of, parent_cversion } => {
            let path: Rc<str> = Rc::from(&**path);
            if let Some(session) = session_of(*of) {
                ephemerals.0.entry(session).or_default().insert(path.clone());
            }
            Op::Create {
                path,
                data: data(*bytes),
                acl: acl(*list),
                owner: owner(*of),
                parent_cversion: parent_cversion.unwrap_or(0),
                with_stat: kind != kind::CREATE,
            }
        }
        Body::Delete { path } => Op::Delete { path: Rc::from(&**path) },
        Body::SetData { data: bytes, .. } if kind == kind::RECONFIG => {
            Op::Reconfig { config: String::from_utf8_lossy(bytes.unwrap_or_default()).into() }
        }
        Body::SetData { path, data: bytes, version } => {
            Op::SetData { path: Rc::from(&**path), data: data(*bytes), version: *version }
        }
        Body::SetAcl { path, acl: list, version } => {
            Op::SetAcl { path: Rc::from(&**path), acl: acl(*list), version: *version }
        }
        Body::Check { path, .. } => Op::Check { path: Rc::from(&**path) },
        Body::Multi(parts) if parts.iter().any(|(_, part)| matches!(part, Body::Error(_))) => {
            let of = |(_, part): &(i32, Body)| if let Body::Error(number) = part { code(*number) } else { Code::Ok };
            Op::FailedMulti(parts.iter().map(of).collect())
        }
        Body::Multi(parts) => {
            Op::Multi(parts.iter().map(|(kind, part)| op(part, *kind, session, ephemerals)).collect())
        }
        Body::Error(number) => Op::Error(code(*number)),
    }
}
