//! All that a server keeps, in memory and on disk.

use crate::base::ServerId;
use crate::base::rows::{Heading, NONE, Rows};
use crate::server::Server;
use crate::sim::{Process, World};
use crate::zab::{Leader, Learner, Role};

use super::{Sheet, Stage};

/// How many sessions, watches and the like are told of one server.
const TOLD: usize = 200;

pub(super) fn sheet(world: &World, id: ServerId) -> Option<Sheet> {
    let process = world.processes.get(&id)?;
    let memory = process.server();
    let (leader, learner) = roles(memory);
    let mut sheet = Sheet::default();
    sheet.led_by(Heading::Process, "status", |rows| process.rows(rows));
    if process.zookeeper().is_none() {
        sheet.list(Heading::Memory, |rows| process.machine.host().rows(rows));
        sheet.list(Heading::Timers, |rows| process.timer_rows(rows));
        sheet.led_by(Heading::Disk, "sync", |rows| process.disk_rows(rows));
        return Some(sheet);
    }
    sheet.led_by(Heading::Role, "serverState", |rows| match memory {
        Some(memory) => memory.peer.rows(rows),
        None => rows.put("serverState", &NONE),
    });
    let epochs = |rows: &mut Rows| epochs(process, memory, rows);
    sheet.led_by(Heading::Epochs, "currentEpoch", epochs);
    sheet.led_by(Heading::Log, "lastLoggedZxid", |rows| match memory {
        Some(memory) => memory.peer.storage.rows(rows),
        None => rows.put("lastLoggedZxid", &NONE),
    });
    let group =
        sheet.led_by(Heading::Leading, "stage", |rows| leader.into_iter().for_each(|leader| leader.rows(rows)));
    group.stage = leader.map(|leader| Stage::Leader(leader.stage));
    sheet.list(Heading::Learners, |rows| leader.into_iter().for_each(|leader| leader.learner_rows(rows)));
    sheet.list(Heading::Proposals, |rows| leader.into_iter().for_each(|leader| leader.outstanding_rows(rows)));
    let group =
        sheet.led_by(Heading::Learning, "stage", |rows| learner.into_iter().for_each(|learner| learner.rows(rows)));
    group.stage = learner.map(|learner| Stage::Learner(learner.stage));
    service(&mut sheet, memory);
    sheet.list(Heading::Timers, |rows| process.timer_rows(rows));
    sheet.led_by(Heading::Disk, "lastOnDisk", |rows| process.disk_rows(rows));
    sheet.led_by(Heading::Election, "electionEpoch (logicalclock)", |rows| {
        memory.into_iter().for_each(|memory| memory.peer.election.rows(rows));
    });
    sheet.list(Heading::ElectionLinks, |rows| memory.into_iter().for_each(|memory| memory.peer.link_rows(rows)));
    Some(sheet)
}

fn roles(memory: Option<&Server>) -> (Option<&Leader>, Option<&Learner>) {
    match memory.map(|memory| &memory.peer.role) {
        Some(Role::Leading(leader)) => (Some(leader), None),
        Some(Role::Learning(learner)) => (None, Some(learner)),
        _ => (None, None),
    }
}

/// What is on disk, beside it what memory says; while the process is down the disk's word leads.
fn epochs(process: &Process, memory: Option<&Server>, rows: &mut Rows) {
    let storage = memory.map(|memory| &memory.peer.storage);
    let Some((disk_accepted, disk_current)) =
        process.files().map(|files| (files.accepted_epoch, files.current_epoch))
    else {
        return;
    };
    let text = |epoch: Option<u32>| epoch.map_or(NONE.to_string(), |epoch| epoch.to_string());
    rows.put("acceptedEpoch", &text(storage.map(|storage| storage.accepted_epoch)));
    rows.put("acceptedEpoch (disk)", &disk_accepted);
    rows.put("currentEpoch", &text(storage.map(|storage| storage.current_epoch)));
    rows.put("currentEpoch (disk)", &disk_current);
}

fn service(sheet: &mut Sheet, memory: Option<&Server>) {
    sheet.led_by(Heading::DataTree, "lastProcessedZxid", |rows| {
        if let Some(Server { tree, .. }) = memory {
            rows.zxid("lastProcessedZxid", tree.last);
            rows.put("transactions", &tree.count);
            rows.put("nodeCount", &tree.node_count());
            rows.put("approximateDataSize", &tree.data_size());
            rows.put("digest", &format_args!("{:016x}", tree.digest()));
            rows.list("sessionsWithTimeouts", |rows| {
                for (session, timeout) in tree.sessions().take(TOLD) {
                    let ephemerals = tree.ephemerals(session).count();
                    rows.item(&session, &session, format!("{timeout} ms · {ephemerals} ephemerals"), None);
                }
            });
        }
    });
    let service = memory.map(|memory| &memory.service);
    sheet.led_by(Heading::Sessions, "serving", |rows| service.into_iter().for_each(|service| service.rows(rows)));
    sheet.list(Heading::Connections, |rows| service.into_iter().for_each(|service| service.conn_rows(rows)));
    sheet.list(Heading::Watches, |rows| service.into_iter().for_each(|service| service.watch_rows(rows)));
}
