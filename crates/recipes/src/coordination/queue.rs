//! DistributedQueue, and the queues that stand on it: DistributedPriorityQueue, DistributedDelayQueue, DistributedIdQueue
//! (`DistributedQueue.java`, `QueueBuilder.java`; what differs is in `queue_order.rs`): a consumer holds a list of the children that a
//! watch keeps fresh, and works through it. Without a lock path it deletes an item and then hands it on: at most once. With one, it makes
//! an ephemeral node of the item's name there, hands the item on, and then deletes it: at least once.
//!
//! An item's data are text here; the real ones stand in a frame of bytes (`ItemSerializer.java`).

use std::rc::Rc;

use crate::base::{Micros, SimTime};
use crate::wire::{Answer, Code, CreateMode, Request, WatchedEvent};

use crate::coordination::queue_items::Consumer;
use crate::coordination::queue_order::Order;
use crate::coordination::queue_remove::Remove;
use crate::coordination::routine::Done;
use crate::curator::{ConnectionState, Create, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;

/// Words that change it: it only produces; an item that its consumer threw at is dropped (`ErrorMode.DELETE`).
pub(crate) const WORDS: &[&str] = &["producer_only", "drops_failed"];

methods! { Start "start", Put "put", Remove "remove", Fail "fail", Mend "mend", Close "close" }

/// What every item's name begins with.
pub(crate) const ITEM: &str = "queue-";

/// A queue. Its path may be followed by a lock path.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    pub path: Rc<str>,
    pub lock_path: Option<Rc<str>>,
    pub order: Order,
    pub drops_failed: bool,
    /// How many items a producer leaves standing (`maxItems`).
    most: Option<usize>,
    producer_only: bool,
    pub started: bool,
    /// The cached children (`ChildrenCache.java`), and how often they were heard of.
    pub children: Vec<Rc<str>>,
    pub version: u32,
    /// How long the consumer needs for an item.
    pub takes: Micros,
    /// The consumer throws.
    pub fails: bool,
}

impl Queue {
    pub(crate) fn new(recipe: &Recipe) -> Queue {
        let mut paths = recipe.path.split(' ').map(|path| Rc::from(path.trim_end_matches('/')));
        Queue {
            path: paths.next().unwrap_or_default(),
            lock_path: paths.next(),
            order: Order::of(recipe.kind),
            drops_failed: recipe.has("drops_failed"),
            most: recipe.count.map(|count| count as usize),
            producer_only: recipe.has("producer_only"),
            started: false,
            children: Vec::new(),
            version: 0,
            takes: 0,
            fails: false,
        }
    }

    /// The children are asked for in the background, with a watch.
    fn refresh(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if self.started && (!self.producer_only || self.most.is_some()) {
            let request = Request::GetChildren { path: self.path.clone(), watch: true, stat: true };
            cx.start(Op::background(request, Some(me)), Some((me, "children")));
        }
    }

    /// The create of an item.
    fn item(&self, data: &Option<Rc<str>>, now: SimTime) -> Result<Create, Exception> {
        let (name, data) = self.order.item(data, now)?;
        Ok(Create::plain(&child_of(&self.path, &name), CreateMode::PersistentSequential, data))
    }

    fn start(&self, me: &Rc<str>, method: &Method) -> Result<Boxed, Exception> {
        if self.started {
            return Err(Exception::state(""));
        }
        let takes: u64 = method.data.as_deref().unwrap_or("0").parse().unwrap_or(u64::MAX);
        if takes > 60_000 {
            return Err(Exception::java("IllegalArgumentException", "a consumer takes 0 to 60000 ms for an item"));
        }
        let paths = self.lock_path.iter().chain([&self.path]).cloned().collect();
        Ok(Box::new(Start { object: me.clone(), takes: takes * 1000, paths }))
    }

    fn put(&self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        if !self.started {
            return Err(Exception::state("not started"));
        }
        let (item, object) = (self.item(&method.data, cx.now)?, me.clone());
        Ok(match self.most {
            Some(most) => {
                let limit = method.timeout_ms.map(|ms| ms * 1000);
                Box::new(Put { object, item, most, limit, deadline: None })
            }
            None => {
                cx.start(item.in_background().boxed(), None);
                Done::boxed()
            }
        })
    }
}

impl Object for Queue {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => return self.start(me, method),
            Asked::Put => return self.put(me, method, cx),
            Asked::Remove if self.order != Order::Id => return Err(method.unknown()),
            Asked::Remove if !self.started => return Err(Exception::state("not started")),
            Asked::Remove => {
                let no_id = || Exception::java("NullPointerException", "id cannot be null");
                let id = method.data.clone().ok_or_else(no_id)?;
                return Ok(Remove::boxed(&self.path, self.lock_path.as_ref(), id));
            }
            Asked::Fail => self.fails = true,
            Asked::Mend => self.fails = false,
            Asked::Close => {
                self.started = false;
                cx.notify(me);
                cx.remove_watchers(me);
            }
        }
        Ok(Done::boxed())
    }

    fn event(&mut self, me: &Rc<str>, _: &WatchedEvent, cx: &mut Cx<'_>) {
        self.refresh(me, cx);
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if matches!(state, ConnectionState::Connected | ConnectionState::Reconnected) {
            self.refresh(me, cx);
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        match (what, outcome) {
            ("children", Ok(Value::Answer(Answer::Children { names, .. }))) => {
                self.children = names;
                self.version = self.version.wrapping_add(1);
                cx.notify(me);
            }
            ("started", Ok(_)) => self.refresh(me, cx),
            _ => {}
        }
    }
}

/// `start()`: the paths are made, the cache is filled, the consumer begins.
#[derive(Clone, Debug)]
struct Start {
    object: Rc<str>,
    takes: Micros,
    /// Those that are not made yet, the last first.
    paths: Vec<Rc<str>>,
}

impl Start {
    fn begin_work(&self, cx: &mut Cx<'_>) {
        let Some(queue) = cx.object::<Queue>(&self.object) else { return };
        (queue.started, queue.takes) = (true, self.takes);
        if !queue.producer_only {
            cx.start(Consumer::boxed(&self.object), None);
        }
        cx.start(Done::boxed(), Some((&self.object, "started")));
    }
}

impl Frame for Start {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        if let Resume::Returned(Err(exception)) = with {
            return Flow::Return(Err(exception));
        }
        let Some(path) = self.paths.pop() else {
            self.begin_work(cx);
            return Flow::Return(Ok(Value::Nothing));
        };
        let create = Create::plain(&path, CreateMode::Persistent, Some(cx.core.address())).with_parents();
        Flow::Call(Instead::ignoring(Code::NodeExists, create.boxed()))
    }
}

/// `put` where only so many items may stand: it waits for the cached list to be short enough, and so may err.
#[derive(Clone, Debug)]
struct Put {
    object: Rc<str>,
    item: Create,
    most: usize,
    limit: Option<Micros>,
    deadline: Option<SimTime>,
}

impl Put {
    fn said(&self, put: bool) -> Flow {
        Flow::Return(Ok(if self.limit.is_some() { Value::Bool(put) } else { Value::Nothing }))
    }

    fn look(&self, cx: &mut Cx<'_>) -> Flow {
        let full = cx.object::<Queue>(&self.object).is_some_and(|queue| queue.children.len() >= self.most);
        match full {
            false => Flow::Call(self.item.clone().boxed()),
            true if self.deadline.is_some_and(|deadline| deadline <= cx.now) => self.said(false),
            true => Flow::Wait { on: Some(self.object.clone()), until: self.deadline },
        }
    }
}

impl Frame for Put {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(_)) => self.said(true),
            Resume::Returned(outcome) => Flow::Return(outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Woken(_) => self.look(cx),
            Resume::Start | Resume::Answer(_) => {
                self.deadline = self.limit.map(|limit| cx.now.plus(limit));
                self.look(cx)
            }
        }
    }
}
