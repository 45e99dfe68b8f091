//! Sessions, clients and watches as lists.

use std::rc::Rc;

use crate::base::{Arrange, ClientId, ServerId, SessionId, Zxid};
use crate::client::State;
use crate::server::Server;
use crate::sim::World;

use super::znodes::{WatchKind, holder};

/// How many rows each list has at most.
pub const MOST_LISTED: usize = 200;

/// The first part of a list, and how many there are in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<T> {
    /// The first ones.
    pub first: Vec<T>,
    /// How many follow.
    pub more: usize,
}

impl<T> Default for Listed<T> {
    fn default() -> Listed<T> {
        Listed { first: Vec::new(), more: 0 }
    }
}

impl<T> Listed<T> {
    fn of(mut all: impl Iterator<Item = T>) -> Listed<T> {
        let first = all.by_ref().take(MOST_LISTED).collect();
        Listed { first, more: all.count() }
    }
}

/// A session that a server knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// Its id.
    pub session: SessionId,
    /// Its timeout, ms.
    pub timeout_ms: u32,
    /// The client that holds it.
    pub client: Option<ClientId>,
    /// The server to which it belongs, as far as the leader knows.
    pub owner: Option<ServerId>,
    /// How long it lives if the leader hears nothing more of it, ms; `None` where no leader counts.
    pub left_ms: Option<u64>,
    /// Its ephemeral znodes at this server.
    pub ephemerals: usize,
}

/// A client's process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientRow {
    /// Its number.
    pub client: ClientId,
    /// What it is doing.
    pub state: State,
    /// Whether its process stands still.
    pub paused: bool,
    /// The server that it is connected to, or tries.
    pub server: Option<ServerId>,
    /// Its session.
    pub session: SessionId,
    /// The last zxid that it has seen.
    pub last_zxid: Zxid,
    /// How many of its requests wait for an answer.
    pub pending: usize,
}

/// A client's connection as its server sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionRow {
    /// The server.
    pub server: ServerId,
    /// The client.
    pub client: ClientId,
    /// Its session; none before CONNECT is answered.
    pub session: Option<SessionId>,
    /// How many requests wait for their turn.
    pub waiting: usize,
}

/// A watch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WatchRow {
    /// Whose it is; `None` where the server does not know any more.
    pub client: Option<ClientId>,
    /// Where it is kept.
    pub server: ServerId,
    /// On what.
    pub path: Rc<str>,
    /// What it sees.
    pub kind: WatchKind,
}

/// Everything about sessions at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionsView {
    /// Whether the chosen server is up.
    pub up: bool,
    /// The last transaction that it has applied.
    pub last: Zxid,
    /// The leader that tracks sessions.
    pub leader: Option<ServerId>,
    /// The sessions that the chosen server knows.
    pub sessions: Listed<SessionRow>,
    /// All clients.
    pub clients: Listed<ClientRow>,
    /// The connections at all servers.
    pub connections: Listed<ConnectionRow>,
    /// The watches at all servers, by client.
    pub watches: Listed<WatchRow>,
}

fn running(world: &World) -> impl Iterator<Item = (ServerId, &Server)> {
    world.processes.iter().filter_map(|(id, process)| Some((*id, process.server()?)))
}

/// The sessions of a server's state, and who holds them; `leader` is the established one.
pub fn sessions(world: &World, server: ServerId, leader: Option<ServerId>) -> SessionsView {
    let memory = world.processes.get(&server).and_then(|process| process.server());
    let leading = running(world).find(|(id, _)| Some(*id) == leader).and_then(|(_, it)| it.service.leading.as_ref());
    let row = |tree: &crate::store::Tree, session, timeout_ms| SessionRow {
        session,
        timeout_ms,
        client: holder(world, session),
        owner: leading.and_then(|leading| leading.owner(session)),
        left_ms: leading.and_then(|leading| leading.due(session)).map(|due| due.since(world.now) / 1000),
        ephemerals: tree.ephemerals(session).count(),
    };
    let known =
        memory.iter().flat_map(|it| it.tree.sessions().map(|(session, timeout)| row(&it.tree, session, timeout)));
    let connections = running(world).flat_map(|(server, it)| {
        it.service.conns.iter().map(move |(&of, conn)| ConnectionRow {
            server,
            client: conn.client,
            session: conn.established.then_some(conn.session),
            waiting: it.service.waiting(of),
        })
    });
    SessionsView {
        up: memory.is_some(),
        last: memory.map_or(Zxid::ZERO, |memory| memory.tree.last),
        leader: leader.filter(|_| leading.is_some()),
        sessions: Listed::of(known),
        clients: Listed::of(world.clients.keys().filter_map(|id| client(world, *id))),
        connections: Listed::of(connections),
        watches: watches(world),
    }
}

/// What a client is doing; `None` where there is no such client.
pub fn client(world: &World, id: ClientId) -> Option<ClientRow> {
    let process = world.clients.get(&id)?;
    let client = &process.client;
    Some(ClientRow {
        client: id,
        state: client.state,
        paused: process.paused,
        server: client.server,
        session: client.session,
        last_zxid: client.last_zxid,
        pending: client.pending(),
    })
}

fn watches(world: &World) -> Listed<WatchRow> {
    let mut all: Vec<WatchRow> = running(world)
        .flat_map(|(server, it)| {
            it.service.watches.iter().map(move |(path, conn, mode)| WatchRow {
                client: it.service.conns.get(&conn).map(|conn| conn.client),
                server,
                path: path.clone(),
                kind: mode.into(),
            })
        })
        .collect();
    all.arrange();
    Listed::of(all.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::Player;
    use crate::store::{Op, Txn};

    const S1: ServerId = ServerId(1);

    fn player() -> Player {
        let mut player = Player::new(scenario("cold-start-3").unwrap().run()).unwrap();
        player.run_until(SimTime::from_ms(2_000), |_, _| {});
        player
    }

    #[test]
    fn sessions_are_those_of_the_servers_own_state() {
        let mut world = player().world().clone();
        let tree = &mut world.processes.get_mut(&S1).unwrap().server_mut().unwrap().tree;
        let op = Op::CreateSession { timeout_ms: 4_000 };
        tree.apply(tree.last.next(), &Txn { session: SessionId(7), cxid: 1, time: 5, op }).outcome.unwrap();
        let view = sessions(&world, S1, Some(ServerId(3)));
        assert_eq!(view.sessions.first.len(), 1);
        let row = &view.sessions.first[0];
        assert_eq!((row.session, row.timeout_ms, row.client), (SessionId(7), 4_000, None));
        assert_eq!((row.left_ms, view.leader), (None, Some(ServerId(3))), "the leader has not heard of it");
        assert!(sessions(&world, ServerId(2), None).sessions.first.is_empty());
        assert!(!sessions(&world, ServerId(9), None).up);
    }

    #[test]
    fn long_lists_are_cut_and_counted() {
        let listed = Listed::of(0..MOST_LISTED + 5);
        assert_eq!((listed.first.len(), listed.more), (MOST_LISTED, 5));
    }
}
