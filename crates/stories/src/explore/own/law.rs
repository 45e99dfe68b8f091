//! The laws that every recipe of one's own must keep, and their words in English.

use crate::base::Arrange;
use crate::recipes::own::Program;

use super::super::watch::Found;
use super::Purpose;

/// What a recipe must keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// The checker's properties of locks, readers and leaders.
    OneHolder,
    /// Unless it has not been told that its session is over, which no recipe can help.
    Believed,
    /// Nobody waits for a watch that nothing will fire.
    Woken,
    /// And where nothing went wrong, somebody gets it.
    Progress,
    /// When everybody is done.
    NothingLeft,
    /// Where nothing went wrong.
    NoHerd,
    /// And none is lost where nothing went wrong.
    TakenOnce,
    /// Nobody passes it.
    Closed,
}

impl Law {
    /// What a program must keep, by what it is for.
    pub fn of_program(program: &Program) -> impl Iterator<Item = Law> {
        let purpose = Purpose::of(program);
        Law::ALL.iter().copied().filter(move |law| match law {
            Law::OneHolder | Law::Believed | Law::NoHerd => !matches!(purpose, Purpose::Barrier | Purpose::Queue),
            Law::TakenOnce => purpose == Purpose::Queue,
            Law::Closed => purpose == Purpose::Barrier,
            Law::Woken | Law::Progress | Law::NothingLeft => true,
        })
    }

    /// All laws.
    pub const ALL: &[Law] = {
        use Law::*;
        &[OneHolder, Believed, Woken, Progress, NothingLeft, NoHerd, TakenOnce, Closed]
    };

    /// The law that a find's property stands for.
    pub fn of(property: &str) -> Option<Law> {
        let held = ["one-leader", "readers-and-writers"].contains(&property).then_some(Law::OneHolder);
        held.or_else(|| Law::ALL.iter().copied().find(|law| law.id() == property))
    }

    /// How bad it is that it falls, 0 the worst: a lock that two hold is worse than a node that is left behind.
    pub fn gravity(self) -> u8 {
        match self {
            Law::OneHolder | Law::TakenOnce | Law::Closed => 0,
            Law::Believed => 1,
            Law::Woken => 2,
            Law::Progress => 3,
            Law::NothingLeft => 4,
            Law::NoHerd => 5,
        }
    }

    /// Its id: the property that a find says is violated.
    pub fn id(self) -> &'static str {
        match self {
            Law::OneHolder => "mutual-exclusion",
            Law::Believed => "own-believed",
            Law::Woken => "own-woken",
            Law::Progress => "own-progress",
            Law::NothingLeft => "own-nothing-left",
            Law::NoHerd => "own-no-herd",
            Law::TakenOnce => "own-taken-once",
            Law::Closed => "own-closed",
        }
    }

    /// A title and a sentence in English; the other languages have their own for each law.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Law::OneHolder => ("At most one holds it", "No two hold it while the nodes of both exist."),
            Law::Believed => ("Whoever lost it knows", "Nobody holds on without its node once it could know."),
            Law::Woken => ("Whoever waits is woken", "Nobody waits for a watch that nothing will fire."),
            Law::Progress => {
                ("Every call ends", "Once all is healed, every call ends; without a fault somebody gets it.")
            }
            Law::NothingLeft => ("Nothing is left behind", "When everybody is done, no node of the recipe is left."),
            Law::NoHerd => ("A release wakes one", "A release wakes nobody for nothing."),
            Law::TakenOnce => ("An item is taken once", "No item is taken twice; without a fault none is lost."),
            Law::Closed => ("A closed barrier holds", "Nobody passes a barrier that is closed."),
        }
    }
}

/// The laws by which a program fell in what was found, the gravest first.
pub fn fallen<'a>(found: impl Iterator<Item = &'a Found>) -> Vec<Law> {
    let mut fell: Vec<Law> = found.filter_map(|found| Law::of(found.property?)).collect();
    fell.arrange_by_key(|law| law.gravity());
    fell
}
