//! What a line tells: one table of how messages begin, and what is read from the rest.

use zabscope_zookeeper::zab::SyncKind;

use super::entry::Entry;

/// What a server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Looks for a leader.
    Looking,
    /// Follows.
    Following,
    /// Leads.
    Leading,
    /// Observes.
    Observing,
}

/// A vote in a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ballot {
    /// Who is to lead.
    pub leader: i64,
    /// With which last zxid.
    pub zxid: u64,
    /// In which round.
    pub round: u64,
    /// Of which epoch.
    pub epoch: u64,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A process begins; the last line of the one before was written then.
    Started(Option<i64>),
    /// Its version.
    Version(String),
    /// It takes a role.
    Takes(Role),
    /// `Peer state changed`: the whole phase, as the line says it.
    Phase(String),
    /// It begins an election with this last zxid.
    Election(u64),
    /// It hears a vote of a server in some role.
    Hears(u64, Role, Ballot),
    /// It changes its vote to this leader and zxid.
    Vote(i64, u64),
    /// It observes this leader.
    Leader(u64),
    /// As a leader it sees a learner.
    Joins(u64),
    /// How far a learner and its leader are: highest and lowest zxid of the committed log, last zxid of the leader, of the learner.
    Apart(u64, [u64; 4]),
    /// What a leader sends a learner, up to which zxid.
    Sent(u64, SyncKind, u64),
    /// What a learner gets.
    Sync(SyncKind, u64),
    /// A majority supports a leader: who, as the line says it, and the first zxid of its epoch.
    Quorum(String, u64),
    /// A learner takes an epoch.
    Epoch(u64),
    /// A learner hears NEWLEADER.
    NewLeader,
    /// A leader hears its acknowledgement.
    Acked(u64),
    /// A learner hears UPTODATE.
    UpToDate,
    /// A session is born.
    Born(u64),
    /// It expires after so many ms.
    Expired(u64, u64),
    /// It is closed, by its client or after it expired.
    Closed(u64),
    /// It goes on at this server.
    Moved(u64),
    /// A client is refused; its session, where the line says it.
    Refused(u64),
    /// A leader stops, and why.
    LostQuorum(String),
    /// A learner stops, and why.
    LostLeader(String),
    /// A leader loses a learner.
    LostLearner(u64),
    /// It begins a transaction log with this zxid.
    NewFile(u64),
}

impl Event {
    /// Whether the story cannot do without it.
    pub(super) fn carries(&self) -> bool {
        let many = matches!(self, Event::Hears(..) | Event::Vote(..));
        !many && !matches!(self, Event::Born(_) | Event::Closed(_) | Event::Moved(_) | Event::Refused(_))
    }
}

type Read = fn(&str) -> Option<Event>;

/// How a message begins, and what is read from the rest.
const TABLE: &[(&str, Read)] = &[
    ("Starting quorum peer, myid=", |_| Some(Event::Started(None))),
    ("Server environment:zookeeper.version=", |rest| {
        Some(Event::Version(rest.split([',', '-']).next()?.chars().take(20).collect()))
    }),
    ("LOOKING", |rest| whole(rest, Event::Takes(Role::Looking))),
    ("FOLLOWING", |rest| whole(rest, Event::Takes(Role::Following))),
    ("LEADING", |rest| whole(rest, Event::Takes(Role::Leading))),
    ("OBSERVING", |rest| whole(rest, Event::Takes(Role::Observing))),
    ("Peer state changed: ", |rest| Some(Event::Phase(rest.chars().take(60).collect()))),
    ("New election. My id = ", |rest| Some(Event::Election(hex(rest, "zxid=")?))),
    ("Notification: ", heard),
    ("Updating proposal: ", |rest| Some(Event::Vote(named(rest, "newleader")?, named_hex(rest, "newzxid")?))),
    ("Observing new leader sid=", |rest| Some(Event::Leader(number(rest)?))),
    ("Follower sid: ", |rest| {
        // a joiner is not in the configuration yet
        let joins = rest.contains(" : info : ") || rest.contains("not in the current config");
        number(rest).filter(|_| joins).map(Event::Joins)
    }),
    ("Synchronizing with ", |rest| {
        let apart = ["maxCommittedLog=", "minCommittedLog=", "lastProcessedZxid=", "peerLastZxid="];
        let [max, min, last, peer] = apart.map(|key| hex(rest, key));
        Some(Event::Apart(number_behind(rest, "sid: ")?, [max?, min?, last.unwrap_or_default(), peer?]))
    }),
    ("Sending DIFF zxid=", |rest| sent(SyncKind::Diff, rest)),
    ("Sending TRUNC ", |rest| sent(SyncKind::Trunc, rest)),
    ("Sending snapshot last zxid of peer is ", |rest| {
        let zxid = hex(rest, "send zxid of db as ").or_else(|| hex(rest, "zxid of leader is "));
        Some(Event::Sent(0, SyncKind::Snap, zxid?))
    }),
    ("Getting a diff from the leader ", |rest| Some(Event::Sync(SyncKind::Diff, hex(rest, "")?))),
    ("Getting a snapshot from leader", |rest| Some(Event::Sync(SyncKind::Snap, hex(rest, " ").unwrap_or(0)))),
    ("Truncating log to get in sync with the leader ", |rest| Some(Event::Sync(SyncKind::Trunc, hex(rest, "")?))),
    ("Have quorum of supporters, sids: ", |rest| {
        let sids = rest.split(';').next()?;
        Some(Event::Quorum(sids.chars().take(200).collect(), hex(rest, "zxid: ")?))
    }),
    ("Set the current epoch to ", |rest| Some(Event::Epoch(number(rest)?))),
    ("Learner received NEWLEADER message", |_| Some(Event::NewLeader)),
    ("Received NEWLEADER-ACK message from ", |rest| Some(Event::Acked(number(rest)?))),
    ("Learner received UPTODATE message", |_| Some(Event::UpToDate)),
    ("Committing global session ", |rest| Some(Event::Born(hex(rest, "")?))),
    ("Established session ", |rest| Some(Event::Born(hex(rest, "")?))),
    ("Expiring session ", |rest| Some(Event::Expired(hex(rest, "")?, number_behind(rest, "timeout of ")?))),
    ("Submitting global closeSession request for session ", |rest| Some(Event::Closed(hex(rest, "")?))),
    ("Processed session termination for sessionid: ", |rest| Some(Event::Closed(hex(rest, "")?))),
    ("Revalidating client: ", |rest| Some(Event::Moved(hex(rest, "")?))),
    ("Refusing session", |rest| Some(Event::Refused(hex(rest, "(").unwrap_or(0)))),
    ("Incorrect password from ", |rest| Some(Event::Refused(hex(rest, "session ")?))),
    ("Invalid session ", |rest| Some(Event::Refused(hex(rest, "")?))),
    ("Shutdown called", |rest| Some(Event::LostQuorum(cut(rest.split("reason ").nth(1).unwrap_or_default())))),
    ("Exception when following the leader", |_| Some(Event::LostLeader(String::new()))),
    ("Exception when observing the leader", |_| Some(Event::LostLeader(String::new()))),
    ("Synchronously closing socket to learner ", |rest| {
        Some(Event::LostLearner(number(rest.trim_end_matches('.'))?))
    }),
    ("Creating new log file: log.", |rest| Some(Event::NewFile(u64::from_str_radix(rest.trim(), 16).ok()?))),
];

/// What a line tells, if it tells something.
pub(super) fn read(entry: &Entry) -> Option<Event> {
    let message = entry.message.trim_end();
    let (begins, read) = TABLE.iter().find(|(begins, _)| message.starts_with(begins))?;
    read(&message[begins.len()..])
}

/// A continuation: where an exception says why, it is that.
pub(super) fn explain(event: &mut Event, line: &str) {
    match event {
        Event::LostLeader(why) if why.is_empty() && !line.starts_with('\t') => *why = cut(line),
        Event::LostQuorum(why) if why.is_empty() => {
            *why = line.split_once("reason: ").map_or(String::new(), |(_, why)| cut(why));
        }
        _ => {}
    }
}

fn cut(text: &str) -> String {
    text.trim().chars().take(160).collect()
}

fn whole(rest: &str, event: Event) -> Option<Event> {
    rest.is_empty().then_some(event)
}

fn digits(text: &str, is_digit: impl Fn(u8) -> bool) -> &str {
    let end = text.bytes().position(|byte| !is_digit(byte)).unwrap_or(text.len());
    &text[..end]
}

fn number(text: &str) -> Option<u64> {
    digits(text, |byte| byte.is_ascii_digit()).parse().ok()
}

fn number_behind(text: &str, key: &str) -> Option<u64> {
    number(text.split_once(key)?.1)
}

/// `0x…` behind a key.
fn hex(text: &str, key: &str) -> Option<u64> {
    let text = text.split_once(key)?.1.strip_prefix("0x")?;
    u64::from_str_radix(digits(text, |byte| byte.is_ascii_hexdigit()), 16).ok()
}

/// The word before ` (name)`, as older lines put it.
fn before<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let at = text.match_indices(" (").find(|(at, _)| text[at + 2..].starts_with(name))?.0;
    text[..at].rsplit([' ', ',']).next()
}

fn named(text: &str, name: &str) -> Option<i64> {
    before(text, name)?.parse().ok()
}

fn named_hex(text: &str, name: &str) -> Option<u64> {
    u64::from_str_radix(before(text, name)?.strip_prefix("0x")?, 16).ok()
}

fn role(text: &str) -> Option<Role> {
    let roles = [
        ("LOOKING", Role::Looking),
        ("FOLLOWING", Role::Following),
        ("LEADING", Role::Leading),
        ("OBSERVING", Role::Observing),
    ];
    roles.iter().find(|(name, _)| text.starts_with(name)).map(|(_, role)| *role)
}

/// `my state:LOOKING; n.sid:2, n.state:LOOKING, n.leader:2, …`, or `…, 3 (n.leader), 0x0 (n.zxid), …` of 3.5 and older.
fn heard(rest: &str) -> Option<Event> {
    if !rest.contains("n.sid:") {
        let from = named(rest, "n.sid)")?;
        return Some(Event::Hears(u64::try_from(from).ok()?, role(before(rest, "n.state)")?)?, ballot(rest)?));
    }
    let leader = rest.split_once("n.leader:")?.1;
    let leader = digits(leader, |byte| byte.is_ascii_digit() || byte == b'-').parse().ok()?;
    let ballot = Ballot {
        leader,
        zxid: hex(rest, "n.zxid:")?,
        round: hex(rest, "n.round:")?,
        epoch: hex(rest, "n.peerEpoch:")?,
    };
    Some(Event::Hears(number_behind(rest, "n.sid:")?, role(rest.split_once("n.state:")?.1)?, ballot))
}

fn ballot(rest: &str) -> Option<Ballot> {
    let epoch = named_hex(rest, "n.peerEpoch").or_else(|| named_hex(rest, "n.peerEPoch"));
    Some(Ballot {
        leader: named(rest, "n.leader)")?,
        zxid: named_hex(rest, "n.zxid)")?,
        round: named_hex(rest, "n.round)")?,
        epoch: epoch.unwrap_or_default(),
    })
}

/// `0x… for peer sid: 3`, or `…zxidToSend=0x… for peer sid:3`
fn sent(kind: SyncKind, rest: &str) -> Option<Event> {
    let zxid =
        if rest.starts_with("0x") { hex(rest, "") } else { hex(rest, "zxidToSend=").or_else(|| hex(rest, "zxid=")) };
    Some(Event::Sent(number(rest.split_once("sid:")?.1.trim_start())?, kind, zxid?))
}
