//! A program: the objects and threads that stand on one client library. Its host hands it what happens and does what it
//! wants done; nothing else connects it with the world.

pub(crate) mod rows;

use serde::{Deserialize, Serialize};
use std::any::Any;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::base::{ClientId, Prng, SimTime, SortedMap};
use crate::client::{CallId, CallOutcome, Client, State};
use crate::wire::{EventType, WatchedEvent};

use crate::curator::{ConnectionState, Curator, CuratorConfig};
use crate::own::object::Own;
use crate::own::{At, Program};
use crate::runtime::context::{Boxed, Copied, Core, Cx, Effect, Objects};
use crate::runtime::fact::{Fact, Standing};
use crate::runtime::io::Outbox;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Status, Thread, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::Value;
use crate::script::{Script, WORK};

/// Most objects of one program, with their parts.
const MAX_OBJECTS: usize = 200;

/// Why a program cannot do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Its framework is at work already, and cannot be set up otherwise.
    FrameworkAtWork,
    /// An object has this name.
    NameTaken,
    /// There is no room for another object.
    TooManyObjects,
    /// The thread has something to do.
    ThreadBusy,
    /// The thread has nothing to do.
    NoSuchThread,
}

/// What a program is told.
#[derive(Clone, Debug)]
pub enum Input {
    /// A call of the library is over.
    Answered(CallId, CallOutcome),
    /// A Watcher is called.
    Event(Rc<str>, WatchedEvent),
    /// Time has come.
    Timer,
    /// A new object.
    Make(Rc<str>, Recipe),
    /// A thread begins.
    Run(ThreadId, Script),
    /// A thread is interrupted.
    Interrupt(ThreadId),
}

/// A program.
#[derive(Clone, Debug)]
pub struct App {
    threads: SortedMap<ThreadId, Thread>,
    core: Core,
    /// Threads that can go on.
    ready: VecDeque<(ThreadId, Resume)>,
    /// The thread that works inside a callback, and with it blocks the one on which Watchers are called.
    callback: Option<ThreadId>,
    /// Events that wait for that one.
    unheard: VecDeque<Input>,
}

impl App {
    /// A program on a client library that is there already.
    pub fn new(client: ClientId, config: CuratorConfig, library: &Client, prng: Prng) -> App {
        let mut curator = Curator::new(config, prng);
        curator.connected = library.state == State::Connected;
        curator.state = curator.connected.then_some(ConnectionState::Connected);
        let core = Core {
            client,
            curator,
            objects: Objects::default(),
            calls: SortedMap::new(),
            effects: VecDeque::new(),
            standings: SortedMap::new(),
            last_thread: ThreadId::LAST.0,
        };
        App { threads: SortedMap::new(), core, ready: VecDeque::new(), callback: None, unheard: VecDeque::new() }
    }

    /// Why the input cannot be taken, if so.
    pub fn refusal(&self, input: &Input) -> Option<Refusal> {
        match input {
            Input::Make(name, _) if self.core.objects.0.contains_key(name) => Some(Refusal::NameTaken),
            Input::Make(..) if self.core.objects.0.len() >= MAX_OBJECTS => Some(Refusal::TooManyObjects),
            Input::Run(thread, _) if self.threads.contains_key(thread) => Some(Refusal::ThreadBusy),
            Input::Interrupt(thread) if !self.threads.contains_key(thread) => Some(Refusal::NoSuchThread),
            _ => None,
        }
    }

    /// Handles one input.
    pub fn handle(&mut self, now: SimTime, input: Input, library: &mut Client, out: &mut Outbox) {
        if self.callback.is_some() && matches!(input, Input::Event(..)) {
            self.unheard.push_back(input);
            return;
        }
        self.take(now, input, library, out);
        self.run(now, library, out);
        // the thread on which Watchers are called is free again
        while self.callback.is_none()
            && let Some(input) = self.unheard.pop_front()
        {
            self.take(now, input, library, out);
            self.run(now, library, out);
        }
    }

    fn take(&mut self, now: SimTime, input: Input, library: &mut Client, out: &mut Outbox) {
        match input {
            Input::Answered(call, outcome) => {
                if let Some(thread) = self.core.calls.remove(&call) {
                    self.ready.push_back((thread, Resume::Answer(outcome)));
                }
            }
            Input::Event(watcher, event) => self.event(now, &watcher, &event, library, out),
            Input::Timer => self.timer(now, library, out),
            Input::Make(name, recipe) => {
                let recipe = recipe.under(library.config.rules);
                let mut cx = self.cx(now, library, out);
                recipe.make(&name, &mut cx);
                cx.fact(Fact::RecipeMade { object: name, recipe: recipe.kind.name(), path: recipe.path });
            }
            Input::Run(thread, script) => {
                self.callback = script.in_callback.then_some(thread).or(self.callback);
                self.begin(thread, script.frame(), None);
            }
            Input::Interrupt(thread) => self.interrupt(thread),
        }
    }

    fn cx<'a>(&'a mut self, now: SimTime, library: &'a mut Client, out: &'a mut Outbox) -> Cx<'a> {
        Cx { now, thread: ThreadId(0), core: &mut self.core, library, out }
    }

    /// A Watcher is called: the framework's own, or an object's.
    fn event(
        &mut self,
        now: SimTime,
        watcher: &Rc<str>,
        event: &WatchedEvent,
        library: &mut Client,
        out: &mut Outbox,
    ) {
        let mut cx = self.cx(now, library, out);
        if event.kind == EventType::None && &**watcher == "default" {
            cx.library_state(event.state);
        }
        if let (true, Some(path)) = (event.kind != EventType::None, &event.path) {
            cx.forget_watch(watcher, path);
        }
        cx.with_object(watcher, |object, me, cx| object.event(me, event, cx));
    }

    fn timer(&mut self, now: SimTime, library: &mut Client, out: &mut Outbox) {
        if self.core.curator.lost_at.is_some_and(|at| at <= now) {
            self.cx(now, library, out).lost_by_timer();
        }
        if self.core.curator.circuit.is_some_and(|circuit| circuit.until <= now) {
            self.cx(now, library, out).circuit_pause_over();
        }
        let due =
            |thread: &Thread| matches!(thread.status, Status::Waiting { until: Some(until), .. } if until <= now);
        let due: Vec<ThreadId> = self.threads.iter().filter(|(_, thread)| due(thread)).map(|(id, _)| *id).collect();
        for thread in due {
            self.wake(thread, Wake::TimedOut);
        }
    }

    /// When the next timer is due.
    pub fn next_at(&self) -> Option<SimTime> {
        let waits = self.threads.values().filter_map(|thread| match thread.status {
            Status::Waiting { until, .. } => until,
            Status::Asking => None,
        });
        let circuit = self.core.curator.circuit.map(|circuit| circuit.until);
        waits.chain(self.core.curator.lost_at).chain(circuit).min()
    }

    fn begin(&mut self, thread: ThreadId, frame: Boxed, then: Option<(Rc<str>, &'static str)>) {
        let stack = vec![frame];
        let begun = Thread { stack, status: Status::Asking, interrupted: false, notified: None, then };
        self.threads.insert(thread, begun);
        self.ready.push_back((thread, Resume::Start));
    }

    /// A waiting thread goes on.
    fn wake(&mut self, id: ThreadId, wake: Wake) {
        if let Some(thread) = self.threads.get_mut(&id) {
            thread.status = Status::Asking;
            self.ready.push_back((id, Resume::Woken(wake)));
        }
    }

    /// A thread that waits ends its wait; one that asks forgets its request.
    fn interrupt(&mut self, id: ThreadId) {
        let Some(thread) = self.threads.get_mut(&id) else { return };
        if self.ready.iter().any(|(ready, _)| *ready == id) {
            thread.interrupted = true;
            return;
        }
        self.core.calls.retain(|_, asking| *asking != id);
        self.wake(id, Wake::Interrupted);
    }

    /// Lets everything go on that can, until all threads wait.
    fn run(&mut self, now: SimTime, library: &mut Client, out: &mut Outbox) {
        loop {
            if let Some(effect) = self.core.effects.pop_front() {
                self.take_effect(now, effect, library, out);
            } else if let Some((thread, with)) = self.ready.pop_front() {
                self.go_on(now, thread, with, library, out);
            } else {
                return;
            }
        }
    }

    fn take_effect(&mut self, now: SimTime, effect: Effect, library: &mut Client, out: &mut Outbox) {
        match effect {
            Effect::Notify(object) => self.notify(&object),
            Effect::Interrupt(thread) => self.interrupt(thread),
            Effect::Start { thread, frame, then } => self.begin(thread, frame, then),
            Effect::Connection(state) => {
                if self.core.curator.config.error_policy.is_error(state) {
                    self.notify(&WORK.into());
                }
                let names: Vec<Rc<str>> = self.core.objects.0.keys().cloned().collect();
                let mut cx = self.cx(now, library, out);
                for name in names {
                    cx.with_object(&name, |object, me, cx| object.connection(me, state, cx));
                }
            }
        }
    }

    /// Threads that wait on the object look again; those that are about to wait on it will.
    fn notify(&mut self, object: &Rc<str>) {
        let mut woken = Vec::new();
        for (id, thread) in self.threads.iter_mut() {
            match &thread.status {
                Status::Waiting { on: Some(on), .. } if on == object => woken.push(*id),
                _ if thread.stack.iter().any(|frame| frame.monitor() == Some(object)) => {
                    thread.notified = Some(object.clone());
                }
                _ => {}
            }
        }
        for thread in woken {
            self.wake(thread, Wake::Notified);
        }
    }

    /// Runs a thread until it waits or ends.
    fn go_on(&mut self, now: SimTime, id: ThreadId, mut with: Resume, library: &mut Client, out: &mut Outbox) {
        let Some(mut thread) = self.threads.remove(&id) else { return };
        let came_to = loop {
            let Some(mut frame) = thread.stack.pop() else {
                break Some(if let Resume::Returned(outcome) = with { outcome } else { Ok(Value::Nothing) });
            };
            let flow = frame.resume(&mut Cx { thread: id, ..self.cx(now, library, out) }, with);
            match flow {
                Flow::Call(next) => {
                    thread.stack.extend([frame, next]);
                    with = Resume::Start;
                }
                Flow::Become(next) => {
                    thread.stack.push(next);
                    with = Resume::Start;
                }
                Flow::Return(outcome) => {
                    thread.forget_notification();
                    with = Resume::Returned(outcome);
                }
                Flow::Answer => {
                    thread.stack.push(frame);
                    thread.status = Status::Asking;
                    break None;
                }
                Flow::Wait { on, until } => {
                    thread.stack.push(frame);
                    if std::mem::take(&mut thread.interrupted) {
                        with = Resume::Woken(Wake::Interrupted);
                    } else if on.is_some() && thread.notified == on {
                        thread.notified = None;
                        with = Resume::Woken(Wake::Notified);
                    } else {
                        thread.status = Status::Waiting { on, until };
                        break None;
                    }
                }
            }
        };
        if came_to.is_some() && self.callback == Some(id) {
            self.callback = None;
        }
        match (came_to, &thread.then) {
            (None, _) => drop(self.threads.insert(id, thread)),
            (Some(outcome), Some((object, what))) => {
                let mut cx = self.cx(now, library, out);
                cx.with_object(object, |made, me, cx| made.finished(me, what, outcome, cx));
            }
            (Some(_), None) => {}
        }
    }

    /// Where its threads stand in its recipes: by object and thread.
    pub fn standings(&self) -> impl Iterator<Item = (&Rc<str>, ThreadId, &Standing)> {
        self.core.standings.iter().map(|((object, thread), standing)| (object, *thread, standing))
    }

    /// What it believes to be in the tree: of the first object that keeps a copy.
    pub fn copy(&self) -> Option<Copied> {
        self.core.objects.0.values().find_map(|object| object.copy())
    }

    /// Its recipes of one's own: each by its object's name, with its program and where threads stand in it.
    pub fn own_recipes(&self) -> impl Iterator<Item = (&Rc<str>, &Program, Vec<At>)> {
        self.core.objects.0.iter().filter_map(|(name, object)| {
            let object: &dyn Any = object.as_ref();
            object.downcast_ref::<Own>().map(|own| (name, own.program(), own.places().collect()))
        })
    }

    /// Its objects' names.
    pub fn objects(&self) -> impl Iterator<Item = &Rc<str>> {
        self.core.objects.0.keys()
    }

    /// Whether a thread of the program's own is at work.
    pub fn is_busy(&self, thread: ThreadId) -> bool {
        self.threads.contains_key(&thread)
    }

    /// Whether a thread sleeps, between two tries of an operation: it will go on by itself.
    pub fn is_sleeping(&self) -> bool {
        let mut all = self.threads.values();
        all.any(|thread| matches!(thread.status, Status::Waiting { on: None, until: Some(_) }))
    }

    /// Whether a thread goes on by itself when a time has come, whatever it waits for; its other work is none of that.
    pub fn bides_time(&self) -> bool {
        let bides =
            |status: &Status| matches!(status, Status::Waiting { on, until: Some(_) } if on.as_deref() != Some(WORK));
        self.threads.values().any(|thread| bides(&thread.status))
    }

    /// Whether a thread of its script does some other work (`Step::Work`).
    pub fn is_at_work(&self) -> bool {
        let at_work = |status: &Status| matches!(status, Status::Waiting { on: Some(on), .. } if **on == *WORK);
        self.threads.values().any(|thread| at_work(&thread.status))
    }

    /// What the connection is. Listeners to it were told so, unless a circuit breaker holds it back.
    pub fn connection(&self) -> Option<ConnectionState> {
        self.core.curator.state
    }

    /// Whether its circuit breaker is open: listeners are not told what the connection is.
    pub fn circuit_is_open(&self) -> bool {
        self.core.curator.circuit.is_some()
    }
}
