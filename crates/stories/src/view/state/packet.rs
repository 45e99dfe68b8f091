//! A packet: all its fields, its way, and what it waits behind.

use serde_json::Value;

use crate::base::rows::{Heading, NONE, Refers, Rows};
use crate::base::{ConnId, MsgId, Zxid};
use crate::sim::rows::refers;
use crate::sim::{Conn, Fact, InFlight, Parcel, World, WorldFact};
use crate::zab::{Message, Packet};

use super::Sheet;
use crate::timeline::Facts;

pub(super) fn sheet(world: &World, facts: Facts<'_>, msg: MsgId) -> Option<Sheet> {
    let (sent, end) = facts.story(msg);
    let sent = sent?;
    let Fact::World(WorldFact::Sent { from, to, message, .. }) = &sent.fact else { return None };
    let mut sheet = Sheet::default();
    sheet.group(Heading::Packet, |rows| fields(message, rows)).text = message.name().to_string();
    let flying = in_flight(world, msg);
    let way = |rows: &mut Rows| {
        rows.item(&"from", &"from", from.to_string(), Some(refers(*from)));
        rows.item(&"to", &"to", to.to_string(), Some(refers(*to)));
        rows.moment("sent", Some(sent.at_us));
        rows.moment("departs", flying.map(|(.., item)| item.departs));
        rows.moment("due", flying.map(|(.., item)| item.due));
        rows.moment("held", flying.and_then(|(.., item)| item.held));
        rows.put("nth", &flying.map_or(NONE.to_string(), |(.., item)| item.nth.to_string()));
        let end = end.filter(|_| flying.is_none());
        rows.moment("arrived", end.filter(|end| !is_loss(&end.fact)).map(|end| end.at_us));
        rows.moment("lost", end.filter(|end| is_loss(&end.fact)).map(|end| end.at_us));
        rows.put("cut", &world.network.link(*from, *to).cut);
        match flying {
            Some((conn, of, to_acceptor, _)) => behind(conn, of, to_acceptor, msg, rows),
            None => rows.list("behind", |_| {}),
        }
    };
    sheet.group(Heading::Way, way).text = format!("{from} → {to}");
    Some(sheet)
}

fn is_loss(fact: &Fact) -> bool {
    matches!(fact, Fact::World(WorldFact::Lost { .. }))
}

fn in_flight(world: &World, msg: MsgId) -> Option<(ConnId, &Conn, bool, &InFlight)> {
    world.network.conns.iter().find_map(|(conn, of)| {
        [true, false].into_iter().find_map(|way| {
            let item = of.pipe(way).items.iter().find(|item| item.msg == msg)?;
            Some((*conn, of, way, item))
        })
    })
}

/// The packets before it on its connection: none overtakes another.
fn behind(conn: ConnId, of: &Conn, to_acceptor: bool, msg: MsgId, rows: &mut Rows) {
    let before = of.pipe(to_acceptor).items.iter().take_while(|item| item.msg != msg);
    rows.list("behind", |rows| {
        for item in before {
            rows.item(&item.msg.0, &item.title(), format!("due {}", item.due), Some(Refers::Packet(item.msg)));
        }
    });
    rows.conn("connection", Some(conn));
    rows.put("port", &format_args!("{:?}", of.port));
}

/// The fields in their real names, as facts write them; of a state only its size and its digest.
fn fields(message: &Parcel, rows: &mut Rows) {
    if let Ok(Value::Object(map)) = serde_json::to_value(message) {
        for (name, value) in map.iter().filter(|(name, _)| *name != "type") {
            field(name, value, rows);
        }
    }
    if let Parcel::Zab(Message::Packet(Packet::Snap { state, .. })) = message {
        rows.put("bytes", &state.bytes());
        rows.put("digest", &format_args!("{:016x}", state.digest()));
    }
}

fn field(name: &str, value: &Value, rows: &mut Rows) {
    match value {
        Value::Null => rows.put(name, &NONE),
        Value::String(text) => match text.parse::<Zxid>() {
            Ok(zxid) if text.contains(':') => rows.zxid(name, zxid),
            _ => rows.put(name, text),
        },
        Value::Object(map) => rows.within(name, String::new(), |rows| {
            map.iter().for_each(|(name, value)| field(name, value, rows));
        }),
        Value::Array(list) => rows.list(name, |rows| {
            list.iter().enumerate().for_each(|(place, value)| field(&(place + 1).to_string(), value, rows));
        }),
        Value::Bool(_) | Value::Number(_) => rows.put(name, value),
    }
}
