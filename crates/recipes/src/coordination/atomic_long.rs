//! DistributedAtomicLong (`DistributedAtomicLong.java`, `DistributedAtomicValue.java`): read, add, and write over the version
//! that was read; whoever was slower tries again, at last under a lock where one is given. A call may fail: then it gives
//! back `null`, otherwise the number that it made.
//!
//! The number is eight bytes, the highest first.

use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, Request};

use crate::coordination::shared_count::number;
use crate::curator::{Create, Op, Retry};
use crate::locks::mutex::Mutex;
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Get "get", Increment "increment", Decrement "decrement", Add "add" }

/// How long it waits for the lock (`PromotedToLock.java` `maxLockTime`).
const MAX_LOCK_US: u64 = 60_000_000;

/// A number. Its path may be followed by that of a lock (`PromotedToLock`).
#[derive(Clone, Debug)]
pub(crate) struct AtomicLong {
    path: Rc<str>,
    /// The lock, a part of the program's objects.
    lock: Option<Rc<str>>,
}

impl AtomicLong {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> AtomicLong {
        let mut paths = recipe.path.split(' ').map(Rc::from);
        let path = paths.next().unwrap_or_default();
        let lock = paths.next().map(|path| {
            let part: Rc<str> = format!("{name}/lock").into();
            cx.core.objects.0.insert(part.clone(), Box::new(Mutex { tells: false, ..Mutex::at(&path) }));
            part
        });
        AtomicLong { path, lock }
    }
}

impl Object for AtomicLong {
    fn call(&mut self, me: &Rc<str>, method: &Method, _: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let by = match Asked::of(method)? {
            Asked::Get => None,
            Asked::Increment => Some(1),
            Asked::Decrement => Some(-1),
            Asked::Add => Some(number(&method.data)?),
        };
        let (object, path, lock) = (me.clone(), self.path.clone(), self.lock.clone());
        Ok(Box::new(Add { object, path, lock, by, locked: false, retry: Retry::default(), state: State::Reading }))
    }
}

/// `bytesToValue`: no bytes are 0, and what stands behind eight of them is not looked at.
fn number_in(path: &str, data: &[u8]) -> Result<i64, Exception> {
    match data.first_chunk() {
        Some(bytes) => Ok(i64::from_be_bytes(*bytes)),
        None if data.is_empty() => Ok(0),
        None => {
            let bytes: Vec<String> = data.iter().map(|byte| format!("{byte:#x}")).collect();
            let message = format!("Corrupted data for node \"{path}\": [{}]", bytes.join(", "));
            Err(Exception::java("RuntimeException", &message))
        }
    }
}

/// `trySet`, `tryOptimistic`, `tryWithMutex`.
#[derive(Clone, Debug)]
struct Add {
    object: Rc<str>,
    path: Rc<str>,
    lock: Option<Rc<str>>,
    /// How much; none only reads.
    by: Option<i64>,
    locked: bool,
    retry: Retry,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    Reading,
    Writing(i64),
    Pausing,
    Locking,
    /// The lock is given back; then the call ends so.
    Unlocking(Outcome),
}

impl Add {
    fn read(&mut self) -> Flow {
        self.state = State::Reading;
        Flow::Call(Op::new(Request::GetData { path: self.path.clone(), watch: false }))
    }

    /// The node is there with this number and version, or is not there.
    fn write(&mut self, cx: &mut Cx<'_>, old: i64, version: Option<i32>) -> Flow {
        let Some(by) = self.by else { return self.end(cx, Ok(Value::Text(Some(old.to_string().into())))) };
        let new = old.wrapping_add(by);
        self.state = State::Writing(new);
        let (path, data) = (self.path.clone(), Some(new.to_be_bytes().into()));
        Flow::Call(match version {
            Some(version) => Op::new(Request::SetData { path, data, version }),
            None => Create::plain(&path, CreateMode::Persistent, data).with_parents().boxed(),
        })
    }

    /// Somebody else was quicker, or so it seems.
    fn again(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object, about) = (cx.thread, self.object.clone(), self.path.clone());
        cx.fact(Fact::Told { thread, object, what: "lost_race", about });
        match (self.retry.allowed(cx), &self.lock) {
            (Some(until), _) if !self.locked => {
                self.state = State::Pausing;
                Flow::sleep(until)
            }
            (_, Some(lock)) if !self.locked => {
                self.state = State::Locking;
                Flow::Call(Mutex::acquire(lock, Some(MAX_LOCK_US)))
            }
            _ => self.end(cx, Ok(Value::Text(None))),
        }
    }

    fn end(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        if let (Some(_), Ok(Value::Text(Some(text)))) = (self.by, &outcome) {
            let (thread, object, about) = (cx.thread, self.object.clone(), text.clone());
            cx.fact(Fact::Told { thread, object, what: "made_it", about });
        }
        match &self.lock {
            Some(lock) if self.locked => {
                self.state = State::Unlocking(outcome);
                Flow::Call(Mutex::release(lock))
            }
            _ => Flow::Return(outcome),
        }
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Reading, Ok(Value::Answer(Answer::Data { data, stat }))) => {
                match number_in(&self.path, data.as_deref().unwrap_or_default()) {
                    Ok(old) => self.write(cx, old, Some(stat.version)),
                    Err(corrupted) => self.end(cx, Err(corrupted)),
                }
            }
            (State::Reading, Err(Exception::Keeper(Code::NoNode))) => self.write(cx, 0, None),
            (State::Writing(new), Ok(_)) => self.end(cx, Ok(Value::Text(Some(new.to_string().into())))),
            (State::Writing(_), Err(Exception::Keeper(Code::BadVersion | Code::NodeExists | Code::NoNode))) => {
                self.again(cx)
            }
            (State::Locking, Ok(Value::Bool(true))) => {
                self.locked = true;
                self.read()
            }
            (State::Locking, Ok(_)) => self.end(cx, Ok(Value::Text(None))),
            (State::Unlocking(outcome), _) => Flow::Return(outcome),
            (_, outcome) => self.end(cx, outcome),
        }
    }
}

impl Frame for Add {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => self.end(cx, Err(Exception::Interrupted)),
            _ => self.read(),
        }
    }
}
