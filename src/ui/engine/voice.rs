//! The director on the page: it hears the left run while time runs, and whoever shows what it tells hears of that at once.

use crate::i18n::Lang;
use crate::i18n::title::dwell_ms;
use crate::timeline::Side;
use crate::view::director::{Director, Told, Waits};

use crate::ui::kit::browser::now_ms;
use crate::ui::kit::second;

use super::Engine;
use super::pacing::Hearers;

impl Engine {
    /// In which language is read, and whether what decides stands until somebody goes on by hand, as in a hall.
    pub fn set_telling(&self, lang: Lang, by_hand: bool) {
        self.shared.lang.set(lang);
        self.shared.director.borrow_mut().set_by_hand(by_hand);
    }

    /// Time runs for a frame that ends at this moment, ms, as far as the director lets it. He comes with the second part of the code.
    pub(super) fn pass(&self, elapsed: f64, now: f64) {
        if !second::has_come() {
            return self.attend_consoles(|left| left.advance(elapsed));
        }
        let (until, from) = (now.max(0.0) as u64, (now - elapsed).max(0.0) as u64);
        let dwell = self.dwell();
        self.listening(|director| {
            self.attend_consoles(|left| director.play(left, until - from, until, &dwell));
        });
        self.follow();
    }

    /// The run may be elsewhere: the director looks where it is.
    pub(super) fn look(&self) {
        if !second::has_come() {
            return;
        }
        let session = self.on(Side::Left);
        self.shared.director.borrow_mut().look(&session.session(), now_ms(), &self.dwell());
        self.follow();
    }

    /// Somebody goes on; whether time waited for that.
    pub fn carry_on(&self) -> bool {
        self.listening(Director::go_on)
    }

    /// What is told now, how long that has stood, ms, and why time waits.
    pub fn told<T>(&self, read: impl FnOnce(Option<&Told>, u64, Option<Waits>) -> T) -> T {
        let director = self.shared.director.borrow();
        read(director.told(), director.shown_ms(now_ms()), director.waits())
    }

    fn dwell(&self) -> impl Fn(&Told) -> u64 + use<> {
        let lang = self.shared.lang.get();
        move |told| dwell_ms(lang, told)
    }

    /// After `work`, whoever shows what is told hears of it, if that is something else.
    fn listening<T>(&self, work: impl FnOnce(&mut Director) -> T) -> T {
        let mark = |director: &Director| (director.changes(), director.waits());
        let (before, done, after) = {
            let director = &mut *self.shared.director.borrow_mut();
            let before = mark(director);
            let done = work(director);
            (before, done, mark(director))
        };
        if before != after {
            self.on(Side::Left).screen().listeners.call(Hearers::Voice);
        }
        done
    }
}
