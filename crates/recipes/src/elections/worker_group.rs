//! A group of workers, one of which leads: each has an ephemeral sequential node `w-` and watches the one before its own
//! (ZooKeeper's recipes page, "Leader Election"). Of a death only the next in line hears, and it looks again: who went
//! before it need not have led.

use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, EventType, Request, WatchedEvent};

use crate::curator::{AfterConnection, ConnectionState, Create, Delete, Op};
use crate::elections::leadership::{Leadership, Own, Phase};
use crate::runtime::context::{Boxed, Cx, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, key, name_of, sorted};

const NAME: &str = "w-";

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Start "start", Close "close" }

/// A worker.
#[derive(Clone, Debug)]
pub(crate) struct WorkerGroup {
    path: Rc<str>,
    id: Option<Rc<str>>,
    phase: Phase,
    own: Option<Own>,
    /// A create is under way.
    creating: bool,
    /// The node that it wants to watch, and how many are before its own.
    behind: (Rc<str>, u32),
    leadership: Leadership,
}

impl WorkerGroup {
    pub(crate) fn new(recipe: &Recipe) -> WorkerGroup {
        WorkerGroup {
            path: recipe.path.clone(),
            id: recipe.id.clone(),
            phase: Phase::Latent,
            own: None,
            creating: false,
            behind: ("".into(), 0),
            leadership: Leadership::of(&recipe.path),
        }
    }

    fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.start()?;
        cx.start(AfterConnection::boxed(), Some((me, "connected")));
        Ok(Value::Nothing)
    }

    fn close(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.close()?;
        if let Some(own) = self.own.take() {
            cx.start(Delete::in_background(own.path), None);
        }
        if !self.leadership.leads() {
            cx.fact(Fact::GaveUp { thread: ThreadId::OBJECT, object: me.clone() });
        }
        cx.remove_watchers(me);
        self.leadership.loses(me, ReleaseReason::Closed, cx);
        Ok(Value::Nothing)
    }

    /// Takes a place at the end.
    fn create(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if std::mem::replace(&mut self.creating, true) {
            return;
        }
        self.leadership.loses(me, ReleaseReason::Displaced, cx);
        if self.own.take().is_some() {
            cx.fact(Fact::Requeued { object: me.clone() });
        }
        let data = self.id.clone().or_else(|| Some(cx.core.address()));
        let create = Create::plain(&child_of(&self.path, NAME), CreateMode::EphemeralSequential, data);
        cx.start(create.with_parents().in_background().boxed(), Some((me, "created")));
    }

    fn created(&mut self, me: &Rc<str>, own: Own, cx: &mut Cx<'_>) {
        if self.phase == Phase::Closed {
            cx.start(Delete::in_background(own.path), None);
        } else {
            self.own = Some(own);
            self.look(me, cx);
        }
    }

    fn look(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let request = Request::GetChildren { path: self.path.clone(), watch: false, stat: false };
        cx.start(Op::background(request, None), Some((me, "listed")));
    }

    fn listed(&mut self, me: &Rc<str>, names: Vec<Rc<str>>, cx: &mut Cx<'_>) {
        let names = sorted(names, |child| key(child, NAME));
        let Some(own) = self.own.clone() else { return };
        match names.iter().position(|name| **name == *name_of(&own.path)) {
            None => self.create(me, cx),
            Some(0) => self.leadership.gains(me, &own, cx),
            Some(index) => {
                let watched = child_of(&self.path, &names[index - 1]);
                self.behind = (watched.clone(), index as u32);
                let request = Request::Exists { path: watched, watch: true };
                cx.start(Op::background(request, Some(me)), Some((me, "watched")));
            }
        }
    }

    fn watches(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let ((watched, ahead), Some(own)) = (self.behind.clone(), &self.own) else { return };
        let (thread, object, node) = (ThreadId::OBJECT, me.clone(), own.path.clone());
        cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
    }
}

impl Object for WorkerGroup {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => self.start(me, cx).map(at_once),
            Asked::Close => self.close(me, cx).map(at_once),
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if event.kind == EventType::NodeDeleted && self.phase == Phase::Started {
            self.look(me, cx);
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        match state {
            ConnectionState::Suspended | ConnectionState::Lost => self.leadership.doubts(me, state, cx),
            ConnectionState::Reconnected if self.phase != Phase::Started => {}
            ConnectionState::Reconnected if self.own.is_some() => self.look(me, cx),
            ConnectionState::Reconnected => self.create(me, cx),
            ConnectionState::Connected => {}
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        self.creating &= what != "created";
        match (what, outcome) {
            ("created", Ok(Value::Answer(Answer::Created { path, stat }))) => {
                self.created(me, Own { path, token: Some(stat.czxid) }, cx);
            }
            _ if self.phase == Phase::Closed => {}
            ("connected", Ok(_)) => self.create(me, cx),
            ("listed", Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(me, names, cx),
            ("listed", Err(Exception::Keeper(Code::NoNode))) => self.create(me, cx),
            ("watched", Ok(_)) => self.watches(me, cx),
            ("watched", Err(Exception::Keeper(Code::NoNode))) => self.look(me, cx),
            _ => {} // it looks again when it is connected again
        }
    }
}
