//! The groups of a split ensemble: a tinted ground below each, with a solid edge where there is a majority.

use crate::base::ServerSet;
use crate::draw::surface::Path;
use crate::draw::{Layout, Point};

use crate::draw::stage::Picture;
use crate::draw::stage::brush::Brush;
use crate::draw::stage::rounded;

/// How far the ground goes beyond the cards.
const PAD: f64 = 11.0;

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>) {
    let groups = picture.scene.groups();
    let hulls: Vec<Vec<Point>> = groups.iter().map(|group| hull(corners(picture.layout, group.servers))).collect();
    let apart = groups.iter().zip(&hulls).all(|(group, hull)| {
        let mut others = picture.layout.places.iter().filter(|(id, _)| !group.servers.contains(*id));
        others.all(|(_, at)| !holds(hull, *at))
    });
    for (group, hull) in groups.iter().zip(hulls) {
        let palette = brush.palette;
        let (tint, edge, dash, alpha): (_, _, &[f64], _) = match group.majority {
            true => (&palette.good, &palette.good, &[], 0.12),
            false => (&palette.soft, &palette.bad, &[7.0, 5.0], 0.12),
        };
        ground(brush.path(), picture.layout, group.servers, apart.then_some(hull));
        brush.fill(tint, alpha);
        brush.stroke(edge, 2.0, dash, 0.75);
    }
}

/// One shape for the group; where that would hold others' cards too, one for each server.
fn ground(path: &mut Path, layout: &Layout, servers: ServerSet, hull: Option<Vec<Point>>) {
    match hull {
        Some(hull) => {
            path.polygon(hull);
        }
        None => {
            for server in servers.iter() {
                path.polygon(corners(layout, [server].into_iter().collect()));
            }
        }
    }
}

/// The outlines of cards with some room around them.
fn corners(layout: &Layout, servers: ServerSet) -> Vec<Point> {
    let (width, height) = layout.density.card();
    let size = (width + 2.0 * PAD, height + 2.0 * PAD);
    let outline =
        |(_, at): &(_, Point)| rounded(Point::new(at.x - size.0 / 2.0, at.y - size.1 / 2.0), size, PAD + 9.0);
    layout.places.iter().filter(|(id, _)| servers.contains(*id)).flat_map(outline).collect()
}

fn turn(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// The convex hull (Andrew's monotone chain).
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<Point> = Vec::new();
    for chain in [points.clone(), points.into_iter().rev().collect()] {
        let from = hull.len();
        for point in chain {
            while hull.len() > from + 1 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0 {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    }
    hull
}

fn holds(hull: &[Point], at: Point) -> bool {
    hull.len() > 2 && (0..hull.len()).all(|index| turn(hull[index], hull[(index + 1) % hull.len()], at) >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_goes_around_everything_once() {
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (2.0, 2.0), (2.0, 0.0), (1.0, 3.0)];
        let found = hull(square.iter().map(|&(x, y)| Point::new(x, y)).collect());
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(holds(&found, Point::new(2.0, 2.0)) && !holds(&found, Point::new(5.0, 2.0)));
    }
}
