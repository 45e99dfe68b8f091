//! What is on the stage as a moment to be shared, and the other way round.

use std::rc::Rc;

use crate::scenarios::{SCENARIOS, Scenario, scenario};
use crate::share::{Beside, Look, Moment};
use crate::sim::{Run, RunError};

use super::Engine;

impl Engine {
    /// The moment on the stage, and the run beside it; the rest of the look is the page's.
    pub fn moment(&self, look: Look) -> Moment {
        let session = self.session();
        let beside = self.twin().map(|twin| {
            let session = twin.session();
            let scenario = session.scenario().map(|scenario| scenario.id.to_string());
            Beside { run: Run::clone(session.player().run()), scenario }
        });
        let look = Look { given: self.given(), ..session.look(look) };
        Moment { run: Run::clone(session.player().run()), place: session.place(), look, beside }
    }

    /// A moment that somebody shared.
    ///
    /// # Errors
    /// A run is not valid; then nothing has changed.
    pub fn open(&self, moment: &Moment) -> Result<(), RunError> {
        let twin = moment.beside.as_ref().map(|beside| {
            let engine = Engine::new();
            engine.load(beside.run.clone(), beside.scenario.as_deref().and_then(scenario)).map(|()| engine)
        });
        let twin = twin.transpose()?;
        let before = self.0.twin.take();
        if let Err(error) = self.change(|session| session.open(moment)) {
            *self.0.twin.borrow_mut() = before;
            return Err(error);
        }
        let is_param = |name: &str| SCENARIOS.iter().flat_map(Scenario::params).any(|param| param.name == name);
        let given = moment.look.given.iter().filter(|(name, _)| is_param(name)).cloned().collect();
        *self.0.given.borrow_mut() = given;
        self.0.pair.take();
        if let Some(twin) = twin {
            *twin.0.first.borrow_mut() = Rc::downgrade(&self.0);
            *self.0.twin.borrow_mut() = Some(twin);
        }
        self.lead();
        self.tell();
        Ok(())
    }
}
