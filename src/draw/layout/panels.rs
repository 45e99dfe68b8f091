//! A stage on which clients ask databases: clients in a line, and all the rest of the stage for the databases' tables.

use crate::base::{Arrange, ServerId};
use crate::draw::figure::Frame;
use crate::draw::layout::density::Density;
use crate::draw::point::Point;
use crate::view::keeps_tables;

/// Space around everything, and between two cards at least.
const MARGIN: f64 = 12.0;
/// Space between two databases: what one sends the other must be seen.
const BETWEEN: f64 = 40.0;
/// The share of the stage's way from clients to databases that packets have, and the one that databases have at least.
const WAY: f64 = 0.1;
const SHARE: f64 = 0.56;
/// The smallest panel that says more than a card.
const LEAST: (f64, f64) = (220.0, 104.0);

/// What stands where, and how much cards say.
pub(super) struct Placed {
    pub density: Density,
    pub places: Vec<(ServerId, Point)>,
    pub panels: Vec<(ServerId, Frame)>,
}

/// The largest cards of clients that leave the databases most of the stage; none where there are others than clients and databases, or
/// where all that has no room.
pub(super) fn place(servers: &[ServerId], (width, height): (f64, f64), densities: &[Density]) -> Option<Placed> {
    let (databases, clients): (Vec<ServerId>, Vec<ServerId>) = servers.iter().partition(|id| keeps_tables(**id));
    if databases.is_empty() || clients.is_empty() || clients.iter().any(|id| id.letters() != "C") {
        return None;
    }
    let wide = width > height;
    // along: from clients to databases; across: from client to client
    let (along, across) = if wide { (width, height) } else { (height, width) };
    let (count, each) = (databases.len() as f64, clients.len() as f64);
    densities.iter().filter(|density| **density != Density::Flat).find_map(|density| {
        let card = density.card();
        let (deep, broad) = if wide { card } else { (card.1, card.0) };
        let way = density.shortest_link().max(along * WAY).max(36.0);
        // on a high stage two have their clients between them: no link goes behind a database
        let between = !wide && databases.len() == 2;
        let left = MARGIN + deep + if between { 2.0 * way } else { way };
        let (free, room) = (along - left - MARGIN, across / each);
        // databases stand one below the other, whatever way the stage is
        let size = if wide {
            (free, (height - 2.0 * MARGIN - (count - 1.0) * BETWEEN) / count)
        } else {
            (width - 2.0 * MARGIN, (free - if between { 0.0 } else { (count - 1.0) * BETWEEN }) / count)
        };
        if room < broad + MARGIN || free < along * SHARE || size.0 < LEAST.0 || size.1 < LEAST.1 {
            return None;
        }
        let client = |(index, id): (usize, &ServerId)| {
            let before = if between { size.1 + way } else { 0.0 };
            let (x, y) = (MARGIN + before + deep / 2.0, (index as f64 + 0.5) * room);
            (*id, if wide { Point::new(x, y) } else { Point::new(y, x) })
        };
        let panel = |(index, id): (usize, &ServerId)| {
            let step = size.1 + if between { deep + 2.0 * way } else { BETWEEN };
            let down = index as f64 * step + size.1 / 2.0;
            let x = if wide { left + free / 2.0 } else { width / 2.0 };
            let top = if wide || between { MARGIN } else { left };
            (*id, Frame::around(Point::new(x, top + down), size))
        };
        let panels: Vec<(ServerId, Frame)> = databases.iter().enumerate().map(panel).collect();
        let middles = panels.iter().map(|(id, frame)| (*id, frame.middle));
        // in the order of the servers, as everywhere
        let mut places: Vec<(ServerId, Point)> = clients.iter().enumerate().map(client).chain(middles).collect();
        places.arrange_by_key(|(id, _)| *id);
        Some(Placed { density: *density, places, panels })
    })
}
