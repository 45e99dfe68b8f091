//! The ensemble as a whole, and the run.

use crate::base::Zxid;
use crate::base::rows::{Heading, NONE, Refers, Rows, names};
use crate::sim::rows::refers;
use crate::sim::{Choice, Rule, Status, World};
use crate::zab::Role;

use super::Sheet;
use super::step::conn_ends;

/// How many of the next steps are told.
const NEXT: usize = 8;

pub(super) fn sheet(world: &World) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.led_by(Heading::Ensemble, "leader", |rows| ensemble(world, rows));
    sheet.led_by(Heading::Counts, "inFlight", |rows| counts(world, rows));
    if !world.resources.is_empty() {
        sheet.list(Heading::Resources, |rows| {
            for (name, newest) in world.resources.iter() {
                let text = newest.map_or(NONE.into(), |token| token.to_string());
                rows.item(name, name, text, newest.map(Refers::Zxid));
            }
        });
    }
    sheet.led_by(Heading::Run, "time", |rows| {
        rows.moment("time", Some(world.now));
        rows.put("events", &world.events);
        rows.moment("nextEvent", world.next_at());
    });
    sheet.list(Heading::Next, |rows| {
        for (at, choice) in world.choices().take(NEXT) {
            let (name, who) = next(world, choice);
            rows.item(&format_args!("{choice:?}"), &name, at.to_string(), who);
        }
    });
    sheet
}

fn ensemble(world: &World, rows: &mut Rows) {
    let members = &world.members;
    rows.servers("voters", members.voters);
    rows.servers("observers", members.observers);
    rows.put("quorum", &format_args!("{} / {}", members.majority(), members.voters.len()));
    if members.version > Zxid::ZERO {
        rows.zxid("configVersion", members.version);
    }
    let seen = world.processes.values().filter_map(|process| process.server()?.peer.members.next);
    if let Some(next) = seen.max_by_key(|next| next.version).filter(|next| !next.is_like(members)) {
        rows.servers("nextVoters", next.voters);
        rows.put("nextQuorum", &format_args!("{} / {}", next.majority(), next.voters.len()));
    }
    let leading = world.processes.values().filter_map(|process| {
        let memory = process.server()?;
        match &memory.peer.role {
            Role::Leading(leader) => Some((leader.epoch, process.id, memory.peer.is_established_leader())),
            _ => None,
        }
    });
    let leaders: Vec<_> = leading.collect();
    let established = leaders.iter().copied().filter(|(.., established)| *established).max();
    let text = established.map_or(NONE.into(), |(_, id, _)| id.to_string());
    rows.item(&"leader", &"leader", text, established.map(|(_, id, _)| Refers::Server(id)));
    rows.put("epoch", &established.map_or(NONE.into(), |(epoch, ..)| epoch.to_string()));
    let more: Vec<String> =
        leaders.iter().filter(|one| Some(**one) != established).map(|(_, id, _)| id.to_string()).collect();
    rows.put("otherLeading", &if more.is_empty() { NONE.into() } else { more.join(" ") });
    let serving = world.processes.values().filter(|p| p.server().is_some_and(|memory| memory.peer.is_serving()));
    rows.put("serving", &names(serving.map(|process| process.id).collect()));
    let rules = Rule::broken_in(world.setup().rules).map(Rule::name).collect::<Vec<_>>();
    rows.put("brokenRules", &if rules.is_empty() { NONE.into() } else { rules.join(" ") });
}

fn counts(world: &World, rows: &mut Rows) {
    let up = world.processes.values().filter(|process| process.status == Status::Running).count();
    rows.put("running", &format_args!("{up} / {}", world.processes.len()));
    rows.put("clients", &world.clients.len());
    rows.put("connections", &world.network.conns.len());
    let flying =
        world.network.conns.values().flat_map(|conn| &conn.pipes).map(|pipe| pipe.items.len()).sum::<usize>();
    rows.put("inFlight", &flying);
    let newest = world.processes.values().filter_map(|process| process.server()).map(|memory| &memory.tree);
    if let Some(tree) = newest.max_by_key(|tree| tree.last) {
        rows.zxid("lastApplied", tree.last);
        rows.put("znodes", &tree.len());
        rows.put("sessions", &tree.sessions().count());
    }
}

/// What can happen next, in short.
fn next(world: &World, choice: Choice) -> (String, Option<Refers>) {
    match choice {
        Choice::Deliver { conn, to_acceptor } => match conn_ends(world, conn, to_acceptor) {
            Some((item, _, to)) => (format!("{} → {to}", item.title()), Some(refers(to))),
            None => (NONE.into(), None),
        },
        Choice::Timer(server, timer) => (format!("{server} {timer:?}"), Some(Refers::Server(server))),
        Choice::ClientTimer(client, timer) => (format!("{client} {timer:?}"), Some(Refers::Client(client))),
        Choice::Program(client) => (format!("{client} program"), Some(Refers::Client(client))),
        Choice::Disk { server, background } => {
            let what = if background { "snapshot" } else { "disk" };
            (format!("{server} {what}"), Some(Refers::Server(server)))
        }
        Choice::Repeat(_) => ("repeated write".into(), None),
        Choice::Start(_) => ("start".into(), None),
        Choice::Script => (script(world), None),
    }
}

/// The next action of the run, by its kind.
fn script(world: &World) -> String {
    let next = world.run().actions.get(world.done());
    let told = next.map_or(NONE.to_string(), |next| format!("{:?}", next.action));
    told.split([' ', '(']).next().unwrap_or_default().to_string()
}
