//! Two-phase commit and ZAB with the same write and the same fault: what the lesson says must be so in both runs, for any seed.

use std::rc::Rc;

use zabscope::base::SimTime;
use zabscope::check::Checker;
use zabscope::daemon::Judge;
use zabscope::rivals::commit::{Decision, What};
use zabscope::scenarios::beside::{BESIDE_MS, Fault, commit_beside_zab};
use zabscope::sim::{Fact as Any, Player, Record, Run, WorldFact};

use super::{Played, play};

/// When the answer comes to the write in the ensemble; facts are judged on the way.
fn zab(run: Run) -> (Option<u64>, usize) {
    let (mut checker, mut player) = (Checker::new(&run.setup), Player::new(run).expect("a valid run"));
    let mut answered = None;
    let mut logged = 0;
    player.run_until(SimTime::from_ms(BESIDE_MS), |_, records: &[Rc<Record>]| {
        for record in records {
            checker.read(record);
            match record.fact {
                Any::World(WorldFact::WriteAnswered { .. }) => answered = Some(record.at_us.as_ms()),
                Any::World(WorldFact::Applied { .. }) => logged += 1,
                _ => {}
            }
        }
    });
    assert!(checker.violations().is_empty());
    (answered, logged)
}

fn decided(played: &Played) -> Option<Decision> {
    played.told().find_map(|(_, what)| match what {
        What::Decided { decision, .. } => Some(*decision),
        _ => None,
    })
}

fn in_doubt(played: &Played) -> usize {
    played.told().filter(|(_, what)| matches!(what, What::InDoubt { .. })).count()
}

fn concluded(played: &Played, decision: Decision) -> usize {
    let is = |what: &What| matches!(what, What::Concluded { decision: other, .. } if *other == decision);
    played.told().filter(|(_, what)| is(what)).count()
}

fn both(fault: Fault, n: u8, seed: u64) -> (Played, (Option<u64>, usize)) {
    let beside = commit_beside_zab(fault, n, seed);
    let (played, zab) = (play(beside.commit, BESIDE_MS), zab(beside.zab));
    assert!(played.judge.breaches().is_empty() && played.judge.undecided().count() == 0, "{fault:?} {n} {seed}");
    (played, zab)
}

#[test]
fn the_same_fault_at_the_same_place_of_both() {
    for (n, seed) in [(3, 1), (3, 2), (3, 3), (5, 1), (5, 2)] {
        let (commit, (answered, _)) = both(Fault::None, n, seed);
        assert_eq!((decided(&commit), in_doubt(&commit)), (Some(Decision::Commit), 0));
        assert!(answered.is_some_and(|at| at < 3_200));

        // before the decision: all are blocked until the coordinator is back, and then abort; the ensemble elects
        let (commit, _) = both(Fault::BeforeDecision, n, seed);
        assert_eq!((in_doubt(&commit), concluded(&commit, Decision::Abort)), (n.into(), n.into()));

        // after it: blocked all the same, and then commit; the ensemble has answered, and keeps what it has answered
        let (commit, (answered, applied)) = both(Fault::AfterDecision, n, seed);
        assert_eq!((in_doubt(&commit), concluded(&commit, Decision::Commit)), (n.into(), n.into()));
        assert!(answered.is_some_and(|at| at < 3_200) && applied >= usize::from(n), "{applied}");

        // one of the others: nothing commits without it; the ensemble does not need it
        let (commit, (answered, _)) = both(Fault::OtherCrashes, n, seed);
        assert_eq!(decided(&commit), Some(Decision::Abort));
        assert!(answered.is_some_and(|at| at < 3_200));

        // cut off with its vote given: it is blocked until the cut heals
        let (commit, (answered, _)) = both(Fault::Cut, n, seed);
        assert_eq!((decided(&commit), in_doubt(&commit)), (Some(Decision::Abort), 1));
        assert!(answered.is_some_and(|at| at < 3_200));
    }
}
