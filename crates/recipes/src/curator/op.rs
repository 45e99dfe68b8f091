//! One operation with its retries (`RetryLoop.java` `callWithRetry`; in the background `CuratorFrameworkImpl.java`
//! `processBackgroundOperation`).

use std::rc::Rc;

use crate::wire::{Acl, Code, CreateMode, Request};

use super::retry::{Patience, Retry};
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Value};

/// A request that is sent until it is answered, or the policy gives up.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    request: Request,
    watcher: Option<Rc<str>>,
    background: bool,
    /// It was sent before its thread began.
    sent: bool,
    retry: Retry,
    patience: Patience,
}

impl Op {
    fn of(request: Request, watcher: Option<&Rc<str>>) -> Op {
        let (retry, patience) = (Retry::default(), Patience::default());
        Op { request, watcher: watcher.cloned(), background: false, sent: false, retry, patience }
    }

    /// An operation of the calling thread.
    #[expect(clippy::new_ret_no_self, reason = "frames are only ever boxed")]
    pub(crate) fn new(request: Request) -> Boxed {
        Box::new(Op::of(request, None))
    }

    /// The same with a watch for an object.
    pub(crate) fn watching(request: Request, watcher: &Rc<str>) -> Boxed {
        Box::new(Op::of(request, Some(watcher)))
    }

    /// An operation in the background: when it gives up, the connection counts as suspended.
    pub(crate) fn background(request: Request, watcher: Option<&Rc<str>>) -> Boxed {
        Box::new(Op { background: true, ..Op::of(request, watcher) })
    }

    /// Starts an operation in the background whose first try the caller itself sends: before whatever it asks next.
    pub(crate) fn start_at_once(cx: &mut Cx<'_>, request: Request, watcher: &Rc<str>) {
        let sent = cx.core.curator.connected;
        let op = Op { background: true, sent, ..Op::of(request.clone(), Some(watcher)) };
        let thread = cx.start(Box::new(op), None);
        if sent {
            Cx { now: cx.now, thread, core: cx.core, library: cx.library, out: cx.out }
                .ask_watching(request, watcher);
        }
    }

    /// getChildren of the foreground: Curator asks for the Stat too.
    pub(crate) fn children(path: &Rc<str>) -> Boxed {
        Op::new(Request::GetChildren { path: path.clone(), watch: false, stat: true })
    }

    /// The plain create of ZooKeeper's own client: no Stat, no protection, no parents.
    pub(crate) fn create(path: &Rc<str>, mode: CreateMode) -> Boxed {
        let (path, data, acl) = (path.clone(), Some("".into()), Acl::open());
        Op::new(Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None })
    }

    fn send(&mut self, cx: &mut Cx<'_>) -> Flow {
        match self.patience.wait(cx) {
            Err(exception) => self.failed(cx, exception),
            Ok(Some(wait)) => wait,
            Ok(None) => match &self.watcher {
                Some(watcher) => cx.ask_watching(self.request.clone(), watcher),
                None => cx.ask(self.request.clone()),
            },
        }
    }

    /// A watch was set: also by exists on a node that is not there.
    fn note_watch(&self, cx: &mut Cx<'_>) {
        let (Some(watcher), false) = (&self.watcher, matches!(self.request, Request::RemoveWatches { .. })) else {
            return;
        };
        cx.core.curator.watches.entry(watcher.clone()).or_default().insert(self.request.path().into());
    }

    fn failed(&mut self, cx: &mut Cx<'_>, exception: Exception) -> Flow {
        match self.retry.again(cx, &exception) {
            Some(until) => Flow::sleep(until),
            None => {
                if self.background && exception.is_retryable() {
                    cx.suspended();
                }
                Flow::Return(Err(exception))
            }
        }
    }
}

impl Frame for Op {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Answer(Ok(answer)) => {
                self.note_watch(cx);
                Flow::Return(Ok(Value::Answer(answer)))
            }
            Resume::Answer(Err(failure)) => {
                let exception = Exception::from(failure);
                if matches!(self.request, Request::Exists { .. }) && exception == Exception::Keeper(Code::NoNode) {
                    self.note_watch(cx);
                }
                self.failed(cx, exception)
            }
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            Resume::Start if self.sent => Flow::Answer,
            Resume::Start | Resume::Returned(_) | Resume::Woken(_) => self.send(cx),
        }
    }
}
