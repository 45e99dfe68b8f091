//! Texts of which each language has its own. `texts!` declares a struct together with its English; another language is another value
//! of it, so that what is missing there does not compile.
//!
//! `{}` in a text is a place that [`fill`] fills.

use std::fmt::Display;

/// Puts values into the places of a text, in order.
pub fn fill(text: &str, values: &[&dyn Display]) -> String {
    let mut parts = text.split("{}");
    let mut filled = parts.next().unwrap_or("").to_string();
    for (index, part) in parts.enumerate() {
        if let Some(value) = values.get(index) {
            filled.push_str(&value.to_string());
        }
        filled.push_str(part);
    }
    filled
}

/// A name or a title, and what is said of it.
pub type Pair = (&'static str, &'static str);
/// A list of them.
pub type Pairs = &'static [Pair];
/// Keys and what they do, in groups.
pub type Keys = &'static [(&'static str, Pairs)];

/// What consists of texts.
pub trait Texts: Copy {
    /// The same with each text changed. Names that the code looks up are ASCII, which nothing changes.
    fn changed(self, change: fn(&'static str) -> &'static str) -> Self;

    /// Adds every text under its name; of entries of a list, what is said of them.
    fn list(self, name: &'static str, all: &mut Vec<Pair>);
}

impl Texts for &'static str {
    fn changed(self, change: fn(&'static str) -> &'static str) -> Self {
        change(self)
    }

    fn list(self, name: &'static str, all: &mut Vec<Pair>) {
        all.push((name, self));
    }
}

impl<A: Texts, B: Texts> Texts for (A, B) {
    fn changed(self, change: fn(&'static str) -> &'static str) -> Self {
        (self.0.changed(change), self.1.changed(change))
    }

    fn list(self, name: &'static str, all: &mut Vec<Pair>) {
        self.1.list(name, all);
    }
}

impl<T: Texts> Texts for &'static [T] {
    fn changed(self, change: fn(&'static str) -> &'static str) -> Self {
        self.iter().map(|one| one.changed(change)).collect::<Vec<T>>().leak()
    }

    fn list(self, name: &'static str, all: &mut Vec<Pair>) {
        self.iter().for_each(|one| one.list(name, all));
    }
}

/// Changes texts where they stand, by a list of their places: as many calls in a row were 68 kB of the page (unpacked).
#[inline(never)]
pub fn change_each(texts: &mut [&mut &'static str], change: fn(&'static str) -> &'static str) {
    texts.iter_mut().for_each(|text| **text = change(text));
}

/// A struct of texts and, below the texts, of what consists of texts. What a struct `Here -> There` does not have itself is
/// looked for in its `next`, so that all can be asked for as if they were one.
#[macro_export]
macro_rules! texts {
    (
        $(#[$about:meta])*
        pub struct $Name:ident $(-> $Next:ident)? { $($text:ident: $english:literal,)* }
        $($(#[$part_about:meta])* $part:ident: $Part:ty = $part_english:expr;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub struct $Name {
            $(pub $text: &'static str,)*
            $($(#[$part_about])* pub $part: $Part,)*
            $(pub next: $Next,)?
        }

        impl $Name {
            /// What is said in English.
            pub const ENGLISH: $Name =
                $Name { $($text: $english,)* $($part: $part_english,)* $(next: $Next::ENGLISH,)? };
        }

        impl $crate::base::texts::Texts for $Name {
            fn changed(mut self, change: fn(&'static str) -> &'static str) -> $Name {
                $crate::base::texts::change_each(&mut [$(&mut self.$text,)*], change);
                $(self.$part = self.$part.changed(change);)*
                $(self.next = <$Next as $crate::base::texts::Texts>::changed(self.next, change);)?
                self
            }

            fn list(self, _: &'static str, all: &mut Vec<$crate::base::texts::Pair>) {
                $(all.push((stringify!($text), self.$text));)*
                $(self.$part.list(stringify!($part), all);)*
                $(<$Next as $crate::base::texts::Texts>::list(self.next, "", all);)?
            }
        }

        $(impl std::ops::Deref for $Name {
            type Target = $Next;

            fn deref(&self) -> &$Next {
                &self.next
            }
        })?
    };
}

pub use texts;

#[cfg(test)]
// what `texts!` declares is for everybody
#[allow(unreachable_pub)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_order() {
        assert_eq!(fill("{} of {}", &[&2, &"three"]), "2 of three");
        assert_eq!(fill("{} {}", &[&1]), "1 ");
    }

    texts! {
        pub struct Near -> Far { here: "here", }
        signs: Pairs = &[("+", "more")];
    }

    texts! {
        pub struct Far { there: "there", }
    }

    #[test]
    fn every_text_is_listed_and_changed() {
        let mut all = Vec::new();
        let loud = |text: &'static str| if text.is_ascii() { text } else { "?" };
        Near { here: "hier", signs: &[("+", "länger")], next: Far { there: "drüben" } }
            .changed(loud)
            .list("", &mut all);
        assert_eq!(all, [("here", "hier"), ("signs", "?"), ("there", "?")]);
        assert_eq!((Near::ENGLISH.here, Near::ENGLISH.there), ("here", "there"));
    }
}
