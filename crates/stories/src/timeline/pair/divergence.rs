//! Where two runs part: the first fact that is not the same in both. Both are played once more, step by step, beside the stage
//! and as far as the viewer has got.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::SimTime;
use crate::sim::{Fact, Record, Run, World, WorldFact};

/// The first difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first moment at which the facts differ, in virtual time.
    pub at: SimTime,
    /// What happens then on the left and on the right; none where nothing does.
    pub facts: [Option<Rc<Record>>; 2],
}

/// What is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Up to this moment every fact is the same.
    Same(SimTime),
    /// They have parted.
    Divergence(Box<Difference>),
}

/// Two runs on their way.
#[derive(Clone, Debug)]
pub(super) struct Divergence {
    worlds: [World; 2],
    /// Facts that the other side has not stated yet.
    waiting: [VecDeque<Rc<Record>>; 2],
    standing: Standing,
    /// How far they have been asked for.
    until: SimTime,
}

impl Divergence {
    /// Two runs at their beginning. Both must be valid.
    pub(super) fn new(runs: [&Rc<Run>; 2]) -> Divergence {
        Divergence {
            worlds: runs.map(|run| World::new(Rc::clone(run))),
            waiting: Default::default(),
            standing: Standing::Same(SimTime::ZERO),
            until: SimTime::ZERO,
        }
    }

    /// What is known so far.
    pub(super) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Plays both as far as this moment, in so many steps at most; whether more is known than before. Where something was
    /// changed in what has been played already, all is played again.
    pub(super) fn go_on(&mut self, runs: [&Rc<Run>; 2], until: SimTime, steps: usize) -> bool {
        let before = self.standing.clone();
        if !self.take_up(runs) {
            *self = Divergence { until: self.until, ..Divergence::new(runs) };
        }
        // the viewer may have gone back: what has been stated counts all the same
        self.until = self.until.max(until);
        let until = self.until;
        for _ in 0..steps {
            if matches!(self.standing, Standing::Divergence(_)) || !self.step(until) {
                break;
            }
        }
        self.standing != before
    }

    /// Goes on with these runs where they are the same as far as they have been played.
    fn take_up(&mut self, runs: [&Rc<Run>; 2]) -> bool {
        for (world, run) in self.worlds.iter_mut().zip(runs) {
            if Rc::ptr_eq(world.run(), run) {
                continue;
            }
            let (old, done) = (world.run(), world.done());
            let same =
                old.seed == run.seed && old.setup == run.setup && old.actions.get(..done) == run.actions.get(..done);
            // what is new must lie ahead
            let ahead = |run: &Run| run.actions.get(done).is_none_or(|next| next.at_us >= world.now);
            if !same || !ahead(old) || !ahead(run) {
                return false;
            }
            world.go_on_with(run.clone());
        }
        true
    }

    /// Takes the earlier of the next steps; false where none is due.
    fn step(&mut self, until: SimTime) -> bool {
        let next = [0, 1].map(|side| self.worlds[side].next_at().filter(|at| *at <= until));
        let side = match next {
            [None, None] => {
                self.standing = Standing::Same(until);
                self.judge([None, None]);
                return false;
            }
            [Some(left), Some(right)] => usize::from(right < left),
            [Some(_), None] => 0,
            [None, Some(_)] => 1,
        };
        if let Some(records) = self.worlds[side].step() {
            // that they begin with other settings is known; where they part by that is not
            let facts = records.iter().filter(|record| !matches!(record.fact, Fact::World(WorldFact::Began { .. })));
            self.waiting[side].extend(facts.cloned());
        }
        let now = self.worlds[side].now;
        self.standing = Standing::Same(now);
        self.judge([0, 1].map(|side| self.worlds[side].next_at().filter(|at| *at <= until)));
        true
    }

    /// Compares what both have stated. What one has stated and the other cannot state any more is a difference.
    fn judge(&mut self, next: [Option<SimTime>; 2]) {
        loop {
            let [left, right] = &mut self.waiting;
            let facts = match (left.front(), right.front()) {
                (Some(a), Some(b)) if (a.at_us, &a.fact, a.why) == (b.at_us, &b.fact, b.why) => {
                    left.pop_front();
                    right.pop_front();
                    continue;
                }
                (Some(a), Some(b)) => {
                    let at = a.at_us.min(b.at_us);
                    [a, b].map(|record| Some(record.clone()).filter(|record| record.at_us == at))
                }
                (Some(a), None) if next[1].is_none_or(|next| next > a.at_us) => [Some(a.clone()), None],
                (None, Some(b)) if next[0].is_none_or(|next| next > b.at_us) => [None, Some(b.clone())],
                _ => return,
            };
            let at = facts.iter().flatten().map(|record| record.at_us).min().unwrap_or_default();
            self.standing = Standing::Divergence(Box::new(Difference { at, facts }));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::scenarios::{SCENARIOS, scenario};
    use crate::sim::{Action, Player};
    use crate::timeline::Variation;

    fn facts(run: &Rc<Run>, until: SimTime) -> Vec<Rc<Record>> {
        let mut player = Player::new(Run::clone(run)).unwrap();
        let mut all = Vec::new();
        player.run_until(until, |_, records| all.extend_from_slice(records));
        all
    }

    /// The first difference by comparing two complete lists.
    fn by_hand(runs: [&Rc<Run>; 2], until: SimTime) -> Option<SimTime> {
        // the first fact is the setup itself
        let [left, right] = runs.map(|run| facts(run, until).split_off(1));
        let same = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
        [left.get(same), right.get(same)].into_iter().flatten().map(|record| record.at_us).min()
    }

    fn found(runs: [&Rc<Run>; 2], until: SimTime) -> Option<SimTime> {
        let mut apart = Divergence::new(runs);
        while apart.go_on(runs, until, 700) {}
        match apart.standing() {
            Standing::Same(at) => {
                assert_eq!(*at, until);
                None
            }
            Standing::Divergence(difference) => {
                assert!(difference.facts.iter().any(Option::is_some));
                assert_ne!(difference.facts[0], difference.facts[1]);
                Some(difference.at)
            }
        }
    }

    #[test]
    fn it_is_where_two_complete_lists_of_facts_first_differ() {
        let until = SimTime::from_ms(2_500);
        for one in SCENARIOS.iter().step_by(3) {
            let run = Rc::new(one.run());
            assert_eq!(found([&run, &run], until), None, "{}", one.id);
            let mut crash = one.run();
            crash.push(SimTime::from_ms(900), Action::Crash { server: ServerId(1) });
            let variations = [Variation::Seed(77), Variation::Tick(300)];
            let varied = variations.iter().map(|variation| variation.apply(&run).unwrap());
            for other in varied.chain([crash]).map(Rc::new) {
                let pair = [&run, &other];
                assert_eq!(found(pair, until), by_hand(pair, until), "{}", one.id);
            }
        }
    }

    #[test]
    fn what_is_done_later_on_both_sides_goes_on_and_what_is_done_earlier_begins_anew() {
        let run = Rc::new(scenario("leader-crash-under-load").unwrap().run());
        let mut apart = Divergence::new([&run, &run]);
        let until = SimTime::from_ms(1_200);
        while apart.go_on([&run, &run], until, 1_000) {}
        let with = |at_ms: u64| {
            let mut run = Run::clone(&run);
            run.push(SimTime::from_ms(at_ms), Action::Pause { server: ServerId(2) });
            Rc::new(run)
        };
        let later = with(1_300);
        assert!(!apart.go_on([&later, &later], until, 1_000), "nothing new up to there");
        let until = SimTime::from_ms(2_000);
        while apart.go_on([&later, &run], until, 1_000) {}
        assert_eq!(by_hand([&later, &run], until), Some(SimTime::from_ms(1_300)));
        let Standing::Divergence(found) = apart.standing() else { panic!("they part") };
        assert_eq!(found.at, SimTime::from_ms(1_300));
        // an action in what was played
        let earlier = with(700);
        while apart.go_on([&earlier, &run], until, 1_000) {}
        let Standing::Divergence(found) = apart.standing() else { panic!("they part") };
        assert_eq!(found.at, SimTime::from_ms(700));
        // and taken away again
        while apart.go_on([&run, &run], until, 1_000) {}
        assert_eq!(apart.standing(), &Standing::Same(until));
    }
}
