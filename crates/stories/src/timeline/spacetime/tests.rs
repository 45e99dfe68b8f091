//! The diagram against naive readings of the same facts, over random runs.

use crate::base::RuleSet;
use crate::base::{ClientId, SimTime};
use crate::scenarios::scenario;
use crate::sim::{Fact, Player, Record, Run, WorldFact};
use crate::soak::soak_run;
use crate::timeline::spacetime::*;
use std::rc::Rc;

pub(crate) fn records(run: Run, until_ms: u64) -> Vec<Rc<Record>> {
    let mut player = Player::new(run).expect("a valid run");
    let mut all = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, records| all.extend_from_slice(records));
    all
}

/// A random run with faults and clients.
pub(crate) fn random(seed: u64, until_ms: u64) -> Vec<Rc<Record>> {
    records(soak_run(3 + (seed % 3) as u8, seed, 1, RuleSet::default()), until_ms)
}

pub(crate) fn diagram_of(records: &[Rc<Record>]) -> Diagram {
    let mut diagram = Diagram::default();
    records.iter().for_each(|record| diagram.read(record));
    diagram
}

#[test]
fn entries_are_small() {
    assert!(size_of::<Arrow>() <= 48 && size_of::<Event>() <= 32, "{}", size_of::<Arrow>());
    let all = random(3, 20_000);
    let diagram = diagram_of(&all);
    let bytes = diagram.arrows.len() * 48 + diagram.events.len() * 32 + diagram.blocks.len() * size_of::<Block>();
    let lanes: usize = diagram.lanes.values().map(|lane| lane.turns.len() * 24 + lane.queued.len() * 32).sum();
    assert!(bytes + lanes + diagram.lines.len() * 64 < all.len() * 40, "{} facts, {bytes} + {lanes}", all.len());
}

#[test]
fn every_message_has_its_arrow_and_its_end() {
    for seed in 0..10 {
        let all = random(seed, 15_000);
        let diagram = diagram_of(&all);
        let mut counts = [0; 3];
        for record in &all {
            let (msg, fate, place) = match &record.fact {
                Fact::World(WorldFact::Sent { msg, .. }) => (msg, None, 0),
                Fact::World(WorldFact::Delivered { msg, .. }) => (msg, Some(Fate::Arrived), 1),
                Fact::World(WorldFact::Lost { msg, .. }) => (msg, Some(Fate::Lost), 2),
                _ => continue,
            };
            counts[place] += 1;
            let arrow = diagram.arrows[diagram.find(*msg).expect("an arrow")];
            assert_eq!(arrow.msg(), Some(*msg));
            match fate {
                None => assert_eq!((arrow.sent_us, u64::from(arrow.sent_seq)), (record.at_us.0, record.seq)),
                Some(fate) => {
                    assert_eq!((arrow.fate, arrow.end_us), (fate, record.at_us.0));
                    assert_eq!(arrow.fate_at(arrow.end_seq), (Fate::Flying, UNKNOWN));
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        assert_eq!(diagram.find(MsgId(u64::from(u32::MAX) + 7)), None);
    }
}

#[test]
fn to_forget_is_never_to_have_read() {
    for seed in 0..12 {
        let all = random(seed, 12_000);
        let whole = diagram_of(&all);
        for part in [0, 1, 3, 5, 7, 9] {
            let cut = all.len() * part / 10 + seed as usize % 7;
            let mut shorter = whole.clone();
            shorter.truncate(all[cut].seq);
            assert!(shorter == diagram_of(&all[..cut]), "seed {seed}, {cut} of {}", all.len());
            all.iter().for_each(|record| shorter.read(record));
            assert!(shorter == whole, "and read again: seed {seed}");
        }
    }
}

#[test]
fn a_stretch_of_time_has_what_looking_at_everything_finds() {
    for seed in 0..8 {
        let diagram = diagram_of(&random(seed, 15_000));
        for (from, to) in [(0, 0), (0, 900_000), (4_000_000, 4_050_000), (9_000_000, 14_000_000), (0, UNKNOWN)] {
            let found: Vec<u32> = diagram.arrows_in(from, to).map(|(place, _)| place).collect();
            let lies = |arrow: &Arrow| arrow.sent_us <= to && arrow.end_us >= from;
            let all = (0..).zip(diagram.arrows.iter());
            let expected: Vec<u32> = all.filter(|(_, arrow)| lies(arrow)).map(|(place, _)| place).collect();
            assert_eq!(found, expected);
            assert!(diagram.at_most_in(from, to) >= found.len());
            let found: Vec<u32> = diagram.events_in(from, to).map(|(place, _)| place).collect();
            let lies = |event: &Event| event.at_us >= from && event.at_us - u64::from(event.took_us) <= to;
            let all = (0..).zip(diagram.events.iter());
            let expected: Vec<u32> = all.filter(|(_, event)| lies(event)).map(|(place, _)| place).collect();
            assert_eq!(found, expected);
        }
    }
}

/// Every event of a lane that can be chosen, in the order of the facts.
fn moments(diagram: &Diagram) -> Vec<Moment> {
    let arrows = (0..diagram.arrows.len() as u32).flat_map(|place| [End::Sent(place), End::Arrived(place)]);
    let events = (0..diagram.events.len() as u32).map(End::Event);
    let mut all: Vec<Moment> = arrows.chain(events).filter_map(|end| diagram.moment(end)).collect();
    all.sort_by_key(|moment| (moment.seq, matches!(moment.end, End::Event(_))));
    all
}

#[test]
fn one_walks_along_a_lane_from_event_to_event() {
    let diagram = &diagram_of(&random(5, 4_000));
    let told = |moment: &Moment| match moment.end {
        End::Sent(place) | End::Arrived(place) => {
            let arrow = &diagram.arrows[place as usize];
            arrow.msg().is_some() && !diagram.kind(arrow).is_heartbeat()
        }
        End::Event(_) => true,
    };
    for &node in diagram.lanes.keys() {
        let mut seqs: Vec<u32> =
            moments(diagram).iter().filter(|one| one.node == node && told(one)).map(|one| one.seq).collect();
        seqs.dedup();
        let walk = |from: u32, forward: bool| {
            let mut at = from;
            std::iter::from_fn(move || {
                at = diagram.neighbour(node, at, forward)?.seq;
                Some(at)
            })
            .collect::<Vec<u32>>()
        };
        let mut back = walk(diagram.next_seq(), false);
        back.reverse();
        assert_eq!(back, seqs);
        assert_eq!(walk(back[0], true), seqs[1..]);
    }
}

/// The vector clock of each moment: what it counts of every lane.
fn clocks(diagram: &Diagram, moments: &[Moment]) -> Vec<Rc<Vec<u32>>> {
    let lanes: Vec<Node> = diagram.lanes.keys().copied().collect();
    let mut now: BTreeMap<Node, Vec<u32>> = lanes.iter().map(|&lane| (lane, vec![0; lanes.len()])).collect();
    let mut sent: BTreeMap<u32, Rc<Vec<u32>>> = BTreeMap::new();
    let mut all: Vec<Rc<Vec<u32>>> = Vec::new();
    for (place, moment) in moments.iter().enumerate() {
        // one fact may be several moments: a death ends many connections
        if place > 0 && moments[place - 1].seq == moment.seq {
            let clock = all[place - 1].clone();
            if let End::Sent(place) = moment.end {
                sent.insert(place, clock.clone());
            }
            all.push(clock);
            continue;
        }
        let own = lanes.iter().position(|&lane| lane == moment.node).expect("a lane");
        let clock = now.get_mut(&moment.node).expect("a clock");
        clock[own] += 1;
        if let End::Arrived(place) = moment.end {
            for (mine, theirs) in clock.iter_mut().zip(sent[&place].iter()) {
                *mine = (*mine).max(*theirs);
            }
        }
        let clock = Rc::new(clock.clone());
        if let End::Sent(place) = moment.end {
            sent.insert(place, clock.clone());
        }
        all.push(clock);
    }
    all
}

#[test]
fn what_happened_before_is_what_vector_clocks_say() {
    let (mut before, mut concurrent) = (0, 0);
    for seed in 0..120 {
        let diagram = diagram_of(&random(seed, 4_000 + seed * 40));
        let moments = moments(&diagram);
        let clocks = clocks(&diagram, &moments);
        let mut draw = crate::base::Prng::new(seed, crate::base::Stream::Faults);
        for _ in 0..60 {
            let mut pick = |near: u64| {
                let last = moments.len() as u64 - 1;
                (near.saturating_sub(300) + draw.between(0, last.min(600))).min(last) as usize
            };
            let i = pick(moments.len() as u64 / 2);
            let j = pick(i as u64);
            let (a, b) = (&moments[i], &moments[j]);
            let not_above = |x: &[u32], y: &[u32]| x.iter().zip(y).all(|(x, y)| x <= y);
            let expected = (not_above(&clocks[i], &clocks[j]), not_above(&clocks[j], &clocks[i]));
            match diagram.order(a, b) {
                Order::Same => assert_eq!((a.seq, a.node), (b.seq, b.node)),
                Order::Before(path) => {
                    assert_eq!(expected, (true, false), "{a:?} {b:?}");
                    assert_way(&diagram, a, b, &path);
                    before += 1;
                }
                Order::After(path) => {
                    assert_eq!(expected, (false, true), "{a:?} {b:?}");
                    assert_way(&diagram, b, a, &path);
                    before += 1;
                }
                Order::Concurrent => {
                    assert_eq!(expected, (false, false), "{a:?} {b:?}");
                    concurrent += 1;
                }
            }
        }
    }
    assert!(before > 1_000 && concurrent > 500, "{before} {concurrent}");
}

/// A path leads from lane to lane, and never back in time.
fn assert_way(diagram: &Diagram, first: &Moment, second: &Moment, path: &[u32]) {
    let (mut node, mut seq) = (first.node, first.seq);
    for &place in path {
        let arrow = &diagram.arrows[place as usize];
        assert!(arrow.from == node && arrow.sent_seq >= seq && arrow.fate == Fate::Arrived);
        (node, seq) = (arrow.to, arrow.end_seq);
    }
    assert!(node == second.node && seq <= second.seq);
}

#[test]
fn the_death_of_a_leader_is_heard_of_by_its_connections() {
    let diagram = diagram_of(&records(scenario("leader-crash-under-load").expect("a scenario").run(), 4_000));
    let place = |what: What| diagram.events.iter().position(|event| event.what == what).expect("it happened") as u32;
    let crash = diagram.moment(End::Event(place(What::Crashed))).expect("a moment");
    let looks = diagram.events.iter().position(|event| event.what == What::Looking && event.seq > crash.seq);
    let looks = diagram.moment(End::Event(looks.expect("a follower looks") as u32)).expect("a moment");
    let Order::Before(path) = diagram.order(&crash, &looks) else { panic!("it is the reason") };
    assert_eq!(path.len(), 1);
    assert_eq!(diagram.arrows[path[0] as usize].msg(), None, "the end of a connection");
}

#[test]
fn lanes_and_bands_tell_the_roles() {
    let diagram = diagram_of(&records(scenario("leader-crash-under-load").expect("a scenario").run(), 4_000));
    let leads: Vec<_> = diagram.bands.iter().map(|band| (band.epoch, band.leader)).collect();
    assert_eq!(leads, [(1, ServerId(3)), (2, ServerId(2))]);
    assert!(diagram.bands[0].to_us < diagram.bands[1].from_us);
    let lane = &diagram.lanes[&ServerId(3).into()];
    let stands: Vec<Stand> = lane.turns().iter().map(|turn| turn.stand).collect();
    assert!(stands.starts_with(&[Stand::Looking]) && stands.contains(&Stand::Leading), "{stands:?}");
    let syncs: Vec<&Event> = diagram.events.iter().filter(|event| event.what == What::Synced).collect();
    assert!(syncs.iter().all(|event| event.took_us > 0 && event.took_us < 200_000), "{syncs:?}");
}

#[test]
fn a_paused_holder_and_its_successor_overlap_until_it_learns_better() {
    let all = records(scenario("lock-pause").unwrap().run(), 20_000);
    let mut diagram = Diagram::default();
    all.iter().for_each(|record| diagram.read(record));
    let overlap = diagram.overlaps().next().expect("two believe to hold the lock");
    assert_eq!(overlap.clients, (ClientId(1).into(), ClientId(2).into()));
    let lane = &diagram.lanes()[&ClientId(1).into()];
    let during = lane.turns().iter().rev().find(|turn| turn.at_us <= overlap.from_us).unwrap();
    assert!(during.paused && during.holds > 0, "it sleeps and believes: {during:?}");
    assert!(overlap.from_us < overlap.to_us && overlap.to_us != UNKNOWN);
    diagram.truncate(overlap.seq.into());
    assert_eq!(diagram.overlaps().count(), 0);
    all.iter().for_each(|record| diagram.read(record));
    assert_eq!(diagram.overlaps().next(), Some(overlap));
}
