//! The director: which one thing is told now, to eyes and ears alike, and how far time waits for it. It watches a run and never changes it:
//! facts come in as the playhead passes them, with the wall clock in whole milliseconds, and one sentence stands until it can have been read.

mod alike;
mod hand;
mod headline;
mod rank;
mod reveal;
mod script;
mod stop;
mod told;

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::SimTime;
use crate::sim::{Fact, Record, World};
use crate::timeline::pace::Speed;
use crate::timeline::{RunSummary, Session};

pub use alike::in_turn;
use alike::repeats;
use hand::Hand;
use headline::Headline;
pub use rank::rank;
pub use reveal::Reveal;
use script::Script;
pub use stop::at_stop;
use stop::stop_of;
pub use told::{Told, What};

/// No sentence gives way earlier, however heavy the next one is, ms.
pub const LEAST_MS: u64 = 800;
/// So long time takes to stand still, so that what is sent has left its card by then, and to run again, ms.
const EASE_DOWN_MS: u64 = 400;
const EASE_UP_MS: u64 = 300;
/// Time that runs as it was chosen, per mille.
const FULL: u64 = 1_000;
/// As long as what a scenario is for is still to come, between two things that are to be read, per mille.
const TO_THE_IDEA: u64 = 3_000;
/// What the viewer asked for by hand, what decides, what causes, and the least that becomes a sentence.
const ASKED: u8 = 6;
const DECIDES: u8 = 5;
const CAUSES: u8 = 4;
const STEP: u8 = 3;
/// So many sentences of one rank wait; of those that decide all do, as long as time waits for them.
const WAITING: usize = 2;
/// So many sentences are remembered.
const REMEMBERED: usize = 8;
/// What was a cause so long ago, µs, is not on the stage any more.
const OLD_US: u64 = 300_000;
/// Whoever comes to a moment is told what mattered most so shortly before, µs.
const RECENT_US: u64 = 150_000;

/// What stands, and since when.
#[derive(Clone, Debug)]
struct Standing {
    told: Told,
    since_ms: u64,
    dwell_ms: u64,
    /// How long it has stood while time ran, ms; all of it at a stop.
    stood_ms: u64,
    /// Time waits until it can have been read.
    holds: bool,
}

/// Why time waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// Until the sentence can have been read.
    ToBeRead,
    /// For somebody to go on.
    ForHand,
}

/// How long something takes to be read, ms: a matter of its words.
pub type Dwell<'a> = &'a dyn Fn(&Told) -> u64;

/// Where the run was when the director looked last: how often it began, steps, facts.
type Place = ((u64, u64), u64, u64);

/// The director of one run.
#[derive(Clone, Debug, Default)]
pub struct Director {
    headline: Headline,
    standing: Option<Standing>,
    queue: VecDeque<Told>,
    script: Script,
    hand: Hand,
    /// What is shown is known ahead.
    reveal: Option<Reveal>,
    place: Option<Place>,
    violations: usize,
    /// What was told last, so that nothing is said again and again.
    recent: VecDeque<Rc<Record>>,
    /// How much of the chosen speed is taken away, per mille.
    hold: u64,
    /// Somebody goes on by hand: what decides stands until then.
    by_hand: bool,
    /// The viewer has gone to where a chapter begins, and time has not run since.
    arrived: bool,
    changes: u64,
}

impl Director {
    /// What stands now.
    pub fn told(&self) -> Option<&Told> {
        self.standing.as_ref().map(|standing| &standing.told)
    }

    /// How long it has stood, ms.
    pub fn shown_ms(&self, now_ms: u64) -> u64 {
        self.standing.as_ref().map_or(0, |standing| now_ms.saturating_sub(standing.since_ms))
    }

    /// How long it has stood while time ran, ms: a pause does not count. At a stop everything has come to its end.
    pub fn stood_ms(&self) -> u64 {
        self.standing.as_ref().map_or(u64::MAX, |standing| standing.stood_ms)
    }

    /// Whether eyes are led to what it is about: it matters, it came while time ran, and it has not been read yet.
    pub fn leads(&self) -> bool {
        self.standing.as_ref().is_some_and(|standing| {
            let unread = standing.holds || standing.stood_ms < standing.dwell_ms;
            standing.told.rank >= CAUSES && standing.stood_ms < u64::MAX && unread
        })
    }

    /// How far time is held, per mille: 1000 is a halt.
    pub fn hold(&self) -> u64 {
        self.hold
    }

    /// Grows with each other sentence, and each name that one takes in.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether what decides stands until somebody goes on.
    pub fn set_by_hand(&mut self, by_hand: bool) {
        self.by_hand = by_hand;
    }

    /// Why time waits, if it does.
    pub fn waits(&self) -> Option<Waits> {
        let holds = self.standing.as_ref().is_some_and(|standing| standing.holds);
        match self.by_hand && holds {
            true => Some(Waits::ForHand),
            false => (self.hold > 0).then_some(Waits::ToBeRead),
        }
    }

    /// How fast time runs where nothing holds it, per mille of the chosen speed.
    fn pace(&self) -> u64 {
        match &self.reveal {
            Some(reveal) => reveal.pace,
            None if self.script.leads_to_idea() => TO_THE_IDEA,
            None => FULL,
        }
    }

    /// Somebody goes on; whether that was waited for.
    pub fn go_on(&mut self) -> bool {
        let waited = self.waits() == Some(Waits::ForHand);
        if let Some(standing) = self.standing.as_mut().filter(|_| waited) {
            (standing.holds, standing.dwell_ms) = (false, 0);
        }
        waited
    }

    /// This stands, as long as the viewer does.
    fn stand(&mut self, told: Option<Told>, now_ms: u64, dwell: Dwell<'_>) {
        if told.as_ref() != self.told() {
            self.changes += 1;
            self.standing = told.map(|told| {
                let dwell_ms = dwell(&told);
                Standing { told, since_ms: now_ms, dwell_ms, stood_ms: u64::MAX, holds: false }
            });
        }
        // who goes there by hand finds everything at its end
        if let Some(standing) = &mut self.standing {
            (standing.stood_ms, standing.holds) = (u64::MAX, false);
        }
    }

    /// One frame in which time runs, if it does: so much real time has passed, and this is the wall clock.
    pub fn play(&mut self, session: &mut Session, elapsed_ms: u64, now_ms: u64, dwell: Dwell<'_>) {
        self.look(session, now_ms, dwell);
        if !session.playing {
            // at the end of what is shown it is still read
            if self.reveals() && session.is_at_horizon() {
                self.turn(session.world(), now_ms, dwell);
            }
            return;
        }
        if std::mem::take(&mut self.arrived) {
            self.set_out(session, now_ms, dwell);
        }
        if let Some(standing) = &mut self.standing {
            standing.stood_ms = standing.stood_ms.saturating_add(elapsed_ms);
        }
        let slow = is_slow(session.chosen_speed());
        self.turn(session.world(), now_ms, dwell);
        let before = self.headline.unread_until(session, now_ms, dwell).filter(|_| slow);
        self.ease(elapsed_ms, slow, before.is_some_and(|at| is_near(session, at)));
        let fast = if self.hold == 0 && slow { self.pace() } else { FULL };
        let (pace, scenario) = ((FULL - self.hold) * fast / FULL, session.scenario());
        let director = &mut *self;
        session.advance_eased(elapsed_ms as f64, pace, before, |world, summary| {
            let heavy = director.hear(world.last_facts(), summary, scenario, slow, dwell);
            // time is to wait for it: what is left of the frame would be skipped over it
            heavy && slow && pace >= FULL
        });
        self.hear_violations(session);
        self.place = Some(place(session));
        self.turn(session.world(), now_ms, dwell);
    }

    /// The run may be elsewhere, though no time has run: at a stop the fact is shown that made it the stop.
    pub fn look(&mut self, session: &Session, now_ms: u64, dwell: Dwell<'_>) {
        self.changes += u64::from(self.headline.look(session, now_ms));
        self.hand.look(session);
        self.script.learn(session);
        let (here, before) = (place(session), self.place);
        if before == Some(here) {
            return;
        }
        self.place = Some(here);
        // a deed while time runs is heard as anything else
        let deed = before.is_some_and(|(beginnings, events, _)| beginnings == here.0 && events + 1 == here.1);
        if session.playing && deed {
            let slow = is_slow(session.chosen_speed());
            self.hear(session.world().last_facts(), session.run_summary(), session.scenario(), slow, dwell);
            return self.turn(session.world(), now_ms, dwell);
        }
        if before.is_none_or(|(beginnings, ..)| beginnings.0 != here.0.0) {
            self.forget_reveal();
        }
        self.queue.clear();
        self.recent.clear();
        self.hold = 0;
        self.script = Script::at(session);
        self.hand = Hand::at(session);
        self.violations = session.violations().count();
        self.stand(stop_of(session, &self.hand), now_ms, dwell);
        let here = SimTime(session.cursor_us() as u64);
        self.arrived = session.told_chapter().is_some() && session.chapters().iter().any(|mark| mark.at == here);
    }

    /// Time runs on from where a chapter begins, to which the viewer has gone: its sentences are held as if time had come there by itself.
    /// Where somebody goes on by hand he has just done so.
    fn set_out(&mut self, session: &Session, now_ms: u64, dwell: Dwell<'_>) {
        self.headline.begin(now_ms);
        let Some(standing) = self.standing.as_mut().filter(|standing| !standing.told.records().is_empty()) else {
            return;
        };
        (standing.told.begins, standing.told.rank) = (session.told_chapter(), standing.told.rank.max(DECIDES));
        standing.dwell_ms = dwell_with_idea(&standing.told, dwell);
        (standing.since_ms, standing.stood_ms, standing.holds) = (now_ms, 0, !self.by_hand);
        self.recent.extend(standing.told.records().first().cloned());
        self.changes += 1;
    }

    /// The run was brought to a stop here, though it came by itself: what has just happened is told, and not what there was no time to
    /// tell before.
    pub fn stops(&mut self, session: &Session, now_ms: u64, dwell: Dwell<'_>) {
        self.place = None;
        self.look(session, now_ms, dwell);
    }

    /// One frame of a run whose time another one decides: what it has stated since is told in its turn, and nothing waits for it. What
    /// has not had its turn in a moment is not told any more.
    pub fn overhear(&mut self, session: &Session, now_ms: u64, dwell: Dwell<'_>) {
        let here = place(session);
        let before = self.place.filter(|before| before.0 == here.0 && before.2 <= here.2);
        let Some((.., seen)) = before.filter(|_| session.playing) else { return self.look(session, now_ms, dwell) };
        self.place = Some(here);
        if let Some(standing) = self.standing.as_mut().filter(|standing| standing.stood_ms < u64::MAX) {
            standing.stood_ms = now_ms.saturating_sub(standing.since_ms);
        }
        let records: Vec<Rc<Record>> = session.facts().shared_from(seen).cloned().collect();
        self.hear(&records, session.run_summary(), session.scenario(), is_slow(session.chosen_speed()), dwell);
        self.hear_violations(session);
        self.queue.retain(|told| !is_old(told, session.world()));
        self.turn(session.world(), now_ms, dwell);
    }

    /// What the last steps did; whether something is new for which time waits.
    fn hear(
        &mut self,
        records: &[Rc<Record>],
        summary: &RunSummary,
        scenario: Option<&'static crate::scenarios::Scenario>,
        slow: bool,
        dwell: Dwell<'_>,
    ) -> bool {
        let mut heavy = false;
        for record in records {
            let chapter = self.script.next_chapter();
            let decides = self.reveal.is_none() && self.script.calls_for(record);
            let begins = scenario.filter(|_| self.script.next_chapter() != chapter).map(|one| (one.id, chapter));
            self.hand.learn(record);
            let asked = self.hand.asked(record).cloned();
            let own = match (&self.reveal, &asked) {
                (Some(reveal), _) => reveal.weigh(record, rank(record, scenario)),
                (None, Some(_)) => ASKED,
                (None, None) if decides && (begins.is_some() || self.waits_for(record)) => DECIDES,
                (None, None) if decides => CAUSES,
                (None, None) => rank(record, scenario),
            };
            let small = own < STEP || (!slow && own < DECIDES) || (own < DECIDES && self.was_told(record));
            if small {
                continue;
            }
            if begins.is_none() && self.joins(record, own, dwell) {
                self.reveal.iter_mut().for_each(|reveal| reveal.has_told(record));
                continue;
            }
            heavy |= own == DECIDES;
            let before = begins.and_then(|_| self.followed_by(record));
            let told =
                Told { rank: own, begins, ..before.unwrap_or_else(|| Told::fact(record.clone(), own, summary)) };
            let told = match &mut self.reveal {
                Some(reveal) => reveal.folded(told),
                None => told.of_request(asked),
            };
            self.wait(told, slow);
        }
        heavy
    }

    /// Whether time waits for a fact that decides and begins no chapter: on the way to the idea the sentences of chapters say what
    /// matters, and it waits for what is done to the world alone.
    fn waits_for(&self, record: &Record) -> bool {
        !self.script.leads_to_idea() || matches!(record.fact, Fact::World(_))
    }

    /// Whether just the same was told a moment ago.
    fn was_told(&self, record: &Record) -> bool {
        self.recent.iter().any(|told| repeats(told, record))
    }

    /// What stands, or waits, of which this fact is one more: the last of several names them all.
    fn followed_by(&self, record: &Rc<Record>) -> Option<Told> {
        let soon =
            |told: &&Told| told.records().last().is_some_and(|last| record.at_us.since(last.at_us) <= RECENT_US);
        let all = self.told().into_iter().chain(&self.queue);
        let mut before = all.filter(|told| told.repeats(record)).filter(soon);
        let mut told = before.next()?.clone();
        before.flat_map(Told::records).chain([record]).for_each(|one| told.add(one.clone()));
        Some(told)
    }

    /// Whether it becomes a part of a sentence that stands, or waits.
    fn joins(&mut self, record: &Rc<Record>, own: u8, dwell: Dwell<'_>) -> bool {
        if let Some(standing) = self.standing.as_mut().filter(|standing| standing.told.rank >= own)
            && standing.told.take_in(record)
        {
            standing.dwell_ms = standing.dwell_ms.max(dwell(&standing.told));
            self.changes += 1;
            return true;
        }
        let Some(told) = self.queue.iter_mut().find_map(|told| told.take_in(record).then_some(told)) else {
            return false;
        };
        told.rank = told.rank.max(own);
        true
    }

    /// A sentence waits for its turn. There are few places: the oldest of its rank goes to the log.
    fn wait(&mut self, told: Told, slow: bool) {
        let places = match told.rank {
            DECIDES if slow => usize::MAX,
            STEP | ASKED => 1,
            _ => WAITING,
        };
        if self.queue.iter().filter(|one| one.rank == told.rank).count() >= places
            && let Some(at) = self.queue.iter().position(|one| one.rank == told.rank)
        {
            self.queue.remove(at);
        }
        self.queue.push_back(told);
    }

    fn hear_violations(&mut self, session: &Session) {
        let count = session.violations().count();
        if std::mem::replace(&mut self.violations, count) < count
            && let Some(last) = session.violations().last()
        {
            // first what showed it, whatever that weighs elsewhere
            let seq = last.seq;
            let shows = |told: &&mut Told| told.records().iter().any(|record| record.seq == seq);
            self.queue.iter_mut().filter(shows).for_each(|told| told.rank = told.rank.max(DECIDES));
            let behind = self.queue.iter().position(|told| told.seq().is_some_and(|own| own > seq));
            let what = What::Violation(Box::new(last.clone()));
            self.queue
                .insert(behind.unwrap_or(self.queue.len()), Told { what, rank: DECIDES, owner: None, begins: None });
        }
    }

    /// The heaviest that waits takes its turn, when what stands has been read, or is lighter and has been seen at least.
    fn turn(&mut self, world: &World, now_ms: u64, dwell: Dwell<'_>) {
        let (shown, by_hand) = (self.shown_ms(now_ms), self.by_hand);
        if let Some(standing) = self.standing.as_mut().filter(|standing| shown >= standing.dwell_ms) {
            standing.holds &= by_hand;
        }
        // below the idea stands what decides, and nothing beside the point
        let idea = self.headline.is_idea() && self.reveal.is_none();
        self.queue.retain(|told| told.rank >= DECIDES || !(idea || is_old(told, world)));
        let Some(next) = self.queue.iter().map(|told| told.rank).max() else { return };
        let due = self.standing.as_ref().is_none_or(|standing| {
            let read = shown >= standing.dwell_ms && !standing.holds;
            // whoever types on has read what came of the line before
            shown >= LEAST_MS && (read || next > standing.told.rank || next == ASKED)
        });
        if !due {
            return;
        }
        let Some(told) = self.queue.iter().position(|told| told.rank == next).and_then(|at| self.queue.remove(at))
        else {
            return;
        };
        // what led to it has been overtaken
        self.queue.retain(|one| one.rank >= told.rank.min(DECIDES) || one.seq() > told.seq());
        let least_ms = self.reveal.as_ref().map_or(0, |reveal| reveal.least_ms(&told));
        let (dwell_ms, holds) = (dwell_with_idea(&told, dwell).max(least_ms), told.rank == DECIDES);
        self.recent.extend(told.records().first().cloned());
        if self.recent.len() > REMEMBERED {
            self.recent.pop_front();
        }
        self.standing = Some(Standing { told, since_ms: now_ms, dwell_ms, stood_ms: 0, holds });
        self.changes += 1;
    }

    /// Time eases to a halt, or begins to run again.
    fn ease(&mut self, elapsed_ms: u64, slow: bool, unread: bool) {
        let waits = unread
            || self.queue.iter().any(|told| told.rank == DECIDES)
            || self.standing.as_ref().is_some_and(|standing| standing.holds);
        self.hold = match slow && waits {
            true => (self.hold + elapsed_ms * FULL / EASE_DOWN_MS).min(FULL),
            false => self.hold.saturating_sub(elapsed_ms * FULL / EASE_UP_MS),
        };
    }
}

/// How long a sentence takes to be read, with what the scenario is for where that begins with it, ms.
fn dwell_with_idea(told: &Told, dwell: Dwell<'_>) -> u64 {
    dwell(told).max(headline::idea(told).map_or(0, |idea| dwell(&idea)))
}

/// Whether time that eases to a halt now comes near to this moment.
fn is_near(session: &Session, at: SimTime) -> bool {
    let way_us = EASE_DOWN_MS as f64 * 1_000.0 * session.chosen_speed().factor();
    session.cursor_us() + way_us >= at.0 as f64
}

/// Whether time waits at this speed: faster than a fifth of real time nobody reads along.
fn is_slow(speed: Speed) -> bool {
    speed.times * 5 <= speed.of
}

fn is_old(told: &Told, world: &World) -> bool {
    told.records().last().is_some_and(|record| world.now.since(record.at_us) > OLD_US)
}

fn place(session: &Session) -> Place {
    (session.beginnings(), session.events(), session.next_seq())
}

#[cfg(test)]
mod tests;
