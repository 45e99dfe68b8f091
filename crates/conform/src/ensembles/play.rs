//! Does to our ensemble what was done to the real one, step by step, and notes what it says.
//!
//! The recorder waited after each step until it had its effect; so does this. A step is done at its recorded time, or later
//! where ours took longer until then.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::limits::{MAX_PAYLOAD_BYTES, MAX_WRITES_PER_ACTION};
use crate::base::{Chunks, Prng, ServerId, SimTime, Stream, Zxid};
use crate::sim::{Action, Fact, LatencyRange, Player, Run, Setup, WorldFact};
use crate::zab::{Peer, ServerState};

use super::recording::{Deed, OBSERVER, OLD, Recording, Srvr, Step, VOTER};
use super::seen::Seen;

/// How long a step may take to have its effect: longer than any recorded one.
const PATIENCE_US: u64 = 10_000_000;
/// Between an answer and the recorder's next deed some milliseconds went by, in which the other servers finished too.
const PACE_US: u64 = 5_000;
/// A real server takes a while until it looks for a leader, and never the same: that decides which of two servers that are
/// started together connects to their leader in time for an empty DIFF.
const BOOT_US: u64 = 60_000;
/// The time between two writes that are sent without waiting for answers.
const WRITE_EVERY_US: u64 = 200;
/// The time between two writes of a client under load: as long as a real one waited for its answer.
const LOAD_EVERY_US: u64 = 3_100;

/// Our ensemble on its way through a recording.
pub struct Play<'a> {
    recording: &'a Recording,
    player: Player,
    /// What was stated.
    pub(super) seen: Seen,
    /// What reads found.
    pub(super) reads: Vec<String>,
    /// What went otherwise than in the recording.
    pub(super) differences: Vec<String>,
    clients: BTreeMap<String, ServerId>,
    /// When something was done last.
    acted: SimTime,
    boots: Prng,
    /// Servers that are booting, with the end of it.
    booting: BTreeSet<(SimTime, ServerId)>,
}

/// The run that a recording tells of, and what the times of later starts are drawn from. Servers of one machine, that wait for no
/// disk (`forceSync=no`).
///
/// # Errors
/// Why there can be none.
pub(super) fn run(recording: &Recording, seed: u64, adjust: impl Fn(&mut Setup)) -> Result<(Run, Prng), String> {
    let mut boots = Prng::new(seed, Stream::Faults);
    let mut setup = setup(recording, &mut boots)?;
    adjust(&mut setup);
    let run = Run::new(seed, setup);
    run.check().map_err(|error| error.to_string())?;
    Ok((run, boots))
}

fn setup(recording: &Recording, boots: &mut Prng) -> Result<Setup, String> {
    let property = |name: &str| recording.properties.get(&format!("zookeeper.{name}")).map(String::as_str);
    let number = |name: &str| match property(name).map(str::parse::<u32>) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(format!("properties.zookeeper.{name} is no number")),
    };
    let default = Setup::default();
    // a plain write of ours is at most that long: a snapshot of longer ones is small here, and bounds nothing
    let is_large = recording
        .steps
        .iter()
        .any(|step| matches!(step.deed, Deed::Writes { data_bytes: Some(bytes), .. } if bytes > MAX_PAYLOAD_BYTES));
    let snapshot_size_factor = match property("snapshotSizeFactor").map(factor) {
        Some(factor) => factor.ok_or("properties.zookeeper.snapshotSizeFactor is no number")?,
        None if is_large => 0,
        None => default.snapshot_size_factor,
    };
    let mut start_us = Vec::new();
    for id in recording.servers.keys() {
        let start = recording.first_start(*id).ok_or_else(|| format!("server {} is never started", id.0))?;
        start_us.push(start.0 + boots.between(0, BOOT_US));
    }
    Ok(Setup {
        voters: recording.count(VOTER),
        observers: recording.count(OBSERVER),
        tick_time_ms: recording.config.tick_time,
        init_limit: recording.config.init_limit,
        sync_limit: recording.config.sync_limit,
        snap_count: number("snapCount")?.unwrap_or(default.snap_count),
        commit_log_count: number("commitLogCount")?.map_or(default.commit_log_count, |count| count as usize)
            + recording.kept_beyond(),
        snapshot_size_factor,
        latency: LatencyRange { min_us: 200, max_us: 1_000 },
        transmit_us: 5,
        disk_sync: LatencyRange { min_us: 1_000, max_us: 3_000 },
        start_us,
        rules: recording.rules(),
        ..default
    })
}

/// A part of the snapshot's size (`0.33`), in hundredths; -1: the log on disk is never used.
fn factor(text: &str) -> Option<i32> {
    let factor: f64 = text.parse().ok().filter(|factor: &f64| factor.abs() <= 100.0)?;
    Some(if factor < 0.0 { -1 } else { (factor * 100.0).round() as i32 })
}

impl<'a> Play<'a> {
    /// Plays a recording to its end. `adjust` may change the setup.
    ///
    /// # Errors
    /// Why there is no such run.
    pub fn new(recording: &'a Recording, seed: u64, adjust: impl Fn(&mut Setup)) -> Result<Play<'a>, String> {
        let (run, boots) = run(recording, seed, adjust)?;
        let player = Player::new(run).map_err(|error| error.to_string())?;
        let mut play = Play {
            recording,
            player,
            seen: Seen::default(),
            reads: Vec::new(),
            differences: Vec::new(),
            clients: BTreeMap::new(),
            acted: SimTime::ZERO,
            boots,
            booting: BTreeSet::new(),
        };
        for step in &recording.steps {
            play.step(step);
        }
        Ok(play)
    }

    /// The run that it was.
    pub fn run(&self) -> &Run {
        self.player.run()
    }

    /// The digest of that run.
    pub fn digest(&self) -> String {
        self.player.digest()
    }

    /// When it was over.
    pub fn end(&self) -> SimTime {
        self.now()
    }

    fn step(&mut self, step: &Step) {
        let at = SimTime::from_ms(step.at);
        match &step.deed {
            Deed::Start { server } => self.start(*server, at),
            Deed::Kill { server } => self.kill(*server, at),
            Deed::Pause { server } => self.pause(*server, at),
            Deed::Resume { server } => self.act_at(at, Action::Resume { server: *server }),
            Deed::Connect { client, server } => self.connect(client, *server),
            Deed::Write { client, path, zxid } => {
                self.expect_zxids(path, self.server_of(client), 1, (*zxid, *zxid));
            }
            Deed::Writes { client, count, first_zxid, last_zxid, data_bytes } => {
                let data = "x".repeat(data_bytes.unwrap_or(1).min(MAX_PAYLOAD_BYTES));
                self.expect_zxids(&data, self.server_of(client), *count, (*first_zxid, *last_zxid));
            }
            Deed::Send { path } => self.send(path),
            Deed::SendThree => (0..3).for_each(|number| self.send(&format!("/uncommitted{number}"))),
            Deed::WritableAgain { by, zxid } => self.writable_again(*by, *zxid),
            Deed::Serving { servers } => self.serving(servers, step.at),
            Deed::StoppedServing { server } => {
                self.wait_for(&format!("{server} stops to serve"), |play| !play.serves(*server));
            }
            Deed::ReadAt { server, path, error } => self.read(*server, path, error),
            Deed::ReadOnOldConnection { error } => self.read_on_old_connection(error),
            Deed::Check { acknowledged_but_lost } => self.check_acknowledged(*acknowledged_but_lost),
        }
    }

    /// Deeds that follow each other directly are done at once.
    fn act_at(&mut self, at: SimTime, action: Action) {
        let pace = if self.now() == self.acted { 0 } else { PACE_US };
        self.run_until(at.max(self.now().plus(pace)));
        self.act(action);
        self.acted = self.now();
    }

    /// A first start stands in the setup; one after a kill is an action, done when the server has booted.
    fn start(&mut self, server: ServerId, at: SimTime) {
        if self.recording.first_start(server) != Some(at) {
            let boot = self.boots.between(0, BOOT_US);
            self.booting.insert((at.max(self.now()).plus(boot), server));
        }
    }

    /// A leader that wakes up may still propose something, to nobody. No step tells of that; the zxid with which it asks its
    /// next leader to bring it up to date does. Here a client's request waits in its socket. A follower that wakes up may have more too:
    /// what its leader had sent it waits in the socket by itself.
    fn pause(&mut self, server: ServerId, at: SimTime) {
        let leads = self.player.leader() == Some(server);
        self.act_at(at, Action::Pause { server });
        if !leads {
            return;
        }
        let logged = self.peer(server).map_or(Zxid::ZERO, |peer| peer.storage.last_logged());
        let comes_back = self.recording.next_sync(server, at).map_or(Zxid::ZERO, |sync| sync.learner_last_zxid);
        let waits = comes_back.0.saturating_sub(logged.0);
        let follower = self.recording.servers.keys().copied().find(|&id| id != server && self.serves(id));
        if let (Some(follower), Some(count @ 1..)) = (follower, u32::try_from(waits).ok()) {
            self.act(write(follower, "/on-waking", count, 0));
        }
    }

    /// A leader can die when a proposal has left for one follower and not for another: then their first votes differ. In our
    /// network packets of one moment leave together, so the link is cut shortly before.
    fn kill(&mut self, server: ServerId, at: SimTime) {
        let behind = self.recording.behind_after(at);
        if !behind.is_empty() {
            self.run_until(at);
            let from = [server].into_iter().collect();
            self.act(Action::Cut { from, to: behind, one_way: true });
        }
        self.act_at(at, Action::Crash { server });
    }

    /// The session is the client's first transaction. A client under load writes from then on.
    fn connect(&mut self, client: &str, server: ServerId) {
        self.clients.insert(client.into(), server);
        self.write("session", server, 1);
        if Recording::is_load(client) {
            let until = self.recording.first_kill().unwrap_or_default().plus(PACE_US);
            let count = (until.since(self.now()) / LOAD_EVERY_US).clamp(1, MAX_WRITES_PER_ACTION.into());
            self.act(write(server, client, count as u32, LOAD_EVERY_US));
        }
    }

    /// Writes and waits for the answers; their zxids.
    fn write(&mut self, data: &str, server: ServerId, count: u32) -> Vec<Zxid> {
        let before = self.seen.answers(server, data).len();
        let mut left = count;
        while left > 0 {
            let some = left.min(MAX_WRITES_PER_ACTION);
            left -= some;
            let due = before + (count - left) as usize;
            self.act(write(server, data, some, WRITE_EVERY_US));
            self.wait_for(&format!("{count} writes at {server}"), |play| {
                play.seen.answers(server, data).len() >= due
            });
        }
        self.seen.answers(server, data)[before..].to_vec()
    }

    fn expect_zxids(&mut self, data: &str, server: ServerId, count: u32, expected: (Zxid, Zxid)) {
        let zxids = self.write(data, server, count);
        let ends = zxids.first().copied().zip(zxids.last().copied());
        if ends != Some(expected) {
            self.differs(format!("writes at {server} have the zxids {ends:?}, recorded are {expected:?}"));
        }
    }

    /// A write that nobody waits for.
    fn send(&mut self, path: &str) {
        match self.player.leader() {
            Some(leader) => self.act(write(leader, path, 1, 0)),
            None => self.differs("there is no leader to send a write to".into()),
        }
    }

    /// Somebody opened a session as soon as that was possible, wrote, and closed it: three transactions.
    fn writable_again(&mut self, by: ServerId, zxid: Zxid) {
        self.wait_for(&format!("{by} serves again"), |play| play.serves(by) && play.seen.epoch(by) == zxid.epoch());
        self.write("session", by, 1);
        self.expect_zxids("/again", by, 1, (zxid, zxid));
        self.write("close", by, 1);
    }

    /// All serve in their roles; then `srvr` was asked. Where a server was still applying what it had missed, the zxid is
    /// one of many on its way.
    fn serving(&mut self, servers: &BTreeMap<String, Srvr>, at_ms: u64) {
        let named = servers.iter().filter_map(|(id, srvr)| Some((self.recording.id_of(id)?, srvr)));
        let expected: Vec<(ServerId, &Srvr)> = named.collect();
        for (server, srvr) in &expected {
            self.wait_for(&format!("{server} serves as {}", srvr.mode), |play| {
                play.srvr(*server).is_some_and(|ours| ours.mode == srvr.mode)
            });
        }
        self.run_until(SimTime::from_ms(at_ms).max(self.now().plus(PACE_US)));
        for (server, srvr) in expected {
            let ours = self.srvr(server).map(|ours| ours.last_zxid);
            let last_sync = self.recording.syncs.iter().rfind(|sync| sync.learner == server && sync.at < at_ms);
            let on_its_way = last_sync.is_some_and(|sync| srvr.last_zxid < sync.to && ours == Some(sync.to));
            if ours != Some(srvr.last_zxid) && !on_its_way {
                self.differs(format!("{server} stands at {ours:?}, recorded is {}", srvr.last_zxid));
            }
        }
    }

    fn read(&mut self, server: ServerId, path: &str, recorded: &str) {
        let found = if self.seen.holds(server, path) { "Ok" } else { "NoNode" };
        self.reads.push(found.into());
        if found != recorded {
            self.differs(format!("{path} at {server}: {found}, recorded is {recorded}"));
        }
    }

    /// The client `old` was connected to the leader that stopped to serve.
    fn read_on_old_connection(&mut self, recorded: &str) {
        let server = self.server_of(OLD);
        let closed = self.seen.records.iter().any(
            |record| matches!(record.fact, Fact::World(WorldFact::Serving { server: at, on: false }) if at == server),
        );
        if closed != (recorded == "ConnectionLoss") {
            self.differs(format!("{server} closed its clients' connections: {closed}"));
        }
    }

    /// Every acknowledged write of the load must be in the new leader's log.
    fn check_acknowledged(&mut self, recorded: usize) {
        let log = self.player.leader().and_then(|leader| self.peer(leader)).map(|peer| &peer.storage.log);
        let kept: BTreeSet<Zxid> = log.into_iter().flat_map(Chunks::iter).map(|proposal| proposal.zxid).collect();
        let (answered, lost) = self
            .seen
            .all_answers()
            .fold((0, 0), |(answered, lost), zxid| (answered + 1, lost + usize::from(!kept.contains(&zxid))));
        if lost != recorded || answered < 1_000 {
            self.differs(format!("{answered} writes were acknowledged, {lost} of them lost"));
        }
    }
}

/// The driver: time goes on, servers boot, what is stated is kept.
impl Play<'_> {
    fn now(&self) -> SimTime {
        self.player.world().now
    }

    /// A server's protocol machine; none where its process is down.
    fn peer(&self, server: ServerId) -> Option<&Peer> {
        Some(&self.player.world().processes.get(&server)?.server()?.peer)
    }

    fn serves(&self, server: ServerId) -> bool {
        self.peer(server).is_some_and(Peer::is_serving)
    }

    /// What `srvr` would say of a server that serves.
    fn srvr(&self, server: ServerId) -> Option<Srvr> {
        let peer = self.peer(server).filter(|peer| peer.is_serving())?;
        let mode = match peer.state() {
            ServerState::Leading => "leader",
            ServerState::Following => "follower",
            ServerState::Observing => "observer",
            ServerState::Standalone => "standalone",
            ServerState::Looking => return None,
        };
        Some(Srvr { mode: mode.into(), last_zxid: peer.storage.last_processed })
    }

    fn differs(&mut self, what: String) {
        self.differences.push(format!("{} ms: {what}", self.now().as_ms()));
    }

    /// Where a client is connected; recordings are checked to connect a client before they use it.
    fn server_of(&self, client: &str) -> ServerId {
        self.clients.get(client).copied().unwrap_or(ServerId(0))
    }

    fn act(&mut self, action: Action) {
        let seen = &mut self.seen;
        if let Err(error) = self.player.act(action, |_, records| seen.note(records)) {
            self.differs(error.to_string());
        }
    }

    fn run_until(&mut self, until: SimTime) {
        self.run_while(until, |_| true);
    }

    /// Waits for what a step brings about; says so where it does not come.
    fn wait_for(&mut self, what: &str, test: impl Fn(&Play) -> bool) {
        if self.run_while(self.now().plus(PATIENCE_US), |play| !test(play)) {
            self.differs(format!("{what}: it never happened"));
        }
    }

    /// Goes on while the test holds, at most until a moment; whether it held to the end.
    fn run_while(&mut self, until: SimTime, test: impl Fn(&Play) -> bool) -> bool {
        while test(self) {
            let next = self.player.world().next_at().filter(|&at| at <= until);
            let booted = self.booting.first().copied().filter(|&(at, _)| at <= next.unwrap_or(until));
            if let Some((at, server)) = booted {
                self.booting.pop_first();
                let seen = &mut self.seen;
                self.player.run_until(at, |_, records| seen.note(records));
                self.act(Action::Restart { server });
            } else if next.is_some() {
                self.seen.note(self.player.step().unwrap_or_default());
            } else {
                self.player.run_until(until, |_, _| {});
                return true;
            }
        }
        false
    }
}

fn write(server: ServerId, data: &str, count: u32, every_us: u64) -> Action {
    Action::Write { server, data: data.into(), count, every_us }
}
