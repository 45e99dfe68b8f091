//! The lock of ZooKeeper's recipes page ("Locks"), by hand on the plain client: an ephemeral sequential node, a list without
//! a watch; the first holds it, every other watches the node just before its own with exists and lists again when that is
//! gone. Nothing protects the create: when its reply is lost, the lock waits for its own node.
//!
//! Here is also what it shares with the lock whose waiters watch all children (`watch_all_lock.rs`).

use std::rc::Rc;

use crate::base::{SimTime, SortedMap};
use crate::wire::{Answer, Code, CreateMode, Request, WatchedEvent};

use crate::curator::{ConnectionState, Create, Delete, Instead, Op};
use crate::locks::naive_lock::{is_news, not_owned};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, name_of, sorted};

/// A rule that can be broken: names begin with the session, and the queue stands in their order (ZOOKEEPER-2931).
pub(crate) const WORDS: &[&str] = &["sorts_by_name"];

methods! { Acquire "acquire", Release "release" }

/// What a child is sorted by: its number.
fn number(child: &str) -> &str {
    child.rfind('-').map_or(child, |at| &child[at + 1..])
}

/// What it is sorted by where the rule is broken: its name.
fn whole(child: &str) -> &str {
    child
}

/// A queue of nodes by hand.
#[derive(Clone, Debug)]
pub(crate) struct HandLock {
    pub path: Rc<str>,
    /// What nodes are called, before their numbers.
    pub node_name: &'static str,
    pub share: Share,
    /// Waiters watch all children, not the one that they wait for.
    pub watches_all: bool,
    pub(super) sorts_by_name: bool,
    /// The threads that hold it, with their nodes.
    pub holds: SortedMap<ThreadId, Rc<str>>,
}

impl HandLock {
    /// Its node is made at once, in the background: the plain create makes no parents.
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> HandLock {
        let parent = Create::plain(&recipe.path, CreateMode::Persistent, Some(""));
        cx.start(parent.with_parents().in_background().boxed(), None);
        HandLock {
            path: recipe.path.clone(),
            node_name: "lock-",
            share: Share::Exclusive,
            watches_all: false,
            sorts_by_name: recipe.has("sorts_by_name"),
            holds: SortedMap::new(),
        }
    }

    /// `acquire()`.
    pub(crate) fn acquire(me: &Rc<str>, method: &Method) -> Boxed {
        let (object, limit_ms) = (me.clone(), method.timeout_ms);
        Box::new(Acquire { object, limit_ms, deadline: None, node: None, state: State::Creating })
    }

    /// `release()`.
    pub(crate) fn release(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let node = self.holds.remove(&cx.thread).ok_or_else(|| not_owned(&self.path))?;
        let (thread, object, path) = (cx.thread, me.clone(), self.path.clone());
        cx.fact(Fact::Released { thread, object, path, reason: ReleaseReason::Released });
        Ok(Instead::ignoring(Code::NoNode, Delete::guaranteed(node)))
    }

    /// The node that the one with this index has to wait for: a reader for the nearest writer before it, a writer for any.
    fn behind(&self, names: &[Rc<str>], index: usize) -> Option<usize> {
        let stops = |name: &str| self.share != Share::Read || !name.starts_with("read-");
        names[..index].iter().rposition(|name| stops(name))
    }
}

impl Object for HandLock {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Acquire => Ok(HandLock::acquire(me, method)),
            Asked::Release => self.release(me, cx),
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if is_news(event) {
            cx.notify(me);
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Lost {
            for thread in std::mem::take(&mut self.holds).into_keys() {
                let (object, path) = (me.clone(), self.path.clone());
                cx.fact(Fact::Released { thread, object, path, reason: ReleaseReason::Lost });
            }
        }
    }
}

/// `acquire()` under way.
#[derive(Clone, Debug)]
struct Acquire {
    object: Rc<str>,
    limit_ms: Option<u64>,
    deadline: Option<SimTime>,
    node: Option<Rc<str>>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Creating,
    Listing,
    Watching {
        watched: Rc<str>,
        ahead: u32,
    },
    Waiting,
    /// The own node is deleted; then the call ends so.
    Deleting(Outcome),
}

impl Acquire {
    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        let thread = cx.thread;
        if cx.object::<HandLock>(&self.object).is_some_and(|lock| lock.holds.contains_key(&thread)) {
            return Flow::Return(Err(Exception::state("This lock is not re-entrant")));
        }
        self.deadline = self.limit_ms.map(|ms| cx.now.plus(ms * 1000));
        self.create(cx)
    }

    fn create(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Creating;
        let session = cx.library.session;
        let Some(lock) = cx.object::<HandLock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let path = match lock.sorts_by_name {
            true => child_of(&lock.path, &format!("{}{session}-", lock.node_name)),
            false => child_of(&lock.path, lock.node_name),
        };
        Flow::Call(Op::create(&path, CreateMode::EphemeralSequential))
    }

    fn list(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Listing;
        let Some(lock) = cx.object::<HandLock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let (path, watch) = (lock.path.clone(), lock.watches_all);
        let request = Request::GetChildren { path, watch, stat: false };
        Flow::Call(if watch { Op::watching(request, &self.object) } else { Op::new(request) })
    }

    fn listed(&mut self, cx: &mut Cx<'_>, names: Vec<Rc<str>>) -> Flow {
        let Some(lock) = cx.object::<HandLock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let names = sorted(names, if lock.sorts_by_name { whole } else { number });
        let own = self.node.as_deref().map(name_of).unwrap_or_default();
        // the session has ended: a new place, at the end
        let Some(index) = names.iter().position(|name| &**name == own) else { return self.create(cx) };
        let Some(behind) = lock.behind(&names, index) else { return self.acquired(cx) };
        let (path, ahead) = (lock.path.clone(), index as u32);
        if lock.watches_all {
            return self.watches(cx, path, ahead);
        }
        let watched = child_of(&path, &names[behind]);
        self.state = State::Watching { watched: watched.clone(), ahead };
        Flow::Call(Op::watching(Request::Exists { path: watched, watch: true }, &self.object))
    }

    fn watches(&mut self, cx: &mut Cx<'_>, watched: Rc<str>, ahead: u32) -> Flow {
        if self.deadline.is_some_and(|deadline| deadline <= cx.now) {
            return self.delete(cx, Ok(Value::Bool(false)));
        }
        let (thread, object) = (cx.thread, self.object.clone());
        let node = self.node.clone().unwrap_or_default();
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        self.state = State::Waiting;
        Flow::Wait { on: Some(self.object.clone()), until: self.deadline }
    }

    fn acquired(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, node) = (cx.thread, self.object.clone(), self.node.clone().unwrap_or_default());
        if let Some(lock) = cx.object::<HandLock>(&object) {
            lock.holds.insert(thread, node.clone());
            let (path, share) = (lock.path.clone(), lock.share);
            cx.fact(Fact::Acquired { thread, object, path, node, share, token: None });
        }
        Flow::Return(Ok(if self.limit_ms.is_some() { Value::Bool(true) } else { Value::Nothing }))
    }

    fn delete(&mut self, cx: &mut Cx<'_>, then: Outcome) -> Flow {
        match self.node.take() {
            Some(node) => {
                self.state = State::Deleting(then);
                Flow::Call(Delete::guaranteed(node))
            }
            None => self.end(cx, then),
        }
    }

    fn end(&self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        cx.fact(Fact::GaveUp { thread: cx.thread, object: self.object.clone() });
        Flow::Return(outcome)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Deleting(then), _) => self.end(cx, then),
            (State::Creating, Ok(Value::Answer(Answer::Path(path)))) => {
                self.node = Some(path);
                self.list(cx)
            }
            (State::Listing, Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(cx, names),
            (State::Watching { watched, ahead }, Ok(_)) => self.watches(cx, watched, ahead),
            // it went between the list and the question; the watch stays on a name that never comes back (CURATOR-107)
            (State::Watching { .. }, Err(Exception::Keeper(Code::NoNode))) => self.list(cx),
            (_, Err(exception)) => self.delete(cx, Err(exception)),
            (_, Ok(_)) => self.list(cx),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => self.delete(cx, Err(Exception::Interrupted)),
            Resume::Woken(_) => {
                cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
                self.list(cx)
            }
            Resume::Start | Resume::Answer(_) => self.begin(cx),
        }
    }

    /// The list may itself set the watch.
    fn monitor(&self) -> Option<&Rc<str>> {
        matches!(self.state, State::Listing | State::Watching { .. }).then_some(&self.object)
    }
}
