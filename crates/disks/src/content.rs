//! What is in a file: its bytes without the zeros at its end, which only have a number.
//!
//! A transaction log is grown by 64 MB of zeros at a time, and file systems keep them as nothing. So does this.

use std::io::{self, Read};

/// How many bytes all files together may keep in memory, zeros at their ends not counted.
pub const MOST_HELD: u64 = 2 << 30;

/// What is left of a number of bytes that may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Room(u64);

impl Default for Room {
    fn default() -> Room {
        Room(MOST_HELD)
    }
}

/// There is no room for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl Room {
    /// Room for so many bytes.
    pub fn of(bytes: u64) -> Room {
        Room(bytes)
    }

    /// Takes room for so many bytes.
    ///
    /// # Errors
    /// There is none.
    pub fn take(&mut self, bytes: u64) -> Result<(), NoRoom> {
        self.0 = self.0.checked_sub(bytes).ok_or(NoRoom)?;
        Ok(())
    }

    /// How many bytes are left.
    pub fn left(self) -> u64 {
        self.0
    }
}

/// What is in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    bytes: Vec<u8>,
    size: u64,
}

impl Content {
    /// A whole file.
    pub fn of(bytes: &[u8]) -> Content {
        let mut content = Content::default();
        content.bytes.extend_from_slice(&bytes[..behind_the_last(bytes)]);
        content.size = bytes.len() as u64;
        content
    }

    /// Adds what comes next in the file.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn push(&mut self, chunk: &[u8], room: &mut Room) -> Result<(), NoRoom> {
        let (end, held) = (behind_the_last(chunk), self.bytes.len() as u64);
        if end > 0 {
            let longer = self.size + end as u64;
            room.take(longer - held)?;
            // no more than there is room for, so it is a number of this machine
            self.bytes.resize(usize::try_from(self.size).map_err(|_| NoRoom)?, 0);
            self.bytes.extend_from_slice(&chunk[..end]);
        }
        self.size += chunk.len() as u64;
        Ok(())
    }

    /// Its bytes, without the zeros at its end.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its length, bytes, with the zeros at its end.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// All of it, where the zeros at its end matter and are few.
    pub fn whole(&self, room: &mut Room) -> Result<Vec<u8>, NoRoom> {
        room.take(self.size)?;
        let mut all = self.bytes.clone();
        all.resize(usize::try_from(self.size).map_err(|_| NoRoom)?, 0);
        Ok(all)
    }

    /// All of it, to be read from the beginning.
    pub fn reader(&self) -> impl Read {
        self.bytes[..].chain(io::repeat(0).take(self.size - self.bytes.len() as u64))
    }

    /// What it says as a text of one word, if it is short: an epoch, an id.
    pub fn word(&self) -> Option<&str> {
        let text = std::str::from_utf8(&self.bytes).ok().filter(|_| self.size <= 64)?;
        Some(text.trim())
    }
}

/// The place behind the last byte that is not zero.
fn behind_the_last(bytes: &[u8]) -> usize {
    // by blocks: most of what comes in here is zeros
    let blocks = bytes.rchunks(64).take_while(|block| block.iter().fold(0, |all, byte| all | byte) == 0);
    let zeros: usize = blocks.map(<[u8]>::len).sum();
    let rest = &bytes[..bytes.len() - zeros];
    rest.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_at_the_end_take_no_room() {
        let (mut content, mut room) = (Content::default(), Room::of(10));
        for chunk in [&[1, 2, 0][..], &[0; 500], &[]] {
            content.push(chunk, &mut room).unwrap();
        }
        assert_eq!((content.bytes(), content.size(), room.left()), (&[1, 2][..], 503, 8));
        assert_eq!(content.push(&[3], &mut room), Err(NoRoom), "the zeros before it would count now");
        let mut small = Content::of(&[7, 0]);
        small.push(&[0, 9], &mut room).unwrap();
        assert_eq!(small, Content::of(&[7, 0, 0, 9]));
    }
}
