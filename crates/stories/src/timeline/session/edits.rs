//! What a viewer changes: acting, also in the past; moving, editing and deleting actions; undo and redo; going back to a future
//! that was left. Each change makes another version of the run, which is played again from where it differs.

use std::rc::Rc;

use crate::base::SimTime;
use crate::check::Checker;
use crate::sim::{Action, Run, RunError, TimedAction};
use crate::timeline::branches::{Edit, Future, Known, Place, parting};
use crate::timeline::pace::UNSKIPPED_MS;

use crate::timeline::session::Session;

impl Session {
    /// Does something to the ensemble now. In the past that makes another future: what the viewer did later does not happen in it,
    /// what the run as it was given does, still happens. The old one is kept.
    ///
    /// # Errors
    /// The action is wrong, or the run is full; then nothing has happened.
    pub fn act(&mut self, action: Action) -> Result<(), RunError> {
        self.settle();
        self.player.admits(&action)?;
        self.stay();
        // from here on it is the viewer's own run
        self.horizon = None;
        self.versions.grow(self.player.run());
        let (known, furthest, place) = (self.known(), self.furthest, self.place());
        if self.readers.ahead.is_some() {
            let run = self.without_later();
            self.player.go_on_with(run)?;
            self.cut_here();
        }
        self.player.act(action.clone(), |world, records| {
            self.readers.read(world, records);
        })?;
        // what is done at the next whole millisecond may lie ahead of the cursor
        self.cursor_us = self.cursor_us.max(self.world().now.0 as f64);
        let run = self.player.run().clone();
        self.versions.part(known, furthest, place, Edit::Acted(action), run);
        self.version += 1;
        self.unskipped_ms = UNSKIPPED_MS;
        Ok(())
    }

    /// The run's actions, in the order of time.
    pub fn actions(&self) -> &[TimedAction] {
        &self.player.run().actions
    }

    /// Which of the actions the viewer made; the others belong to the run as it was given.
    pub fn own(&self) -> Vec<bool> {
        let mut given = self.versions.given().actions.iter().peekable();
        let own = |timed: &TimedAction| {
            while given.next_if(|next| next.at_us < timed.at_us).is_some() {}
            given.next_if(|next| *next == timed).is_none()
        };
        self.actions().iter().map(own).collect()
    }

    /// Moves an action to another moment. The viewer stays where they are in time.
    ///
    /// # Errors
    /// There is no such action, or it cannot be done then; then nothing has changed.
    pub fn move_action(&mut self, index: usize, at: SimTime) -> Result<(), RunError> {
        let mut run = Run::clone(self.player.run());
        let timed = taken(&mut run, index)?;
        run.push(at, timed.action.clone());
        self.go_with(run, Edit::Moved(timed))
    }

    /// Puts another action in the place of one.
    ///
    /// # Errors
    /// There is no such action, or the new one is wrong; then nothing has changed.
    pub fn edit_action(&mut self, index: usize, action: Action) -> Result<(), RunError> {
        let mut run = Run::clone(self.player.run());
        let timed = run.actions.get_mut(index).ok_or_else(no_action)?;
        let old = std::mem::replace(timed, TimedAction { at_us: timed.at_us, action });
        self.go_with(run, Edit::Edited(old))
    }

    /// Takes an action away.
    ///
    /// # Errors
    /// There is no such action.
    pub fn delete_action(&mut self, index: usize) -> Result<(), RunError> {
        let mut run = Run::clone(self.player.run());
        let timed = taken(&mut run, index)?;
        self.go_with(run, Edit::Deleted(timed))
    }

    /// Goes on with a run in which other things are done, seed and setup being the same; it is played again from where it differs.
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    fn go_with(&mut self, run: Run, deed: Edit) -> Result<(), RunError> {
        run.check()?;
        let Some((first, at)) = parting(self.player.run(), &run) else { return Ok(()) };
        self.versions.grow(self.player.run());
        let (known, furthest, place) = (self.known(), self.furthest, self.place());
        let run = Rc::new(run);
        self.versions.part(known, furthest, place, deed, run.clone());
        self.replay_from(run, first, at);
        self.come_back(place, at)
    }

    /// Stands at the last checkpoint before two runs part and goes on with the other one. What lies beyond is forgotten.
    fn replay_from(&mut self, run: Rc<Run>, first: usize, at: SimTime) {
        self.planned = self.planned.max(self.furthest);
        self.restore(run, |kept| kept.now() <= at && kept.player.world().done() <= first);
        self.rewinds += 1;
        self.cut_here();
    }

    /// Where the viewer was before a change at that moment.
    fn come_back(&mut self, place: Place, at: SimTime) -> Result<(), RunError> {
        // the steps before a change are the same ones, those behind it are not
        if place.cursor_us < at.0 { self.go(place) } else { self.seek(SimTime(place.cursor_us)) }
    }

    /// What the viewer could undo.
    pub fn undoable(&self) -> Option<&Edit> {
        self.versions.undo().map(|_| self.versions.deed())
    }

    /// What the viewer could do again.
    pub fn redoable(&self) -> Option<&Edit> {
        self.versions.next_deed()
    }

    /// Takes back the last change: the viewer stands where they stood when they made it. Whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some((version, place)) = self.versions.undo() else { return false };
        self.enter(version, true, |session, _| session.go(place));
        true
    }

    /// Makes the last change again that was taken back. Whether there was one.
    pub fn redo(&mut self) -> bool {
        let Some((version, place)) = self.versions.redo() else { return false };
        self.enter(version, false, |session, _| session.seek(SimTime(place.cursor_us)));
        true
    }

    /// The futures that were left, those that part latest first.
    pub fn futures(&self) -> Vec<Future> {
        self.versions.futures(self.player.run())
    }

    /// The run of a future.
    pub fn run_of(&self, version: usize) -> Option<&Rc<Run>> {
        self.versions.run_of(version)
    }

    /// Puts a future that was left back on the stage: the viewer stands where it parts from the one that was there. Whether there is
    /// one with this number.
    pub fn return_to(&mut self, version: usize) -> bool {
        let there = self.versions.has(version);
        if there {
            self.enter(version, false, Session::seek);
        }
        there
    }

    /// Puts another version on the stage and goes somewhere in it; that is told where it parts from the one that was there.
    fn enter(
        &mut self,
        version: usize,
        undone: bool,
        go: impl FnOnce(&mut Session, SimTime) -> Result<(), RunError>,
    ) {
        let (known, furthest, old) = (self.known(), self.furthest, self.player.run().clone());
        self.versions.grow(&old);
        self.forks += 1;
        let parted = self.line.latest(|kept| kept.now() < self.world().now).map_or(0, |kept| kept.events());
        let end = (old.actions.len(), self.world().now);
        let (first, at) = self.versions.run(version).and_then(|run| parting(&old, run)).unwrap_or(end);
        self.versions.leave(known, furthest, parted, at);
        let Some((run, known, furthest)) = self.versions.enter(version, undone) else { return };
        match known {
            Some(Known { line, archive }) => {
                self.line = line;
                self.readers.take_up(archive, at);
                self.restore(run, |kept| kept.now() <= at && kept.player.world().done() <= first);
                (self.furthest, self.rewinds) = (furthest, self.rewinds + 1);
            }
            None => self.replay_from(run, first, at),
        }
        // whoever is too far away for one jump stands where the jump ended
        let _ = go(self, at);
        self.version += 1;
    }

    /// What is known of the run on the stage.
    fn known(&self) -> Known {
        Known { line: self.line.clone(), archive: self.readers.archive(self.events()) }
    }

    /// The run without what the viewer did later than now.
    fn without_later(&self) -> Rc<Run> {
        let (own, done) = (self.own(), self.world().done());
        let mut run = Run::clone(self.player.run());
        let mut index = 0;
        run.actions.retain(|_| {
            index += 1;
            index <= done || !own[index - 1]
        });
        Rc::new(run)
    }

    /// Forgets what is known beyond the cursor.
    fn cut_here(&mut self) {
        let events = self.events();
        self.forks += 1;
        self.line.cut(events);
        self.readers.truncate(events, self.next_seq());
        self.planned = self.planned.max(self.furthest);
        self.furthest = self.world().now;
        if let Some(checker) = self.judge_again() {
            self.readers.once.checker = checker;
        }
    }

    /// A checker that has read the facts up to the cursor and no more.
    fn judge_again(&self) -> Option<Checker> {
        let (from, checker) = self.line.judged(self.events())?;
        let (mut checker, mut player) = (checker.clone(), from.player.clone());
        player.go_on_with(self.player.run().clone()).ok()?;
        while player.world().events < self.events() {
            for record in player.step()? {
                checker.read(record);
            }
        }
        Some(checker)
    }
}

fn no_action() -> RunError {
    RunError::NoAction
}

fn taken(run: &mut Run, index: usize) -> Result<TimedAction, RunError> {
    if index < run.actions.len() { Ok(run.actions.remove(index)) } else { Err(no_action()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    const S1: ServerId = ServerId(1);
    const S2: ServerId = ServerId(2);

    fn at(ms: u64) -> SimTime {
        SimTime::from_ms(ms)
    }

    fn session(id: &str) -> Session {
        Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap()
    }

    /// A run in which nothing is done.
    fn plain() -> Session {
        Session::new(Run::new(3, Default::default()), None).unwrap()
    }

    /// What a player from the beginning says of a session's run and moment.
    fn afresh(session: &Session) -> String {
        let mut player = Player::new(Run::from_json(&session.player().run().to_json()).unwrap()).unwrap();
        while player.world().events < session.events() {
            assert!(player.step().is_some());
        }
        player.digest()
    }

    #[test]
    fn acting_in_the_past_makes_another_future_and_keeps_the_old_one() {
        let mut session = session("leader-crash-under-load");
        session.seek(at(900)).unwrap();
        session.act(Action::Pause { server: S1 }).unwrap();
        session.seek(at(4_000)).unwrap();
        let old = session.player().digest();
        session.seek(at(600)).unwrap();
        session.act(Action::Crash { server: S2 }).unwrap();
        assert_eq!(session.own(), session.actions().iter().map(|timed| timed.at_us == at(600)).collect::<Vec<_>>());
        session.seek(at(4_000)).unwrap();
        assert_eq!(session.player().digest(), afresh(&session));
        assert_ne!(session.player().digest(), old);
        let futures = session.futures();
        assert_eq!(futures.len(), 1, "{futures:?}");
        assert_eq!((futures[0].parts_at, futures[0].until), (at(600), at(4_000)));
        assert!(session.return_to(futures[0].version));
        assert_eq!(session.cursor_us() as u64, at(600).0);
        session.seek(at(4_000)).unwrap();
        assert_eq!(session.player().digest(), old);
        assert_eq!(session.futures().len(), 1);
        assert!(!session.return_to(99));
    }

    #[test]
    fn the_picture_over_time_is_that_of_the_run_on_the_stage() {
        let diagram_of = |session: &Session| {
            let mut player = Player::new(Run::clone(session.player().run())).unwrap();
            let mut diagram = crate::timeline::spacetime::Diagram::default();
            player.run_until(session.furthest(), |_, records| records.iter().for_each(|record| diagram.read(record)));
            diagram
        };
        let mut session = session("leader-crash-under-load");
        session.seek(at(3_000)).unwrap();
        let known = session.diagram().clone();
        assert!(known == diagram_of(&session));
        session.seek(at(600)).unwrap();
        assert!(*session.diagram() == known, "what lies beyond is still known");
        session.act(Action::Crash { server: S2 }).unwrap();
        assert_eq!(u64::from(session.diagram().next_seq()), session.next_seq());
        session.seek(at(2_000)).unwrap();
        assert!(*session.diagram() == diagram_of(&session));
        let other = session.futures()[0].version;
        assert!(session.return_to(other));
        assert!(*session.diagram() == known, "the future that was left");
        session.seek(at(3_500)).unwrap();
        assert!(*session.diagram() == diagram_of(&session));
    }

    #[test]
    fn what_the_given_run_does_later_still_happens() {
        let mut session = session("leader-crash-under-load");
        let given = session.actions().len();
        session.seek(at(5_000)).unwrap();
        session.seek(at(100)).unwrap();
        session.act(Action::Pause { server: S1 }).unwrap();
        assert_eq!(session.actions().len(), given + 1);
    }

    #[test]
    fn undo_and_redo_go_through_all_changes() {
        let mut session = plain();
        let mut digests = Vec::new();
        for (ms, server) in [(700, 1), (1_400, 2), (2_000, 3)] {
            session.seek(at(ms)).unwrap();
            digests.push(session.player().digest());
            session.act(Action::Crash { server: ServerId(server) }).unwrap();
        }
        let end = session.player().digest();
        for digest in digests.iter().rev() {
            assert!(session.undo());
            assert_eq!(session.player().digest(), *digest);
        }
        assert!(!session.undo());
        while session.redo() {}
        assert_eq!((session.player().digest(), session.actions().len()), (end, 3));
        session.undo();
        session.act(Action::Pause { server: S2 }).unwrap();
        assert!(!session.redo(), "what was taken back is another future now");
    }

    #[test]
    fn actions_can_be_moved_edited_and_deleted() {
        let mut session = plain();
        for (ms, server) in [(700, 1), (1_500, 2)] {
            session.seek(at(ms)).unwrap();
            session.act(Action::Pause { server: ServerId(server) }).unwrap();
        }
        session.seek(at(3_000)).unwrap();
        session.move_action(1, at(400)).unwrap();
        assert_eq!(session.actions()[0].action, Action::Pause { server: S2 });
        session.edit_action(0, Action::Crash { server: S2 }).unwrap();
        session.move_action(0, at(2_000)).unwrap();
        session.delete_action(0).unwrap();
        assert_eq!(session.world().now, at(3_000));
        assert_eq!(session.player().digest(), afresh(&session));
        let run = session.player().run().clone();
        let wrong = Action::Write { server: S1, data: String::new(), count: 0, every_us: 0 };
        assert!(session.edit_action(0, wrong).is_err() && session.delete_action(7).is_err());
        assert!(session.move_action(0, SimTime(u64::MAX)).is_err());
        assert_eq!(*session.player().run(), run);
        for _ in 0..4 {
            assert!(session.undo());
        }
        assert_eq!(session.actions().len(), 2);
        assert_eq!(session.player().digest(), afresh(&session));
    }

    #[test]
    fn a_change_before_the_viewer_and_one_behind_leave_them_where_they_were() {
        let mut session = plain();
        session.seek(at(2_000)).unwrap();
        session.act(Action::Pause { server: S1 }).unwrap();
        session.seek(at(1_000)).unwrap();
        session.step(1);
        let (place, digest) = (session.place(), session.player().digest());
        session.move_action(0, at(2_500)).unwrap();
        assert_eq!((session.place(), session.player().digest()), (place, digest));
    }

    #[test]
    fn violations_belong_to_their_version() {
        let mut run = scenario("leader-crash-under-load").unwrap().run();
        run.set("rules=[\"commit-at-minority\"]").unwrap();
        let mut session = Session::new(run, None).unwrap();
        session.seek(at(8_000)).unwrap();
        let all = session.known_violations().to_vec();
        let Some(first) = all.first().cloned() else { return };
        // an action happens at a whole millisecond
        session.seek(at(first.at.as_ms() - 1)).unwrap();
        assert_eq!(session.violations().count(), 0);
        assert_eq!(session.known_violations().len(), all.len());
        session.act(Action::HealAll).unwrap();
        assert_eq!(session.known_violations().len(), 0);
        session.undo();
        assert_eq!(session.known_violations().len(), all.len());
    }

    /// Anything at all, in any order: whatever the viewer does, the session is where a player from the beginning would be.
    #[test]
    fn going_and_changing_at_random_is_like_playing_from_the_beginning() {
        use crate::base::{Prng, Stream};
        for seed in 0..12 {
            let mut prng = Prng::new(seed, Stream::Faults);
            let mut session = session(["cold-start-3", "leader-crash-under-load", "lock-mutex"][seed as usize % 3]);
            for _ in 0..40 {
                let server = ServerId(prng.between(1, 3) as u8);
                let count = session.actions().len() as u64;
                let some = prng.between(0, count.saturating_sub(1)) as usize;
                match prng.between(0, 11) {
                    0 | 1 => session.seek(at(prng.between(0, 5_000))).unwrap(),
                    2 => drop(session.step(prng.between(1, 400))),
                    3 => drop(session.step_back(prng.between(1, 400))),
                    4 => session.act(Action::Crash { server }).unwrap(),
                    5 => session.act(Action::Restart { server }).unwrap(),
                    6 => drop(session.undo()),
                    7 => drop(session.redo()),
                    8 => drop(session.move_action(some, at(prng.between(0, 5_000)))),
                    9 => drop(session.delete_action(some)),
                    10 => session.step_back_to_turn(),
                    _ => {
                        let futures = session.futures();
                        if let Some(future) = futures.first() {
                            session.return_to(future.version);
                        }
                    }
                }
                assert_eq!(session.player().digest(), afresh(&session), "seed {seed}");
                let mut checker = Checker::new(&session.player().run().setup);
                let mut player = Player::new(Run::clone(session.player().run())).unwrap();
                while player.world().events < session.events() {
                    for record in player.step().unwrap() {
                        checker.read(record);
                    }
                }
                assert!(session.violations().eq(checker.violations()), "seed {seed}");
            }
        }
    }
}
