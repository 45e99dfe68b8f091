//! The shapes of packets as outlines, the same as on the stage.

use std::f64::consts::{PI, TAU};

use crate::draw::packet::half_width;
use crate::draw::surface::{Path, Stretch};
use crate::draw::{Look, Point, Shape};

/// Adds the outline of a packet.
pub(super) fn outline(path: &mut Path, look: Look, at: Point, r: f64) {
    let up = -0.5 * PI;
    match look.shape {
        Shape::Square => {
            path.rect(Point::new(at.x - r * 0.95, at.y - r * 0.95), r * 1.9, r * 1.9, r * 0.3);
        }
        Shape::Pill => {
            let half = half_width(look, r);
            path.rect(Point::new(at.x - half, at.y - r * 0.82), half * 2.0, r * 1.64, r * 0.82);
        }
        Shape::Circle => {
            path.circle(at, r);
        }
        Shape::Dot => {
            path.circle(at, r * 0.36);
        }
        Shape::Diamond => polygon(path, at, r * 1.2, 4, up),
        Shape::Hexagon => polygon(path, at, r * 1.08, 6, 0.0),
        Shape::Triangle => polygon(path, at, r * 1.25, 3, up),
        Shape::SmallTriangle => polygon(path, at, r * 0.8, 3, up),
        Shape::Bell => bell(path, at, r * 1.15),
    }
}

/// Adds a polygon whose corners lie on a circle, the first at this angle.
pub(super) fn polygon(path: &mut Path, at: Point, r: f64, corners: u32, first: f64) {
    path.polygon((0..corners).map(|corner| {
        let angle = first + TAU * f64::from(corner) / f64::from(corners);
        Point::new(at.x + r * angle.cos(), at.y + r * angle.sin())
    }));
}

fn bell(path: &mut Path, at: Point, r: f64) {
    let p = |x: f64, y: f64| Point::new(at.x + x * r, at.y + y * r);
    path.0.extend([
        Stretch::Move(p(-1.1, 0.85)),
        Stretch::Curve(p(-0.9, 0.55), p(-0.8, 0.3), p(-0.8, -0.1)),
        Stretch::Curve(p(-0.8, -1.15), p(0.8, -1.15), p(0.8, -0.1)),
        Stretch::Curve(p(0.8, 0.3), p(0.9, 0.55), p(1.1, 0.85)),
        Stretch::Close,
    ]);
}

/// Adds a cross.
pub(super) fn cross(path: &mut Path, at: Point, r: f64) {
    path.line(Point::new(at.x - r, at.y - r), Point::new(at.x + r, at.y + r));
    path.line(Point::new(at.x - r, at.y + r), Point::new(at.x + r, at.y - r));
}
