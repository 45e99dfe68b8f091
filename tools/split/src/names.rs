//! Short names for what the page's script and the module call each other by: the long ones, each with a hash, weigh more than what they
//! stand for.

use std::collections::BTreeMap;

use crate::module::Module;

/// The name of the script in the module.
const SCRIPT: &str = "w";

/// Short names by long ones.
pub struct Names<'a> {
    short: BTreeMap<&'a str, String>,
    script: &'a str,
}

impl<'a> Names<'a> {
    /// Names for all imports, and for the exports that nobody but the script knows: they begin with an underscore.
    pub fn of(module: &Module<'a>) -> Names<'a> {
        let exports = module.exports.iter().copied().filter(|name| name.starts_with('_'));
        let mut short = BTreeMap::new();
        for name in module.imports.iter().map(|(_, name)| *name).chain(exports) {
            let number = short.len();
            short.entry(name).or_insert_with(|| format!("_{number}"));
        }
        Names { short, script: module.imports.first().map_or("", |(script, _)| script) }
    }

    /// The short name of an import or export; its own where it keeps that.
    pub fn short<'n>(&'n self, name: &'n str) -> &'n str {
        self.short.get(name).map_or(name, String::as_str)
    }

    /// The short name of the module from which something is imported.
    pub fn module<'n>(&self, name: &'n str) -> &'n str {
        if name == self.script { SCRIPT } else { name }
    }

    /// The script with the short names.
    pub fn rewrite(&self, script: &str) -> String {
        let script = script.replace(&format!("\"{}\"", self.script), &format!("\"{SCRIPT}\""));
        let mut out = String::with_capacity(script.len());
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '$';
        let mut rest = script.as_str();
        while let Some(start) = rest.find(is_word) {
            let len = rest[start..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - start);
            out.push_str(&rest[..start]);
            out.push_str(self.short(&rest[start..start + len]));
            rest = &rest[start + len..];
        }
        out.push_str(rest);
        out
    }
}
