//! What hands do in the space-time view: pointers, the wheel, keys, buttons.

use std::cell::RefCell;
use std::rc::Rc;

use crate::base::{MsgId, Node, SimTime};
use crate::draw::Point;
use crate::draw::spacetime::{FINGER, Hit, REACH};
use crate::timeline::Session;
use crate::timeline::spacetime::End;

use crate::ui::app::state::{Choose, Picked, Reach};
use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::spacetime::state::{Drag, Loom, Said, next_seq};
use crate::ui::spacetime::words::{arrow_words, event_words, exactly};

/// How much one key press moves or zooms.
const KEY_PAN: f64 = 0.2;
const KEY_ZOOM: f64 = 1.5;

/// The state, and the way to the page.
#[derive(Clone)]
pub(in crate::ui) struct Hands {
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
            loom.mind_the_run(&session);
            let result = work(&mut loom, &session);
            loom.said.follows = loom.window.follows;
            if loom.pointers.is_empty() {
                let ms = |us: f64| (us / 1_000.0) as i64;
                loom.said.stretch = (ms(loom.window.from_us), ms(loom.window.to_us));
            }
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
            let next = next_seq(session);
            loom.chosen.under = match hit {
                Some(Hit::Arrow(place, _)) => Some(place),
                _ => None,
            };
            let lines = match hit {
                Some(Hit::Arrow(place, _)) => {
                    weave.arrows().get(place as usize).map(|arrow| arrow_words(loom.lang, weave, arrow, next))
                }
                Some(Hit::Event(place)) => weave.events().get(place as usize).map(|event| {
                    let at = exactly(event.at_us);
                    vec![event_words(loom.lang, event), format!("{at} s")]
                }),
                _ => None,
            };
            loom.said.tip = lines.map(|lines| (at, lines));
        });
    }

    fn click(&self, at: Point, reach: f64, shift: bool) {
        match self.with(|loom, session| loom.hit(session, at, reach)) {
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
            self.engine().note(Some(wrong_words(&error)));
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
            ("ArrowLeft", false) => self.with(|loom, session| loom.walk(session, false)),
            ("ArrowRight", false) => self.with(|loom, session| loom.walk(session, true)),
            ("ArrowUp", false) => self.with(|loom, session| loom.change_lane(session, -1)),
            ("ArrowDown", false) => self.with(|loom, session| loom.change_lane(session, 1)),
            ("+" | "=", _) => self.zoom(1.0 / KEY_ZOOM, None),
            ("-" | "_", _) => self.zoom(KEY_ZOOM, None),
            ("0", _) => self.fit(),
            ("End", _) => self.go_along(),
            ("Enter", _) => self.enter(shift),
            _ => return false,
        }
        true
    }

    fn enter(&self, shift: bool) {
        let focus = self.with(|loom, _| loom.chosen.focus);
        let Some(moment) = focus else { return self.with(|loom, session| loom.walk(session, false)) };
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

/// How far the run is known, or worth watching, µs.
fn until(session: &Session) -> f64 {
    session.cursor_us().max(session.weave().last_us() as f64)
}
