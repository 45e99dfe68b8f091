//! One run on the stage: a player, the viewer's cursor in virtual time, and those who read its facts. The cursor
//! moves with real time × speed, or jumps; what happens never depends on how it moves.
//!
//! Behind the cursor lie checkpoints (`line`). What was once played beyond it stays known to the readers: the timeline shows it, and the
//! checker, which reads each fact once, stands there. Other versions of the run are in `versions`; `edits` makes them.

mod edits;
mod horizon;
mod outside;
mod scene;
mod seek;
mod travel;
mod until;

pub use seek::Destination;

use crate::base::limits::MAX_SHOWN_EVENTS;
use crate::base::{MsgId, SimTime};
use crate::check::{Double, State, Violation};
use crate::scenarios::Scenario;
use crate::sim::{Player, Run, RunError, World};

use crate::timeline::branches::{Place, Versions};
use crate::timeline::checkpoints::Checkpoints;
use crate::timeline::idle::Idle;
use crate::timeline::pace::{DEFAULT_SPEED, IDLE_US_A_MS, LONGEST_FRAME_MS, SKIP_MS, SPEEDS, Speed, us_a_ms};
use crate::timeline::readers::Readers;
use crate::timeline::recent::Facts;
use crate::timeline::spacetime::Diagram;
use crate::timeline::summary::RunSummary;

pub use scene::Ending;
pub use until::Until;

/// Most steps that one frame takes: a page that plays fast stays responsive.
const STEPS_A_FRAME: u64 = 4_000;
/// How many checkpoints a session keeps that is only kept to be gone back to.
const SHELVED_CHECKPOINTS: usize = 16;
/// The chosen speed, all of it, in thousandths.
const FULL_PACE: u64 = 1_000;
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
    /// Programs outside are its clients: it does not come to an end by itself.
    pub is_live: bool,
    /// For so long idle time is not skipped, real ms.
    unskipped_ms: f64,
    /// The idle stretch of which the last frame skipped a part.
    skipped: Option<Idle>,
    /// The packet that is looked at.
    pub packet: Option<MsgId>,
    stage: scene::Stage,
    /// Beyond so many steps nothing is shown: of a lesson's run, and of any.
    horizon: Option<u64>,
    most: u64,
    /// A way that is gone in pieces.
    way: Option<seek::Way>,
    version: u64,
    loads: u64,
    rewinds: u64,
    forks: u64,
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
            line: Checkpoints::new(Player::new(player.run().clone())?),
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
            is_live: false,
            unskipped_ms: 0.0,
            skipped: None,
            packet: None,
            stage: scene::Stage::default(),
            horizon: None,
            most: MAX_SHOWN_EVENTS,
            way: None,
            version: 0,
            loads: 0,
            rewinds: 0,
            forks: 0,
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
            is_live: self.is_live,
            unskipped_ms: 0.0,
            version: self.version + 1,
            loads: self.loads + 1,
            rewinds: self.rewinds,
            forks: self.forks,
            ..fresh
        };
        Ok(())
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
    pub fn states(&self) -> impl Iterator<Item = (&'static str, State)> {
        let next = self.next_seq();
        self.readers.once.checker.states().map(move |(property, state)| match state {
            State::Violated { seq, .. } if seq < next => (property, state),
            State::Holds { tested } | State::Violated { tested, .. } => {
                (property, State::Holds { tested: tested.filter(|&seq| seq < next) })
            }
        })
    }

    /// Who went on believing to hold what another had by right, up to the cursor.
    pub fn doubles(&self) -> impl Iterator<Item = &Double> {
        let now = self.world().now;
        self.readers.once.checker.doubles().iter().take_while(move |double| double.at <= now)
    }

    /// Since when disks have lost more than the protocol bears, if that was before the cursor.
    pub fn outside(&self) -> Option<SimTime> {
        self.readers.once.checker.outside().filter(|&since| since <= self.world().now)
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
        let planned = if self.horizon.is_some() { SimTime::ZERO } else { self.planned };
        planned.max(SimTime(self.furthest.0 + self.furthest.0 / 20))
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
        self.advance_eased(elapsed_ms, FULL_PACE, None, |_, _| false);
    }

    /// The same with time that is held back: it runs with so many thousandths of the chosen speed, and skips nothing unless that is all of
    /// it. It does not get as far as `before`, and after each step `halts` is asked whether the frame ends with it.
    pub fn advance_eased(
        &mut self,
        elapsed_ms: f64,
        pace: u64,
        before: Option<SimTime>,
        mut halts: impl FnMut(&World, &RunSummary) -> bool,
    ) {
        self.playing &= !self.is_at_horizon();
        if !self.playing {
            return;
        }
        let mut left_ms = elapsed_ms.clamp(0.0, LONGEST_FRAME_MS);
        let end_us = self.pauses_at().map_or(f64::INFINITY, |end| end.0 as f64);
        let skips = pace >= FULL_PACE && self.skips() && self.is_alone_or_idle();
        self.unskipped_ms = (self.unskipped_ms - left_ms).max(0.0);
        let share = pace as f64 / FULL_PACE as f64;
        let last_us = before.map_or(end_us, |before| end_us.min(before.0 as f64 - 1.0));
        self.skipped = None;
        let mut steps = 0;
        // while time runs faster than chosen, each event may end that: look again after each
        while left_ms > 0.0 && steps < STEPS_A_FRAME && pace > 0 {
            let us_a_ms = self.rate(skips) * share;
            let hurries = us_a_ms > self.chosen_speed().factor() * 1_000.0;
            let most_us = if hurries { last_us.min(self.next_beside_us()) } else { last_us };
            let goal = (self.cursor_us + left_ms * us_a_ms).min(most_us.max(self.cursor_us));
            match self.world().next_at().filter(|at| at.0 as f64 <= goal) {
                Some(at) => {
                    left_ms -= ((at.0 as f64 - self.cursor_us).max(0.0)) / us_a_ms;
                    self.cursor_us = self.cursor_us.max(at.0 as f64);
                    self.take_step();
                    steps += 1;
                    // what the last step does is heard, too
                    let halted = halts(self.player.world(), &self.readers.summary);
                    self.playing = !self.is_at_horizon();
                    if halted || !self.playing {
                        break;
                    }
                }
                None => {
                    self.cursor_us = goal;
                    left_ms = 0.0;
                }
            }
        }
        if pace > 0 {
            self.settle();
        }
        if self.is_full() {
            self.end(Ending::Full);
        } else if self.cursor_us >= end_us {
            self.end(Ending::Scene);
        } else if self.is_quiet() {
            self.stage.stirred = self.world().now;
            self.end(Ending::Quiet);
        }
    }

    /// How much virtual time passes in a millisecond where its world is like this, µs.
    pub fn us_a_ms(&self, world: &World) -> f64 {
        us_a_ms(world, self.chosen_speed(), self.skip_idle)
    }

    /// How much virtual time passes in a millisecond, µs. An idle stretch that is known takes a moment all the same: who waits in it, and
    /// for how long, is to be seen.
    fn rate(&mut self, skips: bool) -> f64 {
        let us_a_ms = us_a_ms(self.world(), self.chosen_speed(), skips);
        let skipped = if skips && us_a_ms >= IDLE_US_A_MS { self.idle_now() } else { None };
        self.skipped = self.skipped.or(skipped);
        skipped.map_or(us_a_ms, |idle| {
            let slow = idle.to.since(idle.from) as f64 / SKIP_MS;
            slow.clamp(self.chosen_speed().factor() * 1_000.0, us_a_ms)
        })
    }

    /// Whether idle time passes faster now.
    fn skips(&self) -> bool {
        self.skip_idle && self.unskipped_ms <= 0.0
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
        if self.is_at_horizon() || self.player.step().is_none() {
            return false;
        }
        self.stir();
        let world = self.player.world();
        let (new, events) = (self.readers.read(world, world.last_facts()), world.events);
        if !new {
            self.line.keep_near(&self.player, &self.readers.summary);
        } else if self.line.is_due(events) {
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
mod tests;
