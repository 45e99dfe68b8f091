//! How a lease is acquired (`InterProcessSemaphoreV2.java` `acquire`, `internalAcquire1Lease`). What was made on the way is
//! taken back whatever goes wrong: the node among the leases, the watch, the lock; and leases of the same call.

use std::rc::Rc;

use crate::base::{Micros, SimTime};
use crate::client;
use crate::wire::{Answer, Code, CreateMode, Request};

use crate::curator::{Create, Delete, Op, Retry};
use crate::locks::mutex::Mutex;
use crate::locks::semaphore::{Lease, Semaphore};
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::{Fact, ReleaseReason};
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, name_of};

/// `acquire` under way.
#[derive(Clone, Debug)]
pub(crate) struct Acquire {
    object: Rc<str>,
    limit: Option<Micros>,
    /// Until when all of it may take.
    deadline: Option<SimTime>,
    /// How many leases are still wanted.
    wanted: u32,
    /// The one that it contends for.
    lease: Option<Lease>,
    /// Those that it has.
    got: Vec<Lease>,
    state: State,
    retry: Retry,
}

#[derive(Clone, Debug)]
enum State {
    /// In the queue of the lock.
    Locking,
    Creating,
    Counting,
    Waiting,
    /// The lease's node is deleted.
    Returning(End),
    /// The lock is released.
    Unlocking(End),
    /// It will try again.
    Pausing,
    /// All that it has is given back; then the call ends so.
    GivingBack(Outcome),
}

/// What the contention for one lease came to.
#[derive(Clone, Debug)]
enum End {
    Got,
    /// The own node is not among the leases: the session may be lost.
    Missing,
    Over(Outcome),
}

impl Acquire {
    pub(crate) fn boxed(object: &Rc<str>, limit: Option<Micros>, wanted: u32) -> Boxed {
        Box::new(Acquire {
            object: object.clone(),
            limit,
            deadline: None,
            wanted,
            lease: None,
            got: Vec::new(),
            state: State::Locking,
            retry: Retry::default(),
        })
    }

    /// Queues for the lock, for as long as is left. A framework that is not started gives no lease, and `acquire()` takes the
    /// first of none.
    fn lock(&mut self, cx: &mut Cx<'_>) -> Flow {
        if cx.library.state == client::State::Closed {
            let none = Err(Exception::java("NullPointerException", ""));
            let is_single = self.limit.is_none() && self.wanted == 1 && self.got.is_empty();
            return self.fail(cx, if is_single { none } else { Ok(Value::Bool(false)) });
        }
        self.state = State::Locking;
        let left = self.deadline.map(|deadline| deadline.since(cx.now));
        match cx.object::<Semaphore>(&self.object) {
            Some(semaphore) => Flow::Call(Mutex::acquire(&semaphore.lock, left)),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn create(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Creating;
        let data = Some(cx.core.address());
        let Some(semaphore) = cx.object::<Semaphore>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        let path = child_of(&semaphore.leases_path, "lease-");
        let create = Create::plain(&path, CreateMode::EphemeralSequential, data).with_parents();
        Flow::Call(create.protected(cx).boxed())
    }

    fn count(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Counting;
        let Some(semaphore) = cx.object::<Semaphore>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        let path = semaphore.leases_path.clone();
        Flow::Call(Op::watching(Request::GetChildren { path, watch: true, stat: true }, &self.object))
    }

    /// The number of nodes decides, not the place among them.
    fn counted(&mut self, cx: &mut Cx<'_>, names: &[Rc<str>]) -> Flow {
        let Some(semaphore) = cx.object::<Semaphore>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        let (most, watched) = (semaphore.most, semaphore.leases_path.clone());
        let node = self.lease.as_ref().map(|lease| lease.node.clone()).unwrap_or_default();
        if !names.iter().any(|name| **name == *name_of(&node)) {
            return self.take_back(cx, End::Missing);
        }
        let ahead = (names.len() as u32).saturating_sub(most);
        if ahead == 0 {
            return self.unlock(cx, End::Got);
        }
        if self.deadline.is_some_and(|deadline| deadline <= cx.now) {
            return self.take_back(cx, End::Over(Ok(Value::Bool(false))));
        }
        let (thread, object) = (cx.thread, self.object.clone());
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        self.state = State::Waiting;
        Flow::Wait { on: Some(self.object.clone()), until: self.deadline }
    }

    fn woken(&mut self, cx: &mut Cx<'_>, wake: Wake) -> Flow {
        cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
        match wake {
            Wake::Interrupted => self.take_back(cx, End::Over(Err(Exception::Interrupted))),
            Wake::Notified | Wake::TimedOut => self.count(cx),
        }
    }

    /// Without success the lease's node goes first.
    fn take_back(&mut self, cx: &mut Cx<'_>, end: End) -> Flow {
        let leaves = cx.object::<Semaphore>(&self.object).is_some_and(|semaphore| semaphore.leaves_lease);
        match self.lease.take().filter(|_| !leaves) {
            Some(lease) => {
                self.state = State::Returning(end);
                Flow::Call(Delete::guaranteed(lease.node))
            }
            None => self.unlock(cx, end),
        }
    }

    /// The watch is removed and the lock released, in any case.
    fn unlock(&mut self, cx: &mut Cx<'_>, end: End) -> Flow {
        self.state = State::Unlocking(end);
        cx.remove_watchers_first(&self.object);
        match cx.object::<Semaphore>(&self.object) {
            Some(semaphore) => Flow::Call(Mutex::release(&semaphore.lock)),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn unlocked(&mut self, cx: &mut Cx<'_>, end: End) -> Flow {
        match end {
            End::Got => self.acquired(cx),
            End::Over(outcome) => self.fail(cx, outcome),
            End::Missing => match self.retry.allowed(cx) {
                Some(until) => {
                    self.state = State::Pausing;
                    Flow::sleep(until)
                }
                None => self.fail(cx, Err(Exception::Keeper(Code::NoNode))),
            },
        }
    }

    /// The lock could not be released. The lease is there, but nobody has it: its node stays as long as the session.
    fn orphaned(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Flow {
        if let Some(lease) = self.lease.take() {
            let (thread, object) = (cx.thread, self.object.clone());
            cx.fact(Fact::Told { thread, object, what: "orphans_lease", about: lease.node });
        }
        self.fail(cx, Err(exception))
    }

    fn acquired(&mut self, cx: &mut Cx<'_>) -> Flow {
        if let Some(lease) = self.lease.take() {
            cx.with(&self.object, |semaphore: &mut Semaphore, me, cx| semaphore.acquired(me, &lease, cx));
            self.got.push(lease);
        }
        (self.wanted, self.retry) = (self.wanted.saturating_sub(1), Retry::default());
        if self.wanted > 0 {
            return self.lock(cx);
        }
        let got = std::mem::take(&mut self.got);
        if let Some(semaphore) = cx.object::<Semaphore>(&self.object) {
            semaphore.hands_out(got);
        }
        Flow::Return(Ok(if self.limit.is_some() { Value::Bool(true) } else { Value::Nothing }))
    }

    fn fail(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        cx.fact(Fact::GaveUp { thread, object });
        cx.with(&self.object, |semaphore: &mut Semaphore, me, cx| semaphore.stands_again(me, thread, cx));
        self.give_back(cx, outcome)
    }

    /// All or none: what the call has goes back, one by one.
    fn give_back(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        if self.got.is_empty() {
            return Flow::Return(outcome);
        }
        let lease = self.got.remove(0);
        self.state = State::GivingBack(outcome);
        cx.with(&self.object, |semaphore: &mut Semaphore, me, cx| {
            semaphore.returned(me, &lease, ReleaseReason::Released, cx);
        });
        Flow::Call(Delete::guaranteed(lease.node))
    }

    fn created(&mut self, cx: &mut Cx<'_>, answer: Answer) -> Flow {
        let thread = cx.thread;
        self.lease = match answer {
            Answer::Created { path, stat } => Some(Lease { thread, node: path, token: Some(stat.czxid) }),
            Answer::Path(path) => Some(Lease { thread, node: path, token: None }),
            _ => None,
        };
        self.count(cx)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Locking, Ok(Value::Bool(false))) => self.fail(cx, Ok(Value::Bool(false))),
            (State::Locking, Ok(_)) => self.create(cx),
            (State::Locking, Err(exception)) => self.fail(cx, Err(exception)),
            (State::Creating, Ok(Value::Answer(answer))) => self.created(cx, answer),
            (State::Counting, Ok(Value::Answer(Answer::Children { names, .. }))) => self.counted(cx, &names),
            (State::Creating | State::Counting, Err(exception)) => self.take_back(cx, End::Over(Err(exception))),
            // what goes wrong with a delete goes on in the background
            (State::Returning(end), _) => self.unlock(cx, end),
            (State::Unlocking(end), Ok(_)) => self.unlocked(cx, end),
            (State::Unlocking(_), Err(exception)) => self.orphaned(cx, exception),
            (State::GivingBack(then), _) => self.give_back(cx, then),
            (State::Creating | State::Counting | State::Waiting | State::Pausing, Ok(_)) => self.count(cx),
            (State::Waiting | State::Pausing, Err(exception)) => self.fail(cx, Err(exception)),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (&self.state, with) {
            (_, Resume::Returned(outcome)) => self.returned(cx, outcome),
            (State::Waiting, Resume::Woken(wake)) => self.woken(cx, wake),
            (_, Resume::Woken(Wake::Interrupted)) => self.fail(cx, Err(Exception::Interrupted)),
            (State::Pausing, _) => self.lock(cx),
            _ => {
                self.deadline = self.limit.map(|limit| cx.now.plus(limit));
                self.lock(cx)
            }
        }
    }

    /// It counts and waits under the semaphore's own monitor.
    fn monitor(&self) -> Option<&Rc<str>> {
        matches!(self.state, State::Counting).then_some(&self.object)
    }
}
