//! LeaderSelector (`LeaderSelector.java`, `LeaderSelectorListenerAdapter.java`): a worker thread acquires a mutex and then
//! runs `takeLeadership`; when that returns, leadership is given up. With autoRequeue the worker stands in the queue again.
//!
//! What `takeLeadership` does here: it holds on until it is told to `relinquish`, until its time is over (`hold_ms`), or
//! until it is interrupted, unless it is `deaf`. Nothing but itself can end it.
//!
//! As in 5.4.0: `interruptLeadership` cancels the round, whether it leads or waits, and who queues again does so after the
//! release. Since CURATOR-518 and CURATOR-671 it spares who waits, and queues before the release (`spares_waiting`).

use std::rc::Rc;

use crate::base::{Micros, SimTime};

use crate::curator::ConnectionState;
use crate::elections::leadership::{Phase, reason};
use crate::elections::participants::Participants;
use crate::locks::mutex::Mutex;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

const NAME: &str = "lock-";
/// The pause after a round that failed: one that fails without waiting must not stop the clock. µs.
const AFTER_FAILURE: Micros = 1_000;

/// Words that change it: it queues again by itself; its `takeLeadership` ignores interrupts; what later versions do; a round that
/// is cancelled is its last, as if the worker's thread had ended with it.
pub(crate) const WORDS: &[&str] = &["auto_requeue", "deaf", "spares_waiting", "dead_thread"];

methods! {
    Start "start",
    Close "close",
    AutoRequeue "autoRequeue",
    Requeue "requeue",
    Relinquish "relinquish",
    InterruptLeadership "interruptLeadership",
    Interrupt "interrupt",
    HasLeadership "hasLeadership",
    GetLeader "getLeader",
    GetParticipants "getParticipants",
}

/// A selector. Its lock is a part of the program's objects under `name/mutex`.
#[derive(Clone, Debug)]
pub(crate) struct Selector {
    path: Rc<str>,
    mutex: Rc<str>,
    auto_requeue: bool,
    deaf: bool,
    spares_waiting: bool,
    dead_thread: bool,
    hold: Option<Micros>,
    phase: Phase,
    /// A round is queued or under way, up to the end of its `takeLeadership`.
    queued: bool,
    /// The worker: there is one thread only.
    worker: Option<ThreadId>,
    /// The round that a cancellation would interrupt: once, as a task is cancelled once.
    task: Option<ThreadId>,
    /// Rounds that wait until the worker has ended the last one.
    pending: u32,
    leads: bool,
    /// `takeLeadership` was told to return.
    relinquishes: bool,
}

impl Selector {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> Selector {
        let mutex: Rc<str> = format!("{name}/mutex").into();
        let data = recipe.id.clone().filter(|id| !id.is_empty()).map(Into::into);
        let lock = Mutex { data, tells: false, ..Mutex::at(&recipe.path) };
        cx.core.objects.0.insert(mutex.clone(), Box::new(lock));
        Selector {
            path: recipe.path.clone(),
            mutex,
            auto_requeue: recipe.has("auto_requeue"),
            deaf: recipe.has("deaf"),
            spares_waiting: recipe.has("spares_waiting"),
            dead_thread: recipe.has("dead_thread"),
            hold: recipe.hold_ms.map(|ms| ms * 1000),
            phase: Phase::Latent,
            queued: false,
            worker: None,
            task: None,
            pending: 0,
            leads: false,
            relinquishes: false,
        }
    }

    fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.start()?;
        self.requeue(me, cx);
        Ok(Value::Nothing)
    }

    /// `internalRequeue`.
    fn requeue(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> bool {
        if self.queued || self.phase != Phase::Started {
            return false;
        }
        self.queued = true;
        if self.worker.is_some() {
            self.pending += 1;
            self.task = None;
        } else {
            self.submit(me, false, cx);
        }
        true
    }

    fn submit(&mut self, me: &Rc<str>, after_failure: bool, cx: &mut Cx<'_>) {
        let (selector, mutex) = (me.clone(), self.mutex.clone());
        let state = if after_failure { State::Pausing } else { State::Acquiring };
        let round = Round { selector, mutex, state };
        self.worker = Some(cx.start(Box::new(round), Some((me, "round"))));
        self.task = self.worker;
    }

    /// `cancelElection`: the worker is interrupted, whether it leads or waits.
    fn cancel(&mut self, cx: &mut Cx<'_>) {
        self.auto_requeue &= !self.dead_thread;
        if let Some(task) = self.task.take() {
            cx.interrupt(task);
        } else if !self.spares_waiting {
            // a round that is cancelled before it begins never says that it is no longer queued
            self.pending = self.pending.saturating_sub(1);
        }
    }

    fn close(&mut self, cx: &mut Cx<'_>) -> Outcome {
        self.phase.close()?;
        (self.pending, self.task) = (0, None);
        if let Some(worker) = self.worker {
            cx.interrupt(worker); // the executor is shut down, with its thread
        }
        Ok(Value::Nothing)
    }

    fn relinquish(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Value {
        self.relinquishes = self.leads;
        cx.notify(me);
        Value::Bool(self.leads)
    }

    /// Why leadership ends that ends by an interrupt.
    fn why_interrupted(&self, connection: Option<ConnectionState>) -> ReleaseReason {
        match connection {
            _ if self.phase == Phase::Closed => ReleaseReason::Closed,
            Some(state @ (ConnectionState::Suspended | ConnectionState::Lost)) => reason(state),
            _ => ReleaseReason::Released,
        }
    }

    /// `takeLeadership` has returned: another round may be asked for.
    fn leadership_ends(&mut self) {
        (self.leads, self.queued, self.relinquishes) = (false, false, false);
    }

    /// The round is over: another may begin.
    fn round_ends(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        self.leadership_ends();
        self.task = None;
        if self.auto_requeue && self.requeue(me, cx) {
            cx.fact(Fact::Requeued { object: me.clone() });
        }
    }
}

impl Object for Selector {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => self.start(me, cx).map(at_once),
            Asked::Close => self.close(cx).map(at_once),
            Asked::AutoRequeue => {
                self.auto_requeue = true;
                Ok(at_once(Value::Nothing))
            }
            Asked::Requeue if self.phase != Phase::Started => {
                Err(Exception::state("close() has already been called"))
            }
            Asked::Requeue => Ok(at_once(Value::Bool(self.requeue(me, cx)))),
            Asked::Relinquish => Ok(at_once(self.relinquish(me, cx))),
            Asked::InterruptLeadership | Asked::Interrupt => {
                if self.leads || !self.spares_waiting {
                    self.cancel(cx);
                }
                Ok(at_once(Value::Nothing))
            }
            Asked::HasLeadership => Ok(at_once(Value::Bool(self.leads))),
            Asked::GetLeader => Ok(Participants::leader(&self.path, NAME)),
            Asked::GetParticipants => Ok(Participants::all(&self.path, NAME)),
        }
    }

    /// The adapter throws CancelLeadershipException in states that are errors. That cancels the election, not only a
    /// leadership: who waits is out, too.
    fn connection(&mut self, _: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if self.phase == Phase::Started && cx.core.curator.config.error_policy.is_error(state) {
            self.cancel(cx);
        }
    }

    fn finished(&mut self, me: &Rc<str>, _: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        self.worker = None;
        if self.pending > 0 {
            self.pending -= 1;
            self.submit(me, outcome.is_err(), cx);
        } else if !self.queued && outcome.is_err() {
            cx.fact(Fact::GaveUp { thread: ThreadId::OBJECT, object: me.clone() });
        }
    }
}

#[derive(Clone, Debug)]
enum State {
    Pausing,
    Acquiring,
    Leading { until: Option<SimTime> },
    Releasing,
}

/// A round of the worker (`doWork`).
#[derive(Clone, Debug)]
struct Round {
    selector: Rc<str>,
    mutex: Rc<str>,
    state: State,
}

impl Round {
    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        if matches!(self.state, State::Pausing) {
            self.state = State::Acquiring;
            return Flow::sleep(cx.now.plus(AFTER_FAILURE));
        }
        Flow::Call(Mutex::acquire(&self.mutex, None))
    }

    fn acquired(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, now) = (cx.thread, cx.now);
        let hold = cx.object::<Mutex>(&self.mutex).and_then(|lock| lock.holds.get(&thread).cloned());
        let (Some(hold), Some(selector)) = (hold, cx.object::<Selector>(&self.selector)) else {
            return Flow::Return(Ok(Value::Nothing));
        };
        (selector.leads, selector.relinquishes) = (true, false);
        let (path, until) = (selector.path.clone(), selector.hold.map(|hold| now.plus(hold)));
        let (thread, object, share) = (ThreadId::OBJECT, self.selector.clone(), Share::Leader);
        cx.fact(Fact::Acquired { thread, object, path, node: hold.node, share, token: hold.token });
        self.told(cx, "takeLeadership");
        self.state = State::Leading { until };
        Flow::Wait { on: Some(self.selector.clone()), until }
    }

    fn told(&self, cx: &mut Cx<'_>, callback: &'static str) {
        cx.fact(Fact::Callback { object: self.selector.clone(), callback });
    }

    /// Something reaches `takeLeadership`.
    fn woken(&mut self, cx: &mut Cx<'_>, until: Option<SimTime>, wake: Wake) -> Flow {
        let Some(selector) = cx.core.objects.get::<Selector>(&self.selector) else { return self.release() };
        let (deaf, relinquishes) = (selector.deaf, selector.relinquishes);
        let why = selector.why_interrupted(cx.core.curator.state);
        match wake {
            Wake::Notified if relinquishes => self.leadership_ends(cx, ReleaseReason::Released),
            Wake::TimedOut => self.leadership_ends(cx, ReleaseReason::Released),
            Wake::Notified => Flow::Wait { on: Some(self.selector.clone()), until },
            Wake::Interrupted => {
                self.told(cx, "interrupted");
                if deaf {
                    return Flow::Wait { on: Some(self.selector.clone()), until };
                }
                self.leadership_ends(cx, why)
            }
        }
    }

    /// `takeLeadership` returns. A later version's selector queues again before the lock is released; its worker comes to
    /// that later.
    fn leadership_ends(&mut self, cx: &mut Cx<'_>, reason: ReleaseReason) -> Flow {
        self.told(cx, "leadershipEnds");
        cx.with(&self.selector, |selector: &mut Selector, me, cx| {
            let (thread, object, path) = (ThreadId::OBJECT, me.clone(), selector.path.clone());
            cx.fact(Fact::Released { thread, object, path, reason });
            match selector.spares_waiting {
                true => selector.round_ends(me, cx),
                false => selector.leadership_ends(),
            }
        });
        self.release()
    }

    fn release(&mut self) -> Flow {
        self.state = State::Releasing;
        Flow::Call(Mutex::release(&self.mutex))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (&self.state, outcome) {
            (State::Acquiring, Ok(_)) => self.acquired(cx),
            (State::Acquiring, Err(exception)) => {
                cx.with(&self.selector, |selector: &mut Selector, me, cx| selector.round_ends(me, cx));
                Flow::Return(Err(exception))
            }
            // a failed release is logged only: its delete goes on in the background
            _ => {
                cx.with(&self.selector, |selector: &mut Selector, me, cx| {
                    if !selector.spares_waiting {
                        selector.round_ends(me, cx);
                    }
                });
                Flow::Return(Ok(Value::Nothing))
            }
        }
    }
}

impl Frame for Round {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (&self.state, with) {
            (State::Leading { until }, Resume::Woken(wake)) => {
                let until = *until;
                self.woken(cx, until, wake)
            }
            (State::Acquiring, Resume::Woken(Wake::Interrupted)) => self.returned(cx, Err(Exception::Interrupted)),
            (_, Resume::Returned(outcome)) => self.returned(cx, outcome),
            _ => self.begin(cx),
        }
    }
}
