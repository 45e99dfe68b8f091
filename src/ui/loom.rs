//! The space-time view between two renders: which stretch is looked at, what was drawn, what hands do. The component hears
//! of it only where words change; everything else is painted.

use std::cell::RefCell;
use std::rc::Rc;

use crate::base::{MsgId, Node, SimTime};
use crate::i18n::Lang;
use crate::view::weave::{Chosen, FINGER, Hit, Moment, Order, Picture, REACH, Shown, Window, draw};
use crate::view::{Palette, Point, Session};

use super::engine::Engine;
use super::state::{Choose, Picked, Reach};
use super::weave_words::{arrow_words, event_words, moment_at, order_words, picture_words};

/// How far a pointer may move and still have clicked, CSS pixels.
const STILL: f64 = 5.0;
/// How much one key press moves or zooms.
const KEY_PAN: f64 = 0.2;
const KEY_ZOOM: f64 = 1.5;

/// What a pointer that is down does.
#[derive(Clone, Copy, Debug)]
enum Drag {
    Nothing,
    /// It moves the playhead.
    Scrub,
    /// It moves the picture, if it moves far enough; from here, at that time with those lanes.
    Pan {
        at: Point,
        from_us: f64,
        scroll: f64,
        moved: bool,
    },
    /// Two fingers: their distance, and the middle's moment.
    Pinch {
        apart: f64,
        around_us: f64,
    },
}

/// What the component shows in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    /// Beside the pointer: where, and lines.
    pub tip: Option<(Point, Vec<String>)>,
    /// For a screen reader.
    pub spoken: String,
    /// How the two events stand to each other.
    pub order: Option<String>,
    /// The first of two events, while the second is waited for.
    pub first: bool,
    /// Clicks choose events to compare.
    pub comparing: bool,
    /// The picture goes with the playhead.
    pub follows: bool,
}

/// The view's state.
pub(super) struct Loom {
    pub window: Window,
    pub said: Said,
    pub lang: Lang,
    chosen: Chosen,
    palette: Palette,
    size: (f64, f64),
    shown: Option<Shown>,
    pointers: Vec<(i32, Point)>,
    drag: Drag,
    loads: u64,
    fresh: bool,
}

/// The state, and the way to the page.
#[derive(Clone)]
pub(super) struct Hands {
    pub loom: Rc<RefCell<Loom>>,
    pub reach: Reach,
    /// Renders the component's words again.
    pub tell: Rc<dyn Fn()>,
}

impl PartialEq for Hands {
    fn eq(&self, other: &Hands) -> bool {
        Rc::ptr_eq(&self.loom, &other.loom)
    }
}

impl Loom {
    pub fn new(lang: Lang) -> Loom {
        Loom {
            window: Window::at(0.0),
            said: Said { follows: true, ..Said::default() },
            lang,
            chosen: Chosen::default(),
            palette: Palette::default(),
            size: (0.0, 0.0),
            shown: None,
            pointers: Vec::new(),
            drag: Drag::Nothing,
            loads: 0,
            fresh: true,
        }
    }

    /// The colours have changed.
    pub fn dress(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// The area has a new size, CSS pixels.
    pub fn resize(&mut self, width: f64, height: f64) {
        self.size = (width, height);
    }

    /// The area's size, CSS pixels.
    pub fn size(&self) -> (f64, f64) {
        self.size
    }

    /// What is picked on the page.
    pub fn pick(&mut self, picked: Picked) {
        self.chosen.node = match picked {
            Picked::Server(id) => Some(id.into()),
            Picked::Client(id) => Some(id.into()),
            _ => None,
        };
        self.chosen.msg = match picked {
            Picked::Packet(msg) => Some(msg),
            _ => None,
        };
    }

    /// The picture of a session.
    fn picture<'a>(&'a self, session: &'a Session) -> Picture<'a> {
        Picture {
            weave: session.weave(),
            palette: &self.palette,
            words: picture_words(self.lang),
            now_us: session.cursor_us(),
            next_seq: u32::try_from(session.next_seq()).unwrap_or(u32::MAX),
            chosen: &self.chosen,
        }
    }

    /// Paints a session; whether the words have changed by what happened meanwhile.
    pub fn paint(&mut self, session: &Session, ink: &mut dyn crate::view::ink::Ink) -> bool {
        let mut news = self.mind_the_run(session);
        self.window.keep_up(session.cursor_us());
        news |= std::mem::replace(&mut self.said.follows, self.window.follows) != self.window.follows;
        let shown = draw(ink, &self.picture(session), &self.window, self.size);
        self.window.scroll = self.window.scroll.clamp(0.0, shown.frame.scrolls);
        self.shown = Some(shown);
        news
    }

    /// Another run begins with the usual stretch; events that are no longer there cannot be chosen.
    fn mind_the_run(&mut self, session: &Session) -> bool {
        let loads = session.beginnings().0;
        if std::mem::replace(&mut self.fresh, false) || std::mem::replace(&mut self.loads, loads) != loads {
            self.loads = loads;
            self.window = Window::at(session.cursor_us());
            return self.forget();
        }
        let weave = session.weave();
        let gone = |moment: &Option<Moment>| moment.is_some_and(|one| weave.moment(one.end) != Some(one));
        if self.chosen.pair.iter().any(gone) || gone(&self.chosen.focus) {
            return self.forget();
        }
        let under = self.chosen.under.is_some_and(|place| place as usize >= weave.arrows().len());
        self.chosen.under = self.chosen.under.filter(|_| !under);
        false
    }

    fn forget(&mut self) -> bool {
        let had = self.chosen.pair[0].is_some() || self.said.order.is_some();
        self.chosen.pair = [None; 2];
        (self.chosen.way, self.chosen.under, self.chosen.focus) = (Vec::new(), None, None);
        (self.said.order, self.said.first, self.said.tip) = (None, false, None);
        had
    }

    fn hit(&self, session: &Session, at: Point, reach: f64) -> Option<Hit> {
        self.picture(session).hit(self.shown.as_ref()?, at, reach)
    }

    /// The messages in sight and the lanes, for words.
    pub fn counts(&self) -> (usize, usize) {
        self.shown.as_ref().map_or((0, 0), |shown| (shown.thinned.visible, shown.frame.rows.len()))
    }

    /// An event is chosen; with `second` it is compared with the one before.
    fn choose(&mut self, session: &Session, moment: Moment, second: bool) {
        let weave = session.weave();
        let first = self.chosen.pair[0].filter(|_| second);
        self.chosen.focus = Some(moment);
        self.said.spoken = moment_at(self.lang, weave, &moment);
        match first {
            Some(first) => {
                let order = weave.order(&first, &moment);
                let words = order_words(self.lang, weave, &first, &moment, &order);
                self.chosen.way = match order {
                    Order::Before(path) | Order::After(path) => path,
                    Order::Same | Order::Concurrent => Vec::new(),
                };
                self.chosen.pair[1] = Some(moment);
                (self.said.order, self.said.first) = (Some(words), false);
            }
            None => {
                self.chosen.pair = [Some(moment), None];
                self.chosen.way.clear();
                (self.said.order, self.said.first) = (None, true);
            }
        }
    }
}

impl Hands {
    fn engine(&self) -> &Engine {
        &self.reach.engine
    }

    /// The picture is to be painted again, and the words too where they changed.
    fn done(&self, before: &Said) {
        let changed = self.loom.borrow().said != *before;
        self.engine().repaint();
        if changed {
            (self.tell)();
        }
    }

    /// Does something with the state; whatever changed is shown.
    pub fn with<T>(&self, work: impl FnOnce(&mut Loom, &Session) -> T) -> T {
        let before = self.loom.borrow().said.clone();
        let result = {
            let session = self.engine().session();
            let mut loom = self.loom.borrow_mut();
            let result = work(&mut loom, &session);
            loom.said.follows = loom.window.follows;
            result
        };
        self.done(&before);
        result
    }

    pub fn zoom(&self, factor: f64, around: Option<f64>) {
        self.with(|loom, session| {
            let (now, window) = (session.cursor_us(), loom.window);
            let middle = if window.shows(now) { now } else { (window.from_us + window.to_us) / 2.0 };
            let around = around.and_then(|x| Some(loom.shown.as_ref()?.frame.us(x))).unwrap_or(middle);
            loom.window.zoom(factor, around, now);
            loom.said.tip = None;
        });
    }

    pub fn fit(&self) {
        self.with(|loom, session| loom.window.fit(until(session), session.cursor_us()));
    }

    pub fn go_along(&self) {
        self.with(|loom, session| loom.window.go_along(session.cursor_us()));
    }

    pub fn compare(&self) {
        self.with(|loom, _| {
            loom.said.comparing = !loom.said.comparing;
            loom.forget();
        });
    }

    fn pan(&self, columns: f64, lanes: f64) {
        self.with(|loom, session| {
            let Some(frame) = loom.shown.as_ref().map(|shown| &shown.frame) else { return };
            let (by, scrolls) = (columns * frame.us_a_px(), frame.scrolls);
            loom.window.pan(by, session.cursor_us());
            loom.window.scroll = (loom.window.scroll + lanes).clamp(0.0, scrolls);
            loom.said.tip = None;
        });
    }

    /// A wheel, or two fingers on a pad: across moves, along zooms.
    pub fn wheel(&self, at: Point, (dx, dy): (f64, f64), pinch: bool) {
        if dx.abs() > dy.abs() {
            self.pan(dx, 0.0);
        } else {
            let strength = if pinch { 0.01 } else { 0.0016 };
            self.zoom((dy * strength).clamp(-1.0, 1.0).exp(), Some(at.x));
        }
    }

    /// A pointer goes down.
    pub fn down(&self, id: i32, at: Point) {
        let axis = self.with(|loom, session| {
            loom.pointers.retain(|(other, _)| *other != id);
            loom.pointers.push((id, at));
            loom.said.tip = None;
            loom.drag = match (loom.hit(session, at, 0.0), loom.pointers.as_slice()) {
                (_, [(_, a), (_, b)]) => {
                    let middle = (a.x + b.x) / 2.0;
                    let around_us = loom.shown.as_ref().map_or(0.0, |shown| shown.frame.us(middle));
                    Drag::Pinch { apart: a.distance(*b).max(1.0), around_us }
                }
                (Some(Hit::Axis(us)), [_]) => {
                    loom.drag = Drag::Scrub;
                    return Some(us);
                }
                (_, [_]) => Drag::Pan { at, from_us: loom.window.from_us, scroll: loom.window.scroll, moved: false },
                _ => Drag::Nothing,
            };
            None
        });
        if let Some(us) = axis {
            self.seek(us);
        }
    }

    /// A pointer moves, up or down; with `mouse` it may point at something.
    pub fn moved(&self, id: i32, at: Point, mouse: bool) {
        let pressed = self.loom.borrow().pointers.iter().any(|(other, _)| *other == id);
        if !pressed {
            if mouse {
                self.point(at);
            }
            return;
        }
        let scrub = self.with(|loom, session| {
            for (other, place) in &mut loom.pointers {
                if *other == id {
                    *place = at;
                }
            }
            loom.dragged(session, at)
        });
        if let Some(us) = scrub {
            self.seek(us);
        }
    }

    /// A pointer goes up, or away; one that stayed where it was has clicked.
    pub fn up(&self, id: i32, at: Point, (mouse, shift): (bool, bool)) {
        let click = self.with(|loom, _| {
            loom.pointers.retain(|(other, _)| *other != id);
            let click = matches!(loom.drag, Drag::Pan { moved: false, .. });
            loom.drag = Drag::Nothing;
            click
        });
        if click {
            self.click(at, if mouse { REACH } else { FINGER }, shift);
        }
    }

    /// The browser took a pointer away.
    pub fn cancel(&self, id: i32) {
        self.with(|loom, _| {
            loom.pointers.retain(|(other, _)| *other != id);
            loom.drag = Drag::Nothing;
        });
    }

    /// The pointer has left.
    pub fn leave(&self) {
        self.with(|loom, _| (loom.said.tip, loom.chosen.under) = (None, None));
    }

    fn point(&self, at: Point) {
        self.with(|loom, session| {
            let hit = loom.hit(session, at, REACH);
            let weave = session.weave();
            let next = u32::try_from(session.next_seq()).unwrap_or(u32::MAX);
            loom.chosen.under = match hit {
                Some(Hit::Arrow(place, _)) => Some(place),
                _ => None,
            };
            let lines = match hit {
                Some(Hit::Arrow(place, _)) => {
                    weave.arrows().get(place as usize).map(|arrow| arrow_words(loom.lang, weave, arrow, next))
                }
                Some(Hit::Event(place)) => weave.events().get(place as usize).map(|event| {
                    let at = super::weave_words::exactly(event.at_us);
                    vec![event_words(loom.lang, event), format!("{at} s")]
                }),
                _ => None,
            };
            loom.said.tip = lines.map(|lines| (at, lines));
        });
    }

    fn click(&self, at: Point, reach: f64, shift: bool) {
        let hit = {
            let session = self.engine().session();
            self.loom.borrow().hit(&session, at, reach)
        };
        match hit {
            Some(Hit::Name(node)) => self.pick_node(node),
            Some(Hit::Axis(us)) => self.seek(us),
            Some(hit) => self.take(hit, shift),
            None => {
                self.with(|loom, _| loom.forget());
                self.reach.choose.dispatch(Choose::Pick(Picked::Nothing));
            }
        }
    }

    fn pick_node(&self, node: Node) {
        let picked = match node {
            Node::Server(id) => Picked::Server(id),
            Node::Client(id) => Picked::Client(id),
        };
        self.reach.choose.dispatch(Choose::Pick(picked));
    }

    /// A message or an event is chosen; a message is inspected, unless two events are compared.
    fn take(&self, hit: Hit, shift: bool) {
        let msg: Option<MsgId> = self.with(|loom, session| {
            let second = shift || (loom.said.comparing && loom.chosen.pair[1].is_none());
            if let Some(moment) = loom.picture(session).moment_of(hit) {
                loom.choose(session, moment, second);
            }
            match hit {
                _ if loom.said.comparing => None,
                Hit::Arrow(place, _) => session.weave().arrows().get(place as usize).and_then(|arrow| arrow.msg()),
                _ => None,
            }
        });
        if let Some(msg) = msg {
            self.engine().change(|session| session.packet = Some(msg));
            self.reach.choose.dispatch(Choose::Pick(Picked::Packet(msg)));
        }
    }

    fn seek(&self, us: f64) {
        let until = SimTime(us.max(0.0) as u64);
        if let Err(error) = self.engine().change(|session| session.seek(until)) {
            self.engine().note(Some(error.to_string()));
        }
    }

    /// One key; whether it meant something.
    pub fn key(&self, key: &str, shift: bool) -> bool {
        let width = self.loom.borrow().size.0;
        match (key, shift) {
            ("ArrowLeft", true) => self.pan(-width * KEY_PAN, 0.0),
            ("ArrowRight", true) => self.pan(width * KEY_PAN, 0.0),
            ("ArrowUp", true) => self.pan(0.0, -40.0),
            ("ArrowDown", true) => self.pan(0.0, 40.0),
            ("ArrowLeft", false) => self.walk(false),
            ("ArrowRight", false) => self.walk(true),
            ("ArrowUp", false) => self.change_lane(-1),
            ("ArrowDown", false) => self.change_lane(1),
            ("+" | "=", _) => self.zoom(1.0 / KEY_ZOOM, None),
            ("-" | "_", _) => self.zoom(KEY_ZOOM, None),
            ("0", _) => self.fit(),
            ("End", _) => self.go_along(),
            ("Enter", _) => self.enter(shift),
            _ => return false,
        }
        true
    }

    /// To the next event on the lane, or the one before.
    fn walk(&self, forward: bool) {
        self.with(|loom, session| {
            let weave = session.weave();
            let next = u32::try_from(session.next_seq()).unwrap_or(u32::MAX);
            let found = match loom.chosen.focus {
                Some(at) => weave.neighbour(at.node, at.seq, forward),
                None => loom.first_lane(session).and_then(|node| weave.neighbour(node, next, false)),
            };
            loom.focus(session, found);
        });
    }

    /// To the lane above or below, near the same moment.
    fn change_lane(&self, by: i32) {
        self.with(|loom, session| {
            let lanes: Vec<Node> = session.weave().lanes().keys().copied().collect();
            let here = loom.chosen.focus.map(|at| at.node).or_else(|| loom.first_lane(session));
            let at = here.and_then(|node| lanes.iter().position(|&lane| lane == node)).unwrap_or(0);
            let to = (at as i32 + by).clamp(0, lanes.len() as i32 - 1);
            let Some(&node) = lanes.get(to as usize) else { return };
            let seq = loom.chosen.focus.map_or(session.next_seq() as u32, |at| at.seq);
            let weave = session.weave();
            let found = weave.neighbour(node, seq, false).or_else(|| weave.neighbour(node, seq, true));
            loom.focus(session, found);
        });
    }

    fn enter(&self, shift: bool) {
        let focus = self.loom.borrow().chosen.focus;
        let Some(moment) = focus else { return self.walk(false) };
        use crate::view::weave::End;
        let hit = match moment.end {
            End::Sent(place) | End::Arrived(place) => Hit::Arrow(place, moment.end),
            End::Event(place) => Hit::Event(place),
        };
        self.take(hit, shift);
        if matches!(moment.end, End::Event(_)) && !shift && !self.loom.borrow().said.comparing {
            self.pick_node(moment.node);
        }
    }
}

impl Loom {
    fn first_lane(&self, session: &Session) -> Option<Node> {
        self.chosen.node.or_else(|| session.weave().lanes().keys().next().copied())
    }

    /// The keyboard is at an event: it is brought into sight and said.
    fn focus(&mut self, session: &Session, found: Option<Moment>) {
        match found {
            Some(moment) => {
                self.chosen.focus = Some(moment);
                self.window.show(moment.at_us as f64, session.cursor_us());
                self.said.spoken = moment_at(self.lang, session.weave(), &moment);
            }
            None => self.said.spoken = crate::i18n::page::page(self.lang).weave_nothing.to_string(),
        }
    }

    /// A pointer that is down has moved; the moment to which it moves the playhead.
    fn dragged(&mut self, session: &Session, at: Point) -> Option<f64> {
        let now = session.cursor_us();
        let frame = &self.shown.as_ref()?.frame;
        match self.drag {
            Drag::Nothing => None,
            Drag::Scrub => Some(frame.us(at.x.max(frame.left))),
            Drag::Pan { at: start, from_us, scroll, moved } => {
                let moved = moved || start.distance(at) > STILL;
                self.drag = Drag::Pan { at: start, from_us, scroll, moved };
                if moved {
                    let goal = from_us - (at.x - start.x) * frame.us_a_px();
                    self.window.scroll = (scroll - (at.y - start.y)).clamp(0.0, frame.scrolls);
                    self.window.pan(goal - self.window.from_us, now);
                }
                None
            }
            Drag::Pinch { apart, around_us } => {
                if let [(_, a), (_, b)] = self.pointers.as_slice() {
                    let (wide, middle) = (a.distance(*b).max(1.0), (a.x + b.x) / 2.0);
                    let (left, room) = (frame.left, frame.width - frame.left);
                    self.window.zoom(apart / wide, around_us, now);
                    // the moment between the fingers stays between them
                    let share = (middle - left) / room.max(1.0);
                    let shift = around_us - (self.window.from_us + self.window.span() * share);
                    self.window.pan(shift, now);
                    self.drag = Drag::Pinch { apart: wide, around_us };
                }
                None
            }
        }
    }
}

/// How far the run is known, or worth watching, µs.
fn until(session: &Session) -> f64 {
    session.cursor_us().max(session.weave().last_us() as f64)
}
