//! The time before something in the background that failed is begun anew. The original begins at once, but there the failing
//! takes time.

use crate::runtime::context::{Boxed, Cx, Frame};
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::value::Value;

/// A pause as long as the retry policy's first.
#[derive(Clone, Debug)]
pub(crate) struct Pause;

impl Pause {
    pub(crate) fn boxed() -> Boxed {
        Box::new(Pause)
    }
}

impl Frame for Pause {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Woken(_) => Flow::Return(Ok(Value::Nothing)),
            _ => Flow::sleep(cx.now.plus(cx.core.curator.config.base_sleep_ms.max(1) * 1000)),
        }
    }
}
