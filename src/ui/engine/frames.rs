//! The frame loop. A frame is asked for only when something moves or is to be painted, and nobody hides the page: a page that stands
//! still costs nothing.

use std::cell::{Cell, RefCell};

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use crate::draw::CROWD;
use crate::timeline::Side;

use crate::ui::kit::browser::{now_ms, reduced_motion, window, wrong_words};

use super::Engine;
use super::pacing::Hearers;

/// How many steps of two runs are compared in one frame: about as long as the frame itself takes.
const STEPS_A_FRAME: usize = 400;

/// How many steps of a run are searched for its chapters in one frame.
const SEARCHED_A_FRAME: u64 = 500;

/// How long a frame goes on with a long way, ms, and steps between two looks at the clock.
const WALK_MS: u64 = 40;
const STEPS_A_LOOK: u64 = 500;

/// Why nobody sees the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Hidden {
    /// The browser says so: another tab is in front, the window is minimized.
    Document = 1,
    /// The page around it says so: it is scrolled away.
    Host = 2,
    /// Its slide is not shown.
    Slide = 4,
    /// The gallery covers it.
    Gallery = 8,
    /// It is in a frame of which less than a third is in sight.
    Frame = 16,
}

/// Where the page around has put this one: nobody who presses a key there looks at it.
const AWAY: u8 = Hidden::Host as u8 | Hidden::Slide as u8 | Hidden::Frame as u8;

/// How long the first frame may be waited for, ms.
const FIRST_MS: u32 = 250;

/// What the browser calls at each frame.
type FrameClosure = Closure<dyn FnMut(f64)>;

/// What the browser calls, and what it was asked for.
#[derive(Default)]
pub(super) struct FrameLoop {
    /// None before the page is there.
    called: RefCell<Option<FrameClosure>>,
    /// The frame that was asked for and has not come.
    asked: Cell<Option<i32>>,
    /// When the last frame was, while one follows the other.
    last: Cell<Option<f64>>,
    /// Why nobody sees the page: bits of [`Hidden`].
    hidden: Cell<u8>,
    /// What changed while nobody sees it is about to be painted without a frame.
    still: Cell<bool>,
}

impl FrameLoop {
    /// Asks for a frame, if somebody would see it and none is on its way.
    fn wake(&self) {
        if self.hidden.get() != 0 || self.asked.get().is_some() {
            return;
        }
        if let Some(called) = self.called.borrow().as_ref() {
            self.asked.set(window().request_animation_frame(called.as_ref().unchecked_ref()).ok());
        }
    }

    /// No frame comes any more; when frames come again, the time between has not passed.
    fn sleep(&self) {
        if let Some(asked) = self.asked.take() {
            let _ = window().cancel_animation_frame(asked);
        }
        self.last.set(None);
    }

    /// A frame has come; how long after the one before, ms.
    fn begin(&self, now: f64) -> f64 {
        self.asked.set(None);
        self.last.replace(Some(now)).map_or(0.0, |last| now - last)
    }
}

impl Engine {
    /// Starts the frame loop; a second call does nothing.
    pub(crate) fn run(&self) {
        let mut called = self.shared.frames.called.borrow_mut();
        if called.is_none() {
            let engine = self.on(Side::Left);
            *called = Some(Closure::new(move |now: f64| engine.frame(now)));
            drop(called);
            self.look_at_screen();
            self.look();
            self.refresh();
            self.wake();
            // a frame of another origin that is out of sight gets none
            let engine = self.on(Side::Left);
            Timeout::new(FIRST_MS, move || engine.still()).forget();
        }
    }

    /// Asks the browser what frames need to know of it.
    fn look_at_screen(&self) {
        self.screen().pacing.borrow_mut().calm = reduced_motion();
        self.screen().set_ratio(window().device_pixel_ratio());
    }

    /// Somebody hides the page, or shows it again. Hidden, it asks for no frame, and virtual time stands.
    pub(crate) fn hide(&self, why: Hidden, hidden: bool) {
        let (frames, bit) = (&self.shared.frames, why as u8);
        let before = frames.hidden.get();
        frames.hidden.set(if hidden { before | bit } else { before & !bit });
        if self.is_hidden() {
            frames.sleep();
        } else {
            frames.wake();
        }
        if (before == 0) == self.is_hidden() {
            self.notify();
        }
    }

    /// Whether nobody sees the page.
    pub(crate) fn is_hidden(&self) -> bool {
        self.shared.frames.hidden.get() != 0
    }

    /// Whether the page around this one shows something else in its place.
    pub(crate) fn is_away(&self) -> bool {
        self.shared.frames.hidden.get() & AWAY != 0
    }

    /// Something is to be done in the next frame. Where none comes, because nobody sees the page, only the picture is brought up to date.
    pub(super) fn wake(&self) {
        let frames = &self.shared.frames;
        frames.wake();
        if self.is_hidden() && frames.called.borrow().is_some() && !frames.still.replace(true) {
            let engine = self.on(Side::Left);
            Timeout::new(0, move || engine.still()).forget();
        }
    }

    /// Lays out and paints what stands there now without a frame of the browser, which gives none to a page that nobody sees: it may be
    /// printed all the same.
    pub(crate) fn still(&self) {
        let still = &self.shared.frames.still;
        // what it changes itself is in it
        still.set(true);
        for side in self.sides() {
            side.show(now_ms() as f64, false);
        }
        still.set(false);
    }

    /// One frame: time passes, canvases are painted, and whoever listens hears of it now and then.
    fn frame(&self, now: f64) {
        let elapsed = self.shared.frames.begin(now);
        let on_the_way = self.walk();
        let playing = self.session().playing && !on_the_way;
        if playing || self.reveals() {
            self.pass(elapsed, now);
        }
        self.attend_live();
        let waits = self.has_lesson() && self.follow_lesson(now);
        let (found, more) = self.shared.pair.borrow_mut().compare(STEPS_A_FRAME);
        if found {
            self.notify();
        }
        let mut more = more || playing || waits || on_the_way;
        more |= self.look_for_chapters();
        for side in self.sides() {
            more |= side.show(now, playing);
        }
        if more {
            self.wake();
        } else {
            self.shared.frames.sleep();
        }
    }

    /// Goes on with a long way for a part of the frame; whether there was one.
    fn walk(&self) -> bool {
        if self.session().destination().is_none() {
            return false;
        }
        let begun = now_ms();
        let went = self.change(|session| {
            let mut went = Ok(());
            while went.is_ok() && session.destination().is_some() && now_ms() - begun < WALK_MS {
                went = session.walk(STEPS_A_LOOK);
            }
            went
        });
        if let Err(error) = went {
            self.note(Some(wrong_words(&error)));
        }
        true
    }

    /// The scene's chapters are looked for; whether there is more to look for.
    fn look_for_chapters(&self) -> bool {
        let known = self.session().chapters().len();
        let more = self.shared.pair.borrow_mut().look_for_chapters(SEARCHED_A_FRAME);
        if self.session().chapters().len() != known {
            self.notify();
        }
        more
    }

    /// The canvas is painted, and the panels hear of it where they have not heard for a while; whether there is more to come.
    fn show(&self, now: f64, playing: bool) -> bool {
        let (screen, version) = (self.screen(), self.session().version());
        if screen.has_resized() {
            self.look_at_screen();
            self.refresh();
            self.notify();
        }
        let crowd = playing && self.flying().len() > CROWD;
        let (hearers, owed) = screen.pacing.borrow_mut().hear(now, version, playing, crowd);
        if matches!(hearers, Hearers::Stage | Hearers::Everybody) {
            self.look_at_screen();
            self.refresh();
        }
        screen.listeners.call(hearers);
        if (crowd && hearers != Hearers::Nobody) || screen.pacing.borrow_mut().rests(now, playing) {
            return true;
        }
        self.draw(version);
        screen.pacing.borrow().is_asked() || owed
    }
}
