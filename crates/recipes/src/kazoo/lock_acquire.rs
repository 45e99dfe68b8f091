//! How kazoo's lock is acquired (`Lock.acquire`, `_inner_acquire`, `_best_effort_cleanup`).

use std::rc::Rc;

use crate::base::SimTime;
use crate::wire::{Answer, Code, CreateMode, Request};

use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, name_of};

use super::client::{Ask, EnsurePath, Retry};
use super::lock::Lock;

/// What `cancel` raises.
pub(super) const CANCELLED: &str = "CancelledError";
/// What a wait raises that lasts too long.
pub(super) const TIMEOUT: &str = "LockTimeout";

/// Whether a call failed because it was cancelled.
pub(crate) fn is_cancelled(outcome: &Outcome) -> bool {
    matches!(outcome, Err(Exception::Java { class, .. }) if *class == CANCELLED)
}

/// `acquire` under way.
#[derive(Clone, Debug)]
pub(crate) struct Acquire {
    object: Rc<str>,
    blocking: bool,
    limit_ms: Option<u64>,
    /// The lock was held already when the call began.
    was_held: bool,
    retry: Retry,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Beginning,
    /// Behind another thread of this object, at most until then.
    Queueing {
        until: Option<SimTime>,
    },
    Ensuring,
    Finding,
    Creating,
    Listing,
    Watching {
        watched: Rc<str>,
        ahead: u32,
    },
    Waiting {
        until: Option<SimTime>,
    },
    /// Until the next try.
    Pausing {
        until: SimTime,
    },
    /// The node is looked for, to be deleted; then the call ends so.
    LookingBack(Outcome),
    CleaningUp(Outcome),
}

impl Acquire {
    pub(super) fn boxed(object: &Rc<str>, blocking: bool, limit_ms: Option<u64>) -> Boxed {
        let (object, retry) = (object.clone(), Retry::default());
        Box::new(Acquire { object, blocking, limit_ms, was_held: false, retry, state: State::Beginning })
    }

    fn until(&self, cx: &Cx<'_>) -> Option<SimTime> {
        self.limit_ms.map(|ms| cx.now.plus(ms * 1_000))
    }

    /// One thread of the object after the other.
    fn begin(&mut self, cx: &mut Cx<'_>, until: Option<SimTime>) -> Flow {
        let (thread, now) = (cx.thread, cx.now);
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        if lock.acquiring.is_some() {
            self.state = State::Queueing { until };
            return match self.blocking && until.is_none_or(|until| now < until) {
                true => Flow::Wait { on: Some(self.object.clone()), until },
                false => Flow::Return(Ok(Value::Bool(false))),
            };
        }
        lock.acquiring = Some(thread);
        self.was_held = lock.holder.is_some();
        self.retry.deadline = self.until(cx);
        self.try_it(cx)
    }

    fn try_it(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        if lock.holder.is_some() {
            return if self.blocking { self.again(cx) } else { self.end(cx, Ok(Value::Bool(false))) };
        }
        let path = lock.path.clone();
        if !lock.assured_path {
            self.state = State::Ensuring;
            return Flow::Call(EnsurePath::boxed(&path));
        }
        if std::mem::replace(&mut lock.create_tried, true) {
            self.state = State::Finding;
            return Flow::Call(Ask::children(&path));
        }
        self.create(cx)
    }

    fn create(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Creating;
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let (path, data) = (child_of(&lock.path, &lock.prefix), lock.data.clone());
        Flow::Call(Ask::create(path, data, CreateMode::EphemeralSequential))
    }

    fn list(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        (lock.awake, lock.listening) = (false, false);
        if lock.cancelled {
            return self.fail(cx, Exception::java(CANCELLED, ""));
        }
        self.state = State::Listing;
        Flow::Call(Ask::children(&lock.path))
    }

    fn listed(&mut self, cx: &mut Cx<'_>, names: Vec<Rc<str>>) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let Ok(ahead) = lock.ahead(names) else {
            return self.again(cx); // the session has ended, and the node with it
        };
        let Some(nearest) = ahead.last() else { return self.end(cx, Ok(Value::Bool(true))) };
        if !self.blocking {
            return self.end(cx, Ok(Value::Bool(false)));
        }
        lock.listening = true;
        let watched = child_of(&lock.path, nearest);
        self.state = State::Watching { watched: watched.clone(), ahead: ahead.len() as u32 };
        Flow::Call(Ask::watching(Request::GetData { path: watched, watch: true }, &self.object))
    }

    fn watches(&mut self, cx: &mut Cx<'_>, watched: Rc<str>, ahead: u32) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        let node = cx.object::<Lock>(&object).map(|lock| lock.node_path()).unwrap_or_default();
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        let until = self.until(cx);
        self.wait(cx, until)
    }

    /// Waits for `wake_event`, which may be set already.
    fn wait(&mut self, cx: &mut Cx<'_>, until: Option<SimTime>) -> Flow {
        let (thread, object, now) = (cx.thread, self.object.clone(), cx.now);
        let Some(lock) = cx.object::<Lock>(&object) else { return Flow::Return(Err(Exception::gone())) };
        if lock.awake {
            cx.fact(Fact::Woken { thread, object });
            return self.list(cx);
        }
        if until.is_some_and(|until| until <= now) {
            return self.fail(cx, Exception::java(TIMEOUT, ""));
        }
        self.state = State::Waiting { until };
        Flow::Wait { on: Some(object), until }
    }

    /// The whole is tried again after a pause, if there is time. Nothing is asked meanwhile, and a wake-up means nothing.
    fn again(&mut self, cx: &mut Cx<'_>) -> Flow {
        match self.retry.next(cx) {
            Some(until) => self.pause(cx, until),
            None => self.end(cx, Ok(Value::Bool(false))),
        }
    }

    /// Where the lock is held by this very object the tries go on without an end: it rests as one that waits.
    fn pause(&mut self, cx: &mut Cx<'_>, until: SimTime) -> Flow {
        self.state = State::Pausing { until };
        let is_held = cx.object::<Lock>(&self.object).is_some_and(|lock| lock.holder.is_some());
        Flow::Wait { on: is_held.then(|| self.object.clone()), until: Some(until) }
    }

    fn fail(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Flow {
        match Retry::helps(&exception) {
            true => self.again(cx),
            false => self.end(cx, Err(exception)),
        }
    }

    /// The call is over. Whoever does not get the lock deletes its node, as well as it can.
    fn end(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        let (thread, object, was_held) = (cx.thread, self.object.clone(), self.was_held);
        if outcome == Ok(Value::Bool(true)) {
            cx.with(&object, |lock: &mut Lock, me, cx| lock.acquired(me, cx));
            return self.leave(cx, outcome);
        }
        if was_held {
            return self.leave(cx, outcome);
        }
        cx.fact(Fact::GaveUp { thread, object: object.clone() });
        let Some(lock) = cx.object::<Lock>(&object) else { return Flow::Return(outcome) };
        match lock.node {
            Some(_) => {
                let path = lock.node_path();
                self.delete(outcome, path)
            }
            None => {
                let path = lock.path.clone();
                self.state = State::LookingBack(outcome);
                Flow::Call(Ask::children(&path))
            }
        }
    }

    fn delete(&mut self, outcome: Outcome, path: Rc<str>) -> Flow {
        self.state = State::CleaningUp(outcome);
        Flow::Call(Ask::new(Request::Delete { path, version: -1 }))
    }

    /// The object's next thread may begin.
    fn leave(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        if let Some(lock) = cx.object::<Lock>(&self.object) {
            (lock.acquiring, lock.listening) = (None, false);
            lock.cancelled &= outcome.is_ok();
        }
        cx.notify(&self.object);
        Flow::Return(outcome)
    }

    fn found(&mut self, cx: &mut Cx<'_>, names: &[Rc<str>]) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        match lock.own_of(names) {
            Some(node) => {
                lock.node = Some(node);
                self.list(cx)
            }
            None => self.create(cx),
        }
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        use Answer::{Children, Path};
        match (self.state.clone(), outcome) {
            (State::Ensuring, Ok(_)) => {
                if let Some(lock) = cx.object::<Lock>(&self.object) {
                    lock.assured_path = true;
                }
                self.try_it(cx)
            }
            (State::Finding, Ok(Value::Answer(Children { names, .. }))) => self.found(cx, &names),
            (State::Creating, Ok(Value::Answer(Path(path)))) => {
                if let Some(lock) = cx.object::<Lock>(&self.object) {
                    lock.node = Some(name_of(&path).into());
                }
                self.list(cx)
            }
            (State::Listing, Ok(Value::Answer(Children { names, .. }))) => self.listed(cx, names),
            (State::Watching { watched, ahead }, Ok(_)) => self.watches(cx, watched, ahead),
            // it has gone since it was listed
            (State::Watching { .. }, Err(Exception::Keeper(Code::NoNode))) => self.list(cx),
            (State::LookingBack(then), Ok(Value::Answer(Children { names, .. }))) => {
                let own = cx.object::<Lock>(&self.object);
                match own.and_then(|lock| Some(child_of(&lock.path, &lock.own_of(&names)?))) {
                    Some(path) => self.delete(then, path),
                    None => self.leave(cx, then),
                }
            }
            (State::LookingBack(then) | State::CleaningUp(then), _) => self.leave(cx, then),
            (_, Err(exception)) => self.fail(cx, exception),
            (_, Ok(_)) => self.list(cx),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (&self.state, with) {
            (_, Resume::Returned(outcome)) => self.returned(cx, outcome),
            (State::Queueing { .. }, Resume::Woken(Wake::Interrupted)) => Flow::Return(Err(Exception::Interrupted)),
            (_, Resume::Woken(Wake::Interrupted)) => self.end(cx, Err(Exception::Interrupted)),
            (&State::Waiting { until }, _) => self.wait(cx, until),
            (&State::Pausing { until }, Resume::Woken(Wake::Notified)) => self.pause(cx, until),
            (State::Pausing { .. }, _) => self.try_it(cx),
            (&State::Queueing { until }, _) => self.begin(cx, until),
            _ => {
                let until = self.until(cx);
                self.begin(cx, until)
            }
        }
    }
}
