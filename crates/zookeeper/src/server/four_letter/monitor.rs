//! The answer to `mntr` (`MonitorCommand.java`, `ServerMetrics.java`): a server's gauges, then its counters, each in the order of the
//! hash table in which a real server keeps them; between them quotas. Those of parts that are not simulated are left out, and all distributions.

use std::collections::BTreeMap;

use crate::base::{Arrange, java};
use crate::server::statistics::Counters;
use crate::server::{Server, Statistics};
use crate::wire::{LIMITS, QUOTA, STATS, StatsTrack};
use crate::zab::Role;

use super::{Asked, average, sizes};

/// The tables' sizes: that of 3.9's counters holds more than that of 3.8.
const GAUGES: u32 = 64;
const COUNTERS_38: u32 = 64;
const COUNTERS: u32 = 128;

type Line = (&'static str, String);

impl Asked<'_> {
    pub(super) fn monitor(&self) -> String {
        let mut lines: Vec<Line> = vec![("version", self.version()), ("server_state", self.mode().to_string())];
        lines.extend(self.peer());
        let mut gauges = self.gauges();
        gauges.extend(self.gauges_of_leader());
        lines.extend(in_table(gauges, GAUGES));
        let written = |lines: Vec<Line>| -> String {
            lines.into_iter().map(|(name, value)| format!("zk_{name}\t{value}\n")).collect()
        };
        let table = if self.env.config.service.version == "3.8" { COUNTERS_38 } else { COUNTERS };
        written(lines) + &self.quotas() + &written(in_table(counters(&self.server.service.counters), table))
    }

    /// Limits and what is held, by the uppermost znode, in the order of their table (`QuotaMetricsUtils.java`).
    fn quotas(&self) -> String {
        let tree = &self.server.tree;
        let sum = |end: &str, value: fn(&StatsTrack) -> i64| {
            let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
            for (path, node) in tree.below(QUOTA).filter(|(_, node)| node.children.is_empty()) {
                let parts: Vec<&str> = path.strip_prefix(QUOTA).unwrap_or_default().split('/').skip(1).collect();
                if let ([first, .., last], Some(data)) = (&parts[..], &node.data)
                    && *last == end
                {
                    *sums.entry(first).or_default() += value(&StatsTrack::read(&data.decoded()));
                }
            }
            sums
        };
        let sets = [
            ("bytes_limit", sum(LIMITS, |track| track.bytes_limit().0)),
            ("count_usage", sum(STATS, |track| track.count)),
            ("count_limit", sum(LIMITS, |track| track.count_limit().0)),
            ("bytes_usage", sum(STATS, |track| track.bytes)),
        ];
        let lines = sets.into_iter().flat_map(|(name, sums)| {
            let line = move |(space, sum)| format!("zk_{space}_quota_{name}_per_namespace\t{sum}\n");
            sums.into_iter().map(line)
        });
        lines.collect()
    }

    /// What a member of an ensemble that has a leader says of itself (`dumpMonitorValues`).
    fn peer(&self) -> Vec<Line> {
        let Server { peer, service, .. } = self.server;
        if service.read_only || self.is_alone() {
            return Vec::new();
        }
        let state = format!("{:?}", peer.state()).to_lowercase();
        let phase = format!("{:?}", peer.phase()).to_lowercase();
        let mut lines = vec![("peer_state", format!("{state} - {phase}"))];
        if let Role::Learning(learner) = &peer.role
            && learner.observer
        {
            lines.push(("observer_master_id", learner.leader.0.to_string()));
        }
        lines
    }

    fn gauges(&self) -> Vec<Line> {
        let Server { peer, tree, service, .. } = self.server;
        let statistics = &service.statistics;
        let Statistics { received, sent, min_ms, max_ms, .. } = statistics;
        let watches = service.watches.iter().map(|(_, _, mode)| if mode.is_one_shot() { 1 } else { 2 });
        let ephemerals: usize = tree.sessions().map(|(session, _)| tree.ephemerals(session).count()).sum();
        let [last, min, max] = sizes(statistics.responses);
        let mut gauges = vec![
            ("num_alive_connections", service.conns.len().to_string()),
            ("avg_latency", average(statistics)),
            ("max_latency", max_ms.to_string()),
            ("min_latency", min_ms.to_string()),
            ("packets_received", received.to_string()),
            ("packets_sent", sent.to_string()),
            ("outstanding_requests", service.in_process().to_string()),
            ("uptime", (self.env.now.as_ms() - service.role_since.as_ms()).to_string()),
            ("znode_count", tree.node_count().to_string()),
            ("watch_count", watches.sum::<usize>().to_string()),
            ("ephemerals_count", ephemerals.to_string()),
            ("approximate_data_size", tree.data_size().to_string()),
            ("global_sessions", tree.sessions().count().to_string()),
            ("local_sessions", service.local_sessions().count().to_string()),
            ("connection_drop_probability", "0.0".to_string()),
            ("last_client_response_size", last.to_string()),
            ("max_client_response_size", max.to_string()),
            ("min_client_response_size", min.to_string()),
            ("outstanding_tls_handshake", "0".to_string()),
            ("auth_failed_count", "0".to_string()), // only of TLS
            ("non_mtls_remote_conn_count", "0".to_string()),
            ("non_mtls_local_conn_count", "0".to_string()),
        ];
        if !service.read_only && !self.is_alone() {
            gauges.push(("quorum_size", peer.members.now.voters.len().to_string()));
        }
        gauges
    }

    fn gauges_of_leader(&self) -> Vec<Line> {
        let Server { peer, service, .. } = self.server;
        let Some(leader) = self.leader() else { return Vec::new() };
        let forwarding = |observers: bool| {
            leader.learners.values().filter(move |it| it.is_forwarding() && it.observer == observers)
        };
        let without_vote = forwarding(false).filter(|it| !peer.members.votes(it.learner)).count();
        let [last, min, max] = sizes(service.statistics.proposals);
        let syncs = service.leading.as_ref().map_or(0, |leading| leading.pending_syncs());
        vec![
            ("learners", leader.learners.len().to_string()),
            ("synced_followers", forwarding(false).count().to_string()),
            ("synced_non_voting_followers", without_vote.to_string()),
            ("synced_observers", forwarding(true).count().to_string()),
            ("pending_syncs", syncs.to_string()),
            ("leader_uptime", (self.env.now.as_ms() - service.since.as_ms()).to_string()),
            ("last_proposal_size", last.to_string()),
            ("max_proposal_size", max.to_string()),
            ("min_proposal_size", min.to_string()),
        ]
    }
}

fn counters(counters: &Counters) -> Vec<Line> {
    let Counters {
        looking,
        diffs,
        snaps,
        proposals,
        commits,
        learner_proposals,
        learner_commits,
        connect_requests,
        sessions_taken_up,
        revalidations,
        connections_rejected,
        connections_dropped,
        sessions_expired,
        received_bytes,
        response_bytes,
    } = counters;
    let lines = [
        ("looking_count", looking),
        ("diff_count", diffs),
        ("snap_count", snaps),
        ("proposal_count", proposals),
        ("commit_count", commits),
        ("learner_proposal_received_count", learner_proposals),
        ("learner_commit_received_count", learner_commits),
        ("connection_request_count", connect_requests),
        ("connection_revalidate_count", sessions_taken_up),
        ("revalidate_count", revalidations),
        ("connection_rejected", connections_rejected),
        ("connection_drop_count", connections_dropped),
        ("stale_sessions_expired", sessions_expired),
        ("bytes_received_count", received_bytes),
        ("response_bytes", response_bytes),
    ];
    lines.map(|(name, value)| (name, value.to_string())).to_vec()
}

/// In the order of a hash table; what shares a bucket keeps its order.
fn in_table(mut lines: Vec<Line>, size: u32) -> Vec<Line> {
    lines.arrange_by_key(|(name, _)| java::bucket(java::string_hash(name), size));
    lines
}
