//! What a person or a script does to a world.

use serde::Serialize;
use std::rc::Rc;

use crate::base::limits::{
    MAX_CLIENT_ID, MAX_DURATION_US, MAX_LINKS_PER_ACTION, MAX_PATH_BYTES, MAX_PAYLOAD_BYTES, MAX_SERVERS,
    MAX_WRITES_PER_ACTION,
};
use crate::base::{ClientId, Micros, Node, ServerId, ServerSet, SimTime};
use crate::recipes::{CuratorConfig, Recipe, Script, ThreadId};
use crate::wire::{Request, check_path};

/// A range of times, µs, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

    /// What is wrong with the range, if anything.
    pub fn complaint(&self) -> Option<String> {
        if self.min_us > self.max_us {
            return Some(format!("min_us {} is above max_us {}", self.min_us, self.max_us));
        }
        (self.max_us > MAX_DURATION_US).then(|| format!("max_us {} is above {MAX_DURATION_US}", self.max_us))
    }
}

/// An action. Names are stable: runs and links carry them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Action {
    /// The process dies: memory gone, what is synced to disk stays.
    Crash {
        /// Which server.
        server: ServerId,
    },
    /// A crashed process starts again.
    Restart {
        /// Which server.
        server: ServerId,
    },
    /// The process stops to do anything (a garbage collection, SIGSTOP).
    Pause {
        /// Which server.
        server: ServerId,
    },
    /// A paused process goes on.
    Resume {
        /// Which server.
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
        /// Which packet.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// A packet that was held goes on.
    ReleasePacket {
        /// Which packet.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// A packet is lost for good, and so is its connection: TCP delivers nothing behind a hole.
    DropPacket {
        /// Which packet.
        #[serde(flatten)]
        packet: PacketRef,
    },
    /// Sets how long packets take, in both directions.
    Latency {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// How long.
        range: LatencyRange,
    },
    /// Sets how long a disk sync takes.
    Disk {
        /// Which server.
        server: ServerId,
        /// How long.
        sync: LatencyRange,
    },
    /// Empties the disk of a crashed server.
    WipeDisk {
        /// Which server.
        server: ServerId,
    },
    /// A client of this server writes.
    Write {
        /// Which server.
        server: ServerId,
        /// What.
        data: String,
        /// How often.
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
        /// Which client.
        client: ClientId,
        /// What.
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
        /// Which client.
        client: ClientId,
        /// `digest`.
        scheme: Rc<str>,
        /// `user:password`.
        auth: Rc<str>,
    },
    /// A client closes its session.
    CloseClient {
        /// Which client.
        client: ClientId,
    },
    /// A client's process dies; its session lives on until it expires.
    KillClient {
        /// Which client.
        client: ClientId,
    },
    /// A client's process stops to do anything (a garbage collection).
    PauseClient {
        /// Which client.
        client: ClientId,
    },
    /// A paused client goes on.
    ResumeClient {
        /// Which client.
        client: ClientId,
    },
    /// A client's connection is cut; it connects again by itself.
    DisconnectClient {
        /// Which client.
        client: ClientId,
    },
    /// A client takes up its session at another server.
    MoveClient {
        /// Which client.
        client: ClientId,
        /// Where to.
        #[serde(flatten)]
        to: MoveTo,
    },
    /// The leader ends a client's session as if it had expired.
    ExpireClient {
        /// Which client.
        client: ClientId,
    },
    /// Sets up the framework of a client's program, before its first object.
    SetUpCurator {
        /// Which client.
        client: ClientId,
        /// How.
        config: CuratorConfig,
    },
    /// A client's program makes an object: a recipe under a name.
    MakeRecipe {
        /// Which client.
        client: ClientId,
        /// The object's name.
        object: Rc<str>,
        /// What it is.
        recipe: Recipe,
    },
    /// A thread of a client's program begins.
    RunThread {
        /// Which client.
        client: ClientId,
        /// Which thread.
        thread: ThreadId,
        /// What it does.
        script: Script,
    },
    /// A thread of a client's program is interrupted.
    InterruptThread {
        /// Which client.
        client: ClientId,
        /// Which thread.
        thread: ThreadId,
    },
}

/// A packet by its place in what its sender has ever sent to its receiver. Runs that differ elsewhere call the same packet the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PacketRef {
    /// Who sent it.
    pub from: Node,
    /// To whom.
    pub to: Node,
    /// Its number among all packets from there to there, from 1.
    pub nth: u64,
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
    /// What is wrong with the action by itself, if anything; whether its servers exist shows when it is done.
    pub fn complaint(&self) -> Option<String> {
        match self {
            Action::CutLinks { links } | Action::HealLinks { links } => links_complaint(links),
            Action::Latency { range, .. } => range.complaint(),
            Action::Disk { sync, .. } => sync.complaint(),
            Action::Write { data, .. } if data.len() > MAX_PAYLOAD_BYTES => {
                Some(format!("data has {} bytes; at most {MAX_PAYLOAD_BYTES} can be written", data.len()))
            }
            Action::Write { count, .. } if !(1..=MAX_WRITES_PER_ACTION).contains(count) => {
                Some(format!("count {count} is not between 1 and {MAX_WRITES_PER_ACTION}"))
            }
            Action::Write { every_us, .. } if *every_us > MAX_DURATION_US => {
                Some(format!("every_us {every_us} is above {MAX_DURATION_US}"))
            }
            Action::OpenClient { client, servers, timeout_ms, chroot, .. } => {
                client_complaint(*client, servers, *timeout_ms, chroot.as_deref())
            }
            Action::Ask { request, watcher, .. } => {
                request.complaint().or_else(|| too_long("watcher", watcher.as_deref()))
            }
            Action::AddAuth { scheme, auth, .. } => {
                too_long("scheme", Some(scheme)).or_else(|| too_long("auth", Some(auth)))
            }
            Action::SetUpCurator { config, .. } => config.complaint(),
            Action::MakeRecipe { object, recipe, .. } => {
                too_long("object", Some(object)).or_else(|| recipe.complaint())
            }
            Action::RunThread { thread, script, .. } => thread_complaint(*thread).or_else(|| script.complaint()),
            Action::InterruptThread { thread, .. } => thread_complaint(*thread),
            Action::Add { server, .. } if !server.is_valid() => Some(format!("{} is not a server id", server.0)),
            _ => None,
        }
    }
}

fn links_complaint(links: &[(Node, Node)]) -> Option<String> {
    if !(1..=MAX_LINKS_PER_ACTION).contains(&links.len()) {
        return Some(format!("links: {} are not between 1 and {MAX_LINKS_PER_ACTION}", links.len()));
    }
    let (a, b) = links.iter().find(|(a, b)| a == b || (a.client().is_some() && b.client().is_some()))?;
    Some(format!("links: there is no link between {a} and {b}"))
}

fn thread_complaint(thread: ThreadId) -> Option<String> {
    let last = ThreadId::LAST.0;
    (!thread.is_valid()).then(|| format!("{} is not a thread's number: 1 to {last} are", thread.0))
}

fn client_complaint(client: ClientId, servers: &[ServerId], timeout_ms: u32, chroot: Option<&str>) -> Option<String> {
    if !client.is_valid() {
        return Some(format!("{} is not a client's number: 1 to {MAX_CLIENT_ID} are", client.0));
    }
    if servers.len() > MAX_SERVERS {
        return Some(format!("servers: {} are too many: {MAX_SERVERS} are allowed", servers.len()));
    }
    if u64::from(timeout_ms) > MAX_DURATION_US / 1000 {
        return Some(format!("timeout_ms {timeout_ms} is above {}", MAX_DURATION_US / 1000));
    }
    let chroot = chroot?;
    too_long("chroot", Some(chroot)).or_else(|| check_path(chroot, false).err().map(|why| format!("chroot: {why}")))
}

fn too_long(what: &str, text: Option<&str>) -> Option<String> {
    let length = text?.len();
    (length > MAX_PATH_BYTES).then(|| format!("{what} has {length} bytes; at most {MAX_PATH_BYTES} can be carried"))
}

/// An action and when it is done: after everything else that happens in that microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedAction {
    /// When, µs since the run began.
    pub at_us: SimTime,
    /// What.
    #[serde(flatten)]
    pub action: Action,
}
