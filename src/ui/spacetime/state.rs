//! The space-time view between two renders: which stretch is looked at, what was drawn, what input do. The component hears
//! of it only where words change; everything else is painted.

use crate::base::Node;
use crate::draw::spacetime::{Chosen, Hit, Picture, Shown, Window, draw};
use crate::draw::surface::Surface;
use crate::draw::{Palette, Point};
use crate::i18n::Lang;
use crate::timeline::Session;
use crate::timeline::spacetime::{Moment, Order};

use crate::ui::page::state::Selection;
use crate::ui::spacetime::words::{moment_at, order_words, picture_words};

/// How far a pointer may move and still have clicked, CSS pixels.
const STILL: f64 = 5.0;
/// A picture of this width begins with the usual stretch, CSS pixels.
const USUAL_WIDTH: f64 = 900.0;

/// How much larger the picture is in a hall: its smallest letters, of 10 pixels, are read from the back row.
const HALL: f64 = 2.0;

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
    /// The stretch that input have chosen, ms: its words are told when the hand is still.
    pub stretch: (i64, i64),
}

/// The view's state.
pub(in crate::ui) struct DiagramView {
    pub window: Window,
    pub said: Said,
    pub lang: Lang,
    pub(in crate::ui) chosen: Chosen,
    palette: Palette,
    /// The area, CSS pixels, and how many of them each unit of the picture has. All that is drawn and pointed at is in those units.
    area: (f64, f64),
    scale: f64,
    pub(in crate::ui) size: (f64, f64),
    pub(in crate::ui) shown: Option<Shown>,
    pub(in crate::ui) pointers: Vec<(i32, Point)>,
    pub(in crate::ui) drag: Drag,
    loads: u64,
    fresh: bool,
}

impl DiagramView {
    pub(crate) fn new(lang: Lang) -> DiagramView {
        DiagramView {
            window: Window::at(0.0),
            said: Said { follows: true, ..Said::default() },
            lang,
            chosen: Chosen::default(),
            palette: Palette::default(),
            area: (0.0, 0.0),
            scale: 1.0,
            size: (0.0, 0.0),
            shown: None,
            pointers: Vec::new(),
            drag: Drag::Nothing,
            loads: 0,
            fresh: true,
        }
    }

    /// The colours have changed.
    pub(crate) fn dress(&mut self, palette: Palette) {
        self.palette = palette;
    }

    /// The area has a new size, CSS pixels.
    pub(crate) fn resize(&mut self, width: f64, height: f64) {
        self.area = (width, height);
        self.size = (width / self.scale, height / self.scale);
    }

    /// In a hall everything in the picture is larger.
    pub(crate) fn enlarge(&mut self, hall: bool) {
        self.scale = if hall { HALL } else { 1.0 };
        self.resize(self.area.0, self.area.1);
    }

    /// The area's size, CSS pixels, and how many of these each unit of the picture has.
    pub(crate) fn area(&self) -> ((f64, f64), f64) {
        (self.area, self.scale)
    }

    /// What is picked on the page.
    pub(crate) fn pick(&mut self, picked: Selection) {
        self.chosen.node = match picked {
            Selection::Server(id) => Some(id.into()),
            Selection::Client(id) => Some(id.into()),
            _ => None,
        };
        self.chosen.msg = match picked {
            Selection::Packet(msg) => Some(msg),
            _ => None,
        };
    }

    /// The picture of a session.
    pub(in crate::ui) fn picture<'a>(&'a self, session: &'a Session) -> Picture<'a> {
        Picture {
            diagram: session.diagram(),
            palette: &self.palette,
            words: picture_words(self.lang),
            now_us: session.cursor_us(),
            next_seq: next_seq(session),
            chosen: &self.chosen,
        }
    }

    /// Draws a session as it would stand here, in other colours and another size: for a picture to take away.
    pub(crate) fn renderer(&self, session: &Session, surface: &mut dyn Surface, palette: &Palette, size: (f64, f64)) {
        let mut window = self.window;
        window.keep_up(session.cursor_us());
        draw(surface, &Picture { palette, ..self.picture(session) }, &window, size);
    }

    /// Paints a session; whether the words have changed by what happened meanwhile.
    pub(crate) fn paint(&mut self, session: &Session, surface: &mut dyn Surface) -> bool {
        let mut news = self.mind_the_run(session);
        self.window.keep_up(session.cursor_us());
        news |= std::mem::replace(&mut self.said.follows, self.window.follows) != self.window.follows;
        let shown = draw(surface, &self.picture(session), &self.window, self.size);
        self.window.scroll = self.window.scroll.clamp(0.0, shown.frame.scrolls);
        self.shown = Some(shown);
        news
    }

    /// Another run begins with the usual stretch, and nothing of it is drawn yet; events that are no longer there cannot be chosen.
    /// DiagramInput may come before the next paint, so they ask too.
    pub(in crate::ui) fn mind_the_run(&mut self, session: &Session) -> bool {
        let loads = session.beginnings().0;
        if std::mem::replace(&mut self.fresh, false) || std::mem::replace(&mut self.loads, loads) != loads {
            self.loads = loads;
            self.shown = None;
            let now = session.cursor_us();
            self.window = Window::at(now);
            // a narrow picture shows less, not smaller
            self.window.zoom((self.size.0 / USUAL_WIDTH).clamp(0.3, 1.2), now, now);
            return self.forget();
        }
        let diagram = session.diagram();
        let gone = |moment: &Option<Moment>| moment.is_some_and(|one| diagram.moment(one.end) != Some(one));
        if self.chosen.pair.iter().any(gone) || gone(&self.chosen.focus) {
            return self.forget();
        }
        let under = self.chosen.under.is_some_and(|place| place as usize >= diagram.arrows().len());
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
    pub(crate) fn counts(&self) -> (usize, usize) {
        self.shown.as_ref().map_or((0, 0), |shown| (shown.thinned.visible, shown.frame.rows.len()))
    }

    /// An event is chosen; with `second` it is compared with the one before.
    pub(in crate::ui) fn choose(&mut self, session: &Session, moment: Moment, second: bool) {
        let diagram = session.diagram();
        let first = self.chosen.pair[0].filter(|_| second);
        self.chosen.focus = Some(moment);
        self.said.spoken = moment_at(self.lang, diagram, &moment);
        match first {
            Some(first) => {
                let order = diagram.order(&first, &moment);
                let words = order_words(self.lang, diagram, &first, &moment, &order);
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

impl DiagramView {
    fn first_lane(&self, session: &Session) -> Option<Node> {
        self.chosen.node.or_else(|| session.diagram().lanes().keys().next().copied())
    }

    /// To the next event on the lane, or the one before.
    pub(in crate::ui) fn walk(&mut self, session: &Session, forward: bool) {
        let diagram = session.diagram();
        let found = match self.chosen.focus {
            Some(at) => diagram.neighbour(at.node, at.seq, forward),
            None => self.first_lane(session).and_then(|node| diagram.neighbour(node, next_seq(session), false)),
        };
        self.focus(session, found);
    }

    /// To the lane above (negative) or below, near the same moment.
    pub(in crate::ui) fn change_lane(&mut self, session: &Session, by: isize) {
        let diagram = session.diagram();
        let lanes: Vec<Node> = diagram.lanes().keys().copied().collect();
        let here = self.chosen.focus.map(|at| at.node).or_else(|| self.first_lane(session));
        let at = here.and_then(|node| lanes.iter().position(|&lane| lane == node)).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(lanes.len().saturating_sub(1));
        let seq = self.chosen.focus.map_or_else(|| next_seq(session), |at| at.seq);
        let near = |&node: &Node| diagram.neighbour(node, seq, false).or_else(|| diagram.neighbour(node, seq, true));
        // nobody has a lane before anything has happened
        self.focus(session, lanes.get(to).and_then(near));
    }

    /// The keyboard is at an event: it is brought into sight and said.
    fn focus(&mut self, session: &Session, found: Option<Moment>) {
        match found {
            Some(moment) => {
                self.chosen.focus = Some(moment);
                self.window.show(moment.at_us as f64, session.cursor_us());
                self.said.spoken = moment_at(self.lang, session.diagram(), &moment);
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

/// The number that the next fact gets.
pub(in crate::ui) fn next_seq(session: &Session) -> u32 {
    u32::try_from(session.next_seq()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::draw::surface::{Lettering, Path, Stroke, Svg};
    use crate::scenarios::scenario;
    use crate::sim::Action;

    const SIZE: (f64, f64) = (900.0, 500.0);

    fn at(name: &str, ms: u64) -> Session {
        let scenario = scenario(name).expect("a scenario");
        let mut session = Session::new(scenario.run(), Some(scenario)).expect("a valid run");
        session.seek(SimTime::from_ms(ms)).expect("not far");
        session
    }

    fn painted(session: &Session) -> DiagramView {
        let mut diagram_view = DiagramView::new(Lang::En);
        diagram_view.resize(SIZE.0, SIZE.1);
        diagram_view.paint(session, &mut Svg::new(SIZE.0, SIZE.1));
        diagram_view
    }

    /// What pointers everywhere in the picture mean.
    fn hits(diagram_view: &mut DiagramView, session: &Session) -> Vec<Hit> {
        diagram_view.mind_the_run(session);
        let places = (0..150).flat_map(|x| (0..84).map(move |y| Point::new(f64::from(x) * 6.0, f64::from(y) * 6.0)));
        places.filter_map(|place| diagram_view.hit(session, place, 6.0)).collect()
    }

    fn assert_there(session: &Session, hits: &[Hit]) {
        for hit in hits {
            match *hit {
                Hit::Arrow(place, _) => assert!((place as usize) < session.diagram().arrows().len(), "{hit:?}"),
                Hit::Event(place) => assert!((place as usize) < session.diagram().events().len(), "{hit:?}"),
                Hit::Name(_) | Hit::Axis(_) => {}
            }
        }
    }

    #[test]
    fn a_pointer_over_a_picture_that_is_no_longer_true_means_what_is_still_there() {
        let mut session = at("leader-crash-under-load", 1_200);
        let mut diagram_view = painted(&session);
        let before = hits(&mut diagram_view, &session);
        let arrows = |hits: &[Hit]| hits.iter().filter(|hit| matches!(hit, Hit::Arrow(..))).count();
        assert!(arrows(&before) > 100, "{}", arrows(&before));
        // another past, which is shorter
        session.seek(SimTime::from_ms(1_100)).expect("not far");
        session.act(Action::Crash { server: crate::base::ServerId(1) }).expect("it runs");
        let after = hits(&mut diagram_view, &session);
        assert_there(&session, &after);
        assert!((1..arrows(&before)).contains(&arrows(&after)), "{}", arrows(&after));
        // the one that was left
        assert!(session.undo());
        diagram_view.paint(&session, &mut Svg::new(SIZE.0, SIZE.1));
        assert!(session.redo());
        assert_there(&session, &hits(&mut diagram_view, &session));
        // another run, of which nothing has been drawn
        session.load(scenario("cold-start-3").expect("a scenario").run(), None).expect("a valid run");
        assert_eq!(hits(&mut diagram_view, &session), []);
    }

    /// The smallest letters that are drawn.
    struct Smallest(f64);

    impl Surface for Smallest {
        fn path(&mut self, _: &Path, _: Option<&str>, _: Option<Stroke<'_>>, _: f64) {}

        fn text(&mut self, _: &str, _: Point, style: &Lettering<'_>) {
            self.0 = self.0.min(style.size);
        }

        fn width(&mut self, text: &str, style: &Lettering<'_>) -> f64 {
            text.len() as f64 * style.size / 2.0
        }
    }

    #[test]
    fn in_a_hall_no_letters_are_smaller_than_20_pixels() {
        for (scenario, ms) in [("leader-crash-under-load", 1_200), ("rejoin-trunc", 4_000), ("lock-herd", 3_200)] {
            let session = at(scenario, ms);
            let mut diagram_view = DiagramView::new(Lang::En);
            diagram_view.resize(1_280.0, 420.0);
            diagram_view.enlarge(true);
            let mut smallest = Smallest(f64::MAX);
            diagram_view.paint(&session, &mut smallest);
            let scale = diagram_view.area().1;
            assert!(smallest.0 * scale >= 20.0, "{scenario}: {} in units of {scale}", smallest.0);
            assert_eq!(diagram_view.area().0, (1_280.0, 420.0));
            diagram_view.enlarge(false);
            assert_eq!((diagram_view.size, diagram_view.area().1), ((1_280.0, 420.0), 1.0));
        }
    }

    #[test]
    fn before_anything_has_happened_keys_find_nothing_and_nothing_stops() {
        let session = Session::new(scenario("cold-start-3").expect("a scenario").run(), None).expect("a valid run");
        assert!(session.diagram().lanes().is_empty());
        let mut diagram_view = painted(&session);
        for by in [-1, 1] {
            diagram_view.change_lane(&session, by);
            diagram_view.walk(&session, by > 0);
        }
        assert_eq!(diagram_view.chosen.focus, None);
        assert_eq!(diagram_view.said.spoken, crate::i18n::page::page(Lang::En).weave_nothing);
    }

    #[test]
    fn keys_go_from_lane_to_lane_and_stay_on_the_last() {
        let session = at("cold-start-3", 1_500);
        let mut diagram_view = painted(&session);
        diagram_view.walk(&session, false);
        let mut lane = |by| {
            diagram_view.change_lane(&session, by);
            diagram_view.chosen.focus.map(|moment| moment.node.to_string())
        };
        let all = [1, 1, 1, -1, -1, -1].map(|by| lane(by).unwrap_or_default());
        assert_eq!(all, ["S2", "S3", "S3", "S2", "S1", "S1"]);
    }
}
