//! Two runs with one clock.

use super::*;
use crate::base::ServerId;
use crate::scenarios::scenario;
use crate::timeline::pace::is_idle;

fn pair(left: &str, right: &str) -> Pair {
    let first = Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap();
    let mut pair = Pair::alone(first);
    let right = scenario(right).map(Against::Scenario);
    pair.choose(scenario(left).unwrap(), right, Vec::new(), Some(7)).unwrap();
    pair
}

fn digests(pair: &Pair) -> [String; 2] {
    [pair.left().player().digest(), pair.right().unwrap().player().digest()]
}

fn compared(pair: &mut Pair) -> Standing {
    while pair.compare(500).1 {}
    pair.standing().unwrap().clone()
}

fn crash(server: u8) -> Action {
    Action::Crash { server: ServerId(server) }
}

#[test]
fn both_show_the_same_moment_whichever_is_changed() {
    let mut pair = pair("lock-herd", "lock-predecessor");
    let same = |pair: &Pair| {
        let [left, right] = [Side::Left, Side::Right].map(|side| pair.session(side));
        assert_eq!((right.world().now, right.cursor_us()), (left.world().now, left.cursor_us()));
        assert_eq!(right.playing, left.playing);
    };
    for ms in [700, 2_000, 300] {
        pair.change(Side::Left, |left| left.seek(SimTime::from_ms(ms))).unwrap();
        same(&pair);
    }
    pair.change(Side::Left, |left| left.advance(50.0));
    same(&pair);
    pair.change(Side::Left, |left| left.step_back(20));
    pair.change(Side::Left, |left| left.playing = false);
    same(&pair);
    let at = pair.left().cursor_us();
    pair.change(Side::Right, |right| right.seek(SimTime::from_ms(3_000))).unwrap();
    same(&pair);
    assert_eq!(pair.left().cursor_us(), at, "the left one leads");
    assert_eq!(pair.left().player().run().seed, pair.right().unwrap().player().run().seed);
}

#[test]
fn what_is_done_is_done_on_both_sides_and_taken_back_on_both() {
    let mut pair = pair("leader-crash-under-load", "leader-crash-under-load");
    pair.change(Side::Left, |left| left.seek(SimTime::from_ms(900))).unwrap();
    let before = digests(&pair);
    pair.act(crash(1)).unwrap();
    let [left, right] = digests(&pair);
    assert!(left == right && left != before[0]);
    assert_eq!(compared(&mut pair), Standing::Same(SimTime::from_ms(900)));
    assert!(pair.both(&Session::undo));
    assert_eq!(digests(&pair), before);
    assert!(pair.both(&Session::redo) && !pair.both(&Session::redo));
    // the right one alone does something: an action that is not the same is not edited there
    pair.change(Side::Right, |right| right.act(crash(2))).unwrap();
    let counts = |pair: &Pair| [Side::Left, Side::Right].map(|side| pair.session(side).actions().len());
    let [left, right] = counts(&pair);
    pair.edit(&|session| session.delete_action(left - 1), left - 1).unwrap();
    assert_eq!(counts(&pair), [left - 1, right]);
    pair.edit(&|session| session.delete_action(0), 0).unwrap();
    assert_eq!(counts(&pair), [left - 2, right - 1]);
    let wrong = Action::Write { server: ServerId(1), data: String::new(), count: 0, every_us: 0 };
    let before = digests(&pair);
    assert!(pair.act(wrong).is_err());
    assert_eq!(digests(&pair), before);
}

#[test]
fn where_they_part_is_found_and_looked_for_again_after_a_change() {
    let mut pair = pair("leader-crash-under-load", "leader-crash-under-load");
    pair.change(Side::Left, |left| left.seek(SimTime::from_ms(1_500))).unwrap();
    assert!(pair.standing().is_none());
    assert_eq!(compared(&mut pair), Standing::Same(SimTime::from_ms(1_500)));
    pair.change(Side::Right, |right| right.act(crash(2))).unwrap();
    pair.change(Side::Left, |left| left.seek(SimTime::from_ms(1_600))).unwrap();
    let Standing::Divergence(found) = compared(&mut pair) else { panic!("they part") };
    assert_eq!(found.at, SimTime::from_ms(1_500));
    pair.vary(Variation::Tick(300)).unwrap();
    assert!(pair.standing().is_none() && matches!(pair.against(), Some(Against::Varied(Variation::Tick(300)))));
    let Standing::Divergence(found) = compared(&mut pair) else { panic!("they part") };
    assert!(found.at < SimTime::from_ms(1_500));
    assert!(pair.vary(Variation::Tick(0)).is_err());
    assert!(pair.right().is_some(), "what is no run changes nothing");
}

#[test]
fn other_parameters_are_compared_with_the_same_as_before() {
    let given = vec![("clients".to_string(), "4".to_string())];
    let actions = |id: &str, clients: &str| {
        let given = [("clients".to_string(), clients.to_string())];
        scenario(id).unwrap().run_with(&given).unwrap().0.actions
    };
    let mut pair = pair("lock-herd", "lock-predecessor");
    pair.give(given.clone()).unwrap();
    assert_eq!(pair.left().actions(), actions("lock-herd", "4"));
    assert_eq!(pair.right().unwrap().actions(), actions("lock-predecessor", "4"));
    pair.vary(Variation::Seed(99)).unwrap();
    pair.give(vec![("clients".into(), "6".into())]).unwrap();
    assert_eq!(pair.right().unwrap().actions(), actions("lock-herd", "6"));
    let seeds = [Side::Left, Side::Right].map(|side| pair.session(side).player().run().seed);
    assert_eq!(seeds, [7, 99]);
    let named = scenario("lock-mutex").unwrap().run();
    pair.compare_with(named.clone(), None, None, Some(Against::Named("a file".into()))).unwrap();
    pair.give(given.clone()).unwrap();
    assert_eq!((&**pair.right().unwrap().player().run(), pair.given()), (&named, &given[..]));
    assert!(pair.give(vec![("clients".into(), "many".into())]).is_err());
    assert_eq!((pair.left().actions(), pair.given()), (&actions("lock-herd", "4")[..], &given[..]));
}

#[test]
fn what_releases_cost_with_other_parameters_stays_until_other_runs_are_compared() {
    let mut pair = pair("lock-herd", "lock-predecessor");
    let give = |pair: &mut Pair, clients: &str| pair.give(vec![("clients".into(), clients.into())]).unwrap();
    let to_end = |pair: &mut Pair| pair.change(Side::Left, |left| left.seek(left.extent())).unwrap();
    give(&mut pair, "7");
    assert!(pair.growth(Side::Left).is_empty(), "nothing is known before it has happened");
    to_end(&mut pair);
    let most = |pair: &Pair| [Side::Left, Side::Right].map(|side| *pair.growth(side).last().unwrap());
    assert_eq!(most(&pair), [(6, 6), (6, 1)]);
    give(&mut pair, "3");
    assert_eq!(most(&pair), [(6, 6), (6, 1)], "seven were tried");
    to_end(&mut pair);
    assert_eq!(pair.growth(Side::Left).len(), 6, "{:?}", pair.growth(Side::Left));
    pair.compare_with_scenario(scenario("lock-mutex").unwrap()).unwrap();
    assert_eq!(most(&pair)[0], (2, 2), "the seven belonged to another pair");
}

#[test]
fn one_side_stays_with_its_history_at_the_same_moment() {
    let begun = || {
        let mut pair = pair("leader-crash-under-load", "leader-crash-under-load");
        pair.vary(Variation::Seed(9)).unwrap();
        pair.change(Side::Left, |left| left.seek(SimTime::from_ms(800))).unwrap();
        pair.act(crash(3)).unwrap();
        pair
    };
    let [left, right] = digests(&begun());
    for (keep, digest, another) in [(Pair::only_left as fn(&mut Pair), left, false), (Pair::only_right, right, true)]
    {
        let mut pair = begun();
        let loads = pair.left().beginnings().0;
        keep(&mut pair);
        assert!(pair.right().is_none() && pair.standing().is_none());
        assert_eq!(pair.left().player().digest(), digest);
        assert_eq!(pair.left().cursor_us() as u64, SimTime::from_ms(800).0);
        assert!(pair.both(&Session::undo), "what was done can be taken back");
        assert_eq!(pair.left().beginnings().0 > loads, another);
    }
}

#[test]
fn a_run_that_takes_the_place_of_another_is_known_to_be_another() {
    let mut one = pair("lock-herd", "lock-predecessor");
    let other = pair("lock-mutex", "lock-herd");
    let before = [Side::Left, Side::Right].map(|side| one.session(side).beginnings().0);
    let wanted = digests(&other);
    one.stand_in(other);
    assert_eq!(digests(&one), wanted);
    let after = [Side::Left, Side::Right].map(|side| one.session(side).beginnings().0);
    assert!(after[0] > before[0] && after[1] > before[1]);
    one.load(scenario("cold-start-3").unwrap().run(), None).unwrap();
    assert!(one.right().is_none() && one.given().is_empty());
}

#[test]
fn no_time_is_skipped_in_which_something_happens_beside() {
    let mut pair = pair("redis-pause", "redis-fencing");
    pair.open_scene().unwrap();
    pair.change(Side::Left, |left| (left.playing, left.skip_idle) = (true, true));
    let most_us = pair.left().chosen_speed().factor() * 20_000.0 + 1.0;
    let mut hurried = 0;
    while pair.left().ending().is_none() {
        let (lively, before) = (!is_idle(pair.right().unwrap().world()), pair.left().cursor_us());
        pair.change(Side::Left, |left| left.advance(20.0));
        let passed = pair.left().cursor_us() - before;
        assert!(!lively || passed <= most_us, "{passed} µs at {before}");
        hurried += u32::from(passed > most_us);
    }
    assert!(hurried > 0, "idle time is skipped all the same");
    let until_ms = |id| run_of(scenario(id).unwrap(), &[], None).unwrap().1;
    let last = until_ms("redis-pause").max(until_ms("redis-fencing"));
    assert!(pair.left().cursor_us() >= (last * 1_000) as f64);
}
