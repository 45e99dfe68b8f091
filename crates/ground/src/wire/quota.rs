//! Quotas are znodes: for `/a` there is `/zookeeper/quota/a/zookeeper_limits`, which clients write, and `zookeeper_stats` beside
//! it, which every server keeps by itself (`Quotas.java`, `StatsTrack.java`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// Below this znode quotas are kept.
pub const QUOTA: &str = "/zookeeper/quota";
/// The name of a quota's limits.
pub const LIMITS: &str = "zookeeper_limits";
/// The name of what a subtree holds.
pub const STATS: &str = "zookeeper_stats";

/// Where the limits of a subtree are.
pub fn limits_path(path: &str) -> String {
    format!("{QUOTA}{path}/{LIMITS}")
}

/// Where it is told what a subtree holds.
pub fn stats_path(path: &str) -> String {
    format!("{QUOTA}{path}/{STATS}")
}

/// What a quota limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Znodes.
    Count,
    /// Bytes of data.
    Bytes,
}

/// What is in such a znode. -1: no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatsTrack {
    /// Znodes, the topmost included.
    pub count: i64,
    /// Bytes of data.
    pub bytes: i64,
    /// The hard limit of znodes; none where the text has no such field.
    pub count_hard: Option<i64>,
    /// The hard limit of bytes.
    pub bytes_hard: Option<i64>,
}

impl StatsTrack {
    /// What a subtree holds.
    pub fn holding(count: i64, bytes: i64) -> StatsTrack {
        StatsTrack { count, bytes, count_hard: None, bytes_hard: None }
    }

    /// Reads it. The real one throws where a number is none; here that field is as if it were not there.
    pub fn read(text: &str) -> StatsTrack {
        let mut track = StatsTrack::holding(-1, -1);
        for pair in text.split([',', ';']) {
            let mut parts = pair.split('=');
            let name = parts.next();
            let Some(value) = parts.next().and_then(|value| value.parse().ok()) else { continue };
            match name {
                Some("count") => track.count = value,
                Some("bytes") => track.bytes = value,
                Some("countHardLimit") => track.count_hard = Some(value),
                Some("byteHardLimit") => track.bytes_hard = Some(value),
                _ => {}
            }
        }
        track
    }

    /// The limit of znodes that counts, and whether it is hard; -1: none.
    pub fn count_limit(&self) -> (i64, bool) {
        self.count_hard.filter(|&hard| hard > -1).map_or((self.count, false), |hard| (hard, true))
    }

    /// The limit of bytes that counts, and whether it is hard; -1: none.
    pub fn bytes_limit(&self) -> (i64, bool) {
        self.bytes_hard.filter(|&hard| hard > -1).map_or((self.bytes, false), |hard| (hard, true))
    }
}

impl fmt::Display for StatsTrack {
    /// The superfluous `=` makes old servers read no further.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "count={},bytes={}", self.count, self.bytes)?;
        if self.count_hard.is_some() || self.bytes_hard.is_some() {
            f.write_str("=")?;
        }
        if let Some(hard) = self.bytes_hard {
            write!(f, ";byteHardLimit={hard}")?;
        }
        self.count_hard.map_or(Ok(()), |hard| write!(f, ";countHardLimit={hard}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_java_writes_them() {
        for text in ["count=5,bytes=-1=;byteHardLimit=-1;countHardLimit=7", "count=2,bytes=6"] {
            assert_eq!(StatsTrack::read(text).to_string(), text);
        }
        let limits = StatsTrack::read("count=5,bytes=-1=;byteHardLimit=-1;countHardLimit=7");
        assert_eq!((limits.count_limit(), limits.bytes_limit()), ((7, true), (-1, false)));
        assert_eq!(StatsTrack::read("nonsense=,count=x"), StatsTrack::holding(-1, -1));
    }
}
