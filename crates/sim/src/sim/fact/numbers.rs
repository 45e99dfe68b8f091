//! Numbers in facts.

use serde::{Deserialize, Serialize};

/// A 64-bit number that is written in hexadecimal: no reader of JSON rounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub u64);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Hex, D::Error> {
        let text = String::deserialize(d)?;
        u64::from_str_radix(&text, 16).map(Hex).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Hex {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{:016x}", self.0))
    }
}

/// Whether a count is left out.
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}
