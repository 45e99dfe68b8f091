//! What can be done to a packet on its way.

use yew::prelude::*;

use crate::base::{MsgId, Node};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Action, PacketRef};

use crate::ui::engine::Engine;
use crate::ui::page::state::Selection;
use crate::ui::stage::menu::{Entry, Kind, MenuItem};

/// Most packets that the menu of a link names.
const MOST: usize = 6;

/// How actions call a packet, and whether a hand holds it; nothing for one that has arrived.
fn find(engine: &Engine, packet: MsgId) -> Option<(PacketRef, bool)> {
    let session = engine.session();
    let (packet, item) = session.world().network.packet(packet)?;
    Some((packet, item.held.is_some()))
}

/// Hold or release.
pub(in crate::ui) fn toggle_packet(engine: &Engine, picked: Selection) -> Option<Action> {
    let Selection::Packet(packet) = picked else { return None };
    Some(match find(engine, packet)? {
        (packet, false) => Action::HoldPacket { packet },
        (packet, true) => Action::ReleasePacket { packet },
    })
}

/// What a packet is and where it goes.
pub(in crate::ui) fn packet_title(engine: &Engine, packet: MsgId, lang: Lang) -> String {
    let session = engine.session();
    match session.world().network.packet(packet) {
        Some((PacketRef { from, to, .. }, item)) => fill(page(lang).packet_title, &[&item.title(), &from, &to]),
        None => page(lang).packet_gone.into(),
    }
}

/// What can be done to a packet.
pub(in crate::ui) fn packet_entries(engine: &Engine, msg: MsgId, lang: Lang) -> Vec<Entry> {
    let words = page(lang);
    let mut entries = Vec::new();
    if let Some((packet, held)) = find(engine, msg) {
        let (word, action) = match held {
            true => (words.act_release, Action::ReleasePacket { packet }),
            false => (words.act_hold, Action::HoldPacket { packet }),
        };
        entries.push(Entry::new(Kind::Network, word, "P", MenuItem::Act(action)));
        entries.push(Entry::new(Kind::Failure, words.act_lose, "", MenuItem::Act(Action::DropPacket { packet })));
    }
    entries.push(Entry::inspect(lang));
    entries
}

/// The packets on their way between two nodes, those sent first: whoever has no pointer reaches them here.
pub(in crate::ui) fn packets_between(engine: &Engine, a: Node, b: Node, lang: Lang) -> Vec<Entry> {
    let session = engine.session();
    let network = &session.world().network;
    let flying = engine.flying();
    let between = flying.iter().filter(|packet| [(a, b), (b, a)].contains(&(packet.from, packet.to)));
    let named = between.filter_map(|packet| {
        let (PacketRef { from, to, which }, _) = network.packet(packet.msg)?;
        let word = fill(page(lang).packet_entry, &[&from, &to, &which]);
        Some(Entry::new(Kind::Look, word, "", MenuItem::Packet(packet.msg)))
    });
    named.take(MOST).collect()
}

/// Time stands as long as a packet's menu is open: it would have arrived before anybody could choose.
#[hook]
pub(in crate::ui) fn use_still_time(engine: &Engine, packet: bool) {
    use_effect_with((engine.clone(), packet), |(engine, packet)| {
        let held = packet.then(|| engine.clone());
        if let Some(engine) = &held {
            engine.stand_still();
        }
        move || {
            if let Some(engine) = held {
                engine.go_on();
            }
        }
    });
}
