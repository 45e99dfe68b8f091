//! InterProcessReadWriteLock (`InterProcessReadWriteLock.java`): readers and writers stand in one queue. A writer waits for the
//! node before its own, a reader for the first writer; readers pass readers. Both locks are re-entrant, and the holder of the
//! write lock may take the read lock.
//!
//! In 5.4.0, which the recordings are of, a downgrading reader queues behind writers that wait already; since CURATOR-621
//! it takes its own writer's number instead (`keeps_place`).

use std::rc::Rc;

use crate::locks::mutex::{BrokenRules, Mutex, Rule};
use crate::locks::revocation::Nodes;
use crate::runtime::context::{Boxed, Cx, Object};
use crate::runtime::fact::Share;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::Exception;
use crate::sorting::name_of;

const READ: &str = "__READ__";
pub(crate) const WRITE: &str = "__WRIT__";

/// Words that change it.
pub(crate) const WORDS: &[&str] = &["keeps_place", "unprotected"];

methods! {
    ReadAcquire "read.acquire",
    ReadRelease "read.release",
    WriteAcquire "write.acquire",
    WriteRelease "write.release",
    ReadParticipants "read.participants",
    WriteParticipants "write.participants",
}

/// What stands behind either marker: both kinds share one order.
fn after_marker(child: &str) -> &str {
    let at = child.rfind(READ).or_else(|| child.rfind(WRITE));
    at.map_or(child, |at| &child[at + READ.len()..])
}

/// Both locks; they are parts of the program's objects under `name/read` and `name/write`.
#[derive(Clone, Debug)]
pub(crate) struct ReadWrite {
    read: Rc<str>,
    write: Rc<str>,
}

impl ReadWrite {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> ReadWrite {
        let (read, write): (Rc<str>, Rc<str>) = (format!("{name}/read").into(), format!("{name}/write").into());
        let lock = Mutex { key_of: after_marker, flaw: BrokenRules::of(recipe), ..Mutex::at(&recipe.path) };
        let rule = Rule::Reader { write_lock: write.clone(), keeps_place: recipe.has("keeps_place") };
        let reader = Mutex { node_name: READ, rule, share: Share::Read, ..lock.clone() };
        let writer = Mutex { node_name: WRITE, ..lock };
        cx.core.objects.0.insert(read.clone(), Box::new(reader));
        cx.core.objects.0.insert(write.clone(), Box::new(writer));
        ReadWrite { read, write }
    }
}

impl Object for ReadWrite {
    fn call(&mut self, _: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let limit = method.timeout_ms.map(|ms| ms * 1000);
        match Asked::of(method)? {
            Asked::ReadAcquire => Ok(Mutex::acquire(&self.read, limit)),
            Asked::ReadRelease => Ok(Mutex::release(&self.read)),
            Asked::WriteAcquire => Ok(Mutex::acquire(&self.write, limit)),
            Asked::WriteRelease => Ok(Mutex::release(&self.write)),
            Asked::ReadParticipants => participants(&self.read, cx),
            Asked::WriteParticipants => participants(&self.write, cx),
        }
    }
}

fn participants(part: &str, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
    cx.object::<Mutex>(part).map(|lock| Nodes::of(lock)).ok_or_else(Exception::gone)
}

/// The node of a reader that holds the write lock already: its own writer's number, so that it keeps its place.
pub(crate) fn downgraded(cx: &mut Cx<'_>, rule: &Rule, thread: ThreadId) -> Option<String> {
    let Rule::Reader { write_lock, keeps_place: true } = rule else { return None };
    let lock = cx.object::<Mutex>(write_lock)?;
    let number = after_marker(name_of(&lock.holds.get(&thread)?.node));
    Some(format!("{}/{READ}{number}", lock.path))
}
