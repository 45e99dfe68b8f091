//! A call whose own value nobody wants, and whose one expected error is no error.

use crate::wire::Code;

use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::{Exception, Value};

/// The call, what it comes to when it went well, and the error that counts as well too.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    call: Boxed,
    ignored: Code,
    value: Value,
}

impl Instead {
    /// `catch` with nothing in it, of a method without a value.
    pub(crate) fn ignoring(ignored: Code, call: Boxed) -> Boxed {
        Box::new(Instead { call, ignored, value: Value::Nothing })
    }

    /// Another value in the place of the ensemble's answer.
    pub(crate) fn of(value: Value, call: Boxed) -> Boxed {
        Box::new(Instead { call, ignored: Code::Ok, value })
    }
}

impl Frame for Instead {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(_)) => Flow::Return(Ok(self.value.clone())),
            Resume::Returned(Err(Exception::Keeper(code))) if code == self.ignored => {
                Flow::Return(Ok(self.value.clone()))
            }
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => Flow::Call(self.call.clone()),
        }
    }
}
