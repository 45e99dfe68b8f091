//! What a real ensemble did, as the files in `tests/ensemble` tell it.

use serde::{Deserialize, Deserializer, de};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

use super::play;
use crate::base::limits::{MAX_PAYLOAD_BYTES, MAX_SERVERS};
use crate::base::{Epoch, RuleSet, ServerId, ServerSet, SimTime, Zxid};
use crate::release::release_of;
use crate::transcript::{MAX_TRANSCRIPT_BYTES, NoTranscript, is_plain, sentence, whole_json};
use crate::zab::BrokenRule;

const MAX_STEPS: usize = 1_000;
const MAX_PLAYS: usize = 100;
/// Most writes of a recording.
const MAX_WRITES: u64 = 100_000;
/// Longest recording, ms.
const MAX_MS: u64 = 600_000;
pub(super) const VOTER: &str = "participant";
pub(super) const OBSERVER: &str = "observer";
/// The client that keeps its connection to a leader that stops to serve.
pub(super) const OLD: &str = "old";
/// What a step is called that reads at a server, before its number.
const READ_AT: &str = "read at ";

/// A recording. Fields that nobody compares (log lines, every vote received) are left out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    /// Its name, which is its file's.
    pub name: String,
    /// Which ZooKeeper was recorded.
    #[serde(rename = "recorded_from")]
    pub(super) recorded_from: String,
    pub(super) config: RecordedConfig,
    #[serde(default)]
    pub(super) properties: BTreeMap<String, String>,
    /// `participant` or `observer`.
    pub(super) servers: BTreeMap<ServerId, String>,
    pub(super) steps: Vec<Step>,
    pub(super) new_epochs: Vec<NewEpoch>,
    pub(super) syncs: Vec<Sync>,
    pub(super) plays: Vec<Digest>,
    /// The fields of [`Digest`] that were the same in every play; left out where there is only one.
    pub(super) same_in_all_plays: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecordedConfig {
    pub tick_time: u64,
    pub init_limit: u64,
    pub sync_limit: u64,
}

/// Something that was done or seen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    /// When it was over, ms.
    pub at: u64,
    pub deed: Deed,
}

/// The number in `read at 3` becomes a field.
impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Step, D::Error> {
        let mut fields = Map::<String, Value>::deserialize(d)?;
        let at = fields.remove("at").and_then(|at| at.as_u64());
        let at = at.ok_or_else(|| de::Error::custom("`at` is no number of ms"))?;
        let read_at = fields.get("do").and_then(Value::as_str).and_then(|name| name.strip_prefix(READ_AT));
        if let Some(server) = read_at {
            let server: u8 = server.parse().map_err(|_| de::Error::custom("`read at` what server?"))?;
            fields.insert("server".into(), server.into());
            fields.insert("do".into(), "read".into());
        }
        let deed = serde_json::from_value(Value::Object(fields)).map_err(de::Error::custom)?;
        Ok(Step { at, deed })
    }
}

/// What was done or seen.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do")]
pub(super) enum Deed {
    #[serde(rename = "start")]
    Start { server: ServerId },
    #[serde(rename = "kill", alias = "terminate")]
    Kill { server: ServerId },
    #[serde(rename = "pause")]
    Pause { server: ServerId },
    #[serde(rename = "resume")]
    Resume { server: ServerId },
    #[serde(rename = "client connects")]
    Connect { client: String, server: ServerId },
    #[serde(rename = "write")]
    Write { client: String, path: String, zxid: Zxid },
    #[serde(rename = "writes", rename_all = "camelCase")]
    Writes { client: String, count: u32, first_zxid: Zxid, last_zxid: Zxid, data_bytes: Option<usize> },
    #[serde(rename = "write sent to the leader, which can't commit it")]
    Send { path: String },
    #[serde(rename = "three writes sent to the leader, which can't commit them")]
    SendThree,
    #[serde(rename = "writable again")]
    WritableAgain { by: ServerId, zxid: Zxid },
    #[serde(rename = "serving")]
    Serving { servers: BTreeMap<String, Srvr> },
    #[serde(rename = "stoppedServing")]
    StoppedServing { server: ServerId },
    /// `read at 3`. Where it succeeded, `error` is `Ok`.
    #[serde(rename = "read")]
    ReadAt { server: ServerId, path: String, error: String },
    #[serde(rename = "read on the old leader's connection")]
    ReadOnOldConnection { error: String },
    #[serde(rename = "check", rename_all = "camelCase")]
    Check { acknowledged_but_lost: usize },
}

impl Deed {
    /// The server that it names.
    fn server(&self) -> Option<ServerId> {
        match self {
            Deed::Start { server }
            | Deed::Kill { server }
            | Deed::Pause { server }
            | Deed::Resume { server }
            | Deed::Connect { server, .. }
            | Deed::WritableAgain { by: server, .. }
            | Deed::StoppedServing { server }
            | Deed::ReadAt { server, .. } => Some(*server),
            _ => None,
        }
    }

    /// The path that it names.
    fn path(&self) -> Option<&str> {
        match self {
            Deed::Write { path, .. } | Deed::Send { path } | Deed::ReadAt { path, .. } => Some(path),
            _ => None,
        }
    }
}

/// What `srvr` said.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Srvr {
    pub mode: String,
    pub last_zxid: Zxid,
}

/// A leader that got its majority.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewEpoch {
    pub at: u64,
    pub leader: ServerId,
    pub epoch_zxid: Zxid,
    pub supporters: Vec<ServerId>,
    pub first_votes: Vec<FirstVote>,
    pub decided_by: String,
}

/// What a supporter voted for first: itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FirstVote {
    pub sid: ServerId,
    pub peer_epoch: u32,
    pub zxid: Zxid,
}

/// How a leader brought a learner up to date.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sync {
    pub at: u64,
    pub leader: ServerId,
    pub learner: ServerId,
    pub kind: String,
    pub learner_last_zxid: Zxid,
    pub leader_min_committed_log: Zxid,
    pub leader_max_committed_log: Zxid,
    pub leader_last_processed: Zxid,
    pub to: Zxid,
}

impl Sync {
    /// The ends of the committed log that the leader decided by: its log line shows 0:0 for an empty one, its decision takes
    /// the last processed zxid.
    pub(super) fn window(&self) -> (Zxid, Zxid) {
        match self.leader_max_committed_log {
            Zxid::ZERO => (self.leader_last_processed, self.leader_last_processed),
            max => (self.leader_min_committed_log, max),
        }
    }
}

/// A play in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Digest {
    pub leaders: Vec<ServerId>,
    pub epochs: Vec<Zxid>,
    pub decided_by: Vec<String>,
    /// Like `3->1 DIFF`, in the order of time.
    pub syncs: Vec<String>,
    pub reads: Vec<String>,
}

fn read(text: &str) -> Result<Recording, String> {
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(format!("a recording has at most {MAX_TRANSCRIPT_BYTES} bytes; this has {}", text.len()));
    }
    let recording: Recording = whole_json(text)?;
    recording.check()?;
    play::run(&recording, 0, |_| {})?;
    Ok(recording)
}

impl Digest {
    /// The epochs between its leaders' that no leader had: those of rounds that failed when they had written their epoch.
    pub(super) fn skipped(&self) -> Vec<Epoch> {
        let had: BTreeSet<Epoch> = self.epochs.iter().map(|zxid| zxid.epoch()).collect();
        (1..had.last().copied().unwrap_or(0)).filter(|epoch| !had.contains(epoch)).collect()
    }

    /// Whether a field is the same in both. Unknown ones are no part of a comparison.
    fn agrees(&self, field: &str, other: &Digest) -> bool {
        match field {
            "leaders" => self.leaders == other.leaders,
            "epochs" => self.epochs == other.epochs,
            "decidedBy" => self.decided_by == other.decided_by,
            "syncs" => {
                let sorted = |syncs: &[String]| {
                    let mut syncs = syncs.to_vec();
                    syncs.sort(); // in which order they came is a matter of milliseconds
                    syncs
                };
                sorted(&self.syncs) == sorted(&other.syncs)
            }
            "reads" => self.reads == other.reads,
            _ => true,
        }
    }
}

impl Recording {
    fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || !is_plain(&self.name) {
            return Err("name: write 1 to 100 visible characters".into());
        }
        if self.steps.len() > MAX_STEPS || self.plays.len() > MAX_PLAYS {
            return Err(format!("at most {MAX_STEPS} steps and {MAX_PLAYS} plays are allowed"));
        }
        if self.plays.is_empty() {
            return Err("plays: there is none".into());
        }
        self.check_servers()?;
        let (mut clients, mut writes) = (BTreeSet::new(), 0);
        for (index, step) in self.steps.iter().enumerate() {
            self.check_step(step, &mut clients, &mut writes).map_err(|why| format!("steps[{index}]: {why}"))?;
        }
        Ok(())
    }

    /// The simulation numbers voters first.
    fn check_servers(&self) -> Result<(), String> {
        if self.servers.is_empty() || self.servers.len() > MAX_SERVERS {
            return Err(format!("servers: 1 to {MAX_SERVERS} are allowed"));
        }
        let voters = usize::from(self.count(VOTER));
        for (place, (id, kind)) in self.servers.iter().enumerate() {
            let expected = if place < voters { VOTER } else { OBSERVER };
            if usize::from(id.0) != place + 1 || kind != expected {
                return Err("servers: write participants first, then observers, numbered from 1".into());
            }
            if self.first_start(*id).is_none() {
                return Err(format!("steps: server {} is never started", id.0));
            }
        }
        Ok(())
    }

    fn check_step<'a>(
        &self,
        step: &'a Step,
        clients: &mut BTreeSet<&'a str>,
        writes: &mut u64,
    ) -> Result<(), String> {
        let known = |client: &str| match clients.contains(client) {
            true => Ok(()),
            false => Err(format!("client '{client}' was never connected")),
        };
        if step.at > MAX_MS {
            return Err(format!("at: {} is above {MAX_MS}", step.at));
        }
        if step.deed.path().is_some_and(|path| path.len() > MAX_PAYLOAD_BYTES) {
            return Err(format!("path: at most {MAX_PAYLOAD_BYTES} bytes are allowed"));
        }
        if let Some(server) = step.deed.server().filter(|server| !self.servers.contains_key(server)) {
            return Err(format!("there is no server {}", server.0));
        }
        match &step.deed {
            Deed::Connect { client, .. } => {
                if !is_plain(client) {
                    return Err("client: write at most 100 visible characters".into());
                }
                if Recording::is_load(client) && self.first_kill().is_none() {
                    return Err(format!("client '{client}': no kill ends its load"));
                }
                clients.insert(client);
                Ok(())
            }
            Deed::Write { client, .. } => known(client),
            Deed::Writes { client, count, .. } => {
                *writes += u64::from(*count);
                match *writes > MAX_WRITES || *count == 0 {
                    true => Err(format!("count: 1 to {MAX_WRITES} writes in all are allowed")),
                    false => known(client),
                }
            }
            Deed::ReadOnOldConnection { .. } => known(OLD),
            Deed::Serving { servers } => match servers.keys().find(|id| self.id_of(id).is_none()) {
                Some(id) => Err(format!("there is no server '{id}'")),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// What is said to be the same in all plays and is not, in those that are listed.
    pub(super) fn contradiction(&self) -> Option<String> {
        self.same_in_all_plays.iter().flatten().find_map(|field| {
            let at = self.plays.iter().position(|play| !play.agrees(field, &self.plays[0]))?;
            Some(format!("plays[{at}].{field} differs, but stands in sameInAllPlays"))
        })
    }

    /// A server by its number in a text.
    pub(super) fn id_of(&self, text: &str) -> Option<ServerId> {
        text.parse().ok().map(ServerId).filter(|id| self.servers.contains_key(id))
    }

    /// Reads a recording.
    ///
    /// # Errors
    /// A sentence that names the place.
    pub fn from_json(text: &str) -> Result<Recording, NoTranscript> {
        read(text).map_err(sentence)
    }

    /// How many servers are of this kind (`participant` or `observer`).
    pub(super) fn count(&self, kind: &str) -> u8 {
        self.servers.values().filter(|other| *other == kind).count() as u8
    }

    /// When a server was started first.
    pub(super) fn first_start(&self, id: ServerId) -> Option<SimTime> {
        let start = self.steps.iter().find(|step| matches!(step.deed, Deed::Start { server } if server == id))?;
        Some(SimTime::from_ms(start.at))
    }

    /// When the first server is killed, which ends a load.
    pub(super) fn first_kill(&self) -> Option<SimTime> {
        let kills = self.steps.iter().filter(|step| matches!(step.deed, Deed::Kill { .. }));
        kills.map(|step| SimTime::from_ms(step.at)).min()
    }

    /// How many learners were there when the first leader was elected: the first synchronisations are theirs.
    pub(super) fn started_together(&self) -> usize {
        self.new_epochs.first().map_or(0, |first| self.voters_up(first.at).len().saturating_sub(1))
    }

    fn is_voter(&self, server: ServerId) -> bool {
        self.servers.get(&server).is_some_and(|kind| kind == VOTER)
    }

    /// The voting servers whose processes ran at a time.
    pub(super) fn voters_up(&self, at_ms: u64) -> ServerSet {
        let mut up = ServerSet::EMPTY;
        for step in self.steps.iter().take_while(|step| step.at <= at_ms) {
            match step.deed {
                Deed::Start { server } | Deed::Resume { server } if self.is_voter(server) => {
                    up.insert(server);
                }
                Deed::Kill { server } | Deed::Pause { server } => {
                    up.remove(server);
                }
                _ => {}
            }
        }
        up
    }

    /// How a server was brought up to date next.
    pub(super) fn next_sync(&self, learner: ServerId, after: SimTime) -> Option<&Sync> {
        self.syncs.iter().find(|sync| sync.learner == learner && sync.at >= after.as_ms())
    }

    /// Servers that were up when another was killed, and whose first vote afterwards lacks a transaction that another's has.
    pub(super) fn behind_after(&self, kill: SimTime) -> ServerSet {
        let next = self.new_epochs.iter().find(|epoch| epoch.at > kill.as_ms());
        let votes: Vec<&FirstVote> = next.iter().flat_map(|epoch| &epoch.first_votes).collect();
        let up = self.voters_up(kill.as_ms());
        let last = votes.iter().map(|vote| vote.zxid).max().filter(|last| !last.is_new_epoch());
        let all_were_up = votes.iter().all(|vote| up.contains(vote.sid));
        let behind = votes.iter().filter(|vote| all_were_up && last.is_some_and(|last| vote.zxid < last));
        behind.map(|vote| vote.sid).collect()
    }

    fn release(&self) -> [u32; 3] {
        release_of(&self.recorded_from, "ZooKeeper").unwrap_or([3, 9, 5])
    }

    /// Whether rounds of its servers may fail for an ACK that overtakes NEWLEADER's (ZOOKEEPER-4685), and take an epoch with them.
    pub(super) fn rounds_may_fail(&self) -> bool {
        let release = self.release();
        release < [3, 8, 5] || ([3, 9, 0]..[3, 9, 2]).contains(&release)
    }

    /// How many committed transactions its servers keep in memory beyond `commitLogCount`: 3.8 looks at the count before it adds one.
    pub(super) fn kept_beyond(&self) -> usize {
        usize::from(self.release() < [3, 9, 0])
    }

    /// Which bugs its servers have, of those that what is compared shows. (As 3.8 altogether they would lose a race that the real ones won:
    /// by ZOOKEEPER-4712 nobody waits for the log before an election, and a disk that is not synced is quicker there.)
    pub(super) fn rules(&self) -> RuleSet {
        match self.rounds_may_fail() {
            true => RuleSet::default().breaking(BrokenRule::Zookeeper4685),
            false => RuleSet::default(),
        }
    }

    /// Clients of this name write one transaction after the other until something is killed.
    pub(super) fn is_load(client: &str) -> bool {
        client.starts_with("load")
    }

    /// Whether the counters of epoch 1 depend on how much the clients had written when the leader was killed.
    pub(super) fn has_load(&self) -> bool {
        self.steps.iter().any(|step| matches!(&step.deed, Deed::Connect { client, .. } if Recording::is_load(client)))
    }
}
