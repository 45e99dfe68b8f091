//! What a line can say: forms are sequences of words and parts, each declared once (`forms!`), and what is declared is the statement as a
//! type and its reader.

use std::rc::Rc;

use crate::base::Wish;
use crate::wire::{CreateMode, check_path};

use super::words::{Read, Word, Words, is_name, placeholders};

/// A part of a form. What leads to it are words that must be there, or, of a part that may be missing, those that say it is there.
trait Part: Sized {
    fn read(words: &mut Words, lead: &'static str) -> Read<Self>;
}

/// The name of a value that is used.
impl Part for Rc<str> {
    fn read(words: &mut Words, lead: &'static str) -> Read<Rc<str>> {
        words.takes(lead)?;
        let name = words.name()?;
        words.uses([name]);
        Some(name.into())
    }
}

/// A text, or what becomes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// A value by its name.
    Name(Rc<str>),
    /// A path, in which `{name}` stands for a value.
    Path(Rc<str>),
    /// A text in quotes.
    Quoted(Rc<str>),
    /// `nothing`.
    Nothing,
}

impl Part for Text {
    fn read(words: &mut Words, lead: &'static str) -> Read<Text> {
        words.takes(lead)?;
        let Some(Word { text, quoted, .. }) = words.word() else { return words.wants(Wish::Value) };
        let read = match text {
            _ if quoted => Text::Quoted(text.into()),
            "nothing" => Text::Nothing,
            _ if text.starts_with('/') && is_path(text) => Text::Path(text.into()),
            _ if text.starts_with('/') => return words.wants(Wish::Path),
            _ if is_name(text) => Text::Name(text.into()),
            _ => return words.wants(Wish::Value),
        };
        words.next += 1;
        match &read {
            Text::Name(_) => words.uses([text]),
            Text::Path(_) => words.uses(placeholders(text).unwrap_or_default()),
            Text::Quoted(_) | Text::Nothing => {}
        }
        Some(read)
    }
}

/// A path whose places for values are well formed; what else is wrong with it ZooKeeper itself says.
fn is_path(path: &str) -> bool {
    let fill = |names: Vec<&str>| {
        names.iter().fold(path.to_string(), |path, name| path.replace(&format!("{{{name}}}"), "x"))
    };
    placeholders(path).is_some_and(|names| check_path(&fill(names), false).is_ok())
}

impl<T: Part> Part for Option<T> {
    fn read(words: &mut Words, lead: &'static str) -> Read<Option<T>> {
        if words.has(lead) { T::read(words, "").map(Some) } else { Some(None) }
    }
}

/// Words that may be there.
impl Part for bool {
    fn read(words: &mut Words, lead: &'static str) -> Read<bool> {
        Some(words.has(lead))
    }
}

/// Words that must be there.
impl Part for () {
    fn read(words: &mut Words, lead: &'static str) -> Read<()> {
        words.takes(lead)
    }
}

impl Part for u32 {
    fn read(words: &mut Words, lead: &'static str) -> Read<u32> {
        words.takes(lead)?;
        words.number()
    }
}

/// What kind of node is made: `ephemeral`, `sequential`, in any order.
impl Part for CreateMode {
    fn read(words: &mut Words, _: &'static str) -> Read<CreateMode> {
        let sooner = words.has("ephemeral");
        let sequential = words.has("sequential");
        Some(match (sooner || words.has("ephemeral"), sequential) {
            (false, false) => CreateMode::Persistent,
            (false, true) => CreateMode::PersistentSequential,
            (true, false) => CreateMode::Ephemeral,
            (true, true) => CreateMode::EphemeralSequential,
        })
    }
}

/// Declares the sections, with their names.
macro_rules! sections {
    ($($(#[doc = $about:literal])* $section:ident $name:literal),* $(,)?) => {
        /// A section: a method of the recipe.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Section {
            $($(#[doc = $about])* $section),*
        }

        impl Section {
            /// The section of this name.
            pub fn named(name: &str) -> Option<Section> {
                match name {
                    $($name => Some(Section::$section),)*
                    _ => None,
                }
            }

            /// Its name, which is the method's.
            pub fn name(self) -> &'static str {
                match self {
                    $(Section::$section => $name),*
                }
            }
        }

        /// The methods of a recipe of one's own.
        pub(crate) const METHODS: &[&str] = &[$($name),*];
    };
}

sections! {
    /// Gets a lock.
    Acquire "acquire",
    /// Gets a lock together with other readers.
    Read "read",
    /// Gets the same lock alone.
    Write "write",
    /// Gives it back.
    Release "release",
    /// Is a candidate until it leads.
    Start "start",
    /// Leads no longer, and is no candidate.
    Close "close",
    /// Closes a barrier.
    Set "set",
    /// Waits at it.
    Wait "wait",
    /// Opens it.
    Remove "remove",
    /// Adds `item` to a queue.
    Put "put",
    /// Takes an item from it.
    Take "take",
}

impl Section {
    /// Whether it ends with having something.
    pub fn gets(self) -> bool {
        matches!(self, Section::Acquire | Section::Read | Section::Write | Section::Start)
    }

    /// Whether it gives back what one has.
    pub fn gives_back(self) -> bool {
        matches!(self, Section::Release | Section::Close)
    }
}

/// It stands at the margin only.
impl Part for Section {
    fn read(words: &mut Words, _: &'static str) -> Read<Section> {
        let section = Section::named(words.peek()).filter(|_| words.indent == 0)?;
        words.next += 1;
        Some(section)
    }
}

impl Part for Condition {
    fn read(words: &mut Words, lead: &'static str) -> Read<Condition> {
        words.takes(lead)?;
        Condition::read(words)
    }
}

/// What makes a value, and the name by which it is kept; what asks the ensemble may be there without one.
impl Part for (Option<Rc<str>>, Make) {
    fn read(words: &mut Words, _: &'static str) -> Read<Self> {
        let from = words.next;
        let name = words.name().filter(|_| words.has("="));
        if name.is_none() {
            words.back_to(from);
        }
        let make = Make::read(words)?;
        if name.is_none() && make.path().is_none() {
            words.back_to(from);
            return words.wants(Wish::Statement);
        }
        Some((name.map(Rc::from), make))
    }
}

/// Declares a type by its forms, in the order in which they are tried: the words with which each begins, and its parts, each with the words
/// that lead to it.
macro_rules! forms {
    ($(#[$about:meta])* $Type:ident { $( $(#[$doc:meta])* $Form:ident $head:literal { $($field:ident: $part:ty = $lead:literal),* } )* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(super) enum $Type {
            $( $(#[$doc])* $Form { $($field: $part),* } ),*
        }

        impl $Type {
            pub(super) fn read(words: &mut Words) -> Read<$Type> {
                let from = words.next;
                $(
                    words.back_to(from);
                    let form = |words: &mut Words| {
                        words.takes($head)?;
                        Some($Type::$Form { $($field: Part::read(words, $lead)?),* })
                    };
                    if let Some(read) = form(words) {
                        return Some(read);
                    }
                )*
                None
            }
        }
    };
}

forms! {
    /// What a line says.
    Statement {
        /// What follows is done when that method is called.
        Section "" { section: Section = "" }
        /// What follows is done when a request was lost and nobody knows whether it took effect. At the margin for all requests, right
        /// below a request for that one.
        OnLoss "on connection loss" {}
        /// What follows is done when the client is told that its session is over.
        OnLost "on session lost" {}
        If "if" { condition: Condition = "" }
        Else "else" { condition: Option<Condition> = "if" }
        RepeatTimes "repeat" { times: u32 = "", unit: () = "times" }
        Repeat "repeat" {}
        /// Leaves the innermost `repeat`.
        Stop "stop" {}
        /// Sets a watch with exists and waits for it, unless the node is gone already.
        WaitGone "wait until" { node: Text = "", gone: () = "is gone" }
        /// The same until the node is there.
        WaitThere "wait until" { node: Text = "", there: () = "is there" }
        WaitAtMost "wait at most" { ms: u32 = "", unit: () = "ms" }
        /// Until a watch fires that was set before, or has fired since the last wait.
        Wait "wait" {}
        Sleep "sleep" { ms: u32 = "", unit: () = "ms" }
        /// Sleeps between 1 ms and that.
        BackOff "back off" { ms: u32 = "", unit: () = "ms" }
        SortByName "sort" { list: Rc<str> = "", by: () = "by name" }
        SortByNumber "sort" { list: Rc<str> = "", by: () = "by number" }
        /// The section is over, and the caller has it; or reads beside others.
        Hold "hold" { shared: bool = "shared" }
        /// The section is over, and the caller leads.
        Lead "lead" {}
        /// The caller no longer has it.
        Release "release" {}
        ReturnValue "return" { value: Text = "" }
        /// The section is over.
        Return "return" {}
        /// The section is over, and has failed.
        GiveUp "give up" {}
        /// The request that was lost is sent again.
        Again "again" {}
        /// The section begins anew, and no value is kept.
        StartOver "start over" {}
        /// `me = create …`, or a request alone, whose answer nobody keeps.
        Do "" { what: (Option<Rc<str>>, Make) = "" }
    }
}

forms! {
    /// What a request or an expression makes.
    Make {
        /// The path of the new node; nothing where it is there already.
        Create "create" { path: Text = "", data: Option<Text> = "with", mode: CreateMode = "" }
        /// The path; nothing where it was not there, or has another version.
        Delete "delete" { path: Text = "", version: Option<Text> = "version of" }
        /// The node's data; nothing where it is not there.
        Get "get" { path: Text = "", watch: bool = "with watch" }
        /// Sets the data; nothing where the node is not there, or has another version.
        Set "set" { path: Text = "", data: Text = "to", version: Option<Text> = "version of" }
        /// The node; nothing where it is not there.
        Exists "exists" { path: Text = "", watch: bool = "with watch" }
        /// The children's paths, by their numbers.
        Children "children of" { path: Text = "", watch: bool = "with watch" }
        /// The one before another in a list; of a list in which that is not, by numbers.
        Before "the one before" { one: Text = "", list: Rc<str> = "in" }
        /// The first of a list whose name contains a text.
        OneWith "the one with" { text: Text = "", list: Rc<str> = "in" }
        First "the first in" { list: Rc<str> = "" }
        Last "the last in" { list: Rc<str> = "" }
        /// A name that nobody else has.
        Guid "a guid" {}
        /// All of a list whose names contain a text.
        AllWith "" { list: Rc<str> = "", text: Text = "with" }
        /// Another value.
        Same "" { value: Text = "" }
    }
}

forms! {
    /// What an `if` asks.
    Condition {
        First "" { one: Text = "", is: () = "is", not: bool = "not", list: Rc<str> = "first in" }
        Last "" { one: Text = "", is: () = "is", not: bool = "not", list: Rc<str> = "last in" }
        In "" { one: Text = "", is: () = "is", not: bool = "not", list: Rc<str> = "in" }
        Empty "" { list: Rc<str> = "", is: () = "is", not: bool = "not", empty: () = "empty" }
        /// Whether it is an ephemeral node of the own session.
        Mine "" { node: Text = "", is: () = "is", not: bool = "not", mine: () = "mine" }
        AtLeast "" { list: Rc<str> = "", many: u32 = "has at least" }
        Same "" { one: Text = "", is: () = "is", not: bool = "not", other: Text = "" }
    }
}

impl Statement {
    /// Whether lines must stand below it. Below one that asks the ensemble its clause may.
    pub(super) fn opens(&self) -> bool {
        use Statement::*;
        matches!(
            self,
            Section { .. } | OnLoss {} | OnLost {} | If { .. } | Else { .. } | Repeat {} | RepeatTimes { .. }
        )
    }

    /// Whether nothing goes on at the next line of the same block.
    pub(super) fn leads_away(&self) -> bool {
        use Statement::*;
        matches!(
            self,
            Hold { .. } | Lead {} | ReturnValue { .. } | Return {} | GiveUp {} | Stop {} | Again {} | StartOver {}
        )
    }

    /// The path that it asks the ensemble about, if it does.
    pub(super) fn path(&self) -> Option<&Text> {
        match self {
            Statement::Do { what: (_, make) } => make.path(),
            Statement::WaitGone { node, .. } | Statement::WaitThere { node, .. } => Some(node),
            _ => None,
        }
    }
}

impl Make {
    /// The path that it asks about; an expression asks nobody.
    pub(super) fn path(&self) -> Option<&Text> {
        use Make::*;
        match self {
            Create { path, .. } | Delete { path, .. } | Get { path, .. } | Set { path, .. } => Some(path),
            Exists { path, .. } | Children { path, .. } => Some(path),
            _ => None,
        }
    }
}
