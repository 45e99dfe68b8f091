//! Threads of a program: stacks of frames. A frame is a call under way; it runs until it needs something from outside.

use std::rc::Rc;

use crate::base::SimTime;
use crate::client::CallOutcome;

use crate::runtime::context::Boxed;
use crate::runtime::value::Outcome;

/// Why a waiting thread goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wake {
    /// `notifyAll` on what it waits for.
    Notified,
    /// Its time has run out.
    TimedOut,
    /// It was interrupted.
    Interrupted,
}

/// What a frame goes on with.
#[derive(Clone, Debug)]
pub(crate) enum Resume {
    /// It begins.
    Start,
    /// The answer to its request.
    Answer(CallOutcome),
    /// What the frame came to that it called.
    Returned(Outcome),
    /// It was woken.
    Woken(Wake),
}

/// What a frame wants next.
#[derive(Debug)]
pub(crate) enum Flow {
    /// Call this, and go on with what it comes to.
    Call(Boxed),
    /// End, and let this go on in its place.
    Become(Boxed),
    /// End with this.
    Return(Outcome),
    /// Go on with the answer to the request that was just made.
    Answer,
    /// `wait()` on an object, or sleep where there is none; at most until then.
    Wait { on: Option<Rc<str>>, until: Option<SimTime> },
}

impl Flow {
    /// Sleeps.
    pub(crate) fn sleep(until: SimTime) -> Flow {
        Flow::Wait { on: None, until: Some(until) }
    }
}

/// What a thread does between two of its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It waits for an answer.
    Asking,
    /// It waits for a notification, or for a time.
    Waiting { on: Option<Rc<str>>, until: Option<SimTime> },
}

/// One thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Its frames, the innermost last.
    pub stack: Vec<Boxed>,
    pub status: Status,
    /// `Thread.interrupt()` was called, and nothing has noticed yet.
    pub interrupted: bool,
    /// This object was notified while it held the monitor: its next `wait()` on it ends at once.
    pub notified: Option<Rc<str>>,
    /// Which object hears of its end, and under which name.
    pub then: Option<(Rc<str>, &'static str)>,
}

impl Thread {
    /// The monitor is given up without a `wait()`: the notification reaches nobody.
    pub(crate) fn forget_notification(&mut self) {
        let stack = &self.stack;
        self.notified.take_if(|object| !stack.iter().any(|frame| frame.monitor() == Some(object)));
    }
}
