//! The shapes of roles and of clients' states, 20 by 20. The page's cards have them too.

use crate::draw::Point;
use crate::draw::surface::{Path, Stroke};
use crate::view::{ClientFace, Crown, Face};

use crate::draw::stage::brush::Brush;

fn polygon(path: &mut Path, corners: &[(f64, f64)]) {
    path.polygon(corners.iter().map(|&(x, y)| Point::new(x, y)));
}

fn rect(path: &mut Path, x: f64, y: f64, width: f64, height: f64) {
    path.rect(Point::new(x, y), width, height, 0.0);
}

/// Two bars: what stands still.
fn pause(path: &mut Path) {
    rect(path, 5.0, 3.0, 3.4, 14.0);
    rect(path, 11.6, 3.0, 3.4, 14.0);
}

fn eye(path: &mut Path) {
    path.0.push(crate::draw::surface::Stretch::Move(Point::new(1.0, 10.0)));
    path.bend(Point::new(10.0, -1.0), Point::new(19.0, 10.0));
    path.bend(Point::new(10.0, 21.0), Point::new(1.0, 10.0));
    path.0.push(crate::draw::surface::Stretch::Close);
    path.hole(Point::new(10.0, 10.0), 3.4);
}

fn glass(path: &mut Path) {
    let middle = Point::new(8.5, 8.5);
    path.circle(middle, 6.5).hole(middle, 4.1);
    polygon(path, &[(14.2, 11.9), (18.2, 15.9), (16.4, 17.7), (12.4, 13.7)]);
}

const CROWN: [(f64, f64); 7] =
    [(3.4, 16.5), (2.0, 6.0), (6.6, 9.4), (10.0, 3.0), (13.4, 9.4), (18.0, 6.0), (16.6, 16.5)];

/// The halves of a crown that breaks: the seam is in the middle.
const LEFT: [(f64, f64); 8] =
    [(3.4, 16.5), (2.0, 6.0), (6.6, 9.4), (10.0, 3.0), (8.8, 7.4), (11.0, 10.4), (8.8, 13.6), (10.0, 16.5)];
const RIGHT: [(f64, f64); 8] =
    [(16.6, 16.5), (18.0, 6.0), (13.4, 9.4), (10.0, 3.0), (8.8, 7.4), (11.0, 10.4), (8.8, 13.6), (10.0, 16.5)];

const CROSS: [(f64, f64); 12] = [
    (4.6, 2.8),
    (10.0, 8.2),
    (15.4, 2.8),
    (17.2, 4.6),
    (11.8, 10.0),
    (17.2, 15.4),
    (15.4, 17.2),
    (10.0, 11.8),
    (4.6, 17.2),
    (2.8, 15.4),
    (8.2, 10.0),
    (2.8, 4.6),
];

const HOURGLASS: [(f64, f64); 10] = [
    (4.0, 2.0),
    (16.0, 2.0),
    (16.0, 4.2),
    (11.6, 10.0),
    (16.0, 15.8),
    (16.0, 18.0),
    (4.0, 18.0),
    (4.0, 15.8),
    (8.4, 10.0),
    (4.0, 4.2),
];

/// A crown, so far broken: 0 is whole.
pub(super) fn broken_crown(gap: f64) -> Path {
    let mut path = Path::default();
    for (half, way) in [(LEFT, -gap), (RIGHT, gap)] {
        path.polygon(half.map(|(x, y)| Point::new(x + way, y + way.abs() * 0.6)));
    }
    path
}

/// The part of a crown that is filled from below, as a share.
pub(super) fn filled_crown(share: f64) -> Path {
    let level = 17.0 - 14.5 * share;
    let corners = CROWN.map(|(x, y)| Point::new(x, y));
    let mut path = Path::default();
    path.polygon(super::clipped(&corners, |at| at.y - level));
    path
}

/// How far a crown is broken that is worth nothing.
const BROKEN: f64 = 1.6;

/// The shape of a crown.
pub fn crown_icon(crown: Crown) -> Path {
    if crown == Crown::Broken { broken_crown(BROKEN) } else { role_icon(Face::Leading, false) }
}

/// Draws a crown, `size` large: whole, as an outline while it is only promised, broken when it is overtaken.
pub(super) fn crowned(brush: &mut Brush<'_>, crown: Crown, at: Point, size: f64) {
    let palette = brush.palette;
    let colour = if crown == Crown::Broken { &palette.bad } else { &palette.lead };
    let shape = crown_icon(crown).moved(at, size / 20.0);
    let area = if crown == Crown::Whole { colour } else { &palette.panel };
    brush.path().0.extend(shape.0);
    brush.both(Some(area), Some(Stroke { colour, width: 1.4, dash: &[] }), 1.0);
}

/// The shape of a role.
pub fn role_icon(face: Face, paused: bool) -> Path {
    let mut path = Path::default();
    match face {
        _ if paused => pause(&mut path),
        Face::Leading => polygon(&mut path, &CROWN),
        Face::Following => {
            polygon(&mut path, &[(4.0, 4.5), (10.0, 10.0), (4.0, 15.5)]);
            polygon(&mut path, &[(10.0, 4.5), (16.0, 10.0), (10.0, 15.5)]);
        }
        Face::Observing => eye(&mut path),
        Face::Looking | Face::Leaving => glass(&mut path),
        Face::Crashed => polygon(&mut path, &CROSS),
        Face::Off => rect(&mut path, 3.0, 8.6, 14.0, 2.8),
        Face::Standalone => [4.0, 11.0].into_iter().for_each(|top| rect(&mut path, 3.0, top, 14.0, 5.0)),
        // its own word says what it is
        Face::Other(_) => {}
    }
    path
}

/// The shape of a client's state.
pub fn client_icon(face: ClientFace) -> Path {
    let (mut path, middle) = (Path::default(), Point::new(10.0, 10.0));
    match face {
        ClientFace::Connected => {
            path.circle(middle, 7.0);
        }
        ClientFace::Connecting => {
            path.circle(middle, 7.0).hole(middle, 4.6);
            rect(&mut path, 8.8, 0.0, 2.4, 20.0);
            rect(&mut path, 0.0, 8.8, 20.0, 2.4);
        }
        ClientFace::Disconnected => {
            path.circle(middle, 7.0).hole(middle, 4.6);
        }
        ClientFace::Expired => polygon(&mut path, &HOURGLASS),
        ClientFace::Closed => {
            rect(&mut path, 3.5, 3.5, 13.0, 13.0);
            // the other way round: a hole
            polygon(&mut path, &[(5.9, 5.9), (5.9, 14.1), (14.1, 14.1), (14.1, 5.9)]);
        }
        ClientFace::AuthFailed => {
            rect(&mut path, 8.6, 2.0, 2.8, 10.0);
            rect(&mut path, 8.6, 14.4, 2.8, 3.6);
        }
        ClientFace::Paused => pause(&mut path),
    }
    path
}
