//! The frame loop. A frame is asked for only when something moves or is to be painted, and nobody hides the page: a page that stands
//! still costs nothing.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use crate::draw::{CROWD, packets};
use crate::timeline::Session;

use crate::ui::kit::browser::{reduced_motion, window};

use super::listen::stage_every_ms;
use super::{Engine, Hidden, Moment};

/// Where somebody asks for less motion, packets step from place to place: so long they stand, ms of real time.
const STEP_MS: f64 = 400.0;

impl Engine {
    /// Starts the frame loop; a second call does nothing.
    pub fn run(&self) {
        if self.0.frame.borrow().is_some() {
            return;
        }
        let engine = self.clone();
        *self.0.frame.borrow_mut() = Some(Closure::new(move |now: f64| engine.frame(now)));
        self.refresh();
        self.look_at_screen();
        self.wake();
    }

    /// Asks the browser what frames need to know of it.
    fn look_at_screen(&self) {
        self.0.calm.set(reduced_motion());
        self.0.ratio.set(window().device_pixel_ratio().clamp(1.0, 4.0));
    }

    /// What was put off while not all of the code was there is done.
    pub fn study(&self) {
        let behind = self.session().is_behind();
        if behind {
            self.change(Session::study);
        }
    }

    /// Somebody hides the page, or shows it again. Hidden, it asks for no frame, and virtual time stands.
    pub fn hide(&self, why: Hidden, hidden: bool) {
        let bit = why as u8;
        let before =
            self.0.hidden.replace(if hidden { self.0.hidden.get() | bit } else { self.0.hidden.get() & !bit });
        if self.is_hidden() {
            self.sleep();
        } else {
            self.wake();
        }
        if (before == 0) == self.is_hidden() {
            self.tell();
        }
    }

    /// Whether nobody sees the page.
    pub fn is_hidden(&self) -> bool {
        self.0.hidden.get() != 0
    }

    /// Asks for a frame, if somebody would see it and none is on its way.
    pub(super) fn wake(&self) {
        if let Some(first) = self.0.first.borrow().upgrade() {
            return Engine(first).wake();
        }
        if self.is_hidden() || self.0.asked.get().is_some() {
            return;
        }
        // an engine that nobody has run asks the browser for nothing
        if let Some(closure) = self.0.frame.borrow().as_ref()
            && let Some(window) = web_sys::window()
        {
            self.0.asked.set(window.request_animation_frame(closure.as_ref().unchecked_ref()).ok());
        }
    }

    /// No frame comes any more; when frames come again, the time between has not passed.
    fn sleep(&self) {
        if let (Some(asked), Some(window)) = (self.0.asked.take(), web_sys::window()) {
            let _ = window.cancel_animation_frame(asked);
        }
        self.0.last_frame.set(None);
    }

    /// One frame: time passes, the canvas is drawn, and whoever listens hears of it now and then.
    fn frame(&self, now: f64) {
        self.0.asked.set(None);
        let elapsed = self.0.last_frame.replace(Some(now)).map_or(0.0, |last| now - last);
        let (version, playing) = {
            let mut session = self.0.session.borrow_mut();
            if session.playing {
                session.advance(elapsed);
                self.0.consoles.borrow_mut().attend(&mut session);
            }
            (session.version(), session.playing)
        };
        let mut more = playing;
        if let Some(twin) = self.twin() {
            twin.0.session.borrow_mut().follow(&self.0.session.borrow());
            let version = twin.session().version();
            more |= twin.show(now, version, playing);
            more |= self.compare_on();
        }
        more |= self.show(now, version, playing);
        if more {
            self.wake();
        } else {
            self.sleep();
        }
    }

    /// The canvas is drawn, and the panels hear of it where they have not heard for a while; whether there is more to come.
    fn show(&self, now: f64, version: u64, playing: bool) -> bool {
        if self.0.resized.take() {
            self.refresh();
            self.look_at_screen();
            self.tell();
        }
        // to paint a crowd and to tell of it would take too long: after a frame that only told, one only paints
        let crowd = playing && self.0.flying.borrow().len() > CROWD;
        let mut owed = true;
        if !crowd || !self.0.told.take() {
            let told;
            (told, owed) = self.spread(now, version, playing, crowd);
            if crowd && told {
                self.0.told.set(true);
                return true;
            }
        }
        if playing && now - self.0.drawn_at.get() < STEP_MS && self.0.calm.get() {
            return true;
        }
        self.0.drawn_at.set(now);
        self.draw(version);
        // painting may ask for more of it: something glides
        let wanted = self.0.painted.get().1 != self.0.repaint.get();
        wanted || owed
    }

    /// Tells of changes whose turn it is; whether somebody was told, and whether others still have to hear.
    fn spread(&self, now: f64, version: u64, playing: bool, crowd: bool) -> (bool, bool) {
        let (shown, when) = self.0.shown.get();
        if shown == version || now - when < stage_every_ms(crowd) {
            let (told, owed) = self.tell_others(playing, crowd);
            return (told, owed || shown != version);
        }
        self.0.shown.set((version, now));
        self.refresh();
        self.look_at_screen();
        self.tell_stage(playing);
        (true, false)
    }

    /// Draws the moment, unless it is what was drawn last.
    pub fn draw(&self, version: u64) {
        let mark = (version, self.0.repaint.get());
        if self.0.painted.replace(mark) == mark {
            return;
        }
        let session = self.0.session.borrow();
        if let Some(diagram_painter) = self.0.diagram_painter.borrow().as_ref() {
            return diagram_painter(&session);
        }
        let layout = self.0.layout.borrow();
        let flying = packets(session.world(), session.run_summary(), &layout, session.cursor_us());
        if let Some(painter) = self.0.painter.borrow().as_ref() {
            let (scene, chosen, ratio) = (self.0.scene.borrow(), session.packet, self.0.ratio.get());
            let fresh = self.0.fresh.take();
            painter(&Moment { layout: &layout, scene: &scene, packets: &flying, chosen, ratio, fresh });
        }
        *self.0.flying.borrow_mut() = flying;
    }
}
