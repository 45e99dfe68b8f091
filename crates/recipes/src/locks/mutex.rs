//! InterProcessMutex: a fair lock, re-entrant for each thread (`InterProcessMutex.java`, `LockInternals.java`,
//! `StandardLockInternalsDriver.java`). Each contender makes an ephemeral sequential node; the first holds the lock, every
//! other watches the one before its own, and looks again whenever it is woken: to be woken is not to own.

use std::rc::Rc;

use crate::base::rows::{NONE, Rows};
use crate::base::{SimTime, SortedMap, Way, Zxid};
use crate::client;
use crate::wire::{Answer, Code, CreateMode, Data, Request};

use crate::curator::{Create, Delete, Op, Retry};
use crate::locks::read_write::{WRITE, downgraded};
use crate::locks::revocation::{Nodes, Revocation, watcher_of};
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{key, name_of, sorted};

/// Rules that can be broken: a waiter watches the first node, does not look again when woken, makes its node without
/// protection, makes one that outlives its session, leaves it in the queue when it gives up.
pub(crate) const WORDS: &[&str] = &["watches_first", "never_looks_again", "unprotected", "persistent", "leaves_node"];

methods! {
    Acquire "acquire",
    Release "release",
    IsAcquired "is_acquired",
    Participants "participants",
    MakeRevocable "make_revocable",
    Revoke "revoke",
}

/// A thread's hold of a lock.
#[derive(Clone, Debug)]
pub(crate) struct Hold {
    pub node: Rc<str>,
    /// The node's czxid, where the reply that told it was not lost.
    pub token: Option<Zxid>,
    pub count: u32,
}

/// Who may hold it, by the order of the children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The first one; the others watch the one before their own.
    First,
    /// Everybody without a writer before, and the thread that holds this write lock; the others watch the first writer
    /// (`InterProcessReadWriteLock.java` `readLockPredicate`).
    Reader { write_lock: Rc<str>, keeps_place: bool },
}

/// A lock.
#[derive(Clone, Debug)]
pub(crate) struct Mutex {
    pub path: Rc<str>,
    /// What nodes are called, before their numbers.
    pub node_name: &'static str,
    /// Which names stand in one order.
    pub key_of: fn(&str) -> &str,
    pub rule: Rule,
    pub share: Share,
    pub data: Data,
    /// Whether listeners hear of it: parts of other recipes keep quiet.
    pub tells: bool,
    pub flaw: BrokenRules,
    /// A listener hears when somebody asks for it; only until the next release.
    pub revocable: bool,
    /// The threads that hold it.
    pub holds: SortedMap<ThreadId, Hold>,
}

/// Rules broken on purpose.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BrokenRules {
    pub watches_first: bool,
    pub never_looks_again: bool,
    pub unprotected: bool,
    pub persistent: bool,
    pub leaves_node: bool,
}

impl BrokenRules {
    pub(crate) fn of(recipe: &Recipe) -> BrokenRules {
        BrokenRules {
            watches_first: recipe.has("watches_first"),
            never_looks_again: recipe.has("never_looks_again"),
            unprotected: recipe.has("unprotected"),
            persistent: recipe.has("persistent"),
            leaves_node: recipe.has("leaves_node"),
        }
    }
}

fn after_lock(child: &str) -> &str {
    key(child, "lock-")
}

impl Mutex {
    pub(crate) fn new(recipe: &Recipe) -> Mutex {
        Mutex { flaw: BrokenRules::of(recipe), ..Mutex::at(&recipe.path) }
    }

    /// A plain one, for other recipes to stand on.
    pub(crate) fn at(path: &Rc<str>) -> Mutex {
        Mutex {
            path: path.clone(),
            node_name: "lock-",
            key_of: after_lock,
            rule: Rule::First,
            share: Share::Exclusive,
            data: None,
            tells: true,
            flaw: BrokenRules::default(),
            revocable: false,
            holds: SortedMap::new(),
        }
    }

    /// `acquire()`, or with a time limit, µs.
    pub(crate) fn acquire(me: &Rc<str>, limit: Option<u64>) -> Boxed {
        Box::new(Acquire::new(me, limit))
    }

    /// `release()`.
    pub(crate) fn release(me: &Rc<str>) -> Boxed {
        Box::new(Release { object: me.clone() })
    }
}

impl Object for Mutex {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Acquire => Ok(Mutex::acquire(me, method.timeout_ms.map(|ms| ms * 1000))),
            Asked::Release => Ok(Mutex::release(me)),
            Asked::IsAcquired => Ok(at_once(Value::Bool(!self.holds.is_empty()))),
            Asked::Participants => Ok(Nodes::of(self)),
            Asked::MakeRevocable => {
                self.revocable = true;
                Revocation::stand_by(me, cx);
                Ok(at_once(Value::Nothing))
            }
            Asked::Revoke => Ok(Nodes::revoke(self, method.data.as_ref())),
        }
    }

    /// `threadData`: who holds it here, and how often.
    fn rows(&self, rows: &mut Rows) {
        rows.put("path", &self.path);
        rows.list("threadData", |rows| {
            for (thread, Hold { node, token, count }) in &self.holds {
                let token = token.map_or(NONE.into(), |token| token.to_string());
                rows.item(thread, thread, format!("{node} · lockCount {count} · czxid {token}"), None);
            }
        });
    }
}

/// `internalLock` with `attemptLock` and `internalLockLoop`.
#[derive(Clone, Debug)]
struct Acquire {
    object: Rc<str>,
    /// Until when it may wait.
    deadline: Option<SimTime>,
    limit: Option<u64>,
    node: Option<Rc<str>>,
    token: Option<Zxid>,
    state: State,
    retry: Retry,
}

#[derive(Clone, Debug)]
enum State {
    Creating,
    /// It sets the watch on its own node's data.
    WatchingOwn,
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
    fn new(object: &Rc<str>, limit: Option<u64>) -> Acquire {
        let object = object.clone();
        let (node, token, state, retry) = (None, None, State::Creating, Retry::default());
        Acquire { object, deadline: None, limit, node, token, state, retry }
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, now) = (cx.thread, cx.now);
        let Some(lock) = cx.object::<Mutex>(&self.object) else { return Flow::Return(Err(no_lock())) };
        if let Some(hold) = lock.holds.get_mut(&thread) {
            hold.count += 1;
            return Flow::Return(Ok(self.yes()));
        }
        self.deadline = self.limit.map(|limit| now.plus(limit));
        self.create(cx)
    }

    fn create(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Creating;
        let address = cx.core.address();
        let Some(lock) = cx.object::<Mutex>(&self.object) else { return Flow::Return(Err(no_lock())) };
        let default = if lock.revocable { "".into() } else { address };
        let (flaw, data, rule) = (lock.flaw, lock.data.clone().or(Some(default.into())), lock.rule.clone());
        let path = format!("{}/{}", lock.path, lock.node_name);
        let thread = cx.thread;
        let (path, mode) = match downgraded(cx, &rule, thread) {
            Some(path) => (path, CreateMode::Ephemeral),
            None if flaw.persistent => (path, CreateMode::PersistentSequential),
            None => (path, CreateMode::EphemeralSequential),
        };
        let create = Create::plain(&path, mode, data).with_parents();
        Flow::Call(if flaw.unprotected { create.boxed() } else { create.protected(cx).boxed() })
    }

    fn created(&mut self, cx: &mut Cx<'_>, path: Rc<str>, token: Option<Zxid>) -> Flow {
        (self.node, self.token) = (Some(path.clone()), token);
        if !cx.object::<Mutex>(&self.object).is_some_and(|lock| lock.revocable) {
            return self.list(cx);
        }
        self.state = State::WatchingOwn;
        Flow::Call(Revocation::watch(&self.object, &path))
    }

    /// `internalLockLoop` goes round only as long as the framework is started.
    fn list(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Listing;
        let is_stopped = cx.library.state == client::State::Closed;
        match cx.object::<Mutex>(&self.object) {
            Some(lock) if is_stopped => {
                let why = format!("Lost connection while trying to acquire lock: {}", lock.path);
                let lost = Err(Exception::java("IOException", &why));
                self.end(cx, if self.limit.is_some() { Ok(Value::Bool(false)) } else { lost })
            }
            Some(lock) => Flow::Call(Op::children(&lock.path)),
            None => Flow::Return(Err(no_lock())),
        }
    }

    /// Who is first? `getsTheLock`.
    fn listed(&mut self, cx: &mut Cx<'_>, names: Vec<Rc<str>>) -> Flow {
        let Some(lock) = cx.core.objects.get::<Mutex>(&self.object) else { return Flow::Return(Err(no_lock())) };
        let (path, rule, flaw) = (lock.path.clone(), lock.rule.clone(), lock.flaw);
        let names = sorted(names, lock.key_of);
        let own = self.node.as_deref().map(name_of).unwrap_or_default();
        let Some(index) = names.iter().position(|name| &**name == own) else {
            return self.delete(cx, Err(Exception::Keeper(Code::NoNode)));
        };
        let behind = match rule {
            Rule::First if flaw.watches_first => index.checked_sub(1).map(|_| 0),
            Rule::First => index.checked_sub(1),
            Rule::Reader { write_lock, .. } => {
                let thread = cx.thread;
                let writes = cx.object::<Mutex>(&write_lock).is_some_and(|lock| lock.holds.contains_key(&thread));
                let writer = names.iter().position(|name| name.contains(WRITE));
                writer.filter(|writer| *writer < index && !writes)
            }
        };
        let Some(behind) = behind else { return self.acquired(cx) };
        let watched: Rc<str> = format!("{path}/{}", names[behind]).into();
        self.state = State::Watching { watched: watched.clone(), ahead: index as u32 };
        Flow::Call(Op::watching(Request::GetData { path: watched, watch: true }, &self.object))
    }

    fn acquired(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, node) = (cx.thread, self.node.clone().unwrap_or_default());
        if let Some(lock) = cx.object::<Mutex>(&self.object) {
            lock.holds.insert(thread, Hold { node: node.clone(), token: self.token, count: 1 });
            if lock.tells {
                let (path, share) = (lock.path.clone(), lock.share);
                let object = self.object.clone();
                cx.fact(Fact::Acquired { thread, object, path, node, share, token: self.token });
            } else {
                cx.waits_no_more(&self.object, node);
            }
        }
        Flow::Return(Ok(self.yes()))
    }

    /// Only the call with a time limit says whether it has the lock.
    fn yes(&self) -> Value {
        if self.limit.is_some() { Value::Bool(true) } else { Value::Nothing }
    }

    /// The watch is set: wait, unless there is no time left.
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

    fn woken(&mut self, cx: &mut Cx<'_>, wake: Wake) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        cx.fact(Fact::Woken { thread, object });
        let heedless = cx.object::<Mutex>(&self.object).is_some_and(|lock| lock.flaw.never_looks_again);
        match wake {
            Wake::Interrupted => self.delete(cx, Err(Exception::Interrupted)),
            Wake::Notified if heedless => self.acquired(cx),
            Wake::Notified | Wake::TimedOut => self.list(cx),
        }
    }

    fn delete(&mut self, cx: &mut Cx<'_>, then: Outcome) -> Flow {
        let leaves = cx.object::<Mutex>(&self.object).is_some_and(|lock| lock.flaw.leaves_node);
        match self.node.take().filter(|_| !leaves) {
            Some(node) => {
                self.state = State::Deleting(then);
                Flow::Call(Delete::guaranteed(node))
            }
            None => self.end(cx, then),
        }
    }

    /// The own node is gone. Where it had been gone before, the policy decides whether to queue anew.
    fn end(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        if outcome == Err(Exception::Keeper(Code::NoNode))
            && let Some(until) = self.retry.allowed(cx)
        {
            self.state = State::Creating;
            return Flow::sleep(until);
        }
        let (thread, object) = (cx.thread, self.object.clone());
        cx.fact(Fact::GaveUp { thread, object });
        Flow::Return(outcome)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Deleting(then), deleted) => {
                let outcome = after_deleting(then, deleted, cx.breaks(Way::FirstErrorKept));
                self.end(cx, outcome)
            }
            (State::Creating, Ok(Value::Answer(Answer::Created { path, stat }))) => {
                self.created(cx, path, Some(stat.czxid))
            }
            (State::Creating, Ok(Value::Answer(Answer::Path(path)))) => self.created(cx, path, None),
            (State::Listing, Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(cx, names),
            (State::Listing, Err(Exception::Keeper(Code::NoNode))) => self.listed(cx, Vec::new()),
            (State::Watching { watched, ahead }, Ok(_)) => self.watches(cx, watched, ahead),
            (State::Watching { .. }, Err(Exception::Keeper(Code::NoNode))) => self.list(cx),
            (_, Err(exception)) => self.delete(cx, Err(exception)),
            (_, Ok(_)) => self.list(cx),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Start => self.begin(cx),
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(wake) if matches!(self.state, State::Waiting) => self.woken(cx, wake),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Woken(_) | Resume::Answer(_) => self.create(cx), // the pause before it queues anew is over
        }
    }

    fn monitor(&self) -> Option<&Rc<str>> {
        matches!(self.state, State::Watching { .. }).then_some(&self.object)
    }
}

/// What an acquire comes to whose own node is to be deleted: an error of that is thrown, too. It hid why the acquire failed until
/// CURATOR-41 (5.6.0).
fn after_deleting(then: Outcome, deleted: Outcome, first_kept: bool) -> Outcome {
    match deleted {
        Ok(_) | Err(Exception::Keeper(Code::NoNode)) => then,
        Err(_) if then == Err(Exception::Interrupted) || (first_kept && then.is_err()) => then,
        Err(exception) => Err(exception),
    }
}

fn no_lock() -> Exception {
    Exception::java("NullPointerException", "the lock is gone")
}

/// `release()`.
#[derive(Clone, Debug)]
struct Release {
    object: Rc<str>,
}

impl Release {
    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        let thread = cx.thread;
        let Some(lock) = cx.object::<Mutex>(&self.object) else { return Flow::Return(Err(no_lock())) };
        let Some(hold) = lock.holds.get_mut(&thread) else {
            let message = format!("You do not own the lock: {}", lock.path);
            return Flow::Return(Err(Exception::java("IllegalMonitorStateException", &message)));
        };
        hold.count -= 1;
        if hold.count > 0 {
            return Flow::Return(Ok(Value::Nothing));
        }
        let (node, path, tells) = (hold.node.clone(), lock.path.clone(), lock.tells);
        lock.holds.remove(&thread);
        lock.revocable = false;
        if tells {
            let (object, reason) = (self.object.clone(), ReleaseReason::Released);
            cx.fact(Fact::Released { thread, object, path, reason });
        }
        cx.remove_watchers_first(&self.object);
        cx.remove_watchers_first(&watcher_of(&self.object));
        Flow::Call(Delete::guaranteed(node))
    }
}

impl Frame for Release {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) => Flow::Return(Ok(Value::Nothing)),
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => self.begin(cx),
        }
    }
}
