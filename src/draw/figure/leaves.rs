//! The tree, its watches, sessions that drain, and the Stat that moves.

use crate::base::ClientId;
use crate::draw::layout::Point;
use crate::draw::stage::brush::{Brush, Hand};
use crate::draw::stage::cards::fitted;
use crate::draw::stage::{FigureWord, Picture};
use crate::draw::surface::{Align, Path, Stretch};
use crate::view::figure::{Copy, LastCall, Leaf, Life, Session, Store, Value};
use crate::wire::parent_of;

use super::picture::{bell, small, ticket_shape};
use super::plan::{Frame, Plan};
use super::tree::WATCHES;

pub(super) fn draw(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, store: &Store) {
    edges(brush, plan, store);
    for leaf in &store.leaves {
        leash(brush, plan, store, leaf);
    }
    for leaf in &store.leaves {
        if let Some(frame) = plan.node(&leaf.path) {
            self::leaf(brush, plan, store, (leaf, &frame));
            notes(brush, picture, plan, (leaf, &frame));
        }
    }
    for (id, frame) in &plan.bars {
        if let Some(session) = store.sessions.iter().find(|session| session.client == *id) {
            bar(brush, picture, (session, plan.beside), frame);
            if let Some(known) = &session.copy {
                copy(brush, picture, (known, plan.beside), frame);
            }
        }
    }
    for (id, frame) in &plan.calls {
        let session = store.sessions.iter().find(|session| session.client == *id);
        if let Some(call) = session.and_then(|session| session.call.as_ref()) {
            last_call(brush, plan, call, frame);
        }
    }
    if let Some(frame) = &plan.stat {
        stat(brush, picture, plan, store, frame);
    }
    values(brush, picture, plan, store);
}

/// From each parent to its children: down, across, down.
fn edges(brush: &mut Brush<'_>, plan: &Plan, store: &Store) {
    let colour = &brush.palette.line;
    let path = brush.path();
    for leaf in &store.leaves {
        let ends = parent_of(&leaf.path).and_then(|parent| Some((plan.node(parent)?, plan.node(&leaf.path)?)));
        let Some((parent, child)) = ends.filter(|_| leaf.path.len() > 1) else { continue };
        let (from, to) = (Point::new(parent.middle.x, parent.bottom()), Point::new(child.middle.x, child.top()));
        let half = (to.y - from.y) * 0.6;
        path.0.push(Stretch::Move(from));
        path.0.push(Stretch::Curve(Point::new(from.x, from.y + half), Point::new(to.x, to.y - half), to));
    }
    brush.stroke(colour, 1.5, &[], 1.0);
}

/// Whether little is left of a session.
fn is_late(session: &Session) -> bool {
    session.left.is_some_and(|(left, of)| left * 4 < of)
}

/// From an ephemeral node to the session on which it hangs.
fn leash(brush: &mut Brush<'_>, plan: &Plan, store: &Store, leaf: &Leaf) {
    let Life::Session(Some(client)) = leaf.life else { return };
    let bar = plan.bars.iter().find(|(id, _)| *id == client).map(|(_, frame)| *frame);
    let (Some(bar), Some(node)) = (bar, plan.node(&leaf.path)) else { return };
    let late = store.sessions.iter().find(|session| session.client == client).is_some_and(is_late);
    let palette = brush.palette;
    let colour = if late { &palette.bad } else { &palette.soft };
    let below = plan.seat(client).filter(|seat| bar.top() > seat.middle.y);
    let (from, to) = if let Some(seat) = below {
        (Point::new(seat.middle.x, seat.top() - 2.0), Point::new(node.middle.x, node.bottom() + 2.0))
    } else {
        // under whoever stands in between
        let to = Point::new(node.middle.x - node.width * 0.3, node.bottom() + 2.0);
        (Point::new(bar.corner().x + bar.width + 4.0, bar.middle.y), to)
    };
    let path = brush.path();
    path.0.push(Stretch::Move(from));
    let half = Point::new(from.x + (to.x - from.x) * 0.5, from.y.max(to.y));
    path.0.push(match below {
        Some(_) => Stretch::Curve(Point::new(from.x, from.y - 26.0), Point::new(to.x, to.y + 26.0), to),
        None => Stretch::Curve(Point::new(half.x, half.y + 20.0), Point::new(to.x, to.y + 56.0), to),
    });
    brush.stroke(colour, 1.6, &[2.0, 4.0], 1.0);
}

fn outline(path: &mut Path, leaf: &Leaf, frame: &Frame) {
    match leaf.life {
        _ if leaf.numbered => ticket_shape(path, frame),
        Life::Session(_) => drop(path.rect(frame.corner(), frame.width, frame.height, frame.height / 2.0)),
        Life::Persistent | Life::Passing => drop(path.rect(frame.corner(), frame.width, frame.height, 7.0)),
    }
}

fn leaf(brush: &mut Brush<'_>, plan: &Plan, store: &Store, (leaf, frame): (&Leaf, &Frame)) {
    let palette = brush.palette;
    let size = plan.ticketing.type_size;
    if store.subject.as_ref() == Some(&leaf.path) {
        let ring = Frame { width: frame.width + 9.0, height: frame.height + 9.0, ..*frame };
        outline(brush.path(), leaf, &ring);
        brush.stroke(&palette.focus, 3.0, &[], 1.0);
    }
    outline(brush.path(), leaf, frame);
    brush.fill(&palette.panel, 1.0);
    let dash: &[f64] = match leaf.life {
        Life::Persistent => &[],
        Life::Session(_) => &[2.0, 3.5],
        Life::Passing => &[7.0, 4.0],
    };
    let (edge, dash) = match leaf.life {
        _ if !leaf.there => (&palette.bad, &[4.0, 4.0][..]),
        Life::Persistent => (&palette.strong, dash),
        _ => (&palette.ink, dash),
    };
    brush.stroke(edge, 1.7, dash, 1.0);
    let hand = Hand::new(size).weight(700).mono();
    if !leaf.there {
        // struck out: it was there a moment ago
        let half = brush.width(&leaf.name, hand) / 2.0 + 3.0;
        brush.words(&leaf.name, frame.middle, hand.align(Align::Middle), &palette.bad);
        let at = |x: f64| Point::new(frame.middle.x + x, frame.middle.y);
        brush.path().line(at(-half), at(half));
        return brush.stroke(&palette.bad, 1.8, &[], 1.0);
    }
    let y = frame.middle.y - if leaf.data.is_empty() { 0.0 } else { size * 0.62 };
    if leaf.version > 0 {
        let left = frame.corner().x + 12.0;
        brush.words(&leaf.name, Point::new(left, y), hand, &palette.ink);
        let right = Point::new(frame.corner().x + frame.width - 12.0, y);
        brush.words(
            &format!("v{}", leaf.version),
            right,
            Hand::new(size * 0.93).mono().align(Align::Right),
            &palette.soft,
        );
    } else {
        brush.words(&leaf.name, Point::new(frame.middle.x, y), hand.align(Align::Middle), &palette.ink);
    }
    let hand = Hand::new(size * 0.95).mono().align(Align::Middle);
    brush.words(&leaf.data, Point::new(frame.middle.x, frame.middle.y + size * 0.72), hand, &palette.ink);
}

/// Below a node: who watches it and at which server, and how many children have no place.
fn notes(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, (leaf, frame): (&Leaf, &Frame)) {
    let palette = brush.palette;
    let size = small(picture).max(plan.ticketing.type_size * 0.8);
    let step = plan.ticketing.type_size * 1.35;
    let mut y = frame.bottom() + step * 0.75;
    let own: Vec<_> = plan.figure.tethers.iter().filter(|tether| tether.path == leaf.path).collect();
    for tether in own.iter().take(WATCHES) {
        let text = format!("{} · {}", tether.client, tether.server);
        let hand = Hand::new(size);
        let wide = brush.width(&text, hand) + size + 6.0;
        let left = frame.middle.x - wide / 2.0;
        bell(brush, Point::new(left + size * 0.5, y), size * 0.46, tether.fired.is_none());
        brush.label(&text, Point::new(left + size + 6.0, y + size * 0.36), hand, &palette.soft);
        y += step;
    }
    if own.len() > WATCHES {
        let more = format!("+{}", own.len() - WATCHES);
        let at = Point::new(frame.middle.x, y + size * 0.36);
        brush.label(&more, at, Hand::new(size).align(Align::Middle), &palette.soft);
    }
    if let Some((_, count)) = plan.more.iter().find(|(of, _)| of == frame) {
        if own.len() > WATCHES {
            y += step;
        }
        let hand = Hand::new(size).weight(700).align(Align::Middle);
        brush.label(&format!("+{count}"), Point::new(frame.middle.x, y + size * 0.36), hand, &palette.soft);
    }
}

/// A session that is narrower has one line below it.
const TWO_LINES: f64 = 120.0;

/// Where words stand beside a tree: what programs know, who watches, what servers have. Packets' words keep away.
pub(super) fn written(picture: &Picture<'_>, plan: &Plan, store: &Store) -> Vec<Frame> {
    let size = plan.beside;
    let knows = |id: &ClientId| store.sessions.iter().any(|session| session.client == *id && session.copy.is_some());
    let copies = plan.bars.iter().filter(|(id, _)| knows(id)).map(|(_, frame)| {
        Frame::around(Point::new(frame.middle.x, frame.middle.y + size * 2.4), (frame.width, size * 2.4))
    });
    let watched = plan.tickets.iter().filter_map(|(path, frame)| {
        let lines = store.watched.get(path).copied().unwrap_or(0).min(WATCHES + 1) as f64;
        let high = lines * plan.ticketing.type_size * 1.35;
        let middle = Point::new(frame.middle.x, frame.bottom() + high / 2.0);
        (lines > 0.0).then(|| Frame::around(middle, (frame.width.max(size * 6.0), high)))
    });
    let (wide, high) = picture.layout.density.card();
    let values = store.values.iter().map(|(server, _)| {
        let middle = picture.layout.place(*server);
        Frame::around(Point::new(middle.x, middle.y - high / 2.0 - size * 0.85), (wide, size))
    });
    copies.chain(watched).chain(values).collect()
}

/// What a client's program knows of the tree, below its session; in red where the tree has become another one.
fn copy(brush: &mut Brush<'_>, picture: &Picture<'_>, (copy, size): (&Copy, f64), frame: &Frame) {
    let palette = brush.palette;
    let hand = Hand::new(size).weight(if copy.old { 700 } else { 600 });
    let at = Point::new(frame.corner().x, frame.middle.y + size * 2.35);
    let colour = if copy.old { &palette.bad } else { &palette.ink };
    let said = picture.words.figure(FigureWord::Copy(&copy.text));
    // a second line where there is room for it; it is cut where the first is full
    let lines = if frame.width < TWO_LINES { 1 } else { 2 };
    let (mut line, mut y) = (String::new(), at.y);
    let mut words = said.split(' ').peekable();
    for last in (1..=lines).map(|number| number == lines) {
        while let Some(word) = words
            .next_if(|word| last || line.is_empty() || brush.width(&format!("{line} {word}"), hand) <= frame.width)
        {
            line = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
        }
        let text = fitted(brush, &std::mem::take(&mut line), hand, frame.width);
        brush.label(&text, Point::new(at.x, y), hand, colour);
        y += size * 1.2;
    }
}

/// What a client asked for last, as in a console, and what came back: an error in red.
fn last_call(brush: &mut Brush<'_>, plan: &Plan, call: &LastCall, frame: &Frame) {
    let palette = brush.palette;
    let size = plan.beside;
    let hand = Hand::new(size).mono();
    let (answer, colour) = match &call.answer {
        None => ("…", &palette.soft),
        Some(Ok(answer)) => (answer.as_str(), &palette.ink),
        Some(Err(error)) => (error.as_str(), &palette.bad),
    };
    let mut at = Point::new(frame.corner().x, frame.top() + size * 1.3);
    let asked = fitted(brush, &format!("> {}", call.asked), hand, frame.width);
    brush.label(&asked, at, hand, &palette.soft);
    at.y += size * 1.35;
    let answer = fitted(brush, &format!("  {answer}"), hand.weight(600), frame.width);
    brush.label(&answer, at, hand.weight(600), colour);
}

/// What is left of a session's time.
fn bar(brush: &mut Brush<'_>, picture: &Picture<'_>, (session, size): (&Session, f64), frame: &Frame) {
    let palette = brush.palette;
    let Some((left, of)) = session.left else {
        let server = session.server.map(|server| server.to_string()).unwrap_or_default();
        if session.over {
            let hand = Hand::new(size).weight(600);
            let at = Point::new(frame.corner().x, frame.middle.y);
            return brush.words(&picture.words.figure(FigureWord::Over), at, hand, &palette.bad);
        }
        brush.words(&server, Point::new(frame.corner().x, frame.middle.y), Hand::new(size), &palette.soft);
        return;
    };
    let colour = if is_late(session) { &palette.bad } else { &palette.good };
    let line = Point::new(frame.corner().x, frame.middle.y - size * 0.5);
    brush.path().rect(Point::new(line.x, line.y - 4.0), frame.width, 8.0, 4.0);
    brush.fill(&palette.faint, 1.0);
    let share = (left as f64 / of as f64).min(1.0);
    brush.path().rect(Point::new(line.x, line.y - 4.0), (frame.width * share).max(4.0), 8.0, 4.0);
    brush.fill(colour, 1.0);
    let server = session.server.map(|server| format!("{server} · ")).unwrap_or_default();
    let text = format!("{server}{}.{} s", left / 10, left % 10);
    let ink = if is_late(session) { colour } else { &palette.soft };
    brush.words(&text, Point::new(line.x, line.y + 4.0 + size * 0.85), Hand::new(size), ink);
}

fn stat(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, store: &Store, frame: &Frame) {
    let palette = brush.palette;
    let size = plan.beside;
    let Point { x: left, y: top } = frame.corner();
    let narrow = frame.width > frame.height * 1.6;
    // strings and leashes pass below it
    brush.path().rect(frame.corner(), frame.width, frame.height, 6.0);
    brush.fill(&palette.paper, 0.9);
    let path = store.subject.as_deref().unwrap_or_default();
    let short = format!("…/{}", path.rsplit('/').next().unwrap_or_default());
    let titles = [path, &short].map(|path| picture.words.figure(FigureWord::Stat(path)));
    let hand = Hand::new(size + 1.0).weight(700);
    let fits = titles.iter().find(|title| brush.width(title, hand) <= frame.width - 16.0);
    let at = Point::new(left + 10.0, top + size * 0.8);
    brush.words(fits.unwrap_or(&titles[1]), at, hand, &palette.ink);
    let (columns, head) = if narrow { (2, size * 2.0) } else { (1, size * 3.2) };
    let rows = store.stat.len().div_ceil(columns);
    let pitch = (frame.height - head) / rows as f64;
    let wide = frame.width / columns as f64 - if narrow { 8.0 } else { 0.0 };
    if !narrow {
        let moved = store.stat.iter().filter(|field| field.moved).count();
        let count = picture.words.figure(FigureWord::Moved(moved, store.stat.len()));
        brush.words(&count, Point::new(left + 10.0, top + size * 2.2), Hand::new(small(picture)), &palette.soft);
    }
    let (e1, _) = palette.epoch(Some(1));
    for (index, field) in store.stat.iter().enumerate() {
        let x = left + (index / rows) as f64 * (wide + 16.0);
        let y = top + head + (index % rows) as f64 * pitch;
        if field.moved {
            brush.path().rect(Point::new(x, y + 1.0), wide, pitch - 2.0, 4.0);
            brush.fill(e1, 0.2);
            brush.path().rect(Point::new(x, y + 1.0), 3.0, pitch - 2.0, 0.0);
            brush.fill(e1, 1.0);
        }
        let (weight, ink) = if field.moved { (700, &palette.ink) } else { (400, &palette.soft) };
        let hand = Hand::new(if narrow { size } else { size * 0.96 }).weight(weight).mono();
        let middle = y + pitch / 2.0;
        brush.words(field.name, Point::new(x + 10.0, middle), hand, ink);
        brush.words(&field.value, Point::new(x + wide - 6.0, middle), hand.align(Align::Right), ink);
    }
}

/// A text that is no wider: the end is kept, which is a version.
fn within(brush: &mut Brush<'_>, text: String, hand: Hand, wide: f64) -> String {
    if brush.width(&text, hand) <= wide {
        return text;
    }
    let letters: Vec<char> = text.chars().collect();
    let most = ((wide / (hand.size * 0.6)) as usize).max(6);
    let end = letters.iter().rposition(|letter| *letter == ' ').map_or(letters.len(), |at| at);
    let tail = letters.iter().skip(end);
    let head = letters.iter().take(most.saturating_sub(letters.len() - end + 1));
    head.chain(std::iter::once(&'…')).chain(tail).collect()
}

/// What each server has of the node that changed last, above its card.
fn values(brush: &mut Brush<'_>, picture: &Picture<'_>, plan: &Plan, store: &Store) {
    let (palette, size) = (brush.palette, plan.beside);
    let newest = store.subject.as_deref().and_then(|path| store.leaves.iter().find(|leaf| *leaf.path == *path));
    let newest: Value = newest.map(|leaf| (leaf.data.clone(), leaf.version));
    let alike = store.values.iter().all(|(_, value)| value.is_none() || *value == Some(newest.clone()));
    if alike && newest.as_ref().is_none_or(|(data, _)| data.is_empty()) {
        return;
    }
    let (wide, high) = picture.layout.density.card();
    for (server, value) in &store.values {
        let Some(value) = value else { continue };
        let text = match value {
            Some((data, version)) if data.is_empty() => format!("v{version}"),
            Some((data, version)) => format!("{data} v{version}"),
            None => "—".to_string(),
        };
        let middle = picture.layout.place(*server);
        let at = Point::new(middle.x, middle.y - high / 2.0 - size * 0.85);
        let text = within(brush, text, Hand::new(size).mono(), wide + 6.0);
        let behind = *value != newest;
        let hand = Hand::new(size).weight(if behind { 700 } else { 400 }).mono().align(Align::Middle);
        brush.words(&text, at, hand, if behind { &palette.bad } else { &palette.soft });
    }
}
