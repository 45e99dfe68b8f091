//! PersistentTtlNode (`PersistentTtlNode.java`): a parent that is kept like a PersistentNode, and below it a node `touch` with a time
//! to live, which is written anew every half of that time. When its program is gone, `touch` runs out, and then the parent
//! has no child and goes too. What is written is the child: nobody who watches the parent's data hears of it.
//!
//! In 5.4 the parent is a container, and one that never had a child never goes; since 5.9 (#1260) it has the same time to live.
//!
//! `close` only stops the touching; the node goes when its time is over, unless another object of the same path goes on.

use std::rc::Rc;

use crate::base::{SimTime, Way};
use crate::wire::{Acl, Bytes, Code, CreateMode, Request};

use crate::curator::Op;
use crate::nodes::persistent_node::PersistentNode;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! {
    Start "start", WaitForInitialCreate "waitForInitialCreate", SetData "setData", GetData "getData", Close "close",
}

/// The time to live where none is given, ms. The original has none by itself.
const TTL_MS: u64 = 5_000;
/// `DEFAULT_TOUCH_SCHEDULE_FACTOR`: touched so often in that time.
const TOUCHES: u64 = 2;

/// A kept node with a time to live.
#[derive(Clone, Debug)]
pub(crate) struct PersistentTtlNode {
    node: Rc<str>,
    child: Rc<str>,
    ttl_ms: u64,
    toucher: Option<ThreadId>,
}

impl PersistentTtlNode {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> PersistentTtlNode {
        let node: Rc<str> = format!("{name}/node").into();
        let data = recipe.id.clone().unwrap_or_else(|| cx.core.address());
        let ttl_ms = recipe.hold_ms.unwrap_or(TTL_MS);
        let mode = match cx.breaks(Way::ParentHasTtl) {
            true => CreateMode::PersistentWithTtl,
            false => CreateMode::Container,
        };
        let parent = PersistentNode::left_alone(&recipe.path, mode, ttl_ms as i64, data);
        cx.core.objects.0.insert(node.clone(), Box::new(parent));
        PersistentTtlNode { node, child: child_of(&recipe.path, "touch"), ttl_ms, toucher: None }
    }

    fn start(&mut self, cx: &mut Cx<'_>) -> Outcome {
        cx.with::<PersistentNode, _>(&self.node, |node, me, cx| node.start(me, cx)).transpose()?;
        let every_us = self.ttl_ms / TOUCHES * 1000;
        if every_us == 0 {
            return Err(Exception::java("IllegalArgumentException", ""));
        }
        let (path, ttl_ms, next) = (self.child.clone(), self.ttl_ms as i64, cx.now.plus(every_us));
        let touch = Touch { path, ttl_ms, every_us, next, state: State::Sleeping };
        self.toucher = Some(cx.start(Box::new(touch), None));
        Ok(Value::Nothing)
    }
}

impl Object for PersistentTtlNode {
    fn call(&mut self, _: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let call = match Asked::of(method)? {
            Asked::Start => return self.start(cx).map(at_once),
            Asked::WaitForInitialCreate => {
                cx.with::<PersistentNode, _>(&self.node, |node, me, cx| node.wait(me, method, cx)).transpose()?
            }
            Asked::SetData => {
                let set =
                    |node: &mut PersistentNode, me: &Rc<str>, cx: &mut Cx<'_>| node.set_data(me, &method.data, cx);
                cx.with(&self.node, set).transpose()?.map(at_once)
            }
            Asked::GetData => {
                cx.object::<PersistentNode>(&self.node).map(|node| at_once(Value::Text(Some(node.data().clone()))))
            }
            Asked::Close => {
                if let Some(toucher) = self.toucher.take() {
                    cx.interrupt(toucher);
                }
                cx.with::<PersistentNode, _>(&self.node, |node, me, _| node.close(me))
            }
        };
        call.ok_or_else(Exception::gone)
    }
}

/// The thread that touches the child, at a fixed rate: what comes late is made up for. Whatever goes wrong is only logged.
#[derive(Clone, Debug)]
struct Touch {
    path: Rc<str>,
    ttl_ms: i64,
    every_us: u64,
    next: SimTime,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Sleeping,
    Writing,
    Creating,
    /// Somebody else has created it meanwhile (`orSetData`).
    WritingAfterAll,
}

impl Touch {
    fn write(&mut self, cx: &Cx<'_>, state: State) -> Flow {
        self.state = state;
        let data = Some(Bytes::from(&*cx.core.address()));
        Flow::Call(Op::new(Request::SetData { path: self.path.clone(), data, version: -1 }))
    }

    fn create(&mut self, cx: &Cx<'_>) -> Flow {
        self.state = State::Creating;
        let (path, data, acl, ttl) =
            (self.path.clone(), Some(Bytes::from(&*cx.core.address())), Acl::open(), self.ttl_ms);
        let mode = CreateMode::PersistentWithTtl;
        Flow::Call(Op::new(Request::Create { path, data, acl, mode, ttl, stat: true, flags: None }))
    }

    fn rest(&mut self, cx: &Cx<'_>) -> Flow {
        match self.next <= cx.now {
            true => {
                self.next = self.next.plus(self.every_us);
                self.write(cx, State::Writing)
            }
            false => {
                self.state = State::Sleeping;
                Flow::sleep(self.next)
            }
        }
    }
}

impl Frame for Touch {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match (self.state, with) {
            (_, Resume::Woken(Wake::Interrupted) | Resume::Returned(Err(Exception::Interrupted))) => {
                Flow::Return(Ok(Value::Nothing))
            }
            (State::Writing, Resume::Returned(Err(Exception::Keeper(Code::NoNode)))) => self.create(cx),
            (State::Creating, Resume::Returned(Err(Exception::Keeper(Code::NodeExists)))) => {
                self.write(cx, State::WritingAfterAll)
            }
            _ => self.rest(cx),
        }
    }
}
