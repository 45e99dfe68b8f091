//! What a setup says of the system.

use serde::Serialize;

use crate::base::json::{Json, Read, ReadError, ValueError, at_most, within};
use crate::base::limits::{MAX_DURATION_US, MAX_VOTERS};
use crate::base::{ServerId, ServerSet};
use crate::daemon::{Place, System};
use crate::lines::Script;

use super::broken::Brokens;
use super::client::{Client, ClientConfig};
use super::command::Command;
use super::server::{Server, Settings};

/// Most clients.
const MAX_PROGRAMS: usize = 10;
/// Most lines of a program.
const MAX_LINES: usize = 1_000;

/// Servers that elect a leader by generation clock, and their clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generation {
    /// How many servers, 1 to 9: G1, G2, …
    pub servers: u8,
    /// The time between two heartbeats, ms; also the tick in which time is counted (etcd's `--heartbeat-interval`).
    pub heartbeat_ms: u64,
    /// The election timeout T, ms, in whole ticks; each is drawn from T to 2T (etcd's `--election-timeout`).
    pub election_ms: u64,
    /// Whether a server asks whether it could win before it begins a term (dissertation §9.6).
    pub pre_vote: bool,
    /// Whether a leader that does not hear of a majority within T steps down, and whoever has heard of its leader within T ignores
    /// requests for votes (`CheckQuorum`; etcd has it on).
    pub check_quorum: bool,
    /// Rules broken on purpose.
    pub broken: Brokens,
    /// The clients C1, C2, …
    pub clients: Vec<Program>,
}

/// A client and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The number of the server to which it speaks first.
    pub server: u8,
    /// How long it waits for an answer, ms. Then it closes the connection.
    pub timeout_ms: u64,
    /// What it does, line by line, as on its console.
    pub lines: Vec<String>,
    /// Whether it begins again after the last line.
    pub repeat: bool,
}

impl Default for Generation {
    fn default() -> Generation {
        Generation {
            servers: 3,
            heartbeat_ms: 100,
            election_ms: 1_000,
            pre_vote: false,
            check_quorum: true,
            broken: Brokens::default(),
            clients: Vec::new(),
        }
    }
}

impl Read for Generation {
    fn read(json: Json) -> Result<Generation, ReadError> {
        let (mut fields, mut setup) = (json.fields()?, Generation::default());
        fields.set("servers", &mut setup.servers)?;
        fields.set("heartbeat_ms", &mut setup.heartbeat_ms)?;
        fields.set("election_ms", &mut setup.election_ms)?;
        fields.set("pre_vote", &mut setup.pre_vote)?;
        fields.set("check_quorum", &mut setup.check_quorum)?;
        fields.set("broken", &mut setup.broken)?;
        fields.set("clients", &mut setup.clients)?;
        fields.end().map(|()| setup)
    }
}

impl Read for Program {
    fn read(json: Json) -> Result<Program, ReadError> {
        let mut fields = json.fields()?;
        let program = Program {
            server: fields.or("server", 1)?,
            timeout_ms: fields.or("timeout_ms", 5_000)?,
            lines: fields.or("lines", Vec::new())?,
            repeat: fields.or("repeat", false)?,
        };
        fields.end().map(|()| program)
    }
}

impl Program {
    fn check(&self, servers: u8) -> Result<(), ReadError> {
        within("server", self.server.into(), 1, servers.into())?;
        within("timeout_ms", self.timeout_ms, 1, MAX_DURATION_US / 1000)?;
        at_most("lines", self.lines.len(), MAX_LINES)?;
        let mut waits = false;
        for (at, line) in self.lines.iter().enumerate() {
            let place = format!("lines[{at}]");
            let command = Command::parse(line).map_err(|why| why.within(&place))?;
            waits |= !matches!(command, Command::Endpoint(_) | Command::Sleep(0));
            match command {
                Command::Endpoint(server) if !Generation::ids(servers).contains(server) => {
                    let number = server.0 - ServerId::nth("G", 0).0;
                    return within(&place, number.into(), 1, servers.into());
                }
                _ => {}
            }
        }
        if self.repeat && !waits {
            return Err(ReadError::new(ValueError::RetryWithoutPause).within("repeat"));
        }
        Ok(())
    }
}

impl Generation {
    /// The servers of so many.
    fn ids(servers: u8) -> ServerSet {
        (1..=servers).map(|n| ServerId::nth("G", n)).collect()
    }
}

impl System for Generation {
    fn check(&self) -> Result<(), ReadError> {
        within("servers", self.servers.into(), 1, MAX_VOTERS as u64)?;
        within("heartbeat_ms", self.heartbeat_ms, 1, MAX_DURATION_US / 1000)?;
        let (least, most) = (self.heartbeat_ms.saturating_mul(2), self.heartbeat_ms.saturating_mul(1_000));
        within("election_ms", self.election_ms, least, most.min(MAX_DURATION_US / 1000))?;
        at_most("clients", self.clients.len(), MAX_PROGRAMS)?;
        let check = |(at, program): (usize, &Program)| {
            program.check(self.servers).map_err(|why| why.within(&format!("clients[{at}]")))
        };
        self.clients.iter().enumerate().try_for_each(check)
    }

    fn place(&self, world: &mut impl Place) {
        let servers = Generation::ids(self.servers);
        let settings = Settings {
            servers,
            tick: self.heartbeat_ms * 1000,
            election_ticks: u32::try_from(self.election_ms / self.heartbeat_ms).unwrap_or(u32::MAX),
            pre_vote: self.pre_vote,
            check_quorum: self.check_quorum,
            broken: self.broken.clone(),
        };
        for server in servers.iter() {
            world.put::<Server>(server, settings.clone());
        }
        for (at, program) in (1..).zip(&self.clients) {
            let lines = program.lines.iter().filter_map(|line| Command::parse(line).ok()).collect();
            let config = ClientConfig {
                servers,
                first: ServerId::nth("G", program.server),
                timeout: program.timeout_ms * 1000,
                script: Script { lines, repeat: program.repeat },
            };
            world.put::<Client>(ServerId::nth("C", at), config);
        }
    }
}
