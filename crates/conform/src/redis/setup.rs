//! The setup of a recording: which machine is whom.

use crate::base::ServerId;
use crate::rivals::redis::{Redis, SentinelSetup, ServerSetup, client_id, sentinel_id, server_id};
use crate::sim::{LatencyRange, Run, Setup, Systems};

use super::recording::Plain;

/// Machines by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    servers: Vec<String>,
    clients: Vec<String>,
}

impl Names {
    pub(super) fn new(servers: Vec<String>, clients: Vec<String>) -> Names {
        Names { servers, clients }
    }

    fn number(names: &[String], name: &str) -> Option<u8> {
        u8::try_from(names.iter().position(|known| known == name)? + 1).ok()
    }

    /// A server.
    pub(super) fn server(&self, name: &str) -> Result<ServerId, String> {
        Names::number(&self.servers, name).map(server_id).ok_or_else(|| format!("there is no server {name}"))
    }

    /// The Sentinel beside a server.
    pub(super) fn sentinel(&self, name: &str) -> Result<ServerId, String> {
        Names::number(&self.servers, name).map(sentinel_id).ok_or_else(|| format!("there is no host {name}"))
    }

    /// A client.
    pub(super) fn client(&self, name: &str) -> Result<ServerId, String> {
        Names::number(&self.clients, name).map(client_id).ok_or_else(|| format!("there is no client {name}"))
    }

    /// The names of all servers.
    pub(super) fn servers(&self) -> &[String] {
        &self.servers
    }

    /// A text in which machines stand by their recorded names: that of a server, and of the Sentinel beside it.
    pub(super) fn told(&self, text: &str) -> String {
        let name = |word: &str| {
            let id = ServerId::named(word)?;
            let place = (0..self.servers.len()).find(|at| {
                let number = *at as u8 + 1;
                id == server_id(number) || id == sentinel_id(number)
            });
            place.and_then(|place| self.servers.get(place)).cloned()
        };
        text.split(' ').map(|word| name(word).unwrap_or_else(|| word.into())).collect::<Vec<_>>().join(" ")
    }
}

/// The run of these servers and clients, on links and disks that take next to no time.
pub(super) fn run(redis: Redis, seed: u64) -> Result<Run, String> {
    let setup = Setup {
        voters: 0,
        latency: LatencyRange { min_us: 50, max_us: 50 },
        transmit_us: 0,
        disk_sync: LatencyRange { min_us: 80, max_us: 120 },
        systems: Systems { redis: Some(Box::new(redis)), ..Systems::default() },
        ..Setup::default()
    };
    let run = Run::new(seed, setup);
    run.check().map_err(|error| error.to_string()).map(|()| run)
}

/// The setup of a recording.
pub(super) fn setup(plain: &Plain) -> Result<(Redis, Names), String> {
    let clients: Vec<String> = plain.clients.iter().map(|(name, _)| name.clone()).collect();
    let names = Names::new(plain.servers.iter().map(|(name, _)| name.clone()).collect(), clients);
    let number = |name: &str| Names::number(&names.servers, name).ok_or_else(|| format!("there is no server {name}"));
    let mut redis = Redis::default();
    for (_, server) in &plain.servers {
        let replica_of = server.replica_of.as_deref().map(number).transpose()?;
        redis.servers.push(ServerSetup { replica_of, conf: server.conf.clone(), no_active_expire: server.no_cycle });
    }
    redis.sentinels = plain.sentinel.map(|(quorum, down_after_ms, failover_timeout_ms)| SentinelSetup {
        count: plain.servers.len() as u8,
        master: 1,
        quorum,
        down_after_ms,
        failover_timeout_ms,
        parallel_syncs: 1,
    });
    let consoles = plain.clients.iter().map(|(_, server)| number(server));
    redis.consoles = consoles.collect::<Result<Vec<_>, _>>()?;
    Ok((redis, names))
}
