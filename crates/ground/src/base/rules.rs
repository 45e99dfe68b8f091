//! Rules that a run breaks on purpose. Each room declares its own by [`rules`] and knows no others; which there are in all
//! is listed above the rooms.

use std::fmt::Debug;

/// The rooms that declare rules: a word of the set for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleRoom {
    /// The protocol between servers.
    Zab,
    /// A server, outside of the protocol.
    Server,
    /// The service for clients.
    Service,
    /// Recipes of clients.
    Recipe,
    /// What released versions do otherwise.
    Version,
}

const ROOMS: usize = 5;
/// Most rules of one room.
pub const MAX_RULES: usize = u64::BITS as usize;

/// A rule of one room.
pub trait Breakable: Copy + Debug + PartialEq {
    /// Its room, and its number there.
    fn place(self) -> (RuleRoom, u32);
}

/// Rules broken in a run; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet([u64; ROOMS]);

impl RuleSet {
    /// Whether this rule is broken.
    pub fn breaks(self, rule: impl Breakable) -> bool {
        let (room, number) = rule.place();
        self.0[room as usize] & (1 << number) != 0
    }

    /// These rules and one more broken.
    pub fn breaking(mut self, rule: impl Breakable) -> RuleSet {
        let (room, number) = rule.place();
        self.0[room as usize] |= 1 << number;
        self
    }

    /// What either of them breaks.
    pub fn and(self, other: RuleSet) -> RuleSet {
        RuleSet(std::array::from_fn(|room| self.0[room] | other.0[room]))
    }

    /// These rules, and that one kept.
    pub fn keeping(mut self, rule: impl Breakable) -> RuleSet {
        let (room, number) = rule.place();
        self.0[room as usize] &= !(1 << number);
        self
    }
}

/// Declares the rules of a room that can be broken: an enum, the name of each in runs and links, where one is known by
/// another name that too.
#[macro_export]
macro_rules! rules {
    ($(#[$about:meta])* $all:ident in $room:ident {
        $($(#[$doc:meta])* $rule:ident = $name:literal $(or $other:literal)?,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $all { $($(#[$doc])* $rule),* }

        impl $all {
            /// All of them, in the order in which they are shown.
            pub const ALL: &[$all] = &[$($all::$rule),*];

            /// Its name in runs and links: stable.
            pub const fn name(self) -> &'static str {
                match self { $($all::$rule => $name),* }
            }

            /// The rule of this name.
            pub fn named(name: &str) -> Option<$all> {
                match name {
                    $($name $(| $other)? => Some($all::$rule),)*
                    _ => None,
                }
            }
        }

        const _: () = assert!($all::ALL.len() <= $crate::base::MAX_RULES);

        impl $crate::base::Breakable for $all {
            fn place(self) -> ($crate::base::RuleRoom, u32) {
                ($crate::base::RuleRoom::$room, self as u32)
            }
        }
    };
}
pub use rules;
