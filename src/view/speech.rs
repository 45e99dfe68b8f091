//! What a screen reader is told, at a speed that one can follow: while time runs, one sentence every so often, the most
//! important of what happened meanwhile; in single steps, what the step did.

use crate::recipes;
use crate::sim::{Fact, Interest, Record, WorldFact, interest};
use crate::zab::{self, ServerState};
use crate::{client, server};

use crate::timeline::Session;

/// The shortest time between two sentences while time runs, ms of real time.
const PAUSE_MS: f64 = 2_500.0;
/// How many facts are looked at to choose one.
const LOOKED_AT: usize = 4_000;

/// What is to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// The fact of this number.
    Fact(u64),
    /// So many violations are there; the last one is new.
    Violation(usize),
}

/// What was said so far.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    beginnings: (u64, u64),
    /// The first fact that has not been heard of, and how many violations have.
    next: u64,
    violations: usize,
    /// When the last sentence was begun, ms.
    at_ms: Option<f64>,
}

impl Speech {
    /// What to say now, at a moment of real time (ms); nothing where the last sentence stands.
    pub fn choose(&mut self, session: &Session, now_ms: f64) -> Option<Said> {
        if self.at_ms.is_some_and(|at| session.playing && now_ms - at < PAUSE_MS) {
            return None;
        }
        if std::mem::replace(&mut self.beginnings, session.beginnings()) != session.beginnings() {
            (self.next, self.violations) = (0, 0);
        }
        let violations = session.violations().count();
        let fresh = std::mem::replace(&mut self.violations, violations) < violations;
        let said = if fresh { Some(Said::Violation(violations)) } else { self.fact(session).map(Said::Fact) };
        self.next = session.next_seq();
        if said.is_some() {
            self.at_ms = Some(now_ms);
        }
        said
    }

    /// While time runs the most important of what is new, of these the newest; in single steps the newest.
    fn fact(&self, session: &Session) -> Option<u64> {
        let new = session.facts().from(self.next).rev().take(LOOKED_AT);
        let told = new.filter(|record| interest(record) != Interest::Noise);
        let chosen = match session.playing {
            true => told.filter(|record| weight(record) > 0).rev().max_by_key(|record| (weight(record), record.seq)),
            false => {
                let mut told = told;
                told.next()
            }
        };
        chosen.map(|record| record.seq)
    }
}

/// How much a fact matters among those that happened in a few seconds; 0 is not worth a sentence then.
fn weight(record: &Record) -> u8 {
    if interest(record) < Interest::Step {
        return 0;
    }
    match &record.fact {
        Fact::Other { .. } => 3,
        Fact::Zab { fact, .. } => in_server(fact),
        Fact::World(fact) => in_world(fact),
        Fact::Client { fact: client::Fact::ClientEnded { .. }, .. } => 3,
        Fact::Client { .. } => 1,
        Fact::Server { fact: server::Fact::SessionExpired { .. }, .. } => 3,
        Fact::Server { .. } => 1,
        Fact::Program { fact: recipes::Fact::Acquired { .. }, .. } => 3,
        Fact::Program { fact: recipes::Fact::Released { .. } | recipes::Fact::ConnectionState { .. }, .. } => 2,
        Fact::Program { .. } => 1,
    }
}

fn in_server(fact: &zab::Fact) -> u8 {
    use zab::Fact as F;
    match fact {
        F::Established { .. } | F::RefusedToStart { .. } | F::Left { role: ServerState::Leading, .. } => 4,
        F::Elected { role: ServerState::Leading, .. } | F::Left { .. } => 3,
        F::Committed { .. } | F::UpToDate { .. } | F::LearnerDropped { .. } | F::SyncChosen { .. } => 2,
        _ => 1,
    }
}

fn in_world(fact: &WorldFact) -> u8 {
    use WorldFact as W;
    match fact {
        W::Crashed { .. } | W::Exited { .. } => 5,
        W::UnsyncedLost { .. } | W::LogTruncated { .. } => 4,
        W::Paused { .. } | W::Resumed { .. } | W::LinkCut { .. } | W::LinkHealed { .. } | W::DiskWiped { .. } => 3,
        W::Started { .. } | W::Added { .. } | W::WriteFailed { .. } | W::ResourceRefused { .. } => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;

    fn session(id: &str) -> Session {
        let from = scenario(id).expect("a built-in scenario");
        Session::new(from.run(), Some(from)).expect("a valid run")
    }

    fn fact(session: &Session, said: Option<Said>) -> Record {
        let Some(Said::Fact(seq)) = said else { panic!("{said:?}") };
        session.facts().from(seq).next().expect("it is kept").clone()
    }

    #[test]
    fn while_time_runs_there_is_a_pause_and_the_most_important_comes_first() {
        let (mut session, mut speech) = (session("leader-crash-under-load"), Speech::default());
        session.playing = true;
        session.seek(SimTime::from_ms(1_390)).expect("it is near");
        let first = speech.choose(&session, 0.0);
        let first = fact(&session, first);
        assert!(matches!(first.fact, Fact::Zab { fact: zab::Fact::Established { .. }, .. }), "{first:?}");
        // the crash is heard when the pause is over, although more has happened since
        let crash = |record: &Record| matches!(record.fact, Fact::World(WorldFact::Crashed { .. }));
        while !session.facts().all().any(crash) {
            session.step(1);
        }
        session.step(40);
        session.playing = true;
        assert_eq!(speech.choose(&session, 2_000.0), None);
        let second = speech.choose(&session, 2_600.0);
        assert!(crash(&fact(&session, second)));
        assert_eq!(speech.choose(&session, 9_000.0), None, "nothing new");
    }

    #[test]
    fn a_single_step_is_told_at_once() {
        let (mut session, mut speech) = (session("cold-start-3"), Speech::default());
        session.playing = false;
        let mut told = 0;
        for step in 0..60 {
            let before = session.next_seq();
            session.step(1);
            if let Some(said) = speech.choose(&session, f64::from(step)) {
                assert!(fact(&session, Some(said)).seq >= before);
                told += 1;
            }
        }
        assert!(told > 5, "{told}");
        session.step_back(30);
        assert!(speech.choose(&session, 61.0).is_some(), "after a step back it is told where one is");
    }

    #[test]
    fn a_violation_comes_before_everything() {
        let from = scenario("leader-crash-under-load").expect("a built-in scenario");
        let mut run = from.run();
        run.setup.rules = run.setup.rules.breaking(zab::BrokenRule::RejoinWithoutTrunc);
        let mut speech = Speech::default();
        let trunc = scenario("rejoin-trunc").expect("a built-in scenario");
        let mut broken = trunc.run();
        broken.setup.rules = run.setup.rules;
        let mut session = Session::new(broken, None).expect("a valid run");
        session.playing = true;
        session.seek(SimTime::from_ms(trunc.until_ms)).expect("it is near");
        let found = session.violations().count();
        assert!(found > 0);
        assert_eq!(speech.choose(&session, 0.0), Some(Said::Violation(found)));
    }
}
