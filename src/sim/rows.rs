//! Processes, disks, links and packets, for a reader.

use crate::base::rows::{NONE, Refers, Rows};
use crate::base::{Node, SimTime};
use crate::server::{Files, Job, Snapshot, Timer};
use crate::store::Tree;
use crate::zab::{self, DiskOp, Proposal};

use super::action::LatencyRange;
use super::client_process::ClientProcess;
use super::disk::Disk;
use super::network::{InFlight, Item, Link};
use super::process::Process;

impl Process {
    /// The process itself.
    pub fn rows(&self, rows: &mut Rows) {
        let Process { id: _, status, incarnation, server: _, disk: _, listening, held, timers: _ } = self;
        rows.put("status", &format_args!("{status:?}").to_string().to_ascii_uppercase());
        rows.put("incarnation", incarnation);
        rows.put("accepting", listening);
        rows.put("heldCompletions", &held.len());
    }

    /// Its armed timers, with the moments at which they are due.
    pub fn timer_rows(&self, rows: &mut Rows) {
        for (timer, due) in self.timers.iter() {
            let name = match timer {
                Timer::Zab(zab::Timer::ReadTimeout(conn)) => format!("ReadTimeout #{}", conn.0),
                Timer::Zab(zab::Timer::DialTimeout(to)) => format!("DialTimeout {to}"),
                Timer::Zab(timer) => format!("{timer:?}"),
                Timer::Service(timer) => format!("{timer:?}"),
            };
            rows.item(&name, &name, due.to_string(), None);
        }
    }
}

/// A range of times.
fn range(range: LatencyRange) -> String {
    let LatencyRange { min_us, max_us } = range;
    match min_us == max_us {
        true => format!("{} µs", min_us),
        false => format!("{} – {} µs", min_us, max_us),
    }
}

impl Disk {
    /// What a crash leaves.
    pub fn rows(&self, rows: &mut Rows) {
        let Disk { files, sync, jobs, background } = self;
        let Files { accepted_epoch: _, current_epoch: _, snapshots, log_start, log } = files;
        rows.put("sync", &range(*sync));
        rows.zxid("lastOnDisk", log.last().map_or(*log_start, |last| last.zxid));
        rows.put("logOnDisk", &log.len());
        rows.zxid("logStart", *log_start);
        rows.list("jobs", |rows| {
            for (place, job) in jobs.iter().enumerate() {
                let state = if place == 0 { "active" } else { "queued" };
                rows.item(&job.token, &format_args!("#{}", job.token), format!("{} · {state}", told(&job.op)), None);
            }
            if let Some(Job { token, op }) = background {
                let text = format!("{} · background", told(op));
                rows.item(token, &format_args!("#{token}"), text, None);
            }
        });
        rows.list("snapshots", |rows| {
            for Snapshot { zxid, state } in snapshots {
                let text = format!("last {} · {} bytes · digest {:x}", state.last, state.bytes(), state.digest());
                rows.item(zxid, &format_args!("snapshot.{zxid}"), text, None);
            }
        });
    }
}

fn told(op: &DiskOp<Tree>) -> String {
    match op {
        DiskOp::AcceptedEpoch(epoch) => format!("acceptedEpoch {epoch}"),
        DiskOp::CurrentEpoch(epoch) => format!("currentEpoch {epoch}"),
        DiskOp::Append(batch) => {
            let bytes: u64 = batch.iter().map(Proposal::bytes).sum();
            match (batch.first(), batch.last()) {
                (Some(first), Some(last)) if batch.len() > 1 => {
                    format!("append {} … {} ({}) · {bytes} bytes", first.zxid, last.zxid, batch.len())
                }
                (Some(one), _) => format!("append {} · {bytes} bytes", one.zxid),
                _ => "append".into(),
            }
        }
        DiskOp::Snapshot(zxid, _) => format!("snapshot {zxid}"),
        DiskOp::InstallSnapshot(zxid, _) => format!("install snapshot {zxid}"),
        DiskOp::Truncate(zxid) => format!("truncate to {zxid}"),
    }
}

impl ClientProcess {
    /// The process itself.
    pub fn rows(&self, rows: &mut Rows) {
        let ClientProcess { id: _, client: _, app, curator: _, paused, timers: _ } = self;
        rows.put("status", &if *paused { "PAUSED" } else { "RUNNING" });
        rows.put("program", &app.is_some());
        rows.moment("programDue", app.as_ref().and_then(|app| app.next_at()));
    }

    /// Its library's timers, with the moments at which they are due.
    pub fn timer_rows(&self, rows: &mut Rows) {
        for (timer, due) in self.timers.iter() {
            rows.item(&format_args!("{timer:?}"), &format_args!("{timer:?}"), due.to_string(), None);
        }
    }
}

impl Link {
    /// One direction between two nodes.
    pub fn rows(&self, rows: &mut Rows) {
        let Link { latency, cut, last_departure, sent } = self;
        rows.put("cut", cut);
        rows.put("latency", &range(*latency));
        rows.moment("lastDeparture", Some(*last_departure).filter(|at| *at > SimTime::ZERO));
        rows.put("messagesSent", sent);
    }
}

impl InFlight {
    /// What it is, with its zxid where it carries one.
    pub fn title(&self) -> String {
        match &self.item {
            Item::Message(parcel) => match parcel.zxid() {
                Some(zxid) => format!("{} {zxid}", parcel.name()),
                None => parcel.name().to_string(),
            },
            Item::Syn => "SYN".into(),
            Item::SynAck => "SYN ACK".into(),
            Item::Refused => "RST".into(),
            Item::Fin => "FIN".into(),
        }
    }

    /// When it left and when it is due.
    pub fn rows(&self, rows: &mut Rows) {
        let InFlight { msg, item, sent, departs, due, nth: _, held } = self;
        let refers = matches!(item, Item::Message(_)).then_some(Refers::Packet(*msg));
        rows.item(&"packet", &"packet", format!("#{}", msg.0), refers);
        rows.moment("sent", Some(*sent));
        rows.moment("departs", Some(*departs));
        rows.moment("due", Some(*due));
        rows.moment("held", *held);
    }
}

/// What a node can be looked at as.
pub fn refers(node: Node) -> Refers {
    match node {
        Node::Server(server) => Refers::Server(server),
        Node::Client(client) => Refers::Client(client),
    }
}

/// An end of a connection: whether it is held open.
pub fn held(open: bool) -> &'static str {
    if open { "open" } else { NONE }
}
