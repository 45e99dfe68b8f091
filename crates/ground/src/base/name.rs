//! Names that a program writes as constants, read back from a file.

use serde::de::{Deserialize, Deserializer, Error};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A name that is a constant somewhere.
pub type Name = &'static str;

/// Longest name that is read, bytes, and how many different ones: no more memory than that is kept for good.
const LONGEST: usize = 64;
const MOST: usize = 1_000;

thread_local! {
    static KNOWN: RefCell<BTreeSet<Name>> = const { RefCell::new(BTreeSet::new()) };
}

/// Reads a name. Equal names are kept once.
///
/// # Errors
/// It is no text, or longer than names are, or there are too many.
pub fn name<'de, D: Deserializer<'de>>(d: D) -> Result<Name, D::Error> {
    let text = String::deserialize(d)?;
    KNOWN.with_borrow_mut(|known| match known.get(text.as_str()) {
        Some(name) => Ok(*name),
        None if text.len() > LONGEST || known.len() >= MOST => Err(D::Error::custom("too many names, or too long")),
        None => {
            let name: Name = Box::leak(text.into_boxed_str());
            known.insert(name);
            Ok(name)
        }
    })
}
