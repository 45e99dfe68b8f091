//! What is told: a fact, several of one kind, what a chapter teaches, or what breaks a rule.

use std::rc::Rc;

use crate::base::{ClientId, SessionId};
use crate::check::Violation;
use crate::server;
use crate::sim::{Fact, Record};
use crate::timeline::RunSummary;

use super::alike::{alike, at_once};

/// What is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// What the scenario promises: nothing has happened since it opened.
    Promise(&'static str),
    /// Facts of one kind that make one sentence: one at least. An answer is followed by what was asked for, where the viewer did.
    Facts(Vec<Rc<Record>>),
    /// A property is violated.
    Violation(Box<Violation>),
    /// What a chapter of a scenario's scene teaches: the headline as long as the chapter lasts.
    Chapter(&'static str, usize),
}

/// Something to tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What.
    pub what: What,
    /// How much it matters, 1 to 5; 6 is what the viewer asked for by hand.
    pub rank: u8,
    /// Whose the session is that it is about.
    pub owner: Option<ClientId>,
    /// The scenario and the number of its chapter that begins with it, so that there is more to be read.
    pub begins: Option<(&'static str, usize)>,
}

impl Told {
    /// The number of its first fact.
    pub fn seq(&self) -> Option<u64> {
        match &self.what {
            What::Promise(_) | What::Chapter(..) => None,
            What::Facts(records) => records.first().map(|record| record.seq),
            What::Violation(violation) => Some(violation.seq),
        }
    }

    /// Its facts.
    pub fn records(&self) -> &[Rc<Record>] {
        if let What::Facts(records) = &self.what { records } else { &[] }
    }

    pub(super) fn fact(record: Rc<Record>, rank: u8, summary: &RunSummary) -> Told {
        let owner = match &record.fact {
            Fact::Server { fact, .. } => session_of(fact).and_then(|session| summary.session_of(session)),
            _ => None,
        };
        Told { what: What::Facts(vec![record]), rank, owner, begins: None }
    }

    /// The answer to this, which the viewer asked for, if it is not that itself.
    pub(super) fn of_request(mut self, asked: Option<Rc<Record>>) -> Told {
        let own = self.seq();
        if let (What::Facts(records), Some(asked)) = (&mut self.what, asked.filter(|asked| Some(asked.seq) != own)) {
            records.push(asked);
        }
        self
    }

    /// Takes the fact in, if both make one sentence.
    pub(super) fn take_in(&mut self, record: &Rc<Record>) -> bool {
        let fits = self.repeats(record) && self.records().first().is_some_and(|first| at_once(first, record));
        if fits {
            self.add(record.clone());
        }
        fits
    }

    /// Whether the fact says the same of another one, however much later.
    pub(super) fn repeats(&self, record: &Record) -> bool {
        self.records().first().is_some_and(|first| alike(first, record))
    }

    /// Takes the fact in.
    pub(super) fn add(&mut self, record: Rc<Record>) {
        if let What::Facts(records) = &mut self.what {
            records.push(record);
        }
    }
}

/// The session that a fact is about, where it does not name the client.
fn session_of(fact: &server::Fact) -> Option<SessionId> {
    use server::Fact as F;
    match fact {
        F::SessionExpired { session, .. }
        | F::SessionClosed { session, .. }
        | F::SessionMoved { session, .. }
        | F::LocalSessionEnded { session, .. } => Some(*session),
        _ => None,
    }
}
