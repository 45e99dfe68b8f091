//! A run played to a moment under the eyes of the checker.

use std::rc::Rc;

use zabscope::base::SimTime;
use zabscope::check::{Checker, Violation};
use zabscope::sim::{Player, Record, Run};

/// Where it stands then, all that happened on the way, and what was violated.
pub fn judged(run: Run, until: SimTime) -> (Player, Vec<Rc<Record>>, Vec<Violation>) {
    let mut checker = Checker::new(&run.setup);
    let (mut player, mut all) = (Player::new(run).expect("a valid run"), Vec::new());
    player.run_until(until, |_, records| {
        for record in records {
            checker.read(record);
        }
        all.extend(records.to_vec());
    });
    let violations = checker.violations().to_vec();
    (player, all, violations)
}

/// The names of what was violated.
pub fn properties(violations: &[Violation]) -> Vec<&'static str> {
    violations.iter().map(|violation| violation.property).collect()
}
