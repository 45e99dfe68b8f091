//! What calls of a program come to.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

use crate::base::{self, Name};
use crate::client::Failure;
use crate::wire::{Answer, Code};

/// What a call gives back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Nothing (`void`).
    Nothing,
    /// True or false.
    Bool(bool),
    /// A text: a name, a path, data; none is Java's `null`.
    Text(Option<Rc<str>>),
    /// Names in order.
    Names(Vec<Rc<str>>),
    /// An answer of the ensemble.
    Answer(Answer),
}

/// Why a call fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exception {
    /// A `KeeperException`.
    Keeper(Code),
    /// `InterruptedException`.
    Interrupted,
    /// Another exception of Java.
    Java {
        /// Its class.
        #[serde(deserialize_with = "base::name")]
        class: Name,
        /// Its message.
        message: Rc<str>,
    },
}

/// What a call comes to.
pub type Outcome = Result<Value, Exception>;

impl Exception {
    /// The exception of a class, with its message.
    pub fn java(class: &'static str, message: &str) -> Exception {
        Exception::Java { class, message: message.into() }
    }

    /// `IllegalStateException`.
    pub fn state(message: &str) -> Exception {
        Exception::java("IllegalStateException", message)
    }

    /// The object that a frame works for is not there any more.
    pub fn gone() -> Exception {
        Exception::java("NullPointerException", "the object is gone")
    }

    /// The exception's class, without its package.
    pub fn class(&self) -> String {
        match self {
            Exception::Keeper(code) => format!("{}Exception", code.name()),
            Exception::Interrupted => "InterruptedException".into(),
            Exception::Java { class, .. } => (*class).into(),
        }
    }

    /// Whether asking again may help (`RetryPolicy.java` `allowRetry`).
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Exception::Keeper(
                Code::ConnectionLoss | Code::OperationTimeout | Code::SessionMoved | Code::SessionExpired
            )
        )
    }
}

impl From<Failure> for Exception {
    fn from(failure: Failure) -> Exception {
        match failure {
            Failure::Code(code) => Exception::Keeper(code),
            Failure::IllegalArgument(message) => Exception::java("IllegalArgumentException", &message),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing | Value::Answer(_) => f.write_str("ok"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Text(Some(text)) => f.write_str(text),
            Value::Text(None) => f.write_str("null"),
            Value::Names(names) => f.write_str(&names.join(" ")),
        }
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.class())?;
        match self {
            Exception::Java { message, .. } if !message.is_empty() => write!(f, ": {message}"),
            _ => Ok(()),
        }
    }
}
