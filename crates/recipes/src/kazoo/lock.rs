//! kazoo's `Lock`, `WriteLock` and `ReadLock` (`kazoo/recipe/lock.py`): a node `<uuid>__lock__<number>`, of a reader
//! `<uuid>__rlock__<number>`, a watch by getData on the nearest node before it that excludes it. So a reader waits for the last writer
//! before it, and looks no further. Numbers are compared as texts. Another thread of the object that acquires queues for it
//! at home; the locks are not re-entrant.
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
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Value};
use crate::sorting::{child_of, sorted};
use crate::wire::{Answer, EventType, WatchedEvent};

use super::client::{Ask, DataOf, DeleteUntilDone, EnsurePath, take_over};
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

/// What nodes are called, between the contender's own part and the number, and which ones exclude this contender.
#[derive(Clone, Copy, Debug)]
struct Side {
    node_name: &'static str,
    excludes: &'static [&'static str],
}

const LOCK: &str = "__lock__";
const READ_LOCK: &str = "__rlock__";
const PLAIN: Side = Side { node_name: LOCK, excludes: &[LOCK] };
const WRITER: Side = Side { node_name: LOCK, excludes: &[LOCK, READ_LOCK] };
const READER: Side = Side { node_name: READ_LOCK, excludes: &[LOCK] };

/// A lock, or the part of an election that contends.
#[derive(Clone, Debug)]
pub(crate) struct Lock {
    pub path: Rc<str>,
    /// The contender's name, which its node holds.
    pub data: Rc<str>,
    share: Share,
    side: Side,
    /// Whether listeners hear of it: parts of other recipes keep quiet.
    pub tells: bool,
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
    /// `Lock`.
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        Lock::on(PLAIN, recipe, cx)
    }

    /// `WriteLock`.
    pub(crate) fn writing(recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        Lock::on(WRITER, recipe, cx)
    }

    /// `ReadLock`.
    pub(crate) fn reading(recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        Lock { share: Share::Read, ..Lock::on(READER, recipe, cx) }
    }

    /// The part of a semaphore: a plain lock that keeps quiet.
    pub(crate) fn of_semaphore(path: Rc<str>, data: Rc<str>, cx: &mut Cx<'_>) -> Lock {
        Lock { tells: false, ..Lock::at(PLAIN, path, data, cx) }
    }

    fn on(side: Side, recipe: &Recipe, cx: &mut Cx<'_>) -> Lock {
        Lock::at(side, recipe.path.clone(), recipe.id.clone().unwrap_or_default(), cx)
    }

    fn at(side: Side, path: Rc<str>, data: Rc<str>, cx: &mut Cx<'_>) -> Lock {
        take_over(cx);
        let guid = unique(cx);
        Lock {
            path,
            data,
            share: Share::Exclusive,
            side,
            tells: true,
            prefix: format!("{guid}{}", side.node_name).into(),
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
        let number = own.get(self.prefix.len()..);
        let mut ahead = contending(names, self.side.excludes);
        ahead.retain(|name| sequence(name, self.side.excludes) < number);
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
        match self.tells {
            true => cx.fact(Fact::Acquired { thread, object, path, node, share: self.share, token: None }),
            false => cx.waits_no_more(&object, node),
        }
    }

    /// `cancel()`: who waits gives up.
    pub(crate) fn cancel(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        (self.cancelled, self.awake) = (true, true);
        cx.notify(me);
    }
}

/// `uuid.uuid4().hex`, in a program of kazoo's.
pub(super) fn unique(cx: &mut Cx<'_>) -> String {
    cx.core.curator.is_kazoo = true;
    cx.core.curator.guid().replace('-', "")
}

/// The number of a node that is called so: ten digits, behind a minus once they have run over.
fn sequence<'a>(name: &'a str, called: &[&str]) -> Option<&'a str> {
    called.iter().find_map(|called| {
        let number = name.get(name.rfind(called)? + called.len()..)?;
        let digits = number.strip_prefix('-').unwrap_or(number);
        (digits.len() == 10 && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
    })
}

/// Those that contend, in the order of their numbers.
fn contending(mut names: Vec<Rc<str>>, called: &[&str]) -> Vec<Rc<str>> {
    names.retain(|name| sequence(name, called).is_some());
    sorted(names, |name| sequence(name, called).unwrap_or_default())
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
pub(crate) struct Release(Rc<str>);

impl Release {
    pub(crate) fn boxed(object: &Rc<str>) -> Boxed {
        Box::new(Release(object.clone()))
    }

    fn delete(&self, cx: &mut Cx<'_>) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.0) else { return Flow::Return(Err(Exception::gone())) };
        let Some(thread) = lock.holder else { return Flow::Return(Ok(Value::Bool(false))) };
        let (path, node, tells) = (lock.path.clone(), lock.node_path(), lock.tells);
        if tells {
            let (object, reason) = (self.0.clone(), ReleaseReason::Released);
            cx.fact(Fact::Released { thread, object, path, reason });
        }
        Flow::Call(DeleteUntilDone::boxed(node))
    }
}

impl Frame for Release {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let Resume::Returned(outcome) = with else { return self.delete(cx) };
        if let (Ok(_), Some(lock)) = (&outcome, cx.object::<Lock>(&self.0)) {
            (lock.holder, lock.node) = (None, None);
        }
        Flow::Return(outcome.map(|_| Value::Bool(true)))
    }
}

/// `contenders()`: what the nodes hold, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Contenders(Rc<str>);

impl Contenders {
    pub(crate) fn boxed(object: &Rc<str>) -> Boxed {
        Box::new(Contenders(object.clone()))
    }
}

impl Frame for Contenders {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let Some(lock) = cx.object::<Lock>(&self.0) else { return Flow::Return(Err(Exception::gone())) };
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) => {
                let all = [lock.side.excludes, &[lock.side.node_name]].concat();
                Flow::Become(DataOf::boxed(&lock.path, contending(names, &all)))
            }
            Resume::Returned(Err(exception)) => Flow::Return(Err(exception)),
            Resume::Returned(Ok(_)) => {
                lock.assured_path = true;
                Flow::Call(Ask::children(&lock.path))
            }
            _ if lock.assured_path => Flow::Call(Ask::children(&lock.path)),
            _ => Flow::Call(EnsurePath::boxed(&lock.path)),
        }
    }
}
