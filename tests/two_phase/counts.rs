//! Messages and forced writes of one transaction: `shared/reference/rivals.md` 3.1, for 1 to 7 participants.

use zabscope::rivals::commit::{Commit, Decision, Presumption, Vote, What};
use zabscope::sim::Action;

use super::{Played, id, line, play, run};

/// One transaction with n participants, undisturbed unless something is done at 490 ms.
fn one(n: u8, presumes: Presumption, work: &str, done: Option<Action>) -> Played {
    let mut run = run(1, Commit { participants: n, presumes, ..Commit::default() });
    for (ms, action) in done.into_iter().map(|action| (490, action)).chain([(500, line("C1", work))]) {
        run.push(zabscope::base::SimTime::from_ms(ms), action);
    }
    play(run, 3_000)
}

fn decision(played: &Played) -> Decision {
    let decided = played.told().find_map(|(_, what)| match what {
        What::Decided { decision, .. } => Some(*decision),
        _ => None,
    });
    decided.expect("it is decided")
}

#[test]
fn a_commit_costs_what_the_table_says() {
    for n in 1..=7_usize {
        for (presumes, messages, forced) in [
            (Presumption::Nothing, 4 * n, 2 * n + 1),
            (Presumption::Abort, 4 * n, 2 * n + 1),
            (Presumption::Commit, 3 * n, n + 2),
        ] {
            let played = one(n as u8, presumes, "x=1", None);
            assert_eq!(decision(&played), Decision::Commit);
            assert_eq!((played.messages(), played.forced()), (messages, forced), "{n} {presumes:?}");
        }
    }
}

/// The last one votes no: it is told nothing more, and has prepared nothing.
#[test]
fn an_abort_by_one_no_costs_what_the_table_says() {
    for n in 1..=7_usize {
        let work = format!("x=1 P{n}:y-=1");
        for (presumes, messages, forced, [most_messages, most_forced]) in [
            // ABORT at the coordinator only where somebody is to acknowledge it
            (Presumption::Nothing, 4 * n - 2, 2 * n - usize::from(n == 1), [4 * n, 2 * n + 1]),
            (Presumption::Abort, 3 * n - 1, n - 1, [3 * n, n]),
            (Presumption::Commit, 4 * n - 2, 2 * n + 1 - usize::from(n == 1), [4 * n, 2 * n + 2]),
        ] {
            let played = one(n as u8, presumes, &work, None);
            assert_eq!(decision(&played), Decision::Abort);
            assert!(messages <= most_messages && forced <= most_forced);
            assert_eq!((played.messages(), played.forced()), (messages, forced), "{n} {presumes:?}");
        }
    }
}

/// One is paused before PREPARE comes, and does not vote: the others have prepared, and the decision waits for it.
#[test]
fn an_abort_by_time_out_costs_what_the_table_says() {
    for n in 2..=7_usize {
        for (presumes, messages, forced) in [
            (Presumption::Nothing, 4 * n - 2, 2 * n - 1),
            (Presumption::Abort, 3 * n - 1, n - 1),
            (Presumption::Commit, 4 * n - 2, 2 * n),
        ] {
            let pause = Action::Pause { server: id("P1") };
            let mut run = run(1, Commit { participants: n as u8, presumes, resend_ms: 60_000, ..Commit::default() });
            run.push(zabscope::base::SimTime::from_ms(490), pause);
            run.push(zabscope::base::SimTime::from_ms(500), line("C1", "x=1"));
            let played = play(run, 4_000);
            assert_eq!(decision(&played), Decision::Abort);
            assert_eq!((played.messages(), played.forced()), (messages, forced), "{n} {presumes:?}");
        }
    }
}

#[test]
fn who_only_reads_forces_nothing_and_leaves_after_two_messages() {
    for n in 2..=7_usize {
        let work: Vec<String> = (1..=n).map(|p| if p == 1 { "P1:x?".into() } else { format!("P{p}:x=1") }).collect();
        let played = one(n as u8, Presumption::Abort, &work.join(" "), None);
        assert_eq!((played.messages(), played.forced()), (4 * n - 2, 2 * (n - 1) + 1), "{n}");
        let read = played
            .told()
            .any(|(id, what)| id == super::id("P1") && matches!(what, What::Voted { vote: Vote::Read, .. }));
        assert!(read);
        let all = one(n as u8, Presumption::Abort, "x?", None);
        assert_eq!(
            (decision(&all), all.messages(), all.forced()),
            (Decision::Commit, 2 * n, 0),
            "{n}: nobody has a record"
        );
    }
}

/// Two delays and two forced writes one after the other: with links of 15 ms, disks of 8 ms and no time between two packets.
#[test]
fn the_client_waits_for_two_delays_and_two_forced_writes() {
    use zabscope::base::SimTime;
    use zabscope::sim::{Fact, LatencyRange, WorldFact};
    let mut run = run(1, Commit::default());
    run.setup.latency = LatencyRange::ms(15, 15);
    run.setup.disk_sync = LatencyRange::ms(8, 8);
    run.setup.transmit_us = 0;
    // the connections are there
    run.push(SimTime::from_ms(100), line("C1", "x=1"));
    run.push(SimTime::from_ms(500), line("C1", "x=2"));
    let played = play(run, 2_000);
    let at = |name: &str, sent: bool| {
        let found = played.facts.iter().filter_map(|record| match &record.fact {
            Fact::World(WorldFact::Sent { message, .. }) if sent && message.name() == name => Some(record.at_us.0),
            Fact::World(WorldFact::Delivered { name: other, .. }) if !sent && *other == name => Some(record.at_us.0),
            _ => None,
        });
        found.filter(|at| *at > 500_000).min().expect("it is sent")
    };
    assert_eq!(at("COMMITTED", true) - at("PREPARE", true), 2 * 15_000 + 2 * 8_000);
    assert_eq!(
        at("COMMIT", false) - at("YES", false),
        8_000 + 15_000,
        "locks are held one delay and one force longer"
    );
}

mod beside {
    //! The same write in an ensemble: `shared/reference/rivals.md` 3.3.

    use zabscope::base::SimTime;
    use zabscope::scenarios::beside::{BESIDE_MS, Cost, Fault, commit_beside_zab};
    use zabscope::sim::{LatencyRange, Player, Run};

    fn cost(run: Run) -> Cost {
        let (mut cost, mut player) = (Cost::default(), Player::new(run).expect("a valid run"));
        player
            .run_until(SimTime::from_ms(BESIDE_MS), |_, records| records.iter().for_each(|record| cost.read(record)));
        cost
    }

    #[test]
    fn one_write_costs_what_the_table_says() {
        for n in 1..=7 {
            let mut beside = commit_beside_zab(Fault::None, n, 1);
            for run in [&mut beside.commit, &mut beside.zab] {
                run.setup.latency = LatencyRange::ms(15, 15);
                run.setup.disk_sync = LatencyRange::ms(8, 8);
                run.setup.transmit_us = 0;
            }
            let (commit, zab, n) = (cost(beside.commit), cost(beside.zab), u64::from(n));
            assert_eq!((commit.messages, commit.forced), (4 * n, 2 * n + 1), "{n} participants");
            assert_eq!((zab.messages, zab.forced), (3 * (n - 1), n), "{n} voters");
            assert_eq!(commit.answered_us, Some(2 * 15_000 + 2 * 8_000), "two delays, two forced writes");
            // a leader alone waits for its own disk only
            let delays = if n == 1 { 0 } else { 2 };
            assert_eq!(zab.answered_us, Some(delays * 15_000 + 8_000), "{n}: two delays, one forced write");
        }
    }
}
