//! Three simulated servers and their clients: acts, and waits until everything has come to rest.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::{ClientId, ServerId, SessionId, SimTime, Zxid};
use crate::client::State;
use crate::sim::{Action, Choice, Conn, Fact, Item, Parcel, Player, Port, Process, Run, World};
use crate::wire::{KeeperState, ToClient, ToServer};
use crate::zab::ServerState;

use super::Stuck;
use super::heard::{Heard, Log};
use super::place::Place;
use super::setup::HEAD_START;

/// How long anything may take to come to rest, ms of simulated time.
const PATIENCE_MS: u64 = 60_000;
/// How many draws of a library's connect string are tried.
const TRIES: u16 = 64;

/// An ensemble with clients.
#[derive(Clone, Debug)]
pub(super) struct Ensemble {
    player: Player,
    log: Log,
    clients: BTreeMap<String, ClientId>,
    owners: BTreeMap<SessionId, String>,
    /// Clients that are kept from connecting.
    away: BTreeSet<ClientId>,
    last_zxid: Zxid,
}

impl Ensemble {
    /// Three servers that serve, led by the one that transcripts call `leader`.
    pub(crate) fn start(run: Run) -> Result<Ensemble, Stuck> {
        let player = Player::new(run).map_err(|error| Stuck(error.to_string()))?;
        let mut ensemble = Ensemble {
            player,
            log: Log::default(),
            clients: BTreeMap::new(),
            owners: BTreeMap::new(),
            away: BTreeSet::new(),
            last_zxid: Zxid::ZERO,
        };
        ensemble.wait("a leader", |ensemble| ensemble.leader() == Some(Place::Leader))?;
        Ok(ensemble)
    }

    /// Does something now.
    pub(crate) fn act(&mut self, action: Action) -> Result<(), Stuck> {
        let log = &mut self.log;
        self.player.act(action, |_, records| log.read(records)).map_err(|error| Stuck(error.to_string()))?;
        match self.log.refused.take() {
            Some(reason) => Err(Stuck(format!("the simulation refused: {reason:?}"))),
            None => Ok(()),
        }
    }

    /// Lets time go by.
    pub(crate) fn pause(&mut self, ms: u64) -> Result<(), Stuck> {
        self.play_until(self.now().plus(ms * 1000))
    }

    fn play_until(&mut self, until: SimTime) -> Result<(), Stuck> {
        while !self.away.is_empty()
            && let Some(next) = self.player.world().next_at().filter(|at| *at <= until)
        {
            let log = &mut self.log;
            self.player.run_until(next, |_, records| log.read(records));
            self.turn_away()?;
        }
        let log = &mut self.log;
        self.player.run_until(until, |_, records| log.read(records));
        Ok(())
    }

    /// Whoever is kept away fails to connect, before any server hears of it.
    fn turn_away(&mut self) -> Result<(), Stuck> {
        for client in self.away.clone() {
            let state = self.player.world().clients.get(&client).map(|process| process.client.state);
            if matches!(state, Some(State::Connecting | State::Connected)) {
                self.act(Action::DisconnectClient { client })?;
            }
        }
        Ok(())
    }

    /// Cuts a client off, until it is let back.
    pub(crate) fn keep_away(&mut self, client: ClientId) -> Result<(), Stuck> {
        self.away.insert(client);
        self.turn_away()
    }

    /// Lets a client connect again.
    pub(crate) fn let_back(&mut self, client: ClientId) {
        self.away.remove(&client);
    }

    /// Whether a client is kept from connecting.
    pub(crate) fn is_away(&self, client: ClientId) -> bool {
        self.away.contains(&client)
    }

    /// How a client stands to its session, as its Watchers would be told.
    pub(crate) fn state(&self, client: ClientId) -> Option<KeeperState> {
        let library = &self.world().clients.get(&client)?.client;
        Some(match library.state {
            State::Connected if library.read_only => KeeperState::ConnectedReadOnly,
            State::Connected => KeeperState::SyncConnected,
            State::Connecting | State::Disconnected => KeeperState::Disconnected,
            State::Expired => KeeperState::Expired,
            State::Closed => KeeperState::Closed,
            State::AuthFailed => KeeperState::AuthFailed,
        })
    }

    /// Everything as it is.
    pub(crate) fn world(&self) -> &World {
        self.player.world()
    }

    /// What happened since this was last asked.
    pub(crate) fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.log.facts)
    }

    /// From now on facts are kept for [`Ensemble::take_facts`].
    pub(crate) fn keep_facts(&mut self) {
        self.log.keeps_facts = true;
    }

    /// Plays until something is so and everything rests.
    pub(crate) fn wait(&mut self, what: &str, is_so: impl Fn(&Ensemble) -> bool) -> Result<(), Stuck> {
        let deadline = self.now().plus(PATIENCE_MS * 1000);
        while !(is_so(self) && self.rests()) {
            let next = self.player.world().next_at().filter(|at| *at <= deadline);
            let Some(next) = next else {
                return Err(Stuck(format!("waited {PATIENCE_MS} ms in vain for {what}")));
            };
            self.play_until(next)?;
        }
        self.note_sessions();
        self.last_zxid = self.leader_zxid().unwrap_or(self.last_zxid);
        Ok(())
    }

    /// Nothing is on its way that a client could notice: every live server has applied what its leader has and written what
    /// it has, no client waits for an answer, and nothing but signs of life travels between clients and servers.
    fn rests(&self) -> bool {
        let world = self.player.world();
        if world.choices().any(|(_, choice)| matches!(choice, Choice::Disk { .. })) {
            return false;
        }
        let quiet = world.network.conns.values().filter(|conn| conn.port == Port::Client).all(is_quiet);
        let mut here = world.clients.values().filter(|process| !self.away.contains(&process.id));
        quiet && self.leader_rests() && here.all(|process| process.client.pending() == 0)
    }

    fn leader_rests(&self) -> bool {
        let servers = &self.player.world().processes;
        let Some(leader) = self.player.leader().and_then(|leader| servers.get(&leader)) else { return true };
        let last = |process: &Process| process.server().map(|memory| memory.tree.last);
        let idle = leader.server().and_then(|memory| memory.peer.leading());
        idle.is_some_and(|leading| leading.outstanding.is_empty())
            && servers.values().filter(|process| process.server().is_some()).all(|process| {
                last(process) == last(leader) && process.server().is_some_and(|memory| memory.peer.is_serving())
            })
    }

    fn note_sessions(&mut self) {
        for (name, client) in &self.clients {
            for heard in self.log.since(*client, 0) {
                if let Heard::Connected { session, .. } = heard {
                    self.owners.insert(*session, name.clone());
                }
            }
        }
    }

    fn now(&self) -> SimTime {
        self.player.world().now
    }
}

fn is_quiet(conn: &Conn) -> bool {
    let ping = |item: &Item| {
        matches!(
            item,
            Item::Message(Parcel::ToServer(ToServer::Ping)) | Item::Message(Parcel::ToClient(ToClient::Pong))
        )
    };
    conn.pipes.iter().flat_map(|pipe| &pipe.items).all(|in_flight| ping(&in_flight.item))
}

/// Servers.
impl Ensemble {
    /// The server that leads.
    pub(crate) fn leader(&self) -> Option<Place> {
        self.player.leader().and_then(Place::of)
    }

    /// The last zxid of the leader, when everything last rested and there was one.
    pub(crate) fn zxid(&self) -> Zxid {
        self.last_zxid
    }

    fn leader_zxid(&self) -> Option<Zxid> {
        let leader = self.player.world().processes.get(&self.player.leader()?)?;
        Some(leader.server()?.peer.storage.last_processed)
    }

    /// What a server that serves is: `leader` or `follower`.
    pub(crate) fn role(&self, place: Place) -> Option<&'static str> {
        let peer = &self.player.world().processes.get(&place.id())?.server()?.peer;
        match peer.state() {
            _ if !peer.is_serving() => None,
            ServerState::Leading => Some("leader"),
            ServerState::Following => Some("follower"),
            _ => None,
        }
    }

    /// Whether no live server serves.
    pub(crate) fn nobody_serves(&self) -> bool {
        Place::ALL.into_iter().all(|place| self.role(place).is_none())
    }

    /// How often the leader looks for containers and nodes past their time, ms.
    pub(crate) fn container_check_ms(&self) -> u64 {
        self.player.run().setup.container_check_ms
    }

    /// Starts crashed servers, the first one slightly earlier.
    pub(crate) fn restart_all(&mut self, order: &[Place]) -> Result<(), Stuck> {
        for (index, place) in order.iter().enumerate() {
            self.act(Action::Restart { server: place.id() })?;
            if index == 0 {
                self.play_until(self.now().plus(HEAD_START))?;
            }
        }
        Ok(())
    }

    /// Whether a session is gone at every server.
    pub(crate) fn is_gone(&self, session: SessionId) -> bool {
        let mut servers = self.player.world().processes.values().filter_map(|process| process.server());
        self.player.leader().is_some() && servers.all(|memory| memory.tree.session(session).is_none())
    }
}

/// Clients.
impl Ensemble {
    /// A client by its name; transcripts are checked to connect a client before they use it.
    pub(crate) fn client(&self, name: &str) -> Result<ClientId, Stuck> {
        self.clients.get(name).copied().ok_or_else(|| Stuck(format!("there is no client '{name}'")))
    }

    /// How much a client was told so far.
    pub(crate) fn told(&self, client: ClientId) -> usize {
        self.log.length(client)
    }

    /// What a client was told since then.
    pub(crate) fn since(&self, client: ClientId, from: usize) -> &[Heard] {
        self.log.since(client, from)
    }

    /// Cuts a client's connections, if it has any.
    pub(crate) fn disconnect(&mut self, client: ClientId) -> Result<(), Stuck> {
        let process = self.world().clients.get(&client);
        match process.is_some_and(|process| process.client.has_connection()) {
            true => self.act(Action::DisconnectClient { client }),
            false => Ok(()),
        }
    }

    /// Closes a client's session, and waits for its end.
    pub(crate) fn close(&mut self, client: ClientId) -> Result<(), Stuck> {
        let from = self.told(client);
        if self.is_over(client) {
            return Ok(());
        }
        self.act(Action::CloseClient { client })?;
        self.wait("the session's end", |ensemble| {
            ensemble.since(client, from).iter().any(|heard| matches!(heard, Heard::Ended(_)))
        })
    }

    /// Whether a client's handle is of no use any more.
    pub(crate) fn is_over(&self, client: ClientId) -> bool {
        self.world().clients.get(&client).is_none_or(|process| process.client.is_over())
    }

    /// Whose a session is.
    pub(crate) fn owner(&self, session: SessionId) -> Option<&str> {
        self.owners.get(&session).map(String::as_str)
    }

    /// The client whose session it is or was.
    pub(crate) fn session_client(&self, session: SessionId) -> Option<ClientId> {
        self.clients.get(self.owner(session)?).copied()
    }

    /// The session of a client.
    pub(crate) fn session(&self, client: ClientId) -> Option<SessionId> {
        self.since(client, 0).iter().rev().find_map(|heard| match heard {
            Heard::Connected { session, .. } => Some(*session),
            _ => None,
        })
    }

    /// Opens a client. The library draws the order of its servers, and the recorded one was at the first that is named: numbers
    /// are tried until one draws that.
    pub(crate) fn open(
        &mut self,
        name: &str,
        servers: &[Place],
        timeout_ms: u32,
        raw: bool,
    ) -> Result<ClientId, Stuck> {
        let first = self.clients.values().map(|client| client.0).max().unwrap_or(0) + 1;
        for number in first..first + TRIES {
            let mut attempt = self.clone();
            let client = ClientId(number);
            attempt.clients.insert(name.into(), client);
            let servers: Vec<ServerId> = servers.iter().map(|place| place.id()).collect();
            let wanted = servers.first().copied();
            attempt.act(Action::OpenClient { client, servers, timeout_ms, chroot: None, raw })?;
            attempt.wait("a session", |ensemble| {
                ensemble.since(client, 0).iter().any(|heard| match heard {
                    Heard::Connected { .. } | Heard::Ended(_) => true,
                    heard => raw && *heard == Heard::Lost,
                })
            })?;
            let at = attempt.since(client, 0).iter().find_map(|heard| match heard {
                Heard::Connected { server, .. } => Some(*server),
                _ => None,
            });
            if raw || at.is_none() || at == wanted {
                *self = attempt;
                return Ok(client);
            }
        }
        Err(Stuck(format!("{TRIES} clients were tried, and none of them connected to the first of its servers")))
    }
}
