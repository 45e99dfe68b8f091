//! Where two clients believe to hold what only one can: a shade from lane to lane, and how long it lasts.

use crate::draw::surface::{Align, Lettering, Path, Surface};
use crate::draw::{Palette, Point};

use crate::draw::spacetime::frame::Frame;
use crate::timeline::spacetime::Diagram;

/// Draws them as far as lanes are known, µs; those whose first fact has this number, or a later one, are pale.
pub(super) fn draw(
    surface: &mut dyn Surface,
    (diagram, palette): (&Diagram, &Palette),
    frame: &Frame,
    (end_us, next_seq): (f64, u32),
) {
    const HALF: f64 = 9.0;
    for overlap in diagram.overlaps() {
        let (Some(a), Some(b)) = (frame.y(overlap.clients.0), frame.y(overlap.clients.1)) else { continue };
        let end = (overlap.to_us as f64).min(end_us);
        let (from, to) = (frame.x(overlap.from_us as f64).max(frame.left), frame.x(end).min(frame.width));
        if to <= from {
            continue;
        }
        let (top, bottom) = (a.min(b) - HALF, a.max(b) + HALF);
        let alpha = if overlap.seq < next_seq { 1.0 } else { 0.35 };
        let mut shade = Path::default();
        shade.rect(Point::new(from, top), to - from, bottom - top, 4.0);
        surface.path(&shade, Some(&palette.bad), None, 0.16 * alpha);
        let text = format!("{} ms", (end as u64).saturating_sub(overlap.from_us) / 1_000);
        let style = Lettering {
            colour: &palette.bad,
            size: 13.0,
            weight: 700,
            font: &palette.sans,
            align: Align::Middle,
            halo: Some(&palette.paper),
        };
        surface.text(&text, Point::new((from + to) / 2.0, (top + bottom) / 2.0 + 4.6), &style);
    }
}
