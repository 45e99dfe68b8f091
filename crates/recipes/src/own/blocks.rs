//! A text as blocks: each line with what it is about and the blocks that it stands in, and what is done to a block with all that it
//! holds. The text is what is edited, right or wrong: line n is block n, and what is not touched stays as somebody wrote it.

use std::fmt;
use std::rc::Rc;

use crate::base::ProgramError;

use super::forms::{Make, Statement};
use super::parse::statement;
use super::program::Program;
use super::words::Words;

/// Words that begin a block, also where the line is not finished.
const BEGINS: [&str; 4] = ["if ", "else", "repeat", "on "];
/// A block stands so far to the right of what is above it.
pub(super) const STEP: usize = 2;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A section.
    Section,
    /// What is done when a connection or the session is lost.
    Clause,
    /// Something that is asked of the ensemble.
    Request,
    /// A value that is made of others.
    Value,
    /// What is done when, and how often; waiting.
    Control,
    /// That the caller has it, or no longer.
    Hold,
    /// A comment, or nothing.
    Note,
    /// What cannot be read.
    Unread,
}

impl BlockKind {
    /// All, in the order in which they are offered.
    pub const ALL: [BlockKind; 8] = {
        use BlockKind::{Clause, Control, Hold, Note, Request, Section, Unread, Value};
        [Request, Value, Control, Hold, Clause, Section, Note, Unread]
    };

    /// Of a line that begins behind so many blanks.
    pub(super) fn of(indent: usize, text: &str) -> BlockKind {
        let Ok(mut words) = Words::of(1, indent, text.trim_end()) else { return BlockKind::Unread };
        if words.word().is_none() {
            return BlockKind::Note;
        }
        match statement(&mut words) {
            Err(_) => BlockKind::Unread,
            Ok(Statement::Section { .. }) => BlockKind::Section,
            Ok(Statement::OnLoss {} | Statement::OnLost {}) => BlockKind::Clause,
            Ok(Statement::Hold { .. } | Statement::Lead {} | Statement::Release {}) => BlockKind::Hold,
            Ok(what) if what.path().is_some() => BlockKind::Request,
            Ok(Statement::Do { .. } | Statement::SortByName { .. } | Statement::SortByNumber { .. }) => {
                BlockKind::Value
            }
            Ok(_) => BlockKind::Control,
        }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is about.
    pub kind: BlockKind,
    /// What the blocks are about that it stands in, the outermost first.
    pub within: Vec<BlockKind>,
    /// How many blanks stand before it.
    pub indent: usize,
    /// What stands there, with its comment.
    pub text: Rc<str>,
    /// What is wrong with it.
    pub wrong: Option<ProgramError>,
}

impl Block {
    fn depth(&self) -> usize {
        self.within.len()
    }

    /// Whether nothing stands there.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn is_note(&self) -> bool {
        self.kind == BlockKind::Note
    }
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:indent$}{}", "", self.text, indent = self.indent)
    }
}

/// A text as blocks; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Its lines; line n is the one with index n - 1.
    pub all: Vec<Block>,
    /// Whether the last line is ended, too.
    ended: bool,
}

/// Another text, and the block in it that is at hand, from 0.
pub type Edited = Option<(String, usize)>;

impl Blocks {
    /// Of a text, right or wrong.
    pub fn of(text: &str) -> Blocks {
        let ended = text.ends_with('\n');
        let (program, mut wrong) = Program::read(text);
        if wrong.is_empty() {
            wrong.extend(program.faults());
        }
        // the column and the kind of each block that is open
        let mut open: Vec<(usize, BlockKind)> = Vec::new();
        let line = |(index, line): (usize, &str)| {
            let text = line.trim_start_matches(' ');
            let (indent, text) = (line.len() - text.len(), text.trim_end_matches('\r'));
            let kind = BlockKind::of(indent, text);
            let depth = open.iter().filter(|(column, _)| *column < indent).count();
            let within = open[..depth].iter().map(|(_, kind)| *kind).collect();
            if kind != BlockKind::Note {
                open.truncate(depth);
                open.push((indent, kind));
            }
            let wrong = wrong.iter().find(|wrong| wrong.line == index + 1).cloned();
            Block { kind, within, indent, text: text.into(), wrong }
        };
        let whole = text.strip_suffix('\n').unwrap_or(text);
        Blocks { all: whole.split('\n').enumerate().map(line).collect(), ended }
    }

    /// The text of these lines.
    pub(super) fn text_of(&self, lines: impl IntoIterator<Item = String>) -> String {
        let text = lines.into_iter().collect::<Vec<_>>().join("\n");
        if self.ended { text + "\n" } else { text }
    }

    /// Its lines with others in place of some.
    pub(super) fn replaced(&self, from: usize, to: usize, by: Vec<String>) -> String {
        let line = |block: &Block| block.to_string();
        let (before, behind) = (self.all[..from].iter().map(line), self.all[to..].iter().map(line));
        self.text_of(before.chain(by).chain(behind))
    }

    /// Behind all that a block holds.
    pub(super) fn end(&self, at: usize) -> usize {
        let block = &self.all[at];
        let mut end = at + 1;
        for (index, other) in self.all.iter().enumerate().skip(at + 1).take_while(|_| !block.is_note()) {
            if other.depth() > block.depth() {
                end = index + 1;
            } else if !other.is_note() {
                break;
            }
        }
        end
    }

    /// The nearest block above that a block stands in.
    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        let depth = self.all[at].depth();
        self.all[..at].iter().rposition(|block| !block.is_note() && block.depth() < depth)
    }

    /// The block beside it, above or below.
    fn beside(&self, at: usize, up: bool) -> Option<usize> {
        let depth = self.all[at].depth();
        let is_next = |block: &Block| !block.is_note() && block.depth() <= depth;
        let found = match up {
            true => self.all[..at].iter().rposition(is_next),
            false => self.all.iter().skip(self.end(at)).position(is_next).map(|found| found + self.end(at)),
        };
        found.filter(|found| self.all[*found].depth() == depth)
    }

    /// Where the first block below this one begins, or would.
    pub(super) fn inside(&self, at: usize) -> usize {
        let block = &self.all[at];
        let below = self.all[at + 1..self.end(at)].iter().find(|below| !below.is_note());
        below.map_or(block.indent + STEP, |below| below.indent)
    }

    /// A line says something else. What is on several lines becomes as many, each as far to the right.
    pub fn write(&self, at: usize, text: &str) -> Edited {
        let indent = self.all.get(at)?.indent;
        let lines: Vec<String> = text.split('\n').map(|line| format!("{:indent$}{line}", "")).collect();
        let last = at + lines.len() - 1;
        Some((self.replaced(at, at + 1, lines), last))
    }

    /// Where Enter begins another line: its place, and how many blanks stand before it.
    pub(super) fn next(&self, at: usize) -> (usize, usize) {
        let block = &self.all[at];
        let (indent, end) = (indent_below(&block.to_string()), self.end(at));
        if indent > block.indent {
            return (at + 1, self.inside(at));
        }
        // nothing comes between a block and what goes on in the same one
        let goes_on = self.all[end..].iter().find(|next| !next.is_note()).is_some_and(|next| next.indent > indent);
        (end, if goes_on { block.indent } else { indent })
    }

    /// An empty line below.
    pub fn add_below(&self, at: usize) -> Edited {
        let (place, indent) = self.next(at);
        Some((self.replaced(place, place, vec![" ".repeat(indent)]), place))
    }

    /// Without a block and all that it holds.
    pub fn remove(&self, at: usize) -> Edited {
        let text = self.replaced(at, self.end(at), Vec::new());
        let left = self.all.len() - (self.end(at) - at);
        Some((if left == 0 { String::new() } else { text }, at.min(left.saturating_sub(1))))
    }

    /// Before the block beside it, or behind that; a comment moves by a line.
    pub fn shift(&self, at: usize, up: bool) -> Edited {
        let other = match (self.all[at].is_note(), up) {
            (true, true) => at.checked_sub(1)?,
            (true, false) => Some(at + 1).filter(|next| *next < self.all.len())?,
            (false, _) => self.beside(at, up)?,
        };
        let (first, second) = (at.min(other), at.max(other));
        let end = |of: usize| if self.all[at].is_note() { of + 1 } else { self.end(of) };
        let lines = |from: usize, to: usize| self.all[from..to].iter().map(Block::to_string);
        let (middle, last) = (end(first), end(second));
        let turned = lines(second, last).chain(lines(middle, second)).chain(lines(first, middle));
        let now = if up { first } else { first + last - middle };
        Some((self.replaced(first, last, turned.collect()), now))
    }

    /// Into the block above it, or out of the one that it stands in, with all that it holds.
    pub fn nest(&self, at: usize, deeper: bool) -> Edited {
        let block = &self.all[at];
        let to = match (block.is_note(), deeper) {
            (true, true) => block.indent + STEP,
            (true, false) => block.indent.checked_sub(STEP)?,
            (false, true) => self.inside(self.beside(at, true).filter(|_| block.kind != BlockKind::Section)?),
            (false, false) => self.all[self.parent(at)?].indent,
        };
        let moved = |line: &Block| {
            let indent = if line.text.is_empty() { 0 } else { (line.indent + to).saturating_sub(block.indent) };
            Block { indent, ..line.clone() }.to_string()
        };
        let rest = self.all[at + 1..self.end(at)].iter().map(moved);
        let lines = std::iter::once(Block { indent: to, ..block.clone() }.to_string()).chain(rest).collect();
        Some((self.replaced(at, self.end(at), lines), at))
    }
}

/// How far to the right the line below this one stands, as a rule.
pub fn indent_below(line: &str) -> usize {
    let text = line.trim_start_matches(' ');
    let (indent, text) = (line.len() - text.len(), text.trim_end());
    let begins = indent == 0 && !text.is_empty() && !text.starts_with('#');
    if begins || BEGINS.iter().any(|word| text.starts_with(word)) {
        indent + STEP
    } else if ends(indent, text) {
        indent.saturating_sub(STEP)
    } else {
        indent
    }
}

/// Whether nothing goes on below this line, as [`Program::faults`] sees it.
fn ends(indent: usize, text: &str) -> bool {
    Words::of(1, indent, text).is_ok_and(|mut words| statement(&mut words).is_ok_and(|what| what.leads_away()))
}

/// The names by which a program keeps what requests and expressions make.
pub(super) fn kept(program: &Program, is: fn(&Make) -> bool) -> Option<Rc<str>> {
    program.code.iter().find_map(|code| match &code.what {
        Statement::Do { what: (Some(name), make) } if is(make) => Some(name.clone()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::READY;
    use super::*;

    const TEXT: &str = "\
# ours
acquire  # gets it
  me = create /lock/n- ephemeral sequential
    on connection loss
      again
  # waits

  repeat
    if me is nothing
      give up
    wait
  hold

release
  delete me
";

    /// The lines after a deed, and the one at hand, from 1.
    fn after(deed: Edited) -> (String, usize) {
        let (text, at) = deed.expect("that is possible");
        (text, at + 1)
    }

    /// These lines of the text, in this order, from 1.
    fn lines(numbers: &[usize]) -> String {
        let all: Vec<&str> = TEXT.lines().collect();
        numbers.iter().map(|number| format!("{}\n", all[number - 1])).collect()
    }

    #[test]
    fn every_text_is_its_blocks_and_says_what_each_is_about() {
        let of = |blocks: &Blocks| blocks.replaced(0, 0, Vec::new());
        let odd = ["", "\n", "acquire", "\tx\n\n\n", "    hold\n  wait\n\"\n", "锁 # 锁\n   \n"];
        for text in READY.iter().map(|ready| ready.text).chain(odd).chain([TEXT]) {
            let blocks = Blocks::of(text);
            assert_eq!(of(&blocks), text);
            assert_eq!(blocks.all.len(), text.lines().count().max(1), "line n is block n: {text:?}");
        }
        for ready in READY {
            let program = Program::parse(ready.text).expect("a program");
            let blocks = Blocks::of(ready.text);
            let statements = program.lines().iter().zip(&blocks.all).filter(|(line, _)| !line.text.is_empty());
            for (line, block) in statements {
                assert_eq!((block.depth(), &block.wrong), (line.depth, &None), "{}: {block}", ready.name);
            }
        }
        use BlockKind::{Clause, Control, Hold, Note, Request, Section};
        let blocks = Blocks::of(TEXT);
        let kinds: Vec<BlockKind> = blocks.all.iter().map(|block| block.kind).collect();
        let wanted = [
            Note, Section, Request, Clause, Control, Note, Note, Control, Control, Control, Control, Hold, Note,
            Section, Request,
        ];
        assert_eq!(kinds, wanted);
        assert_eq!(blocks.all[9].within, [Section, Control, Control]);
        assert_eq!(BlockKind::of(2, "first = the last in all"), BlockKind::Unread);
        assert_eq!(BlockKind::of(2, "one = the last in all"), BlockKind::Value);
    }

    #[test]
    fn each_line_that_is_wrong_is_marked_and_what_only_follows_from_it_is_not() {
        let text = "acquire\n  me = creat /lock\n  repat\n    hold\n  delete me\nrelease\n  delte me\n";
        let wrong = |text: &str| {
            let of = |block: &Block| block.wrong.as_ref().map(|wrong| (wrong.line, wrong.column));
            Blocks::of(text).all.iter().filter_map(of).collect::<Vec<_>>()
        };
        assert_eq!(wrong(text), [(2, 8), (3, 3), (7, 3)]);
        assert_eq!(wrong("acquire\n  stop\n  again\n  hold\n"), [(2, 3), (3, 3)]);
        assert_eq!(wrong("acquire\n  hold\n  release\n  wait\n"), [(3, 3)]);
        assert_eq!(wrong(TEXT), []);
    }

    #[test]
    fn a_block_moves_with_all_that_it_holds() {
        let blocks = Blocks::of(TEXT);
        let moved = after(blocks.shift(7, true));
        assert_eq!(moved, (lines(&[1, 2, 8, 9, 10, 11, 6, 7, 3, 4, 5, 12, 13, 14, 15]), 3));
        assert_eq!(after(Blocks::of(&moved.0).shift(2, false)), (TEXT.into(), 8));
        let sections = after(blocks.shift(13, true));
        assert_eq!(sections, (lines(&[1, 14, 15, 13, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), 2));
        assert_eq!(after(blocks.shift(5, true)), (lines(&[1, 2, 3, 4, 6, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15]), 5));
        for (at, up) in [(1, true), (2, true), (8, true), (10, false), (13, false), (14, false), (0, true)] {
            assert_eq!(blocks.shift(at, up), None, "{at}");
        }
        assert_eq!(after(blocks.remove(7)), (lines(&[1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15]), 8));
        assert_eq!(Blocks::of("hold\n").remove(0), Some((String::new(), 0)));
    }

    #[test]
    fn a_block_goes_in_and_out_with_all_that_it_holds() {
        let text = "acquire\n   repeat\n       wait\n   if x is y\n     hold\n";
        let blocks = Blocks::of(text);
        let deeper = after(blocks.nest(3, true));
        assert_eq!(deeper.0, "acquire\n   repeat\n       wait\n       if x is y\n         hold\n");
        assert_eq!(Blocks::of(&deeper.0).nest(3, false), Some((text.into(), 3)));
        assert_eq!((blocks.nest(1, true), blocks.nest(0, false), blocks.nest(0, true)), (None, None, None));
        assert_eq!(
            Blocks::of("acquire\n  hold\nrelease\n  release\n").nest(2, true),
            None,
            "sections stay at the margin"
        );
    }

    #[test]
    fn enter_begins_a_line_where_it_belongs_and_several_lines_are_put_in_as_such() {
        let blocks = Blocks::of(TEXT);
        let below = |at: usize| {
            let (text, now) = blocks.add_below(at).expect("always");
            (now, text.lines().nth(now).map(str::len))
        };
        assert_eq!(below(1), (2, Some(2)), "in a section");
        assert_eq!(below(2), (5, Some(2)), "behind a request with its clause");
        assert_eq!(below(9), (10, Some(4)), "behind what ends a block");
        assert_eq!(below(11), (12, Some(0)));
        let put = after(blocks.write(8, "if me is nothing\n  wait"));
        assert_eq!(put.1, 10);
        assert!(put.0.contains("\n    if me is nothing\n      wait\n      give up\n"), "{}", put.0);
    }

    #[test]
    fn a_new_line_stands_where_it_belongs_as_a_rule() {
        for (line, indent) in [
            ("acquire", 2),
            ("on session lost  # at last", 2),
            ("# a comment", 0),
            ("", 0),
            ("  me = create /lock", 2),
            ("  repeat 3 times", 4),
            ("    if me is first in all", 6),
            ("    else", 6),
            ("    on connection loss", 6),
            ("      hold", 4),
            ("  return data", 0),
            ("    wait", 4),
        ] {
            assert_eq!(indent_below(line), indent, "{line}");
        }
    }
}
