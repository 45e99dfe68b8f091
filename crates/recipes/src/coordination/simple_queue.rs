//! SimpleDistributedQueue (`SimpleDistributedQueue.java`): items are persistent sequential nodes `qn-`; a consumer reads the
//! first one and deletes it. Whose delete goes well has the item; the others go on to the next. All idle consumers watch the
//! children, and all are woken by each item.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{Arrange, Micros, SimTime};
use crate::wire::{Answer, Code, CreateMode, Data, Request};

use crate::curator::{Containers, Create, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Offer "offer", Poll "poll", Take "take", Remove "remove", Peek "peek", Element "element" }

const PREFIX: &str = "qn-";

/// A queue.
#[derive(Clone, Debug)]
pub(crate) struct SimpleQueue {
    path: Rc<str>,
    /// Its containers have been made (`EnsureContainers.java`).
    ensured: bool,
}

impl SimpleQueue {
    pub(crate) fn new(recipe: &Recipe) -> SimpleQueue {
        SimpleQueue { path: recipe.path.clone(), ensured: false }
    }
}

impl Object for SimpleQueue {
    fn call(&mut self, me: &Rc<str>, method: &Method, _: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let wants = match Asked::of(method)? {
            Asked::Offer => {
                let path = format!("{}/{PREFIX}", self.path.trim_end_matches('/'));
                let create = Create::plain(&path, CreateMode::PersistentSequential, method.data.clone());
                return Ok(Instead::of(Value::Bool(true), create.with_parents().boxed()));
            }
            Asked::Poll if method.timeout_ms.is_some() => Wants { removes: true, waits: true, throws: false },
            Asked::Take => Wants { removes: true, waits: true, throws: false },
            Asked::Poll => Wants { removes: true, waits: false, throws: false },
            Asked::Remove => Wants { removes: true, waits: false, throws: true },
            Asked::Peek => Wants { removes: false, waits: false, throws: false },
            Asked::Element => Wants { removes: false, waits: false, throws: true },
        };
        let limit = method.timeout_ms.filter(|_| &*method.method == "poll").map(|ms| ms * 1000);
        Ok(Box::new(Element { object: me.clone(), wants, limit, ..Element::default() }))
    }
}

/// What the caller wants of the first item.
#[derive(Clone, Copy, Debug, Default)]
struct Wants {
    removes: bool,
    waits: bool,
    /// No item is an exception, not null.
    throws: bool,
}

/// `internalPoll` and `internalElement`.
#[derive(Clone, Debug, Default)]
struct Element {
    object: Rc<str>,
    wants: Wants,
    limit: Option<Micros>,
    deadline: Option<SimTime>,
    /// Items of the last list that have not been tried.
    names: VecDeque<Rc<str>>,
    state: State,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Ensuring,
    Listing,
    Reading(Rc<str>),
    Deleting(Data),
}

impl Element {
    fn path(&self, cx: &mut Cx<'_>) -> Rc<str> {
        cx.object::<SimpleQueue>(&self.object).map(|queue| queue.path.clone()).unwrap_or_default()
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        match cx.object::<SimpleQueue>(&self.object) {
            Some(queue) if queue.ensured => self.list(cx),
            Some(queue) => {
                self.state = State::Ensuring;
                Flow::Call(Containers::ensure(&queue.path))
            }
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn list(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Listing;
        let path = self.path(cx);
        Flow::Call(match self.wants.waits {
            true => Op::watching(Request::GetChildren { path, watch: true, stat: true }, &self.object),
            false => Op::children(&path),
        })
    }

    /// The next item, if there is one.
    fn next(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(name) = self.names.pop_front() else { return self.nothing(cx) };
        let path: Rc<str> = format!("{}/{name}", self.path(cx).trim_end_matches('/')).into();
        self.state = State::Reading(path.clone());
        Flow::Call(Op::new(Request::GetData { path, watch: false }))
    }

    fn nothing(&mut self, cx: &mut Cx<'_>) -> Flow {
        let none = Flow::Return(Ok(Value::Text(None)));
        if self.wants.throws {
            return Flow::Return(Err(Exception::java("NoSuchElementException", "")));
        }
        if !self.wants.waits || self.deadline.is_some_and(|deadline| deadline <= cx.now) {
            return none;
        }
        let (thread, object, watched) = (cx.thread, self.object.clone(), self.path(cx));
        cx.fact(Fact::WaitsBehind { thread, object, node: "".into(), watched, ahead: 0 });
        Flow::Wait { on: Some(self.object.clone()), until: self.deadline }
    }

    /// Not even the queue's node is there.
    fn no_path(&mut self, cx: &mut Cx<'_>) -> Flow {
        if self.wants.waits {
            if let Some(queue) = cx.object::<SimpleQueue>(&self.object) {
                queue.ensured = false;
            }
            return self.begin(cx);
        }
        self.nothing(cx)
    }

    fn has(&self, cx: &mut Cx<'_>, data: Data) -> Flow {
        if self.wants.removes {
            let (thread, object) = (cx.thread, self.object.clone());
            cx.fact(Fact::Consumed { thread, object, data: data.clone().unwrap_or_default() });
        }
        Flow::Return(Ok(Value::Text(data.map(|data| data.shown().into()))))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Ensuring, Ok(_)) => {
                if let Some(queue) = cx.object::<SimpleQueue>(&self.object) {
                    queue.ensured = true;
                }
                self.list(cx)
            }
            (State::Listing, Ok(Value::Answer(Answer::Children { mut names, .. }))) => {
                names.retain(|name| name.starts_with(PREFIX));
                names.arrange();
                self.names = names.into();
                self.next(cx)
            }
            (State::Listing, Err(Exception::Keeper(Code::NoNode))) => self.no_path(cx),
            // somebody else was quicker
            (State::Reading(_) | State::Deleting(_), Err(Exception::Keeper(Code::NoNode))) => self.next(cx),
            (State::Reading(path), Ok(Value::Answer(Answer::Data { data, .. }))) if self.wants.removes => {
                self.state = State::Deleting(data);
                Flow::Call(Op::new(Request::Delete { path, version: -1 }))
            }
            (State::Reading(_), Ok(Value::Answer(Answer::Data { data, .. }))) => self.has(cx, data),
            (State::Deleting(data), Ok(_)) => self.has(cx, data),
            (_, outcome) => Flow::Return(outcome),
        }
    }
}

impl Frame for Element {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Woken(_) => {
                cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
                self.begin(cx)
            }
            Resume::Start | Resume::Answer(_) => {
                self.deadline = self.limit.map(|limit| cx.now.plus(limit));
                self.begin(cx)
            }
        }
    }

    /// The latch of a watch counts from the list on.
    fn monitor(&self) -> Option<&Rc<str>> {
        self.wants.waits.then_some(&self.object)
    }
}
