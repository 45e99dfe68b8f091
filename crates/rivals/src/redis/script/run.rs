//! Runs a script's tree.

use std::rc::Rc;

use crate::redis::reply::Reply;

use super::parser::{Block, Expr, Stat};
use super::value::{Table, Value};

/// So many steps, and a script counts as one that never ends.
const MAX_STEPS: u64 = 1_000_000;
/// So long a turn of an empty loop keeps the thread, ns.
const TURN_NS: u64 = 5;
/// Longest text that a script may make, bytes.
const MAX_TEXT: usize = 1 << 16;
/// Answers may be nested so deep.
const MAX_NESTED: u32 = 16;

/// What came of a script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Its answer.
    pub reply: Reply,
    /// How long its loops keep the thread, µs; none where it never ends.
    pub lasts_us: Option<u64>,
    /// The same until its first write; none where it writes nothing.
    pub writes_after_us: Option<u64>,
}

/// Why a script stops early.
enum Stop {
    /// An error, as the client gets it.
    Error(String),
    /// It never ends.
    Forever,
}

/// What a block came to.
enum Flow {
    On,
    Break,
    Return(Value),
}

/// What a script calls: the command, and whether an error is handed to it instead of ending it. The answer, and whether it is one
/// that writes.
type Call<'a> = &'a mut dyn FnMut(&[String]) -> (Reply, bool);

struct Run<'a> {
    scopes: Vec<(String, Value)>,
    call: Call<'a>,
    steps: u64,
    spent_ns: u64,
    first_write_ns: Option<u64>,
}

/// Runs a script to its end.
pub(crate) fn run(block: &Block, keys: &[String], args: &[String], sha1: &str, call: Call<'_>) -> Outcome {
    let list = |texts: &[String]| Value::list(texts.iter().map(|text| Value::Text(text.as_str().into())).collect());
    let scopes = vec![("KEYS".to_string(), list(keys)), ("ARGV".to_string(), list(args))];
    let mut run = Run { scopes, call, steps: 0, spent_ns: 0, first_write_ns: None };
    let (reply, ends) = match run.block(block) {
        Ok(Flow::Return(value)) => (value.reply(MAX_NESTED), true),
        Ok(_) => (Reply::Nil, true),
        Err(Stop::Error(text)) => (Reply::Error(format!("{text} script: {sha1}, on @user_script:1.")), true),
        Err(Stop::Forever) => (Reply::Nil, false),
    };
    let lasts_us = ends.then_some(run.spent_ns / 1000);
    Outcome { reply, lasts_us, writes_after_us: run.first_write_ns.map(|ns| ns / 1000) }
}

fn error<T>(text: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Error(format!("ERR user_script:1: {}", text.into())))
}

impl Run<'_> {
    fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(Stop::Forever) } else { Ok(()) }
    }

    fn block(&mut self, block: &Block) -> Result<Flow, Stop> {
        let outside = self.scopes.len();
        for stat in block.iter() {
            match self.stat(stat) {
                Ok(Flow::On) => {}
                other => {
                    self.scopes.truncate(outside);
                    return other;
                }
            }
        }
        self.scopes.truncate(outside);
        Ok(Flow::On)
    }

    fn stat(&mut self, stat: &Stat) -> Result<Flow, Stop> {
        self.step()?;
        match stat {
            Stat::Local(names, values) => {
                let values = values.iter().map(|value| self.expr(value)).collect::<Result<Vec<_>, _>>()?;
                let mut values = values.into_iter();
                for name in names {
                    self.scopes.push((name.clone(), values.next().unwrap_or(Value::Nil)));
                }
            }
            Stat::Assign(place, value) => {
                let value = self.expr(value)?;
                self.assign(place, value)?;
            }
            Stat::Call(call) => drop(self.expr(call)?),
            Stat::If(branches, otherwise) => {
                for (condition, block) in branches {
                    if self.expr(condition)?.is_true() {
                        return self.block(block);
                    }
                }
                return otherwise.as_ref().map_or(Ok(Flow::On), |block| self.block(block));
            }
            Stat::For(name, from, to, block) => return self.count(name, from, to, block),
            Stat::ForIn(index, name, list, block) => return self.each(index, name, list, block),
            Stat::While(condition, block) => return self.repeat(condition, block),
            Stat::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::Nil), |value| self.expr(value))?;
                return Ok(Flow::Return(value));
            }
            Stat::Break => return Ok(Flow::Break),
        }
        Ok(Flow::On)
    }

    fn assign(&mut self, place: &Expr, value: Value) -> Result<(), Stop> {
        match place {
            Expr::Name(name) => match self.scopes.iter_mut().rev().find(|(known, _)| known == name) {
                Some((_, old)) => *old = value,
                None => return error(format!("Attempt to modify a readonly table (global variable '{name}')")),
            },
            Expr::Index(table, key) => {
                let (table, key) = (self.expr(table)?, self.expr(key)?);
                let Value::Table(table) = table else {
                    return error(format!("attempt to index a {} value", table.kind()));
                };
                let mut table = table.borrow_mut();
                match key {
                    Value::Number(at) if at >= 1 && at as usize <= table.items.len() + 1 => {
                        let at = at as usize - 1;
                        match table.items.get_mut(at) {
                            Some(old) => *old = value,
                            None => table.items.push(value),
                        }
                    }
                    key => match key.text() {
                        Some(name) => {
                            table.fields.retain(|(field, _)| *field != name);
                            table.fields.push((name, value));
                        }
                        None => return error("table index is nil"),
                    },
                }
            }
            _ => return error("cannot assign"),
        }
        Ok(())
    }

    /// A counting loop; an empty one takes no steps, only time.
    fn count(&mut self, name: &str, from: &Expr, to: &Expr, block: &Block) -> Result<Flow, Stop> {
        let (Some(from), Some(to)) = (self.expr(from)?.number(), self.expr(to)?.number()) else {
            return error("'for' limit must be a number");
        };
        let turns = u64::try_from(i128::from(to) - i128::from(from) + 1).unwrap_or(0);
        self.spent_ns = self.spent_ns.saturating_add(turns.saturating_mul(TURN_NS));
        if block.is_empty() {
            return Ok(Flow::On);
        }
        for at in from..=to {
            self.step()?;
            self.scopes.push((name.into(), Value::Number(at)));
            let flow = self.block(block);
            self.scopes.pop();
            match flow? {
                Flow::On => {}
                Flow::Break => break,
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn each(&mut self, index: &str, name: &str, list: &Expr, block: &Block) -> Result<Flow, Stop> {
        let Value::Table(list) = self.expr(list)? else {
            return error("bad argument #1 to 'ipairs' (table expected)");
        };
        let items = list.borrow().items.clone();
        for (at, item) in items.into_iter().take_while(|item| !matches!(item, Value::Nil)).enumerate() {
            self.step()?;
            self.scopes.push((index.into(), Value::Number(at as i64 + 1)));
            self.scopes.push((name.into(), item));
            let flow = self.block(block);
            self.scopes.truncate(self.scopes.len().saturating_sub(2));
            match flow? {
                Flow::On => {}
                Flow::Break => break,
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn repeat(&mut self, condition: &Expr, block: &Block) -> Result<Flow, Stop> {
        while self.expr(condition)?.is_true() {
            // nothing that an empty loop does ends it
            if block.is_empty() {
                return Err(Stop::Forever);
            }
            self.step()?;
            self.spent_ns = self.spent_ns.saturating_add(TURN_NS);
            match self.block(block)? {
                Flow::On => {}
                Flow::Break => break,
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn expr(&mut self, expr: &Expr) -> Result<Value, Stop> {
        self.step()?;
        Ok(match expr {
            Expr::Nil => Value::Nil,
            Expr::Bool(value) => Value::Bool(*value),
            Expr::Number(number) => Value::Number(*number),
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Name(name) => match self.scopes.iter().rev().find(|(known, _)| known == name) {
                Some((_, value)) => value.clone(),
                None => return error(format!("Script attempted to access nonexistent global variable '{name}'")),
            },
            Expr::Index(table, key) => {
                let (table, key) = (self.expr(table)?, self.expr(key)?);
                index(&table, &key)?
            }
            Expr::Call(function, args) => return self.function(function, args),
            Expr::Table(items) => {
                let mut table = Table::default();
                for (name, item) in items {
                    let item = self.expr(item)?;
                    match name {
                        Some(name) => table.fields.push((name.as_str().into(), item)),
                        None => table.items.push(item),
                    }
                }
                Value::Table(Rc::new(std::cell::RefCell::new(table)))
            }
            Expr::Unary(sign, value) => {
                let value = self.expr(value)?;
                unary(sign, &value)?
            }
            Expr::Binary(sign @ ("and" | "or"), left, right) => {
                let left = self.expr(left)?;
                if left.is_true() == (*sign == "or") { left } else { self.expr(right)? }
            }
            Expr::Binary(sign, left, right) => {
                let (left, right) = (self.expr(left)?, self.expr(right)?);
                binary(sign, &left, &right)?
            }
        })
    }

    fn function(&mut self, function: &Expr, args: &[Expr]) -> Result<Value, Stop> {
        let args = args.iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
        let name = match function {
            Expr::Name(name) => name.clone(),
            Expr::Index(table, key) => match (&**table, &**key) {
                (Expr::Name(table), Expr::Text(key)) => format!("{table}.{key}"),
                _ => return error("attempt to call a value"),
            },
            _ => return error("attempt to call a value"),
        };
        let first = args.first().cloned().unwrap_or(Value::Nil);
        Ok(match &*name {
            "redis.call" => {
                let reply = self.redis_call(&args)?;
                if let Reply::Error(text) = reply {
                    return Err(Stop::Error(text));
                }
                Value::of(&reply)
            }
            "redis.pcall" => Value::of(&self.redis_call(&args)?),
            "redis.error_reply" => Value::one("err", &first.text().unwrap_or_default()),
            "redis.status_reply" => Value::one("ok", &first.text().unwrap_or_default()),
            "redis.log" => Value::Nil,
            "tonumber" => first.number().map_or(Value::Nil, Value::Number),
            "tostring" => match &first {
                Value::Nil => Value::Text("nil".into()),
                Value::Bool(value) => Value::Text(value.to_string().into()),
                other => other.text().map_or(Value::Text(other.kind().into()), Value::Text),
            },
            "type" => Value::Text(first.kind().into()),
            "table.insert" => {
                if let (Value::Table(table), Some(item)) = (&first, args.get(1)) {
                    table.borrow_mut().items.push(item.clone());
                }
                Value::Nil
            }
            "math.floor" => first.number().map_or(Value::Nil, Value::Number),
            "math.max" => self.pick(&args, i64::max)?,
            "math.min" => self.pick(&args, i64::min)?,
            _ => return error(format!("attempt to call '{name}' (a nil value)")),
        })
    }

    fn pick(&mut self, args: &[Value], better: fn(i64, i64) -> i64) -> Result<Value, Stop> {
        let numbers = args.iter().map(Value::number).collect::<Option<Vec<_>>>();
        match numbers.and_then(|numbers| numbers.into_iter().reduce(better)) {
            Some(number) => Ok(Value::Number(number)),
            None => error("bad argument (number expected)"),
        }
    }

    fn redis_call(&mut self, args: &[Value]) -> Result<Reply, Stop> {
        let words = args.iter().map(|arg| arg.text().map(|text| text.to_string())).collect::<Option<Vec<_>>>();
        let Some(words) = words else {
            return Err(Stop::Error("ERR Lua redis lib command arguments must be strings or integers".into()));
        };
        if words.is_empty() {
            return Err(Stop::Error("ERR Please specify at least one argument for this redis.call() call".into()));
        }
        let (reply, wrote) = (self.call)(&words);
        if wrote && self.first_write_ns.is_none() {
            self.first_write_ns = Some(self.spent_ns);
        }
        Ok(reply)
    }
}

fn index(table: &Value, key: &Value) -> Result<Value, Stop> {
    let Value::Table(table) = table else { return error(format!("attempt to index a {} value", table.kind())) };
    let table = table.borrow();
    Ok(match key {
        Value::Number(at) => {
            let at = usize::try_from(*at).ok().and_then(|at| at.checked_sub(1));
            at.and_then(|at| table.items.get(at)).cloned().unwrap_or(Value::Nil)
        }
        Value::Text(name) => table.field(name),
        _ => Value::Nil,
    })
}

fn unary(sign: &str, value: &Value) -> Result<Value, Stop> {
    match (sign, value) {
        ("not", value) => Ok(Value::Bool(!value.is_true())),
        ("#", Value::Text(text)) => Ok(Value::Number(text.len() as i64)),
        ("#", Value::Table(table)) => Ok(Value::Number(table.borrow().items.len() as i64)),
        ("-", value) => match value.number().and_then(i64::checked_neg) {
            Some(number) => Ok(Value::Number(number)),
            None => error(format!("attempt to perform arithmetic on a {} value", value.kind())),
        },
        (_, value) => error(format!("attempt to get length of a {} value", value.kind())),
    }
}

fn binary(sign: &str, left: &Value, right: &Value) -> Result<Value, Stop> {
    match sign {
        "==" => return Ok(Value::Bool(left.same(right))),
        "~=" => return Ok(Value::Bool(!left.same(right))),
        ".." => {
            let (Some(left), Some(right)) = (left.text(), right.text()) else {
                return error("attempt to concatenate a value");
            };
            return match left.len() + right.len() <= MAX_TEXT {
                true => Ok(Value::Text(format!("{left}{right}").into())),
                false => error("string too long"),
            };
        }
        "<" | ">" | "<=" | ">=" => return compare(sign, left, right),
        _ => {}
    }
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        let wrong = if left.number().is_none() { left } else { right };
        return error(format!("attempt to perform arithmetic on a {} value", wrong.kind()));
    };
    let number = match sign {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        _ => a.checked_rem_euclid(b),
    };
    number.map_or_else(|| error("number out of range"), |number| Ok(Value::Number(number)))
}

fn compare(sign: &str, left: &Value, right: &Value) -> Result<Value, Stop> {
    let order = match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        _ => return error(format!("attempt to compare {} with {}", left.kind(), right.kind())),
    };
    Ok(Value::Bool(match sign {
        "<" => order.is_lt(),
        ">" => order.is_gt(),
        "<=" => order.is_le(),
        _ => order.is_ge(),
    }))
}
