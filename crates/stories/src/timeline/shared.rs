//! What is on the stage as others get it: what of its look a link carries, and how a link opens.

use crate::base::limits::MAX_TIME_MS;
use crate::base::{MsgId, SimTime};
use crate::scenarios::{is_param, scenario};
use crate::share::{Beside, Look, Moment};
use crate::sim::{Run, RunError};

use crate::timeline::pace::SPEEDS;
use crate::timeline::pair::Pair;
use crate::timeline::session::{Destination, Session};

impl Session {
    /// What a link says of the session, beside what the page itself knows.
    pub fn look(&self, page: Look) -> Look {
        let speed = self.chosen_speed();
        Look {
            scenario: self.scenario().map(|scenario| scenario.id.to_string()),
            packet: self.packet.map(|msg| format!("m{}", msg.0)),
            speed: Some(format!("{}/{}", speed.times, speed.of)),
            playing: self.playing,
            no_skip: !self.skip_idle,
            until_ms: Some(self.extent().as_ms()),
            ..page
        }
    }

    /// Shows a moment that somebody shared, as it was shown there. The way to it may be long ([`Session::set_out`]).
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    pub fn open(&mut self, moment: &Moment) -> Result<(), RunError> {
        let look = &moment.look;
        self.load(moment.run.clone(), look.scenario.as_deref().and_then(scenario))?;
        if let Some(until) = look.until_ms {
            self.plan(until.min(MAX_TIME_MS));
        }
        let speed = |at: &usize| look.speed == Some(format!("{}/{}", SPEEDS[*at].times, SPEEDS[*at].of));
        self.speed = (0..SPEEDS.len()).find(speed).unwrap_or(self.speed);
        (self.playing, self.skip_idle) = (look.playing, !look.no_skip);
        self.packet = look.packet.as_deref().and_then(|packet| packet.strip_prefix('m')?.parse().ok()).map(MsgId);
        // of a run that may go otherwise than it did, only the time says where
        self.set_out(match moment.run.is_older() {
            true => Destination::Time(SimTime(moment.place.cursor_us)),
            false => Destination::Place(moment.place),
        })
    }
}

impl Pair {
    /// The moment on the stage, and the run beside it; the rest of the look is the page's.
    pub fn moment(&self, page: Look) -> Moment {
        let left = self.left();
        let beside = self.right().map(|right| {
            let scenario = right.scenario().map(|scenario| scenario.id.to_string());
            Beside { run: Run::clone(right.player().run()), scenario }
        });
        let look = Look { given: self.given().to_vec(), ..left.look(page) };
        Moment { run: Run::clone(left.player().run()), place: left.place(), look, beside }
    }

    /// Shows a moment that somebody shared, with the run that stood beside it there.
    ///
    /// # Errors
    /// A run is not valid; then nothing has changed.
    pub fn open(&mut self, moment: &Moment) -> Result<(), RunError> {
        if let Some(beside) = &moment.beside {
            beside.run.check()?;
        }
        self.left.open(moment)?;
        self.given = moment.look.given.iter().filter(|(name, _)| is_param(name)).cloned().collect();
        let Some(beside) = &moment.beside else {
            self.only_left();
            return Ok(());
        };
        let from = beside.scenario.as_deref().and_then(scenario);
        self.compare_with(beside.run.clone(), from, None, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::share::{decode, encode};
    use crate::sim::Action;
    use crate::timeline::pair::Variation;

    fn shared(session: &Session) -> Session {
        let run = Run::clone(session.player().run());
        let moment = Moment { run, place: session.place(), look: session.look(Look::default()), beside: None };
        let opened = decode(&encode(&moment).unwrap()).unwrap();
        let mut other = Session::new(scenario("lock-herd").unwrap().run(), scenario("lock-herd")).unwrap();
        other.seek(SimTime::from_ms(700)).unwrap();
        other.open(&opened).unwrap();
        other
    }

    #[test]
    fn a_link_opens_to_the_same_moment_between_any_two_events() {
        let from = scenario("leader-crash-under-load");
        let mut session = Session::new(from.unwrap().run(), from).unwrap();
        session.playing = false;
        session.speed = 7;
        session.skip_idle = false;
        session.seek(SimTime::from_ms(1_234)).unwrap();
        session.act(Action::Crash { server: ServerId(1) }).unwrap();
        session.seek(SimTime::from_ms(2_000)).unwrap();
        session.packet = Some(MsgId(57));
        let mut same_time = 0;
        for _ in 0..200 {
            session.step(1);
            same_time += u32::from(session.world().next_at() == Some(session.world().now));
            let other = shared(&session);
            assert_eq!(other.place(), session.place());
            assert_eq!(other.player().digest(), session.player().digest());
            assert_eq!(other.extent().as_ms(), session.extent().as_ms());
            let watched = |session: &Session| (session.playing, session.speed, session.skip_idle, session.packet);
            assert_eq!(watched(&other), watched(&session));
            assert_eq!(other.scenario().map(|one| one.id), from.map(|one| one.id));
        }
        assert!(same_time > 0, "two events in one microsecond were among them");
        // between two events, and back in the past with actions still to come
        for at in [2_345, 600] {
            session.seek(SimTime::from_ms(at)).unwrap();
            let mut other = shared(&session);
            assert_eq!((other.place(), other.world().now), (session.place(), session.world().now));
            for session in [&mut session, &mut other] {
                session.seek(SimTime::from_ms(3_000)).unwrap();
            }
            assert_eq!(other.player().digest(), session.player().digest());
        }
    }

    #[test]
    fn a_long_way_is_gone_in_pieces_to_the_same_moment() {
        let run = scenario("cold-start-5").unwrap().run();
        let mut there = Session::new(run.clone(), None).unwrap();
        there.seek(SimTime::from_ms(900_000)).unwrap();
        assert!(there.events() > 20_000);
        let moment = Moment { run: run.clone(), place: there.place(), look: Look::default(), beside: None };
        let mut session = Session::new(run, None).unwrap();
        session.open(&moment).unwrap();
        assert_eq!(session.destination(), Some(SimTime(there.place().cursor_us)));
        let mut stays = session.clone();
        let mut pieces = 0;
        while session.destination().is_some() {
            let before = session.events();
            session.walk(5_000).unwrap();
            assert!(session.events() <= before + 5_000);
            pieces += 1;
        }
        assert!(pieces > 1);
        assert_eq!((session.place(), session.player().digest()), (there.place(), there.player().digest()));
        // whoever does something on the way stays there
        stays.act(Action::Crash { server: ServerId(1) }).unwrap();
        assert_eq!(stays.destination(), None);
        stays.set_out(Destination::Time(SimTime::from_ms(900_000))).unwrap();
        while stays.destination().is_some() {
            stays.walk(5_000).unwrap();
        }
        assert_eq!(stays.place().cursor_us, 900_000_000);
    }

    #[test]
    fn a_link_opens_to_both_runs_or_changes_nothing() {
        let mut pair = Pair::alone(Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap());
        let given = vec![("clients".to_string(), "4".to_string())];
        pair.choose(scenario("lock-herd").unwrap(), None, given.clone(), Some(3)).unwrap();
        pair.vary(Variation::Seed(5)).unwrap();
        pair.left.seek(SimTime::from_ms(900)).unwrap();
        let moment = decode(&encode(&pair.moment(Look::default())).unwrap()).unwrap();
        let mut other = Pair::alone(Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap());
        other.open(&moment).unwrap();
        assert_eq!(other.moment(Look::default()), moment);
        assert_eq!(other.given(), &given[..]);
        let right = other.right().unwrap();
        assert_eq!((right.world().now, right.player().run().seed), (SimTime::from_ms(900), 5));
        let mut bad = Moment::start(scenario("cold-start-3").unwrap().run());
        bad.beside = moment.beside.clone();
        bad.beside.as_mut().unwrap().run.setup.tick_time_ms = 0;
        assert!(other.open(&bad).is_err());
        assert_eq!(other.moment(Look::default()), moment);
        other.open(&Moment::start(scenario("cold-start-3").unwrap().run())).unwrap();
        assert!(other.right().is_none());
    }

    #[test]
    fn a_place_that_the_run_never_had_is_no_trouble() {
        let run = scenario("cold-start-3").unwrap().run();
        for (events, cursor_us) in [(0, u64::MAX / 2), (5, 0), (40, 1), (3, 999_999_999_999)] {
            let mut session = Session::new(run.clone(), None).unwrap();
            let mut moment = Moment::start(run.clone());
            (moment.place.events, moment.place.cursor_us) = (events, cursor_us);
            session.open(&moment).unwrap();
            assert_eq!(session.events(), events);
        }
    }
}
