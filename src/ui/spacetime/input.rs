//! What input do in the space-time view: pointers, the wheel, keys, buttons.

use std::cell::RefCell;
use std::rc::Rc;

use crate::base::{MsgId, Node, SimTime};
use crate::draw::Point;
use crate::draw::spacetime::{FINGER, Hit, REACH};
use crate::timeline::Session;
use crate::timeline::spacetime::End;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::wrong_words;
use crate::ui::page::state::{PageContext, Selection, UiAction};
use crate::ui::spacetime::state::{DiagramView, Drag, Said, next_seq};
use crate::ui::spacetime::words::{arrow_words, event_words, exactly};

/// How much one key press moves or zooms.
const KEY_PAN: f64 = 0.2;
const KEY_ZOOM: f64 = 1.5;

/// The state, and the way to the page.
#[derive(Clone)]
pub(in crate::ui) struct DiagramInput {
    pub diagram_view: Rc<RefCell<DiagramView>>,
    pub context: PageContext,
    /// Renders the component's words again.
    pub tell: Rc<dyn Fn()>,
}

impl PartialEq for DiagramInput {
    fn eq(&self, other: &DiagramInput) -> bool {
        Rc::ptr_eq(&self.diagram_view, &other.diagram_view)
    }
}

impl DiagramInput {
    fn engine(&self) -> &Engine {
        &self.context.engine
    }

    /// The picture is to be painted again, and the words too where they changed.
    fn done(&self, before: &Said) {
        let changed = self.diagram_view.borrow().said != *before;
        self.engine().repaint();
        if changed {
            (self.tell)();
        }
    }

    /// Does something with the state; whatever changed is shown.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut DiagramView, &Session) -> T) -> T {
        let before = self.diagram_view.borrow().said.clone();
        let result = {
            let session = self.engine().session();
            let mut diagram_view = self.diagram_view.borrow_mut();
            diagram_view.mind_the_run(&session);
            let result = work(&mut diagram_view, &session);
            diagram_view.said.follows = diagram_view.window.follows;
            if diagram_view.pointers.is_empty() {
                let ms = |us: f64| (us / 1_000.0) as i64;
                diagram_view.said.stretch = (ms(diagram_view.window.from_us), ms(diagram_view.window.to_us));
            }
            result
        };
        self.done(&before);
        result
    }

    pub(crate) fn zoom(&self, factor: f64, around: Option<f64>) {
        self.with(|diagram_view, session| {
            let (now, window) = (session.cursor_us(), diagram_view.window);
            let middle = if window.shows(now) { now } else { (window.from_us + window.to_us) / 2.0 };
            let around = around.and_then(|x| Some(diagram_view.shown.as_ref()?.frame.us(x))).unwrap_or(middle);
            diagram_view.window.zoom(factor, around, now);
            diagram_view.said.tip = None;
        });
    }

    pub(crate) fn fit(&self) {
        self.with(|diagram_view, session| diagram_view.window.fit(until(session), session.cursor_us()));
    }

    pub(crate) fn go_along(&self) {
        self.with(|diagram_view, session| diagram_view.window.go_along(session.cursor_us()));
    }

    pub(crate) fn compare(&self) {
        self.with(|diagram_view, _| {
            diagram_view.said.comparing = !diagram_view.said.comparing;
            diagram_view.forget();
        });
    }

    fn pan(&self, columns: f64, lanes: f64) {
        self.with(|diagram_view, session| {
            let Some(frame) = diagram_view.shown.as_ref().map(|shown| &shown.frame) else { return };
            let (by, scrolls) = (columns * frame.us_a_px(), frame.scrolls);
            diagram_view.window.pan(by, session.cursor_us());
            diagram_view.window.scroll = (diagram_view.window.scroll + lanes).clamp(0.0, scrolls);
            diagram_view.said.tip = None;
        });
    }

    /// A wheel, or two fingers on a pad: across moves, along zooms.
    pub(crate) fn wheel(&self, at: Point, (dx, dy): (f64, f64), pinch: bool) {
        if dx.abs() > dy.abs() {
            self.pan(dx, 0.0);
        } else {
            let strength = if pinch { 0.01 } else { 0.0016 };
            self.zoom((dy * strength).clamp(-1.0, 1.0).exp(), Some(at.x));
        }
    }

    /// A pointer goes down.
    pub(crate) fn down(&self, id: i32, at: Point) {
        let axis = self.with(|diagram_view, session| {
            diagram_view.pointers.retain(|(other, _)| *other != id);
            diagram_view.pointers.push((id, at));
            diagram_view.said.tip = None;
            diagram_view.drag = match (diagram_view.hit(session, at, 0.0), diagram_view.pointers.as_slice()) {
                (_, [(_, a), (_, b)]) => {
                    let middle = (a.x + b.x) / 2.0;
                    let around_us = diagram_view.shown.as_ref().map_or(0.0, |shown| shown.frame.us(middle));
                    Drag::Pinch { apart: a.distance(*b).max(1.0), around_us }
                }
                (Some(Hit::Axis(us)), [_]) => {
                    diagram_view.drag = Drag::Scrub;
                    return Some(us);
                }
                (_, [_]) => Drag::Pan {
                    at,
                    from_us: diagram_view.window.from_us,
                    scroll: diagram_view.window.scroll,
                    moved: false,
                },
                _ => Drag::Nothing,
            };
            None
        });
        if let Some(us) = axis {
            self.seek(us);
        }
    }

    /// A pointer moves, up or down; with `mouse` it may point at something.
    pub(crate) fn moved(&self, id: i32, at: Point, mouse: bool) {
        let pressed = self.diagram_view.borrow().pointers.iter().any(|(other, _)| *other == id);
        if !pressed {
            if mouse {
                self.point(at);
            }
            return;
        }
        let scrub = self.with(|diagram_view, session| {
            for (other, place) in &mut diagram_view.pointers {
                if *other == id {
                    *place = at;
                }
            }
            diagram_view.dragged(session, at)
        });
        if let Some(us) = scrub {
            self.seek(us);
        }
    }

    /// A pointer goes up, or away; one that stayed where it was has clicked.
    pub(crate) fn up(&self, id: i32, at: Point, (mouse, shift): (bool, bool)) {
        let click = self.with(|diagram_view, _| {
            diagram_view.pointers.retain(|(other, _)| *other != id);
            let click = matches!(diagram_view.drag, Drag::Pan { moved: false, .. });
            diagram_view.drag = Drag::Nothing;
            click
        });
        if click {
            self.click(at, if mouse { REACH } else { FINGER }, shift);
        }
    }

    /// The browser took a pointer away.
    pub(crate) fn cancel(&self, id: i32) {
        self.with(|diagram_view, _| {
            diagram_view.pointers.retain(|(other, _)| *other != id);
            diagram_view.drag = Drag::Nothing;
        });
    }

    /// The pointer has left.
    pub(crate) fn leave(&self) {
        self.with(|diagram_view, _| (diagram_view.said.tip, diagram_view.chosen.under) = (None, None));
    }

    fn point(&self, at: Point) {
        self.with(|diagram_view, session| {
            let hit = diagram_view.hit(session, at, REACH);
            let diagram = session.diagram();
            let next = next_seq(session);
            diagram_view.chosen.under = match hit {
                Some(Hit::Arrow(place, _)) => Some(place),
                _ => None,
            };
            let lines = match hit {
                Some(Hit::Arrow(place, _)) => diagram
                    .arrows()
                    .get(place as usize)
                    .map(|arrow| arrow_words(diagram_view.lang, diagram, arrow, next)),
                Some(Hit::Event(place)) => diagram.events().get(place as usize).map(|event| {
                    let at = exactly(event.at_us);
                    vec![event_words(diagram_view.lang, event), format!("{at} s")]
                }),
                _ => None,
            };
            diagram_view.said.tip = lines.map(|lines| (at, lines));
        });
    }

    fn click(&self, at: Point, context: f64, shift: bool) {
        match self.with(|diagram_view, session| diagram_view.hit(session, at, context)) {
            Some(Hit::Name(node)) => self.pick_node(node),
            Some(Hit::Axis(us)) => self.seek(us),
            Some(hit) => self.take(hit, shift),
            None => {
                self.with(|diagram_view, _| diagram_view.forget());
                self.context.choose.dispatch(UiAction::Pick(Selection::Nothing));
            }
        }
    }

    fn pick_node(&self, node: Node) {
        let picked = match node {
            Node::Server(id) => Selection::Server(id),
            Node::Client(id) => Selection::Client(id),
        };
        self.context.choose.dispatch(UiAction::Pick(picked));
    }

    /// A message or an event is chosen; a message is inspected, unless two events are compared.
    fn take(&self, hit: Hit, shift: bool) {
        let msg: Option<MsgId> = self.with(|diagram_view, session| {
            let second = shift || (diagram_view.said.comparing && diagram_view.chosen.pair[1].is_none());
            if let Some(moment) = diagram_view.picture(session).moment_of(hit) {
                diagram_view.choose(session, moment, second);
            }
            match hit {
                _ if diagram_view.said.comparing => None,
                Hit::Arrow(place, _) => session.diagram().arrows().get(place as usize).and_then(|arrow| arrow.msg()),
                _ => None,
            }
        });
        if let Some(msg) = msg {
            self.engine().change(|session| session.packet = Some(msg));
            self.context.choose.dispatch(UiAction::Pick(Selection::Packet(msg)));
        }
    }

    fn seek(&self, us: f64) {
        let until = SimTime(us.max(0.0) as u64);
        if let Err(error) = self.engine().change(|session| session.seek(until)) {
            self.engine().note(Some(wrong_words(&error)));
        }
    }

    /// One key; whether it meant something.
    pub(crate) fn key(&self, key: &str, shift: bool) -> bool {
        let width = self.diagram_view.borrow().size.0;
        match (key, shift) {
            ("ArrowLeft", true) => self.pan(-width * KEY_PAN, 0.0),
            ("ArrowRight", true) => self.pan(width * KEY_PAN, 0.0),
            ("ArrowUp", true) => self.pan(0.0, -40.0),
            ("ArrowDown", true) => self.pan(0.0, 40.0),
            ("ArrowLeft", false) => self.with(|diagram_view, session| diagram_view.walk(session, false)),
            ("ArrowRight", false) => self.with(|diagram_view, session| diagram_view.walk(session, true)),
            ("ArrowUp", false) => self.with(|diagram_view, session| diagram_view.change_lane(session, -1)),
            ("ArrowDown", false) => self.with(|diagram_view, session| diagram_view.change_lane(session, 1)),
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
        let focus = self.with(|diagram_view, _| diagram_view.chosen.focus);
        let Some(moment) = focus else { return self.with(|diagram_view, session| diagram_view.walk(session, false)) };
        let hit = match moment.end {
            End::Sent(place) | End::Arrived(place) => Hit::Arrow(place, moment.end),
            End::Event(place) => Hit::Event(place),
        };
        self.take(hit, shift);
        if matches!(moment.end, End::Event(_)) && !shift && !self.diagram_view.borrow().said.comparing {
            self.pick_node(moment.node);
        }
    }
}

/// How far the run is known, or worth watching, µs.
fn until(session: &Session) -> f64 {
    session.cursor_us().max(session.diagram().last_us() as f64)
}
