//! Diagrams to draw in tests.

use std::rc::Rc;

use crate::base::{RuleSet, SimTime};
use crate::sim::{Player, Record, Run};
use crate::soak::soak_run;
use crate::timeline::spacetime::Diagram;

/// The facts of a run.
pub(super) fn records(run: Run, until_ms: u64) -> Vec<Rc<Record>> {
    let mut player = Player::new(run).expect("a valid run");
    let mut all = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, records| all.extend_from_slice(records));
    all
}

/// The facts of a random run with faults and clients.
pub(super) fn random(seed: u64, until_ms: u64) -> Vec<Rc<Record>> {
    records(soak_run(3 + (seed % 3) as u8, seed, 1, RuleSet::default()), until_ms)
}

/// What they make.
pub(super) fn diagram_of(records: &[Rc<Record>]) -> Diagram {
    let mut diagram = Diagram::default();
    records.iter().for_each(|record| diagram.read(record));
    diagram
}
