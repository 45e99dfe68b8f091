//! The engine: one session in a cell, the frame loop that moves it, and those who want to hear of changes. The frame
//! loop paints the canvas; it never renders a component by itself.

use std::cell::{Cell, Ref, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use crate::base::{ClientId, MsgId, ServerId};
use crate::sim::{Action, Run, RunError, Scenario, scenario};
use crate::view::{Layout, PacketView, Point, Scene, Session, hit, packets, seats};

use super::desk::Desk;
use super::pictures::Exhibit;

/// The shortest time between two refreshes of the panels while time runs, ms.
const PANELS_EVERY_MS: f64 = 100.0;

/// Draws one moment.
pub(super) type Painter = Box<dyn Fn(&Layout, &Scene, &[PacketView], Option<MsgId>)>;

/// Somebody who wants to hear of changes.
type Listener = Rc<dyn Fn()>;
/// What the browser calls at each frame.
type FrameClosure = Closure<dyn FnMut(f64)>;

struct Inner {
    session: RefCell<Session>,
    desk: RefCell<Desk>,
    /// The run beside this one, and the engine that this one stands beside: only one of the two is there.
    twin: RefCell<Option<Engine>>,
    first: RefCell<Weak<Inner>>,
    /// The parameters that the scenario was given.
    given: RefCell<Vec<(String, String)>>,
    size: Cell<(f64, f64)>,
    layout: RefCell<Layout>,
    scene: RefCell<Scene>,
    flying: RefCell<Vec<PacketView>>,
    painter: RefCell<Option<Painter>>,
    exhibit: RefCell<Option<Exhibit>>,
    listeners: RefCell<Vec<(u64, Listener)>>,
    next_listener: Cell<u64>,
    notice: RefCell<Option<String>>,
    pressed: Cell<Option<MsgId>>,
    shown: Cell<(u64, f64)>,
    painted: Cell<(u64, u64)>,
    repaint: Cell<u64>,
    last_frame: Cell<f64>,
    frame: RefCell<Option<FrameClosure>>,
}

/// A handle on the page's only engine; cheap to clone, all handles are equal.
#[derive(Clone)]
pub(super) struct Engine(Rc<Inner>);

impl PartialEq for Engine {
    fn eq(&self, other: &Engine) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Engine {
    /// An engine with the first scenario on its stage.
    pub fn new() -> Engine {
        let first = scenario("cold-start-3");
        let run = first.map_or_else(|| Run::new(1, crate::sim::Setup::default()), Scenario::run);
        let session = Session::new(run, first).or_else(|_| Session::new(Run::new(1, Default::default()), None));
        let session = session.expect("the default run is valid");
        let layout = Layout::new(&[], 0.0, 0.0);
        Engine(Rc::new(Inner {
            session: RefCell::new(session),
            desk: RefCell::default(),
            twin: RefCell::default(),
            first: RefCell::default(),
            given: RefCell::default(),
            size: Cell::new((0.0, 0.0)),
            layout: RefCell::new(layout),
            scene: RefCell::default(),
            flying: RefCell::default(),
            painter: RefCell::default(),
            exhibit: RefCell::default(),
            listeners: RefCell::default(),
            next_listener: Cell::new(0),
            notice: RefCell::default(),
            pressed: Cell::new(None),
            shown: Cell::new((u64::MAX, 0.0)),
            painted: Cell::new((u64::MAX, 0)),
            repaint: Cell::new(0),
            last_frame: Cell::new(0.0),
            frame: RefCell::default(),
        }))
    }

    /// The session, to read.
    pub fn session(&self) -> Ref<'_, Session> {
        self.0.session.borrow()
    }

    /// Changes the session; whoever shows it hears of it at once.
    pub fn change<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        let result = {
            let mut session = self.0.session.borrow_mut();
            let result = change(&mut session);
            self.0.desk.borrow_mut().attend(&mut session);
            session.touch();
            result
        };
        self.refresh();
        self.tell();
        self.lead();
        result
    }

    /// Does something to the ensemble, and to the one beside it; what is wrong with it is shown on the page.
    pub fn act(&self, action: Action) {
        if let Some(first) = self.0.first.borrow().upgrade() {
            return Engine(first).act(action);
        }
        let beside = action.clone();
        if let Err(error) = self.change(|session| session.act(action)) {
            self.note(Some(error.to_string()));
        } else if let Some(twin) = self.twin() {
            let _ = twin.change(|session| session.act(beside));
        }
    }

    /// The engine of the run beside this one.
    pub fn twin(&self) -> Option<Engine> {
        self.0.twin.borrow().clone()
    }

    /// The run beside this one shows the same moment.
    fn lead(&self) {
        if let Some(twin) = self.twin() {
            twin.0.session.borrow_mut().follow(&self.0.session.borrow());
            twin.refresh();
            twin.tell();
        }
    }

    /// The parameters that the scenario was given: names and values.
    pub fn given(&self) -> Vec<(String, String)> {
        self.0.given.borrow().clone()
    }

    /// A scenario with its parameters on the stage, and another beside it with the same seed and the same parameters, as
    /// far as it has them.
    pub fn choose(
        &self,
        chosen: &'static Scenario,
        beside: Option<&'static Scenario>,
        given: Vec<(String, String)>,
        seed: Option<u64>,
    ) -> Result<(), RunError> {
        let has = |scenario: &Scenario, name: &str| scenario.params().iter().any(|param| param.name == name);
        let own = |scenario: &'static Scenario| {
            let own: Vec<_> = given.iter().filter(|(name, _)| has(scenario, name)).cloned().collect();
            scenario.run_with(&own).map(|(mut run, until)| {
                run.seed = seed.unwrap_or(run.seed);
                (run, until)
            })
        };
        let (run, until) = own(chosen)?;
        let twin = beside.map(|beside| own(beside).map(|made| (beside, made))).transpose()?;
        *self.0.twin.borrow_mut() = None;
        self.load(run, Some(chosen))?;
        self.change(|session| session.plan(until));
        if let Some((beside, (run, until))) = twin {
            let engine = Engine::new();
            engine.load(run, Some(beside))?;
            engine.change(|session| session.plan(until));
            *engine.0.first.borrow_mut() = Rc::downgrade(&self.0);
            *self.0.twin.borrow_mut() = Some(engine);
        }
        *self.0.given.borrow_mut() = given;
        self.lead();
        self.tell();
        Ok(())
    }

    /// The consoles, to read.
    pub fn desk(&self) -> Ref<'_, Desk> {
        self.0.desk.borrow()
    }

    /// Does something at the consoles; whoever shows them hears of it at once.
    pub fn at_desk<T>(&self, work: impl FnOnce(&mut Desk, &mut Session) -> T) -> T {
        let result = {
            let mut session = self.0.session.borrow_mut();
            let result = work(&mut self.0.desk.borrow_mut(), &mut session);
            session.touch();
            result
        };
        self.refresh();
        self.tell();
        result
    }

    /// A line is typed at a client's console.
    pub fn enter(&self, client: ClientId, line: &str) {
        self.at_desk(|desk, session| desk.enter(session, client, line));
    }

    /// Another run on the stage, alone.
    pub fn load(&self, run: Run, from: Option<&'static Scenario>) -> Result<(), RunError> {
        *self.0.twin.borrow_mut() = None;
        self.0.given.borrow_mut().clear();
        self.change(|session| session.load(run, from))
    }

    /// A sentence for the reader, or none any more.
    pub fn note(&self, notice: Option<String>) {
        *self.0.notice.borrow_mut() = notice;
        self.tell();
    }

    /// The sentence that is shown.
    pub fn notice(&self) -> Option<String> {
        self.0.notice.borrow().clone()
    }

    /// The stage has a new size.
    pub fn resize(&self, width: f64, height: f64) {
        if self.0.size.get() != (width, height) {
            self.0.size.set((width, height));
            self.refresh();
            self.tell();
        }
    }

    /// Where cards stand now.
    pub fn layout(&self) -> Layout {
        self.0.layout.borrow().clone()
    }

    /// What stands on the stage now.
    pub fn scene(&self) -> Ref<'_, Scene> {
        self.0.scene.borrow()
    }

    /// Who draws the canvas.
    pub fn set_painter(&self, painter: Option<Painter>) {
        *self.0.painter.borrow_mut() = painter;
        self.repaint();
    }

    /// Who draws pictures of what stands in the stage's place; none where the stage does.
    #[allow(dead_code, reason = "the space-time view will be the first to stand there")]
    pub fn set_exhibit(&self, exhibit: Option<Exhibit>) {
        *self.0.exhibit.borrow_mut() = exhibit;
    }

    /// Who draws pictures in the stage's place.
    pub fn exhibit(&self) -> Option<Exhibit> {
        self.0.exhibit.borrow().clone()
    }

    /// The canvas must be drawn again although nothing has happened.
    pub fn repaint(&self) {
        self.0.repaint.set(self.0.repaint.get() + 1);
    }

    /// A pointer went down on the stage: the packet under it is remembered until it goes up.
    pub fn press(&self, at: Point) -> bool {
        let found = hit(&self.0.flying.borrow(), at);
        self.0.pressed.set(found);
        found.is_some()
    }

    /// The packet under a point.
    pub fn packet_at(&self, at: Point) -> Option<MsgId> {
        hit(&self.0.flying.borrow(), at)
    }

    /// The pointer went up: the packet that it had gone down on.
    pub fn release(&self) -> Option<MsgId> {
        self.0.pressed.take()
    }

    /// The servers of the ensemble.
    pub fn servers(&self) -> Vec<ServerId> {
        self.session().world().processes.keys().copied().collect()
    }

    /// Hears of changes until the answer is dropped.
    pub fn listen(&self, listener: Rc<dyn Fn()>) -> Listening {
        let id = self.0.next_listener.get();
        self.0.next_listener.set(id + 1);
        self.0.listeners.borrow_mut().push((id, listener));
        Listening { engine: self.clone(), id }
    }

    fn tell(&self) {
        self.repaint();
        let listeners: Vec<Rc<dyn Fn()>> = self.0.listeners.borrow().iter().map(|(_, l)| l.clone()).collect();
        for listener in listeners {
            listener();
        }
    }

    /// Computes the scene and, where servers or sizes changed, the layout.
    fn refresh(&self) {
        let session = self.0.session.borrow();
        let ids: Vec<ServerId> = session.world().processes.keys().copied().collect();
        let seats = seats(session.player().run(), session.world());
        let (width, height) = self.0.size.get();
        let same = {
            let layout = self.0.layout.borrow();
            let sized = layout.width == width && layout.height == height;
            sized && layout.seats == seats && layout.places.iter().map(|(id, _)| id).eq(&ids)
        };
        if !same {
            *self.0.layout.borrow_mut() = Layout::with_clients(&ids, &seats, width, height);
        }
        *self.0.scene.borrow_mut() = Scene::of(session.world(), session.chronicle());
    }

    /// Starts the frame loop; a second call does nothing.
    pub fn run(&self) {
        if self.0.frame.borrow().is_some() {
            return;
        }
        let engine = self.clone();
        let closure = Closure::new(move |now: f64| {
            engine.frame(now);
            engine.ask_frame();
        });
        *self.0.frame.borrow_mut() = Some(closure);
        self.refresh();
        self.ask_frame();
    }

    fn ask_frame(&self) {
        if let (Some(window), Some(closure)) = (web_sys::window(), self.0.frame.borrow().as_ref()) {
            let _ = window.request_animation_frame(closure.as_ref().unchecked_ref());
        }
    }

    /// One frame: time passes, the canvas is drawn; the panels hear of it ten times a second at most.
    fn frame(&self, now: f64) {
        let elapsed = now - self.0.last_frame.replace(now);
        let version = {
            let mut session = self.0.session.borrow_mut();
            if session.playing {
                session.advance(elapsed);
                self.0.desk.borrow_mut().attend(&mut session);
            }
            session.version()
        };
        if let Some(twin) = self.twin() {
            twin.0.session.borrow_mut().follow(&self.0.session.borrow());
            let version = twin.session().version();
            twin.show(now, version);
        }
        self.show(now, version);
    }

    /// The canvas is drawn, and the panels hear of it where they have not heard for a while.
    fn show(&self, now: f64, version: u64) {
        let (shown, when) = self.0.shown.get();
        if shown != version && now - when >= PANELS_EVERY_MS {
            self.0.shown.set((version, now));
            self.refresh();
            self.tell();
        }
        self.draw(version);
    }

    fn draw(&self, version: u64) {
        let mark = (version, self.0.repaint.get());
        if self.0.painted.replace(mark) == mark {
            return;
        }
        let session = self.0.session.borrow();
        let layout = self.0.layout.borrow();
        let flying = packets(session.world(), session.chronicle(), &layout, session.cursor_us());
        if let Some(painter) = self.0.painter.borrow().as_ref() {
            painter(&layout, &self.0.scene.borrow(), &flying, session.packet);
        }
        *self.0.flying.borrow_mut() = flying;
    }
}

/// Someone hears of changes as long as this lives.
pub(super) struct Listening {
    engine: Engine,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.engine.0.listeners.borrow_mut().retain(|(id, _)| *id != self.id);
    }
}
