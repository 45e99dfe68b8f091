//! English: scenes. Their own words are English.

use crate::i18n::words::{Entry, SceneWord};
use crate::scenarios::{Scene, scenario};

fn scene(id: &str) -> Option<&'static Scene> {
    scenario(id)?.scene()
}

/// A chapter of a scenario's scene, if it is known.
pub(super) fn chapter(id: &str, index: usize) -> Option<Entry> {
    scene(id)?.chapters.get(index).map(|chapter| (chapter.name, chapter.says))
}

/// What there is to try in it.
pub(super) fn try_this(id: &str) -> Option<&'static str> {
    scene(id).map(|scene| scene.try_this)
}

/// Why its idea is so.
pub(super) fn because(id: &str) -> Option<&'static str> {
    scene(id).map(|scene| scene.because)
}

/// What is said around scenes.
pub(super) fn word(word: SceneWord) -> &'static str {
    match word {
        SceneWord::StartUp => "start-up",
        SceneWord::Chapters => "Chapters",
        SceneWord::Chapter => "Chapter {} of {}: {}",
        SceneWord::End => "End of this scene",
        SceneWord::Quiet => "Nothing more happens",
        SceneWord::QuietAbout => "Only heartbeats are left, and nothing is waited for. Do something, or play on.",
        SceneWord::Full => "This run is full",
        SceneWord::FullAbout => "It has {} events, the most that are kept. Go back in it, or start a new run.",
        SceneWord::Saw => "What you saw",
        SceneWord::TryThis => "Try this",
        SceneWord::Next => "Next: {}",
        SceneWord::PlayOn => "Play on",
        SceneWord::Again => "See it again",
    }
}
