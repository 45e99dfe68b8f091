//! The engine: one session in a cell, the frame loop that moves it, and those who want to hear of changes. The frame
//! loop (`frames`) paints the canvas; it never renders a component by itself.

mod frames;
mod listen;
mod packets;
mod pair;
mod picture;
mod shared;
mod shelf;

use std::cell::{Cell, Ref, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::prelude::Closure;

use crate::base::{ClientId, MsgId, ServerId};
use crate::console::ConsoleHost;
use crate::draw::{Layout, PacketView, Point};
use crate::scenarios::{Scenario, scenario};
use crate::sim::{Action, Run, RunError, World};
use crate::timeline::Session;
use crate::view::Scene;

pub(super) use listen::ListenerGroup;
use listen::Listeners;
pub(super) use listen::Listening;
pub(super) use pair::Against;
use pair::Pair;
pub(super) use picture::{DiagramPainter, Mark, Moment, Painter, Renderer};
use shelf::Left;
pub(super) use shelf::ShelvedRun;

use crate::ui::app::rescue;
use crate::ui::kit::browser::wrong_words;

/// A step of a run: how often it began, how many steps were taken, how many actions there are.
type Step = ((u64, u64), u64, usize);
/// What the browser calls at each frame.
type FrameClosure = Closure<dyn FnMut(f64)>;

/// Why nobody sees the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hidden {
    /// The browser says so: another tab is in front, the window is minimized.
    Document = 1,
    /// The page around it says so: it is scrolled away.
    Host = 2,
    /// Its slide is not shown.
    Slide = 4,
    /// The gallery covers it.
    Gallery = 8,
}

struct Inner {
    session: RefCell<Session>,
    consoles: RefCell<ConsoleHost>,
    /// The world before the last step, and at which moment it was that.
    before: RefCell<Option<(Step, Option<Rc<World>>)>>,
    /// The run beside this one, and the engine that this one stands beside: only one of the two is there.
    twin: RefCell<Option<Engine>>,
    first: RefCell<Weak<Inner>>,
    /// What is known of the two runs together.
    pair: RefCell<Pair>,
    /// Runs that were left for another one, the newest last.
    left: RefCell<Vec<Left>>,
    /// The parameters that the scenario was given.
    given: RefCell<Vec<(String, String)>>,
    size: Cell<(f64, f64)>,
    /// The layout is still that of another size.
    resized: Cell<bool>,
    /// Whether the stage is made for a hall.
    hall: Cell<bool>,
    /// The entry of the legend whose objects are brought out.
    mark: Mark,
    layout: RefCell<Layout>,
    scene: RefCell<Scene>,
    flying: RefCell<Vec<PacketView>>,
    painter: RefCell<Option<Painter>>,
    diagram_painter: RefCell<Option<DiagramPainter>>,
    renderer: RefCell<Option<Renderer>>,
    listeners: Listeners,
    notice: RefCell<Option<String>>,
    /// The packet that was pressed, and where.
    pressed: Cell<Option<(MsgId, Point)>>,
    /// Whether time would run if nobody held a packet.
    still: Cell<bool>,
    shown: Cell<(u64, f64)>,
    /// The last frame told of changes and did not paint.
    told: Cell<bool>,
    painted: Cell<(u64, u64)>,
    /// Somebody asks for less motion, as far as is known: to ask the browser in each frame would cost more than to draw a packet.
    calm: Cell<bool>,
    /// Pixels of the screen to a CSS pixel, as far as is known: the same holds for them.
    ratio: Cell<f64>,
    /// Layout and scene were made again and not painted yet.
    fresh: Cell<bool>,
    /// When the canvas was drawn last, ms.
    drawn_at: Cell<f64>,
    repaint: Cell<u64>,
    /// When the last frame was, while one follows the other.
    last_frame: Cell<Option<f64>>,
    frame: RefCell<Option<FrameClosure>>,
    /// The frame that was asked for and has not come.
    asked: Cell<Option<i32>>,
    /// Why nobody sees the page: bits of [`Hidden`].
    hidden: Cell<u8>,
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
        let mut session = session.expect("the default run is valid");
        session.put_off();
        let layout = Layout::new(&[], 0.0, 0.0);
        Engine(Rc::new(Inner {
            session: RefCell::new(session),
            consoles: RefCell::default(),
            before: RefCell::default(),
            twin: RefCell::default(),
            first: RefCell::default(),
            pair: RefCell::default(),
            left: RefCell::default(),
            given: RefCell::default(),
            size: Cell::new((0.0, 0.0)),
            resized: Cell::new(false),
            hall: Cell::new(false),
            mark: Mark::default(),
            layout: RefCell::new(layout),
            scene: RefCell::default(),
            flying: RefCell::default(),
            painter: RefCell::default(),
            diagram_painter: RefCell::default(),
            renderer: RefCell::default(),
            listeners: Listeners::default(),
            notice: RefCell::default(),
            pressed: Cell::new(None),
            still: Cell::new(false),
            shown: Cell::new((u64::MAX, 0.0)),
            told: Cell::default(),
            calm: Cell::default(),
            ratio: Cell::new(1.0),
            fresh: Cell::default(),
            painted: Cell::new((u64::MAX, 0)),
            drawn_at: Cell::new(f64::NEG_INFINITY),
            repaint: Cell::new(0),
            last_frame: Cell::new(None),
            frame: RefCell::default(),
            asked: Cell::new(None),
            hidden: Cell::new(0),
        }))
    }

    /// The session, to read.
    pub fn session(&self) -> Ref<'_, Session> {
        self.0.session.borrow()
    }

    /// The world before the last step; none where nothing has happened. Found once for each step.
    pub fn before(&self) -> Option<Rc<World>> {
        let session = self.session();
        let moment = (session.beginnings(), session.events(), session.player().run().actions.len());
        let mut known = self.0.before.borrow_mut();
        if known.as_ref().is_none_or(|(when, _)| *when != moment) {
            *known = Some((moment, session.before().map(Rc::new)));
        }
        known.as_ref().and_then(|(_, before)| before.clone())
    }

    /// Changes the session; whoever shows it hears of it at once.
    pub fn change<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        let result = {
            let mut session = self.0.session.borrow_mut();
            let result = change(&mut session);
            self.0.consoles.borrow_mut().attend(&mut session);
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
        if let Err(error) = self.try_act(action) {
            self.note(Some(wrong_words(&error)));
        }
    }

    /// Does something to the ensemble, and to the one beside it, or says what is wrong with it.
    pub fn try_act(&self, action: Action) -> Result<(), RunError> {
        let beside = action.clone();
        rescue::about(&action);
        self.change(|session| session.act(action)).inspect_err(|_| rescue::about_nothing())?;
        if let Some(twin) = self.twin() {
            let _ = twin.change(|session| session.act(beside));
            self.keep_runs();
        }
        Ok(())
    }

    /// Takes back the last change, on both sides where two runs stand beside each other.
    pub fn undo(&self) -> bool {
        self.both(Session::undo)
    }

    /// Makes the last change again that was taken back.
    pub fn redo(&self) -> bool {
        self.both(Session::redo)
    }

    /// Puts a future that was left back on the stage.
    pub fn return_to(&self, version: usize) -> bool {
        self.both(|session| session.return_to(version))
    }

    /// Changes what was done in the run, on both sides where the other has the same action there.
    pub fn edit(&self, change: &dyn Fn(&mut Session) -> Result<(), RunError>, index: usize) -> Result<(), RunError> {
        if let Some(first) = self.0.first.borrow().upgrade() {
            return Engine(first).edit(change, index);
        }
        let old = self.session().actions().get(index).cloned();
        self.change(change)?;
        if let Some(twin) = self.twin() {
            let same = twin.session().actions().get(index).cloned() == old;
            if same {
                let _ = twin.change(change);
            }
            self.keep_runs();
        }
        self.lead();
        Ok(())
    }

    /// Hands the runs on the stage to what saves them when the page stops.
    pub fn keep_runs(&self) {
        let run = |engine: &Engine| engine.session().world().run().clone();
        rescue::keep(self.session().cursor_us(), [Some(run(self)), self.twin().as_ref().map(run)]);
    }

    fn both(&self, change: impl Fn(&mut Session) -> bool) -> bool {
        if let Some(first) = self.0.first.borrow().upgrade() {
            return Engine(first).both(change);
        }
        let changed = self.change(&change);
        if let Some(twin) = self.twin() {
            twin.change(change);
            self.keep_runs();
        }
        self.lead();
        changed
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
        self.load(run, Some(chosen))?;
        self.change(|session| session.plan(until));
        if let Some((beside, (run, until))) = twin {
            self.beside(run, Some(beside), Some(until), Against::Scenario(beside))?;
        }
        *self.0.given.borrow_mut() = given;
        self.tell();
        Ok(())
    }

    /// The consoles, to read.
    pub fn consoles(&self) -> Ref<'_, ConsoleHost> {
        self.0.consoles.borrow()
    }

    /// Does something at the consoles; whoever shows them hears of it at once.
    pub fn at_consoles<T>(&self, work: impl FnOnce(&mut ConsoleHost, &mut Session) -> T) -> T {
        let result = {
            let mut session = self.0.session.borrow_mut();
            let result = work(&mut self.0.consoles.borrow_mut(), &mut session);
            session.touch();
            result
        };
        self.refresh();
        self.tell();
        result
    }

    /// A line is typed at a client's console.
    pub fn enter(&self, client: ClientId, line: &str) {
        self.at_consoles(|host, session| host.enter(session, client, line));
    }

    /// Another run on the stage, alone.
    pub fn load(&self, run: Run, from: Option<&'static Scenario>) -> Result<(), RunError> {
        *self.0.twin.borrow_mut() = None;
        *self.0.pair.borrow_mut() = Pair::default();
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

    /// The servers of the ensemble.
    pub fn servers(&self) -> Vec<ServerId> {
        self.session().world().processes.keys().copied().collect()
    }
}
