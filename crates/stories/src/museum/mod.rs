//! The museum: real bugs of ZooKeeper and Curator, each with the run that shows it and the same run mended. A bug is a file in `cards`; to
//! add one: its file, and a line in [`BUGS`].

mod bug;

pub use bug::{Bug, Shows, Wing};

use std::cell::OnceCell;
use std::rc::Rc;

use crate::base::json::{Json, Read};
use crate::files;
use crate::sim::Rule;

/// Ids of bugs, each with the text of its file.
macro_rules! cards {
    ($($id:literal),* $(,)?) => {
        &[$(($id, files::built_in!(concat!("cards/", $id, ".json")))),*]
    };
}

/// Their ids and their texts, wing by wing, in the order in which they are shown; in the page [`bug()`] has the texts.
pub const BUGS: &[(&str, &str)] = cards![
    "ZOOKEEPER-1653",
    "ZOOKEEPER-2845",
    "ZOOKEEPER-3642",
    "ZOOKEEPER-3911",
    "ZOOKEEPER-4394",
    "ZOOKEEPER-4643",
    "ZOOKEEPER-4685",
    "ZOOKEEPER-4712",
    "ZOOKEEPER-4882",
    "ZOOKEEPER-4925",
    "ZOOKEEPER-5094",
    "ACK-OF-A-CUT-LOG",
    "ZOOKEEPER-1154",
    "ZOOKEEPER-1156",
    "ZOOKEEPER-1277",
    "ZOOKEEPER-2099",
    "ZOOKEEPER-2355",
    "ZOOKEEPER-4837",
    "ZOOKEEPER-582",
    "ZOOKEEPER-1419",
    "ZOOKEEPER-335",
    "ZOOKEEPER-3769",
    "ZOOKEEPER-481",
    "ZOOKEEPER-1675",
    "ZOOKEEPER-4508",
    "ZOOKEEPER-4921",
    "CURATOR-206",
    "CURATOR-335",
    "CURATOR-45",
    "CURATOR-460",
    "CURATOR-462",
    "CURATOR-518",
    "CURATOR-621",
    "CURATOR-644",
    "CURATOR-688",
    "CURATOR-696",
    "CURATOR-715",
    "CURATOR-724",
    "CURATOR-79",
    "GH-1290",
];

thread_local! {
    static READ: OnceCell<Rc<[Rc<Bug>]>> = const { OnceCell::new() };
}

fn read() -> Rc<[Rc<Bug>]> {
    let one = |(id, text): &(&str, &'static str)| {
        let text = files::text(text, &format!("museum/cards/{id}"))?;
        Json::parse(text).and_then(Bug::read).ok().map(Rc::new)
    };
    BUGS.iter().filter_map(one).collect()
}

/// All of them, once they are there.
pub fn bugs() -> Rc<[Rc<Bug>]> {
    READ.with(|kept| files::once(kept, read))
}

/// The bug of this id.
pub fn bug(id: &str) -> Option<Rc<Bug>> {
    bugs().iter().find(|bug| &*bug.id == id).cloned()
}

/// The first bug that breaking this rule brings back.
pub fn bug_of(rule: Rule) -> Option<Rc<Bug>> {
    bugs().iter().find(|bug| matches!(bug.shows, Shows::Rule(one) if one == rule)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Goal, reach};

    #[test]
    fn every_card_is_read_and_stands_in_its_wing() {
        let mut wings = Vec::new();
        for (id, text) in BUGS {
            let bug = Json::parse(text).and_then(Bug::read).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(&*bug.id, *id);
            for text in [&bug.title, &bug.story] {
                assert!(text.each().iter().all(|(_, text)| !text.contains(['{', '}'])), "{id}: nothing is filled in");
            }
            assert!((2007..=2026).contains(&bug.year) && !bug.source.is_empty(), "{id}");
            wings.push(bug.wing);
        }
        assert!(wings.is_sorted(), "{wings:?}");
        assert!(BUGS.len() >= 30, "{}", BUGS.len());
        assert_eq!(bugs().len(), BUGS.len());
    }

    /// Bugs that a rule brings back are played with the rule's own run (`explore::prepared`).
    #[test]
    fn what_a_card_tells_is_seen_in_its_run_and_not_in_the_mended_one() {
        for bug in bugs().iter() {
            let Shows::Runs { run, repaired, goal, until } = &bug.shows else { continue };
            let id = &bug.id;
            assert_eq!((run.check(), repaired.check()), (Ok(()), Ok(())), "{id}");
            assert_eq!(
                (run.seed, run.actions.len()),
                (repaired.seed, repaired.actions.len()),
                "{id}: the same deeds"
            );
            let seen = reach(run, goal, *until).unwrap_or_else(|| panic!("{id}: {goal} is not reached"));
            assert!(goal.heals() || seen.at <= *until, "{id}: reached at {} only", seen.at);
            assert!(reach(repaired, goal, *until).is_none(), "{id}: reached when mended too");
            assert!(!matches!(goal, Goal::Any), "{id}");
        }
    }
}
