//! A run that grows by what programs outside do: their clients are in it, and each thing that they say is an action.

use crate::sim::{Action, RunError};

use crate::timeline::session::Session;

impl Session {
    /// Whether nothing is known beyond the viewer: what comes from outside comes here.
    pub fn is_at_front(&self) -> bool {
        self.readers.ahead.is_none()
    }

    /// How often what lies beyond the viewer was given up for something else. A program outside that was a client there is none any more.
    pub fn forks(&self) -> u64 {
        self.forks
    }

    /// Something comes from outside now. The first thing makes another version of the run that was given; by what follows that one grows:
    /// nobody takes back what a program has said by itself.
    ///
    /// # Errors
    /// The action is wrong, or the run is full, or the viewer looks at the past; then nothing has happened.
    pub fn receive(&mut self, action: Action) -> Result<(), RunError> {
        if !self.is_at_front() {
            return Err(RunError::OtherBeginning);
        }
        if !self.is_changed() {
            return self.act(action);
        }
        self.settle();
        self.player.act(action, |world, records| {
            self.readers.read(world, records);
        })?;
        self.cursor_us = self.cursor_us.max(self.world().now.0 as f64);
        self.furthest = self.furthest.max(self.world().now);
        self.version += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ClientId, ServerId, SessionId, SimTime, Zxid};
    use crate::scenarios::scenario;
    use crate::sim::Player;

    const GUEST: ClientId = ClientId(40);

    fn connects() -> Action {
        Action::ConnectOutside {
            client: GUEST,
            server: ServerId(1),
            timeout_ms: 4_000,
            session: SessionId::NONE,
            last_zxid: Zxid::ZERO,
            wrong_password: false,
            read_only: false,
            name: None,
        }
    }

    fn session() -> Session {
        let mut session = Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap();
        session.seek(SimTime::from_ms(3_000)).unwrap();
        session
    }

    #[test]
    fn what_comes_from_outside_makes_the_run_grow_and_plays_again() {
        let mut session = session();
        let given = session.actions().len();
        session.receive(connects()).unwrap();
        for ms in 3_100..3_110 {
            session.seek(SimTime::from_ms(ms)).unwrap();
            session.receive(Action::Ping { client: GUEST }).unwrap();
        }
        assert_eq!(session.actions().len(), given + 11);
        assert_eq!(session.own().iter().filter(|own| **own).count(), 11);
        assert!(session.futures().is_empty());
        let mut again = Player::new(session.player().run().clone()).unwrap();
        again.run_until(session.world().now, |_, _| {});
        assert_eq!(again.digest(), session.player().digest());
        // a deed of the viewer's is taken back, and what was said before it stays
        let before = session.forks();
        session.act(Action::Crash { server: ServerId(1) }).unwrap();
        assert_eq!(session.forks(), before);
        assert!(session.undo() && session.forks() > before && session.actions().len() == given + 11);
        assert!(session.world().clients.contains_key(&GUEST));
    }

    #[test]
    fn in_the_past_nothing_is_received_and_a_deed_there_gives_up_what_was_beyond() {
        let mut session = session();
        let given = session.actions().len();
        session.receive(connects()).unwrap();
        session.seek(SimTime::from_ms(3_500)).unwrap();
        session.receive(Action::Ping { client: GUEST }).unwrap();
        session.seek(SimTime::from_ms(3_200)).unwrap();
        assert!(!session.is_at_front() && session.receive(Action::Ping { client: GUEST }).is_err());
        let before = session.forks();
        session.seek_event(session.known_events()).unwrap();
        assert!(session.is_at_front() && session.forks() == before && session.actions().len() == given + 2);
        session.seek(SimTime::from_ms(3_200)).unwrap();
        session.act(Action::Crash { server: ServerId(2) }).unwrap();
        assert_eq!(
            (session.forks(), session.actions().len()),
            (before + 1, given + 2),
            "the ping is in the other future"
        );
        assert_eq!(session.futures().len(), 1);
        assert!(session.return_to(session.futures()[0].version) && session.actions().len() == given + 2);
    }

    #[test]
    fn a_live_run_does_not_end_by_itself() {
        let mut session = session();
        (session.playing, session.speed) = (true, crate::timeline::pace::speed_named("100").unwrap());
        session.is_live = true;
        for _ in 0..60 {
            session.advance(100.0);
        }
        assert!(session.playing && session.world().now.as_ms() > 300_000);
        session.is_live = false;
        session.advance(100.0);
        assert!(!session.playing);
    }

    /// Hours of a program are one list of actions, not one for each checkpoint.
    #[test]
    fn checkpoints_share_the_run_as_it_grows() {
        let mut session = session();
        session.receive(connects()).unwrap();
        for _ in 0..40 {
            session.seek(session.world().now.plus(10_000_000)).unwrap();
            session.receive(Action::Ping { client: GUEST }).unwrap();
        }
        session.seek(session.world().now.plus(30_000_000)).unwrap();
        let (runs, kept) = session.line.runs();
        assert!(kept > 4 && runs <= 2, "{runs} lists of actions in {kept} checkpoints");
        let end = (session.events(), session.player().digest());
        session.seek(SimTime::from_ms(9_000)).unwrap();
        session.seek_event(end.0).unwrap();
        assert_eq!(session.player().digest(), end.1);
    }
}
