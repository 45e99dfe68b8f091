//! The colours and fonts of a picture, by what they mean. The page reads them from its style sheet, the only place that
//! decides them.

use crate::base::Epoch;

/// How many colours epochs take in turn.
pub const EPOCH_COLOURS: u32 = 5;

/// The number of an epoch's colour, from 1; 0 for no epoch.
pub fn epoch_colour(epoch: Epoch) -> u32 {
    if epoch == 0 { 0 } else { (epoch - 1) % EPOCH_COLOURS + 1 }
}

/// Colours and fonts as CSS writes them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    /// The ground.
    pub paper: String,
    /// Letters.
    pub ink: String,
    /// Letters that matter less, and what belongs to no epoch.
    pub soft: String,
    /// Thin lines.
    pub line: String,
    /// Lines that carry something.
    pub strong: String,
    /// What is cut, lost or broken.
    pub bad: String,
    /// What is chosen.
    pub focus: String,
    /// The colours of epochs in turn, each with that of letters on it.
    pub epochs: Vec<(String, String)>,
    /// Font families for words.
    pub sans: String,
    /// Font families for numbers.
    pub mono: String,
}

impl Palette {
    /// An epoch's colour and that of letters on it; soft on paper for what belongs to no epoch.
    pub fn epoch(&self, epoch: Option<Epoch>) -> (&str, &str) {
        let found = epoch.filter(|&epoch| epoch > 0).and_then(|e| self.epochs.get(epoch_colour(e) as usize - 1));
        found.map_or((&self.soft, &self.paper), |(fill, on)| (fill, on))
    }
}
