//! A session as a scene: where it opens, its chapters, and that it ends. Where nothing but heartbeats is left, any run ends.

use std::rc::Rc;

use crate::base::SimTime;
use crate::scenarios::Scenario;
use crate::sim::{Action, Choice, Interest, RunError, interest};
use crate::timeline::branches::Place;
use crate::timeline::chapters::{ChapterMark, Chapters};
use crate::timeline::idle::Idle;
use crate::timeline::pace::is_idle;
use crate::timeline::time_map::TimeMap;

use crate::timeline::session::Session;

/// A chapter that began less than this before the viewer, µs of virtual time, has just begun: the way back leads to the one before it.
const JUST_BEGUN_US: u64 = 60_000;
/// Steps of a search that somebody waits for.
const STEPS_AT_ONCE: u64 = 100_000;
/// Nothing but heartbeats for so long, ms, beyond the longest time that somebody may be waiting for: nothing more will happen.
const QUIET_MS: u64 = 5_000;

/// Why time stands still by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The scene is over.
    Scene,
    /// Only heartbeats are left, and nothing is going to happen.
    Quiet,
    /// The run has as many steps as are shown of one.
    Full,
}

/// What a session knows of its scene.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    /// None before anybody asked.
    chapters: Option<Chapters>,
    /// Where it ended, and how many steps it had when it opened.
    ending: Option<(Ending, Place)>,
    opened: u64,
    /// When something happened last that is more than a heartbeat.
    pub stirred: SimTime,
    /// Another run is watched beside it.
    beside: Beside,
}

/// What a session knows of the run beside it.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    /// It is worth watching for so long.
    until: SimTime,
    /// Something is to be seen there now.
    lively: bool,
    /// What happens there next; none where there is no run, or nothing happens.
    next: Option<SimTime>,
}

impl Session {
    /// Goes where the scene opens.
    ///
    /// # Errors
    /// As [`Session::seek`].
    pub fn open_scene(&mut self) -> Result<(), RunError> {
        let opens = self.scene_chapters().map_or(SimTime::ZERO, |chapters| chapters.opens());
        self.seek(opens)?;
        self.stage.opened = self.events();
        Ok(())
    }

    /// Where the scene opens; the beginning, where there is none, or nobody has looked for chapters yet.
    pub fn opens(&self) -> SimTime {
        self.stage.chapters.as_ref().map_or(SimTime::ZERO, Chapters::opens)
    }

    /// Whether the viewer has neither gone on from where it opened nor done anything.
    pub fn is_untouched(&self) -> bool {
        let events = self.events();
        (events == 0 || events == self.stage.opened) && !self.is_changed()
    }

    /// Whether the viewer has changed what is done in the run.
    pub fn is_changed(&self) -> bool {
        !Rc::ptr_eq(self.versions.given(), self.player.run())
    }

    /// The chapters that are known, in their order.
    pub fn chapters(&self) -> &[ChapterMark] {
        self.stage.chapters.as_ref().map_or(&[], Chapters::found)
    }

    /// Looks so many steps further for chapters; whether there is more to look for.
    pub fn look_for_chapters(&mut self, steps: u64) -> bool {
        let (run, known) = (self.player.run().clone(), self.chapters().len());
        let more = self.scene_chapters().is_some_and(|chapters| chapters.look(&run, steps));
        if self.chapters().len() != known || !more {
            self.touch();
        }
        more
    }

    /// The map of the run's time as far as it is known: up to the end of the scene where that has been looked through, and beyond it what
    /// has been played.
    pub fn time_map(&self) -> TimeMap {
        let ahead = self.stage.chapters.as_ref().map_or(&[][..], Chapters::idles);
        let known = if ahead.is_empty() { SimTime::ZERO } else { self.planned };
        let played = self.archive().idles(self.furthest());
        let beyond = played.filter(|idle| idle.to > known).map(|idle| Idle { from: idle.from.max(known), ..idle });
        TimeMap::new(self.extent().0, self.opens().0, ahead.iter().copied().chain(beyond))
    }

    /// The idle stretch of which time skips a part now, where its end is known.
    pub fn skipping(&self) -> Option<Idle> {
        self.skipped.filter(|_| self.playing)
    }

    /// The idle stretch of the scene in which the viewer is.
    pub(super) fn idle_now(&self) -> Option<Idle> {
        let now = self.cursor_us as u64;
        let idles = self.stage.chapters.as_ref().map_or(&[][..], Chapters::idles);
        idles.iter().find(|idle| idle.from.0 <= now && now < idle.to.0).copied()
    }

    /// The scenario as a scene with an end; none where somebody else leads through its run.
    pub(super) fn scene(&self) -> Option<&'static Scenario> {
        self.scenario.filter(|_| self.horizon.is_none())
    }

    fn scene_chapters(&mut self) -> Option<&mut Chapters> {
        let (scenario, until, run) = (self.scene()?, self.planned, self.versions.given().clone());
        Some(self.stage.chapters.get_or_insert_with(|| Chapters::new(scenario, &run, until)))
    }

    /// The place among [`Session::chapters`] of the one that the viewer is in; none before the first.
    pub fn chapter(&self) -> Option<usize> {
        let cursor = self.cursor_us as u64;
        self.chapters().iter().rposition(|chapter| chapter.at.0 <= cursor)
    }

    /// When the chapter began that the viewer is in; the beginning, where there is none.
    pub fn chapter_began(&self) -> SimTime {
        let mark = self.chapter().and_then(|place| self.chapters().get(place));
        mark.filter(|mark| mark.index > 0).map_or(SimTime::ZERO, |mark| mark.at)
    }

    /// When the chapter after the one that the viewer is in begins, as far as chapters are known.
    pub fn next_chapter_at(&self) -> Option<SimTime> {
        let cursor = self.cursor_us as u64;
        self.chapters().iter().map(|chapter| chapter.at).find(|at| at.0 > cursor)
    }

    /// The scenario and the number of the chapter that the viewer is in, where the run is as its scene says: nobody has changed it, and it
    /// has all the chapters, which with other seeds or parameters it may not have.
    pub fn told_chapter(&self) -> Option<(&'static str, usize)> {
        let scenario = self.scene().filter(|_| !self.is_changed())?;
        scenario.scene().filter(|scene| scene.chapters.len() == self.chapters().len())?;
        self.chapter().and_then(|place| self.chapters().get(place)).map(|mark| (scenario.id, mark.index))
    }

    /// Goes on to the next chapter, or, after the last one, to the end of the scene, where time stands; whether there was a way on. Where
    /// there is no scene, turning points are chapters.
    pub fn next_chapter(&mut self) -> bool {
        if self.ending().is_some() {
            return false;
        }
        self.look_for_chapters(STEPS_AT_ONCE);
        self.go_on_in_scene().unwrap_or_else(|| self.step_to_turn())
    }

    /// Goes on to the next chapter that is known, or to the end of the scene; none where there is neither.
    pub(super) fn go_on_in_scene(&mut self) -> Option<bool> {
        if let Some(at) = self.next_chapter_at() {
            return Some(self.seek(at).is_ok());
        }
        let cursor = self.cursor_us as u64;
        let end = self.planned.max(self.stage.beside.until);
        self.scene().filter(|_| cursor < end.0)?;
        let found = self.seek(end).is_ok();
        self.end(Ending::Scene);
        Some(found)
    }

    /// Goes back to where the chapter began, or where the one before it did, if it has just begun; before the first lies the beginning.
    pub fn last_chapter(&mut self) {
        self.look_for_chapters(STEPS_AT_ONCE);
        if self.chapters().is_empty() {
            return self.step_back_to_turn();
        }
        let (chapters, cursor) = (self.chapters(), self.cursor_us as u64);
        let just_begun = |place: &usize| cursor < chapters[*place].at.0 + JUST_BEGUN_US;
        let back_to = self.chapter().and_then(|place| place.checked_sub(usize::from(just_begun(&place))));
        let began = back_to.map(|place| chapters[place].at);
        let _ = self.seek(began.unwrap_or_default());
    }

    /// Why time stands still by itself, as long as it does.
    pub fn ending(&self) -> Option<Ending> {
        let (ending, place) = self.stage.ending?;
        (!self.playing && place == self.place()).then_some(ending)
    }

    /// Its scene is not over before that of the run beside it, and no time is skipped in which something happens there.
    pub(in crate::timeline) fn heed(&mut self, other: Option<&Session>) {
        self.stage.beside = other.map_or_else(Beside::default, |other| Beside {
            until: other.planned,
            lively: !is_idle(other.world()),
            next: other.world().next_at(),
        });
    }

    /// No time is skipped in the next frame: of the run beside it something is being told.
    pub fn tarry(&mut self) {
        self.unskipped_ms = self.unskipped_ms.max(1.0);
    }

    /// Whether nothing is to be seen in the run beside it, if there is one.
    pub(super) fn is_alone_or_idle(&self) -> bool {
        !self.stage.beside.lively
    }

    /// How far time may run faster than chosen in this frame, µs: what happens beside may be worth seeing.
    pub(super) fn next_beside_us(&self) -> f64 {
        self.stage.beside.next.map_or(f64::INFINITY, |at| at.0 as f64)
    }

    pub(super) fn end(&mut self, ending: Ending) {
        self.playing = false;
        self.stage.ending = Some((ending, self.place()));
    }

    /// Where time will stand still by itself: at the end of the scene, unless the viewer is beyond it or has changed something.
    pub fn pauses_at(&self) -> Option<SimTime> {
        let end = self.planned.max(self.stage.beside.until);
        (self.scene().is_some() && !self.is_live && !self.is_changed() && self.cursor_us < end.0 as f64)
            .then_some(end)
    }

    /// Notes whether something has happened in the last step that is more than a heartbeat.
    pub(super) fn stir(&mut self) {
        let world = self.player.world();
        if world.last_facts().iter().any(|record| interest(record) > Interest::Noise) {
            self.stage.stirred = world.now;
        }
    }

    /// Whether only heartbeats are left, and nothing is going to happen: nothing is planned, and whoever waited has waited long enough.
    pub(super) fn is_quiet(&self) -> bool {
        let quiet_us = (self.cursor_us as u64).saturating_sub(self.stage.stirred.0);
        if quiet_us < QUIET_MS * 1_000 || self.is_live {
            return false;
        }
        let run = self.player.run();
        let sessions = run.actions.iter().map(|timed| match timed.action {
            Action::OpenClient { timeout_ms, .. } => u64::from(timeout_ms),
            _ => 0,
        });
        let setup = &run.setup;
        let limits = setup.tick_time_ms * setup.init_limit.max(setup.sync_limit);
        let longest = sessions.max().unwrap_or(0).max(limits);
        quiet_us >= (QUIET_MS + longest) * 1_000 && !self.is_armed() && self.is_alone_or_idle()
    }

    /// Whether something has still to be done: an action of the run, a server's start, a program.
    fn is_armed(&self) -> bool {
        let armed =
            |choice| matches!(choice, Choice::Script | Choice::Repeat(_) | Choice::Start(_) | Choice::Program(_));
        self.world().choices().any(|(_, choice)| armed(choice))
    }
}
