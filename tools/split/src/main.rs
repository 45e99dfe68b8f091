//! Cuts the page's WebAssembly in two (docs/development.md, "The page's two parts").
//!
//! `split cut BOUND SCRIPT LINKED LIST SECOND`: takes functions out of the module BOUND, which `wasm-bindgen` wrote, but those that LIST
//! names, and writes them into SECOND. LINKED is what `cargo` linked before, with `--emit-relocs`: it tells which data only they name.
//! BOUND and its SCRIPT call each other by short names afterwards.
//!
//! `split watch BOUND NAMES`: makes BOUND remember which functions run; NAMES will hold their names.
//!
//! `split weigh MODULE LIST`: prints what the code of MODULE weighs by crate and room, and of which functions there are many copies.

mod cut;
mod linked;
mod module;
mod names;
mod watch;
mod weigh;

use std::collections::BTreeSet;
use std::fs;

use cut::Plan;
use linked::Linked;
use module::{Module, Result};
use names::Names;

/// The function of the page that fetches the second part (src/ui/second.rs).
const FETCH: &str = "secondPart";
/// A shorter function costs less than the way to it.
const SHORT: usize = 24;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["cut", bound, script, linked, list, second] => cut(bound, script, linked, list, second),
        ["watch", bound, names] => watched(bound, names),
        ["weigh", module, list] => {
            let (bytes, list) = (fs::read(module)?, fs::read_to_string(list)?);
            print!("{}", weigh::weigh(&Module::read(&bytes)?, &list.lines().collect()));
            Ok(())
        }
        _ => {
            Err("split cut BOUND SCRIPT LINKED LIST SECOND, split watch BOUND NAMES, or split weigh MODULE LIST"
                .into())
        }
    }
}

fn cut(bound: &str, script: &str, linked: &str, list: &str, second: &str) -> Result<()> {
    let (bytes, linked, list) = (fs::read(bound)?, fs::read(linked)?, fs::read_to_string(list)?);
    let keep: BTreeSet<&str> = list.lines().collect();
    let module = Module::read(&bytes)?;
    let linked = Linked::read(&linked)?;
    let first = staying(&module, &linked, &keep)?;
    let mut later: BTreeSet<u32> = module.defined().map(|(function, _)| function).collect();
    // of functions with one name all stay, or none
    later.retain(|function| !first.contains(name_of(&module, *function)));
    let known: BTreeSet<String> = module.names.values().map(|name| plain(name)).collect();
    let unknown = keep.iter().filter(|name| !known.contains(**name)).count();
    let gone: BTreeSet<&str> = later.iter().map(|function| module.names[function]).collect();
    let data = linked.only_for(|name| gone.contains(name));
    let moved: u32 = data.iter().map(|range| range.end - range.start).sum();
    eprintln!("    {} of {} functions and {moved} bytes of data come later", later.len(), module.bodies.len());
    if unknown > 0 {
        eprintln!(
            "    {unknown} of the list's {} names are of no function: scripts/first-picture renews it",
            keep.len()
        );
    }
    if later.is_empty() {
        return Err("no function can go: the module has no names, or the list has them all".into());
    }
    let names = Names::of(&module);
    let unseen = linked.pointed_only_by(|name| gone.contains(name));
    let plan = Plan::new(&module, &names, later, data, &unseen, FETCH)?;
    fs::write(script, names.rewrite(&fs::read_to_string(script)?))?;
    fs::write(second, plan.second()?)?;
    fs::write(bound, plan.first()?)?;
    Ok(())
}

fn name_of<'a>(module: &Module<'a>, function: u32) -> &'a str {
    module.names.get(&function).copied().unwrap_or_default()
}

/// The names of the functions that stay in the first part: those on the list, and of the short ones those that a function of the first
/// part can come to.
fn staying<'a>(module: &Module<'a>, linked: &Linked<'a>, keep: &BTreeSet<&str>) -> Result<BTreeSet<&'a str>> {
    let (mut first, mut short) = (BTreeSet::new(), BTreeSet::new());
    for (function, body) in module.defined() {
        let name = name_of(module, function);
        if !name.starts_with("_R") || keep.contains(plain(name).as_str()) {
            first.insert(name);
        } else if body.range().len() < SHORT {
            short.insert(name);
        }
    }
    let all: BTreeSet<&str> = module.names.values().copied().collect();
    loop {
        let mut more = BTreeSet::new();
        for (_, body) in module.defined().filter(|(function, _)| first.contains(name_of(module, *function))) {
            more.extend(module.named_by(body)?.into_iter().map(|named| name_of(module, named)));
        }
        let unseen = linked.pointed_only_by(|name| all.contains(name) && !first.contains(name));
        let in_table = module.table.values().map(|function| name_of(module, *function));
        more.extend(in_table.filter(|name| !unseen.contains(name)));
        let before = first.len();
        first.extend(more.into_iter().filter(|name| short.contains(name)));
        if first.len() == before {
            return Ok(first);
        }
    }
}

fn watched(bound: &str, names: &str) -> Result<()> {
    let bytes = fs::read(bound)?;
    let module = Module::read(&bytes)?;
    let out = watch::watch(&module)?;
    let mut text = String::new();
    for (function, _) in module.defined() {
        text += &plain(module.names.get(&function).copied().unwrap_or_default());
        text.push('\n');
    }
    fs::write(bound, out)?;
    fs::write(names, text)?;
    Ok(())
}

/// A name as people write it, without what differs from compiler to compiler: hashes of crates, and the numbers of closures.
fn plain(name: &str) -> String {
    let name = format!("{:#}", rustc_demangle::demangle(name));
    let mut out = String::with_capacity(name.len());
    for (place, piece) in name.split('#').enumerate() {
        out.push_str(if place == 0 {
            piece
        } else {
            piece.trim_start_matches(|letter: char| letter.is_ascii_digit())
        });
    }
    out
}
