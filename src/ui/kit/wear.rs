//! What the document wears: theme, contrast, the lecture hall's sizes.

use serde::{Deserialize, Serialize};

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::ui) enum Theme {
    #[default]
    Light,
    Dark,
}

impl Theme {
    /// Its name in the style sheet.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// What the document wears. Whoever draws on a canvas draws anew when any of it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) struct Wear {
    pub theme: Theme,
    /// A hall has colours and sizes of its own.
    pub lecture: bool,
    /// Whether the system asks for more contrast.
    pub contrast: bool,
}
