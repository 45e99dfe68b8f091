//! The first lock that comes to mind: whoever creates the one ephemeral node holds it, everybody else watches it with exists
//! (not in ZooKeeper's documentation, which warns of it: recipes page, "Locks", herd effect). When the node goes, all are
//! woken, and all but one for nothing; who comes next is nobody's order.
//!
//! The reply to a create may be lost. Whose node it is then, the Stat of exists tells; whoever `ignores_owner` waits for its
//! own node. The name is the same for all: a holder that lives through its session's end and is `heedless` of it deletes
//! its successor's node.

use std::rc::Rc;

use crate::base::{SimTime, Zxid};
use crate::wire::{Answer, Code, CreateMode, EventType, KeeperState, Request, Stat, WatchedEvent};

use crate::curator::{ConnectionState, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::{Fact, ReleaseReason, Share, Standing};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

/// Rules that can be broken.
pub(crate) const WORDS: &[&str] = &["ignores_owner", "heedless"];

methods! { Acquire "acquire", Release "release" }

/// A lock.
#[derive(Clone, Debug)]
pub(crate) struct NaiveLock {
    path: Rc<str>,
    ignores_owner: bool,
    heedless: bool,
    holder: Option<ThreadId>,
}

impl NaiveLock {
    pub(crate) fn new(recipe: &Recipe) -> NaiveLock {
        NaiveLock {
            path: recipe.path.clone(),
            ignores_owner: recipe.has("ignores_owner"),
            heedless: recipe.has("heedless"),
            holder: None,
        }
    }

    fn release(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        if self.holder != Some(cx.thread) {
            return Err(not_owned(&self.path));
        }
        self.loses(me, ReleaseReason::Released, cx);
        let delete = Op::new(Request::Delete { path: self.path.clone(), version: -1 });
        Ok(Instead::ignoring(Code::NoNode, Instead::of(Value::Nothing, delete)))
    }

    fn loses(&mut self, me: &Rc<str>, reason: ReleaseReason, cx: &mut Cx<'_>) {
        if let Some(thread) = self.holder.take() {
            cx.fact(Fact::Released { thread, object: me.clone(), path: self.path.clone(), reason });
        }
    }

    /// Whether the node is this session's, and no thread of the program knows of it.
    fn is_own(&self, stat: &Stat, cx: &Cx<'_>) -> bool {
        let known = |standing: &Standing| matches!(standing, Standing::Holding { node, .. } if *node == self.path);
        let own = stat.ephemeral_owner == cx.library.session && !self.ignores_owner;
        own && !cx.core.standings.values().any(known)
    }
}

/// `IllegalMonitorStateException`, as Curator words it.
pub(crate) fn not_owned(path: &str) -> Exception {
    Exception::java("IllegalMonitorStateException", &format!("You do not own the lock: {path}"))
}

/// Whether a waiter has to look again: the connection's coming and going means nothing as long as the session lives.
pub(crate) fn is_news(event: &WatchedEvent) -> bool {
    event.kind != EventType::None || event.state == KeeperState::Expired
}

impl Object for NaiveLock {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Acquire => Ok(Acquire::boxed(me, method)),
            Asked::Release => self.release(me, cx),
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if is_news(event) {
            cx.notify(me);
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Lost && !self.heedless {
            self.loses(me, ReleaseReason::Lost, cx);
        }
    }
}

/// `acquire()`.
#[derive(Clone, Debug)]
struct Acquire {
    object: Rc<str>,
    limit_ms: Option<u64>,
    deadline: Option<SimTime>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Creating,
    Watching,
    Waiting,
}

impl Acquire {
    fn boxed(object: &Rc<str>, method: &Method) -> Boxed {
        let (object, limit_ms) = (object.clone(), method.timeout_ms);
        Box::new(Acquire { object, limit_ms, deadline: None, state: State::Creating })
    }

    fn path(&self, cx: &mut Cx<'_>) -> Rc<str> {
        cx.object::<NaiveLock>(&self.object).map_or("".into(), |lock| lock.path.clone())
    }

    fn create(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Creating;
        Flow::Call(Op::create(&self.path(cx), CreateMode::Ephemeral))
    }

    /// Somebody has it: watch the node, unless there is no time left.
    fn watch(&mut self, cx: &mut Cx<'_>) -> Flow {
        if self.deadline.is_some_and(|deadline| deadline <= cx.now) {
            return self.gives_up(cx, Ok(Value::Bool(false)));
        }
        self.state = State::Watching;
        Flow::Call(Op::watching(Request::Exists { path: self.path(cx), watch: true }, &self.object))
    }

    fn watches(&mut self, cx: &mut Cx<'_>, stat: &Stat) -> Flow {
        let own = cx.core.objects.get::<NaiveLock>(&self.object).cloned();
        if own.is_some_and(|lock| lock.is_own(stat, cx)) {
            return self.acquired(cx, Some(stat.czxid));
        }
        let (thread, object, watched) = (cx.thread, self.object.clone(), self.path(cx));
        cx.fact(Fact::WaitsBehind { thread, object, node: "".into(), watched, ahead: 0 });
        self.state = State::Waiting;
        Flow::Wait { on: Some(self.object.clone()), until: self.deadline }
    }

    fn acquired(&self, cx: &mut Cx<'_>, token: Option<Zxid>) -> Flow {
        let (thread, object, path) = (cx.thread, self.object.clone(), self.path(cx));
        if let Some(lock) = cx.object::<NaiveLock>(&object) {
            lock.holder = Some(thread);
        }
        cx.fact(Fact::Acquired { thread, object, node: path.clone(), path, share: Share::Exclusive, token });
        Flow::Return(Ok(if self.limit_ms.is_some() { Value::Bool(true) } else { Value::Nothing }))
    }

    fn gives_up(&self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        cx.fact(Fact::GaveUp { thread: cx.thread, object: self.object.clone() });
        Flow::Return(outcome)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state, outcome) {
            (State::Creating, Ok(_)) => self.acquired(cx, None),
            (State::Creating, Err(Exception::Keeper(Code::NodeExists))) => self.watch(cx),
            (State::Watching, Ok(Value::Answer(Answer::Stat(stat)))) => self.watches(cx, &stat),
            (State::Watching, Err(Exception::Keeper(Code::NoNode))) => self.create(cx),
            (_, Err(exception)) => self.gives_up(cx, Err(exception)),
            (_, Ok(_)) => self.create(cx),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => self.gives_up(cx, Err(Exception::Interrupted)),
            Resume::Woken(_) => {
                cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
                self.create(cx)
            }
            Resume::Start | Resume::Answer(_) => {
                self.deadline = self.limit_ms.map(|ms| cx.now.plus(ms * 1000));
                self.create(cx)
            }
        }
    }

    fn monitor(&self) -> Option<&Rc<str>> {
        (self.state == State::Watching).then_some(&self.object)
    }
}
