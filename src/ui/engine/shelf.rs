//! Runs that were left for another one: the newest few are kept as they were, and can be gone back to. Nothing that somebody
//! did goes without a way back.

use crate::base::SimTime;
use crate::scenarios::Scenario;
use crate::timeline::{Pair, Session};

/// How many are kept; each may take some megabytes.
const KEPT: usize = 3;

/// What is told of a run that was left.
#[derive(Clone, PartialEq)]
pub(in crate::ui) struct ShelvedRun {
    /// For [`crate::ui::engine::Engine::back_to`].
    pub number: u64,
    /// Where it came from; none for a run of one's own.
    pub scenario: Option<&'static str>,
    /// Where its viewer was.
    pub at: SimTime,
    /// How many of its actions its viewer made.
    pub changes: usize,
}

fn changes(session: &Session) -> usize {
    session.own().into_iter().filter(|own| *own).count()
}

/// Runs that were left, with what stood beside them, by number; the newest last.
#[derive(Default)]
pub(super) struct Shelf(Vec<(u64, Pair)>);

impl Shelf {
    /// Keeps a run, unless nothing would be missed: its viewer has neither gone on nor done anything, or it is a lesson's.
    pub(super) fn keep(&mut self, mut pair: Pair) {
        if pair.left().is_untouched() || pair.left().horizon().is_some() {
            return;
        }
        pair.shelve();
        let number = self.0.last().map_or(1, |(last, _)| last + 1);
        // of the same run only where its viewer was last
        let run = |pair: &Pair| pair.left().player().run().clone();
        let same = |other: &Pair| run(other) == run(&pair) && other.right().is_some() == pair.right().is_some();
        self.0.retain(|(_, other)| !same(other));
        self.0.push((number, pair));
        self.0.drain(..self.0.len().saturating_sub(KEPT));
    }

    /// All of them, the newest first.
    pub(super) fn all(&self) -> Vec<ShelvedRun> {
        let told = |(number, pair): &(u64, Pair)| ShelvedRun {
            number: *number,
            scenario: pair.left().scenario().map(|scenario: &Scenario| scenario.id),
            at: SimTime(pair.left().cursor_us() as u64),
            changes: changes(pair.left()),
        };
        self.0.iter().rev().map(told).collect()
    }

    pub(super) fn find(&self, number: u64) -> Option<&Pair> {
        self.0.iter().find(|(other, _)| *other == number).map(|(_, pair)| pair)
    }

    /// Takes one off.
    pub(super) fn take(&mut self, number: u64) -> Option<Pair> {
        let place = self.0.iter().position(|(other, _)| *other == number)?;
        Some(self.0.remove(place).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::scenarios::scenario;
    use crate::sim::Action;
    use crate::timeline::Variation;

    fn run(seed: u64, at_ms: u64) -> Pair {
        let mut run = scenario("cold-start-3").unwrap().run();
        run.seed = seed;
        let mut session = Session::new(run, scenario("cold-start-3")).unwrap();
        session.seek(SimTime::from_ms(at_ms)).unwrap();
        Pair::alone(session)
    }

    fn numbers(shelf: &Shelf) -> Vec<u64> {
        shelf.all().iter().map(|run| run.number).collect()
    }

    #[test]
    fn the_newest_few_are_kept_of_each_run_only_the_last_moment() {
        let mut shelf = Shelf::default();
        shelf.keep(Pair::alone(Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap()));
        assert!(numbers(&shelf).is_empty(), "nothing has happened");
        for seed in 1..=4 {
            shelf.keep(run(seed, 500));
        }
        assert_eq!(numbers(&shelf), [4, 3, 2]);
        shelf.keep(run(3, 900));
        assert_eq!(numbers(&shelf), [5, 4, 2]);
        assert_eq!(shelf.all()[0].at, SimTime::from_ms(900));
        let mut both = run(3, 900);
        both.vary(Variation::Seed(8)).unwrap();
        shelf.keep(both);
        assert_eq!(numbers(&shelf), [6, 5, 4], "with another run beside it, it is something else");
        assert!(shelf.find(6).unwrap().right().is_some() && shelf.take(2).is_none());
    }

    #[test]
    fn what_is_taken_off_is_as_it_was_left() {
        let mut shelf = Shelf::default();
        let mut left = run(1, 700);
        left.act(Action::Crash { server: ServerId(2) }).unwrap();
        let digest = left.left().player().digest();
        shelf.keep(left);
        assert_eq!(shelf.all()[0].changes, 1);
        let mut back = shelf.take(1).unwrap();
        assert!(numbers(&shelf).is_empty());
        assert_eq!(back.left().player().digest(), digest);
        assert!(back.both(&Session::undo));
    }
}
