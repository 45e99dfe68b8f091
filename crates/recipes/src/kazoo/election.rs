//! kazoo's `Election` (`kazoo/recipe/election.py`): whoever has the lock runs a function, and lets the next one lead when it
//! returns. Here the function lasts for `hold_ms`, or until the program calls `finish`.

use std::rc::Rc;

use crate::base::SimTime;

use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

use super::lock::{Contenders, Lock, Release};
use super::lock_acquire::{Acquire, is_cancelled};

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! {
    Run "run",
    Finish "finish",
    Cancel "cancel",
    Contenders "contenders",
}

/// One that wants to lead. Its lock is a part of the program's objects under `name/lock`.
#[derive(Clone, Debug)]
pub(crate) struct Election {
    lock: Rc<str>,
    hold_ms: Option<u64>,
    /// The function may return.
    finished: bool,
}

impl Election {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> Election {
        let lock: Rc<str> = format!("{name}/lock").into();
        let inner = Lock::of_election(recipe, cx);
        cx.core.objects.0.insert(lock.clone(), Box::new(inner));
        Election { lock, hold_ms: recipe.hold_ms, finished: false }
    }
}

impl Object for Election {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(match Asked::of(method)? {
            Asked::Run => Box::new(Run { object: me.clone(), lock: self.lock.clone(), state: State::Contending }),
            Asked::Finish => {
                self.finished = true;
                cx.notify(me);
                at_once(Value::Nothing)
            }
            // who leads already is not interrupted
            Asked::Cancel => {
                cx.with(&self.lock, |lock: &mut Lock, me, cx| lock.cancel(me, cx));
                at_once(Value::Nothing)
            }
            Asked::Contenders => Contenders::boxed(&self.lock),
        })
    }
}

/// `run()` under way.
#[derive(Clone, Debug)]
struct Run {
    object: Rc<str>,
    lock: Rc<str>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Contending,
    /// The function runs, at most until then.
    Leading {
        until: Option<SimTime>,
    },
    /// The lock is released; then the call ends so.
    Leaving(Outcome),
}

impl Run {
    fn lead(&mut self, cx: &mut Cx<'_>) -> Flow {
        cx.fact(Fact::Callback { object: self.object.clone(), callback: "leads" });
        let now = cx.now;
        let Some(election) = cx.object::<Election>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        election.finished = false;
        let until = election.hold_ms.map(|ms| now.plus(ms * 1_000));
        self.state = State::Leading { until };
        Flow::Wait { on: Some(self.object.clone()), until }
    }

    fn leave(&mut self, outcome: Outcome) -> Flow {
        self.state = State::Leaving(outcome);
        Flow::Call(Release::boxed(&self.lock))
    }
}

impl Frame for Run {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (&self.state, with) {
            (State::Contending, Resume::Returned(outcome)) => match outcome {
                Ok(_) => self.lead(cx),
                cancelled if is_cancelled(&cancelled) => Flow::Return(Ok(Value::Nothing)),
                Err(exception) => Flow::Return(Err(exception)),
            },
            (State::Contending, _) => Flow::Call(Acquire::boxed(&self.lock, true, None)),
            (State::Leading { .. }, Resume::Woken(Wake::Interrupted)) => self.leave(Err(Exception::Interrupted)),
            (State::Leading { .. }, Resume::Woken(Wake::TimedOut)) => self.leave(Ok(Value::Nothing)),
            (State::Leading { until }, _) => {
                match cx.object::<Election>(&self.object).is_some_and(|it| it.finished) {
                    true => self.leave(Ok(Value::Nothing)),
                    false => Flow::Wait { on: Some(self.object.clone()), until: *until },
                }
            }
            (State::Leaving(then), Resume::Returned(Ok(_))) => Flow::Return(then.clone()),
            (State::Leaving(_), Resume::Returned(Err(exception))) => Flow::Return(Err(exception)),
            (State::Leaving(_), _) => Flow::Call(Release::boxed(&self.lock)),
        }
    }
}
