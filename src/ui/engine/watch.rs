//! Where eyes are, as the engine remembers it: what the sentence is about, and why all may be in full ink all the same.

use std::rc::Rc;

use crate::base::Node;
use crate::view::{Eye, Focus, Motion};

/// Why nothing recedes although something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Roams {
    /// A menu is open.
    Menu = 1,
    /// Time has stood for a while.
    Rest = 2,
    /// A pointer or the keyboard is on something.
    Pointer = 4,
    /// The legend brings something out.
    Legend = 8,
}

/// What is known of where eyes are.
#[derive(Default)]
pub(super) struct Watch {
    /// What painters get.
    pub eye: Eye,
    /// What the sentence is about, and what it moves.
    pub about: Option<Rc<Focus>>,
    pub motion: Option<Rc<Motion>>,
    /// Which sentence both belong to.
    pub of: Option<u64>,
    /// The ends of the line that is pointed at.
    pub pointed: Option<(Node, Node)>,
    /// Why nothing recedes: bits of [`Roams`].
    pub roams: u8,
    /// When somebody did something last.
    pub deed_ms: Option<u64>,
}
