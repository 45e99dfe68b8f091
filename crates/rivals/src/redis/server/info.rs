//! INFO and ROLE (`server.c` `genRedisInfoString`, `replication.c` `roleCommand`).

use crate::daemon::Cx;
use crate::redis::PORT;
use crate::redis::reply::Reply;

use super::state::{Link, Server};

impl Server {
    /// INFO: all that Sentinels and operators read.
    pub(super) fn info(&self, cx: &Cx<Server>) -> Reply {
        let mut lines = vec!["# Server".to_string()];
        lines.push("redis_version:7.0.15".into());
        lines.push(format!("run_id:{}", self.run_id));
        lines.push("# Persistence".into());
        lines.push(format!("aof_enabled:{}", i32::from(self.keys.conf.append_only)));
        lines.push("# Stats".into());
        lines.push(format!("expired_keys:{}", self.keys.expired));
        lines.push(format!("sync_full:{}", self.repl.full_syncs));
        lines.push(format!("sync_partial_ok:{}", self.repl.partial_syncs));
        lines.push("# Replication".into());
        match self.source() {
            None => lines.push("role:master".into()),
            Some(source) => {
                lines.push("role:slave".into());
                lines.push(format!("master_host:{source}"));
                lines.push(format!("master_port:{PORT}"));
                lines.push(format!("master_link_status:{}", if self.repl.link.is_up() { "up" } else { "down" }));
                lines.push(format!("slave_repl_offset:{}", self.repl.offset));
                if let (Some(since), false) = (self.repl.down_since, self.repl.link.is_up()) {
                    lines.push(format!("master_link_down_since_seconds:{}", cx.env.now.since(since) / 1_000_000));
                }
                lines.push(format!("slave_priority:{}", self.keys.conf.priority));
                lines.push(format!("slave_read_only:{}", i32::from(self.keys.conf.read_only)));
            }
        }
        let replicas = self.sessions.values().filter_map(|session| Some((session.node?, session.replica?)));
        let replicas: Vec<_> = replicas.collect();
        lines.push(format!("connected_slaves:{}", replicas.len()));
        if self.keys.conf.min_replicas > 0 && self.keys.conf.max_lag > 0 {
            lines.push(format!("min_slaves_good_slaves:{}", self.repl.good));
        }
        for (number, (node, replica)) in replicas.iter().enumerate() {
            let lag = Server::seconds(cx) - replica.heard_s;
            lines
                .push(format!("slave{number}:ip={node},port={PORT},state=online,offset={},lag={lag}", replica.acked));
        }
        lines.push(format!("master_replid:{}", self.repl.replid));
        if let Some((second, upto)) = &self.repl.second {
            lines.push(format!("master_replid2:{second}"));
            lines.push(format!("second_repl_offset:{}", upto + 1));
        }
        lines.push(format!("master_repl_offset:{}", self.repl.offset));
        lines.push(format!("repl_backlog_histlen:{}", self.repl.backlog.as_ref().map_or(0, |backlog| backlog.len())));
        lines.push("# Keyspace".into());
        let limited = self.keys.data.values().filter(|entry| entry.until.is_some()).count();
        lines.push(format!("db0:keys={},expires={limited}", self.keys.data.len()));
        Reply::Bulk(lines.join("\n"))
    }

    /// ROLE.
    pub(super) fn role_reply(&self) -> Reply {
        match self.source() {
            None => {
                let replicas = self.sessions.values().filter_map(|session| Some((session.node?, session.replica?)));
                let of = |(node, replica): (crate::base::Node, super::session::Replica)| {
                    Reply::texts([node.to_string(), PORT.into(), replica.acked.to_string()])
                };
                let replicas = replicas.map(of).collect();
                Reply::Array(vec![Reply::Bulk("master".into()), Reply::Int(self.repl.offset), Reply::Array(replicas)])
            }
            Some(source) => {
                let state = match self.repl.link {
                    Link::Down => "connect",
                    Link::Dialling(_) => "connecting",
                    Link::Asking(_) => "sync",
                    Link::Up(_) => "connected",
                };
                Reply::Array(vec![
                    Reply::Bulk("slave".into()),
                    Reply::Bulk(source.to_string()),
                    Reply::Int(PORT.parse().unwrap_or_default()),
                    Reply::Bulk(state.into()),
                    Reply::Int(if self.repl.link.is_up() { self.repl.offset } else { -1 }),
                ])
            }
        }
    }
}
