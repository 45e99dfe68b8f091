//! What a server or a client does now, or waits for: the one thing that somebody who picks it wants to know first.

use std::rc::Rc;

use crate::base::{ClientId, ServerId, ServerSet, Zxid};
use crate::recipes::Standing;
use crate::sim::{Known, Status, World};
use crate::zab::{LeaderStage, LearnerStage, Role};

use super::card::{Card, Face, Square, Tally};
use super::client::{ClientFace, ClientView};
use super::meter::{Counted, Meter};
use super::standing::Part;

/// What a server does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerDoing {
    /// Its process has not started.
    Off,
    /// Its process is down.
    Down,
    /// Its process stands still.
    Paused,
    /// It looks for a leader, and its vote counts.
    Votes(Tally),
    /// It looks for a leader.
    Looks,
    /// It leaves its role.
    Leaves,
    /// It leads: so far it has come, and so many of so many are counted, these.
    Leads(LeaderStage, Option<(ServerSet, usize)>),
    /// It leads and waits until so many have this on disk; these have.
    WaitsForAcks(Zxid, ServerSet, usize),
    /// It is to follow this leader and has come so far.
    Learns(LearnerStage, ServerId),
    /// It writes this to its log.
    Writes(Zxid),
    /// It has this on disk and has acknowledged it; whether it is committed its leader has not told.
    WaitsForCommit(Zxid, ServerId),
    /// It serves alone, or is about to.
    Alone(bool),
    /// A machine of another kind runs.
    Other,
}

/// What a server does, by its card and the counts on the stage.
pub fn server_doing(world: &World, card: &Card, meters: &[Meter]) -> ServerDoing {
    match (card.face, &card.tally) {
        (Face::Off, _) => return ServerDoing::Off,
        (Face::Crashed, _) => return ServerDoing::Down,
        _ if card.status == Status::Paused => return ServerDoing::Paused,
        (Face::Looking, Some(tally)) => return ServerDoing::Votes(*tally),
        (Face::Looking, None) => return ServerDoing::Looks,
        (Face::Leaving, _) => return ServerDoing::Leaves,
        _ => {}
    }
    let memory = world.processes.get(&card.id).and_then(|process| process.server());
    match memory.map(|memory| &memory.peer.role) {
        Some(Role::Leading(leader)) => leads(card.id, leader.stage, meters),
        Some(Role::Learning(learner)) if learner.is_serving() => serves(card, learner.leader),
        Some(Role::Learning(learner)) => ServerDoing::Learns(learner.stage, learner.leader),
        Some(Role::Alone(alone)) => writes(card).unwrap_or(ServerDoing::Alone(!alone.loading)),
        _ => ServerDoing::Other,
    }
}

/// The first transaction of its strip that is not on its disk.
fn writes(card: &Card) -> Option<ServerDoing> {
    card.strip.iter().find(|square| !square.durable && !square.lost).map(|square| ServerDoing::Writes(square.zxid))
}

fn leads(id: ServerId, stage: LeaderStage, meters: &[Meter]) -> ServerDoing {
    // the oldest first; where two configurations overlap, the one that is not complete
    let mine = || meters.iter().filter(|meter| meter.leader == id && !meter.done);
    let lacking = mine().find(|meter| meter.have.len() < meter.need).or_else(|| mine().next());
    match lacking {
        Some(Meter { counted: Counted::Acks(zxid), have, need, .. }) => {
            ServerDoing::WaitsForAcks(*zxid, *have, *need)
        }
        other => ServerDoing::Leads(stage, other.map(|meter| (meter.have, meter.need))),
    }
}

fn serves(card: &Card, leader: ServerId) -> ServerDoing {
    let waits = |square: &&Square| square.durable && !square.lost && square.known == Known::Not;
    let commit = || card.strip.iter().find(waits).map(|square| ServerDoing::WaitsForCommit(square.zxid, leader));
    writes(card).or_else(commit).unwrap_or(ServerDoing::Learns(LearnerStage::Serving, leader))
}

/// What a client does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientDoing {
    /// Its process stands still; and believes to hold what it no longer has, where it does.
    Paused(bool),
    /// It has no session any more.
    Over(ClientFace),
    /// It waits for another's node to go: whose, where that is known.
    WaitsFor(Rc<str>, Option<ClientId>),
    /// It waits for an answer: by this server, to this request.
    Asks(Option<ServerId>, &'static str, Rc<str>),
    /// It has no connection and tries this server.
    Tries(Option<ServerId>),
    /// It has what it wants, by this node.
    Holds(Rc<str>),
    /// It believes so, and the node is gone.
    HoldsStale(Rc<str>),
    /// It is connected and waits for nothing.
    Idle(ServerId),
}

/// What a client does.
pub fn client_doing(world: &World, client: &ClientView) -> ClientDoing {
    let stale = matches!(client.part, Some(Part::Holds { stale: true, .. }));
    if client.face == ClientFace::Paused {
        return ClientDoing::Paused(stale);
    }
    if client.face.is_over() && !stale {
        return ClientDoing::Over(client.face);
    }
    let Some(process) = world.clients.get(&client.id) else { return ClientDoing::Over(ClientFace::Closed) };
    let standings = || process.standings().map(|(_, _, standing)| standing);
    let node =
        || standings().find_map(|it| if let Standing::Holding { node, .. } = it { Some(node.clone()) } else { None });
    match &client.part {
        Some(Part::Holds { stale: true, .. }) => return ClientDoing::HoldsStale(node().unwrap_or_default()),
        Some(Part::Waits { behind, .. }) => {
            let mut watched = standings().filter_map(|standing| match standing {
                Standing::Waiting { watched, .. } => Some(watched.clone()),
                _ => None,
            });
            if let Some(node) = watched.next() {
                return ClientDoing::WaitsFor(node, *behind);
            }
        }
        _ => {}
    }
    let line = client.line();
    if let Some((name, path)) = process.client.oldest_waiting() {
        let server = line.filter(|(_, open)| *open).map(|(server, _)| server);
        return ClientDoing::Asks(server, name, path.clone());
    }
    match (line, &client.part) {
        (Some((_, true)), Some(Part::Holds { .. })) => ClientDoing::Holds(node().unwrap_or_default()),
        (Some((server, true)), _) => ClientDoing::Idle(server),
        (line, _) => ClientDoing::Tries(line.map(|(server, _)| server)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::sim::{Action, Player, Run, Setup};
    use crate::timeline::RunSummary;
    use crate::view::{Scene, clients};

    /// What a server does at each step of a run.
    fn seen(run: Run, id: u8, until_ms: u64) -> Vec<ServerDoing> {
        let (mut player, mut summary, mut seen) = (Player::new(run).unwrap(), RunSummary::default(), Vec::new());
        while player.world().now < SimTime::from_ms(until_ms) {
            let Some(records) = player.step() else { break };
            records.iter().for_each(|record| summary.read(record));
            let scene = Scene::of(player.world(), &summary);
            let card = scene.cards.iter().find(|card| card.id == ServerId(id)).unwrap();
            let doing = server_doing(player.world(), card, &scene.meters);
            if seen.last() != Some(&doing) {
                seen.push(doing);
            }
        }
        seen
    }

    fn written() -> Run {
        let mut run = Run::new(1, Setup::default());
        let write = Action::Write { server: ServerId(1), data: "x".into(), count: 1, every_us: 0 };
        run.push(SimTime::from_ms(1_000), write);
        run.push(SimTime::from_ms(1_500), Action::Crash { server: ServerId(1) });
        run
    }

    #[test]
    fn a_leader_counts_votes_then_promises_then_acks() {
        let leader = seen(written(), 3, 1_400);
        let place =
            |is: &dyn Fn(&ServerDoing) -> bool| leader.iter().position(is).unwrap_or_else(|| panic!("{leader:?}"));
        let votes = place(&|doing| matches!(doing, ServerDoing::Votes(tally) if tally.votes.len() == 1));
        let promises = place(
            &|doing| matches!(doing, ServerDoing::Leads(LeaderStage::AwaitEpochAcks, Some((have, 2))) if have.len() == 1),
        );
        let acks = place(&|doing| matches!(doing, ServerDoing::WaitsForAcks(zxid, _, 2) if *zxid == Zxid::new(1, 1)));
        assert!(votes < promises && promises < acks, "{leader:?}");
        assert_eq!(leader.last(), Some(&ServerDoing::Leads(LeaderStage::Active, None)));
    }

    #[test]
    fn a_follower_writes_then_waits_for_the_commit_then_for_nothing() {
        let follower = seen(written(), 1, 1_600);
        let first = Zxid::new(1, 1);
        let at = follower.iter().position(|doing| *doing == ServerDoing::Writes(first)).expect("it writes");
        let serving = ServerDoing::Learns(LearnerStage::Serving, ServerId(3));
        let then = [ServerDoing::WaitsForCommit(first, ServerId(3)), serving, ServerDoing::Down];
        assert_eq!(follower[at + 1..at + 4], then, "{follower:?}");
    }

    fn clients_at(id: &str, ms: u64) -> Vec<ClientDoing> {
        let mut player = Player::new(scenario(id).unwrap().run()).unwrap();
        player.run_until(SimTime::from_ms(ms), |_, _| {});
        clients(player.world(), &RunSummary::default())
            .iter()
            .map(|client| client_doing(player.world(), client))
            .collect()
    }

    #[test]
    fn one_client_holds_and_the_others_wait_for_a_node_of_somebody() {
        let doing = clients_at("lock-mutex", 3_500);
        let holds = |doing: &&ClientDoing| matches!(doing, ClientDoing::Holds(node) if node.contains("lock-"));
        let waits = |doing: &&ClientDoing| matches!(doing, ClientDoing::WaitsFor(_, Some(_)));
        assert_eq!((doing.iter().filter(holds).count(), doing.iter().filter(waits).count()), (1, 4), "{doing:?}");
    }

    #[test]
    fn a_paused_client_without_its_node_is_said_to_be_both() {
        assert_eq!(clients_at("lock-pause", 8_500)[0], ClientDoing::Paused(true));
        assert_eq!(clients_at("lock-pause", 5_000)[0], ClientDoing::Paused(false));
    }
}
