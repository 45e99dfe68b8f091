//! English: what happens outside the servers' protocol machines.

use crate::base::{Node, ServerId, Zxid};
use crate::i18n::text;
use crate::recipes::Refusal;
use crate::sim::{
    ActionRefusal, Death, DiskFault, EpochFile, PacketRef, Parcel, Port, RefusalReason, Silence, Status, Tongue,
    WorldFact,
};

use super::{clients, list, packets, terms, transactions};

/// A fact as a sentence.
pub(super) fn sentence(fact: &WorldFact) -> String {
    use WorldFact as W;
    match fact {
        W::Began { setup, .. } => {
            format!("The run begins with {} voting servers and {} observers.", setup.voters, setup.observers)
        }
        W::Started { server, incarnation, observer } => started(*server, *incarnation, *observer),
        W::Crashed { server, how } => match how {
            Death::Crash => format!("{server} crashes."),
            Death::Kill => format!("The process of {server} is killed."),
            Death::PowerOff => format!("{server} loses power."),
        },
        W::Exited { server } => format!("{server} exits."),
        W::Paused { server } => format!("{server} is paused."),
        W::Resumed { server } => format!("{server} resumes."),
        W::ActionRefused { reason } => refused(*reason),
        W::Added { server, observer: false } => {
            format!("{server} starts with an empty disk; it has no vote before a reconfiguration.")
        }
        W::Added { server, observer: true } => format!("{server} joins as an observer, with an empty disk."),
        W::ConfigEdited { server, voters, .. } => {
            format!("The file of {server} is edited: {} vote, once it starts again.", list(*voters))
        }
        W::OracleSet { server, grants: true } => format!("The oracle of {server} says 1: it may go on alone."),
        W::OracleSet { server, grants: false } => format!("The oracle of {server} says 0: it may not go on alone."),
        W::LinkCut { from, to } => format!("The link from {from} to {to} is cut: nothing gets through."),
        W::LinkHealed { from, to } => format!("The link from {from} to {to} is healed."),
        W::PacketHeld { from, to, name, zxid, behind, .. } => {
            let held = format!("{} from {from} to {to} is held by hand", packet(name, *zxid));
            match behind {
                0 => format!("{held}."),
                1 => format!("{held}; the packet behind it waits too."),
                behind => format!("{held}; {behind} packets behind it wait too."),
            }
        }
        W::PacketReleased { from, to, name, zxid, .. } => {
            format!("{} from {from} to {to} is released.", packet(name, *zxid))
        }
        W::PacketDelayed { from, to, name, zxid, us, .. } => {
            format!("{} from {from} to {to} takes {} longer.", packet(name, *zxid), text::duration(*us))
        }
        W::DiskDelayed { server, what, us } => {
            format!("The disk of {server} takes {} longer: {}.", text::duration(*us), text::disk_op(*what))
        }
        W::ClockJumped { server, ms } => {
            let way = if *ms < 0 { "back" } else { "ahead" };
            format!("The clock of {server} jumps {way} by {}.", text::duration(ms.unsigned_abs() * 1000))
        }
        W::FourLetterAnswered { server, word, answer, .. } => match text::four_letter(*word, answer) {
            (1, said) => format!("{server} answers {word}: {}.", text::quoted(said)),
            (lines, said) => {
                format!("{server} answers {word} with {lines} lines, {} among them.", text::quoted(said))
            }
        },
        W::FourLetterUnanswered { server, word, silence: Silence::Refused, .. } => {
            format!("Nothing listens at {server}: {} gets no answer.", text::quoted(word))
        }
        W::FourLetterUnanswered { server, word, silence: Silence::Closed, .. } => {
            format!("{server} closes the connection without a word to {}.", text::quoted(word))
        }
        W::ConnectionBroken { from, to, port, .. } => {
            format!("The connection from {from} to {} breaks.", end(*to, *port))
        }
        W::LatencySet { from, to, range } => {
            format!("A packet from {from} to {to} now takes {}.", text::range(range, " to "))
        }
        W::DiskSpeedSet { server, sync } => {
            format!("A disk sync at {server} now takes {}.", text::range(sync, " to "))
        }
        W::DiskFaultSet { server, fault } => match fault {
            DiskFault::None => format!("The disk of {server} works again."),
            DiskFault::Full => format!("The disk of {server} is full."),
            DiskFault::Error => format!("The disk of {server} is broken."),
        },
        W::DiskFailed { server, what, fault } => {
            let why = if *fault == DiskFault::Full { "no space left on device" } else { "input/output error" };
            format!("{} fails on the disk of {server}: {why}.", text::disk_op(*what))
        }
        W::Dialled { from, to, port, .. } => format!("{from} dials {}.", end(*to, *port)),
        W::Connected { from, to, port, .. } => format!("{from} is connected to {}.", end(*to, *port)),
        W::ConnectionRefused { from, to, .. } => format!("{from} cannot connect to {to}: nothing listens there."),
        W::ConnectionClosed { node: server, peer, .. } => {
            format!("{server} sees that a connection to {peer} is closed.")
        }
        W::Sent { from, to, message, .. } => sent(*from, *to, message),
        W::Delivered { from, to, name, zxid, .. } => format!("{to} receives {} from {from}.", packet(name, *zxid)),
        W::Lost { from, to, name, reason, .. } => {
            format!("{name} from {from} to {to} is lost: {}.", terms::loss(*reason))
        }
        W::Synced { server, first, last, count } => synced(*server, *first, *last, *count),
        W::UnsyncedLost { server, first, last, count } => unsynced_lost(*server, *first, *last, *count),
        W::EpochWritten { server, file, epoch } => {
            format!("{server} has {} {epoch} on disk.", text::epoch_file(*file))
        }
        W::SnapshotWritten { server, zxid, installed: true, .. } => {
            format!("{server} has the received state up to {zxid} on disk, in place of its old log.")
        }
        W::SnapshotWritten { server, zxid, installed: false, last_txn: Zxid::ZERO } => {
            format!("{server} has snapshot {zxid}, of the empty state, on disk.")
        }
        W::SnapshotWritten { server, zxid, installed: false, last_txn } if last_txn > zxid => {
            format!(
                "{server} has snapshot {zxid} on disk; it holds what was applied meanwhile too, up to {last_txn}."
            )
        }
        W::SnapshotWritten { server, zxid, installed: false, .. } => {
            format!("{server} has a snapshot up to {zxid} on disk.")
        }
        W::SnapshotLost { server, zxid } => {
            format!("{server} loses snapshot {zxid}, which its machine had not written back to disk yet.")
        }
        W::Purged { server, before, snapshots, logs } => {
            format!("{server} purges what is older than snapshot {before}: snapshots {snapshots}, log files {logs}.")
        }
        W::LogTruncated { server, to, removed, snapshots: _ } => truncated(*server, *to, removed),
        W::DiskWiped { server } => format!("The disk of {server} is wiped: it will start empty."),
        W::DiskBackedUp { server } => format!("A copy of the disk of {server} is kept as it is now."),
        W::BackupRestored { server } => {
            format!("The disk of {server} is its copy again: what came after that is gone from it.")
        }
        W::Restored { server, last_txn, .. } => {
            format!("{server} loads a full state, up to {last_txn}.")
        }
        W::Applied { server, zxid, payload, .. } => format!("{server} applies {zxid}: {}.", text::written(payload)),
        W::Serving { server, on: true } => format!("{server} starts serving clients."),
        W::Serving { server, on: false } => format!("{server} stops serving clients."),
        W::ClientOpened { client, servers, .. } => {
            let servers: Vec<String> = servers.iter().map(ToString::to_string).collect();
            format!("{client} starts; its connect string is {}.", servers.join(", "))
        }
        W::ClientKilled { client } => format!("The process of {client} dies; its session lives on for now."),
        W::ClientPaused { client } => format!("{client} is paused."),
        W::ClientResumed { client } => format!("{client} resumes."),
        W::ResourceWritten { resource, client, token, .. } => {
            let token = token.map_or(String::new(), |token| format!(" with token {token}"));
            format!("{client} writes to {}{token}.", text::quoted(resource))
        }
        W::ResourceRefused { resource, client, token, newest, .. } => {
            format!("{} refuses {client}: its token {token} is older than {newest}.", text::quoted(resource))
        }
        W::WriteAsked { server, write, data } => {
            format!("A client of {server} asks for write {write}: {}.", text::quoted(data))
        }
        W::WriteAnswered { server, write, zxid } => {
            format!("{server} tells its client: write {write} succeeded (zxid {zxid}).")
        }
        W::WriteFailed { server, write, reason } => {
            format!("Write {write} at {server} fails: {}.", terms::refusal(*reason))
        }
    }
}

fn synced(server: ServerId, first: Zxid, last: Zxid, count: usize) -> String {
    match count {
        1 => format!("{last} is on the disk of {server}."),
        _ => format!("{first} to {last}, {}, are on the disk of {server}.", transactions(count)),
    }
}

fn unsynced_lost(server: ServerId, first: Zxid, last: Zxid, count: usize) -> String {
    match count {
        1 => format!("{server} loses {last}, which was not synced yet."),
        _ => format!("{server} loses {first} to {last}, {} not synced yet.", transactions(count)),
    }
}

fn started(server: ServerId, incarnation: u32, observer: bool) -> String {
    let who = if observer { format!("The observer {server}") } else { server.to_string() };
    match incarnation {
        1 => format!("{who} starts."),
        _ => format!("{who} restarts (start {incarnation})."),
    }
}

fn truncated(server: ServerId, to: Zxid, removed: &[Zxid]) -> String {
    match removed {
        [] => format!("{server} has nothing after {to} in its log to truncate."),
        [only] => format!("{server} truncates {only}: its log now ends at {to}."),
        [first, .., last] => {
            format!("{server} truncates {first} to {last}: its log now ends at {to}.")
        }
    }
}

fn sent(from: Node, to: Node, message: &Parcel) -> String {
    let (title, says) = match message {
        Parcel::Zab(message) => (text::title(message), packets::predicate(message)),
        Parcel::ToServer(packet) => (packet.name().to_string(), clients::says_to_server(packet)),
        Parcel::ToClient(packet) => (packet.name().to_string(), clients::says_to_client(packet)),
        Parcel::Other(saying) => (saying.name.to_string(), saying.text(Tongue::English)),
    };
    // a command or a value as it is typed is no predicate
    if !says.starts_with(char::is_lowercase) {
        return format!("{from} sends {to} {title}: {says}.");
    }
    format!("{from} sends {to} {title}: it {says}.")
}

fn end(server: Node, port: Port) -> String {
    match port {
        Port::Election => format!("the election port of {server}"),
        Port::Quorum => format!("the quorum port of {server}, its leader"),
        Port::Client => format!("the client port of {server}"),
        Port::Service => server.to_string(),
    }
}

fn packet(name: &str, zxid: Option<Zxid>) -> String {
    zxid.map_or(name.to_string(), |zxid| format!("{name} {zxid}"))
}

/// What a server loses by its death, and who hears of it.
fn what_dies(how: Death) -> &'static str {
    match how {
        Death::Crash => "Its memory is gone; what is synced to its disk stays.",
        Death::Kill => {
            "Its machine lives on: what the process had written stays, synced or not, and its connections close at once."
        }
        Death::PowerOff => {
            "What was not synced is gone, and nobody is told: the others find out only when their timeouts expire."
        }
    }
}

/// What a disk that has failed lets a server do.
fn fault_rule(fault: DiskFault) -> Option<&'static str> {
    match fault {
        DiskFault::None => None,
        DiskFault::Full => Some("The server notices when it next writes. Cutting and deleting files still works."),
        DiskFault::Error => Some("The server notices when it next writes. What the disk holds can still be read."),
    }
}

/// The rule behind a kind of fact.
pub(super) fn rule(fact: &WorldFact) -> Option<&'static str> {
    use WorldFact as W;
    match fact {
        W::Crashed { how, .. } => Some(what_dies(*how)),
        W::Paused { .. } => Some("A paused process does nothing: messages wait in its sockets, timers fire late."),
        W::Resumed { .. } => Some("First it reads what is waiting, then its overdue timers fire."),
        W::Added { .. } => {
            Some("Only its own file names it: the others count no vote of a server that they do not know.")
        }
        W::ConfigEdited { .. } => Some("Majorities by different files need not share a server."),
        W::OracleSet { .. } => Some("It is right as long as it grants this to one of the two at a time."),
        W::LinkCut { .. } => Some("Packets are held, not lost: TCP retransmits until one end gives up."),
        W::LinkHealed { .. } => Some("Held packets move on."),
        W::PacketHeld { .. } => Some("A connection is FIFO: nothing on it overtakes a packet that waits."),
        W::PacketReleased { .. } => Some("It continues from where it was held."),
        W::PacketDelayed { .. } => Some("A connection is FIFO: what is behind it waits too."),
        W::ClockJumped { server, .. } if server.is_valid() => {
            Some("Only the times in transactions follow it: timers run on elapsed time.")
        }
        W::FourLetterAnswered { .. } => {
            Some("A server tells whoever asks what it knows itself; no session is needed.")
        }
        W::FourLetterUnanswered { silence: Silence::Refused, .. } => Some("A process that is down has no open port."),
        W::FourLetterUnanswered { silence: Silence::Closed, .. } => {
            Some("It knew no such word, or had as many connections as it takes.")
        }
        W::DiskFaultSet { fault, .. } => fault_rule(*fault),
        W::ConnectionBroken { .. } => {
            Some("TCP delivers nothing past a gap: losing a segment for good breaks the connection.")
        }
        W::Synced { .. } => Some("Only what is on disk may be acknowledged."),
        W::UnsyncedLost { .. } => Some("Only what is not synced can be lost."),
        W::EpochWritten { file: EpochFile::AcceptedEpoch, .. } => Some("A promise must survive a crash."),
        W::EpochWritten { file: EpochFile::CurrentEpoch, .. } => {
            Some("currentEpoch vouches for the history, so the history must be on disk first.")
        }
        W::SnapshotLost { .. } => Some("Nobody syncs it: an older one and more of the log give the same state."),
        W::Purged { .. } => {
            Some("A restart needs a snapshot and the log behind it. What is gone can serve no DIFF and no TRUNC.")
        }
        W::LogTruncated { .. } => Some("The leader's history holds everything committed; what it lacks never was."),
        W::ResourceRefused { .. } => {
            Some("Tokens grow from holder to holder: an older one comes from a former holder.")
        }
        W::WriteAnswered { .. } => Some("A client is told only what is committed and applied here."),
        W::WriteFailed { reason: RefusalReason::ConnectionLoss, .. } => {
            Some("The client cannot know: the write may still happen, or never.")
        }
        W::WriteFailed { reason: RefusalReason::ServerDown | RefusalReason::NotServing, .. } => {
            Some("The write never began; the client may try another server.")
        }
        W::Began { .. }
        | W::Started { .. }
        | W::Exited { .. }
        | W::ActionRefused { .. }
        | W::LatencySet { .. }
        | W::DiskSpeedSet { .. }
        | W::DiskFailed { .. }
        | W::Dialled { .. }
        | W::Connected { .. }
        | W::ConnectionRefused { .. }
        | W::ConnectionClosed { .. }
        | W::Sent { .. }
        | W::Delivered { .. }
        | W::Lost { .. }
        | W::SnapshotWritten { .. }
        | W::DiskWiped { .. }
        | W::DiskBackedUp { .. }
        | W::BackupRestored { .. }
        | W::DiskDelayed { .. }
        | W::Restored { .. }
        | W::Applied { .. }
        | W::Serving { .. }
        | W::ClientOpened { .. }
        | W::ClientKilled { .. }
        | W::ClientPaused { .. }
        | W::ClientResumed { .. }
        | W::ResourceWritten { .. }
        | W::WriteAsked { .. }
        | W::ClockJumped { .. } => None,
    }
}

fn refused(reason: ActionRefusal) -> String {
    match reason {
        ActionRefusal::NoSuchServer { server } => format!("Not possible: there is no server {server}."),
        ActionRefusal::WrongStatus { server, status } => match status {
            Status::Running => format!("Not possible: {server} is running."),
            Status::Paused => format!("Not possible: {server} is paused."),
            Status::Crashed => format!("Not possible: {server} is down."),
        },
        ActionRefusal::AlreadyThere { server } => format!("Not possible: {server} already exists."),
        ActionRefusal::NoRoom { most } => format!("Not possible: there can be at most {most} servers."),
        ActionRefusal::NoSuchClient { client } => format!("Not possible: there is no client {client}."),
        ActionRefusal::ClientThere { client } => format!("Not possible: {client} already exists."),
        ActionRefusal::NoRoomForClients { most } => format!("Not possible: there can be at most {most} clients."),
        ActionRefusal::WrongClientStatus { client, paused: true } => {
            format!("Not possible: {client} is paused.")
        }
        ActionRefusal::WrongClientStatus { client, paused: false } => {
            format!("Not possible: {client} is not paused.")
        }
        ActionRefusal::NoSession { client } => format!("Not possible: no leader knows a session of {client}."),
        ActionRefusal::ClientOver { client } => format!("Not possible: the session of {client} is over."),
        ActionRefusal::NoConnection { client } => format!("Not possible: {client} is not connected."),
        ActionRefusal::NoBackup { server } => format!("Not possible: there is no copy of the disk of {server}."),
        ActionRefusal::DiskIsSo { server, fault } => match fault {
            DiskFault::None => format!("Not possible: nothing is wrong with the disk of {server}."),
            DiskFault::Full => format!("Not possible: the disk of {server} is already full."),
            DiskFault::Error => format!("Not possible: the disk of {server} is already broken."),
        },
        ActionRefusal::LinksAreSo { cut: true } => "Not possible: nothing is left to cut there.".into(),
        ActionRefusal::LinksAreSo { cut: false } => "Not possible: nothing is cut there.".into(),
        ActionRefusal::RawClient { client } => {
            format!("Not possible: {client} is a raw wire client and cannot run programs.")
        }
        ActionRefusal::ProgramRefuses { client, why } => {
            let why = match why {
                Refusal::FrameworkAtWork => "its program is already running",
                Refusal::NameTaken => "its program has an object of this name",
                Refusal::TooManyObjects => "its program has reached its limit of objects",
                Refusal::ThreadBusy => "the thread is busy",
                Refusal::NoSuchThread => "the thread is idle",
            };
            format!("Not possible for {client}: {why}.")
        }
        ActionRefusal::NoSuchPacket { packet: PacketRef { from, to, which } } => {
            format!("Not possible: packet {which} from {from} to {to} is not in flight.")
        }
        ActionRefusal::WrongPacketStatus { packet: PacketRef { from, to, which }, held: true } => {
            format!("Not possible: packet {which} from {from} to {to} is already held.")
        }
        ActionRefusal::WrongPacketStatus { packet: PacketRef { from, to, which }, held: false } => {
            format!("Not possible: packet {which} from {from} to {to} is not held.")
        }
        ActionRefusal::PacketSent { packet: PacketRef { from, to, which } } => {
            format!("Not possible: packet {which} from {from} to {to} has already been sent.")
        }
        ActionRefusal::DiskOpBegun { server, what } => {
            format!("Not possible: the disk of {server} has already begun {what}.")
        }
        ActionRefusal::TooManyPackets { most } => {
            format!("Not possible: more than {most} packets are in flight.")
        }
        ActionRefusal::NoOracle { server } => format!("Not possible: {server} has no oracle."),
        ActionRefusal::NoRoomForVoters { most } => {
            format!("Not possible: there can be at most {most} voting servers.")
        }
    }
}
