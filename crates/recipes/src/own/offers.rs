//! What can be added below a block: an example of each form of the language, where it has a place there, about the node and with the names
//! that the program has already.

use super::blocks::{BlockKind, Blocks, Edited, kept};
use super::forms::Make;
use super::program::Program;

/// A line of each form, with what has to stand below it. `me`, `all`, `before` and `/lock` become what the program has instead.
const EXAMPLES: &[&str] = &[
    "me = create /lock/n- ephemeral sequential",
    "all = children of /lock",
    "delete me",
    "data = get me",
    "seen = exists before with watch",
    "set me to \"x\"",
    "wait until before is gone",
    "wait until before is there",
    "one = the first in all",
    "one = the last in all",
    "before = the one before me in all",
    "me = the one with session in all",
    "some = all with \"n-\"",
    "id = a guid",
    "sort all by number",
    "if me is first in all\n  hold",
    "if me is not in all\n  give up",
    "if me is nothing\n  return",
    "if all has at least 3\n  return",
    "else if me is last in all\n  wait",
    "else\n  wait",
    "repeat\n  wait",
    "repeat 3 times\n  wait",
    "stop",
    "wait",
    "wait at most 500 ms",
    "sleep 100 ms",
    "back off 100 ms",
    "return",
    "return me",
    "give up",
    "again",
    "start over",
    "hold",
    "hold shared",
    "lead",
    "release",
    "on connection loss\n  again",
    "on session lost\n  release",
    "acquire\n  me = create /lock/n- ephemeral sequential\n  hold",
    "release\n  delete me",
    "read\n  me = create /lock/read- ephemeral sequential\n  hold shared",
    "write\n  me = create /lock/write- ephemeral sequential\n  hold",
    "start\n  me = create /lock/n- ephemeral sequential\n  lead",
    "close\n  delete me",
    "set\n  create /lock",
    "wait\n  wait until /lock is gone",
    "remove\n  delete /lock",
    "put\n  create /lock/n- with item sequential",
    "take\n  all = children of /lock",
    "# ",
];

/// Something that can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it is about.
    pub kind: BlockKind,
    /// Its lines, each as far to the right of the first as it stands.
    pub lines: Vec<String>,
    /// Instead of these lines, from 0; of none where both are the same.
    place: (usize, usize),
    /// How many blanks stand before the first.
    indent: usize,
}

/// So much is wrong with a text, a fault a line at most.
fn wrong(text: &str) -> usize {
    let (program, unread) = Program::read(text);
    unread.len() + program.faults().count()
}

/// An example with the names and the node of a program.
fn of_program(example: &str, program: &Program) -> Vec<String> {
    let home = program.home();
    let home = if *home == *"/own" { "/lock" } else { &*home };
    let me = kept(program, |make| matches!(make, Make::Create { .. })).unwrap_or_else(|| home.into());
    let all = kept(program, |make| matches!(make, Make::Children { .. })).unwrap_or_else(|| "all".into());
    let before = kept(program, |make| matches!(make, Make::Before { .. })).unwrap_or_else(|| me.clone());
    let line = |line: &str| {
        let indent = line.len() - line.trim_start().len();
        let keeps = line.contains(" = ");
        let word = |(at, word): (usize, &str)| match word {
            // what is kept here has a name of its own
            "me" | "all" | "before" if keeps && at == 0 => word.to_string(),
            "me" => me.to_string(),
            "all" => all.to_string(),
            "before" if !line.contains("the one") => before.to_string(),
            _ => word.replace("/lock", home),
        };
        let words: Vec<String> = line[indent..].split(' ').enumerate().map(word).collect();
        format!("{:indent$}{}", "", words.join(" "))
    };
    example.lines().map(line).collect()
}

impl Blocks {
    /// Where something may be added below a block, the nearest place first, each with the blanks before it.
    fn places(&self, at: usize) -> Vec<((usize, usize), usize)> {
        let (block, next) = (&self.all[at], self.next(at));
        let mut places = Vec::new();
        if block.is_blank() {
            places.push(((at, at + 1), block.indent));
        }
        if !matches!(block.kind, BlockKind::Note | BlockKind::Unread) {
            places.push(((at + 1, at + 1), self.inside(at)));
        }
        places.push(((next.0, next.0), next.1));
        // beside it, and beside all that it stands in
        let above = self.all[..=at].iter().rposition(|block| block.kind != BlockKind::Note);
        for at in std::iter::successors(above, |at| self.parent(*at)) {
            places.push(((self.end(at), self.end(at)), self.all[at].indent));
        }
        places
    }

    /// With something that is offered.
    pub fn add(&self, offer: &Offer) -> Edited {
        let (from, to) = offer.place;
        let margin = from > 0 && offer.indent == 0 && offer.kind != BlockKind::Note && !self.all[from - 1].is_blank();
        let blank = margin.then(String::new);
        let first = from + usize::from(margin);
        let lines = offer.lines.iter().map(|line| format!("{:indent$}{line}", "", indent = offer.indent));
        Some((self.replaced(from, to, blank.into_iter().chain(lines).collect()), first))
    }

    /// What can be added below a block.
    pub fn offers(&self, at: usize) -> Vec<Offer> {
        let text = self.replaced(0, 0, Vec::new());
        let ((program, _), before, places) = (Program::read(&text), wrong(&text), self.places(at));
        let offer = |example: &&str| {
            let lines = of_program(example, &program);
            places.iter().find_map(|(place, indent)| {
                let kind = BlockKind::of(*indent, &lines[0]);
                let offer = Offer { kind, lines: lines.clone(), place: *place, indent: *indent };
                let fits = self.add(&offer).is_some_and(|(text, _)| wrong(&text) <= before);
                (fits && kind != BlockKind::Unread).then_some(offer)
            })
        };
        EXAMPLES.iter().filter_map(offer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::READY;
    use super::*;

    fn offered(text: &str, at: usize) -> Vec<String> {
        Blocks::of(text).offers(at).iter().map(|offer| offer.lines[0].clone()).collect()
    }

    #[test]
    fn what_is_offered_has_a_place_and_what_has_none_is_not() {
        for ready in READY {
            let blocks = Blocks::of(ready.text);
            for at in 0..blocks.all.len() {
                let offers = blocks.offers(at);
                assert!(offers.len() > 3, "{} below line {}", ready.name, at + 1);
                for offer in offers {
                    let (text, now) = blocks.add(&offer).expect("always");
                    assert!(Program::parse(&text).is_ok(), "{}: {offer:?} below line {}", ready.name, at + 1);
                    let added = &Blocks::of(&text).all[now];
                    assert_eq!((&*added.text, added.kind), (&*offer.lines[0], offer.kind), "{}", ready.name);
                }
            }
        }
    }

    #[test]
    fn every_example_is_offered_somewhere() {
        let starts = [
            "",
            "acquire\n  x = create /lock/n-\n  all = children of /lock\n  repeat\n    if x is first in all\n      hold\n",
        ];
        let clause = "acquire\n  delete /lock\n    on connection loss\n      wait\nstart\n  wait\n";
        let texts = READY.iter().map(|ready| ready.text).chain(starts).chain([clause]);
        let kinds = |text: &str| {
            let blocks = Blocks::of(text);
            let all: Vec<Offer> = (0..blocks.all.len()).flat_map(|at| blocks.offers(at)).collect();
            all
        };
        let all: Vec<Offer> = texts.flat_map(kinds).collect();
        for example in EXAMPLES {
            let words =
                |line: &str| line.split(' ').map(|word| word.split('/').next().map(String::from)).collect::<Vec<_>>();
            let first = example.lines().next().expect("a line");
            let like = |offer: &Offer| {
                words(&offer.lines[0]).len() == words(first).len() && offer.lines.len() == example.lines().count()
            };
            assert!(all.iter().any(like), "{example}");
        }
    }

    #[test]
    fn examples_use_the_names_and_the_node_of_the_program() {
        let text = "acquire\n  ours = create /x/n- ephemeral sequential\n  list = children of /x\n  hold\n";
        let offered = offered(text, 2);
        for line in [
            "delete ours",
            "one = the first in list",
            "if ours is first in list",
            "before = the one before ours in list",
        ] {
            assert!(offered.iter().any(|offer| offer == line), "{line} in {offered:?}");
        }
        let has = |text: &str, at: usize, line: &str| self::offered(text, at).iter().any(|offer| offer == line);
        assert!(has("", 0, "acquire") && !has("", 0, "hold") && !has("acquire\n", 0, "acquire"));
        assert!(has("acquire\n  repeat\n    wait\n", 2, "stop") && !has("acquire\n  wait\n", 1, "stop"));
        assert!(has("acquire\n  delete /x\n", 1, "on connection loss"));
        // what is wrong elsewhere keeps nothing from its place
        assert!(has("acquire\n  wiat\n  wait\n", 2, "hold") && !has("release\n  wiat\n  wait\n", 2, "hold"));
    }

    #[test]
    fn an_else_goes_behind_its_if_and_a_section_behind_all_others() {
        let text = "acquire\n  if session is client\n    wait\n  hold\n";
        let blocks = Blocks::of(text);
        let add = |first: &str| {
            let offer = blocks.offers(2).into_iter().find(|offer| offer.lines[0] == first).expect("it is offered");
            blocks.add(&offer).expect("always")
        };
        assert_eq!(add("else"), ("acquire\n  if session is client\n    wait\n  else\n    wait\n  hold\n".into(), 3));
        assert_eq!(add("release"), ("acquire\n  if session is client\n    wait\n    release\n  hold\n".into(), 3));
        let section =
            blocks.offers(2).into_iter().find(|offer| offer.kind == BlockKind::Clause).expect("it is offered");
        assert_eq!(blocks.add(&section), Some((format!("{text}\non connection loss\n  again\n"), 5)));
    }
}
