//! What the coder has seen before a link begins: JSON as runs are written in, and what is often in it.

/// Lines of a field's name and a value. Part of the link's format: a link is read with just this sample, and another one needs
/// another letter in front of links. What it does not show costs some bytes at its first appearance, nothing else.
pub(super) const SAMPLE: &str = include_str!("sample.txt");
