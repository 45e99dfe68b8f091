//! Where cards of some size stand: an ensemble on an ellipse, or in two rows where a stage is too flat for one, and another system beside it.

use crate::base::ServerId;

use crate::draw::layout::density::Density;
use crate::draw::layout::tiers;
use crate::draw::point::Point;

/// Space that stays free around the cards.
const MARGIN: f64 = 14.0;
/// The ensemble's share of a stage on which another system stands too, and that of clients beside a ring of peers.
const OWN: f64 = 0.44;
const CLIENTS: f64 = 0.28;

/// Places of cards of some size; `inset` is what stays free for others at the sides, and above and below.
pub(super) fn place(
    servers: &[ServerId],
    (width, height): (f64, f64),
    density: Density,
    inset: (f64, f64),
) -> Vec<(ServerId, Point)> {
    let (card_width, card_height) = density.card();
    if servers.iter().any(|id| !id.is_valid())
        && let Some(places) = apart(servers, (width, height), density, inset)
    {
        return places;
    }
    let middle = Point::new(width / 2.0, height / 2.0);
    let count = servers.len();
    // a wide stage should not pull a small ensemble apart
    let reach = (width - card_width) / 2.0 - MARGIN.max(inset.0);
    let rx = reach.clamp(0.0, 460.0);
    let ry = ((height - card_height) / 2.0 - MARGIN.max(inset.1)).clamp(0.0, 330.0);
    let first = match count {
        1 => return vec![(servers[0], middle)],
        2 => std::f64::consts::PI,
        4 => -0.75 * std::f64::consts::PI,
        _ => -0.5 * std::f64::consts::PI,
    };
    let turn = std::f64::consts::TAU / count as f64;
    let point = |index: usize| {
        let angle = first + turn * index as f64;
        Point::new(middle.x + rx * angle.cos(), middle.y + ry * angle.sin())
    };
    let places: Vec<(ServerId, Point)> = servers.iter().enumerate().map(|(i, &id)| (id, point(i))).collect();
    // an odd number leaves part of an ellipse's frame empty: stretch the places over all of it
    let xs = spread(&places.iter().map(|(_, p)| p.x).collect::<Vec<_>>(), middle.x, rx);
    let ys = spread(&places.iter().map(|(_, p)| p.y).collect::<Vec<_>>(), middle.y, ry);
    places.into_iter().map(|(id, p)| (id, Point::new(xs(p.x), ys(p.y)))).collect()
}

/// A ring on a stage too flat for one: the first half above, from left to right, the rest below and back.
pub(super) fn flat_ring(ids: &[ServerId], (width, height): (f64, f64)) -> Vec<(ServerId, Point)> {
    let (above, below) = ids.split_at(ids.len().div_ceil(2));
    let (half, back) = ((width, height / 2.0), below.iter().rev().copied().collect::<Vec<_>>());
    let lower =
        tiers::line(&back, half, false).into_iter().rev().map(|(id, at)| (id, Point::new(at.x, at.y + half.1)));
    tiers::line(above, half, false).into_iter().chain(lower).collect()
}

/// Places where there are machines of other systems: an ensemble and another system beside each other, as far as both have room there;
/// clients beside peers in a ring; all others in tiers. None where all are peers, and stand as an ensemble does.
fn apart(
    servers: &[ServerId],
    stage: (f64, f64),
    density: Density,
    inset: (f64, f64),
) -> Option<Vec<(ServerId, Point)>> {
    let (own, others): (Vec<ServerId>, Vec<ServerId>) = servers.iter().partition(|id| id.is_valid());
    let both = |density: Density| {
        let part = |ids, part| place(ids, part, density, inset);
        beside(stage, OWN, |stage| part(&own, stage), |stage| part(&others, stage))
    };
    let least = if density.is_hall() { Density::HallMini } else { Density::Mini };
    let have_room = !own.is_empty() && !others.is_empty() && are_apart(&both(least), least.card(), 0.0);
    let (peers, clients): (Vec<ServerId>, Vec<ServerId>) = servers.iter().partition(|id| id.letters() == "G");
    let around = (!peers.is_empty() && !clients.is_empty() && own.is_empty()).then(|| {
        let line = |part| tiers::line(&clients, part, stage.0 > stage.1);
        beside(stage, CLIENTS, line, |part| place(&peers, part, density, inset))
    });
    have_room.then(|| both(density)).or(around).or_else(|| tiers::place(servers, stage, density.card()))
}

/// Two groups beside each other, on a high stage one above the other: so large a share for the first, the rest for the second.
fn beside(
    (width, height): (f64, f64),
    share: f64,
    first: impl Fn((f64, f64)) -> Vec<(ServerId, Point)>,
    second: impl Fn((f64, f64)) -> Vec<(ServerId, Point)>,
) -> Vec<(ServerId, Point)> {
    let (left, top) = if width > height { (width * share, 0.0) } else { (0.0, height * share) };
    let mut places = first(if width > height { (left, height) } else { (width, top) });
    let others = second((width - left, height - top));
    places.extend(others.into_iter().map(|(id, at)| (id, Point::new(at.x + left, at.y + top))));
    places
}

/// Whether there is such a gap between any two cards.
pub(super) fn are_apart(places: &[(ServerId, Point)], (width, height): (f64, f64), gap: f64) -> bool {
    let apart = |a: Point, b: Point| (a.x - b.x).abs() >= width + gap || (a.y - b.y).abs() >= height + gap;
    places.iter().enumerate().all(|(index, (_, at))| places[..index].iter().all(|(_, other)| apart(*at, *other)))
}

/// Maps values so that they reach from `middle - reach` to `middle + reach`; equal ones go to the middle.
fn spread(values: &[f64], middle: f64, reach: f64) -> impl Fn(f64) -> f64 + use<> {
    let low = values.iter().copied().fold(f64::MAX, f64::min);
    let high = values.iter().copied().fold(f64::MIN, f64::max);
    move |value| match high - low > 1.0 {
        true => middle - reach + (value - low) * 2.0 * reach / (high - low),
        false => middle,
    }
}
