//! Turning points: the steps after the beginning at which something happens that is worth stopping at. They have numbers, from 1, so
//! that a slide can say at which one it opens.

use crate::base::SimTime;
use crate::sim::{Record, RunError};

use crate::timeline::Session;
use crate::timeline::readers::is_worth_it;

/// Reads a session's facts while it is watched, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reader {
    /// Which play of which run was read; none before the first.
    beginnings: Option<(u64, u64)>,
    next: u64,
}

impl Reader {
    /// What has happened since the last call and is worth stopping at, each fact with the number of its turning point, and the number of
    /// the first fact that is new. After a way back nothing is new.
    pub fn read<'a>(&mut self, session: &'a Session) -> (Vec<(u64, &'a Record)>, u64) {
        let anew = self.beginnings != Some(session.beginnings());
        let since = if anew { session.next_seq() } else { self.next };
        *self = Reader { beginnings: Some(session.beginnings()), next: session.next_seq() };
        let worth = session.facts().from(since).filter(|record| record.at_us > SimTime::ZERO && is_worth_it(record));
        (worth.map(|record| (session.turn_of(record.seq), record)).collect(), since)
    }
}

/// Goes on by so many turning points.
///
/// # Errors
/// As [`Session::seek_turn`].
pub fn forth(session: &mut Session, count: u64) -> Result<(), RunError> {
    session.seek_turn(session.turn() + count)
}

/// Goes back by so many turning points, to the beginning at most.
///
/// # Errors
/// As [`Session::seek_turn`].
pub fn back(session: &mut Session, count: u64) -> Result<(), RunError> {
    session.seek_turn(session.turn_before().saturating_sub(count - count.min(1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;

    fn session() -> Session {
        Session::new(scenario("leader-crash-under-load").unwrap().run(), None).unwrap()
    }

    #[test]
    fn the_number_is_the_same_forth_back_and_at_once() {
        let (mut one, mut other) = (session(), session());
        let mut places = Vec::new();
        for number in 1..=30 {
            forth(&mut one, 1).unwrap();
            places.push(one.place());
            other.seek_turn(number).unwrap();
            assert_eq!((other.place(), other.turn()), (one.place(), number));
            assert_eq!(other.player().digest(), one.player().digest());
        }
        back(&mut one, 1).unwrap();
        assert_eq!(one.place(), places[28]);
        one.step(1);
        if one.turn() == 29 {
            back(&mut one, 1).unwrap();
            assert_eq!(one.place(), places[28], "from between two points, the one before is the first back");
        }
        back(&mut one, 9).unwrap();
        assert_eq!(one.place(), places[19]);
        back(&mut one, 99).unwrap();
        assert_eq!(one.events(), 0);
    }

    #[test]
    fn facts_are_told_while_they_happen_and_not_again_after_a_way_back() {
        let (mut session, mut reader) = (session(), Reader::default());
        assert!(reader.read(&session).0.is_empty());
        forth(&mut session, 3).unwrap();
        let (told, since) = reader.read(&session);
        assert_eq!((told.first().unwrap().0, told.last().unwrap().0, since), (1, 3, 0));
        back(&mut session, 1).unwrap();
        assert!(reader.read(&session).0.is_empty());
        forth(&mut session, 1).unwrap();
        assert!(reader.read(&session).0.iter().all(|(number, _)| *number == 3));
    }

    #[test]
    fn a_search_for_a_turning_point_that_never_comes_ends() {
        let mut session = session();
        assert!(session.seek_turn(1_000_000).is_err());
    }
}
