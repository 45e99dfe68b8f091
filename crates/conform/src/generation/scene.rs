//! A simulated cluster that a recording is played on: a world, what was stated, and how to wait.

use crate::base::{ServerId, SimTime};
use crate::daemon::System;
use crate::rivals::generation::{Answer, Fact, Generation, Program};
use crate::sim::{self, Action, LatencyRange, Run, Setup, Systems, World};

use super::recording::Settings;

/// What a play is told by, in the recordings' words.
pub(super) const FIELDS: &[&str] = &[
    "termRose",
    "termAtTheEndRose",
    "termRoseByHealing",
    "newLeaderAfterMs",
    "candidacies",
    "preCandidacies",
    "candidaciesWhileCutOff",
    "preCandidaciesWhileCutOff",
    "votesCast",
    "votesRejected",
    "voteRequestsSent",
    "acknowledgedWriteKept",
    "winner",
    "oldLeaderFollows",
    "leaderDeposed",
    "writeAtTheCutOffLeader",
    "writeAtTheNewLeader",
    "localReadAtTheCutOffLeader",
    "linearizableReadAtTheCutOffLeader",
    "valueAfterHealing",
];

/// Longest time until something comes to rest.
const LONGEST_US: u64 = 120_000_000;

/// What was stated.
pub(super) struct Seen {
    pub at: SimTime,
    pub by: ServerId,
    pub fact: Fact,
}

/// What the facts say of a server.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    term: u64,
    leader: Option<ServerId>,
    /// Not running, or out of reach.
    away: bool,
}

/// A cluster.
pub(super) struct Scene {
    world: World,
    pub seen: Vec<Seen>,
    servers: u8,
    standings: Vec<Standing>,
}

/// The n-th server.
fn server(n: u8) -> ServerId {
    ServerId::nth("G", n)
}

impl Scene {
    pub(super) fn new(settings: &Settings, seed: u64) -> Result<Scene, String> {
        // asked for while there is a leader, an answer comes sooner
        let timeout_ms = settings.election_ms;
        let client = |server| Program { server, timeout_ms, lines: Vec::new(), repeat: false };
        let generation = Generation {
            servers: settings.servers,
            heartbeat_ms: settings.heartbeat_ms,
            election_ms: settings.election_ms,
            pre_vote: settings.pre_vote,
            clients: (1..=settings.servers).map(client).collect(),
            ..Generation::default()
        };
        generation.check().map_err(|why| format!("recorded_from: {why}"))?;
        let setup = Setup {
            voters: 0,
            latency: LatencyRange { min_us: 100, max_us: 1_000 },
            transmit_us: 10,
            disk_sync: LatencyRange { min_us: 500, max_us: 5_000 },
            systems: Systems { generation: Some(Box::new(generation)), ..Systems::default() },
            ..Setup::default()
        };
        let world = World::new(Run::new(seed, setup));
        let standings = vec![Standing::default(); usize::from(settings.servers)];
        Ok(Scene { world, seen: Vec::new(), servers: settings.servers, standings })
    }

    pub(super) fn now(&self) -> SimTime {
        self.world.now
    }

    fn standing(&mut self, id: ServerId) -> Option<&mut Standing> {
        let place = (1..=self.servers).position(|n| server(n) == id)?;
        self.standings.get_mut(place)
    }

    /// One event.
    fn step(&mut self) -> bool {
        let Some(records) = self.world.step().map(<[_]>::to_vec) else { return false };
        for record in records {
            let sim::Fact::Other { server, fact } = &record.fact else { continue };
            let Some(fact) = fact.value::<Fact>().cloned() else { continue };
            self.note(*server, &fact);
            self.seen.push(Seen { at: record.at_us, by: *server, fact });
        }
        true
    }

    fn note(&mut self, by: ServerId, fact: &Fact) {
        let Some(standing) = self.standing(by) else { return };
        let (term, leader) = match fact {
            Fact::Started { term, .. } | Fact::Candidate { term, pre: false, .. } => (*term, None),
            Fact::Leads { term, .. } => (*term, Some(by)),
            Fact::Follows { term, leader } => (*term, *leader),
            Fact::LeaderHeard { term, leader } => (*term, Some(*leader)),
            _ => return,
        };
        (standing.term, standing.leader) = (term, leader);
    }

    /// Lets so many ms pass.
    pub(super) fn pass(&mut self, ms: u64) {
        let until = self.world.now.plus(ms * 1_000);
        while self.world.next_at().is_some_and(|at| at <= until) {
            self.step();
        }
        self.world.now = self.world.now.max(until);
    }

    /// Until it is so.
    fn wait<T>(&mut self, what: &str, mut is_so: impl FnMut(&Scene) -> Option<T>) -> Result<T, String> {
        let until = self.world.now.plus(LONGEST_US);
        loop {
            if let Some(found) = is_so(self) {
                return Ok(found);
            }
            if self.world.now > until || !self.step() {
                return Err(format!("{what} within {} s", LONGEST_US / 1_000_000));
            }
        }
    }

    /// Does something now.
    pub(super) fn act(&mut self, action: Action) {
        let at = self.world.now.ceil_ms();
        self.world.append(at, action);
        self.pass(at.since(self.world.now).div_ceil(1_000));
    }

    /// A server can be reached, or not.
    pub(super) fn away(&mut self, id: ServerId, away: bool) {
        if let Some(standing) = self.standing(id) {
            standing.away = away;
        }
    }

    /// The leader whom all follow that can be reached, and its term.
    fn agreed(&self) -> Option<(ServerId, u64)> {
        let here = || self.standings.iter().filter(|standing| !standing.away);
        let (leader, term) = here().next().and_then(|first| Some((first.leader?, first.term)))?;
        let all = here().all(|standing| (standing.leader, standing.term) == (Some(leader), term));
        let place = (1..=self.servers).position(|n| server(n) == leader)?;
        (all && self.standings.get(place).is_some_and(|standing| !standing.away)).then_some((leader, term))
    }

    /// Waits until all that can be reached follow one leader.
    pub(super) fn settle(&mut self) -> Result<(ServerId, u64), String> {
        self.wait("no leader whom all follow", Scene::agreed)
    }

    /// In whose term a server is, and whom it follows.
    pub(super) fn follows(&mut self, id: ServerId) -> (Option<ServerId>, u64) {
        self.standing(id).map_or((None, 0), |standing| (standing.leader, standing.term))
    }

    /// A client asks at a server; its answer, or none.
    pub(super) fn ask(&mut self, at: ServerId, line: &str) -> Result<Option<Answer>, String> {
        let n = (1..=self.servers).find(|n| server(*n) == at).unwrap_or(1);
        let (client, from) = (ServerId::nth("C", n), self.seen.len());
        for data in [format!("endpoint {at}"), line.to_string()] {
            self.act(Action::Write { server: client, data, count: 1, every_us: 0 });
        }
        self.wait("no end of waiting for an answer", |scene| {
            let mine = scene.seen.iter().skip(from).filter(|seen| seen.by == client);
            mine.filter_map(|seen| match &seen.fact {
                Fact::Answered { answer, .. } => Some(Some(answer.clone())),
                Fact::NoAnswer { .. } | Fact::Unknown { .. } => Some(None),
                _ => None,
            })
            .next()
        })
    }
}
