//! Path rules (`PathUtils.java` `validatePath`). Positions count UTF-16 units, as Java does.

use std::fmt;

use crate::base::json::{ReadError, ValueError};

/// Why a path is none. The text is the one of Java's `IllegalArgumentException`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// It is empty.
    Empty,
    /// It does not begin with a slash.
    NotAbsolute,
    /// It ends with a slash.
    EndsWithSlash,
    /// A place in it is wrong.
    Invalid {
        /// The whole path.
        path: String,
        /// What is wrong.
        reason: &'static str,
        /// Where: the index of a UTF-16 unit.
        at: usize,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::Empty => f.write_str("Path length must be > 0"),
            PathError::NotAbsolute => f.write_str("Path must start with / character"),
            PathError::EndsWithSlash => f.write_str("Path must not end with / character"),
            PathError::Invalid { path, reason, at } => {
                write!(f, "Invalid path string \"{path}\" caused by {reason} @{at}")
            }
        }
    }
}

impl std::error::Error for PathError {}

/// The same of a value in this field.
pub fn not_a_path(field: &str, why: &PathError) -> ReadError {
    ReadError::new(ValueError::Path { java: why.to_string() }).within(field)
}

/// Checks a path. That of a sequential node may end with a slash: its number follows.
///
/// # Errors
/// The first rule that it breaks.
pub fn check_path(path: &str, sequential: bool) -> Result<(), PathError> {
    let numbered;
    let path = if sequential {
        numbered = format!("{path}1");
        numbered.as_str()
    } else {
        path
    };
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    if !path.starts_with('/') {
        return Err(PathError::NotAbsolute);
    }
    if path.len() > 1 && path.ends_with('/') {
        return Err(PathError::EndsWithSlash);
    }
    if path.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/'))
        && !path.contains("//")
    {
        return Ok(()); // nearly every path
    }
    let units: Vec<u16> = path.encode_utf16().collect();
    match (1..units.len()).find_map(|at| Some((complaint(&units, at)?, at))) {
        Some((reason, at)) => Err(PathError::Invalid { path: path.to_string(), reason, at }),
        None => Ok(()),
    }
}

fn complaint(units: &[u16], at: usize) -> Option<&'static str> {
    const SLASH: u16 = b'/' as u16;
    const DOT: u16 = b'.' as u16;
    let ends = units.get(at + 1).is_none_or(|&next| next == SLASH);
    let relative = |start: Option<usize>| ends && start.is_some_and(|start| units[start] == SLASH);
    match (units[at], units[at - 1]) {
        (0, _) => Some("null character not allowed"),
        (SLASH, SLASH) => Some("empty node name specified"),
        (DOT, DOT) if relative(at.checked_sub(2)) => Some("relative paths not allowed"),
        (DOT, before) if before != DOT && relative(Some(at - 1)) => Some("relative paths not allowed"),
        (0x01..=0x1f | 0x7f..=0x9f | 0xd800..=0xf8ff | 0xfff0..=0xffff, _) => Some("invalid character"),
        _ => None,
    }
}

/// The path above: `/a` of `/a/b`, `/` of `/a`; `None` of the root and of what has no slash.
pub fn parent_of(path: &str) -> Option<&str> {
    if path == "/" {
        return None;
    }
    match path.rfind('/')? {
        0 => Some("/"),
        slash => path.get(..slash),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_those_of_java() {
        for (path, text) in [
            ("", "Path length must be > 0"),
            ("x", "Path must start with / character"),
            ("/x/", "Path must not end with / character"),
            ("//", "Path must not end with / character"),
            ("//x", "Invalid path string \"//x\" caused by empty node name specified @1"),
            ("/..", "Invalid path string \"/..\" caused by relative paths not allowed @2"),
            ("/a/./b", "Invalid path string \"/a/./b\" caused by relative paths not allowed @3"),
            ("/c\u{1}x", "Invalid path string \"/c\u{1}x\" caused by invalid character @2"),
            ("/\u{1F600}", "Invalid path string \"/\u{1F600}\" caused by invalid character @1"),
        ] {
            assert_eq!(check_path(path, false).unwrap_err().to_string(), text);
        }
        for path in ["/", "/a", "/a/b.c", "/...", "/..a", "/a..", "/中文", "/a b"] {
            assert_eq!(check_path(path, false), Ok(()), "{path}");
        }
        assert_eq!(check_path("/a/", true), Ok(()));
    }

    #[test]
    fn parents() {
        assert_eq!(parent_of("/a/b"), Some("/a"));
        assert_eq!(parent_of("/a"), Some("/"));
        assert_eq!(parent_of("/"), None);
        assert_eq!(parent_of("a"), None);
    }
}
