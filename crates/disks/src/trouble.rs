//! What is wrong with a file, and where.

use serde::{Deserialize, Serialize};
use std::fmt;

use zabscope_ground::base::Zxid;

/// A zxid as operators know it: `0x10000000c`.
pub fn hex(zxid: Zxid) -> String {
    format!("0x{:x}", zxid.0)
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// Which file.
    pub file: String,
    /// Where in it, bytes from its beginning.
    pub offset: Option<u64>,
    /// What.
    #[serde(serialize_with = "crate::in_words::one")]
    pub what: Wrong,
}

impl Trouble {
    /// Of a place in a file.
    pub fn at(file: &str, offset: u64, what: Wrong) -> Trouble {
        Trouble { file: file.into(), offset: Some(offset), what }
    }

    /// Of a file as a whole.
    pub fn of(file: &str, what: Wrong) -> Trouble {
        Trouble { file: file.into(), offset: None, what }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrong {
    /// An archive or a compressed file cannot be read on; with what its reader says.
    Archive(String),
    /// An archive in an archive in an archive: as deep as that nobody packs.
    Nested,
    /// There is no room in memory for more.
    NoRoom,
    /// The file begins with something else than its kind does.
    Magic,
    /// A version of the format that there is not.
    Version(i32),
    /// It ends within its header.
    Header,
    /// The last record is cut short: a server stops reading here, without a word.
    CutShort,
    /// The byte behind a record is not 0x42: a server stops reading here (`Last transaction was partial.`); so many good ones follow.
    Partial {
        /// The record's zxid, where it can be read.
        zxid: Option<Zxid>,
        /// How many records behind it can be read.
        behind: u64,
    },
    /// The checksum of a record is wrong: a server does not start (`CRC check failed`).
    Crc {
        /// The record's zxid, where it can be read.
        zxid: Option<Zxid>,
        /// The checksum in the file.
        said: u64,
        /// That of the bytes.
        found: u32,
        /// How many records behind it can be read.
        behind: u64,
    },
    /// The length of a record is negative, or more than `jute.maxbuffer` lets pass: a server does not start.
    Length(i64),
    /// The bytes of a record with a good checksum are no transaction.
    Record {
        /// Its zxid, where it can be read.
        zxid: Option<Zxid>,
        /// Its kind, where that is the reason.
        kind: Option<i32>,
    },
    /// The padding is not zeros all through.
    Padding,
    /// A zxid that does not come after the one before.
    Order {
        /// The one before.
        before: Zxid,
        /// This one.
        zxid: Zxid,
    },
    /// The first record is not the one that the file is named after.
    Name {
        /// The first record's zxid.
        first: Zxid,
    },
    /// A snapshot cannot be read on.
    Snapshot,
    /// A znode whose parent is not in the snapshot.
    Orphan(String),
    /// A list of permissions that is not in the snapshot's table.
    NoAcl(i64),
    /// The checksum of all before a seal is wrong.
    Seal {
        /// Which seal, from 1.
        number: usize,
        /// The checksum in the file.
        said: u64,
        /// That of the bytes.
        found: u32,
    },
    /// A seal ends with something else than `/`.
    SealMark(usize),
    /// The file ends where the first seal should be.
    NoSeal,
    /// There is something behind the last seal.
    Behind(u64),
    /// The digest in a snapshot is not that of its tree.
    TreeDigest {
        /// The digest in the file.
        said: u64,
        /// That of the tree.
        found: u64,
    },
    /// What should be a number is none.
    NoNumber(String),
    /// A line of a configuration that cannot be read.
    Line {
        /// Its number, from 1.
        number: usize,
        /// The line.
        text: String,
    },
    /// The file is empty.
    Empty,
    /// It stands in several places, with different contents.
    Twice,
    /// It cannot be opened, or not read; with what the system says.
    Io(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "{} at byte {offset}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// ` of 0x10000000c`, where it is known.
struct Of<'a>(&'a Option<Zxid>);

impl fmt::Display for Of<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |zxid| write!(f, " of {}", hex(zxid)))
    }
}

/// `; 3 more records behind it can be read`, where there are some.
struct More(u64);

impl fmt::Display for More {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            1 => write!(f, "; one more record behind it can be read"),
            more => write!(f, "; {more} more records behind it can be read"),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Archive(why) => write!(f, "cannot be unpacked: {why}"),
            Wrong::Nested => write!(f, "an archive in archives, too deep to be unpacked"),
            Wrong::NoRoom => write!(f, "too much to be kept in memory"),
            Wrong::Magic => write!(f, "does not begin as such a file does"),
            Wrong::Version(version) => write!(f, "version {version} of its format: only 2 is known"),
            Wrong::Header => write!(f, "ends within its header"),
            Wrong::CutShort => write!(f, "the last record is cut short; a server stops reading here"),
            Wrong::Partial { zxid, behind } => {
                write!(f, "the record{} does not end with 0x42; a server stops reading here", Of(zxid))?;
                write!(f, " ('Last transaction was partial.'){}", More(*behind))
            }
            Wrong::Crc { zxid, said, found, behind } => {
                write!(f, "the checksum{} is 0x{said:x}, that of its bytes 0x{found:x}; a server", Of(zxid))?;
                write!(f, " does not start ('CRC check failed'){}", More(*behind))
            }
            Wrong::Length(length) => write!(f, "a record of {length} bytes; a server does not start"),
            Wrong::Record { zxid, kind: Some(kind) } => {
                write!(f, "the record{} has the unknown kind {kind}; a server does not start", Of(zxid))
            }
            Wrong::Record { zxid, kind: None } => {
                write!(f, "the record{} has a good checksum, but is no transaction", Of(zxid))
            }
            Wrong::Padding => write!(f, "something else than zeros stands behind the end of the log"),
            Wrong::Order { before, zxid } => write!(f, "{} stands behind {}", hex(*zxid), hex(*before)),
            Wrong::Name { first } => write!(f, "named after another transaction than its first, {}", hex(*first)),
            Wrong::Snapshot => write!(f, "cannot be read on; a server takes an older snapshot"),
            Wrong::Orphan(path) => write!(f, "the parent of {path} is missing; a server takes an older snapshot"),
            Wrong::NoAcl(number) => write!(f, "a znode names list {number} of permissions, which is not there"),
            Wrong::Seal { number, said, found } => {
                write!(f, "seal {number} is 0x{said:x}, the checksum of all before it 0x{found:x}")?;
                write!(f, "; a server takes an older snapshot")
            }
            Wrong::SealMark(number) => {
                write!(f, "seal {number} does not end with '/'; a server takes an older snapshot")
            }
            Wrong::NoSeal => write!(f, "has no seal; a server takes an older snapshot"),
            Wrong::Behind(bytes) => write!(f, "{bytes} bytes behind the last seal"),
            Wrong::TreeDigest { said, found } => write!(f, "says digest {said}, its tree has {found}"),
            Wrong::NoNumber(text) => write!(f, "'{text}' is no number"),
            Wrong::Line { number, text } => write!(f, "line {number} cannot be read: {text}"),
            Wrong::Empty => write!(f, "is empty"),
            Wrong::Twice => write!(f, "stands in several places, with different contents"),
            Wrong::Io(why) => write!(f, "{why}"),
        }
    }
}
