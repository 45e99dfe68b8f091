//! Fields that were not the same in all plays of a trace: a race decided them, and they are free. The trace names their
//! places in the record: `stages[11].watchesAfter./lock[1]`.

use serde_json::{Map, Value};

/// Stands in the record for whatever came.
const ANYTHING: &str = "\0anything";

pub(super) fn anything() -> Value {
    ANYTHING.into()
}

/// Whether this stands for whatever came.
pub(super) fn is_free(value: &Value) -> bool {
    value == ANYTHING
}

/// What was recorded of a stage, with these places free; each begins behind `stages[N]`.
pub(super) fn freed<'a>(fields: Map<String, Value>, places: impl Iterator<Item = &'a str>) -> Map<String, Value> {
    let mut whole = Value::Object(fields);
    for place in places {
        free(&mut whole, place);
    }
    match whole {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// Whether the place is there. Names may hold dots and brackets, so they are tried.
fn free(value: &mut Value, place: &str) -> bool {
    if place.is_empty() {
        match value {
            // a whole stage: each of its fields
            Value::Object(fields) if fields.contains_key("answers") => {
                fields.values_mut().for_each(|field| *field = anything());
            }
            _ => *value = anything(),
        }
        return true;
    }
    match value {
        Value::Object(fields) => free_in_object(fields, place),
        Value::Array(list) => {
            let Some((number, rest)) = place.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
                return false;
            };
            number.parse().ok().and_then(|at: usize| list.get_mut(at)).is_some_and(|value| free(value, rest))
        }
        _ => false,
    }
}

fn free_in_object(fields: &mut Map<String, Value>, place: &str) -> bool {
    let Some(place) = place.strip_prefix('.') else { return false };
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']);
    let mut named = false;
    for (name, value) in fields.iter_mut() {
        if let Some(rest) = place.strip_prefix(name.as_str()).filter(|rest| is_end(rest)) {
            named = true;
            if free(value, rest) {
                return true;
            }
        }
    }
    if !named {
        // it came in another play only
        fields.insert(place.into(), anything());
    }
    !named
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_place_is_found_whatever_its_names_hold() {
        let fields = json!({"answers": ["= a l acquire ok"], "watchesAfter": {"/a.b[1]": ["a", "b"], "/a": ["c"]}});
        let freed = |places: &[&str]| {
            Value::Object(super::freed(fields.as_object().cloned().unwrap(), places.iter().copied()))
        };
        assert_eq!(freed(&[".answers[0]"])["answers"], json!([anything()]));
        assert_eq!(freed(&[".watchesAfter./a.b[1][1]"])["watchesAfter"]["/a.b[1]"], json!(["a", anything()]));
        assert_eq!(freed(&[".watchesAfter./a"])["watchesAfter"]["/a"], anything());
        assert_eq!(freed(&[".watchesAfter./new"])["watchesAfter"]["/new"], anything());
        assert_eq!(freed(&[".answers[9]", ".answers[x]", "[0]"]), fields);
        assert!(is_free(&freed(&[""])["answers"]));
    }
}
