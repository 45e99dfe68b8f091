//! A session on its own: seeking, stepping, acting in the past, what is told of it.

use std::rc::Rc;

use super::*;
use crate::base::{ServerId, ServerSet};
use crate::scenarios::scenario;
use crate::sim::{Action, Record, Setup};

fn session(id: &str) -> Session {
    Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap()
}

#[test]
fn frames_of_any_length_show_the_same_events() {
    let goal = SimTime::from_ms(1_500);
    let mut digests = Vec::new();
    for frame_ms in [4.0, 16.7, 90.0] {
        let mut session = session("cold-start-3");
        while session.world().now < goal {
            session.advance(frame_ms);
        }
        let facts = session.facts().all().filter(|record| record.at_us <= goal).cloned();
        digests.push(facts.collect::<Vec<_>>());
    }
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn after_a_deed_nothing_is_skipped_for_a_while() {
    let mut session = session("cold-start-3");
    session.seek(SimTime::from_ms(700)).unwrap();
    session.act(Action::Crash { server: ServerId(1) }).unwrap();
    session.playing = true;
    let mut passes = |real_ms: u64| {
        let before = session.cursor_us();
        (0..real_ms / 20).for_each(|_| session.advance(20.0));
        (session.cursor_us() - before) as u64 / 1_000
    };
    assert!(passes(4_500) <= 4_500 / 30 + 1, "its consequences are seen at the chosen speed");
    passes(600);
    assert!(passes(300) > 100, "then heartbeats are skipped again");
}

#[test]
fn milestones_lead_to_the_end_of_the_scene_and_not_to_a_stop_before_it() {
    for id in ["zk-stale-read", "zk-version", "cold-start-3"] {
        let mut session = session(id);
        session.open_scene().unwrap();
        while session.look_for_chapters(10_000) {}
        let steps = (0..500).take_while(|_| session.ending().is_none() && session.step_to_turn()).count();
        assert_eq!(session.ending(), Some(Ending::Scene), "{id} after {steps} milestones");
    }
}

#[test]
fn idle_time_passes_fast_and_busy_time_does_not() {
    let mut session = session("cold-start-3");
    let mut seconds = 0.0;
    while session.world().now < SimTime::from_ms(900) {
        session.advance(20.0);
        seconds += 0.02;
    }
    assert!((4.0..25.0).contains(&seconds), "{seconds} s for 0.9 s of virtual time");
}

#[test]
fn seeking_back_and_forth_ends_at_the_same_digest() {
    let mut session = session("leader-crash-under-load");
    session.seek(SimTime::from_ms(3_000)).unwrap();
    let digest = session.player().digest();
    session.seek(SimTime::from_ms(700)).unwrap();
    assert_eq!(session.world().now, SimTime::from_ms(700));
    session.seek(SimTime::from_ms(3_000)).unwrap();
    assert_eq!(session.player().digest(), digest);
}

#[test]
fn what_was_done_live_is_done_again_in_a_replay() {
    let mut session = session("leader-crash-under-load");
    session.seek(SimTime::from_ms(500)).unwrap();
    session.advance(33.3);
    session.act(Action::Crash { server: ServerId(2) }).unwrap();
    session.seek(SimTime::from_ms(4_000)).unwrap();
    let run = Run::from_json(&session.player().run().to_json()).expect("a run that can be read again");
    let mut again = Player::new(run).unwrap();
    again.run_until(SimTime::from_ms(4_000), |_, _| {});
    assert_eq!(again.digest(), session.player().digest());
}

/// Far behind the last thing that anybody would mention, in a stretch of nothing but heartbeats.
#[test]
fn what_happened_last_is_known_after_a_quiet_hour_too() {
    use crate::sim::{Interest, interest};
    let mut session = session("leader-crash-under-load");
    session.seek(SimTime::from_ms(60_000)).unwrap();
    let mut player = Player::new(Run::clone(session.player().run())).unwrap();
    let (mut told, mut turned) = (Vec::new(), None);
    player.run_until(SimTime::from_ms(60_000), |_, records| {
        let told_of = records.iter().filter(|record| interest(record) != Interest::Noise);
        told.extend(told_of.cloned());
        turned = records.iter().rfind(|record| interest(record) == Interest::Step).cloned().or(turned.take());
    });
    assert!(session.facts().all().rev().take(4_000).all(|record| interest(record) == Interest::Noise));
    let newest: Vec<_> = told.into_iter().rev().take(128).collect();
    assert!(session.run_summary().told().take(128).eq(newest.iter().map(Rc::as_ref)));
    assert_eq!(session.run_summary().turned(), turned.as_deref());
    let last = newest[0].at_us;
    session.seek(SimTime(last.0 - 1)).unwrap();
    assert!(session.run_summary().told().next().is_some_and(|record| record.at_us < last));
}

#[test]
fn a_bad_action_changes_nothing() {
    let mut session = session("cold-start-3");
    let version = session.player().digest();
    let action = Action::Write { server: ServerId(1), data: String::new(), count: 0, every_us: 0 };
    assert!(session.act(action).is_err());
    assert_eq!(session.player().digest(), version);
}

#[test]
fn stepping_stops_where_something_turns() {
    let mut session = session("cold-start-3");
    session.playing = false;
    assert_eq!(session.step(3), 3);
    assert!(session.run_until(Until::Election));
    assert_eq!(session.player().summary(0).epoch, 1);
    assert_eq!(session.cursor_us() as u64, session.world().now.0);
}

#[test]
fn three_hundred_steps_forth_and_back_lead_to_the_start() {
    let mut session = session("leader-crash-under-load");
    session.seek(SimTime::from_ms(1_000)).unwrap();
    session.step(1);
    let (digest, place) = (session.player().digest(), session.place());
    for _ in 0..300 {
        assert_eq!(session.step(1), 1);
    }
    for _ in 0..300 {
        assert_eq!(session.step_back(1), 1);
    }
    assert_eq!((session.player().digest(), session.place()), (digest, place));
}

#[test]
fn steps_back_stop_where_steps_forth_do() {
    let mut session = session("leader-crash-under-load");
    let mut places = Vec::new();
    for _ in 0..40 {
        places.push(session.place());
        session.step_to_turn();
    }
    for place in places.iter().rev() {
        session.step_back_to_turn();
        assert_eq!(session.place(), *place);
    }
}

#[test]
fn the_world_before_the_last_step_is_one_step_back() {
    let mut session = session("lock-mutex");
    assert!(session.before().is_none());
    for _ in 0..40 {
        session.step(37);
        let before = session.before().unwrap();
        assert_eq!(before.events + 1, session.events());
        let mut again = before.clone();
        assert_eq!(again.step(), Some(session.world().last_facts()));
    }
}

#[test]
fn a_place_between_two_events_of_a_microsecond_is_found_again() {
    let mut session = session("cold-start-3");
    session.step(5);
    let (place, digest) = (session.place(), session.player().digest());
    session.seek(SimTime::from_ms(2_000)).unwrap();
    let facts: Vec<Record> = session.facts().all().cloned().collect();
    session.go(place).unwrap();
    assert_eq!((session.place(), session.player().digest()), (place, digest));
    session.seek(SimTime::from_ms(2_000)).unwrap();
    assert!(session.facts().all().eq(&facts));
}

#[test]
fn a_long_run_keeps_few_checkpoints_and_every_moment_is_reached() {
    let mut session = Session::new(scenario("lock-herd").unwrap().run(), None).unwrap();
    session.line.set_budget(3_000_000);
    session.step(60_000);
    let (count, spacing) = session.line.size();
    assert!((4..=20).contains(&count) && spacing > 2_048, "{count} checkpoints, {spacing} steps apart");
    let end = session.player().digest();
    for events in [1, 59_999, 30_000, 30_001, 29_999, 12_345, 45_678, 2_048] {
        session.seek_event(events).unwrap();
        assert_eq!(session.events(), events);
        let shown = session.facts().all().len() as u64;
        assert!(shown >= travel::FACTS_BEFORE.min(session.next_seq()), "{shown} facts at {events}");
    }
    session.seek_event(60_000).unwrap();
    assert_eq!(session.player().digest(), end);
}

#[test]
fn a_run_full_of_packets_keeps_fewer_checkpoints() {
    let mut run = Run::new(1, Setup::default());
    run.push(
        SimTime::from_ms(1_900),
        Action::Cut { from: ServerSet::first(1), to: ServerSet::first(3), one_way: false },
    );
    for _ in 0..40 {
        let write = Action::Write { server: ServerId(3), data: "x".into(), count: 1_000, every_us: 100 };
        run.push(SimTime::from_ms(2_000), write);
    }
    let mut session = Session::new(run, None).unwrap();
    session.line.set_budget(20_000_000);
    session.seek(SimTime::from_ms(2_100)).unwrap();
    let packets = session.world().network.packets();
    assert!(packets > 5_000, "{packets} packets: they wait for the cut link");
    let (count, _) = session.line.size();
    assert!(count < 10, "{count} checkpoints, each with a queue of its own");
}

#[test]
fn running_until_something_happens_stops_there_or_stays() {
    let mut session = session("cold-start-3");
    assert!(session.run_until(Until::Election));
    assert_eq!(session.player().leader(), Some(ServerId(3)));
    assert!(session.run_until(Until::Milestone));
    let place = session.place();
    assert!(!session.run_until(Until::Leads(ServerId(1))) && !session.run_until(Until::Violation));
    assert_eq!(session.place(), place);
}

#[test]
fn ten_idle_seconds_pass_in_one() {
    let mut session = session("cold-start-3");
    session.seek(SimTime::from_ms(4_000)).unwrap();
    let mut real_ms = 0.0;
    while session.cursor_us() < 14e6 {
        // it would stand by itself, because nothing more happens
        session.playing = true;
        session.advance(16.7);
        real_ms += 16.7;
    }
    assert!(real_ms < 1_000.0, "{real_ms} ms");
}

/// Lets real time pass until time stands by itself; how long that took, ms.
fn play_to_the_end(session: &mut Session) -> u64 {
    session.playing = true;
    for frame in 0..10_000 {
        session.advance(16.0);
        if !session.playing {
            return frame * 16;
        }
    }
    panic!("time runs on at {} µs", session.cursor_us());
}

#[test]
fn a_scene_ends_once_and_again_after_a_way_back() {
    let mut session = session("cold-start-3");
    play_to_the_end(&mut session);
    assert_eq!((session.cursor_us(), session.ending()), (2e6, Some(Ending::Scene)));
    session.playing = true;
    assert_eq!(session.ending(), None);
    session.advance(16.0);
    assert!(session.playing && session.cursor_us() > 2e6, "it plays on");
    session.seek(SimTime::from_ms(1_900)).unwrap();
    assert_eq!(session.ending(), None);
    play_to_the_end(&mut session);
    assert_eq!(session.cursor_us(), 2e6);
}

#[test]
fn where_only_heartbeats_are_left_time_stands_after_a_few_seconds() {
    let mut session = session("cold-start-3");
    session.seek(SimTime::from_ms(2_000)).unwrap();
    let waited = play_to_the_end(&mut session);
    assert!(waited < 3_000 && session.cursor_us() < 12e6, "{waited} ms");
    assert_eq!(session.ending(), Some(Ending::Quiet));
    // whoever plays on is stopped once in a while
    assert!(play_to_the_end(&mut session) > 500);
    // what is done by hand is seen to its end: the others wait for syncLimit, elect, and serve
    session.act(Action::PowerOff { server: ServerId(3) }).unwrap();
    play_to_the_end(&mut session);
    assert_eq!((session.player().summary(0).leader, session.ending()), (Some(ServerId(2)), Some(Ending::Quiet)));
}

#[test]
fn a_scene_that_was_changed_does_not_end_in_the_middle_of_the_deed() {
    let mut session = session("cold-start-3");
    session.seek(SimTime::from_ms(1_990)).unwrap();
    session.act(Action::Crash { server: ServerId(3) }).unwrap();
    play_to_the_end(&mut session);
    assert!(session.cursor_us() > 5e6 && session.ending() == Some(Ending::Quiet));
    // a session that is over only later is waited for
    let mut held = self::session("zk-session");
    held.seek(SimTime::from_ms(2_990)).unwrap();
    held.act(Action::CloseClient { client: crate::base::ClientId(2) }).unwrap();
    play_to_the_end(&mut held);
    assert!(held.cursor_us() > 8.1e6, "{}", held.cursor_us());
}

#[test]
fn pages_turn_by_chapters_to_the_end_and_back_to_the_beginning() {
    let mut session = session("cold-start-5");
    session.open_scene().unwrap();
    assert!(session.is_untouched());
    let mut seen = vec![session.cursor_us() as u64];
    while session.next_chapter() && seen.len() < 20 {
        seen.push(session.cursor_us() as u64);
    }
    let begin = |session: &Session| session.chapters().iter().map(|mark| mark.at.0).collect::<Vec<_>>();
    assert_eq!(seen[..6], begin(&session));
    assert_eq!((seen[6], seen.len(), session.ending()), (4_000_000, 7, Some(Ending::Scene)));
    assert!(!session.next_chapter() && session.cursor_us() == 4e6, "the end stays the end");
    for at in seen[..6].iter().rev() {
        session.last_chapter();
        assert_eq!(session.cursor_us() as u64, *at);
    }
    session.last_chapter();
    assert_eq!(session.cursor_us(), 0.0);
    session.seek(SimTime(seen[3] + 100_000)).unwrap();
    session.last_chapter();
    assert_eq!(session.cursor_us() as u64, seen[3], "first to where the chapter began");
}

#[test]
fn nobody_is_led_far_beyond_the_last_turning_point() {
    let mut session = session("cold-start-3");
    session.seek(SimTime::from_ms(2_000)).unwrap();
    let place = session.place();
    assert!(!session.step_to_turn());
    assert_eq!((session.place(), session.ending()), (place, Some(Ending::Quiet)));
}
