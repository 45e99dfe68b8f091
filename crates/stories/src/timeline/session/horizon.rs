//! A run of which only a part may be seen: a lesson asks what comes next before it shows that.

use std::rc::Rc;

use crate::base::SimTime;
use crate::sim::{Run, RunError};
use crate::timeline::branches::Versions;

use crate::timeline::session::Session;

impl Session {
    /// From now on the run is this one, which does the same as far as it is known, and nothing is shown beyond so many steps. Whoever wants
    /// to hide what will be done gives a run that ends there.
    ///
    /// # Errors
    /// The run is not valid, or begins differently; then nothing has changed.
    pub fn hold(&mut self, run: Rc<Run>, horizon: u64) -> Result<(), RunError> {
        self.player.go_on_with(run.clone())?;
        self.versions = Versions::new(run);
        self.horizon = Some(horizon.max(self.known_events()));
        self.version += 1;
        Ok(())
    }

    /// Nobody leads through the run any more: it goes on from where the viewer is, and is no scene that ends.
    pub fn release(&mut self) {
        (self.horizon, self.planned) = (None, SimTime::ZERO);
        self.version += 1;
    }

    /// How many steps may be seen; none where all may.
    pub fn horizon(&self) -> Option<u64> {
        self.horizon
    }

    /// Whether the viewer has seen all that may be seen.
    pub fn is_at_horizon(&self) -> bool {
        self.is_full() || self.horizon.is_some_and(|horizon| self.events() >= horizon)
    }

    /// Whether the run stands at the last step that is shown of any ([`MAX_SHOWN_EVENTS`](crate::base::limits::MAX_SHOWN_EVENTS)).
    pub(super) fn is_full(&self) -> bool {
        self.events() >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::Action;
    use crate::timeline::{Ending, Until};

    fn held(events: u64) -> (Session, Rc<Run>) {
        let whole = scenario("leader-crash-under-load").unwrap().run();
        let bare = Rc::new(Run { actions: Vec::new(), ..whole.clone() });
        let mut session = Session::new(Run::clone(&bare), scenario("leader-crash-under-load")).unwrap();
        session.hold(bare, events).unwrap();
        (session, Rc::new(whole))
    }

    #[test]
    fn a_run_that_is_full_stands_still_and_says_so() {
        let mut session = Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap();
        (session.most, session.speed) = (500, crate::timeline::pace::SPEEDS.len() - 1);
        for _ in 0..1_000 {
            session.playing |= session.ending().is_some_and(|ending| ending != Ending::Full);
            session.advance(16.0);
        }
        assert_eq!((session.events(), session.playing, session.ending()), (500, false, Some(Ending::Full)));
        assert_eq!(session.step(1), 0);
        session.seek(SimTime::from_ms(60_000)).unwrap();
        assert_eq!(session.events(), 500);
        // time that is wound back runs again
        session.seek(SimTime::from_ms(400)).unwrap();
        (session.playing, session.speed) = (true, 0);
        session.advance(16.0);
        assert!(session.playing && session.ending().is_none());
    }

    #[test]
    fn no_way_leads_beyond_it() {
        let (mut session, _) = held(200);
        session.seek(SimTime::from_ms(60_000)).unwrap();
        assert_eq!(session.events(), 200);
        assert_eq!(session.cursor_us() as u64, session.world().now.0);
        assert!(session.ending().is_none());
        assert!(!session.step_to_turn() && session.step(1) == 0 && !session.run_until(Until::Violation));
        session.seek_event(10_000).unwrap();
        session.playing = true;
        for _ in 0..100 {
            session.advance(50.0);
        }
        assert!(session.events() == 200 && !session.playing && session.ending().is_none());
        assert!(session.seek_turn(1_000).is_err() && !session.next_chapter() && session.chapters().is_empty());
        assert_eq!(session.known_events(), 200);
    }

    #[test]
    fn more_is_seen_when_more_may_be() {
        let (mut session, whole) = held(5);
        session.seek_event(5).unwrap();
        session.hold(whole.clone(), 3_000).unwrap();
        session.seek_event(3_000).unwrap();
        let mut afresh = Session::new(Run::clone(&whole), None).unwrap();
        afresh.seek_event(3_000).unwrap();
        assert_eq!(session.player().digest(), afresh.player().digest());
        assert!(!session.is_changed());
        // what is known stays so
        session.hold(whole, 10).unwrap();
        assert_eq!(session.horizon(), Some(3_000));
    }

    #[test]
    fn a_run_that_is_released_goes_on_without_what_was_to_be_done() {
        let (mut session, whole) = held(200);
        session.seek_event(200).unwrap();
        session.release();
        session.playing = true;
        while session.playing && session.events() < 300 {
            session.advance(16.0);
        }
        assert!(session.playing && session.told_chapter().is_none());
        assert!(session.player().run().actions.is_empty() && !whole.actions.is_empty());
    }

    #[test]
    fn whoever_acts_sees_what_comes_of_it() {
        let (mut session, _) = held(200);
        session.seek_event(200).unwrap();
        session.act(Action::HealAll).unwrap();
        assert!(session.horizon().is_none() && session.step(100) == 100);
    }
}
