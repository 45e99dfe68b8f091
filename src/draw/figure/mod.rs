//! Stages that are not a ring of servers: what a recipe is about, large, and the servers as a strip. The layout has a [`Plan`] then.

mod arrange;
mod leaves;
mod outside;
mod picture;
mod plan;
mod star;
mod tree;

pub use plan::{Frame, Plan, Way};

use crate::base::ServerId;
use crate::draw::layout::logs::measures;
use crate::draw::layout::{Layout, Seat, seats};
use crate::draw::point::Point;
use crate::scenarios::Cast;
use crate::sim::Player;
use crate::timeline::RunSummary;
use crate::view::figure::Figure;
use crate::view::keeps_a_log;

pub(in crate::draw) use picture::{draw, written};

/// Where everything of a run stands, cast in this way, on a stage of this size. While a link between servers is cut, the servers are
/// what matters: they are a ring then, whatever the cast.
pub fn laid_out(run: (&Player, &RunSummary), cast: Cast, size: (f64, f64), hall: bool) -> Layout {
    let (player, world) = (run.0, run.0.world());
    let servers: Vec<ServerId> = world.processes.keys().copied().collect();
    let seats = seats(player.run(), world);
    if !is_ring(player, cast) {
        return figured(run, cast, &servers, &seats, size, hall);
    }
    let make = if hall { Layout::in_hall } else { Layout::with_clients };
    let logs = logs(cast, keepers(servers.iter()), size, hall);
    let mut layout = make(&servers, &seats, size.0, size.1 - logs.map_or(0.0, |frame| frame.height));
    (layout.height, layout.logs) = (size.1, logs);
    layout
}

/// How many have a log that is shown. Cards of other systems say what they keep.
fn keepers<'a>(servers: impl Iterator<Item = &'a ServerId> + Clone) -> usize {
    let others = servers.clone().all(|id| !id.is_valid());
    servers.filter(|id| keeps_a_log(**id, others)).count()
}

/// Where the logs stand: below a ring that is what the stage is about, as wide as it is. None where there is no room.
fn logs(cast: Cast, servers: usize, size: (f64, f64), hall: bool) -> Option<Frame> {
    let sizes = measures(servers, size, hall).filter(|_| cast == Cast::Ensemble)?;
    let high = sizes.height(servers);
    Some(Frame::around(Point::new(size.0 / 2.0, size.1 - high / 2.0), (size.0, high)))
}

/// The same, where a layout stands already: a ring is made anew only where it is another one.
pub fn lay_out(layout: &mut Layout, run: (&Player, &RunSummary), cast: Cast, size: (f64, f64), hall: bool) {
    let world = run.0.world();
    let stays = layout.plan.is_none()
        && is_ring(run.0, cast)
        && ((layout.width, layout.height), layout.hall) == (size, hall)
        && layout.seats == seats(run.0.run(), world)
        && layout.logs == logs(cast, keepers(layout.places.iter().map(|(id, _)| id)), size, hall)
        && layout.places.iter().map(|(id, _)| id).eq(world.processes.keys());
    if !stays {
        *layout = laid_out(run, cast, size, hall);
    }
}

/// The stage of another cast than the ring.
fn figured(
    (player, summary): (&Player, &RunSummary),
    cast: Cast,
    servers: &[ServerId],
    seats: &[Seat],
    size: (f64, f64),
    hall: bool,
) -> Layout {
    let figure = match cast {
        Cast::Store => Figure::of_store(player.world(), player.run(), summary),
        Cast::Ensemble | Cast::Recipe => Figure::of(player.world(), player.run(), summary),
    };
    arrange::figure(figure, servers, seats, size, hall)
}

/// Whether the servers stand in a ring: it is their cast, or a link between two of them is cut.
fn is_ring(player: &Player, cast: Cast) -> bool {
    let world = player.world();
    let servers = || world.processes.keys();
    let is_cut = || servers().any(|a| servers().any(|b| a != b && world.network.link(*a, *b).cut));
    cast == Cast::Ensemble || is_cut()
}

#[cfg(test)]
mod tests;
