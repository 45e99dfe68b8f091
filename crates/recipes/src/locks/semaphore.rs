//! InterProcessSemaphoreV2 (`InterProcessSemaphoreV2.java`) and InterProcessSemaphoreMutex
//! (`InterProcessSemaphoreMutex.java`), which is one with a single lease. Contenders queue for a mutex on `locks`; who has
//! it makes a node in `leases` and waits there until there are no more of them than leases. So one contender at most
//! watches the leases, and a lease that comes back wakes nobody else.
//!
//! A lease is not its thread's: any thread may give it back, and the same thread may have several, or wait for itself.

use std::rc::Rc;

use crate::base::{Micros, Zxid};

use crate::coordination::shared_count::number;
use crate::curator::{Delete, Op};
use crate::locks::mutex::Mutex;
use crate::locks::semaphore_acquire::Acquire;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason, Share, Standing};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;
use crate::wire::{Answer, Code};

/// A rule that can be broken: a contender that fails leaves its node among the leases (CURATOR-335, CURATOR-462).
pub(crate) const WORDS: &[&str] = &["leaves_lease"];

methods! {
    Acquire "acquire",
    Release "release",
    ReleaseAll "release_all",
    IsAcquired "isAcquired",
    Participants "participants",
    SetLeases "set_leases",
}

/// A lease, and the thread that acquired it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub thread: ThreadId,
    pub node: Rc<str>,
    /// The node's czxid, where the reply that told it was not lost.
    pub token: Option<Zxid>,
}

/// A semaphore. Its lock is a part of the program's objects under `name/locks`.
#[derive(Clone, Debug)]
pub(crate) struct Semaphore {
    path: Rc<str>,
    pub lock: Rc<str>,
    /// Where the leases' nodes are.
    pub leases_path: Rc<str>,
    /// `maxLeases`.
    pub most: u32,
    /// It keeps one lease, as a mutex does.
    is_mutex: bool,
    pub leaves_lease: bool,
    /// Those that were handed out, in that order.
    leases: Vec<Lease>,
}

impl Semaphore {
    /// With as many leases as the recipe counts.
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> Semaphore {
        let lock: Rc<str> = format!("{name}/locks").into();
        let inner = Mutex { tells: false, ..Mutex::at(&child_of(&recipe.path, "locks")) };
        cx.core.objects.0.insert(lock.clone(), Box::new(inner));
        Semaphore {
            path: recipe.path.clone(),
            lock,
            leases_path: child_of(&recipe.path, "leases"),
            most: recipe.count.unwrap_or(1),
            is_mutex: false,
            leaves_lease: recipe.has("leaves_lease"),
            leases: Vec::new(),
        }
    }

    /// InterProcessSemaphoreMutex.
    pub(crate) fn mutex(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> Semaphore {
        Semaphore { most: 1, is_mutex: true, ..Semaphore::new(name, recipe, cx) }
    }

    fn share(&self) -> Share {
        if self.is_mutex { Share::Exclusive } else { Share::Lease { of: self.most } }
    }

    /// A contender has a lease. It is handed out with the others of the same call. A mutex forgets the one before, whose
    /// session must be gone.
    pub(crate) fn acquired(&mut self, me: &Rc<str>, lease: &Lease, cx: &mut Cx<'_>) {
        let before = if self.is_mutex { std::mem::take(&mut self.leases) } else { Vec::new() };
        for lease in before {
            self.returned(me, &lease, ReleaseReason::Displaced, cx);
        }
        let (thread, node, token) = (lease.thread, lease.node.clone(), lease.token);
        let (object, path, share) = (me.clone(), self.path.clone(), self.share());
        cx.fact(Fact::Acquired { thread, object, path, node, share, token });
    }

    /// A call hands out its leases.
    pub(crate) fn hands_out(&mut self, leases: Vec<Lease>) {
        self.leases.extend(leases);
    }

    /// A lease is given back.
    pub(crate) fn returned(&self, me: &Rc<str>, lease: &Lease, reason: ReleaseReason, cx: &mut Cx<'_>) {
        let (thread, object) = (lease.thread, me.clone());
        if !self.is_mutex {
            // a thread may have several: this one it is
            let (what, about) = ("returns_lease", lease.node.clone());
            cx.fact(Fact::Told { thread: cx.thread, object: object.clone(), what, about });
        }
        cx.fact(Fact::Released { thread, object, path: self.path.clone(), reason });
        self.stands_again(me, thread, cx);
    }

    /// A thread that has lost a lease, or waited in vain for another, still has those that it had.
    pub(crate) fn stands_again(&self, me: &Rc<str>, thread: ThreadId, cx: &mut Cx<'_>) {
        if let Some(lease) = self.leases.iter().rev().find(|lease| lease.thread == thread) {
            let (node, share, token) = (lease.node.clone(), self.share(), lease.token);
            cx.core.standings.insert((me.clone(), thread), Standing::Holding { node, share, token });
        }
    }

    /// The thread's last lease; where it has none, whoever's: leases may be handed from thread to thread.
    fn release(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let own = self.leases.iter().rposition(|lease| lease.thread == cx.thread && !self.is_mutex);
        let Some(at) = own.or(self.leases.len().checked_sub(1)) else {
            return Err(Exception::state("Not acquired"));
        };
        Ok(self.hand_back(me, at, cx))
    }

    fn hand_back(&mut self, me: &Rc<str>, at: usize, cx: &mut Cx<'_>) -> Boxed {
        let lease = self.leases.remove(at);
        self.returned(me, &lease, ReleaseReason::Released, cx);
        Box::new(Close { object: me.clone(), node: lease.node, removes_watchers: self.is_mutex })
    }

    fn acquire(me: &Rc<str>, method: &Method, wanted: i64) -> Result<Boxed, Exception> {
        match u32::try_from(wanted) {
            Ok(wanted @ 1..) => Ok(Acquire::boxed(me, method.timeout_ms.map(in_micros), wanted)),
            _ => Err(Exception::java("IllegalArgumentException", "qty cannot be 0")),
        }
    }
}

fn in_micros(ms: u64) -> Micros {
    ms * 1000
}

impl Object for Semaphore {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Acquire if method.data.is_none() || self.is_mutex => Semaphore::acquire(me, method, 1),
            Asked::Acquire => Semaphore::acquire(me, method, number(&method.data)?),
            Asked::Release => self.release(me, cx),
            Asked::ReleaseAll if !self.is_mutex => Ok(Box::new(ReturnAll(me.clone()))),
            Asked::IsAcquired if self.is_mutex => Ok(at_once(Value::Bool(!self.leases.is_empty()))),
            Asked::Participants if !self.is_mutex => Ok(Box::new(Participants(self.leases_path.clone()))),
            // what its listener does when a SharedCount that holds the number of leases has changed
            Asked::SetLeases if !self.is_mutex => {
                let most = u32::try_from(number::<i64>(&method.data)?);
                self.most = most.map_err(|_| Exception::java("IllegalArgumentException", "no number of leases"))?;
                cx.notify(me);
                Ok(at_once(Value::Nothing))
            }
            _ => Err(method.unknown()),
        }
    }
}

/// `Lease.close()`; of a mutex `release()`.
#[derive(Clone, Debug)]
struct Close {
    object: Rc<str>,
    node: Rc<str>,
    removes_watchers: bool,
}

impl Close {
    fn returned(&self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match outcome {
            // a lease whose node is gone is only logged
            Ok(_) | Err(Exception::Keeper(Code::NoNode)) => {
                if self.removes_watchers {
                    cx.remove_watchers(&self.object);
                }
                Flow::Return(Ok(Value::Nothing))
            }
            Err(exception) => Flow::Return(Err(Exception::java("IOException", &exception.class()))),
        }
    }
}

impl Frame for Close {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            _ => Flow::Call(Delete::guaranteed(self.node.clone())),
        }
    }
}

/// `returnAll()` with every lease that was handed out, in that order; what goes wrong with one keeps nobody from the next.
#[derive(Clone, Debug)]
struct ReturnAll(Rc<str>);

impl Frame for ReturnAll {
    fn resume(&mut self, cx: &mut Cx<'_>, _: Resume) -> Flow {
        let first = cx.with(&self.0, |semaphore: &mut Semaphore, me, cx| {
            (!semaphore.leases.is_empty()).then(|| semaphore.hand_back(me, 0, cx))
        });
        first.flatten().map_or(Flow::Return(Ok(Value::Nothing)), Flow::Call)
    }
}

/// `getParticipantNodes()`: who has a lease, or is about to.
#[derive(Clone, Debug)]
struct Participants(Rc<str>);

impl Frame for Participants {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) => {
                Flow::Return(Ok(Value::Names(names)))
            }
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => Flow::Call(Op::children(&self.0)),
        }
    }
}
