//! What a person or a script does to a world.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

use crate::base::json::{ReadError, ValueError, at_most, short, within};
use crate::base::limits::{
    MAX_CLIENT_ID, MAX_DELAY_US, MAX_DURATION_US, MAX_LINKS_PER_ACTION, MAX_PATH_BYTES, MAX_PAYLOAD_BYTES,
    MAX_SERVER_ID, MAX_SERVERS, MAX_TIME_MS, MAX_WRITES_PER_ACTION,
};
use crate::base::{ClientId, Micros, Node, ServerId, ServerSet, SimTime};
use crate::recipes::{CuratorConfig, Recipe, Script, ThreadId};
use crate::wire::{Request, check_path, not_a_path};

use super::disk_op::DiskOpName;
use super::packet_name::PacketName;

/// A range of times, µs, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyRange {
    /// The shortest.
    pub min_us: Micros,
    /// The longest.
    pub max_us: Micros,
}

impl LatencyRange {
    /// A range in milliseconds.
    pub const fn ms(min: u64, max: u64) -> LatencyRange {
        LatencyRange { min_us: min * 1000, max_us: max * 1000 }
    }

    /// Checks its bounds.
    ///
    /// # Errors
    /// It ends before it begins, or too late.
    pub fn check(&self) -> Result<(), ReadError> {
        if self.min_us > self.max_us {
            return Err(ReadError::new(ValueError::EmptyRange { min: self.min_us, max: self.max_us }));
        }
        within("max_us", self.max_us, 0, MAX_DURATION_US)
    }
}

/// An action. Names are stable: runs and links carry them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// The process dies: memory gone, what is synced to disk stays.
    Crash {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A crashed process starts again.
    Restart {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// The process stops doing anything (a garbage collection, SIGSTOP).
    Pause {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A paused process goes on.
    Resume {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// Nothing gets through from any of these servers to any of those; and not back either, unless `one_way`.
    Cut {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        one_way: bool,
    },
    /// The opposite: what was held goes on its way.
    Heal {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        one_way: bool,
    },
    /// Heals every link.
    HealAll,
    /// Nothing gets through these links, either way: what a line drawn across them does. An end may be a client.
    CutLinks {
        /// Both ends of each.
        links: Vec<(Node, Node)>,
    },
    /// The opposite, either way: what was held goes on its way.
    HealLinks {
        /// Both ends of each.
        links: Vec<(Node, Node)>,
    },
    /// Holds a packet where it is. Connections are FIFO: what is behind it waits too.
    HoldPacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// A packet that was held goes on.
    ReleasePacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// A packet is lost for good, and so is its connection: TCP delivers nothing behind a hole.
    DropPacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// A packet that will be sent takes so much longer. What is behind it on its connection waits too.
    DelayPacket {
        /// Which packet.
        #[serde(flatten)]
        packet: PacketRef,
        /// How much longer, µs.
        us: Micros,
    },
    /// An operation that a disk will begin takes so much longer.
    DelayDisk {
        /// Which server's disk.
        server: ServerId,
        /// Which operation.
        what: DiskOpName,
        /// How much longer, µs.
        us: Micros,
    },
    /// A machine's wall clock jumps. Timers do not: they run by elapsed time.
    ClockJump {
        /// Which server's.
        server: ServerId,
        /// By how much, ms; back where it is negative.
        ms: i64,
    },
    /// Sets how long packets take, in both directions.
    Latency {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// A packet's time on the link, µs; drawn for each.
        range: LatencyRange,
    },
    /// Sets how long a disk sync takes.
    Disk {
        /// Its id, 1 to 15.
        server: ServerId,
        /// A sync's duration, µs; drawn for each.
        sync: LatencyRange,
    },
    /// Empties the disk of a crashed server.
    WipeDisk {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A client of this server writes.
    Write {
        /// Its id, 1 to 15.
        server: ServerId,
        /// The text that it writes, at most 1,024 bytes.
        data: String,
        /// Writes in a row, 1 to 1,000.
        count: u32,
        /// The time between two of these writes, µs.
        every_us: Micros,
    },
    /// A new server joins; every other knows of it at once.
    Add {
        /// Its id.
        server: ServerId,
        /// Whether it has no vote.
        observer: bool,
    },
    /// A new client connects. A number whose client is gone or over may be used again.
    OpenClient {
        /// Its number.
        client: ClientId,
        /// Its connect string, in the order written; every server where it is left out.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        servers: Vec<ServerId>,
        /// The session timeout it asks for, ms.
        timeout_ms: u32,
        /// The path below which it lives.
        #[serde(skip_serializing_if = "Option::is_none")]
        chroot: Option<Rc<str>>,
        /// A wire client: it checks nothing and does not connect again by itself.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        raw: bool,
    },
    /// A client's application asks for something.
    Ask {
        /// Its id, 1 to 999.
        client: ClientId,
        /// What is asked of the server, as `org.apache.zookeeper.ZooKeeper` offers it.
        request: Request,
        /// The Watcher object by name.
        #[serde(skip_serializing_if = "Option::is_none")]
        watcher: Option<Rc<str>>,
        /// For removeWatches: forget the watch even if no server can be told.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        local: bool,
        /// Send it on the connection that a move kept open.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        on_old_connection: bool,
    },
    /// A client adds an identity (`addauth`).
    AddAuth {
        /// Its id, 1 to 999.
        client: ClientId,
        /// `digest`.
        scheme: Rc<str>,
        /// `user:password`.
        auth: Rc<str>,
    },
    /// A client closes its session.
    CloseClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's process dies; its session lives on until it expires.
    KillClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's process stops doing anything (a garbage collection).
    PauseClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A paused client goes on.
    ResumeClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's connection is cut; it connects again by itself.
    DisconnectClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client takes up its session at another server.
    MoveClient {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Where to.
        #[serde(flatten)]
        to: MoveTo,
    },
    /// The leader ends a client's session as if it had expired.
    ExpireClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// Sets up the framework of a client's program, before its first object.
    SetUpCurator {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Retries, error policy and timeouts of the framework.
        config: CuratorConfig,
    },
    /// A client's program makes an object: a recipe under a name.
    MakeRecipe {
        /// Its id, 1 to 999.
        client: ClientId,
        /// The object's name.
        object: Rc<str>,
        /// What it is.
        recipe: Recipe,
    },
    /// A thread of a client's program begins.
    RunThread {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Its number in the program, from 1.
        thread: ThreadId,
        /// What it does.
        script: Script,
    },
    /// A thread of a client's program is interrupted.
    InterruptThread {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Its number in the program, from 1.
        thread: ThreadId,
    },
}

/// A packet among those from one node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketRef {
    /// Who sent it.
    pub from: Node,
    /// The receiver.
    pub to: Node,
    /// Which of all packets from there to there.
    #[serde(flatten)]
    pub which: Which,
}

/// Which packet of those from one node to another: runs that differ elsewhere call it the same by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// By its place in all that its sender has ever sent there, from 1.
    #[serde(rename = "nth")]
    Nth(u64),
    /// By what it is.
    #[serde(rename = "what")]
    Name(PacketName),
}

impl Which {
    /// Whether it is the packet with this number and this name.
    pub(super) fn is(self, nth: u64, name: PacketName) -> bool {
        match self {
            Which::Nth(which) => which == nth,
            Which::Name(which) => which == name,
        }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Which::Nth(nth) => nth.fmt(f),
            Which::Name(name) => name.fmt(f),
        }
    }
}

/// Where a client is made to go; the flags are for lessons about what a server refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoveTo {
    /// The server.
    pub server: ServerId,
    /// It falsifies its password.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wrong_password: bool,
    /// It claims to have seen a zxid that lies far ahead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub claim_ahead: bool,
    /// It leaves its old connection open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_old: bool,
}

impl Action {
    /// Checks the action by itself; whether its servers exist shows when it is done.
    ///
    /// # Errors
    /// The first field that does not fit.
    pub fn check(&self) -> Result<(), ReadError> {
        match self {
            Action::Crash { .. }
            | Action::Restart { .. }
            | Action::Pause { .. }
            | Action::Resume { .. }
            | Action::Cut { .. }
            | Action::Heal { .. }
            | Action::HealAll
            | Action::HoldPacket { .. }
            | Action::ReleasePacket { .. }
            | Action::DropPacket { .. }
            | Action::WipeDisk { .. }
            | Action::CloseClient { .. }
            | Action::KillClient { .. }
            | Action::PauseClient { .. }
            | Action::ResumeClient { .. }
            | Action::DisconnectClient { .. }
            | Action::MoveClient { .. }
            | Action::ExpireClient { .. } => Ok(()),
            Action::DelayPacket { us, .. } | Action::DelayDisk { us, .. } => within("us", *us, 0, MAX_DELAY_US),
            Action::ClockJump { ms, .. } => within("ms", ms.unsigned_abs(), 0, MAX_TIME_MS),
            Action::CutLinks { links } | Action::HealLinks { links } => check_links(links),
            Action::Latency { range, .. } => range.check().map_err(|read_error| read_error.within("range")),
            Action::Disk { sync, .. } => sync.check().map_err(|read_error| read_error.within("sync")),
            Action::Write { data, count, every_us, .. } => {
                short("data", data, MAX_PAYLOAD_BYTES)?;
                within("count", (*count).into(), 1, MAX_WRITES_PER_ACTION.into())?;
                within("every_us", *every_us, 0, MAX_DURATION_US)
            }
            Action::Add { server, .. } => within("server", server.0.into(), 1, MAX_SERVER_ID.into()),
            Action::OpenClient { client, servers, timeout_ms, chroot, .. } => {
                within("client", client.0.into(), 1, MAX_CLIENT_ID.into())?;
                at_most("servers", servers.len(), MAX_SERVERS)?;
                within("timeout_ms", (*timeout_ms).into(), 0, MAX_DURATION_US / 1000)?;
                let Some(chroot) = chroot else { return Ok(()) };
                short("chroot", chroot, MAX_PATH_BYTES)?;
                check_path(chroot, false).map_err(|why| not_a_path("chroot", &why))
            }
            Action::Ask { request, watcher, .. } => {
                request.check().map_err(|read_error| read_error.within("request"))?;
                short("watcher", watcher.as_deref().unwrap_or_default(), MAX_PATH_BYTES)
            }
            Action::AddAuth { scheme, auth, .. } => {
                short("scheme", scheme, MAX_PATH_BYTES)?;
                short("auth", auth, MAX_PATH_BYTES)
            }
            Action::SetUpCurator { config, .. } => config.check().map_err(|read_error| read_error.within("config")),
            Action::MakeRecipe { object, recipe, .. } => {
                short("object", object, MAX_PATH_BYTES)?;
                recipe.check().map_err(|read_error| read_error.within("recipe"))
            }
            Action::RunThread { thread, script, .. } => {
                check_thread(*thread)?;
                script.check().map_err(|read_error| read_error.within("script"))
            }
            Action::InterruptThread { thread, .. } => check_thread(*thread),
        }
    }
}

fn check_links(links: &[(Node, Node)]) -> Result<(), ReadError> {
    within("links", links.len() as u64, 1, MAX_LINKS_PER_ACTION as u64)?;
    match links.iter().find(|(a, b)| a == b || (a.client().is_some() && b.client().is_some())) {
        Some(&(a, b)) => Err(ReadError::new(ValueError::NoLink { a, b }).within("links")),
        None => Ok(()),
    }
}

fn check_thread(thread: ThreadId) -> Result<(), ReadError> {
    within("thread", thread.0.into(), 1, ThreadId::LAST.0.into())
}

/// An action and when it is done: after everything else that happens in that microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedAction {
    /// When, µs since the run began.
    pub at_us: SimTime,
    /// What is done then.
    #[serde(flatten)]
    pub action: Action,
}
