//! The keys of a server and the commands on them. Nothing here knows connections, turns or the network: a command changes keys, says
//! what goes to the log and to replicas, and answers.

mod expire;
mod hashes;
mod keys;
mod keyspace;
mod lists;
mod numbers;
mod strings;
mod table;

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde::Serialize;

pub(super) use keyspace::{Effect, Keyspace, Removed, Role};
pub(super) use numbers::{NOT_AN_INTEGER, integer};
pub(super) use table::{Command, Entry as TableEntry, find, wrong_number};

/// All keys with what they hold.
pub(super) type Dataset = BTreeMap<String, Entry>;

/// What a key holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A text; numbers are texts.
    Text(Rc<str>),
    /// A list.
    List(VecDeque<Rc<str>>),
    /// Fields in the order in which they came (a small hash is kept in that order).
    Hash(Vec<(Rc<str>, Rc<str>)>),
}

/// A key's value and its time limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// The moment after which it counts as missing, ms since 1970 by the wall clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// How long that was when it was set, ms: a card shows what is left of it.
    #[serde(skip)]
    pub span: i64,
}

impl Entry {
    /// Sets its limit, by this wall clock.
    pub(super) fn limit(&mut self, now: i64, until: i64) {
        (self.until, self.span) = (Some(until), until.saturating_sub(now).max(1));
    }
}

impl Value {
    /// The kind, as TYPE says it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "string",
            Value::List(_) => "list",
            Value::Hash(_) => "hash",
        }
    }

    /// It in a few words, for a reader.
    pub fn shown(&self) -> String {
        match self {
            Value::Text(text) => text.to_string(),
            Value::List(items) => format!("[{}]", items.iter().map(|item| &**item).collect::<Vec<_>>().join(", ")),
            Value::Hash(fields) => {
                let fields = fields.iter().map(|(field, value)| format!("{field}: {value}"));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }
}
