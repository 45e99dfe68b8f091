//! kazoo's `Lock` (`kazoo/recipe/lock.py`): a node `<uuid>__lock__<number>`, a watch by getData on the node just before the own
//! one. Another thread of the object that acquires queues for it at home; the lock is not re-entrant.
//!
//! It hears of its connection only while it waits. Who holds it goes on believing so after LOST, until `release`: the program
//! has to listen by itself.

use std::rc::Rc;

use crate::curator::ConnectionState;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, key, sorted};
use crate::wire::{Answer, Code, EventType, Request, WatchedEvent};

use super::client::{Ask, EnsurePath, Retry, take_over};
use super::lock_acquire::Acquire;

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! {
    Acquire "acquire",
    AcquireNow "acquire_now",
    Release "release",
    Cancel "cancel",
    Contenders "contenders",
}

/// What its nodes are called, between the contender's own part and the number.
const NODE_NAME: &str = "__lock__";

/// A lock, or the part of an election that contends.
#[derive(Clone, Debug)]
pub(crate) struct Lock {
    pub path: Rc<str>,
    /// The contender's name, which its node holds.
    pub data: Rc<str>,
    share: Share,
    /// What its node is called without its number: it is found by that when the reply to create was lost.
    pub prefix: Rc<str>,
    /// Its node's name. It stays after a failure.
    pub node: Option<Rc<str>>,
    pub create_tried: bool,
    pub assured_path: bool,
    pub cancelled: bool,
    /// The thread in `acquire`: others wait for it.
    pub acquiring: Option<ThreadId>,
    /// `is_acquired`, and by whom.
    pub holder: Option<ThreadId>,
    /// `wake_event`.
    pub awake: bool,
    /// Whether it hears of the connection.
    pub listening: bool,
}

impl Lock {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        take_over(cx);
        let guid = cx.core.curator.guid().replace('-', "");
        Lock {
            path: recipe.path.clone(),
            data: recipe.id.clone().unwrap_or_default(),
            share: Share::Exclusive,
            prefix: format!("{guid}{NODE_NAME}").into(),
            node: None,
            create_tried: false,
            assured_path: false,
            cancelled: false,
            acquiring: None,
            holder: None,
            awake: false,
            listening: false,
        }
    }

    /// The part of an election.
    pub(crate) fn of_election(recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        Lock { share: Share::Leader, ..Lock::new(recipe, cx) }
    }

    /// `_get_predecessor`: all before the own node, the nearest last.
    ///
    /// # Errors
    /// The own node is not there.
    pub(crate) fn ahead(&self, names: Vec<Rc<str>>) -> Result<Vec<Rc<str>>, ()> {
        let own = self.node.as_deref().unwrap_or_default();
        if !names.iter().any(|name| **name == *own) {
            return Err(());
        }
        let mut ahead = contending(names);
        ahead.retain(|name| key(name, NODE_NAME) < key(own, NODE_NAME));
        Ok(ahead)
    }

    /// `_find_node`.
    pub(crate) fn own_of(&self, names: &[Rc<str>]) -> Option<Rc<str>> {
        names.iter().find(|name| name.starts_with(&*self.prefix)).cloned()
    }

    /// The path of the own node.
    pub(crate) fn node_path(&self) -> Rc<str> {
        child_of(&self.path, self.node.as_deref().unwrap_or_default())
    }

    /// A thread has it.
    pub(crate) fn acquired(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let (thread, object, path, node) = (cx.thread, me.clone(), self.path.clone(), self.node_path());
        self.holder = Some(thread);
        cx.fact(Fact::Acquired { thread, object, path, node, share: self.share, token: None });
    }

    /// `cancel()`: who waits gives up.
    pub(crate) fn cancel(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        (self.cancelled, self.awake) = (true, true);
        cx.notify(me);
    }
}

/// Those that contend, in the order of their numbers: ten digits, behind a minus once they have run over.
fn contending(mut names: Vec<Rc<str>>) -> Vec<Rc<str>> {
    let is_number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.len() == 10 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    names.retain(|name| name.contains(NODE_NAME) && is_number(key(name, NODE_NAME)));
    sorted(names, |name| key(name, NODE_NAME))
}

impl Object for Lock {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(match Asked::of(method)? {
            Asked::Acquire => Acquire::boxed(me, true, method.timeout_ms),
            Asked::AcquireNow => Acquire::boxed(me, false, method.timeout_ms),
            Asked::Release => Release::boxed(me),
            Asked::Cancel => {
                self.cancel(me, cx);
                at_once(Value::Nothing)
            }
            Asked::Contenders => Contenders::boxed(me),
        })
    }

    /// Any news of the node before the own one.
    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if event.kind != EventType::None {
            self.awake = true;
            cx.notify(me);
        }
    }

    /// `_watch_session`: who waits looks again, once it can.
    fn connection(&mut self, me: &Rc<str>, _: ConnectionState, cx: &mut Cx<'_>) {
        if std::mem::take(&mut self.listening) {
            self.awake = true;
            cx.notify(me);
        }
    }
}

/// `release()`: the delete, until it is done, or `command_retry` gives up.
#[derive(Clone, Debug)]
pub(crate) struct Release {
    object: Rc<str>,
    retry: Retry,
    told: bool,
}

impl Release {
    pub(crate) fn boxed(object: &Rc<str>) -> Boxed {
        Box::new(Release { object: object.clone(), retry: Retry::default(), told: false })
    }

    fn delete(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let Some(thread) = lock.holder else { return Flow::Return(Ok(Value::Bool(false))) };
        let (shared, path) = (lock.path.clone(), lock.node_path());
        if !std::mem::replace(&mut self.told, true) {
            let (object, reason) = (self.object.clone(), ReleaseReason::Released);
            cx.fact(Fact::Released { thread, object, path: shared, reason });
        }
        Flow::Call(Ask::new(Request::Delete { path, version: -1 }))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match outcome {
            // a node that is gone already is as good
            Ok(_) | Err(Exception::Keeper(Code::NoNode)) => {
                if let Some(lock) = cx.object::<Lock>(&self.object) {
                    (lock.holder, lock.node) = (None, None);
                }
                Flow::Return(Ok(Value::Bool(true)))
            }
            Err(exception) => match self.retry.command(cx, exception) {
                Ok(at) => Flow::sleep(at),
                Err(exception) => Flow::Return(Err(exception)),
            },
        }
    }
}

impl Frame for Release {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ => self.delete(cx),
        }
    }
}

/// `contenders()`: what the nodes hold, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Contenders {
    object: Rc<str>,
    /// Nodes that are still to be read, the first one last; none before they are listed.
    nodes: Option<Vec<Rc<str>>>,
    names: Vec<Rc<str>>,
}

impl Contenders {
    pub(crate) fn boxed(object: &Rc<str>) -> Boxed {
        Box::new(Contenders { object: object.clone(), nodes: None, names: Vec::new() })
    }

    fn list(&self, lock: &Lock) -> Flow {
        match lock.assured_path {
            true => Flow::Call(Ask::children(&lock.path)),
            false => Flow::Call(EnsurePath::boxed(&lock.path)),
        }
    }

    fn next(&mut self, lock: &Lock) -> Flow {
        match self.nodes.as_mut().and_then(Vec::pop) {
            Some(name) => Flow::Call(Ask::new(Request::GetData { path: child_of(&lock.path, &name), watch: false })),
            None => Flow::Return(Ok(Value::Names(std::mem::take(&mut self.names)))),
        }
    }
}

impl Frame for Contenders {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let Resume::Returned(outcome) = with else { return self.list(lock) };
        match outcome {
            Ok(Value::Bool(_)) => {
                lock.assured_path = true;
                self.list(lock)
            }
            Ok(Value::Answer(Answer::Children { names, .. })) => {
                let mut nodes = contending(names);
                nodes.reverse();
                self.nodes = Some(nodes);
                self.next(lock)
            }
            Ok(Value::Answer(Answer::Data { data, .. })) => {
                self.names.extend(data.map(|data| Rc::from(data.decoded())));
                self.next(lock)
            }
            // it has left since
            Err(Exception::Keeper(Code::NoNode)) if self.nodes.is_some() => self.next(lock),
            Ok(_) => self.next(lock),
            Err(exception) => Flow::Return(Err(exception)),
        }
    }
}
