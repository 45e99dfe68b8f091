//! Frames on a stream: a length of four bytes, and so many bytes (`NIOServerCnxn.java` `readLength`). A connection may begin with a
//! four-letter word instead: the four bytes of its text stand where the first length would.

use serde::{Deserialize, Serialize};
use zabscope_ground::wire::FourLetterWord;

use crate::JuteError;
use crate::record::Reader;

/// The longest word: `stmk` and its eight bytes.
const LONGEST_WORD: usize = 12;

/// What stands next on a stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Incoming {
    /// A four-letter word, which is all that the connection is for; `stmk` with the eight bytes behind it.
    Word(String),
    /// What stood behind a length.
    Frame(Vec<u8>),
}

/// Cuts a stream into frames.
#[derive(Clone, Debug)]
pub struct Frames {
    bytes: Vec<u8>,
    most: usize,
    may_be_word: bool,
}

impl Frames {
    /// Of a connection that has just been opened to a server, which takes frames of at most so many bytes (`jute.maxbuffer`).
    pub fn new(most: usize) -> Frames {
        Frames { bytes: Vec::new(), most, may_be_word: true }
    }

    /// Of a connection on which only frames come.
    pub fn of_a_session(most: usize) -> Frames {
        Frames { may_be_word: false, ..Frames::new(most) }
    }

    /// More bytes came. What is kept is at most one frame and what is pushed at once, if [`Frames::next`] is called until it has none.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// What stands next; `None` where it has not come whole.
    ///
    /// # Errors
    /// [`JuteError::Frame`]: a server closes the connection, and reads no further.
    #[allow(clippy::should_implement_trait)] // it may have more to say after `None`
    pub fn next(&mut self) -> Result<Option<Incoming>, JuteError> {
        let mut reader = Reader::new(&self.bytes);
        let Ok(length) = reader.int() else { return Ok(None) };
        if let Some(word) = std::str::from_utf8(&self.bytes[..4]).ok().filter(|_| self.may_be_word)
            && let Some(word) = FourLetterWord::named(word)
        {
            return Ok(self.word(word));
        }
        let Some(whole) = usize::try_from(length).ok().filter(|length| *length <= self.most) else {
            return Err(JuteError::Frame { length, most: self.most });
        };
        let Ok(frame) = reader.take(whole) else { return Ok(None) };
        let frame = frame.to_vec();
        self.bytes.drain(..4 + whole);
        self.may_be_word = false;
        Ok(Some(Incoming::Frame(frame)))
    }

    /// The word, when it has come whole. What is behind it is never read.
    fn word(&mut self, word: FourLetterWord) -> Option<Incoming> {
        let length = if word.name() == "stmk" { LONGEST_WORD } else { 4 };
        let text = String::from_utf8_lossy(self.bytes.get(..length)?).into_owned();
        self.bytes.clear();
        Some(Incoming::Word(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(frames: &mut Frames, pushed: &[u8]) -> Vec<Result<Option<Incoming>, JuteError>> {
        let each = pushed.iter().map(|byte| {
            frames.push(&[*byte]);
            frames.next()
        });
        each.filter(|next| *next != Ok(None)).collect()
    }

    #[test]
    fn frames_come_when_they_are_whole() {
        let frame = |bytes: &[u8]| Ok(Some(Incoming::Frame(bytes.to_vec())));
        let mut frames = Frames::new(100);
        assert_eq!(all(&mut frames, &[0, 0, 0, 2, 7, 8, 0, 0, 0, 0]), [frame(&[7, 8]), frame(&[])]);
        assert_eq!(all(&mut frames, b"srvr"), [Err(JuteError::Frame { length: 0x7372_7672, most: 100 })]);
    }

    #[test]
    fn a_word_is_read_where_a_connection_begins() {
        let word = |text: &str| Ok(Some(Incoming::Word(text.into())));
        assert_eq!(all(&mut Frames::new(100), b"srvr"), [word("srvr")]);
        assert_eq!(all(&mut Frames::new(100), b"stmk12345678"), [word("stmk12345678")]);
        assert_eq!(all(&mut Frames::new(100), b"abcd"), [Err(JuteError::Frame { length: 0x6162_6364, most: 100 })]);
        assert!(all(&mut Frames::of_a_session(100), b"srvr")[0].is_err());
    }

    #[test]
    fn lengths_beyond_the_limit_are_refused_before_they_are_read() {
        let refused = |length: i32, most| {
            let mut frames = Frames::new(most);
            frames.push(&length.to_be_bytes());
            frames.next()
        };
        assert_eq!(refused(101, 100), Err(JuteError::Frame { length: 101, most: 100 }));
        assert_eq!(refused(-1, 100), Err(JuteError::Frame { length: -1, most: 100 }));
        assert_eq!(refused(100, 100), Ok(None));
    }
}
