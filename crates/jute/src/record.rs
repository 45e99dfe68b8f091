//! Jute's records: numbers with the high byte first, booleans of one byte, texts and buffers behind their length, of which -1 is null
//! (`BinaryInputArchive.java`, `BinaryOutputArchive.java`). Records have no names and no marks: whoever reads must know what comes.

use std::rc::Rc;

use zabscope_ground::wire::{Bytes, Data};

use crate::JuteError;

/// Reads what stands in some bytes, from front to back.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Begins at the front.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// So many bytes.
    ///
    /// # Errors
    /// There are fewer; so it is with all that follow.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], JuteError> {
        let short = JuteError::Short { wanted: count, left: self.rest.len() };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], JuteError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// A `byte`.
    ///
    /// # Errors
    /// [`JuteError::Short`].
    pub fn byte(&mut self) -> Result<u8, JuteError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// A `boolean`: anything but 0 is true.
    ///
    /// # Errors
    /// [`JuteError::Short`].
    pub fn bool(&mut self) -> Result<bool, JuteError> {
        Ok(self.byte()? != 0)
    }

    /// An `int`.
    ///
    /// # Errors
    /// [`JuteError::Short`].
    pub fn int(&mut self) -> Result<i32, JuteError> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    /// A `long`.
    ///
    /// # Errors
    /// [`JuteError::Short`].
    pub fn long(&mut self) -> Result<i64, JuteError> {
        Ok(i64::from_be_bytes(self.array()?))
    }

    /// A length or a count; `None` where it is -1.
    fn length(&mut self) -> Result<Option<usize>, JuteError> {
        let (length, left) = (self.int()?, self.rest.len());
        match usize::try_from(length) {
            Ok(length) if length <= left => Ok(Some(length)),
            Err(_) if length == -1 => Ok(None),
            _ => Err(JuteError::Length { length, left }),
        }
    }

    /// A `buffer`, or null.
    ///
    /// # Errors
    /// [`JuteError::Length`], and [`JuteError::Short`].
    pub fn buffer(&mut self) -> Result<Option<&'a [u8]>, JuteError> {
        self.length()?.map(|length| self.take(length)).transpose()
    }

    /// A `buffer` that is a znode's data.
    ///
    /// # Errors
    /// As [`Reader::buffer`].
    pub fn data(&mut self) -> Result<Data, JuteError> {
        Ok(self.buffer()?.map(|bytes| Bytes::from(bytes.to_vec())))
    }

    /// A `ustring`, or null. What is no UTF-8 becomes what Java makes of it.
    ///
    /// # Errors
    /// As [`Reader::buffer`].
    pub fn text_or_null(&mut self) -> Result<Option<Rc<str>>, JuteError> {
        Ok(self.buffer()?.map(|bytes| match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => Bytes::from(bytes.to_vec()).decoded().into(),
        }))
    }

    /// A `ustring`.
    ///
    /// # Errors
    /// As [`Reader::buffer`]; [`JuteError::Null`].
    pub fn text(&mut self) -> Result<Rc<str>, JuteError> {
        self.text_or_null()?.ok_or(JuteError::Null)
    }

    /// A `vector`: a count, and so many of what `each` reads. Null is read as empty. Each element is at least a byte, so a count
    /// above what is left is none, and nothing is set aside for it.
    ///
    /// # Errors
    /// [`JuteError::Length`], and what `each` says.
    pub fn vector<T>(
        &mut self,
        mut each: impl FnMut(&mut Reader<'a>) -> Result<T, JuteError>,
    ) -> Result<Vec<T>, JuteError> {
        let count = self.length()?.unwrap_or(0);
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(each(self)?);
        }
        Ok(all)
    }
}

/// Writes records, one behind the other.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Nothing is written yet.
    pub fn new() -> Writer {
        Writer::default()
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What was written, behind its length: a frame.
    pub fn into_frame(self) -> Vec<u8> {
        let mut frame = Vec::with_capacity(4 + self.bytes.len());
        frame.extend_from_slice(&length_of(self.bytes.len()).to_be_bytes());
        frame.extend_from_slice(&self.bytes);
        frame
    }

    /// Bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Writer {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// A `boolean`.
    pub fn bool(&mut self, value: bool) -> &mut Writer {
        self.raw(&[u8::from(value)])
    }

    /// An `int`.
    pub fn int(&mut self, value: i32) -> &mut Writer {
        self.raw(&value.to_be_bytes())
    }

    /// A `long`.
    pub fn long(&mut self, value: i64) -> &mut Writer {
        self.raw(&value.to_be_bytes())
    }

    /// A `long` whose bits are those of an unsigned number: a zxid, a session.
    pub fn bits(&mut self, value: u64) -> &mut Writer {
        self.raw(&value.to_be_bytes())
    }

    /// A `buffer`, or null.
    pub fn buffer(&mut self, bytes: Option<&[u8]>) -> &mut Writer {
        match bytes {
            Some(bytes) => self.int(length_of(bytes.len())).raw(bytes),
            None => self.int(-1),
        }
    }

    /// A `ustring`.
    pub fn text(&mut self, text: &str) -> &mut Writer {
        self.buffer(Some(text.as_bytes()))
    }

    /// A `vector`.
    pub fn vector<T>(&mut self, all: &[T], mut each: impl FnMut(&mut Writer, &T)) -> &mut Writer {
        self.int(length_of(all.len()));
        all.iter().for_each(|one| each(self, one));
        self
    }
}

/// A length as it is written. None is above two gigabytes: sizes are checked long before.
fn length_of(length: usize) -> i32 {
    i32::try_from(length).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut writer = Writer::new();
        writer.bool(true).int(-5).long(i64::MIN).bits(u64::MAX).buffer(None).buffer(Some(&[])).text("é");
        writer.vector(&["a", ""], |writer, text| {
            writer.text(text);
        });
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.bool(), Ok(true));
        assert_eq!(reader.int(), Ok(-5));
        assert_eq!((reader.long(), reader.long()), (Ok(i64::MIN), Ok(-1)));
        assert_eq!((reader.data(), reader.data()), (Ok(None), Ok(Some("".into()))));
        assert_eq!(reader.text().as_deref(), Ok("é"));
        assert_eq!(reader.vector(Reader::text), Ok(vec!["a".into(), "".into()]));
        assert!(reader.rest().is_empty());
        assert_eq!(reader.byte(), Err(JuteError::Short { wanted: 1, left: 0 }));
    }

    #[test]
    fn lengths_that_only_claim_are_refused() {
        let length = |bytes: &[u8]| Reader::new(bytes).data().map(|_| ());
        assert_eq!(length(&[0x7f, 0xff, 0xff, 0xff, 1]), Err(JuteError::Length { length: i32::MAX, left: 1 }));
        assert_eq!(length(&[0xff, 0xff, 0xff, 0xfe]), Err(JuteError::Length { length: -2, left: 0 }));
        assert_eq!(Reader::new(&[0xff; 4]).text(), Err(JuteError::Null));
        let vector = |bytes: &[u8]| Reader::new(bytes).vector(Reader::text).map(|all| all.len());
        assert_eq!(vector(&[0, 0, 0, 9, 0]), Err(JuteError::Length { length: 9, left: 1 }));
        assert_eq!(vector(&[0xff; 4]), Ok(0));
        assert_eq!(Reader::new(&[0, 0, 0, 2, 0xff, b'a']).text().as_deref(), Ok("\u{fffd}a"));
    }
}
