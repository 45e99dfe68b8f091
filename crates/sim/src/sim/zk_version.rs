//! Which ZooKeeper the servers and clients of a run are.

use serde::{Serialize, Serializer};

use crate::base::json::{Json, Read, ReadError};
use crate::base::{RuleSet, Way};
use crate::server::FileRule;
use crate::zab::BrokenRule;

/// A version. What each does is a table in `docs/protocol-map.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZkVersion {
    /// None that was released: 3.9 with the open bugs mended.
    #[default]
    AsRepaired,
    /// 3.8.6, as released.
    V38,
    /// 3.9.5, as released.
    V39,
}

impl ZkVersion {
    /// All of them.
    pub const ALL: [ZkVersion; 3] = [ZkVersion::AsRepaired, ZkVersion::V39, ZkVersion::V38];

    /// Its name in runs.
    pub const fn name(self) -> &'static str {
        match self {
            ZkVersion::AsRepaired => "as-repaired",
            ZkVersion::V38 => "3.8",
            ZkVersion::V39 => "3.9",
        }
    }

    /// What it does otherwise than ours.
    pub fn rules(self) -> RuleSet {
        let open = [BrokenRule::AcceptedEpochTrap, BrokenRule::Zookeeper1653, BrokenRule::Zookeeper5094];
        let ways = [
            Way::LearnerExits,
            Way::AcksKept,
            Way::OldLogKept,
            Way::LooseCut,
            Way::AheadOfLog,
            Way::ProposedInForce,
            Way::BothToTheEnd,
            Way::JoinsByBoth,
            Way::ObserversKeepLeader,
            Way::JoinersUnheard,
        ];
        let released = || {
            let rules = open.into_iter().fold(RuleSet::default(), RuleSet::breaking);
            ways.into_iter().fold(rules, RuleSet::breaking).breaking(FileRule::Zookeeper4837)
        };
        match self {
            ZkVersion::AsRepaired => RuleSet::default(),
            ZkVersion::V39 => released(),
            ZkVersion::V38 => released()
                .breaking(BrokenRule::Zookeeper4394)
                .breaking(BrokenRule::Zookeeper4712)
                .breaking(Way::GapsTaken)
                .breaking(Way::EventsWithoutZxid)
                .breaking(Way::ClientNeverExpires),
        }
    }

    pub(super) fn is_default(&self) -> bool {
        *self == ZkVersion::AsRepaired
    }
}

impl Serialize for ZkVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Read for ZkVersion {
    fn read(json: Json) -> Result<ZkVersion, ReadError> {
        let name = String::read(json)?;
        let named = ZkVersion::ALL.into_iter().find(|version| version.name() == name);
        named.ok_or_else(|| ReadError::unknown_name(&name, ZkVersion::ALL.map(ZkVersion::name).to_vec()))
    }
}
