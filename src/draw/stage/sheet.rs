//! A whole picture: one stage or two beside each other, with a line below that says when this is and what has just
//! happened.

use crate::draw::surface::{Align, Lettering, Path, Stroke, Surface};
use crate::draw::{Palette, Point};

use crate::draw::stage::TYPE;
use crate::draw::stage::brush::{Brush, Hand};

/// Draws something of its own size from the top left corner on.
pub type Drawing<'a> = &'a dyn Fn(&mut dyn Surface);

/// A part of a picture.
#[derive(Clone, Copy)]
pub struct Pane<'a> {
    /// What stands above it: the scenario's title; may be empty.
    pub title: &'a str,
    /// What has just happened in it; may be empty.
    pub fact: &'a str,
    /// What its drawing does not say, in a few words; may be empty.
    pub note: &'a str,
    /// Its width and height, CSS pixels.
    pub size: (f64, f64),
    /// What it shows.
    pub drawing: Drawing<'a>,
}

/// A picture.
#[derive(Clone, Copy)]
pub struct Sheet<'a> {
    /// Colours and fonts.
    pub palette: &'a Palette,
    /// The moment, in words.
    pub time: &'a str,
    /// One part, or two beside each other.
    pub panes: &'a [Pane<'a>],
}

/// Who made it.
const MAKER: &str = "ZabScope";
const MARGIN: f64 = 16.0;
const TITLE: f64 = 38.0;
const LINE: f64 = 21.0;
/// Narrower parts have one line more for what has happened.
const NARROW: f64 = 560.0;

impl Sheet<'_> {
    fn titled(&self) -> bool {
        self.panes.iter().any(|pane| !pane.title.is_empty())
    }

    fn lines(&self) -> usize {
        if self.panes.iter().any(|pane| pane.size.0 < NARROW) { 3 } else { 2 }
    }

    /// How high everything around the parts is: what is above and what is below.
    pub fn frame(titled: bool, narrowest: f64) -> (f64, f64) {
        let lines = if narrowest < NARROW { 3.0 } else { 2.0 };
        (if titled { TITLE } else { 0.0 }, lines * LINE + 20.0)
    }

    /// Width and height, whole CSS pixels.
    pub fn size(&self) -> (f64, f64) {
        let narrowest = self.panes.iter().map(|pane| pane.size.0).fold(f64::MAX, f64::min);
        let (above, below) = Sheet::frame(self.titled(), narrowest);
        let width: f64 = self.panes.iter().map(|pane| pane.size.0).sum();
        (width.ceil(), (above + self.high() + below).ceil())
    }

    /// The height of the highest part.
    fn high(&self) -> f64 {
        self.panes.iter().map(|pane| pane.size.1).fold(0.0, f64::max)
    }

    /// Draws it.
    pub fn draw(&self, surface: &mut dyn Surface) {
        let (width, height) = self.size();
        let above = if self.titled() { TITLE } else { 0.0 };
        let mut brush = Brush::new(surface, self.palette);
        brush.path().rect(Point::default(), width, height, 0.0);
        brush.fill(&self.palette.paper, 1.0);
        let mut x = 0.0;
        for pane in self.panes {
            (pane.drawing)(&mut Moved { surface: &mut *surface, by: Point::new(x, above) });
            x += pane.size.0;
        }
        let mut brush = Brush::new(surface, self.palette);
        let mut x = 0.0;
        for (index, pane) in self.panes.iter().enumerate() {
            let title = Hand::new(TYPE[3]).weight(700).align(Align::Middle);
            brush.words(pane.title, Point::new(x + pane.size.0 / 2.0, TITLE / 2.0), title, &self.palette.ink);
            if index > 0 {
                brush.path().line(Point::new(x, 0.0), Point::new(x, height));
                brush.stroke(&self.palette.edge, 1.5, &[], 1.0);
            }
            self.caption(&mut brush, index, (x, above + self.high()), height);
            x += pane.size.0;
        }
    }

    /// What stands below a part: the first has the moment, the last who made it.
    fn caption(&self, brush: &mut Brush<'_>, index: usize, (left, top): (f64, f64), bottom: f64) {
        let (pane, palette) = (&self.panes[index], self.palette);
        let (mut from, mut to) = (left + MARGIN, left + pane.size.0 - MARGIN);
        brush.path().line(Point::new(left, top + 0.5), Point::new(left + pane.size.0, top + 0.5));
        brush.stroke(&palette.edge, 1.0, &[], 1.0);
        let middle = (top + bottom) / 2.0;
        if index == 0 {
            let hand = Hand::new(TYPE[3]).weight(600).mono();
            brush.words(self.time, Point::new(from, middle), hand, &palette.ink);
            from += brush.width(self.time, hand) + MARGIN;
        }
        let maker = if index + 1 == self.panes.len() { MAKER } else { "" };
        let aside: Vec<&str> = [pane.note, maker].into_iter().filter(|text| !text.is_empty()).collect();
        let mut widest: f64 = 0.0;
        for (row, text) in aside.iter().enumerate() {
            let hand = Hand::new(TYPE[0]).weight(if *text == MAKER { 600 } else { 400 });
            let y = middle + (row as f64 - (aside.len() as f64 - 1.0) / 2.0) * 18.0;
            brush.words(text, Point::new(to, y), hand.align(Align::Right), &palette.soft);
            widest = widest.max(brush.width(text, hand) + MARGIN);
        }
        to -= widest;
        let hand = Hand::new(if self.lines() > 2 { TYPE[2] } else { 16.0 });
        let lines = balanced(pane.fact, to - from, self.lines(), |text| brush.width(text, hand));
        for (row, line) in lines.iter().enumerate() {
            let y = middle + (row as f64 - (lines.len() as f64 - 1.0) / 2.0) * LINE;
            brush.words(line, Point::new(from, y), hand, &palette.ink);
        }
    }
}

/// Whether a letter needs no space before or after it to begin a new line.
fn is_free(letter: char) -> bool {
    ('\u{2e80}'..='\u{ffef}').contains(&letter)
}

/// Text in parts that must not be broken; each ends with the space behind it.
fn parts(text: &str) -> Vec<&str> {
    let (mut all, mut begun, mut last) = (Vec::new(), 0, None);
    for (at, letter) in text.char_indices() {
        let stays = "，。；：、）”》！？…".contains(letter) || last.is_some_and(|last| "（“《".contains(last));
        let free = is_free(letter) || last.is_some_and(is_free);
        let after_space = last == Some(' ') && letter != ' ';
        if at > begun && (after_space || free && !stays && letter != ' ') {
            all.push(&text[begun..at]);
            begun = at;
        }
        last = Some(letter);
    }
    all.push(&text[begun..]);
    all
}

/// Text in lines of at most a width that are about as long as each other: no last line of one letter.
fn balanced(text: &str, width: f64, most: usize, mut measure: impl FnMut(&str) -> f64) -> Vec<String> {
    let mut lines = wrapped(text, width, most, &mut measure);
    if lines.len() < 2 {
        return lines;
    }
    let whole = |lines: &[String]| !lines.iter().any(|line| line.ends_with('…'));
    for share in [0.92, 0.84, 0.76, 0.68, 0.6] {
        let narrower = wrapped(text, width * share, most, &mut measure);
        if narrower.len() > lines.len() || !whole(&narrower) {
            break;
        }
        lines = narrower;
    }
    lines
}

/// Text in lines of a width, so many at most: what has no room ends in an ellipsis.
fn wrapped(text: &str, width: f64, most: usize, mut measure: impl FnMut(&str) -> f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for part in parts(text) {
        let longer = format!("{line}{part}");
        if !line.is_empty() && measure(longer.trim_end()) > width {
            lines.push(line.trim_end().to_string());
            line = part.to_string();
        } else {
            line = longer;
        }
    }
    lines.push(line.trim_end().to_string());
    let cut = lines.len() > most;
    lines.truncate(most);
    for (index, line) in lines.iter_mut().enumerate() {
        let last = cut && index + 1 == most;
        if last {
            line.push('…');
        }
        while measure(line) > width && line.chars().count() > 1 {
            let kept = line.chars().count() - if line.ends_with('…') { 2 } else { 1 };
            *line = line.chars().take(kept).chain(['…']).collect();
            if kept == 0 {
                break;
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// An surface whose zero lies somewhere else.
struct Moved<'a> {
    surface: &'a mut dyn Surface,
    by: Point,
}

impl Surface for Moved<'_> {
    fn path(&mut self, path: &Path, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64) {
        if self.by == Point::default() {
            return self.surface.path(path, fill, stroke, alpha);
        }
        self.surface.path(&path.moved(self.by, 1.0), fill, stroke, alpha);
    }

    fn text(&mut self, text: &str, at: Point, style: &Lettering<'_>) {
        self.surface.text(text, Point::new(at.x + self.by.x, at.y + self.by.y), style);
    }

    fn width(&mut self, text: &str, style: &Lettering<'_>) -> f64 {
        self.surface.width(text, style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: f64, most: usize) -> Vec<String> {
        // every letter is one wide
        wrapped(text, width, most, |text| text.chars().count() as f64)
    }

    #[test]
    fn words_are_kept_whole_and_chinese_is_broken_anywhere() {
        assert_eq!(lines("one two three", 8.0, 3), ["one two", "three"]);
        assert_eq!(lines("领导者提交，多数已有", 5.0, 3), ["领导者提", "交，多数已", "有"]);
        assert_eq!(lines("", 5.0, 3), Vec::<String>::new());
    }

    #[test]
    fn lines_are_about_as_long_as_each_other() {
        let balanced = |text, width| balanced(text, width, 3, |text| text.chars().count() as f64);
        assert_eq!(balanced("one two three four five", 19.0), ["one two three", "four five"]);
        assert_eq!(balanced("one two", 19.0), ["one two"]);
        assert_eq!(balanced("一二三四五六七八九", 8.0).iter().map(|line| line.chars().count()).min(), Some(4));
    }

    #[test]
    fn what_has_no_room_ends_in_an_ellipsis() {
        assert_eq!(lines("one two three four", 9.0, 1), ["one two…"]);
        assert_eq!(lines("one two three four", 7.0, 1), ["one tw…"]);
        assert_eq!(lines("/a/very/long/path", 6.0, 2), ["/a/ve…"]);
        assert_eq!(lines("/a/very/long/path", 0.0, 2), ["…"]);
    }
}
