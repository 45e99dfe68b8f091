//! The zxid: 64 bits, the high 32 the epoch, the low 32 a counter (`ZxidUtils.java`). Written `epoch:counter`.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;

use super::json::{Json, Read, ReadError};

/// The number of a leader's reign. 0 is the time before the first leader.
pub type Epoch = u32;

/// A transaction's id. Order of zxids is the order of the transactions.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zxid(pub u64);

impl Zxid {
    /// Before every transaction.
    pub const ZERO: Zxid = Zxid(0);
    /// What stands where no transaction is meant: -1.
    pub const NONE: Zxid = Zxid(u64::MAX);

    /// The zxid of an epoch and a counter.
    pub fn new(epoch: Epoch, counter: u32) -> Zxid {
        Zxid((u64::from(epoch) << 32) | u64::from(counter))
    }

    /// The high 32 bits.
    pub fn epoch(self) -> Epoch {
        (self.0 >> 32) as Epoch
    }

    /// The low 32 bits.
    pub fn counter(self) -> u32 {
        self.0 as u32
    }

    /// A zxid with counter 0: where an epoch starts. No transaction ever carries one.
    pub fn is_new_epoch(self) -> bool {
        self.counter() == 0
    }

    /// The zxid after this one in the same epoch.
    pub fn next(self) -> Zxid {
        Zxid(self.0 + 1)
    }

    /// Writes it as [`Display`](fmt::Display) does, for what is written millions of times: `write!` takes several times as long.
    fn written(self, text: &mut [u8; 21]) -> &str {
        if self == Zxid::NONE {
            return "-1";
        }
        let colon = digits_before(text, 21, self.counter()) - 1;
        text[colon] = b':';
        let begin = digits_before(text, colon, self.epoch());
        std::str::from_utf8(&text[begin..]).unwrap_or_default()
    }

    /// Whether `self` may come directly after `before` in a log: the next counter of the same epoch, or the first
    /// transaction of a later epoch.
    pub fn follows(self, before: Zxid) -> bool {
        if self.epoch() == before.epoch() {
            self.counter() == before.counter().wrapping_add(1)
        } else {
            self.epoch() > before.epoch() && self.counter() == 1
        }
    }
}

/// Writes a number so that it ends before a place; where it begins.
fn digits_before(text: &mut [u8; 21], mut end: usize, mut number: u32) -> usize {
    loop {
        end -= 1;
        text[end] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return end;
        }
    }
}

impl fmt::Display for Zxid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Zxid::NONE => f.write_str("-1"),
            zxid => write!(f, "{}:{}", zxid.epoch(), zxid.counter()),
        }
    }
}

impl fmt::Debug for Zxid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is wrong with a text that should be a zxid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadZxid(String);

impl fmt::Display for BadZxid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a zxid: write epoch:counter, as in 3:14", self.0)
    }
}

impl std::error::Error for BadZxid {}

impl FromStr for Zxid {
    type Err = BadZxid;

    fn from_str(text: &str) -> Result<Zxid, BadZxid> {
        if text == "-1" {
            return Ok(Zxid::NONE);
        }
        let parsed = text
            .split_once(':')
            .and_then(|(epoch, counter)| Some(Zxid::new(epoch.parse().ok()?, counter.parse().ok()?)));
        parsed.ok_or_else(|| BadZxid(text.chars().take(40).collect()))
    }
}

impl Serialize for Zxid {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.written(&mut [0; 21]))
    }
}

impl Read for Zxid {
    fn read(json: Json) -> Result<Zxid, ReadError> {
        let text = String::read(json)?;
        text.parse().map_err(|_| ReadError::unknown_name(&text, Vec::new()))
    }
}

impl<'de> Deserialize<'de> for Zxid {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epoch_and_counter_are_the_two_halves() {
        let zxid = Zxid::new(3, 14);
        assert_eq!((zxid.epoch(), zxid.counter(), zxid.to_string().as_str()), (3, 14, "3:14"));
        assert_eq!("3:14".parse(), Ok(zxid));
        for zxid in [Zxid::ZERO, zxid, Zxid(u64::MAX - 1), Zxid::NONE] {
            assert_eq!(zxid.written(&mut [0; 21]), zxid.to_string());
        }
        assert_eq!((Zxid::NONE.to_string().as_str(), "-1".parse()), ("-1", Ok(Zxid::NONE)));
        assert!("3".parse::<Zxid>().is_err() && "3:x".parse::<Zxid>().is_err());
        assert!(Zxid::new(4, 0) > Zxid::new(3, u32::MAX));
    }

    #[test]
    fn what_may_follow_what() {
        assert!(Zxid::new(1, 2).follows(Zxid::new(1, 1)));
        assert!(Zxid::new(3, 1).follows(Zxid::new(1, 9)));
        assert!(!Zxid::new(3, 2).follows(Zxid::new(1, 9)));
        assert!(!Zxid::new(1, 1).follows(Zxid::new(2, 9)));
    }
}
