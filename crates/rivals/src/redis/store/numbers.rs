//! Numbers in arguments (`util.c` `string2ll`).

use crate::redis::reply::Reply;

/// What is said of an argument that is no number.
pub(crate) const NOT_AN_INTEGER: &str = "ERR value is not an integer or out of range";

/// A number as Redis writes it: no sign but a minus, no leading zeros, no blanks.
pub(crate) fn integer(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.to_string() == text)
}

/// The same, or the error.
pub(super) fn int_arg(text: &str) -> Result<i64, Reply> {
    integer(text).ok_or_else(|| Reply::error(NOT_AN_INTEGER))
}
