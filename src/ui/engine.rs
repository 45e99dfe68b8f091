//! The engine: what is on the stage, the frame loop that moves it, and those who want to hear of changes. It paints canvases and never
//! renders a component by itself.

mod disks;
mod eye;
mod frames;
mod hunting;
mod lesson;
mod listen;
mod live;
pub(in crate::ui) mod model;
mod pacing;
mod packets;
pub(in crate::ui) mod recipe;
mod screen;
mod shelf;
mod voice;
mod watch;

use std::cell::{Cell, Ref, RefCell};
use std::rc::Rc;

use crate::base::{ClientId, ServerId};
use crate::console::ConsoleHost;
use crate::draw::gallery::Still;
use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::scenarios::{Scenario, scenario};
use crate::sim::{Action, Run, RunError, World};
use crate::timeline::{Against, Pair, Session, Side, Variation};
use crate::view::director::Director;

use frames::FrameLoop;
pub(super) use frames::Hidden;
use lesson::state::{LessonState, Wanted};
pub(super) use lesson::{Answering, Followed, LessonMark, LessonNews, OnStage, SettledNews, Shown, Taught};
pub(super) use listen::{ListenerGroup, Listening};
pub(super) use live::LiveView;
use screen::Screen;
pub(super) use screen::{DiagramPainter, Mark, Moment, Painter, Renderer};
use shelf::Shelf;
pub(super) use shelf::ShelvedRun;
pub(super) use watch::Roams;

use crate::ui::disks::Reading;
use crate::ui::kit::browser::{lang_of_page, wrong_words};
use crate::ui::kit::{rescue, stories};
use crate::ui::search::Hunt;

/// What all handles share.
struct Shared {
    pair: RefCell<Pair>,
    shelf: RefCell<Shelf>,
    consoles: RefCell<ConsoleHost>,
    screens: [Screen; 2],
    frames: FrameLoop,
    directors: [RefCell<Director>; 2],
    watch: RefCell<watch::Watch>,
    /// In which language is read.
    lang: Cell<Lang>,
    notice: RefCell<Option<String>>,
    /// The znode that is asked for on the stage.
    znode: RefCell<Option<Rc<str>>>,
    /// Whether time would run if nobody held a packet.
    still: Cell<bool>,
    /// The lesson that is open.
    lesson: RefCell<Option<LessonState>>,
    /// The search that goes on beside the stage, or the last one.
    hunt: RefCell<Option<Hunt>>,
    /// Where recipes of one's own are written.
    desk: RefCell<recipe::Desk>,
    /// What the address asks for, until the code of lessons has come.
    wanted_lesson: RefCell<Option<Wanted>>,
    /// Disks of real servers that were given to the page.
    disks: RefCell<Option<Reading>>,
    /// What opened the page for programs outside.
    live: RefCell<Option<live::Live>>,
}

/// A handle on the page's only engine and on one side of its stage. Cheap to clone; all handles on a side are equal.
///
/// Each part has one owner, which alone changes it:
/// - [`Pair`] owns the runs: their one clock, what was done in them, what the right one is, where they part.
/// - [`Shelf`] owns runs that were left for others, [`ConsoleHost`] zkCli at clients of the left run.
/// - [`Screen`], one for each side, owns what is shown of a run, its painters and its listeners; its `Pacing` decides which frame paints and
///   who hears in which.
/// - [`Director`], one for each side, decides what is told of a run; the left one also how far time waits for that.
/// - `Watch` keeps what eyes are led to while it is told.
/// - [`LessonState`] owns the open lesson; it puts its runs on the stage as a viewer does who chooses one.
/// - `Live` owns the programs outside that are clients of the left run.
/// - [`Hunt`] owns the search for a run that reaches a goal, and the worker that it goes on in.
/// - [`Reading`] owns the disks of real servers, and the worker that reads them.
/// - [`FrameLoop`] owns the frames that the browser is asked for, and why nobody sees the page.
///
/// The engine itself keeps a sentence for the reader, and whether a packet in somebody's hand has stopped time.
#[derive(Clone)]
pub(super) struct Engine {
    shared: Rc<Shared>,
    side: Side,
}

impl PartialEq for Engine {
    fn eq(&self, other: &Engine) -> bool {
        Rc::ptr_eq(&self.shared, &other.shared) && self.side == other.side
    }
}

impl Engine {
    /// An engine with the first scenario on its stage.
    pub(super) fn new() -> Engine {
        let first = scenario("cold-start-3");
        let run = first.map_or_else(|| Run::new(1, crate::sim::Setup::default()), Scenario::run);
        let session = Session::new(run, first).or_else(|_| Session::new(Run::new(1, Default::default()), None));
        let session = session.expect("the default run is valid");
        let shared = Shared {
            pair: RefCell::new(Pair::alone(session)),
            shelf: RefCell::default(),
            consoles: RefCell::default(),
            screens: Default::default(),
            frames: FrameLoop::default(),
            directors: Default::default(),
            watch: RefCell::default(),
            lang: Cell::default(),
            notice: RefCell::default(),
            znode: RefCell::default(),
            still: Cell::default(),
            lesson: RefCell::default(),
            hunt: RefCell::default(),
            disks: RefCell::default(),
            desk: RefCell::default(),
            wanted_lesson: RefCell::default(),
            live: RefCell::default(),
        };
        Engine { shared: Rc::new(shared), side: Side::Left }
    }

    /// The handle on a side.
    pub(super) fn on(&self, side: Side) -> Engine {
        Engine { shared: self.shared.clone(), side }
    }

    /// The handles on the sides where a run stands.
    pub(super) fn sides(&self) -> impl Iterator<Item = Engine> {
        let right = self.pair().right().map(|_| self.on(Side::Right));
        [self.on(Side::Left)].into_iter().chain(right)
    }

    /// A znode is asked for on the stage: the panel shows it.
    pub(super) fn ask_for_znode(&self, path: Rc<str>) {
        self.shared.znode.replace(Some(path));
        self.notify();
    }

    /// The znode that is asked for; nobody asks any more.
    pub(super) fn take_znode(&self) -> Option<Rc<str>> {
        self.shared.znode.take()
    }

    /// Whether a znode is asked for.
    pub(super) fn asks_for_znode(&self) -> bool {
        self.shared.znode.borrow().is_some()
    }

    fn screen(&self) -> &Screen {
        &self.shared.screens[self.side as usize]
    }

    /// The runs, to read.
    pub(super) fn pair(&self) -> Ref<'_, Pair> {
        self.shared.pair.borrow()
    }

    /// The run on this side, to read.
    pub(super) fn session(&self) -> Ref<'_, Session> {
        Ref::map(self.pair(), |pair| pair.session(self.side))
    }

    /// The world before the last step; none where nothing has happened. Found once for each step.
    pub(super) fn before(&self) -> Option<Rc<World>> {
        self.screen().before(&self.session())
    }

    /// Changes the runs; whoever shows them hears of it at once.
    pub(super) fn change_pair<T>(&self, change: impl FnOnce(&mut Pair) -> T) -> T {
        let result = change(&mut self.shared.pair.borrow_mut());
        self.changed();
        result
    }

    /// Changes the run on this side; whoever shows it hears of it at once.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Session) -> T) -> T {
        self.change_pair(|pair| pair.change(self.side, change))
    }

    fn changed(&self) {
        let _ = self.attend_consoles(|_| ());
        self.look();
        for side in self.sides() {
            side.refresh();
            side.notify();
        }
    }

    /// After `work`, consoles do what is due; whether time stands again, which ran for them.
    fn attend_consoles(&self, work: impl FnOnce(&mut Session)) -> bool {
        self.shared.pair.borrow_mut().change(Side::Left, |left| {
            work(left);
            self.shared.consoles.borrow_mut().attend(left)
        })
    }

    /// Does something to the ensemble, on both sides; what is wrong with it is shown on the page.
    pub(super) fn act(&self, action: Action) {
        if let Err(error) = self.try_act(action) {
            self.note(Some(wrong_words(&error)));
        }
    }

    /// Does something to the ensemble, on both sides, or says what is wrong with it.
    pub(super) fn try_act(&self, action: Action) -> Result<(), RunError> {
        rescue::about(&action);
        self.watch_deed();
        self.change_pair(|pair| pair.act(action)).inspect_err(|_| rescue::about_nothing())
    }

    /// Takes back the last change, on both sides.
    pub(super) fn undo(&self) -> bool {
        self.change_pair(|pair| pair.both(&Session::undo))
    }

    /// Makes the last change again that was taken back, on both sides.
    pub(super) fn redo(&self) -> bool {
        self.change_pair(|pair| pair.both(&Session::redo))
    }

    /// Puts a future that was left back on the stage, on both sides.
    pub(super) fn return_to(&self, version: usize) -> bool {
        self.change_pair(|pair| pair.both(&|session| session.return_to(version)))
    }

    /// Changes what was done in the run, on both sides where the other has the same action there.
    pub(super) fn edit(
        &self,
        change: &dyn Fn(&mut Session) -> Result<(), RunError>,
        index: usize,
    ) -> Result<(), RunError> {
        self.change_pair(|pair| pair.edit(change, index))
    }

    /// Hands the runs on the stage to what saves them when the page stops.
    pub(super) fn keep_runs(&self) {
        let pair = self.pair();
        let run = |session: &Session| session.world().run().clone();
        rescue::keep(pair.left().cursor_us(), [Some(run(pair.left())), pair.right().map(run)]);
    }

    /// A scenario with its parameters on the stage, and another beside it; see [`Pair::choose`].
    pub(super) fn choose(
        &self,
        chosen: &'static Scenario,
        beside: Option<&'static Scenario>,
        given: Vec<(String, String)>,
        seed: Option<u64>,
    ) -> Result<(), RunError> {
        self.change_pair(|pair| pair.choose(chosen, beside.map(Against::Scenario), given, seed))
    }

    /// Goes where the scene on the stage opens.
    pub(super) fn open_scene(&self) -> Result<(), RunError> {
        self.change_pair(Pair::open_scene)
    }

    /// A run from elsewhere, with its name, beside the one on the stage.
    pub(super) fn compare_with(&self, run: Run, name: String) -> Result<(), RunError> {
        self.change_pair(|pair| pair.compare_with(run, None, None, Some(Against::Named(name))))
    }

    /// The run on the stage beside itself, with one thing changed.
    pub(super) fn vary(&self, variation: Variation) -> Result<(), RunError> {
        self.change_pair(|pair| pair.vary(variation))
    }

    /// Another run on the stage, alone.
    pub(super) fn load(&self, run: Run, from: Option<&'static Scenario>) -> Result<(), RunError> {
        self.change_pair(|pair| pair.load(run, from))
    }

    /// Puts something else on the stage; what was there is kept if that could be done.
    pub(super) fn leaving(&self, work: impl FnOnce(&mut Pair) -> Result<(), RunError>) -> Result<(), RunError> {
        let left = self.pair().clone();
        self.change_pair(work)?;
        self.shared.shelf.borrow_mut().keep(left);
        Ok(())
    }

    /// Opens the scene of a scenario, another one beside it, and lets time run.
    pub(super) fn play(&self, chosen: &'static Scenario, beside: Option<&'static Scenario>) -> Result<(), RunError> {
        self.leaving(|pair| {
            pair.choose(chosen, beside.map(Against::Scenario), Vec::new(), None)?;
            pair.open_scene()
        })?;
        self.change(|session| session.playing = true);
        Ok(())
    }

    /// The runs that were left, the newest first.
    pub(super) fn left(&self) -> Vec<ShelvedRun> {
        self.shared.shelf.borrow().all()
    }

    /// What stood on the stage when a run was left, on a stage of this size.
    pub(super) fn still_of_left(&self, number: u64, size: (f64, f64)) -> Option<Still> {
        self.shared.shelf.borrow().find(number).map(|pair| Still::of(pair.left(), size))
    }

    /// Puts runs back on the stage that were left, at the moment where they were left, standing still; those that are there are kept.
    pub(super) fn back_to(&self, number: u64) {
        let Some(back) = self.shared.shelf.borrow_mut().take(number) else { return };
        let left = self.pair().clone();
        self.shared.shelf.borrow_mut().keep(left);
        self.change_pair(|pair| {
            pair.stand_in(back);
            pair.change(Side::Left, |left| left.playing = false);
        });
    }

    /// The consoles, to read.
    pub(super) fn consoles(&self) -> Ref<'_, ConsoleHost> {
        self.shared.consoles.borrow()
    }

    /// Does something at the consoles; whoever shows them hears of it at once.
    pub(super) fn at_consoles<T>(&self, work: impl FnOnce(&mut ConsoleHost, &mut Session) -> T) -> T {
        self.on(Side::Left).change(|session| work(&mut self.shared.consoles.borrow_mut(), session))
    }

    /// A line is typed at a client's console; time that stands runs until it has been answered.
    pub(super) fn enter(&self, client: ClientId, line: &str) {
        self.watch_deed();
        self.at_consoles(|host, session| host.enter(session, client, line));
    }

    /// A sentence for the reader, or none any more.
    pub(super) fn note(&self, notice: Option<String>) {
        *self.shared.notice.borrow_mut() = notice;
        self.on(Side::Left).notify();
    }

    /// Fetches lessons, bugs and prepared runs, unless they are there; what does not come is said on the page. `then` hears whether it came.
    pub(super) fn with_stories(&self, then: impl FnOnce(&Engine, bool) + 'static) {
        let engine = self.clone();
        stories::fetch(move |there| {
            let missing = page(lang_of_page()).stories_missing;
            match engine.notice() {
                _ if !there => engine.note(Some(missing.into())),
                Some(said) if said == missing => engine.note(None),
                _ => engine.on(Side::Left).notify(),
            }
            then(&engine, there);
        });
    }

    /// The sentence that is shown.
    pub(super) fn notice(&self) -> Option<String> {
        self.shared.notice.borrow().clone()
    }

    /// The servers of the ensemble.
    pub(super) fn servers(&self) -> Vec<ServerId> {
        self.session().world().processes.keys().copied().collect()
    }
}
