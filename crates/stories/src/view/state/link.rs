//! A link between two servers: both directions, the connections on it, what is on its way.

use crate::base::rows::{Heading, NONE, Refers, Rows};
use crate::base::{Arrange, ConnId, Node, ServerId};
use crate::sim::{Conn, InFlight, Item, World};

use super::Sheet;

pub(super) fn sheet(world: &World, a: ServerId, b: ServerId) -> Option<Sheet> {
    if !world.processes.contains_key(&a) || !world.processes.contains_key(&b) {
        return None;
    }
    let mut sheet = Sheet::default();
    for (heading, from, to) in [(Heading::There, a, b), (Heading::Back, b, a)] {
        let group = sheet.group(heading, |rows| direction(world, from, to, rows));
        group.text = format!("{from} → {to}");
    }
    let (a, b) = (Node::Server(a), Node::Server(b));
    sheet.list(Heading::LinkConnections, |rows| {
        for (conn, of) in between(world, a, b) {
            let row = rows.item(&conn.0, &format_args!("#{}", conn.0), format!("{:?}", of.port), None);
            let mut below = Rows::default();
            let ends = [("dialler", of.dialler, of.open[0]), ("acceptor", of.acceptor, of.open[1])];
            for (name, node, open) in ends {
                let text = format!("{node} · {}", if open { "open" } else { NONE });
                below.item(&name, &name, text, node.server().map(Refers::Server));
            }
            row.rows = below.0;
        }
    });
    Some(sheet)
}

fn between(world: &World, a: Node, b: Node) -> impl Iterator<Item = (ConnId, &Conn)> {
    let is = move |of: &Conn| (of.dialler, of.acceptor) == (a, b) || (of.dialler, of.acceptor) == (b, a);
    world.network.conns.iter().filter(move |(_, of)| is(of)).map(|(conn, of)| (*conn, of))
}

fn direction(world: &World, from: ServerId, to: ServerId, rows: &mut Rows) {
    world.network.link(from, to).rows(rows);
    let (from, to) = (Node::Server(from), Node::Server(to));
    let mut flying: Vec<(ConnId, &InFlight)> = Vec::new();
    for (conn, of) in between(world, from, to) {
        flying.extend(of.pipe(of.dialler == from).items.iter().map(|item| (conn, item)));
    }
    flying.arrange_by_key(|(_, item)| (item.due, item.msg));
    rows.list("inFlight", |rows| {
        for (conn, item) in flying {
            let refers = matches!(item.item, Item::Message(_)).then_some(Refers::Packet(item.msg));
            let text = format!("due {} · #{}", item.due, conn.0);
            rows.item(&item.msg.0, &item.title(), text, refers);
        }
    });
}
