//! A kind of fact, as it stands in a run's facts: by the names of its JSON, which are stable.

use crate::sim::Record;

/// A kind of fact and, if wanted, values of its fields, as in `left role=LEADING server=3`. A field counts wherever it stands in the fact.
/// Where `last` stands before it, it is the last one of those that follow each other: of `last notified`, when everybody has been told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern<'a>(pub &'a str);

const LAST: &str = "last ";

impl Pattern<'_> {
    /// Whether the fact is of this kind and has these values.
    pub fn fits(self, record: &Record) -> bool {
        serde_json::to_string(record).is_ok_and(|json| self.is_in(&json))
    }

    /// Whether the last one is meant of those that follow each other.
    pub fn is_last(self) -> bool {
        self.0.starts_with(LAST)
    }

    /// Whether a fact, as JSON, is of this kind and has these values.
    pub fn is_in(self, json: &str) -> bool {
        let mut words = self.0.strip_prefix(LAST).unwrap_or(self.0).split(' ');
        let kind = words.next().unwrap_or_default();
        has(json, "kind", kind)
            && words.all(|word| word.split_once('=').is_some_and(|(name, value)| has(json, name, value)))
    }
}

/// Whether a field has this value, as a text or as a number or a truth.
fn has(json: &str, name: &str, value: &str) -> bool {
    let begins = format!("\"{name}\":");
    json.match_indices(&begins).any(|(at, _)| {
        let rest = &json[at + begins.len()..];
        let bare = rest.strip_prefix('"').unwrap_or(rest);
        bare.strip_prefix(value).is_some_and(|end| end.starts_with(['"', ',', '}']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_fields_are_whole() {
        let json = r#"{"seq":7,"at_us":5,"client":12,"kind":"answered","outcome":{"Err":{"code":"BadVersion"}}}"#;
        for fits in ["answered", "last answered", "answered client=12", "answered code=BadVersion client=12"] {
            assert!(Pattern(fits).is_in(json), "{fits}");
        }
        for other in ["answer", "called client=12", "answered client=1", "answered code=Bad", "answered xid=12"] {
            assert!(!Pattern(other).is_in(json), "{other}");
        }
    }
}
