//! What kazoo's recipes stand on (`kazoo/client.py`, `kazoo/retry.py`): requests that wait for a connection as long as there is
//! none, retries without an end, paths that are made where they are missing.

use std::rc::Rc;

use crate::base::{Micros, SessionId, SimTime, Way};
use crate::client::State;
use crate::wire::{Acl, Answer, Code, CreateMode, Request};

use crate::curator::CONNECTION;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Value};
use crate::sorting::child_of;

/// The first pause between two tries, µs.
const FIRST_PAUSE: Micros = 100_000;
/// The longest one, µs.
const LONGEST_PAUSE: Micros = 60_000_000;

/// The program is one of kazoo's, and its library is: only a server ends its session, whatever ZooKeeper's own client does.
pub(super) fn take_over(cx: &mut Cx<'_>) {
    cx.core.curator.is_kazoo = true;
    cx.library.config.expires = false;
    cx.library.config.stop_cuts = cx.breaks(Way::StopCuts);
}

/// One request (`KazooClient._call`). While the client connects it waits in the client's queue, whoever is tried; when the
/// session turns out to be over it fails. Nothing is tried again.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    request: Request,
    watcher: Option<Rc<str>>,
    /// The session in which it waits for a connection.
    session: Option<SessionId>,
}

impl Ask {
    #[expect(clippy::new_ret_no_self, reason = "frames are only ever boxed")]
    pub(crate) fn new(request: Request) -> Boxed {
        Box::new(Ask { request, watcher: None, session: None })
    }

    /// With a watch for an object.
    pub(crate) fn watching(request: Request, watcher: &Rc<str>) -> Boxed {
        Box::new(Ask { request, watcher: Some(watcher.clone()), session: None })
    }

    /// `get_children`.
    pub(crate) fn children(path: &Rc<str>) -> Boxed {
        Ask::new(Request::GetChildren { path: path.clone(), watch: false, stat: false })
    }

    /// `create`.
    pub(crate) fn create(path: Rc<str>, data: Rc<str>, mode: CreateMode) -> Boxed {
        let (data, acl) = (Some(data.into()), Acl::open());
        Ask::new(Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None })
    }

    fn send(&mut self, cx: &mut Cx<'_>) -> Flow {
        let session = Some(cx.library.session).filter(|session| *session != SessionId::NONE);
        if cx.library.state == State::Closed {
            return Flow::Return(Err(Exception::java("ConnectionClosedError", "Connection has been closed")));
        }
        if !cx.core.curator.connected {
            self.session = self.session.or(session);
            return Flow::Wait { on: Some(CONNECTION.into()), until: None };
        }
        match &self.watcher {
            _ if self.session.is_some() && self.session != session => {
                Flow::Return(Err(Exception::Keeper(Code::SessionExpired)))
            }
            Some(watcher) => cx.ask_watching(self.request.clone(), watcher),
            None => cx.ask(self.request.clone()),
        }
    }
}

impl Frame for Ask {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Answer(answer) => Flow::Return(answer.map(Value::Answer).map_err(Exception::from)),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Start | Resume::Returned(_) | Resume::Woken(_) => self.send(cx),
        }
    }
}

/// `ensure_path`: asks for the node, then for its parents up to the first that is there, and makes what is missing. It comes to
/// whether the node was there, or was made by somebody else meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct EnsurePath {
    path: Rc<str>,
    state: Ensuring,
}

#[derive(Clone, Copy, Debug)]
enum Ensuring {
    Asking,
    Parents,
    Creating,
}

impl EnsurePath {
    pub(crate) fn boxed(path: &Rc<str>) -> Boxed {
        Box::new(EnsurePath { path: path.clone(), state: Ensuring::Asking })
    }
}

impl Frame for EnsurePath {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        let Resume::Returned(outcome) = with else {
            return Flow::Call(Ask::new(Request::Exists { path: self.path.clone(), watch: false }));
        };
        match (self.state, outcome) {
            (Ensuring::Asking, Err(Exception::Keeper(Code::NoNode))) => {
                self.state = Ensuring::Parents;
                let parent = self.path.rfind('/').map_or("", |at| &self.path[..at]);
                Flow::Call(EnsurePath::boxed(&if parent.is_empty() { "/" } else { parent }.into()))
            }
            (Ensuring::Parents, Ok(_)) => {
                self.state = Ensuring::Creating;
                Flow::Call(Ask::create(self.path.clone(), "".into(), CreateMode::Persistent))
            }
            (Ensuring::Creating, Ok(_)) => Flow::Return(Ok(Value::Bool(false))),
            (Ensuring::Creating, Err(Exception::Keeper(Code::NodeExists))) | (_, Ok(_)) => {
                Flow::Return(Ok(Value::Bool(true)))
            }
            (_, Err(exception)) => Flow::Return(Err(exception)),
        }
    }
}

/// `client.retry(client.delete, …)`: until it is done, or `command_retry` gives up. A node that is gone already is as good.
#[derive(Clone, Debug)]
pub(crate) struct DeleteUntilDone {
    path: Rc<str>,
    retry: Retry,
}

impl DeleteUntilDone {
    pub(crate) fn boxed(path: Rc<str>) -> Boxed {
        Box::new(DeleteUntilDone { path, retry: Retry::default() })
    }
}

impl Frame for DeleteUntilDone {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(_) | Err(Exception::Keeper(Code::NoNode))) => Flow::Return(Ok(Value::Nothing)),
            Resume::Returned(Err(exception)) => match self.retry.command(cx, exception) {
                Ok(at) => Flow::sleep(at),
                Err(exception) => Flow::Return(Err(exception)),
            },
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ => Flow::Call(Ask::new(Request::Delete { path: self.path.clone(), version: -1 })),
        }
    }
}

/// What nodes below a path hold, in this order; those that are gone meanwhile are left out.
#[derive(Clone, Debug)]
pub(crate) struct DataOf {
    path: Rc<str>,
    /// Nodes that are still to be read, the first one last.
    nodes: Vec<Rc<str>>,
    data: Vec<Rc<str>>,
}

impl DataOf {
    pub(crate) fn boxed(path: &Rc<str>, mut nodes: Vec<Rc<str>>) -> Boxed {
        nodes.reverse();
        Box::new(DataOf { path: path.clone(), nodes, data: Vec::new() })
    }
}

impl Frame for DataOf {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Data { data, .. }))) => {
                self.data.extend(data.map(|data| Rc::from(data.decoded())));
            }
            Resume::Returned(Err(exception)) if exception != Exception::Keeper(Code::NoNode) => {
                return Flow::Return(Err(exception));
            }
            _ => {}
        }
        match self.nodes.pop() {
            Some(name) => Flow::Call(Ask::new(Request::GetData { path: child_of(&self.path, &name), watch: false })),
            None => Flow::Return(Ok(Value::Names(std::mem::take(&mut self.data)))),
        }
    }
}

/// `KazooRetry` as the recipes use it: without an end, or until a deadline; commands as often as the program says. Pauses double;
/// each is 40 % shorter or longer by chance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Retry {
    pause: Micros,
    pub deadline: Option<SimTime>,
    /// How many tries have failed.
    failed: u32,
}

impl Default for Retry {
    fn default() -> Retry {
        Retry { pause: FIRST_PAUSE, deadline: None, failed: 0 }
    }
}

impl Retry {
    /// Whether what failed so is tried again.
    pub(crate) fn helps(exception: &Exception) -> bool {
        let again = [Code::ConnectionLoss, Code::OperationTimeout, Code::SessionExpired];
        matches!(exception, Exception::Keeper(code) if again.contains(code))
    }

    /// When the next try of a command is due that failed so (`KazooClient.retry`, set up by `command_retry`).
    ///
    /// # Errors
    /// What its caller gets: the exception where another try would not help, RetryFailedError where there were enough.
    pub(crate) fn command(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Result<SimTime, Exception> {
        if Retry::helps(&exception) { self.forced(cx) } else { Err(exception) }
    }

    /// The same where another try helps in any case (`ForceRetryError`). Since 2.11 `max_tries` counts them all; before, all but the
    /// first. So 0 is without an end since, and was one try.
    ///
    /// # Errors
    /// RetryFailedError: there were enough.
    pub(crate) fn forced(&mut self, cx: &mut Cx<'_>) -> Result<SimTime, Exception> {
        let counted = if cx.breaks(Way::TriesOnceMore) { self.failed } else { self.failed + 1 };
        self.failed += 1;
        let enough = cx.core.curator.config.command_tries == Some(counted);
        let next = if enough { None } else { self.next(cx) };
        next.ok_or_else(|| Exception::java("RetryFailedError", "Too many retry attempts"))
    }

    /// When the next try is due; none where that would be too late.
    pub(crate) fn next(&mut self, cx: &mut Cx<'_>) -> Option<SimTime> {
        let pause = self.pause * u64::from(600 + cx.core.curator.prng.below(801)) / 1_000;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        let at = cx.now.plus(pause);
        self.deadline.is_none_or(|deadline| at < deadline).then_some(at)
    }
}
