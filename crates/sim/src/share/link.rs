//! Links: a moment as the fragment of an address. Nothing of it is ever sent anywhere: browsers keep fragments to themselves.
//!
//! `b4.` and base64url: the codec's letter, the run's format version, a full stop; then four bytes of SipHash-2-4 of what
//! follows and of the version, and the packed moment.

use std::hash::Hasher;

use base64ct::{Base64UrlUnpadded, Encoding};
use siphasher::sip::SipHasher24;

use crate::base::json::{Json, Read, ReadError};
use crate::base::limits::{MAX_LINK_CHARS, MAX_RUN_BYTES};
use crate::sim::{FORMAT_VERSION, OLDEST_FORMAT, Run, RunError};

use super::moment::Moment;
use super::pack::{pack, unpack};

/// The codec of today, postcard and deflate; formats 1 and 2 had a coder of their own, `a`.
const CODEC: char = 'b';
/// Longest format version, digits.
const VERSION_DIGITS: usize = 9;
const CHECK_BYTES: usize = 4;

/// Why something is not opened, or not shared. Every language has a sentence for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// It is no link of ours.
    NoLink,
    /// It is a link, but not as it was made: cut off, or changed.
    Damaged,
    /// A newer page made it.
    Newer,
    /// Its run is of a format before [`OLDEST_FORMAT`].
    Older {
        /// The format version of its run.
        format: u32,
    },
    /// It is longer than may be read, or holds more than a run may.
    TooLong,
    /// It is neither a run nor a link.
    NoFile,
    /// It is a run, but not one that can be played.
    Run(RunError),
    /// Its run begins with servers' disks, which are kept in files.
    HasDisks,
    /// It does not fit into a QR code.
    NoQr {
        /// How long it is, characters.
        chars: usize,
    },
    /// A table would have too many rows.
    TooManyRows,
    /// A text that is exported gets too long.
    TextTooLong,
}

impl From<ReadError> for OpenError {
    fn from(read_error: ReadError) -> OpenError {
        OpenError::Run(read_error.into())
    }
}

/// The fragment of a link, without `#`.
///
/// # Errors
/// The run is not valid, longer than a link can be, or begins with disks.
pub fn encode(moment: &Moment) -> Result<String, OpenError> {
    let beside = moment.beside.iter().map(|beside| &beside.run);
    if std::iter::once(&moment.run).chain(beside).any(|run| !run.setup.disks.is_empty()) {
        return Err(OpenError::HasDisks);
    }
    let link = seal(FORMAT_VERSION, &pack(moment)?);
    if link.len() > MAX_LINK_CHARS { Err(OpenError::TooLong) } else { Ok(link) }
}

/// A stream with all that stands around it.
pub(super) fn seal(format: u32, stream: &[u8]) -> String {
    let bytes = [&check(format, stream), stream].concat();
    format!("{CODEC}{format}.{}", Base64UrlUnpadded::encode_string(&bytes))
}

/// The moment of a link: a fragment with or without `#`, or a whole address.
///
/// # Errors
/// It is no link, damaged, of another version, or too long; its run is not valid.
pub fn decode(link: &str) -> Result<Moment, OpenError> {
    if link.len() > MAX_LINK_CHARS {
        return Err(OpenError::TooLong);
    }
    let fragment = link.trim().rsplit('#').next().unwrap_or_default();
    let (codec, format, body) = parts(fragment).ok_or(OpenError::NoLink)?;
    if codec > CODEC || format > FORMAT_VERSION {
        return Err(OpenError::Newer);
    }
    if format < OLDEST_FORMAT {
        return Err(OpenError::Older { format });
    }
    if codec < CODEC {
        return Err(OpenError::Damaged);
    }
    let bytes = Base64UrlUnpadded::decode_vec(body).map_err(|_| OpenError::Damaged)?;
    let (sum, stream) = bytes.split_at_checked(CHECK_BYTES).ok_or(OpenError::Damaged)?;
    if sum != check(format, stream) {
        return Err(OpenError::Damaged);
    }
    unpack(stream, format)
}

/// The moment in a file: a run as JSON, or a text with a link.
///
/// # Errors
/// What [`decode`] says, or it is neither.
pub fn open(text: &str) -> Result<Moment, OpenError> {
    if text.len() > MAX_RUN_BYTES {
        return Err(OpenError::TooLong);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return run(text).map(Moment::start);
    }
    let words = || text.split(|letter: char| letter.is_whitespace() || "<>\"'()[]".contains(letter));
    match words().find(|word| parts(word.rsplit('#').next().unwrap_or_default()).is_some()) {
        Some(link) => decode(link),
        None => Err(OpenError::NoFile),
    }
}

/// A run from JSON; an old one says that it is old, whatever else is in it.
fn run(text: &str) -> Result<Run, OpenError> {
    let json = Json::parse(text)?;
    if let Json::Object(fields) = &json {
        match fields.iter().find(|(name, _)| *name == "version").map(|(_, value)| value) {
            Some(Json::Natural(format)) if *format > u64::from(FORMAT_VERSION) => return Err(OpenError::Newer),
            Some(Json::Natural(format)) if (1..u64::from(OLDEST_FORMAT)).contains(format) => {
                return Err(OpenError::Older { format: *format as u32 });
            }
            _ => {}
        }
    }
    let run = Run::read(json)?;
    run.check()?;
    Ok(run)
}

/// The codec's letter, the format version and what follows, if this looks like a link.
fn parts(fragment: &str) -> Option<(char, u32, &str)> {
    let (head, body) = fragment.split_once('.')?;
    let mut letters = head.chars();
    let codec = letters.next().filter(char::is_ascii_lowercase)?;
    let digits = letters.as_str();
    let all =
        !digits.is_empty() && digits.len() <= VERSION_DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit());
    let body_too = !body.is_empty() && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    (all && body_too).then(|| digits.parse().ok().map(|format| (codec, format, body))).flatten()
}

fn check(format: u32, stream: &[u8]) -> [u8; CHECK_BYTES] {
    let mut hasher = SipHasher24::new();
    hasher.write_u32(format);
    hasher.write(stream);
    let [a, b, c, d, ..] = hasher.finish().to_le_bytes();
    [a, b, c, d]
}
