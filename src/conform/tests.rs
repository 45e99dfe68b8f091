//! The replayer itself.
