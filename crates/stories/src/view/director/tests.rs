//! The director alone.

use super::*;
use crate::base::{ServerId, SimTime, Zxid};
use crate::scenarios::scenario;
use crate::sim::{Action, Fact, WorldFact};
use crate::zab;

const FRAME_MS: u64 = 16;

fn session(id: &str) -> Session {
    let from = scenario(id).expect("a built-in scenario");
    Session::new(from.run(), Some(from)).expect("a valid run")
}

/// Every sentence takes two seconds to be read.
fn two_seconds(_: &Told) -> u64 {
    2_000
}

/// Plays so many frames from a moment of the wall clock on; what stood in each, and how far time was held.
fn play(director: &mut Director, session: &mut Session, from_ms: u64, frames: u64) -> Vec<(Option<u64>, u64, u64)> {
    let frame = |frame| {
        let before = session.cursor_us() as u64;
        director.play(session, FRAME_MS, from_ms + frame * FRAME_MS, &two_seconds);
        (director.told().and_then(Told::seq), director.hold(), session.cursor_us() as u64 - before)
    };
    (0..frames).map(frame).collect()
}

fn is_crash(record: &Record) -> bool {
    matches!(record.fact, Fact::World(WorldFact::Crashed { .. }))
}

#[test]
fn time_eases_to_a_halt_where_something_is_decided_and_runs_on_when_it_can_have_been_read() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    let seen = play(&mut director, &mut session, 0, 300);
    let crash = session.facts().all().find(|record| is_crash(record)).expect("it crashes").seq;
    let stood: Vec<usize> = (0..seen.len()).filter(|at| seen[*at].0 == Some(crash)).collect();
    assert!((125..140).contains(&stood.len()), "{} frames", stood.len());
    // held at first less and less, then not at all: packets stand in mid-air
    let still = stood.iter().filter(|at| seen[**at].1 == FULL && seen[**at].2 == 0).count();
    assert!(still > 90, "{still} frames");
    assert!(seen.windows(2).all(|two| two[0].1.abs_diff(two[1].1) <= 80), "time does not jump");
    assert!(seen[stood[stood.len() - 1] + 20].1 < FULL);
}

#[test]
fn of_a_run_that_another_one_leads_is_told_what_decides_and_its_time_is_not_held() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_380)).expect("it is near");
    session.playing = true;
    let mut told = Vec::new();
    for frame in 0..400 {
        session.advance(FRAME_MS as f64);
        director.overhear(&session, frame * FRAME_MS, &two_seconds);
        told.extend(director.told().and_then(Told::seq));
        assert_eq!((director.hold(), director.waits()), (0, None));
    }
    let crash = session.facts().all().find(|record| is_crash(record)).expect("it crashes").seq;
    assert!(told.contains(&crash));
    assert!(told.is_sorted() && told.len() > 300, "one after the other");
    // gone elsewhere: what stands there
    session.playing = false;
    session.seek(SimTime::from_ms(900)).expect("it is near");
    director.overhear(&session, 400 * FRAME_MS, &two_seconds);
    assert_eq!(director.told(), at_stop(&session).as_ref());
}

#[test]
fn a_run_is_the_same_with_a_director_and_without() {
    let (mut with, mut without) = (session("rejoin-trunc"), session("rejoin-trunc"));
    let mut director = Director::default();
    let mut now = 0;
    while with.world().now < SimTime::from_ms(4_000) {
        director.play(&mut with, FRAME_MS, now, &two_seconds);
        now += FRAME_MS;
    }
    without.seek(SimTime(with.cursor_us() as u64)).expect("it is near");
    assert_eq!(with.player().digest(), without.player().digest());
}

#[test]
fn at_a_stop_the_fact_is_shown_that_made_it_the_stop_and_at_once() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.playing = false;
    director.look(&session, 0, &two_seconds);
    assert!(matches!(director.told().map(|told| &told.what), Some(What::Promise("leader-crash-under-load"))));
    for step in 1..60 {
        assert!(session.step_to_turn());
        director.look(&session, step, &two_seconds);
        let told = director.told().and_then(Told::seq).expect("a fact");
        assert!(session.world().last_facts().iter().any(|record| record.seq == told), "{told} is of another step");
        assert_eq!((director.hold(), director.shown_ms(step)), (0, 0));
    }
    session.step_back(30);
    director.look(&session, 61, &two_seconds);
    assert!(director.told().and_then(Told::seq).is_some_and(|seq| seq < session.next_seq()));
}

#[test]
fn who_comes_to_a_moment_is_told_what_mattered_most_just_before() {
    // between two steps of the log a client's scene is not about the log
    for (id, ms) in [("lock-mutex", 3_916), ("zk-tree", 2_710), ("lock-semaphore", 3_650), ("use-queue", 3_783)] {
        let mut session = session(id);
        session.seek(SimTime::from_ms(ms)).expect("it is near");
        let told = at_stop(&session).expect("something");
        assert!(told.rank >= STEP, "{id}: {told:?}");
        let at = told.records()[0].at_us;
        assert!(session.world().now.since(at) <= 2 * RECENT_US, "{id}: {told:?}");
    }
}

#[test]
fn a_stop_by_hand_leaves_the_sentence_as_it_is() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    play(&mut director, &mut session, 0, 90);
    let told = director.told().cloned();
    session.playing = false;
    play(&mut director, &mut session, 2_000, 90);
    assert_eq!(director.told().cloned(), told);
}

#[test]
fn where_time_is_stopped_what_has_just_happened_is_told() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    session.speed = crate::timeline::pace::speed_named("1").expect("a speed");
    play(&mut director, &mut session, 0, 100);
    session.playing = false;
    director.look(&session, 1_600, &two_seconds);
    let late = director.told().cloned();
    director.stops(&session, 1_600, &two_seconds);
    assert_eq!((director.told().cloned(), director.leads()), (at_stop(&session), false));
    assert_ne!(director.told().cloned(), late, "while time ran there was no time to tell it");
}

#[test]
fn in_a_hall_what_decides_stands_until_somebody_goes_on() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    director.set_by_hand(true);
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    let seen = play(&mut director, &mut session, 0, 2_000);
    let (here, at) = (seen[1_999].0, session.cursor_us());
    assert!(director.waits() == Some(Waits::ForHand) && seen[300].0 == here);
    assert!(director.go_on() && !director.go_on());
    play(&mut director, &mut session, 40_000, 40);
    assert!(session.cursor_us() > at);
}

#[test]
fn at_high_speed_nothing_is_held_and_only_what_decides_is_told() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    session.speed = crate::timeline::pace::speed_named("1").expect("a speed");
    director.look(&session, 0, &two_seconds);
    for frame in 0..100 {
        director.play(&mut session, FRAME_MS, frame * FRAME_MS, &two_seconds);
        assert_eq!(director.hold(), 0);
        assert!(frame < 60 || director.told().is_some_and(|told| told.rank == DECIDES));
    }
}

/// At full speed, where nothing but what decides is told, and in the middle of a run that has much to tell.
#[test]
fn what_the_viewer_asks_for_by_hand_is_told_before_all_else_and_so_is_its_end() {
    use crate::base::ClientId;
    use crate::client::Fact::{Answered, Called};
    use crate::wire::Request;
    for speed in ["1", "1/30"] {
        let (mut director, mut session) = (Director::default(), session("zk-tree"));
        session.seek(SimTime::from_ms(2_400)).expect("it is near");
        session.speed = crate::timeline::pace::speed_named(speed).expect("a speed");
        session.playing = true;
        play(&mut director, &mut session, 0, 20);
        let request = Request::GetChildren { path: "/".into(), watch: false, stat: false };
        let ask = Action::Ask { client: ClientId(1), request, watcher: None, local: false, on_old_connection: false };
        session.act(ask).expect("it is asked");
        let mut told = Vec::new();
        for frame in 20..500 {
            play(&mut director, &mut session, frame * FRAME_MS, 1);
            let now = director.told().filter(|told| told.rank == ASKED).map(|told| told.records().to_vec());
            if let Some(now) = now.filter(|now| told.last() != Some(now)) {
                told.push(now);
            }
        }
        let called = |record: &Record| matches!(record.fact, Fact::Client { fact: Called { .. }, .. });
        let answered = |record: &Record| matches!(record.fact, Fact::Client { fact: Answered { .. }, .. });
        let [.., end] = told.as_slice() else { panic!("{speed}: nothing is told") };
        assert!(answered(&end[0]) && called(&end[1]), "{speed}: {end:?}");
        assert!(told[..told.len() - 1].iter().all(|one| one.len() == 1 && called(&one[0])), "{speed}: {told:?}");
        // whoever comes to that moment again finds the same
        let at = end[0].at_us;
        session.seek(at).expect("it is near");
        assert_eq!(at_stop(&session).map(|told| told.records().to_vec()).as_ref(), Some(end), "{speed}");
    }
}

#[test]
fn facts_of_one_kind_within_a_hop_are_one_sentence() {
    let follows = |seq, at_ms: u64, server, leader| {
        let fact = zab::Fact::Elected { leader: ServerId(leader), role: zab::ServerState::Following, round: 1 };
        let fact = Fact::Zab { server: ServerId(server), fact };
        Rc::new(Record { seq, at_us: SimTime::from_ms(at_ms), fact, why: None })
    };
    let mut told = Told::fact(follows(1, 100, 1, 3), 4, &RunSummary::default());
    assert!(told.take_in(&follows(2, 110, 2, 3)));
    for other in [follows(3, 110, 4, 5), follows(4, 116, 4, 3), follows(5, 110, 1, 3)] {
        assert!(!told.take_in(&other), "{other:?}");
    }
    assert_eq!(told.records().len(), 2);
}

#[test]
fn a_rank_depends_on_what_the_scenario_is_about() {
    let committed = zab::Fact::Committed { zxid: Zxid::new(1, 1), acks: [ServerId(1)].into_iter().collect() };
    let fact = Fact::Zab { server: ServerId(1), fact: committed };
    let record = Record { seq: 0, at_us: SimTime::ZERO, fact, why: None };
    assert_eq!([rank(&record, scenario("rejoin-diff")), rank(&record, scenario("lock-herd"))], [4, 2]);
    assert_eq!(rank(&record, None), 4);
}

#[test]
fn eyes_are_led_while_time_runs_and_a_sentence_has_not_been_read() {
    let (mut director, mut session) = (Director::default(), session("leader-crash-under-load"));
    session.seek(SimTime::from_ms(1_390)).expect("it is near");
    director.look(&session, 0, &two_seconds);
    assert!(!director.leads() && director.stood_ms() == u64::MAX, "at a stop everything has come to its end");
    let mut frames = 0;
    while !director.leads() {
        play(&mut director, &mut session, frames * FRAME_MS, 1);
        frames += 1;
        assert!(frames < 300, "nothing is told");
    }
    play(&mut director, &mut session, frames * FRAME_MS, 10);
    assert_eq!(director.stood_ms(), 10 * FRAME_MS);
    session.playing = false;
    play(&mut director, &mut session, 90_000, 10);
    assert_eq!(director.stood_ms(), 10 * FRAME_MS, "a pause does not count");
    assert!(director.leads());
    session.step(1);
    director.look(&session, 99_000, &two_seconds);
    assert!(!director.leads(), "who steps by hand sees everything");
}

/// In the first one, two chapters begin within half a millisecond; in the second one, an idle stretch is skipped before the idea.
#[test]
fn time_does_not_reach_a_chapter_before_the_one_before_can_have_been_read() {
    for id in ["redis-pause", "elect-selector"] {
        let (mut director, mut session) = (Director::default(), session(id));
        session.open_scene().expect("it opens");
        while session.look_for_chapters(100_000) {}
        let (mut stood, mut now) = (vec![0; session.chapters().len()], 0);
        while session.ending().is_none() {
            director.play(&mut session, FRAME_MS, now, &two_seconds);
            stood[session.chapter().expect("it has opened")] += FRAME_MS;
            now += FRAME_MS;
            assert!(now < 600_000, "{id} never ends");
        }
        let last = stood.pop();
        assert!(stood.len() > 3 && stood.iter().all(|ms| *ms >= 2_000), "{id}: {stood:?}");
        // at the end a card lies on the stage
        assert!(last.is_some_and(|last| last >= 5_000), "{id}: {last:?}");
    }
}

/// Whoever goes to a chapter by its name has as long for it as who has watched all before it, however long he has looked at it at rest.
#[test]
fn a_chapter_that_was_gone_to_is_held_as_one_that_time_has_come_to() {
    for (id, chapter) in [("leader-serves-no", 2), ("zk-watch", 2), ("sql-failover", 2), ("use-master-worker", 2)] {
        let (mut director, mut session) = (Director::default(), session(id));
        session.open_scene().expect("it opens");
        while session.look_for_chapters(100_000) {}
        session.seek(session.chapters()[chapter].at).expect("it is near");
        session.playing = false;
        director.look(&session, 0, &two_seconds);
        let (told, from) = (director.told().cloned(), session.cursor_us());
        session.playing = true;
        let seen = play(&mut director, &mut session, 60_000, 120);
        let first = told.and_then(|told| told.seq());
        assert!(first.is_some() && seen.iter().all(|(seq, ..)| *seq == first), "{id}");
        let moved = session.cursor_us() - from;
        assert!(session.chapter() == Some(chapter) && moved <= 20_000.0, "{id}: {moved} µs");
        assert_eq!(director.waits(), Some(Waits::ToBeRead), "{id}");
        // then it goes on
        play(&mut director, &mut session, 62_000, 200);
        assert!(session.cursor_us() - from > moved, "{id}");
    }
}
