//! What a question shows, at an even pace: it has been rehearsed, so it is known what is worth a stop, and how fast time has to run between
//! the stops for the whole to take neither a blink nor a minute.

use std::rc::Rc;

use crate::base::Arrange;
use crate::sim::{Player, Record};
use crate::timeline::Session;

use super::{CAUSES, DECIDES, Director, Dwell, EASE_DOWN_MS, EASE_UP_MS, FULL, STEP, Standing, Told, place, rank};

/// What decides stands so long at least, ms.
const HELD_MS: u64 = 1_500;
/// Shorter than this nothing is grasped, and longer nobody waits, ms; with some room for what a rehearsal does not see.
const SHORTEST_MS: u64 = 6_800;
const LONGEST_MS: u64 = 11_500;
/// As long as there is so much time, ms, what decides by itself is held too.
const ROOM_MS: u64 = 10_000;
/// Between the stops something moves for so long at least, ms.
const MOVES_MS: u64 = 2_000;
/// To come to a stop and to set out again takes about so long, ms.
const STOP_MS: u64 = (EASE_DOWN_MS + EASE_UP_MS) / 2;
/// The rank of what is held in any case.
const ALL: u8 = DECIDES + 1;
/// Most steps of a rehearsal.
const STEPS: u64 = 100_000;

/// How a stretch of a run is told.
#[derive(Clone, Debug, Default)]
pub struct Reveal {
    /// The numbers of the facts for which time waits, in order, and how long each stands at least, ms.
    held: Vec<(u64, u64)>,
    /// How fast time runs between them, per mille of the chosen speed.
    pub(super) pace: u64,
    /// What it comes to: the last one.
    pub(super) answer: Option<Told>,
    /// What has been told in it, one for all facts of a kind.
    told: Vec<Told>,
}

/// A sentence that could be told, how much it matters, and how long it takes to be read, ms.
type Candidate = (Told, u64);

impl Reveal {
    /// What is told up to a step of the run on the stage: these facts before all, by their numbers, each for so long at least, ms; and the
    /// one with which it `ends`, if it is more than a small step, or nothing else decides.
    pub fn rehearse(
        session: &Session,
        until: u64,
        decisive: &[(u64, u64)],
        ends: Option<u64>,
        dwell: Dwell<'_>,
    ) -> Reveal {
        let (moves_ms, records) = rehearsed(session, until);
        let mut all: Vec<Candidate> = Vec::new();
        for record in &records {
            let own = rank(record, session.scenario());
            let ends = ends == Some(record.seq) && (own >= CAUSES || decisive.is_empty());
            let least_ms = decisive.iter().find(|(seq, _)| *seq == record.seq).map(|(_, least_ms)| *least_ms);
            let decides = ends || least_ms.is_some();
            if decides || (own >= STEP && !all.iter().any(|(told, _)| told.repeats(record))) {
                let own = if decides { ALL } else { own };
                let told = Told::fact(record.clone(), own, session.run_summary());
                let read_ms = dwell(&told).max(HELD_MS).max(least_ms.unwrap_or(0));
                all.push((told, read_ms));
            }
        }
        Reveal::planned(moves_ms, all)
    }

    /// What is held of all that could be, heaviest first, and how fast time runs between.
    fn planned(moves_ms: u64, mut all: Vec<Candidate>) -> Reveal {
        // behind what decides comes nothing more
        if let Some(last) = all.iter().rposition(|(told, _)| told.rank == ALL) {
            all.truncate(last + 1);
        }
        all.arrange_by_key(|(told, _)| (u8::MAX - told.rank, told.seq()));
        let (mut held, mut stops_ms) = (Vec::new(), 0);
        for (told, read_ms) in all {
            let fits = match told.rank {
                STEP | CAUSES => stops_ms + moves_ms < SHORTEST_MS,
                DECIDES => stops_ms + moves_ms.min(MOVES_MS) < ROOM_MS,
                _ => true,
            };
            if fits {
                stops_ms += read_ms + STOP_MS;
                held.push((told, read_ms));
            }
        }
        held.arrange_by_key(|(told, _)| told.seq());
        let more_ms = SHORTEST_MS.saturating_sub(stops_ms + moves_ms) / held.len().max(1) as u64;
        let runs_ms = LONGEST_MS.saturating_sub(stops_ms).max(MOVES_MS);
        Reveal {
            held: held.iter().filter_map(|(told, read_ms)| Some((told.seq()?, read_ms + more_ms))).collect(),
            pace: (FULL * moves_ms / runs_ms).max(FULL),
            answer: held.pop().map(|(told, _)| told),
            told: Vec::new(),
        }
    }

    /// How much a fact matters here that matters so much elsewhere; nothing behind what decides.
    pub(super) fn weigh(&self, record: &Record, rank: u8) -> u8 {
        match self.held.last() {
            _ if self.held.iter().any(|(seq, _)| *seq == record.seq) => DECIDES,
            Some((last, _)) if *last < record.seq => 0,
            _ => rank.min(CAUSES),
        }
    }

    /// How long a sentence stands at least, ms.
    pub(super) fn least_ms(&self, told: &Told) -> u64 {
        let holds = |(seq, _): &&(u64, u64)| told.records().iter().any(|record| record.seq == *seq);
        self.held.iter().filter(holds).map(|(_, ms)| *ms).max().unwrap_or(0)
    }

    /// The fact is told with others of its kind.
    pub(super) fn has_told(&mut self, record: &Rc<Record>) {
        if let Some(before) = self.told.iter_mut().find(|before| before.repeats(record)) {
            before.add(record.clone());
        }
    }

    /// The sentence together with what was told of its kind before.
    pub(super) fn folded(&mut self, told: Told) -> Told {
        let Some(record) = told.records().first().cloned() else { return told };
        match self.told.iter_mut().find(|before| before.repeats(&record)) {
            Some(before) => {
                before.add(record);
                Told { rank: told.rank, ..before.clone() }
            }
            None => {
                self.told.push(told.clone());
                told
            }
        }
    }
}

impl Director {
    /// What is shown from here on is known ahead, until [`Director::end_reveal`].
    pub fn begin_reveal(&mut self, reveal: Reveal) {
        self.queue.clear();
        self.recent.clear();
        self.reveal = Some(reveal);
    }

    /// It has been shown: what it comes to stands.
    pub fn end_reveal(&mut self, session: &Session, now_ms: u64, dwell: Dwell<'_>) {
        let Some(answer) = self.reveal.take().map(|reveal| reveal.answer) else { return };
        match answer {
            Some(told) => {
                (self.place, self.hold) = (Some(place(session)), 0);
                self.queue.clear();
                self.stand(Some(told), now_ms, dwell);
            }
            None => self.stops(session, now_ms, dwell),
        }
    }

    /// The run is another one by now.
    pub fn forget_reveal(&mut self) {
        self.reveal = None;
    }

    /// Whether something of what is shown has not been read yet, though time may have come to its end.
    pub fn reveals(&self) -> bool {
        let holds = |standing: &Standing| standing.holds;
        let waits = self.queue.iter().any(|told| told.rank == DECIDES) || self.standing.as_ref().is_some_and(holds);
        self.reveal.is_some() && waits
    }
}

/// How long a run moves up to a step of it, ms at the chosen speed, and what happens on the way.
fn rehearsed(session: &Session, until: u64) -> (u64, Vec<Rc<Record>>) {
    let mut player: Player = session.player().clone();
    let (mut ms, mut at, mut records) = (0.0, session.cursor_us(), Vec::new());
    let last = until.min(session.events() + STEPS);
    while player.world().events < last {
        let Some(next) = player.world().next_at() else { break };
        ms += (next.0 as f64 - at).max(0.0) / session.us_a_ms(player.world());
        at = at.max(next.0 as f64);
        let Some(facts) = player.step() else { break };
        records.extend(facts.iter().cloned());
    }
    (ms as u64, records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ServerId, SimTime};
    use crate::sim::Fact;
    use crate::view::director::in_turn;
    use crate::zab;

    fn follows(seq: u64, at_ms: u64, server: u8, rank: u8) -> Told {
        let fact = zab::Fact::Elected { leader: ServerId(3), role: zab::ServerState::Following, round: 1 };
        let fact = Fact::Zab { server: ServerId(server), fact };
        let record = Rc::new(Record { seq, at_us: SimTime::from_ms(at_ms), fact, why: None });
        Told::fact(record, rank, &Default::default())
    }

    /// How long it takes in all, ms, as far as a plan knows.
    fn takes(reveal: &Reveal, moves_ms: u64) -> u64 {
        moves_ms * FULL / reveal.pace + reveal.held.iter().map(|(_, ms)| ms + STOP_MS).sum::<u64>()
    }

    #[test]
    fn whatever_happens_it_takes_neither_a_blink_nor_a_minute() {
        for moves_ms in [0, 4, 900, 5_000, 11_000, 60_000, 600_000] {
            for count in 1..20 {
                let one = |at: u64| {
                    (follows(at, at * 100, at as u8, if at == 0 { ALL } else { 3 + (at % 3) as u8 }), 2_000)
                };
                // what decides comes last
                let all: Vec<Candidate> = (0..count).rev().map(one).collect();
                let reveal = Reveal::planned(moves_ms, all);
                let takes = takes(&reveal, moves_ms);
                assert!((6_000..=15_000).contains(&takes), "{moves_ms} ms, {count} facts: {takes} ms");
                assert!(reveal.held.iter().any(|(seq, _)| *seq == 0), "what decides is held");
            }
        }
    }

    #[test]
    fn what_several_do_in_turn_is_one_sentence_and_behind_what_decides_nothing_is_told() {
        let mut reveal = Reveal::planned(0, vec![(follows(7, 700, 1, ALL), 2_000)]);
        let first = reveal.folded(follows(1, 100, 5, CAUSES));
        assert!(!in_turn(first.records()));
        let both = reveal.folded(follows(3, 400, 2, CAUSES));
        assert_eq!(both.records().iter().map(|record| record.seq).collect::<Vec<_>>(), [1, 3]);
        assert!(in_turn(both.records()));
        let weighs = |seq| reveal.weigh(&follows(seq, 0, 1, 0).records()[0], DECIDES);
        assert_eq!([weighs(6), weighs(7), weighs(8)], [CAUSES, DECIDES, 0]);
    }
}
