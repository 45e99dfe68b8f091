//! Whether something is as recorded.

use crate::base::json::Json;
use crate::rivals::redis::Reply;

use super::recording::fields_of;

/// What a client was told, or why it was told nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Got {
    /// An answer.
    Reply(Reply),
    /// The connection ended while it waited.
    Closed,
    /// It waited too long.
    Timeout,
    /// There was no connection.
    NotConnected,
    /// None has come.
    Nothing,
}

/// How a value is shown, at most so long.
const MAX_SHOWN: usize = 200;

pub(super) fn show(json: &Json) -> String {
    let text = match json {
        Json::Null => "null".into(),
        Json::Bool(value) => value.to_string(),
        Json::Natural(number) => number.to_string(),
        Json::Negative(number) => number.to_string(),
        Json::Text(text) => format!("{text:?}"),
        Json::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Json::Object(_) => {
            let fields = fields_of(json).into_iter().map(|(name, value)| format!("{name}: {}", show(&value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    };
    text.chars().take(MAX_SHOWN).collect()
}

pub(super) fn show_got(got: &Got) -> String {
    let text = match got {
        Got::Reply(reply) => reply.to_string(),
        Got::Closed => "the end of the connection".into(),
        Got::Timeout => "no answer in time".into(),
        Got::NotConnected => "no connection".into(),
        Got::Nothing => "no answer".into(),
    };
    text.chars().take(MAX_SHOWN).collect()
}

pub(super) fn integer(json: &Json) -> Option<i64> {
    match json {
        Json::Natural(number) => i64::try_from(*number).ok(),
        Json::Negative(number) => Some(*number),
        _ => None,
    }
}

/// The bounds of `{"between": [low, high]}`.
pub(super) fn between(json: &Json) -> Option<(i64, i64)> {
    let fields = fields_of(json);
    let [(name, Json::List(bounds))] = fields.as_slice() else { return None };
    match bounds.as_slice() {
        [low, high] if name == "between" => Some((integer(low)?, integer(high)?)),
        _ => None,
    }
}

/// Whether a number is as recorded: itself, or within bounds.
pub(super) fn number_fits(expected: &Json, got: i64) -> bool {
    match between(expected) {
        Some((low, high)) => (low..=high).contains(&got),
        None => integer(expected) == Some(got),
    }
}

/// SHA1s, written as `<sha1>`.
pub(super) fn without_sha1(text: &str) -> String {
    let mut plain = String::new();
    let mut run = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_hexdigit() {
            run.push(c);
            continue;
        }
        plain += if run.len() == 40 { "<sha1>" } else { &run };
        run.clear();
        plain.push(c);
    }
    plain.pop();
    plain
}

/// Whether an answer is as recorded.
pub(super) fn reply_fits(expected: &Json, reply: &Reply) -> bool {
    match (expected, reply) {
        (Json::Null, Reply::Nil) => true,
        (Json::Text(text), Reply::Bulk(got)) => *text == *got,
        (Json::Natural(_) | Json::Negative(_), Reply::Int(got)) => integer(expected) == Some(*got),
        (Json::List(items), Reply::Array(got)) => {
            items.len() == got.len() && items.iter().zip(got).all(|(item, got)| reply_fits(item, got))
        }
        (Json::Object(_), got) => object_fits(expected, got),
        _ => false,
    }
}

fn object_fits(expected: &Json, got: &Reply) -> bool {
    let fields = fields_of(expected);
    let [(name, value)] = fields.as_slice() else { return false };
    match (name.as_str(), value, got) {
        ("status", Json::Text(text), Reply::Status(got)) => *text == *got,
        ("error", Json::Text(text), Reply::Error(got)) => *text == without_sha1(got),
        ("nullArray", Json::Bool(true), Reply::NilArray) => true,
        ("any", Json::Text(_), Reply::Bulk(_) | Reply::Int(_)) => true,
        ("between", _, Reply::Int(got)) => between(expected).is_some_and(|(low, high)| (low..=high).contains(got)),
        _ => false,
    }
}

/// Whether what a client was told is as recorded.
pub(super) fn got_fits(expected: &Json, got: &Got) -> bool {
    let is = |name: &str| fields_of(expected) == [(name.to_string(), Json::Bool(true))];
    match got {
        Got::Reply(reply) => reply_fits(expected, reply),
        Got::Closed => is("closed"),
        Got::Timeout => is("timeout"),
        Got::NotConnected => is("notConnected"),
        Got::Nothing => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text).expect("JSON")
    }

    #[test]
    fn each_kind_of_answer_is_told_from_the_others() {
        let all = [
            (r#""a""#, Reply::Bulk("a".into())),
            ("1", Reply::Int(1)),
            ("null", Reply::Nil),
            (r#"["a", 1]"#, Reply::Array(vec![Reply::Bulk("a".into()), Reply::Int(1)])),
            (r#"{"nullArray": true}"#, Reply::NilArray),
            (r#"{"status": "OK"}"#, Reply::ok()),
            (r#"{"error": "ERR x"}"#, Reply::error("ERR x")),
        ];
        for (at, (expected, _)) in all.iter().enumerate() {
            for (other, (_, reply)) in all.iter().enumerate() {
                assert_eq!(reply_fits(&json(expected), reply), at == other, "{expected} {reply}");
            }
        }
        assert!(reply_fits(&json(r#"{"between": [1, 3]}"#), &Reply::Int(3)));
        assert!(!reply_fits(&json(r#"{"between": [1, 3]}"#), &Reply::Int(4)));
        let sha = format!("ERR x script: {}, on @user_script:1.", "a".repeat(40));
        assert!(reply_fits(&json(r#"{"error": "ERR x script: <sha1>, on @user_script:1."}"#), &Reply::error(sha)));
    }
}
