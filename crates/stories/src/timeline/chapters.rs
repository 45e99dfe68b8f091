//! Where the scene of a run opens, and where its chapters begin: played ahead in a world of its own, a little at a time, because nothing
//! but the facts can tell. Watching is not changed by it.

use std::mem::discriminant;
use std::rc::Rc;

use crate::base::SimTime;
use crate::scenarios::pattern::Pattern;
use crate::scenarios::{Chapter, Scenario};
use crate::sim::{Run, World};
use crate::timeline::idle::{Idle, Idles};

/// A chapter that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterMark {
    /// Which one of the scene: an index.
    pub index: usize,
    /// When it begins.
    pub at: SimTime,
}

/// Where a run of a scenario opens. Where parameters have moved its actions, the opening moves with the action that comes after it, or
/// with the last one.
pub fn opening(scenario: &Scenario, run: &Run) -> SimTime {
    let Some(scene) = scenario.scene() else { return SimTime::ZERO };
    let opens = SimTime::from_ms(scene.opens_ms);
    let own = scenario.run().actions;
    let place = own.iter().position(|timed| timed.at_us > opens).unwrap_or(own.len().saturating_sub(1));
    let Some(anchor) = own.get(place).filter(|_| own != run.actions) else { return opens };
    // counted from the end: more clients come first
    let alike = |action| discriminant(action) == discriminant(&anchor.action);
    let behind = own[place + 1..].iter().filter(|timed| alike(&timed.action)).count();
    let moved = run.actions.iter().rev().filter(|timed| alike(&timed.action)).nth(behind);
    moved.map_or(opens, |timed| SimTime((timed.at_us.0 + opens.0).saturating_sub(anchor.at_us.0)))
}

/// So far apart at most, µs, are facts that follow each other.
const BURST_US: u64 = 150_000;

/// A search for the chapters and the idle stretches of a run.
#[derive(Clone, Debug)]
struct Search {
    world: World,
    next: usize,
    found: Vec<ChapterMark>,
    /// The last chapter that was found begins with the last one of several facts, and there may be more of them.
    open: bool,
    idles: Idles,
}

/// The chapters of a scene in a run.
#[derive(Clone, Debug)]
pub(super) struct Chapters {
    chapters: &'static [Chapter],
    opens: SimTime,
    until: SimTime,
    /// What was found in the run that was looked through last.
    found: Vec<ChapterMark>,
    /// Its idle stretches, once it has been looked through to its end.
    idles: Vec<Idle>,
    /// That run.
    of: Option<Rc<Run>>,
    search: Option<Search>,
}

impl Chapters {
    /// Nothing has been looked for yet. Whatever begins at `until` or later is none.
    pub(super) fn new(scenario: &Scenario, run: &Run, until: SimTime) -> Chapters {
        let chapters = scenario.scene().map_or(&[][..], |scene| scene.chapters);
        let opens = opening(scenario, run);
        Chapters { chapters, opens, until, found: Vec::new(), idles: Vec::new(), of: None, search: None }
    }

    /// Where the scene opens.
    pub(super) fn opens(&self) -> SimTime {
        self.opens
    }

    /// What is known.
    pub(super) fn found(&self) -> &[ChapterMark] {
        &self.found
    }

    /// The idle stretches up to the end of the scene; none before they are known.
    pub(super) fn idles(&self) -> &[Idle] {
        &self.idles
    }

    /// Looks so many steps further in this run; whether there is more to look for. In another run than before everything is looked for
    /// again, and what was found in that one counts until all is known.
    pub(super) fn look(&mut self, run: &Rc<Run>, steps: u64) -> bool {
        if self.of.as_ref().is_none_or(|of| !Rc::ptr_eq(of, run)) {
            let found = vec![ChapterMark { index: 0, at: self.opens }];
            let (world, idles) = (World::new(run.clone()), Idles::default());
            self.search = Some(Search { world, next: 1, found, open: false, idles });
            self.of = Some(run.clone());
        }
        let Some(search) = &mut self.search else { return false };
        let more = search.go_on(self.chapters, self.until, steps);
        if !more || (search.next == self.chapters.len() && !search.open) {
            self.found.clone_from(&search.found);
        }
        if !more {
            self.idles = search.idles.until(self.until).collect();
            self.search = None;
        }
        more
    }
}

impl Search {
    /// Takes so many steps; whether there is more to look for.
    fn go_on(&mut self, chapters: &[Chapter], until: SimTime, steps: u64) -> bool {
        for _ in 0..steps {
            if self.world.next_at().is_none_or(|at| at >= until) || self.world.step().is_none() {
                return false;
            }
            self.world.last_facts().iter().for_each(|record| self.idles.read(record));
            self.read(chapters);
        }
        true
    }

    /// What the last step says of chapters.
    fn read(&mut self, chapters: &[Chapter]) {
        let begins = |index: usize| chapters.get(index).and_then(|chapter| chapter.begins);
        let happens = |pattern: Pattern<'_>| self.world.last_facts().iter().any(|record| pattern.fits(record));
        let at = self.world.now;
        let later = self.found.last().is_none_or(|last| at > last.at);
        if let Some(pattern) = begins(self.next).filter(|pattern| later && happens(*pattern)) {
            self.found.push(ChapterMark { index: self.next, at });
            (self.next, self.open) = (self.next + 1, pattern.is_last());
        } else if let Some(last) = self.found.last_mut().filter(|_| self.open) {
            self.open = at.since(last.at) <= BURST_US;
            if self.open && begins(last.index).is_some_and(happens) {
                last.at = at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::scenarios::{SCENARIOS, scenario};
    use crate::sim::{Action, Interest, interest};
    use crate::timeline::{Pair, Session};

    /// A scenario as the page opens it, with all its chapters known.
    fn opened(id: &str, given: &[(&str, &str)]) -> Pair {
        let given = given.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let mut pair = Pair::alone(Session::new(scenario("cold-start-3").unwrap().run(), None).unwrap());
        pair.choose(scenario(id).unwrap(), None, given, None).unwrap();
        pair.open_scene().unwrap();
        while pair.look_for_chapters(10_000) {}
        pair
    }

    #[test]
    fn every_scene_opens_before_its_chapters_and_has_them_all_in_time() {
        for scenario in SCENARIOS {
            let pair = opened(scenario.id, &[]);
            let (session, scene) = (pair.left(), scenario.scene().unwrap());
            let marks = session.chapters();
            assert_eq!(marks.len(), scene.chapters.len(), "{}: {marks:?}", scenario.id);
            assert_eq!((marks[0].at, session.cursor_us() as u64), (session.opens(), scene.opens_ms * 1_000));
            assert!(marks.windows(2).all(|two| two[0].at < two[1].at), "{}", scenario.id);
            assert!(marks.iter().all(|mark| mark.at < SimTime::from_ms(scenario.until_ms)), "{}", scenario.id);
        }
    }

    /// What a viewer sees in the first seconds of real time at the default speed: how long until a moment, ms; and the facts of 10 s.
    fn watch(pair: &mut Pair, until: SimTime) -> (u64, BTreeSet<String>) {
        const FRAME_MS: u64 = 16;
        let (mut ms, mut came, mut seen) = (0, None, BTreeSet::new());
        while came.is_none() || ms < 10_000 {
            let from = pair.left().next_seq();
            pair.change(crate::timeline::Side::Left, |left| left.advance(FRAME_MS as f64));
            ms += FRAME_MS;
            came = came.or((pair.left().cursor_us() as u64 >= until.0).then_some(ms));
            let told = pair.left().facts().from(from).filter(|record| interest(record) >= Interest::Detail);
            if ms < 10_000 {
                seen.extend(told.filter_map(|record| serde_json::to_string(&record.fact).ok()));
            }
            assert!(ms < 60_000 && (pair.left().playing || came.is_some()), "it never comes");
        }
        (came.unwrap_or(ms), seen)
    }

    #[test]
    fn the_idea_comes_soon_and_no_two_scenes_begin_alike() {
        let (mut waits, mut openings) = (Vec::new(), Vec::new());
        for scenario in SCENARIOS {
            let mut pair = opened(scenario.id, &[]);
            let idea = pair.left().chapters()[scenario.scene().unwrap().idea].at;
            let (wait, seen) = watch(&mut pair, idea);
            waits.push((wait, scenario.id));
            openings.push((scenario.id, seen));
        }
        waits.sort_unstable();
        assert!(waits[waits.len() / 2].0 <= 8_000 && waits.last().is_some_and(|last| last.0 <= 15_000), "{waits:?}");
        for (at, (one, seen)) in openings.iter().enumerate() {
            for (other, also) in &openings[at + 1..] {
                let (both, all) = (seen.intersection(also).count(), seen.union(also).count());
                assert!(both * 2 < all, "{one} and {other} share {both} facts of {all}");
            }
        }
    }

    #[test]
    fn chapters_move_with_parameters() {
        for (id, given) in [
            ("lock-herd", ("clients", "50")),
            ("elect-latch", ("clients", "20")),
            ("use-master-worker", ("clients", "8")),
        ] {
            let (usual, other) = (opened(id, &[]), opened(id, &[given]));
            let marks = |pair: &Pair| pair.left().chapters().to_vec();
            assert_eq!(marks(&other).len(), marks(&usual).len(), "{id}: {:?}", marks(&other));
            let idea = scenario(id).unwrap().scene().unwrap().idea;
            assert!(marks(&other)[idea].at > marks(&usual)[idea].at, "{id}");
            assert!(other.left().opens() >= usual.left().opens(), "{id}");
        }
    }

    /// The lock of a paused client is free a session timeout later, and servers give at least two ticks.
    #[test]
    fn a_shorter_session_frees_the_lock_earlier() {
        let idea = |pair: &Pair| pair.left().chapters()[scenario("lock-pause").unwrap().scene().unwrap().idea].at;
        assert!(idea(&opened("lock-pause", &[("timeout_ms", "2000")])) < idea(&opened("lock-pause", &[])));
    }

    #[test]
    fn what_a_hand_does_moves_the_chapters_too() {
        let mut pair = opened("rejoin-trunc", &[]);
        assert_eq!(pair.left().chapters().len(), 4);
        pair.act(Action::HealAll).unwrap();
        while pair.look_for_chapters(10_000) {}
        // the links are cut after that all the same, so nothing has changed for the story
        assert_eq!(pair.left().chapters().len(), 4);
        pair.change(crate::timeline::Side::Left, |left| left.seek(SimTime::from_ms(1_520))).unwrap();
        pair.act(Action::HealAll).unwrap();
        while pair.look_for_chapters(10_000) {}
        // what everybody hears is not cut
        assert_eq!(pair.left().chapters().len(), 2);
    }
}
