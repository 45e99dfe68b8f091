//! The order of sequential nodes (`StandardLockInternalsDriver.java` `standardFixForSorting`, `LockInternals.java`
//! `getSortedChildren`).

use crate::base::Arrange;
use std::rc::Rc;

/// What a child is sorted by: the text behind the last occurrence of the lock's name; the whole name where it has none.
pub(crate) fn key<'a>(child: &'a str, name: &str) -> &'a str {
    child.rfind(name).map_or(child, |at| &child[at + name.len()..])
}

/// The children in the order of their keys, which are their ends; equal ones stay as the server listed them.
pub(crate) fn sorted(children: Vec<Rc<str>>, key_of: impl Fn(&str) -> &str) -> Vec<Rc<str>> {
    let with_key = |child: Rc<str>| (child.len() - key_of(&child).len(), child);
    let mut children: Vec<(usize, Rc<str>)> = children.into_iter().map(with_key).collect();
    children.arrange_by(|(one, a), (other, b)| a[*one..].cmp(&b[*other..]));
    children.into_iter().map(|(_, child)| child).collect()
}

/// The path of a child.
pub(crate) fn child_of(parent: &str, name: &str) -> Rc<str> {
    format!("{}/{name}", parent.trim_end_matches('/')).into()
}

/// How many digits the number of a sequential node has.
const DIGITS: usize = 10;

/// The name, or the path, of a sequential node without its number, and the number.
pub fn numbered(name: &str) -> Option<(&str, i64)> {
    let (label, digits) = name.split_at_checked(name.len().checked_sub(DIGITS)?)?;
    let number = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
    Some((label, number))
}

/// A text with names of protected nodes, each without its unique part, which nobody can remember: `/lock/…lock-0000000003`.
pub fn without_guids(text: &str) -> String {
    let mut parts = text.split("_c_");
    let mut kept = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.get(36..) {
            Some(rest) if rest.starts_with('-') => kept.extend(["…", &rest[1..]]),
            _ => kept.extend(["_c_", part]),
        }
    }
    kept.split('/').map(without_hex).collect::<Vec<_>>().join("/")
}

/// kazoo's names begin with 32 digits.
fn without_hex(name: &str) -> String {
    match name.split_at_checked(32) {
        Some((hex, rest)) if rest.starts_with("__") && hex.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            format!("…{rest}")
        }
        _ => name.into(),
    }
}

/// The name of a node without its parent.
pub(crate) fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unique_parts_are_left_out() {
        let (guid, hex) = ("01234567-89ab-4cde-8f01-23456789abcd", "0123456789abcdef0123456789ABCDEF");
        assert_eq!(without_guids(&format!("/lock/_c_{guid}-lock-0000000003")), "/lock/…lock-0000000003");
        assert_eq!(without_guids(&format!("/lock/{hex}__lock__0000000001")), "/lock/…__lock__0000000001");
        let letters = "g".repeat(32);
        for whole in [
            format!("/a/_c_{guid}"),
            format!("/a/_c_{guid}x"),
            "/a/_c_b".into(),
            format!("/a/{hex}"),
            format!("/a/{hex}_b"),
            format!("/a/{letters}__lock__0"),
        ] {
            assert_eq!(without_guids(&whole), whole);
        }
    }
}
