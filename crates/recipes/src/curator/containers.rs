//! Containers for a path, made before it is used (`EnsureContainers.java`, `CuratorFrameworkImpl.java` `createContainers`):
//! an exists for a child that nobody makes, `foo`, after the path and all above it have been looked for and made.

use std::rc::Rc;

use crate::base::Way;
use crate::wire::{Code, Request};

use super::mkdirs::{Mkdirs, Next};
use super::op::Op;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Value};

/// Containers under way.
#[derive(Clone, Debug)]
pub(crate) struct Containers {
    path: Rc<str>,
    /// None before the first request, and behind the last node of the path.
    mkdirs: Option<Mkdirs>,
}

impl Containers {
    /// For the path and all above it.
    pub(crate) fn ensure(path: &Rc<str>) -> Boxed {
        Box::new(Containers { path: path.clone(), mkdirs: None })
    }

    fn begin(&mut self, cx: &Cx<'_>) -> Flow {
        if self.path.len() == 1 {
            return self.go_on(Next::Done);
        }
        let (mkdirs, first) = Mkdirs::begin(self.path.clone(), true, cx.breaks(Way::ParentsFromBelow));
        self.mkdirs = Some(mkdirs);
        self.go_on(first)
    }

    fn go_on(&mut self, next: Next) -> Flow {
        Flow::Call(Op::new(match next {
            Next::Ask(request) => request,
            Next::Done => {
                self.mkdirs = None;
                Request::Exists { path: format!("{}/foo", self.path.trim_end_matches('/')).into(), watch: false }
            }
        }))
    }
}

impl Frame for Containers {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let Resume::Returned(outcome) = with else { return self.begin(cx) };
        match (&mut self.mkdirs, outcome) {
            (Some(mkdirs), outcome) => match mkdirs.next(&outcome) {
                Some(next) => self.go_on(next),
                None => Flow::Return(outcome),
            },
            (None, Ok(_) | Err(Exception::Keeper(Code::NoNode))) => Flow::Return(Ok(Value::Nothing)),
            (None, outcome) => Flow::Return(outcome),
        }
    }
}
