//! Figures of scenarios: what stands in them follows from the tree, the watches and what clients believe.

use super::*;
use crate::base::SimTime;
use crate::scenarios::scenario;
use crate::timeline::Session;

/// The figure of a scenario at a moment.
fn at(id: &str, ms: u64) -> Figure {
    let mut session = Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap();
    session.seek(SimTime::from_ms(ms)).unwrap();
    Figure::of(session.world(), session.player().run(), session.run_summary())
}

fn claims(figure: &Figure) -> Vec<(Option<u16>, Claim)> {
    figure.tickets().map(|ticket| (ticket.client.map(|id| id.0), ticket.claim)).collect()
}

#[test]
fn a_queue_stands_in_the_order_of_its_numbers_and_each_watches_the_one_before() {
    let figure = at("lock-mutex", 3_500);
    assert!(!figure.star && figure.lanes.len() == 1, "{figure:?}");
    let tickets = &figure.lanes[0].tickets;
    assert_eq!(tickets.len(), 5);
    assert!(tickets.is_sorted_by_key(|ticket| ticket.name.clone()), "{tickets:?}");
    assert_eq!(tickets[0].claim, Claim::Holds(Share::Exclusive));
    for pair in tickets.windows(2) {
        let behind = figure.tethers.iter().find(|tether| Some(tether.client) == pair[1].client);
        assert_eq!(behind.map(|tether| &tether.path), Some(&pair[0].path));
    }
}

#[test]
fn in_a_herd_all_watch_one_node_and_its_going_tells_all_of_them() {
    let before = at("lock-herd", 3_600);
    assert!(before.star);
    assert_eq!(claims(&before).len(), 1);
    assert_eq!(before.tethers.iter().filter(|tether| tether.fired.is_none()).count(), 4);
    let after = at("lock-herd", 4_125);
    let told = after.tethers.iter().filter(|tether| tether.fired.is_some() && &*tether.path == "/lock");
    assert!(told.count() >= 2, "{after:?}");
    assert_eq!(
        after.tickets().filter(|ticket| ticket.there).count(),
        0,
        "the node is gone, and still in the picture"
    );
}

#[test]
fn a_paused_holder_keeps_its_crown_without_its_node() {
    let figure = at("lock-pause", 8_790);
    let of = claims(&figure);
    assert!(
        of.contains(&(Some(1), Claim::Stale)) && of.contains(&(Some(2), Claim::Holds(Share::Exclusive))),
        "{of:?}"
    );
    assert!(figure.tickets().any(|ticket| !ticket.there && ticket.client == Some(ClientId(1))));
    let later = at("lock-pause", 8_900);
    let [store] = &later.resources[..] else { panic!("{:?}", later.resources) };
    assert_eq!((store.uses[0].client, store.uses[0].late), (ClientId(1), true), "it writes what it may not");
    assert!(store.uses[1..].iter().all(|used| !used.late));
}

#[test]
fn a_dead_client_leaves_its_ticket_until_its_session_is_over() {
    let figure = at("elect-latch", 7_000);
    let dead = figure.tickets().find(|ticket| !ticket.alive);
    assert_eq!(dead.and_then(|ticket| ticket.client), Some(ClientId(1)), "{figure:?}");
}
