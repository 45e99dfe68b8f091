//! Reading jute, the encoding of ZooKeeper's files and packets (`BinaryInputArchive.java`): as much of it as files need.

use std::borrow::Cow;

/// What stands in the way of reading on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// The bytes end here.
    Ends,
    /// A length or a count that is negative, or null where there is none.
    Length(i64),
}

/// A place in bytes from which is read on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jute<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Jute<'a> {
    /// The beginning of these bytes.
    pub(crate) fn new(bytes: &'a [u8]) -> Jute<'a> {
        Jute { bytes, at: 0 }
    }

    /// Where it stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The bytes from a place up to here.
    pub(crate) fn since(&self, from: usize) -> &'a [u8] {
        self.bytes.get(from..self.at).unwrap_or_default()
    }

    /// So many bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Unreadable> {
        let taken = self.rest().get(..length).ok_or(Unreadable::Ends)?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Unreadable> {
        let (taken, _) = self.rest().split_first_chunk::<N>().ok_or(Unreadable::Ends)?;
        self.at += N;
        Ok(*taken)
    }

    /// A `boolean`.
    pub(crate) fn bool(&mut self) -> Result<bool, Unreadable> {
        Ok(self.array::<1>()? != [0])
    }

    /// An `int`.
    pub(crate) fn int(&mut self) -> Result<i32, Unreadable> {
        self.array().map(i32::from_be_bytes)
    }

    /// A `long`.
    pub(crate) fn long(&mut self) -> Result<i64, Unreadable> {
        self.array().map(i64::from_be_bytes)
    }

    /// A `buffer`: bytes, or null.
    pub(crate) fn buffer(&mut self) -> Result<Option<&'a [u8]>, Unreadable> {
        let length = self.int()?;
        match usize::try_from(length) {
            Ok(length) => self.take(length).map(Some),
            Err(_) if length == -1 => Ok(None),
            Err(_) => Err(Unreadable::Length(length.into())),
        }
    }

    /// A `ustring` that is not null. What is no UTF-8 becomes replacement characters, as in Java.
    pub(crate) fn text(&mut self) -> Result<Cow<'a, str>, Unreadable> {
        self.buffer()?.map(String::from_utf8_lossy).ok_or(Unreadable::Length(-1))
    }

    /// The number of things in a `vector`; null is none of them. Not more than there is room for, each of at least `least` bytes.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, Unreadable> {
        let count = self.int()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.rest().len() / least => Ok(count),
            Ok(_) => Err(Unreadable::Ends),
            Err(_) if count == -1 => Ok(0),
            Err(_) => Err(Unreadable::Length(count.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_read() {
        let mut jute = Jute::new(&[0, 0, 0, 2, b'/', b'a', 0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 9]);
        assert_eq!(jute.text(), Ok("/a".into()));
        assert_eq!(jute.buffer(), Ok(None));
        let mut copy = jute;
        assert_eq!(copy.buffer(), Err(Unreadable::Length(i32::MIN.into())));
        assert_eq!(jute.long(), Err(Unreadable::Ends));
        assert_eq!((jute.int(), jute.rest(), jute.since(4)), (Ok(i32::MIN), &[9][..], &jute.bytes[4..14]));
        assert_eq!(Jute::new(&[0x7f, 0xff, 0xff, 0xff]).count(1), Err(Unreadable::Ends), "no memory is asked for");
    }
}
