//! What tests of the design need: the style sheet as rules, and colours as eyes see them.

pub mod colour;
pub mod sheet;
