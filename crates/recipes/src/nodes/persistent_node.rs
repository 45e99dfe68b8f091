//! PersistentNode (`PersistentNode.java`): a node that is made again whenever it is found missing: by its watch, or when the
//! connection is back. Whoever made it, a node of this name is taken over: of an ephemeral one nobody asks for the owner, so
//! that after an expiry the old session's node may be adopted and go with it, and only then is it made anew.

use std::rc::Rc;

use crate::base::SimTime;
use crate::wire::{Answer, Code, CreateMode, EventType, Request, WatchedEvent};

use crate::curator::{ConnectionState, Create, Delete, Op, Pause};
use crate::elections::leadership::Phase;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

/// Its mode, which is ephemeral by itself: `lasting`, `sequential`.
pub(crate) const WORDS: &[&str] = &["lasting", "sequential"];

methods! {
    Start "start", WaitForInitialCreate "waitForInitialCreate", GetActualPath "getActualPath", SetData "setData",
    GetData "getData", Close "close",
}

/// A node that is kept.
#[derive(Clone, Debug)]
pub(crate) struct PersistentNode {
    base: Rc<str>,
    mode: CreateMode,
    /// Its time to live, ms, where the mode has one.
    ttl_ms: i64,
    data: Rc<str>,
    /// Whether `close` deletes it.
    deletes: bool,
    phase: Phase,
    /// The node's path, once it is known.
    actual: Option<Rc<str>>,
    /// It was there, with its data, at least once.
    initial: bool,
}

impl PersistentNode {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> PersistentNode {
        let mode = match (recipe.has("lasting"), recipe.has("sequential")) {
            (false, false) => CreateMode::Ephemeral,
            (false, true) => CreateMode::EphemeralSequential,
            (true, false) => CreateMode::Persistent,
            (true, true) => CreateMode::PersistentSequential,
        };
        let data = recipe.id.clone().unwrap_or_else(|| cx.core.address());
        PersistentNode::at(&recipe.path, mode, data)
    }

    /// At a path.
    pub(crate) fn at(base: &Rc<str>, mode: CreateMode, data: Rc<str>) -> PersistentNode {
        let (base, phase) = (base.clone(), Phase::Latent);
        PersistentNode { base, mode, ttl_ms: 0, data, deletes: true, phase, actual: None, initial: false }
    }

    /// The parent of a PersistentTtlNode, which `close` leaves alone.
    pub(crate) fn left_alone(base: &Rc<str>, mode: CreateMode, ttl_ms: i64, data: Rc<str>) -> PersistentNode {
        PersistentNode { deletes: false, ttl_ms, ..PersistentNode::at(base, mode, data) }
    }

    /// `start()`.
    pub(crate) fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        if self.phase != Phase::Latent {
            return Err(Exception::state("Already started"));
        }
        self.phase = Phase::Started;
        self.create(me, cx);
        Ok(Value::Nothing)
    }

    /// `setData`: in the background, and with every node that is taken over.
    pub(crate) fn set_data(&mut self, me: &Rc<str>, data: &Option<Rc<str>>, cx: &mut Cx<'_>) -> Outcome {
        let data = data.clone().ok_or_else(|| Exception::java("NullPointerException", "data cannot be null"))?;
        if self.actual.is_none() {
            let why = "initial create has not been processed. Call waitForInitialCreate() to ensure.";
            return Err(Exception::state(why));
        }
        self.data = data;
        if self.phase == Phase::Started {
            self.write(me, cx);
        }
        Ok(Value::Nothing)
    }

    /// What it would write.
    pub(crate) fn data(&self) -> &Rc<str> {
        &self.data
    }

    /// `close()`: the node is deleted, whoever made it. A second time it does nothing.
    pub(crate) fn close(&mut self, me: &Rc<str>) -> Boxed {
        if self.phase != Phase::Started {
            return at_once(Value::Nothing);
        }
        self.phase = Phase::Closed;
        let node = if self.deletes { self.actual.take() } else { None };
        Box::new(Close { object: me.clone(), node })
    }

    /// `waitForInitialCreate()`.
    pub(crate) fn wait(&self, me: &Rc<str>, method: &Method, cx: &Cx<'_>) -> Result<Boxed, Exception> {
        if self.phase != Phase::Started {
            return Err(Exception::state("Not started"));
        }
        let until = method.timeout_ms.map(|ms| cx.now.plus(ms * 1000));
        Ok(Box::new(Await { object: me.clone(), until }))
    }

    /// `createNode`: with the number that it had, where it had one.
    fn create(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if self.phase != Phase::Started {
            return;
        }
        let (path, mode) = match &self.actual {
            None => (&self.base, self.mode),
            Some(actual) if self.mode.is_ephemeral() => (actual, CreateMode::Ephemeral),
            Some(actual) if self.mode.is_sequential() => (actual, CreateMode::Persistent),
            Some(actual) => (actual, self.mode),
        };
        let create = Create::plain(path, mode, Some(self.data.clone())).with_ttl(self.ttl_ms);
        cx.start(create.with_parents().in_background().boxed(), Some((me, "created")));
    }

    fn watch(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if let (Some(path), Phase::Started) = (self.actual.clone(), self.phase) {
            cx.start(Op::background(Request::Exists { path, watch: true }, Some(me)), Some((me, "seen")));
        }
    }

    fn write(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if let Some(path) = self.actual.clone() {
            let request = Request::SetData { path, data: Some(self.data.clone().into()), version: -1 };
            cx.start(Op::background(request, None), Some((me, "written")));
        }
    }

    /// `processBackgroundCallback`: it is made, or was there.
    fn created(&mut self, me: &Rc<str>, outcome: Outcome, cx: &mut Cx<'_>) {
        let (path, made) = match outcome {
            Ok(Value::Answer(Answer::Created { path, .. } | Answer::Path(path))) => (path, true),
            Err(Exception::Keeper(Code::NodeExists)) => {
                (self.actual.clone().unwrap_or_else(|| self.base.clone()), false)
            }
            _ if self.phase != Phase::Started => return,
            // without the right, or below a container that went in that moment: only a new connection makes it try again
            Err(Exception::Keeper(Code::NoAuth | Code::NoNode)) => return,
            _ => {
                cx.start(Pause::boxed(), Some((me, "again")));
                return;
            }
        };
        if self.phase != Phase::Started {
            cx.start(Delete::in_background(path), None);
            return;
        }
        self.actual = Some(path.clone());
        self.watch(me, cx);
        if made {
            self.complete(me, cx);
            cx.fact(Fact::Callback { object: me.clone(), callback: "nodeCreated" });
        } else {
            cx.fact(Fact::Told { thread: ThreadId::OBJECT, object: me.clone(), what: "adopts", about: path });
            self.write(me, cx);
        }
    }

    /// `initialisationComplete`.
    fn complete(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        self.initial = true;
        cx.notify(me);
    }
}

impl Object for PersistentNode {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => self.start(me, cx).map(at_once),
            Asked::WaitForInitialCreate => self.wait(me, method, cx),
            Asked::GetActualPath => Ok(at_once(Value::Text(self.actual.clone()))),
            Asked::SetData => self.set_data(me, &method.data, cx).map(at_once),
            Asked::GetData => Ok(at_once(Value::Text(Some(self.data.clone())))),
            Asked::Close => Ok(self.close(me)),
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        match event.kind {
            EventType::NodeDeleted => self.create(me, cx),
            EventType::NodeDataChanged => self.watch(me, cx),
            _ => {}
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Reconnected {
            self.create(me, cx);
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        match (what, outcome) {
            ("created", outcome) => self.created(me, outcome, cx),
            ("again", _) | ("seen", Err(Exception::Keeper(Code::NoNode))) => self.create(me, cx),
            ("seen", _) if self.phase == Phase::Closed => cx.remove_watchers(me),
            ("written", Ok(_)) => self.complete(me, cx),
            _ => {} // a new connection, or the watch, tells what there is to do
        }
    }
}

/// `waitForInitialCreate`.
#[derive(Clone, Debug)]
struct Await {
    object: Rc<str>,
    until: Option<SimTime>,
}

impl Frame for Await {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let initial = cx.object::<PersistentNode>(&self.object).is_some_and(|node| node.initial);
        match with {
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ if initial => Flow::Return(Ok(Value::Bool(true))),
            _ if self.until.is_some_and(|until| until <= cx.now) => Flow::Return(Ok(Value::Bool(false))),
            _ => Flow::Wait { on: Some(self.object.clone()), until: self.until },
        }
    }
}

/// `close`: the delete, and then the watch goes.
#[derive(Clone, Debug)]
struct Close {
    object: Rc<str>,
    node: Option<Rc<str>>,
}

impl Frame for Close {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (with, self.node.take()) {
            (Resume::Returned(Err(exception)), _) if exception != Exception::Keeper(Code::NoNode) => {
                Flow::Return(Err(Exception::java("IOException", &exception.to_string())))
            }
            (_, Some(node)) => Flow::Call(Delete::guaranteed(node)),
            (_, None) => {
                cx.remove_watchers(&self.object);
                Flow::Return(Ok(Value::Nothing))
            }
        }
    }
}
