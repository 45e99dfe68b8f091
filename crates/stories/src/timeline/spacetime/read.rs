//! Reading facts, and forgetting them again.

use crate::base::{Chunks, ConnId, Epoch, MsgId, Node, ServerId, Zxid};
use crate::client;
use crate::recipes;
use crate::server;
use crate::sim::{Fact, Parcel, Record, WorldFact};
use crate::wire::KeeperState;
use crate::zab::{self, Message, Packet, ServerState};

use crate::timeline::spacetime::index::Block;
use crate::timeline::spacetime::{
    Arrow, Band, Diagram, Event, FIN, Fate, Kind, Lane, LaneState, Line, NEVER, Queued, Said, Stand, UNKNOWN, What,
    number_of,
};
use crate::timeline::{Look, Shape, epoch_of, look_of};

/// What a message that waited at a cut counts at most among the usual times, µs.
pub(super) const LONG_US: u64 = 100_000;

impl Default for Diagram {
    fn default() -> Diagram {
        let fin = Kind { name: "FIN", look: Look { shape: Shape::Dot, letter: "" }, born: 0 };
        Diagram {
            arrows: Chunks::default(),
            blocks: Vec::new(),
            kinds: vec![fin],
            events: Chunks::default(),
            longest_us: 0,
            lanes: Default::default(),
            bands: Vec::new(),
            claims: Vec::new(),
            lines: Default::default(),
            cuts: Default::default(),
            travel: (0, 0),
            next_seq: 0,
        }
    }
}

impl Lane {
    /// What was queued before this place waits no longer, since a fact.
    fn done(&mut self, until: usize, seq: u32) {
        for place in self.waiting..until {
            if let Some(queued) = self.queued.get_mut(place) {
                queued.done = seq;
            }
        }
        self.waiting = until;
    }
}

/// Where a fact stands.
#[derive(Clone, Copy)]
struct At {
    us: u64,
    seq: u32,
}

impl Diagram {
    /// Reads the next fact; one that it has read already (the run is played again) is skipped.
    pub fn read(&mut self, record: &Record) {
        let seq = u32::try_from(record.seq).unwrap_or(NEVER);
        if seq < self.next_seq || seq == NEVER {
            return;
        }
        self.next_seq = seq + 1;
        let at = At { us: record.at_us.0, seq };
        match &record.fact {
            Fact::World(fact) => self.read_world(fact, at),
            Fact::Zab { server, fact } => self.read_zab(*server, fact, at),
            Fact::Client { client, fact } => self.read_client((*client).into(), fact, at),
            Fact::Program { client, fact } => self.read_program((*client).into(), fact, at),
            Fact::Server { server, fact: server::Fact::SessionExpired { .. } } => {
                self.event(*server, What::Expired, 0, at);
            }
            Fact::Server { .. } | Fact::Other { .. } => {}
        }
    }

    fn read_world(&mut self, fact: &WorldFact, at: At) {
        use WorldFact as W;
        match fact {
            W::Sent { msg, from, to, message } => self.sent(*msg, *from, *to, message, at),
            W::Delivered { msg, .. } => self.ended(*msg, Fate::Arrived, at),
            W::Lost { msg, .. } => self.ended(*msg, Fate::Lost, at),
            W::Dialled { conn, from, to, .. } => {
                self.lines.insert(*conn, Line { ends: (*from, *to), opened: at.seq, closed: NEVER, fin: None });
            }
            W::ConnectionRefused { conn, .. } => self.closed(*conn, at),
            W::ConnectionClosed { conn, .. } => self.closed(*conn, at),
            W::LinkCut { from, to } => self.cut(*from, *to, true, at),
            W::LinkHealed { from, to } => self.cut(*from, *to, false, at),
            W::ResourceWritten { client, .. } => self.event(*client, What::Wrote, 0, at),
            W::ResourceRefused { client, .. } => self.event(*client, What::Refused, 0, at),
            W::Synced { server, first, last, .. } => self.synced(*server, *first, *last, at),
            W::EpochWritten { server, epoch, .. } => self.wrote(*server, What::EpochWritten, (*epoch).into(), at),
            W::SnapshotWritten { server, zxid, .. } => self.wrote(*server, What::Snapshot, zxid.0, at),
            W::LogTruncated { server, to, .. } => self.wrote(*server, What::Truncated, to.0, at),
            W::UnsyncedLost { server, first, .. } => self.event(*server, What::UnsyncedLost, first.0, at),
            W::WriteAsked { server, .. } => self.event(*server, What::Asked, 0, at),
            W::WriteAnswered { server, zxid, .. } => self.event(*server, What::Answered, zxid.0, at),
            W::WriteFailed { server, .. } => self.event(*server, What::Failed, 0, at),
            _ => self.read_process(fact, at),
        }
    }

    fn cut(&mut self, from: Node, to: Node, cut: bool, at: At) {
        note_cut(self.cuts.entry((from, to)).or_default(), cut, at.us);
        self.event(from, if cut { What::Cut } else { What::Healed }, number_of(to), at);
    }

    fn read_process(&mut self, fact: &WorldFact, at: At) {
        use WorldFact as W;
        match fact {
            W::Added { server, .. } => {
                self.lane((*server).into(), at);
            }
            W::Started { server, .. } => {
                self.turn((*server).into(), at, |turn| *turn = LaneState { stand: Stand::Looking, ..*turn });
                self.event(*server, What::Started, 0, at);
            }
            W::Crashed { server, .. } => self.died((*server).into(), What::Crashed, at),
            W::Exited { server } => self.died((*server).into(), What::Exited, at),
            W::Paused { server } => self.paused((*server).into(), true, at),
            W::Resumed { server } => self.paused((*server).into(), false, at),
            W::DiskWiped { server } => self.event(*server, What::Wiped, 0, at),
            W::DiskBackedUp { server } => self.event(*server, What::BackedUp, 0, at),
            W::BackupRestored { server } => self.event(*server, What::PutBack, 0, at),
            W::ClientOpened { client, .. } => {
                self.turn((*client).into(), at, |turn| turn.stand = Stand::Away);
                self.event(*client, What::Opened, 0, at);
            }
            W::ClientKilled { client } => self.died((*client).into(), What::Killed, at),
            W::ClientPaused { client } => self.paused((*client).into(), true, at),
            W::ClientResumed { client } => self.paused((*client).into(), false, at),
            _ => {}
        }
    }

    fn read_zab(&mut self, server: ServerId, fact: &zab::Fact, at: At) {
        use zab::Fact as F;
        let node = Node::from(server);
        match fact {
            F::Looking { .. } => {
                self.become_(node, Stand::Looking, 0, at);
                self.event(node, What::Looking, 0, at);
            }
            F::Elected { leader, role, .. } => {
                self.become_(node, stand_of(*role), 0, at);
                self.event(node, What::Elected, leader.0.into(), at);
            }
            F::Established { epoch, .. } => self.establish(server, *epoch, at),
            F::UpToDate { epoch } => {
                self.turn(node, at, |turn| turn.epoch = *epoch);
                self.event(node, What::UpToDate, (*epoch).into(), at);
            }
            F::Left { .. } => {
                self.end_band(server, at);
                self.become_(node, Stand::Looking, 0, at);
                self.event(node, What::Left, 0, at);
            }
            F::Proposed { zxid, .. } => self.event(node, What::Proposed, zxid.0, at),
            F::Committed { zxid, .. } => self.event(node, What::Committed, zxid.0, at),
            F::Queued { zxid } => {
                let queued = Queued { zxid: *zxid, at_us: at.us, seq: at.seq, done: NEVER };
                self.lane(node, at).queued.push(queued);
            }
            _ => {}
        }
    }

    fn establish(&mut self, leader: ServerId, epoch: Epoch, at: At) {
        self.end_band(leader, at);
        self.bands.push(Band { from_us: at.us, to_us: UNKNOWN, seq: at.seq, end_seq: NEVER, epoch, leader });
        self.turn(leader.into(), at, |turn| turn.epoch = epoch);
        self.event(leader, What::Established, epoch.into(), at);
    }

    fn read_client(&mut self, node: Node, fact: &client::Fact, at: At) {
        use client::Fact as F;
        match fact {
            F::ClientConnected { server, .. } => {
                self.become_(node, Stand::Connected, 0, at);
                self.event(node, What::Connected, server.0.into(), at);
            }
            F::ClientDisconnected { server, .. } => {
                self.become_(node, Stand::Away, 0, at);
                self.event(node, What::Disconnected, server.0.into(), at);
            }
            F::ClientEnded { state, .. } => {
                debug_assert!(*state != KeeperState::SyncConnected);
                self.become_(node, Stand::Down, 0, at);
                self.event(node, What::Ended, 0, at);
            }
            _ => {}
        }
    }

    fn read_program(&mut self, node: Node, fact: &recipes::Fact, at: At) {
        match fact {
            recipes::Fact::Acquired { path, share, .. } => {
                self.claim(node, (path, *share), (at.us, at.seq));
                self.turn(node, at, |turn| turn.holds = turn.holds.saturating_add(1));
                self.event(node, What::Acquired, 0, at);
            }
            recipes::Fact::Released { path, .. } => {
                self.give_back(node, Some(path), (at.us, at.seq));
                self.turn(node, at, |turn| turn.holds = turn.holds.saturating_sub(1));
                self.event(node, What::Released, 0, at);
            }
            _ => {}
        }
    }

    fn event(&mut self, node: impl Into<Node>, what: What, value: u64, at: At) {
        let event = Event { at_us: at.us, value, seq: at.seq, took_us: 0, node: node.into(), what };
        self.events.push(event);
    }

    fn lane(&mut self, node: Node, at: At) -> &mut Lane {
        let fresh = || Lane { born: at.seq, turns: Vec::new(), queued: Chunks::default(), waiting: 0, disk_us: 0 };
        self.lanes.get_or_else(node, fresh)
    }

    /// A lane changes from now on; two changes by one fact are one.
    fn turn(&mut self, node: Node, at: At, change: impl FnOnce(&mut LaneState)) {
        let lane = self.lane(node, at);
        let nothing = LaneState { at_us: at.us, seq: at.seq, epoch: 0, stand: Stand::Down, paused: false, holds: 0 };
        let mut turn = lane.turns.last().copied().unwrap_or(nothing);
        change(&mut turn);
        (turn.at_us, turn.seq) = (at.us, at.seq);
        match lane.turns.last_mut() {
            Some(last) if last.seq == at.seq => *last = turn,
            _ => lane.turns.push(turn),
        }
    }

    fn become_(&mut self, node: Node, stand: Stand, epoch: Epoch, at: At) {
        self.turn(node, at, |turn| (turn.stand, turn.epoch) = (stand, epoch));
    }

    fn paused(&mut self, node: Node, paused: bool, at: At) {
        self.turn(node, at, |turn| turn.paused = paused);
        self.event(node, if paused { What::Paused } else { What::Resumed }, 0, at);
    }

    /// A process is gone: nothing waits for its disk any more, and its connections end.
    fn died(&mut self, node: Node, what: What, at: At) {
        self.turn(node, at, |turn| {
            *turn = LaneState { stand: Stand::Down, epoch: 0, paused: false, holds: 0, ..*turn };
        });
        let lane = self.lane(node, at);
        lane.done(lane.queued.len(), at.seq);
        if let Some(server) = node.server() {
            self.end_band(server, at);
        }
        self.give_back(node, None, (at.us, at.seq));
        self.event(node, what, 0, at);
        self.end_lines(node, at);
    }

    fn end_band(&mut self, leader: ServerId, at: At) {
        let mine = |band: &&mut Band| band.leader == leader && band.end_seq == NEVER;
        if let Some(band) = self.bands.iter_mut().rev().find(mine) {
            (band.to_us, band.end_seq) = (at.us, at.seq);
        }
    }

    fn sent(&mut self, msg: MsgId, from: Node, to: Node, parcel: &Parcel, at: At) {
        let Ok(msg) = u32::try_from(msg.0) else { return };
        let kind = self.kind_of(parcel.name(), look_of(parcel), at);
        let (said, value) = said(parcel);
        self.push(Arrow {
            sent_us: at.us,
            end_us: UNKNOWN,
            value,
            msg,
            sent_seq: at.seq,
            end_seq: NEVER,
            from,
            to,
            kind,
            fate: Fate::Flying,
            said,
        });
    }

    fn push(&mut self, arrow: Arrow) {
        Block::begin(&mut self.blocks, self.arrows.len());
        self.arrows.push(arrow);
    }

    fn kind_of(&mut self, name: &'static str, look: Look, at: At) -> u8 {
        let known = self.kinds.iter().position(|kind| kind.name == name && kind.look == look);
        let place = known.unwrap_or_else(|| {
            self.kinds.push(Kind { name, look, born: at.seq });
            self.kinds.len() - 1
        });
        u8::try_from(place).unwrap_or(FIN)
    }

    fn ended(&mut self, msg: MsgId, fate: Fate, at: At) {
        if let Some(place) = self.find(msg) {
            self.end_arrow(place, fate, at);
        }
    }

    fn end_arrow(&mut self, place: usize, fate: Fate, at: At) {
        let flying = self.arrows.get(place).is_some_and(|arrow| arrow.fate == Fate::Flying);
        let Some(arrow) = self.arrows.get_mut(place).filter(|_| flying) else { return };
        (arrow.end_us, arrow.end_seq, arrow.fate) = (at.us, at.seq, fate);
        if fate == Fate::Arrived && arrow.kind != FIN {
            self.travel.0 += (at.us - arrow.sent_us).min(LONG_US);
            self.travel.1 += 1;
        }
        Block::end(&mut self.blocks, place, at.us);
    }

    /// A process that dies closes its connections; the other ends hear of it later. What was told to itself is lost.
    fn end_lines(&mut self, node: Node, at: At) {
        let mine = |line: &Line| line.closed == NEVER && (line.ends.0 == node || line.ends.1 == node);
        let found: Vec<ConnId> = self.lines.iter().filter(|(_, line)| mine(line)).map(|(&conn, _)| conn).collect();
        let msg = self.arrows.last().map_or(0, |last| last.msg);
        for conn in found {
            let Some(line) = self.lines.get(&conn).copied() else { continue };
            if let Some(fin) = line.fin {
                // the one that should have heard of it is gone too
                self.end_arrow(fin as usize, Fate::Lost, at);
                continue;
            }
            let place = self.arrows.len() as u32;
            let to = if line.ends.0 == node { line.ends.1 } else { line.ends.0 };
            self.push(Arrow {
                sent_us: at.us,
                end_us: UNKNOWN,
                value: conn.0,
                msg,
                sent_seq: at.seq,
                end_seq: NEVER,
                from: node,
                to,
                kind: FIN,
                fate: Fate::Flying,
                said: Said::Nothing,
            });
            if let Some(line) = self.lines.get_mut(&conn) {
                line.fin = Some(place);
            }
        }
    }

    /// One end has learned that a connection is over.
    fn closed(&mut self, conn: ConnId, at: At) {
        let Some(line) = self.lines.get_mut(&conn).filter(|line| line.closed == NEVER) else { return };
        line.closed = at.seq;
        if let Some(fin) = line.fin {
            self.end_arrow(fin as usize, Fate::Arrived, at);
        }
    }

    /// Transactions are on disk: the sync began when the first of them had been queued and the disk was free.
    fn synced(&mut self, server: ServerId, first: Zxid, last: Zxid, at: At) {
        let lane = self.lane(server.into(), at);
        let waiting = || lane.queued.from(lane.waiting);
        let began = waiting().position(|queued| queued.zxid == first);
        let since = began.and_then(|place| waiting().nth(place)).map_or(at.us, |first| first.at_us.max(lane.disk_us));
        let over =
            began.map_or(0, |place| place + waiting().skip(place).take_while(|queued| queued.zxid <= last).count());
        lane.done(lane.waiting + over, at.seq);
        lane.disk_us = at.us;
        let took_us = u32::try_from(at.us - since).unwrap_or(u32::MAX);
        self.longest_us = self.longest_us.max(took_us.into());
        let node = server.into();
        self.events.push(Event { at_us: at.us, value: last.0, seq: at.seq, took_us, node, what: What::Synced });
    }

    /// Something else is on disk. When that was begun no fact tells.
    fn wrote(&mut self, server: ServerId, what: What, value: u64, at: At) {
        self.lane(server.into(), at).disk_us = at.us;
        self.event(server, what, value, at);
    }
}

/// A link is cut, or heals.
pub(super) fn note_cut(cuts: &mut Vec<(u64, u64)>, cut: bool, us: u64) {
    match (cut, cuts.last_mut()) {
        (true, _) => cuts.push((us, UNKNOWN)),
        (false, Some(last)) => last.1 = us,
        (false, None) => {}
    }
}

fn stand_of(role: ServerState) -> Stand {
    match role {
        ServerState::Looking => Stand::Looking,
        ServerState::Following => Stand::Following,
        ServerState::Leading => Stand::Leading,
        ServerState::Observing => Stand::Observing,
        ServerState::Standalone => Stand::Standalone,
    }
}

/// What is written beside a message, as on the stage.
fn said(parcel: &Parcel) -> (Said, u64) {
    use Packet as P;
    match parcel {
        Parcel::Zab(Message::Notification(notification)) => (Said::Vote, notification.vote.leader.0.into()),
        Parcel::Zab(Message::Packet(
            P::Ping { .. } | P::Request { .. } | P::UpToDate | P::Sync { .. } | P::Revalidate { .. },
        )) => (Said::Nothing, 0),
        Parcel::Zab(Message::Packet(P::LeaderInfo { epoch })) => (Said::Epoch, (*epoch).into()),
        other => match (other.zxid(), epoch_of(other)) {
            (Some(zxid), Some(_)) => (Said::Zxid, zxid.0),
            (Some(zxid), None) => (Said::Pale, zxid.0),
            (None, _) => (Said::Nothing, 0),
        },
    }
}
