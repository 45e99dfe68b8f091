//! What a frame or an object may do: ask the ensemble, wake and start threads, state facts, use its program's objects.

use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{Breakable, ClientId, SimTime, SortedMap, Zxid};
use crate::client::{Call, CallId, Client};
use crate::wire::{Request, WatchedEvent};

use crate::curator::{ConnectionState, Curator};
use crate::runtime::fact::{Fact, Standing, WAITS_NO_MORE};
use crate::runtime::io::Method;
use crate::runtime::io::{Outbox, Told};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

/// A call under way. It is handed what it waited for, and says what it wants next.
pub(crate) trait Frame: CloneFrame {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow;

    /// The object whose monitor it holds while it waits for an answer: a notification in that time is not lost, the next
    /// `wait()` ends at once.
    fn monitor(&self) -> Option<&Rc<str>> {
        None
    }
}

/// A call that is over as soon as it is made.
#[derive(Clone, Debug)]
struct AtOnce(Value);

impl Frame for AtOnce {
    fn resume(&mut self, _: &mut Cx<'_>, _: Resume) -> Flow {
        Flow::Return(Ok(self.0.clone()))
    }
}

/// A call whose value is known.
pub(crate) fn at_once(value: Value) -> Boxed {
    Box::new(AtOnce(value))
}

/// A frame in a stack.
pub(crate) type Boxed = Box<dyn Frame>;

/// What a program knows of a part of the tree, right or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The node.
    pub path: Rc<str>,
    /// Whether what is known are its children, and not its own data.
    pub below: bool,
    /// The data of each node, or its name where it has none, in the order of names; empty where nothing is known.
    pub values: Vec<Rc<str>>,
    /// Whether the data of each stands behind its name and `=`.
    pub named: bool,
    /// Those of them that are not handed out, for the errors that they made.
    pub hidden: Vec<Rc<str>>,
}

/// A recipe in use: an object of the program, shared by its threads.
pub(crate) trait Object: CloneObject + Any {
    /// The frame that does what a method does.
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception>;

    /// Its Watcher is called. Most only look again.
    fn event(&mut self, me: &Rc<str>, _event: &WatchedEvent, cx: &mut Cx<'_>) {
        cx.notify(me);
    }

    /// The connection's state changed.
    fn connection(&mut self, _me: &Rc<str>, _state: ConnectionState, _cx: &mut Cx<'_>) {}

    /// What there is to see in it.
    fn rows(&self, _rows: &mut Rows) {}

    /// What it believes to be in the tree, where it keeps a copy of a part of it.
    fn copy(&self) -> Option<Copied> {
        None
    }

    /// What it had started in the background has ended; `what` is the name that it gave to it.
    fn finished(&mut self, _me: &Rc<str>, _what: &'static str, _outcome: Outcome, _cx: &mut Cx<'_>) {}
}

/// Copies what stands behind a trait.
pub(crate) trait CloneFrame {
    fn cloned(&self) -> Boxed;

    /// Its type, for who looks: `mutex::Acquire`.
    fn kind(&self) -> String;
}

impl<T: Frame + Clone + 'static> CloneFrame for T {
    fn cloned(&self) -> Boxed {
        Box::new(self.clone())
    }

    fn kind(&self) -> String {
        short::<T>()
    }
}

/// A type's name with its file, without the folders above.
fn short<T>() -> String {
    let name = std::any::type_name::<T>();
    let from = name.rmatch_indices("::").nth(1).map_or(0, |(at, colons)| at + colons.len());
    name[from..].to_string()
}

// what frames and objects hold would be most of the page's text, and nobody reads it there
impl fmt::Debug for dyn Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Frame")
    }
}

impl fmt::Debug for dyn Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Object")
    }
}

impl Clone for Boxed {
    fn clone(&self) -> Boxed {
        (**self).cloned()
    }
}

/// Copies what stands behind a trait.
pub(crate) trait CloneObject {
    fn cloned(&self) -> Box<dyn Object>;

    /// Its type, for who looks: `mutex::Mutex`.
    fn kind(&self) -> String;
}

impl<T: Object + Clone> CloneObject for T {
    fn cloned(&self) -> Box<dyn Object> {
        Box::new(self.clone())
    }

    fn kind(&self) -> String {
        short::<T>()
    }
}

impl Clone for Box<dyn Object> {
    fn clone(&self) -> Box<dyn Object> {
        (**self).cloned()
    }
}

/// A program's objects by name. Parts of an object stand here too, under `object/part`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects(pub SortedMap<Rc<str>, Box<dyn Object>>);

impl Objects {
    /// The object, if it is there and of this type.
    pub(crate) fn get<T: Object>(&mut self, name: &str) -> Option<&mut T> {
        let object: &mut dyn Any = self.0.get_mut(name)?.as_mut();
        object.downcast_mut()
    }
}

/// What one thread does to others; done when it has come to rest.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Notify(Rc<str>),
    Interrupt(ThreadId),
    Start { thread: ThreadId, frame: Boxed, then: Option<(Rc<str>, &'static str)> },
    Connection(ConnectionState),
}

/// What all threads of a program share.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub client: ClientId,
    pub curator: Curator,
    pub objects: Objects,
    /// Who waits for which answer.
    pub calls: SortedMap<CallId, ThreadId>,
    pub effects: VecDeque<Effect>,
    pub standings: SortedMap<(Rc<str>, ThreadId), Standing>,
    /// The last thread that was started in the background.
    pub last_thread: u32,
}

impl Core {
    /// The data of a node that is created without any: the client's address.
    pub(crate) fn address(&self) -> Rc<str> {
        format!("10.0.{}.{}", self.client.0 / 250, self.client.0 % 250 + 1).into()
    }

    /// What a thread holds of an object, or the object for all threads: the own node, and its czxid where it is known.
    pub(crate) fn held(&self, object: &Rc<str>, thread: ThreadId) -> Option<(Rc<str>, Option<Zxid>)> {
        [thread, ThreadId::OBJECT].into_iter().find_map(|who| match self.standings.get(&(object.clone(), who)) {
            Some(Standing::Holding { node, token, .. }) => Some((node.clone(), *token)),
            _ => None,
        })
    }
}

/// A thread at work, and what it works with.
pub(crate) struct Cx<'a> {
    pub now: SimTime,
    pub thread: ThreadId,
    pub core: &'a mut Core,
    pub library: &'a mut Client,
    pub out: &'a mut Outbox,
}

impl Cx<'_> {
    /// Whether this run breaks a rule, or does as a version does.
    pub(crate) fn breaks(&self, rule: impl Breakable) -> bool {
        self.library.config.rules.breaks(rule)
    }

    /// Sends a request; the frame goes on with its answer.
    pub(crate) fn ask(&mut self, request: Request) -> Flow {
        self.send(Call::new(request))
    }

    /// Sends a request that sets a watch for an object.
    pub(crate) fn ask_watching(&mut self, request: Request, watcher: &Rc<str>) -> Flow {
        self.send(Call { watcher: Some(watcher.clone()), ..Call::new(request) })
    }

    fn send(&mut self, call: Call) -> Flow {
        let id = self.library.call(self.now, call, &mut self.out.library);
        self.core.calls.insert(id, self.thread);
        Flow::Answer
    }

    /// `notifyAll`: every thread that waits on the object looks again.
    pub(crate) fn notify(&mut self, object: &Rc<str>) {
        self.core.effects.push_back(Effect::Notify(object.clone()));
    }

    /// `Thread.interrupt()`.
    pub(crate) fn interrupt(&mut self, thread: ThreadId) {
        self.core.effects.push_back(Effect::Interrupt(thread));
    }

    /// Starts a thread in the background. The object named in `then` hears of its end.
    pub(crate) fn start(&mut self, frame: Boxed, then: Option<(&Rc<str>, &'static str)>) -> ThreadId {
        self.core.last_thread = self.core.last_thread.wrapping_add(1).max(ThreadId::LAST.0 + 1);
        let thread = ThreadId(self.core.last_thread);
        let then = then.map(|(object, what)| (object.clone(), what));
        self.core.effects.push_back(Effect::Start { thread, frame, then });
        thread
    }

    /// Lets one of the program's objects do something. It is out of the program's reach for that moment.
    pub(crate) fn with_object<T>(
        &mut self,
        name: &str,
        act: impl FnOnce(&mut dyn Object, &Rc<str>, &mut Self) -> T,
    ) -> Option<T> {
        let (name, mut object) = self.core.objects.0.remove_entry(name)?;
        let done = act(object.as_mut(), &name, self);
        self.core.objects.0.insert(name, object);
        Some(done)
    }

    /// The same with an object of a type; nothing where it is another.
    pub(crate) fn with<T: Object, R>(
        &mut self,
        name: &str,
        act: impl FnOnce(&mut T, &Rc<str>, &mut Self) -> R,
    ) -> Option<R> {
        let done = self.with_object(name, |object, me, cx| {
            let object: &mut dyn Any = object;
            object.downcast_mut::<T>().map(|object| act(object, me, cx))
        });
        done.flatten()
    }

    /// The object, if it is there and of this type.
    pub(crate) fn object<T: Object>(&mut self, name: &str) -> Option<&mut T> {
        self.core.objects.get(name)
    }

    /// A part of a recipe has what the thread waited for: nobody is told so, but who has seen it wait must hear that this is over.
    pub(crate) fn waits_no_more(&mut self, object: &Rc<str>, about: Rc<str>) {
        let (thread, object) = (self.thread, object.clone());
        if self.core.standings.remove(&(object.clone(), thread)).is_some() {
            self.fact(Fact::Told { thread, object, what: WAITS_NO_MORE, about });
        }
    }

    /// States a fact. What it says of a thread's standing is kept.
    pub(crate) fn fact(&mut self, fact: Fact) {
        match &fact {
            Fact::MethodCalled { thread, object, method } => {
                let busy = Standing::Busy { method: method.clone() };
                self.core.standings.get_or((object.clone(), *thread), busy);
            }
            Fact::MethodReturned { thread, object, .. } => {
                let key = (object.clone(), *thread);
                if !matches!(self.core.standings.get(&key), Some(Standing::Holding { .. })) {
                    self.core.standings.remove(&key);
                }
            }
            Fact::WaitsFor { thread, object, node, watched } => {
                let (node, watched) = (node.clone(), watched.clone());
                self.core.standings.insert((object.clone(), *thread), Standing::Waiting { node, watched, ahead: 0 });
            }
            Fact::WaitsBehind { thread, object, node, watched, ahead } => {
                let (node, watched, ahead) = (node.clone(), watched.clone(), *ahead);
                self.core.standings.insert((object.clone(), *thread), Standing::Waiting { node, watched, ahead });
            }
            Fact::Acquired { thread, object, node, share, token, .. } => {
                let (node, share, token) = (node.clone(), *share, *token);
                self.core.standings.insert((object.clone(), *thread), Standing::Holding { node, share, token });
            }
            Fact::Released { thread, object, .. } | Fact::GaveUp { thread, object } => {
                self.core.standings.remove(&(object.clone(), *thread));
            }
            _ => {}
        }
        self.out.tell(Told::Fact(fact));
    }
}
