//! What was recorded beside what came out.

use serde_json::{Map, Value};
use std::fmt;

/// Where a play went otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Differs {
    /// The step, from 1; 0 before the first.
    pub step: usize,
    /// What it does.
    pub deed: String,
    /// What went otherwise.
    pub what: String,
}

/// Longest description of a step, characters.
const MAX_SHOWN: usize = 100;

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown =
            |text: &str, most: usize| text.chars().take(most).flat_map(char::escape_debug).collect::<String>();
        write!(f, "step {} ({}): {}", self.step, shown(&self.deed, MAX_SHOWN), self.what)
    }
}

/// Whether a value fits what was recorded: a range, or anything of a description, or the same.
pub(super) fn fits(recorded: &Value, ours: &Value) -> bool {
    match recorded {
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("any") => true,
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("between") => {
            let ends = fields["between"].as_array().map(|ends| (ends.first(), ends.get(1)));
            let (Some((Some(low), Some(high))), Some(number)) = (ends, ours.as_i64()) else { return false };
            low.as_i64().is_some_and(|low| low <= number) && high.as_i64().is_some_and(|high| number <= high)
        }
        Value::Array(recorded) => {
            let ours = ours.as_array();
            ours.is_some_and(|ours| {
                ours.len() == recorded.len() && recorded.iter().zip(ours).all(|(recorded, ours)| fits(recorded, ours))
            })
        }
        Value::Object(recorded) => {
            let Some(ours) = ours.as_object() else { return false };
            ours.len() == recorded.len()
                && recorded.iter().all(|(name, value)| ours.get(name).is_some_and(|ours| fits(value, ours)))
        }
        recorded => recorded == ours,
    }
}

/// Whether an answer is the recorded one. Numbers and words of errors are the engine's own and not compared.
pub(super) fn reply_fits(recorded: &Value, ours: &Value) -> bool {
    fits(&firm(recorded), &firm(ours))
}

fn firm(reply: &Value) -> Value {
    match reply {
        Value::Object(fields) => {
            let own = |name: &str| matches!(name, "code" | "message" | "note" | "afterMs");
            Value::Object(
                fields
                    .iter()
                    .filter(|(name, _)| !own(name))
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<Map<String, Value>>(),
            )
        }
        other => other.clone(),
    }
}
