//! A setup: servers, Sentinels, clients.

use std::rc::Rc;

use serde::Serialize;

use crate::base::ServerId;
use crate::base::json::{Json, Read, ReadError, ValueError, at_most, short, within};
use crate::daemon::{Place, System};

use super::client::{Client, ClientSetup, Plan};
use super::conf::Conf;
use super::sentinel::{Sentinel, SentinelConfig};
use super::server::{Server, ServerConfig};
use super::{client_id, sentinel_id, server_id};

/// Most servers, and most Sentinels.
const MAX_SERVERS: usize = 6;
/// Most clients.
const MAX_CLIENTS: usize = 10;
/// Most lines of a configuration.
const MAX_CONF: usize = 20;
/// Longest value of one, bytes.
const MAX_VALUE: usize = 100;

/// A server of a setup: R1, R2, … in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ServerSetup {
    /// The number of the server that it follows; none: it is a master.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replica_of: Option<u8>,
    /// Names and values of its configuration file, as in `redis.conf`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conf: Vec<(String, String)>,
    /// The active expire cycle is off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_active_expire: bool,
}

/// The Sentinels of a setup: Sen1, Sen2, …
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SentinelSetup {
    /// How many there are.
    pub count: u8,
    /// The number of the master that they watch.
    pub master: u8,
    /// How many must find it down.
    pub quorum: u8,
    /// `down-after-milliseconds`.
    pub down_after_ms: u64,
    /// `failover-timeout`, ms.
    pub failover_timeout_ms: u64,
    /// `parallel-syncs`.
    pub parallel_syncs: u8,
}

/// Redis servers with Sentinels and clients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Redis {
    /// The servers.
    pub servers: Vec<ServerSetup>,
    /// The Sentinels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sentinels: Option<SentinelSetup>,
    /// Clients with a redis-cli and without a program, connected to this server: one each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consoles: Vec<u8>,
    /// Clients with a program, behind those.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<Plan>,
    /// The numbers of the servers on which the programs' lock is: one, or those of Redlock. All, where none is named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lock_servers: Vec<u8>,
    /// The number of the server on which the resource is; 0: the lock's first.
    #[serde(skip_serializing_if = "is_zero")]
    pub resource: u8,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl Read for ServerSetup {
    fn read(json: Json) -> Result<ServerSetup, ReadError> {
        let mut fields = json.fields()?;
        let conf = fields.or::<Vec<Pair>>("conf", Vec::new())?.into_iter().map(|pair| pair.0).collect();
        let replica_of = fields.or("replica_of", None)?;
        let server = ServerSetup { replica_of, conf, no_active_expire: fields.or("no_active_expire", false)? };
        fields.end().map(|()| server)
    }
}

/// A name and a value, as a list of two texts.
struct Pair((String, String));

impl Read for Pair {
    fn read(json: Json) -> Result<Pair, ReadError> {
        let texts = Vec::<String>::read(json)?;
        let count = texts.len();
        match <[String; 2]>::try_from(texts) {
            Ok([name, value]) => Ok(Pair((name, value))),
            Err(_) => Err(ReadError::new(ValueError::TooMany { count, most: 2 })),
        }
    }
}

impl Read for SentinelSetup {
    fn read(json: Json) -> Result<SentinelSetup, ReadError> {
        let mut fields = json.fields()?;
        let sentinels = SentinelSetup {
            count: fields.or("count", 3)?,
            master: fields.or("master", 1)?,
            quorum: fields.or("quorum", 2)?,
            down_after_ms: fields.or("down_after_ms", 30_000)?,
            failover_timeout_ms: fields.or("failover_timeout_ms", 180_000)?,
            parallel_syncs: fields.or("parallel_syncs", 1)?,
        };
        fields.end().map(|()| sentinels)
    }
}

impl Read for Redis {
    fn read(json: Json) -> Result<Redis, ReadError> {
        let mut fields = json.fields()?;
        let redis = Redis {
            servers: fields.need("servers")?,
            sentinels: fields.or("sentinels", None)?,
            consoles: fields.or("consoles", Vec::new())?,
            programs: fields.or("programs", Vec::new())?,
            lock_servers: fields.or("lock_servers", Vec::new())?,
            resource: fields.or("resource", 0)?,
        };
        fields.end().map(|()| redis)
    }
}

impl ServerSetup {
    /// Its configuration.
    ///
    /// # Errors
    /// A line that is none, in the words of CONFIG SET.
    pub fn read_conf(&self) -> Result<Conf, String> {
        let mut conf = Conf { active_expire: !self.no_active_expire, ..Conf::default() };
        conf.source = self.replica_of.map(server_id);
        self.conf.iter().try_for_each(|(name, value)| conf.set(name, value)).map(|()| conf)
    }

    fn check(&self, servers: usize, own: u8) -> Result<(), ReadError> {
        if let Some(source) = self.replica_of {
            within("replica_of", source.into(), 1, servers as u64)?;
            if source == own {
                return Err(ReadError::unknown_name(&source.to_string(), Vec::new()).within("replica_of"));
            }
        }
        at_most("conf", self.conf.len(), MAX_CONF)?;
        for (at, (name, value)) in self.conf.iter().enumerate() {
            let place = format!("conf[{at}]");
            short(&place, name, MAX_VALUE)?;
            short(&place, value, MAX_VALUE)?;
            if Conf::default().set(name, value).is_err() {
                let start = |text: &str| text.chars().take(40).collect::<String>();
                let named = format!("{} {}", start(name), start(value));
                return Err(ReadError::unknown_name(&named, Vec::new()).within(&place));
            }
        }
        Ok(())
    }
}

impl Redis {
    fn lock_servers(&self) -> Vec<ServerId> {
        match self.lock_servers.is_empty() {
            true => (1..=self.servers.len() as u8).map(server_id).collect(),
            false => self.lock_servers.iter().copied().map(server_id).collect(),
        }
    }

    fn clients(&self) -> Vec<ClientSetup> {
        let servers = self.lock_servers();
        let sentinels = self.sentinels.map_or(0, |sentinels| sentinels.count);
        let sentinels: Vec<ServerId> = (1..=sentinels).map(sentinel_id).collect();
        let first = servers.first().copied().unwrap_or(server_id(1));
        let resource = if self.resource == 0 { first } else { server_id(self.resource) };
        let console = |server: &u8| ClientSetup {
            servers: vec![server_id(*server)],
            sentinels: Vec::new(),
            resource,
            plan: None,
        };
        let program = |plan: &Plan| ClientSetup {
            servers: if plan.lock == super::LockKind::Redlock { servers.clone() } else { vec![first] },
            sentinels: sentinels.clone(),
            resource,
            plan: Some(plan.clone()),
        };
        self.consoles.iter().map(console).chain(self.programs.iter().map(program)).collect()
    }
}

impl System for Redis {
    fn check(&self) -> Result<(), ReadError> {
        let servers = self.servers.len();
        within("servers", servers as u64, 1, MAX_SERVERS as u64)?;
        for (at, server) in self.servers.iter().enumerate() {
            server.check(servers, at as u8 + 1).map_err(|error| error.within(&format!("servers[{at}]")))?;
        }
        if let Some(sentinels) = &self.sentinels {
            let check = || {
                within("count", sentinels.count.into(), 1, MAX_SERVERS as u64)?;
                within("master", sentinels.master.into(), 1, servers as u64)?;
                within("quorum", sentinels.quorum.into(), 1, sentinels.count.into())?;
                within("down_after_ms", sentinels.down_after_ms, 1, 3_600_000)?;
                within("failover_timeout_ms", sentinels.failover_timeout_ms, 1, 3_600_000)?;
                within("parallel_syncs", sentinels.parallel_syncs.into(), 1, MAX_SERVERS as u64)
            };
            check().map_err(|error: ReadError| error.within("sentinels"))?;
        }
        at_most("programs", self.programs.len() + self.consoles.len(), MAX_CLIENTS)?;
        at_most("lock_servers", self.lock_servers.len(), MAX_SERVERS)?;
        let numbers = |name: &str, numbers: &[u8], least: u64| {
            numbers.iter().try_for_each(|number| within(name, (*number).into(), least, servers as u64))
        };
        numbers("consoles", &self.consoles, 1)?;
        numbers("lock_servers", &self.lock_servers, 1)?;
        numbers("resource", &[self.resource], 0)?;
        for (at, plan) in self.programs.iter().enumerate() {
            plan.check().map_err(|error| error.within(&format!("programs[{at}]")))?;
        }
        Ok(())
    }

    fn place(&self, world: &mut impl Place) {
        for (at, server) in self.servers.iter().enumerate() {
            // what does not fit was refused before
            let conf = Rc::new(server.read_conf().unwrap_or_default());
            world.put::<Server>(server_id(at as u8 + 1), ServerConfig { conf });
        }
        if let Some(sentinels) = self.sentinels {
            for number in 1..=sentinels.count {
                let config = SentinelConfig {
                    master: server_id(sentinels.master),
                    quorum: sentinels.quorum,
                    down_after_ms: sentinels.down_after_ms,
                    failover_timeout_ms: sentinels.failover_timeout_ms,
                    parallel_syncs: sentinels.parallel_syncs,
                };
                world.put::<Sentinel>(sentinel_id(number), config);
            }
        }
        for (at, client) in self.clients().into_iter().enumerate() {
            world.put::<Client>(client_id(at as u8 + 1), client);
        }
    }
}
