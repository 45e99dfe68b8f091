//! Configuration, published and subscribed to: one node; subscribers read it with a watch, and read it again when the watch
//! tells that it changed. Push and pull: the event carries nothing.

use std::rc::Rc;

use crate::wire::{Bytes, Code, CreateMode, Data, Request};

use crate::coordination::routine::{Decision, Done, Look, Rounds, Routine, Seen};
use crate::curator::{Create, Op};
use crate::runtime::context::{Boxed, Copied, Cx, Frame, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Value};

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Publish "publish", Subscribe "subscribe", Get "get" }

/// A configuration at one client.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    path: Rc<str>,
    alive: bool,
    known: Option<Rc<str>>,
}

impl Config {
    pub(crate) fn new(recipe: &Recipe) -> Config {
        Config { path: recipe.path.clone(), alive: false, known: None }
    }
}

impl Object for Config {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Publish => {
                Ok(Box::new(Publish { path: self.path.clone(), data: method.data.clone().map(Bytes::from) }))
            }
            Asked::Subscribe => {
                Rounds::<Config>::begin(&mut self.alive, me, cx);
                Ok(Done::boxed())
            }
            Asked::Get => Ok(Done::text(self.known.clone())),
        }
    }

    fn copy(&self) -> Option<Copied> {
        let values = self.known.iter().cloned().collect();
        self.alive.then(|| Copied { path: self.path.clone(), below: false, values, named: false, hidden: Vec::new() })
    }
}

impl Routine for Config {
    fn looks(&self, _: &Seen) -> Vec<Look> {
        vec![Look::data(self.path.clone(), true)]
    }

    fn decide(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        let data: Option<Rc<str>> = seen.data(&self.path).map(|(data, _)| data.into());
        if data != self.known {
            decision.told.push(("configured", data.clone().unwrap_or_default()));
            self.known = data;
        }
        decision
    }
}

/// Sets the data; the first time there is no node.
#[derive(Clone, Debug)]
struct Publish {
    path: Rc<str>,
    data: Data,
}

impl Frame for Publish {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        let (path, data) = (self.path.clone(), self.data.clone());
        match with {
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) => {
                Flow::Call(Create::plain(&path, CreateMode::Persistent, data).with_parents().boxed())
            }
            Resume::Returned(Ok(_)) => Flow::Return(Ok(Value::Nothing)),
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => Flow::Call(Op::new(Request::SetData { path, data, version: -1 })),
        }
    }
}
