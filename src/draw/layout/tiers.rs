//! Where the machines of other systems stand: who asks, who serves, who stands behind them, side by side; on a narrow stage one above the
//! other.

use crate::base::ServerId;
use crate::draw::point::Point;

/// So far two cards are apart that stand alone in a tier.
const APART: f64 = 24.0;

/// In which tier a machine stands, by the letters of its name.
fn tier(id: ServerId) -> usize {
    match id.letters() {
        "C" => 0,
        "P" | "Sen" => 2,
        _ => 1,
    }
}

/// Whether two machines of other systems stand in one tier, and there are several: G1 and G2 stand in a ring.
pub(super) fn side_by_side(a: ServerId, b: ServerId) -> bool {
    !a.is_valid() && !b.is_valid() && tier(a) == tier(b) && !matches!(a.letters(), "G")
}

/// The places of cards of this size; none where all are of one tier.
pub(super) fn place(servers: &[ServerId], stage: (f64, f64), card: (f64, f64)) -> Option<Vec<(ServerId, Point)>> {
    let mut tiers: Vec<Vec<ServerId>> =
        (0..3).map(|place| servers.iter().copied().filter(|id| tier(*id) == place).collect()).collect();
    tiers.retain(|tier| !tier.is_empty());
    if tiers.len() < 2 {
        return None;
    }
    let wide = stage.0 > stage.1;
    // along: the way from tier to tier; across: within a tier
    let (along, across) = if wide { stage } else { (stage.1, stage.0) };
    let (deep, broad) = if wide { card } else { (card.1, card.0) };
    let rows = |tier: &Vec<ServerId>| if tier.len() > 3 { 2.0 } else { 1.0 };
    let all: f64 = tiers.iter().map(rows).sum();
    let free = (along - all * deep).max(0.0) / (all + 1.0);
    let mut places = Vec::new();
    let mut at = free.min(along / 8.0);
    let step = deep + if all > 1.0 { (along - 2.0 * at - all * deep) / (all - 1.0) } else { 0.0 };
    for tier in &tiers {
        let (count, lines) = (tier.len(), rows(tier));
        let bow = bow(tier, deep, (free, step - deep));
        for (index, id) in tier.iter().enumerate() {
            // a crowd stands in two lines, as a zigzag
            let line = if lines > 1.0 { (index % 2) as f64 } else { 0.0 };
            // two keep away from the edges where they can, more use all the room that there is
            let room = across - broad - 16.0;
            let reach = if count == 2 { (room / 2.0).max(broad + APART).min(room) } else { room };
            let share = if count == 1 { 0.5 } else { index as f64 / (count - 1) as f64 };
            let middle = across / 2.0 + (share - 0.5) * reach;
            let bent = if index % 2 == 1 { -bow } else { bow };
            let (x, y) = (at + deep / 2.0 + line * step + bent, middle);
            places.push((*id, if wide { Point::new(x, y) } else { Point::new(y, x) }));
        }
        at += step * lines;
    }
    Some(places)
}

/// How far three of a tier stand out of line, so that what the outer ones say to each other does not pass behind the middle one; nothing
/// where that leaves too little way between the tiers. Clients say nothing to each other.
fn bow(tier: &[ServerId], deep: f64, (outside, between): (f64, f64)) -> f64 {
    /// Between a card and the line beside it.
    const CLEAR: f64 = 14.0;
    let bow = (deep / 2.0 + CLEAR) / 2.0;
    let speak = tier.len() == 3 && tier.iter().all(|id| id.letters() != "C");
    if speak && outside > bow && between > 4.0 * bow { bow } else { 0.0 }
}

/// Machines in one line, from side to side of their part of the stage: from above to below where the stage is wide.
pub(super) fn line(ids: &[ServerId], (width, height): (f64, f64), wide: bool) -> Vec<(ServerId, Point)> {
    let place = |(index, id): (usize, &ServerId)| {
        let share = (index as f64 + 0.5) / ids.len() as f64;
        (*id, if wide { Point::new(width / 2.0, height * share) } else { Point::new(width * share, height / 2.0) })
    };
    ids.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::layout::Layout;

    fn all(letters: &[(&str, u8)]) -> Vec<ServerId> {
        letters.iter().flat_map(|(letters, count)| (1..=*count).map(|n| ServerId::nth(letters, n))).collect()
    }

    #[test]
    fn clients_servers_and_who_stands_behind_them_are_side_by_side_and_apart() {
        let systems = [
            all(&[("R", 1), ("C", 2)]),
            all(&[("R", 3), ("Sen", 3), ("C", 2)]),
            all(&[("R", 5), ("C", 3)]),
            all(&[("TC", 1), ("P", 3), ("C", 1)]),
            all(&[("N", 5), ("C", 3)]),
            all(&[("D", 2), ("C", 3)]),
            all(&[("G", 3), ("C", 2)]),
            all(&[("G", 5), ("C", 1)]),
        ];
        for (width, height) in [(1280.0, 460.0), (1440.0, 600.0), (960.0, 380.0), (390.0, 440.0)] {
            for servers in &systems {
                let layout = Layout::new(servers, width, height);
                let (w, h) = layout.density.card();
                for (index, (a, at)) in layout.places.iter().enumerate() {
                    assert!(at.x >= w / 2.0 && at.x <= width - w / 2.0, "{a} on {width}x{height}: {at:?}");
                    assert!(at.y >= h / 2.0 && at.y <= height - h / 2.0, "{a} on {width}x{height}: {at:?}");
                    for (b, other) in &layout.places[..index] {
                        let apart = (at.x - other.x).abs() >= w || (at.y - other.y).abs() >= h;
                        assert!(apart, "{a} and {b} on {width}x{height} ({:?})", layout.density);
                    }
                }
                if width > height {
                    let x = |id: &ServerId| layout.place(*id).x;
                    let client = servers.iter().filter(|id| id.letters() == "C").map(x).fold(0.0, f64::max);
                    assert!(
                        servers.iter().filter(|id| id.letters() != "C").all(|id| x(id) > client),
                        "{width}x{height}"
                    );
                }
            }
        }
    }
}
