//! Every bound of the program in one place. Sizes are checked before work is done.

/// The highest server id. The stage has room for that many cards.
pub const MAX_SERVER_ID: u8 = 15;
/// The highest number of a machine of any system.
pub const MAX_MACHINE_ID: u8 = 63;
/// Most voting servers in an ensemble.
pub const MAX_VOTERS: usize = 9;
/// Most servers, observers included.
pub const MAX_SERVERS: usize = 12;
/// Most actions a run may hold.
pub const MAX_ACTIONS: usize = 100_000;
/// Most writes that one action may ask for.
pub const MAX_WRITES_PER_ACTION: u32 = 1_000;
/// Most writes that the actions of a run may ask for in all.
pub const MAX_WRITES: u64 = 2_000_000;
/// Most packets in flight at which servers still take plain writes.
pub const MAX_PACKETS: usize = 300_000;
/// Most links that one action may cut or heal.
pub const MAX_LINKS_PER_ACTION: usize = 1_000;
/// Longest payload of a client's write, bytes.
pub const MAX_PAYLOAD_BYTES: usize = 1_024;
/// Longest run as JSON, bytes.
pub const MAX_RUN_BYTES: usize = 8 << 20;
/// Longest disks of a run, unpacked, bytes.
pub const MAX_DISKS_BYTES: usize = 64 << 20;
/// Longest virtual time that a run may reach, milliseconds (about eleven days).
pub const MAX_TIME_MS: u64 = 1_000_000_000;
/// Longest latency, disk time or tick that a run may ask for, microseconds (ten minutes).
pub const MAX_DURATION_US: u64 = 600_000_000;
/// The highest client number.
pub const MAX_CLIENT_ID: u16 = 9_999;
/// Most clients at a time.
pub const MAX_CLIENTS: usize = 1_000;
/// Longest path that an action may carry, bytes.
pub const MAX_PATH_BYTES: usize = 4_096;
/// Longest data that an action may carry, bytes: above `jute.maxbuffer`, so that one can see what happens there.
pub const MAX_DATA_BYTES: usize = 2 << 20;
/// The widest link, bytes per ms: ten gigabits a second.
pub const MAX_BANDWIDTH: u64 = 1_250_000;
/// The longest piece that a log file takes on disk, KB: a gigabyte.
pub const MAX_PRE_ALLOC_KB: u64 = 1 << 20;
/// Longest delay of one packet or disk operation, µs.
pub const MAX_DELAY_US: u64 = 60_000_000;
/// Most entries of a list of permissions that an action may carry.
pub const MAX_ACL: usize = 100;
/// Most parts of a `multi` that an action may carry.
pub const MAX_MULTI_OPS: usize = 1_000;
/// The server's limit on a request, bytes on the wire (`jute.maxbuffer`).
pub const JUTE_MAX_BUFFER: usize = 0xfffff;
/// Longest line that the console reads, bytes.
pub const MAX_LINE_BYTES: usize = 64 << 10;
/// Most lines that the console remembers.
pub const MAX_HISTORY: usize = 500;
/// Most proposals that a completion lists.
pub const MAX_CANDIDATES: usize = 1_000;
/// Longest link, characters; what browsers carry in an address.
pub const MAX_LINK_CHARS: usize = 1 << 20;
/// Most steps that are taken to get to the moment of a link.
pub const MAX_PLACE_EVENTS: u64 = 3_000_000;
/// Most steps of a run that are shown: what is kept of each (for the checker and the picture over time) takes a hundred bytes.
pub const MAX_SHOWN_EVENTS: u64 = 10_000_000;
/// How far into a run a search may begin, and the run's last deed be, µs: each trial plays from there on.
pub const MAX_SEARCHED_US: u64 = 600_000_000;
/// Most writes of a run that is searched.
pub const MAX_SEARCHED_WRITES: u64 = 10_000;
/// Most rows of a table of counters.
pub const MAX_ROWS: u64 = 100_000;
/// Longest text that is exported, bytes.
pub const MAX_EXPORT_BYTES: usize = 256 << 20;
