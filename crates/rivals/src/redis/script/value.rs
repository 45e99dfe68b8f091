//! Values of the small Lua, and how they turn into answers and back (`script_lua.c` `luaReplyToRedisReply`, `redisProtocolToLuaType`).

use std::cell::RefCell;
use std::rc::Rc;

use crate::redis::reply::Reply;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing.
    Nil,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(Rc<str>),
    /// A list with named fields beside it.
    Table(Rc<RefCell<Table>>),
}

/// What a table holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// From 1 on; nil where a place is empty.
    pub items: Vec<Value>,
    /// Named fields.
    pub fields: Vec<(Rc<str>, Value)>,
}

impl Table {
    /// A named field.
    pub(super) fn field(&self, name: &str) -> Value {
        self.fields.iter().find(|(field, _)| &**field == name).map_or(Value::Nil, |(_, value)| value.clone())
    }
}

impl Value {
    /// A list.
    pub(super) fn list(items: Vec<Value>) -> Value {
        Value::Table(Rc::new(RefCell::new(Table { items, fields: Vec::new() })))
    }

    /// A table with one named field, as `redis.error_reply` makes it.
    pub(super) fn one(name: &str, text: &str) -> Value {
        let fields = vec![(name.into(), Value::Text(text.into()))];
        Value::Table(Rc::new(RefCell::new(Table { items: Vec::new(), fields })))
    }

    /// Whether it counts as true: all but nil and false do.
    pub(super) fn is_true(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// It as a number; texts of numbers count.
    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// It as a text; numbers count.
    pub(super) fn text(&self) -> Option<Rc<str>> {
        match self {
            Value::Number(number) => Some(number.to_string().into()),
            Value::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Whether two are the same: a number and a text never are.
    pub(super) fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// What kind it is, in Lua's words.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::Text(_) => "string",
            Value::Table(_) => "table",
        }
    }

    /// An answer as a script sees it: a missing text is false.
    pub(super) fn of(reply: &Reply) -> Value {
        match reply {
            Reply::Status(text) => Value::one("ok", text),
            Reply::Error(text) => Value::one("err", text),
            Reply::Int(number) => Value::Number(*number),
            Reply::Bulk(text) => Value::Text(text.as_str().into()),
            Reply::Nil | Reply::NilArray => Value::Bool(false),
            Reply::Array(items) => Value::list(items.iter().map(Value::of).collect()),
        }
    }

    /// What a script's value is as an answer: nil and false are no text, true is 1, a list ends at its first nil.
    pub(super) fn reply(&self, depth: u32) -> Reply {
        match self {
            Value::Nil | Value::Bool(false) => Reply::Nil,
            Value::Bool(true) => Reply::Int(1),
            Value::Number(number) => Reply::Int(*number),
            Value::Text(text) => Reply::Bulk(text.to_string()),
            Value::Table(_) if depth == 0 => Reply::error("ERR reached lua stack limit"),
            Value::Table(table) => {
                let table = table.borrow();
                if let Value::Text(text) = table.field("err") {
                    return Reply::Error(text.to_string());
                }
                if let Value::Text(text) = table.field("ok") {
                    return Reply::Status(text.to_string());
                }
                let until_nil = table.items.iter().take_while(|item| !matches!(item, Value::Nil));
                Reply::Array(until_nil.map(|item| item.reply(depth - 1)).collect())
            }
        }
    }
}
