//! SharedCount over SharedValue (`SharedCount.java`, `SharedValue.java`): a number in a persistent node, of which every
//! client keeps a copy with its version. A watch has the copy read again; listeners hear of what is read, not of every change.
//!
//! In 5.4.0 what has a larger version is newer; so the copy stays as it is when versions begin anew. Since CURATOR-688 (5.7.0) what
//! has a larger mzxid is.
//!
//! The number is four bytes, the highest first.

use std::rc::Rc;
use std::str::FromStr;

use crate::base::{Way, Zxid};
use crate::wire::{Answer, Code, CreateMode, Data, EventType, Request, Stat, WatchedEvent};

use crate::curator::{ConnectionState, Create, Instead, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};

/// `UNINITIALIZED_VERSION`; in a request it means any.
const UNREAD: i32 = -1;

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Start "start", GetCount "getCount", SetCount "setCount", TrySetCount "trySetCount", Close "close" }

/// A shared number.
#[derive(Clone, Debug)]
pub(crate) struct SharedCount {
    path: Rc<str>,
    /// What it is where nobody has set it.
    seed: u32,
    started: bool,
    known: Known,
    /// Whether newer is what has a larger mzxid.
    by_mzxid: bool,
}

/// What was read or written last: `VersionedValue`.
#[derive(Clone, Debug)]
struct Known {
    mzxid: Zxid,
    version: i32,
    value: Data,
}

impl SharedCount {
    pub(crate) fn new(recipe: &Recipe, cx: &Cx<'_>) -> SharedCount {
        let seed = recipe.count.unwrap_or(0);
        SharedCount {
            path: recipe.path.clone(),
            seed,
            started: false,
            known: Known { mzxid: Zxid::ZERO, version: UNREAD, value: bytes(seed.cast_signed()) },
            by_mzxid: cx.breaks(Way::NewerByMzxid),
        }
    }

    /// `updateValue`: an older one is no news.
    fn update(&mut self, data: Data, stat: &Stat) {
        let newer = match self.by_mzxid {
            true => stat.mzxid > self.known.mzxid,
            false => stat.version > self.known.version,
        };
        if newer {
            self.known = Known { mzxid: stat.mzxid, version: stat.version, value: data };
        }
    }

    /// Reads again in the background, with a watch.
    fn read(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let request = Request::GetData { path: self.path.clone(), watch: true };
        cx.start(Op::background(request, Some(me)), Some((me, "read")));
    }
}

impl Known {
    /// `fromBytes`: what stands behind four bytes is not looked at.
    fn number(&self) -> Result<Rc<str>, Exception> {
        let Some(bytes) = &self.value else { return Err(Exception::java("NullPointerException", "")) };
        let bytes = bytes.first_chunk().ok_or_else(|| Exception::java("BufferUnderflowException", ""))?;
        Ok(i32::from_be_bytes(*bytes).to_string().into())
    }
}

/// A whole number, as `setCount` and its like want one.
pub(crate) fn number<T: FromStr>(data: &Option<Rc<str>>) -> Result<T, Exception> {
    let text = data.as_deref().unwrap_or_default();
    text.parse().map_err(|_| Exception::java("NumberFormatException", text))
}

/// `toBytes`.
fn bytes(number: i32) -> Data {
    Some(number.to_be_bytes().into())
}

impl Object for SharedCount {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let object = me.clone();
        let known = |state| Ok(Box::new(Access { object, state, value: None }) as Boxed);
        match Asked::of(method)? {
            Asked::Start if self.started => Err(Exception::state("Cannot be started more than once")),
            Asked::Start => {
                self.started = true;
                known(State::Seeding)
            }
            _ if !self.started => Err(Exception::state("not started")),
            Asked::GetCount => known(State::Knowing),
            Asked::SetCount | Asked::TrySetCount => {
                let value = bytes(number(&method.data)?);
                let state = State::Setting { versioned: &*method.method == "trySetCount" };
                Ok(Box::new(Access { object: me.clone(), state, value }))
            }
            Asked::Close => {
                self.started = false;
                cx.remove_watchers(me);
                Ok(at_once(Value::Nothing))
            }
        }
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        if self.started && event.kind != EventType::None {
            self.read(me, cx);
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if self.started {
            cx.fact(Fact::Callback { object: me.clone(), callback: "stateChanged" });
        }
        if self.started && matches!(state, ConnectionState::Connected | ConnectionState::Reconnected) {
            self.read(me, cx);
        }
    }

    fn finished(&mut self, me: &Rc<str>, _: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        if let Ok(Value::Answer(Answer::Data { data, stat })) = outcome
            && self.started
        {
            self.update(data, &stat);
            // where it is no number the listener is not called: the exception is only logged
            let Ok(about) = self.known.number() else { return };
            let (thread, object) = (ThreadId::MAIN, me.clone());
            cx.fact(Fact::Told { thread, object, what: "count_changed", about });
        }
    }
}

/// A method of it.
#[derive(Clone, Debug)]
struct Access {
    object: Rc<str>,
    state: State,
    value: Data,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// `start`: the node is made where it is missing.
    Seeding,
    /// `start`: the first read, with the watch.
    Reading,
    /// The copy's value is wanted.
    Knowing,
    /// Written, perhaps only over the version that the copy has.
    Setting { versioned: bool },
    /// Another was quicker: its value is read.
    ReadingAgain,
}

impl Access {
    fn begin(&mut self, count: &SharedCount) -> Flow {
        let path = count.path.clone();
        match self.state {
            State::Seeding => {
                let seed = bytes(count.seed.cast_signed());
                let create = Create::plain(&path, CreateMode::Persistent, seed).with_parents();
                Flow::Call(Instead::ignoring(Code::NodeExists, create.boxed()))
            }
            State::Setting { versioned: true } if count.by_mzxid && count.known.version == UNREAD => {
                let why = "overflowed Stat.version -1 is not suitable for trySet";
                Flow::Return(Err(Exception::java("IllegalTrySetVersionException", why)))
            }
            State::Setting { versioned } => {
                let version = if versioned { count.known.version } else { -1 };
                Flow::Call(Op::new(Request::SetData { path, data: self.value.clone(), version }))
            }
            _ => Flow::Return(count.known.number().map(|number| Value::Text(Some(number)))),
        }
    }

    fn returned(&mut self, count: &mut SharedCount, outcome: Outcome) -> Flow {
        let read = |object: &Rc<str>| {
            Flow::Call(Op::watching(Request::GetData { path: count.path.clone(), watch: true }, object))
        };
        match (self.state, outcome) {
            (State::Seeding, Ok(_)) => {
                self.state = State::Reading;
                read(&self.object)
            }
            (State::Setting { versioned: true }, Err(Exception::Keeper(Code::BadVersion))) => {
                self.state = State::ReadingAgain;
                read(&self.object)
            }
            (State::Reading | State::ReadingAgain, Ok(Value::Answer(Answer::Data { data, stat }))) => {
                count.update(data, &stat);
                Flow::Return(Ok(if self.state == State::Reading { Value::Nothing } else { Value::Bool(false) }))
            }
            (State::Setting { versioned }, Ok(Value::Answer(Answer::Stat(stat)))) => {
                count.update(self.value.clone(), &stat);
                Flow::Return(Ok(if versioned { Value::Bool(true) } else { Value::Nothing }))
            }
            (_, outcome) => Flow::Return(outcome),
        }
    }
}

impl Frame for Access {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let object = self.object.clone();
        let Some(count) = cx.object::<SharedCount>(&object) else { return Flow::Return(Err(Exception::gone())) };
        match with {
            Resume::Returned(outcome) => self.returned(count, outcome),
            _ => self.begin(count),
        }
    }
}
