//! The groups of a split ensemble: a tint below the cards and links of each, with a solid edge where there is a majority, and a broken
//! line between them where the cut is.

use crate::base::ServerSet;
use crate::draw::{Layout, Point};
use crate::view::Group;

use crate::draw::stage::Picture;
use crate::draw::stage::brush::Brush;

/// How far the tint goes beyond the cards, and how wide it is along a link.
const PAD: f64 = 8.0;
const ALONG: f64 = 14.0;
/// How far the line between two groups goes on beyond the outermost cut.
const BEYOND: f64 = 40.0;

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let groups = picture.scene.groups();
    for group in &groups {
        tint(brush, picture, group);
    }
    for (index, one) in groups.iter().enumerate() {
        for other in &groups[index + 1..] {
            if let Some((from, to)) = between(picture, one.servers, other.servers) {
                brush.path().line(from, to);
                brush.stroke(&brush.palette.bad, 2.0, &[9.0, 6.0], 0.8);
            }
        }
    }
}

fn tint(brush: &mut Brush<'_>, picture: &Picture<'_>, group: &Group) {
    const ALPHA: f64 = 0.14;
    let (layout, palette) = (picture.layout, brush.palette);
    let (colour, dash): (_, &[f64]) =
        if group.majority { (&palette.good, &[]) } else { (&palette.soft, &[5.0, 4.0]) };
    let within = |link: &&crate::view::LinkView| group.servers.contains(link.a) && group.servers.contains(link.b);
    let path = brush.path();
    for link in picture.scene.links.iter().filter(within).filter(|link| link.is_open()) {
        let (start, end) = layout.segment(link.a, link.b);
        path.line(start, end);
    }
    brush.stroke(colour, ALONG, &[], ALPHA);
    let (width, height) = layout.density.card();
    let path = brush.path();
    for (_, at) in layout.places.iter().filter(|(id, _)| group.servers.contains(*id)) {
        let corner = Point::new(at.x - width / 2.0 - PAD, at.y - height / 2.0 - PAD);
        path.rect(corner, width + 2.0 * PAD, height + 2.0 * PAD, PAD + 9.0);
    }
    brush.fill(colour, ALPHA);
    brush.stroke(colour, 1.2, dash, 0.6);
}

/// The ends of a line across the links between two groups, through the places where these are cut.
fn between(picture: &Picture<'_>, one: ServerSet, other: ServerSet) -> Option<(Point, Point)> {
    let layout = picture.layout;
    let parts = |link: &&crate::view::LinkView| {
        (one.contains(link.a) && other.contains(link.b)) || (other.contains(link.a) && one.contains(link.b))
    };
    let cuts: Vec<Point> =
        picture.scene.links.iter().filter(parts).map(|link| layout.handle(link.a, link.b)).collect();
    let middle = mean(&cuts)?;
    let (here, there) = (centre(layout, one)?, centre(layout, other)?);
    let length = here.distance(there).max(1.0);
    let (x, y) = ((here.y - there.y) / length, (there.x - here.x) / length);
    let along = cuts.iter().map(|at| (at.x - middle.x) * x + (at.y - middle.y) * y);
    let (low, high) = along.fold((0.0_f64, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
    let at = |far: f64| Point::new(middle.x + x * far, middle.y + y * far);
    Some((at(low - BEYOND), at(high + BEYOND)))
}

fn centre(layout: &Layout, servers: ServerSet) -> Option<Point> {
    let places = layout.places.iter().filter(|(id, _)| servers.contains(*id));
    mean(&places.map(|(_, at)| *at).collect::<Vec<_>>())
}

fn mean(points: &[Point]) -> Option<Point> {
    let sum = points.iter().fold(Point::default(), |sum, at| Point::new(sum.x + at.x, sum.y + at.y));
    let count = points.len() as f64;
    (!points.is_empty()).then(|| Point::new(sum.x / count, sum.y / count))
}
