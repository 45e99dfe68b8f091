//! The read/write lock whose waiters all watch all children of the lock's node: a herd. Whoever comes or goes wakes everybody
//! that waits, and each gets the whole list. The queue's order is that of the careful lock ("Shared Locks" of ZooKeeper's
//! recipes page); only what is watched differs.

use std::rc::Rc;

use crate::locks::predecessor_lock::HandLock;
use crate::runtime::context::{Boxed, Cx, Object};
use crate::runtime::fact::Share;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::Exception;

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! {
    ReadAcquire "read.acquire",
    ReadRelease "read.release",
    WriteAcquire "write.acquire",
    WriteRelease "write.release",
}

/// Both locks; they are parts of the program's objects under `name/read` and `name/write`.
#[derive(Clone, Debug)]
pub(crate) struct WatchAllLock {
    read: Rc<str>,
    write: Rc<str>,
}

impl WatchAllLock {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> WatchAllLock {
        let (read, write): (Rc<str>, Rc<str>) = (format!("{name}/read").into(), format!("{name}/write").into());
        let lock = HandLock { watches_all: true, ..HandLock::new(recipe, cx) };
        let reader = HandLock { node_name: "read-", share: Share::Read, ..lock.clone() };
        let writer = HandLock { node_name: "write-", ..lock };
        cx.core.objects.0.insert(read.clone(), Box::new(reader));
        cx.core.objects.0.insert(write.clone(), Box::new(writer));
        WatchAllLock { read, write }
    }
}

/// Releases one of both.
fn release(part: &str, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
    cx.with(part, HandLock::release).unwrap_or_else(|| Err(Exception::gone()))
}

impl Object for WatchAllLock {
    fn call(&mut self, _: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::ReadAcquire => Ok(HandLock::acquire(&self.read, method)),
            Asked::ReadRelease => release(&self.read, cx),
            Asked::WriteAcquire => Ok(HandLock::acquire(&self.write, method)),
            Asked::WriteRelease => release(&self.write, cx),
        }
    }
}
