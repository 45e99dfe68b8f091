//! The disks that a run begins with, where its servers go on from what others have left.
//!
//! In a run's JSON they are one text: base64 of deflated JSON. They are unpacked when the run is read, and packed when it is first
//! written down.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use base64ct::{Base64, Encoding};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::{Deserialize, Serialize, Serializer};

use crate::base::json::{Json, Read, ReadError, ValueError};
use crate::base::limits::{MAX_DISKS_BYTES, MAX_SERVERS};
use crate::base::{Epoch, ServerId, ServerSet, SessionId, Zxid};
use crate::server::{Files, Snapshot};
use crate::store::{CONFIG, Tree, Txn, Znode};
use crate::zab::{Members, Proposal};

/// deflate's own scale: logs are long, and nobody is to wait.
const LEVEL: u8 = 6;

/// The disks of some servers. A clone shares them.
#[derive(Clone, Default)]
pub struct Disks(Option<Rc<Inner>>);

struct Inner {
    files: BTreeMap<ServerId, Files>,
    text: OnceCell<String>,
}

/// Two are the same where they are written in the same way.
impl PartialEq for Disks {
    fn eq(&self, other: &Disks) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other) || one.text() == other.text(),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Eq for Disks {}

impl fmt::Debug for Disks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().flat_map(|inner| inner.files.keys())).finish()
    }
}

impl Disks {
    /// The disks of these servers. The znode `/zookeeper/config` in their snapshots is not in the text; when that is read it is made of
    /// `config`.
    pub fn of(files: BTreeMap<ServerId, Files>) -> Disks {
        Disks((!files.is_empty()).then(|| Rc::new(Inner { files, text: OnceCell::new() })))
    }

    /// Whether there are none: all begin with nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What a server begins with.
    pub fn files(&self, server: ServerId) -> Option<&Files> {
        self.0.as_ref()?.files.get(&server)
    }

    /// The servers that begin with something, and what.
    pub fn all(&self) -> impl Iterator<Item = (ServerId, &Files)> {
        self.0.iter().flat_map(|inner| &inner.files).map(|(server, files)| (*server, files))
    }

    /// The newest configuration on them; of several, that which most servers have.
    pub fn members(&self) -> Option<Members> {
        let configs: Vec<Members> = self.all().filter_map(|(_, files)| Some(files.config?.now)).collect();
        let have = |config: &Members| configs.iter().filter(|other| *other == config).count();
        configs.iter().max_by_key(|config| (config.version, have(config))).copied()
    }

    /// About how long they are before they are packed, bytes.
    pub fn bytes(&self) -> u64 {
        self.all().map(|(_, files)| files.bytes(0)).sum()
    }

    pub(super) fn check(&self, servers: u64) -> Result<(), ReadError> {
        self.all().try_for_each(|(id, _)| crate::base::json::within("disks", id.0.into(), 1, servers))
    }
}

impl Inner {
    fn text(&self) -> &str {
        self.text.get_or_init(|| {
            let disks: Vec<Packed> = self.files.iter().map(|(server, files)| Packed::of(*server, files)).collect();
            Base64::encode_string(&compress_to_vec(&serde_json::to_vec(&disks).unwrap_or_default(), LEVEL))
        })
    }
}

impl Serialize for Disks {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.0.as_ref().map_or("", |inner| inner.text()))
    }
}

impl Read for Disks {
    fn read(json: Json) -> Result<Disks, ReadError> {
        let text = String::read(json)?;
        if text.is_empty() {
            return Ok(Disks::default());
        }
        let wrong = |why: ValueError| ReadError::new(why);
        let bytes = Base64::decode_vec(&text).map_err(|_| wrong(ValueError::NoBase64))?;
        let unpacked = decompress_to_vec_with_limit(&bytes, MAX_DISKS_BYTES).map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => {
                wrong(ValueError::TooLong { bytes: error.output.len() + 1, most: MAX_DISKS_BYTES })
            }
            _ => wrong(ValueError::NoBase64),
        })?;
        let disks: Vec<Packed> = serde_json::from_slice(&unpacked).map_err(|error| {
            wrong(ValueError::Syntax { why: error.to_string(), line: error.line(), column: error.column() })
        })?;
        let mut files = BTreeMap::new();
        for disk in disks {
            let (server, of) = disk.files()?;
            files.insert(server, of);
        }
        // written anew, as it would be by today's code
        Ok(Disks::of(files))
    }
}

/// A server's files in a text.
#[derive(Serialize, Deserialize)]
struct Packed {
    server: ServerId,
    accepted_epoch: Epoch,
    current_epoch: Epoch,
    config: Option<Members>,
    log_start: Zxid,
    log_files: Vec<Zxid>,
    log: Vec<(Zxid, Txn)>,
    snapshots: Vec<PackedSnapshot>,
}

#[derive(Serialize, Deserialize)]
struct PackedSnapshot {
    zxid: Zxid,
    last: Zxid,
    sessions: Vec<(SessionId, u32)>,
    znodes: Vec<(Rc<str>, Znode)>,
}

impl Packed {
    fn of(server: ServerId, files: &Files) -> Packed {
        let snapshot = |of: &Snapshot| PackedSnapshot {
            zxid: of.zxid,
            last: of.state.last,
            sessions: of.state.sessions().collect(),
            // each server writes the configuration by itself when it starts
            znodes: (of.state.nodes().filter(|(path, _)| &***path != CONFIG))
                .map(|(path, znode)| (path.clone(), Znode::clone(znode)))
                .collect(),
        };
        Packed {
            server,
            accepted_epoch: files.accepted_epoch,
            current_epoch: files.current_epoch,
            config: files.config.map(|config| config.now),
            log_start: files.log_start,
            log_files: files.log_files.clone(),
            log: files.log.iter().map(|of| (of.zxid, Txn::clone(&of.payload.txn))).collect(),
            snapshots: files.snapshots.iter().map(snapshot).collect(),
        }
    }

    fn files(self) -> Result<(ServerId, Files), ReadError> {
        let all = self.config.map_or(ServerSet::EMPTY, |config| config.all());
        let known = ServerSet::first(MAX_SERVERS as u8);
        crate::base::json::at_most("disks", all.union(known).len(), MAX_SERVERS)?;
        let config = self.config.map_or(String::new(), |config| config.to_string());
        let snapshot = |of: PackedSnapshot| Snapshot {
            zxid: of.zxid,
            state: Tree::new(&config).restored(of.znodes, of.sessions, of.last),
            written: None,
        };
        let files = Files {
            accepted_epoch: self.accepted_epoch,
            current_epoch: self.current_epoch,
            snapshots: self.snapshots.into_iter().map(snapshot).collect(),
            log_start: self.log_start,
            log: self.log.into_iter().map(|(zxid, txn)| Proposal { zxid, payload: txn.into() }).collect(),
            log_files: self.log_files,
            oracle: None,
            config: self.config.map(Into::into),
        };
        Ok((self.server, files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::sim::{Action, Player, Run, Setup};

    /// The files of a run's servers as others would find them, some time after a few writes.
    fn left(setup: Setup) -> BTreeMap<ServerId, Files> {
        let mut run = Run::new(3, setup);
        let write = Action::Write { server: ServerId(2), data: "x=1".into(), count: 9, every_us: 1_000 };
        run.push(SimTime::from_ms(1_500), write);
        let mut player = Player::new(run).unwrap();
        player.run_until(SimTime::from_ms(3_000), |_, _| {});
        let processes = player.world().processes.iter();
        processes.map(|(id, process)| Packed::of(*id, process.files().unwrap()).files().unwrap()).collect()
    }

    #[test]
    fn a_run_with_disks_survives_json_and_goes_on_from_them() {
        let disks = Disks::of(left(Setup { snap_count: 4, ..Setup::default() }));
        let run = Run::new(4, Setup { disks, ..Setup::default() });
        let read = Run::from_json(&run.to_json()).unwrap();
        assert_eq!(read, run);
        let digests = [run, read].map(|run| {
            let mut player = Player::new(run).unwrap();
            player.run_until(SimTime::from_ms(2_000), |_, _| {});
            let files = player.world().processes[&ServerId(1)].files().unwrap();
            assert_eq!(files.current_epoch, 2, "the epoch after that on the disks");
            assert!(files.log.len() >= 9);
            player.digest()
        });
        assert_eq!(digests[0], digests[1]);
    }

    #[test]
    fn who_is_down_waits_for_a_hand() {
        let down = [ServerId(3)].into_iter().collect();
        let mut run = Run::new(4, Setup { disks: Disks::of(left(Setup::default())), down, ..Setup::default() });
        run.push(SimTime::from_ms(2_000), Action::Restart { server: ServerId(3) });
        let mut player = Player::new(run).unwrap();
        player.run_until(SimTime::from_ms(1_999), |_, _| {});
        assert!(player.world().processes[&ServerId(3)].server().is_none() && player.leader() == Some(ServerId(2)));
        player.run_until(SimTime::from_ms(4_000), |_, _| {});
        assert!(player.world().processes[&ServerId(3)].server().is_some_and(|of| of.peer.is_serving()));
    }

    #[test]
    fn what_is_wrong_with_disks_is_told() {
        let packed = |json: &str| Base64::encode_string(&compress_to_vec(json.as_bytes(), LEVEL));
        let zeros = packed(&"0".repeat(MAX_DISKS_BYTES + 1));
        for (text, why) in [
            ("%", "disks"),
            ("AAAA", "disks"),
            (packed("[{}]").as_str(), "missing field"),
            (zeros.as_str(), "are too many"),
        ] {
            let json = format!(r#"{{"version":4,"setup":{{"disks":"{text}"}}}}"#);
            let error = Run::from_json(&json).unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("setup.disks"), "{error}");
        }
        let mut files = left(Setup::default());
        let last = files.remove(&ServerId(3)).unwrap();
        files.insert(ServerId(9), last);
        let run = Run::new(1, Setup { disks: Disks::of(files), ..Setup::default() });
        assert!(Run::from_json(&run.to_json()).unwrap_err().to_string().contains("setup.disks"));
    }
}
