//! What a program is told to do, as data: its objects, and the steps of its threads.

use serde::Serialize;
use std::rc::Rc;

use crate::base::json::{ReadError, short, within};
use crate::base::limits::{MAX_DURATION_US, MAX_PAYLOAD_BYTES};
use crate::base::{Micros, SimTime, Zxid};
use crate::wire::{Answer, Request};

use super::curator::Op;
use crate::rules::RecipeRule;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::Told;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// Most steps of a script.
pub const MAX_STEPS: usize = 100;
/// Most repetitions of a script.
pub const MAX_TIMES: u32 = 1_000_000;
const MAX_NAME_BYTES: usize = 64;
/// A program that met an exception begins its next round after this time, ms.
const AFTER_EXCEPTION_MS: u64 = 100;
/// A round takes at least this time: a script that never waits must not stop the clock. µs.
const SHORTEST_ROUND: Micros = 1_000;

/// A step of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// A method of an object.
    Call {
        /// The object.
        object: Rc<str>,
        /// The method.
        #[serde(flatten)]
        method: Method,
    },
    /// Some other work for so long. SUSPENDED and LOST end it early, unless the program is heedless.
    Work {
        /// How long, ms.
        ms: u64,
        /// It goes on whatever becomes of the connection.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        heedless: bool,
    },
    /// A write to something outside of the ensemble, that whoever holds the object may use.
    Use {
        /// The object that gives the right.
        object: Rc<str>,
        /// What is used.
        resource: Rc<str>,
        /// Whether the node's czxid goes with it, so that the resource may refuse what is older than what it has seen.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        fenced: bool,
    },
}

fn duration(field: &str, ms: u64) -> Result<(), ReadError> {
    within(field, ms, 0, MAX_DURATION_US / 1000)
}

impl Step {
    fn check(&self) -> Result<(), ReadError> {
        match self {
            Step::Call { object, method } => {
                short("object", object, MAX_NAME_BYTES)?;
                short("method", &method.method, MAX_NAME_BYTES)?;
                short("data", method.data.as_deref().unwrap_or_default(), MAX_PAYLOAD_BYTES)?;
                duration("timeout_ms", method.timeout_ms.unwrap_or(0))
            }
            Step::Work { ms, .. } => duration("ms", *ms),
            Step::Use { object, resource, .. } => {
                short("object", object, MAX_NAME_BYTES)?;
                short("resource", resource, MAX_NAME_BYTES)
            }
        }
    }
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Script {
    /// Its steps, in order. An exception ends the round; what it holds then is given back first, as by `finally`.
    pub steps: Vec<Step>,
    /// Rounds through the steps, from 1.
    pub times: u32,
    /// Its thread is the one on which Watchers are called (Curator's Tech Note 1): while it waits, nobody hears of
    /// anything.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_callback: bool,
}

impl Script {
    /// Checks every bound.
    ///
    /// # Errors
    /// The first field or step that does not fit.
    pub fn check(&self) -> Result<(), ReadError> {
        within("steps", self.steps.len() as u64, 1, MAX_STEPS as u64)?;
        within("times", self.times.into(), 1, MAX_TIMES.into())?;
        let check = |(index, step): (usize, &Step)| {
            step.check().map_err(|read_error| read_error.within(&format!("steps[{index}]")))
        };
        self.steps.iter().enumerate().try_for_each(check)
    }

    pub(crate) fn frame(self) -> Boxed {
        Box::new(Running {
            script: self,
            round: 0,
            next: 0,
            failed: false,
            round_began: SimTime::ZERO,
            state: State::Next,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The next step is due.
    Next,
    Calling,
    /// It asks for its token.
    Asking,
    Working {
        until: SimTime,
    },
}

/// A script under way.
#[derive(Clone, Debug)]
struct Running {
    script: Script,
    round: u32,
    next: usize,
    /// An exception has ended the round: only what gives something back is still done.
    failed: bool,
    round_began: SimTime,
    state: State,
}

impl Running {
    fn next(&mut self, cx: &mut Cx<'_>) -> Flow {
        if self.next >= self.script.steps.len() {
            self.next = 0;
            self.round += 1;
            if self.round >= self.script.times {
                return Flow::Return(Ok(Value::Nothing));
            }
            if cx.now < self.round_began.plus(SHORTEST_ROUND) {
                return Flow::sleep(self.round_began.plus(SHORTEST_ROUND));
            }
        }
        if self.next == 0 {
            self.round_began = cx.now;
        }
        let step = self.script.steps[self.next].clone();
        match step {
            Step::Call { object, method } => self.call(cx, object, method),
            Step::Work { ms, .. } => {
                let until = cx.now.plus(ms * 1000);
                self.state = State::Working { until };
                Flow::Wait { on: Some(WORK.into()), until: Some(until) }
            }
            Step::Use { object, resource, fenced } => self.make_use(cx, object, resource, fenced),
        }
    }

    fn call(&mut self, cx: &mut Cx<'_>, object: Rc<str>, method: Method) -> Flow {
        self.state = State::Calling;
        cx.fact(Fact::MethodCalled { thread: cx.thread, object: object.clone(), method: method.method.clone() });
        let frame = cx.with_object(&object, |made, me, cx| made.call(me, &method, cx));
        match frame.unwrap_or_else(|| Err(Exception::java("NullPointerException", "no such object"))) {
            Ok(frame) => Flow::Call(frame),
            Err(exception) => self.returned(cx, Err(exception)),
        }
    }

    /// Writes to the resource; where the token is needed and not known, the own node is asked for it first.
    fn make_use(&mut self, cx: &mut Cx<'_>, object: Rc<str>, resource: Rc<str>, fenced: bool) -> Flow {
        let held = cx.core.held(&object, cx.thread);
        if let (true, Some((path, None))) = (fenced, &held) {
            self.state = State::Asking;
            return Flow::Call(Op::new(Request::Exists { path: path.clone(), watch: false }));
        }
        self.write(cx, resource, held.and_then(|(_, token)| token).filter(|_| fenced))
    }

    fn write(&mut self, cx: &mut Cx<'_>, resource: Rc<str>, token: Option<Zxid>) -> Flow {
        cx.out.tell(Told::Use { thread: cx.thread, resource, token });
        self.state = State::Next;
        self.next += 1;
        self.next(cx)
    }

    /// The own node's Stat: its czxid is the token. Without the node there is no right left to use anything.
    fn told_token(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (outcome, self.script.steps.get(self.next)) {
            // a node of the session before is no right any more, though it may stand for a while
            (Ok(Value::Answer(Answer::Stat(stat))), Some(Step::Use { resource, .. }))
                if stat.ephemeral_owner == cx.library.session =>
            {
                let resource = resource.clone();
                self.write(cx, resource, Some(stat.czxid))
            }
            _ => {
                self.state = State::Next;
                self.next += 1;
                self.next(cx)
            }
        }
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        self.state = State::Next;
        self.failed |= outcome.is_err();
        if let Some(Step::Call { object, method }) = self.script.steps.get(self.next) {
            let (object, method) = (object.clone(), method.method.clone());
            cx.fact(Fact::MethodReturned { thread: cx.thread, object, method, outcome });
        }
        self.next += 1;
        if self.failed { self.give_back(cx) } else { self.next(cx) }
    }

    /// After an exception: the next step that gives back what is held; behind the last the round is over.
    fn give_back(&mut self, cx: &mut Cx<'_>) -> Flow {
        let rest = self.script.steps.get(self.next..).unwrap_or_default();
        if let Some(skipped) = rest.iter().position(|step| gives_back(cx, step)) {
            self.next += skipped;
            return self.next(cx);
        }
        self.failed = false;
        self.next = self.script.steps.len();
        if self.round + 1 < self.script.times {
            return Flow::sleep(cx.now.plus(AFTER_EXCEPTION_MS * 1000));
        }
        self.next(cx)
    }

    /// Something woke it at its work: it is careful, unless it is heedless.
    fn at_work(&mut self, cx: &mut Cx<'_>, until: SimTime, wake: Wake) -> Flow {
        let heedless = matches!(self.script.steps.get(self.next), Some(Step::Work { heedless: true, .. }))
            || cx.breaks(RecipeRule::HeedlessWork);
        if cx.now < until && heedless && wake == Wake::Notified {
            return Flow::Wait { on: Some(WORK.into()), until: Some(until) };
        }
        self.state = State::Next;
        self.next += 1;
        self.next(cx)
    }
}

/// Whether a step releases what its thread holds.
fn gives_back(cx: &Cx<'_>, step: &Step) -> bool {
    let Step::Call { object, method } = step else { return false };
    let held: Rc<str> = match method.method.rsplit_once('.') {
        Some((part, "release")) => format!("{object}/{part}").into(),
        None if &*method.method == "release" => object.clone(),
        _ => return false,
    };
    cx.core.held(&held, cx.thread).is_some()
}

/// What threads wait on that work: they are woken when the connection is in doubt.
pub(crate) const WORK: &str = "work";

impl Frame for Running {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (self.state, with) {
            (State::Working { until }, Resume::Woken(wake)) => self.at_work(cx, until, wake),
            (State::Calling, Resume::Returned(outcome)) => self.returned(cx, outcome),
            (State::Asking, Resume::Returned(outcome)) => self.told_token(cx, outcome),
            _ => self.next(cx),
        }
    }
}
