//! What decides how a server treats its clients (`zoo.cfg`, system properties).

use std::rc::Rc;

use crate::base::{Micros, Name, RuleSet, ServerId};
use crate::store::Limits;
use crate::wire::FourLetterWord;

/// The settings of the service; one value for a whole run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// The unit of session times, µs (`tickTime`).
    pub tick_time: Micros,
    /// How often the leader looks for containers and nodes past their time, µs (`znode.container.checkIntervalMs`).
    pub container_check: Micros,
    /// A container that never had a child goes after this time, µs; 0: never (`znode.container.maxNeverUsedIntervalMs`).
    pub max_never_used: Micros,
    /// Whether a leader takes clients (`leaderServes`).
    pub leader_serves: bool,
    /// How many connections a server takes of one address (`maxClientCnxns`); 0: any number.
    pub max_client_cnxns: u32,
    /// With more requests in process a server reads on no connection that waits for an answer (`globalOutstandingLimit`);
    /// each server has its part of it.
    pub global_outstanding_limit: u32,
    /// Whether new sessions are known to their server only (`localSessionsEnabled`).
    pub local_sessions: bool,
    /// Whether such a session becomes everybody's when it makes an ephemeral (`localSessionsUpgradingEnabled`).
    pub local_upgrading: bool,
    /// Whether a server without a leader serves reads (`readonlymode.enabled`).
    pub read_only_mode: bool,
    /// Which four-letter words are answered, by commas (`4lw.commands.whitelist`); `*`: all.
    pub whitelist: Rc<str>,
    /// The version, as servers tell it: `3.8`, `3.9` or `3.10`.
    pub version: Name,
    /// Whether quotas are looked at before a write (`zookeeper.enforceQuota`).
    pub enforce_quota: bool,
    /// Whether events carry the zxid of their change (since 3.9.0); -1 otherwise.
    pub event_zxids: bool,
    /// Whose digest makes a superuser (`zookeeper.DigestAuthenticationProvider.superDigest`): `super:base64(sha1(super:password))`.
    pub superuser: Option<Rc<str>>,
    /// Who has 255 in its `myid`.
    pub is_255: Option<ServerId>,
    /// What the store allows.
    pub limits: Limits,
    /// Rules broken on purpose.
    pub rules: RuleSet,
}

/// What a server does whose zoo.cfg says nothing of it, with the tickTime of `zoo_sample.cfg`.
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tick_time: 2_000_000,
            container_check: 60_000_000,
            max_never_used: 0,
            leader_serves: true,
            max_client_cnxns: 60,
            global_outstanding_limit: 1_000,
            local_sessions: false,
            local_upgrading: false,
            read_only_mode: false,
            whitelist: "srvr".into(),
            version: "3.9",
            enforce_quota: false,
            event_zxids: true,
            superuser: None,
            is_255: None,
            limits: Limits { extended_types: false },
            rules: RuleSet::default(),
        }
    }
}

impl Settings {
    /// Whether a four-letter word is answered (`FourLetterCommands.java` `isEnabled`): `srvr` always is, because `zkServer.sh` asks it,
    /// and `isro` where clients may look for a server that can write.
    pub fn answers(&self, word: FourLetterWord) -> bool {
        let listed = self.whitelist.split(',').map(str::trim).any(|one| one == "*" || one == word.name());
        listed || word.name() == "srvr" || word.name() == "isro" && self.read_only_mode
    }

    /// What the ids of a server's sessions begin with: its own id (`SessionTrackerImpl.java` `initializeNextSessionId`).
    pub fn first_byte(&self, id: ServerId) -> u8 {
        if self.is_255 == Some(id) { u8::MAX } else { id.0 }
    }

    /// The timeout that a client gets: what it asks for, within 2 and 20 ticks (`minSessionTimeout`,
    /// `maxSessionTimeout`), ms.
    pub fn negotiate(&self, asked_ms: u32) -> u32 {
        let tick = u32::try_from(self.tick_time / 1000).unwrap_or(u32::MAX / 20);
        asked_ms.clamp(tick.saturating_mul(2), tick.saturating_mul(20))
    }
}
