//! A scenario as a scene: where it opens, its chapters, what there is to try, and which one comes next. A chapter begins where a fact
//! first happens, so that it moves with the parameters of the run.

mod ensemble;
mod recipes;
mod rival_locks;
mod rival_protocols;
mod store;
mod uses;

use crate::scenarios::pattern::Pattern;
use crate::scenarios::{SCENARIOS, Scenario};

/// How a run is told.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Where it opens, ms, with the parameters that the scenario has by itself. What is before is start-up.
    pub opens_ms: u64,
    /// Its chapters, 3 to 7, in their order.
    pub chapters: &'static [Chapter],
    /// The chapter with the idea that the scenario is for: an index.
    pub idea: usize,
    /// Why the idea is so, in English, where no fact of its chapter says it; empty otherwise.
    pub because: &'static str,
    /// One deed to do by hand, in English.
    pub try_this: &'static str,
}

/// A part of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// What it is called in English: a short noun.
    pub name: &'static str,
    /// What it teaches, in English: true as long as it lasts, whatever seed and parameters the run has.
    pub says: &'static str,
    /// It begins with the first such fact after the beginning of the chapter before; the first one, where the scene opens.
    pub begins: Option<Pattern<'static>>,
}

/// Scenes by the names of their scenarios: where each opens (ms), the number of the chapter with the idea, why that is so, what there is to
/// try, its chapters with what they teach.
macro_rules! scenes {
    (
        $(#[$doc:meta])* $LIST:ident:
        $($id:literal opens $opens_ms:literal, idea $idea:literal $(because $because:literal)?, try $try_this:literal,
            $first:literal says $first_says:literal, $($name:literal at $begins:literal says $says:literal),+;)*
    ) => {
        $(#[$doc])*
        pub(super) const $LIST: &[(&str, Scene)] = &[$(($id, Scene {
            opens_ms: $opens_ms,
            idea: $idea - 1,
            because: concat!($($because)?),
            try_this: $try_this,
            chapters: &[
                Chapter { name: $first, says: $first_says, begins: None },
                $(Chapter {
                    name: $name,
                    says: $says,
                    begins: Some($crate::scenarios::pattern::Pattern($begins)),
                }),+
            ],
        })),*];
    };
}
use scenes;

const PARTS: [&[(&str, Scene)]; 6] = [
    ensemble::ENSEMBLE,
    store::STORE,
    recipes::RECIPES,
    uses::USES,
    rival_locks::RIVAL_LOCKS,
    rival_protocols::RIVAL_PROTOCOLS,
];

impl Scenario {
    /// How it is told.
    pub fn scene(&self) -> Option<&'static Scene> {
        PARTS.into_iter().flatten().find(|(id, _)| *id == self.id).map(|(_, scene)| scene)
    }

    /// The next one of the course; none after the last.
    pub fn next(&self) -> Option<&'static Scenario> {
        let place = SCENARIOS.iter().position(|scenario| scenario.id == self.id)?;
        SCENARIOS.get(place + 1)
    }

    /// The one before it in the course; none before the first.
    pub fn previous(&self) -> Option<&'static Scenario> {
        let place = SCENARIOS.iter().position(|scenario| scenario.id == self.id)?;
        SCENARIOS.get(place.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_a_scene_of_a_few_chapters_with_names_of_their_own() {
        for scenario in SCENARIOS {
            let scene = scenario.scene().unwrap_or_else(|| panic!("{} has no scene", scenario.id));
            assert!((3..=7).contains(&scene.chapters.len()), "{}", scenario.id);
            assert!(scene.idea < scene.chapters.len() && scene.opens_ms < scenario.until_ms, "{}", scenario.id);
            assert!(scene.chapters[0].begins.is_none() && scene.chapters[1..].iter().all(|one| one.begins.is_some()));
            let mut names: Vec<&str> = scene.chapters.iter().map(|chapter| chapter.name).collect();
            assert!(names.iter().all(|name| (4..=32).contains(&name.len())), "{}: {names:?}", scenario.id);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), scene.chapters.len(), "{}: a name twice", scenario.id);
        }
        let scenes: usize = PARTS.iter().map(|part| part.len()).sum();
        assert_eq!(scenes, SCENARIOS.len(), "a scene without a scenario");
    }

    #[test]
    fn the_course_goes_through_all_of_them() {
        let mut course = vec![SCENARIOS[0].id];
        let mut now = &SCENARIOS[0];
        while let Some(next) = now.next() {
            assert_eq!(next.previous().map(|one| one.id), Some(now.id));
            course.push(next.id);
            now = next;
        }
        assert_eq!(course.len(), SCENARIOS.len());
    }
}
