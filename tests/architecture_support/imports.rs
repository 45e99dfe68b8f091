//! Which file takes names from which, read from the sources as text: `use` trees and paths in the code, through re-exports to
//! the file that defines the name. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};

/// A module's path, such as `zab::leader`; the crate's root is empty.
type Module = String;

/// The arrows between modules.
pub struct Imports {
    /// Each module and those that it takes names from.
    pub arrows: BTreeMap<Module, BTreeSet<Module>>,
}

impl Imports {
    /// Reads all modules; each is a path and the text of its file, tests and comments cut.
    pub fn of(modules: &BTreeMap<Module, String>) -> Imports {
        let mut exports = BTreeMap::new();
        for (module, text) in modules {
            for path in uses(text, "pub") {
                if let (Some(home), Some(name)) = (absolute(&path, module, modules), path.last()) {
                    exports.insert(join(module, name), home);
                }
            }
        }
        let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, text) in modules {
            let reexported = uses(text, "pub");
            let named = uses(text, "").into_iter().filter(|path| !reexported.contains(path)).chain(inline(text));
            let targets = named.filter_map(|path| absolute(&path, module, modules));
            let found = targets.filter_map(|path| home(&path, modules, &exports)).filter(|target| target != module);
            arrows.insert(module.clone(), found.collect());
        }
        Imports { arrows }
    }

    /// Groups of modules that import each other in a loop, the largest first.
    pub fn circles(&self) -> Vec<Vec<Module>> {
        let reach: BTreeMap<_, _> = self.arrows.keys().map(|module| (module, self.reached(module))).collect();
        let mut left: BTreeSet<&Module> = self.arrows.keys().collect();
        let mut circles = Vec::new();
        while let Some(module) = left.pop_first() {
            let mates: Vec<_> = reach[module].iter().filter(|mate| reach[mate].contains(module)).cloned().collect();
            left.retain(|other| !mates.contains(other));
            if mates.len() > 1 {
                circles.push(mates);
            }
        }
        circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
        circles
    }

    fn reached(&self, from: &Module) -> BTreeSet<Module> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for next in &self.arrows[&module] {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    }
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_string() } else { format!("{module}::{name}") }
}

/// All leaves of the `use` trees that begin with this visibility; `""` takes all of them.
fn uses(text: &str, visibility: &str) -> Vec<Vec<String>> {
    let mut leaves = Vec::new();
    for statement in text.split(';') {
        let Some((before, tree)) = statement.rsplit_once("use ") else { continue };
        let own = before.lines().last().unwrap_or("").trim();
        if (own.is_empty() || own.starts_with("pub")) && own.starts_with(visibility) {
            spread(tree.trim(), &[], &mut leaves);
        }
    }
    leaves
}

fn spread(tree: &str, before: &[String], leaves: &mut Vec<Vec<String>>) {
    if let Some(inner) = tree.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    spread(inner[start..at].trim(), before, leaves);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    match tree.split_once("::") {
        Some((head, rest)) => spread(rest.trim(), &[before, &[head.trim().to_string()]].concat(), leaves),
        None if !tree.is_empty() => {
            let name = tree.split(" as ").next().unwrap_or(tree).trim().to_string();
            leaves.push([before, &[name]].concat());
        }
        None => {}
    }
}

/// Paths in the code that begin with `crate` or `super`; those of visibilities are no imports.
fn inline(text: &str) -> Vec<Vec<String>> {
    let text = text.replace("(in crate::", "(").replace("(in super::", "(");
    let paths = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let rooted = paths.filter(|path| path.starts_with("crate::") || path.starts_with("super::"));
    rooted.map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_string).collect()).collect()
}

/// A path from the crate's root; `None` for one of another crate.
fn absolute(path: &[String], module: &str, modules: &BTreeMap<Module, String>) -> Option<Vec<String>> {
    let mut here: Vec<String> = module.split("::").map(str::to_string).collect();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([&here, &path[1..]].concat()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            here.truncate(here.len().checked_sub(ups)?);
            Some([&here, &path[ups..]].concat())
        }
        first if modules.contains_key(&join(module, first)) => Some([&here, path].concat()),
        _ => None,
    }
}

/// The module that defines what a path names, through re-exports.
fn home(
    path: &[String],
    modules: &BTreeMap<Module, String>,
    exports: &BTreeMap<String, Vec<String>>,
) -> Option<Module> {
    let mut path: Vec<String> = path.to_vec();
    for _ in 0..8 {
        let exported = (1..=path.len()).rev().find_map(|len| Some((len, exports.get(&path[..len].join("::"))?)));
        match exported {
            Some((len, to)) if *to != path[..len] => path = [to, &path[len..]].concat(),
            _ => break,
        }
    }
    (1..=path.len()).rev().map(|len| path[..len].join("::")).find(|module| modules.contains_key(module))
}
