//! A client's write as it travels through ZAB: who took it, its number there, and what it says.

use std::fmt;

use crate::base::ServerId;
use crate::zab::Payload;

/// A write. Its text form is `S2#7 x=1`; the payload of a transaction is that text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The server whose client wrote it: there the answer goes.
    pub origin: ServerId,
    /// The write's number, unique in a run.
    pub number: u64,
    /// What is written.
    pub data: &'a str,
}

impl<'a> Entry<'a> {
    /// Reads the text form; `None` for a text that this server did not make.
    pub fn parse(payload: &'a Payload) -> Option<Entry<'a>> {
        let (head, data) = payload.0.split_once(' ')?;
        let (origin, number) = head.strip_prefix('S')?.split_once('#')?;
        Some(Entry { origin: ServerId(origin.parse().ok()?), number: number.parse().ok()?, data })
    }

    /// The payload that carries it.
    pub fn payload(&self) -> Payload {
        Payload(self.to_string().into())
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{} {}", self.origin, self.number, self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_survives_the_way_through_zab() {
        let entry = Entry { origin: ServerId(2), number: 7, data: "x=1 and more" };
        assert_eq!(Entry::parse(&entry.payload()), Some(entry));
        assert_eq!(Entry::parse(&Payload("nonsense".into())), None);
    }
}
