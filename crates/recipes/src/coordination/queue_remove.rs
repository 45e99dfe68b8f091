//! Removing items by their id (`DistributedIdQueue.java` `remove`; `DistributedQueue.java` `tryRemove`): every item that the
//! list shows under the id is deleted, unless somebody else has it; how many were comes back.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, Request};

use crate::coordination::queue_order::Order;
use crate::curator::{Create, Delete, Op};
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;

/// `remove(id)`.
#[derive(Clone, Debug)]
pub(crate) struct Remove {
    path: Rc<str>,
    lock_path: Option<Rc<str>>,
    id: Rc<str>,
    /// The items of this id that are still there.
    names: VecDeque<Rc<str>>,
    count: u32,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Listing,
    /// An item's node in the lock path is made.
    Locking(Rc<str>),
    Deleting(Rc<str>),
    /// The node in the lock path goes; then this is what became of the item.
    Unlocking(Outcome),
}

impl Remove {
    pub(crate) fn boxed(path: &Rc<str>, lock_path: Option<&Rc<str>>, id: Rc<str>) -> Boxed {
        let (path, lock_path, names) = (path.clone(), lock_path.cloned(), VecDeque::new());
        Box::new(Remove { path, lock_path, id, names, count: 0, state: State::Listing })
    }

    fn next(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(name) = self.names.pop_front() else {
            return Flow::Return(Ok(Value::Text(Some(self.count.to_string().into()))));
        };
        let Some(lock_path) = &self.lock_path else { return self.delete(name) };
        let lock = Create::plain(&child_of(lock_path, &name), CreateMode::Ephemeral, Some(cx.core.address()));
        self.state = State::Locking(name);
        Flow::Call(lock.boxed())
    }

    /// Without the lock it demands version 0, which nobody has raised (`processNormally` never asked for the Stat).
    fn delete(&mut self, name: Rc<str>) -> Flow {
        let (path, version) = (child_of(&self.path, &name), if self.lock_path.is_some() { -1 } else { 0 });
        self.state = State::Deleting(name);
        Flow::Call(Op::new(Request::Delete { path, version }))
    }

    fn deleted(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match outcome {
            Ok(_) => self.count += 1,
            // another has it
            Err(Exception::Keeper(Code::NodeExists | Code::NoNode | Code::BadVersion)) => {}
            Err(exception) => return Flow::Return(Err(exception)),
        }
        self.next(cx)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (std::mem::replace(&mut self.state, State::Listing), outcome) {
            (State::Listing, Ok(Value::Answer(Answer::Children { names, .. }))) => {
                self.names = names.into_iter().filter(|name| Order::id(name) == &*self.id).collect();
                self.next(cx)
            }
            (State::Locking(name), Ok(_)) => self.delete(name),
            (State::Locking(_), outcome) => self.deleted(cx, outcome),
            (State::Deleting(name), outcome) => match &self.lock_path {
                Some(lock_path) => {
                    self.state = State::Unlocking(outcome);
                    Flow::Call(Delete::guaranteed(child_of(lock_path, &name)))
                }
                None => self.deleted(cx, outcome),
            },
            (State::Unlocking(outcome), Ok(_)) => self.deleted(cx, outcome),
            (State::Unlocking(_) | State::Listing, outcome) => Flow::Return(outcome),
        }
    }
}

impl Frame for Remove {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            _ => Flow::Call(Op::children(&self.path)),
        }
    }
}
