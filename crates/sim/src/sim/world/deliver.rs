//! The network's part of a world: sending, arriving, opening, closing, cutting.

use crate::base::{ConnId, Gather, Micros, MsgId, Node, ServerId, SimTime, SortedSet};
use crate::client;
use crate::sim::agenda::Choice;
use crate::sim::fact::WorldFact;
use crate::sim::host::Input;
use crate::sim::network::{Conn, InFlight, Item, Parcel, Port};
use crate::sim::reasons::LossReason;

use super::World;

impl World {
    pub(super) fn dial(&mut self, conn: ConnId, from: Node, to: Node, port: Port) {
        let pipes = Default::default();
        let opened = Conn { dialler: from, acceptor: to, port, pipes, open: [true, false], silent: [false; 2] };
        self.network.conns.insert(conn, opened);
        self.fact(WorldFact::Dialled { conn, from, to, port });
        self.transmit(conn, true, Item::Syn);
    }

    pub(super) fn send(&mut self, sender: Node, conn: ConnId, message: Parcel) {
        let Some(ends) = self.network.conns.get(&conn) else { return };
        let to_acceptor = ends.dialler == sender;
        let (from, to) = ends.ends(to_acceptor);
        if let Some((msg, late)) = self.transmit(conn, to_acceptor, Item::Message(message.clone())) {
            let (name, zxid) = (message.name(), message.zxid());
            self.fact(WorldFact::Sent { msg, from, to, message });
            if let Some(us) = late {
                self.fact(WorldFact::PacketDelayed { msg, from, to, name, zxid, us });
            }
        }
    }

    fn transmit(&mut self, conn: ConnId, to_acceptor: bool, item: Item) -> Option<(MsgId, Option<Micros>)> {
        let sent = self.network.send(conn, to_acceptor, item, self.now)?;
        if sent.first {
            self.enable(conn, to_acceptor);
        }
        Some((sent.msg, sent.late))
    }

    /// Puts the arrival of a direction's first item on the agenda, if it can arrive; takes it off otherwise.
    pub(super) fn enable(&mut self, conn: ConnId, to_acceptor: bool) {
        let choice = Choice::Deliver { conn, to_acceptor };
        let due = self.network.conns.get(&conn).and_then(|ends| {
            let first = ends.pipe(to_acceptor).items.front()?;
            let (_, to) = ends.ends(to_acceptor);
            let waits = first.held.is_some() || self.network.is_held(ends, to_acceptor) || self.is_paused(to);
            (!waits).then_some(first.due)
        });
        match due {
            Some(due) => self.agenda.set(choice, due.max(self.now)),
            None => {
                self.agenda.remove(choice);
            }
        }
    }

    /// Looks again at every direction that the test picks by sender and receiver: a link or a process has changed.
    pub(super) fn enable_all(&mut self, pick: impl Fn(Node, Node) -> bool) {
        let conns: Vec<ConnId> = self.network.conns.keys().copied().collect();
        for conn in conns {
            for to_acceptor in [true, false] {
                let picked = self.network.conns.get(&conn).is_some_and(|ends| {
                    let (from, to) = ends.ends(to_acceptor);
                    pick(from, to)
                });
                if picked {
                    self.enable(conn, to_acceptor);
                }
            }
        }
    }

    pub(super) fn deliver(&mut self, conn: ConnId, to_acceptor: bool) {
        let Some(ends) = self.network.conns.get_mut(&conn) else { return };
        let (from, to) = ends.ends(to_acceptor);
        let open = ends.open[usize::from(to_acceptor)];
        let Some(InFlight { msg, item, .. }) = ends.pipe_mut(to_acceptor).items.pop_front() else { return };
        let reset = std::mem::take(&mut ends.silent[usize::from(to_acceptor)]);
        self.enable(conn, to_acceptor);
        if reset {
            // nobody here knows of this connection any more
            self.transmit(conn, !to_acceptor, Item::Fin);
        }
        match item {
            Item::Syn => self.arrive_syn(conn, from, to),
            Item::Message(message) if open => {
                let (name, zxid) = (message.name(), message.zxid());
                self.fact(WorldFact::Delivered { msg, from, to, name, zxid });
                self.hand_over(conn, to, message);
            }
            Item::Message(message) => self.lose(msg, from, to, &message, LossReason::ConnectionClosed),
            Item::SynAck if open => {
                let port = self.network.conns.get(&conn).map_or(Port::Election, |ends| ends.port);
                self.fact(WorldFact::Connected { conn, from: to, to: from, port });
                self.tell_of(to, Input::Connected(conn), client::Input::Connected(conn));
            }
            Item::Refused if open => {
                self.set_open(conn, to_acceptor, false);
                self.fact(WorldFact::ConnectionRefused { conn, from: to, to: from });
                self.tell_of(to, Input::Refused(conn), client::Input::Refused(conn));
            }
            Item::Fin if open => {
                self.close_end(conn, to_acceptor);
                self.fact(WorldFact::ConnectionClosed { conn, node: to, peer: from });
                self.tell_of(to, Input::Closed(conn), client::Input::Closed(conn));
            }
            Item::SynAck | Item::Refused | Item::Fin => {}
        }
        self.forget_if_over(conn);
    }

    fn is_paused(&self, node: Node) -> bool {
        match node {
            Node::Server(server) => self.processes.get(&server).is_some_and(|process| process.is_paused()),
            Node::Client(client) => self.clients.get(&client).is_some_and(|process| process.paused),
        }
    }

    /// A message is handed to whoever it is for.
    fn hand_over(&mut self, conn: ConnId, to: Node, message: Parcel) {
        match (to, message) {
            (Node::Server(server), message) => self.input(server, Input::Message(conn, message)),
            (Node::Client(client), Parcel::ToClient(packet)) => {
                self.tell_client(client, client::Input::Packet(conn, packet));
            }
            (Node::Client(_), Parcel::Zab(_) | Parcel::ToServer(_) | Parcel::Other(_)) => {}
        }
    }

    /// Tells one end what became of a connection.
    pub(super) fn tell_of(&mut self, node: Node, to_server: Input, to_client: client::Input) {
        match node {
            Node::Client(client) => self.tell_client(client, to_client),
            Node::Server(server) => self.input(server, to_server),
        }
    }

    fn arrive_syn(&mut self, conn: ConnId, from: Node, to: Node) {
        let port = self.network.conns.get(&conn).map_or(Port::Election, |ends| ends.port);
        let process = to.server().and_then(|server| self.processes.get(&server));
        let listens = process.is_some_and(|process| process.is_running() && process.listening.contains(&port));
        if let (true, Node::Server(server)) = (listens, to) {
            self.set_open(conn, true, true);
            self.transmit(conn, false, Item::SynAck);
            self.input(server, Input::Accepted { conn, from, port });
        } else {
            self.transmit(conn, false, Item::Refused);
        }
    }

    pub(super) fn set_open(&mut self, conn: ConnId, at_acceptor: bool, open: bool) {
        if let Some(ends) = self.network.conns.get_mut(&conn) {
            ends.open[usize::from(at_acceptor)] = open;
        }
    }

    pub(super) fn forget_if_over(&mut self, conn: ConnId) {
        if self.network.conns.get(&conn).is_some_and(Conn::is_over) {
            self.network.conns.remove(&conn);
        }
    }

    pub(super) fn lose(&mut self, msg: MsgId, from: Node, to: Node, message: &Parcel, reason: LossReason) {
        self.fact(WorldFact::Lost { msg, from, to, name: message.name(), reason });
    }

    /// A node closes its end: what was sent still goes, then the other end hears of it; what was on the way to it is lost.
    pub(super) fn close(&mut self, node: Node, conn: ConnId) {
        let Some(ends) = self.network.conns.get(&conn) else { return };
        let at_acceptor = ends.acceptor == node;
        let open = ends.open[usize::from(at_acceptor)];
        if open && !self.gives_up_dial(node, conn) {
            self.close_end(conn, at_acceptor);
            self.break_off(conn, !at_acceptor);
            self.say_closed(conn, !at_acceptor);
        }
    }

    /// A SNAP that is being written when its connection is closed never gets through, nor does what waits behind it.
    fn break_off(&mut self, conn: ConnId, to_acceptor: bool) {
        let ends = self.network.conns.get(&conn);
        let first = ends.and_then(|ends| ends.pipe(to_acceptor).items.iter().find(|item| item.is_written(self.now)));
        if let Some(first) = first.map(|item| item.msg) {
            self.drop_items(conn, to_acceptor, LossReason::ConnectionBroken, |item| item.msg >= first);
        }
    }

    /// Tells the other end that this one is closed; one that lost its power has forgotten the connection, and nobody waits for
    /// what was sent to it.
    fn say_closed(&mut self, conn: ConnId, to_acceptor: bool) {
        let silent = self.network.conns.get(&conn).is_some_and(|ends| ends.silent[usize::from(to_acceptor)]);
        match silent {
            true => self.drop_items(conn, to_acceptor, LossReason::ConnectionClosed, |_| true),
            false => {
                self.transmit(conn, to_acceptor, Item::Fin);
            }
        }
        self.forget_if_over(conn);
    }

    /// A dial that cannot get through is given up: its SYN is sent no more, and nobody knocks when the link heals
    /// (`QuorumCnxManager.java` `connectOne`, `cnxTO`).
    fn gives_up_dial(&mut self, node: Node, conn: ConnId) -> bool {
        let Some(ends) = self.network.conns.get(&conn) else { return false };
        let waits = ends.pipe(true).items.front().is_some_and(|first| first.item == Item::Syn);
        let given_up = waits && ends.dialler == node && self.network.is_held(ends, true);
        if given_up {
            self.drop_items(conn, true, LossReason::ConnectionClosed, |_| true);
            self.set_open(conn, false, false);
            self.forget_if_over(conn);
        }
        given_up
    }

    fn close_end(&mut self, conn: ConnId, at_acceptor: bool) {
        self.set_open(conn, at_acceptor, false);
        self.drop_items(conn, at_acceptor, LossReason::ConnectionClosed, |item| !matches!(item.item, Item::Syn));
    }

    /// Takes the picked items of a direction off the network; messages among them are lost.
    pub(super) fn drop_items(
        &mut self,
        conn: ConnId,
        to_acceptor: bool,
        reason: LossReason,
        pick: impl Fn(&InFlight) -> bool,
    ) {
        let Some(ends) = self.network.conns.get_mut(&conn) else { return };
        let (from, to) = ends.ends(to_acceptor);
        let items = &mut ends.pipe_mut(to_acceptor).items;
        let (dropped, kept) = std::mem::take(items).into_iter().partition::<Vec<_>, _>(pick);
        items.extend(kept);
        self.network.forget_unsent(from, to, self.now);
        for InFlight { msg, item, .. } in dropped {
            if let Item::Message(message) = item {
                self.lose(msg, from, to, &message, reason);
            }
        }
        self.enable(conn, to_acceptor);
    }

    /// A process died: what was on its way to it is lost, what had not left it too; the other ends hear of it after what
    /// had left.
    pub(super) fn reset_connections(&mut self, node: Node) {
        let now: SimTime = self.now;
        let conns: Vec<(ConnId, bool)> = self.network.conns_of(node).collect();
        for (conn, at_acceptor) in conns {
            if self.gives_up_dial(node, conn) {
                continue;
            }
            let open = self.network.conns.get(&conn).is_some_and(|ends| ends.open[usize::from(at_acceptor)]);
            let (inward, outward) = (at_acceptor, !at_acceptor);
            // a SYN still on its way finds the process that starts next, and so must the FIN that follows it
            self.drop_items(conn, inward, LossReason::ReceiverCrashed, |item| {
                !matches!(item.item, Item::Syn | Item::Fin)
            });
            // the system still says that a connection is closed or refused: a lost FIN would leave the other end open
            let by_system = |item: &Item| matches!(item, Item::Fin | Item::Refused);
            self.drop_items(conn, outward, LossReason::SenderCrashed, |item| {
                !item.has_left(now) && !by_system(&item.item)
            });
            if open {
                self.set_open(conn, at_acceptor, false);
                self.say_closed(conn, outward);
            }
            self.forget_if_over(conn);
        }
    }

    /// A machine loses its power: what had not left it is lost, and no other end hears of anything. What is sent to it waits,
    /// as its senders send it again and again.
    pub(super) fn silence(&mut self, server: ServerId) {
        let (now, node) = (self.now, Node::Server(server));
        self.network.off.insert(server);
        let conns: Vec<(ConnId, bool)> = self.network.conns_of(node).collect();
        for (conn, at_acceptor) in conns {
            if self.gives_up_dial(node, conn) {
                continue;
            }
            // a process that died before may have closed it, and nobody has been told yet
            let farewell = |item: &InFlight| item.item == Item::Fin && !item.has_left(now);
            let ends = self.network.conns.get(&conn);
            let untold = ends.is_some_and(|ends| ends.pipe(!at_acceptor).items.iter().any(farewell));
            self.drop_items(conn, !at_acceptor, LossReason::SenderCrashed, |item| !item.has_left(now));
            self.enable(conn, at_acceptor);
            if let Some(ends) = self.network.conns.get_mut(&conn) {
                let mine = usize::from(at_acceptor);
                ends.silent[mine] |= std::mem::take(&mut ends.open[mine]) || untold;
            }
            self.forget_if_over(conn);
        }
    }

    /// What waits at the door of a machine that has power again sets out once more.
    pub(super) fn knock_again(&mut self, node: Node) {
        let senders: SortedSet<Node> = self
            .network
            .conns_of(node)
            .filter_map(|(conn, at_acceptor)| Some(self.network.conns.get(&conn)?.ends(at_acceptor).0))
            .gathered();
        for from in senders {
            self.send_again(from, node);
        }
    }

    pub(super) fn cut(&mut self, from: Node, to: Node, cut: bool) {
        if from == to || self.network.link(from, to).cut == cut {
            return;
        }
        self.network.link_mut(from, to).cut = cut;
        match cut {
            true => self.fact(WorldFact::LinkCut { from, to }),
            false => {
                self.fact(WorldFact::LinkHealed { from, to });
                self.send_again(from, to);
            }
        }
        self.enable_all(|sender, receiver| (sender, receiver) == (from, to));
    }

    /// What was held on a cut link sets out again.
    fn send_again(&mut self, from: Node, to: Node) {
        let (network, now) = (&mut self.network, self.now);
        let latency = network.latencies(from, to);
        for ends in network.conns.values_mut() {
            for to_acceptor in [true, false] {
                if ends.ends(to_acceptor) == (from, to) {
                    let mut earliest = now;
                    for item in &mut ends.pipe_mut(to_acceptor).items {
                        item.due = item.due.max(now.plus(latency(item.name))).max(earliest);
                        earliest = item.due;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    use crate::base::{ServerId, ServerSet};
    use crate::sim::action::Action;
    use crate::sim::fact::{Fact, Record};
    use crate::sim::run::Run;
    use crate::sim::setup::Setup;

    /// Plays two servers for a second; the second starts 5 ms later and dials the first.
    fn play(actions: &[(u64, Action)]) -> Vec<Rc<Record>> {
        play_until(1_000, Setup::default(), actions).0
    }

    fn play_until(end_ms: u64, setup: Setup, actions: &[(u64, Action)]) -> (Vec<Rc<Record>>, World) {
        let mut run = Run::new(1, Setup { voters: 2, start_us: vec![0, 5_000], ..setup });
        for (ms, action) in actions {
            run.push(SimTime::from_ms(*ms), action.clone());
        }
        let mut world = World::new(run);
        let mut facts = Vec::new();
        while world.next_at().is_some_and(|at| at <= SimTime::from_ms(end_ms)) {
            facts.extend(world.step().unwrap_or_default().to_vec());
        }
        (facts, world)
    }

    /// The first connection that the second server dials.
    fn first_dial(facts: &[Rc<Record>]) -> Option<ConnId> {
        facts.iter().find_map(|record| match record.fact {
            Fact::World(WorldFact::Dialled { conn, from, .. }) if from == ServerId(2).into() => Some(conn),
            _ => None,
        })
    }

    #[test]
    fn a_fin_behind_a_syn_outlives_the_crash_of_its_receiver() {
        let (one, two) = (ServerId(1), ServerId(2));
        let facts = play(&[
            (7, Action::Crash { server: two }),
            (8, Action::Crash { server: one }),
            (9, Action::Restart { server: one }),
        ]);
        let closed = facts.iter().any(|record| match record.fact {
            Fact::World(WorldFact::ConnectionClosed { conn, node, .. }) => {
                Some(conn) == first_dial(&facts) && node == one.into()
            }
            _ => false,
        });
        assert!(closed, "S1 took up the connection of a dead process and was never told");
    }

    /// The first process is killed; before its FIN has left, the machine of the second loses its power.
    #[test]
    fn a_fin_that_a_power_failure_takes_is_made_up_for_by_a_reset() {
        let server = ServerId(2);
        let slow = Setup { transmit_us: 3_000, ..Setup::default() };
        let actions =
            [(6, Action::Kill { server }), (6, Action::Restart { server }), (7, Action::PowerOff { server })];
        let (facts, world) = play_until(7, slow, &actions);
        let ends = first_dial(&facts).and_then(|conn| world.network.conns.get(&conn)).expect("its SYN is on its way");
        assert!(ends.silent[0], "whoever takes it up is told by the first packet that comes back");
    }

    #[test]
    fn a_dial_of_a_dead_process_does_not_knock_after_the_heal() {
        let set = |id| -> ServerSet { [ServerId(id)].into_iter().collect() };
        let facts = play(&[
            (0, Action::Cut { from: set(2), to: set(1), one_way: true }),
            (50, Action::Crash { server: ServerId(2) }),
            (150, Action::HealAll),
        ]);
        let dialled = first_dial(&facts);
        let answered = facts.iter().any(|record| match record.fact {
            Fact::World(WorldFact::ConnectionClosed { conn, .. } | WorldFact::ConnectionRefused { conn, .. }) => {
                Some(conn) == dialled
            }
            _ => false,
        });
        assert!(dialled.is_some() && !answered, "S1 heard a knock that nobody makes");
    }
}
