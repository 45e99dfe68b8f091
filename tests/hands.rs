//! What hands do to the network: packets that are held, released and lost, links that a drawn line crosses.

use std::rc::Rc;

use zabscope::base::{ClientId, ConnId, MsgId, Node, Prng, ServerId, SimTime, Stream};
use zabscope::check::Checker;
use zabscope::client::State;
use zabscope::scenarios::scenario;
use zabscope::sim::{
    Action, ActionRefusal, Fact, Item, PacketRef, Player, Record, Run, Setup, Which, World, WorldFact,
};
use zabscope::zab;

const FOLLOWERS: [ServerId; 2] = [ServerId(1), ServerId(2)];
const LEADER: ServerId = ServerId(3);

/// A player and all facts so far.
struct Stage {
    player: Player,
    records: Vec<Rc<Record>>,
}

impl Stage {
    fn new(run: Run, until_ms: u64) -> Stage {
        let mut stage = Stage { player: Player::new(run).expect("a valid run"), records: Vec::new() };
        stage.until(until_ms);
        stage
    }

    /// Three servers, the third leads.
    fn settled() -> Stage {
        let stage = Stage::new(Run::new(1, Setup::default()), 2_000);
        assert_eq!(stage.player.leader(), Some(LEADER));
        stage
    }

    fn until(&mut self, ms: u64) {
        self.player.run_until(SimTime::from_ms(ms), |_, records| self.records.extend_from_slice(records));
    }

    fn act(&mut self, action: Action) {
        self.player.act(action, |_, records| self.records.extend_from_slice(records)).expect("an action");
    }

    fn now_ms(&self) -> u64 {
        self.player.world().now.as_ms()
    }

    /// Plays on until such a packet is on its way.
    fn on_its_way(&mut self, from: Node, to: Node, name: &str) -> (PacketRef, MsgId) {
        for _ in 0..20_000 {
            if let Some(found) = flying(self.player.world())
                .into_iter()
                .find(|(packet, _, what, _)| (packet.from, packet.to, *what) == (from, to, name))
            {
                return (found.0, found.1);
            }
            self.records.extend_from_slice(self.player.step().expect("a step"));
        }
        panic!("no {name} from {from} to {to}");
    }

    fn world_facts(&self) -> impl Iterator<Item = (SimTime, &WorldFact)> {
        self.records.iter().filter_map(|record| match &record.fact {
            Fact::World(fact) => Some((record.at_us, fact)),
            _ => None,
        })
    }

    fn delivered(&self, msg: MsgId) -> Option<SimTime> {
        self.world_facts().find_map(|(at, fact)| match fact {
            WorldFact::Delivered { msg: arrived, .. } if *arrived == msg => Some(at),
            _ => None,
        })
    }

    fn commits(&self) -> usize {
        let commit =
            |record: &&Rc<Record>| matches!(record.fact, Fact::Zab { fact: zab::Fact::Committed { .. }, .. });
        self.records.iter().filter(commit).count()
    }

    fn refusals(&self) -> Vec<ActionRefusal> {
        let reason = |(_, fact): (SimTime, &WorldFact)| match fact {
            WorldFact::ActionRefused { reason } => Some(*reason),
            _ => None,
        };
        self.world_facts().filter_map(reason).collect()
    }
}

/// Every message on its way: what actions call it, its number, its type, its connection.
fn flying(world: &World) -> Vec<(PacketRef, MsgId, &'static str, ConnId)> {
    let mut all = Vec::new();
    for (&conn, ends) in world.network.conns.iter() {
        for way in [true, false] {
            let (from, to) = ends.ends(way);
            for item in &ends.pipe(way).items {
                if let Item::Message(parcel) = &item.item {
                    all.push((PacketRef { from, to, which: Which::Nth(item.nth) }, item.msg, parcel.name(), conn));
                }
            }
        }
    }
    all
}

fn write(server: ServerId) -> Action {
    Action::Write { server, data: "x".into(), count: 1, every_us: 0 }
}

#[test]
fn a_held_proposal_delays_the_commit_and_its_release_brings_it() {
    let mut stage = Stage::settled();
    let before = stage.commits();
    stage.act(write(LEADER));
    let held: Vec<_> =
        FOLLOWERS.map(|to| stage.on_its_way(LEADER.into(), to.into(), "PROPOSAL")).into_iter().collect();
    for (packet, _) in &held {
        stage.act(Action::HoldPacket { packet: *packet });
    }
    let since = stage.now_ms();
    stage.until(since + 300);
    assert_eq!(stage.commits(), before, "nobody could acknowledge it");
    assert!(held.iter().all(|(_, msg)| stage.delivered(*msg).is_none()));
    stage.act(Action::ReleasePacket { packet: held[0].0 });
    stage.until(since + 400);
    assert!(stage.commits() > before, "two of three have it");
    assert!(stage.delivered(held[0].1).is_some() && stage.delivered(held[1].1).is_none());
    assert_eq!(stage.refusals(), []);
}

#[test]
fn what_is_behind_a_held_packet_waits_and_arrives_in_order() {
    let mut stage = Stage::settled();
    let (from, to) = (Node::from(LEADER), Node::from(FOLLOWERS[0]));
    stage.act(write(LEADER));
    let (packet, first) = stage.on_its_way(from, to, "PROPOSAL");
    let left = stage.player.world().network.packet(first).map(|(_, item)| item.due.since(stage.player.world().now));
    stage.act(Action::HoldPacket { packet });
    let since = stage.now_ms();
    for _ in 0..5 {
        stage.act(write(LEADER));
        let next = stage.now_ms() + 20;
        stage.until(next);
    }
    let waits: Vec<MsgId> = flying(stage.player.world())
        .into_iter()
        .filter(|(other, msg, ..)| (other.from, other.to) == (from, to) && *msg > first)
        .map(|(_, msg, ..)| msg)
        .collect();
    assert!(waits.len() >= 5, "{waits:?}");
    assert!(waits.iter().all(|msg| stage.delivered(*msg).is_none()), "nothing overtakes");
    let released = stage.player.world().now;
    stage.act(Action::ReleasePacket { packet });
    stage.until(since + 400);
    let arrived: Vec<SimTime> =
        [first].iter().chain(&waits).map(|msg| stage.delivered(*msg).expect("it went on")).collect();
    assert_eq!(Some(arrived[0].since(released)), left, "it has as far to go as when it was stopped");
    assert!(arrived.is_sorted(), "{arrived:?}");
    let behind = stage.world_facts().find_map(|(_, fact)| match fact {
        WorldFact::PacketHeld { msg, behind, .. } if *msg == first => Some(*behind),
        _ => None,
    });
    assert!(behind.is_some());
}

#[test]
fn a_lost_packet_takes_its_connection_along_and_the_follower_comes_back() {
    let mut stage = Stage::settled();
    stage.act(write(LEADER));
    let (packet, msg) = stage.on_its_way(LEADER.into(), FOLLOWERS[0].into(), "PROPOSAL");
    stage.act(Action::DropPacket { packet });
    assert!(flying(stage.player.world()).iter().all(|(_, other, ..)| *other != msg));
    let now = stage.now_ms();
    stage.until(now + 3_000);
    assert_eq!(stage.delivered(msg), None);
    let broken = |(_, fact): (SimTime, &WorldFact)| matches!(fact, WorldFact::ConnectionBroken { .. });
    assert_eq!(stage.world_facts().filter(|fact| broken(*fact)).count(), 1);
    stage.act(write(LEADER));
    let before = stage.commits();
    stage.until(now + 3_500);
    assert!(stage.commits() > before);
    let processed = |id: ServerId| {
        let memory = stage.player.world().processes[&id].server().expect("it runs");
        memory.peer.storage.last_processed
    };
    assert_eq!(processed(FOLLOWERS[0]), processed(LEADER), "it is in step again");
}

#[test]
fn what_is_not_there_is_refused_in_a_sentence_and_a_crash_frees_what_was_held() {
    let mut stage = Stage::settled();
    let packet = PacketRef { from: LEADER.into(), to: FOLLOWERS[0].into(), which: Which::Nth(9_999) };
    for action in [Action::HoldPacket { packet }, Action::ReleasePacket { packet }, Action::DropPacket { packet }] {
        stage.act(action);
    }
    assert_eq!(stage.refusals(), [ActionRefusal::NoSuchPacket { packet }; 3]);
    stage.act(write(LEADER));
    let (packet, msg) = stage.on_its_way(LEADER.into(), FOLLOWERS[0].into(), "PROPOSAL");
    stage.act(Action::ReleasePacket { packet });
    stage.act(Action::HoldPacket { packet });
    stage.act(Action::HoldPacket { packet });
    let wrong = |held| ActionRefusal::WrongPacketStatus { packet, held };
    assert_eq!(stage.refusals()[3..], [wrong(false), wrong(true)]);
    stage.act(Action::Crash { server: FOLLOWERS[0] });
    assert!(stage.world_facts().any(|(_, fact)| matches!(fact, WorldFact::Lost { msg: lost, .. } if *lost == msg)));
    stage.act(Action::Restart { server: FOLLOWERS[0] });
    let now = stage.now_ms();
    stage.until(now + 4_000);
    let memory = stage.player.world().processes[&FOLLOWERS[0]].server().expect("it runs");
    assert!(memory.peer.is_serving(), "nothing holds it any more");
}

#[test]
fn a_drawn_line_cuts_just_those_links_clients_too_and_everything_heals() {
    let mut stage = Stage::settled();
    let client = ClientId(1);
    let open =
        Action::OpenClient { client, servers: vec![FOLLOWERS[1]], timeout_ms: 20_000, chroot: None, raw: false };
    stage.act(open);
    let now = stage.now_ms();
    stage.until(now + 500);
    let links = vec![(FOLLOWERS[0].into(), LEADER.into()), (client.into(), FOLLOWERS[1].into())];
    stage.act(Action::CutLinks { links: links.clone() });
    let cut = |stage: &Stage, a: Node, b: Node| {
        let network = &stage.player.world().network;
        assert_eq!(network.link(a, b).cut, network.link(b, a).cut);
        network.link(a, b).cut
    };
    assert!(links.iter().all(|(a, b)| cut(&stage, *a, *b)));
    assert!(!cut(&stage, LEADER.into(), FOLLOWERS[1].into()));
    stage.until(now + 15_000);
    let connected = |stage: &Stage| stage.player.world().clients[&client].client.state == State::Connected;
    assert!(!connected(&stage), "its only server is out of reach");
    stage.act(Action::HealAll);
    assert!(!links.iter().any(|(a, b)| cut(&stage, *a, *b)));
    stage.until(now + 19_000);
    let state = stage.player.world().clients[&client].client.state;
    assert_eq!(state, State::Expired, "its server answers again, and the session did not outlive that");
    stage.act(Action::CutLinks { links: vec![(ServerId(9).into(), LEADER.into())] });
    assert_eq!(stage.refusals(), [ActionRefusal::NoSuchServer { server: ServerId(9) }]);
}

#[test]
fn hands_are_written_as_json_and_what_makes_no_sense_is_refused_with_a_sentence() {
    let packet = PacketRef { from: ClientId(7).into(), to: LEADER.into(), which: Which::Nth(3) };
    let links = vec![(LEADER.into(), ClientId(7).into()), (FOLLOWERS[0].into(), LEADER.into())];
    let actions = [
        (Action::HoldPacket { packet }, r#"{"do":"hold_packet","from":"C7","to":3,"nth":3}"#),
        (Action::ReleasePacket { packet }, r#"{"do":"release_packet","from":"C7","to":3,"nth":3}"#),
        (Action::DropPacket { packet }, r#"{"do":"drop_packet","from":"C7","to":3,"nth":3}"#),
        (Action::CutLinks { links: links.clone() }, r#"{"do":"cut_links","links":[[3,"C7"],[1,3]]}"#),
        (Action::HealLinks { links }, r#"{"do":"heal_links","links":[[3,"C7"],[1,3]]}"#),
    ];
    for (action, text) in actions {
        assert_eq!(serde_json::to_string(&action).expect("JSON"), text);
        assert_eq!(serde_json::from_str::<Action>(text).expect(text), action);
    }
    for (text, why) in [
        (r#"{"do":"hold_packet","from":"S1","to":3,"nth":3}"#, "neither a server's number nor a client's name"),
        (r#"{"do":"hold_packet","from":"C01","to":3,"nth":3}"#, "neither a server's number nor a client's name"),
        (r#"{"do":"hold_packet","from":177,"to":3,"nth":3}"#, "177 is not a whole number from 1 to 63"),
        (r#"{"do":"hold_packet","from":1,"to":3}"#, "nth"),
        (r#"{"do":"cut_links","links":[[1,2,3]]}"#, "a link has 2 ends, not 3"),
    ] {
        let error = serde_json::from_str::<Action>(text).expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    for links in ["[]", "[[1,1]]", r#"[["C1","C2"]]"#] {
        let action: Action = serde_json::from_str(&format!(r#"{{"do":"cut_links","links":{links}}}"#)).expect(links);
        assert!(action.check().is_err_and(|why| why.place == "links"), "{links}");
    }
}

/// One thing that a restless hand does.
fn fumble(stage: &mut Stage, prng: &mut Prng) {
    let all = flying(stage.player.world());
    let held: Vec<PacketRef> = all
        .iter()
        .filter(|(_, msg, ..)| stage.player.world().network.packet(*msg).is_some_and(|(_, item)| item.held.is_some()))
        .map(|(packet, ..)| *packet)
        .collect();
    let nodes: Vec<Node> = stage.player.world().processes.keys().map(|id| (*id).into()).collect();
    let mut any = |most: usize| prng.below(most.max(1) as u32) as usize;
    let link = (nodes[any(nodes.len())], nodes[any(nodes.len())]);
    let packet = (!all.is_empty()).then(|| all[any(all.len())].0);
    let free = (!held.is_empty()).then(|| held[any(held.len())]);
    let action = match any(12) {
        0..=4 => packet.map(|packet| Action::HoldPacket { packet }),
        5..=8 => free.map(|packet| Action::ReleasePacket { packet }),
        9 => packet.map(|packet| Action::DropPacket { packet }),
        10 if link.0 != link.1 => Some(Action::CutLinks { links: vec![link] }),
        10 => Some(Action::HealAll),
        _ => link.0.server().map(write),
    };
    if let Some(action) = action {
        stage.act(action);
    }
}

#[test]
fn whatever_hands_hold_and_lose_no_property_is_violated_and_all_is_well_again() {
    for seed in 0..40 {
        let id = ["cold-start-5", "leader-crash-under-load", "minority-partition", "rejoin-trunc"][seed as usize % 4];
        let mut run = scenario(id).expect(id).run();
        run.seed = 1_000 + seed;
        let mut stage = Stage::new(run, 20);
        let mut prng = Prng::new(seed, Stream::Faults);
        while stage.now_ms() < 9_000 {
            let most = if prng.chance(1, 8) { 900 } else { 60 };
            let next = stage.now_ms() + 1 + u64::from(prng.below(most));
            stage.until(next);
            if stage.now_ms() < next {
                stage.act(write(ServerId(1)));
            }
            fumble(&mut stage, &mut prng);
        }
        stage.act(Action::HealAll);
        for (packet, msg, ..) in flying(stage.player.world()) {
            if stage.player.world().network.packet(msg).is_some_and(|(_, item)| item.held.is_some()) {
                stage.act(Action::ReleasePacket { packet });
            }
        }
        for server in stage.player.world().processes.keys().copied().collect::<Vec<_>>() {
            stage.act(Action::Restart { server });
        }
        let calm = stage.now_ms() + 12_000;
        stage.until(calm);
        let mut checker = Checker::new(&stage.player.run().setup);
        for record in &stage.records {
            checker.read(record);
        }
        assert!(checker.violations().is_empty(), "{id}, seed {seed}: {:?}", checker.violations());
        assert!(stage.player.leader().is_some(), "{id}, seed {seed}: nobody leads");
        let again = Run::from_json(&stage.player.run().to_json()).expect("a run survives JSON");
        let mut again = Player::new(again).expect("a valid run");
        while again.world().events < stage.player.world().events {
            again.step().expect("a step");
        }
        assert_eq!(again.digest(), stage.player.digest(), "{id}, seed {seed}");
    }
}
