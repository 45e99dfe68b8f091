//! Where Java's hash tables put things: at some places the real system shows their order (`HashMap.java`,
//! `ConcurrentHashMap.java`).

/// `String.hashCode`.
pub fn string_hash(text: &str) -> u32 {
    let add = |hash: u32, unit: u32| hash.wrapping_mul(31).wrapping_add(unit);
    match text.is_ascii() {
        true => text.bytes().map(u32::from).fold(0, add),
        false => text.encode_utf16().map(u32::from).fold(0, add),
    }
}

/// The bucket of a hash code in a table of this size, a power of two: the upper half is mixed into the lower one.
pub fn bucket(hash: u32, table: u32) -> u32 {
    (hash ^ (hash >> 16)) & (table - 1)
}

/// The size of a table after it has held so many: it doubles when more than three quarters of it are taken.
pub fn grown(mut table: u32, members: usize) -> u32 {
    while members as u64 * 4 > u64::from(table) * 3 {
        table *= 2;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_codes_and_tables_are_those_of_java() {
        assert_eq!(
            ["", "/a", "hello", "é𝄞"].map(string_hash),
            [0, 1554, 99_162_322, 233 * 961 + 0xd834 * 31 + 0xdd1e]
        );
        assert_eq!([12, 13, 24, 25].map(|members| grown(16, members)), [16, 32, 32, 64]);
        assert_eq!(bucket(0x0003_0001, 16), 2);
    }
}
