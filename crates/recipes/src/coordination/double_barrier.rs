//! DistributedDoubleBarrier (`DistributedDoubleBarrier.java`): nobody begins before so many have come, nobody goes before all
//! have done. A member is an ephemeral node with a random name; whoever counts enough of them makes `ready`, which all watch
//! from the start. To leave, the lowest waits for the highest, the others delete their nodes and wait for the lowest.
//!
//! In 5.4.0, which the recordings are of, a member counts once: whatever wakes it, it takes for the others' arrival. Since
//! GH-1290 it counts again (`recounts`).

use std::rc::Rc;

use crate::base::{Arrange, Micros, SimTime};
use crate::wire::{Answer, Code, CreateMode, KeeperState, Request, WatchedEvent};

use crate::curator::{Create, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::name_of;

/// Words that change it; and rules that can be broken: it sets its watch after it has counted, and so may miss `ready`; a leave
/// with a time limit waits without one (CURATOR-536).
pub(crate) const WORDS: &[&str] = &["recounts", "watches_late", "never_gives_up"];

methods! { Enter "enter", Leave "leave" }

const READY: &str = "ready";

/// A member.
#[derive(Clone, Debug)]
pub(crate) struct DoubleBarrier {
    path: Rc<str>,
    ready: Rc<str>,
    /// The own node.
    own: Rc<str>,
    members: usize,
    recounts: bool,
    watches_late: bool,
    never_gives_up: bool,
    /// `hasBeenNotified`: its watcher was called, ever.
    notified: bool,
    /// What the watcher was told last.
    connection_lost: bool,
}

impl DoubleBarrier {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> DoubleBarrier {
        let path = recipe.path.trim_end_matches('/');
        let name = recipe.id.clone().unwrap_or_else(|| cx.core.curator.guid().into());
        DoubleBarrier {
            path: recipe.path.clone(),
            ready: format!("{path}/{READY}").into(),
            own: format!("{path}/{name}").into(),
            members: recipe.count.unwrap_or(1) as usize,
            recounts: recipe.has("recounts"),
            watches_late: recipe.has("watches_late"),
            never_gives_up: recipe.has("never_gives_up"),
            notified: false,
            connection_lost: false,
        }
    }
}

impl Object for DoubleBarrier {
    fn call(&mut self, me: &Rc<str>, method: &Method, _: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let (object, limit) = (me.clone(), method.timeout_ms.map(|ms| ms * 1000));
        match Asked::of(method)? {
            Asked::Enter => Ok(Box::new(Enter { object, limit, deadline: None, state: Entering::Looking })),
            Asked::Leave => {
                let state = Leaving::Listing;
                Ok(Box::new(Leave { object, limit, deadline: None, present: true, in_time: true, state }))
            }
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        self.connection_lost = event.state != KeeperState::SyncConnected;
        self.notified = true;
        cx.notify(me);
    }
}

/// Only the calls with a time limit say how it went.
fn said(limit: Option<Micros>, done: bool) -> Flow {
    Flow::Return(Ok(if limit.is_some() { Value::Bool(done) } else { Value::Nothing }))
}

/// The thread waits for another's node.
fn wait(cx: &mut Cx<'_>, object: &Rc<str>, node: Rc<str>, watched: Rc<str>, until: Option<SimTime>) -> Flow {
    let (thread, on) = (cx.thread, Some(object.clone()));
    cx.fact(Fact::WaitsBehind { thread, object: object.clone(), node, watched, ahead: 0 });
    Flow::Wait { on, until }
}

/// `enter` with `internalEnter`.
#[derive(Clone, Debug)]
struct Enter {
    object: Rc<str>,
    limit: Option<Micros>,
    deadline: Option<SimTime>,
    state: Entering,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entering {
    /// Is `ready` there?
    Looking,
    /// The own node is made.
    Creating {
        ready: bool,
    },
    Counting,
    /// `ready` is made.
    Opening,
    /// The watch is set too late.
    WatchingLate,
    Waiting,
}

impl Enter {
    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.deadline = self.limit.map(|limit| cx.now.plus(limit));
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        if barrier.watches_late {
            return self.returned(cx, Err(Exception::Keeper(Code::NoNode)));
        }
        Flow::Call(Op::watching(Request::Exists { path: barrier.ready.clone(), watch: true }, &self.object))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        let data = Some(cx.core.address());
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        match (self.state, outcome) {
            (Entering::Looking, Err(exception)) if exception != Exception::Keeper(Code::NoNode) => {
                Flow::Return(Err(exception))
            }
            (Entering::Looking, outcome) => {
                self.state = Entering::Creating { ready: outcome.is_ok() };
                Flow::Call(Create::plain(&barrier.own, CreateMode::Ephemeral, data).with_parents().boxed())
            }
            (Entering::WatchingLate, _) => self.wait(cx),
            (_, Err(exception)) => Flow::Return(Err(exception)),
            (Entering::Creating { ready: false }, Ok(_)) => self.count(cx),
            (Entering::Counting, Ok(Value::Answer(Answer::Children { names, .. }))) => self.counted(cx, names.len()),
            (_, Ok(_)) => self.end(cx, true),
        }
    }

    fn count(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = Entering::Counting;
        match cx.object::<DoubleBarrier>(&self.object) {
            Some(barrier) => Flow::Call(Op::children(&barrier.path)),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn counted(&mut self, cx: &mut Cx<'_>, count: usize) -> Flow {
        let (now, data) = (cx.now, Some(cx.core.address()));
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        if count >= barrier.members {
            self.state = Entering::Opening;
            let create = Create::plain(&barrier.ready, CreateMode::Persistent, data);
            return Flow::Call(Instead::ignoring(Code::NodeExists, create.boxed()));
        }
        if !barrier.recounts && barrier.notified {
            self.deadline = None; // a second call with a limit waits without one
        } else if self.deadline.is_some_and(|deadline| deadline <= now) {
            return self.end(cx, false);
        }
        if barrier.watches_late {
            self.state = Entering::WatchingLate;
            let path = barrier.ready.clone();
            return Flow::Call(Op::watching(Request::Exists { path, watch: true }, &self.object));
        }
        self.wait(cx)
    }

    fn wait(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = Entering::Waiting;
        let barrier = cx.object::<DoubleBarrier>(&self.object);
        let (own, ready) = barrier.map(|barrier| (barrier.own.clone(), barrier.ready.clone())).unwrap_or_default();
        let (thread, object, on) = (cx.thread, self.object.clone(), Some(self.object.clone()));
        cx.fact(Fact::WaitsFor { thread, object, node: own, watched: ready });
        Flow::Wait { on, until: self.deadline }
    }

    fn woken(&mut self, cx: &mut Cx<'_>, wake: Wake) -> Flow {
        cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        let enough = barrier.notified || self.deadline.is_none();
        match wake {
            Wake::Interrupted => Flow::Return(Err(Exception::Interrupted)),
            _ if barrier.recounts => self.count(cx),
            _ => self.end(cx, enough),
        }
    }

    fn end(&self, cx: &mut Cx<'_>, entered: bool) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        if barrier.connection_lost {
            return Flow::Return(Err(Exception::Keeper(Code::ConnectionLoss)));
        }
        let about = barrier.path.clone();
        cx.fact(match entered {
            true => Fact::Told { thread, object, what: "entered", about },
            false => Fact::GaveUp { thread, object },
        });
        said(self.limit, entered)
    }
}

impl Frame for Enter {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(wake) => self.woken(cx, wake),
            Resume::Start | Resume::Answer(_) => self.begin(cx),
        }
    }

    /// Only `internalEnter` is synchronized: what comes before it counts is not heard of.
    fn monitor(&self) -> Option<&Rc<str>> {
        matches!(self.state, Entering::Counting | Entering::Opening).then_some(&self.object)
    }
}

/// `leave` with `internalLeave`.
#[derive(Clone, Debug)]
struct Leave {
    object: Rc<str>,
    limit: Option<Micros>,
    deadline: Option<SimTime>,
    /// `ourNodeShouldExist`.
    present: bool,
    in_time: bool,
    state: Leaving,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Leaving {
    Listing,
    /// The lowest looks for the highest, the others for the lowest.
    Watching {
        watched: Rc<str>,
        lowest: bool,
    },
    /// The own node is deleted; then it waits where there is something to wait for.
    Deleting {
        watched: Option<Rc<str>>,
    },
    /// The own node was the last.
    DeletingLast,
    /// `ready` is deleted.
    Closing,
}

impl Leave {
    fn list(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = Leaving::Listing;
        match cx.object::<DoubleBarrier>(&self.object) {
            Some(barrier) if barrier.connection_lost => Flow::Return(Err(Exception::Keeper(Code::ConnectionLoss))),
            Some(barrier) => Flow::Call(Op::children(&barrier.path)),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn listed(&mut self, cx: &mut Cx<'_>, mut names: Vec<Rc<str>>) -> Flow {
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        names.retain(|name| &**name != READY);
        names.arrange();
        let (Some(lowest), Some(highest)) = (names.first(), names.last()) else { return self.close(cx) };
        let own = name_of(&barrier.own);
        let index = names.iter().position(|name| &**name == own);
        if index.is_none() && self.present {
            return Flow::Return(Err(Exception::state(&format!("Our path ({own}) is missing"))));
        }
        if names.len() == 1 {
            self.state = Leaving::DeletingLast;
            return self.delete_own(cx);
        }
        let is_lowest = index == Some(0);
        let other = if is_lowest { highest } else { lowest };
        let path: Rc<str> = format!("{}/{other}", barrier.path.trim_end_matches('/')).into();
        self.state = Leaving::Watching { watched: path.clone(), lowest: is_lowest };
        Flow::Call(Op::watching(Request::Exists { path, watch: true }, &self.object))
    }

    fn delete_own(&mut self, cx: &mut Cx<'_>) -> Flow {
        match cx.object::<DoubleBarrier>(&self.object) {
            Some(barrier) if self.present => {
                self.present = false;
                Flow::Call(Op::new(Request::Delete { path: barrier.own.clone(), version: -1 }))
            }
            Some(_) => self.deleted(cx),
            None => Flow::Return(Err(Exception::gone())),
        }
    }

    fn deleted(&mut self, cx: &mut Cx<'_>) -> Flow {
        match self.state.clone() {
            Leaving::Deleting { watched } => self.wait(cx, watched),
            _ => self.close(cx),
        }
    }

    /// Waits for the node that it watches; where that was gone already, it looks again at once.
    fn wait(&mut self, cx: &mut Cx<'_>, watched: Option<Rc<str>>) -> Flow {
        let Some(watched) = watched else { return self.list(cx) };
        if self.deadline.is_some_and(|deadline| deadline <= cx.now) {
            self.in_time = false;
            return self.close(cx);
        }
        let own = cx.object::<DoubleBarrier>(&self.object).map(|barrier| barrier.own.clone());
        wait(cx, &self.object, own.unwrap_or_default(), watched, self.deadline)
    }

    fn close(&mut self, cx: &mut Cx<'_>) -> Flow {
        self.state = Leaving::Closing;
        let Some(barrier) = cx.object::<DoubleBarrier>(&self.object) else {
            return Flow::Return(Err(Exception::gone()));
        };
        let delete = Op::new(Request::Delete { path: barrier.ready.clone(), version: -1 });
        Flow::Call(Instead::ignoring(Code::NoNode, delete))
    }

    fn end(&self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        let about = cx.object::<DoubleBarrier>(&object).map(|barrier| barrier.path.clone()).unwrap_or_default();
        cx.fact(match self.in_time {
            true => Fact::Told { thread, object, what: "left", about },
            false => Fact::GaveUp { thread, object },
        });
        said(self.limit, self.in_time)
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (Leaving::Listing, Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(cx, names),
            (Leaving::Listing, Err(Exception::Keeper(Code::NoNode))) => self.listed(cx, Vec::new()),
            (Leaving::Watching { .. }, Err(exception)) if exception != Exception::Keeper(Code::NoNode) => {
                Flow::Return(Err(exception))
            }
            (Leaving::Watching { watched, lowest }, outcome) => {
                let watched = outcome.is_ok().then_some(watched);
                if lowest {
                    return self.wait(cx, watched);
                }
                self.state = Leaving::Deleting { watched };
                self.delete_own(cx)
            }
            (_, Err(exception)) => Flow::Return(Err(exception)),
            (Leaving::Deleting { .. } | Leaving::DeletingLast, Ok(_)) => self.deleted(cx),
            (Leaving::Listing | Leaving::Closing, Ok(_)) => self.end(cx),
        }
    }
}

impl Frame for Leave {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Woken(_) => {
                cx.fact(Fact::Woken { thread: cx.thread, object: self.object.clone() });
                self.list(cx)
            }
            Resume::Start | Resume::Answer(_) => {
                let endless = cx.object::<DoubleBarrier>(&self.object).is_some_and(|barrier| barrier.never_gives_up);
                self.deadline = self.limit.filter(|_| !endless).map(|limit| cx.now.plus(limit));
                self.list(cx)
            }
        }
    }

    fn monitor(&self) -> Option<&Rc<str>> {
        Some(&self.object)
    }
}
