//! All that a client keeps: its process, its library, its program; and what servers hold for it.

use crate::base::ClientId;
use crate::base::rows::{Heading, NONE, Refers, Rows};
use crate::recipes::standing_rows;
use crate::sim::World;
use crate::timeline::RunSummary;

use super::super::client::{Held, clients};
use super::Sheet;

pub(super) fn sheet(world: &World, id: ClientId) -> Option<Sheet> {
    let process = world.clients.get(&id)?;
    let (client, app) = (&process.client, process.app.as_ref());
    let mut sheet = Sheet::default();
    sheet.led_by(Heading::Process, "status", |rows| process.rows(rows));
    sheet.led_by(Heading::Session, "state", |rows| client.rows(rows));
    let group = sheet.group(Heading::Requests, |rows| client.link_rows(rows));
    group.text = client.pending().to_string();
    sheet.list(Heading::Watchers, |rows| client.watcher_rows(rows));
    sheet.list(Heading::Timers, |rows| process.timer_rows(rows));
    sheet.list(Heading::Hosts, |rows| client.host_rows(rows));
    sheet.group(Heading::Held, |rows| held(world, id, rows));
    if process.runs_recipes() {
        sheet.list(Heading::Standings, |rows| standing_rows(process.standings(), rows));
        if let Some(program) = &process.outside {
            let group = sheet.list(Heading::Objects, |rows| program.queue_rows(rows));
            group.text = group.rows.first().map_or(String::new(), |row| row.text.clone());
        }
    }
    if let Some(app) = app {
        sheet.list(Heading::Threads, |rows| app.thread_rows(rows));
        sheet.list(Heading::Objects, |rows| app.object_rows(rows));
        sheet.led_by(Heading::Framework, "ConnectionState", |rows| app.rows(rows));
    }
    Some(sheet)
}

fn held(world: &World, id: ClientId, rows: &mut Rows) {
    let Some(view) = clients(world, &RunSummary::default()).into_iter().find(|client| client.id == id) else {
        return;
    };
    let held = Held::of(world, &view);
    rows.moment("expires", held.due.filter(|_| !view.face.is_over()));
    rows.list("ephemerals", |rows| {
        for path in &held.ephemerals {
            rows.item(path, path, String::new(), None);
        }
    });
    rows.list("watches", |rows| {
        for (path, setter) in &held.watches {
            rows.item(&format_args!("{path} {setter}"), path, (*setter).to_string(), None);
        }
    });
    let at = view.line().map(|(server, _)| server);
    rows.item(&"server", &"server", at.map_or(NONE.into(), |server| server.to_string()), at.map(Refers::Server));
}
