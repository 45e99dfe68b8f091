//! The watches of all servers: who is told of what.

use std::rc::Rc;

use crate::base::{ClientId, MsgId, Node, ServerId};
use crate::sim::{Item, Parcel, World};
use crate::wire::ToClient;

use super::znodes::WatchKind;

/// A watch: from who is told to what is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tether {
    /// Who is told.
    pub client: ClientId,
    /// What is watched.
    pub path: Rc<str>,
    /// What it sees.
    pub kind: WatchKind,
    /// The server that keeps it, or kept it.
    pub server: ServerId,
    /// It has gone off: the news on its way.
    pub fired: Option<MsgId>,
}

/// The watches of all servers, and those that have fired while the news is on its way.
pub(super) fn tethers(world: &World) -> Vec<Tether> {
    let mut all = Vec::new();
    for process in world.processes.values() {
        let Some(memory) = process.server() else { continue };
        for (path, conn, mode) in memory.service.watches.iter() {
            if let Some(conn) = memory.service.conns.get(&conn) {
                let (client, kind, server) = (conn.client, mode.into(), process.id);
                all.push(Tether { client, path: path.clone(), kind, server, fired: None });
            }
        }
    }
    for conn in world.network.conns.values() {
        for to_acceptor in [true, false] {
            let (Node::Server(server), Node::Client(client)) = conn.ends(to_acceptor) else { continue };
            for flying in &conn.pipe(to_acceptor).items {
                if let Item::Message(Parcel::ToClient(ToClient::Event { event, .. })) = &flying.item
                    && let Some(path) = &event.path
                {
                    let (path, fired) = (path.clone(), Some(flying.msg));
                    all.push(Tether { client, path, kind: WatchKind::Data, server, fired });
                }
            }
        }
    }
    all.retain(|tether| !tether.path.starts_with("/zookeeper"));
    all
}
