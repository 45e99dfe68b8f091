//! DistributedBarrier (`DistributedBarrier.java`): one persistent node; while it is there, everybody waits. A waiter watches
//! with exists, so that the last look, at a node that is gone, leaves a watch behind.

use std::rc::Rc;

use crate::base::{Micros, SimTime};
use crate::wire::{Code, CreateMode, Request};

use crate::curator::{Create, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Set "set", Remove "remove", Wait "wait" }

/// A barrier.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    path: Rc<str>,
}

impl Barrier {
    pub(crate) fn new(recipe: &Recipe) -> Barrier {
        Barrier { path: recipe.path.clone() }
    }
}

impl Object for Barrier {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let path = self.path.clone();
        match Asked::of(method)? {
            Asked::Set => {
                let create = Create::plain(&path, CreateMode::Persistent, Some(cx.core.address())).with_parents();
                Ok(Instead::ignoring(Code::NodeExists, create.boxed()))
            }
            Asked::Remove => Ok(Instead::ignoring(Code::NoNode, Op::new(Request::Delete { path, version: -1 }))),
            Asked::Wait => {
                let limit = method.timeout_ms.map(|ms| ms * 1000);
                Ok(Box::new(Wait { object: me.clone(), path, limit, deadline: None }))
            }
        }
    }
}

/// `waitOnBarrier`, perhaps with a limit.
#[derive(Clone, Debug)]
struct Wait {
    object: Rc<str>,
    path: Rc<str>,
    limit: Option<Micros>,
    deadline: Option<SimTime>,
}

impl Wait {
    fn look(&self) -> Flow {
        Flow::Call(Op::watching(Request::Exists { path: self.path.clone(), watch: true }, &self.object))
    }

    fn looked(&self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        match outcome {
            Ok(_) if self.deadline.is_some_and(|deadline| deadline <= cx.now) => {
                cx.fact(Fact::GaveUp { thread, object });
                Flow::Return(Ok(Value::Bool(false)))
            }
            Ok(_) => {
                let (node, watched) = (Rc::from(""), self.path.clone());
                cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead: 0 });
                Flow::Wait { on: Some(self.object.clone()), until: self.deadline }
            }
            Err(Exception::Keeper(Code::NoNode)) if self.limit.is_some() => Flow::Return(Ok(Value::Bool(true))),
            Err(Exception::Keeper(Code::NoNode)) => Flow::Return(Ok(Value::Nothing)),
            Err(exception) => Flow::Return(Err(exception)),
        }
    }
}

impl Frame for Wait {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.looked(cx, outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Woken(_) => {
                cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
                self.look()
            }
            Resume::Start | Resume::Answer(_) => {
                self.deadline = self.limit.map(|limit| cx.now.plus(limit));
                self.look()
            }
        }
    }

    fn monitor(&self) -> Option<&Rc<str>> {
        Some(&self.object)
    }
}
