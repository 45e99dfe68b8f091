//! What stands large at a machine or client: a few words in a box with a tail to whom they are about, where it covers nothing that they
//! need.

use crate::base::Node;
use crate::daemon::Tone;
use crate::draw::figure::{self, Frame};
use crate::draw::surface::Stroke;
use crate::draw::{Palette, Point};
use crate::view::{Callout, Said};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::{Picture, shown};

/// The sizes of letters that are tried: in a hall, usually, and on a stage so narrow.
const HALL: [f64; 3] = [27.0, 24.0, 21.0];
const USUAL: [f64; 3] = [19.0, 17.5, 16.0];
/// On a panel, whose own letters are large.
const ON_PANEL: [f64; 3] = [26.0, 22.0, 19.0];
const NARROW: [f64; 3] = [15.0, 14.0, 12.5];
const NARROW_STAGE: f64 = 640.0;
/// How far from whom they are about boxes are tried.
const AWAY: [f64; 3] = [9.0, 26.0, 56.0];
/// Space between a box and the edge of the stage.
const EDGE: f64 = 3.0;
/// A box that covers more of others than this part of itself is tried smaller, and at last not drawn.
const FREE: f64 = 0.04;
const MOST: f64 = 0.5;
/// What a line behind a box costs, and a pixel of distance: in covered pixels.
const LINE: f64 = 250.0;
const PIXEL: f64 = 6.0;

/// A box that has found its place.
struct Placed {
    frame: Frame,
    whose: Frame,
    size: f64,
    cost: f64,
    covered: f64,
}

/// Draws all of them.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for (callout, words, placed) in all(brush, picture) {
        show(brush, (callout, &words), &placed);
    }
}

/// What is to be said, in which words, and where; what has no place is left out.
fn all<'a>(brush: &mut Brush<'_>, picture: &Picture<'a>) -> Vec<(&'a Callout, String, Placed)> {
    let needed = |callout: &&Callout| is_needed(picture, callout);
    let callouts: Vec<&Callout> = picture.scene.callouts.iter().filter(needed).collect();
    if callouts.is_empty() {
        return Vec::new();
    }
    let (mut taken, ways) = (taken(picture), ways(picture));
    let mut all = Vec::new();
    for callout in callouts {
        let words = picture.words.callout(&callout.said);
        let Some(whose) = frame_of(picture, callout.at).filter(|_| !words.is_empty()) else { continue };
        let Some(placed) = place(brush, picture, (&words, callout), &whose, (&taken, &ways)) else { continue };
        taken.push(placed.frame);
        all.push((callout, words, placed));
    }
    all
}

/// Whether nothing else says it: beside a tree stands what each client was answered.
fn is_needed(picture: &Picture<'_>, callout: &Callout) -> bool {
    let (Node::Client(id), Some(plan)) = (callout.at, &picture.layout.plan) else { return true };
    let answered = matches!(callout.said, Said::Error(_) | Said::Read(..));
    !(answered && plan.calls.iter().any(|(client, _)| *client == id))
}

/// Whom it is about, on the stage; none where that has no place.
fn frame_of(picture: &Picture<'_>, node: Node) -> Option<Frame> {
    let layout = picture.layout;
    let panel = node.server().and_then(|id| layout.panel(id));
    // a client with a ticket: the ticket
    let seat = layout.plan.as_ref().zip(node.client()).and_then(|(plan, id)| plan.seat(id));
    panel.or(seat).or_else(|| layout.has(node).then(|| Frame::around(layout.place(node), layout.size(node))))
}

/// What is not to be covered.
fn taken(picture: &Picture<'_>) -> Vec<Frame> {
    let layout = picture.layout;
    let card = |(id, at): &(_, Point)| layout.panel(*id).unwrap_or(Frame::around(*at, layout.size((*id).into())));
    let cards = layout.places.iter().map(card);
    let chips = layout.chips.iter().map(|(id, at)| Frame::around(*at, layout.size((*id).into())));
    let boards = shown(layout, picture.scene).into_iter().map(|board| {
        let size = board.place.size(layout);
        Frame::around(Point::new(board.place.centre.x, board.held_at(size.1)), size)
    });
    let plan = layout.plan.iter().flat_map(|plan| figure::written(picture, plan));
    cards.chain(chips).chain(boards).chain(plan).chain(layout.logs).collect()
}

/// The lines on which something is on its way.
fn ways(picture: &Picture<'_>) -> Vec<(Point, Point)> {
    if picture.layout.plan.is_some() {
        return Vec::new();
    }
    let strong = picture.scene.links.iter().filter(|link| link.strong);
    let lines = picture.scene.clients.iter().filter_map(|client| Some((client.id, client.line()?.0)));
    let lines = lines.filter(|(client, _)| picture.layout.seat_of(*client).is_some());
    let links = strong.map(|link| picture.layout.segment(link.a, link.b));
    links.chain(lines.map(|(client, server)| picture.layout.segment(client, server))).collect()
}

/// The best place, with the largest letters that leave others alone.
fn place(
    brush: &mut Brush<'_>,
    picture: &Picture<'_>,
    (words, callout): (&str, &Callout),
    whose: &Frame,
    (taken, ways): (&[Frame], &[(Point, Point)]),
) -> Option<Placed> {
    let layout = picture.layout;
    let sizes = match layout.hall {
        true => HALL,
        false if layout.width < NARROW_STAGE => NARROW,
        false if layout.panel_of(callout.at) => ON_PANEL,
        false => USUAL,
    };
    let mut best: Option<Placed> = None;
    for size in sizes {
        let (wide, high) = measure(brush, words, size, callout.over.is_some());
        let others = || taken.iter().filter(|other| *other != whose);
        for frame in candidates(whose, (wide, high), layout.panel_of(callout.at)) {
            if !is_inside(&frame, (layout.width, layout.height)) {
                continue;
            }
            let covered: f64 = others().map(|other| common(&frame, other)).sum();
            let lines = ways.iter().filter(|way| is_crossed(&frame, **way)).count() as f64;
            let apart = whose.middle.distance(frame.middle);
            let cost = covered * 4.0 + lines * LINE + apart * PIXEL;
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Placed { frame, whose: *whose, size, cost, covered });
            }
        }
        if best.as_ref().is_some_and(|best| best.covered <= FREE * best.frame.width * best.frame.height) {
            break;
        }
    }
    best.filter(|best| best.covered <= MOST * best.frame.width * best.frame.height)
}

fn measure(brush: &mut Brush<'_>, words: &str, size: f64, bar: bool) -> (f64, f64) {
    let wide = brush.width(words, hand(size)) + size * 1.3;
    (wide, size * if bar { 2.3 } else { 1.75 })
}

fn hand(size: f64) -> Hand {
    Hand::new(size).weight(700)
}

/// Where a box may stand: around whom it is about, near before far; within a panel at its lower right corner, as what
/// its marks mean stands at the left.
fn candidates(whose: &Frame, (wide, high): (f64, f64), panel: bool) -> Vec<Frame> {
    let at = |x: f64, y: f64| Frame::around(Point::new(whose.middle.x + x, whose.middle.y + y), (wide, high));
    let (half, tall) = (whose.width / 2.0, whose.height / 2.0);
    if panel {
        return vec![at(half - wide / 2.0 - 12.0, tall - high / 2.0 - 10.0)];
    }
    let mut all = Vec::new();
    for away in AWAY {
        let (over, aside) = (tall + high / 2.0 + away, half + wide / 2.0 + away);
        let slides = [0.0, half - wide / 2.0, wide / 2.0 - half, half, -half];
        all.extend(slides.iter().flat_map(|x| [at(*x, over), at(*x, -over)]));
        let lifts = [0.0, tall - high / 2.0, high / 2.0 - tall, tall, -tall];
        all.extend(lifts.iter().flat_map(|y| [at(aside, *y), at(-aside, *y)]));
    }
    all
}

fn is_inside(frame: &Frame, (width, height): (f64, f64)) -> bool {
    let Point { x, y } = frame.corner();
    x >= EDGE && y >= EDGE && x + frame.width <= width - EDGE && frame.bottom() <= height - EDGE
}

/// How much two have in common, pixels; a little air counts.
fn common(one: &Frame, other: &Frame) -> f64 {
    const AIR: f64 = 4.0;
    let along = |a: f64, b: f64, sizes: f64| (sizes / 2.0 + AIR - (a - b).abs()).max(0.0);
    let x = along(one.middle.x, other.middle.x, one.width + other.width).min(one.width);
    let y = along(one.middle.y, other.middle.y, one.height + other.height).min(one.height);
    x * y
}

fn is_crossed(frame: &Frame, (from, to): (Point, Point)) -> bool {
    /// So many places along a line are looked at.
    const LOOKS: u32 = 24;
    (0..=LOOKS).any(|step| {
        let at = from.toward(to, f64::from(step) / f64::from(LOOKS));
        (at.x - frame.middle.x).abs() < frame.width / 2.0 && (at.y - frame.middle.y).abs() < frame.height / 2.0
    })
}

/// The edge and the letters.
fn colours(tone: Tone, palette: &Palette) -> (&str, &str) {
    match tone {
        Tone::Bad => (&palette.bad, &palette.bad),
        Tone::Held => (&palette.good, &palette.ink),
        Tone::Waiting => (&palette.focus, &palette.ink),
        Tone::Plain | Tone::Term(_) => (&palette.ink, &palette.ink),
    }
}

fn show(brush: &mut Brush<'_>, (callout, words): (&Callout, &str), placed: &Placed) {
    let (frame, size, palette) = (&placed.frame, placed.size, brush.palette);
    let (edge, ink) = colours(callout.tone, palette);
    tail(brush, frame, &placed.whose, edge);
    brush.path().rect(frame.corner(), frame.width, frame.height, size * 0.45);
    brush.both(Some(&palette.panel), Some(Stroke { colour: edge, width: 2.5, dash: &[] }), 1.0);
    let (left, wide) = (frame.corner().x + size * 0.65, frame.width - size * 1.3);
    let y = if callout.over.is_some() { frame.middle.y - size * 0.28 } else { frame.middle.y };
    brush.words(words, Point::new(left, y), hand(size), ink);
    let Some((over, whole)) = callout.over else { return };
    let share = (over as f64 / whole.max(1) as f64).min(1.0);
    for (share, colour) in [(1.0, palette.faint.as_str()), (share, edge)] {
        brush.path().rect(Point::new(left, y + size * 0.68), wide * share, size * 0.34, size * 0.17);
        brush.fill(colour, 1.0);
    }
}

/// From the box to the edge of whom it is about; none within a panel, whose only one it is.
fn tail(brush: &mut Brush<'_>, frame: &Frame, whose: &Frame, colour: &str) {
    let within = |low: f64, at: f64, high: f64| at.min(high.max(low)).max(low);
    let near = |frame: &Frame, to: Point| {
        let Point { x, y } = frame.corner();
        Point::new(within(x + 8.0, to.x, x + frame.width - 8.0), within(y + 6.0, to.y, y + frame.height - 6.0))
    };
    let to = near(whose, frame.middle);
    let from = near(frame, to);
    let length = from.distance(to);
    if length < 1.0 || common(frame, whose) >= frame.width * frame.height {
        return;
    }
    let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let tip = whose.edge(from);
    let tip = if whose.middle.distance(tip) < whose.middle.distance(to) { to } else { tip };
    let base = |side: f64| Point::new(from.x - uy * side, from.y + ux * side);
    brush.path().polygon([base(7.0), tip, base(-7.0)]);
    brush.fill(colour, 1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::figure::laid_out;
    use crate::draw::palette::testing::palette;
    use crate::draw::stage::{FigureWord, Wording};
    use crate::draw::surface::Svg;
    use crate::scenarios::scenario;
    use crate::timeline::Session;
    use crate::view::{Card, ClientView, Meter, Scene};

    /// Words as long as the longest.
    struct Long;

    impl Wording for Long {
        fn role(&self, _: &Card) -> String {
            String::new()
        }
        fn second(&self, _: &Card) -> String {
            String::new()
        }
        fn epochs(&self, _: &Card) -> String {
            String::new()
        }
        fn last(&self, _: &Card) -> String {
            String::new()
        }
        fn client(&self, _: &ClientView) -> String {
            String::new()
        }
        fn meter(&self, _: &Meter) -> String {
            String::new()
        }
        fn slow(&self) -> &'static str {
            ""
        }
        fn figure(&self, _: FigureWord<'_>) -> String {
            String::new()
        }
        fn callout(&self, _: &Said) -> String {
            "oracle: 1, may go on alone".into()
        }
    }

    #[test]
    fn they_stand_on_the_stage_and_cover_nobody_from_a_slide_on() {
        let ids =
            ["oracle", "leader-serves-no", "reconfig-grow", "throttling", "redis-limit", "quorum-r1", "use-standby"];
        for id in ids {
            let scenario = scenario(id).unwrap();
            let mut session = Session::new(scenario.run(), Some(scenario)).unwrap();
            session.open_scene().unwrap();
            while session.look_for_chapters(100_000) {}
            let idea = session.chapters()[scenario.scene().unwrap().idea].at;
            session.seek(idea.plus(200)).unwrap();
            let scene = Scene::of_session(&session);
            for (size, hall) in [((1_280.0, 445.0), false), ((1_280.0, 470.0), true), ((960.0, 330.0), false)] {
                let layout = laid_out((session.player(), session.run_summary()), scenario.cast(), size, hall);
                let palette = palette(false);
                let picture = Picture {
                    palette: &palette,
                    words: &Long,
                    layout: &layout,
                    scene: &scene,
                    packets: &[],
                    chosen: None,
                    marked: None,
                    eye: None,
                };
                let mut svg = Svg::new(size.0, size.1);
                let all = all(&mut Brush::new(&mut svg, &palette), &picture);
                assert!(!all.is_empty(), "{id} at {size:?}");
                for (callout, _, Placed { frame, size: letters, covered, .. }) in all {
                    assert!(is_inside(&frame, size) && letters >= 16.0, "{id} at {size:?}: {frame:?}");
                    let part = covered / (frame.width * frame.height);
                    assert!(part < 0.3, "{id} at {size:?}: {callout:?} covers {part} of itself");
                }
            }
        }
    }
}
