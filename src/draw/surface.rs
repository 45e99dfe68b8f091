//! What can be drawn, without saying on what: lines, areas, words. The page has a surface for its canvases, [`Svg`] writes a
//! file; who draws with [`Surface`] draws the same on both.

use std::fmt::Write;

use crate::base::Arrange;
use crate::draw::Point;

/// One stretch of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// A new beginning.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A Bézier curve with two handles.
    Curve(Point, Point, Point),
    /// Back to the last beginning.
    Close,
}

/// An outline; may have several parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Stretch>);

/// How far a curve's handles lie so that it looks like a quarter of a circle.
const ROUND: f64 = 0.5523;

impl Path {
    /// Adds a line between two points.
    pub fn line(&mut self, from: Point, to: Point) -> &mut Path {
        self.0.extend([Stretch::Move(from), Stretch::Line(to)]);
        self
    }

    /// Adds a closed polygon.
    pub fn polygon(&mut self, corners: impl IntoIterator<Item = Point>) -> &mut Path {
        let before = self.0.len();
        for (index, corner) in corners.into_iter().enumerate() {
            self.0.push(if index == 0 { Stretch::Move(corner) } else { Stretch::Line(corner) });
        }
        if self.0.len() > before {
            self.0.push(Stretch::Close);
        }
        self
    }

    /// Adds a rectangle, given its top left corner and size, with corners rounded by `r`.
    pub fn rect(&mut self, at: Point, width: f64, height: f64, r: f64) -> &mut Path {
        let (left, top, right, bottom) = (at.x, at.y, at.x + width, at.y + height);
        let p = Point::new;
        if r <= 0.0 {
            return self.polygon([p(left, top), p(right, top), p(right, bottom), p(left, bottom)]);
        }
        let r = r.min(width / 2.0).min(height / 2.0);
        let k = r * (1.0 - ROUND);
        self.0.extend([
            Stretch::Move(p(left + r, top)),
            Stretch::Line(p(right - r, top)),
            Stretch::Curve(p(right - k, top), p(right, top + k), p(right, top + r)),
            Stretch::Line(p(right, bottom - r)),
            Stretch::Curve(p(right, bottom - k), p(right - k, bottom), p(right - r, bottom)),
            Stretch::Line(p(left + r, bottom)),
            Stretch::Curve(p(left + k, bottom), p(left, bottom - k), p(left, bottom - r)),
            Stretch::Line(p(left, top + r)),
            Stretch::Curve(p(left, top + k), p(left + k, top), p(left + r, top)),
            Stretch::Close,
        ]);
        self
    }

    /// Adds a circle.
    pub fn circle(&mut self, middle: Point, r: f64) -> &mut Path {
        self.rect(Point::new(middle.x - r, middle.y - r), 2.0 * r, 2.0 * r, r)
    }

    /// Adds a circle that runs the other way round: a hole in what lies around it.
    pub fn hole(&mut self, middle: Point, r: f64) -> &mut Path {
        let (k, p) = (r * ROUND, |x: f64, y: f64| Point::new(middle.x + x, middle.y + y));
        self.0.extend([
            Stretch::Move(p(r, 0.0)),
            Stretch::Curve(p(r, -k), p(k, -r), p(0.0, -r)),
            Stretch::Curve(p(-k, -r), p(-r, -k), p(-r, 0.0)),
            Stretch::Curve(p(-r, k), p(-k, r), p(0.0, r)),
            Stretch::Curve(p(k, r), p(r, k), p(r, 0.0)),
            Stretch::Close,
        ]);
        self
    }

    /// Adds a thick line with round ends, as an area.
    pub fn bar(&mut self, from: Point, to: Point, width: f64) -> &mut Path {
        let length = from.distance(to).max(1e-6);
        let (r, k) = (width / 2.0, width / 2.0 * ROUND);
        let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
        // so far along the line from one end, so far to its right
        let p = |end: Point, along: f64, aside: f64| {
            Point::new(end.x + ux * along - uy * aside, end.y + uy * along + ux * aside)
        };
        self.0.extend([
            Stretch::Move(p(from, 0.0, -r)),
            Stretch::Line(p(to, 0.0, -r)),
            Stretch::Curve(p(to, k, -r), p(to, r, -k), p(to, r, 0.0)),
            Stretch::Curve(p(to, r, k), p(to, k, r), p(to, 0.0, r)),
            Stretch::Line(p(from, 0.0, r)),
            Stretch::Curve(p(from, -k, r), p(from, -r, k), p(from, -r, 0.0)),
            Stretch::Curve(p(from, -r, -k), p(from, -k, -r), p(from, 0.0, -r)),
            Stretch::Close,
        ]);
        self
    }

    /// Goes on with a curve of one handle.
    pub fn bend(&mut self, handle: Point, to: Point) -> &mut Path {
        let from = match self.0.last() {
            Some(Stretch::Move(at) | Stretch::Line(at) | Stretch::Curve(_, _, at)) => *at,
            Some(Stretch::Close) | None => to,
        };
        self.0.push(Stretch::Curve(from.toward(handle, 2.0 / 3.0), to.toward(handle, 2.0 / 3.0), to));
        self
    }

    /// The same outline `scale` times as large, with its zero at `zero`.
    pub fn moved(&self, zero: Point, scale: f64) -> Path {
        let p = |at: Point| Point::new(zero.x + at.x * scale, zero.y + at.y * scale);
        let moved = |stretch: &Stretch| match *stretch {
            Stretch::Move(at) => Stretch::Move(p(at)),
            Stretch::Line(at) => Stretch::Line(p(at)),
            Stretch::Curve(a, b, at) => Stretch::Curve(p(a), p(b), p(at)),
            Stretch::Close => Stretch::Close,
        };
        Path(self.0.iter().map(moved).collect())
    }

    /// The outline as SVG writes it.
    pub fn data(&self) -> String {
        let mut data = String::new();
        self.write(&mut data);
        data
    }

    fn write(&self, data: &mut String) {
        for stretch in &self.0 {
            let (letter, points) = match stretch {
                Stretch::Move(at) => ('M', &[*at][..]),
                Stretch::Line(at) => ('L', &[*at][..]),
                Stretch::Curve(a, b, at) => ('C', &[*a, *b, *at][..]),
                Stretch::Close => ('Z', &[][..]),
            };
            data.push(letter);
            for (index, point) in points.iter().enumerate() {
                let space = if index == 0 { "" } else { " " };
                let _ = write!(data, "{space}{} {}", number(point.x), number(point.y));
            }
        }
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke<'a> {
    /// A CSS colour.
    pub colour: &'a str,
    /// Its width, CSS pixels.
    pub width: f64,
    /// Lengths of dashes and gaps in turn; none for a whole line.
    pub dash: &'a [f64],
}

/// Where words stand from the point given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// They begin there.
    Left,
    /// Their middle is there.
    Middle,
    /// They end there.
    Right,
}

/// How words are written. Their base line is at the point given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lettering<'a> {
    /// A CSS colour.
    pub colour: &'a str,
    /// CSS pixels.
    pub size: f64,
    /// 400 is ordinary, 700 bold.
    pub weight: u16,
    /// CSS font families.
    pub font: &'a str,
    /// Where they stand.
    pub align: Align,
    /// A CSS colour around the letters, so that they can be read over lines.
    pub halo: Option<&'a str>,
}

/// How much is seen of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// All of it.
    #[default]
    Full,
    /// It recedes: a sentence is about something else.
    Dim,
    /// It is hardly worth a look.
    Far,
    /// The legend brings out something else.
    Ghost,
}

/// The name of a small picture that is drawn again and again: equal names look the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sprite {
    /// What it shows: a packet's shape and letter.
    pub what: (u8, &'static str),
    /// The number of its colour.
    pub colour: u32,
    /// How much is seen of it.
    pub ink: Ink,
    /// How large it is, tenths of CSS pixels.
    pub size: u32,
}

/// Something to draw on. What comes later lies above.
pub trait Surface {
    /// Draws an area, its outline, or both; `alpha` from 0 (nothing) to 1.
    fn path(&mut self, path: &Path, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64);
    /// Writes words.
    fn text(&mut self, text: &str, at: Point, style: &Lettering<'_>);
    /// Draws a small picture, `size` wide and high (CSS pixels), with its middle at `at`. `draw` makes it, around the point that it is
    /// given, where it is not kept from an earlier time. Whether it is drawn: paper keeps nothing.
    fn stamp(
        &mut self,
        _name: Sprite,
        _size: f64,
        _at: Point,
        _draw: &mut dyn FnMut(&mut dyn Surface, Point),
    ) -> bool {
        false
    }
    /// How wide words are, CSS pixels: measured where that can be done, a good guess elsewhere.
    fn width(&mut self, text: &str, style: &Lettering<'_>) -> f64 {
        guess(text, style)
    }
}

/// Whether a letter is Chinese or Japanese, or their punctuation.
fn is_wide(letter: char) -> bool {
    ('\u{2e80}'..='\u{ffef}').contains(&letter)
}

/// How wide a letter of a usual monospaced font is, over its size.
pub(in crate::draw) const MONO_WIDTH: f64 = 0.602;

/// How wide words are in a usual font, CSS pixels.
fn guess(text: &str, style: &Lettering<'_>) -> f64 {
    let mono = style.font.to_ascii_lowercase().contains("mono");
    let heavy = if style.weight >= 600 { 1.06 } else { 1.0 };
    let share = |letter: char| match letter {
        wide if is_wide(wide) => 1.0,
        _ if mono => MONO_WIDTH,
        'i' | 'l' | 'j' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.27 * heavy,
        ' ' | 'f' | 't' | 'r' | '(' | ')' | '/' | '"' | '-' | '“' | '”' => 0.36 * heavy,
        'm' | 'w' | 'M' | 'W' | '…' | '—' => 0.88 * heavy,
        'A'..='Z' => 0.66 * heavy,
        _ => 0.56 * heavy,
    };
    text.chars().map(share).sum::<f64>() * style.size
}

/// Writes an SVG picture. Texts are escaped; numbers have two digits behind the point at most.
#[derive(Clone, Debug)]
pub struct Svg {
    width: f64,
    height: f64,
    body: String,
    of_page: bool,
}

impl Svg {
    /// An empty picture, CSS pixels.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { width, height, body: String::new(), of_page: false }
    }

    /// The same for an `svg` of a page, which only browsers draw: words are in it once.
    pub fn of_page(width: f64, height: f64) -> Svg {
        Svg { of_page: true, ..Svg::new(width, height) }
    }

    /// The whole file.
    pub fn finish(self, title: &str) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{}</title>{}</svg>\n",
            escaped(title),
            self.body
        )
    }

    /// What was drawn, as elements for an `svg` that is there.
    pub fn elements(self) -> String {
        self.body
    }

    fn put(&mut self, name: &str, value: &str) {
        let _ = write!(self.body, " {name}=\"{}\"", escaped(value));
    }

    /// Writes words; `around` are attributes of their outline.
    fn letters(&mut self, text: &str, at: Point, style: &Lettering<'_>, around: &str) {
        self.body.push_str("<text");
        self.put("x", &number(at.x));
        self.put("y", &number(at.y));
        self.put("font-family", &families(style.font, text));
        self.put("font-size", &number(style.size));
        self.put("font-weight", &style.weight.to_string());
        match style.align {
            Align::Left => {}
            Align::Middle => self.put("text-anchor", "middle"),
            Align::Right => self.put("text-anchor", "end"),
        }
        self.put("fill", style.colour);
        let _ = write!(self.body, "{around}>{}</text>", escaped(text));
    }
}

/// Font families as every program understands them: WeasyPrint takes a space after a comma for a part of the name. Words with Chinese
/// have the families made for it first: what the first family lacks, resvg takes from whichever font of the machine has it.
fn families(font: &str, text: &str) -> String {
    let mut all: Vec<String> = font.split(',').map(|family| family.trim().replace('"', "'")).collect();
    if text.chars().any(is_wide) {
        // those that are no better than each other stay in their order
        all.arrange_by_key(|family| !["CJK", "PingFang", "YaHei"].iter().any(|name| family.contains(*name)));
    }
    all.join(",")
}

impl Surface for Svg {
    fn path(&mut self, path: &Path, fill: Option<&str>, stroke: Option<Stroke<'_>>, alpha: f64) {
        self.body.push_str("<path d=\"");
        path.write(&mut self.body);
        self.body.push('"');
        self.put("fill", fill.unwrap_or("none"));
        if let Some(stroke) = stroke {
            self.put("stroke", stroke.colour);
            self.put("stroke-width", &number(stroke.width));
            if !stroke.dash.is_empty() {
                let dash: Vec<String> = stroke.dash.iter().map(|&length| number(length)).collect();
                self.put("stroke-dasharray", &dash.join(" "));
            }
        }
        if alpha < 1.0 {
            self.put("opacity", &number(alpha));
        }
        self.body.push_str("/>");
    }

    fn text(&mut self, text: &str, at: Point, style: &Lettering<'_>) {
        let Some(halo) = style.halo else { return self.letters(text, at, style, "") };
        let around = format!(" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\"", escaped(halo));
        if self.of_page {
            return self.letters(text, at, style, &format!("{around} paint-order=\"stroke\""));
        }
        // who knows no `paint-order`, as WeasyPrint, would draw the halo over the letters
        self.letters(text, at, &Lettering { colour: halo, ..*style }, &around);
        self.letters(text, at, style, "");
    }
}

/// A number with two digits behind the point at most. There are thousands in a picture, and `{}` of a float takes several times as long and
/// weighs more.
pub fn number(value: f64) -> String {
    let hundredths = if value.is_finite() { (value * 100.0).round() as i64 } else { 0 };
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match (size / 100, size % 100) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        (whole, part) => format!("{sign}{whole}.{part:02}"),
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML has no way to write them
            control if control.is_control() => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_escaped_and_short() {
        let mut svg = Svg::new(100.0, 50.5);
        let mut path = Path::default();
        path.line(Point::new(0.123, -0.001), Point::new(1.0 / 3.0, f64::NAN));
        svg.path(&path, None, Some(Stroke { colour: "#123", width: 1.5, dash: &[3.0, 2.0] }), 0.5);
        let style =
            Lettering { colour: "red\"", size: 12.0, weight: 600, font: "sans", align: Align::Middle, halo: None };
        svg.text("<b>&\u{7}", Point::new(1.0, 2.0), &style);
        let text = svg.finish("a \"title\"");
        assert!(text.contains(r#"d="M0.12 0L0.33 0""#), "{text}");
        assert!(text.contains("stroke-dasharray=\"3 2\" opacity=\"0.5\""), "{text}");
        assert!(text.contains("fill=\"red&quot;\">&lt;b&gt;&amp;\u{fffd}</text>"), "{text}");
        assert!(text.contains("<title>a &quot;title&quot;</title>"), "{text}");
    }

    #[test]
    fn words_are_written_as_every_program_reads_them() {
        let font = "Inter, \"Noto Sans\", \"Noto Sans CJK SC\", sans-serif";
        let style =
            Lettering { colour: "#111", size: 12.0, weight: 400, font, align: Align::Left, halo: Some("#eee") };
        let written = |mut svg: Svg, text: &str| {
            svg.text(text, Point::default(), &style);
            svg.elements()
        };
        let file = written(Svg::new(10.0, 10.0), "1:9");
        assert!(file.contains("font-family=\"Inter,'Noto Sans','Noto Sans CJK SC',sans-serif\""), "{file}");
        let halo = "fill=\"#eee\" stroke=\"#eee\" stroke-width=\"4\" stroke-linejoin=\"round\">1:9</text>";
        let below = file.find(halo).expect("a halo");
        assert!(file.find("fill=\"#111\">1:9</text>").is_some_and(|letters| letters > below), "{file}");
        let chinese = written(Svg::new(10.0, 10.0), "最后 1:9");
        assert!(chinese.contains("font-family=\"'Noto Sans CJK SC',Inter,'Noto Sans',sans-serif\""), "{chinese}");
        assert_eq!(written(Svg::of_page(10.0, 10.0), "1:9").matches("1:9").count(), 1);
    }

    #[test]
    fn numbers_are_written_as_a_float_that_was_rounded() {
        for hundredths in (-2_000..2_000).chain([123_456_789, -98_765_432]) {
            let value = f64::from(hundredths) / 100.0;
            assert_eq!(number(value + 0.001), format!("{}", value + 0.0));
        }
        assert_eq!([number(f64::INFINITY), number(f64::NAN)], ["0", "0"]);
    }

    #[test]
    fn a_circle_stays_within_its_square() {
        let mut path = Path::default();
        path.circle(Point::new(10.0, 10.0), 4.0);
        for stretch in &path.0 {
            if let Stretch::Line(at) | Stretch::Move(at) | Stretch::Curve(_, _, at) = stretch {
                assert!((at.distance(Point::new(10.0, 10.0)) - 4.0).abs() < 1e-9);
            }
        }
    }
}
