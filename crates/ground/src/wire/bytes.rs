//! Bytes of a znode: what is kept, sent and written down as they are, whether they are a text or not.

use base64ct::{Base64, Encoding};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, ValueError, Wanted, deserialize_as_read, short};
use crate::base::limits::MAX_DATA_BYTES;

/// Bytes. Everybody who shows them takes them for a text where they are one, and else as hex: [`Bytes::text`] decides. In JSON
/// a text is a text, and other bytes are `{"base64":"/w=="}`.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(Rc<[u8]>);

/// A znode's data: bytes, or null. No bytes are not null.
pub type Data = Option<Bytes>;

/// What Java takes data for, and nothing where they are null.
pub fn decoded(data: &Data) -> Cow<'_, str> {
    data.as_ref().map_or(Cow::Borrowed(""), Bytes::decoded)
}

/// As much of base64 as stands for the longest data.
const MAX_BASE64: usize = MAX_DATA_BYTES.div_ceil(3) * 4;

impl Bytes {
    /// The text that they are: UTF-8 that can be shown, so without control characters other than tabs and line breaks.
    pub fn text(&self) -> Option<&str> {
        let shown = |text: &&str| !text.chars().any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r'));
        std::str::from_utf8(&self.0).ok().filter(shown)
    }

    /// What Java takes them for (`new String(bytes, UTF_8)`): what is no UTF-8 becomes replacement characters. Half of a pair
    /// of surrogates is one of them there, where Rust makes one of each of its bytes.
    pub fn decoded(&self) -> Cow<'_, str> {
        let mut rest: &[u8] = &self.0;
        let mut text = match std::str::from_utf8(rest) {
            Ok(whole) => return Cow::Borrowed(whole),
            Err(_) => String::with_capacity(rest.len()),
        };
        while let Err(error) = std::str::from_utf8(rest) {
            let (valid, bad) = rest.split_at(error.valid_up_to());
            text.push_str(&String::from_utf8_lossy(valid));
            text.push(char::REPLACEMENT_CHARACTER);
            let length = match bad {
                [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
                [0xed, 0xa0..=0xbf, ..] => 2,
                _ => error.error_len().unwrap_or(bad.len()),
            };
            rest = bad.get(length..).unwrap_or_default();
        }
        text.push_str(&String::from_utf8_lossy(rest));
        Cow::Owned(text)
    }

    /// They as base64, with padding.
    pub fn base64(&self) -> String {
        Base64::encode_string(&self.0)
    }

    /// A text of them, whole, for whoever shows them: themselves, or hex (`0xff00`).
    pub fn shown(&self) -> Cow<'_, str> {
        self.text().map_or_else(|| Cow::Owned(hex(&self.0)), Cow::Borrowed)
    }

    /// The beginning of that: so many characters, and `…` where there are more.
    pub fn beginning(&self, most: usize) -> String {
        let shown = self.text().map_or_else(|| Cow::Owned(hex(&self.0[..self.len().min(most)])), Cow::Borrowed);
        match shown.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &shown[..end]),
            None => shown.into_owned(),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("0x");
    for byte in bytes {
        for half in [byte >> 4, byte & 15] {
            text.push(char::from(DIGITS[usize::from(half)]));
        }
    }
    text
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for Bytes {
    fn from(text: &str) -> Bytes {
        Bytes(text.as_bytes().into())
    }
}

impl From<String> for Bytes {
    fn from(text: String) -> Bytes {
        Bytes(text.into_bytes().into())
    }
}

impl From<Rc<str>> for Bytes {
    fn from(text: Rc<str>) -> Bytes {
        Bytes(text.into())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        Bytes(bytes.into())
    }
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(bytes: [u8; N]) -> Bytes {
        Bytes(Rc::new(bytes))
    }
}

/// The text, or hex.
impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

/// The text between quotes, or hex.
impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => write!(f, "{text:?}"),
            None => f.write_str(&hex(&self.0)),
        }
    }
}

/// Bytes that are no text, in JSON.
#[derive(Serialize)]
struct InJson {
    base64: String,
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.text() {
            Some(text) => s.serialize_str(text),
            None => InJson { base64: self.base64() }.serialize(s),
        }
    }
}

deserialize_as_read!(Bytes);

impl Read for Bytes {
    fn read(json: Json) -> Result<Bytes, ReadError> {
        match json {
            Json::Text(text) => Ok(text.into()),
            Json::Object(mut fields) => {
                let base64: String = fields.need("base64")?;
                fields.end()?;
                short("base64", &base64, MAX_BASE64)?;
                let bytes = Base64::decode_vec(&base64);
                bytes.map(Bytes::from).map_err(|_| ReadError::new(ValueError::NoBase64).within("base64"))
            }
            other => Err(other.read_error(Wanted::Data)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Prng, Stream};

    fn bytes(bytes: &[u8]) -> Bytes {
        bytes.to_vec().into()
    }

    /// Bytes of any kind, those more often that begin or end something in UTF-8.
    fn any(prng: &mut Prng) -> Bytes {
        const EDGES: [u8; 16] =
            [0, 0x0a, 0x1f, 0x22, 0x41, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff];
        let byte = |prng: &mut Prng| match prng.below(3) {
            0 => prng.below(256) as u8,
            _ => EDGES[prng.below(16) as usize],
        };
        (0..prng.below(9)).map(|_| byte(prng)).collect::<Vec<u8>>().into()
    }

    #[test]
    fn any_bytes_survive_json() {
        let mut prng = Prng::new(48, Stream::Crowd);
        for _ in 0..20_000 {
            let bytes = any(&mut prng);
            let json = serde_json::to_string(&bytes).unwrap();
            assert_eq!(json.starts_with('{'), bytes.text().is_none(), "{json}");
            assert_eq!(Json::parse(&json).and_then(Bytes::read).as_ref(), Ok(&bytes), "{json}");
            assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes, "{json}");
        }
    }

    #[test]
    fn text_is_what_can_be_read() {
        for (of, text, shown) in [
            ("".as_bytes(), true, ""),
            ("a\tb\r\n".as_bytes(), true, "a\tb\r\n"),
            ("数据é".as_bytes(), true, "数据é"),
            (&[0, 0, 0, 5], false, "0x00000005"),
            (&[0xc2, 0x85], false, "0xc285"),
            (&[0xff], false, "0xff"),
        ] {
            assert_eq!((bytes(of).text().is_some(), &*bytes(of).shown()), (text, shown));
        }
        let long = |of: &[u8]| bytes(&of.repeat(9)).beginning(6);
        assert_eq!((long("é".as_bytes()), long(&[0xab])), ("éééééé…".into(), "0xabab…".into()));
        assert_eq!(
            (bytes(b"abcdef").beginning(6), bytes(&[0xab; 2]).beginning(6)),
            ("abcdef".into(), "0xabab".into())
        );
    }

    /// As Java 17 prints them.
    #[test]
    fn what_is_no_utf_8_is_replaced_as_java_does() {
        for (of, text) in [
            (&b"a\xffb"[..], "a\u{fffd}b"),
            (b"\xc0\x80", "\u{fffd}\u{fffd}"),
            (b"\xe0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xe4\xbd", "\u{fffd}"),
            (b"\xe4\xbda", "\u{fffd}a"),
            (b"\xed\xa0\x80x", "\u{fffd}x"),
            (b"\xed\xa0", "\u{fffd}"),
            (b"\xed\xbfx", "\u{fffd}x"),
            (b"\xed\xa0\x80\xed\xb0\x80", "\u{fffd}\u{fffd}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\xf0\x9fA", "\u{fffd}A"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf8\x88", "\u{fffd}\u{fffd}"),
            ("é\u{1f600}".as_bytes(), "é\u{1f600}"),
        ] {
            assert_eq!(bytes(of).decoded(), text, "{of:x?}");
        }
    }

    #[test]
    fn what_is_no_data_is_refused() {
        let complaint = |text: &str| Json::parse(text).and_then(Bytes::read).expect_err(text).to_string();
        for (text, why) in [
            ("7", "7 is not a text, nor an object with `base64`"),
            ("null", "null is not a text, nor an object with `base64`"),
            ("{}", "missing field `base64`"),
            (r#"{"base64":"/w==","x":1}"#, "unknown field `x`; expected `base64`"),
            (r#"{"base64":255}"#, "base64: 255 is not a text"),
            (r#"{"base64":"/w="}"#, "base64: this is not base64"),
            (r#"{"base64":"ÿ"}"#, "base64: this is not base64"),
        ] {
            assert_eq!(complaint(text), why, "{text}");
        }
        let long = format!("{{\"base64\":\"{}\"}}", "A".repeat(MAX_BASE64 + 4));
        assert!(complaint(&long).starts_with("base64: 2796208 bytes are too many"), "{}", complaint(&long));
    }
}
