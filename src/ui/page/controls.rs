//! How much of the page there is around the stage.

/// How much there is around the stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Controls {
    /// The whole page.
    #[default]
    Full,
    /// Narration and a thin transport.
    Minimal,
    /// Narration.
    None,
}

impl Controls {
    /// All of them.
    pub const ALL: [Controls; 3] = [Controls::Full, Controls::Minimal, Controls::None];
    /// Their names, in the same order.
    pub const NAMES: [&str; 3] = ["full", "minimal", "none"];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Controls> {
        Controls::NAMES.iter().position(|known| *known == name).map(|at| Controls::ALL[at])
    }
}
