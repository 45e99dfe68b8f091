//! Servers' cards as the style sheet makes them: the same rows, sizes and lines.

use crate::base::Zxid;
use crate::daemon::{BadgeLine, Tone};
use crate::draw::layout::Density;
use crate::draw::surface::{Align, Path, Stroke};
use crate::draw::{Palette, Point};
use crate::sim::{Known, Status};
use crate::view::{Card, Face, Square, Tally};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::icons::{crowned, role_icon};
use crate::draw::stage::{Picture, TYPE, stripes};

const ROUND: f64 = 10.0;
const GAP: f64 = 6.0;

/// The measures of a card, CSS pixels: `.card` and its densities.
pub(super) struct Measures {
    /// From the outer edge to what is inside: from the sides, and from above and below.
    pub pad: (f64, f64),
    id: f64,
    icon: f64,
    /// Size and weight of the role's word; none where it has no room.
    role: Option<(f64, u16)>,
    /// The size of the lines below and of the last; none where they have no room.
    line: Option<f64>,
    /// Whether there are words in these lines, and not only what cannot be left out.
    words: bool,
    /// Whether the role has a line of its own.
    below: bool,
}

pub(super) fn measures(density: Density) -> Measures {
    let of = |pad, id, icon, role, line, words| Measures { pad, id, icon, role, line, words, below: false };
    match density {
        Density::Huge | Density::Hall => of((19.5, 17.5), TYPE[6], 28.0, Some((TYPE[4], 700)), Some(TYPE[3]), true),
        Density::Large => of((13.5, 13.5), TYPE[5], 23.0, Some((TYPE[3], 700)), Some(TYPE[2]), true),
        Density::Full => of((13.5, 9.5), TYPE[4], 18.0, Some((TYPE[2], 700)), Some(TYPE[1]), true),
        Density::Flat | Density::HallSmall => {
            of((11.5, 5.5), TYPE[4], 18.0, Some((TYPE[2], 700)), Some(TYPE[1]), true)
        }
        Density::Compact => of((9.5, 9.5), TYPE[3], 18.0, Some((TYPE[1], 700)), Some(TYPE[0]), true),
        Density::Small => of((9.5, 5.5), TYPE[2], 15.0, Some((TYPE[0], 600)), Some(TYPE[0]), false),
        Density::Little => {
            Measures { below: true, ..of((7.5, 5.5), TYPE[2], 15.0, Some((TYPE[0], 600)), None, false) }
        }
        Density::Strip => of((9.5, 5.5), TYPE[2], 15.0, None, None, false),
        Density::Mini | Density::HallMini => of((5.5, 5.5), TYPE[2], 15.0, None, None, false),
    }
}

/// How a card looks as a whole.
pub(super) struct Look<'a> {
    ground: &'a str,
    edge: &'a str,
    width: f64,
    dash: &'static [f64],
    letters: &'a str,
    icon: &'a str,
    striped: bool,
}

pub(super) fn look<'a>(card: &Card, palette: &'a Palette) -> Look<'a> {
    let usual = Look {
        ground: &palette.panel,
        edge: &palette.strong,
        width: 1.5,
        dash: &[],
        letters: &palette.ink,
        icon: &palette.ink,
        striped: false,
    };
    let gone = Look { ground: &palette.faint, edge: &palette.edge, letters: &palette.soft, ..usual };
    let look = match card.face {
        _ if card.overtaken => Look { edge: &palette.bad, width: 3.0, icon: &palette.bad, ..usual },
        Face::Other(_) if card.badge.crowned => {
            Look { edge: &palette.lead, width: 3.0, icon: &palette.lead, ..usual }
        }
        Face::Leading => {
            let dash: &[f64] = if card.established { &[] } else { &[8.0, 5.0] };
            Look { edge: &palette.lead, width: 3.0, dash, icon: &palette.lead, ..usual }
        }
        Face::Looking | Face::Leaving => Look { edge: &palette.soft, dash: &[4.5, 3.0], ..usual },
        Face::Crashed => Look { icon: &palette.bad, ..gone },
        Face::Off => Look { icon: &palette.soft, ..gone },
        Face::Following | Face::Observing | Face::Standalone | Face::Other(_) => usual,
    };
    match card.status == Status::Paused {
        true => Look { ground: &palette.panel, edge: &palette.still, width: 1.5, dash: &[], striped: true, ..look },
        false => look,
    }
}

/// A row of a card and how high it is.
#[derive(Clone, Copy, PartialEq)]
enum Row {
    Top,
    Role,
    /// A line of another system's machine, by its place.
    Line(usize),
    Second,
    Strip,
    Foot,
}

/// Draws a server's card.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, card: &Card) {
    let (layout, palette) = (picture.layout, brush.palette);
    let (width, height) = layout.density.card();
    let middle = layout.place(card.id);
    let at = Point::new(middle.x - width / 2.0, middle.y - height / 2.0);
    let (look, sizes) = (look(card, palette), measures(layout.density));
    ground(brush, at, (width, height), &look);
    let (left, right) = (at.x + sizes.pad.0, at.x + width - sizes.pad.0);
    if layout.density == Density::Strip {
        top(brush, picture, card, &sizes, &look, (left, right, middle.y));
        let mono = Hand::new(TYPE[0]).mono().align(Align::Right);
        return brush.words(&card.last.to_string(), Point::new(right, middle.y), mono, &palette.soft);
    }
    for (row, y, high) in placed(picture, card, &sizes) {
        let span = (left, right, y + high / 2.0);
        match row {
            Row::Top => top(brush, picture, card, &sizes, &look, span),
            Row::Role => role(brush, picture, card, &sizes, &look, span),
            Row::Line(place) => line(brush, card, &sizes, place, span),
            Row::Second => second(brush, picture, card, &sizes, span),
            Row::Strip => strip(brush, card, layout.density, Point::new(left, y)),
            Row::Foot => foot(brush, picture, card, &sizes, span),
        }
    }
}

/// The rows, with their upper edges and heights.
fn placed(picture: &Picture<'_>, card: &Card, sizes: &Measures) -> impl Iterator<Item = (Row, f64, f64)> + use<> {
    let (_, height) = picture.layout.density.card();
    let rows = rows(picture, card, sizes);
    let free = height - 2.0 * sizes.pad.1 - rows.iter().map(|(_, high)| high).sum::<f64>();
    let gap = free / (rows.len() - 1).max(1) as f64;
    let mut y = picture.layout.place(card.id).y - height / 2.0 + sizes.pad.1;
    rows.into_iter().map(move |(row, high)| {
        let at = y;
        y += high + gap;
        (row, at, high)
    })
}

/// Where on a card a motion takes place: the corner and the size of the role's sign, or of a transaction; and the card's ground there.
pub(super) fn spot<'a>(
    brush: &mut Brush<'a>,
    picture: &Picture<'_>,
    card: &Card,
    zxid: Option<Zxid>,
) -> Option<(Point, f64, &'a str)> {
    let density = picture.layout.density;
    if density == Density::Strip || picture.layout.plan.is_some() || picture.layout.panel(card.id).is_some() {
        return None;
    }
    let (sizes, palette) = (measures(density), brush.palette);
    let left = picture.layout.place(card.id).x - density.card().0 / 2.0 + sizes.pad.0;
    let wanted = if zxid.is_some() { Row::Strip } else { Row::Top };
    let (_, y, high) = placed(picture, card, &sizes).find(|(row, ..)| *row == wanted)?;
    let (corner, size) = match zxid {
        None => {
            let name = brush.width(&card.id.to_string(), Hand::new(sizes.id).weight(700));
            (Point::new(left + name + GAP, y + (high - sizes.icon) / 2.0), sizes.icon)
        }
        Some(zxid) => {
            let (size, step) = density.strip();
            let shown = &card.strip[card.strip.len().saturating_sub(density.squares())..];
            let index = shown.iter().position(|square| square.zxid == zxid)?;
            (Point::new(left + 1.0 + index as f64 * step, y + 1.5), size - 1.0)
        }
    };
    Some((corner, size, look(card, palette).ground))
}

pub(super) fn ground(brush: &mut Brush<'_>, at: Point, size: (f64, f64), look: &Look<'_>) {
    let palette = brush.palette;
    let inset = look.width / 2.0;
    let inner = (size.0 - look.width, size.1 - look.width);
    let corner = Point::new(at.x + inset, at.y + inset);
    brush.path().rect(corner, inner.0, inner.1, ROUND - inset);
    brush.fill(look.ground, 1.0);
    if look.striped {
        stripes(brush.path(), corner, inner, ROUND - inset);
        brush.fill(&palette.faint, 1.0);
    }
    brush.path().rect(corner, inner.0, inner.1, ROUND - inset);
    brush.stroke(look.edge, look.width, look.dash, 1.0);
}

/// How much higher a line is that has a bar below it.
const BAR: f64 = 12.0;

/// The lines of another system's machine that have room on its card: one with a bar needs more of it.
pub fn shown_lines(card: &Card, density: Density) -> impl Iterator<Item = &BadgeLine> {
    let mut room = density.lines() * 4;
    card.badge.lines.iter().take_while(move |line| {
        let fits = room >= 4;
        room = room.saturating_sub(if line.left.is_some() { 6 } else { 4 });
        fits
    })
}

/// What is left of a time, to a tenth of a second.
pub fn time_left(us: u64) -> String {
    format!("{}.{} s", us / 1_000_000, us / 100_000 % 10)
}

/// The rows that a card of this size has, with their heights.
fn rows(picture: &Picture<'_>, card: &Card, sizes: &Measures) -> Vec<(Row, f64)> {
    let mut rows = vec![(Row::Top, (sizes.id * 1.15).max(sizes.icon))];
    if sizes.below {
        rows.push((Row::Role, sizes.role.map_or(0.0, |(size, _)| size * 1.15)));
    }
    if card.is_of_other_system() {
        let high = sizes.line.unwrap_or(TYPE[0]) * 1.15 + 4.0;
        let shown = shown_lines(card, picture.layout.density).enumerate();
        rows.extend(
            shown.map(|(place, line)| (Row::Line(place), if line.left.is_some() { high + BAR } else { high })),
        );
        return rows;
    }
    if let Some(line) = sizes.line {
        if card.tally.is_some() {
            rows.push((Row::Second, 18.0));
        } else if sizes.words {
            let said = !picture.words.second(card).is_empty();
            rows.push((Row::Second, if said { line * 1.15 } else { 0.0 }));
        }
    }
    if picture.layout.density.squares() > 0 {
        rows.push((Row::Strip, picture.layout.density.strip().0 + 2.0));
    }
    // a small card that counts votes has no room for its last line
    let foot = sizes.words || card.tally.is_none();
    rows.extend(sizes.line.filter(|_| foot).map(|line| (Row::Foot, line * 1.15)));
    rows
}

/// A row's ends, and its middle.
type Span = (f64, f64, f64);

fn top(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    card: &Card,
    sizes: &Measures,
    look: &Look<'_>,
    (left, right, y): Span,
) {
    let (name, hand) = (card.id.to_string(), Hand::new(sizes.id).weight(700));
    brush.words(&name, Point::new(left, y), hand, look.letters);
    let paused = card.status == Status::Paused;
    let at = Point::new(left + brush.width(&name, hand) + GAP, y - sizes.icon / 2.0);
    match card.crown().filter(|_| !paused) {
        Some(crown) => crowned(brush, crown, at, sizes.icon),
        None => brush.icon(&role_icon(card.sign(), paused), at, sizes.icon, look.icon),
    }
    if let Some((size, weight)) = sizes.role.filter(|_| !sizes.below) {
        let hand = Hand::new(size).weight(weight).align(Align::Right);
        brush.words(&role_word(picture, card), Point::new(right, y), hand, look.letters);
    }
}

/// Draws the first row of a card, as large as at this density, between these edges and from this height on; how high it is.
pub(super) fn head(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    card: &Card,
    density: Density,
    (left, right, y): Span,
) -> f64 {
    let (sizes, look) = (measures(density), look(card, brush.palette));
    let high = (sizes.id * 1.15).max(sizes.icon);
    // beside tables there is room for the word, however small other cards are
    let role = sizes.role.or(Some((TYPE[0], 600)));
    top(brush, picture, card, &Measures { role, below: false, ..sizes }, &look, (left, right, y + high / 2.0));
    high
}

/// A server's role; for whom it votes where there is no room for both: the lens says that it looks.
fn role_word(picture: &Picture<'_>, card: &Card) -> String {
    let votes = card.tally.filter(|_| picture.layout.density.is_tight());
    votes.map_or_else(|| picture.words.role(card), |tally| format!("→ {}", tally.leader))
}

fn role(brush: &mut Brush<'_>, picture: &Picture<'_>, card: &Card, sizes: &Measures, look: &Look<'_>, span: Span) {
    if let Some((size, weight)) = sizes.role {
        let hand = Hand::new(size).weight(weight);
        brush.words(&role_word(picture, card), Point::new(span.0, span.2), hand, look.letters);
    }
}

/// The vote while it looks, the phase otherwise.
fn second(brush: &mut Brush<'_>, picture: &Picture<'_>, card: &Card, sizes: &Measures, (left, right, y): Span) {
    let palette = brush.palette;
    if sizes.words {
        let hand = Hand::new(sizes.line.unwrap_or(TYPE[0]));
        let counted = card.tally.as_ref().map_or(0.0, |tally| segments_width(tally.of) + GAP);
        let said = picture.words.second(card);
        let fits = brush.width(&said, hand) <= right - left - counted;
        brush.words(if fits { &said } else { shorter(&said) }, Point::new(left, y), hand, &palette.soft);
    }
    if let Some(Tally { votes, need, of, .. }) = card.tally {
        let x = if sizes.words { right - segments_width(of) } else { left };
        segments(brush, Point::new(x, y - 9.0), (votes.len(), need, of), &palette.soft, 1.0);
    }
}

/// What is said below a server's role where there is little room: what stands first says in another way what the role says above.
pub fn shorter(said: &str) -> &str {
    said.split_once(" · ").map_or(said, |(_, rest)| rest)
}

/// A line of a machine of another system: what it is about, what there is of it, and a bar for what is left of a time.
fn line(brush: &mut Brush<'_>, card: &Card, sizes: &Measures, place: usize, (left, right, y): Span) {
    let (Some(said), palette) = (card.badge.lines.get(place), brush.palette) else { return };
    let ink = match said.tone {
        Tone::Plain => &palette.soft,
        Tone::Held => &palette.good,
        Tone::Waiting => &palette.ink,
        Tone::Bad => &palette.bad,
        Tone::Term(_) => &palette.soft,
    };
    let size = sizes.line.unwrap_or(TYPE[0]);
    let y = if said.left.is_some() { y - BAR / 2.0 } else { y };
    let (hand, mono) = (Hand::new(size), Hand::new(size * 0.93).mono());
    let (value, stamp) = stamped(&said.value);
    let mut right = right;
    if let Some(stamp) = stamp {
        // how old it is stands small behind what it is
        let small = Hand::new(TYPE[0]).mono();
        brush.words(stamp, Point::new(right, y), small.align(Align::Right), &palette.soft);
        right -= brush.width(stamp, small) + GAP;
    }
    let mono = if stamp.is_some() { Hand::new(size * 1.5).mono().weight(700) } else { mono };
    let value = fitted(brush, value, mono, right - left);
    let room = right - left - GAP - brush.width(&value, mono);
    let label = fitted(brush, &said.label, hand, room);
    brush.words(&label, Point::new(left, y - 1.0), hand, ink);
    let mut at = Point::new(right, y - 1.0);
    if let Tone::Term(term) = said.tone {
        let (fill, on) = brush.state(term as u32);
        let wide = brush.width(&value, mono) + 10.0;
        brush.path().rect(Point::new(right - wide, at.y - size * 0.62), wide, size * 1.24, 4.0);
        brush.fill(fill, 1.0);
        at.x -= 5.0;
        brush.words(&value, at, mono.align(Align::Right), on);
    } else {
        brush.words(&value, at, mono.align(Align::Right), ink);
    }
    if let Some((rest, of)) = said.left {
        let share = (rest as f64 / of.max(1) as f64).min(1.0);
        let colour = if share < 0.25 { &palette.bad } else { &palette.good };
        let text = time_left(rest);
        let wide = right - left - brush.width(&text, mono) - GAP;
        let top = y + size * 0.6;
        for (share, colour) in [(1.0, &palette.faint), (share, colour)] {
            brush.path().rect(Point::new(left, top), wide * share, 7.0, 3.5);
            brush.fill(colour, 1.0);
        }
        brush.words(&text, Point::new(right, top + 3.5), mono.align(Align::Right), colour);
    }
}

/// A value, and behind the sign of a register its stamp.
pub fn stamped(value: &str) -> (&str, Option<&str>) {
    value.find("@ ").filter(|at| *at > 0).map_or((value, None), |at| (value[..at].trim_end(), Some(&value[at..])))
}

/// As much of a text as there is room for.
pub(in crate::draw) fn fitted(brush: &mut Brush<'_>, text: &str, hand: Hand, room: f64) -> String {
    let mut said = text.to_string();
    let mut letters = text.chars().count();
    // each time a letter less: where there is no room at all nothing is left
    while letters > 0 && brush.width(&said, hand) > room {
        letters -= 1;
        said = text.chars().take(letters).chain((letters > 0).then_some('…')).collect();
    }
    said
}

fn foot(brush: &mut Brush<'_>, picture: &Picture<'_>, card: &Card, sizes: &Measures, (left, right, y): Span) {
    let palette = brush.palette;
    let size = sizes.line.unwrap_or(TYPE[0]);
    let last = picture.words.last(card);
    let mono = Hand::new(size * 0.93).mono();
    if sizes.words {
        let (epochs, hand) = (picture.words.epochs(card), Hand::new(size));
        // two epochs may leave room for the zxid alone, or for nothing
        let room = right - left - GAP - brush.width(&epochs, hand);
        let fits = [last, card.last.to_string()].into_iter().find(|text| brush.width(text, mono) <= room);
        brush.words(&epochs, Point::new(left, y), hand, &palette.soft);
        brush.words(&fits.unwrap_or_default(), Point::new(right, y), mono.align(Align::Right), &palette.soft);
    } else {
        brush.words(&last, Point::new(left, y), mono, &palette.soft);
    }
}

/// How far the squares of a count are apart.
const STEP: f64 = 14.0;

/// How wide a count is.
pub(super) fn segments_width(of: usize) -> f64 {
    of as f64 * STEP + 2.0
}

/// A count as segments, with a line behind the one that completes the majority; 18 high.
pub(super) fn segments(
    brush: &mut Brush<'_>,
    at: Point,
    (have, need, of): (usize, usize, usize),
    colour: &str,
    alpha: f64,
) {
    let boxes = |path: &mut Path, which: std::ops::Range<usize>| {
        for index in which {
            path.rect(Point::new(at.x + index as f64 * STEP + 1.0, at.y + 3.0), 11.0, 12.0, 2.0);
        }
    };
    boxes(brush.path(), 0..have.min(of));
    brush.fill(colour, alpha);
    boxes(brush.path(), have.min(of)..of);
    brush.stroke(colour, 1.0, &[], alpha * 0.7);
    let (x, ink) = (at.x + need as f64 * STEP, &brush.palette.ink);
    brush.path().line(Point::new(x, at.y), Point::new(x, at.y + 18.0));
    brush.stroke(ink, 2.0, &[], alpha);
}

/// The last transactions.
fn strip(brush: &mut Brush<'_>, card: &Card, density: Density, at: Point) {
    let (size, step) = density.strip();
    let shown = &card.strip[card.strip.len().saturating_sub(density.squares())..];
    let faint = if matches!(card.face, Face::Crashed | Face::Off) { 0.75 } else { 1.0 };
    for (index, square) in shown.iter().enumerate() {
        let corner = Point::new(at.x + 1.0 + index as f64 * step, at.y + 1.5);
        self::square(brush, square, corner, (size - 1.0, size - 1.0), faint);
    }
}

/// A transaction: the outline is the disk, what is in it the server's knowledge. Full: committed, with a tick where there is room; pale:
/// known before a crash; half: open.
pub(super) fn square(brush: &mut Brush<'_>, square: &Square, at: Point, (width, height): (f64, f64), faint: f64) {
    let palette = brush.palette;
    let (colour, on) = brush.state(square.zxid.epoch());
    let dash: &[f64] = if square.durable { &[] } else { &[2.6, 2.2] };
    let round = height / 5.0;
    brush.path().rect(at, width, height, round);
    match square.known {
        Known::Committed => brush.fill(colour, faint * if square.durable { 1.0 } else { 0.55 }),
        Known::Before => brush.fill(colour, faint * 0.2),
        Known::Open | Known::Not => {}
    }
    let alpha = if square.lost { faint * 0.45 } else { faint };
    brush.both(None, Some(Stroke { colour, width: 2.0, dash }), alpha);
    if square.known == Known::Open {
        brush.path().rect(Point::new(at.x, at.y + height / 2.0), width, height / 2.0, round);
        brush.fill(colour, faint);
    }
    if square.known == Known::Committed && height > 10.0 {
        let (x, y, tick) = (at.x + width / 2.0, at.y + height / 2.0, height / 4.0);
        brush.path().line(Point::new(x - tick, y), Point::new(x - tick * 0.2, y + tick * 0.8));
        brush.more().line(Point::new(x - tick * 0.2, y + tick * 0.8), Point::new(x + tick * 1.1, y - tick * 0.8));
        brush.stroke(on, 1.8, &[], faint);
    }
    if square.lost {
        let (from, to) = (Point::new(at.x - 1.0, at.y + height + 0.5), Point::new(at.x + width + 1.0, at.y - 1.5));
        brush.path().line(from, to);
        brush.stroke(&palette.bad, 2.4, &[], faint);
    }
}
