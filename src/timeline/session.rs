//! One run on the stage: a player, the viewer's cursor in virtual time, and those who read its facts. The cursor
//! moves with real time × speed, or jumps; what happens never depends on how it moves.
//!
//! Behind the cursor lie checkpoints (`line`). What was once played beyond it stays known to the readers: the timeline shows it, and the
//! checker, which reads each fact once, stands there. Other versions of the run are in `versions`; `edits` makes them.

mod edits;
mod travel;
mod until;

use crate::base::{MsgId, SimTime};
use crate::check::{Double, Property, State, Violation};
use crate::scenarios::Scenario;
use crate::sim::{Player, Run, RunError, World};

use crate::timeline::branches::{Place, Versions};
use crate::timeline::checkpoints::Checkpoints;
use crate::timeline::pace::{DEFAULT_SPEED, LONGEST_FRAME_MS, SPEEDS, Speed, us_a_ms};
use crate::timeline::readers::Readers;
use crate::timeline::recent::Facts;
use crate::timeline::spacetime::Diagram;
use crate::timeline::summary::RunSummary;

pub use until::Until;

/// Most steps that one frame takes: a page that plays fast stays responsive.
const STEPS_A_FRAME: u64 = 4_000;
/// How many checkpoints a session keeps that is only kept to be gone back to.
const SHELVED_CHECKPOINTS: usize = 16;
/// Most steps that one jump takes.
const STEPS_A_JUMP: u64 = 3_000_000;

/// A run and where its viewer is in it.
#[derive(Clone, Debug)]
pub struct Session {
    player: Player,
    readers: Readers,
    line: Checkpoints,
    versions: Versions,
    scenario: Option<&'static Scenario>,
    /// How long the run is worth watching.
    planned: SimTime,
    cursor_us: f64,
    furthest: SimTime,
    /// Whether time runs.
    pub playing: bool,
    /// The chosen speed: an index into [`SPEEDS`].
    pub speed: usize,
    /// Whether idle times pass faster.
    pub skip_idle: bool,
    /// The packet that is looked at.
    pub packet: Option<MsgId>,
    version: u64,
    loads: u64,
    rewinds: u64,
}

impl Session {
    /// The beginning of a run.
    ///
    /// # Errors
    /// The run is not valid.
    pub fn new(run: Run, scenario: Option<&'static Scenario>) -> Result<Session, RunError> {
        let player = Player::new(run)?;
        let readers = Readers::new(&player.run().setup);
        Ok(Session {
            line: Checkpoints::new(player.clone(), readers.once.checker.clone()),
            versions: Versions::new(player.run().clone()),
            player,
            readers,
            scenario,
            planned: SimTime::from_ms(scenario.map_or(4_000, |scenario| scenario.until_ms)),
            cursor_us: 0.0,
            furthest: SimTime::ZERO,
            playing: true,
            speed: DEFAULT_SPEED,
            skip_idle: true,
            packet: None,
            version: 0,
            loads: 0,
            rewinds: 0,
        })
    }

    /// Another run in place of this one, watched in the same way.
    ///
    /// # Errors
    /// The run is not valid; then nothing has changed.
    pub fn load(&mut self, run: Run, scenario: Option<&'static Scenario>) -> Result<(), RunError> {
        let mut fresh = Session::new(run, scenario)?;
        if self.is_behind() {
            fresh.put_off();
        }
        *self = Session {
            playing: self.playing,
            speed: self.speed,
            skip_idle: self.skip_idle,
            version: self.version + 1,
            loads: self.loads + 1,
            rewinds: self.rewinds,
            ..fresh
        };
        Ok(())
    }

    /// From now on the checker and the picture over time read no facts, until [`Session::study`]: a page that has just been opened plays
    /// before it has the code of both.
    pub fn put_off(&mut self) {
        self.readers.put_off();
    }

    /// The checker and the picture over time read what was put off, and from now on at once.
    pub fn study(&mut self) {
        if self.readers.catch_up() {
            self.version += 1;
        }
    }

    /// Whether something was put off.
    pub fn is_behind(&self) -> bool {
        self.readers.is_behind()
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        self.player.world()
    }

    /// The player of the run.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// What its facts have told so far.
    pub fn run_summary(&self) -> &RunSummary {
        &self.readers.summary
    }

    /// What is known of the run, beyond the cursor too.
    pub fn archive(&self) -> &RunSummary {
        self.readers.ahead.as_ref().map_or(&self.readers.summary, |ahead| &ahead.summary)
    }

    /// The run as a picture over time, beyond the cursor too; [`Session::next_seq`] is where the cursor stands in it.
    pub fn diagram(&self) -> &Diagram {
        &self.readers.once.diagram
    }

    /// The facts up to the cursor, as far as they are kept.
    pub fn facts(&self) -> Facts<'_> {
        self.readers.recent.before(self.next_seq())
    }

    /// The violations up to the cursor, in the order in which they happened.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        let next = self.next_seq();
        self.readers.once.checker.violations().iter().take_while(move |violation| violation.seq < next)
    }

    /// The violations as far as the run is known.
    pub fn known_violations(&self) -> &[Violation] {
        self.readers.once.checker.violations()
    }

    /// Every property, and whether it holds up to the cursor.
    pub fn states(&self) -> impl Iterator<Item = (&'static Property, State)> {
        let next = self.next_seq();
        self.readers.once.checker.states().map(move |(property, state)| match state {
            State::Violated { seq, .. } if seq >= next => (property, State::Holds),
            state => (property, state),
        })
    }

    /// Who went on believing to hold what another had by right, up to the cursor.
    pub fn doubles(&self) -> impl Iterator<Item = &Double> {
        let now = self.world().now;
        self.readers.once.checker.doubles().iter().take_while(move |double| double.at <= now)
    }

    /// The built-in scenario that it came from.
    pub fn scenario(&self) -> Option<&'static Scenario> {
        self.scenario
    }

    /// Where the viewer is, µs; at or after the last event.
    pub fn cursor_us(&self) -> f64 {
        self.cursor_us
    }

    /// Steps taken up to the cursor.
    pub fn events(&self) -> u64 {
        self.world().events
    }

    /// How many steps of the run are known, beyond the cursor too.
    pub fn known_events(&self) -> u64 {
        self.readers.ahead.as_ref().map_or(self.events(), |ahead| ahead.events)
    }

    /// Where the viewer is.
    pub fn place(&self) -> Place {
        Place { events: self.events(), cursor_us: self.cursor_us as u64 }
    }

    /// Grows with everything that changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How often another run was put in place, and how often the viewer went back.
    pub fn beginnings(&self) -> (u64, u64) {
        (self.loads, self.rewinds)
    }

    /// The number that the next fact gets.
    pub fn next_seq(&self) -> u64 {
        self.player.facts()
    }

    /// The speed that was chosen.
    pub fn chosen_speed(&self) -> Speed {
        SPEEDS[self.speed.min(SPEEDS.len() - 1)]
    }

    /// The end of the timeline: what the run has reached, or how long it is worth watching.
    pub fn extent(&self) -> SimTime {
        self.planned.max(SimTime(self.furthest.0 + self.furthest.0 / 20))
    }

    /// How far the run has been played.
    pub fn furthest(&self) -> SimTime {
        self.furthest
    }

    /// How long the run is worth watching, where its parameters change that, ms.
    pub fn plan(&mut self, until_ms: u64) {
        self.planned = SimTime::from_ms(until_ms);
    }

    /// Goes where another session is, so that both show the same moment, and stands or runs as it does.
    pub(super) fn follow(&mut self, other: &Session) {
        let cursor = other.cursor_us;
        if cursor < self.cursor_us {
            self.jump_to_time(SimTime(cursor as u64));
        }
        let due = |session: &Session| session.world().next_at().is_some_and(|at| at.0 as f64 <= cursor);
        let mut steps = 0;
        while steps < STEPS_A_JUMP && due(self) {
            self.take_step();
            steps += 1;
        }
        if self.cursor_us != cursor || steps > 0 {
            self.cursor_us = cursor;
            self.settle();
        }
        self.playing = other.playing;
    }

    /// Real time has passed: virtual time follows, and what is due happens.
    pub fn advance(&mut self, elapsed_ms: f64) {
        if !self.playing {
            return;
        }
        let mut left_ms = elapsed_ms.clamp(0.0, LONGEST_FRAME_MS);
        let mut steps = 0;
        // while time runs faster than chosen, each event may end that: look again after each
        while left_ms > 0.0 && steps < STEPS_A_FRAME {
            let us_a_ms = us_a_ms(self.world(), self.chosen_speed(), self.skip_idle);
            let goal = self.cursor_us + left_ms * us_a_ms;
            match self.world().next_at().filter(|at| at.0 as f64 <= goal) {
                Some(at) => {
                    left_ms -= ((at.0 as f64 - self.cursor_us).max(0.0)) / us_a_ms;
                    self.cursor_us = self.cursor_us.max(at.0 as f64);
                    self.take_step();
                    steps += 1;
                }
                None => {
                    self.cursor_us = goal;
                    left_ms = 0.0;
                }
            }
        }
        self.settle();
    }

    /// Forgets most of what makes jumps quick: this session is only kept to be gone back to.
    pub fn shelve(&mut self) {
        self.line.thin_beyond(0, SHELVED_CHECKPOINTS);
    }

    /// Something that is shown has changed.
    pub fn touch(&mut self) {
        self.version += 1;
    }

    fn take_step(&mut self) -> bool {
        if self.player.step().is_none() {
            return false;
        }
        let world = self.player.world();
        let (new, events) = (self.readers.read(world, world.last_facts()), world.events);
        if !new {
            self.line.keep_near(&self.player, &self.readers.summary);
        } else if self.line.is_due(events) {
            self.study();
            self.line.keep(&self.player, &self.readers);
        }
        true
    }

    /// After single steps: the cursor stands at the last event.
    fn catch_up(&mut self) {
        self.cursor_us = self.cursor_us.max(self.world().now.0 as f64);
        self.settle();
    }

    /// The world's clock follows the cursor, so that an action happens when it is seen to happen.
    fn settle(&mut self) {
        let now = SimTime(self.cursor_us as u64);
        if self.world().next_at().is_none_or(|at| at > now) {
            self.player.run_until(now, |_, _| {});
        }
        self.furthest = self.furthest.max(self.world().now);
        self.version += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::scenarios::scenario;
    use crate::sim::{Action, Record};

    fn session(id: &str) -> Session {
        Session::new(scenario(id).unwrap().run(), scenario(id)).unwrap()
    }

    #[test]
    fn frames_of_any_length_show_the_same_events() {
        let goal = SimTime::from_ms(1_500);
        let mut digests = Vec::new();
        for frame_ms in [4.0, 16.7, 90.0] {
            let mut session = session("cold-start-3");
            while session.world().now < goal {
                session.advance(frame_ms);
            }
            let facts = session.facts().all().filter(|record| record.at_us <= goal).cloned();
            digests.push(facts.collect::<Vec<_>>());
        }
        assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn idle_time_passes_fast_and_busy_time_does_not() {
        let mut session = session("cold-start-3");
        let mut seconds = 0.0;
        while session.world().now < SimTime::from_ms(900) {
            session.advance(20.0);
            seconds += 0.02;
        }
        assert!((4.0..25.0).contains(&seconds), "{seconds} s for 0.9 s of virtual time");
    }

    #[test]
    fn seeking_back_and_forth_ends_at_the_same_digest() {
        let mut session = session("leader-crash-under-load");
        session.seek(SimTime::from_ms(3_000)).unwrap();
        let digest = session.player().digest();
        session.seek(SimTime::from_ms(700)).unwrap();
        assert_eq!(session.world().now, SimTime::from_ms(700));
        session.seek(SimTime::from_ms(3_000)).unwrap();
        assert_eq!(session.player().digest(), digest);
    }

    /// What is put off changes no answer in the end, whatever the viewer does meanwhile.
    #[test]
    fn what_was_put_off_is_read_later() {
        let go = |put_off: bool, until_ms: u64| {
            let mut session = session("leader-crash-under-load");
            if put_off {
                session.put_off();
            }
            session.seek(SimTime::from_ms(until_ms)).unwrap();
            let early = session.events() < 2_048;
            assert_eq!(session.is_behind(), put_off && early, "it reads before it keeps a checkpoint with a checker");
            session.seek(SimTime::from_ms(400)).unwrap();
            session.act(Action::Crash { server: ServerId(2) }).unwrap();
            assert!(!session.is_behind(), "an action in the past needs both");
            session.seek(SimTime::from_ms(until_ms)).unwrap();
            session.study();
            session
        };
        for until_ms in [900, 40_000] {
            let (later, at_once) = (go(true, until_ms), go(false, until_ms));
            assert!(later.diagram() == at_once.diagram());
            assert!(later.states().map(|(_, state)| state).eq(at_once.states().map(|(_, state)| state)));
            assert_eq!(later.player().digest(), at_once.player().digest());
        }
    }

    #[test]
    fn what_was_done_live_is_done_again_in_a_replay() {
        let mut session = session("leader-crash-under-load");
        session.seek(SimTime::from_ms(500)).unwrap();
        session.advance(33.3);
        session.act(Action::Crash { server: ServerId(2) }).unwrap();
        session.seek(SimTime::from_ms(4_000)).unwrap();
        let run = Run::from_json(&session.player().run().to_json()).expect("a run that can be read again");
        let mut again = Player::new(run).unwrap();
        again.run_until(SimTime::from_ms(4_000), |_, _| {});
        assert_eq!(again.digest(), session.player().digest());
    }

    /// Far behind the last thing that anybody would mention, in a stretch of nothing but heartbeats.
    #[test]
    fn what_happened_last_is_known_after_a_quiet_hour_too() {
        use crate::sim::{Interest, interest};
        let mut session = session("leader-crash-under-load");
        session.seek(SimTime::from_ms(60_000)).unwrap();
        let mut player = Player::new(Run::clone(session.player().run())).unwrap();
        let (mut told, mut turned) = (Vec::new(), None);
        player.run_until(SimTime::from_ms(60_000), |_, records| {
            let told_of = records.iter().filter(|record| interest(record) != Interest::Noise);
            told.extend(told_of.cloned());
            turned = records.iter().rfind(|record| interest(record) == Interest::Step).cloned().or(turned.take());
        });
        assert!(session.facts().all().rev().take(4_000).all(|record| interest(record) == Interest::Noise));
        let newest: Vec<_> = told.into_iter().rev().take(128).collect();
        assert!(session.run_summary().told().take(128).eq(newest.iter()));
        assert_eq!(session.run_summary().turned(), turned.as_ref());
        let last = newest[0].at_us;
        session.seek(SimTime(last.0 - 1)).unwrap();
        assert!(session.run_summary().told().next().is_some_and(|record| record.at_us < last));
    }

    #[test]
    fn a_bad_action_changes_nothing() {
        let mut session = session("cold-start-3");
        let version = session.player().digest();
        let action = Action::Write { server: ServerId(1), data: String::new(), count: 0, every_us: 0 };
        assert!(session.act(action).is_err());
        assert_eq!(session.player().digest(), version);
    }

    #[test]
    fn stepping_stops_where_something_turns() {
        let mut session = session("cold-start-3");
        session.playing = false;
        assert_eq!(session.step(3), 3);
        assert!(session.run_until(Until::Election));
        assert_eq!(session.player().summary(0).epoch, 1);
        assert_eq!(session.cursor_us() as u64, session.world().now.0);
    }

    #[test]
    fn three_hundred_steps_forth_and_back_lead_to_the_start() {
        let mut session = session("leader-crash-under-load");
        session.seek(SimTime::from_ms(1_000)).unwrap();
        session.step(1);
        let (digest, place) = (session.player().digest(), session.place());
        for _ in 0..300 {
            assert_eq!(session.step(1), 1);
        }
        for _ in 0..300 {
            assert_eq!(session.step_back(1), 1);
        }
        assert_eq!((session.player().digest(), session.place()), (digest, place));
    }

    #[test]
    fn steps_back_stop_where_steps_forth_do() {
        let mut session = session("leader-crash-under-load");
        let mut places = Vec::new();
        for _ in 0..40 {
            places.push(session.place());
            session.step_to_turn();
        }
        for place in places.iter().rev() {
            session.step_back_to_turn();
            assert_eq!(session.place(), *place);
        }
    }

    #[test]
    fn the_world_before_the_last_step_is_one_step_back() {
        let mut session = session("lock-mutex");
        assert!(session.before().is_none());
        for _ in 0..40 {
            session.step(37);
            let before = session.before().unwrap();
            assert_eq!(before.events + 1, session.events());
            let mut again = before.clone();
            assert_eq!(again.step(), Some(session.world().last_facts()));
        }
    }

    #[test]
    fn a_place_between_two_events_of_a_microsecond_is_found_again() {
        let mut session = session("cold-start-3");
        session.step(5);
        let (place, digest) = (session.place(), session.player().digest());
        session.seek(SimTime::from_ms(2_000)).unwrap();
        let facts: Vec<Record> = session.facts().all().cloned().collect();
        session.go(place).unwrap();
        assert_eq!((session.place(), session.player().digest()), (place, digest));
        session.seek(SimTime::from_ms(2_000)).unwrap();
        assert!(session.facts().all().eq(&facts));
    }

    #[test]
    fn a_long_run_keeps_few_checkpoints_and_every_moment_is_reached() {
        let mut session = Session::new(scenario("lock-herd").unwrap().run(), None).unwrap();
        session.line.set_budget(6_000_000);
        session.step(60_000);
        let (count, spacing) = session.line.size();
        assert!((4..=20).contains(&count) && spacing > 2_048, "{count} checkpoints, {spacing} steps apart");
        let end = session.player().digest();
        for events in [1, 59_999, 30_000, 30_001, 29_999, 12_345, 45_678, 2_048] {
            session.seek_event(events).unwrap();
            assert_eq!(session.events(), events);
            let shown = session.facts().all().len() as u64;
            assert!(shown >= travel::FACTS_BEFORE.min(session.next_seq()), "{shown} facts at {events}");
        }
        session.seek_event(60_000).unwrap();
        assert_eq!(session.player().digest(), end);
    }

    #[test]
    fn running_until_something_happens_stops_there_or_stays() {
        let mut session = session("cold-start-3");
        assert!(session.run_until(Until::Election));
        assert_eq!(session.player().leader(), Some(ServerId(3)));
        assert!(session.run_until(Until::Milestone));
        let place = session.place();
        assert!(!session.run_until(Until::Leads(ServerId(1))) && !session.run_until(Until::Violation));
        assert_eq!(session.place(), place);
    }

    #[test]
    fn ten_idle_seconds_pass_in_one() {
        let mut session = session("cold-start-3");
        session.seek(SimTime::from_ms(4_000)).unwrap();
        let mut real_ms = 0.0;
        while session.cursor_us() < 14e6 {
            session.advance(16.7);
            real_ms += 16.7;
        }
        assert!(real_ms < 1_000.0, "{real_ms} ms");
    }
}
