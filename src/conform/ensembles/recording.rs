//! What a real ensemble did, as the files in `tests/ensemble` tell it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use zabscope::base::{ServerId, ServerSet, SimTime, Zxid};

/// A recording. Fields that no test reads (log lines, every vote received) are left out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Recording {
    pub config: RecordedConfig,
    pub properties: BTreeMap<String, String>,
    pub servers: BTreeMap<ServerId, String>,
    pub steps: Vec<Step>,
    pub new_epochs: Vec<NewEpoch>,
    pub syncs: Vec<Sync>,
    pub plays: Vec<Digest>,
    /// The fields of [`Digest`] that were the same in every play; left out where there is only one.
    pub same_in_all_plays: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedConfig {
    pub tick_time: u64,
    pub init_limit: u64,
    pub sync_limit: u64,
}

/// Something that was done or seen.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// When it was over, ms.
    pub at: u64,
    #[serde(flatten)]
    pub deed: Deed,
}

/// What was done or seen.
#[derive(Debug, Deserialize)]
#[serde(tag = "do")]
pub enum Deed {
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
    #[serde(rename = "read at 3")]
    ReadAtThree { path: String, error: String },
    #[serde(rename = "read on the old leader's connection")]
    ReadOnOldConnection { error: String },
    #[serde(rename = "check", rename_all = "camelCase")]
    Check { acknowledged_but_lost: usize },
}

/// What `srvr` said.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Srvr {
    pub mode: String,
    pub last_zxid: Zxid,
}

/// A leader that got its majority.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewEpoch {
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
pub struct FirstVote {
    pub sid: ServerId,
    pub peer_epoch: u32,
    pub zxid: Zxid,
}

/// How a leader brought a learner up to date.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sync {
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
    pub fn window(&self) -> (Zxid, Zxid) {
        match self.leader_max_committed_log {
            Zxid::ZERO => (self.leader_last_processed, self.leader_last_processed),
            max => (self.leader_min_committed_log, max),
        }
    }
}

/// A play in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Digest {
    pub leaders: Vec<ServerId>,
    pub epochs: Vec<Zxid>,
    pub decided_by: Vec<String>,
    /// Like `3->1 DIFF`, in the order of time.
    pub syncs: Vec<String>,
    pub reads: Vec<String>,
}

impl Recording {
    /// Reads `tests/ensemble/NAME.json`.
    pub fn load(name: &str) -> Recording {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/ensemble/{name}.json"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// How many servers are of this kind (`participant` or `observer`).
    pub fn count(&self, kind: &str) -> u8 {
        self.servers.values().filter(|other| *other == kind).count() as u8
    }

    /// When a server was started first.
    pub fn first_start(&self, id: ServerId) -> SimTime {
        let start = self
            .steps
            .iter()
            .find(|step| matches!(step.deed, Deed::Start { server } if server == id))
            .expect("a start");
        SimTime::from_ms(start.at)
    }

    /// How many learners were there when the first leader was elected: the first synchronisations are theirs.
    pub fn started_together(&self) -> usize {
        self.voters_up(self.new_epochs[0].at).len() - 1
    }

    /// The voting servers whose processes ran at a time.
    pub fn voters_up(&self, at_ms: u64) -> ServerSet {
        let mut up = ServerSet::EMPTY;
        for step in self.steps.iter().take_while(|step| step.at <= at_ms) {
            match step.deed {
                Deed::Start { server } | Deed::Resume { server } if self.servers[&server] == "participant" => {
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
    pub fn next_sync(&self, learner: ServerId, after: SimTime) -> Option<&Sync> {
        self.syncs.iter().find(|sync| sync.learner == learner && sync.at >= after.as_ms())
    }

    /// Servers that were up when another was killed, and whose first vote afterwards lacks a transaction that another's has.
    pub fn behind_after(&self, kill: SimTime) -> ServerSet {
        let next = self.new_epochs.iter().find(|epoch| epoch.at > kill.as_ms());
        let votes: Vec<&FirstVote> = next.iter().flat_map(|epoch| &epoch.first_votes).collect();
        let up = self.voters_up(kill.as_ms());
        let last = votes.iter().map(|vote| vote.zxid).max().filter(|last| !last.is_new_epoch());
        let all_were_up = votes.iter().all(|vote| up.contains(vote.sid));
        let behind = votes.iter().filter(|vote| all_were_up && last.is_some_and(|last| vote.zxid < last));
        behind.map(|vote| vote.sid).collect()
    }

    /// Clients of this name write one transaction after the other until something is killed.
    pub fn is_load(client: &str) -> bool {
        client.starts_with("load")
    }

    /// Whether the counters of epoch 1 depend on how much the clients had written when the leader was killed.
    pub fn has_load(&self) -> bool {
        self.steps.iter().any(|step| matches!(&step.deed, Deed::Connect { client, .. } if Recording::is_load(client)))
    }
}
