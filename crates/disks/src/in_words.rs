//! What is read by people is a sentence, what is read by the page is a value that it has its own words for.

use std::fmt::Display;

use serde::{Serialize, Serializer};

/// One.
pub(crate) fn one<T: Display + Serialize, S: Serializer>(it: &T, s: S) -> Result<S::Ok, S::Error> {
    if s.is_human_readable() { s.collect_str(it) } else { it.serialize(s) }
}

/// Several.
pub(crate) fn several<T: Display + Serialize, S: Serializer>(all: &[T], s: S) -> Result<S::Ok, S::Error> {
    if s.is_human_readable() { s.collect_seq(all.iter().map(T::to_string)) } else { all.serialize(s) }
}

/// One, or none.
pub(crate) fn perhaps<T: Display + Serialize, S: Serializer>(it: &Option<T>, s: S) -> Result<S::Ok, S::Error> {
    if s.is_human_readable() { it.as_ref().map(T::to_string).serialize(s) } else { it.serialize(s) }
}
