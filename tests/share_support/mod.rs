//! What the tests of sharing need: runs as people make them.

pub mod clicks;
