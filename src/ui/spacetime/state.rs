//! The space-time view between two renders: which stretch is looked at, what was drawn, what hands do. The component hears
//! of it only where words change; everything else is painted.

use crate::base::Node;
use crate::draw::spacetime::{Chosen, Hit, Picture, Shown, Window, draw};
use crate::draw::surface::Ink;
use crate::draw::{Palette, Point};
use crate::i18n::Lang;
use crate::timeline::Session;
use crate::timeline::spacetime::{Moment, Order};

use crate::ui::app::state::Picked;
use crate::ui::spacetime::words::{moment_at, order_words, picture_words};

/// How far a pointer may move and still have clicked, CSS pixels.
const STILL: f64 = 5.0;
/// A picture of this width begins with the usual stretch, CSS pixels.
const USUAL_WIDTH: f64 = 900.0;

/// What a pointer that is down does.
#[derive(Clone, Copy, Debug)]
pub(in crate::ui) enum Drag {
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
pub(in crate::ui) struct Said {
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
    /// The stretch that hands have chosen, ms: its words are told when the hand is still.
    pub stretch: (i64, i64),
}

/// The view's state.
pub(in crate::ui) struct Loom {
    pub window: Window,
    pub said: Said,
    pub lang: Lang,
    pub(in crate::ui) chosen: Chosen,
    palette: Palette,
    pub(in crate::ui) size: (f64, f64),
    pub(in crate::ui) shown: Option<Shown>,
    pub(in crate::ui) pointers: Vec<(i32, Point)>,
    pub(in crate::ui) drag: Drag,
    loads: u64,
    fresh: bool,
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
    pub(in crate::ui) fn picture<'a>(&'a self, session: &'a Session) -> Picture<'a> {
        Picture {
            weave: session.weave(),
            palette: &self.palette,
            words: picture_words(self.lang),
            now_us: session.cursor_us(),
            next_seq: u32::try_from(session.next_seq()).unwrap_or(u32::MAX),
            chosen: &self.chosen,
        }
    }

    /// Draws a session as it would stand here, in other colours and another size: for a picture to take away.
    pub fn exhibit(&self, session: &Session, ink: &mut dyn Ink, palette: &Palette, size: (f64, f64)) {
        let mut window = self.window;
        window.keep_up(session.cursor_us());
        draw(ink, &Picture { palette, ..self.picture(session) }, &window, size);
    }

    /// Paints a session; whether the words have changed by what happened meanwhile.
    pub fn paint(&mut self, session: &Session, ink: &mut dyn Ink) -> bool {
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
            let now = session.cursor_us();
            self.window = Window::at(now);
            // a narrow picture shows less, not smaller
            self.window.zoom((self.size.0 / USUAL_WIDTH).clamp(0.3, 1.2), now, now);
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

    pub(in crate::ui) fn forget(&mut self) -> bool {
        let had = self.chosen.pair[0].is_some() || self.said.order.is_some();
        self.chosen.pair = [None; 2];
        (self.chosen.way, self.chosen.under, self.chosen.focus) = (Vec::new(), None, None);
        (self.said.order, self.said.first, self.said.tip) = (None, false, None);
        had
    }

    pub(in crate::ui) fn hit(&self, session: &Session, at: Point, reach: f64) -> Option<Hit> {
        self.picture(session).hit(self.shown.as_ref()?, at, reach)
    }

    /// The messages in sight and the lanes, for words.
    pub fn counts(&self) -> (usize, usize) {
        self.shown.as_ref().map_or((0, 0), |shown| (shown.thinned.visible, shown.frame.rows.len()))
    }

    /// An event is chosen; with `second` it is compared with the one before.
    pub(in crate::ui) fn choose(&mut self, session: &Session, moment: Moment, second: bool) {
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

impl Loom {
    pub(in crate::ui) fn first_lane(&self, session: &Session) -> Option<Node> {
        self.chosen.node.or_else(|| session.weave().lanes().keys().next().copied())
    }

    /// The keyboard is at an event: it is brought into sight and said.
    pub(in crate::ui) fn focus(&mut self, session: &Session, found: Option<Moment>) {
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
    pub(in crate::ui) fn dragged(&mut self, session: &Session, at: Point) -> Option<f64> {
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
