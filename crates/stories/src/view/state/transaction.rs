//! A transaction: what it is, and how far it has come at each server.

use crate::base::Zxid;
use crate::base::rows::{Heading, NONE, Refers, Rows, names};
use crate::sim::{Process, World};
use crate::zab::{Payload, Role};

use super::Sheet;

pub(super) fn sheet(world: &World, zxid: Zxid) -> Option<Sheet> {
    let payload = world.processes.values().find_map(|process| payload(process, zxid));
    let mut sheet = Sheet::default();
    let group = sheet.group(Heading::Transaction, |rows| {
        rows.put("epoch", &zxid.epoch());
        rows.put("counter", &zxid.counter());
        rows.put("text", &payload.map_or(NONE.to_string(), |payload| payload.text.to_string()));
        rows.put("bytes", &payload.map_or(NONE.to_string(), |payload| payload.bytes.to_string()));
        leaders(world, zxid, rows);
    });
    group.text = zxid.to_string();
    sheet.group(Heading::Copies, |rows| {
        for process in world.processes.values() {
            rows.item(&process.id, &process.id, copy(process, zxid), Some(Refers::Server(process.id)));
        }
    });
    Some(sheet)
}

/// Who has proposed it and counts, or has committed it. Two may, where a rule is broken.
fn leaders(world: &World, zxid: Zxid, rows: &mut Rows) {
    for process in world.processes.values() {
        let Some(Role::Leading(leader)) = process.server().map(|memory| &memory.peer.role) else { continue };
        let text = match leader.outstanding.get(&zxid) {
            Some(waiting) => format!("ACK {}", names(waiting.acks)),
            None if zxid <= leader.last_committed => "committed".to_string(),
            None => NONE.to_string(),
        };
        rows.item(&process.id, &format_args!("leader {}", process.id), text, Some(Refers::Server(process.id)));
    }
}

fn payload(process: &Process, zxid: Zxid) -> Option<&Payload> {
    let log = process.server().map(|memory| &memory.peer.storage.log).or(process.files().map(|files| &files.log))?;
    let mut found = log.iter().filter(|proposal| proposal.zxid == zxid);
    found.next().map(|proposal| &proposal.payload)
}

fn copy(process: &Process, zxid: Zxid) -> String {
    let Some(disk) = process.files() else { return NONE.into() };
    let imaged = disk.newest().is_some_and(|snapshot| snapshot.state.last >= zxid);
    let logged = disk.log.iter().any(|proposal| proposal.zxid == zxid);
    let mut parts = Vec::new();
    match process.server().map(|memory| (&memory.peer.storage, &memory.tree)) {
        Some((_, tree)) if tree.last >= zxid => parts.push("applied"),
        Some((storage, _)) if storage.log.iter().any(|proposal| proposal.zxid == zxid) => parts.push("queued"),
        _ => {}
    }
    parts.extend(logged.then_some("logged"));
    parts.extend((imaged && !logged).then_some("inSnapshot"));
    if parts.is_empty() { NONE.into() } else { parts.join(" · ") }
}
