//! The facts up to where the viewer is, as far as they are kept: one stretch without gaps. It may reach beyond the viewer
//! who has stepped back; what lies there is not shown.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{MsgId, SimTime};
use crate::sim::{Fact, Record, WorldFact};

/// How many facts are kept; older ones are forgotten. They can be had again by going there.
const KEPT: usize = 20_000;

/// One stretch of facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recent {
    records: VecDeque<Rc<Record>>,
}

impl Recent {
    /// Reads the next fact, perhaps once more. A fact from elsewhere begins a new stretch.
    pub(crate) fn read(&mut self, record: &Rc<Record>) {
        let first = self.records.front().map_or(record.seq, |first| first.seq);
        let next = first + self.records.len() as u64;
        if (first..next).contains(&record.seq) {
            return;
        }
        if record.seq != next {
            self.records.clear();
        }
        if self.records.len() == KEPT {
            self.records.pop_front();
        }
        self.records.push_back(record.clone());
    }

    /// Forgets everything from this number on.
    pub(crate) fn truncate(&mut self, seq: u64) {
        let kept = self.records.partition_point(|record| record.seq < seq);
        self.records.truncate(kept);
    }

    /// Forgets everything from this moment on.
    pub(crate) fn truncate_at(&mut self, at: SimTime) {
        let kept = self.records.partition_point(|record| record.at_us < at);
        self.records.truncate(kept);
    }

    /// Whether the facts before this number are here, that many of them or all that there are.
    pub(crate) fn covers(&self, seq: u64, count: u64) -> bool {
        let Some(first) = self.records.front().map(|first| first.seq) else { return seq == 0 };
        first <= seq.saturating_sub(count) && seq <= first + self.records.len() as u64
    }

    /// The facts before this number.
    pub(crate) fn before(&self, seq: u64) -> Facts<'_> {
        let here = self.covers(seq, 0);
        let count = if here { self.records.partition_point(|record| record.seq < seq) } else { 0 };
        Facts { records: &self.records, count }
    }
}

/// Facts to read, up to where the viewer is.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    records: &'a VecDeque<Rc<Record>>,
    count: usize,
}

impl<'a> Facts<'a> {
    /// All that are kept, oldest first.
    pub fn all(self) -> impl DoubleEndedIterator<Item = &'a Record> + ExactSizeIterator {
        self.records.range(..self.count).map(Rc::as_ref)
    }

    /// Those from one number on, as far as they are kept.
    pub fn from(self, seq: u64) -> impl DoubleEndedIterator<Item = &'a Record> + ExactSizeIterator {
        self.shared_from(seq).map(Rc::as_ref)
    }

    /// The same for whoever keeps some of them.
    pub fn shared_from(self, seq: u64) -> impl DoubleEndedIterator<Item = &'a Rc<Record>> + ExactSizeIterator {
        let first = self.records.partition_point(|record| record.seq < seq).min(self.count);
        self.records.range(first..self.count)
    }

    /// The sending of a message, and what became of it.
    pub fn story(self, msg: MsgId) -> (Option<&'a Record>, Option<&'a Record>) {
        let (mut sent, mut end) = (None, None);
        for record in self.all().rev() {
            match &record.fact {
                Fact::World(WorldFact::Sent { msg: id, .. }) if *id == msg => {
                    sent = Some(record);
                    break;
                }
                Fact::World(WorldFact::Delivered { msg: id, .. } | WorldFact::Lost { msg: id, .. }) if *id == msg => {
                    end = Some(record);
                }
                _ => {}
            }
        }
        (sent, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;
    use crate::sim::Death;

    fn record(seq: u64) -> Record {
        let fact = Fact::World(WorldFact::Crashed { server: ServerId(1), how: Death::Crash });
        Record { seq, at_us: SimTime(seq), fact, why: None }
    }

    fn seqs(facts: Facts<'_>) -> Vec<u64> {
        facts.all().map(|record| record.seq).collect()
    }

    #[test]
    fn a_stretch_has_no_gap_and_shows_nothing_beyond_the_viewer() {
        let mut recent = Recent::default();
        (5..9).chain(5..10).for_each(|seq| recent.read(&Rc::new(record(seq))));
        assert_eq!(seqs(recent.before(8)), [5, 6, 7]);
        assert_eq!(recent.before(8).from(7).len(), 1);
        assert!(recent.covers(8, 3) && !recent.covers(8, 4) && !recent.covers(12, 1));
        assert!(seqs(recent.before(4)).is_empty());
        recent.truncate(7);
        assert_eq!(seqs(recent.before(7)), [5, 6]);
        recent.read(&Rc::new(record(20)));
        assert_eq!(seqs(recent.before(21)), [20]);
    }
}
