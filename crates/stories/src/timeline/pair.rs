//! One run on the stage, or two beside each other with one clock: the right one shows the moment of the left one, what is done to the
//! ensemble on the left is done on the right too, and where they part is looked for step by step.

mod divergence;
mod growth;
mod variation;

use crate::base::SimTime;
use crate::scenarios::Scenario;
use crate::sim::{Action, Run, RunError};

use crate::timeline::session::Session;
use divergence::Divergence;
pub use divergence::{Difference, Standing};
use growth::Growth;
pub use variation::Variation;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The run that leads, or the only one.
    Left,
    /// The run beside it.
    Right,
}

/// What the run on the right is.
#[derive(Clone, Debug)]
pub enum Against {
    /// Another scenario.
    Scenario(&'static Scenario),
    /// The same run with one thing changed.
    Varied(Variation),
    /// A run from elsewhere, with its name: a file, a link, another future.
    Named(String),
}

#[derive(Clone, Debug)]
struct Right {
    session: Session,
    against: Option<Against>,
    /// None before anything has been compared.
    divergence: Option<Divergence>,
}

/// One run, or two.
#[derive(Clone, Debug)]
pub struct Pair {
    pub(super) left: Session,
    right: Option<Right>,
    /// The parameters that the left scenario was given.
    pub(super) given: Vec<(String, String)>,
    /// What releases cost on both sides with other parameters.
    tried: Growth,
}

/// A scenario's run with those of these parameters that it has, and how long it is worth watching, ms.
fn run_of(scenario: &Scenario, given: &[(String, String)], seed: Option<u64>) -> Result<(Run, u64), RunError> {
    let has = |name: &str| scenario.params().iter().any(|param| param.name == name);
    let own: Vec<_> = given.iter().filter(|(name, _)| has(name)).cloned().collect();
    let (mut run, until) = scenario.run_with(&own)?;
    run.seed = seed.unwrap_or(run.seed);
    Ok((run, until))
}

impl Pair {
    /// Only one run.
    pub fn alone(left: Session) -> Pair {
        Pair { left, right: None, given: Vec::new(), tried: Growth::default() }
    }

    /// The run on the left.
    pub fn left(&self) -> &Session {
        &self.left
    }

    /// The run on the right, if there is one.
    pub fn right(&self) -> Option<&Session> {
        self.right.as_ref().map(|right| &right.session)
    }

    /// The runs, the left one first.
    pub fn sessions(&self) -> impl Iterator<Item = &Session> {
        std::iter::once(&self.left).chain(self.right())
    }

    /// The run on a side; the left one for whoever still asks for a right one that has gone.
    pub fn session(&self, side: Side) -> &Session {
        self.right().filter(|_| side == Side::Right).unwrap_or(&self.left)
    }

    /// What the run on the right is; none where nobody said, or where there is none.
    pub fn against(&self) -> Option<&Against> {
        self.right.as_ref()?.against.as_ref()
    }

    /// The parameters that the left scenario was given: names and values.
    pub fn given(&self) -> &[(String, String)] {
        &self.given
    }

    /// Changes the run on a side. Where its moment is another one now, the left one decides for both.
    pub fn change<T>(&mut self, side: Side, change: impl FnOnce(&mut Session) -> T) -> T {
        let result = match (side, &mut self.right) {
            (Side::Right, Some(right)) => change(&mut right.session),
            _ => change(&mut self.left),
        };
        self.settle();
        result
    }

    /// Goes where the scene on the left opens.
    ///
    /// # Errors
    /// As [`Session::seek`].
    pub fn open_scene(&mut self) -> Result<(), RunError> {
        self.change(Side::Left, Session::open_scene)
    }

    /// Looks so many steps further for the chapters on the left; whether there is more to look for.
    pub fn look_for_chapters(&mut self, steps: u64) -> bool {
        self.left.look_for_chapters(steps)
    }

    /// Both show the same moment again.
    fn settle(&mut self) {
        self.left.touch();
        if let Some(right) = &mut self.right {
            right.session.follow(&self.left);
            right.session.touch();
        }
        self.left.heed(self.right.as_ref().map(|right| &right.session));
    }

    /// Does something to the ensemble, on both sides.
    ///
    /// # Errors
    /// It cannot be done on the left; then nothing has happened.
    pub fn act(&mut self, action: Action) -> Result<(), RunError> {
        self.edit(&|session| session.act(action.clone()), usize::MAX)
    }

    /// Changes what was done in the left run, and in the right one if it has the same action there.
    ///
    /// # Errors
    /// It cannot be done on the left; then nothing has changed.
    pub fn edit(
        &mut self,
        change: &dyn Fn(&mut Session) -> Result<(), RunError>,
        index: usize,
    ) -> Result<(), RunError> {
        let old = self.left.actions().get(index).cloned();
        self.change(Side::Left, change)?;
        if self.right().is_some_and(|right| right.actions().get(index) == old.as_ref()) {
            // what is impossible there alone is left out there
            let _ = self.change(Side::Right, change);
        }
        Ok(())
    }

    /// Puts another version on the stage, on both sides; whether there was one on the left.
    pub fn both(&mut self, change: &dyn Fn(&mut Session) -> bool) -> bool {
        let changed = self.change(Side::Left, change);
        if self.right.is_some() {
            self.change(Side::Right, change);
        }
        changed
    }

    /// Another run, alone.
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    pub fn load(&mut self, run: Run, from: Option<&'static Scenario>) -> Result<(), RunError> {
        self.left.load(run, from)?;
        (self.right, self.given, self.tried) = (None, Vec::new(), Growth::default());
        Ok(())
    }

    /// What releases have cost on a side, by how many waited: notifications. Those of other parameters that the viewer has tried stay.
    pub fn growth(&self, side: Side) -> Vec<(usize, u64)> {
        self.tried.with(side, self.session(side))
    }

    /// The scenario on the left with other parameters, compared with the same as before.
    ///
    /// # Errors
    /// It does not take these parameters; then nothing has changed.
    pub fn give(&mut self, given: Vec<(String, String)>) -> Result<(), RunError> {
        let Some(scenario) = self.left.scenario() else { return Ok(()) };
        let named = || self.right()?.scenario().map(Against::Scenario);
        let against = self.against().cloned().or_else(named);
        let tried = self.tried.after(self.right().map(|right| [&self.left, right]));
        self.choose(scenario, against, given, Some(self.left.player().run().seed))?;
        self.tried = tried;
        Ok(())
    }

    /// A scenario with its parameters on the left, and on the right another one with the same seed and the same parameters, as far as it
    /// has them; or the left one with one thing changed; or, of a run from elsewhere, the one that is there.
    ///
    /// # Errors
    /// They do not take these parameters; then nothing has changed.
    pub fn choose(
        &mut self,
        chosen: &'static Scenario,
        against: Option<Against>,
        given: Vec<(String, String)>,
        seed: Option<u64>,
    ) -> Result<(), RunError> {
        let (run, until) = run_of(chosen, &given, seed)?;
        let beside = match &against {
            Some(Against::Scenario(other)) => Some((run_of(other, &given, seed)?, *other)),
            Some(Against::Varied(variation)) => Some(((variation.apply(&run)?, until), chosen)),
            Some(Against::Named(_)) | None => None,
        };
        let right = beside.map(|((run, until), from)| self.planned(run, Some(from), Some(until))).transpose()?;
        self.left.load(run, Some(chosen))?;
        self.left.plan(until);
        self.given = given;
        match (right, against) {
            (Some(right), against) => self.put_right(right, against),
            (None, Some(Against::Named(_))) => self.settle(),
            (None, _) => self.right = None,
        }
        Ok(())
    }

    /// A run on the left, and on the right the same with one thing changed; both are worth watching for so long, ms.
    ///
    /// # Errors
    /// One of them is not valid; then nothing has changed.
    pub fn load_varied(&mut self, run: Run, variation: Variation, until_ms: u64) -> Result<(), RunError> {
        let right = self.planned(variation.apply(&run)?, None, Some(until_ms))?;
        self.left.load(run, None)?;
        self.left.plan(until_ms);
        self.given = Vec::new();
        self.put_right(right, Some(Against::Varied(variation)));
        Ok(())
    }

    /// A run for the right side.
    fn planned(&self, run: Run, from: Option<&'static Scenario>, until_ms: Option<u64>) -> Result<Session, RunError> {
        let mut session = Session::new(run, from)?;
        if let Some(until_ms) = until_ms {
            session.plan(until_ms);
        }
        Ok(session)
    }

    fn put_right(&mut self, mut session: Session, against: Option<Against>) {
        match &mut self.right {
            // whoever looks at that side sees that another run has begun
            Some(right) => right.session.stand_in(&mut session),
            None => self.right = Some(Right { session, against: None, divergence: None }),
        }
        if let Some(right) = &mut self.right {
            (right.against, right.divergence) = (against, None);
        }
        self.tried = Growth::default();
        self.settle();
    }

    /// Puts a run beside the left one. `from` is the scenario that it came from, `until_ms` how long it is worth watching.
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    pub fn compare_with(
        &mut self,
        run: Run,
        from: Option<&'static Scenario>,
        until_ms: Option<u64>,
        against: Option<Against>,
    ) -> Result<(), RunError> {
        let session = self.planned(run, from, until_ms)?;
        self.put_right(session, against);
        Ok(())
    }

    /// Puts another scenario beside the left run, with its seed, and with its parameters as far as it has them.
    ///
    /// # Errors
    /// It does not take these parameters; then nothing has changed.
    pub fn compare_with_scenario(&mut self, other: &'static Scenario) -> Result<(), RunError> {
        let (run, until) = run_of(other, &self.given, Some(self.left.player().run().seed))?;
        self.compare_with(run, Some(other), Some(until), Some(Against::Scenario(other)))
    }

    /// Puts the left run beside itself, with one thing changed.
    ///
    /// # Errors
    /// It is no run with that changed; then nothing has changed.
    pub fn vary(&mut self, variation: Variation) -> Result<(), RunError> {
        let (run, until) = (variation.apply(self.left.player().run())?, self.left.extent().as_ms());
        self.compare_with(run, self.left.scenario(), Some(until), Some(Against::Varied(variation)))
    }

    /// Only the left run stays.
    pub fn only_left(&mut self) {
        self.right = None;
    }

    /// Only the right run stays, on the left; it is watched on at the same moment.
    pub fn only_right(&mut self) {
        let Some(mut right) = self.right.take() else { return };
        self.left.stand_in(&mut right.session);
        if self.left.scenario().is_none() {
            self.given.clear();
        }
    }

    /// Others take the place of these, at the moment where they are.
    pub fn stand_in(&mut self, mut other: Pair) {
        self.left.stand_in(&mut other.left);
        self.given = other.given;
        match other.right {
            Some(right) => self.put_right(right.session, right.against),
            None => self.right = None,
        }
    }

    /// Forgets most of what makes jumps quick: these are only kept to be gone back to.
    pub fn shelve(&mut self) {
        self.left.shelve();
        if let Some(right) = &mut self.right {
            right.session.shelve();
            right.divergence = None;
        }
    }

    /// Whether the two runs are the same so far, and if not, since when; none before anything has been compared.
    pub fn standing(&self) -> Option<&Standing> {
        Some(self.right.as_ref()?.divergence.as_ref()?.standing())
    }

    /// Compares so many steps more, up to the moment that is shown; whether more is known now, and whether there is more to compare.
    pub fn compare(&mut self, steps: usize) -> (bool, bool) {
        let Some(Right { session, divergence, .. }) = &mut self.right else { return (false, false) };
        let runs = [self.left.world().run(), session.world().run()];
        let until = SimTime(self.left.cursor_us() as u64);
        let divergence = divergence.get_or_insert_with(|| Divergence::new(runs));
        let changed = divergence.go_on(runs, until, steps);
        (changed, matches!(divergence.standing(), Standing::Same(at) if *at < until))
    }
}

#[cfg(test)]
mod tests;
