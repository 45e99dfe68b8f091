//! Asking for a lock (`Revoker.java`, `LockInternals.java` `makeRevocable`, `checkRevocableWatcher`), and who stands in its queue
//! (`getParticipantNodes`). A holder that made its lock revocable watches its own node's data; whoever wants the lock writes a
//! word there, and the holder's listener is called. It need not give in.

use std::rc::Rc;

use crate::wire::{Answer, Code, EventType, Request, WatchedEvent};

use crate::curator::{Instead, Op};
use crate::locks::mutex::Mutex;
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::{child_of, sorted};

/// What is written into the node.
const WORD: &str = "__REVOKE__";

/// The Watcher of own nodes: a part of the program's objects beside its lock.
#[derive(Clone, Debug)]
pub(crate) struct Revocation {
    lock: Rc<str>,
}

/// What the Watcher of a lock's own nodes is called.
pub(crate) fn watcher_of(lock: &str) -> Rc<str> {
    format!("{lock}/revocation").into()
}

/// The read that sets the watch on a lock's own node.
fn read(path: &Rc<str>) -> Request {
    Request::GetData { path: path.clone(), watch: true }
}

impl Revocation {
    /// Puts the Watcher beside its lock.
    pub(crate) fn stand_by(lock: &Rc<str>, cx: &mut Cx<'_>) {
        let revocation = Revocation { lock: lock.clone() };
        cx.core.objects.0.insert(watcher_of(lock), Box::new(revocation));
    }

    /// Watches an own node, right after it was created. What it reads is not looked at: a request that was quicker is missed.
    pub(crate) fn watch(lock: &str, node: &Rc<str>) -> Boxed {
        Op::watching(read(node), &watcher_of(lock))
    }
}

impl Object for Revocation {
    fn call(&mut self, _: &Rc<str>, method: &Method, _: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Err(method.unknown())
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        let listened = cx.object::<Mutex>(&self.lock).is_some_and(|lock| lock.revocable);
        if let (EventType::NodeDataChanged, Some(path), true) = (event.kind, &event.path, listened) {
            cx.start(Op::watching(read(path), me), Some((me, "read")));
        }
    }

    fn finished(&mut self, _: &Rc<str>, _: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        let Ok(Value::Answer(Answer::Data { data: Some(data), .. })) = outcome else { return };
        let listened = cx.object::<Mutex>(&self.lock).is_some_and(|lock| lock.revocable);
        if *data == *WORD.as_bytes() && listened {
            cx.fact(Fact::Callback { object: self.lock.clone(), callback: "revocationRequested" });
        }
    }
}

/// Lists the nodes of a lock.
#[derive(Clone, Debug)]
pub(crate) struct Nodes {
    path: Rc<str>,
    node_name: &'static str,
    key_of: fn(&str) -> &str,
    /// The first one is asked to leave.
    revokes: bool,
}

impl Nodes {
    /// `getParticipantNodes`: paths in the order of the queue.
    pub(crate) fn of(lock: &Mutex) -> Boxed {
        Box::new(Nodes { path: lock.path.clone(), node_name: lock.node_name, key_of: lock.key_of, revokes: false })
    }

    /// `attemptRevoke` of a node; of the first one where none is named.
    pub(crate) fn revoke(lock: &Mutex, node: Option<&Rc<str>>) -> Boxed {
        match node {
            Some(node) => revoke(node.clone()),
            None => {
                let (path, node_name, key_of) = (lock.path.clone(), lock.node_name, lock.key_of);
                Box::new(Nodes { path, node_name, key_of, revokes: true })
            }
        }
    }

    /// The other kind of a read/write lock has its nodes in the same place.
    fn listed(&self, names: Vec<Rc<str>>) -> Flow {
        let own = names.into_iter().filter(|name| name.contains(self.node_name)).collect();
        let paths = sorted(own, self.key_of).iter().map(|name| child_of(&self.path, name)).collect::<Vec<_>>();
        match paths.first() {
            Some(first) if self.revokes => Flow::Become(revoke(first.clone())),
            _ if self.revokes => Flow::Return(Ok(Value::Nothing)),
            _ => Flow::Return(Ok(Value::Names(paths))),
        }
    }
}

fn revoke(path: Rc<str>) -> Boxed {
    let request = Request::SetData { path, data: Some(WORD.into()), version: -1 };
    Instead::ignoring(Code::NoNode, Op::new(request))
}

impl Frame for Nodes {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) => self.listed(names),
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) => self.listed(Vec::new()),
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => Flow::Call(Op::children(&self.path)),
        }
    }
}
