//! The directors on the page: each hears its run while time runs, and whoever shows what it tells hears of that at once. Only the one of
//! the left run holds time.

use std::cell::RefCell;

use crate::i18n::Lang;
use crate::i18n::title::dwell_ms;
use crate::timeline::Side;
use crate::view::director::{Director, Reveal, Told, Waits};

use crate::ui::kit::browser::now_ms;

use super::Engine;
use super::pacing::Hearers;

impl Engine {
    /// In which language is read, and whether what decides stands until somebody goes on by hand, as in a hall.
    pub(crate) fn set_telling(&self, lang: Lang, by_hand: bool) {
        self.shared.lang.set(lang);
        self.on(Side::Left).director().borrow_mut().set_by_hand(by_hand);
    }

    /// Time runs for a frame that ends at this moment, ms, as far as the director lets it.
    pub(super) fn pass(&self, elapsed: f64, now: f64) {
        let (until, from) = (now.max(0.0) as u64, (now - elapsed).max(0.0) as u64);
        let dwell = self.dwell();
        let unread = self.sides().skip(1).any(|right| right.director().borrow().leads());
        let stands = self.on(Side::Left).listening(|director| {
            self.attend_consoles(|left| {
                if unread {
                    left.tarry();
                }
                director.play(left, until - from, until, &dwell);
            })
        });
        if stands {
            self.tell_as_stop();
        }
        for right in self.sides().skip(1) {
            right.listening(|director| director.overhear(&right.session(), until, &dwell));
        }
        self.follow();
    }

    /// The run has gone on by what came from outside, between two frames: that is told in its turn.
    pub(super) fn overhear(&self) {
        let dwell = self.dwell();
        self.listening(|director| director.overhear(&self.session(), now_ms(), &dwell));
    }

    fn director(&self) -> &RefCell<Director> {
        &self.shared.directors[self.side as usize]
    }

    /// The runs may be elsewhere: the directors look where they are.
    pub(super) fn look(&self) {
        for side in self.sides() {
            side.director().borrow_mut().look(&side.session(), now_ms(), &self.dwell());
        }
        self.follow();
    }

    /// Time was stopped here, not by the viewer: the director tells what has just happened.
    pub(super) fn tell_as_stop(&self) {
        let (left, dwell) = (self.on(Side::Left), self.dwell());
        left.listening(|director| director.stops(&left.session(), now_ms(), &dwell));
    }

    /// What is shown from here on is known ahead; without that, it has been shown.
    pub(super) fn set_reveal(&self, reveal: Option<Reveal>) {
        let (left, dwell) = (self.on(Side::Left), self.dwell());
        left.listening(|director| match reveal {
            Some(reveal) => director.begin_reveal(reveal),
            None => director.end_reveal(&left.session(), now_ms(), &dwell),
        });
    }

    /// What was to be shown is not what is on the stage any more.
    pub(super) fn forget_reveal(&self) {
        self.on(Side::Left).director().borrow_mut().forget_reveal();
    }

    /// Whether something of what is shown has not been read yet.
    pub(super) fn reveals(&self) -> bool {
        self.on(Side::Left).director().borrow().reveals()
    }

    /// Somebody goes on; whether time waited for that.
    pub(crate) fn carry_on(&self) -> bool {
        self.on(Side::Left).listening(Director::go_on)
    }

    /// What is told now on this side, how long that has stood, ms, and why time waits.
    pub(crate) fn told<T>(&self, read: impl FnOnce(Option<&Told>, u64, Option<Waits>) -> T) -> T {
        let director = self.director().borrow();
        read(director.told(), director.shown_ms(now_ms()), director.waits())
    }

    pub(super) fn dwell(&self) -> impl Fn(&Told) -> u64 + use<> {
        let lang = self.shared.lang.get();
        move |told| dwell_ms(lang, told)
    }

    /// After `work`, whoever shows what is told hears of it, if that is something else.
    fn listening<T>(&self, work: impl FnOnce(&mut Director) -> T) -> T {
        let mark = |director: &Director| (director.changes(), director.waits());
        let (before, done, after) = {
            let director = &mut *self.director().borrow_mut();
            let before = mark(director);
            let done = work(director);
            (before, done, mark(director))
        };
        if before != after {
            self.screen().pacing.borrow_mut().told();
            self.screen().listeners.call(Hearers::Voice);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::scenarios::scenario;
    use crate::view::director::at_stop;

    /// Time stands long after the last event; what is typed lets it run, and the answer is the headline where it stands again.
    #[test]
    fn a_typed_command_lets_time_run_until_it_is_answered_and_its_end_is_told() {
        use crate::base::ClientId;
        use crate::i18n::title::title;
        for speed in ["1", "1/30"] {
            let engine = Engine::new();
            let client = ClientId(1);
            let open = crate::sim::Action::OpenClient {
                client,
                servers: vec![],
                timeout_ms: 4_000,
                chroot: None,
                raw: false,
            };
            engine
                .change(|session| {
                    session.act(open).unwrap();
                    session.speed = crate::timeline::pace::speed_named(speed).unwrap();
                    session.playing = false;
                    session.seek(SimTime::from_ms(3_000))
                })
                .unwrap();
            engine.enter(client, "create /hello world");
            engine.enter(client, "create /hello again");
            let mut now = 0.0;
            while engine.session().playing && now < 60_000.0 {
                now += 16.0;
                engine.pass(16.0, now);
            }
            let told = engine.told(|told, _, _| told.map(|told| title(Lang::En, told).title));
            assert_eq!(told.as_deref(), Some("C1: “create /hello again” fails: NodeExists."), "{speed}");
        }
    }

    #[test]
    fn each_side_is_told_by_its_own_run() {
        let engine = Engine::new();
        let (herd, queue) = (scenario("lock-herd").unwrap(), scenario("lock-predecessor"));
        engine.choose(herd, queue, Vec::new(), None).unwrap();
        engine.change(|left| left.seek(SimTime::from_ms(4_600))).unwrap();
        for side in engine.sides() {
            assert_eq!(side.told(|told, _, _| told.cloned()), at_stop(&side.session()));
        }
        let told = |side| engine.on(side).told(|told, _, _| told.cloned());
        assert_ne!(told(Side::Left), told(Side::Right));
    }
}
