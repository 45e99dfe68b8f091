//! Who takes part in an election: the ids in the nodes' data (`LeaderSelector.java` `getLeader`, `getParticipants`,
//! `participantForPath`; `LockInternals.java` `getParticipantNodes`). It asks the ensemble, and may disagree with what a
//! participant believes of itself.

use std::rc::Rc;

use crate::wire::{Answer, Code, Request, decoded};

use crate::curator::Op;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, key, sorted};

/// The question under way.
#[derive(Clone, Debug)]
pub(crate) struct Participants {
    path: Rc<str>,
    /// What nodes are called, before their numbers.
    node_name: &'static str,
    /// Only the first is asked for.
    leader_only: bool,
    /// Nodes that are still to be read, the first one last.
    nodes: Option<Vec<Rc<str>>>,
    ids: Vec<Rc<str>>,
}

impl Participants {
    /// `getLeader`: the id of the first; empty where nobody takes part.
    pub(crate) fn leader(path: &Rc<str>, node_name: &'static str) -> Boxed {
        Box::new(Participants { path: path.clone(), node_name, leader_only: true, nodes: None, ids: Vec::new() })
    }

    /// `getParticipants`: all ids; the first leads.
    pub(crate) fn all(path: &Rc<str>, node_name: &'static str) -> Boxed {
        Box::new(Participants { path: path.clone(), node_name, leader_only: false, nodes: None, ids: Vec::new() })
    }

    fn next(&mut self) -> Flow {
        let done = self.leader_only && !self.ids.is_empty();
        match self.nodes.as_mut().and_then(Vec::pop).filter(|_| !done) {
            Some(name) => Flow::Call(Op::new(Request::GetData { path: child_of(&self.path, &name), watch: false })),
            None if self.leader_only => Flow::Return(Ok(Value::Text(Some(self.ids.pop().unwrap_or_default())))),
            None => Flow::Return(Ok(Value::Names(std::mem::take(&mut self.ids)))),
        }
    }

    fn returned(&mut self, outcome: Outcome) -> Flow {
        match outcome {
            Ok(Value::Answer(Answer::Children { names, .. })) => {
                let mut nodes = sorted(names, |child| key(child, self.node_name));
                nodes.reverse();
                self.nodes = Some(nodes);
                self.next()
            }
            Ok(Value::Answer(Answer::Data { data, .. })) => {
                self.ids.push(decoded(&data).into());
                self.next()
            }
            // the path is missing, or a participant has left since it was listed
            Ok(_) | Err(Exception::Keeper(Code::NoNode)) => self.next(),
            Err(exception) => Flow::Return(Err(exception)),
        }
    }
}

impl Frame for Participants {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(outcome),
            _ => Flow::Call(Op::children(&self.path)),
        }
    }
}
