//! kazoo's `Semaphore` (`kazoo/recipe/lock.py`): each holder has an ephemeral node below the path, named by chance and never with a
//! number; who wants one queues for a [`Lock`] beside the path, and the holder of that alone watches the children.
//! How many leases there are stands in the path's own node: the first that makes it writes it, and every object compares it once.
//!
//! Like the lock it hears of its session only while it acquires: a holder goes on believing after LOST, until `release`.

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
use crate::sorting::child_of;
use crate::wire::{Answer, Code, EventType, Request, WatchedEvent};

use super::client::{Ask, DataOf, DeleteUntilDone};
use super::lock::{Lock, unique};
use super::semaphore_acquire::Acquire;

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! {
    Acquire "acquire",
    AcquireNow "acquire_now",
    Release "release",
    Cancel "cancel",
    LeaseHolders "lease_holders",
}

/// A semaphore.
#[derive(Clone, Debug)]
pub(crate) struct Semaphore {
    pub path: Rc<str>,
    /// The contender's name, which its node holds.
    pub data: Rc<str>,
    /// `max_leases`.
    pub most: u32,
    /// `create_path`.
    pub node: Rc<str>,
    pub assured_path: bool,
    pub cancelled: bool,
    pub session_expired: bool,
    /// `is_acquired`, and by whom.
    pub holder: Option<ThreadId>,
    /// `wake_event`.
    pub awake: bool,
    /// Whether it hears of its session.
    pub listening: bool,
}

impl Semaphore {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Semaphore {
        Semaphore {
            path: recipe.path.clone(),
            data: recipe.id.clone().unwrap_or_default(),
            most: recipe.count.unwrap_or(1),
            node: child_of(&recipe.path, &unique(cx)),
            assured_path: false,
            cancelled: false,
            session_expired: false,
            holder: None,
            awake: false,
            listening: false,
        }
    }

    /// The lock of one call: every `acquire` makes a new one. Its name is the semaphore's as Python writes bytes.
    pub(crate) fn lock(&self, cx: &mut Cx<'_>) -> Lock {
        let data = if self.data.is_empty() { String::new() } else { as_python_writes(&self.data) };
        Lock::of_semaphore(format!("{}-__lock__", self.path).into(), data.into(), cx)
    }

    /// What the object held in a session before is gone.
    pub(crate) fn displaced(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if let Some(thread) = self.holder.take() {
            let (object, path) = (me.clone(), self.path.clone());
            cx.fact(Fact::Released { thread, object, path, reason: ReleaseReason::Displaced });
        }
    }

    /// A thread has a lease.
    pub(crate) fn acquired(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        self.displaced(me, cx);
        self.holder = Some(cx.thread);
        let (object, path) = (me.clone(), self.path.clone());
        let (thread, node, share) = (cx.thread, self.node.clone(), Share::Lease { of: self.most });
        cx.fact(Fact::Acquired { thread, object, path, node, share, token: None });
    }
}

/// `str()` of bytes: `b'c1'`.
fn as_python_writes(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let byte = |byte: u8| match byte {
        b'\\' => "\\\\".into(),
        b'\t' => "\\t".into(),
        b'\n' => "\\n".into(),
        b'\r' => "\\r".into(),
        _ if char::from(byte) == quote => format!("\\{quote}"),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("b{quote}{}{quote}", text.bytes().map(byte).collect::<String>())
}

impl Object for Semaphore {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(match Asked::of(method)? {
            Asked::Acquire => Acquire::boxed(me, true, method.timeout_ms),
            Asked::AcquireNow => Acquire::boxed(me, false, method.timeout_ms),
            Asked::Release => Box::new(Release(me.clone())),
            Asked::Cancel => {
                (self.cancelled, self.awake) = (true, true);
                cx.notify(me);
                at_once(Value::Nothing)
            }
            Asked::LeaseHolders => Box::new(LeaseHolders { path: self.path.clone(), listed: false }),
        })
    }

    /// The leases have changed.
    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if event.kind != EventType::None {
            self.awake = true;
            cx.notify(me);
        }
    }

    /// `_watch_session`: only the end of the session counts, and only once.
    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Lost && std::mem::take(&mut self.listening) {
            (self.session_expired, self.awake) = (true, true);
            cx.notify(me);
        }
    }
}

/// `release()`: the delete, until it is done.
#[derive(Clone, Debug)]
struct Release(Rc<str>);

impl Release {
    fn delete(&self, cx: &mut Cx<'_>) -> Flow {
        let Some(semaphore) = cx.object::<Semaphore>(&self.0) else { return Flow::Return(Err(Exception::gone())) };
        let Some(thread) = semaphore.holder else { return Flow::Return(Ok(Value::Bool(false))) };
        let (path, node, object) = (semaphore.path.clone(), semaphore.node.clone(), self.0.clone());
        cx.fact(Fact::Released { thread, object, path, reason: ReleaseReason::Released });
        Flow::Call(DeleteUntilDone::boxed(node))
    }
}

impl Frame for Release {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let Resume::Returned(outcome) = with else { return self.delete(cx) };
        if let (Ok(_), Some(semaphore)) = (&outcome, cx.object::<Semaphore>(&self.0)) {
            semaphore.holder = None;
        }
        Flow::Return(outcome.map(|_| Value::Bool(true)))
    }
}

/// `lease_holders()`: what the nodes hold, in the order in which the server lists them.
#[derive(Clone, Debug)]
struct LeaseHolders {
    path: Rc<str>,
    listed: bool,
}

impl Frame for LeaseHolders {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) => {
                Flow::Become(DataOf::boxed(&self.path, names))
            }
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) if !self.listed => {
                Flow::Return(Ok(Value::Names(Vec::new())))
            }
            Resume::Returned(Err(exception)) => Flow::Return(Err(exception)),
            Resume::Returned(Ok(_)) => {
                self.listed = true;
                Flow::Call(Ask::children(&self.path))
            }
            _ => Flow::Call(Ask::new(Request::Exists { path: self.path.clone(), watch: false })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::as_python_writes;

    #[test]
    fn bytes_stand_as_in_python() {
        for (text, written) in [
            ("c1", "b'c1'"),
            ("it's", "b\"it's\""),
            ("'\"", "b'\\'\"'"),
            ("a\\b\n", "b'a\\\\b\\n'"),
            ("é", "b'\\xc3\\xa9'"),
        ] {
            assert_eq!(as_python_writes(text), written);
        }
    }
}
