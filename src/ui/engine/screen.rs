//! What one side of the stage shows: where cards stand, what stands there, who paints it, and who hears of changes.

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use crate::base::MsgId;
use crate::draw::figure::lay_out;
use crate::draw::surface::Surface;
use crate::draw::{Layout, PacketView, Palette, Point, packets};
use crate::explore::own::text_of;
use crate::scenarios::{Cast, Scenario};
use crate::sim::World;
use crate::timeline::{Session, Side};
use crate::view::{Eye, Scene};

use super::Engine;
use super::listen::Listeners;
use super::pacing::Pacing;
use super::watch::Roams;

/// The entry of the legend whose objects are brought out, for all who ask.
pub(in crate::ui) type Mark = Rc<Cell<Option<&'static str>>>;

/// What a painter paints.
pub(in crate::ui) struct Moment<'a> {
    pub layout: &'a Layout,
    pub scene: &'a Scene,
    pub packets: &'a [PacketView],
    /// The packet that is looked at.
    pub chosen: Option<MsgId>,
    /// What eyes are led to.
    pub eye: &'a Eye,
    /// Pixels of the screen to a CSS pixel.
    pub ratio: f64,
    /// Layout and scene may be others than in the frame before.
    pub fresh: bool,
}

/// Paints one moment.
pub(in crate::ui) type Painter = Box<dyn Fn(&Moment<'_>)>;

/// Paints the run over time, in the stage's place.
pub(in crate::ui) type DiagramPainter = Box<dyn Fn(&Session)>;

/// Draws a run in the stage's place, in these colours, into an area of this size.
pub(in crate::ui) type Renderer = Rc<dyn Fn(&Session, &mut dyn Surface, &Palette, (f64, f64))>;

/// A step of a run: how often it began, how many steps were taken, how many actions there are.
type Step = ((u64, u64), u64, usize);

/// What is shown of a run.
struct Shown {
    size: (f64, f64),
    /// Whether it is made for a hall.
    hall: bool,
    /// What a hand chose to see; none where the scenario decides.
    cast: Option<Cast>,
    layout: Layout,
    scene: Scene,
    /// The packets in the picture that is seen.
    flying: Vec<PacketView>,
    /// Layout and scene were made again and not painted yet.
    fresh: bool,
    /// Pixels of the screen to a CSS pixel, as far as is known.
    ratio: f64,
}

impl Shown {
    /// Makes the scene and, where servers or sizes changed, the layout.
    fn refresh(&mut self, session: &Session) {
        let cast = self.cast.unwrap_or(own_cast(session));
        let run = (session.player(), session.run_summary());
        lay_out(&mut self.layout, run, cast, self.size, self.hall);
        self.scene = Scene::of_session(session);
        self.fresh = true;
    }

    /// Puts packets where they are at this moment.
    fn move_packets(&mut self, session: &Session) {
        self.flying = packets(session.world(), session.run_summary(), &self.layout, session.cursor_us());
    }
}

/// What a run's scenario is about; programs outside that stand in queues are what one has connected them for.
fn own_cast(session: &Session) -> Cast {
    let mut clients = session.world().clients.values();
    if clients.any(|process| process.outside.is_some() && process.runs_recipes()) {
        return Cast::Recipe;
    }
    let own = || text_of(session.player().run()).map(|_| Cast::Recipe);
    session.scenario().map(Scenario::cast).or_else(own).unwrap_or_default()
}

#[derive(Default)]
struct Painters {
    stage: Option<Painter>,
    above: Option<Painter>,
    diagram: Option<DiagramPainter>,
    renderer: Option<Renderer>,
}

/// One side.
pub(super) struct Screen {
    shown: RefCell<Shown>,
    /// The layout is still that of another size.
    resized: Cell<bool>,
    mark: Mark,
    painters: RefCell<Painters>,
    pub listeners: Listeners,
    pub pacing: RefCell<Pacing>,
    /// The packet that was pressed, and where.
    pub pressed: Cell<Option<(MsgId, Point)>>,
    /// The world before the last step, and at which moment it was that.
    before: RefCell<Option<(Step, Option<Rc<World>>)>>,
}

impl Default for Screen {
    fn default() -> Screen {
        let layout = Layout::new(&[], 0.0, 0.0);
        let (scene, flying) = (Scene::default(), Vec::new());
        let shown =
            Shown { size: (0.0, 0.0), hall: false, cast: None, layout, scene, flying, fresh: false, ratio: 1.0 };
        Screen {
            shown: RefCell::new(shown),
            resized: Cell::default(),
            mark: Mark::default(),
            painters: RefCell::default(),
            listeners: Listeners::default(),
            pacing: RefCell::default(),
            pressed: Cell::default(),
            before: RefCell::default(),
        }
    }
}

impl Screen {
    /// Whether the size has changed since the last frame.
    pub(super) fn has_resized(&self) -> bool {
        self.resized.take()
    }

    /// Pixels of the screen to a CSS pixel.
    pub(super) fn set_ratio(&self, ratio: f64) {
        self.shown.borrow_mut().ratio = ratio.clamp(1.0, 4.0);
    }

    /// What lies on the ground may be something else.
    pub(super) fn is_other(&self) {
        self.shown.borrow_mut().fresh = true;
    }

    pub(super) fn before(&self, session: &Session) -> Option<Rc<World>> {
        let moment = (session.beginnings(), session.events(), session.player().run().actions.len());
        let mut known = self.before.borrow_mut();
        if known.as_ref().is_none_or(|(when, _)| *when != moment) {
            *known = Some((moment, session.before().map(Rc::new)));
        }
        known.as_ref().and_then(|(_, before)| before.clone())
    }
}

impl Engine {
    /// This side of the stage has a new size. What that changes is laid out in the next frame: in this one the browser is still telling of
    /// sizes, and complains when they change meanwhile.
    pub(crate) fn resize(&self, width: f64, height: f64) {
        let before = std::mem::replace(&mut self.screen().shown.borrow_mut().size, (width, height));
        if before == (0.0, 0.0) {
            self.refresh();
            self.notify();
        } else if before != (width, height) {
            self.screen().resized.set(true);
            self.wake();
        }
    }

    /// Lays both sides out for a hall, or as usual.
    pub(crate) fn set_hall(&self, hall: bool) {
        let before = self.shared.screens.each_ref().map(|screen| {
            let mut shown = screen.shown.borrow_mut();
            std::mem::replace(&mut shown.hall, hall)
        });
        if before != [hall; 2] {
            self.changed();
        }
    }

    /// Whether both are laid out for a hall.
    pub(crate) fn in_hall(&self) -> bool {
        self.screen().shown.borrow().hall
    }

    /// Casts both sides as a hand chose, or as their scenarios say.
    pub(crate) fn set_cast(&self, cast: Option<Cast>) {
        let before = self.shared.screens.each_ref().map(|screen| {
            let mut shown = screen.shown.borrow_mut();
            std::mem::replace(&mut shown.cast, cast)
        });
        if before != [cast; 2] {
            self.changed();
        }
    }

    /// How this side is cast, and what the scenario says.
    pub(crate) fn cast(&self) -> (Cast, Cast) {
        let own = own_cast(&self.session());
        (self.screen().shown.borrow().cast.unwrap_or(own), own)
    }

    /// Brings out the objects of an entry of the legend.
    pub(crate) fn set_mark(&self, name: Option<&'static str>) {
        if self.screen().mark.replace(name) != name {
            self.roam(Roams::Legend, name.is_some());
            self.notify();
        }
    }

    /// The entry of the legend whose objects are brought out; it changes with [`Engine::set_mark`].
    pub(crate) fn mark(&self) -> Mark {
        self.screen().mark.clone()
    }

    /// Where cards stand now.
    pub(crate) fn layout(&self) -> Layout {
        self.screen().shown.borrow().layout.clone()
    }

    /// What stands on this side of the stage now.
    pub(crate) fn scene(&self) -> Ref<'_, Scene> {
        Ref::map(self.screen().shown.borrow(), |shown| &shown.scene)
    }

    /// The packets in the picture that is seen.
    pub(crate) fn flying(&self) -> Ref<'_, Vec<PacketView>> {
        Ref::map(self.screen().shown.borrow(), |shown| &shown.flying)
    }

    /// Who paints the canvas.
    pub(crate) fn set_painter(&self, painter: Option<Painter>) {
        self.screen().painters.borrow_mut().stage = painter;
        self.repaint();
    }

    /// Who paints what lies above the cards.
    pub(crate) fn set_painter_above(&self, painter: Option<Painter>) {
        self.screen().painters.borrow_mut().above = painter;
        self.repaint();
    }

    /// Who paints the run over time; as long as there is one, nobody else paints.
    pub(crate) fn set_diagram_painter(&self, diagram: Option<DiagramPainter>) {
        self.screen().painters.borrow_mut().diagram = diagram;
        self.repaint();
    }

    /// Who draws pictures of what stands in the stage's place; none where the stage does.
    pub(crate) fn set_renderer(&self, renderer: Option<Renderer>) {
        self.screen().painters.borrow_mut().renderer = renderer;
    }

    /// Who draws pictures in the stage's place.
    pub(crate) fn renderer(&self) -> Option<Renderer> {
        self.screen().painters.borrow().renderer.clone()
    }

    /// The canvas must be painted again although nothing has happened.
    pub(crate) fn repaint(&self) {
        self.screen().pacing.borrow_mut().ask();
        self.wake();
    }

    /// Makes what is shown again.
    pub(super) fn refresh(&self) {
        self.screen().shown.borrow_mut().refresh(&self.session());
    }

    /// Paints the moment, unless it is what was painted last.
    pub(crate) fn draw(&self, version: u64) {
        let screen = self.screen();
        if !screen.pacing.borrow_mut().paints(version) {
            return;
        }
        let (session, painters) = (self.session(), screen.painters.borrow());
        if let Some(diagram) = &painters.diagram {
            return diagram(&session);
        }
        screen.shown.borrow_mut().move_packets(&session);
        if let Some(painter) = &painters.stage {
            let fresh = std::mem::take(&mut screen.shown.borrow_mut().fresh);
            let Shown { layout, scene, flying, ratio, .. } = &*screen.shown.borrow();
            let (watch, none) = (self.shared.watch.borrow(), Eye::default());
            let eye = if self.side == Side::Left { &watch.eye } else { &none };
            let moment = Moment { layout, scene, packets: flying, chosen: session.packet, eye, ratio: *ratio, fresh };
            painter(&moment);
            if let Some(above) = &painters.above {
                above(&moment);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::timeline::Variation;

    /// A painter that keeps what it was given: cards and packets, and whether they may be others.
    fn watched(engine: &Engine) -> Rc<RefCell<Vec<(usize, usize, bool)>>> {
        let painted = Rc::new(RefCell::new(Vec::new()));
        let keep = painted.clone();
        engine.set_painter(Some(Box::new(move |moment| {
            keep.borrow_mut().push((moment.scene.cards.len(), moment.packets.len(), moment.fresh));
        })));
        painted
    }

    #[test]
    fn each_side_paints_its_own_run_once_a_moment() {
        let engine = Engine::new();
        engine.resize(900.0, 600.0);
        engine.change(|session| session.seek(SimTime::from_ms(260))).unwrap();
        engine.change_pair(|pair| pair.vary(Variation::Seed(3))).unwrap();
        for side in engine.sides() {
            side.resize(700.0, 600.0);
            let painted = watched(&side);
            let version = side.session().version();
            side.draw(version);
            side.draw(version);
            assert_eq!(painted.take(), [(3, side.flying().len(), true)]);
            side.repaint();
            side.draw(version);
            assert_eq!(painted.take(), [(3, side.flying().len(), false)], "nothing was made again");
        }
        engine.set_diagram_painter(Some(Box::new(|_| ())));
        let painted = watched(&engine);
        engine.draw(u64::MAX);
        assert!(painted.take().is_empty(), "the run over time is in its place");
    }

    #[test]
    fn a_new_size_is_laid_out_in_the_next_frame_and_a_hall_at_once() {
        let engine = Engine::new();
        let wide = |engine: &Engine| (engine.layout().width, engine.layout().hall);
        engine.resize(900.0, 600.0);
        assert_eq!(wide(&engine), (900.0, false), "the first size is laid out at once");
        engine.resize(800.0, 600.0);
        assert_eq!(wide(&engine), (900.0, false));
        assert!(engine.screen().has_resized() && !engine.screen().has_resized());
        engine.refresh();
        assert_eq!(wide(&engine), (800.0, false));
        engine.change_pair(|pair| pair.vary(Variation::Seed(3))).unwrap();
        engine.set_hall(true);
        assert_eq!([Side::Left, Side::Right].map(|side| wide(&engine.on(side)).1), [true, true]);
    }

    #[test]
    fn the_world_before_is_found_once_for_each_step() {
        let engine = Engine::new();
        assert!(engine.before().is_none());
        engine.change(|session| session.step(40));
        let (one, again) = (engine.before().unwrap(), engine.before().unwrap());
        assert!(Rc::ptr_eq(&one, &again));
        engine.change(|session| session.step(1));
        assert_eq!(engine.before().unwrap().events, one.events + 1);
    }
}
