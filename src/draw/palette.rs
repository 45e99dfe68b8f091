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
    /// The ground of cards.
    pub panel: String,
    /// The ground of what is gone, and of stripes.
    pub faint: String,
    /// The edge of what is gone.
    pub edge: String,
    /// Who leads, and what is held.
    pub lead: String,
    /// The ground of what is held; letters on it are `on_lead`.
    pub lead_fill: String,
    /// Letters on it.
    pub on_lead: String,
    /// What is well.
    pub good: String,
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
    /// What is paused.
    pub still: String,
    /// The colours of epochs in turn, each with that of letters on it.
    pub epochs: Vec<(String, String)>,
    /// Font families for words.
    pub sans: String,
    /// Font families for numbers.
    pub mono: String,
}

impl Palette {
    /// The palette of a style sheet, whose custom properties `token` knows by name.
    pub fn read(token: impl Fn(&str) -> String) -> Palette {
        Palette {
            paper: token("--paper"),
            panel: token("--panel"),
            faint: token("--faint"),
            edge: token("--edge"),
            lead: token("--lead"),
            lead_fill: token("--lead-fill"),
            on_lead: token("--on-lead"),
            good: token("--good"),
            ink: token("--ink"),
            soft: token("--soft"),
            line: token("--link"),
            strong: token("--link-strong"),
            bad: token("--bad"),
            focus: token("--focus"),
            still: token("--still"),
            epochs: (1..=EPOCH_COLOURS).map(|e| (token(&format!("--e{e}")), token(&format!("--on-e{e}")))).collect(),
            sans: token("--sans"),
            mono: token("--mono"),
        }
    }

    /// An epoch's colour and that of letters on it; soft on paper for what belongs to no epoch.
    pub fn epoch(&self, epoch: Option<Epoch>) -> (&str, &str) {
        let found = epoch.filter(|&epoch| epoch > 0).and_then(|e| self.epochs.get(epoch_colour(e) as usize - 1));
        found.map_or((&self.soft, &self.paper), |(fill, on)| (fill, on))
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::Palette;

    const STYLE: &str = include_str!("../../static/style.css");

    /// A token of the style sheet, from its first rule (light) or its second (dark).
    pub fn token(dark: bool, name: &str) -> String {
        let found = |skip: usize| {
            let rule = STYLE.split(":root").nth(1 + skip).and_then(|rule| rule.split('}').next()).unwrap_or("");
            let line = rule.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'));
            line.map(|value| value.trim().trim_end_matches(';').to_string())
        };
        let first = if dark { found(1) } else { None };
        first.or_else(|| found(0)).unwrap_or_default()
    }

    /// The page's palette.
    pub fn palette(dark: bool) -> Palette {
        Palette::read(|name| token(dark, name))
    }

    #[test]
    fn the_style_sheet_has_every_token() {
        for dark in [false, true] {
            let palette = palette(dark);
            let mut all = vec![&palette.paper, &palette.panel, &palette.faint, &palette.edge, &palette.lead];
            all.extend([&palette.on_lead, &palette.good, &palette.ink, &palette.soft, &palette.line]);
            all.extend([&palette.strong, &palette.bad, &palette.focus, &palette.lead_fill, &palette.still]);
            all.extend(palette.epochs.iter().flat_map(|(fill, on)| [fill, on]));
            assert!(all.iter().all(|colour| colour.starts_with('#') && colour.len() == 7), "{palette:?}");
            assert!(palette.sans.contains("sans-serif") && palette.mono.contains("monospace"));
        }
        assert_ne!(palette(false).paper, palette(true).paper);
    }
}
