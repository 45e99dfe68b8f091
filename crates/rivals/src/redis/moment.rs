//! Moments in texts, to be read by people: of their thirteen digits only the last ones differ.

use super::EPOCH_MS;

/// The longest run, ms: what is later is a number like any other.
const LONGEST_MS: i64 = 30 * 24 * 3_600_000;

/// A text in which each moment of a run is said in seconds since its beginning: `"1767225600819"` is `"0.819 s"`.
pub fn moments(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, digits) = rest.split_at(at);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, behind) = digits.split_at(end);
        said.push_str(before);
        let of_run = |ms: &i64| (0..LONGEST_MS).contains(ms);
        let ms = number.parse::<i64>().ok().and_then(|ms| ms.checked_sub(EPOCH_MS)).filter(of_run);
        match ms {
            Some(ms) => said.push_str(&format!("{}.{:03} s", ms / 1_000, ms % 1_000)),
            None => said.push_str(number),
        }
        rest = behind;
    }
    said.push_str(rest);
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_said_in_seconds_and_other_numbers_stay() {
        assert_eq!(
            moments("GETSET lock 1767225600819 of C3: \"1767225612005\""),
            "GETSET lock 0.819 s of C3: \"12.005 s\""
        );
        for other in
            ["", "é1é", "SET lock C2-ba214d NX PX 1800", "17672256008190", "1767225599999", "99999999999999999999"]
        {
            assert_eq!(moments(other), other);
        }
    }
}
