//! Quotas in the tree: what a subtree holds is counted as transactions are applied (`DataTree.java` `updateQuotaStat`), and what
//! would go beyond a limit is found before (`ZooKeeperServer.java` `checkQuota`).

use std::rc::Rc;

use crate::wire::{Data, QUOTA, Quantity, Request, STATS, StatsTrack, decoded, limits_path, stats_path};

use super::tree::Tree;

/// A request would go beyond a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverQuota {
    /// The subtree that has the quota.
    pub path: Rc<str>,
    /// What there is too much of.
    pub of: Quantity,
    /// How much there would be.
    pub would_be: i64,
    /// The limit.
    pub limit: i64,
    /// Whether it is refused for it.
    pub hard: bool,
}

impl Tree {
    /// The deepest znode at or above a path that has a quota (`getMaxPrefixWithQuota`); the root never has one.
    pub fn quota_of<'a>(&self, path: &'a str) -> Option<&'a str> {
        if self.get(QUOTA)?.children.is_empty() {
            return None;
        }
        let mut prefix = path;
        while prefix.len() > 1 {
            if self.get(&limits_path(prefix)).is_some() {
                return Some(prefix);
            }
            prefix = &prefix[..prefix.rfind('/')?];
        }
        None
    }

    fn track(&self, path: &str) -> Option<StatsTrack> {
        Some(StatsTrack::read(&decoded(&self.get(path)?.data)))
    }

    /// Whether a hard limit is set on a path or above it.
    pub fn has_hard_quota(&self, path: &str) -> bool {
        let limits = self.quota_of(path).and_then(|prefix| self.track(&limits_path(prefix)));
        limits.is_some_and(|limits| limits.count_limit().1 || limits.bytes_limit().1)
    }

    /// By which limits a request goes beyond: the first that refuses it ends the list. `ahead` has what is proposed
    /// already, and tells how long the old data is; what is counted is only what is applied here.
    pub fn over_quota(&self, request: &Request, ahead: &Tree) -> Vec<OverQuota> {
        let (path, bytes, count) = match request {
            Request::Create { path, data, .. } => (path, length(data), 1),
            Request::SetData { path, data, .. } => {
                (path, length(data) - ahead.get(path).map_or(0, |node| length(&node.data)), 0)
            }
            _ => return Vec::new(),
        };
        let quota = self.quota_of(path).and_then(|prefix| {
            let (limits, holds) = (limits_path(prefix), stats_path(prefix));
            Some((prefix, self.track(&limits)?, self.track(&holds)?))
        });
        let Some((prefix, limits, holds)) = quota else { return Vec::new() };
        let mut over = Vec::new();
        for (of, added, held, (limit, hard)) in [
            (Quantity::Count, count, holds.count, limits.count_limit()),
            (Quantity::Bytes, bytes, holds.bytes, limits.bytes_limit()),
        ] {
            let would_be = held.saturating_add(added);
            if added != 0 && limit > -1 && would_be > limit {
                over.push(OverQuota { path: prefix.into(), of, would_be, limit, hard });
                if hard {
                    break;
                }
            }
        }
        over
    }

    /// Something was created, deleted or set: it is counted, without zxid, version or watch. Anybody may have written any number
    /// there: sums wrap, as Java's do.
    pub(super) fn charge(&mut self, path: &str, bytes: i64, count: i64) {
        let Some(at) = self.quota_of(path).map(stats_path) else { return };
        let Some(holds) = self.track(&at) else { return };
        let (count, bytes) = (holds.count.wrapping_add(count), holds.bytes.wrapping_add(bytes));
        self.write_stats(at, StatsTrack { count, bytes, ..holds });
    }

    /// The znode that tells what a subtree holds was created: the subtree is counted.
    pub(super) fn count_quota(&mut self, stats: &str) {
        let Some(path) = stats.strip_prefix(QUOTA).and_then(|rest| rest.strip_suffix(STATS)) else { return };
        let Some(top) = path.strip_suffix('/').and_then(|path| self.get(path)) else { return };
        let own = if path == "/" { 0 } else { 1 };
        let top = length(&top.data) * own;
        let held = self.below(path).map(|(_, node)| length(&node.data));
        let (count, bytes) = held.fold((own, top), |(count, bytes), more| (count + 1, bytes + more));
        self.write_stats(stats.to_string(), StatsTrack::holding(count, bytes));
    }

    fn write_stats(&mut self, at: String, holds: StatsTrack) {
        if let Ok(mut node) = self.owned(&at) {
            node.data = Some(holds.to_string().into());
            self.put(at.into(), node);
        }
    }
}

/// The length of data, bytes.
pub(super) fn length(data: &Data) -> i64 {
    data.as_ref().map_or(0, |data| data.len() as i64)
}
