//! What a person or a script does to a world.

use serde::Serialize;
use std::rc::Rc;

use crate::base::json::{
    Fields, Json, Parts, Read, ReadError, ValueError, at_most, deserialize_as_read, short, within,
};
use crate::base::limits::{
    MAX_CLIENT_ID, MAX_DELAY_US, MAX_DURATION_US, MAX_LINKS_PER_ACTION, MAX_PATH_BYTES, MAX_PAYLOAD_BYTES,
    MAX_SERVER_ID, MAX_SERVERS, MAX_TIME_MS, MAX_VOTERS, MAX_WRITES_PER_ACTION,
};
use crate::base::{ClientId, Micros, Node, ServerId, ServerSet, SessionId, Zxid};
use crate::recipes::{CuratorConfig, Recipe, Script, ThreadId};
use crate::wire::{Request, check_path, not_a_path};

use super::disk;
use super::disk_op::DiskOpName;
use super::latency::LatencyRange;
use super::move_to::MoveTo;
use super::packet_ref::PacketRef;

/// Declares the actions: each with its name in runs, and its fields with what stands for one that is left out. `as parts`:
/// the fields of a type of its own, side by side with the others.
macro_rules! actions {
    ($( $(#[$about:meta])* $name:literal $action:ident
        $({ $( $(#[$field_about:meta])* $field:ident: $what:ty $(as $parts:ident)? $(= $default:expr)? ),* $(,)? })?
    ),* $(,)?) => {
        /// An action. Names are stable: runs and links carry them.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
        #[serde(tag = "do")]
        pub enum Action {
            $( $(#[$about])* #[serde(rename = $name)] $action $({ $( $(#[$field_about])* $field: $what ),* })? ),*
        }

        impl Action {
            pub(super) fn take(from: &mut Fields) -> Result<Action, ReadError> {
                let name: String = from.need("do")?;
                Ok(match name.as_str() {
                    $( $name => Action::$action $({ $( $field: field!(from, $field $(= $default)? $(as $parts)?) ),* })? ),*,
                    _ => return Err(ReadError::unknown("do", &name)),
                })
            }
        }
    };
}

macro_rules! field {
    ($from:ident, $field:ident) => {
        $from.need(stringify!($field))?
    };
    ($from:ident, $field:ident = $default:expr) => {
        $from.or(stringify!($field), $default)?
    };
    ($from:ident, $field:ident as parts) => {
        Parts::take($from)?
    };
}

actions! {
    /// The process dies: memory gone, what is synced to disk stays. Between `kill` and `power_off`: it loses what was not
    /// synced, as a machine does that loses power, and its peers hear of it at once, as when a process is killed.
    "crash" Crash {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// `kill -9`: the process dies and its machine lives. What it had handed to the system with `write()` stays; the system
    /// closes its connections at once and refuses new ones.
    "kill" Kill {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// The machine loses power: what was not synced is gone, and nobody is told; connections hang until it runs again.
    "power_off" PowerOff {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A crashed process starts again.
    "restart" Restart {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// The process stops doing anything (a garbage collection, SIGSTOP).
    "pause" Pause {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A paused process goes on.
    "resume" Resume {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// Nothing gets through from any of these servers to any of those; and not back either, unless `one_way`.
    "cut" Cut {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        one_way: bool = false,
    },
    /// The opposite: what was held goes on its way.
    "heal" Heal {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// Only in that direction.
        one_way: bool = false,
    },
    /// Heals every link.
    "heal_all" HealAll,
    /// Nothing gets through these links, either way: what a line drawn across them does. An end may be a client.
    "cut_links" CutLinks {
        /// Both ends of each.
        links: Vec<(Node, Node)>,
    },
    /// The opposite, either way: what was held goes on its way.
    "heal_links" HealLinks {
        /// Both ends of each.
        links: Vec<(Node, Node)>,
    },
    /// Holds a packet where it is. Connections are FIFO: what is behind it waits too.
    "hold_packet" HoldPacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef as parts,
    },
    /// A packet that was held goes on.
    "release_packet" ReleasePacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef as parts,
    },
    /// A packet is lost for good, and so is its connection: TCP delivers nothing behind a hole.
    "drop_packet" DropPacket {
        /// By its place among all that went the same way.
        #[serde(flatten)]
        packet: PacketRef as parts,
    },
    /// A packet that will be sent takes so much longer. What is behind it on its connection waits too.
    "delay_packet" DelayPacket {
        /// Which packet.
        #[serde(flatten)]
        packet: PacketRef as parts,
        /// How much longer, µs.
        us: Micros,
    },
    /// An operation that a disk will begin takes so much longer.
    "delay_disk" DelayDisk {
        /// Which server's disk.
        server: ServerId,
        /// Which operation.
        what: DiskOpName,
        /// How much longer, µs.
        us: Micros,
    },
    /// A machine's wall clock jumps. Timers do not: they run by elapsed time.
    "clock_jump" ClockJump {
        /// Which server's.
        server: ServerId,
        /// By how much, ms; back where it is negative.
        ms: i64,
    },
    /// Somebody opens a connection to a server and says a four-letter word: `echo srvr | nc S1 2181`.
    "four_letter" FourLetter {
        /// Its id, 1 to 15.
        server: ServerId,
        /// The word, or whatever else is sent.
        word: Rc<str>,
        /// On which client's machine; where it is left out on the server's own, and nothing of it is seen on the network.
        client: Option<ClientId> = None,
    },
    /// Sets how long packets take, in both directions.
    "latency" Latency {
        /// One side.
        from: ServerSet,
        /// The other side.
        to: ServerSet,
        /// A packet's time on the link, µs; drawn for each.
        range: LatencyRange,
    },
    /// Sets how long a disk sync takes.
    "disk" Disk {
        /// Its id, 1 to 15.
        server: ServerId,
        /// A sync's duration, µs; drawn for each.
        sync: LatencyRange,
    },
    /// A disk fills up or breaks, or is well again (`none`).
    "disk_fault" DiskFault {
        /// Which server's disk.
        server: ServerId,
        /// What is wrong with it from now on.
        fault: disk::DiskFault,
    },
    /// Gives a crashed server a new, empty disk.
    "wipe_disk" WipeDisk {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// Keeps a copy of what is on a server's disk now, in place of the one before; it may run.
    "back_up_disk" BackUpDisk {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// Puts that copy back onto a crashed server's disk, in place of all that is there.
    "restore_backup" RestoreBackup {
        /// Its id, 1 to 15.
        server: ServerId,
    },
    /// A client of this server writes.
    "write" Write {
        /// Its id, 1 to 15.
        server: ServerId,
        /// The text that it writes, at most 1,024 bytes.
        data: String,
        /// Writes in a row, 1 to 1,000.
        count: u32 = 1,
        /// The time between two of these writes, µs.
        every_us: Micros = 0,
    },
    /// A new server starts with an empty disk and follows. It has a vote when the ensemble is reconfigured.
    "add" Add {
        /// Its id.
        server: ServerId,
        /// Whether it has no vote.
        observer: bool = false,
    },
    /// A new client connects. A number whose client is gone or over may be used again.
    "open_client" OpenClient {
        /// Its number.
        client: ClientId,
        /// Its connect string, in the order written; every server where it is left out.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        servers: Vec<ServerId> = Vec::new(),
        /// The session timeout it asks for, ms.
        timeout_ms: u32 = 4_000,
        /// The path below which it lives.
        #[serde(skip_serializing_if = "Option::is_none")]
        chroot: Option<Rc<str>> = None,
        /// A wire client: it checks nothing and does not connect again by itself.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        raw: bool = false,
    },
    /// The files of these servers are changed by hand: who belongs to the ensemble. A server reads its file when it starts.
    "edit_config" EditConfig {
        /// Whose files.
        servers: ServerSet,
        /// Who votes.
        voters: ServerSet,
        /// Who only observes.
        observers: ServerSet = ServerSet::EMPTY,
    },
    /// Whoever watches over the machines changes what a server's oracle says.
    "oracle" Oracle {
        /// Whose oracle.
        server: ServerId,
        /// Whether the server may go on alone: 1 in the file, or 0.
        grants: bool,
    },
    /// A client's application asks for something.
    "ask" Ask {
        /// Its id, 1 to 999.
        client: ClientId,
        /// What is asked of the server, as `org.apache.zookeeper.ZooKeeper` offers it.
        request: Request,
        /// The Watcher object by name.
        #[serde(skip_serializing_if = "Option::is_none")]
        watcher: Option<Rc<str>> = None,
        /// For removeWatches: forget the watch even if no server can be told.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        local: bool = false,
        /// Send it on the connection that a move kept open.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        on_old_connection: bool = false,
    },
    /// A client adds an identity (`addauth`).
    "add_auth" AddAuth {
        /// Its id, 1 to 999.
        client: ClientId,
        /// `digest`.
        scheme: Rc<str>,
        /// `user:password`; without it nothing is said, on which a server's provider of `digest` fails.
        #[serde(skip_serializing_if = "Option::is_none")]
        auth: Option<Rc<str>> = None,
    },
    /// A client closes its session.
    "close_client" CloseClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's process dies; its session lives on until it expires.
    "kill_client" KillClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's process stops doing anything (a garbage collection).
    "pause_client" PauseClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A paused client goes on.
    "resume_client" ResumeClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client's connection is cut; it connects again by itself.
    "disconnect_client" DisconnectClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A client takes up its session at another server.
    "move_client" MoveClient {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Where to.
        #[serde(flatten)]
        to: MoveTo as parts,
    },
    /// The leader ends a client's session as if it had expired.
    "expire_client" ExpireClient {
        /// Its id, 1 to 999.
        client: ClientId,
    },
    /// A program outside of the simulation connects, which must have a number of its own; or it takes up the session that it has, and
    /// its connection before this one ends. All that the client does is asked for by actions: it sends nothing by itself.
    "connect_outside" ConnectOutside {
        /// Its number.
        client: ClientId,
        /// The server that it has dialled.
        server: ServerId,
        /// The session timeout it asks for, ms.
        timeout_ms: u32,
        /// The session that it takes up; a new one where it is left out.
        #[serde(skip_serializing_if = "is_none")]
        session: SessionId = SessionId::NONE,
        /// The last zxid that it has seen.
        #[serde(skip_serializing_if = "is_zero")]
        last_zxid: Zxid = Zxid::ZERO,
        /// Whether the password is another one than the session's.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        wrong_password: bool = false,
        /// A server without a leader will do.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        read_only: bool = false,
        /// What the program is called, where that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<Rc<str>> = None,
    },
    /// A program outside shows that it lives.
    "ping" Ping {
        /// Its client's id, 1 to 9999.
        client: ClientId,
    },
    /// Sets up the framework of a client's program, before its first object.
    "set_up_curator" SetUpCurator {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Retries, error policy and timeouts of the framework.
        config: CuratorConfig,
    },
    /// A client's program makes an object: a recipe under a name.
    "make_recipe" MakeRecipe {
        /// Its id, 1 to 999.
        client: ClientId,
        /// The object's name.
        object: Rc<str>,
        /// What it is.
        recipe: Recipe,
    },
    /// A thread of a client's program begins.
    "run_thread" RunThread {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Its number in the program, from 1.
        thread: ThreadId = ThreadId::MAIN,
        /// What it does.
        script: Script,
    },
    /// A thread of a client's program is interrupted.
    "interrupt_thread" InterruptThread {
        /// Its id, 1 to 999.
        client: ClientId,
        /// Its number in the program, from 1.
        thread: ThreadId = ThreadId::MAIN,
    },
}

deserialize_as_read!(Action);

impl Read for Action {
    fn read(json: Json) -> Result<Action, ReadError> {
        let mut fields = json.fields()?;
        let action = Action::take(&mut fields)?;
        fields.end().map(|()| action)
    }
}

impl Action {
    /// How many writes it asks for.
    pub(super) fn writes(&self) -> u64 {
        if let Action::Write { count, .. } = self { (*count).into() } else { 0 }
    }

    /// Checks the action by itself; whether its servers exist shows when it is done.
    ///
    /// # Errors
    /// The first field that does not fit.
    pub fn check(&self) -> Result<(), ReadError> {
        match self {
            Action::Crash { .. }
            | Action::Kill { .. }
            | Action::PowerOff { .. }
            | Action::Restart { .. }
            | Action::Pause { .. }
            | Action::Resume { .. }
            | Action::Cut { .. }
            | Action::Heal { .. }
            | Action::HealAll
            | Action::HoldPacket { .. }
            | Action::ReleasePacket { .. }
            | Action::DropPacket { .. }
            | Action::DiskFault { .. }
            | Action::WipeDisk { .. }
            | Action::BackUpDisk { .. }
            | Action::RestoreBackup { .. }
            | Action::CloseClient { .. }
            | Action::KillClient { .. }
            | Action::PauseClient { .. }
            | Action::ResumeClient { .. }
            | Action::DisconnectClient { .. }
            | Action::MoveClient { .. }
            | Action::Oracle { .. }
            | Action::ExpireClient { .. }
            | Action::Ping { .. } => Ok(()),
            Action::DelayPacket { us, .. } | Action::DelayDisk { us, .. } => within("us", *us, 0, MAX_DELAY_US),
            Action::FourLetter { word, .. } => short("word", word, MAX_PATH_BYTES),
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
            Action::EditConfig { voters, observers, .. } => {
                within("voters", voters.len() as u64, 1, MAX_VOTERS as u64)?;
                within("observers", voters.intersection(*observers).len() as u64, 0, 0)
            }
            Action::OpenClient { client, servers, timeout_ms, chroot, .. } => {
                check_client(*client, *timeout_ms)?;
                at_most("servers", servers.len(), MAX_SERVERS)?;
                let Some(chroot) = chroot else { return Ok(()) };
                short("chroot", chroot, MAX_PATH_BYTES)?;
                check_path(chroot, false).map_err(|why| not_a_path("chroot", &why))
            }
            Action::ConnectOutside { client, timeout_ms, name, .. } => check_program(*client, *timeout_ms, name),
            Action::Ask { request, watcher, .. } => {
                request.check().map_err(|read_error| read_error.within("request"))?;
                short("watcher", watcher.as_deref().unwrap_or_default(), MAX_PATH_BYTES)
            }
            Action::AddAuth { scheme, auth, .. } => {
                short("scheme", scheme, MAX_PATH_BYTES)?;
                short("auth", auth.as_deref().unwrap_or_default(), MAX_PATH_BYTES)
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

fn check_client(client: ClientId, timeout_ms: u32) -> Result<(), ReadError> {
    within("client", client.0.into(), 1, MAX_CLIENT_ID.into())?;
    within("timeout_ms", timeout_ms.into(), 0, MAX_DURATION_US / 1000)
}

fn check_program(client: ClientId, timeout_ms: u32, name: &Option<Rc<str>>) -> Result<(), ReadError> {
    check_client(client, timeout_ms)?;
    short("name", name.as_deref().unwrap_or_default(), MAX_PATH_BYTES)
}

fn is_none(session: &SessionId) -> bool {
    *session == SessionId::NONE
}

fn is_zero(zxid: &Zxid) -> bool {
    *zxid == Zxid::ZERO
}

fn check_thread(thread: ThreadId) -> Result<(), ReadError> {
    within("thread", thread.0.into(), 1, ThreadId::LAST.0.into())
}
