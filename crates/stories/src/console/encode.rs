//! The two other ways in which `get` shows data: base64 (`-b`) and a hex dump (`-x`, that of Netty's `ByteBufUtil`).

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base64.
pub(super) fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| (bits << 8) | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            text.push(if shown { char::from(DIGITS[(bits >> (18 - 6 * digit)) as usize & 63]) } else { '=' });
        }
    }
    text
}

/// The bytes that base64 stands for; the padding may be left out, as Java's decoder allows.
pub(super) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let padding = text.len() - digits.len();
    if padding > 2 || (padding > 0 && !text.len().is_multiple_of(4)) || digits.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    for chunk in digits.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let value = chunk.get(at).map_or(Some(0), |digit| DIGITS.iter().position(|known| known == digit))?;
            bits = (bits << 6) | value as u32;
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..chunk.len()]);
    }
    Some(bytes)
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

    #[test]
    fn base64_goes_both_ways() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("null", "bnVsbA=="), ("é?", "w6k/")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(from_base64("Zg").as_deref(), Some(&b"f"[..]));
        for bad in ["Z", "Zg=", "Z===", "Zm9!", "====", "中文", "Zm9vZ"] {
            assert_eq!(from_base64(bad), None, "{bad}");
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
