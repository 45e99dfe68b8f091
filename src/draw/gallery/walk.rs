//! Where an arrow key leads among cards that stand in rows.

use crate::draw::Point;

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The one before.
    Left,
    /// The next one.
    Right,
    /// The nearest one in the row above.
    Up,
    /// The nearest one in the row below.
    Down,
    /// The first of all.
    First,
    /// The last of all.
    Last,
}

impl Way {
    /// What a key means, by its name in the browser.
    pub fn of_key(key: &str) -> Option<Way> {
        Some(match key {
            "ArrowLeft" => Way::Left,
            "ArrowRight" => Way::Right,
            "ArrowUp" => Way::Up,
            "ArrowDown" => Way::Down,
            "Home" => Way::First,
            "End" => Way::Last,
            _ => return None,
        })
    }
}

/// The card that a key leads to: its index; none where it leads nowhere. `places` are the cards' top left corners in the order of
/// reading; cards of one row have the same `y`, but for half a pixel.
pub fn walk(places: &[Point], from: usize, way: Way) -> Option<usize> {
    let here = places.get(from)?;
    let last = places.len() - 1;
    match way {
        Way::Left => from.checked_sub(1),
        Way::Right => (from < last).then_some(from + 1),
        Way::First => (from > 0).then_some(0),
        Way::Last => (from < last).then_some(last),
        Way::Up => {
            let row = places[..from].iter().rev().map(|place| place.y).find(|y| *y < here.y - 0.5)?;
            nearest(places, here.x, row)
        }
        Way::Down => {
            let row = places[from..].iter().map(|place| place.y).find(|y| *y > here.y + 0.5)?;
            nearest(places, here.x, row)
        }
    }
}

/// The card of a row that is nearest to an `x`, the left one of two.
fn nearest(places: &[Point], x: f64, row: f64) -> Option<usize> {
    let in_row = places.iter().enumerate().filter(|(_, place)| (place.y - row).abs() <= 0.5);
    in_row.min_by(|(_, a), (_, b)| (a.x - x).abs().total_cmp(&(b.x - x).abs())).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sections of three and one, then of two: three columns.
    fn places() -> Vec<Point> {
        [(0., 0.), (10., 0.2), (20., 0.), (0., 8.), (0., 20.), (10., 20.)].map(|(x, y)| Point::new(x, y)).to_vec()
    }

    #[test]
    fn keys_lead_to_the_nearest_card_and_stop_at_the_edges() {
        let places = places();
        let to = |from, key| walk(&places, from, Way::of_key(key).unwrap());
        assert_eq!([to(0, "ArrowRight"), to(2, "ArrowRight"), to(5, "ArrowRight")], [Some(1), Some(3), None]);
        assert_eq!([to(0, "ArrowLeft"), to(3, "ArrowLeft")], [None, Some(2)]);
        assert_eq!([to(2, "ArrowDown"), to(3, "ArrowDown"), to(4, "ArrowDown")], [Some(3), Some(4), None]);
        assert_eq!([to(5, "ArrowUp"), to(3, "ArrowUp"), to(1, "ArrowUp")], [Some(3), Some(0), None]);
        assert_eq!([to(3, "Home"), to(3, "End"), to(0, "Home"), to(5, "End")], [Some(0), Some(5), None, None]);
        assert_eq!((walk(&[], 0, Way::Right), walk(&places, 9, Way::Down), Way::of_key("a")), (None, None, None));
    }
}
