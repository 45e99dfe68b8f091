//! How kazoo's semaphore is acquired (`Semaphore.acquire`, `_inner_acquire`, `_get_lease`). Whatever can be tried again is tried again
//! from the top, with the whole time limit and a new lock, as often as `command_retry` allows.

use std::rc::Rc;

use crate::base::SimTime;
use crate::wire::{Answer, Code, CreateMode, Data, Request};

use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

use super::client::{Ask, EnsurePath, Retry};
use super::lock::Release;
use super::lock_acquire::{self, CANCELLED, TIMEOUT};
use super::semaphore::Semaphore;

/// `acquire` under way.
#[derive(Clone, Debug)]
pub(crate) struct Acquire {
    object: Rc<str>,
    blocking: bool,
    limit_ms: Option<u64>,
    /// The object of this call's lock.
    lock: Rc<str>,
    /// Until when this try may wait.
    deadline: Option<SimTime>,
    retry: Retry,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Beginning,
    Ensuring,
    /// The number of leases is read, or written.
    Comparing,
    /// Whether it has a lease already.
    Looking,
    Locking,
    Counting,
    Creating,
    /// Whether the lease is there; that many are.
    Checking {
        leases: u32,
    },
    Waiting,
    /// The lock is released; then the try ends so.
    Unlocking(End),
    /// Until the next try.
    Pausing,
    CleaningUp(Outcome),
}

/// What a try came to.
#[derive(Clone, Debug)]
enum End {
    Got,
    NotGot,
    /// `ForceRetryError`.
    Again,
    Raises(Exception),
}

impl Acquire {
    pub(super) fn boxed(object: &Rc<str>, blocking: bool, limit_ms: Option<u64>) -> Boxed {
        let (object, retry) = (object.clone(), Retry::default());
        let lock = "".into();
        Box::new(Acquire { object, blocking, limit_ms, lock, deadline: None, retry, state: State::Beginning })
    }

    fn semaphore<'a>(&self, cx: &'a mut Cx<'_>) -> Option<&'a mut Semaphore> {
        cx.object::<Semaphore>(&self.object)
    }

    /// From the top.
    fn try_it(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(Exception::gone())) };
        (semaphore.session_expired, semaphore.listening) = (false, true);
        match semaphore.assured_path {
            true => self.look(cx),
            false => {
                self.state = State::Ensuring;
                Flow::Call(EnsurePath::boxed(&semaphore.path))
            }
        }
    }

    /// The path is there: who made it writes how many leases there are, all others compare. They do so once: the path counts
    /// as assured even where the numbers differ.
    fn ensured(&mut self, cx: &mut Cx<'_>, existed: bool) -> Flow {
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(Exception::gone())) };
        semaphore.assured_path = true;
        let (path, most) = (semaphore.path.clone(), semaphore.most);
        self.state = State::Comparing;
        Flow::Call(Ask::new(match existed {
            true => Request::GetData { path, watch: false },
            false => Request::SetData { path, data: Some(most.to_string().into()), version: -1 },
        }))
    }

    /// What is no number may be there for something else.
    fn compared(&mut self, cx: &mut Cx<'_>, data: &Data) -> Flow {
        let leases: Option<i64> = data.as_ref().and_then(|data| data.decoded().trim().parse().ok());
        let most = self.semaphore(cx).map_or(0, |semaphore| semaphore.most);
        match leases.filter(|leases| *leases != i64::from(most)) {
            Some(leases) => {
                let why = format!("Inconsistent max leases: {leases}, expected: {most}");
                self.give_up(cx);
                Flow::Return(Err(Exception::java("ValueError", &why)))
            }
            None => self.look(cx),
        }
    }

    fn exists(&self, cx: &mut Cx<'_>) -> Flow {
        match self.semaphore(cx) {
            Some(semaphore) => Flow::Call(Ask::new(Request::Exists { path: semaphore.node.clone(), watch: false })),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn look(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = State::Looking;
        self.exists(cx)
    }

    fn lock(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.lock = format!("{}/lock {}", self.object, cx.thread).into();
        self.deadline = self.limit_ms.map(|ms| cx.now.plus(ms * 1_000));
        let lock = cx.with(&self.object, |semaphore: &mut Semaphore, _, cx| semaphore.lock(cx));
        let Some(lock) = lock else { return Flow::Return(Err(Exception::gone())) };
        cx.core.objects.0.insert(self.lock.clone(), Box::new(lock));
        self.state = State::Locking;
        Flow::Call(lock_acquire::Acquire::boxed(&self.lock, self.blocking, self.limit_ms))
    }

    /// `_get_lease`.
    fn count(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(Exception::gone())) };
        semaphore.awake = false;
        if semaphore.session_expired {
            return self.unlock(End::Again);
        }
        if semaphore.cancelled {
            return self.unlock(End::Raises(Exception::java(CANCELLED, "Semaphore cancelled")));
        }
        self.state = State::Counting;
        let path = semaphore.path.clone();
        Flow::Call(Ask::watching(Request::GetChildren { path, watch: true, stat: false }, &self.object))
    }

    fn counted(&mut self, cx: &mut Cx<'_>, leases: u32) -> Flow {
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(Exception::gone())) };
        if leases >= semaphore.most {
            self.state = State::Checking { leases };
            return self.exists(cx);
        }
        let (node, data) = (semaphore.node.clone(), semaphore.data.clone());
        self.state = State::Creating;
        Flow::Call(Ask::create(node, data, CreateMode::Ephemeral))
    }

    /// There was none left.
    fn wait_for_one(&mut self, cx: &mut Cx<'_>, leases: u32) -> Flow {
        cx.with(&self.object, |semaphore: &mut Semaphore, me, cx| semaphore.displaced(me, cx));
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(Exception::gone())) };
        let (node, watched) = (semaphore.node.clone(), semaphore.path.clone());
        let ahead = (leases + 1).saturating_sub(semaphore.most);
        if !self.blocking {
            return self.unlock(End::NotGot);
        }
        let (thread, object) = (cx.thread, self.object.clone());
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        self.state = State::Waiting;
        self.wait(cx)
    }

    /// Waits for `wake_event`, which may be set already.
    fn wait(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, until, now) = (cx.thread, self.object.clone(), self.deadline, cx.now);
        if self.semaphore(cx).is_some_and(|semaphore| semaphore.awake) {
            cx.fact(Fact::Woken { thread, object });
            return self.count(cx);
        }
        match until.is_some_and(|until| until <= now) {
            true => self.unlock(End::Raises(Exception::java(TIMEOUT, ""))),
            false => Flow::Wait { on: Some(object), until },
        }
    }

    /// The lock is released in any case.
    fn unlock(&mut self, end: End) -> Flow {
        self.state = State::Unlocking(end);
        Flow::Call(Release::boxed(&self.lock))
    }

    fn end(&mut self, cx: &mut Cx<'_>, end: End) -> Flow {
        match end {
            End::Got => {
                let object = self.object.clone();
                cx.with(&object, |semaphore: &mut Semaphore, me, cx| semaphore.acquired(me, cx));
                Flow::Return(Ok(Value::Bool(true)))
            }
            End::NotGot => {
                self.give_up(cx);
                Flow::Return(Ok(Value::Bool(false)))
            }
            End::Again => {
                let next = self.retry.forced(cx);
                self.again(cx, next)
            }
            End::Raises(exception) => {
                let next = self.retry.command(cx, exception);
                self.again(cx, next)
            }
        }
    }

    /// When the next try is due, or why there is none (`client.retry`).
    fn again(&mut self, cx: &mut Cx<'_>, next: Result<SimTime, Exception>) -> Flow {
        match next {
            Ok(until) => {
                self.state = State::Pausing;
                Flow::sleep(until)
            }
            Err(exception) => self.clean_up(cx, exception),
        }
    }

    fn give_up(&self, cx: &mut Cx<'_>) {
        cx.fact(Fact::GaveUp { thread: cx.thread, object: self.object.clone() });
    }

    /// It fails for good: `_best_effort_cleanup`.
    fn clean_up(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Flow {
        self.give_up(cx);
        let Some(semaphore) = self.semaphore(cx) else { return Flow::Return(Err(exception)) };
        let path = semaphore.node.clone();
        self.state = State::CleaningUp(Err(exception));
        Flow::Call(Ask::new(Request::Delete { path, version: -1 }))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        use Answer::{Children, Data};
        let none = Err(Exception::Keeper(Code::NoNode));
        match (self.state.clone(), outcome) {
            (State::CleaningUp(then), _) => {
                if let Some(semaphore) = self.semaphore(cx) {
                    semaphore.cancelled = false;
                }
                Flow::Return(then)
            }
            (State::Unlocking(end), Ok(_)) => self.end(cx, end),
            (State::Unlocking(_), Err(exception)) => self.end(cx, End::Raises(exception)),
            (State::Ensuring, Ok(existed)) => self.ensured(cx, existed == Value::Bool(true)),
            (State::Comparing, Ok(Value::Answer(Data { data, .. }))) => self.compared(cx, &data),
            (State::Comparing, Ok(_)) => self.look(cx),
            // it is this object's already, and no lock is asked for
            (State::Looking, Ok(_)) => match self.semaphore(cx).is_some_and(|semaphore| semaphore.holder.is_some()) {
                true => Flow::Return(Ok(Value::Bool(true))),
                false => self.end(cx, End::Got),
            },
            (State::Looking, outcome) if outcome == none => self.lock(cx),
            (State::Locking, Ok(Value::Bool(true))) => self.count(cx),
            (State::Locking, Ok(_)) => self.unlock(End::NotGot),
            (State::Counting, Ok(Value::Answer(Children { names, .. }))) => self.counted(cx, names.len() as u32),
            (State::Creating, Ok(_)) => {
                self.state = State::Checking { leases: 0 };
                self.exists(cx)
            }
            (State::Checking { .. }, Ok(_)) => self.unlock(End::Got),
            (State::Checking { leases }, outcome) if outcome == none => self.wait_for_one(cx, leases),
            (State::Locking | State::Counting | State::Creating | State::Checking { .. }, Err(exception)) => {
                self.unlock(End::Raises(exception))
            }
            (_, Err(exception)) => self.end(cx, End::Raises(exception)),
            (_, Ok(_)) => self.count(cx),
        }
    }
}

impl Frame for Acquire {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (&self.state, with) {
            (_, Resume::Returned(outcome)) => self.returned(cx, outcome),
            (State::Waiting, Resume::Woken(Wake::Interrupted)) => self.unlock(End::Raises(Exception::Interrupted)),
            (_, Resume::Woken(Wake::Interrupted)) => self.end(cx, End::Raises(Exception::Interrupted)),
            (State::Waiting, _) => self.wait(cx),
            (State::Pausing, _) => self.try_it(cx),
            _ => {
                if let Some(semaphore) = self.semaphore(cx) {
                    semaphore.cancelled = false;
                }
                self.try_it(cx)
            }
        }
    }
}
