//! Places on a stage.

/// A place on the stage, CSS pixels from its top left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The place at `x`, `y`.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The place a share of the way from here to `other`.
    pub fn toward(self, other: Point, share: f64) -> Point {
        Point::new(self.x + (other.x - self.x) * share, self.y + (other.y - self.y) * share)
    }

    /// How far it is to `other`.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}
