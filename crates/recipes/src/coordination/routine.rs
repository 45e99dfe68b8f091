//! What the uses have in common: a program that looks at znodes, decides, writes, and waits until a watch or a time wakes it.
//! It never trusts an event's word: each round begins with a look, so that a lost event or a new session need no care of
//! their own.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;

use crate::base::{Arrange, SessionId, SimTime};
use crate::wire::{Acl, Answer, Bytes, Code, CreateMode, Request, Stat};

use crate::curator::{Create, Op};
use crate::runtime::context::{Boxed, Cx, Frame, Object};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Outcome, Value};

/// A round that failed, or met somebody quicker, is begun again after this time, ms.
const AFTER_FAILURE_MS: u64 = 100;

/// A znode to be looked at. Where it is missing and a watch is wanted, its creation is watched for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Look {
    Children { path: Rc<str>, watch: bool },
    Data { path: Rc<str>, watch: bool },
}

impl Look {
    pub(crate) fn children(path: impl Into<Rc<str>>, watch: bool) -> Look {
        Look::Children { path: path.into(), watch }
    }

    pub(crate) fn data(path: impl Into<Rc<str>>, watch: bool) -> Look {
        Look::Data { path: path.into(), watch }
    }

    fn path(&self) -> (&Rc<str>, bool) {
        let (Look::Children { path, watch } | Look::Data { path, watch }) = self;
        (path, *watch)
    }

    fn request(&self) -> Request {
        match self.clone() {
            Look::Children { path, watch } => Request::GetChildren { path, watch, stat: false },
            Look::Data { path, watch } => Request::GetData { path, watch },
        }
    }
}

/// What a round has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    answers: BTreeMap<Look, Option<Answer>>,
    pub now: SimTime,
    pub session: SessionId,
}

impl Seen {
    fn answer(&self, is: impl Fn(&Look) -> bool) -> Option<&Answer> {
        self.answers.iter().find(|(look, _)| is(look)).and_then(|(_, answer)| answer.as_ref())
    }

    /// The children's names in order; none where the node is missing or was not looked at.
    pub(crate) fn names(&self, path: &str) -> Option<&[Rc<str>]> {
        match self.answer(|look| matches!(look, Look::Children { path: seen, .. } if **seen == *path)) {
            Some(Answer::Children { names, .. }) => Some(names),
            _ => None,
        }
    }

    /// A node's data, a text here, and its Stat.
    pub(crate) fn data(&self, path: &str) -> Option<(Cow<'_, str>, &Stat)> {
        match self.answer(|look| matches!(look, Look::Data { path: seen, .. } if **seen == *path)) {
            Some(Answer::Data { data, stat }) => Some((data.as_ref().map_or("".into(), Bytes::shown), stat)),
            _ => None,
        }
    }

    /// Whether the node is there and belongs to the present session.
    pub(crate) fn owns(&self, path: &str) -> bool {
        self.data(path).is_some_and(|(_, stat)| stat.ephemeral_owner == self.session)
    }
}

/// What a round does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decision {
    pub writes: Vec<Request>,
    /// What is told before: a word, and about what.
    pub told: Vec<(&'static str, Rc<str>)>,
    /// The next round is due then, if nothing wakes it earlier.
    pub until: Option<SimTime>,
}

impl Decision {
    pub(crate) fn create(&mut self, path: &str, mode: CreateMode, data: &str) {
        let (path, data, acl) = (path.into(), Some(data.into()), Acl::open());
        self.writes.push(Request::Create { path, data, acl, mode, ttl: 0, stat: true, flags: None });
    }

    pub(crate) fn set(&mut self, path: &str, data: &str, stat: &Stat) {
        self.writes.push(Request::SetData { path: path.into(), data: Some(data.into()), version: stat.version });
    }

    pub(crate) fn delete(&mut self, path: &str) {
        self.writes.push(Request::Delete { path: path.into(), version: -1 });
    }

    /// Makes sure that an ephemeral node stands that belongs to the present session. One of a dead session must go first.
    pub(crate) fn register(&mut self, seen: &Seen, path: &str, data: &str) {
        if seen.data(path).is_none() {
            self.create(path, CreateMode::Ephemeral, data);
        }
    }

    pub(crate) fn wake_at(&mut self, at: SimTime) {
        self.until = Some(self.until.map_or(at, |until| until.min(at)));
    }

    /// Says something if it is other than what was said last.
    pub(crate) fn tell_change(&mut self, last: &mut Rc<str>, what: &'static str, about: &str) {
        if **last != *about || last.is_empty() {
            *last = about.into();
            self.told.push((what, about.into()));
        }
    }
}

/// An object with a routine. Off duty it looks at nothing and decides nothing.
pub(crate) trait Routine: Object + Clone {
    /// All that it wants to see, as far as what it has seen tells.
    fn looks(&self, seen: &Seen) -> Vec<Look>;

    fn decide(&mut self, seen: &Seen) -> Decision;
}

/// The loop of a routine.
#[derive(Debug)]
pub(crate) struct Rounds<T> {
    object: Rc<str>,
    seen: Seen,
    state: State,
    writes: VecDeque<Request>,
    until: Option<SimTime>,
    of: PhantomData<fn() -> T>,
}

#[derive(Clone, Debug)]
enum State {
    Beginning,
    Looking(Look),
    /// It was missing: is it still?
    Missing(Look),
    Writing,
}

impl<T> Clone for Rounds<T> {
    fn clone(&self) -> Self {
        let (object, seen, state) = (self.object.clone(), self.seen.clone(), self.state.clone());
        Rounds { object, seen, state, writes: self.writes.clone(), until: self.until, of: PhantomData }
    }
}

impl<T: Routine> Rounds<T> {
    /// Begins in the background; `alive` says whether it did so already.
    pub(crate) fn begin(alive: &mut bool, me: &Rc<str>, cx: &mut Cx<'_>) {
        if !std::mem::replace(alive, true) {
            let (object, seen, state, of) = (me.clone(), Seen::default(), State::Beginning, PhantomData::<fn() -> T>);
            cx.start(Box::new(Rounds { object, seen, state, writes: VecDeque::new(), until: None, of }), None);
        }
        cx.notify(me);
    }

    fn look(&mut self, cx: &mut Cx<'_>) -> Flow {
        let Some(object) = cx.object::<T>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let looks = object.looks(&self.seen);
        match looks.into_iter().find(|look| !self.seen.answers.contains_key(look)) {
            Some(look) => self.ask(look),
            None => self.decide(cx),
        }
    }

    fn ask(&mut self, look: Look) -> Flow {
        let (request, watch) = (look.request(), look.path().1);
        self.state = State::Looking(look);
        Flow::Call(if watch { Op::watching(request, &self.object) } else { Op::new(request) })
    }

    fn decide(&mut self, cx: &mut Cx<'_>) -> Flow {
        (self.seen.now, self.seen.session) = (cx.now, cx.library.session);
        let Some(object) = cx.object::<T>(&self.object) else { return Flow::Return(Err(Exception::gone())) };
        let decision = object.decide(&self.seen);
        for (what, about) in decision.told {
            let (thread, object) = (cx.thread, self.object.clone());
            cx.fact(match what {
                "consumed" => Fact::Consumed { thread, object, data: about.into() },
                _ => Fact::Told { thread, object, what, about },
            });
        }
        (self.until, self.writes) = (decision.until, decision.writes.into());
        self.write()
    }

    fn write(&mut self) -> Flow {
        self.state = State::Writing;
        match self.writes.pop_front() {
            Some(Request::Create { path, data, mode, .. }) => {
                Flow::Call(Create::plain(&path, mode, data).with_parents().boxed())
            }
            Some(request) => Flow::Call(Op::new(request)),
            None => {
                self.state = State::Beginning;
                Flow::Wait { on: Some(self.object.clone()), until: self.until }
            }
        }
    }

    fn again_later(&mut self, cx: &Cx<'_>) -> Flow {
        self.state = State::Beginning;
        Flow::sleep(cx.now.plus(AFTER_FAILURE_MS * 1000))
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        match (self.state.clone(), outcome) {
            (State::Looking(look), Ok(Value::Answer(mut answer))) => {
                if let Answer::Children { names, .. } = &mut answer {
                    names.arrange(); // the server has no order
                }
                self.seen.answers.insert(look, Some(answer));
                self.look(cx)
            }
            (State::Looking(look), Err(Exception::Keeper(Code::NoNode))) if look.path().1 => {
                let path = look.path().0.clone();
                self.state = State::Missing(look);
                Flow::Call(Op::watching(Request::Exists { path, watch: true }, &self.object))
            }
            (State::Looking(look) | State::Missing(look), Err(Exception::Keeper(Code::NoNode))) => {
                self.seen.answers.insert(look, None);
                self.look(cx)
            }
            (State::Missing(look), Ok(_)) => self.ask(look),
            (State::Writing, Ok(_)) => self.write(),
            (State::Writing, Err(Exception::Keeper(Code::NoNode | Code::NodeExists | Code::BadVersion))) => {
                self.until = Some(cx.now.plus(AFTER_FAILURE_MS * 1000));
                self.write()
            }
            _ => self.again_later(cx),
        }
    }
}

impl<T: Routine> Frame for Rounds<T> {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            _ => {
                self.seen = Seen { session: cx.library.session, ..Seen::default() };
                self.look(cx)
            }
        }
    }

    /// What happens while it looks and writes is worth another round.
    fn monitor(&self) -> Option<&Rc<str>> {
        Some(&self.object)
    }
}

/// A method that has done its work already.
#[derive(Clone, Debug)]
pub(crate) struct Done(Value);

impl Done {
    pub(crate) fn boxed() -> Boxed {
        Box::new(Done(Value::Nothing))
    }

    pub(crate) fn text(text: Option<Rc<str>>) -> Boxed {
        Box::new(Done(Value::Text(text)))
    }
}

impl Frame for Done {
    fn resume(&mut self, _: &mut Cx<'_>, _: Resume) -> Flow {
        Flow::Return(Ok(self.0.clone()))
    }
}

/// `root/name`, also below `/`.
pub(crate) fn below(root: &str, name: &str) -> String {
    format!("{}/{name}", root.trim_end_matches('/'))
}

/// A word that is wanted with a method.
///
/// # Errors
/// None was given, or it is no name.
pub(crate) fn name(data: &Option<Rc<str>>) -> Result<&Rc<str>, Exception> {
    let is_name = |text: &&Rc<str>| !text.is_empty() && !text.contains(['/', ' ']) && !text.starts_with('.');
    data.as_ref().filter(is_name).ok_or_else(|| Exception::java("IllegalArgumentException", "a name is wanted"))
}
