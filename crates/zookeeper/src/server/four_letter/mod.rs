//! Four-letter words: what a server tells whoever opens a connection and says `srvr` (package `server.command`). What there is none
//! of here is left out: of `envi` all about a Java machine and an operating system, of `mntr` file descriptors and how long the parts
//! of a server took.

mod connections;
mod dump;
mod monitor;
mod watches;

use std::fmt::Write;

use crate::base::{ConnId, SimTime, date};
use crate::wire::{FourLetterWord, decoded};
use crate::zab::{Leader, Role};

use super::Server;
use super::io::Env;
use super::statistics::Statistics;

/// Where a server keeps its files (`dataDir`, with the folder that it makes there).
const DATA_DIR: &str = "/var/lib/zookeeper/version-2";
/// The port on which a server takes clients (`clientPort`).
const CLIENT_PORT: u16 = 2181;

/// What is simulated, as `version` and `srvr` tell it.
pub fn version_number(version: &str) -> String {
    format!("{version}, as simulated by ZabScope")
}

impl Server {
    /// What a server says to a word, and to the bytes behind it; none: it closes the connection without a word.
    pub(super) fn answer(&mut self, word: FourLetterWord, rest: &str, env: &Env) -> Option<String> {
        let settings = &env.config.service;
        if !settings.answers(word) {
            return Some(format!("{word} is not executed because it is not in the whitelist.\n"));
        }
        let serves = self.service.takes_clients(settings);
        Some(match word.name() {
            "ruok" => "imok".into(),
            "isro" if !serves => "null".into(),
            "isro" => if self.service.read_only { "ro" } else { "rw" }.into(),
            "envi" => Asked { server: self, env }.environment(),
            "gtmk" => self.trace_mask.to_string(),
            "stmk" => {
                self.trace_mask = i64::from_be_bytes(rest.as_bytes().first_chunk().copied()?);
                self.trace_mask.to_string()
            }
            _ if !serves => "This ZooKeeper instance is not currently serving requests\n".into(),
            "crst" => {
                self.service.reset_connections();
                "Connection stats reset.\n".into()
            }
            "srst" => {
                self.service.reset_statistics();
                "Server stats reset.\n".into()
            }
            name => Asked { server: self, env }.told(name),
        })
    }
}

/// A server that is looked at.
struct Asked<'a> {
    server: &'a Server,
    env: &'a Env<'a>,
}

impl Asked<'_> {
    fn told(&self, name: &str) -> String {
        match name {
            "srvr" => self.srvr(false),
            "stat" => self.srvr(true),
            "mntr" => self.monitor(),
            "cons" => self.connections(false),
            "conf" => self.conf(),
            "dirs" => self.dirs(),
            "dump" => self.dump(),
            "hash" => self.hash(),
            "wchs" => self.watch_summary(),
            "wchp" => self.watches(|path, session| (path, format!("0x{:x}", session.0))),
            _ => self.watches(|path, session| (format!("0x{:x}", session.0), path)),
        }
    }

    fn leader(&self) -> Option<&Leader> {
        match &self.server.peer.role {
            Role::Leading(leader) => Some(leader),
            _ => None,
        }
    }

    fn is_alone(&self) -> bool {
        matches!(self.server.peer.role, Role::Alone(_))
    }

    fn mode(&self) -> &'static str {
        match self.leader() {
            None if self.is_alone() => "standalone",
            None if self.server.service.read_only => "read-only",
            Some(_) => "leader",
            None if self.server.peer.members.votes(self.server.peer.id) => "follower",
            None => "observer",
        }
    }

    fn version(&self) -> String {
        version_number(self.env.config.service.version)
    }

    /// A moment as the machine's wall clock shows it, ms.
    fn clock(&self, at: SimTime) -> i64 {
        self.env.clock_ms + at.as_ms() as i64 - self.env.now.as_ms() as i64
    }

    fn date(&self, at: SimTime) -> String {
        date(self.clock(at))
    }

    fn srvr(&self, with_clients: bool) -> String {
        let Server { peer, service, tree, .. } = self.server;
        let mut text = format!("Zookeeper version: {}\n", self.version());
        if service.read_only {
            text += "READ-ONLY mode; serving only read-only clients\n";
        }
        if with_clients {
            text = text + "Clients:\n" + &self.connections(true);
        }
        let statistics = &service.statistics;
        let Statistics { received, sent, min_ms, max_ms, .. } = statistics;
        text += &format!(
            "Latency min/avg/max: {min_ms}/{}/{max_ms}\nReceived: {received}\nSent: {sent}\nConnections: {}\n\
             Outstanding: {}\nZxid: 0x{:x}\nMode: {}\nNode count: {}\n",
            average(statistics),
            service.conns.len(),
            service.in_process(),
            peer.storage.last_processed.0,
            self.mode(),
            tree.node_count(),
        );
        if self.leader().is_some() {
            let [last, min, max] = sizes(statistics.proposals);
            text += &format!("Proposal sizes last/min/max: {last}/{min}/{max}\n");
        }
        text
    }

    /// The last line has no end; that of a server alone has one, and such a server has no number.
    fn conf(&self) -> String {
        let Server { peer, tree, .. } = self.server;
        let (zab, settings, id) = (&self.env.config.zab, &self.env.config.service, u32::from(peer.id.0));
        let size = self.env.files.bytes(zab.pre_alloc);
        let mut text = format!(
            "clientPort={CLIENT_PORT}\nsecureClientPort=-1\ndataDir={DATA_DIR}\ndataDirSize={size}\ndataLogDir={DATA_DIR}\n\
             dataLogSize={size}\ntickTime={}\nmaxClientCnxns={}\nminSessionTimeout={}\nmaxSessionTimeout={}\n\
             clientPortListenBacklog=-1\nserverId={}\n",
            settings.tick_time / 1000,
            settings.max_client_cnxns,
            settings.negotiate(0),
            settings.negotiate(u32::MAX),
            if self.is_alone() { 0 } else { id },
        );
        if self.is_alone() {
            return text;
        }
        text += &format!(
            "initLimit={}\nsyncLimit={}\nelectionAlg=3\nelectionPort={}\nquorumPort={}\npeerType={}\nmembership: \n",
            zab.init_limit,
            zab.sync_limit,
            30_000 + id,
            20_000 + id,
            u8::from(!peer.members.votes(peer.id)),
        );
        let config = tree.get("/zookeeper/config").and_then(|node| node.data.clone());
        text + &decoded(&config)
    }

    fn dirs(&self) -> String {
        let size = self.env.files.bytes(self.env.config.zab.pre_alloc);
        format!("datadir_size: {size}\nlogdir_size: {size}\n")
    }

    fn environment(&self) -> String {
        format!("Environment:\nzookeeper.version={}\nhost.name={}\n", self.version(), self.server.peer.id)
    }

    /// Digests of the tree at every 128th zxid. They are ours: no other server's can be compared with them.
    fn hash(&self) -> String {
        self.server.digests.iter().fold(String::new(), |mut text, (zxid, digest)| {
            let _ = writeln!(text, "{:x}: {digest}", zxid.0);
            text
        })
    }
}

/// The address of whoever is at the other end of a connection: all come from one machine, each from a port of its own, which the
/// system gives out in turn.
fn address(conn: ConnId) -> String {
    const FIRST: u64 = 32_768;
    const LAST: u64 = 60_999;
    format!("/127.0.0.1:{}", FIRST + conn.0 % (LAST - FIRST + 1))
}

/// The mean with at most four digits behind the point, as Java writes a double (`AvgMinMaxCounter.java` `getAvg`).
fn average(statistics: &Statistics) -> String {
    let count = statistics.answered.max(1);
    let scaled = (statistics.total_ms * 20_000 + count) / (2 * count);
    let fraction = format!("{:04}", scaled % 10_000);
    let fraction = fraction.trim_end_matches('0');
    format!("{}.{}", scaled / 10_000, if fraction.is_empty() { "0" } else { fraction })
}

/// Last, smallest and largest; -1 before the first (`BufferStats.java`).
fn sizes(of: Option<(u64, u64, u64)>) -> [i64; 3] {
    of.map_or([-1; 3], |(last, min, max)| [last, min, max].map(|bytes| bytes as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_is_written_as_java_writes_it() {
        let of = |total_ms, answered| average(&Statistics { total_ms, answered, ..Statistics::default() });
        assert_eq!([of(0, 0), of(3, 6), of(1, 3), of(2, 3), of(40, 2)], ["0.0", "0.5", "0.3333", "0.6667", "20.0"]);
    }
}
