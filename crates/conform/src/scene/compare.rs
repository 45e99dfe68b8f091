//! The first difference between a recorded stage and ours; nothing may be there that was not recorded.

use serde_json::{Map, Value};

use super::file::NOBODY;
use super::free::is_free;
use crate::compare::{Difference, show};

/// The order in which fields are compared: what a program notices first, sums last.
const ORDER: &[&str] =
    &["answers", "connections", "writes", "requests", "notifications", "watchesAfter", "childWatchesAfter", "counts"];

/// Lists whose order says nothing.
const SETS: &[&str] = &["watchesAfter", "childWatchesAfter", "deletes"];

/// The first field that is not as recorded.
pub(super) fn difference(recorded: &Map<String, Value>, ours: &Map<String, Value>) -> Option<Difference> {
    ORDER.iter().find_map(|name| match (*name, recorded.get(*name), ours.get(*name)) {
        ("answers", Some(Value::Object(lines)), Some(Value::Object(ours))) if lines.contains_key(NOBODY) => {
            answers(lines, ours)
        }
        (_, recorded, ours) => differs(name, recorded, ours, SETS.contains(name)),
    })
}

fn differs(field: &str, recorded: Option<&Value>, ours: Option<&Value>, is_set: bool) -> Option<Difference> {
    match (recorded, ours) {
        (Some(recorded), _) if is_free(recorded) => None,
        (Some(Value::Object(all)), Some(Value::Object(ours))) => {
            let names = all.keys().chain(ours.keys().filter(|name| !all.contains_key(*name)));
            let mut pairs = names.map(|name| (name, all.get(name), ours.get(name)));
            pairs.find_map(|(name, recorded, ours)| {
                differs(&format!("{field}.{name}"), recorded, ours, is_set || SETS.contains(&name.as_str()))
            })
        }
        (Some(Value::Array(all)), Some(Value::Array(ours))) if is_set && all.iter().any(is_free) => {
            let same = all.len() == ours.len() && all.iter().all(|one| is_free(one) || ours.contains(one));
            (!same).then(|| shown(field, recorded, Some(&Value::Array(ours.clone()))))
        }
        (Some(Value::Array(all)), Some(Value::Array(ours))) => {
            let mut places = 0..all.len().max(ours.len());
            places.find_map(|at| differs(&format!("{field}[{at}]"), all.get(at), ours.get(at), false))
        }
        _ if recorded == ours => None,
        _ => Some(shown(field, recorded, ours)),
    }
}

fn shown(field: &str, recorded: Option<&Value>, ours: Option<&Value>) -> Difference {
    let shown = |value: Option<&Value>| value.map_or("nothing".into(), show);
    Difference { field: field.into(), expected: shown(recorded), got: shown(ours) }
}

/// Where lines are free, those that are not must have come, in their order; and as many in all.
fn answers(recorded: &Map<String, Value>, ours: &Map<String, Value>) -> Option<Difference> {
    let lines = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let lacks = recorded.keys().filter(|caller| *caller != NOBODY).find(|caller| {
        let mut came = lines(ours.get(*caller)).into_iter();
        !lines(recorded.get(*caller)).iter().all(|line| came.any(|other| other == *line))
    });
    if let Some(caller) = lacks {
        return Some(shown(&format!("answers.{caller}"), recorded.get(caller), ours.get(caller)));
    }
    let count = |all: &Map<String, Value>| all.values().map(|value| lines(Some(value)).len()).sum::<usize>();
    let (expected, got) = (count(recorded), count(ours));
    (expected != got).then(|| Difference {
        field: "answers".into(),
        expected: format!("{expected} lines"),
        got: format!("{got} lines"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::free::anything;
    use serde_json::json;

    fn first(recorded: Value, ours: Value) -> Option<String> {
        difference(recorded.as_object().unwrap(), ours.as_object().unwrap()).map(|found| found.field)
    }

    #[test]
    fn what_is_free_may_be_anything_and_all_else_may_not() {
        let writes = |who: Value, kind: &str| json!({"writes": [{"who": who, "type": kind}]});
        assert_eq!(first(writes(anything(), "create"), writes("b".into(), "create")), None);
        assert_eq!(first(writes(anything(), "create"), writes("b".into(), "delete")).unwrap(), "writes[0].type");
        let watches = |list: Value| json!({"watchesAfter": {"/l": list}});
        assert_eq!(first(watches(json!(["b", anything()])), watches(json!(["a", "b"]))), None);
        assert!(first(watches(json!(["b", anything()])), watches(json!(["a", "c"]))).is_some());
        assert!(first(watches(json!(["b", anything()])), watches(json!(["b"]))).is_some());
        let notified = json!({"notifications": {"c": anything()}});
        assert_eq!(first(notified.clone(), json!({"notifications": {}})), None);
        assert_eq!(first(notified, json!({"notifications": {"d": [1]}})).unwrap(), "notifications.d");
    }

    #[test]
    fn free_lines_are_anybodys() {
        let recorded = json!({"answers": {"= a": ["l release ok"], "": [anything()]}});
        let ours = |lines: Value| json!({ "answers": lines });
        assert_eq!(first(recorded.clone(), ours(json!({"= a": ["l release ok"], "= b": ["l acquire ok"]}))), None);
        assert_eq!(first(recorded.clone(), ours(json!({"= a": ["l acquire ok", "l release ok"]}))), None);
        assert_eq!(first(recorded.clone(), ours(json!({"= a": ["l release ok"]}))).unwrap(), "answers");
        assert_eq!(first(recorded, ours(json!({"= b": ["x"], "= c": ["y"]}))).unwrap(), "answers.= a");
    }
}
