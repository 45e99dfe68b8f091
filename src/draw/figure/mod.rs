//! Stages that are not a ring of servers: what a recipe is about, large, and the servers as a strip. The layout has a [`Plan`] then.

mod arrange;
mod leaves;
mod outside;
mod picture;
mod plan;
mod tree;

pub use plan::{Frame, Plan, Way};

use crate::base::ServerId;
use crate::draw::layout::{Layout, Seat, seats};
use crate::scenarios::Cast;
use crate::sim::Player;
use crate::timeline::RunSummary;
use crate::view::figure::Figure;

pub(in crate::draw) use picture::draw;

/// Where everything of a run stands, cast in this way, on a stage of this size. While a link between servers is cut, the servers are
/// what matters: they are a ring then, whatever the cast.
pub fn laid_out(
    (player, summary): (&Player, &RunSummary),
    cast: Cast,
    (width, height): (f64, f64),
    hall: bool,
    before: Option<&Layout>,
) -> Layout {
    let world = player.world();
    let servers: Vec<ServerId> = world.processes.keys().copied().collect();
    let seats = seats(player.run(), world);
    if cast != Cast::Ensemble && !is_cut(player, &servers) {
        return figured((player, summary), cast, &servers, &seats, (width, height), hall);
    }
    let same = |before: &&Layout| {
        (before.width, before.height, before.hall, &before.seats) == (width, height, hall, &seats)
            && before.plan.is_none()
            && before.places.iter().map(|(id, _)| id).eq(&servers)
    };
    let make = if hall { Layout::in_hall } else { Layout::with_clients };
    before.filter(same).cloned().unwrap_or_else(|| make(&servers, &seats, width, height))
}

/// The stage of another cast than the ring. Not inlined: the first picture is a ring, and does without all of this.
#[inline(never)]
fn figured(
    (player, summary): (&Player, &RunSummary),
    cast: Cast,
    servers: &[ServerId],
    seats: &[Seat],
    size: (f64, f64),
    hall: bool,
) -> Layout {
    let figure = match cast {
        Cast::Store => Figure::of_store(player.world(), summary),
        Cast::Ensemble | Cast::Recipe => Figure::of(player.world(), player.run(), summary),
    };
    arrange::figure(figure, servers, seats, size, hall)
}

fn is_cut(player: &Player, servers: &[ServerId]) -> bool {
    let network = &player.world().network;
    let cut = |a: &ServerId| servers.iter().any(|b| a != b && network.link(*a, *b).cut);
    servers.iter().any(cut)
}

#[cfg(test)]
mod tests;
