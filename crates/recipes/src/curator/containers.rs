//! Containers for a path, made before it is used (`EnsureContainers.java`, `CuratorFrameworkImpl.java` `createContainers`):
//! an exists for a child that nobody makes, `foo`, after the path and all above it have been looked for and made.

use std::rc::Rc;

use crate::wire::{Acl, Code, CreateMode, Request};

use super::op::Op;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Value};

/// Containers under way, from the root on.
#[derive(Clone, Debug)]
pub(crate) struct Containers {
    path: Rc<str>,
    /// Where the part of the path ends that is looked at; behind the path's end it is the child.
    end: usize,
    making: bool,
}

impl Containers {
    /// For the path and all above it.
    pub(crate) fn ensure(path: &Rc<str>) -> Boxed {
        Box::new(Containers { path: path.clone(), end: 0, making: false })
    }

    fn next(&mut self) -> Flow {
        self.making = false;
        if self.path.len() == 1 || self.end > self.path.len() {
            self.end = usize::MAX;
            return Flow::Call(Op::new(Request::Exists { path: self.child(), watch: false }));
        }
        let behind = self.path[self.end + 1..].find('/');
        self.end = behind.map_or(self.path.len(), |at| self.end + 1 + at);
        Flow::Call(Op::new(Request::Exists { path: self.path[..self.end].into(), watch: false }))
    }

    fn child(&self) -> Rc<str> {
        format!("{}/foo", self.path.trim_end_matches('/')).into()
    }

    fn make(&mut self) -> Flow {
        self.making = true;
        let (path, data, acl) = (self.path[..self.end].into(), Some("".into()), Acl::open());
        let (mode, ttl, stat, flags) = (CreateMode::Container, 0, false, None);
        Flow::Call(Op::new(Request::Create { path, data, acl, mode, ttl, stat, flags }))
    }

    fn advance(&mut self) -> Flow {
        if self.end == self.path.len() {
            self.end += 1;
        }
        self.next()
    }
}

impl Frame for Containers {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(_) | Err(Exception::Keeper(Code::NoNode))) if self.end == usize::MAX => {
                Flow::Return(Ok(Value::Nothing))
            }
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) if !self.making => self.make(),
            Resume::Returned(Ok(_) | Err(Exception::Keeper(Code::NodeExists))) => self.advance(),
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => self.next(),
        }
    }
}
