//! Packets on their way: shape and letter by type, place by virtual time.

use std::fmt;

use crate::base::{Arrange, Epoch, MsgId, Node, ServerId, Zxid};
use crate::sim::{Conn, InFlight, Item, PacketName, Parcel, World};
use crate::wire::{Request, ToClient, ToServer};
use crate::zab::{Message, Packet};

use crate::draw::figure::Way;
use crate::draw::layout::{Layout, Point};
use crate::timeline::{Look, RunSummary, Shape, epoch_of, look, look_of};

/// Whether a packet is one of those that an entry of the legend stands for: the same shape, the same letter where a shape has several
/// meanings, and a client at one end where the entry is about clients.
pub fn is_marked(name: &str, packet: &PacketView) -> bool {
    let sign = look(name);
    let client = |node: Node| matches!(node, Node::Client(_));
    let of_client = client(packet.from) || client(packet.to);
    let about_client = matches!(name, "create" | "getData" | "REPLY" | "WATCH_EVENT" | "CONNECT");
    sign.shape == packet.look.shape && (sign.shape == Shape::Dot || about_client == of_client)
}

/// A packet at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct PacketView {
    /// Which message.
    pub msg: MsgId,
    /// The sender.
    pub from: Node,
    /// The receiver.
    pub to: Node,
    /// Where it is.
    pub at: Point,
    /// Its type.
    pub name: &'static str,
    /// How it looks.
    pub look: Look,
    /// What is written beside it.
    pub label: Label,
    /// Away from the link, one long: its words stand on that side.
    pub aside: Point,
    /// The epoch that colours it; none for what belongs to no epoch.
    pub epoch: Option<Epoch>,
    /// It waits: at a cut, before a paused server, or at a hand.
    pub held: bool,
    /// A hand holds it.
    pub pinned: bool,
    /// It waits at a cut, and nothing of it arrives.
    pub cut: bool,
    /// How many wait at a cut in the same place, without heartbeats; none where another one lies on it.
    pub stack: u16,
    /// How actions call it, among what `from` sent to `to`.
    pub what: PacketName,
}

/// The words beside a packet: what it is about. They become text where they are written, as hundreds of packets have no room for words.
#[derive(Clone, Debug, PartialEq)]
pub enum Label {
    /// Nothing.
    None,
    /// A transaction.
    Zxid(Zxid),
    /// An epoch.
    Epoch(Epoch),
    /// For whom a vote is.
    Server(ServerId),
    /// Something else.
    Text(String),
}

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::None => Ok(()),
            Label::Zxid(zxid) => zxid.fmt(out),
            Label::Epoch(epoch) => write!(out, "e{epoch}"),
            Label::Server(id) => id.fmt(out),
            Label::Text(text) => out.write_str(text),
        }
    }
}

/// More packets on their way are a crowd: nobody could read what stands beside them, or follow a single one.
pub(crate) const CROWD: usize = 150;

/// The share of a link where a cut holds packets.
const CUT_AT: f64 = 0.4;
/// What has waited there for so long, µs, is told by no words any more.
const OLD_US: f64 = 300_000.0;
/// Packets of several kinds that wait at a cut.
const SEVERAL: Look = Look { shape: Shape::Circle, letter: "…" };

/// Every message on its way, in the order in which it was sent, and what decides after all others: it lies on them where a way is
/// too short for both.
pub fn packets(world: &World, run_summary: &RunSummary, layout: &Layout, now: f64) -> Vec<PacketView> {
    let mut all = Vec::new();
    for conn in world.network.conns.values() {
        for to_acceptor in [true, false] {
            direction(world, run_summary, layout, now, conn, to_acceptor, &mut all);
        }
    }
    all.arrange_by_key(|packet| (decides(packet.name), packet.msg));
    all
}

fn direction(
    world: &World,
    run_summary: &RunSummary,
    layout: &Layout,
    now: f64,
    conn: &Conn,
    to_acceptor: bool,
    all: &mut Vec<PacketView>,
) {
    let (sender, receiver) = conn.ends(to_acceptor);
    if conn.pipe(to_acceptor).items.is_empty() || !layout.has(sender) || !layout.has(receiver) {
        return;
    }
    if layout.plan.is_some() && sender.server().is_some() && receiver.server().is_some() {
        // a strip has no room between its servers
        return;
    }
    let (aside, (start, end)) = lane(layout, sender, receiver);
    let healed = run_summary.healed_at(sender, receiver);
    let mut row = Row {
        cut: world.network.link(sender, receiver).cut,
        short: sender.client().or(receiver.client()).is_some(),
        length: start.distance(end).max(1.0),
        radius: layout.density.packet(),
        behind: false,
        ahead: f64::INFINITY,
        tail: f64::INFINITY,
    };
    let first = all.len();
    for flying in &conn.pipe(to_acceptor).items {
        let Item::Message(parcel) = &flying.item else { continue };
        if flying.sets_out().0 as f64 > now {
            continue;
        }
        let pinned = flying.held.is_some();
        let share = progress(flying, healed, flying.held.map_or(now, |since| since.0 as f64));
        let (mut look, news, before) = (look_of(parcel), news(layout, parcel, receiver), row.ahead);
        let (share, waits) = row.place(share, look, parcel, pinned);
        let cut = row.cut && waits && !pinned;
        let old = cut && now > flying.sets_out().0 as f64 + OLD_US;
        // a heartbeat is no news, and of news its string says what it is about
        let mut label = if news.is_some() || old || look.shape == Shape::Dot { Label::None } else { label(parcel) };
        let top = all[first..].iter_mut().rev().find(|one| one.cut && one.stack > 0);
        let (at, stack) = match top.filter(|_| cut) {
            Some(top) => {
                // what follows has its place behind the pile, not behind where this one would be
                row.ahead = before;
                (top.at, pile_on(top, &mut look, &mut label))
            }
            None => (news.map_or(start.toward(end, share), |way| way.at(share)), 1),
        };
        all.push(PacketView {
            msg: flying.msg,
            from: sender,
            to: receiver,
            at,
            stack,
            aside,
            name: parcel.name(),
            look,
            label,
            epoch: epoch_of(parcel),
            held: waits && (row.cut || pinned || row.behind || now > flying.due.0 as f64),
            pinned,
            cut,
            what: flying.name,
        });
        row.behind |= pinned;
    }
}

/// Lays one that waits at a cut on the pile there: how many there are now. It keeps its sign and its words only if they are true of all. A
/// heartbeat lies below what matters more.
fn pile_on(top: &mut PacketView, look: &mut Look, label: &mut Label) -> u16 {
    if look.shape == Shape::Dot {
        return 0;
    }
    let below = std::mem::take(&mut top.stack);
    if top.look.shape == Shape::Dot {
        return 1;
    }
    if top.label != *label {
        *label = Label::None;
    }
    if top.look != *look {
        *look = SEVERAL;
    }
    below + 1
}

/// Packets one behind the other on their way, the first one first.
struct Row {
    cut: bool,
    /// The way of a client is short: what belongs together would lie on each other.
    short: bool,
    /// The way's length, and half the height of a packet, CSS pixels.
    length: f64,
    radius: f64,
    /// There was one that a hand holds.
    behind: bool,
    /// Where the last one is that waits: none overtakes another, or covers one that waits.
    ahead: f64,
    /// Where the last one ends of a burst that something decides: what follows does not cover it.
    tail: f64,
}

impl Row {
    /// The place of the next packet that would be at this share of the way; whether it waits there.
    fn place(&mut self, share: f64, look: Look, parcel: &Parcel, pinned: bool) -> (f64, bool) {
        let mut share = share;
        let step = (2.0 * self.radius + 4.0) / self.length;
        let limit = if self.behind { self.ahead - step } else { 1.0 }.min(if self.cut { CUT_AT } else { 1.0 });
        let waits = pinned || share >= limit;
        if waits {
            share = share.min(limit).min(self.ahead - step).max(0.02);
            self.ahead = share;
        }
        let half = half_width(look, self.radius) / self.length;
        // a pill is longer than its way is kept free of cards: it comes out whole
        let out = (half - self.radius / self.length).clamp(0.0, 0.4);
        if !waits {
            share = share.clamp(out, 1.0 - out);
        }
        if share > self.tail - half {
            share = (self.tail - half).max(0.02);
        }
        if decides(parcel.name()) || self.short || self.tail.is_finite() {
            self.tail = share - half - 3.0 / self.length;
        }
        (share, waits)
    }
}

/// Whether a packet says what a learner's log becomes.
fn decides(name: &str) -> bool {
    matches!(name, "TRUNC" | "SNAP" | "DIFF")
}

/// How far a packet of some size reaches to each side.
pub(in crate::draw) fn half_width(look: Look, radius: f64) -> f64 {
    match look.shape {
        Shape::Pill => (look.letter.len() as f64 * radius * 0.68 + radius) / 2.0,
        Shape::Dot => radius * 0.36,
        _ => radius,
    }
}

/// The way of a watch's news in a figure: along its string.
fn news(layout: &Layout, parcel: &Parcel, to: Node) -> Option<Way> {
    let (plan, Parcel::ToClient(ToClient::Event { event, .. }), Node::Client(client)) =
        (layout.plan.as_ref()?, parcel, to)
    else {
        return None;
    };
    plan.string(event.path.as_deref()?, client)
}

/// Where packets run, and to which side of the link. Each direction has its lane, so that packets pass each other, and it
/// ends where a card would hide them.
fn lane(layout: &Layout, from: Node, to: Node) -> (Point, (Point, Point)) {
    let (start, end) = layout.segment(from, to);
    let length = start.distance(end).max(1.0);
    let aside = Point::new(-(end.y - start.y) / length, (end.x - start.x) / length);
    let radius = layout.density.packet();
    let away = Point::new(aside.x * (radius + 1.0), aside.y * (radius + 1.0));
    let (start, end) = layout.lane(from, to, away, radius.min(length * 0.25));
    let at = |node: Node, else_at: Point| beside_words(layout, node, radius).unwrap_or(else_at);
    (aside, (at(from, start), at(to, end)))
}

/// Where packets leave a client that has words below it: behind what is left of its session.
fn beside_words(layout: &Layout, node: Node, radius: f64) -> Option<Point> {
    let (plan, client) = (layout.plan.as_ref()?, node.client()?);
    let (_, bar) = plan.bars.iter().find(|(id, _)| *id == client)?;
    let seat = layout.seat_of(client).filter(|seat| bar.corner().x > seat.x)?;
    Some(Point::new(bar.corner().x + bar.width + radius + 4.0, seat.y))
}

/// The share of the way that a packet has behind it. What a cut had held goes on from there when the cut heals.
fn progress(flying: &InFlight, healed: Option<u64>, now: f64) -> f64 {
    let (mut from, mut share) = (flying.sets_out().0 as f64, 0.0);
    if let Some(healed) = healed.filter(|&at| at > flying.sets_out().0) {
        (from, share) = (healed as f64, CUT_AT);
    }
    let whole = (flying.due.0 as f64 - from).max(1.0);
    share + (1.0 - share) * ((now - from) / whole).clamp(0.0, 1.0)
}

/// The longest text beside a packet, characters.
const LABEL: usize = 20;

fn label(parcel: &Parcel) -> Label {
    let text = match parcel {
        Parcel::Zab(message) => return zab_label(message),
        Parcel::ToServer(ToServer::Request { request: Request::Multi { ops }, .. }) => {
            format!("multi ({})", ops.len())
        }
        Parcel::ToServer(ToServer::Request { request, .. }) => format!("{} {}", request.name(), request.path()),
        Parcel::ToClient(ToClient::Reply { outcome: Err(code), .. }) => code.name().to_string(),
        Parcel::ToClient(ToClient::Reply { zxid, .. }) => return Label::Zxid(*zxid),
        Parcel::ToClient(ToClient::Event { event, .. }) => event.path.as_deref().unwrap_or("").to_string(),
        Parcel::ToServer(_) | Parcel::ToClient(_) => String::new(),
        Parcel::Other(saying) => saying.label(),
    };
    if text.is_empty() {
        return Label::None;
    }
    match text.trim_end().char_indices().nth(LABEL) {
        Some((end, _)) => Label::Text(format!("{}…", &text[..end])),
        None => Label::Text(text.trim_end().to_string()),
    }
}

fn zab_label(message: &Message) -> Label {
    match message {
        Message::Notification(notification) => Label::Server(notification.vote.leader),
        Message::Packet(
            Packet::Ping { .. }
            | Packet::Request { .. }
            | Packet::UpToDate
            | Packet::Sync { .. }
            | Packet::Revalidate { .. },
        ) => Label::None,
        Message::Packet(
            packet @ (Packet::LeaderInfo { .. } | Packet::FollowerInfo { .. } | Packet::ObserverInfo { .. }),
        ) => packet.zxid().map_or(Label::None, |zxid| Label::Epoch(zxid.epoch())),
        other => other.zxid().map_or(Label::None, Label::Zxid),
    }
}

/// The packet nearest to a finger or pointer, if there is one within `reach`, CSS pixels.
pub fn hit(packets: &[PacketView], at: Point, reach: f64) -> Option<MsgId> {
    let near = packets.iter().map(|packet| (packet.at.distance(at), packet.msg));
    near.filter(|(distance, _)| *distance <= reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, msg)| msg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    fn layout(world: &World) -> Layout {
        Layout::new(&world.processes.keys().copied().collect::<Vec<_>>(), 800.0, 540.0)
    }

    #[test]
    fn packets_move_along_their_link_and_are_found_where_they_are() {
        let mut player = Player::new(scenario("cold-start-3").unwrap().run()).unwrap();
        player.run_until(SimTime::from_ms(30), |_, _| {});
        let layout = layout(player.world());
        let run_summary = RunSummary::default();
        let now = player.world().now.0 as f64;
        let first = packets(player.world(), &run_summary, &layout, now);
        assert!(!first.is_empty());
        let later = packets(player.world(), &run_summary, &layout, now + 1_000.0);
        for (before, after) in first.iter().zip(&later) {
            assert_eq!(before.msg, after.msg);
            let goal = layout.segment(before.from, before.to).1;
            assert!(after.at.distance(goal) < before.at.distance(goal) + 0.01, "nearer to its goal");
            assert!(hit(&first, before.at, 18.0).is_some());
        }
        assert_eq!(hit(&first, Point::new(-500.0, 0.0), 18.0), None);
    }

    #[test]
    fn on_a_short_way_what_decides_lies_on_what_follows_it() {
        let mut player = Player::new(scenario("rejoin-trunc").unwrap().run()).unwrap();
        let mut both = 0;
        for us in (3_700_000..3_800_000).step_by(500) {
            player.run_until(SimTime(us), |_, _| {});
            let servers: Vec<_> = player.world().processes.keys().copied().collect();
            let layout = Layout::new(&servers, 375.0, 240.0);
            let all = packets(player.world(), &RunSummary::default(), &layout, us as f64);
            let place = |name: &str| all.iter().position(|packet| packet.name == name);
            if let (Some(cut), Some(next)) = (place("TRUNC"), place("NEWLEADER")) {
                assert!(all[cut].msg < all[next].msg && cut > next);
                both += 1;
            }
        }
        assert!(both > 10, "{both}");
    }

    #[test]
    fn a_cut_holds_packets_and_a_heal_lets_them_go_on_from_there() {
        let mut player = Player::new(scenario("minority-partition").unwrap().run()).unwrap();
        let mut run_summary = RunSummary::default();
        let (mut held, mut piled, mut votes) = (0, 0, 0);
        for ms in 0..8_000 {
            player.run_until(SimTime::from_ms(ms), |_, records| {
                records.iter().for_each(|record| run_summary.read(record));
            });
            let world = player.world();
            let layout = layout(world);
            for packet in packets(world, &run_summary, &layout, world.now.0 as f64) {
                assert!(packet.at.x.is_finite() && packet.at.y.is_finite());
                piled = piled.max(packet.stack);
                votes = votes.max(if packet.name == "NOTIFICATION" { packet.stack } else { 0 });
                held += usize::from(packet.held && world.network.link(packet.from, packet.to).cut);
            }
        }
        assert!(held > 0, "something waited at the cut");
        assert!(votes > 2, "votes for several are one pile, too: {votes}");
        assert!(piled > 1, "those that look alike are one pile");
    }
}
