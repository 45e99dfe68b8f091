//! Turning points: the moments after the beginning at which something happens that is worth stopping at. They have numbers, from
//! 1, so that a slide can say at which one it opens. What is worth it is the caller's to say.

use std::cell::Cell;

use crate::base::SimTime;
use crate::sim::{Record, RunError};

use super::Session;

/// Most events that one way takes.
const MOST_EVENTS: u64 = 3_000_000;

/// Counts the turning points of a run while it is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Which play of which run was read; none before the first.
    beginnings: Option<(u64, u64)>,
    next: u64,
    count: u64,
    last: SimTime,
}

impl Turns {
    /// Reads what has happened since the last call; the new facts that are worth stopping at, each with the number of its
    /// turning point. After a way back it counts anew, silently up to where the viewer is.
    pub fn read<'a>(&mut self, session: &'a Session, worth: impl Fn(&Record) -> bool) -> Vec<(u64, &'a Record)> {
        let anew = self.is_anew(session);
        if anew {
            *self = Turns { beginnings: Some(session.beginnings()), ..Turns::default() };
        }
        let mut found = Vec::new();
        for record in session.chronicle().records_from(self.next).filter(|record| worth(record)) {
            if record.at_us > self.last {
                self.count += 1;
                self.last = record.at_us;
            }
            if self.count > 0 && !anew {
                found.push((self.count, record));
            }
        }
        self.next = session.next_seq();
        found
    }

    /// Whether the next reading begins from the beginning: another run is there, or this one is played again.
    pub fn is_anew(&self, session: &Session) -> bool {
        self.beginnings != Some(session.beginnings())
    }

    /// How many there have been.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number that the next unread fact has.
    pub fn next_seq(&self) -> u64 {
        self.next
    }
}

/// Goes on by so many turning points.
///
/// # Errors
/// There are none for too long; then the session stands where it stopped looking.
pub fn forth(session: &mut Session, count: u64, worth: impl Fn(&Record) -> bool) -> Result<(), RunError> {
    let last = session.world().events + MOST_EVENTS;
    for done in 0..count {
        let (from, found) = (session.world().now, Cell::new(false));
        while !found.get() {
            let before = session.world().events;
            session.step_to(|record| {
                let turned = record.at_us > from && worth(record);
                found.set(found.get() || turned);
                turned
            });
            let events = session.world().events;
            if !found.get() && (events > last || events == before) {
                return Err(RunError(format!("no turning point after the next {done}, for very long")));
            }
        }
        // what else happens at this very moment belongs to it
        session.seek(session.world().now)?;
    }
    Ok(())
}

/// Goes back by so many turning points, to the beginning at most.
///
/// # Errors
/// Those of [`Session::seek`].
pub fn back(session: &mut Session, count: u64, worth: impl Fn(&Record) -> bool) -> Result<(), RunError> {
    let (mut goal, mut left) = (SimTime(session.cursor_us() as u64), count);
    for record in session.chronicle().records().rev() {
        if left == 0 || record.at_us.0 == 0 {
            break;
        }
        if record.at_us < goal && worth(record) {
            (goal, left) = (record.at_us, left - 1);
        }
    }
    session.seek(if left == 0 { goal } else { SimTime::ZERO })
}

/// Goes back by so many events, to the beginning at most.
///
/// # Errors
/// Those of [`Session::seek`].
pub fn events_back(session: &mut Session, count: u64) -> Result<(), RunError> {
    let goal = session.world().events.saturating_sub(count);
    session.seek(SimTime::ZERO)?;
    session.step(goal.saturating_sub(session.world().events));
    Ok(())
}

/// Goes to the turning point with this number; 0 is the beginning.
///
/// # Errors
/// As [`forth`].
pub fn go(session: &mut Session, number: u64, worth: impl Fn(&Record) -> bool) -> Result<(), RunError> {
    session.seek(SimTime::ZERO)?;
    forth(session, number, worth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Fact, scenario};
    use crate::zab;

    fn session() -> Session {
        Session::new(scenario("cold-start-3").unwrap().run(), scenario("cold-start-3")).unwrap()
    }

    fn committed(record: &Record) -> bool {
        matches!(record.fact, Fact::Zab { fact: zab::Fact::Committed { .. }, .. })
    }

    #[test]
    fn the_number_is_the_same_forth_back_and_at_once() {
        let (mut one, mut other) = (session(), session());
        let mut moments = Vec::new();
        for number in 1..=3 {
            forth(&mut one, 1, committed).unwrap();
            moments.push(one.world().now);
            go(&mut other, number, committed).unwrap();
            assert_eq!((other.world().now, other.cursor_us()), (one.world().now, one.cursor_us()));
            assert_eq!(other.player().digest(), one.player().digest());
        }
        assert!(moments.is_sorted_by(|a, b| a < b), "{moments:?}");
        back(&mut one, 1, committed).unwrap();
        assert_eq!(one.world().now, moments[1]);
        one.seek(moments[1].plus(1)).unwrap();
        back(&mut one, 1, committed).unwrap();
        assert_eq!(one.world().now, moments[1], "from between two points, the one before is the first back");
        back(&mut one, 9, committed).unwrap();
        assert_eq!(one.world().now, SimTime::ZERO);
    }

    #[test]
    fn points_are_counted_while_they_happen_and_anew_after_a_way_back() {
        let (mut session, mut turns) = (session(), Turns::default());
        assert!(turns.read(&session, committed).is_empty());
        forth(&mut session, 2, committed).unwrap();
        let told: Vec<u64> = turns.read(&session, committed).iter().map(|(number, _)| *number).collect();
        assert_eq!((told, turns.count()), (vec![1, 2], 2));
        back(&mut session, 1, committed).unwrap();
        assert!(turns.read(&session, committed).is_empty());
        assert_eq!(turns.count(), 1);
        forth(&mut session, 1, committed).unwrap();
        assert_eq!(turns.read(&session, committed).len(), 1);
    }

    #[test]
    fn events_are_taken_back_one_by_one() {
        let mut session = session();
        session.step(120);
        let digest = session.player().digest();
        session.step(7);
        events_back(&mut session, 7).unwrap();
        assert_eq!((session.world().events, session.player().digest()), (120, digest));
        events_back(&mut session, 1_000).unwrap();
        assert_eq!(session.world().now, SimTime::ZERO);
    }

    #[test]
    fn a_run_without_turning_points_ends_the_search() {
        let mut session = session();
        assert!(forth(&mut session, 1, |_| false).is_err());
    }
}
