//! Guaranteed delete (`DeleteBuilderImpl.java`, `FailedOperationManager.java`): when it fails for want of a connection, it is
//! tried in the background until the ensemble has answered.

use std::rc::Rc;

use crate::wire::Request;

use super::op::Op;
use crate::rules::RecipeRule;
use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Value};

/// A guaranteed delete, by path, whatever the version.
#[derive(Clone, Debug)]
pub(crate) struct Delete {
    path: Rc<str>,
    background: bool,
}

impl Delete {
    /// By the calling thread. It throws when it fails, and goes on in the background.
    pub(crate) fn guaranteed(path: Rc<str>) -> Boxed {
        Box::new(Delete { path, background: false })
    }

    /// In the background from the start.
    pub(crate) fn in_background(path: Rc<str>) -> Boxed {
        Box::new(Delete { path, background: true })
    }
}

impl Frame for Delete {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Err(exception)) if exception.is_retryable() && self.background => {
                Flow::sleep(cx.now.plus(cx.core.curator.config.base_sleep_ms.max(1) * 1000))
            }
            Resume::Returned(Err(exception)) => {
                let goes_on = exception.is_retryable() || exception == Exception::Interrupted;
                if goes_on && !cx.breaks(RecipeRule::NotGuaranteed) {
                    cx.start(Delete::in_background(self.path.clone()), None);
                }
                Flow::Return(Err(exception))
            }
            Resume::Returned(Ok(_)) => Flow::Return(Ok(Value::Nothing)),
            _ => {
                let request = Request::Delete { path: self.path.clone(), version: -1 };
                Flow::Call(if self.background { Op::background(request, None) } else { Op::new(request) })
            }
        }
    }
}
