//! What the viewer asked for by hand: calls typed at a console and single writes, and what became of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::base::{ClientId, Node, SimTime};
use crate::client::Fact as ClientFact;
use crate::sim::{Action, Fact, Record, Run, WorldFact};
use crate::timeline::Session;

/// The viewer's own requests in a run, as far as its facts have been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Hand {
    run: Option<Rc<Run>>,
    /// When they asked, and through whom.
    moments: BTreeSet<(SimTime, Node)>,
    /// What they asked for, by whom it went and its number there.
    asked: BTreeMap<(Node, u64), Rc<Record>>,
}

impl Hand {
    /// That of a run up to where its viewer stands.
    pub(super) fn at(session: &Session) -> Hand {
        let mut hand = Hand::default();
        hand.look(session);
        hand
    }

    /// The run may be another one by now: the viewer has done something in it.
    pub(super) fn look(&mut self, session: &Session) {
        let run = session.player().run();
        if self.run.as_ref().is_some_and(|known| Rc::ptr_eq(known, run)) {
            return;
        }
        // what a program outside says is nobody's hand
        let connects = |action: &Action| match action {
            Action::ConnectOutside { client, .. } => Some(*client),
            _ => None,
        };
        let outside: BTreeSet<ClientId> =
            session.actions().iter().filter_map(|timed| connects(&timed.action)).collect();
        let through = |action: &Action| match action {
            Action::Ask { client, .. } if !outside.contains(client) => Some(Node::from(*client)),
            Action::Write { server, .. } => Some((*server).into()),
            _ => None,
        };
        let own = session.actions().iter().zip(session.own()).filter(|(_, own)| *own);
        let moments = own.filter_map(|(timed, _)| Some((timed.at_us, through(&timed.action)?))).collect();
        *self = Hand { run: Some(run.clone()), moments, asked: BTreeMap::new() };
        if !self.moments.is_empty() {
            session.facts().shared_from(0).for_each(|record| self.learn(record));
        }
    }

    /// Reads the next fact.
    pub(super) fn learn(&mut self, record: &Rc<Record>) {
        if let Some((through, number, true)) = request(record)
            && self.moments.contains(&(record.at_us, through))
        {
            self.asked.insert((through, number), record.clone());
        }
    }

    /// What the viewer asked for that begins or ends with this fact.
    pub(super) fn asked(&self, record: &Record) -> Option<&Rc<Record>> {
        let (through, number, _) = request(record)?;
        self.asked.get(&(through, number))
    }
}

/// Through whom a request went of which a fact tells, its number there, and whether it begins with it.
fn request(record: &Record) -> Option<(Node, u64, bool)> {
    match &record.fact {
        Fact::Client { client, fact: ClientFact::Called { call, .. } } => Some(((*client).into(), call.0, true)),
        Fact::Client { client, fact: ClientFact::Answered { call, .. } } => Some(((*client).into(), call.0, false)),
        Fact::World(WorldFact::WriteAsked { server, write, .. }) => Some(((*server).into(), *write, true)),
        Fact::World(
            WorldFact::WriteAnswered { server, write, .. } | WorldFact::WriteFailed { server, write, .. },
        ) => Some(((*server).into(), *write, false)),
        _ => None,
    }
}
