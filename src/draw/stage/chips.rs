//! Clients' chips as the style sheet makes them.

use crate::draw::layout::Chip;
use crate::draw::surface::Align;
use crate::draw::{Palette, Point};
use crate::view::{ClientFace, ClientView, Part};

use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::icons::client_icon;
use crate::draw::stage::{Picture, TYPE, stripes};

/// How a chip looks.
struct Look<'a> {
    ground: &'a str,
    edge: &'a str,
    width: f64,
    dash: &'static [f64],
    letters: &'a str,
    /// The line below the name.
    word: (&'a str, u16),
    /// The state's icon.
    state: &'a str,
    striped: bool,
}

/// The colour of a client's state.
fn state(face: ClientFace, palette: &Palette) -> &str {
    match face {
        ClientFace::Connected => &palette.good,
        ClientFace::Disconnected | ClientFace::Expired | ClientFace::AuthFailed => &palette.bad,
        ClientFace::Connecting | ClientFace::Closed | ClientFace::Paused => &palette.soft,
    }
}

fn look<'a>(client: &ClientView, palette: &'a Palette) -> Look<'a> {
    let mut look = Look {
        ground: &palette.panel,
        edge: &palette.soft,
        width: 1.5,
        dash: &[],
        letters: &palette.ink,
        word: (&palette.soft, 400),
        state: state(client.face, palette),
        striped: client.face == ClientFace::Paused,
    };
    match client.face {
        ClientFace::Connected => {}
        ClientFace::Connecting => look.dash = &[4.5, 3.0],
        ClientFace::Disconnected => (look.edge, look.dash) = (&palette.bad, &[4.5, 3.0]),
        ClientFace::Expired | ClientFace::AuthFailed => (look.edge, look.ground) = (&palette.bad, &palette.faint),
        ClientFace::Closed => (look.edge, look.ground, look.letters) = (&palette.edge, &palette.faint, &palette.soft),
        ClientFace::Paused => look.edge = &palette.still,
    }
    if client.ended {
        (look.edge, look.state) = (&palette.bad, &palette.bad);
    }
    match client.part.as_ref().map(Part::class) {
        Some("holds" | "leads") => {
            (look.ground, look.edge, look.striped) = (&palette.lead_fill, &palette.ink, false);
            (look.letters, look.word) = (&palette.on_lead, (palette.on_lead.as_str(), 600));
        }
        Some("waits") => look.edge = &palette.focus,
        Some("stale") => {
            (look.ground, look.edge, look.width, look.striped) = (&palette.panel, &palette.bad, 3.0, false);
            (look.dash, look.letters, look.word) = (&[], &palette.bad, (palette.bad.as_str(), 600));
        }
        _ => {}
    }
    look
}

/// Draws a client, if it has a seat.
pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, client: &ClientView) {
    let Some(middle) = picture.layout.seat_of(client.id) else { return };
    let chip = picture.layout.chip;
    if chip.is_dot() {
        if picture.layout.has_named_dots() {
            let hand = Hand::new(TYPE[0]).weight(700).align(Align::Middle);
            let below = Point::new(middle.x, middle.y + chip.size().1 / 2.0 + 2.0 + TYPE[0] / 2.0);
            brush.words(&client.id.to_string(), below, hand, &brush.palette.ink);
        }
        return dot(brush, client, middle, chip);
    }
    let (look, (width, height)) = (look(client, brush.palette), chip.size());
    ground(brush, middle, (width, height), &look);
    let (name, icon, said) = match chip {
        Chip::Large => (TYPE[4], 17.0, TYPE[2]),
        Chip::Full | Chip::Hall => (TYPE[3], 13.0, TYPE[0]),
        Chip::Compact | Chip::Dot | Chip::Speck => (TYPE[2], 11.0, TYPE[0]),
    };
    let lines = [name * 1.15, said * 1.15];
    let top = middle.y - (lines[0] + lines[1]) / 2.0;
    let (id, hand) = (client.id.to_string(), Hand::new(name).weight(700));
    let wide = icon + 5.0 + brush.width(&id, hand);
    let (left, y) = (middle.x - wide / 2.0, top + lines[0] / 2.0);
    brush.icon(&client_icon(client.face), Point::new(left, y - icon / 2.0), icon, look.state);
    brush.words(&id, Point::new(left + icon + 5.0, y), hand, look.letters);
    if client.ended {
        brush.path().line(Point::new(left + icon + 4.0, y), Point::new(left + wide + 1.0, y));
        brush.stroke(&brush.palette.bad, 2.0, &[], 1.0);
    }
    let (colour, weight) = look.word;
    let hand = Hand::new(said).weight(weight).align(Align::Middle);
    brush.words(&picture.words.client(client), Point::new(middle.x, top + lines[0] + lines[1] / 2.0), hand, colour);
}

fn ground(brush: &mut Brush<'_>, middle: Point, (width, height): (f64, f64), look: &Look<'_>) {
    let palette = brush.palette;
    let stale = look.width > 2.0;
    let line = if stale { 1.0 } else { look.width };
    let inner = (width - line, height - line);
    let corner = Point::new(middle.x - inner.0 / 2.0, middle.y - inner.1 / 2.0);
    brush.path().rect(corner, inner.0, inner.1, inner.1 / 2.0);
    brush.fill(look.ground, 1.0);
    if look.striped {
        stripes(brush.path(), corner, inner, inner.1 / 2.0);
        brush.fill(&palette.faint, 1.0);
    }
    brush.path().rect(corner, inner.0, inner.1, inner.1 / 2.0);
    if stale {
        // a double line
        let within = Point::new(corner.x + 2.0, corner.y + 2.0);
        brush.more().rect(within, inner.0 - 4.0, inner.1 - 4.0, inner.1 / 2.0 - 2.0);
    }
    brush.stroke(look.edge, line, look.dash, 1.0);
}

/// One of many clients: its state as a shape, its part as a ring.
fn dot(brush: &mut Brush<'_>, client: &ClientView, at: Point, chip: Chip) {
    let palette = brush.palette;
    let state = state(client.face, palette);
    let (mut fill, mut edge, mut halo) = match client.face {
        ClientFace::Paused => (palette.still.as_str(), palette.still.as_str(), None),
        ClientFace::Connected => (state, state, None),
        _ => (palette.panel.as_str(), state, None),
    };
    match client.part.as_ref().map(Part::class) {
        Some("holds" | "leads") => (fill, edge, halo) = (&palette.lead_fill, &palette.ink, Some(&palette.lead)),
        Some("waits") => (fill, edge) = (&palette.panel, &palette.focus),
        Some("stale") => (fill, edge, halo) = (&palette.bad, &palette.bad, Some(&palette.bad)),
        _ => {}
    }
    let square = client.face.is_over() || client.face == ClientFace::Paused;
    let (size, _) = chip.size();
    let line = if chip == Chip::Speck { 1.0 } else { 2.0 };
    let shape = |half: f64, r: f64| (Point::new(at.x - half, at.y - half), 2.0 * half, if square { r } else { half });
    if let Some(colour) = halo {
        let (corner, wide, r) = shape(size / 2.0 + 1.5 * line, 5.0);
        brush.path().rect(corner, wide, wide, r);
        brush.fill(colour, 1.0);
    }
    let (corner, wide, r) = shape((size - line) / 2.0, 1.0);
    brush.path().rect(corner, wide, wide, r);
    brush.fill(fill, 1.0);
    brush.stroke(edge, line, &[], 1.0);
}
