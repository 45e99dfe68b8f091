//! A file of a transaction log (`FileTxnLog.java`).

use zabscope_ground::base::Zxid;

use crate::content::Content;
use crate::record::{BadRecord, Record};
use crate::trouble::{Trouble, Wrong};

const MAGIC: &[u8; 4] = b"ZKLG";
const VERSION: i32 = 2;
/// Magic, version, and the id of a database, which is nothing.
const HEADER: usize = 16;
/// A record's checksum and its length.
const FRAME: usize = 12;
const MARK: u8 = 0x42;
/// What `jute.maxbuffer` lets pass by default, and as much again (`BinaryInputArchive.java` `checkLength`).
const LONGEST: usize = 2 * 0xf_ffff;

/// Where a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its zxid.
    pub zxid: Zxid,
    /// The place of its checksum in the file.
    pub at: u64,
    /// How long the record is, bytes.
    pub length: u32,
    /// What kind it is: see [`kind`](crate::record::kind).
    pub kind: i32,
    /// What it is by: the same transaction has the same on all servers, be its digest written there or not.
    pub id: u64,
}

/// How the reading of a log came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the file.
    File,
    /// With zeros up to the end of the file.
    Padding,
    /// In the middle of a record, or at one without its mark: a server reads no further, and goes on with the next file.
    Torn,
    /// With something at which a server gives up.
    Refused,
}

/// A file of a log.
#[derive(Clone, Debug)]
pub struct LogFile {
    /// Its path.
    pub path: String,
    /// The zxid in its name.
    pub name: Zxid,
    /// Its records, in the order of the file, up to where a server would read.
    pub entries: Vec<Entry>,
    /// The place behind the last of them.
    pub end: u64,
    /// How it ends.
    pub ending: Ending,
    /// What is wrong with it.
    pub troubles: Vec<Trouble>,
    content: Content,
}

/// What stands at a place.
enum Next {
    Record(Entry),
    End(Ending, Option<Wrong>),
}

impl LogFile {
    /// Reads a file.
    pub fn read(path: &str, name: Zxid, content: Content) -> LogFile {
        let entries = Vec::new();
        let mut log =
            LogFile { path: path.into(), name, entries, end: 0, ending: Ending::File, troubles: Vec::new(), content };
        match log.header() {
            Ok(()) => log.records(),
            Err(wrong) => {
                log.ending = Ending::Refused;
                log.troubles.push(Trouble::at(path, 0, wrong));
            }
        }
        log
    }

    /// The file's length, bytes.
    pub fn size(&self) -> u64 {
        self.content.size()
    }

    /// A record of it.
    pub fn record(&self, entry: &Entry) -> Option<Record<'_>> {
        let from = usize::try_from(entry.at).ok()? + FRAME;
        Record::read(self.content.bytes().get(from..from + entry.length as usize)?).ok()
    }

    fn header(&mut self) -> Result<(), Wrong> {
        let header = self.content.bytes();
        if self.content.size() == 0 {
            return Err(Wrong::Empty);
        }
        if !header.starts_with(MAGIC) {
            return Err(if self.content.size() < HEADER as u64 { Wrong::Header } else { Wrong::Magic });
        }
        let version = i32::from_be_bytes(self.zero_filled(MAGIC.len()));
        if version != VERSION {
            return Err(Wrong::Version(version));
        }
        match self.content.size() < HEADER as u64 {
            true => Err(Wrong::Header),
            false => Ok(()),
        }
    }

    /// Bytes of the file; zeros at its end are not kept.
    fn zero_filled<const N: usize>(&self, at: usize) -> [u8; N] {
        let rest = self.content.bytes().get(at..).unwrap_or_default();
        let mut filled = [0; N];
        filled.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        filled
    }

    fn records(&mut self) {
        let mut at = HEADER;
        // about as long as they are in practice, so that a long list does not move often
        self.entries.reserve(self.content.bytes().len() / 256);
        let (ending, wrong) = loop {
            match self.next(at) {
                Next::End(ending, wrong) => break (ending, wrong),
                Next::Record(entry) => {
                    self.check_order(&entry);
                    self.entries.push(entry);
                    at += FRAME + entry.length as usize + 1;
                }
            }
        };
        (self.end, self.ending) = (at as u64, ending);
        self.troubles.extend(wrong.map(|wrong| Trouble::at(&self.path, at as u64, wrong)));
        if let Some(first) = self.entries.first().filter(|first| first.zxid != self.name) {
            self.troubles.push(Trouble::of(&self.path, Wrong::Name { first: first.zxid }));
        }
    }

    fn check_order(&mut self, entry: &Entry) {
        if let Some(before) = self.entries.last().filter(|before| before.zxid >= entry.zxid) {
            let wrong = Wrong::Order { before: before.zxid, zxid: entry.zxid };
            self.troubles.push(Trouble::at(&self.path, entry.at, wrong));
        }
    }

    /// What stands at a place: a record, or the end of all that a server would read (`FileTxnIterator.next`).
    fn next(&self, at: usize) -> Next {
        let (bytes, size) = (self.content.bytes(), self.content.size());
        if at as u64 == size {
            return Next::End(Ending::File, None);
        }
        if at >= bytes.len() {
            return Next::End(Ending::Padding, None);
        }
        let behind_frame = at + FRAME;
        if behind_frame as u64 > size {
            return Next::End(Ending::Torn, Some(Wrong::CutShort));
        }
        let said = u64::from_be_bytes(self.zero_filled(at));
        let length = i32::from_be_bytes(self.zero_filled(at + 8));
        let Ok(length) = usize::try_from(length) else {
            return Next::End(Ending::Refused, Some(Wrong::Length(length.into())));
        };
        if length == 0 {
            let more = bytes.get(behind_frame..).is_some_and(|more| !more.is_empty()) || said != 0;
            return Next::End(Ending::Padding, more.then_some(Wrong::Padding));
        }
        if (behind_frame + length + 1) as u64 > size {
            let too_long = length > LONGEST;
            let ending = if too_long { Ending::Refused } else { Ending::Torn };
            return Next::End(ending, Some(if too_long { Wrong::Length(length as i64) } else { Wrong::CutShort }));
        }
        let next = behind_frame + length + 1;
        let body = bytes.get(behind_frame..behind_frame + length).unwrap_or_default();
        if bytes.get(next - 1) != Some(&MARK) {
            return Next::End(Ending::Torn, Some(Wrong::Partial { zxid: zxid_of(body), behind: self.behind(next) }));
        }
        let found = checksum(body);
        if u64::from(found) != said {
            let wrong = Wrong::Crc { zxid: zxid_of(body), said, found, behind: self.behind(next) };
            return Next::End(Ending::Refused, Some(wrong));
        }
        match Record::read(body) {
            Ok(record) => Next::Record(Entry {
                zxid: record.zxid,
                at: at as u64,
                length: length as u32,
                kind: record.kind,
                id: (record.length as u64) << 32 | u64::from(crc32fast::hash(&body[..record.length])),
            }),
            // the end of the bytes is taken for the end of the file
            Err(why) => {
                let kind = if let BadRecord::Kind(kind) = why { Some(kind) } else { None };
                let ending = if kind.is_some() { Ending::Refused } else { Ending::Torn };
                Next::End(ending, Some(Wrong::Record { zxid: zxid_of(body), kind }))
            }
        }
    }

    /// How many records from a place on can be read, though no server gets there.
    fn behind(&self, mut at: usize) -> u64 {
        let mut count = 0;
        // whatever is wrong there too, nobody counts on it
        while let Some(end) = self.good(at) {
            (at, count) = (end, count + 1);
        }
        count
    }

    /// The place behind a good record at a place.
    fn good(&self, at: usize) -> Option<usize> {
        let bytes = self.content.bytes();
        let length =
            usize::try_from(i32::from_be_bytes(self.zero_filled(at + 8))).ok().filter(|length| *length > 0)?;
        let body = bytes.get(at + FRAME..at + FRAME + length)?;
        let end = at + FRAME + length + 1;
        let good = bytes.get(end - 1) == Some(&MARK)
            && u64::from_be_bytes(self.zero_filled(at)) == u64::from(checksum(body));
        good.then_some(end)
    }
}

/// Adler32 of some bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    simd_adler32::adler32(&bytes)
}

/// The zxid in a record that may be damaged.
fn zxid_of(body: &[u8]) -> Option<Zxid> {
    let zxid = body.get(12..20)?.first_chunk::<8>()?;
    Some(Zxid(u64::from_be_bytes(*zxid))).filter(|zxid| zxid.counter() > 0)
}

#[cfg(test)]
mod tests;
