//! What a client's chip says.

use std::rc::Rc;

use crate::base::limits::MAX_CLIENT_ID;
use crate::base::{ClientId, ServerId, SessionId, SimTime, Zxid};
use crate::client::State;
use crate::sim::{Action, ClientProcess, Run, World};
use crate::store::{Tree, WatchMode};
use crate::timeline::RunSummary;

use super::standing::{Part, newest, parts};

/// A client's state; each has its own shape and word on the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientFace {
    /// It looks for a server.
    Connecting,
    /// It has a session and a connection.
    Connected,
    /// It has no connection.
    Disconnected,
    /// Its session has expired, and it knows.
    Expired,
    /// It has closed its session.
    Closed,
    /// Its identity was refused.
    AuthFailed,
    /// Its process stands still.
    Paused,
}

impl ClientFace {
    /// The name of the style class.
    pub fn class(self) -> &'static str {
        match self {
            ClientFace::Connecting => "connecting",
            ClientFace::Connected => "connected",
            ClientFace::Disconnected => "disconnected",
            ClientFace::Expired => "expired",
            ClientFace::Closed => "closed",
            ClientFace::AuthFailed => "refused",
            ClientFace::Paused => "paused",
        }
    }

    /// Whether it has no session any more and will have none.
    pub fn is_over(self) -> bool {
        matches!(self, ClientFace::Expired | ClientFace::Closed | ClientFace::AuthFailed)
    }
}

/// A client as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientView {
    /// The client's id.
    pub id: ClientId,
    /// What it does; a paused one is paused, whatever its library had been doing.
    pub face: ClientFace,
    /// What its library does, or did before it was paused.
    pub state: State,
    /// The server that it is connected to or tries.
    pub server: Option<ServerId>,
    /// Its session; none before the first connection.
    pub session: SessionId,
    /// The timeout granted, ms; the one asked for before that.
    pub timeout_ms: u32,
    /// The last zxid in an answer to it.
    pub last_zxid: Zxid,
    /// How many requests wait for an answer.
    pub pending: usize,
    /// Its session is over, and it does not know yet.
    pub ended: bool,
    /// What it is in its recipes, if it runs any.
    pub part: Option<Part>,
    /// Its program is outside of the simulation.
    pub outside: bool,
    /// What such a program is called, where that is known.
    pub name: Option<Rc<str>>,
}

impl ClientView {
    fn of(process: &ClientProcess, part: Option<Part>, tree: Option<&Tree>) -> ClientView {
        let client = &process.client;
        let face = match client.state {
            _ if process.paused => ClientFace::Paused,
            State::Connecting => ClientFace::Connecting,
            State::Connected => ClientFace::Connected,
            State::Disconnected => ClientFace::Disconnected,
            State::Expired => ClientFace::Expired,
            State::Closed => ClientFace::Closed,
            State::AuthFailed => ClientFace::AuthFailed,
        };
        ClientView {
            id: process.id,
            face,
            state: client.state,
            server: client.server,
            session: client.session,
            timeout_ms: client.timeout_ms,
            last_zxid: client.last_zxid,
            pending: client.pending(),
            ended: matches!(face, ClientFace::Paused | ClientFace::Disconnected)
                && client.session != SessionId::NONE
                && tree.is_some_and(|tree| tree.session(client.session).is_none()),
            part,
            outside: process.outside.is_some(),
            name: process.outside.as_ref().and_then(|program| program.name.clone()),
        }
    }

    /// The client as its chip shows it: what comes and goes with each answer is not there.
    pub fn at_a_glance(&self) -> ClientView {
        ClientView { last_zxid: Zxid::ZERO, pending: 0, ..self.clone() }
    }

    /// The server at the other end of its line, and whether the line is more than an attempt.
    pub fn line(&self) -> Option<(ServerId, bool)> {
        match self.state {
            State::Connected => self.server.map(|server| (server, true)),
            State::Connecting => self.server.map(|server| (server, false)),
            _ => None,
        }
    }
}

/// All clients of a world.
pub fn clients(world: &World, summary: &RunSummary) -> Vec<ClientView> {
    if world.clients.is_empty() { Vec::new() } else { all(world, summary) }
}

fn all(world: &World, summary: &RunSummary) -> Vec<ClientView> {
    let mut parts = parts(world, summary);
    // local sessions are in no tree
    let tree = newest(world).filter(|_| !world.setup().local_sessions);
    world.clients.values().map(|process| ClientView::of(process, parts.remove(&process.id), tree)).collect()
}

/// What servers and the leader hold for a client.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// Its watches at the server to which it is connected: path, and what sets such a one.
    pub watches: Vec<(Rc<str>, &'static str)>,
    /// Its ephemeral nodes, as its server knows them; as the leader does while it has no server.
    pub ephemerals: Vec<Rc<str>>,
    /// When the leader ends its session if nothing more is heard of it.
    pub due: Option<SimTime>,
}

impl Held {
    /// What is held for a client now.
    pub fn of(world: &World, client: &ClientView) -> Held {
        let mut held = Held::default();
        for process in world.processes.values() {
            let Some(memory) = process.server() else { continue };
            let service = &memory.service;
            for (conn, _) in service.conns.iter().filter(|(_, conn)| conn.client == client.id) {
                let mine = service.watches.iter().filter(|(_, whose, _)| whose == conn);
                held.watches.extend(mine.map(|(path, _, mode)| (path.clone(), setter(mode))));
            }
            let leads = memory.peer.orders().is_some();
            if client.session != SessionId::NONE && (leads || Some(process.id) == client.server) {
                let seen: Vec<Rc<str>> = memory.tree.ephemerals(client.session).cloned().collect();
                if Some(process.id) == client.server || client.line().is_none() {
                    held.ephemerals = seen;
                }
            }
            if let Some(leading) = service.leading.as_ref().filter(|_| leads) {
                held.due = leading.due(client.session);
            }
        }
        held
    }
}

/// The real name of what sets a watch of a kind.
fn setter(mode: WatchMode) -> &'static str {
    match mode {
        WatchMode::Data => "getData",
        WatchMode::Child => "getChildren",
        WatchMode::Persistent => "PERSISTENT",
        WatchMode::Recursive => "PERSISTENT_RECURSIVE",
    }
}

/// The lowest number that no client has, nor will have by what is still to come in the run.
pub fn free_number(run: &Run, world: &World) -> Option<ClientId> {
    let to_come = |number: ClientId| {
        let later = run.actions.iter().rev().take_while(|timed| timed.at_us > world.now);
        later.into_iter().any(|timed| matches!(timed.action, Action::OpenClient { client, .. } if client == number))
    };
    (1..=MAX_CLIENT_ID).map(ClientId).find(|&number| !world.clients.contains_key(&number) && !to_come(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::{Player, Setup};

    fn open(client: u16) -> Action {
        let client = ClientId(client);
        Action::OpenClient { client, servers: Vec::new(), timeout_ms: 4_000, chroot: None, raw: false }
    }

    #[test]
    fn a_new_client_gets_the_lowest_number_that_is_and_stays_free() {
        let mut run = Run::new(1, Setup::default());
        run.push(SimTime::from_ms(100), open(1));
        run.push(SimTime::from_ms(900), open(2));
        let mut player = Player::new(run.clone()).unwrap();
        player.run_until(SimTime::from_ms(500), |_, _| {});
        assert_eq!(free_number(&run, player.world()), Some(ClientId(3)));
    }

    #[test]
    fn a_client_that_slept_over_its_sessions_end_is_known_to_be_over_before_it_knows() {
        let run = scenario("zk-session").expect("a scenario").run();
        let mut player = Player::new(run).unwrap();
        let (mut ended, mut knows) = (Vec::new(), false);
        for ms in (0..20_000).step_by(50) {
            player.run_until(SimTime::from_ms(ms), |_, _| {});
            for view in clients(player.world(), &RunSummary::default()) {
                assert!(!(view.ended && view.face == ClientFace::Connected), "{view:?}");
                knows |= ended.contains(&view.id) && view.face == ClientFace::Expired;
                if view.ended && !ended.contains(&view.id) {
                    ended.push(view.id);
                }
            }
        }
        assert!(!ended.is_empty() && knows, "{ended:?}");
    }

    #[test]
    fn a_paused_client_is_paused_whatever_its_library_did() {
        let mut run = Run::new(1, Setup::default());
        run.push(SimTime::from_ms(100), open(1));
        run.push(SimTime::from_ms(101), Action::PauseClient { client: ClientId(1) });
        let mut player = Player::new(run).unwrap();
        player.run_until(SimTime::from_ms(100), |_, _| {});
        assert_eq!(clients(player.world(), &RunSummary::default())[0].face, ClientFace::Connecting);
        player.run_until(SimTime::from_ms(200), |_, _| {});
        let view = &clients(player.world(), &RunSummary::default())[0];
        assert_eq!((view.face, view.state), (ClientFace::Paused, State::Connecting));
    }
}
