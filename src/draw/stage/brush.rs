//! An surface with colours and one outline that is used again and again: a frame allocates next to nothing.

use crate::base::Epoch;
use crate::draw::surface::{Align, Ink, Lettering, Path, Sprite, Stroke, Surface};
use crate::draw::{Palette, Point};

/// How words are written, apart from their colour.
#[derive(Clone, Copy)]
pub(in crate::draw) struct Hand {
    pub size: f64,
    pub weight: u16,
    pub mono: bool,
    pub align: Align,
}

impl Hand {
    /// Ordinary words that begin at their place.
    pub(crate) fn new(size: f64) -> Hand {
        Hand { size, weight: 400, mono: false, align: Align::Left }
    }

    pub(crate) fn weight(self, weight: u16) -> Hand {
        Hand { weight, ..self }
    }

    pub(crate) fn mono(self) -> Hand {
        Hand { mono: true, ..self }
    }

    pub(crate) fn align(self, align: Align) -> Hand {
        Hand { align, ..self }
    }
}

pub(in crate::draw) struct Brush<'a> {
    surface: &'a mut dyn Surface,
    /// The colours that it has now.
    pub palette: &'a Palette,
    full: &'a Palette,
    path: Path,
}

impl<'a> Brush<'a> {
    pub(crate) fn new(surface: &'a mut dyn Surface, palette: &'a Palette) -> Brush<'a> {
        Brush { surface, palette, full: palette, path: Path::default() }
    }

    /// From now on it draws in so much ink.
    pub(crate) fn take(&mut self, ink: Ink) {
        self.palette = match ink {
            Ink::Full | Ink::Ghost => self.full,
            Ink::Dim => self.full.dim(),
            Ink::Far => self.full.far(),
        };
    }

    /// An epoch's colours in full, whatever ink it has: what a transaction is must not look paler than it is.
    pub(crate) fn state(&self, epoch: Epoch) -> (&'a str, &'a str) {
        self.full.epoch(Some(epoch))
    }

    /// An empty outline, to be filled and drawn.
    pub(crate) fn path(&mut self) -> &mut Path {
        self.path.0.clear();
        &mut self.path
    }

    /// The outline as it is, to be gone on with.
    pub(crate) fn more(&mut self) -> &mut Path {
        &mut self.path
    }

    /// Draws the outline's area.
    pub(crate) fn fill(&mut self, colour: &str, alpha: f64) {
        self.both(Some(colour), None, alpha);
    }

    /// Draws the outline's line, if there is any.
    pub(crate) fn stroke(&mut self, colour: &str, width: f64, dash: &[f64], alpha: f64) {
        self.both(None, Some(Stroke { colour, width, dash }), alpha);
    }

    /// Draws area and line.
    pub(crate) fn both(&mut self, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64) {
        if !self.path.0.is_empty() {
            self.surface.path(&self.path, fill, stroke, alpha);
        }
    }

    /// Draws a small picture that is kept where that can be done; `draw` makes it, on another brush, around the point that it is given.
    /// Whether it is drawn now.
    pub(crate) fn stamp(
        &mut self,
        name: Sprite,
        size: f64,
        at: Point,
        draw: &mut dyn FnMut(&mut Brush<'_>, Point),
    ) -> bool {
        let palette = self.palette;
        self.surface.stamp(name, size, at, &mut |surface, middle| draw(&mut Brush::new(surface, palette), middle))
    }

    /// Draws an icon of 20 by 20, `size` large, with its top left corner there.
    pub(crate) fn icon(&mut self, icon: &Path, at: Point, size: f64, colour: &str) {
        self.surface.path(&icon.moved(at, size / 20.0), Some(colour), None, 1.0);
    }

    /// Writes words whose letters have their middle at `middle`.
    pub(crate) fn words(&mut self, text: &str, at: Point, hand: Hand, colour: &str) {
        self.write(text, Point::new(at.x, at.y + hand.size * 0.355), hand, colour, None);
    }

    /// Writes words whose base line is there, with a halo that keeps lines away.
    pub(crate) fn label(&mut self, text: &str, at: Point, hand: Hand, colour: &str) {
        let halo = Some(self.palette.paper.as_str());
        self.write(text, at, hand, colour, halo);
    }

    /// Writes words whose base line is there.
    pub(crate) fn base(&mut self, text: &str, at: Point, hand: Hand, colour: &str) {
        self.write(text, at, hand, colour, None);
    }

    fn write(&mut self, text: &str, at: Point, hand: Hand, colour: &str, halo: Option<&str>) {
        if !text.is_empty() {
            let style = self.lettering(hand, colour, halo);
            self.surface.text(text, at, &style);
        }
    }

    /// How wide words are.
    pub(crate) fn width(&mut self, text: &str, hand: Hand) -> f64 {
        let style = self.lettering(hand, "", None);
        self.surface.width(text, &style)
    }

    fn lettering<'s>(&self, hand: Hand, colour: &'s str, halo: Option<&'s str>) -> Lettering<'s>
    where
        'a: 's,
    {
        let font = if hand.mono { &self.palette.mono } else { &self.palette.sans };
        Lettering { colour, size: hand.size, weight: hand.weight, font, align: hand.align, halo }
    }
}
