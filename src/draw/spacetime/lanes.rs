//! Draws the lanes: what each server and client is over time, its disk, and what happened there.

use crate::base::Arrange;
use crate::draw::Point;
use crate::draw::spacetime::arrows::Taken;
use crate::draw::spacetime::draw::Picture;
use crate::draw::spacetime::frame::{Frame, Row, TOP};
use crate::draw::spacetime::shape::{cross, polygon};
use crate::draw::surface::{Align, Lettering, Path, Stroke, Surface};
use crate::timeline::spacetime::{Event, LaneState, Stand, What};

/// How strongly the known future is drawn.
const FUTURE: f64 = 0.3;
/// How close marks of one kind may stand, CSS pixels.
const APART: f64 = 4.0;
/// With more than one mark to so many pixels of each lane, only those that matter are drawn.
const CROWD: f64 = 34.0;
/// The height of what hatches a pause, and of what a disk does.
const HATCH: f64 = 16.0;
const DISK: f64 = 5.0;

/// Draws the lines of all lanes.
pub(super) fn draw_lanes(surface: &mut dyn Surface, picture: &Picture, frame: &Frame) {
    for row in frame.rows.iter().filter(|row| row.y > TOP && row.y < frame.height) {
        let Some(lane) = picture.diagram.lanes().get(&row.node) else { continue };
        let turns = lane.turns();
        for (index, turn) in turns.iter().enumerate() {
            let next = turns.get(index + 1);
            let future = turn.seq >= picture.next_seq;
            let end = match next {
                Some(next) => next.at_us as f64,
                None => picture.end_us(),
            };
            let (from, now) = (turn.at_us as f64, picture.now_us);
            if future {
                draw_turn(surface, picture, frame, row, turn, (from, end), FUTURE);
                continue;
            }
            draw_turn(surface, picture, frame, row, turn, (from, end.min(now)), 1.0);
            if end > now {
                draw_turn(surface, picture, frame, row, turn, (now, end), FUTURE);
            }
        }
    }
}

/// A stretch of a lane. Its thickness is the role, its colour the epoch in which it serves.
fn draw_turn(
    surface: &mut dyn Surface,
    picture: &Picture,
    frame: &Frame,
    row: &Row,
    turn: &LaneState,
    (from, to): (f64, f64),
    alpha: f64,
) {
    let (from, to) = (frame.x(from).max(frame.left), frame.x(to).min(frame.width));
    if to <= from {
        return;
    }
    let (a, b) = (Point::new(from, row.y), Point::new(to, row.y));
    let mut path = Path::default();
    path.line(a, b);
    let palette = picture.palette;
    let serving = (turn.epoch > 0).then_some(turn.epoch);
    let colour = palette.epoch(serving).0;
    let (colour, width, dash, strength): (&str, f64, &[f64], f64) = match turn.stand {
        Stand::Down => (&palette.line, 1.0, &[1.5, 6.0], 1.0),
        Stand::Looking => (&palette.soft, 2.0, &[2.0, 5.0], 0.9),
        Stand::Following => (colour, if serving.is_some() { 3.0 } else { 2.0 }, &[], 0.85),
        Stand::Leading => (colour, if serving.is_some() { 8.0 } else { 5.0 }, &[], 0.95),
        Stand::Observing => (colour, 2.4, &[9.0, 4.0], 0.85),
        Stand::Standalone => (&palette.strong, 3.0, &[], 0.85),
        // without a connection, or asleep, it goes on believing
        Stand::Away | Stand::Connected if turn.holds > 0 && (turn.paused || turn.stand == Stand::Away) => {
            (&palette.bad, 7.0, &[5.0, 3.0], 0.9)
        }
        Stand::Away => (&palette.strong, 1.4, &[2.0, 5.0], 0.9),
        Stand::Connected if turn.holds > 0 => (&palette.ink, 7.0, &[], 0.9),
        Stand::Connected => (&palette.strong, 1.8, &[], 0.9),
    };
    if matches!(turn.stand, Stand::Looking) {
        let mut strip = Path::default();
        strip.rect(Point::new(from, row.y - HATCH / 2.0), to - from, HATCH, 0.0);
        surface.path(&strip, Some(&palette.soft), None, 0.13 * alpha);
    }
    if turn.paused {
        hatch(surface, picture, row, (from, to), alpha);
    }
    if !turn.paused || turn.holds > 0 {
        surface.path(&path, None, Some(Stroke { colour, width, dash }), strength * alpha);
    }
}

/// A process that stands still.
fn hatch(surface: &mut dyn Surface, picture: &Picture, row: &Row, (from, to): (f64, f64), alpha: f64) {
    let (top, bottom) = (row.y - HATCH / 2.0, row.y + HATCH / 2.0);
    let mut ground = Path::default();
    ground.rect(Point::new(from, top), to - from, HATCH, 0.0);
    surface.path(&ground, Some(&picture.palette.paper), None, alpha);
    let mut lines = Path::default();
    let mut x = (from / 7.0).ceil() * 7.0 - HATCH;
    while x < to {
        let (a, b) = (Point::new(x, bottom), Point::new(x + HATCH, top));
        let cut = |p: Point, x: f64| Point::new(x, p.y + (p.x - x));
        let a = if a.x < from { cut(a, from) } else { a };
        let b = if b.x > to { cut(b, to) } else { b };
        if b.x > a.x {
            lines.line(a, b);
        }
        x += 7.0;
    }
    surface.path(&lines, None, Some(Stroke { colour: &picture.palette.soft, width: 1.4, dash: &[] }), alpha);
}

/// How much an event matters: what matters more lies above, and is meant by a pointer.
pub(super) fn weight(event: &Event) -> u8 {
    use What::*;
    match event.what {
        Crashed | Exited | Killed | Ended | Established | Cut => 4,
        Committed | Started | Paused | Resumed | Acquired | Released | Expired | Refused | Wiped | PutBack => 3,
        Truncated | UnsyncedLost | Disconnected | Opened | Connected | Failed | Asked | Answered | Wrote | Healed => {
            2
        }
        Looking | Elected | UpToDate | Left | Proposed | Synced | EpochWritten | Snapshot | BackedUp => 1,
    }
}

/// Draws what happened on the lanes.
pub(super) fn draw_events(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, taken: &mut Taken) {
    let (from, to) = frame.span();
    // for every lane and weight: where the last mark stands
    let mut last = vec![[f64::NEG_INFINITY; 5]; frame.rows.len()];
    let mut disk = vec![f64::NEG_INFINITY; frame.rows.len()];
    let mut marks = Vec::new();
    for (_, event) in picture.diagram.events_in(from, to) {
        let x = frame.x(event.at_us as f64);
        let Some(row) = frame.row(event.node) else { continue };
        if event.took_us > 0 && x - disk[row] >= 1.0 {
            disk[row] = x;
            draw_sync(surface, picture, frame, event);
        }
        let weight = usize::from(weight(event));
        let apart = if weight == 3 { 2.0 * APART } else { APART };
        if (0..=frame.width as i64 + 8).contains(&(x as i64)) && x - last[row][weight] >= apart {
            last[row][weight] = x;
            marks.push((weight, x, event));
        }
    }
    for row in &frame.rows {
        if let Some((since, zxid)) = picture.diagram.syncing(row.node, picture.next_seq) {
            let bar = (since as f64, picture.now_us);
            draw_bar(surface, picture, frame, row.y, bar, (Some(zxid.epoch()), true, 1.0));
        }
    }
    // where there are too many, only those that matter
    let crowded = marks.len() as f64 > frame.rows.len() as f64 * (frame.width - frame.left) / CROWD;
    marks.retain(|(weight, ..)| !crowded || *weight > 2);
    marks.arrange_by_key(|(weight, ..)| *weight);
    for (_, x, event) in marks.into_iter().filter(|(.., event)| !event.is_of_a_link()) {
        draw_mark(surface, picture, frame, event, x);
        if event.what == What::Committed && event.seq < picture.next_seq {
            label(surface, picture, frame, event, x, taken);
        }
    }
}

/// Draws cuts and heals, which belong to no lane, on the axis.
pub(super) fn draw_link_marks(surface: &mut dyn Surface, picture: &Picture, frame: &Frame) {
    let (from, to) = frame.span();
    let mut last = [f64::NEG_INFINITY; 2];
    for (_, event) in picture.diagram.events_in(from, to).filter(|(_, event)| event.is_of_a_link()) {
        let x = frame.x(event.at_us as f64);
        let last = &mut last[usize::from(event.what == What::Cut)];
        if x - *last >= APART {
            *last = x;
            draw_mark(surface, picture, frame, event, x);
        }
    }
}

/// A sync of a disk: a bar below the lane.
fn draw_sync(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, event: &Event) {
    let Some(y) = frame.y(event.node) else { return };
    let (since, until) = ((event.at_us - u64::from(event.took_us)) as f64, event.at_us as f64);
    let done = event.seq < picture.next_seq;
    if !done && since < picture.now_us {
        return; // it is under way at the playhead, and drawn as that
    }
    let alpha = if done { 0.85 } else { FUTURE };
    draw_bar(surface, picture, frame, y, (since, until), (event.epoch(), false, alpha));
}

fn draw_bar(
    surface: &mut dyn Surface,
    picture: &Picture,
    frame: &Frame,
    y: f64,
    (since, until): (f64, f64),
    (epoch, open, alpha): (Option<u32>, bool, f64),
) {
    let from = frame.x(since).max(frame.left - 2.0);
    let to = frame.x(until).min(frame.width + 2.0).max(from + 1.5);
    if from > frame.width || to < frame.left || y < TOP {
        return;
    }
    let mut path = Path::default();
    path.rect(Point::new(from, y + 7.0), to - from, DISK, 1.5);
    let colour = picture.palette.epoch(epoch).0;
    match open {
        true => surface.path(
            &path,
            Some(&picture.palette.paper),
            Some(Stroke { colour, width: 1.4, dash: &[3.0, 2.0] }),
            alpha,
        ),
        false => surface.path(&path, Some(colour), None, alpha),
    }
}

fn draw_mark(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, event: &Event, x: f64) {
    use What::*;
    let y = if event.is_of_a_link() { TOP - 5.0 } else { frame.y(event.node).unwrap_or(-99.0) };
    if x < frame.left || y < TOP - 6.0 {
        return;
    }
    let at = Point::new(x, y);
    let palette = picture.palette;
    let alpha = if event.seq < picture.next_seq { 1.0 } else { FUTURE };
    let mut path = Path::default();
    let (bad, ink_, paper, soft) = (&*palette.bad, &*palette.ink, &*palette.paper, &*palette.soft);
    let own = palette.epoch(event.epoch()).0;
    let edge = |colour, width| Some(Stroke { colour, width, dash: &[] });
    match event.what {
        Crashed | Exited | Killed | Ended => {
            cross(&mut path, at, 6.5);
            surface.path(&path, None, edge(paper, 7.0), alpha);
            surface.path(&path, None, edge(bad, 3.4), alpha);
        }
        Started | Opened => {
            path.circle(at, 5.0);
            surface.path(&path, Some(paper), edge(ink_, 2.0), alpha);
        }
        Established => {
            path.circle(at, 8.0);
            surface.path(&path, Some(own), edge(paper, 2.5), alpha);
        }
        Committed => {
            polygon(&mut path, at, 7.5, 4, 0.0);
            surface.path(&path, Some(own), edge(paper, 1.8), alpha);
        }
        Paused => {
            path.rect(Point::new(x - 5.0, y - 7.0), 3.5, 14.0, 0.0).rect(
                Point::new(x + 1.5, y - 7.0),
                3.5,
                14.0,
                0.0,
            );
            surface.path(&path, Some(ink_), edge(paper, 1.0), alpha);
        }
        Resumed => {
            polygon(&mut path, at, 7.0, 3, 0.0);
            surface.path(&path, Some(ink_), edge(paper, 1.0), alpha);
        }
        Acquired | Released => {
            path.rect(Point::new(x - 4.5, y - 6.0), 9.0, 12.0, 1.5);
            surface.path(&path, Some(if event.what == Acquired { ink_ } else { paper }), edge(ink_, 2.0), alpha);
        }
        Asked | Answered | Failed => {
            let (turn, dy) = if event.what == Asked { (0.5, -9.0) } else { (-0.5, -9.0) };
            polygon(&mut path, Point::new(x, y + dy), 5.5, 3, turn * std::f64::consts::PI);
            surface.path(&path, Some(if event.what == Failed { bad } else { soft }), edge(paper, 1.0), alpha);
        }
        Cut | Healed => {
            polygon(&mut path, at, 5.5, 3, if event.what == Cut { 0.5 } else { -0.5 } * std::f64::consts::PI);
            surface.path(&path, Some(if event.what == Cut { bad } else { soft }), None, alpha);
        }
        Wiped | PutBack | Truncated | UnsyncedLost | Expired | Disconnected | Refused => {
            path.rect(Point::new(x - 4.0, y - 4.0), 8.0, 8.0, 1.0);
            surface.path(&path, Some(paper), edge(bad, 2.0), alpha);
        }
        Looking | Elected | UpToDate | Left | Proposed | Synced | EpochWritten | Snapshot | BackedUp | Connected
        | Wrote => {
            path.circle(at, 2.8);
            surface.path(&path, Some(own), edge(paper, 1.0), alpha);
        }
    }
}

/// The zxid above a commit, where there is room.
fn label(surface: &mut dyn Surface, picture: &Picture, frame: &Frame, event: &Event, x: f64, taken: &mut Taken) {
    let Some(y) = frame.y(event.node).filter(|_| frame.pitch >= 34.0) else { return };
    let text = event.about();
    let (size, above) = (12.5, y - 14.0);
    let half = text.len() as f64 * size * 0.31;
    let free = above > TOP + 6.0 && x - half > frame.left && x + half < frame.width;
    if free && taken.take(Point::new(x, above - 4.0), half + 2.0, 8.0) {
        let style = Lettering {
            colour: &picture.palette.ink,
            size,
            weight: 700,
            font: &picture.palette.mono,
            align: Align::Middle,
            halo: Some(&picture.palette.paper),
        };
        surface.text(&text, Point::new(x, above), &style);
    }
}
