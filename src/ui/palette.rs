//! The colours of the canvas, read from the style sheet when the theme changes: one place decides them.

use crate::base::Epoch;

use super::browser::{document, window};

/// Colours as CSS writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Palette {
    pub paper: String,
    pub ink: String,
    pub soft: String,
    pub line: String,
    pub strong: String,
    pub bad: String,
    pub focus: String,
    pub epochs: Vec<(String, String)>,
    pub sans: String,
    pub mono: String,
}

/// How many colours epochs take in turn.
pub(super) const EPOCH_COLOURS: u32 = 5;

/// The number of an epoch's colour, from 1; 0 for no epoch.
pub(super) fn epoch_colour(epoch: Epoch) -> u32 {
    if epoch == 0 { 0 } else { (epoch - 1) % EPOCH_COLOURS + 1 }
}

impl Palette {
    /// The colours of the theme that the document has now.
    pub fn read() -> Palette {
        let style = document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
        let value = |name: &str| {
            let value = style.as_ref().and_then(|style| style.get_property_value(name).ok());
            value.unwrap_or_default().trim().to_string()
        };
        Palette {
            paper: value("--paper"),
            ink: value("--ink"),
            soft: value("--soft"),
            line: value("--link"),
            strong: value("--link-strong"),
            bad: value("--bad"),
            focus: value("--focus"),
            epochs: (1..=EPOCH_COLOURS).map(|e| (value(&format!("--e{e}")), value(&format!("--on-e{e}")))).collect(),
            sans: value("--sans"),
            mono: value("--mono"),
        }
    }

    /// An epoch's colour and that of letters on it; ink on paper for what belongs to no epoch.
    pub fn epoch(&self, epoch: Option<Epoch>) -> (&str, &str) {
        let found = epoch.filter(|&epoch| epoch > 0).and_then(|e| self.epochs.get(epoch_colour(e) as usize - 1));
        found.map_or((&self.soft, &self.paper), |(fill, on)| (fill, on))
    }
}
