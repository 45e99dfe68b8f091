//! Pictures of the cards. Each is drawn from the real run at its telling moment, played here when its card comes into sight, a few
//! milliseconds at a time; what has been played once is drawn at once from then on.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::draw::gallery::{Preview, Still};
use crate::explore::prepared;
use crate::i18n::Lang;
use crate::museum::{Shows, bug};
use crate::scenarios::{Cast, scenario};
use crate::sim::{Rule, Run};
use crate::timeline::Variation;

use super::super::engine::Engine;
use crate::ui::kit::browser::window;
use crate::ui::kit::canvas_surface::CanvasSurface;
use crate::ui::kit::palette::read_palette;

/// How long the pictures may keep the page busy without a break, ms, and how long a break is at least.
const BUSY_MS: f64 = 7.0;
const BREAK_MS: u32 = 5;
/// How many steps are taken between two looks at the clock.
const STEPS: usize = 40;
/// The stage of a picture, CSS pixels: it is drawn smaller than that.
const STAGE: (f64, f64) = (480.0, 300.0);

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// A scenario.
    Scenario(&'static str),
    /// A rule's own run, with the rule broken.
    Rule(Rule),
    /// A bug's run, as released.
    Bug(&'static str),
    /// A run that was left.
    Left(u64),
}

/// A place for a picture.
struct Wanted {
    canvas: HtmlCanvasElement,
    subject: Subject,
    lang: Lang,
}

thread_local! {
    /// Of each scenario, rule and bug, by its name; they do not depend on theme or language.
    static KNOWN: RefCell<BTreeMap<&'static str, Option<Rc<Still>>>> = const { RefCell::new(BTreeMap::new()) };
}

struct Inner {
    engine: Engine,
    wanted: RefCell<Vec<Wanted>>,
    under_way: RefCell<Option<(&'static str, Preview)>>,
    timer: Cell<Option<Timeout>>,
}

/// Draws what comes into sight as long as it lives.
#[derive(Clone)]
pub(super) struct Studio(Rc<Inner>);

impl PartialEq for Studio {
    fn eq(&self, other: &Studio) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

fn clock() -> f64 {
    js_sys::Date::now()
}

/// Whether any of an element is in the window.
fn in_sight(canvas: &HtmlCanvasElement) -> bool {
    let rect = canvas.get_bounding_client_rect();
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
    rect.width() > 0.0 && rect.bottom() > 0.0 && rect.top() < height
}

impl Studio {
    pub(super) fn new(engine: Engine) -> Studio {
        let (wanted, under_way, timer) = (RefCell::default(), RefCell::default(), Cell::new(None));
        Studio(Rc::new(Inner { engine, wanted, under_way, timer }))
    }

    /// Wants a picture drawn.
    pub(super) fn want(&self, canvas: HtmlCanvasElement, subject: Subject, lang: Lang) {
        self.0.wanted.borrow_mut().push(Wanted { canvas, subject, lang });
        self.wake();
    }

    /// Something else may have come into sight.
    pub(super) fn wake(&self) {
        let weak = Rc::downgrade(&self.0);
        let work = move || {
            if let Some(inner) = weak.upgrade() {
                Studio(inner).work();
            }
        };
        let timer = self.0.timer.take().unwrap_or_else(|| Timeout::new(BREAK_MS, work));
        self.0.timer.set(Some(timer));
    }

    /// Works for a few milliseconds on what is in sight; goes on after a break, if there is more of it.
    fn work(&self) {
        self.0.timer.set(None);
        let until = clock() + BUSY_MS;
        while clock() < until {
            let place = {
                let mut wanted = self.0.wanted.borrow_mut();
                wanted.retain(|one| one.canvas.is_connected());
                wanted.iter().position(|one| in_sight(&one.canvas))
            };
            let Some(place) = place else { return };
            let subject = self.0.wanted.borrow()[place].subject;
            if let Some(found) = self.found(subject, until) {
                let wanted = self.0.wanted.borrow_mut().remove(place);
                if let Some(still) = found {
                    draw(&wanted.canvas, &still, wanted.lang);
                }
            }
        }
        self.wake();
    }

    /// The still of a subject; an inner none where there cannot be any, an outer one where there is more to be played.
    fn found(&self, subject: Subject, until: f64) -> Option<Option<Rc<Still>>> {
        let id = match subject {
            Subject::Scenario(id) => id,
            Subject::Rule(rule) => rule.name(),
            Subject::Bug(id) => id,
            Subject::Left(number) => {
                return Some(self.0.engine.still_of_left(number, STAGE).map(Rc::new));
            }
        };
        if let Some(known) = KNOWN.with_borrow(|known| known.get(id).cloned()) {
            return Some(known);
        }
        let found = self.play(id, subject, until)?;
        KNOWN.with_borrow_mut(|known| known.insert(id, found.clone()));
        Some(found)
    }

    /// Plays a subject of this name on until then, or up to its moment.
    fn play(&self, name: &'static str, subject: Subject, until: f64) -> Option<Option<Rc<Still>>> {
        let mut under_way = self.0.under_way.borrow_mut();
        if under_way.as_ref().is_none_or(|(id, _)| *id != name) {
            *under_way = preview(subject).map(|preview| (name, preview));
        }
        let Some((_, preview)) = under_way.as_mut() else { return Some(None) };
        while clock() < until {
            if preview.go_on(STEPS) {
                let still = Rc::new(preview.still(STAGE));
                *under_way = None;
                return Some(Some(still));
            }
        }
        None
    }
}

/// The beginning of a subject's run; none of a run that was left, which stands there already.
fn preview(subject: Subject) -> Option<Preview> {
    match subject {
        Subject::Scenario(id) => Preview::new(scenario(id)?).ok(),
        Subject::Rule(rule) => {
            let one = prepared(rule)?;
            Preview::of(Variation::Rule(rule).apply(&one.run).ok()?, Cast::default(), one.until).ok()
        }
        Subject::Bug(id) => match &bug(id)?.shows {
            Shows::Runs { run, until, .. } => Preview::of(Run::clone(run), Cast::default(), *until).ok(),
            Shows::Rule(rule) => preview(Subject::Rule(*rule)),
        },
        Subject::Left(_) => None,
    }
}

/// Draws a still as large as its canvas is on the page, sharp on every screen.
fn draw(canvas: &HtmlCanvasElement, still: &Still, lang: Lang) {
    use wasm_bindgen::JsCast;
    let ratio = window().device_pixel_ratio().clamp(1.0, 3.0);
    let (width, height) = still.size();
    let scale = (f64::from(canvas.client_width()) / width) * ratio;
    canvas.set_width((width * scale).round() as u32);
    canvas.set_height((height * scale).round() as u32);
    let context = canvas.get_context("2d").ok().flatten();
    let Some(context) = context.and_then(|found| found.dyn_into::<CanvasRenderingContext2d>().ok()) else { return };
    let _ = context.set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0);
    still.draw(&mut CanvasSurface::new(&context), &read_palette(), &lang);
    let _ = canvas.set_attribute("data-drawn", "");
}
