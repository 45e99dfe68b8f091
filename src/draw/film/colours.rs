//! The colours of a film: those of the theme and what lies between them where one meets the other. The same for all frames,
//! so that what does not change is not written again.

use crate::draw::Palette;

type Rgb = [u8; 3];

/// How far apart two colours are that the table tells apart: the upper six bits of each part.
const CELLS: usize = 1 << 18;

fn cell([r, g, b]: Rgb) -> usize {
    usize::from(r >> 2) << 12 | usize::from(g >> 2) << 6 | usize::from(b >> 2)
}

/// A colour of a style sheet: `#rgb` or `#rrggbb`.
fn parsed(colour: &str) -> Option<Rgb> {
    let digits = colour.trim().strip_prefix('#').filter(|digits| digits.is_ascii())?;
    let part = |from: usize, to: usize| u8::from_str_radix(digits.get(from..to)?, 16).ok();
    match digits.len() {
        3 => Some([part(0, 1)? * 17, part(1, 2)? * 17, part(2, 3)? * 17]),
        6 => Some([part(0, 2)?, part(2, 4)?, part(4, 6)?]),
        _ => None,
    }
}

/// Up to 256 colours and the way from any colour to the nearest of them.
#[derive(Clone, Debug)]
pub struct Colours {
    /// The first is never seen: it stands for what has not changed.
    all: Vec<Rgb>,
    /// For each cell the number of its colour; 0 where nobody has asked yet.
    nearest: Vec<u8>,
}

/// Where between two colours the blends lie, in sixteenths, those first that matter most.
const BLENDS: [u32; 7] = [8, 4, 12, 2, 14, 6, 10];

impl Colours {
    /// The colours of a palette.
    pub fn of(palette: &Palette) -> Colours {
        let p = palette;
        let mut colours = Colours { all: vec![[0; 3]], nearest: vec![0; CELLS] };
        let plain = [
            &p.paper, &p.panel, &p.ink, &p.soft, &p.lead, &p.bad, &p.focus, &p.good, &p.strong, &p.line, &p.edge,
            &p.faint, &p.on_lead,
        ];
        for colour in plain.into_iter().chain(p.epochs.iter().flat_map(|(fill, on)| [fill, on])) {
            colours.extend(parsed(colour));
        }
        let mut meets: Vec<[&String; 2]> = vec![
            [&p.ink, &p.paper],
            [&p.ink, &p.panel],
            [&p.soft, &p.panel],
            [&p.soft, &p.paper],
            [&p.lead, &p.paper],
            [&p.lead, &p.panel],
            [&p.strong, &p.paper],
            [&p.strong, &p.panel],
            [&p.bad, &p.paper],
            [&p.bad, &p.panel],
            [&p.focus, &p.paper],
            [&p.focus, &p.panel],
            [&p.soft, &p.faint],
            [&p.good, &p.panel],
            [&p.on_lead, &p.lead],
            [&p.line, &p.paper],
            [&p.edge, &p.paper],
            [&p.edge, &p.faint],
            [&p.bad, &p.faint],
            [&p.faint, &p.panel],
        ];
        for (fill, on) in &p.epochs {
            meets.extend([[fill, &p.panel], [on, fill], [fill, &p.paper]]);
        }
        for share in BLENDS {
            for [one, other] in &meets {
                if let (Some(one), Some(other)) = (parsed(one), parsed(other)) {
                    let part = |a: u8, b: u8| ((u32::from(a) * share + u32::from(b) * (16 - share)) / 16) as u8;
                    colours.extend([[part(one[0], other[0]), part(one[1], other[1]), part(one[2], other[2])]]);
                }
            }
        }
        colours
    }

    fn extend(&mut self, more: impl IntoIterator<Item = Rgb>) {
        for colour in more {
            if self.all.len() < 256 && self.nearest[cell(colour)] == 0 {
                self.nearest[cell(colour)] = self.all.len() as u8;
                self.all.push(colour);
            }
        }
    }

    /// The table as a GIF has it.
    pub(super) fn table(&self) -> Vec<u8> {
        self.all.concat()
    }

    /// Writes the numbers of the colours nearest to those of `pixels` (red, green, blue and alpha in turn).
    pub(super) fn number(&mut self, pixels: &[u8], numbers: &mut Vec<u8>) {
        numbers.clear();
        let (mut last, mut number) = ([0; 4], 0);
        for pixel in pixels.chunks_exact(4) {
            // most pixels are like the one before
            if number == 0 || pixel != last {
                last.copy_from_slice(pixel);
                number = self.number_of([pixel[0], pixel[1], pixel[2]]);
            }
            numbers.push(number);
        }
    }

    fn number_of(&mut self, colour: Rgb) -> u8 {
        let cell = cell(colour);
        if self.nearest[cell] == 0 {
            self.nearest[cell] = self.search(colour);
        }
        self.nearest[cell]
    }

    fn search(&self, [r, g, b]: Rgb) -> u8 {
        let apart = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        let distance = |other: &Rgb| 2 * apart(r, other[0]) + 4 * apart(g, other[1]) + 3 * apart(b, other[2]);
        let seen = self.all.iter().enumerate().skip(1);
        seen.min_by_key(|(_, colour)| distance(colour)).map_or(0, |(index, _)| index as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::palette::testing::palette;

    #[test]
    fn colours_are_read_as_style_sheets_write_them() {
        assert_eq!(parsed("#0a0"), Some([0, 170, 0]));
        assert_eq!(parsed(" #f7f6f2 "), Some([247, 246, 242]));
        for wrong in ["", "#", "#12", "red", "#ggg", "#é12", "rgb(1 2 3)"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_colours_of_both_themes_are_kept_and_blends_are_near() {
        for dark in [false, true] {
            let palette = palette(dark);
            let mut colours = Colours::of(&palette);
            assert!((200..=256).contains(&colours.all.len()), "{}", colours.all.len());
            for token in [&palette.paper, &palette.panel, &palette.ink, &palette.lead, &palette.epochs[2].0] {
                let colour = parsed(token).unwrap();
                let found = colours.number_of(colour);
                assert_eq!(colours.all[usize::from(found)], colour, "{token}");
            }
            let (ink, paper) = (parsed(&palette.ink).unwrap(), parsed(&palette.paper).unwrap());
            for share in 0..=10 {
                let blend = |i: usize| ((u32::from(ink[i]) * share + u32::from(paper[i]) * (10 - share)) / 10) as u8;
                let colour = [blend(0), blend(1), blend(2)];
                let found = usize::from(colours.number_of(colour));
                let found = colours.all[found];
                assert!((0..3).all(|i| colour[i].abs_diff(found[i]) <= 16), "{colour:?} became {found:?}");
            }
        }
    }

    #[test]
    fn a_palette_without_colours_does_no_harm() {
        let mut numbers = Vec::new();
        Colours::of(&Palette::default()).number(&[1, 2, 3, 255], &mut numbers);
        assert_eq!(numbers, [0]);
    }
}
