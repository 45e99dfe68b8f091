//! Which ZooKeeper, which Curator and which kazoo a run's servers and clients are.

use serde::{Serialize, Serializer};

use crate::base::json::{Json, Read, ReadError};
use crate::base::{RuleSet, Way};
use crate::server::FileRule;
use crate::zab::BrokenRule;

/// Declares what has versions: each with its name in runs.
macro_rules! versions {
    ($(#[$about:meta])* $what:ident { $($(#[$doc:meta])* $version:ident $name:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $what { $($(#[$doc])* $version),* }

        impl $what {
            /// All of them.
            pub const ALL: &[$what] = &[$($what::$version),*];

            /// Its name in runs.
            pub const fn name(self) -> &'static str {
                match self { $($what::$version => $name),* }
            }

            /// The one that has this name.
            pub fn named(name: &str) -> Option<$what> {
                $what::ALL.iter().copied().find(|version| version.name() == name)
            }

            pub(super) fn is_default(&self) -> bool {
                *self == $what::default()
            }
        }

        impl Serialize for $what {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl Read for $what {
            fn read(json: Json) -> Result<$what, ReadError> {
                let name = String::read(json)?;
                $what::named(&name).ok_or_else(|| ReadError::unknown_name(&name, vec![$($name),*]))
            }
        }
    };
}

versions! {
    /// A version of ZooKeeper. What each does is a table in `docs/protocol-map.md`.
    ZkVersion {
        /// None that was released: 3.9.5 with the open bugs mended.
        #[default]
        AsRepaired "as-repaired",
        /// Master (3.10.0-SNAPSHOT of July 2026), with the bugs that are open there.
        V310 "3.10",
        /// 3.9.5, as released.
        V39 "3.9",
        /// 3.9.3, as released: the one version that loses data by ZOOKEEPER-4925.
        V393 "3.9.3",
        /// 3.8.6, as released.
        V38 "3.8",
    }
}

versions! {
    /// A version of Curator. What each does is a table in `docs/recipes.md`.
    CuratorVersion {
        /// 5.4.0, which the first recordings are of.
        #[default]
        V54 "5.4",
        /// 5.9.0.
        V59 "5.9",
    }
}

versions! {
    /// A version of kazoo. What each does is a table in `docs/recipes.md`.
    KazooVersion {
        /// 2.11.0, which the recordings are of.
        #[default]
        V211 "2.11",
        /// 2.10.0.
        V210 "2.10",
    }
}

/// Bugs that are open in every version.
const OPEN: [BrokenRule; 3] = [BrokenRule::AcceptedEpochTrap, BrokenRule::Zookeeper1653, BrokenRule::Zookeeper5094];
/// What every version does otherwise than ours.
const RELEASED: [Way; 11] = [
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
    Way::OutsidersExit,
];

/// These ways, besides.
fn with(rules: RuleSet, ways: &[Way]) -> RuleSet {
    ways.iter().copied().fold(rules, RuleSet::breaking)
}

impl ZkVersion {
    /// Its number, as servers and clients tell it.
    pub const fn number(self) -> &'static str {
        match self {
            ZkVersion::V310 => "3.10",
            ZkVersion::V38 => "3.8",
            ZkVersion::AsRepaired | ZkVersion::V39 | ZkVersion::V393 => "3.9",
        }
    }

    /// What it does otherwise than ours.
    pub fn rules(self) -> RuleSet {
        let open = || OPEN.into_iter().fold(RuleSet::default(), RuleSet::breaking).breaking(FileRule::Zookeeper4837);
        let released = || with(open(), &RELEASED);
        match self {
            ZkVersion::AsRepaired => RuleSet::default(),
            ZkVersion::V310 => released().breaking(Way::UnusedContainersGo),
            ZkVersion::V39 => released().breaking(Way::MinusOneCounted),
            ZkVersion::V393 => with(released(), &[Way::MinusOneCounted, Way::GapsTaken, Way::NewSessionsExpire])
                .breaking(BrokenRule::HoleInMemory),
            ZkVersion::V38 => {
                let older = [
                    Way::MinusOneCounted,
                    Way::GapsTaken,
                    Way::OneMoreInMemory,
                    Way::EventsWithoutZxid,
                    Way::ClientNeverExpires,
                ];
                with(released(), &older).breaking(BrokenRule::Zookeeper4394).breaking(BrokenRule::Zookeeper4712)
            }
        }
    }
}

impl CuratorVersion {
    /// What it does otherwise than 5.4.0.
    pub fn rules(self) -> RuleSet {
        match self {
            CuratorVersion::V54 => RuleSet::default(),
            CuratorVersion::V59 => with(RuleSet::default(), &Way::OF_CURATOR_5_9),
        }
    }
}

impl KazooVersion {
    /// What it does otherwise than 2.11.0.
    pub fn rules(self) -> RuleSet {
        match self {
            KazooVersion::V211 => RuleSet::default(),
            KazooVersion::V210 => with(RuleSet::default(), &[Way::TriesOnceMore, Way::StopCuts]),
        }
    }
}
