//! Where Java's hash tables put things: at some places the real system shows their order (`HashMap.java`,
//! `ConcurrentHashMap.java`).

/// `String.hashCode`.
pub fn string_hash(text: &str) -> u32 {
    text.encode_utf16().fold(0, |hash: u32, unit| hash.wrapping_mul(31).wrapping_add(u32::from(unit)))
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
        assert_eq!([string_hash(""), string_hash("/a"), string_hash("hello")], [0, 1554, 99_162_322]);
        assert_eq!([12, 13, 24, 25].map(|members| grown(16, members)), [16, 32, 32, 64]);
        assert_eq!(bucket(0x0003_0001, 16), 2);
    }
}
