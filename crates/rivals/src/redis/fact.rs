//! What happens in servers, Sentinels and client programs. Their sentences stand in `said`.

use serde::Serialize;

/// Something happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Fact {
    /// A server has executed a command.
    Executed {
        /// The command, as one would type it.
        line: String,
        /// The answer, as redis-cli shows it; none where it comes later.
        reply: Option<String>,
        /// Who sent it.
        by: String,
        /// Whether it has changed keys, or told somebody a message.
        write: bool,
    },
    /// A key was deleted by a command.
    Deleted {
        /// The key.
        key: String,
        /// What it held.
        value: String,
        /// Who sent the command.
        by: String,
    },
    /// A key was removed because its limit was over.
    Expired {
        /// The key.
        key: String,
        /// What it held.
        value: String,
        /// How long ago that was by the server's wall clock, ms.
        late_ms: i64,
        /// Because somebody asked for it, not by the active cycle.
        lazily: bool,
    },
    /// A command was written to the append-only file: it is in the system's cache.
    Logged {
        /// The command as executed.
        command: Vec<String>,
        /// The wall clock when it was executed, ms since 1970.
        clock_ms: i64,
    },
    /// The append-only file was forced to disk.
    Synced {
        /// How many commands it holds.
        commands: usize,
    },
    /// A server has started with what its disk holds.
    Loaded {
        /// How many keys.
        keys: usize,
        /// Of what: `aof`, `rdb` or `nothing`.
        from: &'static str,
        /// Commands at the end of the file that were torn or stood in a MULTI without its EXEC.
        dropped: usize,
    },
    /// A master has taken a replica.
    Attached {
        /// Whom.
        replica: String,
        /// By a full copy, or from the backlog.
        full: bool,
        /// Up to where, bytes of the stream.
        offset: i64,
        /// Why not from the backlog.
        because: Option<&'static str>,
    },
    /// A replica has what its source had.
    Linked {
        /// Its source.
        source: String,
        /// By a full copy.
        full: bool,
        /// Keys that it had and threw away.
        dropped: usize,
    },
    /// A replica's link to its source is down.
    LinkLost {
        /// Its source.
        source: String,
    },
    /// A replica has applied a part of the stream.
    Applied {
        /// How many commands.
        commands: usize,
        /// Up to where, bytes of the stream.
        offset: i64,
    },
    /// A replica was made a master.
    Promoted {
        /// What it has of the stream, bytes.
        offset: i64,
    },
    /// A server was made a replica.
    Demoted {
        /// Of whom.
        source: String,
    },
    /// An operator's command at the server itself was answered.
    Operated {
        /// What was typed.
        line: String,
        /// The answer.
        reply: crate::redis::Reply,
    },
    /// A script runs for long: the thread does nothing else.
    ScriptRuns {
        /// How long, ms; none where it never ends.
        ms: Option<u64>,
    },
    /// A waiting client has got an element.
    Served {
        /// Who.
        client: String,
        /// Of which list.
        key: String,
    },
    /// A server has closed clients' connections.
    Disconnected {
        /// How many.
        clients: usize,
    },
    /// A Sentinel has published an event.
    Event {
        /// Its name, as `+odown`.
        event: String,
        /// What it is about, as `master R1`.
        about: String,
    },
    /// A client has a connection.
    Connected {
        /// To whom.
        server: String,
    },
    /// Nobody listens there.
    Refused {
        /// Where.
        server: String,
    },
    /// A client's connection has ended.
    Closed {
        /// With whom.
        server: String,
    },
    /// A client has waited too long for an answer and hung up.
    TimedOut {
        /// For whose answer.
        server: String,
        /// The command.
        line: String,
    },
    /// A line typed at a client makes no command, or there is no connection.
    NotSent {
        /// The line.
        line: String,
        /// Why.
        because: &'static str,
    },
    /// A client has an answer.
    Answered {
        /// From whom.
        server: String,
        /// To which command.
        line: String,
        /// The answer.
        reply: crate::redis::Reply,
    },
    /// A subscriber has heard a message.
    Heard {
        /// As it came: `message`, the channel, the text.
        message: Vec<String>,
    },
    /// A client's program begins: whatever it believed before is forgotten.
    Begins {
        /// The lock that it will take.
        lock: String,
    },
    /// A client believes from now on that it holds a lock.
    Acquired {
        /// The lock.
        lock: String,
        /// What stands for this acquisition in the lock.
        token: String,
        /// Its fencing token.
        number: Option<i64>,
        /// After which time the lock frees itself, ms; none: never.
        limit_ms: Option<u64>,
    },
    /// A client was refused a lock.
    Denied {
        /// The lock.
        lock: String,
        /// Which try it was in a row.
        tries: u32,
        /// After which time a lock of its own would free itself, ms.
        limit_ms: Option<u64>,
    },
    /// Too few servers have granted a lock: what was granted is given back.
    NoMajority {
        /// The lock.
        lock: String,
        /// How many have granted it.
        granted: usize,
        /// Of how many.
        of: usize,
    },
    /// A holder has had its limit set anew.
    Renewed {
        /// The lock.
        lock: String,
    },
    /// A holder knows that it holds the lock no more.
    LostLock {
        /// The lock.
        lock: String,
        /// How it knows: `renewal`, `validity` or `connection`.
        by: &'static str,
    },
    /// A client has let go of a lock.
    Released {
        /// The lock.
        lock: String,
        /// Whether there was anything of its own to delete; none where that is not known.
        done: Option<bool>,
    },
    /// A client writes to what the lock protects, believing that it holds the lock.
    Acts {
        /// The lock.
        lock: String,
        /// Its fencing token.
        number: Option<i64>,
    },
}
