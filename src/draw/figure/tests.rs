//! Figures of scenarios: nothing overlaps, news travels along strings, crowds are counted.

use super::*;
use crate::base::SimTime;
use crate::draw::layout::Chip;
use crate::draw::{Point, packets};
use crate::scenarios::{SCENARIOS, scenario};
use crate::timeline::Session;

const STAGES: [(f64, f64, bool); 7] = [
    (1_230.0, 420.0, false),
    (908.0, 540.0, false),
    (660.0, 400.0, false),
    (390.0, 460.0, false),
    (1_230.0, 480.0, true),
    // one of two beside each other; a hall's type on a phone
    (610.0, 300.0, false),
    (390.0, 460.0, true),
];

/// A scenario at a moment, with parameters.
fn session(id: &str, given: &[(&str, &str)], ms: u64) -> Session {
    let given: Vec<_> = given.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let (run, _) = scenario(id).unwrap().run_with(&given).unwrap();
    let mut session = Session::new(run, scenario(id)).unwrap();
    session.seek(SimTime::from_ms(ms)).unwrap();
    session
}

fn layout(session: &Session, (width, height, hall): (f64, f64, bool)) -> Layout {
    let run = (session.player(), session.run_summary());
    let cast = session.scenario().map_or(Cast::Recipe, crate::scenarios::Scenario::cast);
    laid_out(run, cast, (width, height), hall)
}

/// What must not overlap: servers, tickets with their clients, clients without one, what is outside.
fn parts(layout: &Layout) -> Vec<(String, Frame)> {
    let plan = layout.plan.as_ref().unwrap();
    let server = |(id, at): &(ServerId, Point)| (id.to_string(), Frame::around(*at, layout.density.card()));
    let mut parts: Vec<_> = layout.places.iter().map(server).collect();
    parts.extend(plan.tickets.iter().chain(&plan.parents).map(|(path, frame)| (path.to_string(), *frame)));
    let more = plan.more.iter().filter(|_| plan.figure.store.is_none());
    parts.extend(more.map(|(frame, _)| ("more".to_string(), *frame)));
    let beside = plan.bars.iter().map(|(id, frame)| (format!("bar of {id}"), *frame));
    let beside = beside.chain(plan.calls.iter().map(|(id, frame)| (format!("call of {id}"), *frame)));
    parts.extend(beside.chain(plan.stat.map(|frame| ("Stat".to_string(), frame))));
    parts.extend(plan.outside.iter().map(|frame| ("outside".to_string(), *frame)));
    // nobody tells two believers of the store's tree
    let believers = plan.believers.filter(|_| !plan.figure.resources.is_empty());
    parts.extend(believers.map(|frame| ("believers".to_string(), frame)));
    let alone = plan
        .clients
        .iter()
        .filter(|(id, _)| plan.figure.ticket_of(*id).and_then(|ticket| plan.node(&ticket.path)).is_none());
    parts.extend(alone.map(|(id, frame)| (id.to_string(), *frame)));
    parts
}

/// What overlaps or is clipped, on any stage.
fn faults(session: &Session, why: &str) -> Vec<String> {
    faults_on(session, &STAGES, why)
}

fn faults_on(session: &Session, stages: &[(f64, f64, bool)], why: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for &size in stages {
        let layout = layout(session, size);
        // three roles in a hall's type have no room on a phone
        if size.2 && size.0 < 400.0 && layout.plan.as_ref().is_some_and(|plan| plan.figure.columns) {
            continue;
        }
        let parts = parts(&layout);
        for (index, (name, one)) in parts.iter().enumerate() {
            let corner = one.corner();
            let inside =
                corner.x >= 0.0 && corner.y >= 0.0 && corner.x + one.width <= size.0 && one.bottom() <= size.1;
            if !inside {
                faults.push(format!("{why} on {size:?}: {name} at {one:?}"));
            }
            for (other, that) in &parts[..index] {
                let beside = (one.middle.x - that.middle.x).abs() >= (one.width + that.width) / 2.0 - 0.5;
                let above = (one.middle.y - that.middle.y).abs() >= (one.height + that.height) / 2.0 - 0.5;
                if !beside && !above {
                    faults.push(format!("{why} on {size:?}: {name} and {other}"));
                }
            }
        }
    }
    faults
}

#[test]
fn nothing_overlaps_and_nothing_is_clipped() {
    let whole =
        |one: &&crate::scenarios::Scenario| !matches!(one.cast(), Cast::Ensemble) && one.id != "read-only-mode";
    let mut all = Vec::new();
    for one in SCENARIOS.iter().filter(whole) {
        for ms in [one.telling_ms - 400, one.telling_ms, one.telling_ms + 700] {
            all.extend(faults(&session(one.id, &[], ms), &format!("{} at {ms} ms", one.id)));
        }
    }
    for (id, clients, ms) in [
        ("lock-pause", "2", 9_200),
        ("lock-pause", "6", 9_200),
        ("lock-predecessor", "20", 5_000),
        ("lock-predecessor", "200", 19_500),
        ("lock-herd", "20", 4_600),
        ("use-config", "200", 5_500),
    ] {
        all.extend(faults(&session(id, &[("clients", clients)], ms), &format!("{id} with {clients}")));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn a_ring_on_a_flat_stage_stands_at_the_sides_of_its_node() {
    for ms in [2_900, 3_300, 3_700] {
        let session = session("lock-herd", &[], ms);
        assert_eq!(
            faults_on(&session, &[(940.0, 163.0, false), (710.0, 150.0, false)], &format!("{ms} ms")),
            [""; 0]
        );
    }
}

#[test]
fn a_write_goes_past_the_tickets_of_others() {
    for (clients, size) in [("2", STAGES[0]), ("6", STAGES[3]), ("6", STAGES[2]), ("3", STAGES[3])] {
        let session = session("lock-pause", &[("clients", clients)], 9_200);
        let layout = layout(&session, size);
        let plan = layout.plan.as_ref().unwrap();
        let (resource, frame) = (&plan.figure.resources[0], &plan.outside[0]);
        assert!(!resource.uses.is_empty());
        for used in &resource.uses {
            let way = outside::way(plan, used, frame, 1).unwrap();
            let own = plan.seat(used.client).unwrap();
            for (path, ticket) in plan.tickets.iter().filter(|(_, frame)| *frame != own) {
                for share in 0..=100 {
                    let at = way.at(f64::from(share) / 100.0);
                    let over = (at.x - ticket.middle.x).abs() < ticket.width / 2.0
                        && (at.y - ticket.middle.y).abs() < ticket.height / 2.0;
                    assert!(!over, "{clients} on {size:?}: {} over {path} at {at:?}", used.client);
                }
            }
        }
    }
}

#[test]
fn a_crowd_of_two_hundred_keeps_the_front_of_its_queue_and_a_count_of_the_rest() {
    let session = session("lock-predecessor", &[("clients", "200")], 19_500);
    let layout = layout(&session, STAGES[0]);
    let plan = layout.plan.as_ref().unwrap();
    assert_eq!(layout.chip, Chip::Compact);
    let (shown, rest) = (plan.tickets.len(), plan.more.iter().map(|(_, count)| count).sum::<usize>());
    assert!(shown >= 8 && rest > 100, "{shown} and {rest}");
    assert_eq!(shown + rest, plan.figure.tickets().count());
}

#[test]
fn news_travels_along_its_string() {
    let session = session("lock-herd", &[], 4_125);
    let layout = layout(&session, STAGES[0]);
    let plan = layout.plan.as_ref().unwrap();
    let flying = packets(session.world(), session.run_summary(), &layout, session.cursor_us());
    let news: Vec<_> = flying.iter().filter(|packet| packet.name == "WATCH_EVENT").collect();
    assert!(news.len() >= 2);
    for packet in news {
        let crate::base::Node::Client(client) = packet.to else { panic!("{packet:?}") };
        let way = plan.string("/lock", client).unwrap();
        let along = way.from.distance(packet.at) + packet.at.distance(way.to);
        assert!((along - way.from.distance(way.to)).abs() < 0.5, "{packet:?} beside {way:?}");
    }
}

#[test]
fn a_cut_between_servers_opens_the_strip_to_the_ring() {
    let mut session = session("lock-mutex", &[], 3_500);
    assert!(layout(&session, STAGES[0]).plan.is_some());
    let (from, to) = ([ServerId(1)].into_iter().collect(), [ServerId(2)].into_iter().collect());
    session.act(crate::sim::Action::Cut { from, to, one_way: false }).unwrap();
    session.step(1);
    assert!(layout(&session, STAGES[0]).plan.is_none());
}

#[test]
fn trees_and_tickets_are_as_large_as_their_stage_lets_them_be() {
    let large = (1_280.0, 440.0, false);
    let tree = |id: &str, ms, stage| {
        let layout = layout(&session(id, &[], ms), stage);
        let plan = layout.plan.clone().expect("a figure");
        (plan.ticketing.type_size, plan.tickets.iter().map(|(_, frame)| frame.width).fold(0.0, f64::max), layout.chip)
    };
    let (letters, widest, chip) = tree("zk-stat", 1_600, large);
    assert!(letters >= 22.0 && widest >= 99.0 && chip == Chip::Large, "{letters} {widest} {chip:?}");
    let small = tree("zk-stat", 1_600, (640.0, 300.0, false));
    assert!(small.0 < letters && small.2 != Chip::Large, "{small:?}");
    let (letters, ticket, chip) = tree("elect-latch", 8_450, large);
    assert!(letters >= 17.0 && ticket >= 180.0 && chip == Chip::Large, "{letters} {ticket} {chip:?}");
}

#[test]
fn roles_stand_in_a_column_each_so_that_no_arrow_runs_behind_a_box() {
    for (id, ms) in [("use-collectors", 9_897), ("use-master-worker", 6_000)] {
        let layout = layout(&session(id, &[], ms), (1_280.0, 408.0, false));
        let plan = layout.plan.as_ref().unwrap();
        assert!(plan.figure.columns && layout.chip != Chip::Dot && plan.more.is_empty(), "{id}");
        for lane in &plan.figure.lanes {
            let across: Vec<f64> =
                lane.tickets.iter().filter_map(|ticket| plan.node(&ticket.path)).map(|at| at.middle.x).collect();
            assert!(across.windows(2).all(|two| two[0] == two[1]), "{id}: {} at {across:?}", lane.parent);
        }
    }
}

#[test]
fn packets_pass_beside_what_a_client_typed() {
    let mut session = session("zk-tree", &[], 1_300);
    let mut seen = 0;
    for ms in (1_300..4_000).step_by(10) {
        session.seek(SimTime::from_ms(ms)).unwrap();
        let layout = layout(&session, (1_280.0, 440.0, false));
        let plan = layout.plan.as_ref().unwrap();
        assert!(!plan.calls.is_empty());
        for packet in packets(session.world(), session.run_summary(), &layout, session.cursor_us()) {
            let over = |frame: &Frame| {
                (packet.at.x - frame.middle.x).abs() < frame.width / 2.0
                    && (packet.at.y - frame.middle.y).abs() < frame.height / 2.0
            };
            seen += usize::from(packet.from.client().is_some());
            assert!(!plan.calls.iter().any(|(_, frame)| over(frame)), "{ms} ms: {packet:?}");
        }
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn the_dead_keep_their_places_and_packets_of_the_living_have_a_way() {
    for (id, ms) in [("use-discovery", 8_600), ("use-discovery", 12_000), ("elect-latch", 12_000)] {
        let session = session(id, &[], ms);
        let layout = layout(&session, (1_280.0, 440.0, false));
        let dead = crate::base::ClientId(1);
        assert!(!session.world().clients.contains_key(&dead) && layout.seat_of(dead).is_some(), "{id} at {ms} ms");
    }
    let layout = layout(&session("use-queue", &[], 3_400), (1_280.0, 440.0, false));
    let plan = layout.plan.as_ref().unwrap();
    let lowest = plan.idle.iter().map(|(frame, _)| frame.bottom()).fold(0.0, f64::max);
    let strip = layout.places.iter().map(|(_, at)| at.y - layout.density.card().1 / 2.0).fold(f64::MAX, f64::min);
    assert!(strip - lowest >= 2.0 * layout.density.packet(), "{lowest} to {strip}");
}
