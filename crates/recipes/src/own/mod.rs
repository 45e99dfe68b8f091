//! Recipes of one's own: a small language in the words of ZooKeeper's recipes page, in which somebody who has never seen it writes a lock in
//! ten minutes (`docs/own-recipes.md` has it by example). A program is data ([`Program`]): of a text or of lines, and both are one thing. It
//! runs as any other recipe does: an object of kind [`Kind::OWN`](crate::Kind::OWN), whose word in `with` is the text and whose methods
//! are its sections. Models: `recipes.md` of ZooKeeper's documentation, and the recipes of this crate.
//!
//! Bounds: 8 KB and 200 lines of text, a thousand lines in a row without a request or a wait, 100,000 in a call, texts of 2 KB.

mod asking;
mod blocks;
mod check;
mod forms;
pub(crate) mod object;
mod offers;
mod parse;
mod program;
mod ready;
mod running;
#[cfg(test)]
mod tests;
mod values;
mod words;

pub use blocks::{Block, BlockKind, Blocks, Edited, indent_below};
pub use forms::Section;
pub use object::At;
pub use offers::Offer;
pub use parse::{MAX_PROGRAM_BYTES, MAX_PROGRAM_LINES};
pub use program::{Line, Program};
pub use ready::{READY, Ready};
pub use running::Activity;

use super::runtime::recipe::kinds;

kinds! {
    /// A recipe that a program of one's own describes.
    OWN "own" object: |recipe, name, cx| object::Own::new(recipe, name, cx);
}
