//! Finds places for a store: the tree in the middle, sessions at the left with what is left of their time, the Stat of the node that
//! changed last at the right. On a narrow stage they stand below each other.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::base::ClientId;
use crate::draw::layout::{Chip, Point, Seat};
use crate::view::figure::{Leaf, Life, Store};
use crate::wire::parent_of;

use super::arrange::Area;
use super::plan::{Frame, Plan, Ticketing};

/// A narrower stage has its parts below each other; one that is not so wide has no Stat.
const NARROW: f64 = 640.0;
const WIDE: f64 = 860.0;
/// From this size on, letters beside the tree are larger.
const ROOMY: (f64, f64) = (1_000.0, 280.0);
/// The sizes of letters in the tree, the largest first, as far as they are larger than those beside it.
const SIZES: [f64; 4] = [28.0, 22.0, 18.0, 15.0];
/// How high a line below a node is, over the size of its letters.
const LINE: f64 = 1.35;
/// How high a client's last call is, over the size of its letters.
const CALL_LINES: f64 = 2.8;
/// So many watches of a node are told one by one.
pub(super) const WATCHES: usize = 2;

/// Places everything; returns the size of the clients' chips.
pub(super) fn store(plan: &mut Plan, mut area: Area, seats: &[Seat], hall: bool) -> Chip {
    let Some(store) = plan.figure.store.clone() else { return Chip::Full };
    let narrow = area.width() < NARROW;
    let roomy = area.width() >= ROOMY.0 && area.height() >= ROOMY.1;
    let beside = match (hall, narrow) {
        (true, _) => 20.0,
        (false, true) => 12.0,
        (false, false) => {
            if roomy {
                15.0
            } else {
                13.0
            }
        }
    };
    plan.beside = beside;
    plan.ticketing = Ticketing { size: (0.0, 0.0), gap: (16.0, 24.0), type_size: beside };
    let known: Vec<ClientId> = seats
        .iter()
        .map(|seat| seat.client)
        .filter(|id| store.sessions.iter().any(|one| one.client == *id))
        .collect();
    let copies = store.sessions.iter().any(|session| session.copy.is_some());
    let chip = match narrow {
        true => row(plan, &mut area, &known, copies),
        false => column(plan, &mut area, &known, (hall, copies, roomy)),
    };
    stat(plan, &mut area, &store, narrow);
    // the largest letters with which nothing of the tree is left out
    let forest =
        |type_size| Forest { store: &store, type_size, hidden: BTreeSet::new(), above: BTreeSet::new(), area };
    let sizes =
        SIZES.into_iter().filter(|size| *size > beside && *size <= beside + if hall { 8.0 } else { 7.0 } && !narrow);
    let size = sizes.into_iter().find(|size| forest(*size).is_whole(plan)).unwrap_or(beside);
    plan.ticketing.type_size = size;
    forest(size).plant(plan);
    chip
}

/// Sessions in a column at the left, with room beside them for copies of the tree.
fn column(plan: &mut Plan, area: &mut Area, clients: &[ClientId], (hall, copies, roomy): (bool, bool, bool)) -> Chip {
    let bar = match (hall, copies) {
        (true, false) => 150.0,
        (true, true) => 250.0,
        (false, false) => 92.0,
        (false, true) if roomy => 200.0,
        (false, true) => 168.0,
    };
    let count = clients.len().max(1) as f64;
    let chip = match count * 62.0 <= area.height() {
        _ if hall => Chip::Hall,
        true if roomy && count * 126.0 <= area.height() => Chip::Large,
        true => Chip::Full,
        false => Chip::Compact,
    };
    let (wide, high) = chip.size();
    let most = ((area.height() / (high + 8.0)) as usize).max(1);
    let count = clients.len().min(most);
    let share = area.height() / count.max(1) as f64;
    // two lines below each session say what was asked and answered; what a program knows stands there otherwise
    let size = plan.ticketing.type_size;
    let called = (!copies && share >= high + CALL_LINES * size + 14.0).then_some(CALL_LINES * size + 4.0);
    let pitch = share.min(high + called.unwrap_or(0.0) + 26.0);
    let top = area.middle().y - pitch * count as f64 / 2.0;
    for (index, id) in clients.iter().take(count).enumerate() {
        let line = top + pitch * (index as f64 + 0.5) - called.unwrap_or(0.0) / 2.0;
        let middle = Point::new(area.left + wide / 2.0, line);
        plan.clients.push((*id, Frame::around(middle, (wide, high))));
        let at = Point::new(area.left + wide + 10.0 + bar / 2.0, middle.y);
        plan.bars.push((*id, Frame::around(at, (bar, high))));
        if let Some(call) = called {
            let below = Point::new(area.left + (wide + 10.0 + bar) / 2.0, line + (high + call) / 2.0);
            plan.calls.push((*id, Frame::around(below, (wide + 10.0 + bar, call))));
        }
    }
    area.left += wide + bar + 34.0;
    chip
}

/// Sessions in a row at the bottom, each with its bar below it.
fn row(plan: &mut Plan, area: &mut Area, clients: &[ClientId], copies: bool) -> Chip {
    let below = if copies { 42.0 } else { 24.0 };
    let (wide, high) = Chip::Compact.size();
    let count = clients.len().min(((area.width() + 8.0) / (wide + 8.0)) as usize);
    let left = area.middle().x - (count as f64 * (wide + 8.0) - 8.0) / 2.0;
    for (index, id) in clients.iter().take(count).enumerate() {
        let x = left + index as f64 * (wide + 8.0) + wide / 2.0;
        let y = area.bottom - below - high / 2.0;
        plan.clients.push((*id, Frame::around(Point::new(x, y), (wide, high))));
        plan.bars.push((*id, Frame::around(Point::new(x, area.bottom - below + 14.0), (wide - 4.0, 24.0))));
    }
    if count > 0 {
        area.bottom -= high + below + 12.0;
    }
    Chip::Compact
}

/// The Stat: a column at the right, or on a narrow stage two short ones below the tree, where there is room.
fn stat(plan: &mut Plan, area: &mut Area, store: &Store, narrow: bool) {
    let size = plan.ticketing.type_size;
    // its place is kept free where no node is left: the tree does not jump
    let rows = store.stat.len().max(11) as f64;
    if narrow {
        let high = (rows / 2.0).ceil() * size * 1.4 + size * 2.0;
        let forest = Forest { store, type_size: size, hidden: BTreeSet::new(), above: BTreeSet::new(), area: *area };
        if !store.stat.is_empty() && area.height() > high + 10.0 + forest.height(plan) {
            let middle = Point::new(area.middle().x, area.bottom - high / 2.0);
            plan.stat = Some(Frame::around(middle, (area.width(), high)));
            area.bottom -= high + 10.0;
        }
        return;
    }
    let pitch = ((area.height() - size * 3.2) / rows).min(size * 1.85);
    if area.width() < WIDE - 280.0 {
        return;
    }
    // a low stage has it in two columns, if the tree loses nothing by it
    let forest = Forest { store, type_size: size, hidden: BTreeSet::new(), above: BTreeSet::new(), area: *area };
    let tree = store.leaves.first().map_or(0.0, |root| forest.width(root));
    let half = (rows / 2.0).ceil() * size * 1.3 + size * 2.0;
    let (wide, high) = match pitch >= size * 1.25 {
        true => (size * 18.0, size * 3.2 + rows * pitch),
        false if half <= area.height() && area.width() > size * 29.0 + 20.0 + tree => (size * 29.0, half),
        false => return,
    };
    let middle = Point::new(area.right - wide / 2.0, area.middle().y);
    plan.stat = Some(Frame::around(middle, (wide, high))).filter(|_| !store.stat.is_empty());
    area.right -= wide + 20.0;
}

/// The only child of a node that did not change last.
fn only_child<'a>(store: &'a Store, leaf: &Leaf) -> Option<&'a Leaf> {
    let mut children = store.leaves.iter().filter(|one| parent_of(&one.path) == Some(&*leaf.path));
    let only = children.next().filter(|_| leaf.more == 0 && store.subject.as_ref() != Some(&leaf.path))?;
    children.next().is_none().then_some(only)
}

/// The tree while it finds its places.
struct Forest<'a> {
    store: &'a Store,
    type_size: f64,
    hidden: BTreeSet<Rc<str>>,
    /// What stands above the first node that is shown.
    above: BTreeSet<Rc<str>>,
    area: Area,
}

impl Forest<'_> {
    /// Whether all of it has room.
    fn is_whole(&self, plan: &Plan) -> bool {
        let Some(root) = self.store.leaves.first() else { return true };
        self.width(root) <= self.area.width() && self.height(plan) <= self.area.height()
    }

    fn plant(mut self, plan: &mut Plan) {
        let Some(mut root) = self.store.leaves.first() else { return };
        // a low stage begins where the tree branches: what stands above has but one child each, down to the node that changed
        while self.height(plan) > self.area.height()
            && let Some(below) = only_child(self.store, root)
        {
            self.above.insert(root.path.clone());
            root = below;
        }
        while self.width(root) > self.area.width() && self.hide_widest() {}
        while self.height(plan) > self.area.height() && self.hide_deepest() {}
        let spare = (self.area.height() - self.height(plan)).max(0.0);
        let levels = self.levels().max(1) as f64;
        let airier = (spare / levels).min(30.0);
        let top = self.area.top + (spare - airier * (levels - 1.0)) * 0.4;
        let mut left = vec![(root, self.area.middle().x - self.width(root) / 2.0, Forest::level_of(root), top)];
        while let Some((leaf, x, level, y)) = left.pop() {
            let (wide, high) = self.size(leaf);
            let whole = self.width(leaf);
            let frame = Frame::around(Point::new(x + whole / 2.0, y + high / 2.0), (wide, high));
            plan.tickets.push((leaf.path.clone(), frame));
            let below = y + self.level_height(plan, level) + plan.ticketing.gap.1 + airier;
            let children: Vec<&Leaf> = self.shown(leaf).collect();
            let all: f64 = children.iter().map(|child| self.width(child) + plan.ticketing.gap.0).sum();
            let mut at = x + (whole - (all - plan.ticketing.gap.0).max(0.0)) / 2.0;
            let hidden = self.store.children(&leaf.path).count() - children.len() + leaf.more;
            if hidden > 0 {
                plan.more.push((frame, hidden));
            }
            for child in children {
                left.push((child, at, level + 1, below));
                at += self.width(child) + plan.ticketing.gap.0;
            }
        }
    }

    fn shown<'a>(&'a self, leaf: &'a Leaf) -> impl Iterator<Item = &'a Leaf> {
        self.store.children(&leaf.path).filter(|child| !self.hidden.contains(&child.path))
    }

    /// How large a node is: its name and version, and below them its data.
    fn size(&self, leaf: &Leaf) -> (f64, f64) {
        let letter = self.type_size * 0.62;
        let version = if leaf.version > 0 { 4.0 } else { 0.0 };
        // with large letters a node is wide even where its name is short
        let least = (self.type_size - 13.0).max(0.0) * 11.0;
        let name = (leaf.name.chars().count() as f64 + version) * letter;
        let data = leaf.data.chars().count() as f64 * letter * 0.95;
        let high = if leaf.data.is_empty() { 2.3 } else { 3.5 };
        let round = if matches!(leaf.life, Life::Session(_)) { 12.0 } else { 0.0 };
        ((name.max(data) + 26.0 + round).max(least), self.type_size * high)
    }

    fn width(&self, leaf: &Leaf) -> f64 {
        const GAP: f64 = 16.0;
        let below: f64 = self.shown(leaf).map(|child| self.width(child) + GAP).sum();
        self.size(leaf).0.max(if self.notes(leaf) > 0.0 { self.type_size * 5.6 } else { 0.0 }).max(below - GAP)
    }

    /// How much stands below a node: room for its watches, whether there are any now or not.
    fn notes(&self, leaf: &Leaf) -> f64 {
        let watched = |leaf: &Leaf| self.store.watched.get(&leaf.path).copied().unwrap_or(0);
        let cut = usize::from(leaf.more > 0 || self.shown(leaf).count() < self.store.children(&leaf.path).count());
        (watched(leaf).min(WATCHES + 1) + cut) as f64 * self.type_size * LINE
    }

    fn level_of(leaf: &Leaf) -> usize {
        if &*leaf.path == "/" { 0 } else { leaf.path.matches('/').count() }
    }

    fn all(&self) -> impl Iterator<Item = &Leaf> {
        let gone = |path: &str| {
            self.hidden.iter().any(|hidden| path == &**hidden || path.starts_with(&format!("{hidden}/")))
        };
        self.store.leaves.iter().filter(move |leaf| !gone(&leaf.path) && !self.above.contains(&leaf.path))
    }

    fn levels(&self) -> usize {
        self.all().map(Forest::level_of).max().map_or(0, |level| level + 1)
    }

    fn level_height(&self, _plan: &Plan, level: usize) -> f64 {
        let here = self.all().filter(|leaf| Forest::level_of(leaf) == level);
        here.map(|leaf| self.size(leaf).1 + self.notes(leaf)).fold(0.0, f64::max)
    }

    fn height(&self, plan: &Plan) -> f64 {
        let levels = self.levels();
        let gaps = levels.saturating_sub(1 + self.above.len()) as f64 * plan.ticketing.gap.1;
        (0..levels).map(|level| self.level_height(plan, level)).sum::<f64>() + gaps
    }

    /// The node with most children loses the last of them; whether there was one.
    fn hide_widest(&mut self) -> bool {
        let widest =
            self.all().filter_map(|leaf| Some((self.shown(leaf).count(), self.shown(leaf).last()?.path.clone())));
        let found = widest.max_by_key(|(count, _)| *count).map(|(_, path)| path);
        found.is_some_and(|path| self.hidden.insert(path))
    }

    fn hide_deepest(&mut self) -> bool {
        let level = self.levels().saturating_sub(1);
        let deepest: Vec<Rc<str>> = self
            .all()
            .filter(|leaf| level > 0 && Forest::level_of(leaf) == level)
            .map(|leaf| leaf.path.clone())
            .collect();
        let some = !deepest.is_empty();
        self.hidden.extend(deepest);
        some
    }
}
