//! A queue's consumer (`DistributedQueue.java` `runLoop`, `processChildren`, `processNormally`, `processWithLockSafety`).

use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::SimTime;
use crate::wire::{Acl, Answer, Code, CreateMode, Data, Request, parent_of};

use crate::coordination::queue::{ITEM, Queue};
use crate::coordination::queue_order::Order;
use crate::curator::{Create, Delete, Op};
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, name_of};

/// The loop of a consumer.
#[derive(Clone, Debug)]
pub(crate) struct Consumer {
    object: Rc<str>,
    /// The version of the list that it works through.
    version: u32,
    items: VecDeque<Rc<str>>,
    /// When the first item of the list is due, where it is not yet.
    due: Option<SimTime>,
}

impl Consumer {
    pub(crate) fn boxed(object: &Rc<str>) -> Boxed {
        Box::new(Consumer { object: object.clone(), version: 0, items: VecDeque::new(), due: None })
    }
}

impl Frame for Consumer {
    fn resume(&mut self, cx: &mut Cx<'_>, _: Resume) -> Flow {
        let now = cx.now;
        let Some(queue) = cx.object::<Queue>(&self.object).filter(|queue| queue.started) else {
            return Flow::Return(Ok(Value::Nothing));
        };
        let newer = queue.version != self.version || self.due.is_some_and(|due| due <= now);
        // a priority queue leaves its list for a newer one, the others work through it first
        if newer && (queue.order == Order::Priority || self.items.is_empty()) {
            self.list(queue, now);
        }
        while let Some(name) = self.items.pop_front() {
            if name.starts_with(ITEM) && queue.order.due(&name) <= now {
                return Flow::Call(Box::new(Item::new(&self.object, queue, &name)));
            }
        }
        Flow::Wait { on: Some(self.object.clone()), until: self.due }
    }
}

impl Consumer {
    /// Takes the list as it is known. Where its first item is not due, all of it waits: whatever comes first, be it no item.
    fn list(&mut self, queue: &Queue, now: SimTime) {
        self.version = queue.version;
        let mut names = queue.children.clone();
        queue.order.sort(&mut names);
        self.due = names.first().map(|first| queue.order.due(first)).filter(|due| *due > now);
        self.items = if self.due.is_none() { names.into() } else { VecDeque::new() };
    }
}

/// One item.
#[derive(Clone, Debug)]
struct Item {
    object: Rc<str>,
    path: Rc<str>,
    /// Its node in the lock path.
    lock: Option<Rc<str>>,
    data: Data,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Locking,
    Reading,
    /// At most once: it goes before the consumer has it.
    Deleting,
    /// The consumer has it.
    Consuming,
    /// At least once: it goes afterwards, or to the queue's end.
    DeletingAfter,
    Unlocking,
}

impl Item {
    fn new(object: &Rc<str>, queue: &Queue, name: &Rc<str>) -> Item {
        let lock = queue.lock_path.as_ref().map(|locks| format!("{locks}/{name}").into());
        let (object, path) = (object.clone(), format!("{}/{name}", queue.path).into());
        Item { object, path, lock, data: None, state: State::Reading }
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        match &self.lock {
            Some(lock) => {
                self.state = State::Locking;
                Flow::Call(Create::plain(lock, CreateMode::Ephemeral, Some(cx.core.address())).boxed())
            }
            None => self.read(),
        }
    }

    fn read(&mut self) -> Flow {
        self.state = State::Reading;
        Flow::Call(Op::new(Request::GetData { path: self.path.clone(), watch: false }))
    }

    fn consume(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Consuming;
        let takes = cx.object::<Queue>(&self.object).map_or(0, |queue| queue.takes);
        Flow::sleep(cx.now.plus(takes))
    }

    /// The consumer is done with it, or has thrown.
    fn consumed(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, data) = (cx.thread, self.object.clone(), self.data.clone().unwrap_or_default());
        let queue = cx.object::<Queue>(&object);
        let (fails, drops) = queue.map_or((false, false), |queue| (queue.fails, queue.drops_failed));
        cx.fact(match fails {
            true => Fact::Told { thread, object, what: "failed_at", about: data.shown().into() },
            false => Fact::Consumed { thread, object, data },
        });
        if self.lock.is_none() {
            return Flow::Return(Ok(Value::Nothing));
        }
        self.state = State::DeletingAfter;
        let delete = Request::Delete { path: self.path.clone(), version: -1 };
        Flow::Call(Op::new(match fails && !drops {
            true => Request::Multi { ops: vec![delete, self.at_the_end(cx)] },
            false => delete,
        }))
    }

    /// A create of the same item, at the queue's end.
    fn at_the_end(&self, cx: &mut Cx<'_>) -> Request {
        let order = cx.object::<Queue>(&self.object).map_or(Order::Plain, |queue| queue.order);
        let parent = parent_of(&self.path).unwrap_or("/");
        Request::Create {
            path: child_of(parent, &order.again(name_of(&self.path))),
            data: self.data.clone(),
            acl: Acl::open(),
            mode: CreateMode::PersistentSequential,
            ttl: 0,
            stat: false,
            flags: None,
        }
    }

    /// Whatever happened to the item, the lock is given back.
    fn unlock(&mut self) -> Flow {
        match self.lock.take() {
            Some(lock) => {
                self.state = State::Unlocking;
                Flow::Call(Delete::guaranteed(lock))
            }
            None => Flow::Return(Ok(Value::Nothing)),
        }
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state, outcome) {
            (State::Locking, Ok(_)) => self.read(),
            // another consumer has it
            (State::Locking, Err(_)) => Flow::Return(Ok(Value::Nothing)),
            (State::Reading, Ok(Value::Answer(Answer::Data { data, stat }))) => {
                self.data = data;
                if self.lock.is_some() {
                    return self.consume(cx);
                }
                self.state = State::Deleting;
                Flow::Call(Op::new(Request::Delete { path: self.path.clone(), version: stat.version }))
            }
            (State::Deleting, Ok(_)) => self.consume(cx),
            (State::Deleting | State::Reading, Err(Exception::Keeper(Code::NoNode | Code::BadVersion)))
                if self.lock.is_none() =>
            {
                Flow::Return(Ok(Value::Nothing))
            }
            _ => self.unlock(),
        }
    }
}

impl Frame for Item {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(_) if self.state == State::Consuming => self.consumed(cx),
            _ => self.begin(cx),
        }
    }
}
