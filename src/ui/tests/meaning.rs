//! What an outline means, for its file: which things there are, in what state, and the data in what is said of them (`data`). The
//! words are left out: a sentence may change without its file, and a wrong server, number or state may not.
//!
//! How a line of a file reads: `button ×3: S1 | · ×2` are three buttons; the first speaks of S1, the others have nothing but words.
//! `list > listitem` is a list of one thing. `heading2, button` are two things that have nothing but words. `(empty)` has none either.

use super::data::{Texts, data, field, parts};
use super::outline::Line;

/// So wide is a line at most where it can be broken.
const WIDTH: usize = 120;
/// As many options are those of a table of ours.
const MANY: usize = 40;

/// The data of a line.
fn item(lines: [&Line; 3]) -> String {
    let names = lines.map(|line| line.name.as_str());
    let name = if lines[0].role == "row" { parts(names).join(", ") } else { data(names) };
    let mut said = vec![name];
    for (at, (what, _)) in lines[0].more.iter().enumerate() {
        let texts = lines.map(|line| line.more.get(at).map_or("", |(_, text)| text.as_str()));
        let data = match *what {
            "of" => options(texts),
            // what fields of the code hold
            _ if lines[0].role == "term" => field(texts),
            _ => data(texts),
        };
        said.push(format!("{what} {data}").trim_end().to_string());
    }
    said.retain(|said| !said.is_empty());
    said.join(" ")
}

/// What there is to choose from; of words, how many. Tables of ours are long and grow: `tables` looks at those.
fn options(said: Texts) -> String {
    let all = parts(said);
    match all.len() {
        count if all.iter().all(|one| !one.is_empty()) && count < MANY => all.join(", "),
        count if count < MANY => count.to_string(),
        _ => "many".into(),
    }
}

/// A line of an outline without its words.
#[derive(PartialEq)]
struct Thing {
    depth: usize,
    head: String,
    item: String,
}

fn things([english, zh, hant]: [&[Line]; 3]) -> Vec<Thing> {
    let thing = |(at, line): (usize, &Line)| {
        // a line that another language has not is found by `chinese`
        let item = item([line, zh.get(at).unwrap_or(line), hant.get(at).unwrap_or(line)]);
        let is_leaf = english.get(at + 1).is_none_or(|next| next.depth <= line.depth);
        let item = if is_leaf && line.name.is_empty() { format!("(empty) {item}") } else { item };
        let state = if line.states.is_empty() { String::new() } else { format!(" [{}]", line.states) };
        Thing { depth: line.depth, head: format!("{}{state}", line.role), item: item.trim_end().to_string() }
    };
    english.iter().enumerate().map(thing).collect()
}

/// Things that stand beside each other, each with what is in it.
fn beside(things: &[Thing]) -> Vec<&[Thing]> {
    let mut begins: Vec<usize> = (0..things.len()).filter(|at| things[*at].depth == things[0].depth).collect();
    begins.push(things.len());
    begins.windows(2).map(|ends| &things[ends[0]..ends[1]]).collect()
}

/// A line of the file.
struct Row {
    depth: usize,
    text: String,
    /// How many kinds of things stand in it beside each other.
    kinds: usize,
    /// It has no data, and there is nothing in what it is about.
    is_bare: bool,
}

fn times(count: usize) -> String {
    if count == 1 { String::new() } else { format!(" ×{count}") }
}

/// The lines for what stands beside each other. Things with nothing in them share a line with others of their kind or, without data,
/// of any kind; of things in which there is the same, one stands for all.
fn rows(things: &[Thing], depth: usize) -> Vec<Row> {
    let all = beside(things);
    let is_alike = |a: &&[Thing], b: &&[Thing]| a == b || (a.len() == 1 && b.len() == 1 && a[0].head == b[0].head);
    let mut rows: Vec<Row> = Vec::new();
    for run in all.chunk_by(is_alike) {
        let (first, below) = (&run[0][0], &run[0][1..]);
        let items: Vec<&str> = run.iter().map(|one| one[0].item.as_str()).collect();
        let has_data = items.iter().any(|item| !item.is_empty());
        let is_bare = below.is_empty() && !has_data;
        let mut text = format!("{}{}", first.head, times(run.len()));
        if has_data {
            text += &format!(": {}", listed(&items));
        }
        if let Some(last) = rows.last_mut().filter(|last| is_bare && last.is_bare && last.depth == depth) {
            last.text += &format!(", {text}");
            last.kinds += 1;
            continue;
        }
        let mut inner = self::rows(below, depth + 1);
        if !has_data && inner.len() == 1 && inner[0].kinds == 1 {
            text += &format!(" > {}", inner.remove(0).text);
        }
        rows.push(Row { depth, text, kinds: 1, is_bare });
        rows.append(&mut inner);
    }
    rows
}

/// What several things say.
fn listed(items: &[&str]) -> String {
    let one = |same: &[&str]| format!("{}{}", if same[0].is_empty() { "·" } else { same[0] }, times(same.len()));
    items.chunk_by(|a, b| a == b).map(one).collect::<Vec<_>>().join(" | ")
}

/// The line as it stands in the file, broken between things where it is long.
fn broken(row: &Row) -> String {
    let indent = "  ".repeat(row.depth);
    let (mut lines, mut line) = (String::new(), indent.clone());
    for (at, part) in row.text.split(" | ").enumerate() {
        if at > 0 {
            line += " |";
            if line.chars().count() + part.chars().count() > WIDTH {
                lines += &format!("{line}\n");
                line = format!("{indent}   ");
            }
            line.push(' ');
        }
        line += part;
    }
    lines + &line + "\n"
}

/// What an outline in `LANGS` means.
pub(super) fn meaning(outlines: [&[Line]; 3]) -> String {
    rows(&things(outlines), 0).iter().map(broken).collect()
}

mod tests {
    use super::*;

    /// A line with these states and names; `role` after two spaces for each thing that it is in.
    fn line((role, states, name): (&str, &str, &str)) -> Line {
        let bare = role.trim_start();
        let (depth, said) = ((role.len() - bare.len()) / 2, |text: &str| text.to_string());
        Line { depth, role: said(bare), states: said(states), name: said(name), more: Vec::new() }
    }

    /// What these lines mean, of which each language says something else.
    fn told(lines: &[(&str, &str, [&str; 3])]) -> String {
        let said = |at: usize| lines.iter().map(|(role, states, names)| line((role, states, names[at]))).collect();
        let all: [Vec<Line>; 3] = [0, 1, 2].map(said);
        meaning(all.each_ref().map(Vec::as_slice))
    }

    #[test]
    fn what_is_alike_stands_in_one_line() {
        let words = ["Crash", "崩溃", "當機"];
        let more = ["Kill", "杀死", "殺死"];
        let s1 = ["at S1", "在 S1", "在 S1"];
        assert_eq!(told(&[("button", "", words), ("button", "", more)]), "button ×2\n");
        assert_eq!(
            told(&[("button", "", words), ("button", "", s1), ("link", "", more)]),
            "button ×2: · | S1\nlink\n"
        );
        assert_eq!(
            told(&[("button", "pressed=true", words), ("button", "pressed=false", words)]),
            "button [pressed=true], button [pressed=false]\n"
        );
        assert_eq!(
            told(&[("list", "", words), ("  listitem", "", s1), ("  listitem", "", s1)]),
            "list > listitem ×2: S1 ×2\n"
        );
        let row = [("region", "", words), ("  heading", "", words), ("  button", "", more)];
        assert_eq!(told(&[row, row].concat()), "region ×2\n  heading, button\n");
        assert_eq!(told(&[("alert", "", [""; 3]), ("status", "", words)]), "alert: (empty)\nstatus\n");
        assert_eq!(told(&[("row", "", ["1:3 | S1 | ", "1:3 | S1 | ", "1:3 | S1 | "])]), "row: 1:3, S1,\n");
    }

    #[test]
    fn options_are_listed_where_they_are_data_and_counted_where_they_are_words() {
        assert_eq!(options(["S1 | S2 (leader)", "S1 | S2（领导者）", "S1 | S2（領導者）"]), "S1, S2");
        assert_eq!(options(["none | S2", "无 | S2", "無 | S2"]), "2");
        assert_eq!(options([&["a"; MANY].join(" | "); 3]), "many");
    }

    #[test]
    fn a_long_line_is_broken_between_things() {
        let path = "/lock/a-path-that-is-as-long-as-those-of-real-recipes-0000000001";
        let told = told(&[
            ("list", "", ["Nodes", "节点", "節點"]),
            ("  listitem", "", [path; 3]),
            ("  listitem", "", ["/b"; 3]),
        ]);
        assert_eq!(told, format!("list > listitem ×2: {path} | /b\n"));
        let row = Row { depth: 1, text: format!("listitem ×2: {path} | {path}"), kinds: 1, is_bare: false };
        assert_eq!(broken(&row), format!("  listitem ×2: {path} |\n      {path}\n"));
    }
}
