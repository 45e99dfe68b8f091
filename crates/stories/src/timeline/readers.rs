//! Who reads a run's facts. What is small follows the viewer, back as well: the summary, of which a copy lies in each checkpoint, and the
//! window of recent facts. What remembers the whole run reads each fact once, where the run is known furthest.

use std::rc::Rc;

use crate::base::{Chunks, SimTime};
use crate::check::Checker;
use crate::sim::{Interest, Record, Setup, World, interest};

use crate::timeline::recent::Recent;
use crate::timeline::spacetime::Diagram;
use crate::timeline::summary::RunSummary;

/// A turning point: how many steps, and how many facts, there are with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Milestone {
    pub events: u64,
    pub facts: u64,
}

/// Whether a step with these facts is a turning point.
pub(super) fn is_milestone(at: SimTime, records: &[Rc<Record>]) -> bool {
    at > SimTime::ZERO && records.iter().any(|record| is_worth_it(record))
}

/// Whether a fact is worth stopping at.
pub(super) fn is_worth_it(record: &Record) -> bool {
    interest(record) >= Interest::Step
}

/// Those that read each fact once.
#[derive(Clone, Debug)]
pub(super) struct ReadOnce {
    pub checker: Checker,
    pub diagram: Diagram,
    /// The steps with something worth stopping at.
    pub turns: Chunks<Milestone>,
}

impl ReadOnce {
    fn examine(&mut self, records: &[Rc<Record>]) {
        for record in records {
            self.checker.read(record);
            self.diagram.read(record);
        }
    }
}

/// How far a run is known, and what its facts have told there.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub events: u64,
    pub summary: RunSummary,
}

/// All that has been read of a run, kept while another one is on the stage.
#[derive(Clone, Debug)]
pub(super) struct Archive {
    ahead: Ahead,
    once: Rc<ReadOnce>,
}

/// Everybody who reads.
#[derive(Clone, Debug)]
pub(super) struct Readers {
    /// What the facts up to the viewer have told.
    pub summary: RunSummary,
    pub recent: Recent,
    pub once: ReadOnce,
    /// What is known beyond the viewer; none where nothing is.
    pub ahead: Option<Ahead>,
}

impl Readers {
    /// At the beginning of a run.
    pub(super) fn new(setup: &Setup) -> Readers {
        let once = ReadOnce { checker: Checker::new(setup), diagram: Diagram::default(), turns: Chunks::default() };
        Readers { summary: RunSummary::default(), recent: Recent::default(), once, ahead: None }
    }

    /// What happened in the last step; whether it was new.
    pub(super) fn read(&mut self, world: &World, records: &[Rc<Record>]) -> bool {
        for record in records {
            self.summary.read(record);
            self.recent.read(record);
        }
        if self.ahead.is_some() {
            self.reach(world.events);
            return false;
        }
        self.once.examine(records);
        if let Some(last) = records.last().filter(|_| is_milestone(world.now, records)) {
            self.once.turns.push(Milestone { events: world.events, facts: last.seq + 1 });
        }
        true
    }

    /// The viewer goes from one step to another, as far as which this has been told.
    pub(super) fn jump(&mut self, from: u64, to: u64, told: &RunSummary) {
        let here = std::mem::replace(&mut self.summary, told.clone());
        self.ahead.get_or_insert(Ahead { events: from, summary: here });
        self.reach(to);
    }

    /// Nothing is known beyond the viewer who has reached the end of it.
    fn reach(&mut self, events: u64) {
        self.ahead.take_if(|ahead| events >= ahead.events);
    }

    /// Forgets what lies beyond the viewer, who stands at this step and fact. A checker cannot forget: it is replaced.
    pub(super) fn truncate(&mut self, events: u64, seq: u64) {
        self.ahead = None;
        self.recent.truncate(seq);
        self.once.diagram.truncate(seq);
        self.once.turns.truncate(self.once.turns.partition_point(|turn| turn.events <= events));
    }

    /// All that has been read, for a viewer at this step.
    pub(super) fn archive(&self, events: u64) -> Archive {
        let here = || Ahead { events, summary: self.summary.clone() };
        Archive { ahead: self.ahead.clone().unwrap_or_else(here), once: Rc::new(self.once.clone()) }
    }

    /// Takes up another run, which is the same up to a moment. The viewer has still to jump somewhere in it.
    pub(super) fn take_up(&mut self, archive: Archive, parts_at: SimTime) {
        self.recent.truncate_at(parts_at);
        (self.ahead, self.once) = (Some(archive.ahead), Rc::unwrap_or_clone(archive.once));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::Player;

    fn go(player: &mut Player, readers: &mut Readers, steps: usize) -> Vec<bool> {
        let step = |_| {
            player.step().unwrap();
            readers.read(player.world(), player.world().last_facts())
        };
        (0..steps).map(step).collect()
    }

    #[test]
    fn a_way_back_keeps_what_lies_beyond_and_reads_it_once() {
        let mut player = Player::new(scenario("leader-crash-under-load").unwrap().run()).unwrap();
        let mut readers = Readers::new(&player.run().setup);
        assert!(go(&mut player, &mut readers, 400).iter().all(|new| *new));
        let (there, told) = (player.clone(), readers.summary.clone());
        go(&mut player, &mut readers, 300);
        let before = readers.clone();
        readers.jump(700, 400, &told);
        assert_eq!(readers.summary.messages(), told.messages());
        assert_eq!(readers.ahead.as_ref().map(|ahead| ahead.summary.messages()), Some(before.summary.messages()));
        player = there;
        assert!(go(&mut player, &mut readers, 300).iter().all(|new| !new));
        assert!(readers.ahead.is_none() && readers.once.diagram == before.once.diagram);
        assert_eq!(readers.once.turns, before.once.turns);
        assert_eq!(go(&mut player, &mut readers, 1), [true]);
        readers.jump(701, 400, &told);
        readers.truncate(400, 0);
        assert!(readers.ahead.is_none() && readers.once.turns.iter().all(|turn| turn.events <= 400));
        assert!(readers.once.turns.len() < before.once.turns.len());
    }
}
