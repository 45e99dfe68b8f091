//! The values that a program keeps, and what can be said of them.

use std::fmt;
use std::rc::Rc;

use crate::base::Arrange;
use crate::wire::Stat;

use crate::sorting::{name_of, numbered};

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nothing: what was asked for is not there.
    #[default]
    Nothing,
    /// A path, data, a name.
    Text(Rc<str>),
    /// Paths.
    List(Rc<[Rc<str>]>),
    /// A node that was read: its data, or its path where none were asked for.
    Node(Rc<str>, Box<Stat>),
}

impl Kept {
    /// What stands in a text for it.
    pub(super) fn as_text(&self) -> Rc<str> {
        match self {
            Kept::Text(text) | Kept::Node(text, _) => text.clone(),
            Kept::Nothing | Kept::List(_) => "".into(),
        }
    }

    /// Whether one is as good as another: what is there is never like what is not, whatever stands for it in a text.
    pub(super) fn is_like(&self, other: &Kept) -> bool {
        let is_there = |value: &Kept| *value != Kept::Nothing;
        is_there(self) == is_there(other) && (self == other || self.as_text() == other.as_text())
    }

    /// Its items; one that is no list has none.
    pub(super) fn items(&self) -> &[Rc<str>] {
        if let Kept::List(items) = self { items } else { &[] }
    }

    /// Where one stands in it.
    pub(super) fn place(&self, one: &Kept) -> Option<usize> {
        let one = one.as_text();
        self.items().iter().position(|item| *item == one)
    }

    /// The one before: by its place, or where it has none by its number.
    pub(super) fn before(&self, one: &Kept) -> Kept {
        let items = self.items();
        let text = one.as_text();
        let at = match self.place(one) {
            Some(at) => at.checked_sub(1),
            None => items.iter().rposition(|item| order(item) < order(&text)),
        };
        at.map_or(Kept::Nothing, |at| Kept::Text(items[at].clone()))
    }

    /// The same items in the order of their names, or of their numbers.
    pub(super) fn sorted(&self, by_name: bool) -> Kept {
        let mut items = self.items().to_vec();
        items.arrange_by(|one, other| match by_name {
            true => name_of(one).cmp(name_of(other)),
            false => order(one).cmp(&order(other)),
        });
        Kept::List(items.into())
    }

    /// The items whose names contain a text.
    pub(super) fn with(&self, text: &str) -> impl Iterator<Item = &Rc<str>> {
        self.items().iter().filter(move |item| !text.is_empty() && name_of(item).contains(text))
    }
}

/// What a node is sorted by: the number that the ensemble has put behind its name, or else the name.
fn order(path: &str) -> (Option<i64>, &str) {
    let name = name_of(path);
    numbered(name).map_or((None, name), |(_, number)| (Some(number), ""))
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kept::Nothing => f.write_str("nothing"),
            Kept::Text(text) => f.write_str(text),
            Kept::List(items) => {
                let names: Vec<&str> = items.iter().map(|item| name_of(item)).collect();
                f.write_str(&names.join(" "))
            }
            Kept::Node(text, stat) => write!(f, "{text} (version {})", stat.version),
        }
    }
}
