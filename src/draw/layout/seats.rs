//! Where clients sit: on the rim of the stage, outside the ring of servers. A seat depends on the run, the ensemble and the
//! stage's size alone, never on what a client is doing, so that nobody jumps while a run plays.

use crate::base::{Arrange, ClientId, ServerId, SortedMap, SortedSet};
use crate::sim::{Action, Run, World};

use crate::draw::layout::Point;

/// How much a client's chip can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chip {
    /// In a recipe or beside a tree, where there is room: name and state, to be read from the back row.
    Large,
    /// Name and state.
    Full,
    /// Name and state, smaller.
    Compact,
    /// A dot; a count stands for all of them.
    Dot,
    /// The same, smaller: hundreds beside their servers.
    Speck,
    /// In a hall: name and state.
    Hall,
}

impl Chip {
    pub(super) const USUAL: [Chip; 4] = [Chip::Full, Chip::Compact, Chip::Dot, Chip::Speck];
    pub(super) const HALL: [Chip; 3] = [Chip::Hall, Chip::Dot, Chip::Speck];

    /// Width and height.
    pub fn size(self) -> (f64, f64) {
        match self {
            Chip::Large => (152.0, 62.0),
            Chip::Full => (112.0, 46.0),
            Chip::Compact => (92.0, 38.0),
            Chip::Dot => (13.0, 13.0),
            Chip::Speck => (6.0, 6.0),
            Chip::Hall => (176.0, 66.0),
        }
    }

    /// The name of the style class.
    pub fn class(self) -> &'static str {
        match self {
            Chip::Large => "large",
            Chip::Full => "full",
            Chip::Compact => "compact",
            Chip::Dot => "dot",
            Chip::Speck => "dot speck",
            Chip::Hall => "hall",
        }
    }

    /// The most clients that are shown in this way.
    pub(super) fn most(self) -> usize {
        match self {
            Chip::Large | Chip::Full | Chip::Hall => 12,
            Chip::Compact => 24,
            Chip::Dot => 150,
            Chip::Speck => usize::MAX,
        }
    }

    /// Whether it has no room for a name.
    pub fn is_dot(self) -> bool {
        matches!(self, Chip::Dot | Chip::Speck)
    }

    /// Space between two chips.
    fn gap(self) -> f64 {
        match self {
            Chip::Dot => 4.0,
            Chip::Speck => 2.0,
            Chip::Large | Chip::Full | Chip::Compact | Chip::Hall => 10.0,
        }
    }

    /// Space between a chip and a card or a link between servers.
    fn clear(self) -> f64 {
        if self.is_dot() { 6.0 } else { 12.0 }
    }

    /// The shortest line to the own server: packets must be seen on it.
    fn shortest_line(self) -> f64 {
        if self.is_dot() { 14.0 } else { 48.0 }
    }

    /// How many rows of seats there may be along each edge.
    pub(super) fn rows(self) -> usize {
        match self {
            Chip::Dot => 3,
            Chip::Speck => 12,
            Chip::Large | Chip::Full | Chip::Compact | Chip::Hall => 1,
        }
    }

    /// How far the servers move inward for so many rows of seats: from the sides, and from above and below.
    pub(super) fn band(self, rows: usize) -> (f64, f64) {
        let (width, height) = self.size();
        let rows = rows as f64;
        let clear = if self.is_dot() { 10.0 } else { 34.0 };
        (rows * (width + self.gap()) + clear, rows * (height + self.gap()) + clear)
    }
}

/// A client that has a seat, and the server near which it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// The client.
    pub client: ClientId,
    /// A server of its connect string, chosen by its number.
    pub home: ServerId,
}

/// The clients of a run in the order in which they are opened, those to come included, and whoever else is in its world.
pub fn seats(run: &Run, world: &World) -> Vec<Seat> {
    let all: Vec<ServerId> = world.processes.keys().copied().collect();
    let mut known = SortedSet::new();
    let mut seats = Vec::new();
    let mut add = |client: ClientId, listed: &[ServerId]| {
        let listed = if listed.is_empty() { &all } else { listed };
        if known.insert(client) && !listed.is_empty() {
            let home = listed[usize::from(client.0.saturating_sub(1)) % listed.len()];
            seats.push(Seat { client, home });
        }
    };
    for timed in &run.actions {
        if let Action::OpenClient { client, servers, .. } = &timed.action {
            add(*client, servers);
        }
    }
    for (client, process) in &world.clients {
        add(*client, &process.client.config.servers);
    }
    seats
}

/// A rectangle by its middle and size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub middle: Point,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub(super) fn meets(&self, other: &Area, clear: f64) -> bool {
        (self.middle.x - other.middle.x).abs() < (self.width + other.width) / 2.0 + clear
            && (self.middle.y - other.middle.y).abs() < (self.height + other.height) / 2.0 + clear
    }

    /// Whether a line passes through it.
    pub(super) fn is_crossed(&self, way: (Point, Point), clear: f64) -> bool {
        self.crossed(way, clear).is_some()
    }

    /// The shares of a line at which it comes nearer than `clear` and is away again; none where it never does.
    pub(super) fn crossed(&self, (start, end): (Point, Point), clear: f64) -> Option<(f64, f64)> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (at, way, middle, half) in [
            (start.x, end.x - start.x, self.middle.x, self.width / 2.0 + clear),
            (start.y, end.y - start.y, self.middle.y, self.height / 2.0 + clear),
        ] {
            if way.abs() < 1e-9 {
                if (at - middle).abs() > half {
                    return None;
                }
                continue;
            }
            let (a, b) = ((middle - half - at) / way, (middle + half - at) / way);
            (from, to) = (from.max(a.min(b)), to.min(a.max(b)));
        }
        (from <= to).then_some((from, to))
    }
}

/// What a seat must keep clear of.
pub(super) struct Room<'a> {
    pub width: f64,
    pub height: f64,
    pub cards: &'a [(ServerId, Area)],
    pub links: &'a [(Point, Point)],
    /// Whether a line may be too short to show packets: there is no room for better.
    pub tight: bool,
}

/// Space between the seats and the edge of the stage.
const EDGE: f64 = 8.0;

impl Room<'_> {
    /// A place for each, the best that is left for its server; as many as find one.
    pub(super) fn seat(&self, seats: &[Seat], chip: Chip, rows: usize) -> Vec<(ClientId, Point)> {
        let places = self.places(chip, rows);
        if places.len() < seats.len() && !self.tight {
            return Vec::new();
        }
        let mut is_free = vec![true; places.len()];
        let mut wishes: SortedMap<ServerId, std::vec::IntoIter<usize>> = SortedMap::new();
        let mut next = |seat: &Seat| {
            let wish = wishes.get_or_else(seat.home, || self.by_cost(&places, seat.home, chip).into_iter());
            let index = wish.find(|index| is_free[*index])?;
            is_free[index] = false;
            Some((seat.client, places[index]))
        };
        seats.iter().map_while(&mut next).collect()
    }

    /// The places that will do for the clients of a server, the best first.
    fn by_cost(&self, places: &[Point], home: ServerId, chip: Chip) -> Vec<usize> {
        let card = self.cards.iter().find(|(id, _)| *id == home).map(|(_, card)| *card);
        let costs = places.iter().enumerate().map(|(index, &at)| (self.cost(at, home, card, chip), index));
        let mut costs: Vec<(f64, usize)> = costs.filter(|(cost, _)| cost.is_finite()).collect();
        costs.arrange_by(|a, b| a.0.total_cmp(&b.0));
        costs.into_iter().map(|(_, index)| index).collect()
    }

    /// How bad a place is for a client of this server.
    fn cost(&self, at: Point, home: ServerId, card: Option<Area>, chip: Chip) -> f64 {
        let Some(card) = card else { return 0.0 };
        let (width, height) = chip.size();
        let beside = (at.x - card.middle.x).abs() - (width + card.width) / 2.0;
        let above = (at.y - card.middle.y).abs() - (height + card.height) / 2.0;
        let line = beside.max(0.0).hypot(above.max(0.0));
        if line < chip.shortest_line() && !self.tight {
            return f64::INFINITY;
        }
        let hidden = self.cards.iter().any(|(id, other)| *id != home && other.is_crossed((at, card.middle), 4.0));
        // a packet wants some way; beyond that the nearest place is the best
        (line - chip.shortest_line() * 1.6).abs() + if hidden { 900.0 } else { 0.0 }
    }

    /// All places on the rim that are free of cards and links.
    fn places(&self, chip: Chip, rows: usize) -> Vec<Point> {
        let (width, height) = chip.size();
        let free = |at: &Point| {
            let area = Area { middle: *at, width, height };
            !self.cards.iter().any(|(_, card)| area.meets(card, chip.clear()))
                && !self.links.iter().any(|link| area.is_crossed(*link, chip.clear()))
        };
        let mut places = Vec::new();
        for row in 0..rows {
            let left = EDGE + width / 2.0 + row as f64 * (width + chip.gap());
            let top = EDGE + height / 2.0 + row as f64 * (height + chip.gap());
            let (right, bottom) = (self.width - left, self.height - top);
            for x in steps(left, right, width + chip.gap()) {
                places.extend([Point::new(x, top), Point::new(x, bottom)]);
            }
            let within = height + chip.gap();
            for y in steps(top + within, bottom - within, within) {
                places.extend([Point::new(left, y), Point::new(right, y)]);
            }
        }
        places.retain(free);
        places
    }
}

/// Numbers from one to another, evenly and at least this far apart.
fn steps(from: f64, to: f64, apart: f64) -> Vec<f64> {
    if to < from {
        return Vec::new();
    }
    let count = ((to - from) / apart).floor();
    let step = if count > 0.0 { (to - from) / count } else { 0.0 };
    (0..=count as usize).map(|index| from + index as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::draw::Layout;
    use crate::draw::layout::ring::are_apart;
    use crate::sim::{Player, Setup};

    fn seats_of(clients: u16, servers: u8) -> Vec<Seat> {
        let home = |n: u16| ServerId((n % u16::from(servers)) as u8 + 1);
        (0..clients).map(|n| Seat { client: ClientId(n + 1), home: home(n) }).collect()
    }

    const STAGES: [(f64, f64); 5] = [(908.0, 540.0), (1022.0, 700.0), (660.0, 400.0), (560.0, 380.0), (390.0, 390.0)];

    #[test]
    fn chips_overlap_neither_cards_nor_each_other_and_are_not_clipped() {
        for (width, height) in STAGES {
            for servers in [1_u8, 2, 3, 4, 5, 7, 9] {
                for clients in [1_u16, 2, 3, 5, 8, 13, 24, 25, 60, 100] {
                    let ids: Vec<ServerId> = (1..=servers).map(ServerId).collect();
                    let layout = Layout::with_clients(&ids, &seats_of(clients, servers), width, height);
                    let why = format!("{clients} clients of {servers} servers on {width}x{height}");
                    assert_eq!(layout.chips.len(), usize::from(clients), "{why}: {:?}", layout.chip);
                    let (w, h) = layout.chip.size();
                    let (card_w, card_h) = layout.density.card();
                    for (index, (_, at)) in layout.chips.iter().enumerate() {
                        let inside = at.x >= w / 2.0 && at.x + w / 2.0 <= width && at.y >= h / 2.0;
                        assert!(inside && at.y + h / 2.0 <= height, "{why}: {at:?}");
                        for (_, other) in &layout.chips[..index] {
                            assert!((at.x - other.x).abs() >= w || (at.y - other.y).abs() >= h, "{why}");
                        }
                        for (_, card) in &layout.places {
                            let beside = (at.x - card.x).abs() >= (w + card_w) / 2.0;
                            assert!(beside || (at.y - card.y).abs() >= (h + card_h) / 2.0, "{why}");
                        }
                    }
                    assert!(clients > 24 || !layout.chip.is_dot() || width < 900.0, "{why}");
                }
            }
        }
    }

    #[test]
    fn a_thousand_clients_have_a_seat_each() {
        for (width, height) in [(908.0, 540.0), (1022.0, 700.0), (1280.0, 560.0), (960.0, 165.0)] {
            for servers in [3_u8, 5, 7, 9, 12] {
                let ids: Vec<ServerId> = (1..=servers).map(ServerId).collect();
                for clients in [300_u16, 1_000] {
                    let layout = Layout::with_clients(&ids, &seats_of(clients, servers), width, height);
                    let why = format!("{clients} clients of {servers} servers on {width}x{height}");
                    assert!(are_apart(&layout.places, layout.density.card(), 0.0), "cards overlap: {why}");
                    let flat = height < 540.0;
                    assert!(
                        flat || (layout.chip, layout.chips.len()) == (Chip::Speck, usize::from(clients)),
                        "{why}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_few_clients_leave_the_servers_their_size() {
        for servers in [3, 5] {
            let ids: Vec<ServerId> = (1..=servers).map(ServerId).collect();
            for clients in 1..=4 {
                let layout = Layout::with_clients(&ids, &seats_of(clients, servers), 908.0, 540.0);
                assert_eq!(layout.chip, Chip::Full);
                assert_eq!(layout.density, Layout::new(&ids, 908.0, 540.0).density, "{clients} at {servers}");
            }
        }
    }

    #[test]
    fn one_more_client_moves_nobody() {
        let ids: Vec<ServerId> = (1..=3).map(ServerId).collect();
        let few = Layout::with_clients(&ids, &seats_of(5, 3), 908.0, 540.0);
        let more = Layout::with_clients(&ids, &seats_of(6, 3), 908.0, 540.0);
        assert_eq!(few.chips[..], more.chips[..5]);
    }

    #[test]
    fn seats_depend_on_the_run_and_not_on_the_moment() {
        let mut run = Run::new(1, Setup::default());
        let open = |client, servers: &[u8]| Action::OpenClient {
            client: ClientId(client),
            servers: servers.iter().copied().map(ServerId).collect(),
            timeout_ms: 4_000,
            chroot: None,
            raw: false,
        };
        run.push(SimTime::from_ms(500), open(7, &[2]));
        run.push(SimTime::from_ms(900), open(1, &[]));
        run.push(SimTime::from_ms(1_000), Action::KillClient { client: ClientId(7) });
        let mut player = Player::new(run.clone()).unwrap();
        let before = seats(&run, player.world());
        assert_eq!(before[0], Seat { client: ClientId(7), home: ServerId(2) });
        assert_eq!(before[1], Seat { client: ClientId(1), home: ServerId(1) });
        player.run_until(SimTime::from_ms(1_200), |_, _| {});
        assert_eq!(seats(&run, player.world()), before);
    }
}
