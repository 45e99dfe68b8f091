//! The groups of a split ensemble: a tint below the cards and links of each, with a solid edge where there is a majority.

use crate::draw::Point;
use crate::view::Group;

use crate::draw::stage::Picture;
use crate::draw::stage::brush::Brush;

/// How far the tint goes beyond the cards, and how wide it is along a link.
const PAD: f64 = 8.0;
const ALONG: f64 = 14.0;

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    for group in picture.scene.groups() {
        tint(brush, picture, &group);
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
