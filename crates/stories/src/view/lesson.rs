//! A lesson on its way: which beat it is at, what was answered, where the viewer stands and how far they may see.

mod chart;
mod desk;
mod recall;
mod reveal;
mod said;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use crate::lessons::{
    Ask, Beat, Change, Kind, Resolved, Spot, Task, Text, Thinks, Value, Verdict, comes, judge, trials,
};
use crate::sim::Run;

pub use chart::{Chart, Column, Form};
pub use desk::Desk;
pub use recall::Recalled;
pub use said::{Choice, Corrected, Mark, Part, Saying};

/// What a beat is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It says something and asks nothing.
    Says,
    /// It waits for an answer. Where time is to be stopped by hand, time runs.
    Asks,
    /// The machine shows what happens.
    Shows,
    /// What happened is said beside what was expected.
    Told,
    /// There is something to be done with one's own hands.
    Does,
    /// All is said.
    Over,
}

/// What was answered to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// This.
    Given(Value),
    /// Nothing: the viewer wanted to see.
    Shown,
}

/// What has been settled, and may be told to whoever listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// What happens has been shown after the answer to this beat.
    Answer,
    /// The task of this name has been done by hand.
    Task(Rc<str>),
}

/// A lesson and where its viewer is in it.
#[derive(Clone, Debug)]
pub struct Guide {
    resolved: Rc<Resolved>,
    /// The place among beats, and behind them among tasks.
    at: usize,
    /// Where it begins, and the place behind which all is said.
    first: usize,
    last: usize,
    /// Of each place, whether it makes sense in this run: all do in the lesson's own.
    comes: Vec<bool>,
    phase: Phase,
    answers: Vec<Option<Answered>>,
    /// Of each beat, what was seen in the runs that answer its question together.
    seen_in: Vec<Vec<Value>>,
    /// The place up to which the run may be seen; it never goes back.
    seen: Spot,
    /// Tasks that were done.
    done: Vec<bool>,
    hints: usize,
    /// How often something was settled, and what it was last.
    settled: Option<(u32, Settled)>,
}

impl Guide {
    /// At the first beat.
    pub fn new(resolved: Rc<Resolved>) -> Guide {
        let (beats, tasks) = (resolved.lesson.beats.len(), resolved.lesson.play.len());
        let seen = resolved.lesson.beats.first().and_then(|beat| resolved.spot(&beat.at));
        let mut guide = Guide {
            comes: vec![true; beats + tasks],
            answers: vec![None; beats],
            seen_in: vec![Vec::new(); beats],
            done: vec![false; tasks],
            seen: seen.unwrap_or(NOWHERE),
            resolved,
            at: 0,
            first: 0,
            last: (beats + tasks).saturating_sub(1),
            phase: Phase::Says,
            hints: 0,
            settled: None,
        };
        guide.enter(0);
        guide
    }

    /// At the first of some beats or tasks, places from 0; behind the last one of them all is said.
    pub fn part(resolved: Rc<Resolved>, [first, last]: [usize; 2]) -> Guide {
        let mut guide = Guide::new(resolved);
        guide.last = last.min(guide.last);
        guide.first = first.min(guide.last);
        guide.enter(guide.first);
        guide
    }

    /// The same from its beginning.
    pub fn again(&self) -> Guide {
        let mut again = Guide::part(self.resolved.clone(), [self.first, self.last]);
        again.comes.clone_from(&self.comes);
        again.enter(self.first);
        again
    }

    /// The lesson's beats in a run of the viewer's own, from a place on: those that make sense there. None where no question does.
    pub fn in_own_run(resolved: Rc<Resolved>, from: usize) -> Option<Guide> {
        let mut guide = Guide::new(resolved);
        let beats = &guide.resolved.lesson.beats;
        let comes: Vec<bool> = beats.iter().map(|beat| comes(&guide.resolved, beat)).collect();
        let asks = beats.iter().zip(&comes).skip(from).any(|(beat, comes)| *comes && beat.ask.is_some());
        guide.comes = comes;
        guide.comes.resize(guide.last + 1, false);
        guide.first = from;
        guide.seen = NOWHERE;
        guide.enter(from);
        asks.then_some(guide)
    }

    /// The lesson's run, and what its questions come to.
    pub fn resolved(&self) -> &Rc<Resolved> {
        &self.resolved
    }

    /// What the beat is doing.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The number of the beat from 1, and how many there are, tasks included.
    pub fn number(&self) -> (usize, usize) {
        let count = self.answers.len() + self.done.len();
        (self.at.min(self.last) + 1, count)
    }

    /// The number under which [`Guide::enter`] and addresses lead here, from 1: beats, tasks, and one more for the end.
    pub fn index(&self) -> usize {
        self.at + 1
    }

    /// The name of the beat or of the task; none at the end.
    pub fn name(&self) -> Option<&Rc<str>> {
        let task = || self.resolved.lesson.play.get(self.at.checked_sub(self.answers.len())?);
        self.beat().map(|beat| &beat.id).or_else(|| task().map(|task| &task.id))
    }

    /// Whether there is a way back.
    pub fn has_way_back(&self) -> bool {
        self.before().is_some() || matches!(self.phase, Phase::Shows | Phase::Told)
    }

    /// The place before this one.
    fn before(&self) -> Option<usize> {
        // all of a part has been said, and the lesson may go on behind it
        let end = if self.phase == Phase::Over { self.last + 1 } else { self.at };
        self.comes.iter().take(end).rposition(|comes| *comes)
    }

    /// What was settled last, with a number that is another one each time; none since the lesson began.
    pub fn settled(&self) -> Option<&(u32, Settled)> {
        self.settled.as_ref()
    }

    /// The beat; none where there is something to be done, or all is said.
    pub fn beat(&self) -> Option<&Beat> {
        self.resolved.lesson.beats.get(self.at)
    }

    /// The question of this beat.
    pub fn ask(&self) -> Option<&Ask> {
        self.beat()?.ask.as_ref()
    }

    /// What there is to be done.
    pub fn task(&self) -> Option<&Task> {
        match self.ask().map(|ask| &ask.kind) {
            Some(Kind::Do(task)) => Some(&**task).filter(|_| self.phase == Phase::Asks),
            Some(_) => None,
            None => self.resolved.lesson.play.get(self.at.checked_sub(self.answers.len())?),
        }
    }

    /// Where the viewer stands when the beat begins to do what it does.
    pub fn place(&self) -> Spot {
        let beat = self.beat().and_then(|beat| self.resolved.spot(&beat.at));
        match self.phase {
            Phase::Told => self.until().or(beat),
            _ => beat,
        }
        .unwrap_or(self.seen)
    }

    /// The moment at which the answer of this beat can be seen.
    pub fn until(&self) -> Option<Spot> {
        self.ask().and_then(|ask| self.resolved.spot(&ask.until))
    }

    /// How far the run may be seen.
    pub fn horizon(&self) -> Spot {
        self.seen
    }

    /// The lesson's run as far as it may be known: what the lesson does later is not in it.
    pub fn run(&self) -> Rc<Run> {
        let mut run = Run::clone(&self.resolved.run);
        run.actions.truncate(self.seen.done);
        Rc::new(run)
    }

    /// The verdict on what was answered to this beat.
    pub fn verdict(&self) -> Option<Verdict> {
        match (self.ask()?, self.answers.get(self.at)?.as_ref()?) {
            (ask, Answered::Given(given)) => Some(judge(&self.resolved, ask, self.seen_in(self.at), given)),
            (_, Answered::Shown) => None,
        }
    }

    /// What was seen in the runs that answer a beat's question together.
    fn seen_in(&self, beat: usize) -> &[Value] {
        self.seen_in.get(beat).map_or(&[], Vec::as_slice)
    }

    /// The number of the next run, from 0, that has to be played before the machine has shown what happens.
    pub fn next_trial(&self) -> Option<usize> {
        let next = self.seen_in(self.at).len();
        (self.phase == Phase::Shows && self.ask().is_some_and(|ask| next < trials(ask))).then_some(next)
    }

    /// That run has been played, and this was seen in it.
    pub fn has_tried(&mut self, seen: Value) {
        if self.next_trial().is_some() {
            self.seen_in[self.at].push(seen);
        }
    }

    /// The run that belongs to what was answered, where it has its own, and what it is called; not before the machine has shown what happens.
    pub fn own_run(&self) -> Option<(Change, &Text)> {
        let Some(Answered::Given(Value::Number(number))) = self.answered().filter(|_| self.phase == Phase::Told)
        else {
            return None;
        };
        let ask = self.ask().filter(|ask| matches!(ask.kind, Kind::Place { .. } | Kind::Build { .. }))?;
        let trial = ask.kind.runs().get(usize::try_from(number - 1).ok()?)?;
        Some((trial.change_of(&self.resolved.lesson), &trial.say))
    }

    /// What was answered to this beat.
    pub fn answered(&self) -> Option<&Answered> {
        self.answers.get(self.at)?.as_ref()
    }

    /// The idea behind what was answered, where it has a name; not before the machine has shown what happens.
    pub fn thinks(&self) -> Option<&Thinks> {
        match self.verdict()? {
            Verdict::Other(Some(idea)) => self.ask()?.thinks.get(idea).filter(|_| self.phase == Phase::Told),
            _ => None,
        }
    }

    /// Somebody answers the question: the machine shows what happens.
    pub fn answer(&mut self, given: Value) {
        self.reveal(Answered::Given(given));
    }

    /// Somebody does not answer, but wants to see.
    pub fn show(&mut self) {
        self.reveal(Answered::Shown);
    }

    fn reveal(&mut self, answered: Answered) {
        if self.phase == Phase::Asks && self.ask().is_some() {
            self.answers[self.at] = Some(answered);
            self.phase = Phase::Shows;
            self.see(self.until());
        }
    }

    /// The viewer has come so many steps far: what was to be shown has been shown.
    pub fn reached(&mut self, events: u64) -> bool {
        let played = self.phase == Phase::Shows && self.next_trial().is_none();
        let shown = played && self.until().is_none_or(|until| events >= until.events);
        if shown {
            self.tell();
        }
        shown
    }

    fn tell(&mut self) {
        self.phase = Phase::Told;
        self.settle(Settled::Answer);
    }

    fn settle(&mut self, what: Settled) {
        let before = self.settled.as_ref().map_or(0, |(number, _)| *number);
        self.settled = Some((before.wrapping_add(1), what));
    }

    /// The task has been done by hand.
    pub fn has_done(&mut self) {
        let Some(id) = self.task().map(|task| task.id.clone()).filter(|_| !self.is_done()) else { return };
        match (self.phase, self.at.checked_sub(self.answers.len())) {
            (Phase::Does, Some(task)) => self.done[task] = true,
            (Phase::Asks, None) => self.answer(Value::Truth(true)),
            _ => return,
        }
        self.settle(Settled::Task(id));
    }

    /// Whether the task of this place has been done.
    pub fn is_done(&self) -> bool {
        let task = self.at.checked_sub(self.answers.len());
        task.and_then(|task| self.done.get(task)).copied().unwrap_or(false)
    }

    /// One hint more.
    pub fn hint(&mut self) {
        self.hints += 1;
    }

    /// Goes on: from what is shown to what is told, from there to the next beat. A question waits for an answer. Whether it went on.
    pub fn go_on(&mut self) -> bool {
        match self.phase {
            Phase::Asks | Phase::Over => return false,
            // what has not been played cannot be told
            Phase::Shows if self.next_trial().is_some() => return false,
            Phase::Shows => self.tell(),
            Phase::Says | Phase::Told | Phase::Does => self.enter(self.at + 1),
        }
        true
    }

    /// Goes back: to the question before its answer, to the beat before this one. Whether there was a way.
    pub fn go_back(&mut self) -> bool {
        match self.phase {
            Phase::Shows | Phase::Told => self.phase = Phase::Asks,
            _ => match self.before() {
                Some(before) => self.enter(before),
                None => return false,
            },
        }
        true
    }

    /// Goes to a beat, from 0, or to the next one that makes sense; of those behind the last one to the end.
    pub fn enter(&mut self, at: usize) {
        let beats = self.answers.len();
        let next = (at..=self.last).find(|at| self.comes.get(*at).copied().unwrap_or(false));
        self.at = next.unwrap_or(beats + self.done.len());
        self.hints = 0;
        self.phase = match self.beat() {
            Some(beat) if beat.ask.is_none() => Phase::Says,
            Some(_) if self.answers[self.at].is_some() => Phase::Told,
            Some(_) => Phase::Asks,
            None if self.at < beats + self.done.len() => Phase::Does,
            None => Phase::Over,
        };
        let stops = matches!(self.ask().map(|ask| &ask.kind), Some(Kind::Catch { .. }));
        self.see(Some(self.place()));
        // whoever is to stop time must be able to stop it too late
        if stops {
            self.see(self.until());
        }
    }

    fn see(&mut self, spot: Option<Spot>) {
        if let Some(spot) =
            spot.filter(|spot| (spot.events, spot.at, spot.done) > (self.seen.events, self.seen.at, self.seen.done))
        {
            self.seen = spot;
        }
    }
}

const NOWHERE: Spot = Spot { events: 0, at: crate::base::SimTime::ZERO, facts: 0, done: 0 };
