//! The first election that comes to mind: everybody tries to create the same ephemeral node, who succeeds leads, all others
//! watch it with exists. When it goes, all of them are woken, and all but one for nothing.
//!
//! Whose node it is tells the Stat of exists; whoever `ignores_owner` waits for its own node when the reply to its create
//! was lost, and never leads again.

use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, EventType, Request, Stat, WatchedEvent};

use crate::curator::{AfterConnection, ConnectionState, Create, Delete, Op};
use crate::elections::leadership::{Leadership, Own, Phase};
use crate::runtime::context::{Boxed, Cx, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

/// A rule that can be broken.
pub(crate) const WORDS: &[&str] = &["ignores_owner"];

methods! { Start "start", Close "close" }

/// One that wants to lead.
#[derive(Clone, Debug)]
pub(crate) struct NaiveLeader {
    path: Rc<str>,
    id: Option<Rc<str>>,
    ignores_owner: bool,
    phase: Phase,
    leadership: Leadership,
}

impl NaiveLeader {
    pub(crate) fn new(recipe: &Recipe) -> NaiveLeader {
        NaiveLeader {
            path: recipe.path.clone(),
            id: recipe.id.clone(),
            ignores_owner: recipe.has("ignores_owner"),
            phase: Phase::Latent,
            leadership: Leadership::of(&recipe.path),
        }
    }

    fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.start()?;
        cx.start(AfterConnection::boxed(), Some((me, "connected")));
        Ok(Value::Nothing)
    }

    /// Its node is deleted by its path: only who believes to lead may do that.
    fn close(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.close()?;
        if self.leadership.leads() {
            cx.start(Delete::in_background(self.path.clone()), None);
        } else {
            cx.fact(Fact::GaveUp { thread: ThreadId::OBJECT, object: me.clone() });
        }
        cx.remove_watchers(me);
        self.leadership.loses(me, ReleaseReason::Closed, cx);
        Ok(Value::Nothing)
    }

    fn create(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let data = self.id.clone().or_else(|| Some(cx.core.address()));
        let create = Create::plain(&self.path, CreateMode::Ephemeral, data).in_background();
        cx.start(create.boxed(), Some((me, "created")));
    }

    fn watch(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let request = Request::Exists { path: self.path.clone(), watch: true };
        cx.start(Op::background(request, Some(me)), Some((me, "watched")));
    }

    fn created(&mut self, me: &Rc<str>, stat: &Stat, cx: &mut Cx<'_>) {
        if self.phase == Phase::Closed {
            cx.start(Delete::in_background(self.path.clone()), None);
        } else {
            self.leadership.gains(me, &Own { path: self.path.clone(), token: Some(stat.czxid) }, cx);
        }
    }

    /// Somebody leads: another, or itself without knowing it.
    fn watched(&mut self, me: &Rc<str>, stat: &Stat, cx: &mut Cx<'_>) {
        if stat.ephemeral_owner == cx.library.session && !self.ignores_owner {
            return self.created(me, stat, cx);
        }
        let (thread, object) = (ThreadId::OBJECT, me.clone());
        cx.fact(Fact::WaitsBehind { thread, object, node: "".into(), watched: self.path.clone(), ahead: 0 });
    }
}

impl Object for NaiveLeader {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => self.start(me, cx).map(at_once),
            Asked::Close => self.close(me, cx).map(at_once),
        }
    }

    /// The leader is gone: everybody tries.
    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if event.kind == EventType::NodeDeleted && self.phase == Phase::Started {
            self.leadership.loses(me, ReleaseReason::Displaced, cx);
            self.create(me, cx);
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        match state {
            ConnectionState::Suspended | ConnectionState::Lost => self.leadership.doubts(me, state, cx),
            ConnectionState::Reconnected if self.phase == Phase::Started => self.watch(me, cx),
            ConnectionState::Reconnected | ConnectionState::Connected => {}
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        match (what, outcome) {
            ("created", Ok(Value::Answer(Answer::Created { stat, .. }))) => self.created(me, &stat, cx),
            _ if self.phase == Phase::Closed => {}
            ("connected", Ok(_)) => self.create(me, cx),
            ("created", Err(Exception::Keeper(Code::NodeExists))) => self.watch(me, cx),
            ("watched", Ok(Value::Answer(Answer::Stat(stat)))) => self.watched(me, &stat, cx),
            ("watched", Err(Exception::Keeper(Code::NoNode))) => self.create(me, cx),
            _ => {} // it tries again when it is connected again
        }
    }
}
