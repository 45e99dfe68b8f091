//! Four-letter words: what a server tells whoever opens a connection and says `srvr` (package `server.command`, 3.9). A word
//! reads a world; it does not travel. What our state does not know is left out: paths on disk, file descriptors, ports.
//! A client's address is its name and its connection's number.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{ClientId, ConnId, ServerId, SessionId, SimTime, date};
use crate::server::{ClientConn, Server, Statistics};
use crate::wire::decoded;
use crate::zab::{Leader, Role};

use super::four_letter_word::FourLetterWord;
use super::process::Process;
use super::reasons::{ActionRefusal, Status};
use super::world::World;

/// What is simulated, as `version` and `srvr` tell it.
pub const VERSION_NUMBER: &str = "3.9, as simulated by ZabScope";

/// What comes of `echo srvr | nc S1 2181`: the lines of the answer.
///
/// # Errors
/// There is no such server; nothing listens there (it is down); it is paused, so the connection opens and nothing comes.
pub fn four_letter(world: &World, id: ServerId, word: FourLetterWord) -> Result<Vec<String>, ActionRefusal> {
    let process = world.processes.get(&id).ok_or(ActionRefusal::NoSuchServer { server: id })?;
    if process.status != Status::Running {
        return Err(ActionRefusal::WrongStatus { server: id, status: process.status });
    }
    let server = process.server().ok_or(ActionRefusal::NoSuchServer { server: id })?;
    let serves = server.service.takes_clients(&world.run().setup.settings());
    let isro = match serves {
        true if server.service.read_only => "ro",
        true => "rw",
        false => "null",
    };
    let asked = Asked { world, process, server };
    let lines = match word.name() {
        "ruok" => vec!["imok".to_string()],
        "isro" => vec![isro.to_string()],
        _ if !serves => {
            vec!["This ZooKeeper instance is not currently serving requests".to_string()]
        }
        "srvr" => asked.srvr(false),
        "stat" => asked.srvr(true),
        "mntr" => asked.mntr(),
        "cons" => asked.connections(false),
        "conf" => asked.conf(),
        "dump" => asked.dump(),
        "wchs" => asked.watch_summary(),
        "wchp" => asked.watches(|path, session| (path, format!("0x{:x}", session.0))),
        _ => asked.watches(|path, session| (format!("0x{:x}", session.0), path)),
    };
    Ok(lines)
}

struct Asked<'a> {
    world: &'a World,
    process: &'a Process,
    server: &'a Server,
}

impl Asked<'_> {
    fn leader(&self) -> Option<&Leader> {
        match &self.server.peer.role {
            Role::Leading(leader) => Some(leader),
            _ => None,
        }
    }

    fn mode(&self) -> &'static str {
        match self.leader() {
            None if self.server.service.read_only => "read-only",
            Some(_) => "leader",
            None if self.server.peer.members.votes(self.process.id) => "follower",
            None => "observer",
        }
    }

    fn srvr(&self, with_clients: bool) -> Vec<String> {
        let statistics = &self.server.service.statistics;
        let mut texts = vec![format!("Zookeeper version: {VERSION_NUMBER}")];
        if self.server.service.read_only {
            texts.push("READ-ONLY mode; serving only read-only clients".to_string());
        }
        if with_clients {
            texts.push("Clients:".to_string());
            texts.extend(self.connections(true));
        }
        let Statistics { received, sent, min_ms, max_ms, .. } = statistics;
        texts.extend([
            format!("Latency min/avg/max: {min_ms}/{}/{max_ms}", average(statistics)),
            format!("Received: {received}"),
            format!("Sent: {sent}"),
            format!("Connections: {}", self.server.service.conns.len()),
            format!("Outstanding: {}", self.server.service.in_process()),
            format!("Zxid: 0x{:x}", self.server.peer.storage.last_processed.0),
            format!("Mode: {}", self.mode()),
            format!("Node count: {}", self.server.tree.len()),
        ]);
        if self.leader().is_some() {
            let [last, min, max] = proposals(statistics);
            texts.push(format!("Proposal sizes last/min/max: {last}/{min}/{max}"));
        }
        texts
    }

    fn connections(&self, brief: bool) -> Vec<String> {
        let conns = self.server.service.conns.iter();
        let lines = conns.map(|(&id, conn)| connection(id, conn, brief, self.process.clock_ahead_ms));
        lines.chain([String::new()]).collect()
    }

    /// In the order in which the gauges are registered; the real one's order is that of a hash map.
    fn mntr(&self) -> Vec<String> {
        let Server { peer, tree, service, .. } = self.server;
        let statistics = &service.statistics;
        let watches = service.watches.iter().map(|(_, _, mode)| if mode.is_one_shot() { 1 } else { 2 });
        let ephemerals: usize = tree.sessions().map(|(session, _)| tree.ephemerals(session).count()).sum();
        let state = format!("{:?}", peer.state()).to_lowercase();
        let phase = format!("{:?}", peer.phase()).to_lowercase();
        let mut values: Vec<(&str, String)> = vec![
            ("version", VERSION_NUMBER.to_string()),
            ("server_state", self.mode().to_string()),
            ("peer_state", format!("{state} - {phase}")),
            ("avg_latency", average(statistics)),
            ("max_latency", statistics.max_ms.to_string()),
            ("min_latency", statistics.min_ms.to_string()),
            ("packets_received", statistics.received.to_string()),
            ("packets_sent", statistics.sent.to_string()),
            ("num_alive_connections", service.conns.len().to_string()),
            ("outstanding_requests", self.server.service.in_process().to_string()),
            ("uptime", (self.world.now.as_ms() - service.since.as_ms()).to_string()),
            ("znode_count", tree.len().to_string()),
            ("watch_count", watches.sum::<usize>().to_string()),
            ("ephemerals_count", ephemerals.to_string()),
            ("approximate_data_size", tree.bytes().to_string()),
            ("global_sessions", tree.sessions().count().to_string()),
            ("local_sessions", service.local_sessions().count().to_string()),
            ("quorum_size", peer.members.now.voters.len().to_string()),
        ];
        if let Some(leader) = self.leader() {
            let forwarding = |observers: bool| {
                leader.learners.values().filter(move |it| it.is_forwarding() && it.observer == observers)
            };
            let [last, min, max] = proposals(statistics);
            let syncs = service.leading.as_ref().map_or(0, |leading| leading.pending_syncs());
            values.extend([
                ("learners", leader.learners.len().to_string()),
                ("synced_followers", forwarding(false).count().to_string()),
                ("synced_observers", forwarding(true).count().to_string()),
                ("pending_syncs", syncs.to_string()),
                ("last_proposal_size", last.to_string()),
                ("max_proposal_size", max.to_string()),
                ("min_proposal_size", min.to_string()),
            ]);
        }
        values.into_iter().map(|(name, value)| format!("zk_{name}\t{value}")).collect()
    }

    fn conf(&self) -> Vec<String> {
        let Server { peer, tree, .. } = self.server;
        let (setup, id) = (&self.world.run().setup, u32::from(self.process.id.0));
        let settings = setup.settings();
        let mut texts = vec![
            format!("tickTime={}", setup.tick_time_ms),
            format!("maxClientCnxns={}", setup.max_client_cnxns),
            format!("minSessionTimeout={}", settings.negotiate(0)),
            format!("maxSessionTimeout={}", settings.negotiate(u32::MAX)),
            format!("serverId={id}"),
            format!("initLimit={}", setup.init_limit),
            format!("syncLimit={}", setup.sync_limit),
            "electionAlg=3".to_string(),
            format!("electionPort={}", 30_000 + id),
            format!("quorumPort={}", 20_000 + id),
            format!("peerType={}", u8::from(!peer.members.votes(self.process.id))),
            "membership: ".to_string(),
        ];
        let config = tree.get("/zookeeper/config").and_then(|node| node.data.clone());
        texts.extend(decoded(&config).lines().map(String::from));
        texts
    }

    fn dump(&self) -> Vec<String> {
        let Server { tree, service, .. } = self.server;
        let mut texts = vec!["SessionTracker dump:".to_string()];
        if self.world.run().setup.local_sessions {
            texts.push(format!("Local Sessions({}):", service.local_sessions().count()));
            let locals = service.local_sessions();
            texts.extend(locals.map(|(session, timeout)| format!("0x{:x}\t{timeout}ms", session.0)));
        }
        match &service.leading {
            Some(leading) => {
                let mut sets: BTreeMap<_, Vec<SessionId>> = BTreeMap::new();
                for (session, _) in tree.sessions() {
                    if let Some(due) = leading.due(session) {
                        sets.entry(due).or_default().push(session);
                    }
                }
                let sessions: usize = sets.values().map(Vec::len).sum();
                texts.push(format!("Session Sets ({})/({sessions}):", sets.len()));
                for (due, sessions) in sets {
                    let at = date(due.as_ms() as i64 + self.process.clock_ahead_ms);
                    texts.push(format!("{} expire at {at}:", sessions.len()));
                    texts.extend(sessions.into_iter().map(|session| format!("\t0x{:x}", session.0)));
                }
            }
            None => {
                texts.push(format!("Global Sessions({}):", tree.sessions().count()));
                texts.extend(tree.sessions().map(|(session, timeout)| format!("0x{:x}\t{timeout}ms", session.0)));
            }
        }
        texts.push("ephemeral nodes dump:".to_string());
        let owners = || tree.sessions().filter(|(session, _)| tree.ephemerals(*session).next().is_some());
        texts.push(format!("Sessions with Ephemerals ({}):", owners().count()));
        for (session, _) in owners() {
            texts.push(format!("0x{:x}:", session.0));
            texts.extend(tree.ephemerals(session).map(|path| format!("\t{path}")));
        }
        texts.push("Connections dump:".to_string());
        texts
    }

    /// Only the table of data watches counts, as there: those for children are not in it, lasting ones are.
    fn data_watches(&self) -> impl Iterator<Item = (&str, ConnId)> {
        let watches = self.server.service.watches.iter();
        watches.filter(|(_, _, mode)| !mode.is_child()).map(|(path, conn, _)| (&**path, conn))
    }

    fn watch_summary(&self) -> Vec<String> {
        let all: BTreeSet<(&str, ConnId)> = self.data_watches().collect();
        let (paths, conns): (BTreeSet<&str>, BTreeSet<ConnId>) = all.iter().copied().unzip();
        vec![
            format!("{} connections watching {} paths", conns.len(), paths.len()),
            format!("Total watches:{}", all.len()),
        ]
    }

    fn watches(&self, place: impl Fn(String, SessionId) -> (String, String)) -> Vec<String> {
        let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, conn) in self.data_watches() {
            let session = self.server.service.conns.get(&conn).map_or(SessionId::NONE, |conn| conn.session);
            let (group, entry) = place(path.to_string(), session);
            let entries = groups.entry(group).or_default();
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        let lines = groups.into_iter().flat_map(|(group, entries)| {
            std::iter::once(group).chain(entries.into_iter().map(|entry| format!("\t{entry}")))
        });
        lines.chain([String::new()]).collect()
    }
}

fn connection(id: ConnId, conn: &ClientConn, brief: bool, ahead_ms: i64) -> String {
    let ClientConn { client: ClientId(client), session, timeout_ms, statistics, .. } = conn;
    let packets = &statistics.packets;
    let mut text = format!(
        " /C{client}:{}[1](queued={},recved={},sent={}",
        id.0,
        statistics.outstanding(),
        packets.received,
        packets.sent
    );
    if !brief && *session != SessionId::NONE {
        let clock = |at: SimTime| at.as_ms() as i64 + ahead_ms;
        text += &format!(
            ",sid=0x{:x},lop={},est={},to={timeout_ms}",
            session.0,
            operation(statistics.last_op),
            clock(statistics.established)
        );
        if statistics.last_cxid >= 0 {
            text += &format!(",lcxid=0x{:x}", statistics.last_cxid);
        }
        text += &format!(
            ",lzxid=0x{:x},lresp={},llat={},minlat={},avglat={},maxlat={}",
            statistics.last_zxid.0,
            clock(statistics.last_response),
            statistics.last_ms,
            packets.min_ms,
            packets.total_ms.checked_div(packets.answered).unwrap_or(0),
            packets.max_ms
        );
    }
    text + ")"
}

/// How `cons` names an operation (`FinalRequestProcessor.java`, `lastOp`).
fn operation(name: &str) -> &str {
    match name {
        "create" | "create2" | "createContainer" | "createTTL" => "CREA",
        "delete" => "DELE",
        "exists" => "EXIS",
        "getData" => "GETD",
        "setData" => "SETD",
        "getACL" => "GETA",
        "setACL" => "SETA",
        "getChildren" | "getChildren2" => "GETC",
        "getAllChildrenNumber" => "GETACN",
        "getEphemerals" => "GETE",
        "sync" => "SYNC",
        "check" => "CHEC",
        "multi" => "MULT",
        "multiRead" => "MLTR",
        "whoAmI" => "HOMI",
        "addWatch" => "ADDW",
        "removeWatches" => "REMW",
        "checkWatches" => "CHKW",
        "setWatches" => "SETW",
        "setWatches2" => "STW2",
        "closeSession" => "CLOS",
        other => other, // SESS, PING, NA
    }
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
fn proposals(statistics: &Statistics) -> [i64; 3] {
    statistics.proposals.map_or([-1; 3], |(last, min, max)| [last, min, max].map(|bytes| bytes as i64))
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
