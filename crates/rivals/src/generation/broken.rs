//! Rules that a setup can break, by word.

use crate::base::Arrange;
use serde::{Deserialize, Serialize};

use crate::base::json::{Json, Read, ReadError};

/// A rule broken on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Broken {
    /// The vote request as it is printed in texts on the pattern: a newer generation gets the vote whatever the logs; in the same
    /// generation only indexes are compared.
    AsPrinted,
    /// Logs are compared by the index of the last entry alone, not by its term first.
    IndexOnly,
    /// Term and vote are written, but not forced, before a vote is answered.
    VoteNotForced,
    /// Who was voted for is forgotten when the process ends.
    VoteForgotten,
    /// A leader commits whatever a majority has, entries of earlier terms too (Raft §5.4.2, fig. 8).
    CommitByCount,
    /// The election timeout is the same everywhere and never drawn.
    FixedTimeouts,
    /// A vote request that is refused starts the election timeout anew.
    ResetOnRefused,
    /// The vote goes to whoever has the higher id, whatever the logs.
    HighestIdWins,
    /// A follower takes entries without looking whether what is before them is the same.
    AppendUnchecked,
    /// A new leader appends no entry of its own term. Nothing becomes unsafe, but what is left of earlier terms waits for the
    /// next write.
    NoEmptyEntry,
}

impl Read for Broken {
    fn read(json: Json) -> Result<Broken, ReadError> {
        json.name()
    }
}

/// The rules that are broken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Brokens(pub Vec<Broken>);

impl Brokens {
    /// Whether this rule is broken.
    pub fn has(&self, rule: Broken) -> bool {
        self.0.contains(&rule)
    }
}

impl Read for Brokens {
    fn read(json: Json) -> Result<Brokens, ReadError> {
        let mut rules: Vec<Broken> = Read::read(json)?;
        rules.arrange();
        rules.dedup();
        Ok(Brokens(rules))
    }
}
