//! Two runs with one clock: which run stands beside the first, and where the two part.

use std::rc::Rc;

use crate::base::SimTime;
use crate::scenarios::Scenario;
use crate::sim::{Run, RunError};
use crate::timeline::Session;
use crate::view::comparison::{Divergence, Standing, Variation};

use super::Engine;

/// How many steps of both runs are compared in one frame: about as long as the frame itself takes.
const STEPS_A_FRAME: usize = 400;

/// What the run beside the first one is.
#[derive(Clone, Debug)]
pub(in crate::ui) enum Against {
    /// Another scenario.
    Scenario(&'static Scenario),
    /// The same run with one thing changed.
    Varied(Variation),
    /// A run from elsewhere, with its name: a file, a link, another future.
    Named(String),
}

/// What is known of a pair.
#[derive(Default)]
pub(super) struct Pair {
    against: Option<Against>,
    apart: Option<Divergence>,
}

impl Engine {
    /// Puts a run beside the one on the stage: both show the same moment from then on. `from` is the scenario that it came from,
    /// `until_ms` how long it is worth watching.
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    pub fn beside(
        &self,
        run: Run,
        from: Option<&'static Scenario>,
        until_ms: Option<u64>,
        against: Against,
    ) -> Result<(), RunError> {
        if let Some(first) = self.0.first.borrow().upgrade() {
            return Engine(first).beside(run, from, until_ms, against);
        }
        let mut session = Session::new(run, from)?;
        if let Some(until_ms) = until_ms {
            session.plan(until_ms);
        }
        self.stand_beside(session, Some(against));
        Ok(())
    }

    /// Puts a session beside the one on the stage.
    pub(super) fn stand_beside(&self, session: Session, against: Option<Against>) {
        let engine = Engine::new();
        *engine.0.session.borrow_mut() = session;
        *engine.0.first.borrow_mut() = Rc::downgrade(&self.0);
        *self.0.twin.borrow_mut() = Some(engine);
        *self.0.pair.borrow_mut() = Pair { against, apart: None };
        self.lead();
        self.tell();
    }

    /// Puts the same run beside itself, with one thing changed.
    ///
    /// # Errors
    /// It is no run with that changed; then nothing has changed.
    pub fn vary(&self, variation: Variation) -> Result<(), RunError> {
        let (run, from, until) = {
            let session = self.session();
            (variation.apply(session.player().run())?, session.scenario(), session.extent().as_ms())
        };
        self.beside(run, from, Some(until), Against::Varied(variation))
    }

    /// The same comparison again, after the first run has become another one. `with` was the run beside it.
    pub fn compare_again(&self, against: Option<Against>, with: Option<Run>) -> Result<(), RunError> {
        match (against, with) {
            (Some(Against::Varied(variation)), _) => self.vary(variation),
            (Some(against @ Against::Named(_)), Some(run)) => self.beside(run, None, None, against),
            _ => Ok(()),
        }
    }

    /// What stands beside the first run.
    pub fn against(&self) -> Option<Against> {
        self.twin()?;
        self.0.pair.borrow().against.clone()
    }

    /// Only the first run stays.
    pub fn only_left(&self) {
        *self.0.twin.borrow_mut() = None;
        *self.0.pair.borrow_mut() = Pair::default();
        self.refresh();
        self.tell();
    }

    /// Only the second run stays; it is watched on at the same moment.
    pub fn only_right(&self) {
        let Some(twin) = self.twin() else { return };
        {
            let (mut left, mut right) = (self.0.session.borrow_mut(), twin.0.session.borrow_mut());
            Session::stand_in(&mut left, &mut right);
        }
        let scenario = twin.session().scenario().is_some();
        if !scenario {
            self.0.given.borrow_mut().clear();
        }
        self.only_left();
        self.change(|_| ()); // the consoles are of the run that has gone
    }

    /// Whether the two runs are the same so far, and if not, since when.
    pub fn standing(&self) -> Option<Standing> {
        self.0.pair.borrow().apart.as_ref().map(|apart| apart.standing().clone())
    }

    /// Looks a little further for the first difference; whether there is more to look at.
    pub(super) fn compare_on(&self) -> bool {
        let Some(twin) = self.twin() else { return false };
        let (changed, more) = {
            let (left, right) = (self.session(), twin.session());
            let (a, b) = (left.world().run(), right.world().run());
            let until = SimTime(left.cursor_us() as u64);
            let mut pair = self.0.pair.borrow_mut();
            let apart = pair.apart.get_or_insert_with(|| Divergence::new([a, b]));
            let changed = apart.go_on([a, b], until, STEPS_A_FRAME);
            (changed, matches!(apart.standing(), Standing::Same(at) if *at < until))
        };
        if changed {
            self.tell();
        }
        more
    }
}
