//! Which release of a system a recording is of.

/// The first three numbers behind a name: `Apache ZooKeeper 3.8.0` is of ZooKeeper `[3, 8, 0]`. What is not written is 0; none where the
/// name is not there, or no number follows it.
pub(crate) fn release_of(recorded_from: &str, name: &str) -> Option<[u32; 3]> {
    let (_, behind) = recorded_from.split_once(name)?;
    let mut numbers = behind.trim_start().split(|letter: char| !letter.is_ascii_digit());
    let mut number = || numbers.next().and_then(|digits| digits.parse().ok());
    Some([number()?, number().unwrap_or(0), number().unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_from_what_a_recording_is_of() {
        let text = "Apache ZooKeeper 3.8.0 and kazoo 2.10, on Debian 12";
        assert_eq!(release_of(text, "ZooKeeper"), Some([3, 8, 0]));
        assert_eq!(release_of(text, "kazoo"), Some([2, 10, 0]));
        assert_eq!(release_of(text, "Curator"), None);
        assert_eq!(release_of("ZooKeeper of today", "ZooKeeper"), None);
    }
}
