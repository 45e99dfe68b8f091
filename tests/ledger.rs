//! The ledger at moments of shipped scenarios.

use zabscope::base::{ServerId, SimTime, Zxid};
use zabscope::scenarios::scenario;
use zabscope::sim::{Action, Known, Ledger, Player, Run, Settled};

/// The ledger of a scenario at a moment, and what was committed until then.
fn at(id: &str, ms: u64) -> (Ledger, Vec<Settled>) {
    play(scenario(id).unwrap().run(), ms)
}

fn play(run: Run, ms: u64) -> (Ledger, Vec<Settled>) {
    let mut player = Player::new(run).unwrap();
    let (mut ledger, mut settled) = (Ledger::default(), Vec::new());
    player.run_until(SimTime::from_ms(ms), |_, records| {
        settled.extend(records.iter().flat_map(|record| ledger.read(record)));
    });
    (ledger, settled)
}

fn z(counter: u32) -> Zxid {
    Zxid::new(1, counter)
}

#[test]
fn a_crash_takes_knowledge_and_a_restart_invents_none() {
    let s3 = ServerId(3);
    let known = |ms| [1, 2, 3].map(|counter| at("rejoin-trunc", ms).0.known(s3, z(counter)));
    assert_eq!(known(1_540), [Known::Committed, Known::Committed, Known::Not], "1:3 waits for a quorum");
    assert_eq!(known(1_600), [Known::Before, Known::Before, Known::Open], "S3 is down");
    assert_eq!(known(3_700), [Known::Not, Known::Not, Known::Open], "S3 is back, and has heard nothing");
    assert_eq!(known(3_790)[..2], [Known::Not; 2], "UPTODATE has not come");
    assert_eq!(known(3_900)[..2], [Known::Committed; 2]);
}

#[test]
fn what_a_new_leaders_history_has_is_committed_with_it() {
    let mut run = scenario("uncommitted-kept").unwrap().run();
    for (crash_ms, committed_by_s3) in [(1_530, false), (1_560, true)] {
        let crash = run.actions.iter_mut().find(|timed| matches!(timed.action, Action::Crash { .. })).unwrap();
        crash.at_us = SimTime::from_ms(crash_ms);
        let (ledger, settled) = play(run.clone(), 2_600);
        assert_eq!(ledger.known(ServerId(1), z(3)), Known::Open, "nobody alive knows");
        assert_eq!(settled.len(), 2 + usize::from(committed_by_s3));
        let (ledger, settled) = play(run.clone(), 6_000);
        assert_eq!(ledger.kept_by(z(3)), Some(2));
        let kept = settled.iter().find(|one| one.zxid == z(3)).unwrap().kept_by;
        assert_eq!(kept, if committed_by_s3 { None } else { Some(2) });
        assert_eq!(settled.len() as u64, ledger.committed());
        assert_eq!(ledger.known(ServerId(1), z(3)), Known::Committed);
    }
    let (_, settled) = at("uncommitted-kept", 6_000);
    assert!(settled.windows(2).all(|two| two[0].zxid < two[1].zxid), "{settled:?}");
}

#[test]
fn what_was_cut_everywhere_is_never_committed() {
    let (ledger, settled) = at("rejoin-trunc", 6_000);
    assert!(settled.iter().all(|one| one.zxid != z(3)));
    assert_eq!(ledger.last_committed(), Zxid::new(2, 2));
}
