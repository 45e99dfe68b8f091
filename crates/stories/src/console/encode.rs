//! What `set -b` reads, base64, and one of the ways in which `get` shows data: a hex dump (`-x`, that of Netty's `ByteBufUtil`).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes that base64 stands for (`Base64.Decoder`); the padding may be left out. A character beyond Latin-1 counts as `?`.
///
/// # Errors
/// The message of the exception.
pub(super) fn from_base64(text: &str) -> Result<Vec<u8>, String> {
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
    if latin.len() == 1 {
        return Err("Input byte[] should at least have 2 bytes for base64 bytes".into());
    }
    let (mut bytes, mut bits, mut digits, mut read) = (Vec::with_capacity(latin.len() / 4 * 3 + 2), 0_u32, 0, 0);
    while let Some(&byte) = latin.get(read) {
        read += 1;
        let Some(value) = DIGITS.iter().position(|known| *known == byte) else {
            if byte != b'=' {
                let sign = if byte > 0x7f { "-" } else { "" }; // Java's bytes have one
                return Err(format!("Illegal base64 character {sign}{:x}", i32::from(byte.cast_signed()).abs()));
            }
            if digits == 2 {
                read += 1;
                if latin.get(read - 1) != Some(&b'=') {
                    digits = 0;
                }
            }
            if digits == 0 {
                return Err("Input byte array has wrong 4-byte ending unit".into());
            }
            break;
        };
        bits = (bits << 6) | value as u32;
        digits += 1;
        if digits == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, digits) = (0, 0);
        }
    }
    match digits {
        1 => return Err("Last unit does not have enough valid bits".into()),
        2 => bytes.push((bits >> 4) as u8),
        3 => bytes.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]),
        _ => {}
    }
    match latin.len() > read {
        true => Err(format!("Input byte array has incorrect ending byte at {read}")),
        false => Ok(bytes),
    }
}

/// A table of sixteen bytes a line; nothing for no bytes.
pub(super) fn hex_dump(bytes: &[u8]) -> Vec<String> {
    if bytes.is_empty() {
        return vec![String::new()];
    }
    let rule = "+--------+-------------------------------------------------+----------------+";
    let mut lines = vec![
        "         +-------------------------------------------------+".to_string(),
        "         |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |".to_string(),
        rule.to_string(),
    ];
    for (row, chunk) in bytes.chunks(16).enumerate() {
        let hex: String = chunk.iter().map(|byte| format!(" {byte:02x}")).collect();
        let shown = |byte: &u8| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' };
        let text: String = chunk.iter().map(shown).collect();
        lines.push(format!("|{:08x}|{hex:<48} |{text:<16}|", row * 16));
    }
    lines.push(rule.to_string());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Bytes;

    #[test]
    fn base64_goes_both_ways() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("null", "bnVsbA=="), ("é?", "w6k/")]
        {
            assert_eq!(Bytes::from(bytes).base64(), text);
            assert_eq!(from_base64(text).as_deref(), Ok(bytes.as_bytes()), "{text}");
        }
        assert_eq!(from_base64("Zg").as_deref(), Ok(&b"f"[..]));
        assert_eq!(from_base64("/w==").as_deref(), Ok(&[0xff][..]));
    }

    /// As Java 17 words it.
    #[test]
    fn what_is_no_base64_is_refused_as_java_does() {
        let unit = "Input byte array has wrong 4-byte ending unit";
        let bits = "Last unit does not have enough valid bits";
        for (bad, why) in [
            ("Z", "Input byte[] should at least have 2 bytes for base64 bytes"),
            ("Zg=", unit),
            ("Zg=x", unit),
            ("Z===", bits),
            ("Zm9!", "Illegal base64 character 21"),
            ("====", unit),
            ("中文", "Illegal base64 character 3f"),
            ("é=", "Illegal base64 character -17"),
            ("Zm9vZ", bits),
            ("Zg==Zg", "Input byte array has incorrect ending byte at 4"),
        ] {
            assert_eq!(from_base64(bad), Err(why.to_string()), "{bad}");
        }
    }

    #[test]
    fn a_dump_is_a_table() {
        let lines = hex_dump("hello, world é!\nab".as_bytes());
        assert_eq!(lines[3], "|00000000| 68 65 6c 6c 6f 2c 20 77 6f 72 6c 64 20 c3 a9 21 |hello, world ..!|");
        assert_eq!(lines[4], "|00000010| 0a 61 62                                        |.ab             |");
        assert!(lines.iter().skip(2).all(|line| line.len() == lines[2].len()));
    }
}
