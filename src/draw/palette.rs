//! The colours and fonts of a picture, by what they mean. The page reads them from its style sheet, the only place that
//! decides them.

use std::cell::OnceCell;

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
    /// What belongs to no epoch, and letters on it; none where that is soft on paper.
    pub(super) blank: Option<(String, String)>,
    pub(super) less: Less,
}

/// A palette's paler inks, mixed when they are needed first.
#[derive(Clone, Debug, Default)]
pub(super) struct Less(OnceCell<Box<[Palette; 2]>>);

impl PartialEq for Less {
    /// They follow from the rest.
    fn eq(&self, _: &Less) -> bool {
        true
    }
}

/// How much is left of the colour of what recedes, and of what is hardly worth a look.
const DIM: f64 = 0.4;
const FAR: f64 = 0.28;

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
            blank: None,
            less: Less::default(),
        }
    }

    /// The palette of the page's light or dark theme, for those who draw without a page.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn of_page(dark: bool) -> Palette {
        Palette::read(|name| token(dark, name))
    }

    /// The same colours for what a sentence is not about: mixed with the ground, but letters can be read as well as soft ones. What is wrong,
    /// well or held keeps its value, and what transactions are does, too: whoever looks elsewhere must not miss that.
    pub fn dim(&self) -> &Palette {
        &self.less.0.get_or_init(|| self.paler())[0]
    }

    /// The same for what is hardly worth a look: heartbeats, links that nobody uses.
    pub fn far(&self) -> &Palette {
        &self.less.0.get_or_init(|| self.paler())[1]
    }

    /// What dims a part of a page, as custom properties of the style sheet.
    pub fn dimming(&self) -> [(&'static str, &str); 5] {
        let dim = self.dim();
        [
            ("--ink", &dim.ink),
            ("--edge", &dim.edge),
            ("--link-strong", &dim.strong),
            ("--focus", &dim.focus),
            ("--still", &dim.still),
        ]
    }

    fn paler(&self) -> Box<[Palette; 2]> {
        Box::new([DIM, FAR].map(|share| {
            let less = |colour: &String| mixed(colour, &self.paper, share);
            Palette {
                ink: self.soft.clone(),
                edge: less(&self.edge),
                line: less(&self.line),
                strong: less(&self.strong),
                focus: less(&self.focus),
                still: less(&self.still),
                // letters on a pale ground are the page's own
                epochs: self.epochs.iter().map(|(fill, _)| (less(fill), self.ink.clone())).collect(),
                blank: Some((less(&self.soft), self.ink.clone())),
                less: Less::default(),
                ..self.clone()
            }
        }))
    }

    /// An epoch's colour and that of letters on it; soft on paper for what belongs to no epoch.
    pub fn epoch(&self, epoch: Option<Epoch>) -> (&str, &str) {
        let found = epoch.filter(|&epoch| epoch > 0).and_then(|e| self.epochs.get(epoch_colour(e) as usize - 1));
        let found = found.or(self.blank.as_ref());
        found.map_or((&self.soft, &self.paper), |(fill, on)| (fill, on))
    }
}

/// A token of the page's style sheet, from its first rule (light) or its second (dark).
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn token(dark: bool, name: &str) -> String {
    const STYLE: &str = include_str!("../../static/style.css");
    let found = |skip: usize| {
        let rule = STYLE.split(":root").nth(1 + skip).and_then(|rule| rule.split('}').next()).unwrap_or("");
        let line = rule.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'));
        line.map(|value| value.trim().trim_end_matches(';').to_string())
    };
    let first = if dark { found(1) } else { None };
    first.or_else(|| found(0)).unwrap_or_default()
}

/// A colour with so much of it left on this ground. CSS mixes what is not written as six digits, as custom properties are not.
fn mixed(colour: &str, ground: &str, share: f64) -> String {
    let parts = |text: &str| -> Option<[f64; 3]> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let all = u32::from_str_radix(digits, 16).ok()?;
        Some([16, 8, 0].map(|shift| f64::from(all >> shift & 255)))
    };
    let (Some(a), Some(b)) = (parts(colour), parts(ground)) else {
        return format!("color-mix(in srgb, {colour} {}%, {ground})", (share * 100.0).round());
    };
    let [r, g, b] = [0, 1, 2].map(|at| (b[at] + (a[at] - b[at]) * share).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
pub(super) mod testing {
    use super::Palette;

    pub(crate) use super::token;

    /// The page's palette.
    pub(crate) fn palette(dark: bool) -> Palette {
        Palette::of_page(dark)
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

    /// The contrast of two colours after WCAG 2.
    fn contrast(a: &str, b: &str) -> f64 {
        let light = |colour: &str| {
            let part = |from: usize| {
                let value = f64::from(u8::from_str_radix(&colour[from..from + 2], 16).unwrap()) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) + 0.05
        };
        let (a, b) = (light(a), light(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn what_recedes_is_paler_and_its_letters_can_be_read() {
        for dark in [false, true] {
            let palette = palette(dark);
            for less in [palette.dim(), palette.far()] {
                assert_eq!((&less.ink, &less.paper), (&palette.soft, &palette.paper));
                let no_epoch = (palette.soft.clone(), String::new());
                let all = palette.epochs.iter().chain([&no_epoch]);
                for ((fill, _), (pale, on)) in all.zip(less.epochs.iter().chain(&less.blank)) {
                    let (full, left) = (contrast(fill, &palette.paper), contrast(pale, &palette.paper));
                    assert!(left < 0.6 * full && left > 1.15, "dark {dark}: {fill} becomes {pale}: {left}");
                    assert!(contrast(pale, on) >= 4.5, "dark {dark}: {on} on {pale}: {}", contrast(pale, on));
                }
                assert!(contrast(&less.ink, &less.paper) >= 4.5 && contrast(&less.lead_fill, &less.on_lead) >= 4.5);
                let kept = |of: &Palette| [&of.bad, &of.good, &of.lead, &of.lead_fill].map(String::clone);
                assert_eq!(kept(less), kept(&palette), "what is wrong, well or held is not what anybody looks past");
                assert!(palette.dimming().iter().all(|(name, _)| !["--bad", "--good", "--lead"].contains(name)));
            }
            assert_ne!(palette.dim().strong, palette.far().strong);
        }
        assert_eq!(super::mixed("#000000", "#ffffff", 0.4), "#999999");
        assert_eq!(super::mixed("red", "#ffffff", 0.4), "color-mix(in srgb, red 40%, #ffffff)", "CSS mixes it");
    }
}
