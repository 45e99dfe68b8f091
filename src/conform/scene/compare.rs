//! The first difference between a recorded stage and ours; nothing may be there that was not recorded.

use serde_json::{Map, Value};

use crate::conform::compare::{Difference, show};

/// The order in which fields are compared: what a program notices first, sums last.
const ORDER: &[&str] =
    &["answers", "connections", "writes", "requests", "notifications", "watchesAfter", "childWatchesAfter", "counts"];

/// The first field that is not as recorded.
pub(super) fn difference(recorded: &Map<String, Value>, ours: &Map<String, Value>) -> Option<Difference> {
    ORDER.iter().find_map(|name| differs(name, recorded.get(*name), ours.get(*name)))
}

fn differs(field: &str, recorded: Option<&Value>, ours: Option<&Value>) -> Option<Difference> {
    match (recorded, ours) {
        (Some(Value::Object(all)), Some(Value::Object(ours))) => {
            let names = all.keys().chain(ours.keys().filter(|name| !all.contains_key(*name)));
            let mut pairs = names.map(|name| (format!("{field}.{name}"), all.get(name), ours.get(name)));
            pairs.find_map(|(field, recorded, ours)| differs(&field, recorded, ours))
        }
        (Some(Value::Array(all)), Some(Value::Array(ours))) => {
            let mut places = 0..all.len().max(ours.len());
            places.find_map(|at| differs(&format!("{field}[{at}]"), all.get(at), ours.get(at)))
        }
        _ if recorded == ours => None,
        _ => {
            let shown = |value: Option<&Value>| value.map_or("nothing".into(), show);
            Some(Difference { field: field.into(), expected: shown(recorded), got: shown(ours) })
        }
    }
}
