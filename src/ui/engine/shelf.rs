//! Runs that were left for another one: the newest few are kept as they were, and can be gone back to. Nothing that somebody
//! did goes without a way back.

use std::rc::Rc;

use crate::base::SimTime;
use crate::draw::gallery::Still;
use crate::scenarios::Scenario;
use crate::sim::Run;
use crate::timeline::Session;

use crate::ui::engine::{Against, Engine};

/// How many runs are kept; each may take some megabytes.
const KEPT: usize = 3;

/// A run that was left, and what stood beside it.
pub(super) struct Left {
    number: u64,
    session: Session,
    beside: Option<(Session, Option<Against>)>,
    given: Vec<(String, String)>,
}

/// What is told of a run that was left.
#[derive(Clone, PartialEq)]
pub(in crate::ui) struct ShelvedRun {
    /// For [`Engine::back_to`].
    pub number: u64,
    /// Where it came from; none for a run of one's own.
    pub scenario: Option<&'static str>,
    /// Where its viewer was.
    pub at: SimTime,
    /// How many of its actions its viewer made.
    pub changes: usize,
}

/// Whether nothing would be missed: its viewer has neither gone on nor done anything.
fn is_fresh(session: &Session) -> bool {
    session.events() == 0 && changes(session) == 0
}

fn changes(session: &Session) -> usize {
    session.own().into_iter().filter(|own| *own).count()
}

impl Engine {
    /// Puts something else on the stage; the run that was there is kept if that could be done.
    pub fn leaving<T, E>(&self, work: impl FnOnce(&Engine) -> Result<T, E>) -> Result<T, E> {
        let left = self.taken();
        let done = work(self)?;
        self.keep(left);
        Ok(done)
    }

    fn taken(&self) -> Left {
        let beside = self.twin().map(|twin| (twin.session().clone(), self.against()));
        Left { number: 0, session: self.session().clone(), beside, given: self.given() }
    }

    fn keep(&self, mut left: Left) {
        if is_fresh(&left.session) {
            return;
        }
        left.session.shelve();
        left.beside.iter_mut().for_each(|(session, _)| session.shelve());
        let mut all = self.0.left.borrow_mut();
        left.number = all.last().map_or(1, |last| last.number + 1);
        // of the same run only where its viewer was last
        let same = |other: &Left| {
            let run = |session: &Session| -> Rc<Run> { session.player().run().clone() };
            run(&other.session) == run(&left.session) && other.beside.is_some() == left.beside.is_some()
        };
        all.retain(|other| !same(other));
        all.push(left);
        let beyond = all.len().saturating_sub(KEPT);
        all.drain(..beyond);
    }

    /// The runs that were left, the newest first.
    pub fn left(&self) -> Vec<ShelvedRun> {
        let told = |left: &Left| ShelvedRun {
            number: left.number,
            scenario: left.session.scenario().map(|scenario: &Scenario| scenario.id),
            at: SimTime(left.session.cursor_us() as u64),
            changes: changes(&left.session),
        };
        self.0.left.borrow().iter().rev().map(told).collect()
    }

    /// What stood on the stage when a run was left, on a stage of this size.
    pub fn still_of_left(&self, number: u64, size: (f64, f64)) -> Option<Still> {
        let all = self.0.left.borrow();
        all.iter().find(|left| left.number == number).map(|left| Still::of(&left.session, size))
    }

    /// Puts a run back on the stage that was left, at the moment where it was left, standing still; the one that is there is kept.
    pub fn back_to(&self, number: u64) {
        let found = {
            let mut all = self.0.left.borrow_mut();
            all.iter().position(|left| left.number == number).map(|place| all.remove(place))
        };
        let Some(mut back) = found else { return };
        let left = self.taken();
        self.only_left();
        Session::stand_in(&mut self.0.session.borrow_mut(), &mut back.session);
        *self.0.given.borrow_mut() = back.given;
        if let Some((session, against)) = back.beside {
            self.stand_beside(session, against);
        }
        self.change(|session| session.playing = false);
        self.keep(left);
        self.tell();
    }
}
