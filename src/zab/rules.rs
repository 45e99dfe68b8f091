//! Rules of the protocol that a run can break on purpose, to show what each is for, and historical bugs by their JIRA id.
//! `docs/protocol-map.md` says for each what the default does and why.

use serde::{Deserialize, Serialize};

use crate::base::json::{Json, Misfit, Read};

/// One rule, broken. The names are stable: runs and links carry them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrokenRule {
    /// The leader commits as soon as one server has acknowledged.
    CommitAtMinority,
    /// Servers acknowledge a proposal before it is on disk.
    AckBeforeSync,
    /// Zxids are ignored where a leader is chosen: in votes and in the check of ACKEPOCH.
    ElectionIgnoresZxid,
    /// A new leader goes on in the largest epoch it heard of and does not raise it.
    LeaderKeepsEpoch,
    /// A follower obeys a leader whose epoch is below the one it has promised.
    FollowerObeysOlderEpoch,
    /// A server that is ahead of the leader keeps its tail: it gets an empty DIFF where TRUNC or SNAP is due (ZOOKEEPER-1154).
    RejoinWithoutTrunc,
    /// A leader serves before a quorum has its history.
    ServeBeforeSyncQuorum,
    /// currentEpoch is written before the transactions it vouches for.
    #[serde(alias = "ZOOKEEPER-4643")]
    EpochBeforeLog,
    /// Transactions received by DIFF are not on disk when NEWLEADER is acknowledged.
    #[serde(rename = "ZOOKEEPER-3911")]
    Zookeeper3911,
    /// Stepping down does not bring memory up to the own log.
    #[serde(rename = "ZOOKEEPER-2845")]
    Zookeeper2845,
    /// A half-finished SNAP stays in memory when the leader is lost.
    #[serde(rename = "ZOOKEEPER-3642")]
    Zookeeper3642,
    /// TRUNC leaves snapshots that are newer than its target.
    #[serde(rename = "ZOOKEEPER-4837")]
    Zookeeper4837,
    /// A server whose log is of a later epoch than its currentEpoch refuses to start.
    #[serde(rename = "ZOOKEEPER-1653")]
    Zookeeper1653,
    /// A learner that has accepted a later epoch than the leader's stays outside until the next election (no JIRA issue;
    /// the reference calls it the higher acceptedEpoch outside the quorum).
    AcceptedEpochTrap,
}

impl BrokenRule {
    /// All of them, in the order in which they are shown.
    pub const ALL: [BrokenRule; 14] = [
        BrokenRule::CommitAtMinority,
        BrokenRule::AckBeforeSync,
        BrokenRule::ElectionIgnoresZxid,
        BrokenRule::LeaderKeepsEpoch,
        BrokenRule::FollowerObeysOlderEpoch,
        BrokenRule::RejoinWithoutTrunc,
        BrokenRule::ServeBeforeSyncQuorum,
        BrokenRule::EpochBeforeLog,
        BrokenRule::Zookeeper3911,
        BrokenRule::Zookeeper2845,
        BrokenRule::Zookeeper3642,
        BrokenRule::Zookeeper4837,
        BrokenRule::Zookeeper1653,
        BrokenRule::AcceptedEpochTrap,
    ];
}

/// The rules that a run breaks; none by default. In JSON a list of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "Vec<BrokenRule>")]
pub struct Rules(u32);

impl Rules {
    /// Whether this rule is broken.
    pub fn breaks(self, rule: BrokenRule) -> bool {
        self.0 & (1 << rule as u32) != 0
    }

    /// These rules and one more broken.
    pub fn breaking(self, rule: BrokenRule) -> Rules {
        Rules(self.0 | (1 << rule as u32))
    }

    /// The broken ones.
    pub fn broken(self) -> impl Iterator<Item = BrokenRule> {
        BrokenRule::ALL.into_iter().filter(move |&rule| self.breaks(rule))
    }
}

impl Read for BrokenRule {
    fn read(json: Json) -> Result<BrokenRule, Misfit> {
        json.name()
    }
}

impl Read for Rules {
    fn read(json: Json) -> Result<Rules, Misfit> {
        let rules = Vec::<BrokenRule>::read(json)?;
        Ok(rules.into_iter().fold(Rules::default(), Rules::breaking))
    }
}

impl From<Rules> for Vec<BrokenRule> {
    fn from(rules: Rules) -> Vec<BrokenRule> {
        rules.broken().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_stable_and_a_set_survives_json() {
        let rules = Json::parse(r#"["ack-before-sync","ZOOKEEPER-4643"]"#).and_then(Rules::read).unwrap();
        assert!(rules.breaks(BrokenRule::AckBeforeSync) && rules.breaks(BrokenRule::EpochBeforeLog));
        assert_eq!(serde_json::to_string(&rules).unwrap(), r#"["ack-before-sync","epoch-before-log"]"#);
        assert!(BrokenRule::ALL.iter().enumerate().all(|(i, &rule)| i == rule as usize));
    }
}
