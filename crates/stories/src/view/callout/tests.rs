//! What stands large at the ideas of scenarios: what their sentences name, at whom it happens.

use super::*;
use crate::scenarios::scenario;
use crate::timeline::Session;
use crate::view::Scene;

/// A scenario as the page opens it, with all its chapters known.
fn opened(id: &str) -> Session {
    let scenario = scenario(id).unwrap();
    let mut session = Session::new(scenario.run(), Some(scenario)).unwrap();
    session.open_scene().unwrap();
    while session.look_for_chapters(100_000) {}
    session
}

/// What stands large so long after a scenario's idea has begun, µs: at whom, and what, as it is written for programs.
fn at_idea(id: &str, later_us: Micros) -> Vec<(String, Said)> {
    let mut session = opened(id);
    let idea = session.chapters()[scenario(id).unwrap().scene().unwrap().idea].at;
    session.seek(idea.plus(later_us)).unwrap();
    let scene = Scene::of_session(&session);
    let whose = |node: Node| match node {
        Node::Server(id) => id.to_string(),
        Node::Client(id) => id.to_string(),
    };
    scene.callouts.into_iter().map(|callout| (whose(callout.at), callout.said)).collect()
}

/// Whether that stands there.
fn stands(id: &str, whose: &str, is: impl Fn(&Said) -> bool) {
    let all = at_idea(id, 200);
    assert!(all.iter().any(|(at, said)| at == whose && is(said)), "{id}: {all:?}");
}

#[test]
fn what_the_idea_of_an_ensemble_names_stands_at_its_server() {
    stands("oracle", "S1", |said| *said == Said::Oracle(true));
    stands("throttling", "S1", |said| matches!(said, Said::InProcess(4)));
    stands("read-only-mode", "S1", |said| *said == Said::ReadsOnly);
    stands("snap-too-slow", "S3", |said| *said == Said::QuorumWaitOver);
    stands("leader-serves-no", "S2", |said| matches!(said, Said::TurnedAway(_, TurnedAway::LeaderOnly)));
    stands("reconfig-grow", "S3", |said| matches!(said, Said::Majorities(_, (_, 3), (_, 5))));
    stands("reconfig-no-quorum", "S3", |said| matches!(said, Said::NoQuorum(there, 5) if there.len() == 2));
    stands("ask-the-servers", "S1", |said| matches!(said, Said::Line(_, line) if line.starts_with("Mode:")));
}

#[test]
fn what_a_client_has_heard_or_read_stands_at_it() {
    stands("local-sessions", "C1", |said| *said == Said::Upgraded);
    stands("elect-circuit-breaker", "C2", |said| *said == Said::CircuitOpen);
    stands("use-discovery", "C3", |said| matches!(said, Said::Hides(what) if what.contains("10.0.0.1")));
    stands("use-standby", "C2", |said| matches!(said, Said::Told("runs_from", about) if about.ends_with('6')));
    stands("use-delay-queue", "C2", |said| matches!(said, Said::Takes(item) if item == "alarm"));
    stands("quorum-leader", "C2", |said| matches!(said, Said::Read(_, data) if data == "1"));
}

#[test]
fn machines_of_other_systems_say_what_leaves_nothing_to_be_seen() {
    let remark = |id, whose, part: &'static str| {
        stands(id, whose, |said| matches!(said, Said::Remark([english, _]) if english.contains(part)));
    };
    remark("commit-one-no", "TC1", "ABORT");
    remark("redis-limit", "R1", "time is over");
    remark("redis-setnx-expire", "R1", "no time limit");
    remark("sql-deadlock", "D1", "→ C1");
    remark("sql-version", "C3", "expected version 0");
    remark("sql-clean-up-race", "D1", "C3 deletes");
    remark("sql-advisory", "C2", "connection ended");
    for candidate in ["G1", "G2"] {
        stands("generation-split-vote", candidate, |said| matches!(said, Said::Votes(who, 5) if who.len() < 3));
    }
}

#[test]
fn news_gives_way_when_things_go_on_and_is_one_at_each() {
    let (now, later) = (at_idea("redis-limit", 200), at_idea("redis-limit", 3_000_000));
    assert!(now.iter().any(|(whose, _)| whose == "R1") && later.iter().all(|one| !now.contains(one)), "{later:?}");
    for id in ["lock-herd", "cold-start-5", "quorum-stale-read", "use-cache"] {
        let mut whose: Vec<String> = at_idea(id, 200).into_iter().map(|(whose, _)| whose).collect();
        let count = whose.len();
        whose.sort();
        whose.dedup();
        assert_eq!(whose.len(), count, "{id}");
    }
}

#[test]
fn a_leader_that_leaves_office_says_which_epoch_is_over_and_why() {
    let leaves = |id, whose, why| {
        stands(id, whose, |said| matches!(said, Said::LeftOffice(1, reason) if *reason == why));
    };
    leaves("minority-partition", "S5", LeaveReason::NoQuorum);
    leaves("counter-rollover", "S3", LeaveReason::CounterUsedUp);
    leaves("disk-full", "S3", LeaveReason::DiskFailed);
    stands(
        "generation-cut-off",
        "G1",
        |said| matches!(said, Said::Remark([english, _]) if english.contains("steps down")),
    );
}

#[test]
fn how_a_learner_is_brought_up_to_date_is_said_as_long_as_it_is() {
    stands("rejoin-diff", "S1", |said| matches!(said, Said::Sync(SyncKind::Diff, _, 4)));
    stands("rejoin-snap", "S1", |said| matches!(said, Said::Sync(SyncKind::Snap, ..)));
    for id in ["observer", "cold-start-3", "snap-too-slow"] {
        let all = at_idea(id, 200);
        assert!(all.iter().all(|(_, said)| !matches!(said, Said::Sync(..))), "{id}: {all:?}");
    }
}

#[test]
fn a_silence_that_was_too_long_is_shown_as_such_and_a_clock_that_was_set() {
    stands("zab-heartbeat", "S1", |said| *said == Said::Dropped);
    stands("clock-skew", "S3", |said| *said == Said::ClockAhead(60_000));
    assert!(at_idea("leader-power-off", 200).iter().any(|(_, said)| *said == Said::Silence));
}

/// At a client that is dead nothing is heard any more, and at no machine is said more than one thing.
#[test]
fn in_no_chapter_is_something_said_of_the_dead_or_twice() {
    for id in ["elect-latch", "elect-worker", "elect-naive", "lock-kazoo", "use-group-member", "use-persistent-node"]
    {
        let mut session = opened(id);
        for mark in session.chapters().to_vec() {
            for later_us in [200, 60_000] {
                session.seek(mark.at.plus(later_us)).unwrap();
                let callouts = Scene::of_session(&session).callouts;
                for (place, callout) in callouts.iter().enumerate() {
                    assert!(is_there(session.world(), callout.at), "{id}, {}: {callout:?}", mark.index);
                    assert!(callouts[place + 1..].iter().all(|other| other.at != callout.at), "{id}: {callouts:?}");
                    if let Said::Copy(all) = &callout.said {
                        let names: std::collections::BTreeSet<_> = all.iter().map(|(_, name)| name).collect();
                        assert_eq!(names.len(), all.len(), "{id}: {all:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_decision_is_said_until_the_next_transaction_begins() {
    for id in ["commit-all-yes", "commit-one-no", "commit-majority"] {
        let (mut session, mut open, mut seen) = (opened(id), false, false);
        while session.step(1) > 0 && session.world().now < SimTime::from_ms(scenario(id).unwrap().until_ms) {
            for record in session.world().last_facts() {
                if let Fact::Other { fact, .. } = &record.fact {
                    open = (open || fact.name == "commit_began") && fact.name != "commit_decided";
                }
            }
            let commits = |callout: &Callout| matches!(&callout.said, Said::Remark([words, _]) if words == "COMMIT");
            let said = Scene::of_session(&session).callouts.iter().any(commits);
            assert!(!(open && said), "{id} at {}", session.world().now);
            seen |= said;
        }
        assert!(seen, "{id}");
    }
}

#[test]
fn what_was_refused_in_a_term_is_over_with_it() {
    let mut session = opened("generation-old-entry");
    let idea = session.chapters()[scenario("generation-old-entry").unwrap().scene().unwrap().idea].at;
    session.seek(idea.plus(200)).unwrap();
    let refused = |callout: &Callout| matches!(&callout.said, Said::Remark([words, _]) if words.contains("no vote"));
    assert!(!Scene::of_session(&session).callouts.iter().any(refused));
}

/// Whether that stands at somebody at some moment of a chapter.
fn comes(id: &str, index: usize, whose: &str, is: impl Fn(&Said) -> bool) {
    let mut session = opened(id);
    let marks: Vec<SimTime> = session.chapters().iter().map(|mark| mark.at).collect();
    let ends = marks.get(index + 1).copied().unwrap_or(SimTime::from_ms(scenario(id).unwrap().until_ms));
    session.seek(marks[index].plus(200)).unwrap();
    let mut all: Vec<String> = Vec::new();
    while session.world().now < ends {
        for Callout { at, said, .. } in Scene::of_session(&session).callouts {
            let at = at.server().map_or_else(|| at.client().unwrap().to_string(), |id| id.to_string());
            if at == whose && is(&said) {
                return;
            }
            all.push(format!("{at}: {said:?}"));
        }
        if session.step(1) == 0 {
            break;
        }
    }
    all.dedup();
    panic!("{id}, chapter {index}: {all:?}");
}

#[test]
fn a_reader_says_what_it_read_together_and_what_it_missed() {
    let read = vec![("x".to_string(), 30), ("y".to_string(), 10)];
    stands("commit-half-seen", "C2", |said| *said == Said::ReadTogether(read.clone()));
    let missed = |said: &Said, has: usize| matches!(said, Said::Missed { read, newest, at } if read == "x = 1" && newest == "2" && at.len() == has);
    stands("quorum-sloppy", "C2", |said| missed(said, 2));
    stands("quorum-r1", "C2", |said| missed(said, 2));
    // whoever reads the newest value misses nothing
    let all = at_idea("quorum-write-back", 200);
    assert!(all.iter().all(|(_, said)| !matches!(said, Said::Missed { .. })), "{all:?}");
}

#[test]
fn whoever_counts_for_one_of_two_majorities_says_for_which() {
    for new in ["S4", "S5"] {
        stands("reconfig-grow", new, |said| *said == Said::OfOne(true));
    }
    for settled in ["observer", "cold-start-5", "leader-crash-under-load"] {
        let all = at_idea(settled, 200);
        assert!(all.iter().all(|(_, said)| !matches!(said, Said::OfOne(_))), "{settled}: {all:?}");
    }
}

#[test]
fn a_watch_stands_at_the_server_that_keeps_it_and_a_multi_says_all_its_steps() {
    let kept = at_idea("zk-cli", 200);
    let client = |said: &Said| matches!(said, Said::KeepsWatch(ClientId(1), path) if path.starts_with('/'));
    assert!(kept.iter().any(|(whose, said)| whose.starts_with('S') && client(said)), "{kept:?}");
    let steps = ["−worker-0".to_string(), "−app".to_string()];
    comes("zk-cli", 6, "C1", |said| matches!(said, Said::OneTransaction(all) if *all == steps));
}

#[test]
fn a_token_that_is_too_old_is_refused_at_the_resource_with_both() {
    comes(
        "redis-fencing",
        5,
        "R2",
        |said| matches!(said, Said::Remark([english, chinese]) if english == "refuses C1: token 1 < 2" && chinese.contains("1 < 2")),
    );
    comes(
        "redis-getset",
        3,
        "R1",
        |said| matches!(said, Said::Remark([english, _]) if english.starts_with("C3 puts 0.") && english.contains(", gets 0.")),
    );
    stands("redis-getset", "C2", |said| matches!(said, Said::Remark([words, _]) if words.contains("its own: 0.")));
    comes(
        "quorum-sloppy",
        1,
        "N4",
        |said| matches!(said, Said::Remark([words, _]) if words.starts_with("keeps x = 2 for N")),
    );
    stands(
        "generation-cut-off",
        "G1",
        |said| matches!(said, Said::Remark([words, _]) if words.contains("steps down")),
    );
}
