//! LeaderLatch (`LeaderLatch.java`): leadership is kept until the latch is closed or its session ends. No thread waits: all
//! is done in the background. The first of the ephemeral sequential nodes leads, every other watches the one before its own
//! and lists again when that is gone.
//!
//! As in 5.4.0, by itself: being first is enough, whoever's session the node belongs to. Since CURATOR-696 (5.7.0) the owner is
//! compared first (`checks_owner`); since CURATOR-724 (5.8.0) a latch whose whole path is gone makes it anew, and whoever leads
//! looks again, too, when it is connected again (`survives_wipe`). Before CURATOR-644/645 every reconnect and every vanished
//! predecessor made a new node (`resets_on_reconnect`).

use std::rc::Rc;

use crate::base::{SimTime, SortedMap};
use crate::wire::{Answer, Code, CreateMode, EventType, Request, WatchedEvent};

use crate::curator::{AfterConnection, ConnectionState, Create, Delete, Op};
use crate::elections::leadership::{Leadership, Own, Phase};
use crate::elections::participants::Participants;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, key, name_of, sorted};

const NAME: &str = "latch-";

/// Words that change it: `close` tells the listener; and what other versions do.
pub(crate) const WORDS: &[&str] = &["notify_leader", "checks_owner", "survives_wipe", "resets_on_reconnect"];

methods! {
    Start "start",
    Close "close",
    Reset "reset",
    Await "await",
    HasLeadership "hasLeadership",
    GetLeader "getLeader",
    GetParticipants "getParticipants",
}

/// A latch.
#[derive(Clone, Debug)]
pub(crate) struct Latch {
    path: Rc<str>,
    id: Rc<str>,
    rules: Rules,
    phase: Phase,
    /// Waits for the first connection.
    starting: Option<ThreadId>,
    /// Whether it listens to the connection's state.
    hears: bool,
    own: Option<Own>,
    /// The node that it wants to watch, and how many are before its own.
    behind: (Rc<str>, u32),
    /// How many Watchers stand on a node: each look makes a new one, and they stack (CURATOR-478).
    watchers: SortedMap<Rc<str>, u32>,
    leadership: Leadership,
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    notifies_on_close: bool,
    checks_owner: bool,
    survives_wipe: bool,
    resets_on_reconnect: bool,
}

impl Latch {
    pub(crate) fn new(recipe: &Recipe) -> Latch {
        Latch {
            path: recipe.path.clone(),
            id: recipe.id.clone().unwrap_or_default(),
            rules: Rules {
                notifies_on_close: recipe.has("notify_leader"),
                checks_owner: recipe.has("checks_owner"),
                survives_wipe: recipe.has("survives_wipe"),
                resets_on_reconnect: recipe.has("resets_on_reconnect"),
            },
            phase: Phase::Latent,
            starting: None,
            hears: false,
            own: None,
            behind: ("".into(), 0),
            watchers: SortedMap::new(),
            leadership: Leadership::of(&recipe.path),
        }
    }

    fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        self.phase.start()?;
        self.starting = Some(cx.start(AfterConnection::boxed(), Some((me, "connected"))));
        Ok(Value::Nothing)
    }

    fn close(&mut self, me: &Rc<str>, notifies: bool, cx: &mut Cx<'_>) -> Outcome {
        self.phase.close()?;
        self.hears = false;
        if let Some(starting) = self.starting.take() {
            cx.interrupt(starting);
        }
        if self.own.is_some() && !self.leadership.leads() {
            cx.fact(Fact::GaveUp { thread: ThreadId::OBJECT, object: me.clone() });
        }
        self.set_node(None, cx);
        cx.remove_watchers(me);
        self.leadership.listened = notifies;
        self.leadership.loses(me, ReleaseReason::Closed, cx);
        self.leadership.listened = false;
        cx.notify(me);
        Ok(Value::Nothing)
    }

    /// The own node is replaced; the old one is deleted.
    fn set_node(&mut self, own: Option<Own>, cx: &mut Cx<'_>) {
        if let Some(old) = std::mem::replace(&mut self.own, own) {
            cx.start(Delete::in_background(old.path), None);
        }
    }

    /// Gives up its place and takes a new one, at the end.
    fn reset(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        self.leadership.loses(me, ReleaseReason::Displaced, cx);
        if self.own.is_some() {
            cx.fact(Fact::Requeued { object: me.clone() });
        }
        self.set_node(None, cx);
        let (path, data) = (child_of(&self.path, NAME), Some(self.id.clone()));
        let create = Create::plain(&path, CreateMode::EphemeralSequential, data);
        let create = create.with_parents().in_background().protected(cx);
        cx.start(create.boxed(), Some((me, "created")));
    }

    fn created(&mut self, me: &Rc<str>, own: Own, cx: &mut Cx<'_>) {
        self.set_node(Some(own), cx);
        if self.phase == Phase::Closed {
            self.set_node(None, cx);
        } else {
            self.look(me, cx);
        }
    }

    fn look(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let request = Request::GetChildren { path: self.path.clone(), watch: false, stat: true };
        cx.start(Op::background(request, None), Some((me, "listed")));
    }

    /// `checkLeadership`.
    fn listed(&mut self, me: &Rc<str>, names: Vec<Rc<str>>, cx: &mut Cx<'_>) {
        let names = sorted(names, |child| key(child, NAME));
        let own = self.own.as_ref().and_then(|own| {
            let name = name_of(&own.path);
            Some((own.clone(), names.iter().position(|child| &**child == name)?))
        });
        match own {
            None => self.reset(me, cx),
            Some((own, 0)) if self.rules.checks_owner => {
                let request = Request::GetData { path: own.path, watch: false };
                cx.start(Op::background(request, None), Some((me, "read")));
            }
            Some((own, 0)) => self.leadership.gains(me, &own, cx),
            Some((_, index)) => {
                self.leadership.loses(me, ReleaseReason::Displaced, cx);
                let watched = child_of(&self.path, &names[index - 1]);
                self.behind = (watched.clone(), index as u32);
                let request = Request::GetData { path: watched, watch: true };
                cx.start(Op::background(request, Some(me)), Some((me, "watched")));
            }
        }
    }

    /// It is first. Does its node belong to its session, or to a dead one?
    fn read(&mut self, me: &Rc<str>, outcome: &Outcome, cx: &mut Cx<'_>) {
        let Some(own) = self.own.as_mut() else { return };
        match outcome {
            Ok(Value::Answer(Answer::Data { stat, .. })) if stat.ephemeral_owner == cx.library.session => {
                own.token = own.token.or(Some(stat.czxid));
                let own = own.clone();
                self.leadership.gains(me, &own, cx);
            }
            _ => self.reset(me, cx),
        }
    }

    fn watches(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let (watched, ahead) = self.behind.clone();
        *self.watchers.get_or_default(watched.clone()) += 1;
        if let Some(own) = &self.own {
            let (thread, object, node) = (ThreadId::OBJECT, me.clone(), own.path.clone());
            cx.fact(Fact::WaitsBehind { thread, object, node, watched, ahead });
        }
    }
}

/// What `close` was told: nothing, or a mode that overrides the latch's own.
fn close_mode(method: &Method, own: bool) -> Result<bool, Exception> {
    match method.data.as_deref() {
        None => Ok(own),
        Some("NOTIFY_LEADER") => Ok(true),
        Some("SILENT") => Ok(false),
        Some(_) => Err(Exception::java("IllegalArgumentException", "SILENT and NOTIFY_LEADER are the modes")),
    }
}

impl Object for Latch {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => self.start(me, cx).map(at_once),
            Asked::Close => {
                let notifies = close_mode(method, self.rules.notifies_on_close)?;
                self.close(me, notifies, cx).map(at_once)
            }
            // @VisibleForTesting in the original
            Asked::Reset => {
                self.reset(me, cx);
                Ok(at_once(Value::Nothing))
            }
            Asked::Await => {
                let until = method.timeout_ms.map(|ms| cx.now.plus(ms * 1000));
                Ok(Box::new(Await { latch: me.clone(), until }))
            }
            Asked::HasLeadership => Ok(at_once(Value::Bool(self.phase == Phase::Started && self.leadership.leads()))),
            Asked::GetLeader => Ok(Participants::leader(&self.path, NAME)),
            Asked::GetParticipants => Ok(Participants::all(&self.path, NAME)),
        }
    }

    /// Only a predecessor that is gone makes it look again.
    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        let (Some(path), false) = (&event.path, event.kind == EventType::None) else { return };
        let watchers = self.watchers.remove(path).unwrap_or(0);
        if event.kind == EventType::NodeDeleted && self.phase == Phase::Started {
            (0..watchers).for_each(|_| self.look(me, cx));
        }
    }

    /// `handleStateChange`.
    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Lost {
            self.watchers.clear(); // the new handle has none
        }
        if !self.hears {
            return;
        }
        let careful = cx.core.curator.config.error_policy.is_error(ConnectionState::Suspended);
        match state {
            ConnectionState::Suspended | ConnectionState::Lost => self.leadership.doubts(me, state, cx),
            ConnectionState::Reconnected if self.leadership.leads() && !careful && !self.rules.survives_wipe => {}
            ConnectionState::Reconnected if self.rules.resets_on_reconnect => self.reset(me, cx),
            ConnectionState::Reconnected => self.look(me, cx),
            ConnectionState::Connected => {}
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        let no_node = outcome == Err(Exception::Keeper(Code::NoNode));
        match (what, outcome) {
            ("connected", Ok(_)) if self.phase == Phase::Started => {
                (self.starting, self.hears) = (None, true);
                self.reset(me, cx);
            }
            ("created", Ok(Value::Answer(Answer::Created { path, stat }))) => {
                self.created(me, Own { path, token: Some(stat.czxid) }, cx);
            }
            ("created", Ok(Value::Answer(Answer::Path(path)))) => self.created(me, Own { path, token: None }, cx),
            ("listed", Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(me, names, cx),
            ("listed", Err(_)) if no_node && self.rules.survives_wipe => self.reset(me, cx),
            ("read", outcome) => self.read(me, &outcome, cx),
            ("watched", Ok(_)) => self.watches(me, cx),
            ("watched", Err(_)) if no_node && self.rules.resets_on_reconnect => self.reset(me, cx),
            ("watched", Err(_)) if no_node => self.look(me, cx),
            _ => {} // only logged: it idles until the next RECONNECTED
        }
    }
}

/// `await()`.
#[derive(Clone, Debug)]
struct Await {
    latch: Rc<str>,
    until: Option<SimTime>,
}

impl Await {
    /// Only the call with a time limit says whether it leads.
    fn look(&self, cx: &mut Cx<'_>) -> Flow {
        let (started, leads) = match cx.object::<Latch>(&self.latch) {
            Some(latch) => (latch.phase == Phase::Started, latch.leadership.leads()),
            None => (false, false),
        };
        match self.until {
            None if !started => Flow::Return(Err(Exception::java("EOFException", ""))),
            None if leads => Flow::Return(Ok(Value::Nothing)),
            Some(until) if !started || leads || until <= cx.now => Flow::Return(Ok(Value::Bool(started && leads))),
            until => Flow::Wait { on: Some(self.latch.clone()), until },
        }
    }
}

impl Frame for Await {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ => self.look(cx),
        }
    }
}
