//! One run on the stage: a player, the reader's cursor in virtual time, and what its facts have told so far. The cursor
//! moves with real time × speed; what happens never depends on how it moves.

use crate::base::{MsgId, SimTime};
use crate::check::Checker;
use crate::sim::{Action, Player, Record, Run, RunError, Scenario, World};

use super::chronicle::Chronicle;
use super::pace::{DEFAULT_SPEED, LONGEST_FRAME_MS, Mood, SPEEDS, Speed, mood};

/// Most steps that one frame takes: a page that plays fast stays responsive.
const STEPS_A_FRAME: u64 = 4_000;
/// Most steps that one jump takes.
const STEPS_A_JUMP: u64 = 3_000_000;

/// A run and where its viewer is in it.
#[derive(Clone, Debug)]
pub struct Session {
    player: Player,
    chronicle: Chronicle,
    checker: Checker,
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
        let checker = Checker::new(&player.run().setup);
        Ok(Session {
            player,
            chronicle: Chronicle::default(),
            checker,
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
        let fresh = Session::new(run, scenario)?;
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

    /// The world as it is.
    pub fn world(&self) -> &World {
        self.player.world()
    }

    /// The world before the last step; none where nothing has happened yet.
    pub fn before(&self) -> Option<World> {
        let steps = self.world().events.checked_sub(1)?;
        let mut world = World::new(self.player.run());
        while world.events < steps && world.step().is_some() {}
        Some(world)
    }

    /// The player of the run.
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// What its facts have told so far.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// What the properties say so far.
    pub fn checker(&self) -> &Checker {
        &self.checker
    }

    /// The built-in scenario that it came from.
    pub fn scenario(&self) -> Option<&'static Scenario> {
        self.scenario
    }

    /// Where the viewer is, µs; at or after the last event.
    pub fn cursor_us(&self) -> f64 {
        self.cursor_us
    }

    /// Grows with everything that changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How often another run was put in place, and how often the run was played again from its beginning.
    pub fn beginnings(&self) -> (u64, u64) {
        (self.loads, self.rewinds)
    }

    /// The number that the next fact gets, as far as facts have been read.
    pub fn next_seq(&self) -> u64 {
        self.chronicle.records().next_back().map_or(0, |record| record.seq + 1)
    }

    /// The speed that was chosen.
    pub fn chosen_speed(&self) -> Speed {
        SPEEDS[self.speed.min(SPEEDS.len() - 1)]
    }

    /// The end of the timeline: what the run has reached, or how long it is worth watching.
    pub fn extent(&self) -> SimTime {
        self.planned.max(SimTime(self.furthest.0 + self.furthest.0 / 20))
    }

    /// How long the run is worth watching, where its parameters change that, ms.
    pub fn plan(&mut self, until_ms: u64) {
        self.planned = SimTime::from_ms(until_ms);
    }

    /// Goes where another session is, so that both show the same moment.
    pub fn follow(&mut self, other: &Session) {
        let due = |session: &Session| session.world().next_at().is_some_and(|at| at.0 as f64 <= other.cursor_us);
        if other.cursor_us < self.cursor_us {
            let _ = self.seek(SimTime(other.cursor_us as u64));
        }
        let mut steps = 0;
        while steps < STEPS_A_JUMP && due(self) {
            self.take_step();
            steps += 1;
        }
        if self.cursor_us != other.cursor_us || steps > 0 {
            self.cursor_us = other.cursor_us;
            self.settle();
        }
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
            let mood = if self.skip_idle { mood(self.world()) } else { Mood::Busy };
            let us_a_ms = self.chosen_speed().factor() * mood.boost() * 1000.0;
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

    /// Takes the next steps; how many there were.
    pub fn step(&mut self, count: u64) -> u64 {
        let mut taken = 0;
        while taken < count.min(STEPS_A_JUMP) && self.take_step() {
            taken += 1;
        }
        self.catch_up();
        taken
    }

    /// Goes on to the next fact that is worth stopping at.
    pub fn step_to(&mut self, worth: impl Fn(&Record) -> bool) {
        for _ in 0..STEPS_A_FRAME * 10 {
            let turned = match self.player.step() {
                Some(records) => records.iter().any(&worth),
                None => break,
            };
            self.read_step();
            if turned {
                break;
            }
        }
        self.catch_up();
    }

    /// Goes to a moment; back means to play the run again from its beginning.
    ///
    /// # Errors
    /// Too much happens on the way; then the session stands where it stopped.
    pub fn seek(&mut self, until: SimTime) -> Result<(), RunError> {
        if (until.0 as f64) < self.cursor_us {
            let run = self.player.run().clone();
            let (furthest, packet, loads, planned) = (self.furthest, self.packet, self.loads, self.planned);
            self.load(run, self.scenario)?;
            (self.furthest, self.packet, self.loads, self.planned) = (furthest, packet, loads, planned);
            self.rewinds += 1;
        }
        let mut steps = 0;
        while self.world().next_at().is_some_and(|at| at <= until) {
            if steps == STEPS_A_JUMP {
                self.catch_up();
                let reached = self.world().now.as_ms();
                return Err(RunError(format!("more than {STEPS_A_JUMP} steps on the way: stopped at {reached} ms")));
            }
            self.take_step();
            steps += 1;
        }
        self.cursor_us = until.0 as f64;
        self.settle();
        Ok(())
    }

    /// Does something to the ensemble now.
    ///
    /// # Errors
    /// The action is wrong; then nothing has happened.
    pub fn act(&mut self, action: Action) -> Result<(), RunError> {
        self.settle();
        let (chronicle, checker) = (&mut self.chronicle, &mut self.checker);
        self.player.act(action, |_, records| read(chronicle, checker, records))?;
        self.version += 1;
        Ok(())
    }

    /// Something that is shown has changed.
    pub fn touch(&mut self) {
        self.version += 1;
    }

    fn take_step(&mut self) -> bool {
        let happened = self.player.step().is_some();
        if happened {
            self.read_step();
        }
        happened
    }

    fn read_step(&mut self) {
        read(&mut self.chronicle, &mut self.checker, self.player.world().last_facts());
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

fn read(chronicle: &mut Chronicle, checker: &mut Checker, records: &[Record]) {
    for record in records {
        chronicle.read(record);
        checker.read(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::sim::scenario;

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
            let facts = session.chronicle.records().filter(|record| record.at_us <= goal).cloned();
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

    #[test]
    fn a_follower_is_where_the_other_is() {
        let (mut first, mut second) = (session("leader-crash-under-load"), session("lock-mutex"));
        for goal in [700, 3_000, 1_200, 1_201] {
            first.seek(SimTime::from_ms(goal)).unwrap();
            second.follow(&first);
            assert_eq!((second.world().now, second.cursor_us()), (first.world().now, first.cursor_us()));
        }
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
        session.step_to(|record| format!("{:?}", record.fact).contains("Established"));
        assert_eq!(session.player().summary(0).epoch, 1);
        assert_eq!(session.cursor_us() as u64, session.world().now.0);
    }
}
