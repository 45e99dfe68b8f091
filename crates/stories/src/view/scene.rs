//! Everything that stands on the stage at one moment, apart from the packets.

use crate::base::{ServerId, ServerSet, SimTime, Zxid};
use crate::sim::{Status, World};
use crate::zab::{Phase, Role};

use super::callout::{Callout, callouts};
use super::card::Card;
use super::client::{ClientView, clients};
use super::matrix::Matrix;
use super::meter::{Meter, meters};
use crate::timeline::{RunSummary, Session};

/// A link between two servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkView {
    /// The end with the lower id.
    pub a: ServerId,
    /// The other end.
    pub b: ServerId,
    /// Nothing gets from `a` to `b`.
    pub cut_ab: bool,
    /// Nothing gets from `b` to `a`.
    pub cut_ba: bool,
    /// Packets take longer than the run's setup says.
    pub slow: bool,
    /// A leader and its learner speak over it.
    pub strong: bool,
    /// One end is down.
    pub dead: bool,
    /// Both ends work without each other: neither votes nor speaks to the other as its leader.
    pub idle: bool,
}

impl LinkView {
    /// Whether nothing is wrong with it.
    pub fn is_open(&self) -> bool {
        !self.cut_ab && !self.cut_ba
    }

    /// Whether there is nothing to be seen of it: nothing is wrong with it, and nobody needs it.
    pub fn is_quiet(&self) -> bool {
        self.idle && !self.dead && self.is_open() && !self.slow
    }
}

/// What a leader still waits for from one follower: the queue at its end of the link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Whose queue.
    pub leader: ServerId,
    /// The follower at the other end.
    pub to: ServerId,
    /// Proposals without this follower's acknowledgement, oldest first.
    pub zxids: Vec<Zxid>,
}

/// What stands on the stage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The servers.
    pub cards: Vec<Card>,
    /// The links between them.
    pub links: Vec<LinkView>,
    /// What leaders count.
    pub meters: Vec<Meter>,
    /// What leaders wait for.
    pub queues: Vec<Queue>,
    /// The clients.
    pub clients: Vec<ClientView>,
    /// The logs beside each other.
    pub matrix: Matrix,
    /// What stands large at one of them.
    pub callouts: Vec<Callout>,
}

impl Scene {
    /// What stands on the stage now.
    pub fn of(world: &World, run_summary: &RunSummary) -> Scene {
        Scene::since(SimTime::ZERO, world, run_summary)
    }

    /// What stands on the stage of a session: what belonged to an earlier chapter is not said any more.
    pub fn of_session(session: &Session) -> Scene {
        Scene::since(session.chapter_began(), session.world(), session.run_summary())
    }

    fn since(chapter: SimTime, world: &World, run_summary: &RunSummary) -> Scene {
        let cards: Vec<Card> =
            world.processes.values().map(|process| Card::of(world, process, run_summary)).collect();
        let meters = meters(world, run_summary);
        Scene {
            matrix: Matrix::of(&cards, run_summary),
            callouts: callouts(world, run_summary, chapter, (&cards, &meters)),
            cards,
            links: links(world),
            meters,
            queues: queues(world),
            clients: clients(world, run_summary),
        }
    }
}

fn links(world: &World) -> Vec<LinkView> {
    let ids: Vec<ServerId> = world.processes.keys().copied().collect();
    let led: Vec<(ServerId, ServerSet)> = leaders(world);
    let usual = world.setup().latency;
    let down = |id: &ServerId| world.processes.get(id).is_none_or(|p| p.status == Status::Crashed);
    let settled = |id: &ServerId| {
        let memory = world.processes.get(id).and_then(|process| process.server());
        memory.is_some_and(|memory| memory.peer.phase() == Phase::Broadcast)
    };
    let talk = talking(world);
    let mut links = Vec::new();
    for (index, &a) in ids.iter().enumerate() {
        for &b in &ids[index + 1..] {
            let (there, back) = (world.network.link(a, b), world.network.link(b, a));
            let between = |(leader, learners): &(ServerId, ServerSet)| {
                (*leader == a && learners.contains(b)) || (*leader == b && learners.contains(a))
            };
            // machines of other systems need a link where a connection stands
            let other = !a.is_valid() || !b.is_valid();
            let strong = led.iter().any(between) || talk.contains(&(a, b));
            links.push(LinkView {
                a,
                b,
                cut_ab: there.cut,
                cut_ba: back.cut,
                slow: there.latency.max_us > usual.max_us || back.latency.max_us > usual.max_us,
                strong,
                dead: !other && (down(&a) || down(&b)),
                idle: !strong && (other || settled(&a) && settled(&b)),
            });
        }
    }
    links
}

/// Between which machines of other systems connections stand: the lower number first.
fn talking(world: &World) -> Vec<(ServerId, ServerId)> {
    let ends =
        world.network.conns.values().filter_map(|conn| Some((conn.dialler.server()?, conn.acceptor.server()?)));
    ends.filter(|(a, b)| !a.is_valid() || !b.is_valid()).map(|(a, b)| (a.min(b), a.max(b))).collect()
}

fn leaders(world: &World) -> Vec<(ServerId, ServerSet)> {
    let mut led = Vec::new();
    for process in world.processes.values() {
        if let Some(Role::Leading(leader)) = process.server().map(|memory| &memory.peer.role) {
            led.push((process.id, leader.learners.values().map(|handler| handler.learner).collect()));
        }
    }
    led
}

fn queues(world: &World) -> Vec<Queue> {
    let mut queues = Vec::new();
    for process in world.processes.values() {
        let Some(Role::Leading(leader)) = process.server().map(|memory| &memory.peer.role) else { continue };
        for handler in leader.learners.values().filter(|handler| handler.is_forwarding() && !handler.observer) {
            let waits = leader.outstanding.iter().filter(|(_, waiting)| !waiting.acks.contains(handler.learner));
            let zxids: Vec<Zxid> = waits.map(|(&zxid, _)| zxid).collect();
            if !zxids.is_empty() {
                queues.push(Queue { leader: process.id, to: handler.learner, zxids });
            }
        }
    }
    queues
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::{Known, Player};
    use crate::view::Face;

    fn played(id: &str, until_ms: u64) -> (Player, RunSummary) {
        let mut player = Player::new(scenario(id).unwrap().run()).unwrap();
        let mut run_summary = RunSummary::default();
        player.run_until(SimTime::from_ms(until_ms), |_, records| {
            records.iter().for_each(|record| run_summary.read(record));
        });
        (player, run_summary)
    }

    #[test]
    fn an_elected_leader_has_strong_links_and_followers() {
        let (player, run_summary) = played("cold-start-3", 1_900);
        let scene = Scene::of(player.world(), &run_summary);
        let faces: Vec<Face> = scene.cards.iter().map(|card| card.face).collect();
        assert_eq!(faces, [Face::Following, Face::Following, Face::Leading]);
        assert_eq!(scene.links.iter().filter(|link| link.strong).count(), 2);
        assert!(
            scene
                .cards
                .iter()
                .all(|card| card.strip.iter().all(|square| square.known == Known::Committed && square.durable))
        );
        assert!(scene.cards.iter().all(|card| !card.strip.is_empty()));
    }

    #[test]
    fn a_truncated_transaction_is_seen_to_go() {
        let mut seen = false;
        for ms in 2_500..6_000 {
            let (player, run_summary) = match ms % 20 {
                0 => played("rejoin-trunc", ms),
                _ => continue,
            };
            let scene = Scene::of(player.world(), &run_summary);
            seen |= scene.cards.iter().any(|card| card.strip.iter().any(|square| square.lost));
        }
        assert!(seen);
    }

    #[test]
    fn meters_fill_before_a_commit() {
        let mut player = Player::new(scenario("cold-start-3").unwrap().run()).unwrap();
        let (mut kinds, run_summary) = (std::collections::BTreeSet::new(), RunSummary::default());
        while player.world().now < SimTime::from_ms(1_900) && player.step().is_some() {
            for meter in Scene::of(player.world(), &run_summary).meters {
                kinds.insert(format!("{:?}", meter.counted).split('(').next().unwrap_or("").to_string());
            }
        }
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["Acks", "Connected", "Histories", "Promises"]);
    }
}
