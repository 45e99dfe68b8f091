//! A run of a recipe of one's own, told by client and line: what somebody reads who wants to know how it breaks.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{ClientId, SimTime};
use crate::recipes::Fact as Told;
use crate::sim::{Fact, Record, Run, WorldFact};

use super::super::goal::Goal;
use super::super::stand::Stand;

/// A moment that is worth a line.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Whose.
    pub client: ClientId,
    /// The line that the client is at, from 1; 0 where it is in no section.
    pub line: usize,
    /// What happens: a fact of the program's, or what is done to the client.
    pub record: Rc<Record>,
}

/// What happens in a run until a moment: calls, what is kept, waits, who has it, and what is done to clients.
pub fn story(run: &Run, goal: &Goal, until: SimTime) -> Vec<Moment> {
    let mut stand = Stand::new(run.clone(), goal);
    let (mut lines, mut moments) = (BTreeMap::new(), Vec::new());
    while stand.world.next_at().is_some_and(|at| at <= until) && stand.step() {
        for record in stand.world.last_facts() {
            let Some(client) = told_of(&record.fact, &mut lines) else { continue };
            let line = lines.get(&client).copied().unwrap_or(0);
            moments.push(Moment { client, line, record: record.clone() });
        }
    }
    moments
}

/// Whom a fact is about that is told; the lines that clients come to are kept.
fn told_of(fact: &Fact, lines: &mut BTreeMap<ClientId, usize>) -> Option<ClientId> {
    match fact {
        Fact::Program { client, fact: Told::AtLine { line, .. } } => {
            lines.insert(*client, *line as usize);
            None
        }
        Fact::Program { fact: Told::RecipeMade { .. } | Told::MethodReturned { outcome: Ok(_), .. }, .. } => None,
        Fact::Program { client, fact } => {
            if let Told::MethodCalled { .. } = fact {
                lines.remove(client);
            }
            Some(*client)
        }
        Fact::World(
            WorldFact::ClientKilled { client }
            | WorldFact::ClientPaused { client }
            | WorldFact::ClientResumed { client },
        ) => Some(*client),
        _ => None,
    }
}
