//! The first difference between what was recorded and what happened.

use serde_json::Value;
use std::fmt;

use super::transcript::RECORDED;
use super::words::Fields;

/// Longest value that is shown, characters.
const MAX_SHOWN: usize = 300;

/// A field that is not as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which: `ok.stat.mzxid`.
    pub field: String,
    /// What is recorded.
    pub expected: String,
    /// What came.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.field, self.expected, self.got)
    }
}

/// The first field of the record that did not come so. Objects may have more fields than the record holds, but for events.
pub(super) fn difference(recorded: &Fields, got: &Fields) -> Option<Difference> {
    RECORDED.iter().find_map(|name| {
        let expected = recorded.get(*name)?;
        let exact = ["stream", "eventsBeforeReply", "events"].contains(name);
        match got.get(*name) {
            Some(got) => differs(name, expected, got, exact),
            None => Some(Difference { field: (*name).into(), expected: show(expected), got: outcome(got) }),
        }
    })
}

/// What came instead of a field that did not come.
fn outcome(got: &Fields) -> String {
    let other = ["error", "ok"].into_iter().find_map(|name| Some((name, got.get(name)?)));
    other.map_or("nothing".into(), |(name, value)| format!("{name} {}", show(value)))
}

fn differs(field: &str, expected: &Value, got: &Value, exact: bool) -> Option<Difference> {
    let different = || Some(Difference { field: field.into(), expected: show(expected), got: show(got) });
    match (expected, got) {
        (Value::Object(all), Value::Object(ours)) => {
            let inner = all.iter().find_map(|(name, value)| {
                let field = format!("{field}.{name}");
                match ours.get(name) {
                    Some(ours) => differs(&field, value, ours, exact),
                    None => Some(Difference { field, expected: show(value), got: "nothing".into() }),
                }
            });
            inner.or_else(|| if exact && ours.len() > all.len() { different() } else { None })
        }
        (Value::Array(all), Value::Array(ours)) if all.len() == ours.len() => {
            let mut pairs = all.iter().zip(ours).enumerate();
            pairs.find_map(|(index, (value, ours))| differs(&format!("{field}[{index}]"), value, ours, exact))
        }
        _ if expected == got => None,
        _ => different(),
    }
}

pub(super) fn show(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first(recorded: Value, got: Value) -> Option<String> {
        difference(recorded.as_object().unwrap(), got.as_object().unwrap()).map(|found| found.to_string())
    }

    #[test]
    fn what_the_record_holds_must_be_so() {
        let stat = json!({"ok": {"stat": {"version": 1, "mzxid": "0:3"}}, "zxid": "0:3"});
        assert_eq!(first(json!({"ok": {"stat": {"version": 1}}}), stat.clone()), None);
        let found = first(json!({"ok": {"stat": {"version": 2}}}), stat.clone());
        assert_eq!(found.as_deref(), Some("ok.stat.version: expected 2, got 1"));
        let found = first(json!({"error": "NoNode"}), json!({"ok": {}}));
        assert_eq!(found.as_deref(), Some(r#"error: expected "NoNode", got ok {}"#));
        assert!(first(json!({"ok": null}), stat).is_some());
    }

    #[test]
    fn events_are_compared_as_a_whole() {
        let events = json!({"events": [{"type": "None", "state": "Expired"}]});
        let found = first(json!({"events": [{"type": "None"}]}), events.clone());
        assert!(found.is_some_and(|found| found.starts_with("events[0]: expected")));
        assert!(first(json!({"events": []}), events).is_some_and(|found| found.starts_with("events: expected []")));
    }
}
