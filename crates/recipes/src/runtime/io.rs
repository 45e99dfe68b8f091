//! What goes between a program and its host, and what a method is called with.

use serde::Serialize;
use std::rc::Rc;

use crate::base::Zxid;
use crate::client;

use super::fact::Fact;
use super::thread_id::ThreadId;
use super::value::Exception;

/// What a program wants done.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    /// What its library wants done.
    pub library: client::Outbox,
    /// What happened beside it; each with the number of the library's outputs that came before.
    pub told: Vec<(usize, Told)>,
}

impl Outbox {
    pub(crate) fn tell(&mut self, told: Told) {
        self.told.push((self.library.items.len(), told));
    }
}

/// What a program tells its host.
#[derive(Clone, Debug)]
pub enum Told {
    /// Something happened.
    Fact(Fact),
    /// A thread writes to something outside of the ensemble.
    Use {
        /// The thread.
        thread: ThreadId,
        /// To what.
        resource: Rc<str>,
        /// With which token.
        token: Option<Zxid>,
    },
}

/// A method and what it is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Method {
    /// Its name.
    pub method: Rc<str>,
    /// How long it may take, ms; without it as long as it wants.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// What it is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Rc<str>>,
}

impl Method {
    /// The object has no such method.
    pub(crate) fn unknown(&self) -> Exception {
        Exception::java("NoSuchMethodException", &self.method)
    }
}

/// Makes the enum of a recipe's methods, and the list of their names: whatever is not in the list cannot be called.
macro_rules! methods {
    ($($method:ident $name:literal),* $(,)?) => {
        /// What one can ask of it.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Asked {
            $($method,)*
        }

        impl Asked {
            fn of(method: &Method) -> Result<Asked, Exception> {
                match &*method.method {
                    $($name => Ok(Asked::$method),)*
                    _ => Err(method.unknown()),
                }
            }
        }

        /// The names of its methods.
        pub(crate) const METHODS: &[&str] = &[$($name),*];
    };
}
pub(crate) use methods;
