//! Processes, disks, links and packets, for a reader.

use crate::base::rows::{NONE, Refers, Rows};
use crate::base::{Node, SimTime};

use super::client_process::ClientProcess;
use super::disk::{Disk, DiskFault, Job};
use super::latency::LatencyRange;
use super::network::{InFlight, Item, Link};
use super::process::Process;

impl Process {
    /// The process itself.
    pub fn rows(&self, rows: &mut Rows) {
        let Process {
            id: _,
            status,
            death: _,
            incarnation,
            machine,
            disk: _,
            clock_ahead_ms,
            listening,
            held,
            timers: _,
        } = self;
        rows.put("kind", &machine.host().kind());
        rows.put("status", &format_args!("{status:?}").to_string().to_ascii_uppercase());
        rows.put("incarnation", incarnation);
        let ports: Vec<&str> = listening.iter().map(|port| port.name()).collect();
        rows.put("accepting", &if ports.is_empty() { NONE.into() } else { ports.join(" ") });
        rows.put("heldCompletions", &held.len());
        rows.put("clockAheadMs", clock_ahead_ms);
    }

    /// Its armed timers, with the moments at which they are due.
    pub fn timer_rows(&self, rows: &mut Rows) {
        for (timer, due) in self.timers.iter() {
            let name = self.machine.host().timer_name(*timer);
            rows.item(&name, &name, due.to_string(), None);
        }
    }

    /// What is on its disk, and what the disk has to do.
    pub fn disk_rows(&self, rows: &mut Rows) {
        let (host, Disk { sync, fault, jobs, background, .. }) = (self.machine.host(), &self.disk);
        rows.put("sync", &range(*sync));
        if *fault != DiskFault::None {
            rows.put("fault", &format_args!("{fault:?}").to_string().to_ascii_lowercase());
        }
        host.disk_rows(rows);
        rows.list("jobs", |rows| {
            let states = std::iter::once("active").chain(std::iter::repeat("queued"));
            let background = background.iter().map(|job| (job, "background"));
            for (Job { token, .. }, state) in jobs.iter().zip(states).chain(background) {
                let text = format!("{} · {state}", host.job_name(*token));
                rows.item(token, &format_args!("#{token}"), text, None);
            }
        });
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

impl ClientProcess {
    /// The process itself.
    pub fn rows(&self, rows: &mut Rows) {
        let ClientProcess { id: _, client: _, app, outside, curator: _, paused, timers: _ } = self;
        rows.put("status", &if *paused { "PAUSED" } else { "RUNNING" });
        rows.put("program", &app.is_some());
        if let Some(outside) = outside {
            rows.put("outside", &outside.name.as_deref().unwrap_or("?"));
        }
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
        let InFlight { msg, item, sent, departs, length_us: _, due, nth: _, name, held } = self;
        let refers = matches!(item, Item::Message(_)).then_some(Refers::Packet(*msg));
        rows.item(&"packet", &"packet", format!("#{}", msg.0), refers);
        rows.put("name", name);
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
