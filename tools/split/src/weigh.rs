//! What the page's code weighs, by crate and room, and which functions there are many copies of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::module::Module;
use crate::{name_of, plain};

/// So many families of copies are listed.
const FAMILIES: usize = 20;

/// What some functions come to.
#[derive(Clone, Copy, Default)]
struct Weight {
    functions: usize,
    bytes: usize,
    /// Of these bytes, those of functions that the first picture needs.
    first: usize,
}

impl Weight {
    fn add(&mut self, bytes: usize, first: bool) {
        self.functions += 1;
        self.bytes += bytes;
        self.first += if first { bytes } else { 0 };
    }
}

/// Two tables as text: by crate and room, and by functions of the same name. `first` is the list of what the first picture needs.
pub fn weigh(module: &Module<'_>, first: &BTreeSet<&str>) -> String {
    let (mut rooms, mut families) = (BTreeMap::<String, Weight>::new(), BTreeMap::<String, Weight>::new());
    for (function, body) in module.defined() {
        let name = plain(name_of(module, function));
        let (bytes, first) = (body.range().len(), first.contains(name.as_str()));
        for (table, key) in [(&mut rooms, room(&name)), (&mut families, family(&name))] {
            table.entry(key).or_default().add(bytes, first);
        }
    }
    families.retain(|_, weight| weight.functions > 1);
    let mut text = table("room", rooms, usize::MAX);
    text += "\n";
    text += &table("copies of", families, FAMILIES);
    text
}

/// The crate of a function, with the room where it is ours.
fn room(name: &str) -> String {
    let path = name.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let path = path.strip_prefix("dyn ").or(path.strip_prefix("mut ")).unwrap_or(path);
    let end =
        |text: &str| text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(text.len());
    let (root, rest) = path.split_at(end(path));
    match rest.strip_prefix("::").filter(|_| root == "zabscope") {
        Some(rest) => format!("zabscope::{}", &rest[..end(rest)]),
        None => root.to_string(),
    }
}

/// A function's name without the types for which it was made.
fn family(name: &str) -> String {
    let mut depth = 0;
    // the type of a method's own stands in brackets at the beginning, and stays
    let kept = name.char_indices().filter(|&(at, letter)| {
        let arrow = letter == '>' && name[..at].ends_with('-');
        match letter {
            '<' if at > 0 => depth += 1,
            '>' if depth > 0 && !arrow => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0
    });
    kept.map(|(_, letter)| letter).collect()
}

/// The heaviest first.
fn table(what: &str, weights: BTreeMap<String, Weight>, most: usize) -> String {
    let mut rows: Vec<(String, Weight)> = weights.into_iter().collect();
    rows.sort_by_key(|(_, weight)| std::cmp::Reverse(weight.bytes));
    let mut text =
        format!("| {what} | functions | bytes | before the first picture |\n| --- | ---: | ---: | ---: |\n");
    for (name, weight) in rows.into_iter().take(most) {
        // writing into a text cannot fail
        let _ = writeln!(text, "| `{name}` | {} | {} | {} |", weight.functions, weight.bytes, weight.first);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_belong_to_rooms_and_families() {
        assert_eq!(room("<zabscope::ui::stage::Props as yew::Component>::view"), "zabscope::ui");
        assert_eq!(room("<&mut alloc::vec::Vec<zabscope::sim::Fact>>::push"), "alloc");
        assert_eq!(room("core::fmt::write"), "core");
        assert_eq!(family("<alloc::vec::Vec<u8>>::push::<u8>"), "<alloc::vec::Vec>::push::");
    }
}
