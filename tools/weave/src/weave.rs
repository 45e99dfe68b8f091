//! Writes the inserts into the copy, and takes out again what the compiler does not accept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use crate::places::{Insert, places};
use crate::{Fault, Mutant};

/// What is asked in front of each mutant: the one number of the environment. Where `MUTANTS_MET` names a file, each that is asked for is
/// written down there once.
fn switch(mutants: usize) -> String {
    format!(
        "
/// Which mutant is switched on.
pub mod mutant {{
    use std::sync::atomic::{{AtomicBool, Ordering::Relaxed}};
    static CHOSEN: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| std::env::var(\"MUTANT\").ok().and_then(|id| id.parse().ok()).unwrap_or(0));
    static MET: std::sync::LazyLock<Option<std::fs::File>> = std::sync::LazyLock::new(|| {{
        std::fs::OpenOptions::new().append(true).create(true).open(std::env::var_os(\"MUTANTS_MET\")?).ok()
    }});
    static ASKED: [AtomicBool; {}] = [const {{ AtomicBool::new(false) }}; {}];
    /// Whether it is this one.
    #[inline]
    pub fn on(id: u32) -> bool {{
        if let Some(mut file) = MET.as_ref() && !ASKED[id as usize].swap(true, Relaxed) {{
            let _ = std::io::Write::write_all(&mut file, format!(\"{{id}}\\n\").as_bytes());
        }}
        *CHOSEN == id
    }}
    /// One iterator or the other.
    #[derive(Clone)]
    pub enum Either<A, B> {{
        /// What the mutant makes.
        Mutant(A),
        /// What stands there.
        Plain(B),
    }}
    impl<B: Iterator, A: Iterator<Item = B::Item>> Iterator for Either<A, B> {{
        type Item = B::Item;
        fn next(&mut self) -> Option<B::Item> {{
            match self {{
                Either::Mutant(it) => it.next(),
                Either::Plain(it) => it.next(),
            }}
        }}
    }}
    /// The mutant's iterator, or what stands there.
    pub fn either<B: Iterator, A: Iterator<Item = B::Item>>(plain: B, on: bool, mutant: A) -> Either<A, B> {{
        if on {{ Either::Mutant(mutant) }} else {{ Either::Plain(plain) }}
    }}
}}
",
        mutants + 1,
        mutants + 1
    )
}

/// A file woven: its text, and whose which bytes are.
struct Woven {
    text: String,
    owned: Vec<(Range<usize>, usize)>,
}

/// Puts the inserts in, in the order of their places.
fn woven(text: &str, mut inserts: Vec<Insert>, without: &BTreeSet<usize>) -> Woven {
    inserts.sort_by_key(|one| (one.at, one.rank));
    let mut result = Woven { text: String::new(), owned: Vec::new() };
    let mut from = 0;
    for one in inserts {
        result.text.push_str(&text[from..one.at]);
        from = one.at;
        let begin = result.text.len();
        result.text.push_str(&one.text);
        result.owned.extend(one.owned.into_iter().map(|(range, id)| (range.start + begin..range.end + begin, id)));
    }
    result.text.push_str(&text[from..]);
    result.owned.retain(|(_, id)| !without.contains(id));
    result
}

/// What the compiler says of a value or an operator that a type has not: a trait, a type, an operator, a type that nothing tells,
/// a function that is not there or takes something else.
const MISMATCHES: [&str; 9] = ["E0277", "E0308", "E0368", "E0369", "E0282", "E0283", "E0271", "E0599", "E0061"];

/// Weaves, asks the compiler, leaves out what it complains of, until it is content. Writes left.txt: a row for each mutant left out, with
/// `unviable` where the mutant itself cannot compile (its type has no such value, no such operator), else `left`.
pub fn settle(mutants: &[Mutant], dir: &Path) -> Result<(), Fault> {
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    let mut plain = BTreeMap::new();
    for file in files.keys() {
        plain.insert(*file, fs::read_to_string(dir.join(file))?);
    }
    let root = dir.join("src/lib.rs");
    fs::write(&root, fs::read_to_string(&root)? + &switch(mutants.len()))?;
    let mut out: BTreeMap<usize, &str> = BTreeMap::new();
    loop {
        let mut now = BTreeMap::new();
        let gone: BTreeSet<usize> = out.keys().copied().collect();
        for (file, listed) in &files {
            let wanted: Vec<&Mutant> = listed.iter().copied().filter(|one| !gone.contains(&one.id)).collect();
            let found = places(&plain[file], &wanted).map_err(|fault| format!("{file}: {fault}"))?;
            out.extend(found.left.into_iter().map(|id| (id, "left")));
            out.extend(found.unviable.into_iter().map(|id| (id, "unviable")));
            let one = woven(&plain[file], found.inserts, &gone);
            fs::write(dir.join(file), &one.text)?;
            now.insert(*file, one);
        }
        let refused = complaints(dir, &now)?;
        if refused.is_empty() {
            break;
        }
        eprintln!("{} mutants do not compile", refused.len());
        out.extend(refused);
    }
    let row = |one: &Mutant| out.get(&one.id).map(|why| format!("{why}\t{}\n", one.name));
    fs::write(dir.join("left.txt"), mutants.iter().filter_map(row).collect::<String>())?;
    Ok(())
}

/// Whose mutant the compiler complains of. Other errors than [`MISMATCHES`] may be of the weaving (a question in a constant, something
/// moved in two branches) and say nothing of the mutant.
fn complaints(dir: &Path, woven: &BTreeMap<&str, Woven>) -> Result<BTreeMap<usize, &'static str>, Fault> {
    let mut command = Command::new("cargo");
    command.args([
        "check",
        "--lib",
        "--no-default-features",
        "--features",
        "conform",
        "--message-format",
        "json",
        "--quiet",
    ]);
    let said = command
        .current_dir(dir)
        .env("RUSTFLAGS", "--cap-lints=allow")
        .stderr(std::process::Stdio::null())
        .output()?;
    let mut refused = BTreeMap::new();
    let mut strange = String::new();
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        let message = &message["message"];
        if message["level"] != "error" || message["spans"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let owner = message["spans"].as_array().into_iter().flatten().find_map(|span| owner(span, woven));
        let code = message["code"]["code"].as_str().unwrap_or_default();
        let kind = if MISMATCHES.contains(&code) { "unviable" } else { "left" };
        match owner {
            Some(id) => _ = refused.insert(id, kind),
            None => strange += message["rendered"].as_str().unwrap_or_default(),
        }
    }
    if refused.is_empty() && !said.status.success() {
        return Err(format!("the woven copy does not compile, and not for a mutant:\n{strange}").into());
    }
    Ok(refused)
}

fn owner(span: &serde_json::Value, woven: &BTreeMap<&str, Woven>) -> Option<usize> {
    let file = woven.get(span["file_name"].as_str()?)?;
    let [begin, end] =
        ["byte_start", "byte_end"].map(|key| span[key].as_u64().and_then(|at| usize::try_from(at).ok()));
    let (begin, end) = (begin?, end?);
    file.owned.iter().find(|(range, _)| range.start <= begin && end <= range.end).map(|(_, id)| *id)
}
