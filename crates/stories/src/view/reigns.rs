//! Who held what only one can have, from when to when: the topic of two elections beside each other.

use crate::base::{Arrange, ClientId, Node};
use crate::timeline::spacetime::Stand;

use crate::timeline::Session;

/// A stretch of time, µs: since when, and until when.
pub type Span = (u64, u64);

/// Who held it, up to the playhead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reigns {
    /// The clients, by number.
    pub lanes: Vec<Lane>,
    /// When nobody held it after the first one had, µs.
    pub nobody: Vec<Span>,
}

/// What one client had of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Who.
    pub client: ClientId,
    /// Since when it is there, µs.
    pub born_us: u64,
    /// When it held it, as it believed, µs.
    pub held: Vec<Span>,
    /// Since when its process or its session is no more, µs.
    pub gone_us: Option<u64>,
}

impl Reigns {
    /// Those of a run. What lasts ends now, at a whole twentieth of a second: it grows no faster than can be seen.
    pub fn of(session: &Session) -> Reigns {
        const STEP_US: u64 = 50_000;
        let now = session.cursor_us() as u64;
        let end = now / STEP_US * STEP_US;
        let mut lanes = Vec::new();
        for (node, lane) in session.diagram().lanes() {
            let Node::Client(client) = *node else { continue };
            let known = &lane.turns()[..lane.turns().partition_point(|turn| turn.at_us <= now)];
            let (Some(first), Some(last)) = (known.first(), known.last()) else { continue };
            let mut held: Vec<Span> = Vec::new();
            for (place, turn) in known.iter().enumerate().filter(|(_, turn)| turn.holds > 0) {
                let until = known.get(place + 1).map_or(end.max(turn.at_us), |next| next.at_us);
                match held.last_mut().filter(|(_, to)| *to == turn.at_us) {
                    Some((_, to)) => *to = until,
                    None => held.push((turn.at_us, until)),
                }
            }
            let gone_us = (last.stand == Stand::Down).then_some(last.at_us);
            lanes.push(Lane { client, born_us: first.at_us, held, gone_us });
        }
        let nobody = nobody(&lanes, end);
        Reigns { lanes, nobody }
    }

    /// How long nobody held it after the first one had, µs.
    pub fn without_us(&self) -> u64 {
        self.nobody.iter().map(|(from, to)| to - from).sum()
    }
}

/// What is between those that held it, up to the end.
fn nobody(lanes: &[Lane], end: u64) -> Vec<Span> {
    let mut held: Vec<Span> = lanes.iter().flat_map(|lane| lane.held.iter().copied()).collect();
    held.arrange();
    let Some(&(begun, _)) = held.first() else { return Vec::new() };
    let mut free = Vec::new();
    let mut until = begun;
    for (from, to) in held.into_iter().chain([(end, end)]) {
        if from > until {
            free.push((until, from));
        }
        until = until.max(to);
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;

    fn at(id: &str, ms: u64) -> (Reigns, u64) {
        let scenario = scenario(id).expect("a built-in scenario");
        let mut session = Session::new(scenario.run(), Some(scenario)).expect("a possible run");
        session.seek(SimTime::from_ms(ms)).expect("a moment of the run");
        (Reigns::of(&session), session.player().tally().handovers)
    }

    fn reigns(of: &Reigns) -> usize {
        of.lanes.iter().map(|lane| lane.held.len()).sum()
    }

    #[test]
    fn a_latch_keeps_its_leader_and_a_selector_hands_leadership_round() {
        let ((latch, latch_handovers), (selector, handovers)) =
            (at("elect-latch", 14_000), at("elect-selector", 14_000));
        for (of, handovers) in [(&latch, latch_handovers), (&selector, handovers)] {
            assert_eq!(reigns(of) as u64, handovers + 1, "each handover begins a reign: {of:?}");
            let mut all: Vec<Span> =
                of.lanes.iter().flat_map(|lane| lane.held.clone()).chain(of.nobody.clone()).collect();
            all.sort_unstable();
            assert!(all.windows(2).all(|two| two[0].1 == two[1].0), "one after the other, without a hole: {all:?}");
        }
        assert!(handovers > 2 * latch_handovers, "{handovers} against {latch_handovers}");
        let longest = |of: &Reigns| of.lanes.iter().flat_map(|lane| &lane.held).map(|(from, to)| to - from).max();
        assert!(longest(&latch) > longest(&selector));
        assert!(latch.without_us() > 3_000_000, "a session must run out first: {}", latch.without_us());
        assert!(latch.lanes.iter().any(|lane| lane.gone_us.is_some()), "one died");
    }

    #[test]
    fn nothing_of_the_future_is_known_however_far_the_run_was_played() {
        let scenario = scenario("elect-selector").expect("a built-in scenario");
        let mut session = Session::new(scenario.run(), Some(scenario)).expect("a possible run");
        for ms in [14_000, 5_000] {
            session.seek(SimTime::from_ms(ms)).expect("a moment of the run");
        }
        assert_eq!(Reigns::of(&session), at("elect-selector", 5_000).0);
        assert_eq!(at("elect-selector", 1_000).0.without_us(), 0, "nobody had it before the first");
    }
}
