//! Create, with its parents as containers, and protected: the reply may be lost, and the node is found again by the unique
//! part of its name (`CreateBuilderImpl.java` `pathInForeground`, `findProtectedNodeInForeground`;
//! `FindAndDeleteProtectedNodeInBackground.java`).

use std::rc::Rc;

use crate::base::{SessionId, Way};
use crate::wire::{Acl, Answer, Bytes, Code, CreateMode, Data, Request, parent_of};

use super::delete::Delete;
use super::mkdirs::{Mkdirs, Next};
use super::op::Op;
use super::retry::{Patience, Retry};
use crate::rules::RecipeRule;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::fact::Fact;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// A create under way. It comes to `Answer::Created`, or to `Answer::Path` where the node was found again.
#[derive(Clone, Debug)]
pub(crate) struct Create {
    parent: Rc<str>,
    /// The name behind the unique part.
    name: Rc<str>,
    mode: CreateMode,
    /// The time to live, ms, where the mode has one.
    ttl_ms: i64,
    data: Data,
    /// The unique part of the name.
    guid: Option<Rc<str>>,
    makes_parents: bool,
    background: bool,
    /// The session that created first.
    session: Option<SessionId>,
    tried: bool,
    state: State,
    retry: Retry,
    patience: Patience,
}

#[derive(Clone, Debug)]
enum State {
    /// About to begin, for the first time or again.
    Beginning,
    Searching,
    Creating {
        parents_made: bool,
    },
    MakingParents(Mkdirs),
}

/// Where a path splits into its parent and its name.
fn split(path: &str) -> (Rc<str>, Rc<str>) {
    let parent = parent_of(path).unwrap_or("/");
    (parent.into(), path.rsplit('/').next().unwrap_or(path).into())
}

impl Create {
    /// A plain create.
    pub(crate) fn plain(path: &str, mode: CreateMode, data: Option<impl Into<Bytes>>) -> Create {
        let ((parent, name), data) = (split(path), data.map(Into::into));
        Create {
            parent,
            name,
            mode,
            ttl_ms: 0,
            data,
            guid: None,
            makes_parents: false,
            background: false,
            session: None,
            tried: false,
            state: State::Beginning,
            retry: Retry::default(),
            patience: Patience::default(),
        }
    }

    /// `withTtl`.
    pub(crate) fn with_ttl(mut self, ttl_ms: i64) -> Create {
        self.ttl_ms = ttl_ms;
        self
    }

    /// `withProtection`.
    pub(crate) fn protected(mut self, cx: &mut Cx<'_>) -> Create {
        self.guid = Some(cx.core.curator.guid().into());
        self
    }

    /// `creatingParentContainersIfNeeded`.
    pub(crate) fn with_parents(mut self) -> Create {
        self.makes_parents = true;
        self
    }

    /// `inBackground`.
    pub(crate) fn in_background(mut self) -> Create {
        self.background = true;
        self
    }

    /// The frame.
    pub(crate) fn boxed(self) -> Boxed {
        Box::new(self)
    }

    fn prefix(guid: &str) -> String {
        format!("_c_{guid}-")
    }

    /// The node's path; where the parent is the root without a double slash.
    fn path(&self) -> Rc<str> {
        let prefix = self.guid.as_deref().map_or(String::new(), Create::prefix);
        format!("{}/{prefix}{}", self.parent.trim_end_matches('/'), self.name).into()
    }

    fn begin(&mut self, cx: &mut Cx<'_>) -> Flow {
        match self.patience.wait(cx) {
            Err(exception) => self.failed(cx, exception),
            Ok(Some(wait)) => wait,
            Ok(None) if self.tried && self.guid.is_some() => {
                self.state = State::Searching;
                cx.ask(Request::GetChildren { path: self.parent.clone(), watch: false, stat: false })
            }
            Ok(None) => self.create(cx, false),
        }
    }

    fn create(&mut self, cx: &mut Cx<'_>, parents_made: bool) -> Flow {
        self.state = State::Creating { parents_made };
        self.tried = true;
        self.session.get_or_insert(cx.library.session);
        cx.ask(Request::Create {
            path: self.path(),
            data: self.data.clone(),
            acl: Acl::open(),
            mode: self.mode,
            ttl: self.ttl_ms,
            stat: true,
            flags: None,
        })
    }

    /// What is above the node is looked for and made.
    fn make_parents(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (mkdirs, first) = Mkdirs::begin(self.path(), false, cx.breaks(Way::ParentsFromBelow));
        self.state = State::MakingParents(mkdirs);
        self.go_on(cx, first)
    }

    fn go_on(&mut self, cx: &mut Cx<'_>, next: Next) -> Flow {
        match next {
            Next::Ask(request) => cx.ask(request),
            // in the background the whole operation is queued again, and so looks for its node first
            Next::Done if self.background => self.begin(cx),
            Next::Done => self.create(cx, true),
        }
    }

    fn answered(&mut self, cx: &mut Cx<'_>, answer: Result<Answer, Exception>) -> Flow {
        let no_node = matches!(answer, Err(Exception::Keeper(Code::NoNode)));
        if let State::MakingParents(mkdirs) = &mut self.state
            && let Some(next) = mkdirs.next(&answer)
        {
            return self.go_on(cx, next);
        }
        match (&self.state, answer) {
            (State::Creating { .. }, Ok(answer)) => Flow::Return(Ok(Value::Answer(answer))),
            (State::Creating { parents_made: false }, Err(_)) if no_node && self.makes_parents => {
                self.make_parents(cx)
            }
            (State::Searching, Ok(Answer::Children { names, .. })) => self.searched(cx, &names),
            (State::Searching, Err(_)) if no_node => self.create(cx, false),
            (_, Ok(_)) => self.begin(cx),
            (_, Err(exception)) => self.failed(cx, exception),
        }
    }

    /// Looks for a node with the own unique part. One of a dead session is no use: it will vanish (CURATOR-498).
    fn searched(&mut self, cx: &mut Cx<'_>, names: &[Rc<str>]) -> Flow {
        let prefix = Create::prefix(self.guid.as_deref().unwrap_or_default());
        let Some(name) = names.iter().find(|name| name.starts_with(&prefix)) else { return self.create(cx, false) };
        let path: Rc<str> = format!("{}/{name}", self.parent.trim_end_matches('/')).into();
        let own = !self.mode.is_ephemeral() || self.session == Some(cx.library.session);
        cx.fact(Fact::FoundProtected { thread: cx.thread, node: path.clone(), own });
        if own || cx.breaks(RecipeRule::AnySession) {
            return Flow::Return(Ok(Value::Answer(Answer::Path(path))));
        }
        cx.start(Delete::in_background(path), None);
        self.session = None;
        self.create(cx, false)
    }

    fn failed(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Flow {
        self.state = State::Beginning;
        match self.retry.again(cx, &exception) {
            Some(until) => Flow::sleep(until),
            None => {
                if self.background && exception.is_retryable() {
                    cx.suspended();
                }
                self.clean_up(cx, &exception);
                Flow::Return(Err(exception))
            }
        }
    }

    /// The node may be there all the same: it is looked for and deleted.
    fn clean_up(&self, cx: &mut Cx<'_>, exception: &Exception) {
        let doubtful = matches!(exception, Exception::Interrupted | Exception::Keeper(Code::ConnectionLoss));
        let cleans = self.tried && !cx.breaks(RecipeRule::NoCleanUp);
        if let (Some(guid), true, true) = (&self.guid, cleans, doubtful) {
            let frame = FindAndDelete { parent: self.parent.clone(), prefix: Create::prefix(guid).into() };
            cx.start(Box::new(frame), None);
        }
    }
}

impl Frame for Create {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Answer(outcome) => self.answered(cx, outcome.map_err(Exception::from)),
            Resume::Woken(Wake::Interrupted) => {
                self.clean_up(cx, &Exception::Interrupted);
                Flow::Return(Err(Exception::Interrupted))
            }
            Resume::Start | Resume::Returned(_) | Resume::Woken(_) => self.begin(cx),
        }
    }
}

/// Looks for a protected node until the ensemble has answered, and deletes it.
#[derive(Clone, Debug)]
struct FindAndDelete {
    parent: Rc<str>,
    prefix: Rc<str>,
}

impl FindAndDelete {
    fn found(&self, outcome: &Outcome) -> Option<Rc<str>> {
        let Ok(Value::Answer(Answer::Children { names, .. })) = outcome else { return None };
        let name = names.iter().find(|name| name.starts_with(&*self.prefix))?;
        Some(format!("{}/{name}", self.parent.trim_end_matches('/')).into())
    }
}

impl Frame for FindAndDelete {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Err(exception)) if exception.is_retryable() => {
                Flow::sleep(cx.now.plus(cx.core.curator.config.base_sleep_ms.max(1) * 1000))
            }
            Resume::Returned(outcome) => match self.found(&outcome) {
                Some(path) => Flow::Become(Delete::in_background(path)),
                None => Flow::Return(Ok(Value::Nothing)),
            },
            _ => {
                let path = self.parent.clone();
                Flow::Call(Op::background(Request::GetChildren { path, watch: false, stat: false }, None))
            }
        }
    }
}
